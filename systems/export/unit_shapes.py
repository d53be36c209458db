"""Triangle meshes of the shapes that bodies are put together from, and of tubes along limbs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product as every
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

SECTORS, RINGS = 12, 6
"""Of an ellipsoid: around it, and from pole to pole."""
LIMB_SIDES = 6
NARROW = 0.36
"""Share of the width that the narrow end of an egg or a drop lacks."""
ROUNDING = 0.55
"""Exponent of a plate's outline: 1 is an ellipsoid, 0 a box."""


@dataclass(frozen=True)
class Mesh:
    """A triangle mesh: corners, outward normals and counter-clockwise triangles."""

    vertices: Array  # (n, 3)
    normals: Array  # (n, 3)
    triangles: Array  # (m, 3)

    def stretched(self, half_sizes: Any, center: Any) -> Mesh:
        """The unit mesh at its place in a segment's frame."""
        sizes = np.asarray(half_sizes, dtype=np.float64)
        normals = self.normals / sizes
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        return Mesh(self.vertices * sizes + np.asarray(center), normals / lengths, self.triangles)


def _sphere(rounding: float) -> Mesh:
    """A superellipsoid of half sizes 1, poles along z."""
    polar = np.linspace(0.0, np.pi, RINGS + 1)[1:-1]
    around = 2.0 * np.pi * np.arange(SECTORS) / SECTORS
    p, a = (grid.reshape(-1) for grid in np.meshgrid(polar, around, indexing="ij"))
    ball = np.column_stack([np.sin(p) * np.cos(a), np.sin(p) * np.sin(a), np.cos(p)])
    ball = np.vstack([ball, (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)])
    top, bottom = len(ball) - 2, len(ball) - 1
    triangles: list[tuple[int, int, int]] = []
    for sector in range(SECTORS):
        after = (sector + 1) % SECTORS
        last = (RINGS - 2) * SECTORS
        triangles += [(top, sector, after), (bottom, last + after, last + sector)]
        for ring in range(RINGS - 2):
            here, below = ring * SECTORS, (ring + 1) * SECTORS
            triangles += [(here + sector, below + sector, below + after), (here + sector, below + after, here + after)]
    vertices = np.sign(ball) * np.abs(ball) ** rounding
    normals = np.sign(ball) * np.abs(ball) ** (2.0 - rounding)
    return Mesh(vertices, normals / np.linalg.norm(normals, axis=1, keepdims=True), np.array(triangles))


def _box() -> Mesh:
    """A cube of half sizes 1 with sharp edges."""
    vertices: list[Array] = []
    normals: list[Array] = []
    triangles: list[tuple[int, int, int]] = []
    for axis, side in every(range(3), (1.0, -1.0)):
        normal = np.zeros(3)
        normal[axis] = side
        u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        first = len(vertices)
        vertices += [normal + a * u + b * v * side for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        normals += [normal] * 4
        triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    return Mesh(np.array(vertices), np.array(normals), np.array(triangles))


def _ring() -> Mesh:
    """A barrel along x of half sizes 1 whose ends are a little narrower, as a millipede's rings are."""
    half = ((1.0, 0.0, 1.0), (1.0, 0.86, 0.8), (0.8, 0.98, 0.25))  # along, radius, how much the normal looks along
    profile = (*half, (0.0, 1.0, 0.0), *((-x, radius, -tilt) for x, radius, tilt in reversed(half)))
    around = 2.0 * np.pi * np.arange(SECTORS) / SECTORS
    circle = np.column_stack([np.zeros(SECTORS), np.cos(around), np.sin(around)])
    vertices = np.vstack([x * np.eye(3)[0] + radius * circle for x, radius, _ in profile])
    normals = np.vstack([tilt * np.eye(3)[0] + np.sqrt(1.0 - tilt * tilt) * circle for _, _, tilt in profile])
    triangles = _bands(len(profile), SECTORS)
    used = np.linalg.norm(np.cross(vertices[triangles[:, 1]] - vertices[triangles[:, 0]],
                                   vertices[triangles[:, 2]] - vertices[triangles[:, 0]]), axis=1) > 0.0  # fmt: skip
    return Mesh(vertices, normals, triangles[used])


def _bands(rows: int, sides: int) -> Array:
    """Triangles between neighbouring rows of `sides` corners, the axis running from later rows to earlier ones."""
    triangles = []
    for row, side in every(range(rows - 1), range(sides)):
        here, after = row * sides + side, row * sides + (side + 1) % sides
        triangles += [(here, after, here + sides), (after, after + sides, here + sides)]
    return np.array([[a, c, b] for a, b, c in triangles])


def smooth_normals(vertices: Array, triangles: Array) -> Array:
    """Outward unit normals (n, 3) of corners: the mean of the triangles around them, by area. Lonely corners look up."""
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    faces, normals = np.cross(b - a, c - a), np.zeros(vertices.shape)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], faces)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    result: Array = np.where(lengths > 0.0, normals, (0.0, 0.0, 1.0)) / np.where(lengths > 0.0, lengths, 1.0)
    return result


def _tapered(narrow: float) -> Mesh:
    """An ellipsoid one end of which is narrower by a share: the rear one, or with a share below 0 the front one."""
    ball = _sphere(1.0)
    width = 1.0 - 0.5 * (abs(narrow) - narrow * ball.vertices[:, :1])
    vertices = ball.vertices * np.hstack([np.ones_like(width), width, width])
    return Mesh(vertices, smooth_normals(vertices, ball.triangles), ball.triangles)


SHAPES = {"ellipsoid": _sphere(1.0), "plate": _sphere(ROUNDING), "box": _box(), "ring": _ring(), "egg": _tapered(-NARROW),
          "drop": _tapered(NARROW)}  # fmt: skip
"""Unit shapes by name; an egg is narrow in front, a drop behind."""


def chain_frames(points: Array) -> tuple[Array, Array]:
    """Two vectors across every link (links, 3) of a chain of points; the first is level unless the link stands upright."""
    along = np.diff(points, axis=0)
    lengths = np.linalg.norm(along, axis=1, keepdims=True)
    along = np.where(lengths > 0.0, along, (1.0, 0.0, 0.0)) / np.where(lengths > 0.0, lengths, 1.0)
    across = np.cross(along, np.where(np.abs(along[:, 2:]) < 0.9, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    return across, np.cross(along, across)


def link_tubes(points: Array, radii: Sequence[float]) -> list[Mesh]:
    """One tapered tube with a point at either end per link of a limb; neighbours overlap at the joint."""
    first, second = chain_frames(points)
    around = 2.0 * np.pi * np.arange(LIMB_SIDES) / LIMB_SIDES
    meshes = []
    for link in range(len(points) - 1):
        out = np.cos(around)[:, None] * first[link] + np.sin(around)[:, None] * second[link]
        along = np.cross(first[link], second[link])
        a, b, r, s = points[link], points[link + 1], radii[link], radii[link + 1]
        vertices = np.vstack([b + s * out, a + r * out, b + s * along, a - r * along])
        normals = np.vstack([out, out, along, -along])
        sides, tip, root = LIMB_SIDES, 2 * LIMB_SIDES, 2 * LIMB_SIDES + 1
        triangles = [*_bands(2, sides).tolist()]
        for side in range(sides):
            after = (side + 1) % sides
            triangles += [[tip, side, after], [root, sides + after, sides + side]]
        meshes.append(Mesh(vertices, normals, np.array(triangles)))
    return meshes
