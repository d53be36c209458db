"""What the player can do: one function per key, and the mouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame

from ..engine.creature import Creature
from ..engine.world import World
from ..systems.render.camera import Camera

DRIVE_SPEED = 3.0
TURN_SPEED = 0.6
PUSH = 60.0
SAVE_FILE = Path("paludarium-save.palu")
MESSAGE_SECONDS = 4.0
REACH_PIXELS = 40.0
TIME_SCALES = (0.25, 0.5, 1.0, 2.0, 4.0)


class Player:
    """The player's hands: a world, a camera, and who is selected."""

    def __init__(self, world: World, camera: Camera) -> None:
        self.world, self.camera = world, camera
        self.running, self.show_help = True, False
        self.selected: Creature | None = next(iter(world.creatures.values()), None)
        self.following = self.selected is not None
        self.driving = False
        self.message, self._message_left = "", 0.0
        if self.selected is not None:
            camera.center = self.selected.position[:2].copy()

    def press(self, key: int) -> None:
        if key in KEYS:
            KEYS[key][1](self)

    def click(self, event: Any) -> None:
        """Left: food. Right: a rock. Shift and left: select."""
        point = self.camera.to_world(event.pos)
        if event.button == 1 and pygame.key.get_mods() & pygame.KMOD_SHIFT:
            self.select(point)
        elif event.button == 1:
            self.world.add_food(point)
        elif event.button == 3:
            self.world.add_obstacle("sphere", point, 1.2)

    def drag(self, pixels: tuple[int, int]) -> None:
        self.following = False
        self.camera.center = self.camera.center - (pixels[0], -pixels[1]) / self.camera.pixels_per_unit

    def select(self, point: Any) -> None:
        near = self.world.near(point, REACH_PIXELS / self.camera.pixels_per_unit)
        self.selected = near[0] if near else None

    def steer(self, held: Any, seconds: float) -> None:
        """Arrow keys drive the selected creature while it is taken over; the camera follows it."""
        self._message_left -= seconds
        if self._message_left <= 0.0:
            self.message = ""
        creature = self.selected
        self.world.resources["picture"].highlighted = creature
        if creature is None or not creature.alive:
            self.selected, self.driving = None, False
            return
        if self.driving:
            ahead = held[pygame.K_UP] - held[pygame.K_DOWN]
            creature.control(DRIVE_SPEED * ahead, TURN_SPEED * (held[pygame.K_LEFT] - held[pygame.K_RIGHT]))
        if self.following:
            self.camera.follow(creature.position[:2], seconds)

    def say(self, text: str) -> None:
        self.message, self._message_left = text, MESSAGE_SECONDS

    def next_creature(self) -> None:
        everybody = list(self.world.creatures.values())
        if everybody:
            place = everybody.index(self.selected) + 1 if self.selected in everybody else 0
            self.selected = everybody[place % len(everybody)]

    def toggle_pause(self) -> None:
        self.world.clock.paused = not self.world.clock.paused

    def toggle_follow(self) -> None:
        self.following = not self.following

    def toggle_drive(self) -> None:
        if self.selected is not None:
            self.driving = not self.driving
            if not self.driving:
                self.selected.release()

    def spawn(self) -> None:
        point = self.camera.to_world(pygame.mouse.get_pos())
        self.selected = self.world.spawn("giant_centipede", at=point, heading=self.world.streams["player"].uniform(-3, 3))

    def push(self) -> None:
        if self.selected is not None:
            self.selected.push((0.0, 0.0, PUSH))

    def kill(self) -> None:
        if self.selected is not None:
            self.selected.kill()

    def change_time(self, step: int) -> None:
        place = TIME_SCALES.index(self.world.clock.scale) + step
        self.world.clock.scale = TIME_SCALES[min(max(place, 0), len(TIME_SCALES) - 1)]
        self.say(f"time x {self.world.clock.scale:g}")

    def save(self) -> None:
        self.world.save(SAVE_FILE)
        self.say(f"saved to {SAVE_FILE}")

    def load(self) -> None:
        self.world = World.load(SAVE_FILE)
        self.selected = next(iter(self.world.creatures.values()), None)
        self.say(f"loaded {SAVE_FILE}")

    def screenshot(self) -> None:
        file = Path(f"paludarium-{self.world.tick:06d}.png")
        pygame.image.save(pygame.display.get_surface(), str(file))
        self.say(f"written: {file}")

    def toggle_leg_states(self) -> None:
        picture = self.world.resources["picture"]
        picture.show_leg_states = not picture.show_leg_states

    def toggle_help(self) -> None:
        self.show_help = not self.show_help

    def quit(self) -> None:
        self.running = False


KEYS: dict[int, tuple[str, Callable[[Player], object]]] = {
    pygame.K_SPACE: ("Space   pause", Player.toggle_pause),
    pygame.K_PERIOD: (".       one tick", lambda player: player.world.step()),
    pygame.K_COMMA: (",       slower", lambda player: player.change_time(-1)),
    pygame.K_SLASH: ("/       faster", lambda player: player.change_time(1)),
    pygame.K_TAB: ("Tab     next creature", Player.next_creature),
    pygame.K_f: ("F       follow it with the camera", Player.toggle_follow),
    pygame.K_t: ("T       take it over; arrow keys drive", Player.toggle_drive),
    pygame.K_n: ("N       new centipede at the mouse", Player.spawn),
    pygame.K_p: ("P       push it up", Player.push),
    pygame.K_k: ("K       kill it", Player.kill),
    pygame.K_l: ("L       colour legs by state", Player.toggle_leg_states),
    pygame.K_F5: ("F5      save", Player.save),
    pygame.K_F9: ("F9      load", Player.load),
    pygame.K_F12: ("F12     picture", Player.screenshot),
    pygame.K_h: ("H       this help", Player.toggle_help),
    pygame.K_ESCAPE: ("Esc     leave", Player.quit),
}
MOUSE_HELP = ("click   food", "right   rock", "shift   click selects", "wheel   zoom", "middle  drag to move")
