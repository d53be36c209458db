"""HeadlessWalkSystem: bodies without a head walk straight on for a while, as cut centipedes do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.body import BodyPool
from ...components.head_command import HeadCommandPool
from ...components.myriapod.chain_segments import ChainSegmentPool
from ...components.myriapod.gait import GaitPool
from ...components.myriapod.headless_walk import NOBODY, GangliaPool
from ...components.segments import SegmentPool
from ...engine.pool import NO_OWNER
from ..row_selection import rows_with
from ..spatial_index.index import SpatialIndex
from .gait.climbing_order import climbing_order
from .headless_walk_kernel import look_ahead_headless

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World

ROOM = 6.0
"""Half pitches between the nearest segments of the two halves from which on the back of the front is not in the way."""
FADING, ACCELERATION, STAND_SHARE, FALL_SHARE = range(4)  # columns of limits


class HeadlessWalkSystem:
    """Update the head commands of bodies without a brain: the foremost segment goes straight on."""

    def __init__(self, world: World) -> None:
        self.ganglia, self.body, self.gait = world.pool(GangliaPool), world.pool(BodyPool), world.pool(GaitPool)
        self.head = world.pool(HeadCommandPool)
        self.segments, self.chained = world.pool(SegmentPool), world.pool(ChainSegmentPool)
        self.creatures = world.creature_pool
        self.index = world.resource(SpatialIndex)

    def process(self, dt: float) -> None:
        rows = np.ascontiguousarray(self.ganglia.spans[:, 0])
        if not rows.size:
            return
        g = self.ganglia
        look_ahead_headless(rows, self.body, self.segments, self.head, g, self.index.around)
        g.seconds_left[rows] = np.maximum(g.seconds_left[rows] - dt, 0.0)
        self._part(rows[g.leader[rows] != NOBODY])
        self._bind(rows)
        self._find_feet(rows)
        self.head.speed[rows], self.head.yaw_rate[rows] = self._speeds(rows, dt), 0.0

    def _part(self, rows: Array) -> None:
        """Forget the front half once it is so far ahead that its back is not in the way any more, or gone."""
        g, b, s = self.ganglia, self.body, self.segments
        gone = self.creatures.owner[g.leader_row[rows]] != g.leader[rows]
        last = b.first_segment[g.leader_row[rows]] + b.segment_count[g.leader_row[rows]] - 1
        first = b.first_segment[rows]
        distance = np.linalg.norm(s.position[last] - s.position[first], axis=1)
        apart = distance > ROOM * self.chained.half_pitch[first]
        g.leader[rows[gone | apart]] = NOBODY

    def _bind(self, rows: Array) -> None:
        """The halves of a fresh cut touch, and do not press against each other."""
        order = climbing_order(self.creatures, self.ganglia)
        self.body.bond[rows] = np.where(order[rows] != self.creatures.owner[rows], order[rows], NOBODY)

    def _find_feet(self, rows: Array) -> None:
        """Without enough standing legs nothing drives, as in a brain's ADJUSTMENT."""
        rows = rows_with(self.gait, rows)
        share, limits = self.gait.stance_share[rows], self.ganglia.limits[rows]
        adjusting, dead = self.head.adjusting[rows] != 0, self.creatures.dead[rows] != 0
        falling = np.where(adjusting, share <= limits[:, STAND_SHARE], share < limits[:, FALL_SHARE])
        self.head.adjusting[rows] = falling | dead

    def _speeds(self, rows: Array, dt: float) -> Array:
        g, limits = self.ganglia, self.ganglia.limits[rows]
        wish = g.wanted_speed[rows] * np.minimum(g.seconds_left[rows] / limits[:, FADING], 1.0)
        falling = (self.gait.owner[rows] != NO_OWNER) & (self.head.adjusting[rows] != 0)
        afloat = self.segments.submerged[self.body.first_segment[rows]] != 0
        waiting = (g.leader[rows] != NOBODY) & ~afloat  # a fresh rear on the ground has no room yet
        wish[falling | waiting | (self.creatures.dead[rows] != 0)] = 0.0
        a, ahead = limits[:, ACCELERATION], g.free_path[rows, 0]
        wish = np.minimum(wish, np.sqrt(2.0 * a * ahead))  # able to stop in time
        now = self.head.speed[rows]
        speed = np.clip(wish, now - a * dt, now + a * dt)
        limited: Array = np.minimum(speed, ahead / dt)
        return limited
