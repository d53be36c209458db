"""The modes of a brain: some built in and compiled, any number added by mods.

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

from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...components.brain_modes import BrainMode
from ...engine.errors import FAILURES, ArgumentError, PluginError
from ...engine.mod_check import excused, looked_at
from ...engine.plugins import disable

if TYPE_CHECKING:
    from ...engine.world import World

Answer = TypeVar("Answer")

MODE_LIMIT = 256  # modes are stored in one byte

BUILT_IN_PRIORITY: dict[BrainMode, float] = {  # order by [myriapoda 1.10]; spaced so that mods fit between
    BrainMode.ADJUSTMENT: 100.0,
    BrainMode.CONTROL: 80.0,
    BrainMode.AVOIDANCE: 60.0,
    BrainMode.TROPHOTROPISM: 40.0,
    BrainMode.RANDOM_WALK: 20.0,
}


class Wish(NamedTuple):
    """What a mode wants for some rows: whether it wants to act at all, a head speed and a yaw rate (left positive).

    Climbing in u/s is for animals that swim in depth; a brain without it does not mind.

    Example::

        Wish(wants=hungry, speed=np.full(rows.size, 3.0), yaw_rate=np.zeros(rows.size))
    """

    wants: NDArray[np.bool_]
    speed: NDArray[np.float64]
    yaw_rate: NDArray[np.float64]
    climb: NDArray[np.float64] | float = 0.0


Decide = Callable[[Any, NDArray[np.int32]], Wish]
"""Called with the brain's columns (`BrainColumns`, or what another family hands its modes) and creature rows."""


class AddedMode(NamedTuple):
    """A mode of a mod, as it stands in the registry."""

    number: int
    name: str
    priority: float
    decide: Decide
    when: Callable[[], bool] | None  # asked once per tick: without it the mode is always on
    mod: str | None  # whose mode it is


class ModeRegistry:
    """The modes of one kind of brain and their priorities. A family whose mind has other modes builds a registry of its own.

    Example::

        modes = ModeRegistry()
        modes.name_of(0)    # 'ADJUSTMENT'
    """

    def __init__(
        self,
        world: World | None = None,
        modes: type[IntEnum] = BrainMode,
        priorities: Mapping[Any, float] = BUILT_IN_PRIORITY,
    ) -> None:
        self._world = world
        self._names = [mode.name for mode in modes]
        self._added: list[AddedMode] = []  # highest priority first
        self.priorities = np.array([priorities[mode] for mode in modes])
        """The priority of every mode, by number."""

    @property
    def names(self) -> list[str]:
        """The name of every mode, by number; modes that are added later are in it, too."""
        return self._names

    def add(self, name: str, *, priority: float, decide: Decide, when: Callable[[], bool] | None = None) -> int:
        """Add a mode and return its number, which the mode column shows while it is active.

        `when` says whether the mode is asked at all in this tick. A mod's mode that raises, or wishes an invalid
        number, takes its mod out.
        """
        number = self.declare(name, priority)
        mod = self._world.building if self._world else None
        self._put(AddedMode(number, self._names[number], priority, decide, when, mod))
        return number

    def declare(self, name: str, priority: float) -> int:
        """Take a name, a priority and the next number for a mode; it does nothing until `provide` says what."""
        name = name.upper()
        if name in self._names:
            raise ArgumentError(f"brain mode {name} exists already")
        if priority in self.priorities:
            taken_by = self._names[self.priorities.tolist().index(priority)]
            raise ArgumentError(f"brain mode {taken_by} has priority {priority} already")
        if len(self._names) == MODE_LIMIT:
            raise ArgumentError(f"no more than {MODE_LIMIT} brain modes are possible")
        self._names.append(name)
        self.priorities = np.append(self.priorities, priority)
        return len(self._names) - 1

    def provide(self, name: str, decide: Decide, when: Callable[[], bool] | None = None) -> None:
        """Say what a mode of the package does that was only declared before: its family has come."""
        number = self._names.index(name)
        self._put(AddedMode(number, name, float(self.priorities[number]), decide, when, None))

    def _put(self, mode: AddedMode) -> None:
        self._added = sorted([*self._added, mode], key=lambda added: -added.priority)

    def name_of(self, number: int) -> str:
        """The name of a value of the mode column."""
        return self._names[number]

    def overrule(self, brain: Any, rows: NDArray[np.int32]) -> None:
        """Let the added modes, highest priority first, replace weaker modes and their wishes.

        `brain` has the columns `mode` and `wish`: (speed, yaw rate), or (speed, yaw rate, climb) where there is depth.
        """
        for mode in tuple(self._added):
            if mode not in self._added or not self._is_on(mode):
                continue
            weaker = rows[self.priorities[brain.mode[rows]] < mode.priority]
            if weaker.size == 0:
                continue
            answer = self._asked(mode, partial(_wishes, mode, brain, weaker))
            if answer is None:
                continue
            wants, wishes = answer
            brain.mode[weaker[wants]] = mode.number
            brain.wish[weaker[wants]] = wishes[wants, : brain.wish.shape[1]]

    def _is_on(self, mode: AddedMode) -> bool:
        return mode.when is None or bool(self._asked(mode, mode.when))

    def _asked(self, mode: AddedMode, question: Callable[[], Answer]) -> Answer | None:
        """Ask a mode something; a mod's that raises takes its mod out, and there is no answer."""
        if mode.mod is None or self._world is None:
            return question()
        try:
            with looked_at(self._world):
                return question()
        except FAILURES as problem:
            if excused(self._world):
                return None
            disable(self._world, mode.mod, f"brain mode {mode.name}", problem)
            return None

    def forget_mod(self, mod: str) -> None:
        """Take out the modes of a mod; their numbers stay taken."""
        self._added = [added for added in self._added if added.mod != mod]

    @property
    def has_added_modes(self) -> bool:
        """Whether any added mode is on in this tick; without one the whole brain is a single compiled call."""
        return any(self._is_on(mode) for mode in self._added)


def _wishes(mode: AddedMode, brain: Any, rows: NDArray[np.int32]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Ask a mode about some rows: which want to act, and (rows, 3) speed, yaw rate and climb, checked."""
    wish = mode.decide(brain, rows)
    wants = np.asarray(wish.wants, dtype=bool)
    asked = [np.asarray(numbers, dtype=np.float64) for numbers in (wish.speed, wish.yaw_rate, wish.climb)]
    if asked[2].shape == ():
        asked[2] = np.full(rows.size, asked[2])
    if any(part.shape != rows.shape or not np.isfinite(part[wants]).all() for part in (wants, *asked)):
        raise PluginError(f"brain mode {mode.name}: allowed is one flag and finite numbers for each of {rows.size} rows")
    return wants, np.stack(asked, axis=-1)
