"""The README's pictures and clip, drawn from live worlds. ``python -m paludarium.examples.figure_hero [FOLDER]``"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from paludarium import Camera, World
from paludarium.systems.render.clip import save_clip
from paludarium.systems.render.image import save_png

SIZE = (1280, 720)
CLIP_SIZE = (400, 225)
CLIP_SECONDS = 3.0
CLIP_RATE = 12
SEEN_EVERY = 6
"""Ticks between the moments the picture looks at feet while nobody draws; footprints need it."""

WATER_RAIN = 12.0
"""Drops per second on the whole pool."""


def build_world() -> World:
    return World(seed=7, map="forest_floor", precision="float32")


def build_water() -> World:
    """A centipede wades through the tide pool in light rain."""
    world = World(seed=7, map="tide_pool", precision="float32")
    world.water.grids[0].rain_rate = WATER_RAIN
    return world


def check(world: World) -> None:
    """The star of the picture walks."""
    star = next(iter(world.creatures.values()))
    assert np.linalg.norm(star.velocity) > 0.5


def live(world: World, ticks: int) -> None:
    """Step and let the picture see the feet come down."""
    for _ in range(ticks // SEEN_EVERY):
        world.step(SEEN_EVERY)
        world.resources["picture"].scene()


def wettest(world: World) -> np.ndarray:
    """The middle of the creature that is deepest in the water."""
    depths = [world.water.depth(creature.segments.position[:, :2]).mean() for creature in world.creatures.values()]
    star = list(world.creatures.values())[int(np.argmax(depths))]
    return star.segments.position[:, :2].mean(axis=0)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    folder.mkdir(parents=True, exist_ok=True)
    world = build_world()
    star = next(iter(world.creatures.values()))
    live(world, 300)
    check(world)
    picture = world.resources["picture"]
    middle = star.segments.position[6, :2]
    save_png(folder / "hero.png", picture.frame(Camera(SIZE, center=middle, pixels_per_unit=18.0), SIZE, still=True))
    camera = Camera(CLIP_SIZE, center=star.position[:2], pixels_per_unit=9.0)
    frames = []
    for _ in range(int(CLIP_SECONDS * CLIP_RATE)):
        world.step(world.tick_rate // CLIP_RATE)
        camera.follow(star.position[:2], 1.0 / CLIP_RATE)
        frames.append(picture.frame(camera, CLIP_SIZE, still=True).copy())
    save_clip(folder / "walk.gif", frames, CLIP_RATE)
    pool = build_water()
    live(pool, 300)
    view = Camera(SIZE, center=wettest(pool), pixels_per_unit=18.0)
    save_png(folder / "water.png", pool.resources["picture"].frame(view, SIZE, still=True))
    print(f"written: {folder / 'hero.png'}, {folder / 'water.png'}, {folder / 'walk.gif'}")


if __name__ == "__main__":
    main()
