"""Sounds, made of noise and sines when the demo starts. Without a device they are simply not there."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pygame

from ..components.leg_states import LegState
from ..components.legs import LegPool
from ..components.segments import SegmentPool
from ..engine.pool import NO_OWNER

if TYPE_CHECKING:
    from ..engine.pool import Array, Pool
    from ..engine.world import World

log = logging.getLogger(__name__)

RATE = 22050  # samples per second
CHANNELS = 8
VOLUMES = (0.0, 0.35, 0.8)
LOUDEST = 2**15 - 1
STEPS_FOR_ALL = 12  # feet set down in one frame that make the patter as loud as it gets
SPLASH_SEGMENTS = 2  # segments that cross the surface in one frame and can be heard
NOISE_SEED = 5


class Sounds:
    """Plays sounds by name; does nothing, and says nothing, where there is no sound.

    Example::

        sounds = Sounds.open()
        sounds.play("eat")
    """

    def __init__(self, samples: dict[str, Any]) -> None:
        self._samples = samples
        self._place = 1 if samples else 0
        self._wet_before = 0

    @classmethod
    def open(cls) -> Sounds:
        """Find a device; without one, or without a mixer, the sounds are silent."""
        try:
            if not os.environ.get("SDL_AUDIODRIVER") and not _has_device():
                return cls({})
            pygame.mixer.init(RATE, -16, 1, 512)
            pygame.mixer.set_num_channels(CHANNELS)
            return cls({name: pygame.mixer.Sound(buffer=_bytes(make())) for name, make in RECIPES.items()})
        except (pygame.error, NotImplementedError, OSError) as problem:
            log.info("no sound: %s", problem)
            return cls({})

    @property
    def available(self) -> bool:
        return bool(self._samples)

    @property
    def volume(self) -> float:
        return VOLUMES[self._place]

    def louder(self) -> str:
        """Go to the next volume, round and round; returns what to tell the player."""
        if not self.available:
            return "no sound device found"
        self._place = (self._place + 1) % len(VOLUMES)
        return f"sound {self.volume:.0%}"

    def play(self, name: str, loudness: float = 1.0) -> None:
        if not self.volume or not self._samples:
            return
        channel = self._samples[name].play()
        if channel is not None:  # all channels are busy: one sound more would not be heard
            channel.set_volume(self.volume * min(loudness, 1.0))

    def listen(self, world: World, bounds: tuple[float, float, float, float]) -> None:
        """Play what feet and bodies in view have done in the last tick, whosever they are."""
        if not self.volume:
            return
        legs, segments = world.pool(LegPool), world.pool(SegmentPool)
        set_down = _owned(legs, "entered") & (legs.state[: legs.end] == LegState.STANCE)  # a dead leg's flag stays as it was
        steps = _count_inside(np.flatnonzero(set_down), legs.tip, bounds)
        if steps:
            self.play("step", 0.15 + 0.85 * steps / STEPS_FOR_ALL)
        wet = _count_inside(np.flatnonzero(_owned(segments, "submerged")), segments.position, bounds)
        if abs(wet - self._wet_before) >= SPLASH_SEGMENTS:
            self.play("splash", 0.5)
        self._wet_before = wet

    def close(self) -> None:
        if self.available:
            pygame.mixer.quit()


def _has_device() -> bool:
    """Whether opening a device can work at all: on Linux a missing one makes libraries print to the terminal."""
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere"))
    places = (Path("/dev/snd"), runtime / "pulse", runtime / "pipewire-0")
    return not sys.platform.startswith("linux") or "PULSE_SERVER" in os.environ or any(map(Path.exists, places))


def _owned(pool: Pool, flag: str) -> Array:
    """Where a flag is set, in rows that have an owner."""
    flagged: Array = (getattr(pool, flag)[: pool.end] != 0) & (pool.owner[: pool.end] != NO_OWNER)
    return flagged


def _count_inside(rows: Array, points: Array, bounds: tuple[float, float, float, float]) -> int:
    if not rows.size:
        return 0
    west, south, east, north = bounds
    x, y = points[rows, 0], points[rows, 1]
    return int(np.count_nonzero((x > west) & (x < east) & (y > south) & (y < north)))


def _bytes(wave: Array) -> bytes:
    return (np.clip(wave, -1.0, 1.0) * LOUDEST).astype(np.int16).tobytes()


def _times(seconds: float) -> Array:
    return np.arange(int(seconds * RATE)) / RATE


def _noise(count: int) -> Array:
    return np.random.default_rng(NOISE_SEED).uniform(-1.0, 1.0, count)


def _smooth(wave: Array, samples: int) -> Array:
    return np.convolve(wave, np.ones(samples) / samples, mode="same")


def _step() -> Array:
    t = _times(0.03)
    return 0.5 * _smooth(_noise(t.size), 4) * np.exp(-160.0 * t)


def _splash() -> Array:
    t = _times(0.5)
    return 0.8 * _smooth(_noise(t.size), 9) * (1.0 - np.exp(-60.0 * t)) * np.exp(-8.0 * t)


def _eat() -> Array:
    t = _times(0.22)
    crunch = _smooth(_noise(t.size), 3) * (np.sin(2.0 * np.pi * 18.0 * t) > 0.2) * np.exp(-12.0 * t)
    return 0.35 * crunch + 0.25 * np.sin(2.0 * np.pi * (520.0 + 900.0 * t) * t) * np.exp(-14.0 * t)


def _grow() -> Array:
    t = _times(0.7)
    notes = sum(np.sin(2.0 * np.pi * pitch * t) * (t > start) * np.exp(-5.0 * np.maximum(t - start, 0.0))
                for pitch, start in ((392.0, 0.0), (523.0, 0.1), (659.0, 0.2)))  # fmt: skip
    return np.asarray(0.2 * notes)


def _thud() -> Array:
    t = _times(0.35)
    return 0.7 * np.sin(2.0 * np.pi * (90.0 - 80.0 * t) * t) * np.exp(-10.0 * t) + 0.2 * _step().mean()


RECIPES: dict[str, Callable[[], Array]] = {"step": _step, "splash": _splash, "eat": _eat, "grow": _grow, "thud": _thud}
