"""Deterministic replay: every call that changes a world, written as JSON lines, and a world that repeats them.

A world is a function of its seed, its map, its mods and the calls made from outside between two ticks. A `Recording`
writes those calls down with the tick they were made at; `replay` builds the same world and makes them again. What mods
do by themselves is not written: they do it again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .creature import Creature
from .errors import PaludariumError, SpeciesError, shortened
from .file_reading import read_limited
from .files import path_of, written_whole
from .made_by import needs, told_with_version, version
from .plain_data import is_whole, not_plain, parsed, told_as
from .plugins import checked_plugins, chosen, mods_in
from .pool import Rows
from .recordable import (
    KINDS,
    REMOVABLE,
    WATER_CALLS,
    WORLD_CALLS,
    ReplayError,
    check_plain,
    fits,
    living,
    plain,
    recordable,
    wanted_call,
)
from .save_header import Origin, is_name, origin_of
from .saved_maps import map_of_save, map_to_save

if TYPE_CHECKING:
    from .maps import Map
    from .plugins import Plugin
    from .world import World

__all__ = ["Recording", "ReplayError", "replay"]

FORMAT_VERSION = 2
"""2: the animals of the world are born in families; a log of format 1 leads to other hashes."""
MOST_BYTES = 2**28
"""Of a log."""
MOST_TICKS = 50_000_000
"""Of a recorded run: nine days at 60 ticks per second."""


class Line(NamedTuple):
    """One call of a log, with the number of its line in the file."""

    number: int
    tick: int
    kind: str
    name: str
    arguments: list[Any]
    options: dict[str, Any]


class Recording:
    """Write down what is done to a world from now on. Begin right after building it, before the first call.

    Example::

        world = World(seed=7)
        recording = Recording(world)
        world.spawn("pauropod").goto((10, 0))
        world.step(600)
        recording.save("run.jsonl")
        assert replay("run.jsonl").state_hash() == world.state_hash()
    """

    def __init__(self, world: World) -> None:
        if world.tick != 0 or world.recorder is not None:
            raise ReplayError(f"{world!r}: allowed is a world that was just built and is not being recorded yet")
        self._world, self._depth = world, 0
        self._lines: list[list[Any]] = []
        self._told: dict[str, Any] = {}  # tables of species that came from files since
        self._header = {
            "paludarium_replay": FORMAT_VERSION, "version": version(),
            "seed": world.seed, "map": map_to_save(world), "map_file": world.map.file,
            "tick_rate": world.tick_rate, "precision": world.precision, "plugins": list(world.plugins),
            "hash": world.state_hash(),
        }  # fmt: skip
        for name in WORLD_CALLS:
            setattr(world, name, self._writing(getattr(world, name), "world", name))
        world.spawn = self._writing_spawn(world.spawn)  # type: ignore[method-assign]
        world.add_species = self._writing_files(world.add_species)  # type: ignore[method-assign]
        for name, function in world.calls.items():
            world.calls[name] = self._writing_call(function, name)
        for name in WATER_CALLS:
            setattr(world.water, name, self._writing(getattr(world.water, name), "water", name))
        for name, verb in world.verbs.items():
            if not getattr(verb, "unrecorded", False):
                world.verbs[name] = self._writing(verb, "verb", name)
        for name in REMOVABLE:
            if name in world.pools:
                self._watch_removal(name, world.pools[name])
        world.recorder = self._write_assignment

    def __len__(self) -> int:
        return len(self._lines)

    def save(self, path: str | Path) -> None:
        """Write the log up to now; recording goes on."""
        lines = [self._header, *self._lines, {"tick": self._world.tick, "hash": self._world.state_hash()}]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        with written_whole(path, ReplayError, private=True) as file:
            file.write(text.encode())

    @property
    def _from_outside(self) -> bool:
        """Whether the game itself is calling: not a system within a tick, not a mod, not a verb that uses another."""
        return self._depth == 0 and not self._world.stepping and self._world.building is None

    def _write(self, *entry: Any) -> None:
        """Write a call down as it is now; one that could not be repeated is refused now and not made."""
        if not self._from_outside:
            return
        try:
            line = json.loads(json.dumps([self._world.tick, *entry], default=plain))
        except PaludariumError:
            raise
        except (ValueError, TypeError, RecursionError) as problem:
            raise ReplayError(f"{entry[1]}: cannot be recorded ({problem}); allowed are plain values") from None
        reason = not_plain(line)
        if reason:
            raise ReplayError(f"{entry[1]}{shortened(entry[2:])} cannot be recorded: it {reason}")
        check_plain(line)
        self._lines.append(line)

    def _writing(self, function: Callable[..., Any], *place: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            if fits(function, arguments, options):  # otherwise it is refused in a moment, by Python itself
                self._write(*place, list(arguments), options)
            self._depth += 1
            try:
                return function(*arguments, **options)
            finally:
                self._depth -= 1

        return call

    def _writing_files(self, add: Callable[..., str]) -> Callable[..., str]:
        """Species of a file are written down as what is in it: a recording reads no files."""

        def call(path: str | Path) -> str:
            before = self._world.species.files()
            key = add(path)
            for name, file in self._world.species.files().items():
                if before.get(name) != file or Path(path) in (file, file.parent):
                    self._tell_species(name)
            return key

        return call

    def _writing_spawn(self, spawn: Callable[..., Any]) -> Callable[..., Any]:
        def call(species: str, *arguments: Any, **options: Any) -> Any:
            if isinstance(species, str) and species.endswith(".toml"):
                species = self._world.add_species(species)
            elif species in self._told:
                self._tell_species(species)
            return spawn(species, *arguments, **options)

        return call

    def _tell_species(self, key: str) -> None:
        """Write a species of a file down, unless it already is as it is now."""
        try:
            tables = self._world.species[key].source
        except SpeciesError:
            return  # no creature can be born of it, now or when it is repeated
        if tables != self._told.get(key):
            self._write("world", "define_species", [key], tables)
            self._told[key] = tables

    def _writing_call(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        """A call that a plugin added: its first argument is the world, which is not written down."""

        def call(world: World, *arguments: Any, **options: Any) -> Any:
            return self._writing(partial(function, world), "world", name)(*arguments, **options)

        return call

    def _write_assignment(self, creature: Creature, name: str, value: Any) -> None:
        self._write("set", name, [creature, value], {})

    def _watch_removal(self, name: str, pool: Any) -> None:
        release = pool.release

        def watched(rows: Rows) -> None:
            self._write("release", name, list(rows), {})
            release(rows)

        pool.release = watched


def replay(path: str | Path, plugins: Sequence[Plugin] = (), until: int | None = None,
           mods: str | Path | bool | None = None, meshes: str | Path | None = None) -> World:
    """Repeat a recorded run in a new world and return it, at its last tick or at tick `until`.

    Plugins and mods that it was made with must be given: a file never makes us import anything. A mesh file that a recording
    of an earlier version names is opened only if the folder `meshes` has one of that name. Only calls of the table
    in `recordable` are made. Raises `ReplayError` when anything else is in the file, or when the result is not bit for
    bit what was recorded.
    """
    path = path_of(path, ReplayError)
    if until is not None and not is_whole(until):
        raise ReplayError(f"until = {shortened(until)}: allowed is a tick, 0 or more")
    content = read_limited(path, MOST_BYTES, ReplayError)
    with told_as(ReplayError, str(path)):
        origin, begin, lines, last = _read(content)
        given = chosen(origin.plugins, [*checked_plugins(plugins), *mods_in(mods)], ReplayError)
        with told_with_version(origin.version, ReplayError):
            world = _first_world(origin, map_of_save(origin, meshes, ReplayError), begin, given)
            end = last["tick"] if until is None else min(until, last["tick"])
            table = recordable(world)
            for line in lines:
                if line.tick > end:
                    break
                world.step(line.tick - world.tick)
                with told_as(ReplayError, f"line {line.number}"):
                    _repeat(world, table, line)
            world.step(end - world.tick)
            if end == last["tick"] and world.state_hash() != last["hash"]:
                needed = needs(origin.version)
                raise ReplayError(f"the replayed world differs from the recorded one at tick {end}; {needed}")
    return world


def _repeat(world: World, table: dict[str, dict[str, Callable[..., Any]]], line: Line) -> None:
    try:
        arguments, options = living(world, line.arguments), living(world, line.options)
        wanted_call(table, line.kind, line.name, arguments, options)()
    except ReplayError:
        raise
    except PaludariumError:
        pass  # it was refused then as now, and a refused call changes nothing


def _first_world(origin: Origin, chart: Map, begin: str, plugins: list[Plugin]) -> World:
    from .world import World

    for populate in (True, False):
        world = World(seed=origin.seed, map=chart, tick_rate=origin.tick_rate, precision=origin.precision, plugins=plugins,
                      populate=populate)  # fmt: skip
        if world.state_hash() == begin:
            return world
    raise ReplayError(f"was begun on a world that seed, map and plugins alone do not give; {needs(origin.version)}")


def _read(content: bytes) -> tuple[Origin, str, list[Line], dict[str, Any]]:
    """Header and calls of a log; all of it is read and checked before anything is built."""
    lines = content.removesuffix(b"\n").split(b"\n")
    values = []
    for number, line in enumerate(lines, start=1):
        with told_as(ReplayError, f"is no log of a run: line {number}"):
            values.append(parsed(line, ReplayError, endless=True))
    header, last = values[0], values[-1]
    if len(values) < 2 or not isinstance(header, dict) or not isinstance(last, dict) or "hash" not in last:
        raise ReplayError("is no log of a run, or only its beginning")
    made_by = header.get("version", "")
    if header.get("paludarium_replay") != FORMAT_VERSION:
        raise ReplayError(f"has format {shortened(header.get('paludarium_replay'))}, this version reads {FORMAT_VERSION}; "
                          f"{needs(made_by if is_name(made_by) else '')}")  # fmt: skip
    origin, begin = origin_of(header, ReplayError), header.get("hash")
    if not isinstance(begin, str) or not isinstance(last["hash"], str):
        raise ReplayError(f"hash = {shortened(begin)}, {shortened(last['hash'])}: allowed are texts")
    if not is_whole(last.get("tick"), 0, MOST_TICKS):
        raise ReplayError(f"line {len(values)}: tick = {shortened(last.get('tick'))}: allowed is 0 to {MOST_TICKS}")
    calls: list[Line] = []
    for number, value in enumerate(values[1:-1], start=2):
        earliest = calls[-1].tick if calls else 0
        with told_as(ReplayError, f"line {number}"):
            calls.append(_line(number, value, earliest, last["tick"]))
    return origin, begin, calls, last


def _line(number: int, value: Any, earliest: int, latest: int) -> Line:
    if not isinstance(value, list) or len(value) != 5:
        raise ReplayError(f"{shortened(value)}: allowed is [tick, kind, name, arguments, options]")
    tick, kind, name, arguments, options = value
    if not is_whole(tick, earliest, latest):
        raise ReplayError(f"tick = {shortened(tick)}: allowed is {earliest} to {latest}, as the lines around it say")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ReplayError(f"kind = {shortened(kind)}: allowed is {', '.join(KINDS)}")
    if not isinstance(name, str) or not isinstance(arguments, list) or not isinstance(options, dict):
        raise ReplayError(f"{shortened(value)}: allowed is a name, a list of arguments and a table of options")
    return Line(number, tick, kind, name, arguments, options)
