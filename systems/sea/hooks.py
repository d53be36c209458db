"""Hooks: bait on a line. The first animal that bites hangs on it and is pulled along. [Tu99 10.1]

What a family that bites has to do:

- See ``HookPool`` rows with ``bait == 1`` as food at ``position`` (``world.pool(HookPool)`` in kernels, rows of its
  ``spans``; nothing else of the hook is food, and `FeedingSystem` knows nothing of it).
- When a mouth reaches one, call ``world.resource(Hooks).bite(row, serial)``, the nearest biter first. It returns True for
  the first one, which is now hooked: ``bait`` is 0, ``caught`` its serial number, ``caught_row`` its row in `CreaturePool`,
  and the event ``hooked`` (creature, hook) is told once.
- Nothing else. In every tick the hook adds forces to the ``push`` of the segments, most of it at the head, as
  `creature.push` would; a body system reads and clears them as it has to. ``pull`` holds that force per mass of the whole
  animal, for painters and brains that want to know; it is 0 while the line is slack.

The hook lets go when it is removed or when its catch leaves the world.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine import arguments
from ...engine.column_rules import FLAG, MOTION, ON_MAP, SERIAL, RowOf, Within
from ...engine.errors import PlaceTakenError, SpawnError, StaleHandleError
from ...engine.placed import PlacedOne
from ...engine.places import FARTHEST
from ...engine.pool import NO_OWNER, Pool, Rows, column

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.world import World

LONGEST_LINE = 1000.0
FASTEST_REEL = 100.0
MOST_HOOKS = 1_000


class HookPool(Pool):
    """One row per hook."""

    single, most_rows = True, MOST_HOOKS

    position = column(np.float64, 3, holds=ON_MAP)  # of the hook, at the end of the line
    velocity = column(np.float64, 3, holds=MOTION)
    line_top = column(np.float64, 3, holds=ON_MAP)  # where the line comes from: the float on the surface
    line = column(np.float64, holds=Within(0.0, LONGEST_LINE))  # units of it below the surface
    reel_speed = column(np.float64, holds=Within(-FASTEST_REEL, FASTEST_REEL))  # units/s that it gets shorter by
    strength = column(np.float64, holds=Within(0.0, 1e6))  # largest acceleration of the catch
    bait = column(np.uint8, holds=FLAG)  # 1: it looks like food
    caught = column(np.int64, fill=NO_OWNER, holds=SERIAL)  # serial number of what hangs on it
    caught_row = column(np.int32, fill=NO_OWNER, holds=RowOf("CreaturePool", nobody=True))  # its row
    pull = column(np.float64, 3, holds=MOTION)  # acceleration that it gave in the last tick


@dataclass(frozen=True)
class Hook(PlacedOne):
    """A hook, its line and perhaps its catch, which is let go when the hook is removed.

    Example::

        hook = world.add_hook(at=(3, 4), depth=5)
        world.on("hooked", lambda event: hook.reel(2.0))
        world.step(600)
        print(hook.hooked, hook.position)
        hook.remove()
    """

    world: World

    @property
    def bait(self) -> bool:
        """Whether it still looks like food."""
        return bool(self.pool.view(self.rows, "bait")[0])

    @property
    def hooked(self) -> Creature | None:
        """What hangs on it."""
        return self.world.creatures.get(int(self.pool.view(self.rows, "caught")[0]))

    def reel(self, speed: float) -> None:
        """Take the line in by so many units per second until it is all in; below 0 it is let out, 0 stops it."""
        self.world.set_hook(list(self.rows), speed=speed)

    def rebait(self) -> None:
        """Put bait on again, if nothing hangs there."""
        self.world.set_hook(list(self.rows), bait=True)


class Hooks:
    """The hooks of one world: ``world.resource(Hooks)``."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.pool = world.add_pool(HookPool)

    def bite(self, row: int, serial: int) -> bool:
        """Let a creature bite on the bait of a hook; False where another was quicker, or it is gone."""
        pool, creature = self.pool, self._world.creatures.get(serial)
        if pool.owner[row] == NO_OWNER or pool.bait[row] == 0 or pool.caught[row] != NO_OWNER or creature is None:
            return False
        pool.bait[row], pool.caught[row], pool.caught_row[row] = 0, serial, creature.row
        self._world.emit("hooked", creature, hook=int(row), position=pool.position[row].tolist())
        return True

    def holds(self, serial: int) -> bool:
        """Whether a creature hangs on any hook."""
        return bool((self.pool.caught[self.pool.spans[:, 0]] == serial).any())


def drop_hook(world: World, at: Any, depth: float, bait: bool, strength: float) -> Hook:
    """A hook that hangs from the surface."""
    at = arguments.vector("hook at", at, (2,), largest=FARTHEST, error=SpawnError)
    depth = arguments.number("hook depth", depth, 0.0, LONGEST_LINE, error=SpawnError)
    bait = arguments.flag("hook bait", bait, error=SpawnError)
    strength = arguments.number("hook strength", strength, 0.0, 1e6, error=SpawnError)
    surface, pool = float(world.water.surface(at[None])[0]), world.pool(HookPool)
    if not float(world.water.depth(at[None])[0]) > depth:
        raise PlaceTakenError(f"hook at ({at[0]:g}, {at[1]:g}): allowed is a place under more than {depth:g} u of water")
    if len(pool.spans) >= MOST_HOOKS:
        raise SpawnError(f"hook: there are {MOST_HOOKS} already, and more are not allowed")
    rows = pool.claim(1, owner=0)
    row = rows.start
    pool.line_top[row], pool.position[row] = (*at, surface), (*at, surface - depth)
    pool.line[row], pool.bait[row], pool.strength[row] = depth, bait, strength
    return Hook(pool, rows, world)


def change_hook(world: World, rows: Any, speed: float | None, bait: bool | None) -> None:
    """Reel a hook or put bait on it."""
    pool = world.pool(HookPool)
    numbers = arguments.vector("hook rows", rows, (3,), largest=2.0**53).astype(np.int64)
    start, stop, generation = (arguments.whole("hook rows", number) for number in numbers)
    if stop != start + 1 or start >= pool.end or pool.owner[start] == NO_OWNER:
        raise StaleHandleError("this hook has been removed")
    pool.check(Rows(start, stop, generation))
    if speed is not None:
        speed = arguments.number("reel speed", speed, -FASTEST_REEL, FASTEST_REEL)
    if bait is not None:
        bait = arguments.flag("hook bait", bait) and pool.caught[start] == NO_OWNER
    pool.reel_speed[start] = pool.reel_speed[start] if speed is None else speed
    pool.bait[start] = pool.bait[start] if bait is None else bait
