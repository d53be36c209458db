"""Three bodies that are graphs of segments and tissue, all from species files: a bar, a lamp and a two-tailed walker.

[Fang15 Fig. 3.3] has the first two. The bar slides on without friction, the lamp swings below its fixed top.
"""

from __future__ import annotations

import sys

import numpy as np

from paludarium import World
from paludarium.examples.figure_chart import photograph, save

SIZE = (430, 236)


def build_world() -> World:
    """The three of them, apart from each other; somebody has pushed the bar and the lamp."""
    world = World(seed=1)
    world.spawn("slippery_bar", at=(-40.0, 0.0), heading=0.4).push((30.0, 22.0, 0.0), 0)
    lamp = world.spawn("ceiling_lamp", at=(0.0, 0.0, 8.0))
    lamp.push((6.0, 3.0, 0.0), 2)
    world.spawn("two_tailed", at=(40.0, 0.0))
    return world


def main() -> None:
    """Write docs/images/graphs.png, or the file named on the command line."""
    world = build_world()
    world.step(300)
    stills = []
    for creature, zoom in zip(world.creatures.values(), (16.0, 24.0, 13.0), strict=True):
        middle = creature.segments.position[:, :2].mean(axis=0)
        stills.append(photograph(world, (float(middle[0]), float(middle[1])), SIZE, zoom))
    print(save("graphs.png", np.concatenate(stills, axis=1), file=sys.argv[1] if len(sys.argv) > 1 else None))


if __name__ == "__main__":
    main()
