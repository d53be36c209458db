"""Where the water stands at every segment, once per tick: what the force of water and the muscles work from.

A body presses its own shape and motion into the water below and above it, so the water is looked up on both sides of it.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numba
import numpy as np

from ...components.segments import DRY_LEVEL
from ...engine.kernel import kernel
from ...engine.water.sample_kernel import sample_water

BESIDE = 3.0  # half widths from the middle of a segment to where the water beside it is looked up
EMERGED = 0.5  # share of its half height that a centre must be above the surface to count as out of the water again


@kernel()
def water_beside(i, position, orientation, half_extents, water):
    """Return surface, u and v of the water around segment `i`, and whether there is any.

    The mean of both sides; where one of them is dry, as along a shore, the water at the segment itself.
    """
    w, x, y, z = orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3]
    reach = BESIDE * half_extents[i, 1]
    left_x, left_y = reach * 2.0 * (x * y - w * z), reach * (1.0 - 2.0 * (x * x + z * z))
    left, left_depth, left_u, left_v = sample_water(water, position[i, 0] + left_x, position[i, 1] + left_y)
    right, right_depth, right_u, right_v = sample_water(water, position[i, 0] - left_x, position[i, 1] - left_y)
    if left_depth > 0.0 and right_depth > 0.0:
        return 0.5 * (left + right), 0.5 * (left_u + right_u), 0.5 * (left_v + right_v), True
    surface, depth, u, v = sample_water(water, position[i, 0], position[i, 1])
    return surface, u, v, depth > 0.0


@kernel()
def sample_one(
    first, count, position, orientation, half_extents, current_share, submerged, water_level, water_velocity, water
):
    """Update water level, velocity and the submerged flag of the segments of one creature."""
    for i in range(first, first + count):
        surface, u, v, wet = water_beside(i, position, orientation, half_extents, water)
        if not wet:
            water_level[i], submerged[i] = DRY_LEVEL, 0
            water_velocity[i, 0], water_velocity[i, 1], water_velocity[i, 2] = 0.0, 0.0, 0.0
            continue
        water_level[i] = surface
        water_velocity[i, 0], water_velocity[i, 1], water_velocity[i, 2] = current_share * u, current_share * v, 0.0
        above = position[i, 2] - surface
        if above < 0.0:
            submerged[i] = 1
        elif above > EMERGED * half_extents[i, 2]:  # between the two it stays what it was
            submerged[i] = 0


@kernel(parallel=True)
def sample_immersion(
    rows, first_segment, segment_count, position, orientation, half_extents, current_share, submerged, water_level,
    water_velocity, water,
):  # fmt: skip
    """Update water level, velocity and submerged flags of the creatures in `rows` from the water.

    current_share: 0 for water at rest in the force, as in the source [digest E-43], 1 for the velocity of the water.
    """
    for index in numba.prange(rows.shape[0]):
        c = rows[np.int64(index)]
        sample_one(
            first_segment[c], segment_count[c], position, orientation, half_extents, current_share, submerged, water_level,
            water_velocity, water,
        )  # fmt: skip
