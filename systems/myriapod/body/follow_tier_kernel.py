"""The follow tier: kinematics only, for creatures nobody looks at."""

from __future__ import annotations

import numba
import numpy as np

from ....engine.kernel import kernel
from .rotation_kernel import turn


@kernel()
def advance_pose(i, position, orientation, velocity, angular_velocity, dt):
    """Update position and orientation of one segment from its velocities."""
    for d in range(3):
        position[i, d] += dt * velocity[i, d]
    turn(orientation[i], 0, dt * angular_velocity[i, 0], dt * angular_velocity[i, 1], dt * angular_velocity[i, 2])


@kernel(parallel=True)
def step_follow(
    rows, first_segment, segment_count, first_block, block_count, substeps, rotation_free, damping_inverse,
    position, orientation, velocity, angular_velocity, half_extents, mass, center_of_mass, inertia, inverse_inertia,
    kinematic, gravity, ground_point, ground_normal, push, segment_a, segment_b, anchor_a, anchor_b, size, elastic,
    joint, lengths_before, lengths, node_position, node_velocity, disturbed, water_level,
    water_velocity, water_power, contact, dt, scratch,
):  # fmt: skip
    """Update position and orientation of the creatures in `rows` from their given velocities; nodes stay untouched."""
    for index in numba.prange(rows.shape[0]):
        creature = rows[np.int64(index)]
        first = first_segment[creature]
        for i in range(first, first + segment_count[creature]):
            advance_pose(i, position, orientation, velocity, angular_velocity, dt)
