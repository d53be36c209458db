"""The display surface of a fish: smooth half bodies and fins that follow the 23 nodes. [artificial-fishes C.1, C.3]

Each half is a cubic B-spline surface of 9 x 21 control points: from the middle of the back over the flank to the middle of
the belly, and from the nose to the last ring. The simulated body has faces between neighbouring rings (and the nose, which
is a doubled corner); each face is a bilinear patch of 4 x 4 cells. At rest every control point is written down as an
offset from its patch node in a frame of the face: u is the normal, v runs along the body, w is across. To show the body,
patch nodes and frames are made anew and the offsets added. A node on the edge of several faces takes the mean of them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...components.fish.topology import CORNERS, LOWER_TIP, NODES, NOSE, RINGS, UPPER_TIP, ring
from .painter.spine_kernel import FULLNESS, SNOUT_START

Array = NDArray[Any]

ACROSS, ALONG = 9, 21
"""Control points of a half body."""
CELLS = 4  # of a patch, in either direction
DEGREE = 3  # cubic; "order 3, degree 4" in print is the other way round
FIN_POINTS = 12
DORSAL_FIRST, VENTRAL_FIRST = 6, 9
"""First control point along the body that the fins on the back and below the belly hold on to."""
LEFT, RIGHT = range(2)
CAUDAL_REACH = 1.5  # of the way from the last ring to the tips: how far the tail fin reaches


def bspline_basis(count: int, places: Array) -> Array:
    """Weights (places, count) of a clamped uniform cubic B-spline, places from 0 to 1.

    Example::

        bspline_basis(9, np.linspace(0.0, 1.0, 33)) @ control_points
    """
    inner = np.linspace(0.0, 1.0, count - DEGREE + 1)
    knots = np.concatenate([np.zeros(DEGREE), inner, np.ones(DEGREE)])
    t = np.clip(np.asarray(places, dtype=np.float64), 0.0, 1.0)[:, None]
    last = np.nextafter(1.0, 0.0)
    inside = np.minimum(t, last)
    weights: Array = ((inside >= knots[:-1]) & (inside < knots[1:])).astype(np.float64)
    for degree in range(1, DEGREE + 1):
        span = knots[degree:] - knots[:-degree]
        share = np.divide(t - knots[:-degree], span, out=np.zeros((len(t), len(span))), where=span > 0.0)
        weights = share[:, :-1] * weights[:, :-1] + (1.0 - share[:, 1:]) * weights[:, 1:] * (span[1:] > 0.0)
    return weights


@cache
def greville(count: int) -> Array:
    """Places at which each control point of a B-spline has most weight."""
    inner = np.linspace(0.0, 1.0, count - DEGREE + 1)
    knots = np.concatenate([np.zeros(DEGREE), inner, np.ones(DEGREE)])
    return np.array([knots[k + 1 : k + 1 + DEGREE].mean() for k in range(count)])


def _faces_of(segment: int, share: float, half: int, row: int) -> list[tuple[list[int], float, float]]:
    """Corners of the faces that have a control point, and its place on each: along 0..1 and across 0..1."""
    front = [NOSE] * CORNERS if segment == 0 else ring(segment - 1)
    rear = ring(segment)
    # faces round a ring: 0 left, 1 below, 2 right, 3 above, each from corner k to the next one
    left = ((3, 0.5), (3, 0.75), (0, 0.0), (0, 0.25), (0, 0.5), (0, 0.75), (0, 1.0), (1, 0.25), (1, 0.5))
    right = ((3, 0.5), (3, 0.25), (2, 1.0), (2, 0.75), (2, 0.5), (2, 0.25), (2, 0.0), (1, 0.75), (1, 0.5))
    face, across = (left, right)[half][row]
    faces = [(face, across)]
    if across in (0.0, 1.0):  # a corner: the neighbouring face has it, too
        faces.append(((face + (1 if across else CORNERS - 1)) % CORNERS, 1.0 - across))
    return [([front[k], rear[k], rear[(k + 1) % CORNERS], front[(k + 1) % CORNERS]], share, a) for k, a in faces]


@cache
def _coupling() -> tuple[Array, Array, Array]:
    """For all control points (2, 9, 21) four faces each: corners (..., 4, 4), places along and across (..., 4)."""
    corners = np.zeros((2, ACROSS, ALONG, 4, 4), dtype=np.int64)
    along, across = np.zeros((2, ACROSS, ALONG, 4)), np.zeros((2, ACROSS, ALONG, 4))
    for half, row, column in np.ndindex(2, ACROSS, ALONG):
        segment, cell = divmod(column, CELLS)
        found = []
        if segment < RINGS:
            found += _faces_of(segment, cell / CELLS, half, row)
        if cell == 0 and segment > 0:  # on a ring: the segment before has it, too
            found += _faces_of(segment - 1, 1.0, half, row)
        for slot in range(4):
            which, s, t = found[slot % len(found)]  # one, two or four of them: each counts the same
            corners[half, row, column, slot], along[half, row, column, slot] = which, s
            across[half, row, column, slot] = t
    return corners, along, across


def _frames(quads: Array) -> Array:
    """Frames (..., 3, 3) of faces with corners (..., 4, 3): rows are the normal u, v along the body, w across."""
    normal = np.cross(quads[..., 2, :] - quads[..., 0, :], quads[..., 3, :] - quads[..., 1, :])
    along = quads[..., 1, :] + quads[..., 2, :] - quads[..., 0, :] - quads[..., 3, :]
    u = normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12)
    v = along - (along * u).sum(axis=-1, keepdims=True) * u
    v /= np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)
    return np.stack([u, v, np.cross(u, v)], axis=-2)


def modelled_points(rest: Array, width: float = 1.0, height: float = 1.0, snout: float = 1.0) -> Array:
    """The body that an artist would model (2, 9, 21, 3): ellipses round the line of a body at rest, with a round snout.

    Places along it are those of the spline's own, so that a surface through these points can be found.
    """
    centres = np.stack([rest[NOSE], *(rest[ring(k)].mean(axis=0) for k in range(RINGS))])
    half = np.stack([np.abs(rest[ring(k)] - centres[k + 1]).max(axis=0)[1:] for k in range(RINGS)])
    half = FULLNESS * np.vstack([half[:1], half]) * (width, height)  # of the nose: that of the first ring, rounded off below
    places = RINGS * greville(ALONG)
    knots = np.arange(RINGS + 1)
    centre = np.column_stack([np.interp(places, knots, centres[:, k]) for k in range(3)])
    size = np.column_stack([np.interp(places, knots, half[:, k]) for k in range(2)])
    x = np.clip(places, 0.0, 1.0)
    rounded = np.sqrt(1.0 - (1.0 - x) ** 2) ** snout * (SNOUT_START + (1.0 - SNOUT_START) * x)
    size = size * np.where(places < 1.0, rounded, 1.0)[:, None]
    angle = np.pi * (0.5 - greville(ACROSS))  # from the back over the flank to the belly
    points = np.zeros((2, ACROSS, ALONG, 3))
    for side, sign in ((LEFT, 1.0), (RIGHT, -1.0)):
        points[side] = centre
        points[side, ..., 1] += sign * np.cos(angle)[:, None] * size[:, 0]
        points[side, ..., 2] += np.sin(angle)[:, None] * size[:, 1]
    return points


class DisplaySurface:
    """The surface of one kind of fish, made from its nodes at rest (nose at the origin, x forward, z up).

    Example::

        surface = DisplaySurface(blueprint.rest)
        surface.points(fish.nodes.position, across=17, along=41)      # (2, 17, 41, 3)
    """

    def __init__(self, rest: Array, model: Array | None = None) -> None:
        self.rest = np.asarray(rest, dtype=np.float64)
        self.model = modelled_points(self.rest) if model is None else model
        down, along = (np.linalg.inv(bspline_basis(count, greville(count))) for count in (ACROSS, ALONG))
        self.rest_controls: Array = np.einsum("ij,hjkd,lk->hild", down, self.model, along)
        patch, frames = self._patches(self.rest)
        self.offsets: Array = np.einsum("...sij,...sj->...si", frames, self.rest_controls[..., None, :] - patch)

    def _patches(self, nodes: Array) -> tuple[Array, Array]:
        """Patch nodes (2, 9, 21, 4, 3) and frames (2, 9, 21, 4, 3, 3) of the control points' faces."""
        corners, s, t = _coupling()
        quads = nodes[corners]
        s, t = s[..., None], t[..., None]
        near = quads[..., 0, :] * (1.0 - t) + quads[..., 3, :] * t
        far = quads[..., 1, :] * (1.0 - t) + quads[..., 2, :] * t
        return near * (1.0 - s) + far * s, _frames(quads)

    def controls(self, nodes: Array, size: float = 1.0) -> Array:
        """Control points (2, 9, 21, 3) of a body whose nodes (23, 3) are here; `size` times as large as at rest."""
        if np.shape(nodes) != (NODES, 3):
            raise ValueError(f"nodes have the shape {np.shape(nodes)}: allowed is ({NODES}, 3)")
        patch, frames = self._patches(np.asarray(nodes, dtype=np.float64))
        placed = patch + np.einsum("...sij,...si->...sj", frames, size * self.offsets)
        mean: Array = placed.mean(axis=-2)
        mean[RIGHT, [0, -1]] = mean[LEFT, [0, -1]] = 0.5 * (mean[LEFT, [0, -1]] + mean[RIGHT, [0, -1]])  # the halves meet
        return mean

    def points(self, nodes: Array, across: int = 17, along: int = 41, size: float = 1.0) -> Array:
        """Points (2, across, along, 3) of both halves, evenly over the surface; they share their first and last rows."""
        down, back = bspline_basis(ACROSS, np.linspace(0.0, 1.0, across)), bspline_basis(ALONG, np.linspace(0.0, 1.0, along))
        found: Array = np.einsum("ij,hjkd,lk->hild", down, self.controls(nodes, size), back)
        return found

    def fins(self, nodes: Array, heights: tuple[float, float] = (0.07, 0.06), size: float = 1.0) -> Array:
        """Control points (2, 2, 12, 3) of the fins on the back and below the belly: the first row lies on the body's edge.

        heights are shares of the length. The surface is linear from row to row and cubic along the body.
        """
        controls = self.controls(nodes, size)
        up = controls[LEFT, 0] - controls[LEFT, -1]
        up /= np.maximum(np.linalg.norm(up, axis=-1, keepdims=True), 1e-12)
        length = size * float(-self.rest[:, 0].min())
        outline = length * np.sin(np.pi * np.linspace(0.08, 0.92, FIN_POINTS))[:, None] ** 0.6
        fins = np.zeros((2, 2, FIN_POINTS, 3))
        for fin, (row, first, sign) in enumerate(((0, DORSAL_FIRST, 1.0), (-1, VENTRAL_FIRST, -1.0))):
            part = slice(first, first + FIN_POINTS)
            fins[fin, 0] = controls[LEFT, row, part]
            fins[fin, 1] = fins[fin, 0] + sign * heights[fin] * outline * up[part]
        return fins

    def tail(self, nodes: Array) -> Array:
        """Points (4, 3) of the tail fin: upper and lower root, lower and upper tip."""
        corners = np.asarray(nodes)[ring(RINGS - 1)]
        roots = np.stack([0.5 * (corners[0] + corners[3]), 0.5 * (corners[1] + corners[2])])
        tips = np.asarray(nodes)[[LOWER_TIP, UPPER_TIP]]
        return np.concatenate([roots, roots[::-1] + CAUDAL_REACH * (tips - roots[::-1])])
