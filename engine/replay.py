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
from typing import TYPE_CHECKING, Any

import numpy as np

from .creature import Creature
from .errors import PaludariumError, StaleHandleError
from .files import written_whole
from .maps import read_map
from .pool import Rows

if TYPE_CHECKING:
    from .plugins import Plugin
    from .world import World

FORMAT_VERSION = 2
"""2: the animals of the world are born in families; a log of format 1 leads to other hashes."""
WORLD_CALLS = ("spawn", "despawn", "add_food", "add_obstacle", "add_stimulus", "set_relation", "define_species",
               "add_species")  # fmt: skip
"""Methods of `World` that are written down; verbs of creatures and assignments to them are as well."""
WATER_CALLS = ("splash", "follow")
REMOVABLE = ("FoodPool", "ObstaclePool", "StimulusPool")
"""Pools of things that the game may take out one by one."""
REFUSALS = (PaludariumError, TypeError, ValueError, AttributeError)
"""What a call raises that cannot be obeyed."""


class ReplayError(PaludariumError, ValueError):
    """A log cannot be replayed: damaged, of another version, or the world it makes is another one."""


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
        self._header = {
            "paludarium_replay": FORMAT_VERSION, "seed": world.seed, "map": world.map.source, "map_file": world.map.file,
            "tick_rate": world.tick_rate, "precision": world.precision, "plugins": list(world.plugins),
            "hash": world.state_hash(),
        }  # fmt: skip
        for name in WORLD_CALLS:
            setattr(world, name, self._writing(getattr(world, name), "world", name))
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
        text = "".join(json.dumps(line, default=_plain) + "\n" for line in lines)
        with written_whole(path) as file:
            file.write(text.encode())

    @property
    def _from_outside(self) -> bool:
        """Whether the game itself is calling: not a system within a tick, not a mod, not a verb that uses another."""
        return self._depth == 0 and not self._world.stepping and self._world.building is None

    def _write(self, *entry: Any) -> None:
        if self._from_outside:
            line = json.loads(json.dumps([self._world.tick, *entry], default=_plain))  # as it is now, or an error now
            self._lines.append(line)

    def _writing(self, function: Callable[..., Any], *place: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            self._write(*place, list(arguments), options)
            self._depth += 1
            try:
                return function(*arguments, **options)
            finally:
                self._depth -= 1

        return call

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


def replay(path: str | Path, plugins: Sequence[Plugin] | None = None, until: int | None = None) -> World:
    """Repeat a recorded run in a new world and return it, at its last tick or at tick `until`.

    Raises `ReplayError` when the result is not bit for bit what was recorded.
    """
    header, calls, last = _read(Path(path))
    world = _first_world(header, plugins, Path(path))
    end = last["tick"] if until is None else min(until, last["tick"])
    for tick, kind, name, arguments, options in calls:
        if tick > end:
            break
        world.step(tick - world.tick)
        _repeat(world, kind, name, arguments, options)
    world.step(end - world.tick)
    if end == last["tick"] and world.state_hash() != last["hash"]:
        raise ReplayError(f"{path}: the replayed world differs from the recorded one at tick {end}")
    return world


def _repeat(world: World, kind: str, name: str, arguments: list[Any], options: dict[str, Any]) -> None:
    try:
        arguments = [_living(world, value) for value in arguments]
        options = {key: _living(world, value) for key, value in options.items()}
        if kind == "world":
            getattr(world, name)(*arguments, **options)
        elif kind == "water":
            getattr(world.water, name)(*arguments, **options)
        elif kind == "verb":
            world.verbs[name](*arguments, **options)
        elif kind == "set":
            setattr(arguments[0], name, arguments[1])
        else:
            world.pools[name].release(Rows(*arguments))
            world.props.changed = True
    except REFUSALS:
        pass  # it was refused then as now, and a refused call changes nothing


def _first_world(header: dict[str, Any], plugins: Sequence[Plugin] | None, path: Path) -> World:
    from .world import World

    for populate in (True, False):
        world = World(seed=header["seed"], map=read_map(header["map"], header["map_file"]), tick_rate=header["tick_rate"],
                      precision=header["precision"], plugins=header["plugins"] if plugins is None else plugins,
                      populate=populate)  # fmt: skip
        if world.state_hash() == header["hash"]:
            return world
    raise ReplayError(f"{path}: was begun on a world that seed, map and plugins alone do not give")


def _read(path: Path) -> tuple[dict[str, Any], list[Any], dict[str, Any]]:
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except OSError as problem:
        raise ReplayError(f"{path}: cannot be read ({problem.strerror})") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as problem:
        raise ReplayError(f"{path}: is no log of a run ({problem})") from None
    if len(lines) < 2 or not isinstance(lines[0], dict) or not isinstance(lines[-1], dict) or "hash" not in lines[-1]:
        raise ReplayError(f"{path}: is no log of a run, or only its beginning")
    if lines[0].get("paludarium_replay") != FORMAT_VERSION:
        raise ReplayError(f"{path}: has format {lines[0].get('paludarium_replay')}, this version reads {FORMAT_VERSION}")
    return lines[0], lines[1:-1], lines[-1]


def _plain(value: Any) -> Any:
    if isinstance(value, Creature):
        return {"creature": value.serial}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Path):
        return str(value)
    raise ReplayError(f"{value!r} cannot be recorded: allowed are numbers, texts, lists, arrays and creatures")


def _living(world: World, value: Any) -> Any:
    if isinstance(value, dict) and value.keys() == {"creature"}:
        if value["creature"] not in world.creatures:
            raise StaleHandleError(f"creature {value['creature']} has left the world")
        return world.creatures[value["creature"]]
    return value
