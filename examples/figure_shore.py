"""Into the water and out of it as one motion: a strip of the way in beside one of the way out. [Fang15 Fig. 6.5, 6.6]

Below the surface nothing but the head is led, until four fifths float: what is wet beats, what is dry walks.
"""

from __future__ import annotations

import sys

import numpy as np

from paludarium import BodyMode, Map, World
from paludarium.engine.creature import Creature
from paludarium.examples.figure_chart import Pixels, photograph, save

POOL = 26.0
"""Units from the middle of the pool to its shore."""
SIZE = (300, 84)
ZOOM = 5.6
"""Pixels per unit: a body of 37 units and its shore fit into a frame."""
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Of the segments that are in the water on the way in, and out of it on the way out, when a picture is taken."""
BESIDE_THE_SHORE = 5.0
"""Units from the shore to the middle of the frames, toward the water."""
MOST_SECONDS = 60


def build_world() -> World:
    """A round pool; its banks are the sides of one hollow."""
    return World(seed=1, map=Map.define(
        name="pool", area={"width_u": 160, "height_u": 90},
        terrain={"kind": "gaussians", "elevation": 2.0, "hills": [[0, 0, -7.0, POOL / 1.58]]},
        water=[{"bounds": [-POOL - 8, -40, POOL + 8, 40], "level_u": 0.0, "cell_u": 0.6, "level_hold_per_s": 0.2}],
    ))  # fmt: skip


def led_in_water(creature: Creature) -> int:
    """How many of its segments behind the head are under water and yet moved by anything but the dynamics."""
    return int((creature.chain_segments.led & creature.segments.submerged)[1:].sum())


def strip(world: World, creature: Creature, side: float, *, inward: bool) -> list[Pixels]:
    """Pictures of one shore, one for each share of the body that has crossed it."""
    frames: list[Pixels] = []
    waiting = list(SHARES)
    for _ in range(world.tick_rate * MOST_SECONDS):
        world.step()
        assert led_in_water(creature) == 0
        wet = float(np.mean(creature.segments.submerged))
        begun = inward or creature.body_mode == BodyMode.WATER_TO_GROUND
        if begun and (wet if inward else 1.0 - wet) >= waiting[0]:
            waiting.pop(0)
            frames.append(photograph(world, (side * (POOL - BESIDE_THE_SHORE), 0.0), SIZE, ZOOM))
        if not waiting:
            break
    assert not waiting, f"it never came to {waiting[0]}"
    return frames


def main(file: str | None = None) -> None:
    world = build_world()
    creature = world.spawn("giant_centipede", at=(-POOL - 2.0, 0.0))
    creature.goto((POOL + 44.0, 0.0), speed=3.0)
    walks_in = strip(world, creature, -1.0, inward=True)
    climbs_out = strip(world, creature, 1.0, inward=False)
    rows = [np.concatenate(pair, axis=1) for pair in zip(walks_in, climbs_out, strict=True)]
    print(save("shore.png", *rows, file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
