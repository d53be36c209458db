"""Studies of swimming gaits: trials in a tank, sweeps on all cores or a cluster, and the line of least energy."""

from .optimum import Optimum, least_power
from .regression import Line, fit_line
from .sweep import Sweep, Table, run_sweep, sweep_of
from .swim_tank import Swimmers, Track, mean_speed
from .trial import Sample, Trial

__all__ = ["Line", "Optimum", "Sample", "Swimmers", "Sweep", "Table", "Track", "Trial", "fit_line", "least_power",
           "mean_speed", "run_sweep", "sweep_of"]  # fmt: skip
