"""A centipede crosses a field of random logs; the wave of its legs is disturbed and mends itself. [Fang15 Fig. 6.1]"""

from __future__ import annotations

import sys

from paludarium import Map, World
from paludarium.examples.figure_chart import leg_chart, photograph, record, save

SECONDS = 8
WIDTH = 1200
LOGS = {"kind": "random_cylinders", "count": 250, "area": [-30, -8, 30, 8]}


def build_world() -> World:
    """A field of 250 logs, a centipede in the middle of it."""
    ground = {"kind": "flat", "shapes": [LOGS]}
    world = World(seed=2, map=Map.define(name="logs", area={"width_u": 160, "height_u": 40}, terrain=ground))
    world.spawn("stone_centipede", at=(-33.0, 0.0)).control(2.0, 0.0)
    world.step(60 * 23)
    return world


def check(world: World) -> None:
    """No segment is in the ground, and most legs stand."""
    creature = next(iter(world.creatures.values()))
    assert world.terrain.height(creature.segments.position).min() > 0.5
    assert creature.gait.stance_share > 0.5


def main(file: str | None = None) -> None:
    world = build_world()
    creature = next(iter(world.creatures.values()))
    states = record(world, creature, 60 * SECONDS)
    check(world)
    x, y = creature.segments.position[:, :2].mean(axis=0).tolist()
    view = photograph(world, (x, y), (WIDTH, 460), 28.0)
    print(save("cylinders.png", view, leg_chart(states, WIDTH), file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
