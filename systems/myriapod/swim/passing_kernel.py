"""Swimmers that meet pass below each other, as walkers climb over each other: the younger one dives under the older one.

A push that keeps bodies apart in the plane either lets them through or stops and ties them up, for they are long and go
fast. There is room below. A segment that comes near the body of an older one heads for the depth at which it clears it,
and its buoyancy brings it up again. It pushes against the water, so no other swimmer is pushed back; the push is limited to
a share of its weight. Poses of the last tick are read and own rows written only: the result does not depend on the number
of threads.
Legend: (dx, dy) from a segment to the nearest point of a link, gap between both skins in plan view.
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.spatial_hash import next_item, open_query
from ...spatial_index.solids import SolidField

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array
    from ....engine.spatial_hash import SpatialHash

RAMP = 2.0  # half widths from the first push to full depth: animals side by side hardly move each other
LOOK_AHEAD = 0.7  # s; what comes nearer counts where it will be then, for that long a dive takes
REACH = 12.0  # half widths; farther away nothing counts
CLEARANCE = 1.1  # sums of half heights between the middle of two bodies that pass
STIFFNESS = 30.0  # 1/s^2 per unit mass and unit of missing depth
DAMPING = 4.0  # 1/s per unit mass
LARGEST_PUSH = 0.8  # of the weight of the segment
MOST_MET = 256  # links around a segment that are looked at, lowest numbers of each cell first
SHORTEST = 1e-9  # units


@kernel()
def room_below(i: int, c: int, creatures: CreaturePool, segments: SegmentPool, rank: Array, capsules: Array,
               hashed: SpatialHash) -> float:  # fmt: skip
    """Return how far segment `i` of creature `c` must sink to pass under the bodies of lower rank near it."""
    x, y, z = segments.position[i, 0], segments.position[i, 1], segments.position[i, 2]
    half_extents, speed = segments.half_extents, creatures.velocity
    own, missing = half_extents[i, 1], 0.0
    reach = REACH * own
    cells, cursor = open_query(hashed, x - reach, y - reach, x + reach, y + reach)
    for _ in range(MOST_MET):
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            break
        owner = int64(capsules[k, SolidField.OWNER])
        if rank[owner] >= rank[c]:
            continue
        ax, ay = capsules[k, SolidField.X] - x, capsules[k, SolidField.Y] - y
        ex, ey = capsules[k, SolidField.EXTENT_X], capsules[k, SolidField.EXTENT_Y]
        square = ex * ex + ey * ey
        t = min(max(-(ax * ex + ay * ey) / square, 0.0), 1.0) if square > SHORTEST else 0.0
        dx, dy = ax + t * ex, ay + t * ey
        distance = hypot(dx, dy)
        gap = distance - own - capsules[k, SolidField.RADIUS]
        if distance > SHORTEST:  # how fast the whole bodies come nearer; segments swing to and fro with every beat
            vx, vy = speed[owner, 0] - speed[c, 0], speed[owner, 1] - speed[c, 1]
            gap += LOOK_AHEAD * min((vx * dx + vy * dy) / distance, 0.0)
        if gap >= RAMP * own:
            continue
        s = min(1.0 - gap / (RAMP * own), 1.0)
        height = capsules[k, SolidField.Z] + t * capsules[k, SolidField.EXTENT_Z] - z  # of the other above this one
        clear = CLEARANCE * (half_extents[i, 2] + capsules[k, SolidField.RADIUS])
        if -clear < height < clear:  # not yet below it, and not far above it
            missing = max(missing, s * s * (3.0 - 2.0 * s) * clear - height)
    return missing


@kernel(parallel=True)
def pass_below(rows: Array, creatures: CreaturePool, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool,
               rank: Array, capsules: Array, hashed: SpatialHash, gravity: float) -> None:  # fmt: skip
    """Push the segments of the swimmers in `rows` down where swimmers of lower rank are near.

    rank: by creature row. capsules: of all bodies. No segment is pushed into the bed.
    """
    for r in prange(rows.size):
        c = int64(rows[r])
        height, half_extents, velocity = chained.height, segments.half_extents, segments.velocity
        for i in range(bodies.first_segment[c], bodies.first_segment[c] + bodies.segment_count[c]):
            missing = room_below(i, c, creatures, segments, rank, capsules, hashed)
            missing = min(missing, height[i] - half_extents[i, 2])
            if missing > 0.0:
                wanted = STIFFNESS * missing + DAMPING * velocity[i, 2]
                segments.push[i, 2] -= segments.mass[i] * min(max(wanted, 0.0), LARGEST_PUSH * gravity)
