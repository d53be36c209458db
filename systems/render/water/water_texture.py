"""Two tileable textures behind the water: small ripples (slopes) and the light net on the bed."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from ..scene.light import ABSORPTION, DEPTH_STEPS_PER_UNIT, light_vector

TEXTURE_SIZE = 256
PHOTONS = 768  # per axis; about nine per texel, enough for smooth filaments
RIPPLE_GAIN = 0.105  # slope of the small ripples
NET_FADE, CLEAR_NET = 0.55, 0.16  # per unit of optical depth; and how much slower per unit of clarity
NET_GAIN, CLEAR_GAIN = 0.46, 0.34  # brightness of the net, and what very clear water adds
FAR_FOCUS = 0.6  # share of it that is missing just below the surface of very clear water: long waves gather light far down
SECOND_RIPPLE = 0.7  # of it, in the second sample
ABSORPTION_PER_DEPTH = 1.5  # [look 4]
CLEAR_ABSORPTION = (0.28, 0.59, 0.56)  # of that of a pond, in the clearest water: corals keep their reds
CLEAREST = 5.0  # clarity from which on water takes no more than that


def _waves(seed: int, low: float, high: float, power: float) -> NDArray[np.float64]:
    """A periodic random surface whose waves have between `low` and `high` periods per texture."""
    random = np.random.default_rng(seed)
    k = np.fft.fftfreq(TEXTURE_SIZE, 1.0 / TEXTURE_SIZE)
    radius = np.hypot(k[:, None], k[None, :])
    band = np.where((radius >= low) & (radius <= high), np.maximum(radius, 1.0) ** -power, 0.0)
    noise = np.fft.fft2(random.standard_normal((TEXTURE_SIZE, TEXTURE_SIZE)))
    surface = np.real(np.fft.ifft2(noise * band))
    return surface / surface.std()


def _slopes(surface: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    along_x = 0.5 * (np.roll(surface, -1, axis=1) - np.roll(surface, 1, axis=1))
    along_y = 0.5 * (np.roll(surface, -1, axis=0) - np.roll(surface, 1, axis=0))
    return along_x, along_y


@cache
def ripple_texture() -> NDArray[np.float32]:
    """Slopes (256, 256, 2) of wind ripples with unit deviation."""
    x, y = _slopes(_waves(11, 3.0, 40.0, 1.7))
    return (np.stack([x, y], axis=-1) / np.hypot(x.std(), y.std())).astype(np.float32)


@cache
def caustic_texture() -> NDArray[np.float32]:
    """Brightness (256, 256) of sunlight focused by a random wave surface: mean 0, bright thin filaments.

    Photons start on a regular grid, are bent by the slope of the surface and counted where they land.
    """
    x, y = _slopes(_waves(5, 2.0, 9.0, 1.5))
    grid = np.arange(PHOTONS) * TEXTURE_SIZE / PHOTONS
    cell = grid.astype(np.int64) % TEXTURE_SIZE
    focus = 4.0 / np.hypot(x.std(), y.std())
    land_x = grid[None, :] + focus * x[cell][:, cell]
    land_y = grid[:, None] + focus * y[cell][:, cell]
    column, row = land_x.astype(np.int64) % TEXTURE_SIZE, land_y.astype(np.int64) % TEXTURE_SIZE
    hits = np.bincount((row * TEXTURE_SIZE + column).ravel(), minlength=TEXTURE_SIZE**2).astype(np.float64)
    light = hits.reshape(TEXTURE_SIZE, TEXTURE_SIZE)
    for axis in (0, 1):
        light = 0.25 * (np.roll(light, 1, axis) + np.roll(light, -1, axis)) + 0.5 * light
    light = light / light.mean() - 1.0
    return np.clip(light, -0.4, 2.6).astype(np.float32)


@cache
def water_texture() -> NDArray[np.float32]:
    """What the two drifting samples of the water add up to, as one (2, 256, 1024) array:
    slope x, slope y and two nets of every texel.

    The second half has rows and columns exchanged: its slopes, weaker, change places, and its net is the second one.
    """
    together = np.zeros((2, TEXTURE_SIZE, TEXTURE_SIZE, 4), dtype=np.float32)
    slopes, net = RIPPLE_GAIN * ripple_texture(), caustic_texture()
    together[0, ..., :2], together[0, ..., 2] = slopes, net
    together[1, ..., :2], together[1, ..., 3] = SECOND_RIPPLE * slopes.transpose(1, 0, 2)[..., ::-1], net.T
    return together.reshape(2, TEXTURE_SIZE, 4 * TEXTURE_SIZE)


def net_fade(clarity: float) -> float:
    """How fast the net of light fades per unit of optical depth: in clear water it stays sharp for longer.

    Example::

        net_fade(1.0)        # 0.55
    """
    return NET_FADE / (1.0 + CLEAR_NET * max(clarity - 1.0, 0.0))


@lru_cache(maxsize=8)
def depth_fades(clarity: float = 1.0) -> NDArray[np.float32]:
    """What depends on depth alone, per depth byte: fading with depth, caustic gain, shore foam, swash lines.

    Clear water lets light deeper down, but foam lies where it always does.
    """
    through = np.arange(256) / DEPTH_STEPS_PER_UNIT
    depth, deep = clarity * through, np.exp(-net_fade(clarity) * through)
    clear = clearness(clarity)
    gathered = np.minimum(2.5 * depth, 1.0) * (1.0 - clear * FAR_FOCUS * np.exp(-0.4 * depth))
    caustic = (NET_GAIN + CLEAR_GAIN * clear) * gathered * deep
    return np.stack([deep, caustic, 0.95 * np.exp(-13.0 * depth), 0.20 * np.exp(-5.5 * depth)], axis=1).astype(np.float32)


def clearness(clarity: float) -> float:
    """0 in water of clarity 1, 1 in very clear water.

    Example::

        clearness(2.0)        # 0.5
    """
    return min(max((clarity - 1.0) / (CLEAREST - 1.0), 0.0), 1.0)


@lru_cache(maxsize=8)
def depth_table(time_of_day: str, clarity: float = 1.0) -> NDArray[np.float32]:
    """Part of the light that passes a column of water, per channel and depth byte; a byte is more of it in clear water."""
    absorption = light_vector(time_of_day)[ABSORPTION : ABSORPTION + 3, None]
    if clarity > 1.0:
        share = 1.0 + clearness(clarity) * (np.array(CLEAR_ABSORPTION, dtype=np.float32)[:, None] - 1.0)
        absorption = absorption * share.astype(np.float32)
    depth = np.arange(256, dtype=np.float32) / np.float32(DEPTH_STEPS_PER_UNIT)
    return np.exp(-np.float32(ABSORPTION_PER_DEPTH) * absorption * depth).astype(np.float32)
