"""The follow tier: kinematics only, for creatures out of sight."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numba import prange

from ....engine.kernel import kernel
from .rotation_kernel import turn


@kernel()
def advance_pose(i, segments, dt):
    """Move and turn segment `i` with its velocities."""
    position, velocity, spin = segments.position, segments.velocity, segments.angular_velocity
    for d in range(3):
        position[i, d] += dt * velocity[i, d]
    turn(segments.orientation[i], 0, dt * spin[i, 0], dt * spin[i, 1], dt * spin[i, 2])


@kernel(parallel=True)
def step_follow(rows, bodies, chains, segments, chained, blocks, contact, dt, scratch):  # noqa: ARG001 - as all tiers
    """Move and turn the segments of the creatures in `rows` with their given velocities; tissue stays as it is."""
    for r in prange(rows.shape[0]):
        c = np.int64(rows[r])
        first = np.int64(bodies.first_segment[c])
        for i in range(first, first + bodies.segment_count[c]):
            advance_pose(i, segments, dt)
