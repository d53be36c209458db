"""One tick after the other: the systems in their order, then those that leave are buried, time goes on, events are told."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from . import lifecycle
from .plugins import disable, tell
from .threads import ThreadsFor

if TYPE_CHECKING:
    from .schedule import Entry
    from .world import World


def run_ticks(world: World, ticks: int, per_thread: int) -> None:
    """Run so many ticks of a world, with a thread for every `per_thread` creatures."""
    report = partial(_disable, world)
    for _ in range(ticks):
        world.stepping = True
        try:
            with ThreadsFor(len(world.creatures), per_thread):
                world.schedule.run(world.clock.tick_seconds, report)
        finally:
            world.stepping = False
        leaving, world.leaving = world.leaving, []
        for creature in leaving:
            lifecycle.leave(world, creature)
        world.clock.advance()
        if world.events.queue:
            world.events.dispatch(partial(tell, world))


def _disable(world: World, entry: Entry, problem: Exception) -> None:
    disable(world, entry.plugin or "", entry.name, problem)
