"""The worlds that ship, as a player sees them: with the scene's precision, tiers by its camera, and pictures of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from paludarium import Camera, World
from paludarium.game_demo.scenes import SCENES, Settings, build_scene

from .figures import Figures
from .world_watch import WorldWatch

MAPS = tuple(sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "assets" / "worlds").glob("*.toml")))
SIZE = (1280, 720)
PICTURE_SECONDS = (5, 60, 300)
"""When pictures are taken: at first sight, when one has looked around, and when one has stayed."""
PICTURE_SHRINK = 4
"""Of the pictures on the sheet."""


class Scene:
    """One world that ships, and its camera."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.scene = name, SCENES[name]
        self.world: World = build_scene(Settings(name, seed=seed))
        self.star = next(iter(self.world.creatures.values()), None)
        center = self.scene.view or (self.star.position[:2] if self.star is not None else (0.0, 0.0))
        self.camera = Camera(SIZE, center=center, pixels_per_unit=self.scene.pixels_per_unit)

    def follow(self, seconds: float) -> None:
        """Update camera and tiers as the demo does, when so much time has passed."""
        following = self.scene.view is None and self.star is not None and self.star.in_world
        if following and self.star is not None:
            self.camera.follow(self.star.position[:2], seconds)
        keep = [self.star] if following and self.star is not None else []
        self.scene.policy.apply(self.world, self.camera.center, self.camera.visible_bounds, keep)

    def picture(self) -> Any:
        """What the camera sees, as (height, width) pixels, on a quarter of the scale."""
        os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
        pixels = self.world.picture.frame(self.camera, SIZE, still=True)
        return np.ascontiguousarray(pixels[::PICTURE_SHRINK, ::PICTURE_SHRINK])


def watched(name: str, seed: int, seconds: float, each: Callable[[], None] = lambda: None, *,
            pictures: bool = False) -> tuple[Figures, list[Any]]:  # fmt: skip
    """Watch one world that ships; returns what happened, and its pictures if they are asked for."""
    scene = Scene(name, seed)
    watch, taken = WorldWatch(scene.world, lambda: scene.camera.visible_bounds), []
    begin = scene.world.time
    scene.follow(0.0)

    def look() -> None:
        scene.follow(1.0)
        if pictures and round(scene.world.time - begin) in PICTURE_SECONDS:
            taken.append(scene.picture())
        each()

    watch.run(seconds, look)
    return watch.figures(), taken
