"""WaterSystem: ponds flow, rain falls, and bodies and legs that wade leave wakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..components.body import BodyPool
from ..components.gait import GaitPool
from ..components.legs import LegPool
from ..components.segments import SegmentPool
from .leg_joints_kernel import place_all_leg_joints

if TYPE_CHECKING:
    from ..engine.pool import Array
    from ..engine.world import World

CAPSULE_COLUMNS = 11
"""Both ends, radius, and the horizontal velocity of both ends."""

LEG_RADIUS = 0.12
"""Units; the drawn thickness of a unit animal's legs."""

KNEE, TIP = 1, 3


class WaterSystem:
    """Update the ponds from gravity, rain, and what moves in them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.body, self.gait = world.pool(BodyPool), world.pool(GaitPool)
        self.segments, self.legs = world.pool(SegmentPool), world.pool(LegPool)

    def process(self, dt: float) -> None:
        water = self.world.water
        if water.grids:
            water.step(dt, self._wet_bodies(), self._wet_legs(dt))

    def _wet_bodies(self) -> Array:
        """Capsules from segment to segment wherever there is water below them."""
        s, rows = self.segments, self.body.spans[:, 0]
        first, count = self.body.first_segment[rows], self.body.segment_count[rows]
        starts = np.concatenate([np.arange(a, a + n - 1) for a, n in zip(first, count, strict=True)] or [np.zeros(0, int)])
        starts = starts[self._wet(s.position[starts])]
        capsules = np.zeros((starts.size, CAPSULE_COLUMNS))
        capsules[:, 0:3], capsules[:, 3:6] = s.position[starts], s.position[starts + 1]
        capsules[:, 6] = s.half_extents[starts, 1]
        capsules[:, 7:9], capsules[:, 9:11] = s.velocity[starts, :2], s.velocity[starts + 1, :2]
        return capsules

    def _wet_legs(self, dt: float) -> Array:
        """Capsules from knee to foot; the knee moves with its segment, the foot as it did since a tick ago."""
        legs, body, s = self.legs, self.body, self.segments
        joints = np.zeros((legs.end, 4, 3))
        walkers = np.ascontiguousarray(self.gait.spans[:, 0])
        place_all_leg_joints(walkers, body.first_leg, body.leg_count, legs.segment_row, legs.hip, legs.links, legs.angles,
                             s.position, s.orientation, joints)  # fmt: skip
        foot_velocity = (legs.tip[: legs.end] - legs.tip_before[: legs.end]) / dt
        legs.tip_before[: legs.end] = legs.tip[: legs.end]
        wet = np.flatnonzero(self._wet(joints[:, TIP]))
        capsules = np.zeros((wet.size, CAPSULE_COLUMNS))
        capsules[:, 0:3], capsules[:, 3:6] = joints[wet, KNEE], joints[wet, TIP]
        capsules[:, 6] = LEG_RADIUS
        capsules[:, 7:9], capsules[:, 9:11] = s.velocity[legs.segment_row[wet], :2], foot_velocity[wet, :2]
        return capsules

    def _wet(self, points: Array) -> Array:
        return self.world.water.depth(points) > 0.0
