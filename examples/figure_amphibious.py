"""Alone from a seed: a centipede walks into a pool, swims to an island, climbs out and walks on. [Fang15 Fig. 6.5, 6.6]"""

from __future__ import annotations

import sys

import numpy as np

from paludarium import BodyMode, Map, World
from paludarium.engine.creature import Creature
from paludarium.examples.figure_chart import photograph, save

MOST_SECONDS = 90
SIZE = (430, 236)
ZOOM = 9.3
"""Pixels per unit: a body of 37 units fits into a frame."""
STAGES = (
    (BodyMode.ON_GROUND, 0.0),
    (BodyMode.GROUND_TO_WATER, 6.0),
    (BodyMode.IN_WATER, 0.5),
    (BodyMode.IN_WATER, 2.5),
    (BodyMode.WATER_TO_GROUND, 3.0),
    (BodyMode.WATER_TO_GROUND, 6.5),
)
"""Mode and how many seconds after it begins the picture is taken."""
ISLAND = (0.0, 0.0)
SHORE = 8.5
"""Units from the middle of the island to where its ground leaves the water; checked against the terrain below."""


def build_world() -> World:
    """Fruit on an island; nobody tells the animal anything, it smells its way."""
    return World(seed=1, map=Map.define(
        name="island", area={"width_u": 180, "height_u": 110},
        terrain={"kind": "gaussians", "elevation": 2.2,
                 "hills": [[0, 0, -7.6, 38], [0, 0, 8.6, 7], [-66, 30, 2.0, 9], [-64, -34, 2.4, 10]]},
        water=[{"bounds": [-66, -54, 66, 54], "level_u": 0.0, "cell_u": 0.6, "level_hold_per_s": 0.2,
                "edge_south": "reflecting", "edge_north": "reflecting"}],
        food=[{"at_u": [2, 1], "amount": 40}],
    ))  # fmt: skip


def watch(world: World, creature: Creature) -> list[np.ndarray]:
    """Pictures of all stages, in the order in which the animal passes through them."""
    frames: list[np.ndarray] = []
    waiting, since, mode = list(STAGES), 0.0, BodyMode.IN_AIR
    for _ in range(world.tick_rate * MOST_SECONDS):
        world.step()
        if creature.body_mode != mode:
            mode, since = creature.body_mode, world.time
        if mode == waiting[0][0] and world.time - since >= waiting[0][1]:
            waiting.pop(0)
            x, y = creature.segments.position[:, :2].mean(axis=0).tolist()
            frames.append(photograph(world, (x, y), SIZE, ZOOM))
        if not waiting:
            break
    assert not waiting, f"it never came to {waiting[0]}"
    return frames


def check_on_the_island(world: World, creature: Creature) -> None:
    """The last pictures show the animal on the island, and not back on the beach it came from."""
    head = creature.segments.position[0]
    assert np.hypot(*(head[:2] - ISLAND)) < SHORE, f"its head is at {head}"
    assert world.terrain.elevation(head[None, :2])[0] > 0.0  # dry ground below, above the level of the water
    on_land = ~creature.segments.submerged
    assert on_land[0]
    assert on_land.sum() >= 2
    assert (np.hypot(*(creature.segments.position[on_land, :2] - ISLAND).T) < SHORE + 1.0).all()


def main(file: str | None = None) -> None:
    world = build_world()
    creature = world.spawn("giant_centipede", at=(-52.0, 4.0), heading=-0.1)
    frames = watch(world, creature)
    assert np.isfinite(creature.segments.position).all()
    check_on_the_island(world, creature)
    rows = [np.concatenate(frames[k : k + 2], axis=1) for k in range(0, len(frames), 2)]
    print(save("amphibious.png", *rows, file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
