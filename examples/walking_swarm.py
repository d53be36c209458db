"""Many centipedes on rolling ground: the same density whatever the number, so that costs can be compared."""

from __future__ import annotations

import math

import numpy as np

from paludarium import Map, World

LANE = (40.0, 10.0)
"""Units of map per animal along and across: a body of 36 with a gap, and room between the legs of neighbours."""


def build_world(count: int = 20, tier: str = "full", precision: str = "float64", seed: int = 1) -> World:
    columns = math.ceil(math.sqrt(count * LANE[1] / LANE[0]))
    rows = math.ceil(count / columns)
    width, height = columns * LANE[0] + LANE[0], rows * LANE[1] + LANE[0]
    world = World(seed=seed, precision=precision, map=Map.define(
        name="swarm", area={"width_u": width, "height_u": height},
        terrain={"kind": "noise", "amplitude": 0.6, "scale": 18.0, "octaves": 2, "spacing": 0.5},
    ))  # fmt: skip
    for place in range(count):
        x = (place % columns + 1) * LANE[0] - width / 2
        y = (place // columns + 0.5) * LANE[1] - rows * LANE[1] / 2
        world.spawn("stone_centipede", at=(x, y), heading=0.0, tier=tier)
    return world


def check(world: World) -> None:
    """Everybody is on its feet or finding them, and nobody is a NaN."""
    for creature in world.creatures.values():
        assert np.isfinite(creature.position).all()
        assert creature.gait.stance_share > 0.2, creature.name


def main() -> None:
    world = build_world()
    world.step(300)
    check(world)
    print(f"{len(world.creatures)} centipedes walked for {world.time:.0f} s")


if __name__ == "__main__":
    main()
