"""Insects at the shore: they wade as deep as their trunks stand, and turn away from deeper water."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ....components.head_command import HeadCommandPool
    from ....components.insect.trunk import TrunkPool
    from ....engine.pool import Array
    from ....engine.water.water import Water

WADING = 0.6
"""Heights of the trunk: deeper water it does not go into."""
FEELERS = 0.8
"""Lengths of the trunk in front of its middle where it feels for water."""
SIDES = 0.7
"""Radians to either side where it looks for a way out."""
SHORE_TURN = 2.0
"""rad/s with which it turns away, for a body of 1.5 u; longer ones turn slower, as their length."""
USUAL_SIZE = 1.5
"""Units."""


def turn_from_water(rows: Array, trunks: TrunkPool, heads: HeadCommandPool, water: Water) -> None:
    """Change what heads want where it would lead into deep water: they stand and turn to the shallower side.

    One that is in deep water already goes where it is less deep.
    """
    at, forward, size = trunks.position[rows], trunks.forward[rows], trunks.size[rows]
    limit, here = WADING * trunks.height[rows], water.depth(at)
    way = np.where(heads.speed[rows] < 0.0, -1.0, 1.0)

    def felt(angle: float) -> Array:
        c, s = np.cos(angle), np.sin(angle)
        ahead = np.column_stack([c * forward[:, 0] - s * forward[:, 1], s * forward[:, 0] + c * forward[:, 1]])
        return water.depth(at[:, :2] + (FEELERS * size * way)[:, None] * ahead)

    deep = felt(0.0)
    stopped = (deep > limit) & (deep >= here)
    if not stopped.any():
        return
    side = np.where(felt(SIDES) <= felt(-SIDES), 1.0, -1.0)[stopped]
    chosen = rows[stopped]
    heads.speed[chosen] = 0.0
    heads.yaw_rate[chosen] = side * SHORE_TURN * USUAL_SIZE / size[stopped]
