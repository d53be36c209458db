"""Who gets which tier of physical detail: a policy of a game's own choosing, outside the tick.

The world never changes a tier by itself. A game that shows only part of its world asks a policy once per frame; the
answer depends on the state of the world and on where the camera is, never on the clock of the machine, so that a
recorded list of changes replays a run exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...components.body import BodyPool
from ...components.myriapod.gait import GaitPool
from ...components.segments import SegmentPool
from ...engine.creature import TIERS
from ...engine.pool import NO_OWNER
from .policy_kernel import give_places, judge_creatures

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.places import Point
    from ...engine.pool import Array
    from ...engine.world import World

FULL, BUSH, FOLLOW = range(len(TIERS))

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
    """Budgets in creature counts: the nearest in view are `full`, the next `bush`, everybody else `follow`.

    Ragdolls, animals in the water and animals that have lost their footing stay `full`, whatever the budget: the other
    tiers cannot move them. They are counted, so fewer of the others are `full` meanwhile.

    Example::

        policy = TierPolicy(full=6, bush=30)
        while running:
            log += policy.apply(world, camera.center, camera.visible_bounds, keep=[player])
            world.update(dt)
    """

    full: int = 8
    bush: int = 40
    margin: float = 6.0
    """Units beyond the edge of the view that still count as seen."""

    def apply(self, world: World, center: Point, bounds: Bounds, keep: Iterable[Creature] = ()) -> list[TierChange]:
        """Set the tiers for a view (west, south, east, north) around a point; `keep` stays full. Returns what changed."""
        rows = world.creature_pool.spans[:, 0]
        wanted = self.choose(world, rows, center, bounds, [creature.row for creature in keep if creature.alive])
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
        pool, body, gait = world.creature_pool, world.pool(BodyPool), world.pool(GaitPool)
        kept = np.zeros(pool.capacity, np.bool_)
        kept[list(kept_rows)] = True
        rows, x, y = np.ascontiguousarray(rows), float(center[0]), float(center[1])
        seen, wanted = np.empty(rows.size, np.bool_), np.empty(rows.size, np.int64)
        score, order = np.empty(rows.size), np.empty(rows.size, np.int64)
        west, south, east, north = bounds
        taken = judge_creatures(
            rows, NO_OWNER, FULL, (float(west), float(south), float(east), float(north)), float(self.margin), pool.position,
            pool.reach, pool.tier, kept, body.owner, body.dead, body.first_segment, body.segment_count,
            world.pool(SegmentPool).submerged, gait.owner, gait.stance_share, FOLLOW, seen, wanted,
        )  # fmt: skip
        for target, places in ((FULL, max(self.full - taken, 0)), (BUSH, self.bush)):
            give_places(target, places, LOYALTY, x, y, rows, pool.position, pool.tier, FOLLOW, seen, score, order, wanted)
        return wanted


def apply_changes(world: World, changes: Iterable[TierChange]) -> None:
    """Carry out changes, chosen now or recorded in an earlier run; creatures that are gone are passed over."""
    for change in changes:
        creature = world.creatures.get(change.serial)
        if creature is not None:
            creature.tier = change.tier
