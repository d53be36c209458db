"""Compiled drivers that ask the ground about many points, in parallel over points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ..kernel import kernel
from ..kernel_types import int64
from .ground_kernel import ground_elevation, inside_ground, sample_ground

if TYPE_CHECKING:
    from ..kernel_types import Array
    from .ground_layout import Ground


@kernel(parallel=True)
def sample_points(ground: Ground, points: Array, distances: Array, normals: Array) -> None:
    """Update ``distances`` and ``normals`` from points (n, 3)."""
    for row in prange(points.shape[0]):
        i = int64(row)
        d, nx, ny, nz = sample_ground(ground, points[i, 0], points[i, 1], points[i, 2])
        distances[i] = d
        normals[i, 0] = nx
        normals[i, 1] = ny
        normals[i, 2] = nz


@kernel(parallel=True)
def elevate_points(ground: Ground, points: Array, elevations: Array) -> None:
    """Update ``elevations`` from points (n, 2)."""
    for row in prange(points.shape[0]):
        i = int64(row)
        elevations[i] = ground_elevation(ground, points[i, 0], points[i, 1])


@kernel(parallel=True)
def enclose_points(ground: Ground, points: Array, inside: Array) -> None:
    """Update ``inside`` from points (n, 3)."""
    for row in prange(points.shape[0]):
        i = int64(row)
        inside[i] = inside_ground(ground, points[i, 0], points[i, 1], points[i, 2])
