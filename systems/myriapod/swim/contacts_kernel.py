"""What stops a swimming body: the bed below, and walls, obstacles and the edge of the map beside it.

Contact knows one plane per segment. It is that of the nearest thing, so a body slides along walls and never through them.
Legend: d distance of a segment's centre, n outward normal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.pool import NO_OWNER
from ....engine.terrain.ground_kernel import sample_ground
from ...spatial_index.wall_contact_kernel import nearest_wall

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array
    from ....engine.terrain.ground_layout import Ground
    from ...spatial_index.index import Around

SKIN = 0.1  # half widths in front of a wall at which a body begins to feel it: one that swims into it fast sinks in as much
REACH = 2.0  # half sizes of a segment within which a wall is taken for the plane of contact


@kernel()
def pick_swimmers(rows: Array, walker: Array, beating: Array, chosen: Array, legless: Array) -> int:
    """Choose those of the rows that are without legs or afloat, note which are legless, and return how many they are.

    walker: owners of the rows of walkers, by creature row like beating.
    """
    count = 0
    for k in range(rows.shape[0]):
        c = rows[k]
        walks = walker[c] != NO_OWNER
        if not walks or beating[c] != 0:
            chosen[count], legless[count] = c, not walks
            count += 1
    return count


@kernel()
def feel_banks_of_one(c: int, on_bed: bool, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool,
                      ground: Ground, around: Around) -> None:  # fmt: skip
    """Set the contact planes of the segments of creature `c`; `on_bed`: the ground below it is not yet known.

    What of a walker is still dry keeps the ground as its plane. Only heads heed the edge of the map, so a tail may be beyond
    it when the head begins to swim: a wall through its segments would throw them.
    """
    position, half_extents = segments.position, segments.half_extents
    ground_point, ground_normal = chained.ground_point, chained.ground_normal
    first = int64(bodies.first_segment[c])
    for i in range(first, first + bodies.segment_count[c]):
        x, y, z = position[i, 0], position[i, 1], position[i, 2]
        reach = REACH * max(half_extents[i, 0], half_extents[i, 1])
        d, nx, ny, nz = nearest_wall(x, y, z, reach, around)
        skin = SKIN * half_extents[i, 1]
        d, farthest = d - skin, reach - skin
        if on_bed:
            below, mx, my, mz = sample_ground(ground, x, y, z)
            chained.height[i] = below
            if below < d or d >= farthest:
                d, nx, ny, nz = below, mx, my, mz
        elif d >= farthest or segments.submerged[i] == 0:
            continue
        d = max(d, 0.0)  # a body that is on the wrong side is led back and not shot back
        ground_point[i, 0], ground_point[i, 1], ground_point[i, 2] = x - d * nx, y - d * ny, z - d * nz
        ground_normal[i, 0], ground_normal[i, 1], ground_normal[i, 2] = nx, ny, nz


@kernel(parallel=True)
def feel_banks(rows: Array, on_bed: Array, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool,
               ground: Ground, around: Around) -> None:  # fmt: skip
    """Set the contact planes of the swimmers in `rows` to the nearest of terrain, obstacles and edges of the map."""
    for r in prange(rows.size):
        feel_banks_of_one(int64(rows[r]), on_bed[r] != 0, bodies, segments, chained, ground, around)
