"""One scene being played: a world, a camera, who is selected, and what is shown about it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pygame
from numba import get_num_threads

from ..engine.creature import Creature
from ..engine.errors import PaludariumError
from ..engine.events import Event
from ..engine.threads import ThreadsFor
from ..engine.world import World
from ..systems.render.detail import DetailGovernor
from ..systems.render.scene.camera import Camera
from ..systems.tiers.policy import TierChange
from . import hud
from .bodies import own_speed
from .gamepad import Gamepad
from .hunt import hunt_of
from .key_bindings import BY_BUTTON, BY_KEY
from .mouse import LEFT, Hands
from .overlay_choice import OVERLAYS, draw_overlays
from .player_actions import finish_clip, record_clip, write_picture
from .recorder import Recorder
from .scenes import SCENES, Settings
from .sounds import Sounds
from .tick_budget import Pace
from .time_bar import TimeBar
from .watch import Watch

DRIVE_HASTE = 4.0 / 3.0  # times as fast as the animal goes by itself
DRIVE_TURN = 0.75  # rad/s
MESSAGE_SECONDS = 4.0
PAN_SPEED = 500.0  # pixels per second with the arrow keys
LOOK_SPEED = 700.0
SMALLEST_WINDOW = 8  # pixels; a window folded up to less than this is not drawn
MOST_CHANGES = 10_000  # remembered tier changes

SOUND_OF = {"ate": "eat", "died": "thud"}
SOUND_OF_HUNT = {"caught": "eat", "grew": "grow"}

MOUSE = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION, pygame.MOUSEWHEEL)


class Session:
    """The player in one scene. `next` says where to go when it is over."""

    def __init__(self, settings: Settings, world: World, size: tuple[int, int], sounds: Sounds, pad: Gamepad,
                 folder: Path) -> None:
        self.settings, self.scene = settings, SCENES[settings.scene]
        self.sounds, self.pad, self.folder = sounds, pad, folder
        self.next: Settings | str | None = None
        self.camera = Camera(size, pixels_per_unit=self.scene.pixels_per_unit)
        self.species = settings.species or self.scene.species
        self.hands, self.recorder, self.watch, self.times = Hands(self), Recorder(), Watch(), TimeBar()
        self.picture_due = False
        self.show_help = self.show_inspector = self.show_times = False
        self.overlays: set[str] = set()
        self.message, self._message_left = "", 0.0
        self.held: set[int] = set()
        self.tier_changes: deque[TierChange] = deque(maxlen=MOST_CHANGES)
        self.frame_rate, self._tick_seconds = 0.0, 0.0
        self.pace, self.governor = Pace(), DetailGovernor()
        self.driving, self.following = False, True
        self.selected: Creature | None = None
        self.enter(world)

    @property
    def picture(self) -> Any:
        return self.world.picture

    def enter(self, world: World) -> None:
        """Go on in this world: a fresh one, or one that was loaded."""
        self.world = world
        self.driving, self.selected = False, None
        self.hands.grip = None  # what it held is of the other world
        self.following = self.scene.view is None
        hunt = hunt_of(world)
        self.select(hunt.player if hunt is not None else next(iter(world.creatures.values()), None))
        self.driving = self.selected is not None and (hunt is not None or self.scene.driven)
        if self.scene.view is not None:
            self.camera.center = np.array(self.scene.view)
        elif self.selected is not None:
            self.camera.center = self.selected.position[:2].copy()
        heard = {**SOUND_OF, **(SOUND_OF_HUNT if hunt is not None else {})}
        for kind, sound in heard.items():
            world.on(kind, partial(self._hear, sound))
        if hunt is not None:
            world.on("grew", lambda event: self.say(f"a new skin: {event.segments} segments"))

    def change_scene(self, settings: Settings) -> None:
        """Be in another scene from now on, as a saved world asks for; `enter` its world next."""
        self.settings, self.scene = settings, SCENES[settings.scene]
        self.species = settings.species or self.scene.species
        self.camera.pixels_per_unit = self.scene.pixels_per_unit
        pygame.display.set_caption(f"Paludarium: {self.scene.title}")

    def select(self, creature: Creature | None) -> None:
        if self.driving and self.selected is not None and creature is not self.selected:
            if self.selected.in_world:
                self.selected.release()
            self.driving = False
        self.selected = creature

    def say(self, text: str) -> None:
        self.message, self._message_left = text, MESSAGE_SECONDS

    def toggle_overlay(self, name: str) -> None:
        self.overlays ^= {name}
        self.say(f"{OVERLAYS[name].help}: {'on' if name in self.overlays else 'off'}")

    def pan(self, pixels: tuple[float, float]) -> None:
        self.following = False
        self.camera.center = self.camera.center - np.array([pixels[0], -pixels[1]]) / self.camera.pixels_per_unit

    # -- events ---------------------------------------------------------------------------------------------------

    def handle(self, event: Any) -> None:
        """Take in one event; a player's mistake is told, never raised."""
        try:
            if event.type == pygame.KEYDOWN:
                self.held.add(event.key)
                if event.key in BY_KEY:
                    BY_KEY[event.key].do(self)
            elif event.type == pygame.KEYUP:
                self.held.discard(event.key)
            elif event.type == pygame.JOYBUTTONDOWN and event.button in BY_BUTTON:
                BY_BUTTON[event.button].do(self)
            elif event.type == pygame.JOYHATMOTION and event.value[1]:
                self.camera.zoom(1.25 ** event.value[1])
            elif event.type == pygame.WINDOWFOCUSLOST:
                self.held.clear()
            elif event.type in MOUSE and not self._on_slider(event) and not self._on_picture(event):
                self.hands.handle(event)
        except PaludariumError as problem:
            self.say(str(problem))

    def _on_slider(self, event: Any) -> bool:
        """Whether the event takes hold of a slider of the inspector, drags it or lets it go."""
        sliders = self.watch.sliders
        if not (self.show_inspector and sliders.are_shown):
            return False
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == LEFT:
            return sliders.press(*event.pos)
        if event.type == pygame.MOUSEMOTION:
            return sliders.move(event.pos[0])
        return event.type == pygame.MOUSEBUTTONUP and event.button == LEFT and sliders.release()

    def _on_picture(self, event: Any) -> bool:
        """Whether the event is a click on a picture of the inspector, which then shows something else."""
        pressed = self.show_inspector and event.type == pygame.MOUSEBUTTONDOWN and event.button == LEFT
        return bool(pressed and self.watch.touch(*event.pos))

    def _try(self, deed: Callable[[], None]) -> None:
        try:
            deed()
        except PaludariumError as problem:
            self.say(str(problem))

    def resize(self, size: tuple[int, int]) -> None:
        self.camera.resize(size)

    # -- time -----------------------------------------------------------------------------------------------------

    def update(self, seconds: float) -> int:
        """Let real time pass; returns the number of ticks that ran."""
        self._message_left -= seconds
        if self._message_left <= 0.0:
            self.message = ""
        self._keep_hold_of_the_player()
        self._steer(seconds)
        self._choose_tiers()
        start, clock = perf_counter(), self.world.clock
        most = self.pace.allowed_ticks(clock.scale) * clock.tick_seconds / clock.scale
        with ThreadsFor(get_num_threads() - self.picture.painting, 1):
            ticks = clock.due(min(seconds, most))
            for _ in range(ticks):
                self.world.step()
                if self.show_inspector:  # its charts show every tick, also where a frame has several
                    self.watch.update(self.selected)
        self._tick_seconds = perf_counter() - start
        if ticks:
            self.pace.observe(self._tick_seconds / ticks)
            self.sounds.listen(self.world, self.camera.visible_bounds)
        if self.selected is not None and self.selected.in_world and self.following:
            self.camera.follow(self.selected.position[:2], seconds)
        return ticks

    def begin(self, screen: Any) -> None:
        """Have the picture painted while time passes."""
        if min(screen.get_size()) >= SMALLEST_WINDOW:
            self.picture.show_leg_states = "legs" in self.overlays
            self.picture.show_wakes = "wakes" in self.overlays
            self.picture.begin(screen, self.camera)

    def draw(self, screen: Any, seconds: float) -> None:
        """Draw the frame and everything over it, and record it while a recording runs."""
        if min(screen.get_size()) < SMALLEST_WINDOW:
            return
        start = perf_counter()
        if not self.picture.painting:
            self.begin(screen)
        self.picture.finish()
        self.watch.update(self.selected)
        draw_overlays(screen, self)
        self.times.sample(self.world, self.picture.seconds, perf_counter() - start)
        hud.draw(screen, self)
        self.recorder.capture(screen, seconds)
        if self.picture_due:
            self.picture_due = False
            self._try(lambda: write_picture(self, screen))
        if self.recorder.running and self.recorder.full:
            self._try(lambda: record_clip(self))

    def close(self) -> None:
        """The window closes: what is being recorded is written."""
        self._try(lambda: finish_clip(self))

    def frame_took(self, seconds: float) -> None:
        """Told the work of a whole frame, choose how much detail the next one has: less before the frame rate drops."""
        self.pace.observe_rest(seconds - self._tick_seconds)
        self.picture.detail = 0 if self.world.clock.paused else self.governor.update(seconds)  # who looks closely has time

    def _keep_hold_of_the_player(self) -> None:
        """Who is gone is not selected any more; in a hunt the player's new body is."""
        if self.selected is not None and not self.selected.in_world:
            hunt = hunt_of(self.world)
            grown = hunt.player if hunt is not None and self.driving else None
            self.selected, self.driving = grown, grown is not None
        if self.driving and self.selected is not None and self.selected.dead:
            self.driving = False

    def _steer(self, seconds: float) -> None:
        stick_ahead, stick_left = self.pad.stick
        ahead = self._key(pygame.K_UP, pygame.K_w) - self._key(pygame.K_DOWN, pygame.K_s) + stick_ahead
        left = self._key(pygame.K_LEFT, pygame.K_a) - self._key(pygame.K_RIGHT, pygame.K_d) + stick_left
        look_right, look_up = self.pad.look
        if look_right or look_up:
            self.pan((-LOOK_SPEED * seconds * look_right, LOOK_SPEED * seconds * look_up))
        ahead, left = min(max(ahead, -1.0), 1.0), min(max(left, -1.0), 1.0)
        if self.driving and self.selected is not None:
            try:
                self.selected.control(DRIVE_HASTE * own_speed(self.selected) * ahead, DRIVE_TURN * left)
            except PaludariumError as problem:  # nothing in it obeys any more: a mod may have taken that away
                self.driving = False
                self.say(str(problem))
        elif ahead or left:
            self.pan((PAN_SPEED * seconds * left, PAN_SPEED * seconds * ahead))

    def _key(self, *keys: int) -> int:
        return int(any(key in self.held for key in keys))

    def _choose_tiers(self) -> None:
        keep: list[Creature] = [self.selected] if self.selected is not None else []
        self.tier_changes += self.scene.policy.apply(self.world, self.camera.center, self.camera.visible_bounds, keep)

    def _hear(self, sound: str, event: Event) -> None:
        creature = event.creature
        west, south, east, north = self.camera.visible_bounds
        if creature is not None and creature.in_world:
            x, y = creature.position[:2]
            if west < x < east and south < y < north:
                self.sounds.play(sound)
