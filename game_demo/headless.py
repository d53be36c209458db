"""Playing without a window: the same pictures, written to files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..engine.creature import Creature
from ..engine.world import World
from ..systems.render.scene.camera import Camera
from ..systems.tiers.policy import TierPolicy
from .progress import Progress

FRAMES_PER_SECOND = 20
CLIP_WIDTH = 640


def has_display() -> bool:
    """Whether a window can be opened here."""
    if os.environ.get("SDL_VIDEODRIVER") == "dummy":
        return False
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def record(
    world: World, camera: Camera, size: tuple[int, int], ticks: int, target: Path,
    star: Callable[[], Creature | None] = lambda: None, policy: TierPolicy | None = None,
) -> list[Path]:
    """Step a world, draw it, and write a clip and the last frame. Returns the files.

    The camera follows the creature that `star` names at the moment: in a hunt the player gets new bodies.
    """
    from ..systems.render.output.clip import save_clip
    from ..systems.render.output.image import save_png

    picture = world.picture
    every = max(1, world.tick_rate // FRAMES_PER_SECOND)
    frames = []
    with Progress("drawing", total=ticks) as bar:
        for done in range(0, ticks, every):
            follow = star()
            if policy is not None:
                policy.apply(world, camera.center, camera.visible_bounds, [follow] if follow is not None else [])
            now = min(every, ticks - done)
            world.step(now)
            if follow is not None and follow.in_world:
                camera.follow(follow.position[:2], now / world.tick_rate)
            frames.append(_thumbnail(picture.frame(camera, size, still=True)))
            bar.advance(f"{world.time:.1f} s", now)
    target.parent.mkdir(parents=True, exist_ok=True)
    png = target.with_suffix(".png")
    save_png(png, picture.frame(camera, size, still=True))
    clip = target.with_suffix(".gif")
    save_clip(clip, frames, FRAMES_PER_SECOND)
    return [png, clip]


def _thumbnail(pixels: Any) -> Any:
    step = max(1, pixels.shape[1] // CLIP_WIDTH)
    return pixels[::step, ::step].copy()
