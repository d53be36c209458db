"""Twenty centipedes in a pen, from above: the younger climbs over the older. Dots mark lifted segments."""

from __future__ import annotations

import sys

import numpy as np

from paludarium import World
from paludarium.components.myriapod.chain_segments import ChainSegmentPool, Lift
from paludarium.components.segments import SegmentPool
from paludarium.examples import crowd
from paludarium.examples.figure_chart import mark_path, photograph, save

SECONDS = 40
SIZE, SCALE = (840, 840), 13.5
CENTER = (0.0, 0.0)
DOT = 0xFFE27A
ON_A_BACK = 0.5  # units; segments lifted more than this are marked


def build_world() -> World:
    return crowd.build_world(seed=1, tier="bush")


def check(world: World) -> None:
    """Somebody is up on somebody, and nobody is inside anybody."""
    assert world.pool(ChainSegmentPool).live("lift")[:, Lift.HEIGHT].max() > 1.0
    crowd.check(world)


def main(file: str | None = None) -> None:
    world = build_world()
    world.step(SECONDS * world.tick_rate)
    check(world)
    view = photograph(world, CENTER, SIZE, SCALE)
    lifted = world.pool(ChainSegmentPool).live("lift")[:, Lift.HEIGHT] > ON_A_BACK
    mark_path(view, np.ascontiguousarray(world.pool(SegmentPool).live("position")[lifted]), CENTER, SCALE, DOT)
    print(save("crowd.png", view, file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
