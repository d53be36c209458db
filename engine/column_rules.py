"""What columns may hold, as their pools declare it. A save is checked against it before anything is built from it.

A column of numbers without a rule holds finite ones. Whole numbers that kernels use as row numbers, counts or codes need a
rule: compiled code does not look twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .world import World

Array = npt.NDArray[Any]
Columns = dict[str, Array]

LARGEST = 1e30
"""Of any number in a pool: products of a few of them still are numbers."""
NOBODY = -1
"""Stands for no row."""


@dataclass(frozen=True)
class Place:
    """Where a column is: its pool's columns, the living rows with the span each is in, and all other pools."""

    world: World
    columns: Columns
    rows: Array
    span: Array
    pools: dict[str, Columns]

    def owner(self) -> Array:
        """Per living row, whose it is."""
        found: Array = self.columns["owner"][self.rows]
        return found


class Rule(Protocol):
    """What a column may hold."""

    def wrong(self, values: Array, place: Place) -> Array:
        """Per living row and number, whether it is not allowed."""
        ...

    def allowed(self, world: World) -> str:
        """What is, in words."""
        ...


@dataclass(frozen=True)
class Within:
    """Numbers from `low` to `high`."""

    low: float = -LARGEST
    high: float = LARGEST

    def wrong(self, values: Array, place: Place) -> Array:  # noqa: ARG002 - the same signature for all rules
        with np.errstate(invalid="ignore"):
            return ~((values >= self.low) & (values <= self.high))

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return f"a number from {self.low:g} to {self.high:g}"


@dataclass(frozen=True)
class Codes:
    """Whole numbers from 0 to `count` - 1: an enumeration."""

    count: int

    def wrong(self, values: Array, place: Place) -> Array:  # noqa: ARG002 - the same signature for all rules
        return (values < 0) | (values >= self.count)

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return f"a whole number from 0 to {self.count - 1}"


@dataclass(frozen=True)
class Names:
    """Numbers of names that a world knows and to which plugins add. A save holds the names, too, see `name_codes`."""

    names: Callable[[World], Iterable[str]]

    def wrong(self, values: Array, place: Place) -> Array:
        return (values < 0) | (values >= len(list(self.names(place.world))))

    def allowed(self, world: World) -> str:
        return f"a whole number from 0 to {len(list(self.names(world))) - 1}"


@dataclass(frozen=True)
class RowOf:
    """Row numbers of a pool, `NOBODY` where that means something; with `own` the row belongs to the same creature."""

    pool: str
    nobody: bool = False
    own: bool = False

    def wrong(self, values: Array, place: Place) -> Array:
        target = place.pools[self.pool]
        room = len(target["owner"]) if self.own else len(target["generation"])
        outside = (values < 0) | (values >= room)
        if self.own and room:
            owner = place.owner().reshape(-1, *([1] * (values.ndim - 1)))
            outside |= target["owner"][np.where(outside, 0, values)] != owner
        return outside & (values != NOBODY) if self.nobody else outside

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        whose = " of the same creature" if self.own else ""
        return f"a row of {self.pool}{whose}{f', or {NOBODY}' if self.nobody else ''}"


@dataclass(frozen=True)
class NameOf:
    """Numbers of names in a pool that holds one per row; 0 also while it holds none."""

    pool: str

    def wrong(self, values: Array, place: Place) -> Array:
        return (values < 0) | (values >= max(len(place.pools[self.pool]["spans"]), 1))

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return f"the number of a row of {self.pool}"


@dataclass(frozen=True)
class SpanOf:
    """First rows of what the same creature owns in a pool; the column `count` says how many there are."""

    pool: str
    count: str

    def wrong(self, values: Array, place: Place) -> Array:
        target, counts, owner = place.pools[self.pool], place.columns[self.count][place.rows], place.owner()
        spans = target["spans"]
        outside: Array = (values < 0) | (values >= max(len(target["generation"]), 1)) | (counts != 0)
        if not len(spans):
            return outside
        owners = target["owner"][spans[:, 0]]
        order = np.argsort(owners, kind="stable")
        at = order[np.minimum(np.searchsorted(owners[order], owner), len(order) - 1)]
        has = owners[at] == owner
        return np.where(has, (values != spans[at, 0]) | (counts != spans[at, 1]), outside)

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return f"the first row of what the same creature has in {self.pool}, with {self.count} rows"


@dataclass(frozen=True)
class NearFirst:
    """Places on the map, in each direction at most `farthest` units from the first one of the same owner: boxes around what
    belongs together stay small enough for the indexes of who is where."""

    farthest: float

    def wrong(self, values: Array, place: Place) -> Array:
        flat = values.reshape(len(values), math.prod(values.shape[1:-1]), values.shape[-1])  # of no rows, too
        first = np.searchsorted(place.span, place.span, side="left")  # of the same owner
        with np.errstate(invalid="ignore", over="ignore"):
            near = np.abs(flat - flat[first][:, :1]) <= self.farthest
        return ~near.reshape(values.shape) | ON_MAP.wrong(values, place)

    def allowed(self, world: World) -> str:
        return f"{ON_MAP.allowed(world)}, at most {self.farthest:g} units from the first one of its owner"


@dataclass(frozen=True)
class PlaceInSpan:
    """Places counted from the first row of the owner's span."""

    def wrong(self, values: Array, place: Place) -> Array:
        return (values < 0) | (values >= place.columns["spans"][place.span, 1])

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return "a place within the rows of its owner"


@dataclass(frozen=True)
class EarlierInSpan:
    """Places, counted from the first row of the owner's span, of a row before this one: trees cannot run in circles.
    The first row has `NOBODY`."""

    def wrong(self, values: Array, place: Place) -> Array:
        own = place.rows - place.columns["spans"][place.span, 0]
        return np.where(own == 0, values != NOBODY, (values < 0) | (values >= own))

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return f"a place before its own within the rows of its owner, {NOBODY} for the first"


@dataclass(frozen=True)
class PlaceAmong:
    """Places among the rows that the same creature has in a pool, or `NOBODY`."""

    pool: str

    def wrong(self, values: Array, place: Place) -> Array:
        spans, owners = place.pools[self.pool]["spans"], place.pools[self.pool]["owner"]
        if not len(spans):
            return values != NOBODY
        of_span = owners[spans[:, 0]]
        order = np.argsort(of_span, kind="stable")
        at = order[np.minimum(np.searchsorted(of_span[order], place.owner()), len(order) - 1)]
        room = np.where(of_span[at] == place.owner(), spans[at, 1], 0)
        return (values != NOBODY) & ((values < 0) | (values >= room))

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return f"a place among the rows of the same creature in {self.pool}, or {NOBODY}"


@dataclass(frozen=True)
class InverseOf:
    """Square matrices that undo those of another column; zeros where that has zeros."""

    column: str
    rounding: float = 1e-3

    def wrong(self, values: Array, place: Place) -> Array:
        other = place.columns[self.column][place.rows]
        with np.errstate(invalid="ignore", over="ignore"):
            off = np.abs(values @ other - np.eye(values.shape[-1])).max(axis=(1, 2))
        unused = (values == 0.0).all(axis=(1, 2)) & (other == 0.0).all(axis=(1, 2))
        return ~((off <= self.rounding) | unused)

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return f"the inverse of {self.column}"


@dataclass(frozen=True)
class Turn:
    """Quaternions, near enough to length 1 to be brought there."""

    def wrong(self, values: Array, place: Place) -> Array:  # noqa: ARG002 - the same signature for all rules
        with np.errstate(invalid="ignore", over="ignore"):
            length = np.sqrt((values**2).sum(axis=-1))
        return ~((length > 0.5) & (length < 2.0))

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return "a quaternion of length 1"


@dataclass(frozen=True)
class Text:
    """UTF-8, padded with zeros to the width of the column."""

    def wrong(self, values: Array, place: Place) -> Array:  # noqa: ARG002 - the same signature for all rules
        bad = np.zeros(len(values), np.bool_)
        for row, encoded in enumerate(values):
            text = encoded.tobytes().rstrip(b"\0")
            try:
                text.decode()
            except UnicodeDecodeError:
                bad[row] = True
            bad[row] |= b"\0" in text
        return bad

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return "a text in UTF-8"


@dataclass(frozen=True)
class Anything:
    """Any bits: serial numbers, states of random draws, and numbers that may be infinite."""

    nan: bool = False

    def wrong(self, values: Array, place: Place) -> Array:  # noqa: ARG002 - the same signature for all rules
        return np.zeros(len(values), np.bool_) if self.nan or values.dtype.kind != "f" else np.isnan(values)

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return "a number"


FLAG = Codes(2)
"""0 or 1."""
SERIAL = Anything()
"""The serial number of a creature, which may be gone."""
BITS = Anything()
"""Every pattern of bits means something."""
ENDLESS = Anything()
"""Numbers that may be infinite."""
COUNT = Within(0, LARGEST)
"""Anything counted that no kernel uses as a limit."""
ON_MAP = Within(-1e7, 1e7)
"""Places in the world: far beyond the edge of any map, near enough for every grid and index."""
MOTION = Within(-1e7, 1e7)
"""Velocities: nothing crosses the world in a tick."""
POSITIVE = Within(1e-30, LARGEST)
"""Masses and whatever else is divided by."""
LONGEST = 1e4
"""Units; of a body or a part of one: larger ones are too large for the index of who is where."""
SIZE = Within(1e-9, LONGEST)
OFFSET = Within(-LONGEST, LONGEST)
"""Places as seen from a body."""
OF_ONE_BODY = NearFirst(LONGEST)
"""Places of the parts of one body."""


def rule_of(rule: Rule | None, dtype: npt.DTypeLike) -> Rule:
    """The rule of a column, or what holds without one: numbers are finite, whole numbers may be anything."""
    if rule is not None:
        return rule
    return Within() if np.dtype(dtype).kind == "f" else Anything()
