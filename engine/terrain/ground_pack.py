"""Packing floor, shapes and mesh into the two arrays of a `Ground`."""

from __future__ import annotations

from itertools import product
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import ground_layout as layout
from .field_bake_kernel import measure_band, sign_nodes, sweep_nodes
from .ground_layout import Ground
from .height_field import Floor, no_floor
from .mesh import MeshCells
from .shapes import ShapeCells, no_shapes
from .terrain_error import TerrainError

Numbers = TypeVar("Numbers", bound=NDArray[Any])

FIELD_MARGIN = 3.0  # units of distance field around a mesh: about where a creature's body and legs are
DEFAULT_FIELD_NODES = 64  # along the longest side


def packed_ground(floor: Floor, shapes: ShapeCells, mesh: MeshCells) -> Ground:
    """One read-only `Ground` from its three parts."""
    parts = [floor.frame, floor.elevation, shapes.frame, shapes.rows, mesh.frame, mesh.rows]
    parts += [mesh.field_frame, mesh.field]
    ends = np.cumsum([part.size for part in parts])
    shape_start = layout.HEADER_SLOTS
    shape_entries = shape_start + shapes.start.size
    mesh_start = shape_entries + shapes.entries.size
    mesh_entries = mesh_start + mesh.start.size
    rings = mesh_entries + mesh.entries.size
    header = np.zeros(layout.HEADER_SLOTS, dtype=np.int64)
    header[[layout.FLOOR_NX, layout.FLOOR_NY]] = floor.elevation.shape
    header[[layout.SHAPE_NX, layout.SHAPE_NY, layout.SHAPE_NZ]] = shapes.cells
    header[[layout.MESH_NX, layout.MESH_NY, layout.MESH_NZ]] = mesh.cells
    header[[layout.FIELD_NX, layout.FIELD_NY, layout.FIELD_NZ]] = mesh.field.shape
    header[[layout.SHAPE_COUNT, layout.MESH_COUNT]] = shapes.rows.shape[0], mesh.rows.shape[0]
    header[[layout.FLOOR_AT, layout.SHAPE_AT, layout.MESH_AT, layout.FIELD_AT]] = 0, ends[1], ends[3], ends[5]
    header[[layout.SHAPE_START, layout.MESH_START, layout.MESH_RING]] = shape_start, mesh_start, rings
    # list heads become offsets into the packed array itself: one addition less per query
    lists = [header, shapes.start + shape_entries, shapes.entries, mesh.start + mesh_entries, mesh.entries, mesh.rings]
    indices = np.concatenate(lists)
    if indices.size > np.iinfo(np.int32).max:
        raise TerrainError(f"the ground needs {indices.size} list entries; use fewer cells or a smaller mesh")
    return Ground(_frozen(np.concatenate([part.ravel() for part in parts])), _frozen(indices.astype(np.int32)))


def _frozen(array: Numbers) -> Numbers:
    array.setflags(write=False)
    return array


def with_field(mesh: MeshCells, nodes: int = DEFAULT_FIELD_NODES) -> MeshCells:
    """The mesh with a baked distance field of ``nodes`` nodes along its longest side."""
    low, high = mesh.frame[6:9] - FIELD_MARGIN, mesh.frame[9:12] + FIELD_MARGIN
    spacing = float((high - low).max()) / (nodes - 1)
    shape = np.ceil((high - low) / spacing).astype(np.int64) + 3  # one node beyond each end for the stencil
    origin = low - spacing
    ground = packed_ground(no_floor(), no_shapes(), mesh)
    best, owner = np.full(tuple(shape), np.inf), np.full(tuple(shape), -1, dtype=np.int64)
    measure_band(ground, origin, spacing, best, owner)
    for octant in product((False, True), repeat=3):
        sweep_nodes(ground, origin, spacing, best, owner, *octant)
    distances = np.zeros(tuple(shape))
    sign_nodes(ground, origin, spacing, best, distances)
    return mesh._replace(field=_spline_weights(distances), field_frame=np.array([*origin, 1.0 / spacing]))


def _spline_weights(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights whose quadratic spline passes through the values (to fourth order): f - f''/8 along each axis."""
    weights = values.copy()
    for axis in range(3):
        lines = np.moveaxis(weights, axis, 0)
        lines[1:-1] -= np.diff(lines, n=2, axis=0) / 8.0
    return weights
