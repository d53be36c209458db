"""One tick after the other: the systems in their order, then those that leave are buried, time goes on, events are told."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING

from . import lifecycle, mod_check
from .plugins import report, tell
from .threads import ThreadsFor

if TYPE_CHECKING:
    from .schedule import Entry
    from .world import World


def run_ticks(world: World, ticks: int, run_systems: Callable[[World], None], per_thread: int) -> None:
    """Run so many ticks of a world, with a thread for every `per_thread` creatures.

    `run_systems` runs the systems of one, see `systems_of_a_tick`.
    """
    for _ in range(ticks):
        with ThreadsFor(len(world.creatures), per_thread):
            run_systems(world)
        if world.events.queue:
            world.events.dispatch(partial(tell, world))
        if world.mods.ran:
            world.mods.ran = False
            if world.mods.keeper is not None:
                world.mods.keeper.look_over()


def systems_of_a_tick(world: World) -> Generator[Entry, None, None]:
    """One tick, system by system: each is given after it has run. Those that leave are buried after the last one."""
    world.stepping = True
    try:
        yield from world.schedule.run(world.clock.tick_seconds, partial(mod_check.run_system, world), partial(report, world))
    finally:
        world.stepping = False
    leaving, world.leaving = world.leaving, []
    for creature in leaving:
        lifecycle.leave(world, creature)
    world.clock.advance()
