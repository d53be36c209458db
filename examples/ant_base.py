"""A colony around a player's base: ants bring what they find to the gates, and the game counts it.

The base is a nest with four gates, the walls between them are obstacles of the game's. A click drops fruit, the wind can be
turned up with W, and S tells every ant to stand or to go on. ``python -m paludarium.examples.ant_base``
"""

from __future__ import annotations

import sys

import numpy as np

from paludarium import Camera, Map, World

SIZE = (960, 540)
FRAMES_PER_SECOND = 60
ANTS, GATES = 60, 4
WALL_AT, WALL_WIDTH, WALL_LENGTH = 9.0, 0.8, 5.0  # units from the middle, and of each piece of wall
FRUIT = 6.0  # amount of one that is dropped: thirty loads
SCORE_PER_LOAD = 10
WINDS = (0.0, 0.8, 1.6)  # weights of an ant


class Game:
    """Rules and state; knows no window, so it can be tested without one."""

    def __init__(self, seed: int = 7) -> None:
        meadow = Map.define(name="base", area={"width_u": 80, "height_u": 60},
                            terrain={"kind": "noise", "amplitude": 0.4, "scale": 14.0})  # fmt: skip
        self.world = World(seed=seed, map=meadow, precision="float32")
        self.base = self.world.add_nest((0, 0), entrances=GATES, spread=5.0)
        self.walls = (np.arange(GATES) + 0.5) * 2.0 * np.pi / GATES  # where they are: between two gates
        for turn in self.walls:
            at = WALL_AT * np.array([np.cos(turn), np.sin(turn)])
            self.world.add_obstacle("box", at, size=(WALL_WIDTH, WALL_LENGTH), height=1.5, heading=turn)
        self.ants = self.world.spawn("worker_ant", count=ANTS, spread=16.0)
        self.score, self.standing, self.gale = 0, False, 0
        self.world.on("stored", self._paid)
        for place in ((16, 0), (-14, 6), (0, -14)):
            self.drop_fruit(place)

    def _paid(self, _event: object) -> None:
        self.score += SCORE_PER_LOAD

    def drop_fruit(self, place: tuple[float, float]) -> None:
        """What a click does."""
        self.world.add_food(place, amount=FRUIT)

    def halt(self) -> None:
        """Everybody stands, or goes on with what it was about."""
        self.standing = not self.standing
        for ant in self.ants:
            if ant.in_world:
                ant.stop() if self.standing else ant.go()

    def inside_walls(self) -> int:
        """How many ants have their heads in a wall."""
        heads, count = np.array([ant.position[:2] for ant in self.ants]), 0
        for turn in self.walls:
            ahead = np.array([np.cos(turn), np.sin(turn)])
            across, along = heads @ ahead - WALL_AT, heads @ np.array([-ahead[1], ahead[0]])
            count += int(((np.abs(across) < 0.5 * WALL_WIDTH) & (np.abs(along) < 0.5 * WALL_LENGTH)).sum())
        return count

    def more_wind(self) -> None:
        """From calm to a gale and back to calm."""
        self.gale = (self.gale + 1) % len(WINDS)
        self.world.set_wind(direction=0.6, strength=WINDS[self.gale], gusts=0.4)


def build_world() -> World:
    """The base with its ants, and fruit on three sides of it."""
    return Game().world


def check(world: World) -> None:
    """Loads come in and are paid, no ant walks through the walls, all stand when told to, in the wind too, and go on."""
    game = Game()
    for _ in range(60):
        game.world.step(60)
        assert game.inside_walls() <= 1  # of sixty: a head that turns beside a wall may swing into it
        if game.base.loads >= 3:
            break
    assert game.base.loads >= 3
    assert game.score == SCORE_PER_LOAD * game.base.loads
    game.more_wind()
    game.halt()
    game.world.step(60)
    before = np.array([ant.position for ant in game.ants])
    feet = np.array([ant.legs.tip for ant in game.ants])
    game.world.step(30)
    moved = np.abs(np.array([ant.legs.tip for ant in game.ants]) - feet)
    assert np.median(moved) < 0.001  # the wind leans on them, their feet hold
    game.halt()
    game.world.step(60)
    assert np.median(np.linalg.norm(np.array([ant.position for ant in game.ants]) - before, axis=1)) > 0.5
    assert world.tick > 0


def main() -> int:
    """Play it."""
    import pygame

    pygame.init()
    screen, clock, game = pygame.display.set_mode(SIZE), pygame.time.Clock(), Game()
    camera, font = Camera(SIZE, (0.0, 0.0), 20.0), pygame.font.Font(None, 28)
    while True:
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
                pygame.quit()
                return 0
            if event.type == pygame.MOUSEBUTTONDOWN:
                x, y = camera.to_world(event.pos)
                game.drop_fruit((float(x), float(y)))
            if event.type == pygame.KEYDOWN and event.key == pygame.K_s:
                game.halt()
            if event.type == pygame.KEYDOWN and event.key == pygame.K_w:
                game.more_wind()
        game.world.update(clock.tick(FRAMES_PER_SECOND) / 1000.0)
        game.world.draw(screen, camera)
        screen.blit(font.render(f"score {game.score}", True, (255, 255, 240)), (16, 12))
        pygame.display.flip()


if __name__ == "__main__":
    sys.exit(main())
