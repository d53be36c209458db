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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...components.brain_modes import MODE_COUNT, BrainMode
from .brain_kernel import decide, drive, think
from .columns import BrainColumns, Heads

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


class ModeRegistry:
    """The modes of one world and their priorities.

    Example::

        modes = ModeRegistry()
        modes.name_of(0)    # 'ADJUSTMENT'
    """

    def __init__(self) -> None:
        self._priority = [BUILT_IN_PRIORITY[mode] for mode in BrainMode]
        self._names = [mode.name for mode in BrainMode]
        self._added: list[AddedMode] = []

    def add(self, name: str, *, priority: float, decide: Decide) -> int:
        """Add a mode and return its number, which the mode column shows while it is active."""
        name = name.upper()
        if name in self._names:
            raise ValueError(f"brain mode {name} exists already")
        if priority in self._priority:
            taken_by = self._names[self._priority.index(priority)]
            raise ValueError(f"brain mode {taken_by} has priority {priority} already")
        if len(self._names) == MODE_LIMIT:
            raise ValueError(f"no more than {MODE_LIMIT} brain modes are possible")
        mode = AddedMode(len(self._names), name, priority, decide)
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
        for mode in self._added:
            weaker = rows[priorities[brain.mode[rows]] < mode.priority]
            if weaker.size == 0:
                continue
            wish = mode.decide(brain, weaker)
            wants = np.asarray(wish.wants, dtype=bool)
            taken = weaker[wants]
            brain.mode[taken] = mode.number
            brain.wish[taken, 0] = np.asarray(wish.speed, dtype=np.float64)[wants]
            brain.wish[taken, 1] = np.asarray(wish.yaw_rate, dtype=np.float64)[wants]

    @property
    def has_added_modes(self) -> bool:
        """Whether any mod has added a mode; without one the whole brain is a single compiled call."""
        return bool(self._added)


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
    drive(rows, b.parameters, heads, b.senses.free_path, b.senses.barrier, b.memory, b.mode, b.wish, b.speed, b.yaw_rate, dt)
