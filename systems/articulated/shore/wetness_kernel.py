"""How much of a swimmer is in the water, link by link, and whether that is too little to swim."""

from __future__ import annotations

from math import cos, sin
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ...water.water_around_kernel import level_around

if TYPE_CHECKING:
    from ....components.articulated.ashore import AshorePool
    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....engine.water.pond_layout import WaterArrays

SHORE = 0.5  # lengths of water beside a dry place that make it a rock and not a shore
STRANDED, AFLOAT = 0.35, 0.6  # share in the water below which it lies on the ground, and above which it swims again
DEEP = 1.0  # lengths of water under a swimmer that leave none of its links without


@kernel(refcount=False)
def feel_wetness(c: int, level: float, bed: float, swimmers: SwimPool, links: LinkPool, ashore: AshorePool,
                 water: WaterArrays) -> None:  # fmt: skip
    """Update the wet share of a swimmer and of its links, and whether it is grounded. level, bed: at its root."""
    first, length, height = int64(swimmers.first_link[c]), swimmers.length[c], swimmers.height[c]
    whole, wet = 0.0, 0.0
    deep = level - bed > DEEP * length
    for row in range(first, first + swimmers.link_count[c]):
        surface = level
        if not deep:
            half = 0.5 * links.length[row]
            x = links.place[row, 0] - half * cos(links.place[row, 2])
            y = links.place[row, 1] - half * sin(links.place[row, 2])
            surface, _ = level_around(x, y, length, SHORE * length, water)
        links.wet[row] = 1.0 if height < surface else 0.0
        whole += links.mass[row]
        wet += links.mass[row] * links.wet[row]
    swimmers.wet[c] = 0.0  # in a leap out of the water no stroke helps, either
    if ashore.flying[c] == 0:
        swimmers.wet[c] = min(wet / whole, 1.0)
        ashore.grounded[c] = 1 if swimmers.wet[c] < (AFLOAT if ashore.grounded[c] != 0 else STRANDED) else 0
