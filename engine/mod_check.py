"""Whether a mod leaves the world sound: what it may not leave behind is put back, and the mod is named.

A mod's code runs in the game's own process and can write wherever it likes. What can be told afterwards is whether pools
still hold what their columns allow (the rules that a save is checked by) and states still hold numbers. Looking at all of
it takes about as long as a tick, so it is done when the game asks (``world.check = "mods"``), and by itself for a while
after numbers in the world became invalid.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .errors import PaludariumError, SnapshotError
from .pool import Array, Pool
from .save_checks import check_pools

if TYPE_CHECKING:
    from .schedule import Entry
    from .world import World

log = logging.getLogger(__name__)

BUILT_IN = ("paludarium.components", "paludarium.systems")
"""Plugins of the package itself."""
WATCHED_TICKS = 600
"""How long all mods are looked at after numbers became invalid: what writes such numbers does it again soon."""


class ModDamageError(PaludariumError):
    """A mod left something in a pool or a state that may not be there; it has been put back."""


class Before(NamedTuple):
    """What a world held before a mod's code ran."""

    pools: list[tuple[Pool, int, int, Array, Array, Array]]
    states: dict[str, dict[str, Array]]


def suspect(world: World) -> None:
    """Look at what mods do for a while: numbers that are none have been found, and one of them may have written these."""
    world.mods.watched_until = world.tick + WATCHED_TICKS


def run_system(world: World, entry: Entry, dt: float) -> None:
    """Run a mod's system; raises `ModDamageError` when it damaged the world."""
    with looked_at(world):
        entry.system.process(dt)


@contextmanager
def looked_at(world: World) -> Iterator[None]:
    """Run a mod's code inside; if the world was sound before and is not after, everything is put back, and this raises."""
    world.mods.ran = True
    if not world.check and world.tick >= world.mods.watched_until:
        yield
        return
    world.mods.damaged_before = damage(world)
    before = _before(world)
    yield
    found = damage(world)
    if found and not world.mods.damaged_before:
        _put_back(world, before)
        raise ModDamageError(f"it left a damaged world, which has been mended: {found}")


def excused(world: World) -> bool:
    """Whether what just raised may have done so for numbers that another mod has spoiled; they are mended then.

    While mods are looked at that is known, otherwise it is assumed once: from then on they are looked at.
    """
    if all(name in BUILT_IN for name in world.plugins):
        return False
    watched = bool(world.check) or world.tick < world.mods.watched_until
    found = world.mods.damaged_before if watched else damage(world)
    if not found or world.mods.keeper is None:
        return False
    log.error("numbers were not as they may be; they are mended, and mods are looked at from now on: %s", found)
    world.mods.keeper.mend_all()
    suspect(world)
    return True


def mend_before_saving(world: World) -> None:
    """Take out what a mod has spoiled: a save that holds it could not be loaded."""
    if any(name not in BUILT_IN for name in world.plugins) and world.mods.keeper is not None and damage(world):
        world.mods.keeper.mend_all()
        suspect(world)


def damage(world: World) -> str:
    """What in the world may not be as it is; empty if all is well."""
    try:
        pools = {name: dict(pool.arrays()) for name, pool in world.pools.items()}
        check_pools(world, pools)
    except Exception as problem:  # noqa: BLE001 - of anything that a mod could have written
        return str(problem) if isinstance(problem, SnapshotError) else f"{type(problem).__name__}: {problem}"
    for name, owner in world.states.items():
        for key, values in owner.state().items():
            if values.dtype.kind == "f" and np.isnan(values).any():
                return f"{name}.{key} holds NaN"
    return ""


def _before(world: World) -> Before:
    pools = []
    for pool in world.pools.values():
        columns, generations, spans = (part.copy() for part in pool.in_memory())
        pools.append((pool, pool.version, pool.capacity, columns, generations, spans))
    states = {name: {key: values.copy() for key, values in owner.state().items()} for name, owner in world.states.items()}
    return Before(pools, states)


def _put_back(world: World, before: Before) -> None:
    for pool, version, capacity, *parts in before.pools:
        if (pool.version, pool.capacity) == (version, capacity):  # otherwise it claimed or gave back rows, too: these stay
            for now, then in zip(pool.in_memory(), parts, strict=True):
                now[...] = then
    for name, state in before.states.items():
        world.states[name].restore(state)
