"""The tick as a list: phases in order, systems in each phase in the order they joined, and the time each one takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from time import perf_counter_ns
from typing import Protocol

from .errors import PluginError, suggest


class Phase(Enum):
    """The whole tick, top to bottom. Drawing is not in it: a RenderSystem runs once per frame, outside."""

    SENSE = "SensorSystem: what antennae and eyes perceive"
    THINK = "BrainSystem: modes, goals, speed and turn"
    TARGET = "TargeterSystem: where supported segments should be"
    SWITCH = "SwitcherSystem: leg states"
    BODY = "FEMSystem: dynamics of segments and tissue"
    WATER = "WaterSystem: the shallow water"
    LIVE = "births, deaths, eating, events"


class System(Protocol):
    """Anything with ``process(dt)``; it is built with the world as its only argument."""

    def process(self, dt: float) -> None: ...


@dataclass
class Entry:
    """One system in the tick, with its measured time."""

    name: str
    system: System
    phase: Phase
    plugin: str | None
    follows: str = ""
    """The system it was put right after; what comes later does not part the two."""
    nanoseconds: int = 0
    calls: int = 0


Report = Callable[[Entry, Exception], None]


class Schedule:
    """The ordered systems of one world.

    Example::

        world.add_system(PheromoneSystem, after="BrainSystem")
        world.add_system(HungerSystem, phase=Phase.LIVE)
    """

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._order: tuple[Entry, ...] = ()  # the same, as the tick runs through it: a change waits for the next tick

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __contains__(self, name: object) -> bool:
        return any(entry.name == name for entry in self._entries)

    def __getitem__(self, name: str) -> Entry:
        for entry in self._entries:
            if entry.name == name:
                return entry
        raise PluginError(f"no system is called {name!r}; {suggest(name, (e.name for e in self._entries))}")

    def add(
        self, system: System, phase: Phase | None, before: str | None, after: str | None, plugin: str | None
    ) -> Entry:
        """Insert a system at the end of a phase, or right before or after a named system."""
        if sum(place is not None for place in (phase, before, after)) != 1:
            raise PluginError(f"{type(system).__name__}: give exactly one of phase=, before= and after=")
        name = type(system).__name__
        if any(entry.name == name for entry in self._entries):
            raise PluginError(f"a system called {name!r} is already in the tick")
        if phase is not None:
            place = self._end_of(phase, plugin)
            entry = Entry(name, system, phase, plugin)
        else:
            neighbour = self[before or after or ""]
            place = self._entries.index(neighbour) + (after is not None)
            entry = Entry(name, system, neighbour.phase, plugin, after or "")
        while plugin is None and 0 < place < len(self._entries) and self._entries[place].plugin is not None:
            if not self._entries[place].follows:
                break
            place += 1
        self._entries.insert(place, entry)
        self._order = tuple(self._entries)
        return entry

    def _end_of(self, phase: Phase, plugin: str | None) -> int:
        """Where a newcomer to a phase goes: to its end. Ours go before those of mods, however late their family came."""
        order = list(Phase)
        place = 0
        for k, entry in enumerate(self._entries):
            earlier = order.index(entry.phase) < order.index(phase)
            if earlier or (entry.phase is phase and (plugin is not None or entry.plugin is None)):
                place = k + 1
        return place

    def remove(self, name: str) -> None:
        """Take a system out of the tick."""
        self._entries.remove(self[name])
        self._order = tuple(self._entries)

    def run(self, dt: float, report: Report) -> None:
        """Run every system once. A mod's system that raises is reported and taken out; one of ours raises."""
        for entry in self._order:
            start = perf_counter_ns()
            try:
                entry.system.process(dt)
            except Exception as problem:
                if entry.plugin is None:
                    raise
                if entry in self._entries:  # else its mod has been taken out earlier in this tick
                    self.remove(entry.name)
                    report(entry, problem)
            entry.nanoseconds += perf_counter_ns() - start
            entry.calls += 1

    def reset_timing(self) -> None:
        for entry in self._entries:
            entry.nanoseconds = entry.calls = 0
