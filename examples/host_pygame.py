"""A whole game in plain pygame: the host owns window, loop, input and score; the creatures are guests.

Steer your centipede with the arrow keys, eat five fruits, and keep away from the hunter: it is faster than you, but it
turns worse. A click startles everybody near it. ``python -m paludarium.examples.host_pygame``
"""

from __future__ import annotations

import sys
from typing import Any

from paludarium import Camera, Map, World
from paludarium.systems.attachments import Light
from paludarium.systems.brain.mode_registry import ModeRegistry

SIZE = (960, 540)
FRAMES_PER_SECOND = 60
FRUITS = ((9.0, 5.0), (-12.0, 8.0), (4.0, -11.0), (-9.0, -9.0), (16.0, -4.0))
WALK, TURN = 2.5, 0.9  # u/s and rad/s at full tilt
CAUGHT_AT = 1.2  # units between the hunter's head and your body
HUNTER = {"name": "hunter", "reactions": {"hostile": 1.0, "sight_u": 60.0}}
RED = {"plate": "#8C1F1A", "tissue": "#3A0E0C", "head": "#5A0F0D"}
SCARE_RADIUS, SCARE_SECONDS = 12.0, 2.0


class Game:
    """Rules and state; knows no window, so it can be tested without one."""

    def __init__(self, seed: int = 7) -> None:
        garden = Map.define(name="garden", area={"width_u": 60, "height_u": 40})
        self.world = World(seed=seed, map=garden, precision="float32")
        tables = self.world.species["pauropod"].source
        self.world.define_species("hunter", **{**tables, **HUNTER, "appearance": {**tables["appearance"], **RED}})
        self.player = self.world.spawn("pauropod", at=(0.0, 0.0), faction="you")
        self.hunter = self.world.spawn("hunter", at=(-24.0, -14.0), faction="them")
        self.world.set_relation("you", "them", "hostile")
        self.lamp = self.player.attach(Light(radius=5.0), segment=0)
        for place in FRUITS:
            self.world.add_food(place)
        self.eaten, self.over = 0, ""
        self.world.on("ate", self.count)

    def count(self, event: Any) -> None:
        self.eaten += event.creature is self.player
        if self.eaten == len(FRUITS):
            self.over = "all eaten: you win"

    def steer(self, forward: float, left: float) -> None:
        """What the arrow keys say, each from -1 to 1."""
        self.player.control(WALK * forward, TURN * left)

    def scare(self, point: Any) -> None:
        """A click: everybody near runs, also the hunter."""
        self.world.add_stimulus("threat", point, strength=2.0, radius=SCARE_RADIUS, seconds=SCARE_SECONDS)

    def update(self, seconds: float) -> None:
        if self.over:
            return
        self.world.update(seconds)
        if self.player in self.world.hit(self.hunter.position, CAUGHT_AT):
            self.player.kill()
            self.over = "caught: you lose"


def play(frames: int | None = None) -> Game:
    """Open the host's window and run; `frames` ends the game after so many."""
    import pygame

    pygame.display.init()
    screen, clock, game = pygame.display.set_mode(SIZE), pygame.time.Clock(), Game()
    camera = Camera(SIZE, pixels_per_unit=16.0)
    try:
        while frames is None or frames > 0:
            for event in pygame.event.get():
                if event.type == pygame.QUIT:
                    return game
                if event.type == pygame.MOUSEBUTTONDOWN:
                    game.scare(camera.to_world(event.pos))
            keys = pygame.key.get_pressed()
            game.steer(keys[pygame.K_UP] - keys[pygame.K_DOWN], keys[pygame.K_LEFT] - keys[pygame.K_RIGHT])
            game.update(clock.tick(FRAMES_PER_SECOND) / 1000.0 if frames is None else 1.0 / FRAMES_PER_SECOND)
            game.world.draw(screen, camera)
            x, y = camera.to_screen(game.lamp.pose.position[None, :2])[0]  # the host's own drawing on top
            pygame.draw.circle(screen, (255, 235, 150), (int(x), int(y)), 4)
            pygame.display.set_caption(game.over or f"eaten {game.eaten} of {len(FRUITS)}")
            pygame.display.flip()
            frames = None if frames is None else frames - 1
    finally:
        pygame.display.quit()
    return game


def autoplay(game: Game, seconds: float) -> None:
    """A player without fingers, for the tests: goes for the nearest fruit, and startles the hunter when it is near."""
    game.player.goto(FRUITS[0], radius=0.5)
    for frame in range(int(seconds * FRAMES_PER_SECOND)):
        if frame % FRAMES_PER_SECOND == 0 and game.hunter.distance_to(game.player) < SCARE_RADIUS:
            game.scare(game.hunter.position)
        game.update(1.0 / FRAMES_PER_SECOND)
        if game.eaten:
            return


def build_world() -> World:
    """For the tests: thirty frames of the game, drawn into whatever display there is."""
    return play(frames=30).world


def check(world: World) -> None:
    """Thirty frames were thirty ticks, nobody pressed a key, and the hunter is on its way."""
    assert world.tick >= 30
    player, hunter = world.creatures.values()
    assert player.brain.goal.name == "DRIVE"
    assert player.attachments
    assert world.resource(ModeRegistry).name_of(int(hunter.brain.mode)) in ("REACTION", "AVOIDANCE", "ADJUSTMENT")
    game = Game()
    autoplay(game, seconds=15.0)
    assert game.eaten == 1
    assert not game.over
    game.player.goto(game.hunter.position)
    while not game.over and game.world.time < 60.0:
        game.player.goto(game.hunter.position)
        game.update(1.0 / FRAMES_PER_SECOND)
    assert game.over == "caught: you lose"
    assert game.player.dead


if __name__ == "__main__":
    play(int(sys.argv[1]) if len(sys.argv) > 1 else None)
