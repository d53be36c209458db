"""What a silverside of a school sees: colours, who is who, how far away. [Tu99 6.3.3, 6.7]"""

from __future__ import annotations

import sys

import numpy as np

from paludarium import World
from paludarium.engine.creature import Creature
from paludarium.examples.figure_chart import save
from paludarium.systems.fish.eye_view.eye_image import eye_picture

SIZE = 256
KINDS = ("colour", "identity", "range")
SCHOOL = 24


def build_world() -> World:
    """A school over the sand of a reef, and a shark."""
    world = World(seed=5, map="reef", populate=False)
    world.spawn("silverside", at=(0.0, 0.0), count=SCHOOL, spread=10.0)
    world.spawn("reef_shark", at=(34.0, 0.0), heading=np.pi)
    return world


def looker(world: World) -> Creature:
    """The fish of the school that sees most of the others ahead of it."""
    school = [creature for creature in world.creatures.values() if creature.species.key == "silverside"]
    return max(school, key=lambda fish: np.unique(fish.eye_image(48, "identity").reshape(-1, 3), axis=0).shape[0])


def main(file: str | None = None) -> None:
    world = build_world()
    world.step(150)
    fish = looker(world)
    images = np.concatenate([eye_picture(fish, kind, SIZE) for kind in KINDS], axis=1).astype(np.uint32)
    print(save("fish_eye.png", images[..., 0] << 16 | images[..., 1] << 8 | images[..., 2], file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
