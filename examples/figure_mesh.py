"""A centipede walks around a lumpy ball of triangles, upside down too; the source has a skull. [Fang15 Fig. 6.2]"""

from __future__ import annotations

import sys

import numpy as np

from paludarium import Map, World
from paludarium.examples.figure_chart import leg_chart, photograph, record, save

SECONDS = 58
CHART_SECONDS = 8
WIDTH = 1200


def build_world() -> World:
    """A ball of radius 15 with lumps of up to a unit."""
    ground = {"kind": "mesh", "mesh": {"source": "lumpy_ball", "radius": 15}}
    world = World(seed=1, map=Map.define(name="ball", area={"width_u": 44, "height_u": 44, "edge": "open"}, terrain=ground))
    world.spawn("stone_centipede", at=(0.0, 0.0, 16.0)).control(2.0, 0.0)
    return world


def check(world: World) -> None:
    """The whole body is on its ride height above the surface, and the head is on the upper half again."""
    creature = next(iter(world.creatures.values()))
    assert np.abs(world.terrain.height(creature.segments.position) - 1.0).max() < 0.12
    assert creature.segments.position[0, 2] > 5.0


def main(file: str | None = None) -> None:
    world = build_world()
    creature = next(iter(world.creatures.values()))
    lowest, states = 0.0, []
    for _ in range(SECONDS):
        states.append(record(world, creature, 60))
        lowest = min(lowest, creature.segments.position[0, 2])
    check(world)
    assert lowest < -15.0  # it has been upside down
    view = photograph(world, (0.0, 0.0), (WIDTH, 900), 24.0)
    print(save("mesh.png", view, leg_chart(np.concatenate(states[-CHART_SECONDS:]), WIDTH), file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
