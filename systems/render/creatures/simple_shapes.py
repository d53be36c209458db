"""Balls, ellipsoids and capsules for painters that need nothing else: numpy arrays in, a `Group` out.

They are lit, throw shadows, get wet and are highlighted like everything else that is drawn. Groups can be added up::

    balls(heads, 0.4, "#303030", creature=rows) + capsules(necks, heads, 0.15, "#806040", creature=rows)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....engine.bundle import packed
from ..scene.light import SEEN_TO_ALBEDO, linear
from .sheet import NO_CREATURE, Sheet, View
from .simple_shapes_kernel import BALL, CAPSULE_SHAPE, ELLIPSOID_SHAPE, put_shapes

Array = NDArray[Any]
Colour = str | ArrayLike
"""A display colour "#RRGGBB", or red, green and blue from 0 to 1: one for all, or one per shape."""

NO_SPOTS = -1.0  # albedo of spots that are not there
UPRIGHT = (1.0, 0.0, 0.0, 0.0)


class Shapes(NamedTuple):
    """Rows of shapes as the kernel takes them."""

    kind: Array  # (n,) int64
    start: Array  # (n, 3): middle, or the first end of a capsule
    end: Array  # (n, 3): middle, or the second end
    size: Array  # (n, 3): half axes; of a capsule the radii of its ends
    orientation: Array  # (n, 4)
    albedo: Array  # (n, 3) float32
    spots: Array  # (n, 3) float32 albedo, NO_SPOTS for none
    gloss: Array  # (n,) float32
    creature: Array  # (n,) int64


@dataclass(frozen=True)
class ShapeGroup:
    """Shapes of one frame; made by `balls`, `ellipsoids` and `capsules`."""

    shapes: Shapes

    def put(self, sheet: Sheet, n: int, view: View) -> int:
        """Fill rows of the sheet from row n on and return the next free one."""
        return int(put_shapes(sheet, n, view, packed(self.shapes)))

    def __add__(self, other: ShapeGroup) -> ShapeGroup:
        """All shapes of both, in this order."""
        return ShapeGroup(Shapes(*(np.concatenate(pair) for pair in zip(self.shapes, other.shapes, strict=True))))

    def __len__(self) -> int:
        return len(self.shapes.kind)


def balls(
    position: ArrayLike,
    radius: ArrayLike,
    colour: Colour,
    *,
    orientation: ArrayLike = UPRIGHT,
    spots: Colour | None = None,
    gloss: ArrayLike = 0.5,
    creature: ArrayLike = NO_CREATURE,
) -> ShapeGroup:
    """Balls around positions (n, 3). Spots of another colour show how they turn; `creature` are rows in `CreaturePool`.

    Example::

        balls(moving["position"], 0.8, "#C8502A", orientation=moving["orientation"], spots="#F0E0C0", creature=rows)
    """
    size = np.broadcast_to(np.asarray(radius, dtype=np.float64)[..., None], (_count(position), 3))
    return _group(BALL, position, position, size, orientation, colour, spots, gloss, creature)


def ellipsoids(
    position: ArrayLike,
    half_axes: ArrayLike,
    colour: Colour,
    *,
    orientation: ArrayLike = UPRIGHT,
    gloss: ArrayLike = 0.5,
    creature: ArrayLike = NO_CREATURE,
) -> ShapeGroup:
    """Ellipsoids around positions (n, 3) with half axes (3,) or (n, 3) forward, left and up, turned by quaternions (wxyz).

    Example::

        ellipsoids(moving["position"], (1.2, 0.6, 0.5), "#506080", orientation=moving["orientation"])
    """
    return _group(ELLIPSOID_SHAPE, position, position, half_axes, orientation, colour, None, gloss, creature)


def capsules(
    start: ArrayLike,
    end: ArrayLike,
    radius: ArrayLike,
    colour: Colour,
    *,
    gloss: ArrayLike = 0.4,
    creature: ArrayLike = NO_CREATURE,
) -> ShapeGroup:
    """Rods with round ends between points (n, 3); radius is one number, one per rod, or (n, 2) for rods that taper.

    Example::

        capsules(moving["hips"], moving["feet"], 0.1, "#D8A040", creature=rows)
    """
    n, radii = _count(start), np.asarray(radius, dtype=np.float64)
    ends = np.broadcast_to(radii if radii.ndim == 2 else radii[..., None], (n, 2))
    size = np.column_stack([ends, ends[:, :1]])
    return _group(CAPSULE_SHAPE, start, end, size, UPRIGHT, colour, None, gloss, creature)


def albedo(colour: Colour) -> NDArray[np.float32]:
    """What a surface reflects that is seen in a display colour in sunlight.

    Example::

        albedo("#C8502A")        # the same as albedo((0.784, 0.314, 0.165))
    """
    seen = linear(colour) if isinstance(colour, str) else np.square(np.asarray(colour, dtype=np.float32))
    return np.asarray(seen, dtype=np.float32) * np.float32(SEEN_TO_ALBEDO)


def _count(position: ArrayLike) -> int:
    return np.asarray(position, dtype=np.float64).reshape(-1, 3).shape[0]


def _group(
    kind: int,
    start: ArrayLike,
    end: ArrayLike,
    size: ArrayLike,
    orientation: ArrayLike,
    colour: Colour,
    spots: Colour | None,
    gloss: ArrayLike,
    creature: ArrayLike,
) -> ShapeGroup:
    """Rows of one kind. Everything is copied: a group is painted while pools change."""
    n = _count(start)

    def column(values: ArrayLike, dtype: Any, *shape: int) -> Array:
        return np.array(np.broadcast_to(np.asarray(values, dtype=dtype), (n, *shape)), order="C")

    return ShapeGroup(
        Shapes(
            kind=np.full(n, kind, dtype=np.int64),
            start=column(np.asarray(start, dtype=np.float64).reshape(-1, 3), np.float64, 3),
            end=column(np.asarray(end, dtype=np.float64).reshape(-1, 3), np.float64, 3),
            size=column(size, np.float64, 3),
            orientation=column(orientation, np.float64, 4),
            albedo=column(albedo(colour), np.float32, 3),
            spots=column(NO_SPOTS if spots is None else albedo(spots), np.float32, 3),
            gloss=column(gloss, np.float32),
            creature=column(creature, np.int64),
        )
    )
