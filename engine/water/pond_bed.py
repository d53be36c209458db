"""The bed of a pond: the floor's elevation under every cell, and which cells stand in solid shapes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..terrain.ground_kernel import NO_FLOOR
from ..terrain.terrain import Terrain
from .pond import Pond
from .pond_layout import BED, CLOSED, DEPTH, SILL_X, SILL_Y, SOLID, SURFACE
from .water_error import WaterError

Array = NDArray[np.float64]


def cell_centers(west: float, south: float, cell: float, columns: int, rows: int) -> Array:
    """Centres (rows * columns, 2) of a block of cells, row by row."""
    x = west + (np.arange(columns) + 0.5) * cell
    y = south + (np.arange(rows) + 0.5) * cell
    return np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1).reshape(-1, 2)


def bed_of(terrain: Terrain, centers: Array, level: float) -> tuple[Array, NDArray[np.bool_]]:
    """Elevations under the centres, and where a shape or mesh pierces the surface at this level."""
    bed = terrain.elevation(centers)
    if (bed <= NO_FLOOR).any():
        raise WaterError("the terrain has no floor under the pond; allowed is a terrain with a floor")
    wet = bed < level
    solid = np.zeros(bed.size, dtype=np.bool_)
    if wet.any():
        at_surface = np.column_stack([centers[wet], np.full(int(wet.sum()), level)])
        solid[wet] = terrain.inside(at_surface)
    return bed, solid


def rest_level(pond: Pond, terrain: Terrain) -> float:
    """The elevation at which a pond's surface stands; an error if no cell would be wet."""
    columns, rows = pond.size
    centers = cell_centers(pond.bounds[0], pond.bounds[1], pond.cell, columns, rows)
    bed = terrain.elevation(centers)
    lowest = float(bed.min())
    level = lowest + pond.depth if math.isnan(pond.level) else pond.level
    if not level > lowest:
        raise WaterError(
            f"a pond with level {level:g} in bounds {tuple(pond.bounds)} has no wet cell; "
            f"allowed is a level above {lowest:g}, the lowest ground there"
        )
    return level


def derive_planes(fields: Array) -> None:
    """Update surface and sills of all faces from bed, depth and solids."""
    bed, solid = fields[BED], fields[SOLID] != 0.0
    np.add(bed, fields[DEPTH], out=fields[SURFACE])
    barrier = np.where(solid, CLOSED, bed)
    barrier[[0, -1], :] = CLOSED
    barrier[:, [0, -1]] = CLOSED
    fields[SILL_X], fields[SILL_Y] = CLOSED, CLOSED
    np.maximum(barrier[:, :-1], barrier[:, 1:], out=fields[SILL_X, :, 1:])
    np.maximum(barrier[:-1, :], barrier[1:, :], out=fields[SILL_Y, 1:, :])
