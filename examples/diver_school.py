"""A school around a diver: the diver is a sprite of the game's, the fishes are guests that know nothing of it.

The game calls back those that stray too far and gives them their own will again when they are near: in between they are a
school by themselves. Swim with the arrow keys, up and down with W and S; a click is a flash, and everybody near it flees.
``python -m paludarium.examples.diver_school``
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from paludarium import Camera, Map, World

SIZE = (960, 540)
FRAMES_PER_SECOND = 60
FISHES = 24
SPEED = 3.0  # u/s of the diver
FAR, NEAR = 18.0, 14.0  # units from the diver: called back, and free again
CALL_SECONDS = 0.5  # between two looks at who has strayed
FLASH_RADIUS, FLASH_SECONDS = 16.0, 1.0
SUIT, TANK, MASK = (32, 40, 52), (214, 168, 40), (150, 220, 240)


class Game:
    """Rules and state; knows no window, so it can be tested without one."""

    def __init__(self, seed: int = 7) -> None:
        bay = Map.define(name="bay", area={"width_u": 160, "height_u": 120},
                         terrain={"kind": "noise", "amplitude": 1.5, "scale": 20, "elevation": -18.0},
                         water=[{"bounds": [-80, -60, 80, 60], "level_u": 0.0}], light={"clarity": 8.0})  # fmt: skip
        self.world = World(seed=seed, map=bay, precision="float32")
        self.diver, self.heading = np.array([0.0, 0.0, -8.0]), 0.0
        self.school = self.world.spawn("silverside", at=self.diver[:2], count=FISHES, spread=9.0)
        self.called: set[int] = set()
        self.until_call = 0.0

    def swim(self, forward: float, left: float, up: float, seconds: float) -> None:
        """What the keys say, each from -1 to 1. The diver stays in the water and on the map."""
        self.heading += 1.5 * left * seconds
        way = np.array([np.cos(self.heading), np.sin(self.heading), 0.0]) * forward + (0.0, 0.0, 0.6 * up)
        self.diver = np.clip(self.diver + SPEED * seconds * way, (-70.0, -50.0, -14.0), (70.0, 50.0, -2.0))

    def flash(self) -> None:
        """Everybody near is frightened; nobody obeys any more."""
        for fish in self.school:
            fish.release()
        self.called.clear()
        self.world.add_stimulus("threat", self.diver, strength=3.0, radius=FLASH_RADIUS, seconds=FLASH_SECONDS)

    def distances(self) -> Any:
        """(n,) units between the diver and each fish."""
        return np.linalg.norm(np.array([fish.position for fish in self.school]) - self.diver, axis=1)

    def call(self) -> None:
        """Tell those that are too far away to come, and let go those that have."""
        for fish, distance in zip(self.school, self.distances(), strict=True):
            if distance > FAR:
                fish.goto(self.diver, radius=NEAR / 2.0)  # again and again: the diver moves
                self.called.add(fish.serial)
            elif distance < NEAR and fish.serial in self.called:
                fish.release()
                self.called.discard(fish.serial)

    def update(self, seconds: float) -> None:
        self.until_call -= seconds
        if self.until_call <= 0.0:
            self.until_call = CALL_SECONDS
            self.call()
        self.world.update(seconds)


def draw_diver(screen: Any, camera: Camera, game: Game) -> None:
    """The host's own sprite, seen from above: legs that kick, a suit, a tank, a mask."""
    import pygame

    scale = camera.pixels_per_unit
    x, y = camera.to_screen(game.diver[None, :2])[0]
    ahead = pygame.Vector2(float(np.cos(game.heading)), -float(np.sin(game.heading))) * scale
    aside, at = pygame.Vector2(-ahead.y, ahead.x), pygame.Vector2(float(x), float(y))
    kick = 0.25 * float(np.sin(9.0 * game.world.time))
    for side in (-1.0, 1.0):
        hip = at - 0.9 * ahead + 0.25 * side * aside
        pygame.draw.line(screen, SUIT, hip, hip - 1.6 * ahead + side * kick * aside, max(int(0.3 * scale), 1))
    pygame.draw.line(screen, SUIT, at - 0.9 * ahead, at + 0.7 * ahead, max(int(0.8 * scale), 1))
    pygame.draw.line(screen, TANK, at - 0.6 * ahead, at + 0.3 * ahead, max(int(0.4 * scale), 1))
    pygame.draw.circle(screen, SUIT, at + 0.95 * ahead, max(0.38 * scale, 1.0))
    pygame.draw.circle(screen, MASK, at + 1.15 * ahead, max(0.2 * scale, 1.0))


def play(frames: int | None = None) -> Game:
    """Open the host's window and run; `frames` ends the game after so many."""
    import pygame

    pygame.display.init()
    screen, clock, game = pygame.display.set_mode(SIZE), pygame.time.Clock(), Game()
    camera = Camera(SIZE, pixels_per_unit=13.0)
    try:
        while frames is None or frames > 0:
            seconds = clock.tick(FRAMES_PER_SECOND) / 1000.0 if frames is None else 1.0 / FRAMES_PER_SECOND
            for event in pygame.event.get():
                if event.type == pygame.QUIT:
                    return game
                if event.type == pygame.MOUSEBUTTONDOWN:
                    game.flash()
            keys = pygame.key.get_pressed()
            game.swim(keys[pygame.K_UP] - keys[pygame.K_DOWN], keys[pygame.K_LEFT] - keys[pygame.K_RIGHT],
                      keys[pygame.K_w] - keys[pygame.K_s], seconds)  # fmt: skip
            game.update(seconds)
            camera.follow(game.diver[:2], seconds)
            game.world.draw(screen, camera)
            draw_diver(screen, camera, game)
            pygame.display.set_caption(f"{int((game.distances() < FAR).sum())} of {FISHES} are with you")
            pygame.display.flip()
            frames = None if frames is None else frames - 1
    finally:
        pygame.display.quit()
    return game


def build_world() -> World:
    """For the tests: twenty frames of the game, drawn into whatever display there is."""
    return play(frames=20).world


def check(world: World) -> None:
    """The school goes with the diver, most of it by its own will, and a flash drives it away."""
    assert world.tick >= 20
    game = Game()
    for _ in range(10 * FRAMES_PER_SECOND):
        game.swim(0.6, 0.0, 0.0, 1.0 / FRAMES_PER_SECOND)
        game.update(1.0 / FRAMES_PER_SECOND)
    assert game.diver[0] > 15.0
    assert (game.distances() < FAR + NEAR).mean() > 0.8
    assert len(game.called) < FISHES / 2
    near = game.distances() < FLASH_RADIUS
    before = game.distances()[near].mean()
    game.flash()
    for _ in range(3 * FRAMES_PER_SECOND // 2):
        game.world.update(1.0 / FRAMES_PER_SECOND)
    assert game.distances()[near].mean() > before + 2.0


if __name__ == "__main__":
    play(int(sys.argv[1]) if len(sys.argv) > 1 else None)
