"""Swimming: a travelling wave of muscle lengths, from one clock for the whole body or from a chain of coupled ones."""

from .immersion_kernel import sample_immersion
from .muscle_kernel import drive_muscles
from .optimum import Optimum, least_power
from .regression import Line, fit_line
from .sweep import Sweep, Table, run_sweep, sweep_of
from .swimmers import Swimmers, Track, mean_speed
from .trial import Sample, Trial

__all__ = [
    "Line",
    "Optimum",
    "Sample",
    "Swimmers",
    "Sweep",
    "Table",
    "Track",
    "Trial",
    "drive_muscles",
    "fit_line",
    "least_power",
    "mean_speed",
    "run_sweep",
    "sample_immersion",
    "sweep_of",
]
