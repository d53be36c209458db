"""SoundnessSystem: looks once per tick for numbers that are none and for bodies beyond the edge, and says what it did.

Every tick all segments are looked at; whatever goes wrong elsewhere in a body gets there within a tick or two. All other
columns of all pools have their turn once in `ROUND` ticks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.body import BodyPool
from ...components.segments import SegmentPool
from ...engine.pool import Rows
from .strays_kernel import OUT_OF_THE_WORLD, STRAY, find_strays

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.pool import Pool
    from ...engine.world import World

ROUND = 64
"""Ticks in which all pools have been searched."""

STRAY_TICKS = 4
"""Ticks from one look for bodies beyond the edge to the next."""

MOST_AT_ONCE = 2048
"""Rows of a pool that are searched in one tick; larger pools are searched in parts, one in every tick."""

FARTHEST_UP = 20_000.0
"""Units up or down; ground ends at half of that."""

TORN = 8.0
"""Lengths of its body that a creature may reach; tissue that is stretched to its limit gives three."""


class SoundnessSystem:
    """Take out creatures that hold a number that is none, and bring back or take out those beyond the edge."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.creatures, self.bodies, self.segments = world.creature_pool, world.pool(BodyPool), world.pool(SegmentPool)
        west, south, east, north = world.map.area.bounds
        wide, high = (east - west, north - south) if world.map.area.edge == "open" else (0.0, 0.0)
        self.bounds = np.array([west - wide, south - high, east + wide, north + high])

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        segments = self.segments
        if not segments.is_sound(0, segments.end, "position", "velocity"):
            self._mend(segments, 0, segments.end)
        if self.world.tick % STRAY_TICKS == 0:
            self._look_for_strays()
        self._search()

    def _look_for_strays(self) -> None:
        rows, segments = self.bodies.spans[:, 0], self.segments
        states = np.empty(rows.size, np.uint8)
        bundles = (self.creatures.bundle, self.bodies.bundle, segments.bundle)
        if find_strays(rows, *bundles, self.bounds, FARTHEST_UP, TORN, states):
            for row, state in zip(rows[states != 0].tolist(), states[states != 0].tolist(), strict=True):
                self._fetch(self.world.creatures[int(self.bodies.owner[row])], state)

    def _search(self) -> None:
        """Look through the pools whose turn it is: small ones as a whole once in a round, large ones part by part."""
        turn, pools = self.world.tick % ROUND, list(self.world.pools.values())
        large = [pool for pool in pools if pool.end > MOST_AT_ONCE]
        parts = [(pool, pool.end * turn // ROUND, pool.end * (turn + 1) // ROUND) for pool in large]
        parts += [(pool, 0, pool.end) for pool in pools[turn::ROUND] if pool.end <= MOST_AT_ONCE]
        for pool, start, stop in parts:
            if not pool.is_sound(start, stop):
                self._mend(pool, start, stop)

    def _mend(self, pool: Pool, start: int, stop: int) -> None:
        """Take out whoever owns rows that are not sound."""
        for owner, column in list(pool.unsound(start, stop)):
            creature = self.world.creatures.get(owner)
            if creature is not None:
                self._take_out(creature, "went_wrong", f"{type(pool).__name__}.{column} is not finite")
                continue
            for first, count in pool.spans[pool.owner[pool.spans[:, 0]] == owner].tolist():  # food and the like
                rows = Rows(first, first + count, pool.generation_of(first))
                if pool.first_bad_column(rows) is not None:
                    pool.release(rows)
                    reason = f"{column} is not finite"
                    self.world.emit("went_wrong", None, name=type(pool).__name__, serial=owner, reason=reason)
        pool.make_finite(Rows(start, stop, 0))  # and what is left where nobody is any more

    def _fetch(self, creature: Creature, state: int) -> None:
        """Bring a creature back that is beyond the edge; what cannot be brought back leaves."""
        if state == STRAY:
            here = self.segments.position[creature.rows["segments"].slice]
            low, high = self.bounds[:2], self.bounds[2:]
            margin = np.minimum(0.5 * (here[:, :2].max(axis=0) - here[:, :2].min(axis=0)) + 1.0, 0.25 * (high - low))
            middle = 0.5 * (here[:, :2].max(axis=0) + here[:, :2].min(axis=0))
            if creature.family.carry(creature, np.clip(middle, low + margin, high - margin) - middle):
                self.world.emit("brought_back", creature)
                return
        if state in (STRAY, OUT_OF_THE_WORLD):
            self._take_out(creature, "lost", "it is beyond the edge of the map")
        else:
            self._take_out(creature, "went_wrong", "its body is torn apart")

    def _take_out(self, creature: Creature, event: str, reason: str) -> None:
        self.world.emit(event, None, name=creature.name, serial=creature.serial, reason=reason)
        for name, rows in creature.rows.items():
            pool = self.creatures if name == "creature" else self.world.pool(self.world.parts[name].pool)
            pool.make_finite(rows)
        self.world.despawn(creature)
