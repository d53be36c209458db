"""The world: it owns everything, steps it in fixed ticks, and is the one object a host game talks to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, Self, TypeVar, overload
from weakref import WeakSet, finalize

from numba import get_num_threads

from . import arguments, heavy_check, lifecycle, places, queries, snapshot, spawning, weather
from .clock import Clock
from .creature import Attribute, Creature, CreaturePool
from .ecs import EcsContext
from .errors import ArgumentError, PaludariumError, PluginError, UnknownNameError, suggest
from .events import Event, Events, Handler
from .factions import Factions
from .families import Families, Family
from .files import path_of
from .gate import Gate, gated
from .kinds import Kinds
from .map_building import ground_of, ponds_of
from .maps import Map, load_map
from .parts import Fill, Part, Renew, part_of
from .places import Point, point_on_ground, require_on_map
from .plugins import BUILT_IN, Mods, Plugin, checked_plugins, install, install_mods, mods_in
from .pool import Array, Pool
from .props import Prop, Props
from .resources import Resources
from .rng import Streams
from .roles import Picture, StateOwner, StimulusBoard
from .schedule import Entry, Phase, Schedule, system_of
from .sea.sea import Sea
from .spawning import Wanted
from .species import SpeciesLibrary
from .terrain import Terrain
from .threads import CREATURES_PER_THREAD
from .ticking import run_ticks

SomePool = TypeVar("SomePool", bound=Pool)
Kind = TypeVar("Kind")

DEFAULT_TICK_RATE = 60
"""Ticks per second. The control rules are tuned for it; bodies substep inside a tick as fast as they need."""

PRECISIONS = ("float64", "float32")
LARGEST_SEED = 2**128
MOST_TICK_RATE = 10_000


class World:
    """A place with ground, food and creatures. Any number of worlds may live in one process.

    Example::

        world = World(seed=7)
        centipede = world.spawn("giant_centipede", at=(0, 0))
        world.add_food((10, 3))
        world.step(600)
    """

    check = heavy_check.Check()

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
        self.seed = arguments.whole("seed", seed, 0, LARGEST_SEED)
        self.tick_rate = arguments.whole("tick_rate", tick_rate, 1, MOST_TICK_RATE)
        self.precision = arguments.choice("precision", precision, PRECISIONS)
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
        self.states: dict[str, StateOwner] = {}
        self.calls: dict[str, Callable[..., Any]] = {}
        self.resources = Resources()
        self.plugins: list[str] = []
        self.mods = Mods()
        self.building: str | None = None  # the plugin whose build(world) runs now
        self.gate = Gate()
        self.creatures: dict[int, Creature] = {}
        self.handles: WeakSet[Creature] = WeakSet()  # all that were given away and are still held, those of gone ones too
        finalize(self, lifecycle.let_go, self.handles).atexit = False
        self.next_serial = 1
        self.leaving: list[Creature] = []  # at the end of the tick that is running
        self.stepping = False  # a tick is running
        self.threads = 1  # that the host allows, for systems with more to do than the others
        self.recorder: Callable[[Creature, str, Any], None] | None = None  # hears of every value set, see replay
        self.creature_pool = self.add_pool(CreaturePool)
        self.factions, self.kinds = Factions(self), Kinds(self)
        self.families = Families(self)
        self.species = SpeciesLibrary(self.parts, self.families)
        self.terrain: Terrain = ground_of(self.map, self.seed)
        self.water = ponds_of(self.map, self.terrain, self.streams, self.tick_rate)
        self.add_state("water", self.water)
        self.props, self.sea = Props(self), Sea(self)
        self.add_state("sea", self.sea)
        self.weather = weather.begin(self)
        self.events.declare("born", "gone", "mod_failed")
        for plugin in checked_plugins(plugins):
            install(self, plugin)
        install_mods(self, mods_in(mods))
        if arguments.flag("populate", populate):
            places.populate(self)

    def __reduce__(self) -> NoReturn:
        raise PaludariumError("a World is neither copied nor pickled: allowed is world.save(path) and World.load(path)")

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

    @gated
    def step(self, ticks: int = 1) -> None:
        """Run whole ticks, paused or not. Event handlers are part of their tick: from one, this raises `BusyError`."""
        self.threads = get_num_threads()
        run_ticks(self, arguments.whole("ticks", ticks), heavy_check.run_systems, CREATURES_PER_THREAD)

    @gated
    def update(self, dt: float) -> int:
        """Let `dt` real seconds pass: runs as many ticks as are due and returns their number. Not from event handlers."""
        ticks = self.clock.due(dt)
        self.step(ticks)
        return ticks

    # -- picture --------------------------------------------------------------------------------------------------

    @property
    def picture(self) -> Any:
        """What draws this world; ``world.picture.begin(surface, camera)`` paints beside the tick, `draw` does it at once."""
        return self.resource(Picture)

    def draw(self, surface: Any, camera: Any) -> None:
        """Draw the world from above into a pygame surface of yours, as the camera sees it."""
        self.picture.draw(surface, camera)

    # -- life -----------------------------------------------------------------------------------------------------

    @overload
    def spawn(self, species: str, at: Point = ..., heading: float = ..., *, count: None = ..., spread: float = ...,
              tier: str = ..., faction: str = ...) -> Creature: ...

    @overload
    def spawn(self, species: str, at: Point = ..., heading: float = ..., *, count: int, spread: float = ...,
              tier: str = ..., faction: str = ...) -> list[Creature]: ...

    @gated
    def spawn(
        self, species: str, at: Point = (0.0, 0.0), heading: float = 0.0, *, count: int | None = None,
        spread: float = 0.0, tier: str = "full", faction: str = "",
    ) -> Creature | list[Creature]:
        """Bring one creature into the world, or with `count` a list of them spread over a disc.

        `at` is (x, y) for a place on the ground, or (x, y, z) to drop it from there. With `spread`, places that are
        taken by an obstacle or beyond the edge are drawn again. If any of the group cannot be placed, none of it is.
        """
        return spawning.spawn(self, Wanted(species, at, spread, heading, tier, faction), count)

    @gated
    def despawn(self, creature: Creature) -> None:
        """Take a creature out: at once between ticks, at the end of the tick during one. Twice is fine."""
        if not arguments.creature("creature", creature, self).in_world:
            return
        if self.stepping:
            self.leaving.append(creature)
        else:
            lifecycle.leave(self, creature)

    @gated
    def near(self, point: Point | Creature, radius: float, faction: str | None = None) -> list[Creature]:
        """Creatures whose bounding circle comes within `radius` of a point in plan view, nearest head first."""
        return queries.near(self, point, radius, faction)

    @gated
    def hit(self, point: Point, radius: float = 0.0, faction: str | None = None) -> list[Creature]:
        """Creatures whose body a disc of this radius around a point of the plan view touches, nearest head first."""
        return queries.hit(self, point, radius, faction)

    @gated
    def raycast(self, start: Point, end: Point, radius: float = 0.0, **options: Any) -> queries.RayHit | None:
        """What a disc moving in plan view meets first: creature or prop. Options: ``faction``, ``ignore``, ``props``."""
        return queries.raycast(self, start, end, radius, **options)

    @gated
    def set_relation(self, one: str, other: str, relation: str, *, both: bool = True) -> None:
        """Make factions ``hostile``, ``allied`` or ``neutral``; what animals do about it is in their species file."""
        self.factions.set_relation(one, other, relation, both=both)

    # -- things ---------------------------------------------------------------------------------------------------

    @gated
    def add_food(self, at: Point, amount: float = 1.0, kind: str = "fruit") -> Prop:
        """Put food on the ground at (x, y): ``fruit``, ``plankton``, ``carrion`` or a mod's kind."""
        return self.props.add_food(at, amount, kind)

    @gated
    def add_obstacle(self, kind: str, at: Point, radius: float = 1.0, **options: Any) -> Prop:
        """Put up a ``sphere``, ``cylinder`` or ``box``; see `Props.add_obstacle` for the options."""
        return self.props.add_obstacle(kind, at, radius, **options)

    @gated
    def add_stimulus(self, kind: str, at: Point, strength: float = 1.0, radius: float = 10.0,
                     seconds: float = math.inf) -> Any:
        """Put something that attracts or repels into the world: ``food``, ``threat``, ``pheromone`` or a mod's kind."""
        return self.resource(StimulusBoard).add(kind, at, strength, radius, seconds)

    # -- events ---------------------------------------------------------------------------------------------------

    @overload
    def on(self, kind: str, handler: Handler) -> Handler: ...

    @overload
    def on(self, kind: str) -> Callable[[Handler], Handler]: ...

    def on(self, kind: str, handler: Handler | None = None) -> Any:
        """Call `handler` with every event of a kind, at the end of the tick it happened in. Also a decorator."""
        self.events.require(kind)
        if handler is None:
            return lambda function: self.events.on(kind, function, self.building)
        return self.events.on(kind, handler, self.building)

    def emit(self, kind: str, creature: Creature | None = None, **values: Any) -> None:
        """Queue an event for the end of the tick. Values must be plain data, so that a saved world can hold them."""
        if creature is not None:
            arguments.creature("creature", creature, self)
        self.events.emit(Event(kind, self.tick, creature, values))

    # -- saving ---------------------------------------------------------------------------------------------------

    @gated
    def save(self, path: str | Path) -> None:
        """Write everything to one file, atomically."""
        snapshot.save(self, path)

    @classmethod
    def load(cls, path: str | Path, plugins: Sequence[Plugin] = (), mods: str | Path | bool | None = None,
             missing: str = "refuse", meshes: str | Path | None = None) -> Self:
        """Continue a saved world. Its plugins and mods must be given again: a file never makes us import anything.

        ``missing="dormant"`` goes on without them: what needs them sleeps in every save until a later load has them.

        Nor does it make us open anything: a save of an earlier version that names a mesh file needs the folder, `meshes`.
        """
        return snapshot.load(cls, path, [*checked_plugins(plugins), *mods_in(mods)], missing, meshes)

    @gated
    def state_hash(self) -> str:
        """A hex digest over all live state; the same seed and calls give the same digest on any thread count."""
        return snapshot.state_hash(self)

    # -- building -------------------------------------------------------------------------------------------------

    def add_pool(self, kind: type[SomePool]) -> SomePool:
        """Create the world's pool of a kind, once; one beside another is kept as large as that one."""
        if kind.__name__ in self.pools:
            raise PluginError(f"{kind.__name__} is already in this world")
        if kind.beside is not None and kind.beside not in self.pools:
            raise PluginError(f"{kind.__name__} is beside {kind.beside}, which this world has not; "
                              f"{suggest(kind.beside, self.pools)}")  # fmt: skip
        pool = kind()
        self.pools[kind.__name__] = pool
        if kind.beside is not None:
            self.pools[kind.beside].lead(pool)
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
                 *, required: bool = False, repeated: bool = False, renew: Renew | None = None) -> None:
        """Register what a table of a species file means: its spec, its pool, its handle, and how rows are filled.

        A `repeated` part is written ``[[name]]`` any number of times; its fill gets a tuple of specs. `renew`: see `Part`.
        """
        if name in self.parts:
            raise PluginError(f"a part called {name!r} is already registered")
        leader = part_of(self.parts, pool.beside) if pool.beside else None
        self.add_pool(pool)
        self.parts[name] = Part(name, spec, pool, handle, fill, required, repeated, renew, self.building, leader)

    def add_family(self, family: Family) -> None:
        """Make a family of animals known: species files name it with ``family = "..."``."""
        self.families.add(family)

    def require_family(self, name: str) -> None:
        """Load the systems of a family now instead of at the birth of its first animal."""
        self.families.require(name)

    def add_state(self, name: str, owner: StateOwner) -> None:
        """Let something beside the pools be saved, loaded and hashed: ``owner.state()`` and ``owner.restore(arrays)``."""
        if name in self.states or name.endswith("Pool"):
            raise PluginError(f"state {name!r}: allowed is a name that is not taken and does not end in Pool")
        self.states[name] = owner

    def add_call(self, name: str, function: Callable[..., Any]) -> None:
        """Give the world a method: ``function(world, ...)`` becomes ``world.name(...)``, and recordings write it down."""
        if hasattr(type(self), name) or name in self.__dict__ or name in self.calls:
            raise PluginError(f"worlds already have something called {name!r}")
        self.calls[name] = function

    def __getattr__(self, name: str) -> Any:
        calls = self.__dict__.get("calls", {})
        if name in calls:
            return partial(gated(calls[name], name), self)
        raise UnknownNameError(f"{type(self).__name__} has no attribute {name!r}; {suggest(name, calls)}")

    def add_resource(self, value: Any, kind: type | None = None) -> None:
        """Keep something that systems share; it is asked for by its type, or by the `kind` it serves as."""
        self.resources.add(value, kind)

    def resource(self, kind: type[Kind]) -> Kind:
        """What systems share, by its type: ``world.resource(ModeRegistry)``."""
        return self.resources.get(kind)

    def tables(self) -> tuple[dict[Any, Any], ...]:
        """What plugins register themselves in; a ``build`` that fails is undone by putting these back."""
        return (self.verbs, self.attributes, self.parts, self.pools, self.states, self.calls, self.resources.by_kind)

    def add_system(self, kind: Callable[[World], Any], *, phase: Phase | None = None, before: str | None = None,
                   after: str | None = None) -> Entry:
        """Insert a system into the tick, at the end of a phase or next to a named system.

        When it names a system of a family that has no creatures yet, that family is loaded first.
        """
        self.schedule.require(before or after or "")
        return self.schedule.add(system_of(kind, self), phase, before, after, self.building)

    def add_species(self, path: str | Path) -> str:
        """Make a species file, or a folder of them, known. Returns the key to spawn with.

        If a file is wrong, none of them becomes known. Within a plugin's ``build`` they are read when they are needed.
        """
        add = self.species.add if self.building is not None else self.species.add_checked
        return add(path_of(path, ArgumentError))

    def define_species(self, key: str, **tables: Any) -> str:
        """Make a species known from tables in code: the same keys as in a file, the same checks, and the same ``inherits``.

        Example: ``world.define_species("long one", inherits="giant_centipede", segments={"count": 30})``.
        """
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
        """(x, y) or (x, y, z) as a (3,) point; without z the ground's own height is taken."""
        return point_on_ground(self.terrain, at)

    def require_on_map(self, at: Point, what: str) -> Array:
        """`point_on_ground`, or an error when the place is beyond the map's edge."""
        return require_on_map(self, at, what)
