"""What painters draw on and what they need to know for it: three small records that compiled code takes as arguments."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .primitive_fields import PRIMITIVE_FIELDS

Array = NDArray[Any]

NO_CREATURE = -1
"""In `Sheet.creature`: a primitive that is part of no creature, so that it is never highlighted."""


class Sheet(NamedTuple):
    """The primitives of one frame, row by row. Who draws fills free rows and returns the number of the next one."""

    prims: Array  # (capacity, PRIMITIVE_FIELDS) float32, see primitive_fields
    layers: Array  # (capacity,) int64: higher layers are drawn later
    creature: Array  # (capacity,) int64: row in CreaturePool that the primitive belongs to, or NO_CREATURE


class View(NamedTuple):
    """Where world points land on the screen, and what lies below them."""

    center_x: float  # world point in the middle of the picture
    center_y: float
    scale: float  # px per unit
    width: float  # px
    height: float
    limb_scale: float  # px per unit that small parts are drawn for: below the real scale when detail is reduced
    shadow_reach: float  # px that a shadow is thrown per px of height
    leg_states: bool  # whether legs show what they do by their colour
    grid_x: float  # world point of the first elevation sample
    grid_y: float
    grid_cell: float
    elevation: Array  # (rows, columns) float64, rows to the north
    ponds: Array  # (n, 5) float64: west, south, east, north, level
    lowest: float  # elevation of the deepest place
    clarity: float  # of the water: divides depths as far as light is concerned


class Skin(NamedTuple):
    """How the surface of a primitive takes light; colours are linear albedo. All of them are float32 in kernels."""

    red: Any
    green: Any
    blue: Any
    gloss: Any
    rim: Any  # light around the edge
    shadow: Any  # strength of the shadow it throws: 0 for none


def new_sheet(capacity: int) -> Sheet:
    """An empty sheet with room for some primitives.

    Example::

        sheet = new_sheet(8192)
    """
    return Sheet(
        np.zeros((capacity, PRIMITIVE_FIELDS), dtype=np.float32),
        np.zeros(capacity, dtype=np.int64),
        np.full(capacity, NO_CREATURE, dtype=np.int64),
    )
