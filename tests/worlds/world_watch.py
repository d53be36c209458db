"""A watch over one world: it looks once per second, hears every event, and says in figures what has happened.

It reads and changes nothing, so a world that is watched has the same states as one that is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from paludarium.components.articulated.ashore import Ashore, AshorePool, Way
from paludarium.components.fish.mind import MindPool
from paludarium.components.fish.motor import MotorPool
from paludarium.components.head_command import HeadCommandPool
from paludarium.components.segments import SegmentPool

from .figures import Figures, SpeciesFigures
from .overlap import deep_share

if TYPE_CHECKING:
    from paludarium.engine.creature import Creature
    from paludarium.engine.events import Event
    from paludarium.engine.pool import Array, Pool
    from paludarium.engine.world import World

SomePool = TypeVar("SomePool", bound="Pool")
Bounds = tuple[float, float, float, float]
"""West, south, east and north of what a camera shows."""

SECONDS_PER_LOOK = 1
RESTING, LONG = 0.03, 8.0
"""Lengths per second: an animal that comes not farther than this in a second is at rest. Of bodies longer than `LONG` units
that many count: a millipede of forty walks slowly for its length, but it walks."""
WISHING = 0.1
"""Lengths per second: an animal that wants less is content where it is."""
STUCK_SECONDS = 30
STUCK_WAY = 0.5
"""Lengths: an animal that has wanted to go for `STUCK_SECONDS` and is not farther than this from its place is stuck."""
AGROUND_SECONDS = 2
"""Longer than this in water shallower than its body, and a swimmer is aground."""
SECONDS_PER_OVERLAP = 5
"""Overlaps take longer to find than all the rest."""
TOLD = ("ate", "mated", "stored", "severed", "hooked", "fell", "picked_up", "dropped", "met", "manoeuvre")
"""Events that are counted as what happens."""
TORN = ("tissue_disturbed", "went_wrong", "lost", "brought_back", "fluid_restarted")
"""Events that should not come."""
PLAIN = ("manoeuvre", "met")
"""Events of every moment: they are counted, but nothing to watch."""


def name_of(creature: Creature) -> str:
    """The key of its species; a piece that was cut off counts with the whole ones."""
    return creature.species.key.partition("[")[0]


class WorldWatch:
    """What happens in a world from now on.

    Example::

        watch = WorldWatch(World(seed=3, map="reef"))
        watch.run(seconds=60)
        print(watch.figures().species["koi"].meals)
    """

    def __init__(self, world: World, view: Callable[[], Bounds] | None = None) -> None:
        self.world, self.view = world, view
        self.counts: Counter[tuple[str, str]] = Counter()  # events, by kind and species
        self.deaths: Counter[tuple[str, str]] = Counter()  # by species and cause
        self.torn: Counter[str] = Counter()
        self.times: list[float] = []  # of events worth watching, seconds
        self.in_view: list[int] = []
        self.deep: list[float] = []
        self.by_species: dict[str, SpeciesFigures] = {}
        self.first = Counter(name_of(creature) for creature in world.creatures.values())
        self.begin, self.first_tick = world.time, world.tick
        self._place = np.zeros((0, 3))  # by serial: where it was a second ago
        self._anchor = np.zeros((0, 3))  # where it was when it began to want away
        self._wishing = np.zeros(0)  # seconds for which it has wanted to go
        self._shallow = np.zeros(0)  # seconds in water that is too shallow
        self._seen = np.zeros(0, np.bool_)
        for kind in (*TOLD, *TORN, "born", "died"):
            if kind in world.events:
                world.on(kind, self._hear)

    def run(self, seconds: float, each: Callable[[], None] = lambda: None) -> None:
        """Let time pass and look once per second; `each` is called after every look, for pictures and progress."""
        for second in range(int(seconds / SECONDS_PER_LOOK)):
            self.world.step(int(SECONDS_PER_LOOK * self.world.tick_rate))
            self.look()
            if second % SECONDS_PER_OVERLAP == 0:
                self.deep.append(deep_share(self.world) if self.world.creatures else 0.0)
            each()

    def look(self) -> None:
        """Note where all animals are, and what has become of them since the last look."""
        pool = self.world.creature_pool
        rows = pool.spans[:, 0]
        rows = rows[pool.dead[rows] == 0]
        serials, place, length = pool.owner[rows], pool.position[rows], np.maximum(pool.length[rows], 1e-9)
        self._make_room(int(serials.max(initial=-1)) + 1)
        known = self._seen[serials]
        way = np.linalg.norm(place - self._place[serials], axis=1)
        speed = np.where(known, way / length / SECONDS_PER_LOOK, np.nan)
        resting = way < RESTING * np.minimum(length, LONG) * SECONDS_PER_LOOK
        wishes = self._wishes(rows) / length > WISHING
        gone = np.linalg.norm(place - self._anchor[serials], axis=1) > STUCK_WAY * length
        self._anchor[serials[gone | ~wishes]] = place[gone | ~wishes]
        self._wishing[serials] = np.where(gone | ~wishes, 0.0, self._wishing[serials] + SECONDS_PER_LOOK)
        self._shallow[serials] = np.where(self._too_shallow(rows), self._shallow[serials] + SECONDS_PER_LOOK, 0.0)
        self._place[serials], self._seen[serials] = place, True
        stuck, aground = self._wishing[serials] > STUCK_SECONDS, self._shallow[serials] > AGROUND_SECONDS
        hunger = self._hunger(rows)
        for name, mine in self._by_species(serials):
            self._of(name).add(speed[mine], resting[mine], stuck[mine], aground[mine], hunger[mine])
        if self.view is not None:
            west, south, east, north = self.view()
            x, y = place[:, 0], place[:, 1]
            self.in_view.append(int(((x > west) & (x < east) & (y > south) & (y < north)).sum()))

    def figures(self) -> Figures:
        """All that has been seen and heard so far."""
        for name, count in self.first.items():
            self._of(name).begun = count
        now = Counter(name_of(creature) for creature in self.world.creatures.values() if not creature.dead)
        for name, figures in self.by_species.items():
            figures.left = now[name]
            figures.meals, figures.matings = self.counts["ate", name], self.counts["mated", name]
            figures.births = self.counts["born", name]
            figures.deaths = {cause: count for (whose, cause), count in sorted(self.deaths.items()) if whose == name}
            figures.events = {kind: self.counts[kind, name] for kind in TOLD if self.counts[kind, name]}
        return Figures(seconds=self.world.time - self.begin, species=dict(sorted(self.by_species.items())),
                       torn=dict(sorted(self.torn.items())), times=tuple(self.times), in_view=tuple(self.in_view),
                       deep=tuple(self.deep))  # fmt: skip

    def _hear(self, event: Event) -> None:
        if event.kind == "born" and event.tick <= self.first_tick:
            return  # it was there before the watch began
        name = name_of(event.creature) if event.creature is not None else ""
        if event.kind in TORN:
            self.torn[event.kind] += 1
            return
        self.counts[event.kind, name] += 1
        if event.kind == "died":
            self.deaths[name, str(event.values.get("cause", "killed"))] += 1
        if event.kind not in PLAIN:
            self.times.append(self.world.time - self.begin)

    def _make_room(self, count: int) -> None:
        """Keep places for all serials up to `count`."""
        more = max(count, 64)
        if count <= self._seen.size:
            return
        for name in ("_place", "_anchor", "_wishing", "_shallow", "_seen"):
            old = getattr(self, name)
            new = np.zeros((2 * more, *old.shape[1:]), old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)

    def _of(self, name: str) -> SpeciesFigures:
        return self.by_species.setdefault(name, SpeciesFigures())

    def _by_species(self, serials: Array) -> Iterator[tuple[str, Array]]:
        """Names of the species that live, and which of the serials are of each."""
        keys = np.array([name_of(self.world.creatures[int(serial)]) for serial in serials], dtype=object)
        for name in sorted(set(keys)):
            yield name, keys == name

    def _rows_with(self, kind: type[SomePool], rows: Array) -> tuple[SomePool, Array] | None:
        """An aligned pool, and which of the creature rows have a row in it; None if the world has no such pool."""
        if kind.__name__ not in self.world.pools:
            return None
        pool = self.world.pool(kind)
        inside = rows < pool.capacity
        has = np.zeros(rows.size, np.bool_)
        has[inside] = pool.owner[rows[inside]] == self.world.creature_pool.owner[rows[inside]]
        return pool, has

    def _wishes(self, rows: Array) -> Array:
        """(n,) speeds in u/s that the animals ask of their bodies."""
        wishes = np.zeros(rows.size)
        if (led := self._rows_with(HeadCommandPool, rows)) is not None:
            heads, has = led
            wishes[has] = np.abs(heads.speed[rows[has]])
        if (fishes := self._rows_with(MotorPool, rows)) is not None:
            motors, has = fishes
            wishes[has] = motors.wish_speed[rows[has]] * self.world.creature_pool.length[rows[has]]
        return wishes

    def _too_shallow(self, rows: Array) -> Array:
        """(n,) whether a swimmer is over water that is shallower than its body is high; not those that have a way ashore."""
        world, shallow = self.world, np.zeros(rows.size, np.bool_)
        swims = np.zeros(rows.size, np.bool_)
        if (fishes := self._rows_with(MotorPool, rows)) is not None:
            swims |= fishes[1]
        if (linked := self._rows_with(AshorePool, rows)) is not None:
            ashore, has = linked
            swims[has] = ashore.parameters[rows[has], Ashore.WAY] == Way.LIE
        if not swims.any():
            return shallow
        place = world.creature_pool.position[rows[swims]]
        shallow[swims] = world.water.depth(place[:, :2]) < self._heights(rows[swims])
        return shallow

    def _heights(self, rows: Array) -> Array:
        """(n,) how high the thickest segment of each animal is."""
        segments = self.world.pool(SegmentPool)
        owner = segments.owner[: segments.end]
        order = np.argsort(owner, kind="stable")
        mine = self.world.creature_pool.owner[rows]
        first, last = np.searchsorted(owner[order], mine), np.searchsorted(owner[order], mine, side="right")
        high = 2.0 * segments.half_extents[order, 2]
        return np.array([high[a:b].max(initial=0.0) for a, b in zip(first, last, strict=True)])

    def _hunger(self, rows: Array) -> Array:
        """(n,) how hungry each animal is, 0 to 1; NaN for those that have no such urge."""
        hunger = np.full(rows.size, np.nan)
        if (minds := self._rows_with(MindPool, rows)) is not None:
            pool, has = minds
            hunger[has] = pool.urges[rows[has], 0]
        return hunger
