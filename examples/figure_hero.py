"""The README's pictures and clip, drawn from live worlds. ``python -m paludarium.examples.figure_hero [FOLDER]``"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from paludarium import Camera, World
from paludarium.engine.maps import Light, load_map
from paludarium.examples.figure_chart import rounded
from paludarium.systems.render.output.clip import save_clip
from paludarium.systems.render.output.image import save_png

SIZE = (1280, 720)
ZOOM = 20.0
CLIP_SIZE = (400, 225)
CLIP_ZOOM = 7.5
CLIP_SECONDS = 3.0
CLIP_RATE = 12
SEEN_EVERY = 6
"""Ticks between the moments the picture looks at feet while nobody draws; footprints need it."""

SWIM_SECONDS = 15.0
"""When the star of the pool has its tail on the beach, its middle afloat and its head on the island."""
WALK_SECONDS = 5.0


def build_world() -> World:
    """The pool between land and land: what this package is about."""
    return World(seed=7, map="tide_pool", precision="float32")


def build_forest() -> World:
    """The forest floor when the sun is low and fruit and fireflies shine."""
    floor = load_map("forest_floor")
    return World(seed=7, map=replace(floor, light=Light(time="dusk")), precision="float32")


def check(world: World) -> None:
    """The star of the picture is on its way."""
    star = next(iter(world.creatures.values()))
    assert np.linalg.norm(star.velocity) > 0.5


def check_between(world: World) -> None:
    """It stands on the beach with its tail and on the island with its head, and the water carries what is between."""
    star = next(iter(world.creatures.values()))
    depth = world.water.depth(star.segments.position[:, :2])
    assert depth[0] == 0.0
    assert depth[-1] < 0.5
    assert depth.max() > 1.5


def live(world: World, ticks: int) -> None:
    """Step and let the picture see the feet come down."""
    for _ in range(ticks // SEEN_EVERY):
        world.step(SEEN_EVERY)
        world.picture.scene()


def still(world: World, center: np.ndarray) -> np.ndarray:
    """A picture in the size of the README's."""
    view = Camera(SIZE, center=center, pixels_per_unit=ZOOM)
    return rounded(world.picture.frame(view, SIZE, still=True))


def clip(world: World) -> list[np.ndarray]:
    """The star swims the last stretch and climbs ashore."""
    star, frames = next(iter(world.creatures.values())), []
    camera = Camera(CLIP_SIZE, center=star.segments.position[5, :2], pixels_per_unit=CLIP_ZOOM)
    for _ in range(int(CLIP_SECONDS * CLIP_RATE)):
        world.step(world.tick_rate // CLIP_RATE)
        camera.follow(star.segments.position[5, :2], 1.0 / CLIP_RATE)
        frames.append(world.picture.frame(camera, CLIP_SIZE, still=True).copy())
    return frames


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    folder.mkdir(parents=True, exist_ok=True)
    pool = build_world()
    star = next(iter(pool.creatures.values()))
    live(pool, int((SWIM_SECONDS - CLIP_SECONDS) * pool.tick_rate))
    save_clip(folder / "walk.gif", clip(pool), CLIP_RATE)
    check(pool)
    check_between(pool)
    save_png(folder / "hero.png", still(pool, star.segments.position[:, :2].mean(axis=0)), level=9)
    forest = build_forest()
    live(forest, int(WALK_SECONDS * forest.tick_rate))
    check(forest)
    save_png(folder / "forest.png", still(forest, next(iter(forest.creatures.values())).segments.position[6, :2]), level=9)
    print(f"written: {folder / 'hero.png'}, {folder / 'forest.png'}, {folder / 'walk.gif'}")


if __name__ == "__main__":
    main()
