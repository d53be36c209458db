"""Shallow water: ponds on staggered grids with the terrain as their bed. [Fang15 appendix B]

Kernels use `sample_kernel.sample_water(water, x, y)` with the tuple in `Water.arrays`.
"""

from .errors import WaterError
from .grid import WaterGrid
from .layout import WaterArrays
from .pond import Pond, read_ponds
from .water import Water

__all__ = ["Pond", "Water", "WaterArrays", "WaterError", "WaterGrid", "read_ponds"]
