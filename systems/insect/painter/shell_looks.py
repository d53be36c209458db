"""The looks of insects as the kernel takes them: one row of numbers each, colours first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....components.insect.shell import BUILDS, COLOURS, Shell
from ...render.scene.light import SEEN_TO_ALBEDO

Array = NDArray[Any]

HEAD, THORAX, GASTER, LEG, ANTENNA, JAW, SHEEN = range(0, 3 * len(COLOURS), 3)
(STYLE, IRIDESCENCE, GLOSS, HAIR, BANDS, STRIAE, PUNCTURES, SPLIT, HEAD_LENGTH, HEAD_WIDTH, THORAX_LENGTH, THORAX_WIDTH,
 GASTER_LENGTH, GASTER_WIDTH, LEG_WIDTH, ANTENNA_WIDTH, JAW_SIZE, EYE_SIZE) = range(21, 39)  # fmt: skip
LOOK_FIELDS = 39
_NUMBERS = ("STYLE", "IRIDESCENCE", "GLOSS", "HAIR", "BANDS", "STRIAE", "PUNCTURES", "SPLIT", "HEAD_LENGTH", "HEAD_WIDTH",
            "THORAX_LENGTH", "THORAX_WIDTH", "GASTER_LENGTH", "GASTER_WIDTH", "LEG_WIDTH", "ANTENNA_WIDTH", "JAW_SIZE",
            "EYE_SIZE")  # fmt: skip

ANT, SOLDIER, BEETLE, ROACH, STICK = range(len(BUILDS))
VARIETY = 0.09
"""Share by which one of a kind is darker or brighter than another."""


def shell_looks(parameters: Array, colours: Array, serials: Array) -> Array:
    """Rows (n, LOOK_FIELDS) from rows of `ShellPool` and serial numbers.

    Example::

        shell_looks(pool.parameters[rows], pool.colors[rows], pool.owner[rows])
    """
    table = np.zeros((len(serials), LOOK_FIELDS), dtype=np.float32)
    shade = 1.0 + VARIETY * (2.0 * ((serials * 0.61803398875) % 1.0) - 1.0)
    table[:, :STYLE] = (np.square(colours) * SEEN_TO_ALBEDO * shade[:, None, None]).reshape(len(serials), STYLE)
    for place, name in enumerate(_NUMBERS):
        table[:, STYLE + place] = parameters[:, Shell[name]]
    return table
