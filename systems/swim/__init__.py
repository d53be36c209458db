"""Swimming: a travelling wave of muscle lengths, from one clock for the whole body or from a chain of coupled ones."""

from .immersion_kernel import sample_immersion
from .muscle_kernel import drive_muscles
from .optimum import Optimum, least_power
from .sweep import Sweep, Table, run_sweep
from .swimmers import Swimmers, Track, mean_speed

__all__ = [
    "Optimum",
    "Swimmers",
    "Sweep",
    "Table",
    "Track",
    "drive_muscles",
    "least_power",
    "mean_speed",
    "run_sweep",
    "sample_immersion",
]
