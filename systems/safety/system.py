"""SafetySystem: looks once per tick for invalid numbers and for bodies beyond the edge, and says what it did.

Every tick all segments' places and speeds are looked at; whatever else goes wrong in a body gets there in a tick or two.
Every other number that systems write of simulated bodies has its turn within `TURNS` ticks, and what they never write
within `ROUND`. All of it in every tick would cost twice what a look may cost, a hundredth of a tick: it is memory that has
to be fetched, and a body's own system has long put it away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.body import BodyPool
from ...components.segments import SegmentPool
from ...engine.creature import FOLLOW
from ...engine.mod_check import suspect
from ...engine.pool import Rows
from ...engine.recordable import REMOVABLE
from ...engine.save_checks import wrong_values
from .search_kernel import any_not_finite_in
from .searches import Search, rows_of, searches
from .strays_kernel import OUT_OF_THE_WORLD, STRAY, find_strays

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.pool import Pool
    from ...engine.world import World

ROUND = 64
"""Ticks in which all pools have been searched."""

TURNS = 4
"""Ticks in which all numbers that change have been searched."""

MOST_AT_ONCE = 2048
"""Rows of a pool that are searched in one tick; larger pools are searched in parts, one in every tick."""

FARTHEST_UP = 20_000.0
"""Units up or down; ground ends at half of that."""

TORN = 8.0
"""Lengths of its body that a creature may reach; tissue that is stretched to its limit gives three."""


class SafetySystem:
    """Remove creatures with invalid numbers, and bring back or remove those beyond the edge."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.creatures, self.bodies, self.segments = world.creature_pool, world.pool(BodyPool), world.pool(SegmentPool)
        west, south, east, north = world.map.area.bounds
        wide, high = (east - west, north - south) if world.map.area.edge == "open" else (0.0, 0.0)
        self.bounds = np.array([west - wide, south - high, east + wide, north + high])
        self._version = -1
        self._tiers = np.zeros(0, np.uint8)
        self._turns: list[list[Search]] = []
        self._watched: list[Pool] = []
        self._always: list[Search] = []
        world.mods.keeper = self

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        self._keep_watch()
        for pool, bits, infinite, pieces in self._turns[self.world.tick % TURNS]:
            if any_not_finite_in(bits, infinite, pieces):
                self._mend(pool, 0, pool.end)
        self._look_for_strays()  # in every tick: a body that is torn far apart is a burden to every index
        self._search()

    def look_over(self) -> None:
        """Look at all bodies now, at the end of a tick in which mods ran, and at one pool after the other."""
        self._keep_watch()
        for pool, bits, infinite, pieces in self._always:
            if any_not_finite_in(bits, infinite, pieces):
                self._mend(pool, 0, pool.end)
        self._look_for_strays()
        self._search()

    def mend_all(self) -> None:
        """Take out whatever has a number anywhere that is none, or that its column does not allow: mods have written it."""
        pools = self.world.pools
        for pool in list(pools.values()):
            if not pool.is_sound(0, pool.end):
                self._mend(pool, 0, pool.end)
        for wrong in list(wrong_values(self.world, {name: dict(pool.arrays()) for name, pool in pools.items()})):
            pool, places = pools[wrong.pool], wrong.rows[wrong.bad.reshape(len(wrong.rows), -1).any(axis=1)]
            for owner in np.unique(pool.owner[places]).tolist():
                if owner in self.world.creatures:
                    self._take_out(self.world.creatures[owner], "went_wrong", wrong.told)
            getattr(pool, wrong.column)[places] = pool.columns[wrong.column].fill

    def _keep_watch(self) -> None:
        """Find anew what is to be searched in each turn, if anybody came, left or got another tier."""
        pools, tiers = self._pools_of_creatures(), self.creatures.tier
        version = sum([pool.version + pool.capacity for pool in pools])  # both only grow
        if version == self._version and np.array_equal(tiers, self._tiers):
            return
        self._version, self._tiers = version, tiers.copy()
        simulated, parts = tiers < FOLLOW, []
        for pool in pools:
            ranges = rows_of(self.world, pool, simulated)
            parts += searches(pool, ranges, pool.moving_names(), TURNS) if len(ranges) else []
        everybody = np.array([[0, self.segments.end]])
        self._always = searches(self.segments, everybody, ("position", "velocity"), 1)
        self._turns = [[*self._always, *parts[turn::TURNS]] for turn in range(TURNS)]

    def _pools_of_creatures(self) -> list[Pool]:
        """Those in which creatures own rows. Food that drifts makes its own pool new in every tick: it is not meant."""
        if len(self._watched) != len(self.world.parts) + 1:
            self._watched = [self.creatures, *(self.world.pool(part.pool) for part in self.world.parts.values())]
        return self._watched

    def _look_for_strays(self) -> None:
        rows, segments = self.bodies.spans[:, 0], self.segments
        states = np.empty(rows.size, np.uint8)
        if find_strays(rows, self.creatures, self.bodies, segments, self.bounds, FARTHEST_UP, TORN, states):
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
            suspect(self.world)
            creature = self.world.creatures.get(owner)
            if creature is not None:
                self._take_out(creature, "went_wrong", f"{type(pool).__name__}.{column} is not finite")
                continue
            for first, count in pool.spans[pool.owner[pool.spans[:, 0]] == owner].tolist():  # food and the like
                rows = Rows(first, first + count, pool.generation_of(first))
                if pool.first_bad_column(rows) is not None:
                    if pool.single or type(pool).__name__ in REMOVABLE:  # not what a mod keeps in many rows, a grid for one
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
