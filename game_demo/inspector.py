"""The inspector: what the selected creature's legs, brain and body are doing, as in the source's figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pygame

from ..components.body_modes import BodyMode
from ..components.brain_modes import BrainMode
from ..components.leg_states import LegState
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
TICKS_PER_SECOND = 60

MODE_COLOURS = {
    BrainMode.ADJUSTMENT: theme.SKY, BrainMode.RANDOM_WALK: theme.FAINT, BrainMode.AVOIDANCE: theme.BAD,
    BrainMode.TROPHOTROPISM: theme.GOOD, BrainMode.CONTROL: theme.ACCENT,
}  # fmt: skip
FREE_SEGMENT, CARRIED_SEGMENT, WET_SEGMENT = (84, 88, 94), theme.ACCENT, (30, 136, 229)
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

    def picture(self, pixels: Array) -> None:
        if self.room(pixels.shape[1]):
            surface = pygame.surfarray.make_surface(pixels)
            self.screen.blit(surface, (self.left, self.y))
            self.y += pixels.shape[1] + 4

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
    if "muscles" in creature.rows:
        spec = creature.species.specs["muscles"]
        tension = np.clip((spec.longest - creature.muscles.length) / (spec.longest - spec.shortest), 0.0, 1.0)
        for side, name in enumerate(("left muscles", "right muscles")):
            page.cells(name, [(SLACK + share * (TENSE - SLACK)).astype(int).tolist() for share in tension[:, side]])


def _charts(page: _Page, states: Array) -> None:
    """Left and right legs, one row each, time to the right, and what the colours mean."""
    pairs = states.shape[0]
    if not pairs:
        return
    page.y += 4
    legend = theme.LINE * -(-len(LegState) // LEGEND_COLUMNS)
    free = (page.rect.bottom - theme.MARGIN - page.y - legend - 2 * (theme.LINE + 8) - theme.LINE) // 2
    height = min(CHART_ROW * pairs, free)
    if height < SMALLEST_CHART:
        return
    for side, name in enumerate(("left legs", "right legs")):
        page.text(name, theme.INK, theme.SMALL, bold=True)
        page.picture(chart(states[:, side], page.width, height))
    picture = theme.words("now", theme.FAINT, theme.SMALL)
    page.screen.blit(theme.words(f"-{CHART_TICKS / TICKS_PER_SECOND:.1f} s", theme.FAINT, theme.SMALL), (page.left, page.y))
    page.screen.blit(picture, (page.left + page.width - picture.get_width(), page.y))
    page.y += theme.LINE
    for place, state in enumerate(LegState):
        x = page.left + place % LEGEND_COLUMNS * page.width // LEGEND_COLUMNS
        y = page.y + place // LEGEND_COLUMNS * theme.LINE
        pygame.draw.rect(page.screen, theme.LEG_COLOURS[state], (x, y + 2, 11, 11), border_radius=2)
        page.screen.blit(theme.words(state.name, theme.FAINT, theme.SMALL), (x + 16, y))


def _wanted_height(creature: Creature) -> int:
    pairs = len(creature.legs) if "legs" in creature.rows else 0
    return 330 + 2 * CHART_ROW * pairs + (3 * theme.LINE if "muscles" in creature.rows else 0)


def mode_name(creature: Creature) -> str:
    """The brain's mode in words; mods have modes of their own."""
    return str(creature.world.resources["brain_modes"].name_of(int(creature.brain.mode))).replace("_", " ")


def _spaced(mode: BodyMode) -> str:
    return mode.name.replace("_", " ")
