"""The inspector: what the selected creature's legs, brain and body are doing, as in the source's figures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import pygame

from ..components.brain_modes import BrainMode
from ..components.leg_states import LegState
from ..components.myriapod.body_modes import BodyMode
from ..systems.brain.mode_registry import ModeRegistry
from . import theme
from .leg_history import CHART_TICKS, chart

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.pool import Array
    from .session import Session

WIDTH = 376
LABEL = 104
NUMBER = 46
BAR = 10
CHART_ROW = 9  # pixels per leg where there is room
SMALLEST_CHART = 24
LEGEND_COLUMNS = 4
STRIP = 12
GUTTER = 24  # pixels for the numbers of the legs
NUMBERED_EVERY = 6
HEAD_HEIGHT = 92  # name, species, modes
BARS_OF = {"brain": 2, "antennae": 2, "vision": 1, "gait": 1, "muscles": 1}
TICKS_PER_SECOND = 60

MODE_COLOURS = {
    BrainMode.ADJUSTMENT: theme.SKY, BrainMode.RANDOM_WALK: theme.FAINT, BrainMode.AVOIDANCE: theme.BAD,
    BrainMode.TROPHOTROPISM: theme.GOOD, BrainMode.CONTROL: theme.ACCENT,
}  # fmt: skip
FREE_SEGMENT, CARRIED_SEGMENT, WET_SEGMENT = (84, 88, 94), theme.ACCENT, (30, 136, 229)
SEGMENT_LEGEND = (("carried", CARRIED_SEGMENT), ("hanging", FREE_SEGMENT), ("in water", WET_SEGMENT))
SLACK, TENSE = np.array([46.0, 50.0, 56.0]), np.array([236.0, 64.0, 122.0])


class _Page:
    """A pen that writes one row after the other into the panel and stops at its end."""

    def __init__(self, screen: Any, rect: pygame.Rect) -> None:
        self.screen, self.rect = screen, rect
        self.left, self.width = rect.x + theme.MARGIN, rect.width - 2 * theme.MARGIN
        self.y = rect.y + theme.MARGIN

    def room(self, height: int) -> bool:
        return self.y + height <= self.rect.bottom - theme.MARGIN // 2

    def text(self, text: str, colour: theme.Colour = theme.INK, size: int = theme.SMALL, bold: bool = False) -> None:
        picture = theme.words(text, colour, size, bold)
        if self.room(picture.get_height()):
            self.screen.blit(picture, (self.left, self.y), (0, 0, self.width, picture.get_height()))
            self.y += picture.get_height() + 3

    def bar(self, name: str, share: float, number: str, colour: theme.Colour) -> None:
        if not self.room(theme.LINE):
            return
        label = min(LABEL, self.width // 3)
        self.screen.blit(theme.words(name, theme.FAINT, theme.SMALL), (self.left, self.y))
        length = self.width - label - NUMBER
        theme.bar(self.screen, pygame.Rect(self.left + label, self.y + 3, length, BAR), share, colour)
        self.screen.blit(theme.words(number, theme.INK, theme.SMALL, mono=True), (self.left + label + length + 6, self.y))
        self.y += theme.LINE

    def legs(self, pixels: Array, pairs: int) -> None:
        """A strip chart with the numbers of some of its legs at the left."""
        height = pixels.shape[1]
        if not self.room(height):
            return
        self.screen.blit(pygame.surfarray.make_surface(pixels), (self.left + GUTTER, self.y))
        for leg in _numbered(pairs):
            picture = theme.words(str(leg + 1), theme.FAINT, theme.SMALL, mono=True)
            middle = self.y + (leg + 0.5) * height / pairs
            self.screen.blit(picture, picture.get_rect(midright=(self.left + GUTTER - 5, round(middle))))
        self.y += height + 4

    def legend(self, entries: Iterable[tuple[str, Any]], columns: int, left: int = 0) -> None:
        """Boxes of colours and what they mean, in columns."""
        listed = list(entries)
        for place, (name, colour) in enumerate(listed):
            x = self.left + left + place % columns * (self.width - left) // columns
            y = self.y + place // columns * theme.LINE
            pygame.draw.rect(self.screen, colour, (x, y + 2, 11, 11), border_radius=2)
            self.screen.blit(theme.words(name, theme.FAINT, theme.SMALL), (x + 16, y))
        self.y += theme.LINE * -(-len(listed) // columns)

    def cells(self, name: str, colours: list[Any]) -> None:
        """A row of coloured boxes, head at the left."""
        if not colours or not self.room(STRIP + 4):
            return
        label = min(LABEL, self.width // 3)
        self.screen.blit(theme.words(name, theme.FAINT, theme.SMALL), (self.left, self.y))
        edges = np.linspace(0, self.width - label, len(colours) + 1).astype(int)
        for place, colour in enumerate(colours):
            size = (max(int(edges[place + 1] - edges[place]) - 1, 1), STRIP)
            pygame.draw.rect(self.screen, colour, ((self.left + label + int(edges[place]), self.y + 2), size))
        self.y += STRIP + 5


def draw_inspector(screen: Any, session: Session) -> pygame.Rect | None:
    """Draw the panel at the right edge; nobody selected, nothing drawn."""
    creature = session.selected
    if creature is None or not creature.alive:
        return None
    width, height = screen.get_size()
    rect = pygame.Rect(0, 0, min(WIDTH, width * 2 // 3), height - 2 * theme.MARGIN)
    rect.topright = (width - theme.MARGIN, theme.MARGIN)
    rect.height = min(rect.height, _wanted_height(creature))
    theme.panel(screen, rect, blurred=True)
    page = _Page(screen, rect)
    _head(page, creature, session.driving)
    _signals(page, creature)
    _body(page, creature)
    _charts(page, session.history.states)
    return rect


def _head(page: _Page, creature: Creature, driven: bool) -> None:
    page.text(creature.name, theme.INK, theme.LARGE, bold=True)
    legs = f"   {2 * len(creature.legs)} legs" if "legs" in creature.rows else ""
    page.text(f"{creature.species.name}   {len(creature.segments)} segments{legs}   tier {creature.tier}", theme.FAINT)
    page.y += 4
    if not page.room(theme.LINE + 8):
        return
    x = page.left
    if creature.dead:
        x = theme.badge(page.screen, (x, page.y), "DEAD", theme.BAD)
    elif "brain" in creature.rows:
        x = theme.badge(page.screen, (x, page.y), mode_name(creature), MODE_COLOURS.get(creature.brain.mode, theme.INK))
    mode = creature.body_mode
    wet = mode in (BodyMode.IN_WATER, BodyMode.GROUND_TO_WATER, BodyMode.AIR_TO_WATER)
    x = theme.badge(page.screen, (x, page.y), _spaced(mode), theme.SKY if wet else theme.ACCENT)
    if driven:
        theme.badge(page.screen, (x, page.y), "YOU", theme.GOOD)
    page.y += theme.LINE + 10


def _signals(page: _Page, creature: Creature) -> None:
    if "brain" in creature.rows:
        spec = creature.species.specs["brain"]
        speed, turn = creature.brain.speed, creature.brain.yaw_rate
        page.bar("speed", abs(speed) / max(1.5 * spec.speed, 1e-9), f"{speed:.2f}", theme.SKY)
        page.bar("turn", abs(turn) / max(spec.avoid_yaw, 1e-9), f"{turn:+.2f}", theme.SKY)
    if "antennae" in creature.rows:
        for name, smell, touched in zip(("left", "right"), creature.antennae.food, creature.antennae.contact, strict=True):
            colour = theme.BAD if touched else theme.GOOD
            page.bar(f"{name} antenna", float(smell) / (1.0 + float(smell)), "touch" if touched else f"{smell:.2f}", colour)
    if "vision" in creature.rows:
        spec = creature.species.specs["vision"]
        food = float(creature.vision.food[0])
        seen = food <= spec.food_range
        page.bar("sees food", 1.0 - food / spec.food_range if seen else 0.0, f"{food:.1f}" if seen else "-", theme.GOOD)
    if "gait" in creature.rows:
        page.bar("legs standing", creature.gait.stance_share, f"{creature.gait.stance_share:.2f}", theme.ACCENT)
    if "muscles" in creature.rows and creature.muscles.swimming:
        page.bar("beats per s", creature.muscles.frequency / 3.0, f"{creature.muscles.frequency:.2f}", theme.BAD)


def _body(page: _Page, creature: Creature) -> None:
    """Who carries each segment, and how tense the muscles of each block are."""
    page.y += 4
    states = zip(creature.segments.submerged, creature.segments.supported, strict=True)
    page.cells("segments", [WET_SEGMENT if wet else CARRIED_SEGMENT if held else FREE_SEGMENT for wet, held in states])
    if page.room(theme.LINE):
        page.legend(SEGMENT_LEGEND, len(SEGMENT_LEGEND), min(LABEL, page.width // 3))
    if "muscles" in creature.rows:
        spec = creature.species.specs["muscles"]
        tension = np.clip((spec.longest - creature.muscles.length) / (spec.longest - spec.shortest), 0.0, 1.0)
        for side, name in enumerate(("left muscles", "right muscles")):
            page.cells(name, [(SLACK + share * (TENSE - SLACK)).astype(int).tolist() for share in tension[:, side]])


def _charts(page: _Page, states: Array) -> None:
    """Left and right legs, one row each, time to the right, and what the colours mean. [Fang15 Fig. 4.4]"""
    pairs = states.shape[0]
    if not pairs:
        return
    page.y += 4
    legend = theme.LINE * -(-len(LegState) // LEGEND_COLUMNS)
    free = (page.rect.bottom - theme.MARGIN - page.y - legend - 2 * (theme.LINE + 8) - theme.LINE) // 2
    height = min(CHART_ROW * pairs, free)
    if height < SMALLEST_CHART:
        return
    width = page.width - GUTTER
    for side, name in enumerate(("left legs", "right legs")):
        page.text(name, theme.INK, theme.SMALL, bold=True)
        page.legs(chart(states[:, side], width, height), pairs)
    for second in range(int(CHART_TICKS / TICKS_PER_SECOND) + 1):
        picture = theme.words(f"-{second} s" if second else "now", theme.FAINT, theme.SMALL)
        x = page.left + GUTTER + round(width * (1.0 - second * TICKS_PER_SECOND / CHART_TICKS))
        x = min(x, page.left + page.width - picture.get_width() // 2)
        page.screen.blit(picture, picture.get_rect(midtop=(x, page.y)))
    page.y += theme.LINE
    page.legend(((state.name, theme.LEG_COLOURS[state]) for state in LegState), LEGEND_COLUMNS)


def _numbered(pairs: int) -> list[int]:
    """Which rows of a chart get a number: the first, the last, and every sixth that is not next to the last."""
    return [*(leg for leg in range(0, pairs - 1, NUMBERED_EVERY) if pairs - 1 - leg > NUMBERED_EVERY // 2), pairs - 1]


def _wanted_height(creature: Creature) -> int:
    pairs = len(creature.legs) if "legs" in creature.rows else 0
    bars = sum(count for part, count in BARS_OF.items() if part in creature.rows)
    strips = 2 * (STRIP + 5) if "muscles" in creature.rows else 0
    charts = 2 * (CHART_ROW * pairs + theme.LINE + 8) + 4 * theme.LINE if pairs else 0
    return HEAD_HEIGHT + theme.LINE * (bars + 1) + STRIP + strips + charts + 2 * theme.MARGIN


def mode_name(creature: Creature) -> str:
    """The brain's mode in words; mods have modes of their own."""
    return str(creature.world.resource(ModeRegistry).name_of(int(creature.brain.mode))).replace("_", " ")


def _spaced(mode: BodyMode) -> str:
    return mode.name.replace("_", " ")
