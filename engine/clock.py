"""Fixed-step time: real seconds go in, whole ticks come out, and the rest waits for the next frame."""

from __future__ import annotations

from dataclasses import dataclass

from . import arguments

LONGEST_FRAME_TICKS = 8
"""A frame that took longer than this many ticks (a debugger, a sleeping laptop) is cut off: the world slows down
instead of simulating ever more ticks in ever longer frames."""


@dataclass
class Clock:
    """Ticks, pause and time scale of one world.

    Example::

        clock = Clock(tick_seconds=1 / 60)
        for _ in range(clock.due(0.05)):
            clock.advance()
    """

    tick_seconds: float
    tick: int = 0
    scale: float = 1.0
    paused: bool = False
    waiting_seconds: float = 0.0

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
        arguments.number("clock.scale", self.scale, 0.0)
        if self.paused:
            return 0
        self.waiting_seconds += min(seconds * self.scale, LONGEST_FRAME_TICKS * self.tick_seconds)
        # A frame of exactly one tick must give one tick although 1/60 has no exact binary form.
        ticks = int(self.waiting_seconds / self.tick_seconds + 1e-9)
        self.waiting_seconds = max(self.waiting_seconds - ticks * self.tick_seconds, 0.0)
        return ticks

    def advance(self) -> None:
        self.tick += 1
