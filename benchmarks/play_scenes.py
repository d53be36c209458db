"""Whole frames of the demo: events, tick, picture, what is written over it, and the way to the screen."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

SIZE = (1280, 720)
FRAME_SECONDS = 1.0 / 60.0


@dataclass(frozen=True)
class PlayScene:
    """One scene of the demo, played by nobody, in full detail however late frames are."""

    name: str
    description: str
    scene: str
    warm_up_frames: int = 90
    frames: int = 60


def measure_playing(scene: PlayScene, repeats: int, report: Callable[[str], None]) -> dict[str, Any]:
    """Microseconds of work in a frame: the fastest of several runs; and of all frames, the share that came late."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from ..game_demo.headless import has_display
    from ..game_demo.scenes import Settings
    from ..game_demo.window import Demo

    if not has_display():
        os.environ["SDL_VIDEODRIVER"] = "dummy"
    demo = Demo(SIZE, Settings(scene.scene))
    try:
        report("warming up")
        _frames(demo, scene.warm_up_frames)
        runs = []
        for _ in range(repeats):
            runs.append(_frames(demo, scene.frames))
            report("measuring")
        population = len(demo.place.world.creatures)
    finally:
        demo.close()
    best = min(float(np.mean(run)) for run in runs)
    late = float(np.mean(np.concatenate(runs) > FRAME_SECONDS))
    return {"us_per_frame": best * 1e6, "frames_per_s": 1.0 / best, "late": late, "population": population}


def _frames(demo: Any, count: int) -> list[float]:
    """Seconds of work in each of some frames. As much time passes in the world as a screen at 60 frames per second gives."""
    seconds = []
    for _ in range(count):
        demo.place.picture.detail = demo.place.governor.level = 0
        start = perf_counter()
        demo.frame(FRAME_SECONDS)
        seconds.append(perf_counter() - start)
    return seconds


_ALL = [
    PlayScene("play_forest_floor", "whole frames of the demo's default scene at 1280x720, in full detail", "forest_floor"),
    PlayScene("play_tide_pool", "whole frames of the tide pool", "tide_pool"),
    PlayScene("play_rainy_pond", "whole frames of the rainy pond", "rainy_pond"),
    PlayScene("play_hunt", "whole frames of the hunt", "hunt"),
    PlayScene("play_swarm", "whole frames of the swarm", "swarm", frames=30),
]
PLAY_SCENES = {scene.name: scene for scene in _ALL}
