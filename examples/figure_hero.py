"""The README's picture and clip: the forest floor, live. ``python -m paludarium.examples.figure_hero [FOLDER]``"""

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


def build_world() -> World:
    return World(seed=7, map="forest_floor", precision="float32")


def check(world: World) -> None:
    """The star of the picture walks."""
    star = next(iter(world.creatures.values()))
    assert np.linalg.norm(star.velocity) > 0.5


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    folder.mkdir(parents=True, exist_ok=True)
    world = build_world()
    star = next(iter(world.creatures.values()))
    world.step(300)
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
    print(f"written: {folder / 'hero.png'}, {folder / 'walk.gif'}")


if __name__ == "__main__":
    main()
