"""Fishing: a hook with bait hangs in a pond of hungry fishes, the first that bites is pulled up, the others go on.

The game is host code alone: it hangs the hook, hears ``hooked``, reels, and keeps the score. Space reels in, Enter casts
anew where the arrows have moved the mark. ``python -m paludarium.examples.fishing``
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from paludarium import Camera, Creature, Map, World

SIZE = (960, 540)
FRAMES_PER_SECOND = 60
FISHES = 8
DEPTH = 4.0  # units below the surface
REEL = 1.5  # u/s
LANDED = 1.2  # units below the surface at which a catch is in the net
HUNGRY = {"born_hungry": True, "schooling": False, "kind": "pacifist"}


class Game:
    """Rules and state; knows no window, so it can be tested without one."""

    def __init__(self, seed: int = 3) -> None:
        pond = Map.define(name="pond", area={"width_u": 60, "height_u": 40}, terrain={"kind": "flat", "elevation": -9.0},
                          water=[{"bounds": [-30, -20, 30, 20], "level_u": 0.0}], light={"clarity": 6.0})  # fmt: skip
        self.world = World(seed=seed, map=pond, precision="float32")
        tables = self.world.species["koi"].source
        self.world.define_species("hungry_koi", **{**tables, "mind": {**tables.get("mind", {}), **HUNGRY}})
        self.fishes = self.world.spawn("hungry_koi", at=(0.0, 0.0), count=FISHES, spread=14.0)
        self.place, self.landed = np.zeros(2), 0
        self.hook = self.world.add_hook(self.place, depth=DEPTH)
        self.bitten: Creature | None = None
        self.world.on("hooked", self.bite)

    def bite(self, event: Any) -> None:
        """Somebody hangs on the hook."""
        self.bitten = event.creature

    def cast(self) -> None:
        """Hang a new hook with bait."""
        if self.hook.exists:
            self.hook.remove()
        self.hook = self.world.add_hook(self.place, depth=DEPTH)

    def reel(self, pulls: bool) -> None:
        """Take the line in, or stop."""
        if self.hook.exists:
            self.hook.reel(REEL if pulls else 0.0)

    def update(self, seconds: float) -> None:
        self.world.update(seconds)
        if self.bitten is not None and not self.bitten.in_world:
            self.bitten = None
        if self.bitten is not None and self.bitten.position[2] > -LANDED:
            self.landed += 1
            self.bitten.despawn()
            self.bitten = None
            self.cast()


def play(frames: int | None = None) -> Game:
    """Open the host's window and run; `frames` ends the game after so many."""
    import pygame

    pygame.display.init()
    screen, clock, game = pygame.display.set_mode(SIZE), pygame.time.Clock(), Game()
    camera = Camera(SIZE, pixels_per_unit=16.0)
    try:
        while frames is None or frames > 0:
            seconds = clock.tick(FRAMES_PER_SECOND) / 1000.0 if frames is None else 1.0 / FRAMES_PER_SECOND
            for event in pygame.event.get():
                if event.type == pygame.QUIT:
                    return game
                if event.type == pygame.KEYDOWN and event.key == pygame.K_RETURN:
                    game.cast()
            keys = pygame.key.get_pressed()
            game.reel(bool(keys[pygame.K_SPACE]))
            way = (keys[pygame.K_RIGHT] - keys[pygame.K_LEFT], keys[pygame.K_UP] - keys[pygame.K_DOWN])
            game.place = np.clip(game.place + 8.0 * seconds * np.array(way), (-25.0, -15.0), (25.0, 15.0))
            game.update(seconds)
            game.world.draw(screen, camera)
            x, y = camera.to_screen(game.place[None])[0]  # the host's own drawing on top: where the next hook goes
            pygame.draw.circle(screen, (230, 70, 50), (int(x), int(y)), 6, 2)
            pygame.display.set_caption(f"landed {game.landed}" + (": it bites, hold Space" if game.bitten else ""))
            pygame.display.flip()
            frames = None if frames is None else frames - 1
    finally:
        pygame.display.quit()
    return game


def build_world() -> World:
    """For the tests: ten frames of the game, drawn into whatever display there is."""
    return play(frames=10).world


def check(world: World) -> None:
    """One fish bites, it alone, and it comes to the surface; the others live on."""
    assert world.tick >= 10
    game, heard = Game(), []
    game.world.on("hooked", heard.append)
    while not heard and game.world.time < 60.0:
        game.update(1.0 / FRAMES_PER_SECOND)
    assert len(heard) == 1, "nobody bites"
    assert game.hook.hooked is game.bitten
    assert not game.hook.bait
    others = [fish for fish in game.fishes if fish is not game.bitten]
    end = game.world.time + 20.0
    while not game.landed and game.world.time < end:
        game.reel(True)
        game.update(1.0 / FRAMES_PER_SECOND)
    assert game.landed == 1, "it does not come up"
    assert all(fish.in_world and not fish.dead for fish in others)


if __name__ == "__main__":
    play(int(sys.argv[1]) if len(sys.argv) > 1 else None)
