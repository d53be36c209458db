"""Things in the way, as rows of one array: spheres, pillars, walls and the bodies of other creatures.

Every solid is convex, stands in world coordinates and may have an owner (a creature row), which lets a creature ignore
itself. Every builder returns rows, (n, SOLID_COLUMNS). Static obstacles and moving bodies are two arrays of the same
layout with a hash each, so that only the second is rebuilt every tick.

Example::

    solids = stack_solids(sphere((5, 0, 1), 2.0), pillar((0, 6), 0.5, bottom=0.0, height=4.0), box((9, 0), 0.4, 8.0))
    hashed = hash_solids(solids)
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from math import cos, sin

import numpy as np
from numpy.typing import NDArray

from ...engine.errors import ArgumentError
from ...engine.spatial_hash import SOLID_CELL, SpatialHash, hash_boxes

NO_OWNER = -1.0
CELL_SIZE = SOLID_CELL  # a look around a segment sees about nine cells

Row = NDArray[np.float64]


class SolidKind(IntEnum):
    """The shapes a solid may have: ``SolidKind(2).name == 'BOX'``."""

    SPHERE = 0
    PILLAR = 1  # vertical cylinder
    BOX = 2  # upright box, turned about z
    CAPSULE = 3  # a segment with a radius, in any direction


class SolidField(IntEnum):
    """Columns of a solid row: ``solids[k, SolidField.RADIUS]``."""

    KIND = 0
    X = 1  # centre; for a capsule the first end
    Y = 2
    Z = 3
    RADIUS = 4  # sphere, pillar, capsule
    EXTENT_X = 5  # half size of a box along its own axes; for a capsule the vector to the second end
    EXTENT_Y = 6
    EXTENT_Z = 7  # also the half height of a pillar
    COS = 8  # heading of a box in the plan view
    SIN = 9
    OWNER = 10  # creature row, or NO_OWNER


SOLID_COLUMNS = len(SolidField)


def no_solids() -> Row:
    """An empty array of solids."""
    return np.empty((0, SOLID_COLUMNS))


def stack_solids(*solids: Row) -> Row:
    """One array from any number of solids: ``stack_solids(sphere(...), box(...))``."""
    return np.concatenate((no_solids(), *solids))


def sphere(centre: Sequence[float], radius: float) -> Row:
    """A ball: ``sphere((5, 0, 1), 2.0)``."""
    return _row(SolidKind.SPHERE, centre, radius=radius)


def pillar(at: Sequence[float], radius: float, *, bottom: float = 0.0, height: float = 4.0) -> Row:
    """An upright cylinder over a point of the map: ``pillar((0, 6), 0.5)``."""
    return _row(SolidKind.PILLAR, (at[0], at[1], bottom + height / 2.0), radius=radius, extent=(0.0, 0.0, height / 2.0))


def box(
    at: Sequence[float], length: float, width: float, *, heading: float = 0.0, bottom: float = 0.0, height: float = 4.0
) -> Row:
    """An upright box or wall over a point of the map, ``length`` along its heading: ``box((9, 0), 0.4, 8.0)``."""
    half = (length / 2.0, width / 2.0, height / 2.0)
    row = _row(SolidKind.BOX, (at[0], at[1], bottom + height / 2.0), extent=half)
    row[0, SolidField.COS], row[0, SolidField.SIN] = cos(heading), sin(heading)
    return row


def _row(
    kind: SolidKind, centre: Sequence[float], *, radius: float = 0.0, extent: Sequence[float] = (0.0, 0.0, 0.0)
) -> Row:
    if radius < 0.0 or min(extent) < 0.0:
        raise ArgumentError(f"a {kind.name.lower()} needs sizes of zero or more, got radius {radius} and extent {extent}")
    row = np.zeros((1, SOLID_COLUMNS))
    row[:, SolidField.KIND] = kind
    row[:, SolidField.X : SolidField.Z + 1] = centre
    row[:, SolidField.RADIUS] = radius
    row[:, SolidField.EXTENT_X : SolidField.EXTENT_Z + 1] = extent
    row[:, SolidField.COS] = 1.0
    row[:, SolidField.OWNER] = NO_OWNER
    return row


def plan_boxes(solids: Row) -> Row:
    """Bounding boxes in the plan view, (n, 4)."""
    centre = solids[:, SolidField.X : SolidField.Y + 1]
    radius = solids[:, SolidField.RADIUS, None]
    extent = solids[:, SolidField.EXTENT_X : SolidField.EXTENT_Y + 1]
    is_box = solids[:, SolidField.KIND, None] == SolidKind.BOX
    is_capsule = solids[:, SolidField.KIND, None] == SolidKind.CAPSULE
    cosine, sine = np.abs(solids[:, SolidField.COS]), np.abs(solids[:, SolidField.SIN])
    turned = np.stack(
        (cosine * extent[:, 0] + sine * extent[:, 1], sine * extent[:, 0] + cosine * extent[:, 1]), axis=1
    )
    reach = np.where(is_box, turned, radius)
    other = centre + np.where(is_capsule, extent, 0.0)
    return np.concatenate((np.minimum(centre, other) - reach, np.maximum(centre, other) + reach), axis=1)


def hash_solids(solids: Row, cell_size: float = CELL_SIZE) -> SpatialHash:
    """Hash solids by their plan boxes, for the kernels that look for what is near."""
    return hash_boxes(plan_boxes(solids), cell_size)
