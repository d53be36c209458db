"""Where the time of a frame goes: one bar, one colour per system, and the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pygame

from . import theme
from .tick_budget import FRAME_SECONDS

if TYPE_CHECKING:
    from ..engine.world import World

COLOURS: tuple[theme.Colour, ...] = (
    (79, 195, 247), (30, 136, 229), (171, 71, 188), (236, 64, 122), (102, 187, 106), (242, 182, 50), (239, 108, 70),
    (38, 166, 154), (156, 204, 101), (141, 110, 99), (84, 110, 122), (255, 213, 79),
)  # fmt: skip
PICTURE: theme.Colour = (220, 216, 200)
SMOOTHING = 0.1
WIDTH = 300
HEIGHT = 10
NOTEWORTHY = 2e-5  # seconds; systems that take less are left out of the list


class TimeBar:
    """Smoothed seconds per frame of every system, and of what is left of the picture when they are through.

    Example::

        times.sample(world, painting=0.008, waited=0.003)
        times.draw(screen, (12, 12))
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.painting = 0.0
        self._before: dict[str, int] = {}

    def sample(self, world: World, painting: float, waited: float) -> None:
        """Take in one frame: the picture was painted beside the tick in some seconds, some of them were waited for."""
        fresh = {entry.name: entry.nanoseconds for entry in world.schedule}
        for name, total in fresh.items():
            since = max(total - self._before.get(name, total), 0) * 1e-9
            self._smooth(name.removesuffix("System"), since)
        self._before = fresh
        self._smooth("picture", waited)
        self.painting += SMOOTHING * (painting - self.painting)

    def _smooth(self, name: str, seconds: float) -> None:
        before = self.seconds.get(name, seconds)
        self.seconds[name] = before + SMOOTHING * (seconds - before)

    def draw(self, screen: Any, at: tuple[int, int]) -> pygame.Rect:
        """A bar of one frame, a mark where it should end at 60 frames per second, and what it consists of."""
        shown = [(name, s) for name, s in self.seconds.items() if s > NOTEWORTHY]
        width = min(WIDTH, screen.get_width() - 2 * theme.MARGIN)
        rows = (len(shown) + 1) // 2
        rect = pygame.Rect(at, (width, HEIGHT + theme.LINE * (rows + 1) + 3 * theme.MARGIN))
        theme.panel(screen, rect)
        inner = rect.inflate(-2 * theme.MARGIN, -2 * theme.MARGIN)
        total = sum(seconds for _, seconds in shown) * 1e3
        head = f"a frame: {total:.1f} ms; the mark is at {FRAME_SECONDS * 1e3:.1f}"
        screen.blit(theme.words(head, theme.INK, theme.SMALL), inner.topleft)
        inner.y += theme.LINE
        pygame.draw.rect(screen, theme.GROOVE, (inner.x, inner.y, inner.width, HEIGHT))
        left = float(inner.x)
        whole = max(FRAME_SECONDS, sum(seconds for _, seconds in shown))
        for place, (name, seconds) in enumerate(shown):
            colour = PICTURE if name == "picture" else COLOURS[place % len(COLOURS)]
            length = seconds / whole * inner.width
            pygame.draw.rect(screen, colour, (round(left), inner.y, max(round(length), 0), HEIGHT))
            left += length
            x, y = inner.x + place % 2 * inner.width // 2, inner.y + HEIGHT + 6 + theme.LINE * (place // 2)
            pygame.draw.rect(screen, colour, (x, y + 4, 9, 9), border_radius=2)
            whole_picture = f" of {self.painting * 1e3:.1f}" if name == "picture" else ""
            told = f"{name} {seconds * 1e3:.1f}{whole_picture} ms"
            screen.blit(theme.words(told, theme.FAINT, theme.SMALL), (x + 14, y))
        due = inner.x + round(FRAME_SECONDS / whole * inner.width) - 1
        pygame.draw.line(screen, theme.INK, (due, inner.y - 3), (due, inner.y + HEIGHT + 2))
        return rect
