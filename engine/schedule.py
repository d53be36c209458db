"""The tick as a list: phases in order, the systems in each phase, and the time each one takes."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, Protocol

from .errors import FAILURES, PluginError, shortened, suggest

if TYPE_CHECKING:
    from .world import World

log = logging.getLogger(__name__)

LATE_SECONDS = 1.0
"""A mod's system that takes longer in one tick holds the game up. The first tick of one that compiles may take as long."""


class Phase(Enum):
    """The whole tick, top to bottom. Drawing is not in it: a RenderSystem runs once per frame, outside.

    TARGET, SWITCH and BODY are older names of ACT and MOVE, for mods that use them.
    """

    SENSE = "SensorSystem: what antennae and eyes perceive"
    THINK = "BrainSystem, minds: modes, goals, speed and turn"
    ACT = "TargeterSystem, SwitcherSystem, strokes: where bodies should be, what legs and servos do"
    MOVE = "FEMSystem, bodies: dynamics of segments and tissue"
    WATER = "WaterSystem, sea: the shallow water, currents, and what drifts in them"
    LIVE = "births, deaths, eating, events"
    TARGET = ACT
    SWITCH = ACT
    BODY = MOVE


class System(Protocol):
    """Anything with ``process(dt)``; it is built with the world as its only argument."""

    def process(self, dt: float, /) -> None: ...


@dataclass(eq=False)
class Entry:
    """One system in the tick, with its measured time."""

    name: str
    system: System
    phase: Phase
    plugin: str | None
    rank: int | None = None
    """Its place among the systems of the package, see `systems.tick`; None for all others."""
    before: str = ""
    """The system it was put right before, if any."""
    after: str = ""
    """The system it was put right after, if any."""
    removed: bool = False
    """It runs no more, but systems that were put beside it still know their place by it."""
    nanoseconds: int = 0
    calls: int = 0

    @property
    def beside(self) -> str:
        """The system that it keeps to."""
        return self.before or self.after


RunMod = Callable[[Entry, float], None]
Report = Callable[[Entry, BaseException], None]
Loader = Callable[[], object]


class Schedule:
    """The ordered systems of one world.

    The order does not depend on who came first: systems of the package have ranks, those of mods follow at the end of
    their phase, and a system that was put beside another one stays there.

    Example::

        world.add_system(PheromoneSystem, after="BrainSystem")
        world.add_system(HungerSystem, phase=Phase.LIVE)
    """

    def __init__(self) -> None:
        self._joined: list[Entry] = []  # in the order in which they came, removed ones too while others keep to them
        self._order: tuple[Entry, ...] = ()  # as the tick runs through it: a change waits for the next tick
        self._loaders: dict[str, Loader] = {}
        self._older_names: dict[str, str] = {}
        self.running: Entry | None = None
        """The system that runs now, for a watchdog of the host that looks from another thread."""
        self.late: dict[str, float] = {}
        """Systems of mods that once took longer than `LATE_SECONDS`, and the longest time each has taken, in seconds."""

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._order)

    def __contains__(self, name: object) -> bool:
        return any(entry.name == self._older_names.get(str(name), name) for entry in self._order)

    def __getitem__(self, name: str) -> Entry:
        wanted = self._older_names.get(name, name)
        for entry in self._order:
            if entry.name == wanted:
                return entry
        raise PluginError(f"no system is called {name!r}; {suggest(name, (e.name for e in self._order))}")

    def expect(self, names: Iterable[str], load: Loader) -> None:
        """Say that systems of these names will join; `load` makes them join at once when a mod names one of them."""
        self._loaders.update(dict.fromkeys(names, load))

    def require(self, name: str) -> None:
        """Let a system join that was said to come; nothing happens if it is there, or if the name is not known."""
        load = self._loaders.get(self._older_names.get(name, name))
        if load is not None and name not in self:
            load()

    def rename(self, older: str, name: str) -> None:
        """Let a system be found by a name that it had before, too."""
        self._older_names[older] = name

    def add(
        self, system: System, phase: Phase | None, before: str | None, after: str | None, plugin: str | None
    ) -> Entry:
        """Insert a system at the end of a phase, or right before or after a named system."""
        if sum(place is not None for place in (phase, before, after)) != 1:
            raise PluginError(f"{type(system).__name__}: give exactly one of phase=, before= and after=")
        if phase is not None:
            return self._join(Entry(type(system).__name__, system, phase, plugin))
        neighbour = self[before or after or ""]
        entry = Entry(type(system).__name__, system, neighbour.phase, plugin)
        entry.before, entry.after = ("", neighbour.name) if before is None else (neighbour.name, "")
        return self._join(entry)

    def add_at(self, system: System, phase: Phase, rank: int) -> Entry:
        """Insert a system of the package at its place in the list of all of them, whatever has joined before."""
        return self._join(Entry(type(system).__name__, system, phase, None, rank))

    def _join(self, entry: Entry) -> Entry:
        if entry.name in self:
            raise PluginError(f"a system called {entry.name!r} is already in the tick")
        self._joined.append(entry)
        self._sort()
        return entry

    def _sort(self) -> None:
        """Put everything in order: by phase and rank, then what has no rank, then each one that keeps to another."""
        named = {entry.beside for entry in self._joined}
        self._joined = [entry for entry in self._joined if not entry.removed or entry.name in named]
        order = sorted((entry for entry in self._joined if not entry.beside), key=_place)
        for entry in self._joined:
            if entry.beside:
                places = [k for k, other in enumerate(order) if other.name == entry.beside]
                order.insert(places[-1] + bool(entry.after), entry)
        self._order = tuple(entry for entry in order if not entry.removed)

    def remove(self, name: str) -> None:
        """Take a system out of the tick."""
        self[name].removed = True
        self._sort()

    def run(self, dt: float, run_mod: RunMod, report: Report) -> Iterator[Entry]:
        """Run every system once, and give it after it has run.

        Those of mods are run by `run_mod`. `report` hears of one that raises, and decides what becomes of it.
        """
        for entry in self._order:
            start = perf_counter_ns()
            self.running = entry
            try:
                if entry.plugin is None:
                    entry.system.process(dt)
                else:
                    run_mod(entry, dt)
            except FAILURES as problem:
                if entry.plugin is None or not entry.removed:  # else its mod has been taken out earlier in this tick
                    report(entry, problem)
            spent = perf_counter_ns() - start
            entry.nanoseconds += spent
            entry.calls += 1
            if spent > LATE_SECONDS * 1e9 and entry.plugin is not None:
                self._note_late(entry, spent * 1e-9)
            yield entry
        self.running = None

    def _note_late(self, entry: Entry, seconds: float) -> None:
        """Remember a mod's system that held the game up, and say so; time decides nothing else."""
        self.late[entry.name] = max(seconds, self.late.get(entry.name, 0.0))
        log.warning("mod %r: %s took %.1f s in one tick", entry.plugin, entry.name, seconds)

    def reset_timing(self) -> None:
        self.late.clear()
        for entry in self._order:
            entry.nanoseconds = entry.calls = 0


def system_of(kind: Callable[[World], Any], world: World) -> System:
    """The system that a class or function makes for a world; `PluginError` if it makes none."""
    if not callable(kind):
        raise PluginError(f"add_system(kind) = {shortened(kind)}: allowed is a class, or a function that makes a system")
    system = kind(world)
    if not callable(getattr(system, "process", None)):
        raise PluginError(f"add_system(kind) = {shortened(kind)}: allowed is one whose system has a method process(dt)")
    return system


def _place(entry: Entry) -> tuple[int, bool, float]:
    """By what systems that keep to no other are put in order: phase, ours before those of mods, rank."""
    rank = math.inf if entry.rank is None else entry.rank
    return list(Phase).index(entry.phase), entry.plugin is not None, rank
