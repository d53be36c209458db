"""Keeping up: when ticks take long, the world runs slower than real time instead of the window freezing."""

from __future__ import annotations

from dataclasses import dataclass

FRAME_SECONDS = 1.0 / 60.0
SMOOTHING = 0.15  # weight of the newest frame
FAST_SHARE = 1.2  # of a frame's time that ticks may take when the player wants time to run faster
LEAST_SHARE = 0.25  # of a frame's time that ticks may take however long the picture takes
MOST_TICKS = 8


@dataclass
class Pace:
    """Knows how long a tick and the rest of a frame take, and so how many ticks fit into a frame.

    At the usual speed ticks get what the picture leaves of the frame: after a hiccup the world does not catch up with a
    burst of ticks, which would make the next frames late as well. Who winds time forward wants ticks more than frames.

    Example::

        pace.observe(tick_seconds=0.004)
        pace.observe_rest(seconds=0.009)
        world.update(min(seconds, pace.allowed_ticks() * world.clock.tick_seconds))
    """

    tick: float = 0.0
    rest: float = 0.0

    def observe(self, tick_seconds: float) -> None:
        """Take in the time of one tick."""
        self.tick += SMOOTHING * (tick_seconds - self.tick)

    def observe_rest(self, seconds: float) -> None:
        """Take in the time of one frame without its ticks."""
        self.rest += SMOOTHING * (max(seconds, 0.0) - self.rest)

    def allowed_ticks(self, scale: float = 1.0) -> int:
        """How many ticks the next frame may run, at least one; `scale` is the speed of time that is wanted."""
        if self.tick <= 0.0:
            return MOST_TICKS
        left = FAST_SHARE * FRAME_SECONDS if scale > 1.0 else max(FRAME_SECONDS - self.rest, LEAST_SHARE * FRAME_SECONDS)
        return min(max(int(left / self.tick), 1), MOST_TICKS)
