"""A centipede falls, finds its feet and walks off: leg states from the fall to the wave. [Fang15 Fig. 4.4]"""

from __future__ import annotations

import sys

import numpy as np

from paludarium import LegState, Map, World
from paludarium.examples.leg_chart import leg_chart, photograph, record, save

SECONDS = 8
WIDTH = 1200


def build_world() -> World:
    """Three units above the ground, told to walk as soon as it can."""
    world = World(seed=1, map=Map.define(name="drop", area={"width_u": 160, "height_u": 60}))
    world.spawn("stone_centipede", at=(10.0, 0.0, 4.0)).control(2.0, 0.0)
    return world


def check(states: np.ndarray) -> None:
    """Nobody stands in the air; after eight seconds every leg comes to stand later than the one in front of it."""
    standing = states == LegState.STANCE
    assert not standing[:36].any()
    landed = standing[1:] & ~standing[:-1]
    last = [int(np.flatnonzero(landed[:, pair, 0])[-1]) for pair in range(states.shape[1])]
    lag = np.diff(last) % 76
    assert np.median(lag) == 15, lag  # a quarter of a second


def main(file: str | None = None) -> None:
    world = build_world()
    creature = next(iter(world.creatures.values()))
    states = record(world, creature, 60 * SECONDS)
    check(states)
    x, y = creature.segments.position[:, :2].mean(axis=0).tolist()
    view = photograph(world, (x, y), (WIDTH, 250), 29.0, states=True)
    print(save("drop.png", view, leg_chart(states, WIDTH), file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
