"""What stops a swimming body: the bed below, and walls, obstacles and the edge of the map beside it.

Contact knows one plane per segment. It is that of whatever is nearest, so a body slides along walls and never through them.
Legend: d distance of a segment's centre, n outward normal.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from ....engine.kernel import kernel
from ....engine.spatial_hash import next_item, open_query
from ....engine.terrain.ground_kernel import sample_ground
from ...senses.touch_kernel import X_MAX, X_MIN, Y_MAX, Y_MIN
from ...spatial_index.solid_kernel import solid_distance

SKIN = 0.1  # half widths in front of a wall at which a body begins to feel it: one that swims into it fast sinks in as much
REACH = 2.0  # half sizes of a segment within which a wall is taken for the plane of contact


@kernel()
def pick_swimmers(spans, walker, nobody, swimming, chosen, legless):
    """Update chosen from the first rows of spans without legs or afloat, and who is legless; return their number.

    walker: owners of the rows of walkers.
    """
    count = 0
    for k in range(spans.shape[0]):
        c = spans[k, 0]
        walks = c < walker.shape[0] and walker[c] != nobody
        if not walks or swimming[c] != 0:
            chosen[count], legless[count] = c, not walks
            count += 1
    return count


@kernel()
def nearest_wall(x, y, z, reach, solids, hashed, bounds):
    """Return distance and outward normal of the nearest obstacle or edge of the map; reach if none is nearer."""
    best = (reach, 0.0, 0.0, 1.0)
    if x - bounds[X_MIN] < best[0]:
        best = (x - bounds[X_MIN], 1.0, 0.0, 0.0)
    if bounds[X_MAX] - x < best[0]:
        best = (bounds[X_MAX] - x, -1.0, 0.0, 0.0)
    if y - bounds[Y_MIN] < best[0]:
        best = (y - bounds[Y_MIN], 0.0, 1.0, 0.0)
    if bounds[Y_MAX] - y < best[0]:
        best = (bounds[Y_MAX] - y, 0.0, -1.0, 0.0)
    cells, cursor = open_query(hashed, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            return best
        d, nx, ny, nz = solid_distance(solids, k, x, y, z)
        if d < best[0]:
            best = (d, nx, ny, nz)


@kernel()
def feel_banks_of_one(
    first, count, on_bed, position, half_extents, ground_point, ground_normal, height, ground, solids, hashed, bounds
):
    """Update the contact planes of one creature's segments; `on_bed`: nobody else has found the ground below it."""
    for row in range(first, first + count):
        x, y, z = position[row, 0], position[row, 1], position[row, 2]
        reach = REACH * max(half_extents[row, 0], half_extents[row, 1])
        d, nx, ny, nz = nearest_wall(x, y, z, reach, solids, hashed, bounds)
        skin = SKIN * half_extents[row, 1]
        d, farthest = d - skin, reach - skin
        if on_bed:
            below, mx, my, mz = sample_ground(ground, x, y, z)
            height[row] = below
            if below < d or d >= farthest:
                d, nx, ny, nz = below, mx, my, mz
        elif d >= farthest:
            continue
        d = max(d, 0.0)  # whoever is somehow on the wrong side is led back and not shot back
        ground_point[row, 0], ground_point[row, 1], ground_point[row, 2] = x - d * nx, y - d * ny, z - d * nz
        ground_normal[row, 0], ground_normal[row, 1], ground_normal[row, 2] = nx, ny, nz


@kernel(parallel=True)
def feel_banks(
    rows, on_bed, first_segment, segment_count, position, half_extents, ground_point, ground_normal, height, ground, solids,
    hashed, bounds,
):  # fmt: skip
    """Update the contact planes of the swimmers in `rows` from the terrain, the obstacles and the edge of the map."""
    for r in prange(rows.size):
        c = np.int64(rows[r])
        feel_banks_of_one(
            np.int64(first_segment[c]), np.int64(segment_count[c]), on_bed[r] != 0, position, half_extents, ground_point,
            ground_normal, height, ground, solids, hashed, bounds,
        )  # fmt: skip
