"""The film: from linear light to the bytes of a display."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32, uint32

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

# The film as a table. Its places are the leading bits of a float32: the four last of the exponent, which tell octaves from
# FILM_SHIFT up to 8 apart, and FILM_BITS of the mantissa.
FILM_BITS = 10  # the byte is then at most 0.54 from the curve
FILM_SHIFT = f32(2.0**-12)  # linear light added before looking up: below it steps are equal, so that black is black
FILM_WHITE = f32(7.24)  # linear light from which on the film is white


def film_curve(value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Display brightness 0..255 of linear light: filmic curve [look 2], then gamma 2.

    Example::

        film_curve(np.array([0.0, 0.18, 8.0]))        # -> about (0, 130, 255)
    """
    shown = value * (2.51 * value + 0.03) / (value * (2.43 * value + 0.59) + 0.14)
    return 255.0 * np.sqrt(np.clip(shown, 0.0, 1.0))


def _film_table() -> NDArray[np.int32]:
    """The byte in the middle of every step."""
    size, shift = 16 << FILM_BITS, 23 - FILM_BITS
    lowest = int(np.float32(FILM_SHIFT).view(np.int32)) >> shift
    leading = lowest + (np.arange(size) - lowest) % size
    middle = ((leading << shift) + (1 << (shift - 1))).astype(np.int32).view(np.float32).astype(np.float64)
    return np.rint(film_curve(np.maximum(middle - float(FILM_SHIFT), 0.0))).astype(np.int32)


FILM = _film_table()


@kernel(refcount=False)
def film(value: float) -> int:
    """Return the display byte of linear light, computed as in film_curve."""
    v = min(max(f32(0.0), value), FILM_WHITE)  # in this order what is no number is black
    shown = v * (f32(2.51) * v + f32(0.03)) / (v * (f32(2.43) * v + f32(0.59)) + f32(0.14))
    return int32(math.sqrt(shown) * f32(255.0) + f32(0.5))


@kernel(refcount=False)
def read_film(value: float) -> int:
    """Return the display byte of linear light, read from the table by the leading bits of the number."""
    v = f32(min(max(f32(0.0), value), FILM_WHITE) + FILM_SHIFT)
    leading = int32(int32(np.float32(v).view(np.int32)) >> int32(23 - FILM_BITS))
    return FILM[int32(leading & int32(FILM.size - 1))]


@kernel(refcount=False, inline=True)
def develop_row(in_r: Array, in_g: Array, in_b: Array, vignette: Array, row_term: float, exposure: float,
                out: Array) -> None:  # fmt: skip
    """Update one row of packed pixels: exposure, vignette, film.

    Green, of which the eye sees most, is computed and the others are read: arithmetic and reading run side by side.
    """
    for x in range(out.size):
        q = vignette[x] + row_term
        k = exposure * (f32(1.0) - q * q)
        red, green, blue = read_film(in_r[x] * k), film(in_g[x] * k), read_film(in_b[x] * k)
        out[x] = uint32((red << int32(16)) | (green << int32(8)) | blue)
