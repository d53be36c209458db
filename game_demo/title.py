"""The title screen: a living scene, and the scenes to choose from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pygame

from ..engine.world import World
from ..systems.render.scene.camera import Camera
from ..systems.tiers.policy import TierPolicy
from . import gamepad, theme
from .scenes import SCENES, Settings

if TYPE_CHECKING:
    from ..engine.pool import Array

NAME = "Paludarium"
SUBTITLE = "living creatures between land and water"
HINT = "arrows and Enter, the mouse, or a gamepad   ·   Esc leaves"

BACKGROUND_SCENE = "tide_pool"
PIXELS_PER_UNIT = 17.0
DRIFT_UNITS = 5.0  # how far the view wanders
DRIFT_SECONDS = 40.0
POLICY = TierPolicy(full=4, bush=12)
ROW_HEIGHT, ROW_GAP, LIST_WIDTH = 52, 8, 440
HEADING, SIDE = 190, 60  # px that the list leaves free above and below, and beside two columns
NUMBER_KEYS = 9  # scenes beyond have none
SMALL_ROW = 19  # in windows that are too low for descriptions
STICK_STEP = 0.6  # how far a stick must go to count as a step


class Title:
    """Choose a scene. `next` holds what was chosen: settings, or "quit"."""

    def __init__(self, world: World, size: tuple[int, int], seed: int) -> None:
        self.world, self.seed = world, seed
        self.camera = Camera(size, pixels_per_unit=PIXELS_PER_UNIT)
        self.names = list(SCENES)
        self.place = 0
        self.next: Settings | str | None = None
        self.message = ""
        self._stick_rests = True
        star = next(iter(world.creatures.values()), None)
        self._star = star
        self._home = star.position[:2].copy() if star is not None else self.camera.center.copy()
        self.camera.center = self._home - self._aside()

    def handle(self, event: Any) -> None:
        """Take in one event."""
        if event.type == pygame.KEYDOWN:
            self._key(event.key)
        elif event.type == pygame.JOYBUTTONDOWN:
            if event.button in (gamepad.A, gamepad.START):
                self.choose(self.place)
            elif event.button == gamepad.B:
                self.next = "quit"
        elif event.type == pygame.JOYHATMOTION:
            self._move(-event.value[1])
        elif event.type == pygame.JOYAXISMOTION and event.axis == gamepad.STICK_Y:
            if self._stick_rests and abs(event.value) > STICK_STEP:
                self._move(1 if event.value > 0 else -1)
            self._stick_rests = abs(event.value) <= gamepad.DEAD_ZONE
        elif event.type == pygame.MOUSEMOTION:
            self._point(event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._point(event.pos):
            self.choose(self.place)

    def resize(self, size: tuple[int, int]) -> None:
        self.camera.resize(size)

    def choose(self, place: int) -> None:
        self.next = Settings(self.names[place], self.seed)

    def update(self, seconds: float) -> int:
        """The scene behind lives on; the view slowly follows a creature."""
        POLICY.apply(self.world, self.camera.center, self.camera.visible_bounds)
        ticks = self.world.update(min(seconds, 2.0 * self.world.clock.tick_seconds))
        if self._star is not None and self._star.in_world:
            self._home = self._home + (self._star.position[:2] - self._home) * min(0.3 * seconds, 1.0)
        angle = 2.0 * math.pi * self.world.time / DRIFT_SECONDS
        drift = (DRIFT_UNITS * math.sin(angle), DRIFT_UNITS * math.cos(angle))
        self.camera.follow(self._home + drift - self._aside(), seconds)
        return ticks

    def _aside(self) -> Array:
        """From the middle of the view to the middle of what the list leaves free: the star is there."""
        listed = self.rows((int(self.camera.width), int(self.camera.height)))[0]
        free = (listed.right + self.camera.width) / 2.0 - self.camera.width / 2.0
        return np.array([free if listed.height == ROW_HEIGHT else 0.0, 0.0]) / self.camera.pixels_per_unit

    def begin(self, screen: Any) -> None:
        """Have the picture painted while time passes."""
        if min(screen.get_size()) >= 2 * theme.MARGIN:
            self.world.picture.begin(screen, self.camera)

    def draw(self, screen: Any, seconds: float) -> None:  # noqa: ARG002 - as a session
        """The picture, the name, the list."""
        width, height = screen.get_size()
        if min(width, height) < 2 * theme.MARGIN:
            return
        if not self.world.picture.painting:
            self.begin(screen)
        self.world.picture.finish()
        rows = self.rows(screen.get_size())
        name = theme.words(NAME, theme.INK, max(min(theme.HUGE, width // 11, height // 7), theme.LARGE), True)
        top = max(rows[0].top - name.get_height() - 34, 2)
        theme.shadowed(screen, name, (rows[0].x, top))
        if rows[0].height == ROW_HEIGHT:
            theme.shadowed(screen, theme.words(SUBTITLE, theme.INK, theme.LARGE), (rows[0].x + 4, top + name.get_height()))
        for place, rect in enumerate(rows):
            self._draw_row(screen, place, rect)
        if self.message:
            told = [(line, theme.BAD) for line in theme.wrapped(self.message, width - 4 * theme.MARGIN)]
            theme.lines(screen, (theme.MARGIN, height), told)
        else:
            hint = theme.words(HINT, theme.INK, theme.SMALL)
            theme.shadowed(screen, hint, (theme.MARGIN, height - theme.MARGIN - hint.get_height()))

    def frame_took(self, seconds: float) -> None:
        """The title keeps its detail: nothing is played here."""

    def rows(self, size: tuple[int, int]) -> list[pygame.Rect]:
        """Where the scenes stand in a window of this size: in one column, in two, or as a list without descriptions."""
        width, height = size
        list_width = min(LIST_WIDTH, width - 2 * theme.MARGIN)
        per_column = self._per_column(size)
        tall = per_column * (ROW_HEIGHT + ROW_GAP) + HEADING <= height
        step = ROW_HEIGHT + ROW_GAP if tall else min(SMALL_ROW, max((height - 60) // per_column, 8))
        row = ROW_HEIGHT if tall else step - 1
        top = max((height - step * per_column) // 2 + (50 if tall else 10), 34)
        left = max((width - list_width) // 6 if per_column == len(self.names) else SIDE, theme.MARGIN)
        places, across = (divmod(place, per_column) for place in range(len(self.names))), list_width + ROW_GAP
        return [pygame.Rect(left + across * column, top + step * line, list_width, row) for column, line in places]

    def _per_column(self, size: tuple[int, int]) -> int:
        """Scenes in a column: half of them where one column would be too tall and two are not too wide."""
        width, height = size
        half = -(-len(self.names) // 2)
        one_fits = len(self.names) * (ROW_HEIGHT + ROW_GAP) + HEADING <= height
        two_fit = half * (ROW_HEIGHT + ROW_GAP) + HEADING <= height and 2 * LIST_WIDTH + ROW_GAP + 2 * SIDE <= width
        return half if two_fit and not one_fits else len(self.names)

    def _draw_row(self, screen: Any, place: int, rect: pygame.Rect) -> None:
        scene, chosen = SCENES[self.names[place]], place == self.place
        theme.panel(screen, rect)
        if chosen:
            pygame.draw.rect(screen, theme.ACCENT, rect, 2, border_radius=theme.CORNER)
        colour = theme.ACCENT if chosen else theme.INK
        if rect.height < ROW_HEIGHT:
            size = max(min(theme.NORMAL, rect.height - 4), 6)
            screen.blit(theme.words(f"{place + 1}  {scene.title}", colour, size), (rect.x + 8, rect.y + 1))
            return
        screen.blit(theme.words(str(place + 1), theme.FAINT, theme.LARGE), (rect.x + 14, rect.y + 13))
        screen.blit(theme.words(scene.title, colour, theme.LARGE, True), (rect.x + 44, rect.y + 5))
        screen.blit(theme.words(scene.description, theme.FAINT, theme.SMALL), (rect.x + 45, rect.y + 31))

    def _key(self, key: int) -> None:
        if key in (pygame.K_DOWN, pygame.K_TAB, pygame.K_s):
            self._move(1)
        elif key in (pygame.K_UP, pygame.K_w):
            self._move(-1)
        elif key in (pygame.K_RETURN, pygame.K_SPACE, pygame.K_KP_ENTER):
            self.choose(self.place)
        elif key == pygame.K_ESCAPE:
            self.next = "quit"
        elif key in (pygame.K_LEFT, pygame.K_RIGHT):
            self._move_across()
        elif pygame.K_1 <= key < pygame.K_1 + min(len(self.names), NUMBER_KEYS):
            self.choose(key - pygame.K_1)

    def _move(self, step: int) -> None:
        self.place = (self.place + step) % len(self.names)

    def _move_across(self) -> None:
        """To the other column, if there is one."""
        per_column = self._per_column((int(self.camera.width), int(self.camera.height)))
        other = self.place + per_column if self.place < per_column else self.place - per_column
        self.place = min(other, len(self.names) - 1) if per_column < len(self.names) else self.place

    def _point(self, pixel: tuple[int, int]) -> bool:
        size = (int(self.camera.width), int(self.camera.height))
        for place, rect in enumerate(self.rows(size)):
            if rect.collidepoint(pixel):
                self.place = place
                return True
        return False
