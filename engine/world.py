"""The world: it owns everything, steps it in fixed ticks, and is the one object a host game talks to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar, overload

from numba import get_num_threads

from . import lifecycle, places, queries, snapshot
from .clock import Clock
from .creature import Attribute, Creature, CreaturePool
from .ecs import EcsContext
from .errors import MapError, PaludariumError, PlaceTakenError, PluginError, SpawnError, suggest
from .events import Event, Events, Handler
from .factions import Factions
from .maps import Map, load_map, require_shores
from .parts import Fill, Part
from .places import PLACE_TRIES, Point, point_on_ground, scattered
from .plugins import BUILT_IN, Plugin, disable, discover, install, install_mods
from .pool import Array, Pool
from .props import Prop, Props
from .rng import Streams
from .schedule import Entry, Phase, Schedule
from .species import SpeciesLibrary
from .terrain import Terrain, TerrainError, build_terrain
from .threads import CREATURES_PER_THREAD, ENOUGH_FOR_ALL_THREADS, ThreadsFor
from .water import Water, WaterError

SomePool = TypeVar("SomePool", bound=Pool)

DEFAULT_TICK_RATE = 60
"""Ticks per second. The control rules are tuned for it; bodies substep inside a tick as fast as they need."""

PRECISIONS = ("float64", "float32")


class World:
    """A place with ground, food and creatures. Any number of worlds may live in one process.

    Example::

        world = World(seed=7)
        centipede = world.spawn("giant_centipede", at=(0, 0))
        world.add_food((10, 3))
        world.step(600)
    """

    def __init__(
        self,
        seed: int = 0,
        map: str | Path | Map = "flat",  # noqa: A002 - the word a game developer expects
        *,
        tick_rate: int = DEFAULT_TICK_RATE,
        precision: str = "float64",
        plugins: Sequence[Plugin] = BUILT_IN,
        mods: str | Path | bool | None = None,
        populate: bool = True,
    ) -> None:
        """`plugins` replaces the built-ins; `mods` names a folder of mods to add, True takes the installed ones only.

        `precision` is the arithmetic inside the body simulation: ``float32`` is faster, ``float64`` the reference.
        """
        if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
            raise PaludariumError(f"seed = {seed!r}: allowed is a whole number, 0 or more")
        if precision not in PRECISIONS:
            raise PaludariumError(f"precision = {precision!r}: allowed is {' or '.join(PRECISIONS)}")
        if not isinstance(tick_rate, int) or not 1 <= tick_rate <= 10_000:
            raise PaludariumError(f"tick_rate = {tick_rate!r}: allowed is a whole number from 1 to 10000")
        self.seed, self.tick_rate, self.precision = seed, tick_rate, precision
        self.map = load_map(map)
        self.clock = Clock(1.0 / tick_rate)
        self.streams = Streams(seed)
        self.events = Events()
        self.schedule = Schedule()
        self.ecs = EcsContext()
        self.pools: dict[str, Pool] = {}
        self.parts: dict[str, Part] = {}
        self.attributes: dict[str, Attribute] = {}
        self.verbs: dict[str, Callable[..., Any]] = {}
        self.resources: dict[str, Any] = {}
        self.plugins: list[str] = []
        self.building: str | None = None  # the plugin whose build(world) runs now
        self.creatures: dict[int, Creature] = {}
        self.next_serial = 1
        self._leaving: list[Creature] = []
        self.stepping = False  # a tick is running
        self.threads = 1  # that the host allows, for systems with more to do than the others
        self.recorder: Callable[[Creature, str, Any], None] | None = None  # hears of every value set, see replay
        self.creature_pool = self.add_pool(CreaturePool)
        self.factions = Factions(self)
        self.species = SpeciesLibrary(self.parts)
        self.terrain: Terrain = self._build_terrain()
        self.water = self._fill_ponds()
        self.props = Props(self)
        self.events.declare("born", "gone", "mod_failed")
        for plugin in plugins:
            install(self, plugin)
        if mods:
            install_mods(self, discover(None if mods is True else Path(mods)))
        if populate:
            places.populate(self)

    def __repr__(self) -> str:
        return f"<World {self.map.name!r} seed {self.seed}, tick {self.tick}, {len(self.creatures)} creatures>"

    # -- time -----------------------------------------------------------------------------------------------------

    @property
    def tick(self) -> int:
        """How many ticks have run."""
        return self.clock.tick

    @property
    def time(self) -> float:
        """Simulated seconds since the start."""
        return self.clock.time

    def step(self, ticks: int = 1) -> None:
        """Run whole ticks, paused or not."""
        self.threads = get_num_threads()
        for _ in range(ticks):
            self.stepping = True
            try:
                if len(self.creatures) >= ENOUGH_FOR_ALL_THREADS:
                    self.schedule.run(self.clock.tick_seconds, self._report)
                else:
                    with ThreadsFor(len(self.creatures), CREATURES_PER_THREAD):
                        self.schedule.run(self.clock.tick_seconds, self._report)
            finally:
                self.stepping = False
            if self._leaving:
                self._settle()
            self.clock.advance()
            if self.events.queue:
                self.events.dispatch(self._tell)

    def update(self, dt: float) -> int:
        """Let `dt` real seconds pass: runs as many ticks as are due and returns their number."""
        ticks = self.clock.due(dt)
        self.step(ticks)
        return ticks

    # -- picture --------------------------------------------------------------------------------------------------

    def draw(self, surface: Any, camera: Any) -> None:
        """Draw the world from above into a pygame surface of yours, as the camera sees it."""
        if "picture" not in self.resources:
            raise PluginError("this world has no renderer: no installed plugin put one into world.resources['picture']")
        self.resources["picture"].draw(surface, camera)

    # -- life -----------------------------------------------------------------------------------------------------

    @overload
    def spawn(self, species: str, at: Point = ..., heading: float = ..., *, count: None = ..., spread: float = ...,
              tier: str = ..., faction: str = ...) -> Creature: ...

    @overload
    def spawn(self, species: str, at: Point = ..., heading: float = ..., *, count: int, spread: float = ...,
              tier: str = ..., faction: str = ...) -> list[Creature]: ...

    def spawn(
        self, species: str, at: Point = (0.0, 0.0), heading: float = 0.0, *, count: int | None = None,
        spread: float = 0.0, tier: str = "full", faction: str = "",
    ) -> Creature | list[Creature]:
        """Bring one creature into the world, or with `count` a list of them spread over a disc.

        `at` is (x, y) for a place on the ground, or (x, y, z) to drop it from there. With `spread`, places that are
        taken by an obstacle or beyond the edge are drawn again. If any of the group cannot be placed, none of it is.
        """
        if (count is not None and count < 0) or not 0.0 <= spread < math.inf:
            raise SpawnError(f"count = {count}, spread = {spread}: allowed are finite numbers, 0 or more")
        if count is None:
            return self._spawn_spread(species, at, spread, heading, tier, faction)
        group: list[Creature] = []
        try:
            for _ in range(count):
                turn = self.streams["spawn"].uniform(-math.pi, math.pi) if spread else heading
                group.append(self._spawn_spread(species, at, spread, turn, tier, faction))
        except BaseException:
            for creature in group:
                lifecycle.bury(self, creature)
            raise
        return group

    def despawn(self, creature: Creature) -> None:
        """Take a creature out: at once between ticks, at the end of the tick during one. Twice is fine."""
        if not creature.alive:
            return
        if self.stepping:
            self._leaving.append(creature)
        else:
            self._bury(creature)

    def near(self, point: Point | Creature, radius: float, faction: str | None = None) -> list[Creature]:
        """Creatures whose bounding circle comes within `radius` of a point in plan view, nearest head first."""
        return queries.near(self, point, radius, faction)

    def hit(self, point: Point, radius: float = 0.0, faction: str | None = None) -> list[Creature]:
        """Creatures whose body a disc of this radius around a point of the plan view touches, nearest head first."""
        return queries.hit(self, point, radius, faction)

    def raycast(self, start: Point, end: Point, radius: float = 0.0, **options: Any) -> queries.RayHit | None:
        """What a disc moving in plan view meets first: creature or prop. Options: ``faction``, ``ignore``, ``props``."""
        return queries.raycast(self, start, end, radius, **options)

    def set_relation(self, one: str, other: str, relation: str, *, both: bool = True) -> None:
        """Make factions ``hostile``, ``allied`` or ``neutral``; what animals do about it is in their species file."""
        self.factions.set_relation(one, other, relation, both=both)

    # -- things ---------------------------------------------------------------------------------------------------

    def add_food(self, at: Point, amount: float = 1.0) -> Prop:
        """Put food on the ground at (x, y)."""
        return self.props.add_food(at, amount)

    def add_obstacle(self, kind: str, at: Point, radius: float = 1.0, **options: Any) -> Prop:
        """Put up a ``sphere``, ``cylinder`` or ``box``; see `Props.add_obstacle` for the options."""
        return self.props.add_obstacle(kind, at, radius, **options)

    def add_stimulus(self, kind: str, at: Point, strength: float = 1.0, radius: float = 10.0,
                     seconds: float = math.inf) -> Any:
        """Put something that attracts or repels into the world: ``food``, ``threat``, ``pheromone`` or a mod's kind."""
        if "stimuli" not in self.resources:
            raise PluginError("this world has no stimuli: no installed plugin put them into world.resources['stimuli']")
        return self.resources["stimuli"].add(kind, at, strength, radius, seconds)

    # -- events ---------------------------------------------------------------------------------------------------

    @overload
    def on(self, kind: str, handler: Handler) -> Handler: ...

    @overload
    def on(self, kind: str) -> Callable[[Handler], Handler]: ...

    def on(self, kind: str, handler: Handler | None = None) -> Any:
        """Call `handler` with every event of a kind, at the end of the tick it happened in. Also a decorator."""
        if handler is None:
            return lambda function: self.events.on(kind, function, self.building)
        return self.events.on(kind, handler, self.building)

    def emit(self, kind: str, creature: Creature | None = None, **values: Any) -> None:
        """Queue an event for the end of the tick. Values must be plain data, so that a saved world can hold them."""
        self.events.emit(Event(kind, self.tick, creature, values))

    # -- saving ---------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write everything to one file, atomically."""
        snapshot.save(self, path)

    @classmethod
    def load(cls, path: str | Path, plugins: Sequence[Plugin] = (), mods: str | Path | None = None) -> Self:
        """Continue a saved world. Plugins given as functions, and the folder of mods, must be given again."""
        found = discover(Path(mods)) if mods is not None else []
        return snapshot.load(cls, path, [*plugins, *found])

    def state_hash(self) -> str:
        """A hex digest over all live state; the same seed and calls give the same digest on any thread count."""
        return snapshot.state_hash(self)

    # -- building -------------------------------------------------------------------------------------------------

    def add_pool(self, kind: type[SomePool]) -> SomePool:
        """Create the world's pool of a kind, once."""
        if kind.__name__ in self.pools:
            raise PluginError(f"{kind.__name__} is already in this world")
        pool = kind()
        self.pools[kind.__name__] = pool
        return pool

    def pool(self, kind: type[SomePool]) -> SomePool:
        """The world's pool of a kind."""
        try:
            pool = self.pools[kind.__name__]
        except KeyError:
            raise PluginError(f"this world has no {kind.__name__}; {suggest(kind.__name__, self.pools)}") from None
        assert isinstance(pool, kind)
        return pool

    def add_part(self, name: str, spec: type, pool: type[Pool], handle: Callable[[Any, Any], Any], fill: Fill,
                 *, required: bool = False) -> None:
        """Register what a table of a species file means: its spec, its pool, its handle, and how rows are filled."""
        if name in self.parts:
            raise PluginError(f"a part called {name!r} is already registered")
        self.add_pool(pool)
        self.parts[name] = Part(name, spec, pool, handle, fill, required)

    def add_system(self, kind: Callable[[World], Any], *, phase: Phase | None = None, before: str | None = None,
                   after: str | None = None) -> Entry:
        """Insert a system into the tick, at the end of a phase or next to a named system."""
        return self.schedule.add(kind(self), phase, before, after, self.building)

    def add_species(self, path: str | Path) -> str:
        """Make a species file, or a folder of them, known. Returns the key to spawn with."""
        return self.species.add(Path(path))

    def define_species(self, key: str, **tables: Any) -> str:
        """Make a species known from tables in code: the same keys as in a file, the same checks."""
        return self.species.define(key, tables).key

    def add_verb(self, name: str, function: Callable[..., Any]) -> None:
        """Give all creatures a method: ``function(creature, ...)`` becomes ``creature.name(...)``."""
        if name in self.verbs:
            raise PluginError(f"creatures already have a verb {name!r}")
        self.verbs[name] = function

    def add_attribute(self, name: str, get: Callable[[Creature], Any],
                      set: Callable[[Creature, Any], None] | None = None) -> None:  # noqa: A002 - as in `property`
        """Give all creatures a property."""
        if name in self.attributes:
            raise PluginError(f"creatures already have an attribute {name!r}")
        self.attributes[name] = Attribute(get, set)

    def point_on_ground(self, at: Point) -> Array:
        """(x, y) or (x, y, z) as a finite (3,) point; without z the ground's own height is taken."""
        return point_on_ground(self.terrain, at)

    def require_on_map(self, at: Point, what: str) -> Array:
        """`point_on_ground`, or an error when the place is beyond the map's edge."""
        point = self.point_on_ground(at)
        west, south, east, north = self.map.area.bounds
        if not (west <= point[0] <= east and south <= point[1] <= north):
            raise PlaceTakenError(
                f"{what} at ({point[0]:g}, {point[1]:g}) is off the map {self.map.name!r}: "
                f"allowed is x from {west:g} to {east:g} and y from {south:g} to {north:g}"
            )
        return point

    # -- inside ---------------------------------------------------------------------------------------------------

    def _build_terrain(self) -> Terrain:
        try:
            return build_terrain(self.map.terrain, self.seed, bounds=self.map.area.bounds)
        except TerrainError as problem:
            raise MapError(self.map.file, "terrain", "", self.map.terrain, str(problem)) from problem

    def _fill_ponds(self) -> Water:
        seed = int(self.streams["rain"].integers(0, 2**63))
        try:
            water = Water(self.map.water, self.terrain, self.map.physics.gravity, seed)
        except WaterError as problem:
            raise MapError(self.map.file, "water", "", self.map.source.get("water"), str(problem)) from problem
        require_shores(self.map, self.terrain)
        return water

    def _spawn_spread(
        self, species: str, at: Point, spread: float, heading: float, tier: str, faction: str
    ) -> Creature:
        for _ in range(PLACE_TRIES - 1 if spread else 0):
            try:
                return self._spawn_one(species, scattered(self.streams, at, spread), heading, tier, faction)
            except PlaceTakenError:
                continue
        return self._spawn_one(species, scattered(self.streams, at, spread), heading, tier, faction)

    def _spawn_one(self, species: str, at: Point, heading: float, tier: str, faction: str) -> Creature:
        if not math.isfinite(heading):
            raise SpawnError(f"heading = {heading!r}: allowed is a finite angle in radians")
        number = self.factions.number(faction) if faction else 0
        point = self.require_on_map(at, species)
        creature = lifecycle.give_birth(self, self.species[species], point, len(at) == 3, heading, tier)
        self.creature_pool.faction[creature.row] = number
        self.emit("born", creature)
        return creature

    def _settle(self) -> None:
        leaving, self._leaving = self._leaving, []
        for creature in leaving:
            self._bury(creature)

    def _bury(self, creature: Creature) -> None:
        self.emit("gone", None, name=creature.name, serial=creature.serial)
        lifecycle.bury(self, creature)

    def _report(self, entry: Entry, problem: Exception) -> None:
        disable(self, entry.plugin or "", entry.name, problem)

    def _tell(self, handler: Handler, event: Event, plugin: str | None) -> None:
        """Call a handler. A mod's one that raises takes its mod out; the host's own errors are the host's."""
        if plugin is None:
            handler(event)
            return
        self.building = plugin
        try:
            handler(event)
        except Exception as problem:  # noqa: BLE001 - a stranger's code may raise anything
            disable(self, plugin, f"handler of {event.kind!r}", problem)
        finally:
            self.building = None
