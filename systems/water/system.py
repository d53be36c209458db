"""WaterSystem: ponds flow, rain falls, bodies and legs leave wakes, and whatever floats is carried along."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.body import BodyPool
from ...components.leg_states import LegState
from ...components.legs import LegPool
from ...components.segments import SegmentPool
from ...engine.props import FoodPool
from ...engine.threads import ThreadsFor
from ...engine.water.coupling_rows_kernel import AVX, AX, BODY_COLUMNS, BVX, BX, FELT, RADIUS
from ..legs.leg_joints_kernel import place_all_leg_joints
from .floats_kernel import drift_floats
from .rocks import Rocks
from .wet_bodies_kernel import feel_currents, forget_exchange, lay_wet_bodies

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World

LEG_RADIUS = 0.12
"""Units; the drawn thickness of a unit animal's legs."""

CELLS_PER_THREAD = 2000
"""Of ponds; fewer are done before another thread has woken up."""

LEAP = 1.0
"""Units in one tick; a foot that far from where it was has been put there, as at birth, and did not stir anything."""

KNEE, TIP = 1, 3


class WaterSystem:
    """Update the ponds from gravity, rain and what moves in them, then what bodies feel of them and where food floats."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.body, self.segments, self.legs = world.pool(BodyPool), world.pool(SegmentPool), world.pool(LegPool)
        self.food, self._rocks = world.pool(FoodPool), Rocks(world)
        self._capsules = np.zeros((0, BODY_COLUMNS))
        self._cells = sum(int(grid.depth.size) for grid in world.water.grids)
        self._largest_cell = max((pond.cell for pond in world.water.ponds), default=0.0)
        self._follows = any(pond.moving for pond in world.water.ponds)

    def process(self, dt: float) -> None:
        water = self.world.water
        if not water.grids:
            return
        rows, b, s = self.body.first_rows, self.body, self.segments
        bodies, legs = self._wet_bodies(rows), self._wet_legs(dt)
        self._rocks.refresh()
        with ThreadsFor(self._cells, CELLS_PER_THREAD, most=self.world.threads):  # cells count here, not creatures
            water.step(dt, bodies, legs)
            feel_currents(rows, b, s, water.arrays, self._largest_cell)
        forget_exchange(rows, b, s)
        self._drift(dt)
        if self._follows and self.world.creatures:
            oldest = self.world.creatures[min(self.world.creatures)]
            water.follow(oldest.position)  # [Fang15 App. B]

    def _drift(self, dt: float) -> None:
        """Let food float along; who looks it up in an index has to look again."""
        rows = self.food.first_rows
        if rows.size and drift_floats(rows, self.food, self.world.water.arrays, dt):
            self.world.props.food_moves += 1
            self.world.props.changed = True

    def _wet_bodies(self, rows: Array) -> Array:
        """Capsules from segment to segment wherever there is water below them."""
        s, b = self.segments, self.body
        if len(self._capsules) < s.end:
            self._capsules = np.zeros((s.capacity, BODY_COLUMNS))
        wet = lay_wet_bodies(rows, b, s, self.world.water.arrays, self._capsules)
        return self._capsules[:wet]

    def _wet_legs(self, dt: float) -> Array | None:
        """Capsules from knee to foot; the knee moves with its segment, the foot as it did since a tick ago."""
        legs, body, s = self.legs, self.body, self.segments
        if not len(legs.spans):
            return None
        joints = np.zeros((legs.end, 4, 3))
        rows = body.spans[:, 0]
        walkers, creatures = rows[body.leg_count[rows] > 0], self.world.creature_pool
        place_all_leg_joints(walkers, creatures, body, s, legs, joints)
        step = legs.tip[: legs.end] - legs.tip_before[: legs.end]
        step[np.abs(step).max(axis=1) > LEAP] = 0.0
        foot_velocity = step / dt
        legs.tip_before[: legs.end] = legs.tip[: legs.end]
        open_legs = legs.state[: legs.end] != LegState.TUCKED  # folded ones lie against a body that moves the same water
        wet = np.flatnonzero(self._wet(joints[:, TIP]) & open_legs)
        capsules = np.zeros((wet.size, BODY_COLUMNS))
        capsules[:, AX:BX], capsules[:, BX:RADIUS] = joints[wet, KNEE], joints[wet, TIP]
        capsules[:, RADIUS] = LEG_RADIUS
        capsules[:, AVX:BVX], capsules[:, BVX:FELT] = s.velocity[legs.segment_row[wet], :2], foot_velocity[wet, :2]
        return capsules

    def _wet(self, points: Array) -> Array:
        return self.world.water.depth(points) > 0.0
