"""A pen for panels: it writes one row after the other and keeps inside the panel's edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pygame

from . import theme
from .watch import PAST_TICKS

if TYPE_CHECKING:
    from ..engine.pool import Array

LABEL = 104  # pixels for the name of a row
NUMBER = 46  # and for the number at its end, at least
NUMBER_GAP = 6
BAR = 10
GRIP = 5  # width of what a slider is dragged by
STRIP = 12  # height of a row of cells
CELLS = STRIP + 5
CURVE = 30
CURVE_ROW = CURVE + 6
PICTURE = 128  # largest height of a picture
PICTURE_ROW = PICTURE + 6
GUTTER = 24  # pixels for the numbers of the rows of a chart
NUMBERED_EVERY = 6
BOX = 11
TICKS_PER_SECOND = 60

GAP: theme.Colour = (20, 25, 30)  # between the rows of a chart
BEFORE: theme.Colour = (38, 46, 53)  # before its time
DARK = np.array([46.0, 50.0, 56.0])  # a cell of value 0
CURVE_GROUND = 0.28  # share of its colour that lies below a curve


class Page:
    """Where the next row of a panel goes. `number` is the width that numbers at the end of rows take.

    Example::

        page = Page(screen, rect)
        page.bar("speed", 0.7, "1.40", theme.SKY)
    """

    def __init__(self, screen: Any, rect: pygame.Rect, number: int = NUMBER) -> None:
        self.screen, self.rect = screen, rect
        self.left, self.width = rect.x + theme.MARGIN, max(rect.width - 2 * theme.MARGIN, 1)
        self.y = rect.y + theme.MARGIN
        self.label = min(LABEL, self.width // 3)
        self.number = min(max(number, NUMBER), max(self.width // 4, NUMBER))

    def text(self, text: str, colour: theme.Colour = theme.INK, size: int = theme.SMALL, bold: bool = False) -> None:
        picture = theme.words(theme.fitted(text, self.width, size, bold), colour, size, bold)
        self.screen.blit(picture, (self.left, self.y))
        self.y += picture.get_height() + 3

    def badges(self, entries: Iterable[tuple[str, theme.Colour]]) -> None:
        """Words on coloured grounds; those that do not fit a line go to the next one."""
        for line in badge_lines(entries, self.width):
            x = self.left
            for text, colour in line:
                x = theme.badge(self.screen, (x, self.y), text, colour)
            self.y += theme.BADGE + 4

    def bar(self, name: str, share: float, text: str, colour: theme.Colour) -> None:
        length = self._named(name, text, BAR + 6)
        theme.bar(self.screen, pygame.Rect(self.left + self.label, self.y + 3, length, BAR), share, colour)
        self.y += theme.LINE

    def slider(self, name: str, share: float, text: str, colour: theme.Colour) -> pygame.Rect:
        """A bar with a grip; returns where it can be taken hold of."""
        length = self._named(name, text, BAR + 6)
        place = pygame.Rect(self.left + self.label, self.y, max(length, 1), theme.LINE)
        theme.bar(self.screen, pygame.Rect(place.x, self.y + 3, length, BAR), share, colour)
        grip = pygame.Rect(0, 0, GRIP, BAR + 4)
        grip.center = (place.x + round(share * (place.width - 1)), self.y + 3 + BAR // 2)
        pygame.draw.rect(self.screen, theme.INK, grip, border_radius=2)
        self.y += theme.LINE
        return place

    def cells(self, name: str, colours: Sequence[Any], text: str) -> None:
        """A row of coloured boxes, head at the left."""
        length = self._named(name, text, STRIP + 4, wide=not text)
        edges = np.linspace(0, length, len(colours) + 1).astype(int)
        for place, colour in enumerate(colours):
            size = (max(int(edges[place + 1] - edges[place]) - 1, 1), STRIP)
            pygame.draw.rect(self.screen, colour, ((self.left + self.label + int(edges[place]), self.y + 2), size))
        self.y += CELLS

    def curve(self, name: str, past: Array, text: str, colour: theme.Colour) -> None:
        """How a share went, the present at the right."""
        length = self._named(name, text, CURVE + 4)
        ground = pygame.Rect(self.left + self.label, self.y + 2, length, CURVE)
        pygame.draw.rect(self.screen, BEFORE, ground, border_radius=3)
        known = np.flatnonzero(np.isfinite(past))
        if known.size > 1 and length > 1:
            x = ground.left + known * (length - 1) / (len(past) - 1)
            y = ground.bottom - 2 - np.clip(past[known], 0.0, 1.0) * (CURVE - 4)
            line = np.column_stack([x, y]).round().tolist()
            below = [*line, (line[-1][0], ground.bottom - 1), (line[0][0], ground.bottom - 1)]
            pygame.draw.polygon(self.screen, mixed(np.array(BEFORE, dtype=float), colour, CURVE_GROUND), below)
            pygame.draw.lines(self.screen, colour, False, line, 2)
        self.y += CURVE_ROW

    def chart(self, name: str, pixels: Array, rows: int) -> None:
        """A strip chart with the numbers of some of its rows at the left."""
        self.text(name, bold=True)
        height = pixels.shape[1]
        self.screen.blit(pygame.surfarray.make_surface(pixels), (self.left + GUTTER, self.y))
        for row in numbered(rows) if rows > 1 else ():
            picture = theme.words(str(row + 1), theme.FAINT, theme.SMALL, mono=True)
            middle = self.y + (row + 0.5) * height / rows
            self.screen.blit(picture, picture.get_rect(midright=(self.left + GUTTER - 5, round(middle))))
        self.y += height + 4

    def picture(self, name: str, view: str, image: Array | None) -> pygame.Rect:
        """An image with its name beside it, as large as there is room; returns where it is."""
        self._named(name, "", BAR + 6, wide=True)
        place = pygame.Rect(self.left + self.label, self.y + 2, 0, 0)
        if view:
            told = theme.words(theme.fitted(view, self.label - 4, theme.SMALL), theme.INK, theme.SMALL)
            self.screen.blit(told, (self.left, self.y + theme.LINE))
        if image is not None:
            high, wide = image.shape[:2]
            scale = min(PICTURE / high, (self.width - self.label) / wide)
            place.size = max(int(scale * wide), 1), max(int(scale * high), 1)
            surface = pygame.surfarray.make_surface(image.transpose(1, 0, 2))
            self.screen.blit(pygame.transform.scale(surface, place.size), place)
        self.y += PICTURE_ROW
        return place

    def seconds(self) -> None:
        """The time below charts."""
        width = self.width - GUTTER
        for second in range(PAST_TICKS // TICKS_PER_SECOND + 1):
            picture = theme.words(f"-{second} s" if second else "now", theme.FAINT, theme.SMALL)
            x = self.left + GUTTER + round(width * (1.0 - second * TICKS_PER_SECOND / PAST_TICKS))
            x = min(x, self.left + self.width - picture.get_width() // 2)
            self.screen.blit(picture, picture.get_rect(midtop=(x, self.y)))
        self.y += theme.LINE

    def legend(self, entries: Sequence[tuple[str, theme.Colour]], columns: int, left: int = 0) -> None:
        """Boxes of colours and what they mean, in columns."""
        wide = (self.width - left) // columns
        for place, (name, colour) in enumerate(entries):
            x, y = self.left + left + place % columns * wide, self.y + place // columns * theme.LINE
            pygame.draw.rect(self.screen, colour, (x, y + 2, BOX, BOX), border_radius=2)
            told = theme.fitted(name, wide - BOX - 8, theme.SMALL)
            self.screen.blit(theme.words(told, theme.FAINT, theme.SMALL), (x + BOX + 5, y))
        self.y += theme.LINE * -(-len(entries) // columns)

    def _named(self, name: str, text: str, height: int, wide: bool = False) -> int:
        """Write what stands at both ends of a row; returns how many pixels there are between."""
        middle = self.y + height // 2
        told = theme.words(theme.fitted(name, self.label - 4, theme.SMALL), theme.FAINT, theme.SMALL)
        self.screen.blit(told, told.get_rect(midleft=(self.left, middle)))
        if wide:
            return self.width - self.label
        length = self.width - self.label - self.number
        shown = theme.fitted(text, self.number - NUMBER_GAP, theme.SMALL, mono=True)
        picture = theme.words(shown, theme.INK, theme.SMALL, mono=True)
        self.screen.blit(picture, picture.get_rect(midleft=(self.left + self.label + length + NUMBER_GAP, middle)))
        return length


def badge_lines(entries: Iterable[tuple[str, theme.Colour]], width: int) -> list[list[tuple[str, theme.Colour]]]:
    """Badges in lines that fit a width; a word that is too long for a line of its own is cut."""
    lines: list[list[tuple[str, theme.Colour]]] = []
    left = 0
    for text, colour in entries:
        short = theme.fitted(text, width - 2 * theme.MARGIN, theme.SMALL, bold=True)
        taken = theme.badge_width(short) + theme.MARGIN // 2
        if not lines or taken - theme.MARGIN // 2 > left:
            lines.append([])
            left = width
        lines[-1].append((short, colour))
        left -= taken
    return lines


def number_width(texts: Iterable[str]) -> int:
    """Pixels that the widest of the numbers takes at the end of its row."""
    return max((theme.width_of(text, theme.SMALL, mono=True) for text in texts), default=0) + NUMBER_GAP


def mixed(ground: Array, colour: theme.Colour, share: float) -> tuple[int, ...]:
    """The ground at 0, the colour at 1."""
    return tuple(int(part) for part in ground + min(max(share, 0.0), 1.0) * (np.array(colour) - ground))


def numbered(rows: int) -> list[int]:
    """Which rows of a chart get a number: the first, the last, and every sixth that is not next to the last."""
    between = (row for row in range(NUMBERED_EVERY, rows - 1, NUMBERED_EVERY) if rows - 1 - row > NUMBERED_EVERY // 2)
    return [0, *between, rows - 1]


def chart_pixels(states: Array, palette: Sequence[theme.Colour], width: int, height: int) -> Array:
    """(width, height, 3) bytes: one row per thing, time to the right, a dark line between rows where there is room.

    `states` (rows, ticks) holds the number of a colour each; NaN is before its time, and so is what has no colour.
    """
    rows, ticks = states.shape
    picture: Array = np.full((width, height, 3), GAP, dtype=np.uint8)
    if not rows:
        return picture
    colours = np.array([*palette, BEFORE], dtype=np.uint8)
    edges = np.linspace(0, height, rows + 1).astype(int)
    row_of = np.searchsorted(edges, np.arange(height), side="right") - 1
    chosen = states[np.clip(row_of, 0, rows - 1)][:, np.arange(width) * ticks // width]
    picture[:] = colours[np.where(chosen < len(palette), chosen, len(palette)).astype(int)].transpose(1, 0, 2)
    if height >= 4 * rows and rows > 1:
        picture[:, edges[1:] - 1] = GAP
    return picture
