"""Many centipedes on rolling ground: the same density whatever the number, so that costs can be compared."""

from __future__ import annotations

import math

import numpy as np

from paludarium import Map, World

ROOM = 400.0
"""Square units of map per animal: a body and its legs cover about a third of it."""


def build_world(count: int = 20, tier: str = "full", precision: str = "float64", seed: int = 1) -> World:
    side = max(math.sqrt(ROOM * count), 80.0)
    world = World(seed=seed, precision=precision, map=Map.define(
        name="swarm", area={"width_u": side, "height_u": side},
        terrain={"kind": "noise", "amplitude": 0.6, "scale": 18.0, "octaves": 2, "spacing": 0.5},
    ))  # fmt: skip
    columns = math.ceil(math.sqrt(count))
    for place in range(count):
        x = (place % columns + 0.9) * side / columns - side / 2
        y = (place // columns + 0.5) * side / columns - side / 2
        world.spawn("stone_centipede", at=(min(x, side / 2 - 1.0), y), heading=0.0, tier=tier)
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
