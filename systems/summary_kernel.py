"""What games ask first: where a creature is, how fast, where it looks and how far it reaches."""

from __future__ import annotations

from math import atan2, sqrt

import numpy as np
from numba import prange

from ..engine.kernel import kernel
from .legs.segment_frame_kernel import segment_frame


@kernel()
def summarise_body(c, first, count, position, orientation, velocity, half_extents, place, speed, heading, reach):
    """Update position, velocity, heading and reach of one creature from its segments."""
    if count == 0:
        return
    frame = segment_frame(position, orientation, first)
    heading[c] = atan2(frame[4], frame[3])
    farthest = 0.0
    for axis in range(3):
        place[c, axis] = position[first, axis]
        speed[c, axis] = velocity[first, axis]
    for i in range(first, first + count):
        dx, dy = position[i, 0] - position[first, 0], position[i, 1] - position[first, 1]
        farthest = max(farthest, sqrt(dx * dx + dy * dy) + half_extents[i, 0] + half_extents[i, 1])
    reach[c] = farthest


@kernel(parallel=True)
def summarise_bodies(
    rows, first_segment, segment_count, position, orientation, velocity, half_extents, place, speed, heading, reach
):
    """Update position, velocity, heading and reach of the listed creatures from their segments."""
    for r in prange(rows.shape[0]):
        c = np.int64(rows[r])
        summarise_body(
            c, np.int64(first_segment[c]), np.int64(segment_count[c]), position, orientation, velocity, half_extents, place,
            speed, heading, reach,
        )  # fmt: skip
