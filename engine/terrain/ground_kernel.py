"""The one compiled ground query: signed distance above the nearest walkable surface and its outward normal."""

from __future__ import annotations

import numpy as np

from ..gap import Gap
from ..kernel import kernel
from .field_kernel import sample_field
from .ground_layout import FIELD_NX, FLOOR_NX, MESH_AT, MESH_COUNT, SHAPE_COUNT, Ground
from .height_kernel import height_and_slope, sample_height
from .mesh_kernel import inside_mesh, sample_mesh_exactly
from .shape_kernel import nearest_shape, shape_normal, worth_asking

__all__ = ["FARTHEST", "NO_FLOOR", "Ground", "ground_elevation", "inside_ground", "sample_ground"]

FARTHEST = 1.0e100  # units; coordinates are clamped here so that squares stay finite
NOTHING_NEAR = 1.0e101  # units; distance in a world without any ground, beyond every possible one
NO_FLOOR = -1.0e6  # units; elevation reported by a world without a height field, far below anything


@kernel(refcount=False)
def clamp_far(value: float) -> float:
    """Return the value limited to the range whose squares stay finite (NaN stays NaN)."""
    if value > FARTHEST:
        return FARTHEST
    if value < -FARTHEST:
        return -FARTHEST
    return value


@kernel(refcount=False)
def sample_ground(ground: Ground, x: float, y: float, z: float) -> Gap:
    """Return the distance of a point above the nearest walkable surface, and the normal there.

    Negative distances are inside. A point with a NaN coordinate has distance NaN and the normal (0, 0, 1); every other
    input, infinite ones included, gives a finite answer.
    """
    x, y, z = clamp_far(x), clamp_far(y), clamp_far(z)
    if np.isnan(x + y + z):
        return Gap(np.nan, 0.0, 0.0, 1.0)
    distance, nx, ny, nz = NOTHING_NEAR, 0.0, 0.0, 1.0
    if ground.indices[FLOOR_NX] > 0:
        distance, nx, ny, nz = sample_height(ground, x, y, z)
    if ground.indices[SHAPE_COUNT] > 0:
        distance, shape = nearest_shape(ground, x, y, z, distance)
        if shape >= 0:
            nx, ny, nz = shape_normal(ground.numbers, shape, x, y, z)
    if ground.indices[MESH_COUNT] > 0 and worth_asking(ground.numbers, ground.indices[MESH_AT] + 6, x, y, z, distance):
        if ground.indices[FIELD_NX] > 0:
            to_mesh, mx, my, mz = sample_field(ground, x, y, z)
        else:
            to_mesh, mx, my, mz = sample_mesh_exactly(ground, x, y, z)
        if to_mesh < distance:
            distance, nx, ny, nz = to_mesh, mx, my, mz
    return Gap(distance, nx, ny, nz)


@kernel(refcount=False)
def ground_elevation(ground: Ground, x: float, y: float) -> float:
    """Return the height field's z at (x, y), `NO_FLOOR` when the world has none."""
    if ground.indices[FLOOR_NX] == 0:
        return NO_FLOOR
    x, y = clamp_far(x), clamp_far(y)
    if np.isnan(x + y):
        return np.nan
    height, _, _ = height_and_slope(ground, x, y)
    return height


@kernel(refcount=False)
def inside_ground(ground: Ground, x: float, y: float, z: float) -> bool:
    """Tell whether the point is under the floor, in a shape or in the mesh (by ray parity)."""
    x, y, z = clamp_far(x), clamp_far(y), clamp_far(z)
    if np.isnan(x + y + z):
        return False
    if ground.indices[FLOOR_NX] > 0 and sample_height(ground, x, y, z).distance < 0.0:
        return True
    if ground.indices[SHAPE_COUNT] > 0 and nearest_shape(ground, x, y, z, 0.0)[1] >= 0:
        return True
    return ground.indices[MESH_COUNT] > 0 and inside_mesh(ground, x, y, z)[0]
