"""Words on the picture: a status line, messages, and the help page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pygame

from ..components.brain_modes import BrainMode

if TYPE_CHECKING:
    from .player import Player

PANEL = (14, 18, 22, 214)
INK = (232, 226, 208)
FAINT = (168, 164, 150)
MARGIN = 12
LINE = 18


class Overlay:
    """Draws text over the world."""

    def __init__(self) -> None:
        self.font = pygame.font.SysFont("dejavusansmono,consolas,menlo,monospace", 14)

    def draw(self, screen: Any, player: Player, frames_per_second: float) -> None:
        world = player.world
        status = [f"{len(world.creatures)} creatures   {world.time:7.1f} s   {frames_per_second:3.0f} fps   H for help"]
        if player.selected is not None and player.selected.alive:
            status.append(self._describe(player))
        if player.message:
            status.append(player.message)
        self._panel(screen, status, (MARGIN, screen.get_height() - MARGIN - LINE * len(status) - 12))
        if player.show_help:
            from .player import KEYS, MOUSE_HELP

            self._panel(screen, [*(text for text, _ in KEYS.values()), "", *MOUSE_HELP], (MARGIN, MARGIN))
        if world.clock.paused:
            self._panel(screen, ["paused"], (screen.get_width() - 90, MARGIN))

    @staticmethod
    def _describe(player: Player) -> str:
        creature = player.selected
        assert creature is not None
        mode = creature.brain.mode
        name = mode.name.lower().replace("_", " ") if isinstance(mode, BrainMode) else f"mode {mode}"
        driven = ", taken over" if player.driving else ""
        state = "dead" if creature.dead else name
        return f"{creature.name}: {state}{driven}, {creature.brain.speed:.1f} u/s, {creature.tier}"

    def _panel(self, screen: Any, lines: list[str], place: tuple[int, int]) -> None:
        pictures = [self.font.render(line or " ", True, INK if k == 0 else FAINT) for k, line in enumerate(lines)]
        width = max(picture.get_width() for picture in pictures) + 2 * MARGIN
        panel = pygame.Surface((width, LINE * len(lines) + 12), pygame.SRCALPHA)
        panel.fill(PANEL)
        for k, picture in enumerate(pictures):
            panel.blit(picture, (MARGIN, 6 + LINE * k))
        screen.blit(panel, place)
