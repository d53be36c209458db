"""Fixed-step time: real seconds go in, whole ticks come out, and the rest waits for the next frame."""

from __future__ import annotations

from . import arguments

LONGEST_FRAME_TICKS = 8
"""A frame that took longer than this many ticks (a debugger, a sleeping laptop) is cut off: the world slows down
instead of simulating ever more ticks in ever longer frames."""


class Clock:
    """Ticks, pause and time scale of one world.

    ``scale`` is how fast world time goes: 1 as real time, 0.5 slow motion, 0 stands still. ``dropped_seconds`` is what
    `World.update` has left out because frames came later than `LONGEST_FRAME_TICKS` ticks after each other.

    Example::

        clock = Clock(tick_seconds=1 / 60)
        for _ in range(clock.due(0.05)):
            clock.advance()
    """

    __slots__ = ("_paused", "_scale", "dropped_seconds", "tick", "tick_seconds", "waiting_seconds")

    def __init__(self, tick_seconds: float, tick: int = 0) -> None:
        self.tick_seconds, self.tick = tick_seconds, tick
        self.waiting_seconds = 0.0
        self.dropped_seconds = 0.0
        self._scale, self._paused = 1.0, False

    @property
    def scale(self) -> float:
        """World seconds per real second, 0 or more."""
        return self._scale

    @scale.setter
    def scale(self, value: float) -> None:
        self._scale = arguments.number("clock.scale", value, 0.0)

    @property
    def paused(self) -> bool:
        """Whether `World.update` runs no ticks; `World.step` runs them all the same."""
        return self._paused

    @paused.setter
    def paused(self, value: bool) -> None:
        self._paused = arguments.flag("clock.paused", value)

    @property
    def time(self) -> float:
        """Simulated seconds since the start."""
        return self.tick * self.tick_seconds

    @property
    def fraction(self) -> float:
        """How far the waiting time reaches into the next tick, 0..1: what a renderer interpolates with."""
        return min(self.waiting_seconds / self.tick_seconds, 1.0)

    def due(self, seconds: float) -> int:
        """Add real seconds and return how many ticks should run now."""
        seconds = arguments.number("update(dt) in seconds", seconds, 0.0)
        if self.paused:
            return 0
        longest = LONGEST_FRAME_TICKS * self.tick_seconds
        self.dropped_seconds += max(seconds * self.scale - longest, 0.0)
        self.waiting_seconds += min(seconds * self.scale, longest)
        # A frame of exactly one tick must give one tick although 1/60 has no exact binary form.
        ticks = int(self.waiting_seconds / self.tick_seconds + 1e-9)
        self.waiting_seconds = max(self.waiting_seconds - ticks * self.tick_seconds, 0.0)
        return ticks

    def advance(self) -> None:
        self.tick += 1
