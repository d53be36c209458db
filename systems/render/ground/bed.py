"""What lies and grows on the bed of clear water: one record that compiled code takes as an argument."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....engine.growths import BLUE, CORALS, GROWTH_KINDS, KIND, RED, ROW_FIELDS
from ..scene.seabed import LOG, NEST_MOUND, ROCKY

Array = NDArray[Any]

BARE, SAND, PEBBLES = range(3)
BEDS = {"sand": SAND, "pebbles": PEBBLES}
STARFISH, ANEMONE = GROWTH_KINDS.index("star"), GROWTH_KINDS.index("anemone")
ALBEDO = 1.55
"""Of a displayed colour, squared: the water above corals takes much of their light."""


class Bed(NamedTuple):
    """The bed as the painting kernels read it."""

    kind: int  # BARE, SAND or PEBBLES
    growths: Array  # (n, ROW_FIELDS) rows of `growths.growth_rows`, colours linear: those that are part of the ground
    clear: Any  # float32: 0..1, how much of the land's own ground is replaced below water
    reef: Array  # (squares, rows, columns) float32 of the lattice of each square: working arrays, where there is rock


def bed_of(kind: str, clarity: float, rows: Array, shape: tuple[int, int, int] = (0, 0, 0)) -> Bed:
    """The bed of a picture; water of clarity 1 keeps the ground that it has.

    Example::

        bed_of("sand", 6.0, np.zeros((0, ROW_FIELDS)))
    """
    grown = np.array(rows, dtype=np.float64).reshape(-1, ROW_FIELDS)
    grown = grown[(grown[:, KIND] < len(CORALS)) | np.isin(grown[:, KIND], (ROCKY, NEST_MOUND, LOG))]
    grown[:, RED : BLUE + 1] = ALBEDO * grown[:, RED : BLUE + 1] ** 2
    clear = clarity > 1.0
    reef = np.zeros(shape, dtype=np.float32)
    return Bed(BEDS[kind] if clear else BARE, np.ascontiguousarray(grown), np.float32(1.0 if clear else 0.0), reef)
