"""The nearest obstacle to a point, for bodies that must keep out of it."""

# mypy: ignore-errors
from __future__ import annotations

from ...engine.kernel import kernel
from ...engine.spatial_hash import next_item, open_query
from .solid_kernel import solid_distance


@kernel(refcount=False)
def nearest_solid(x, y, z, reach, around):
    """Return distance and outward normal of the nearest obstacle, reach if none is nearer."""
    best = (reach, 0.0, 0.0, 1.0)
    cells, cursor = open_query(around.solid_hash, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(around.solid_hash, cells, cursor)
        if k < 0:
            return best
        d, nx, ny, nz = solid_distance(around.solids, k, x, y, z)
        if d < best[0]:
            best = (d, nx, ny, nz)
