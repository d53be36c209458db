"""A host game with an esper world of its own: both live in one process, and neither notices the other.

The host's entities point at our creatures by a component of their own; a processor of the host's moves its sprites.
"""

from __future__ import annotations

from dataclasses import dataclass

import esper

from paludarium import World
from paludarium.engine.creature import Creature

HOST = "host game"
FRAMES = 600


@dataclass
class Score:
    """A component of the host's own."""

    meals: int = 0


@dataclass
class Sprite:
    """A host entity that shows one of our creatures."""

    creature: Creature
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0


class FollowCreatures(esper.Processor):
    """The host's sprites go where the creatures are; a sprite whose creature has left is deleted."""

    def process(self) -> None:
        for entity, sprite in esper.get_component(Sprite):
            if not sprite.creature.in_world:
                esper.delete_entity(entity)
                continue
            sprite.x, sprite.y, _ = sprite.creature.position.tolist()
            sprite.angle = sprite.creature.heading


class Bell(esper.Processor):
    """Must only ever see the host's entities."""

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
        self.score, self.bell = Score(), Bell()
        for old in (Bell, FollowCreatures):  # of a game before this one
            esper.remove_processor(old)
        esper.add_processor(self.bell)
        esper.add_processor(FollowCreatures())
        esper.create_entity(self.score)
        self.world = World(seed=3)
        for place in ((0.0, 0.0), (0.0, 15.0)):
            esper.create_entity(Sprite(self.world.spawn("pauropod", at=place)))
        self.world.add_food((5.0, 0.0))
        self.world.on("ate", self.count)
        assert esper.current_world == HOST  # building and spawning left the host's context active
        esper.switch_world(before)

    def count(self, event: object) -> None:
        """Runs inside our step, but in the host's context: it may use esper as usual."""
        assert esper.current_world == HOST
        self.score.meals += 1
        esper.create_entity(("crumb", getattr(event, "food", None)))

    def frame(self) -> None:
        before = esper.current_world
        esper.switch_world(HOST)
        self.world.step()
        esper.process()
        esper.switch_world(before)

    def sprites(self) -> list[Sprite]:
        before = esper.current_world
        esper.switch_world(HOST)
        found = [sprite for _, sprite in esper.get_component(Sprite)]
        esper.switch_world(before)
        return found


def build_world() -> World:
    """For the tests: a game that has run for ten seconds, and its world."""
    game = Game()
    for _ in range(FRAMES):
        game.frame()
    assert game.bell.rung == FRAMES
    assert game.score.meals == 1
    for sprite in game.sprites():
        assert [sprite.x, sprite.y] == sprite.creature.position[:2].tolist()
    gone = game.sprites()[1].creature
    gone.despawn()
    game.frame()
    game.frame()
    assert len(game.sprites()) == 1
    return game.world


def check(world: World) -> None:
    """The creature lives in our context, not in the host's, and is found there by its parts."""
    from paludarium.components.legs import Legs

    with world.ecs:
        assert len(list(esper.get_entities())) == 1
        assert [len(legs) for _, legs in esper.get_component(Legs)] == [len(c.legs) for c in world.creatures.values()]


def main() -> None:
    world = build_world()
    check(world)
    print("the host counted one meal and saw only its own entities")


if __name__ == "__main__":
    main()
