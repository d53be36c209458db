"""What the parts of one creature tell about themselves: now, and in the last seconds."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.readings import Reading
from .sliders import SliderPanel

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.pool import Array

log = logging.getLogger(__name__)

PAST_TICKS = 216
"""3.6 seconds at 60 ticks per second: what strips and curves show. [Fang15 Fig. 4.4]"""

REMEMBERED = ("strip", "curve")

PICTURE_SECONDS = 0.12
"""Between two pictures of the same thing, at least."""
PICTURE_SHARE = 0.05
"""Of all time that may go into a picture: one that takes long is made less often."""

Key = tuple[str, str]
"""Part and name of a reading."""


@dataclass(frozen=True)
class PartReport:
    """What one part tells, or why it cannot."""

    part: str
    readings: tuple[Reading, ...] = ()
    problem: str = ""
    cause: Exception | None = field(default=None, compare=False)


@dataclass
class Shown:
    """A picture that a panel shows."""

    view: str
    tick: int
    due: float
    """When it may be made anew."""
    image: Array | None = None
    problem: str = ""


class Watch:
    """Looks at one creature, whatever parts it has; another creature starts an empty past.

    Parts may be a mod's: one that raises, or tells something that is no reading, is reported as such and logged once.

    Example::

        watch.update(creature)                       # after each tick
        for report in watch.reports:
            for reading in report.readings:
                print(reading.name, watch.past(report.part, reading).shape)
    """

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self.reports: list[PartReport] = []
        self.places: dict[Key, tuple[int, int, int, int]] = {}
        """Where on the screen pictures are at present: x, y, width, height. Who draws them writes it."""
        self.sliders = SliderPanel()
        self._clock = clock
        self._shown: dict[Key, Shown] = {}
        self._turned: dict[Key, int] = {}
        self._of: Creature | None = None
        self._tick = 0
        self._past: dict[tuple[str, str, str], Array] = {}
        self._logged: set[str] = set()

    def update(self, creature: Creature | None) -> None:
        """Take over how things are now; if ticks have gone by since the last call, it was like this during them."""
        if creature is None or not creature.in_world:
            self._of, self.reports, self._past, self._shown = None, [], {}, {}
            return
        tick = creature.world.tick
        if creature is not self._of or tick < self._tick:
            self._of, self._past, self._shown, self._tick = creature, {}, {}, max(tick - 1, 0)
        self.reports = read_parts(creature)
        self._remember(min(tick - self._tick, PAST_TICKS))
        self._tick = tick
        for report in self.reports:
            if report.problem:
                self._log(report.part, report.problem, report.cause)

    def past(self, part: str, reading: Reading) -> Array:
        """(rows, PAST_TICKS) values of a strip, or (1, PAST_TICKS) shares of a curve, newest last; NaN before its time."""
        return self._past[part, reading.kind, reading.name]

    def picture(self, part: str, reading: Reading) -> Shown:
        """The picture of a reading: as it was made last, or made now if its time has come."""
        key, tick = (part, reading.name), self._tick
        view, shown = self.view(part, reading), self._shown.get(key)
        if shown is not None and shown.view == view and (shown.tick == tick or self._clock() < shown.due):
            return shown
        start, made = self._clock(), Shown(view, tick, 0.0)
        try:
            made.image = reading.image(view)
        except Exception as problem:  # noqa: BLE001 - a stranger's code may raise anything
            made.problem = _in_one_line(problem)
            self._log(part, made.problem, problem)
        now = self._clock()
        made.due = now + max(PICTURE_SECONDS, (now - start) / PICTURE_SHARE)
        self._shown[key] = made
        return made

    def view(self, part: str, reading: Reading) -> str:
        """Which kind of a picture is shown."""
        turned = self._turned.get((part, reading.name), 0)
        return reading.views[turned % len(reading.views)] if reading.views else ""

    def turn(self, key: Key) -> None:
        """Show the next kind of a picture."""
        self._turned[key] = self._turned.get(key, 0) + 1

    def turn_all(self) -> str:
        """Show the next kind of all pictures there are, and return what they show now; "" if there is nothing to choose."""
        found = ""
        for report in self.reports:
            for reading in report.readings:
                if reading.kind == "picture" and reading.views:
                    self.turn((report.part, reading.name))
                    found = f"{reading.name}: {self.view(report.part, reading)}"
        return found

    def touch(self, x: float, y: float) -> bool:
        """A click at a place of the screen: the picture there shows its next kind. Returns whether there is one."""
        for key, (left, top, width, height) in self.places.items():
            if left <= x < left + width and top <= y < top + height:
                self.turn(key)
                return True
        return False

    @property
    def words(self) -> list[Reading]:
        """What the creature is doing, in words."""
        return [reading for report in self.reports for reading in report.readings if reading.kind == "word"]

    def _log(self, part: str, problem: str, cause: Exception | None) -> None:
        if part not in self._logged and self._of is not None:
            self._logged.add(part)
            log.warning("part %r of %s cannot be read: %s", part, self._of.species.key, problem, exc_info=cause)

    def _remember(self, ticks: int) -> None:
        before, self._past = self._past, {}
        for report in self.reports:
            for reading in report.readings:
                key = report.part, reading.kind, reading.name
                if reading.kind not in REMEMBERED or key in self._past:
                    continue
                now = np.array(reading.values if reading.kind == "strip" else (reading.share,))
                past = before.get(key)
                if past is None or len(past) != len(now):
                    past = np.full((len(now), PAST_TICKS), np.nan)
                if ticks:
                    past[:, :-ticks] = past[:, ticks:]
                    past[:, -ticks:] = now[:, None]
                self._past[key] = past


def read_parts(creature: Creature) -> list[PartReport]:
    """What every part that has ``readings()`` tells, in the order in which parts were registered."""
    reports = (_read(name, creature.parts[name]) for name in creature.world.parts if name in creature.parts)
    return [report for report in reports if report is not None]


def _read(part: str, handle: Any) -> PartReport | None:
    try:
        readings = getattr(handle, "readings", None)
        if readings is None:
            return None
        told = readings()
    except Exception as problem:  # noqa: BLE001 - a stranger's code may raise anything
        return PartReport(part, problem=_in_one_line(problem), cause=problem)
    if not isinstance(told, (list, tuple)):
        return PartReport(part, problem=f"readings() returned {type(told).__name__}, not a list of Reading")
    strange = next((item for item in told if type(item) is not Reading), None)
    if strange is not None:
        return PartReport(part, problem=f"readings() returned a list with {type(strange).__name__} in it, not only Reading")
    return PartReport(part, tuple(told))


def _in_one_line(problem: Exception) -> str:
    """The problem as Python writes it under a traceback; works for exceptions that cannot be written, too."""
    return " ".join("".join(traceback.format_exception_only(problem)).split())
