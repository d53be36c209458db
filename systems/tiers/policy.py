"""Who gets which tier of physical detail: a policy of a game's own choosing, outside the tick.

The world never changes a tier by itself. A game that shows only part of its world asks a policy once per frame; the
answer depends on the state of the world and on where the camera is, never on the clock of the machine, so that a
recorded list of changes replays a run exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...engine.creature import BUSH, FOLLOW, FULL, TIERS
from .policy_kernel import give_places, see_creatures

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.places import Point
    from ...engine.pool import Array
    from ...engine.world import World

LOYALTY = 0.85
"""A creature counts as this much nearer to the tier it already has, so that two of them do not swap every frame."""

Bounds = tuple[float, float, float, float]


class TierChange(NamedTuple):
    """One creature gets another tier, before the tick that follows `tick`."""

    tick: int
    serial: int
    tier: str


@dataclass(frozen=True)
class TierPolicy:
    """Budgets in creature counts: the nearest in view are `full`, the next `bush`, all others `follow`.

    What cannot do without full detail has it, whatever the budget: ragdolls, animals in the water, animals that have lost
    their footing. They are counted, so fewer of the others are `full` meanwhile. Every family has its own pair of places:
    those in `budgets`, else those its record names (`Family.places`), else `full` and `bush`.

    Example::

        policy = TierPolicy(full=6, bush=30, budgets={"fish": (60, 200)})
        while running:
            log += policy.apply(world, camera.center, camera.visible_bounds, keep=[player])
            world.update(dt)
    """

    full: int = 8
    bush: int = 40
    margin: float = 6.0
    """Units beyond the edge of the view that still count as seen."""
    budgets: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Places at full and at bush detail by family, in place of what the families' records say."""

    def apply(self, world: World, center: Point, bounds: Bounds, keep: Iterable[Creature] = ()) -> list[TierChange]:
        """Set the tiers for a view (west, south, east, north) around a point; `keep` stays full. Returns what changed."""
        rows = world.creature_pool.spans[:, 0]
        wanted = self.choose(world, rows, center, bounds, [creature.row for creature in keep if creature.in_world])
        changed = np.flatnonzero(wanted != world.creature_pool.tier[rows])
        if not changed.size:
            return []
        serials = world.creature_pool.owner[rows[changed]].tolist()
        changes = [TierChange(world.tick, serial, TIERS[tier])
                   for serial, tier in zip(serials, wanted[changed].tolist(), strict=True)]  # fmt: skip
        apply_changes(world, changes)
        return changes

    def choose(self, world: World, rows: Array, center: Point, bounds: Bounds, kept_rows: Iterable[int] = ()) -> Array:
        """The tier of every given creature row, as an index into `TIERS`; nothing is changed."""
        pool = world.creature_pool
        rows = np.ascontiguousarray(rows)
        kept = np.zeros(pool.capacity, np.bool_)
        kept[list(kept_rows)] = True
        needs, seen = kept[rows], np.empty(rows.size, np.bool_)
        west, south, east, north = (float(side) for side in bounds)
        see_creatures(rows, pool, (west, south, east, north), float(self.margin), seen)
        wanted = np.full(rows.size, FOLLOW, np.int64)
        numbers = pool.family[rows]
        for number, name in enumerate(world.families):
            mine = numbers == number
            if not mine.any():
                continue
            family_rows = rows[mine]
            full = needs[mine] | world.families[name].bound(world, family_rows)
            chosen = np.where(full, FULL, FOLLOW)
            self._give_places(world, name, family_rows, center, seen[mine], chosen)
            wanted[mine] = chosen
        return wanted

    def _give_places(self, world: World, family: str, rows: Array, center: Point, seen: Array, wanted: Array) -> None:
        """Update the wanted tiers of one family's rows from the places it has."""
        most_full, most_bush = self.budgets.get(family, world.families[family].places or (self.full, self.bush))
        point, creatures = (float(center[0]), float(center[1])), world.creature_pool
        score, order = np.empty(rows.size), np.empty(rows.size, np.int64)
        left = max(most_full - int((wanted == FULL).sum()), 0)
        for target, places in ((FULL, left), (BUSH, most_bush)):
            give_places(rows, creatures, target, places, LOYALTY, point, seen, wanted, score, order)


def apply_changes(world: World, changes: Iterable[TierChange]) -> None:
    """Carry out changes, chosen now or recorded in an earlier run; creatures that are gone are passed over."""
    for change in changes:
        creature = world.creatures.get(change.serial)
        if creature is not None:
            creature.tier = change.tier
