"""Recording what the window shows into a GIF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

FRAMES_PER_SECOND = 20
CLIP_WIDTH = 640
LONGEST_SECONDS = 15.0


class Recorder:
    """Collects small frames while it runs; `stop` writes them.

    Example::

        recorder.start()
        recorder.capture(screen, seconds)      # once per frame
        recorder.stop(Path("walk.gif"))
    """

    def __init__(self) -> None:
        self.running = False
        self._frames: list[NDArray[np.uint32]] = []
        self._due = 0.0

    @property
    def seconds(self) -> float:
        return len(self._frames) / FRAMES_PER_SECOND

    @property
    def full(self) -> bool:
        """A clip is as long as it may get."""
        return self.seconds >= LONGEST_SECONDS

    def start(self) -> None:
        self.running, self._frames, self._due = True, [], 0.0

    def capture(self, screen: Any, seconds: float) -> None:
        """Keep the picture if one is due."""
        if not self.running or self.full:
            return
        self._due -= seconds
        if self._due <= 0.0:
            self._due = max(self._due + 1.0 / FRAMES_PER_SECOND, 0.0)
            self._add(thumbnail(packed_pixels(screen)))

    def stop(self, path: Path) -> Path | None:
        """Write the clip, if there is anything in it, and forget the frames."""
        from ..systems.render.output.clip import save_clip

        frames, self._frames, self.running = self._frames, [], False
        if not frames:
            return None
        path.parent.mkdir(parents=True, exist_ok=True)
        save_clip(path, frames, FRAMES_PER_SECOND)
        return path

    def _add(self, frame: NDArray[np.uint32]) -> None:
        if self._frames and frame.shape != self._frames[0].shape:
            self._frames = []  # the window changed its size: the clip begins anew
        self._frames.append(frame)


def packed_pixels(screen: Any) -> NDArray[np.uint32]:
    """(height, width) 0xRRGGBB of a surface."""
    pixels = pygame.surfarray.array3d(screen).astype(np.uint32)
    return ((pixels[..., 0] << 16) | (pixels[..., 1] << 8) | pixels[..., 2]).astype(np.uint32).T


def thumbnail(pixels: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Every n-th pixel, so that the picture is about as wide as a clip."""
    step = max(1, pixels.shape[1] // CLIP_WIDTH)
    return pixels[::step, ::step].copy()
