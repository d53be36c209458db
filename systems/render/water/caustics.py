"""Caustics: the net of light on the bed of clear water. It dances, because the waves that gather the light run on.

One period of a wave surface is looked through in some steps when the first picture of clear water is drawn; pictures mix
two of them. In the water of ponds, where less light reaches the bed, nets only drift (see water_texture).
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ....engine.kernel_types import float32
from .caustics_kernel import PER_CELL, gather_light, lay_nets
from .water_texture import TEXTURE_SIZE, water_texture

FRAMES, PERIOD = 72, 12.0  # in one period, and s
LONGEST, SHORTEST = 2.0, 8.0  # waves per texture, which repeats every 34 units
STEEPNESS = 1.7  # by which power of their number waves get lower
CYCLES = 0.95  # of a wave in a period, times the root of its number, as on deep water
SURFACE = 128  # samples of the surface along each axis; its shortest waves have sixteen
FOCUS = 5.4  # texels that the mean slope bends light aside
DARKEST, BRIGHTEST = -0.42, 3.3  # against the mean light


def _spectrum() -> tuple[NDArray[np.complex128], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Amplitudes, whole numbers of cycles in a period, and wave numbers along x and y."""
    random = np.random.default_rng(5)
    k = np.fft.fftfreq(SURFACE, 1.0 / SURFACE).astype(np.float64)
    kx, ky = np.meshgrid(k, k)
    radius = np.hypot(kx, ky)
    band = np.where((radius >= LONGEST) & (radius <= SHORTEST), np.maximum(radius, 1.0) ** -STEEPNESS, 0.0)
    noise = random.standard_normal(radius.shape) + 1j * random.standard_normal(radius.shape)
    return noise * band, np.rint(CYCLES * np.sqrt(radius)), kx, ky


@cache
def net_frames() -> NDArray[np.uint8]:
    """(FRAMES, 256, 256) light on the bed at steps of one period: 0 is DARKEST, 255 BRIGHTEST.

    Example::

        net_frames()[0].mean()
    """
    waves, cycles, kx, ky = _spectrum()
    frames = np.empty((FRAMES, TEXTURE_SIZE, TEXTURE_SIZE), dtype=np.uint8)
    hits, size = np.empty((TEXTURE_SIZE, TEXTURE_SIZE), dtype=np.float32), 0.0
    for frame in range(FRAMES):
        now = waves * np.exp(-2j * math.pi * cycles * frame / FRAMES)
        x, y = np.real(np.fft.ifft2(now * 1j * kx)), np.real(np.fft.ifft2(now * 1j * ky))
        size = size or FOCUS / float(np.hypot(x.std(), y.std()))
        gather_light(size * x, size * y, hits)
        light = hits * np.float32((TEXTURE_SIZE / (SURFACE * PER_CELL)) ** 2)
        shown = (np.clip(light - 1.0, DARKEST, BRIGHTEST) - DARKEST) / (BRIGHTEST - DARKEST)
        frames[frame] = np.rint(255.0 * shown)
    return frames


class Caustics:
    """The water texture of clear water at a time; one per picture, for it is written anew for every frame.

    Example::

        texture = Caustics().at(2.5)
    """

    def __init__(self) -> None:
        self._texture: NDArray[np.float32] = water_texture().copy()
        self._time = math.nan

    def at(self, time: float) -> NDArray[np.float32]:
        """Ripples and nets as they are at a time (s)."""
        if time != self._time:
            place = (time / PERIOD * FRAMES) % FRAMES
            other = (0.81 * time / PERIOD * FRAMES + 0.37 * FRAMES) % FRAMES
            (first, share), (second, share_2) = ((int(at) % FRAMES, at - int(at)) for at in (place, other))
            step = float32((BRIGHTEST - DARKEST) / 255.0)
            low = float32(DARKEST)
            lay_nets(net_frames(), first, float32(share), second, float32(share_2), low, step, self._texture)
            self._time = time
        return self._texture
