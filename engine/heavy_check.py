"""Heavy mode: every tick runs twice, in the world and in a copy of it that was just saved and loaded.

``world.check = "heavy"`` is for tests and for finding out why a loaded world goes on otherwise: what is not saved shows in
the first tick in which it matters, with the system that made the difference and the column that has it. Ticks take ten to a
hundred times as long.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Container, Iterator
from contextlib import closing
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from . import arguments, snapshot
from .errors import PaludariumError, shortened
from .plugins import take_out
from .pool import NO_OWNER, Array
from .ticking import systems_of_a_tick

if TYPE_CHECKING:
    from .pool import Pool
    from .schedule import Entry
    from .world import World

HEAVY = "heavy"
CHECKS = ("", "mods", HEAVY)
"""What ``world.check`` can be: nothing, what mods leave behind, or that and every tick in a loaded copy, too."""
SHOWN = 80
"""Characters of an entry that differs."""
LOADING, END = "loading", "the end of the tick"
COPY = "the copy of this tick"
"""What errors about the save in memory say instead of a path."""


class HeavyCheckError(PaludariumError):
    """A world and its copy, saved and loaded, differ: `system` made the difference, in `place`.

    Example::

        world.check = "heavy"
        try:
            world.step(600)
        except HeavyCheckError as problem:
            print(problem.tick, problem.system, problem.place)
    """

    def __init__(self, tick: int, system: str, place: str, told: str) -> None:
        super().__init__(f"tick {tick}, {system}: {place} {told}")
        self.tick, self.system, self.place = tick, system, place


class Check:
    """``world.check``: how closely a world is looked at while it runs, one of `CHECKS`.

    Example::

        world.check = "mods"
    """

    def __get__(self, world: World, kind: type[World] | None = None) -> str:
        return str(vars(world).get("check", "")) if world is not None else ""

    def __set__(self, world: World, value: str | None) -> None:
        vars(world)["check"] = arguments.choice("check", value or "", CHECKS)


def run_systems(world: World) -> None:
    """Run the systems of one tick, as closely watched as ``world.check`` says."""
    if world.check == HEAVY:
        _run_twice(world)
    else:
        deque(systems_of_a_tick(world), maxlen=0)


def _run_twice(world: World) -> None:
    """Run one tick of the world, and beside it the same tick of a copy; raises at its end if anything was not the same."""
    number, copy = world.tick, _copy_of(world)
    problem: HeavyCheckError | None = None
    with closing(systems_of_a_tick(world)) as ours, closing(systems_of_a_tick(copy)) as theirs:
        for entry, other in zip_longest(ours, theirs):
            problem = problem or _compared(number, entry, other, world, copy)
    place, how = first_difference(world, copy)
    if place and problem is None:
        problem = HeavyCheckError(number, END, place, how)
    if problem is not None:
        raise problem


def _compared(number: int, entry: Entry | None, other: Entry | None, world: World, copy: World) -> HeavyCheckError | None:
    """What differs after the same system has run in both worlds."""
    name, after = (END if one is None else one.name for one in (entry, other))
    if name != after:
        return HeavyCheckError(number, name, "the schedule", f"has {after} in this place after loading: is it of a plugin?")
    place, how = first_difference(world, copy)
    return HeavyCheckError(number, name, place, how) if place else None


def first_difference(world: World, copy: World) -> tuple[str, str]:
    """Which column, array or entry of two worlds is the first that differs, and how; two empty texts if none does."""
    same = {name for name, pool in world.pools.items() if name in copy.pools and _same_memory(pool, copy.pools[name])}
    theirs = dict(contents(copy, same))
    for place, values in contents(world, same):
        if place not in theirs:
            return place, "is not there after loading"
        other = theirs.pop(place)
        if values.dtype != other.dtype or values.shape != other.shape:
            return place, f"is {values.dtype} {values.shape}, after loading {other.dtype} {other.shape}"
        if values.tobytes() != other.tobytes():
            return place, _how(values, other)
    return (next(iter(theirs)), "is there only after loading") if theirs else ("", "")


def _same_memory(pool: Pool, other: Pool) -> bool:
    """Whether two pools are alike to the last byte, so that none of their columns has to be looked at.

    They may be alike where it matters without it: rows without an owner keep what was in them.
    """
    return np.array_equal(pool.spans, other.spans) and np.array_equal(pool.in_words(), other.in_words())


def contents(world: World, known: Container[str] = ()) -> Iterator[tuple[str, Array]]:
    """What systems may change of a world and a save keeps, by its place, as arrays; but for pools that are known."""
    for name, pool in sorted(world.pools.items()):
        if name in known:
            continue
        yield f"{name}.spans", pool.spans
        if not pool.end:
            continue
        living = pool.owner[: pool.end] != NO_OWNER
        rows = slice(pool.end) if living.all() else np.flatnonzero(living)  # a slice copies nothing
        for column in pool.columns:
            yield f"{name}.{column}", getattr(pool, column)[rows]
    for name, owner in sorted(world.states.items()):
        for key, values in owner.state().items():
            yield f"{name}.{key}", np.asarray(values)
    events = [[event.kind, event.creature.serial if event.creature else NO_OWNER] for event in world.events.queue]
    for place, plain in (("streams", world.streams.state()), ("creatures", list(world.creatures)), ("events", events)):
        yield place, np.frombuffer(json.dumps(plain, sort_keys=True).encode(), np.uint8)


def _copy_of(world: World) -> World:
    """The world as it is after saving and loading; what it is before its tick has to be the same."""
    try:
        header, arrays = snapshot.describe(world)
        copy = snapshot.world_of(type(world), b"".join(snapshot.pieces(header, arrays)), COPY, world.mods.given,
                                 snapshot.DORMANT if world.mods.dormant else snapshot.REFUSE)  # fmt: skip
        loaded = snapshot.describe(copy)[0]
    except PaludariumError as problem:
        raise HeavyCheckError(world.tick, LOADING, "the world", f"cannot be saved and loaded: {problem}") from problem
    copy.threads, copy.mods.watched_until = world.threads, world.mods.watched_until
    for mod in world.mods.failed:
        take_out(copy, mod)
    place, how = first_difference(world, copy)
    for name in () if place else sorted(header.keys() | loaded.keys()):
        if header.get(name) != loaded.get(name):
            place, how = name, f"is {shortened(header.get(name))}, after loading {shortened(loaded.get(name))}"
    if place or copy.state_hash() != world.state_hash():
        raise HeavyCheckError(world.tick, LOADING, place or "the hash", how or "differs")
    return copy


def _how(values: Array, other: Array) -> str:
    """The first number that is not the same bit for bit; texts of the header are cut there."""
    ours, theirs = (np.frombuffer(one.tobytes(), np.uint8).reshape(-1, one.dtype.itemsize) for one in (values, other))
    first = int(np.argmax((ours != theirs).any(axis=1)))
    if values.dtype == np.uint8 and values.ndim == 1:
        shown = [one.tobytes()[max(first - SHOWN // 2, 0) :][:SHOWN].decode(errors="replace") for one in (values, other)]
        return f"has {shown[0]!r}, after loading {shown[1]!r}"
    place = [int(number) for number in np.unravel_index(first, values.shape)]
    return f"{place} is {values.flat[first]!r}, after loading {other.flat[first]!r}"
