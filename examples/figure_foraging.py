"""Five pieces of food in a zigzag, two rocks on the way: eaten one after the other. The dots are the way of the head."""

from __future__ import annotations

import sys

import numpy as np

from paludarium import Map, World
from paludarium.engine.props import FoodPool
from paludarium.examples.figure_chart import mark_path, photograph, save

PLACES = [(9.0 * (k + 1) - 22.0, 2.0 * (-1) ** k) for k in range(5)]
ROCKS = [(0.5, 0.0), (9.5, 0.0)]  # on the straight way between two pieces each
ROCK_RADIUS = 0.9
WIDTH, HEIGHT, SCALE = 1000, 300, 14.0
CENTER = (4.0, 0.0)
DOT = 0xF4F1E8


def build_world() -> World:
    """A hungry centipede with its head at the left and five pieces of food before it."""
    world = World(seed=1, map=Map.define(name="zigzag", area={"width_u": 160, "height_u": 60}))
    for place in PLACES:
        world.add_food(place)
    for rock in ROCKS:
        world.add_obstacle("sphere", rock, ROCK_RADIUS)
    world.spawn("stone_centipede", at=(-22.0, 0.0))
    return world


def check(world: World) -> None:
    """Nothing is left."""
    assert len(world.pool(FoodPool).spans) == 0


def main(file: str | None = None) -> None:
    world = build_world()
    creature = next(iter(world.creatures.values()))
    eaten: list[tuple[float, float]] = []
    world.on("ate", lambda event: eaten.append(tuple(event.food[:2])))
    path, views = [], []
    for _ in range(60):
        before = len(eaten)
        for _ in range(40):
            world.step()
            if world.tick % 8 == 0:
                path.append(creature.segments.position[0].copy())
        if (len(eaten) in (2, 5) and len(eaten) > before) or len(views) == 0:
            views.append(photograph(world, CENTER, (WIDTH, HEIGHT), SCALE))
            mark_path(views[-1], np.array(path), CENTER, SCALE, DOT)
        if len(eaten) == len(PLACES):
            break
    check(world)
    assert eaten == PLACES  # nearest first
    print(save("foraging.png", *views, file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
