"""A host game with an esper world of its own: both live in one process, and neither notices the other."""

from __future__ import annotations

from dataclasses import dataclass

import esper

from paludarium import World

HOST = "host game"


@dataclass
class Score:
    """A component of the host's own."""

    meals: int = 0


class Bell(esper.Processor):
    """A processor of the host's own; it must only ever see the host's entities."""

    def __init__(self) -> None:
        self.rung = 0

    def process(self) -> None:
        self.rung += len(esper.get_component(Score))


class Game:
    """The host: its own context, its own entities, and a paludarium beside them."""

    def __init__(self) -> None:
        before = esper.current_world
        esper.switch_world(HOST)
        esper.clear_database()
        self.score = Score()
        self.bell = Bell()
        esper.add_processor(self.bell)
        esper.create_entity(self.score)
        self.world = World(seed=3)
        self.world.spawn("pauropod", at=(0.0, 0.0))
        self.world.add_food((5.0, 0.0))
        self.world.on("ate", self.count)
        assert esper.current_world == HOST  # building and spawning left the host's context active
        esper.switch_world(before)

    def count(self, _event: object) -> None:
        self.score.meals += 1

    def frame(self) -> None:
        before = esper.current_world
        esper.switch_world(HOST)
        esper.process()
        self.world.step()
        esper.switch_world(before)


def build_world() -> World:
    """For the tests: a game that has run for ten seconds, and its world."""
    game = Game()
    for _ in range(600):
        game.frame()
    assert game.bell.rung == 600
    assert game.score.meals == 1
    return game.world


def check(world: World) -> None:
    """The creature lives in our context, not in the host's."""
    with world.ecs:
        assert len(list(esper.get_entities())) == 1


def main() -> None:
    world = build_world()
    check(world)
    print("the host counted one meal and saw only its own entities")


if __name__ == "__main__":
    main()
