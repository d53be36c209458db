"""A centipede falls, finds its feet and walks off: leg states from the fall to the wave. [Fang15 Fig. 4.4]"""

from __future__ import annotations

import sys

import numpy as np

from paludarium import LegState, Map, World
from paludarium.examples.figure_chart import leg_chart, photograph, record, save

SECONDS = 8
WIDTH = 1200


def build_world() -> World:
    """Three units above the ground, told to walk as soon as it can."""
    world = World(seed=1, map=Map.define(name="drop", area={"width_u": 160, "height_u": 60}))
    world.spawn("stone_centipede", at=(10.0, 0.0, 4.0)).control(2.0, 0.0)
    return world


def check(world: World) -> None:
    """After eight seconds it is on its feet and walks at the ordered speed."""
    creature = next(iter(world.creatures.values()))
    assert creature.gait.stance_share > 0.7
    assert abs(creature.segments.velocity[0, 0] - 2.0) < 0.01
    assert np.abs(creature.segments.position[:, 2] - 1.0).max() < 0.02


def check_states(states: np.ndarray) -> None:
    """No leg stands in the air; in the end every leg comes to stand a quarter of a second after the one in front."""
    standing = states == LegState.STANCE
    assert not standing[:36].any()
    landed = standing[1:] & ~standing[:-1]
    last = [int(np.flatnonzero(landed[:, pair, 0])[-1]) for pair in range(states.shape[1])]
    assert np.median(np.diff(last) % 76) == 15  # ticks; a cycle has 76


def main(file: str | None = None) -> None:
    world = build_world()
    creature = next(iter(world.creatures.values()))
    states = record(world, creature, 60 * SECONDS)
    check(world)
    check_states(states)
    x, y = creature.segments.position[:, :2].mean(axis=0).tolist()
    view = photograph(world, (x, y), (WIDTH, 250), 29.0, states=True)
    print(save("drop.png", view, leg_chart(states, WIDTH), file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
