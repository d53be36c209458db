"""Day, dusk and night as one packed float32 vector that every kernel reads.

Screen axes: x right, y down, z up towards the viewer. All colours are linear light.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

TO_SUN, SUN, SKY, BOUNCE, RIM, SHADOW_DEPTH, WATER_BODY, ABSORPTION, WATER_SKY, HALFWAY = range(0, 30, 3)
EXPOSURE, VIGNETTE, EMISSION, GLINT, BLOOM, BLOOM_FROM, SHADOW_X, SHADOW_Y, DEPTH_PER_PIXEL, DEPTH_PER_BYTE = range(30, 40)
LIGHT_FIELDS = 40
SEEN_TO_ALBEDO = 0.60  # of a colour as seen in sunlight: day light adds up to about 1.7 on a sunlit surface
CLEAR_WATER = 0.55  # how much brighter the body of very clear water is: the sun reaches more of it
DEPTH_STEPS_PER_UNIT = 64.0  # depth is kept in 8 bits: 1/64 unit, at most 4 units in water of clarity 1

# Colour tables of [look 2]; night was matched by eye to sit below dusk.
_TABLES: dict[str, tuple[tuple[float, ...], ...]] = {
    "day": (
        (-0.50, -0.58, 0.80), (1.30, 1.18, 0.98), (0.36, 0.44, 0.56), (0.16, 0.13, 0.09), (0.75, 0.85, 1.00),
        (0.80, 0.74, 0.63), (0.012, 0.105, 0.125), (1.15, 0.36, 0.30), (0.45, 0.62, 0.80),
    ),
    "dusk": (
        (-0.80, -0.30, 0.40), (0.98, 0.46, 0.20), (0.125, 0.145, 0.27), (0.06, 0.045, 0.05), (0.55, 0.42, 0.62),
        (0.72, 0.62, 0.48), (0.012, 0.045, 0.085), (0.95, 0.50, 0.36), (0.42, 0.26, 0.30),
    ),
    "night": (
        (-0.46, -0.50, 0.74), (0.085, 0.130, 0.235), (0.026, 0.042, 0.092), (0.014, 0.018, 0.026), (0.22, 0.30, 0.48),
        (0.62, 0.58, 0.50), (0.004, 0.020, 0.040), (1.05, 0.50, 0.34), (0.060, 0.090, 0.160),
    ),
}  # fmt: skip
# exposure, vignette, emission scale, water glint gain, bloom strength, linear light from which bloom begins
_SCALARS: dict[str, tuple[float, ...]] = {
    "day": (0.80, 0.40, 1.0, 1.0, 0.16, 1.70),
    "dusk": (1.00, 0.60, 1.5, 0.55, 0.45, 0.55),
    "night": (1.75, 0.55, 1.10, 0.35, 0.55, 0.25),
}
LIGHT_NAMES: tuple[str, ...] = tuple(_TABLES)


def light_vector(name: str) -> NDArray[np.float32]:
    """The packed light of one time of day: "day", "dusk" or "night".

    Example::

        light = light_vector("day")
        light[SUN : SUN + 3]        # linear rgb of the sun
    """
    return _packed_light(name).copy()


@cache
def _packed_light(name: str) -> NDArray[np.float32]:
    packed = np.zeros(LIGHT_FIELDS, dtype=np.float32)
    packed[: 3 * len(_TABLES[name])] = np.concatenate(_TABLES[name])
    to_sun = packed[TO_SUN : TO_SUN + 3] / np.linalg.norm(packed[TO_SUN : TO_SUN + 3])
    packed[TO_SUN : TO_SUN + 3] = to_sun
    halfway = to_sun + (0.0, 0.0, 1.0)  # the viewer is straight above
    packed[HALFWAY : HALFWAY + 3] = halfway / np.linalg.norm(halfway)
    packed[EXPOSURE : BLOOM_FROM + 1] = _SCALARS[name]
    packed[SHADOW_X] = -to_sun[0] / to_sun[2]  # shadow offset per unit of height
    packed[SHADOW_Y] = -to_sun[1] / to_sun[2]
    return packed


def set_depths(light: NDArray[np.float32], pixels_per_unit: float, clarity: float) -> None:
    """Write down what a depth byte is worth: bytes per pixel of height, and units per byte; and how bright clear water is.

    Example::

        set_depths(light, pixels_per_unit=18.0, clarity=1.0)
        light[DEPTH_PER_BYTE]        # 1/64
    """
    light[DEPTH_PER_PIXEL] = DEPTH_STEPS_PER_UNIT / clarity / pixels_per_unit
    light[DEPTH_PER_BYTE] = clarity / DEPTH_STEPS_PER_UNIT
    light[WATER_BODY : WATER_BODY + 3] *= 1.0 + CLEAR_WATER * (1.0 - 1.0 / max(clarity, 1.0))


def linear(colour: str) -> NDArray[np.float32]:
    """Linear rgb of a display colour "#RRGGBB" with the renderer's gamma of 2.

    Example::

        linear("#FF8000")        # -> about (1.0, 0.252, 0.0)
    """
    digits = colour.lstrip("#")
    display = np.array([int(digits[i : i + 2], 16) for i in (0, 2, 4)], dtype=np.float32)
    display /= np.float32(255.0)
    return display * display
