"""How a pool declares its columns: types, shapes, what fresh rows hold, and what saves of before have of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .column_rules import Rule

Array = npt.NDArray[Any]


class MovedFrom(NamedTuple):
    """Where an older save has a column's values: pool, column, and how they are told now.

    `otherwise` is what rows of saves get that have not even that; without it the fill value.
    """

    pool: str
    column: str
    convert: Callable[[Array], Array] = np.asarray
    otherwise: float | None = None


class Column(NamedTuple):
    """The declaration of one column: its type, the shape of one row and the value a fresh row starts with."""

    dtype: npt.DTypeLike
    shape: tuple[int, ...]
    fill: float
    since: int = 1
    older: float | MovedFrom | None = None
    holds: Rule | None = None
    fixed: bool = False


def column(dtype: npt.DTypeLike, *shape: int, fill: float = 0, since: int = 1,
           older: float | MovedFrom | None = None, holds: Rule | None = None, fixed: bool = False) -> Any:
    """Declare a column in the body of a `Pool` subclass; on instances the name holds the array itself.

    A column that joins a pool later says `since` which format of the pool it is there, and what rows of `older` saves
    get: a number (otherwise its fill value), or the place where they were kept before. `holds` is what a save may have
    in it, see `column_rules`: numbers are finite unless it says otherwise, row numbers and codes have to be declared.
    `fixed` columns are written when their owner is born, grows, is loaded or gets an order, never by a system in its tick;
    what follows from the species is written anew when a save is loaded, see `renewal`.

    Example::

        class LegPool(Pool):
            segment_row = column(np.int32, holds=RowOf("SegmentPool", own=True))
            tip = column(np.float64, 3)
    """
    return Column(dtype, shape, fill, since, older, holds, fixed)
