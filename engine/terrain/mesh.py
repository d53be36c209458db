"""Closed triangle meshes as walkable ground: checks, pseudo-normals and the hash grid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import LARGEST_NUMBER
from .ground_layout import FIELD_FRAME, MESH_FRAME, TRIANGLE_COLUMNS
from .mesh_hash_kernel import list_triangles, spread_rings
from .terrain_error import TerrainError

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

DEFAULT_CELLS = 50  # per axis: the hash of the skull mesh [Fang15 6.1.2]
MOST_CORNERS = 500_000  # vertices or triangles; the skull of the source has 80,000 [Fang15 6.1.2]
MOST_ENTRIES = 50_000_000  # triangles in the lists of all cells together, 400 MB
TRIANGLES_PER_COLUMN = 1000  # of cells, on an average: all of them are asked whether a point is inside
LARGEST_CELLS = 200  # per axis; 8 million cells are 32 MB of list heads


class Mesh(NamedTuple):
    """Vertices (n, 3) and faces (m, 3) of vertex numbers, counter-clockwise seen from outside."""

    vertices: Array
    faces: Integers


class MeshCells(NamedTuple):
    """A mesh ready for packing: triangle columns, hash grid, and the distance field (empty: queries are exact)."""

    rows: Array
    frame: Array
    cells: Integers
    start: Integers
    entries: Integers
    rings: Integers
    field: Array
    field_frame: Array


def no_mesh() -> MeshCells:
    """A world without a mesh."""
    nothing = np.zeros(0, dtype=np.int64)
    return MeshCells(
        rows=np.zeros((0, TRIANGLE_COLUMNS)),
        frame=np.zeros(MESH_FRAME),
        cells=np.zeros(3, dtype=np.int64),
        start=np.zeros(1, dtype=np.int64),
        entries=nothing,
        rings=nothing,
        field=np.zeros((0, 0, 0)),
        field_frame=np.zeros(FIELD_FRAME),
    )


def checked_mesh(vertices: ArrayLike, faces: ArrayLike, name: str = "mesh") -> Mesh:
    """A closed mesh with its outside out, or one `TerrainError` that says what is wrong with it.

    Vertices at the same place are joined first, since files split them along texture seams.
    """
    points, corners = _checked_arrays(vertices, faces, name)
    points, joined = np.unique(points, axis=0, return_inverse=True)
    corners = joined.reshape(-1)[corners]
    whole = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
    corners = corners[whole]
    if corners.shape[0] == 0:
        raise TerrainError(f"{name} has only faces without area; allowed is a closed surface")
    _check_closed(corners, points.shape[0], name)
    volume = _volume(points, corners)
    if abs(volume) <= 1e-12 * np.ptp(points, axis=0).max() ** 3:
        raise TerrainError(f"{name} encloses no volume; allowed is a closed surface around a solid")
    return Mesh(points, corners if volume > 0.0 else np.ascontiguousarray(corners[:, ::-1]))


def _checked_arrays(vertices: ArrayLike, faces: ArrayLike, name: str) -> tuple[Array, Integers]:
    points, corners = np.asarray(vertices, dtype=np.float64), np.asarray(faces)
    if max(len(points) if points.ndim else 0, len(corners) if corners.ndim else 0) > MOST_CORNERS:
        raise TerrainError(f"{name} has {len(points)} vertices and {len(corners)} faces; allowed are {MOST_CORNERS} of each")
    if points.size == 0 or corners.size == 0:
        raise TerrainError(f"{name} is empty; allowed is a closed triangle mesh")
    if points.ndim != 2 or points.shape[1] != 3 or corners.ndim != 2 or corners.shape[1] != 3:
        raise TerrainError(f"{name} has shapes {points.shape} and {corners.shape}; allowed are (n, 3) and (m, 3)")
    if not np.issubdtype(corners.dtype, np.integer):
        raise TerrainError(f"{name} has faces of type {corners.dtype}; allowed are whole vertex numbers")
    bad = ~np.isfinite(points).all(axis=1)
    if bad.any():
        raise TerrainError(f"{name} has {int(bad.sum())} vertices that are not finite, first {int(bad.argmax())}")
    if np.abs(points).max() > LARGEST_NUMBER:
        raise TerrainError(f"{name} has vertices {np.abs(points).max():g} units away; allowed are {LARGEST_NUMBER:g}")
    if corners.min() < 0 or corners.max() >= points.shape[0]:
        raise TerrainError(f"{name} has vertex numbers outside 0..{points.shape[0] - 1}")
    return points, corners.astype(np.int64)


def _check_closed(corners: Integers, count: int, name: str) -> None:
    tails, heads = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
    along, times_along = np.unique(tails * count + heads, return_counts=True)
    back, times_back = np.unique(heads * count + tails, return_counts=True)
    if np.array_equal(along, back) and np.array_equal(times_along, times_back):
        return
    _, uses = np.unique(np.minimum(tails, heads) * count + np.maximum(tails, heads), return_counts=True)
    open_edges = int((uses % 2).sum())
    if open_edges:
        raise TerrainError(f"{name} is not closed: {open_edges} edges border a hole; allowed is a closed triangle mesh")
    raise TerrainError(f"{name} has faces turned against their neighbours; allowed are faces that all face outwards")


def _volume(points: Array, corners: Integers) -> float:
    a, b, c = (points[corners[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0


def triangle_rows(mesh: Mesh) -> Array:
    """Per triangle its corners and the angle-weighted normals of its face, edges and corners (30 columns)."""
    corners = mesh.vertices[mesh.faces]
    face = _unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    tails, heads = mesh.faces.ravel(), np.roll(mesh.faces, -1, axis=1).ravel()
    keys = np.minimum(tails, heads) * mesh.vertices.shape[0] + np.maximum(tails, heads)
    names, edge_of = np.unique(keys, return_inverse=True)
    edge = np.zeros((names.size, 3))
    np.add.at(edge, edge_of.reshape(-1), np.repeat(face, 3, axis=0))
    ahead = _unit(np.roll(corners, -1, axis=1) - corners)
    behind = _unit(np.roll(corners, 1, axis=1) - corners)
    angle = np.arccos(np.clip(np.einsum("ijk,ijk->ij", ahead, behind), -1.0, 1.0))
    vertex = np.zeros_like(mesh.vertices)
    np.add.at(vertex, tails, (angle[:, :, None] * face[:, None, :]).reshape(-1, 3))
    edges = _unit(edge)[edge_of.reshape(-1, 3)]
    vertices = _unit(vertex)[mesh.faces]
    return np.concatenate([corners.reshape(-1, 9), face, edges.reshape(-1, 9), vertices.reshape(-1, 9)], axis=1)


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0.0, length, 1.0))


def hashed_mesh(mesh: Mesh, cells: int = DEFAULT_CELLS) -> MeshCells:
    """Sort a checked mesh's triangles into ``cells`` cells along each side of its bounding box."""
    if len(mesh.faces) > TRIANGLES_PER_COLUMN * cells**2:
        least = int(np.ceil(np.sqrt(len(mesh.faces) / TRIANGLES_PER_COLUMN)))
        raise TerrainError(f"mesh cells is {cells}; allowed with {len(mesh.faces)} triangles are at least {least}")
    rows = triangle_rows(mesh)
    boxes = rows[:, :9].reshape(-1, 3, 3)
    low, high = np.ascontiguousarray(boxes.min(axis=1)), np.ascontiguousarray(boxes.max(axis=1))
    corner, end = low.min(axis=0), high.max(axis=0)
    per_unit = cells / (end - corner)
    size = np.full(3, cells, dtype=np.int64)
    per_box = np.prod(np.minimum(np.ceil((high - low) * per_unit) + 1.0, cells), axis=1)  # cells, or a layer more
    if per_box.sum() > MOST_ENTRIES:
        raise TerrainError(
            f"the mesh has {len(rows)} triangles that touch up to {per_box.sum():.3g} cells, with {cells} along each axis; "
            f"allowed are {MOST_ENTRIES:g}: use fewer cells or smaller triangles"
        )
    start = np.zeros(cells**3 + 1, dtype=np.int64)
    list_triangles(low, high, corner, per_unit, size, start, np.zeros(0, dtype=np.int64))
    start = np.cumsum(start)
    entries = np.zeros(int(start[-1]), dtype=np.int64)
    list_triangles(low, high, corner, per_unit, size, start, entries)
    rings = np.where(np.diff(start) > 0, 0, 3 * cells).reshape(cells, cells, cells)
    spread_rings(rings, False)
    spread_rings(rings, True)
    frame = np.concatenate([corner, per_unit, corner, end])
    empty = no_mesh()
    return MeshCells(rows, frame, size, start, entries, rings.ravel(), empty.field, empty.field_frame)
