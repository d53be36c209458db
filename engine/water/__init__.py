"""Shallow water: ponds on staggered grids with the terrain as their bed. [Fang15 App. B]

Kernels use `sample_kernel.sample_water(water, x, y)` with the tuple in `Water.arrays`.
"""

from .grid import WaterGrid
from .pond import Pond, read_ponds
from .pond_layout import WaterArrays
from .water import STANDARD_GRAVITY, Water
from .water_error import WaterError

__all__ = ["STANDARD_GRAVITY", "Pond", "Water", "WaterArrays", "WaterError", "WaterGrid", "read_ponds"]
