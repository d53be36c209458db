"""A whole little game in plain pygame: the host owns window, loop and score; the creatures are guests."""

from __future__ import annotations

import sys

from paludarium import Camera, World

SIZE = (960, 540)
FRAMES_PER_SECOND = 60


class Game:
    """Keep the fruit from being eaten: the mouse leads one centipede away from it."""

    def __init__(self) -> None:
        self.world = World(seed=7, precision="float32")
        self.swarm = self.world.spawn("pauropod", count=4, at=(0.0, 0.0), spread=12.0)
        for place in ((8.0, 4.0), (-9.0, 6.0), (3.0, -9.0)):
            self.world.add_food(place)
        self.eaten = 0
        self.world.on("ate", self.lose_fruit)
        self.camera = Camera(SIZE, pixels_per_unit=18.0)

    def lose_fruit(self, _event: object) -> None:
        self.eaten += 1

    def frame(self, surface: object, mouse: tuple[int, int], seconds: float) -> None:
        self.swarm[0].goto(self.camera.to_world(mouse))
        self.world.update(seconds)
        self.world.draw(surface, self.camera)


def play(frames: int | None = None) -> Game:
    """Open the host's window and run; `frames` ends the game after so many."""
    import pygame

    pygame.display.init()
    screen, clock, game = pygame.display.set_mode(SIZE), pygame.time.Clock(), Game()
    try:
        while frames is None or frames > 0:
            if any(event.type == pygame.QUIT for event in pygame.event.get()):
                break
            seconds = clock.tick(FRAMES_PER_SECOND) / 1000.0 if frames is None else 1.0 / FRAMES_PER_SECOND
            game.frame(screen, pygame.mouse.get_pos(), seconds)
            pygame.display.set_caption(f"eaten: {game.eaten}")
            pygame.display.flip()
            frames = None if frames is None else frames - 1
    finally:
        pygame.display.quit()
    return game


def build_world() -> World:
    """For the tests: thirty frames of the game, drawn into whatever display there is."""
    return play(frames=30).world


def check(world: World) -> None:
    """Thirty frames were thirty ticks, and the led one has an order."""
    assert world.tick >= 30
    assert next(iter(world.creatures.values())).brain.goal.name == "GOTO"


if __name__ == "__main__":
    play(int(sys.argv[1]) if len(sys.argv) > 1 else None)
