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

from ..components.body import BodyPool
from ..components.gait import GaitPool
from ..components.segments import SegmentPool
from ..engine.creature import TIERS

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.places import Point
    from ..engine.pool import Array
    from ..engine.world import World

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
        serials = world.creature_pool.owner[rows[changed]].tolist()
        changes = [TierChange(world.tick, serial, TIERS[tier])
                   for serial, tier in zip(serials, wanted[changed].tolist(), strict=True)]  # fmt: skip
        apply_changes(world, changes)
        return changes

    def choose(self, world: World, rows: Array, center: Point, bounds: Bounds, kept_rows: Iterable[int] = ()) -> Array:
        """The tier of every given creature row, as an index into `TIERS`; nothing is changed."""
        pool = world.creature_pool
        place, reach, now = pool.position[rows, :2], pool.reach[rows], pool.tier[rows]
        west, south, east, north = bounds
        pad = reach + self.margin
        seen = ((place[:, 0] > west - pad) & (place[:, 0] < east + pad)
                & (place[:, 1] > south - pad) & (place[:, 1] < north + pad))  # fmt: skip
        bound_to_full = _needs_full(world, rows) | np.isin(rows, list(kept_rows))
        distance = np.hypot(place[:, 0] - float(center[0]), place[:, 1] - float(center[1]))
        tier = np.full(rows.size, FOLLOW)
        tier[bound_to_full] = FULL
        full_places = max(self.full - int(bound_to_full.sum()), 0)
        for target, places in ((FULL, full_places), (BUSH, self.bush)):
            free = np.flatnonzero(seen & ~bound_to_full & (tier == FOLLOW))
            rank = np.argsort(np.where(now[free] <= target, LOYALTY, 1.0) * distance[free], kind="stable")
            tier[free[rank[:places]]] = target
        return tier


def apply_changes(world: World, changes: Iterable[TierChange]) -> None:
    """Carry out changes, chosen now or recorded in an earlier run; creatures that are gone are passed over."""
    for change in changes:
        creature = world.creatures.get(change.serial)
        if creature is not None:
            creature.tier = change.tier


def _needs_full(world: World, rows: Array) -> Array:
    """Rows of ragdolls, of animals in the water, and of those in full detail that no leg carries."""
    body, gait, segments = world.pool(BodyPool), world.pool(GaitPool), world.pool(SegmentPool)
    needs: Array = np.zeros(rows.size, dtype=bool)
    embodied = np.isin(rows, body.spans[:, 0])
    own = rows[embodied]
    wet = np.concatenate([[0], np.cumsum(segments.submerged[: segments.end])])
    first = body.first_segment[own]
    needs[embodied] = (body.dead[own] != 0) | (wet[first + body.segment_count[own]] > wet[first])
    walks = np.isin(rows, gait.spans[:, 0])
    falling = (gait.stance_share[rows[walks]] == 0.0) & (world.creature_pool.tier[rows[walks]] == FULL)
    needs[walks] |= falling
    return needs
