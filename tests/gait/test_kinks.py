"""A kink that a head makes at a wall fades along the body; it does not grow until tissue is disturbed."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest

from paludarium import World

AHEAD = 14.0
"""Units between a head and the wall that it is driven against."""
SECONDS = 50
LARGEST_BEND = 0.45
"""rad, root of the mean square along the body; with hinges midway for all bends 0.41 to 0.69 and 30 to 114 reports."""


def bends(world: World, count: int) -> np.ndarray:
    w, x, y, z = next(iter(world.creatures.values())).segments.orientation.T
    assert w.size == count
    heading = np.unwrap(np.arctan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z)))
    return np.diff(heading)


@pytest.mark.parametrize(("species", "seed"), [("giant_centipede", 1), ("stone_centipede", 1), ("millipede", 1)])
def test_driven_along_a_wall_no_body_folds(species: str, seed: int) -> None:
    world = World(seed=seed, map="flat", populate=False)
    creature = world.spawn(species, at=(0, 0), heading=0.0)
    disturbed: list[object] = []
    world.on("tissue_disturbed", disturbed.append)
    world.step(120)
    x, y, heading = *creature.position[:2], creature.heading
    place = (float(x + AHEAD * cos(heading)), float(y + AHEAD * sin(heading)))
    world.add_obstacle("box", place, size=(1.0, 12.0), height=6.0, heading=heading)
    creature.control(speed=0.6, turn=0.0)
    sharpest = 0.0
    for _ in range(SECONDS):
        world.step(world.tick_rate)
        sharpest = max(sharpest, float(np.sqrt(np.mean(bends(world, len(creature.segments)) ** 2))))
    assert not disturbed
    assert 0.2 < sharpest < LARGEST_BEND, "it has met the wall, and the kink has faded"
