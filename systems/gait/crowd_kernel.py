"""What is underfoot besides the ground: the bodies of others, and how far rocks push a flank aside.

Two animals that meet do not fight for the same place: the younger one climbs over the older one, as real centipedes
do. To a segment of the younger, the back of the older is ground, reached over a ramp that begins before the bodies
touch. The order of birth decides who climbs, so two bodies never try to climb each other, and within one body the
front part climbs over the rear. Only poses of the last tick are read and only own rows written: the result does not
depend on the order of creatures or the number of threads.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numba import prange

from ...engine.kernel import kernel
from ...engine.spatial_hash import next_item, open_query
from ..senses.solid_kernel import solid_distance
from ..senses.solids import SolidField

FULL_MARGIN = 0.7
"""Units of plan-view gap at which a climber is already at full height; the Balancer lags about half of that."""

RAMP_SLOPE = 0.8
"""Rise per unit of way: the ramp onto a back begins the farther away the higher the back is."""

LONGEST_RAMP = 2.0
"""Units; higher piles are climbed more steeply."""

OWN_GAP = 6
"""Capsules between a segment and the part of its own body it may climb over; nearer ones are its neighbours."""

TOO_HIGH = 3.0
"""Units above; a body that far overhead is no ground, it passes over."""

FLANK_MARGIN = 0.05
"""Units kept between a flank and a rock."""

SHOVE_GAIN = 8.0
"""1/s; how fast a flank inside that margin is pushed out."""

SHOVE_LIMIT = 3.0
"""u/s; faster than anybody walks, slower than anything that tears a body."""


@kernel()
def nearest_on_capsule(capsules, k, x, y, z):
    """Return the vector from a point to the nearest point of a capsule's axis."""
    ax, ay, az = capsules[k, SolidField.X] - x, capsules[k, SolidField.Y] - y, capsules[k, SolidField.Z] - z
    ex, ey, ez = capsules[k, SolidField.EXTENT_X], capsules[k, SolidField.EXTENT_Y], capsules[k, SolidField.EXTENT_Z]
    length = ex * ex + ey * ey + ez * ez
    t = -(ax * ex + ay * ey + az * ez) / length if length > 0.0 else 0.0
    t = min(max(t, 0.0), 1.0)
    return ax + t * ex, ay + t * ey, az + t * ez


@kernel()
def is_ground_for(creature, segment, owner, capsule, serial):
    """Return whether a capsule may be climbed: a body of somebody older, or the rear of one's own."""
    if owner == creature:
        return capsule >= segment + OWN_GAP
    return serial[owner] < serial[creature]


@kernel()
def feel_backs(creature, segment, row, place, serial, position, half_extents, height, normal, capsules, hashed):
    """Return (share, height): how much of the strongest back underfoot counts, and its top relative to the segment."""
    x, y, z = position[row, 0], position[row, 1], position[row, 2]
    nx, ny, nz = normal[row, 0], normal[row, 1], normal[row, 2]
    own = half_extents[row, 1]
    reach = own + FULL_MARGIN + LONGEST_RAMP
    best, share, top = 0.0, 0.0, 0.0
    cells, cursor = open_query(hashed, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            return share, top
        owner = np.int64(capsules[k, SolidField.OWNER])
        if not is_ground_for(creature, segment, owner, k - place[owner], serial):
            continue
        dx, dy, dz = nearest_on_capsule(capsules, k, x, y, z)
        up = dx * nx + dy * ny + dz * nz
        radius = capsules[k, SolidField.RADIUS]
        aside = sqrt(max(dx * dx + dy * dy + dz * dz - up * up, 0.0)) - own - radius - FULL_MARGIN
        ramp = min((up + radius + height[row]) / RAMP_SLOPE, LONGEST_RAMP)
        if aside >= ramp or up > TOO_HIGH:
            continue
        s = min(1.0, 1.0 - aside / ramp)
        s = s * s * (3.0 - 2.0 * s)
        climb = s * (up + radius + height[row])
        if climb > best:
            best, share, top = climb, s, up + radius


@kernel()
def shove_from_solids(row, position, half_extents, normal, solids, hashed, shove):
    """Update the velocity that takes a flank out of the rocks it touches, along the ground."""
    x, y, z = position[row, 0], position[row, 1], position[row, 2]
    nx, ny, nz = normal[row, 0], normal[row, 1], normal[row, 2]
    keep = half_extents[row, 1] + FLANK_MARGIN
    vx, vy, vz = 0.0, 0.0, 0.0
    cells, cursor = open_query(hashed, x - keep, y - keep, x + keep, y + keep)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            break
        d, ox, oy, oz = solid_distance(solids, k, x, y, z)
        if d < keep:
            lift = ox * nx + oy * ny + oz * nz
            out = SHOVE_GAIN * (keep - d)
            vx, vy, vz = vx + out * (ox - lift * nx), vy + out * (oy - lift * ny), vz + out * (oz - lift * nz)
    speed = sqrt(vx * vx + vy * vy + vz * vz)
    limit = SHOVE_LIMIT / speed if speed > SHOVE_LIMIT else 1.0
    shove[row, 0], shove[row, 1], shove[row, 2] = limit * vx, limit * vy, limit * vz


@kernel(parallel=True)
def feel_neighbours(
    creature_rows, first_segment, segment_count, serial, place, position, half_extents, height, ground_normal,
    solids, solid_hash, capsules, body_hash, lift_share, lift_top, shove,
):  # fmt: skip
    """Update what the segments of the listed creatures have underfoot and beside them besides the ground."""
    for index in prange(creature_rows.shape[0]):
        creature = np.int64(creature_rows[index])
        first = np.int64(first_segment[creature])
        for row in range(first, first + segment_count[creature]):
            lift_share[row], lift_top[row] = feel_backs(
                creature, row - first, row, place, serial, position, half_extents, height, ground_normal, capsules,
                body_hash,
            )  # fmt: skip
            shove_from_solids(row, position, half_extents, ground_normal, solids, solid_hash, shove)
