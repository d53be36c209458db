"""Several swimmers in the rain, each on its own errand: hunting by sight, turning from the shore. [Fang15 Fig. 5.13]

The world is the map `rainy_pond`. ``python -m paludarium.examples.figure_rainy_pool [FILE]``
"""

from __future__ import annotations

import sys

import numpy as np

from paludarium import World
from paludarium.examples.figure_chart import photograph, save

SECONDS = 14
SIZE, SCALE, CENTER = (1280, 900), 8.4, (0.0, -2.0)


def build_world() -> World:
    return World(seed=4, map="rainy_pond", precision="float32")


def check(world: World) -> None:
    """All of them swim, none has left the water, and the rain has stirred all of it."""
    swimmers = [creature for creature in world.creatures.values() if "vision" in creature.rows]
    assert len(swimmers) == 6
    for swimmer in swimmers:
        assert swimmer.muscles.swimming
        assert (world.water.depth(swimmer.segments.position) > 0.0).all()
    grid = world.water.grids[0]
    wet = grid.depth > 1.0
    assert np.abs(grid.surface[wet] - grid.level).mean() > 0.002


def main(file: str | None = None) -> None:
    world = build_world()
    world.step(60 * SECONDS)
    check(world)
    print(save("rainy_pool.png", photograph(world, CENTER, SIZE, SCALE), file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
