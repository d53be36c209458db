"""The look of everything that lies over the picture: colours, fonts, panels. [look 5]"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import Any

import pygame

Colour = tuple[int, int, int]

PANEL: Colour = (14, 18, 22)
PANEL_ALPHA = 214  # 84 % of 255
INK: Colour = (242, 236, 218)
FAINT: Colour = (168, 164, 150)
ACCENT: Colour = (242, 182, 50)
GOOD: Colour = (126, 224, 129)
BAD: Colour = (236, 92, 84)
SKY: Colour = (79, 195, 247)
GROOVE: Colour = (62, 66, 72)

TONES: dict[str, Colour] = {
    "ink": INK, "faint": FAINT, "grey": (84, 88, 94), "slate": (84, 110, 122), "amber": ACCENT, "green": GOOD,
    "moss": (102, 187, 106), "red": BAD, "pink": (236, 64, 122), "violet": (171, 71, 188), "sky": SKY,
    "blue": (30, 136, 229),
}  # fmt: skip
"""How the tones of readings look on a panel."""

SMALL, NORMAL, LARGE, HUGE = 12, 14, 20, 64
"""Heights of the letters in pixels."""

MARGIN = 12
LINE = 18
BADGE = LINE + 4
CORNER = 8
BLUR = 8
"""A panel shows the scene below it at this fraction of its size: a cheap blur."""

ELLIPSIS = "\u2026"
LONGEST_TEXT = 400
"""Letters of a line that are looked at: more than any window is wide."""

SANS = "dejavusans,segoeui,helveticaneue,notosans,arial"
MONO = "dejavusansmono,consolas,menlo,couriernew"


@lru_cache(maxsize=32)
def font(size: int, bold: bool = False, mono: bool = False) -> Any:
    """A font of the system's, or pygame's own where it has none of ours."""
    return pygame.font.SysFont(MONO if mono else SANS, size, bold=bold)


@lru_cache(maxsize=1024)
def words(text: str, colour: Colour = INK, size: int = NORMAL, bold: bool = False, mono: bool = False) -> Any:
    """A picture of one line of text; asked for again, it is the same picture."""
    return font(size, bold, mono).render(_drawable(text) or " ", True, colour)


@lru_cache(maxsize=1024)
def fitted(text: str, width: int, size: int = NORMAL, bold: bool = False, mono: bool = False) -> str:
    """The text, or as much of its beginning as fits a width, with an ellipsis behind."""
    text = _drawable(text[:LONGEST_TEXT])
    if width_of(text, size, bold, mono) <= width:
        return text
    fits = bisect_right(range(len(text)), width, key=lambda n: width_of(text[:n].rstrip() + ELLIPSIS, size, bold, mono))
    return text[: max(fits - 1, 0)].rstrip() + ELLIPSIS if fits else ""


def width_of(text: str, size: int = NORMAL, bold: bool = False, mono: bool = False) -> int:
    """Pixels that a line of text takes."""
    return int(font(size, bold, mono).size(_drawable(text[:LONGEST_TEXT]))[0])


def _drawable(text: str) -> str:
    """Without what no font can draw: line ends, zeros, halves of characters."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else " " for letter in text)


def forget_fonts() -> None:
    """Drop all pictures of text; they do not outlive `pygame.font.quit`."""
    words.cache_clear()
    fitted.cache_clear()
    font.cache_clear()


def panel(screen: Any, rect: pygame.Rect, *, blurred: bool = False) -> pygame.Rect:
    """A dark, rounded sheet over the scene. Returns the part of it that is on the screen."""
    seen = rect.clip(screen.get_rect())
    if seen.width <= 0 or seen.height <= 0:
        return seen
    if blurred and min(seen.size) > 2 * BLUR:
        small = pygame.transform.smoothscale(screen.subsurface(seen), (seen.width // BLUR, seen.height // BLUR))
        screen.blit(pygame.transform.smoothscale(small, seen.size), seen)
    screen.blit(_sheet(rect.size), rect)
    return seen


def lines(screen: Any, at: tuple[int, int], rows: list[tuple[str, Colour]], *, most: int | None = None) -> pygame.Rect:
    """A panel with lines of text, at most so many pixels wide; it is moved so that it stays on the screen."""
    longest = max(min(most or screen.get_width(), screen.get_width()) - 2 * MARGIN, 0)
    pictures = [words(fitted(text, longest), colour) for text, colour in rows]
    width = max(picture.get_width() for picture in pictures) + 2 * MARGIN
    rect = pygame.Rect(at, (width, LINE * len(rows) + MARGIN))
    rect.clamp_ip(screen.get_rect())
    panel(screen, rect)
    for place, picture in enumerate(pictures):
        screen.blit(picture, (rect.x + MARGIN, rect.y + MARGIN // 2 + LINE * place))
    return rect


def wrapped(text: str, width: int, size: int = NORMAL) -> list[str]:
    """The text in lines that fit a width; a single long word may stand out."""
    found: list[str] = []
    for word in text.split():
        longer = f"{found[-1]} {word}" if found else word
        if found and width_of(longer, size) <= width:
            found[-1] = longer
        else:
            found.append(word)
    return found or [""]


def shadowed(screen: Any, picture: Any, at: tuple[int, int]) -> None:
    """Text that is readable on any ground."""
    shadow = picture.copy()
    shadow.fill((0, 0, 0, 190), special_flags=pygame.BLEND_RGBA_MULT)
    screen.blit(shadow, (at[0] + 2, at[1] + 2))
    screen.blit(picture, at)


def bar(screen: Any, rect: pygame.Rect, share: float, colour: Colour) -> None:
    """A horizontal bar, filled to a share of 0..1."""
    pygame.draw.rect(screen, GROOVE, rect, border_radius=3)
    filled = rect.copy()
    filled.width = round(rect.width * min(max(share, 0.0), 1.0))
    if filled.width:
        pygame.draw.rect(screen, colour, filled, border_radius=3)


def badge_width(text: str) -> int:
    """Pixels that a badge takes."""
    return width_of(text or " ", SMALL, bold=True) + 2 * MARGIN


def badge(screen: Any, at: tuple[int, int], text: str, colour: Colour) -> int:
    """A word on a coloured ground; returns where the next one may begin."""
    picture = words(text, INK, SMALL, True)
    rect = pygame.Rect(at, (badge_width(text), BADGE))
    pygame.draw.rect(screen, tuple(part * 2 // 5 for part in colour), rect, border_radius=5)
    screen.blit(picture, picture.get_rect(center=rect.center))
    return rect.right + MARGIN // 2


@lru_cache(maxsize=32)
def _sheet(size: tuple[int, int]) -> Any:
    sheet = pygame.Surface(size, pygame.SRCALPHA)
    pygame.draw.rect(sheet, (*PANEL, PANEL_ALPHA), sheet.get_rect(), border_radius=CORNER)
    return sheet
