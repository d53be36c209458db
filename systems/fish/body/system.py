"""FishMotorSystem turns wishes into muscles and fins, FishBodySystem moves the bodies, each at its own tier of detail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.diet import DietPool
from ....components.fish.motor import MotorPool
from ....components.fish.nodes import NodePool
from ....components.fish.springs import FishBodyPool
from ....components.segments import SegmentPool
from ....engine.creature import BUSH, FOLLOW, FULL
from ....engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ...body_surroundings import BodySurroundings, body_surroundings
from ...breath import let_die_of_air
from ...row_selection import TURN_TICKS, has_turn
from ...summary_kernel import clear_pushes, summarise_bodies
from .distant_fish_kernel import step_spines
from .distant_push_kernel import give_way
from .full_fish_kernel import step_full_fishes
from .kind_table import KindTable
from .pilot_kernel import steer
from .settle_kernel import settle_fishes
from .springs_kernel import SCRATCH

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World


class FishMotorSystem:
    """Update muscles and fins of all fishes from what is wanted of them."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.fishes, self.motors, self.kinds = world.pool(FishBodyPool), world.pool(MotorPool), world.resource(KindTable)

    def process(self, dt: float) -> None:
        rows = self.fishes.first_rows
        with ThreadsFor(rows.size, 4 * CREATURES_PER_THREAD, most=self.world.threads):
            steer(rows, self.creatures, self.kinds.refreshed(), self.fishes, self.motors, dt)


class FishBodySystem:
    """Update the nodes and segments of all fishes over one tick."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.fishes, self.motors, self.nodes = world.pool(FishBodyPool), world.pool(MotorPool), world.pool(NodePool)
        self.body, self.segments, self.diet = world.pool(BodyPool), world.pool(SegmentPool), world.pool(DietPool)
        self.kinds = world.resource(KindTable)
        self._scratch = np.zeros((0, SCRATCH))
        self._around: BodySurroundings | None = None

    def process(self, dt: float) -> None:
        fishes, creatures = self.fishes, self.creatures
        rows = fishes.first_rows
        if len(self._scratch) < rows.size:
            self._scratch = np.zeros((2 * rows.size, SCRATCH))
        self._around = body_surroundings(self.world, self._around)
        parts = (creatures, self.kinds.refreshed(), fishes, self.motors, self.nodes,
                 self.body, self.segments, self._around)  # fmt: skip
        with ThreadsFor(rows.size, CREATURES_PER_THREAD, most=self.world.threads):
            full, spines, distant = self._by_tier(rows)
            if full.size < rows.size:
                give_way(rows, creatures, fishes, self.nodes, self.body, self.segments, dt)
            if full.size:
                step_full_fishes(full, *parts, dt, self._scratch)
            if spines.size:
                step_spines(spines, *parts, dt, self._scratch)
            if distant.size:
                step_spines(distant, *parts, TURN_TICKS * dt, self._scratch)
            summarise_bodies(rows, self.body, self.segments, creatures)
        clear_pushes(rows, self.body, self.segments)
        if settle_fishes(rows, creatures, fishes, self.diet):
            self._report(rows)

    def _by_tier(self, rows: Array) -> tuple[Array, Array, Array]:
        """Those that are stepped in full, those whose spines are, and those whose spines have their turn in this tick."""
        tiers = self.creatures.tier[rows]
        if not tiers.any():
            return rows, rows[:0], rows[:0]
        distant = rows[tiers == FOLLOW]
        return rows[tiers == FULL], rows[tiers == BUSH], distant[has_turn(distant, self.world.tick)]

    def _report(self, rows: Array) -> None:
        """Tell the game of bodies that had to be put back into shape, and of fishes that have died on land."""
        fishes, creatures = self.fishes, self.creatures
        for row in rows[fishes.disturbed[rows] != 0].tolist():
            self.world.emit("tissue_disturbed", self.world.creatures[int(fishes.owner[row])], block=0, cause=0)
        let_die_of_air(self.world, fishes, rows, self.kinds.refreshed().air[creatures.kind[rows]])
