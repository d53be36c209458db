"""Compiled drivers that ask the ground about many points, in parallel over points."""

# mypy: ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange

from ..kernel import kernel
from .ground_kernel import ground_elevation, inside_ground, sample_ground


@kernel(parallel=True)
def sample_points(ground: Any, points: Any, distances: Any, normals: Any) -> None:
    """Update ``distances`` and ``normals`` from points (n, 3)."""
    for row in prange(points.shape[0]):
        i = np.int64(row)
        d, nx, ny, nz = sample_ground(ground, points[i, 0], points[i, 1], points[i, 2])
        distances[i] = d
        normals[i, 0] = nx
        normals[i, 1] = ny
        normals[i, 2] = nz


@kernel(parallel=True)
def elevate_points(ground: Any, points: Any, elevations: Any) -> None:
    """Update ``elevations`` from points (n, 2)."""
    for row in prange(points.shape[0]):
        i = np.int64(row)
        elevations[i] = ground_elevation(ground, points[i, 0], points[i, 1])


@kernel(parallel=True)
def enclose_points(ground: Any, points: Any, inside: Any) -> None:
    """Update ``inside`` from points (n, 3)."""
    for row in prange(points.shape[0]):
        i = np.int64(row)
        inside[i] = inside_ground(ground, points[i, 0], points[i, 1], points[i, 2])
