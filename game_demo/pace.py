"""Keeping up: when ticks take long, the world runs slower than real time instead of the window freezing."""

from __future__ import annotations

from dataclasses import dataclass

FRAME_SECONDS = 1.0 / 60.0
SMOOTHING = 0.15  # weight of the newest frame
SIMULATION_SHARE = 1.2  # of a frame's time that ticks may take
MOST_TICKS = 8


@dataclass
class Pace:
    """Knows how long a tick takes, and so how many fit into a frame.

    Example::

        pace.observe(tick_seconds=0.004)
        world.update(min(seconds, pace.allowed_ticks * world.clock.tick_seconds))
    """

    tick: float = 0.0

    def observe(self, tick_seconds: float) -> None:
        """Take in the time of one tick."""
        self.tick += SMOOTHING * (tick_seconds - self.tick)

    @property
    def allowed_ticks(self) -> int:
        """How many ticks the next frame may run without falling behind for good."""
        if self.tick <= 0.0:
            return MOST_TICKS
        return min(max(int(SIMULATION_SHARE * FRAME_SECONDS / self.tick), 1), MOST_TICKS)
