"""The demo in a window: events in, world on, picture out."""

from __future__ import annotations

from typing import Any

import pygame

from ..engine.errors import PaludariumError
from ..engine.world import World
from ..systems.render.camera import Camera
from .overlay import Overlay
from .player import Player

FRAME_RATE = 60


def play(world: World, size: tuple[int, int], pixels_per_unit: float, ticks: int | None) -> int:
    """Open a window and run until it is closed, Escape is pressed, or the ticks are over."""
    pygame.display.init()
    pygame.font.init()
    screen = pygame.display.set_mode(size, pygame.RESIZABLE)
    pygame.display.set_caption(f"Paludarium: {world.map.name}")
    player = Player(world, Camera(screen.get_rect(), pixels_per_unit=pixels_per_unit))
    overlay, clock = Overlay(), pygame.time.Clock()
    try:
        while player.running and (ticks is None or player.world.tick < ticks):
            seconds = clock.tick(FRAME_RATE) / 1000.0
            for event in pygame.event.get():
                _handle(player, event)
            player.steer(pygame.key.get_pressed(), seconds)
            player.world.update(seconds)
            screen = pygame.display.get_surface()
            player.world.draw(screen, player.camera)
            overlay.draw(screen, player, clock.get_fps())
            pygame.display.flip()
    finally:
        pygame.display.quit()
    return 0


def _handle(player: Player, event: Any) -> None:
    if event.type == pygame.QUIT:
        player.running = False
    elif event.type == pygame.VIDEORESIZE:
        player.camera.resize(pygame.display.get_surface().get_rect())
    elif event.type == pygame.MOUSEWHEEL:
        player.camera.zoom(1.15**event.y, around=pygame.mouse.get_pos())
    elif event.type == pygame.MOUSEMOTION and event.buttons[1]:
        player.drag(event.rel)
    elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.KEYDOWN):
        try:
            player.click(event) if event.type == pygame.MOUSEBUTTONDOWN else player.press(event.key)
        except PaludariumError as problem:  # a rock inside a creature, food beyond the edge: tell, go on
            player.say(str(problem))
