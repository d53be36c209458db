"""The modes of the brain: five built in and compiled, any number added by mods.

Every mode has a priority and the active one with the highest wins. The built-in modes are decided in one compiled pass.
A mod's mode is a function that is called once per tick for all creatures it could overrule, so it works on whole
columns (numpy, or a kernel of its own). Whatever it wishes, the limits of the body still apply.

Example, a mode that freezes creatures in the dark::

    def freeze(brain, rows):
        return Wish(wants=light[rows] < 0.1, speed=np.zeros(rows.size), yaw_rate=np.zeros(rows.size))

    modes = ModeRegistry()
    FREEZE = modes.add("freeze", priority=70.0, decide=freeze)      # above AVOIDANCE, below CONTROL
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...components.brain import BrainPool
from ...components.brain_modes import MODE_COUNT, BrainMode
from ...engine.errors import PluginError
from ...engine.plugins import disable
from .brain_kernel import decide, drive, think
from .brain_view import BrainColumns, Heads

if TYPE_CHECKING:
    from ...engine.world import World

MODE_LIMIT = 256  # modes are stored in one byte

BUILT_IN_PRIORITY: dict[BrainMode, float] = {  # order by the digest 1.10; spaced so that mods fit between
    BrainMode.ADJUSTMENT: 100.0,
    BrainMode.CONTROL: 80.0,
    BrainMode.AVOIDANCE: 60.0,
    BrainMode.TROPHOTROPISM: 40.0,
    BrainMode.RANDOM_WALK: 20.0,
}


class Wish(NamedTuple):
    """What a mode wants for some rows: whether it wants to act at all, a head speed and a yaw rate (left positive)."""

    wants: NDArray[np.bool_]
    speed: NDArray[np.float64]
    yaw_rate: NDArray[np.float64]


Decide = Callable[[BrainColumns, NDArray[np.int32]], Wish]


class AddedMode(NamedTuple):
    """A mode of a mod, as it stands in the registry."""

    number: int
    name: str
    priority: float
    decide: Decide
    when: Callable[[], bool] | None  # asked once per tick: without it the mode is always on
    mod: str | None  # whose mode it is


class ModeRegistry:
    """The modes of one world and their priorities.

    Example::

        modes = ModeRegistry()
        modes.name_of(0)    # 'ADJUSTMENT'
    """

    def __init__(self, world: World | None = None) -> None:
        self._world = world
        self._priority = [BUILT_IN_PRIORITY[mode] for mode in BrainMode]
        self._names = [mode.name for mode in BrainMode]
        self._added: list[AddedMode] = []
        if world is not None:
            world.pool(BrainPool).mode_names = self._names  # a brain tells its mode by name

    def add(self, name: str, *, priority: float, decide: Decide, when: Callable[[], bool] | None = None) -> int:
        """Add a mode and return its number, which the mode column shows while it is active.

        `when` says whether anybody has to be asked at all in this tick. A mod's mode that raises, or wishes something
        that is no number, takes its mod out.
        """
        name = name.upper()
        if name in self._names:
            raise ValueError(f"brain mode {name} exists already")
        if priority in self._priority:
            taken_by = self._names[self._priority.index(priority)]
            raise ValueError(f"brain mode {taken_by} has priority {priority} already")
        if len(self._names) == MODE_LIMIT:
            raise ValueError(f"no more than {MODE_LIMIT} brain modes are possible")
        mode = AddedMode(len(self._names), name, priority, decide, when, self._world.building if self._world else None)
        self._names.append(name)
        self._priority.append(priority)
        self._added = sorted([*self._added, mode], key=lambda added: -added.priority)
        return mode.number

    def name_of(self, number: int) -> str:
        """The name of a value of the mode column."""
        return self._names[number]

    def priorities(self) -> NDArray[np.float64]:
        """The priority of every mode, by number."""
        return np.array(self._priority)

    def overrule(self, brain: BrainColumns, rows: NDArray[np.int32]) -> None:
        """Let the added modes, highest priority first, replace weaker modes and their wishes."""
        priorities = self.priorities()
        for mode in tuple(self._added):
            if mode not in self._added or (mode.when is not None and not mode.when()):
                continue
            weaker = rows[priorities[brain.mode[rows]] < mode.priority]
            if weaker.size == 0:
                continue
            try:
                wants, wishes = _wishes(mode, brain, weaker)
            except Exception as problem:
                if mode.mod is None or self._world is None:
                    raise
                disable(self._world, mode.mod, f"brain mode {mode.name}", problem)
                continue
            brain.mode[weaker[wants]] = mode.number
            brain.wish[weaker[wants]] = wishes[wants]

    def forget_mod(self, mod: str) -> None:
        """Take out the modes of a mod; their numbers stay taken."""
        self._added = [added for added in self._added if added.mod != mod]

    @property
    def has_added_modes(self) -> bool:
        """Whether any added mode is on in this tick; without one the whole brain is a single compiled call."""
        return any(mode.when is None or mode.when() for mode in self._added)


def _wishes(mode: AddedMode, brain: BrainColumns, rows: NDArray[np.int32]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Ask a mode about some rows: who wants to act, and (rows, 2) speed and yaw rate, checked."""
    wish = mode.decide(brain, rows)
    wants = np.asarray(wish.wants, dtype=bool)
    wishes = np.stack([np.asarray(wish.speed, dtype=np.float64), np.asarray(wish.yaw_rate, dtype=np.float64)], axis=-1)
    if wants.shape != rows.shape or wishes.shape != (rows.size, 2) or not np.isfinite(wishes[wants]).all():
        raise PluginError(f"brain mode {mode.name}: allowed is one flag and two finite numbers for each of {rows.size} rows")
    return wants, wishes


def run_brains(modes: ModeRegistry, brain: BrainColumns, heads: Heads, rows: NDArray[np.int32], dt: float) -> None:
    """Think one tick for the given creatures: compiled modes, then those of mods, then the limits of the body."""
    priorities = modes.priorities()[:MODE_COUNT]
    b = brain
    if not modes.has_added_modes:
        think(rows, b.parameters, priorities, heads, b.senses, b.goals, b.memory, b.mode, b.goal_done, b.stream,
              b.wish, b.speed, b.yaw_rate, dt)  # fmt: skip
        return
    decide(rows, b.parameters, priorities, heads, b.senses, b.goals, b.memory, b.mode, b.goal_done, b.stream,
           b.wish, b.yaw_rate, dt)  # fmt: skip
    modes.overrule(brain, rows)
    drive(rows, b.parameters, heads, b.senses, b.memory, b.mode, b.wish, b.speed, b.yaw_rate, dt)
