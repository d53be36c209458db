"""The follow tier: kinematics only, for creatures nobody looks at."""

from __future__ import annotations

import numba
import numpy as np

from ...engine.kernel import kernel
from .rotation import turn


@kernel()
def step_one_follow(first, count, position, orientation, velocity, angular_velocity, dt, quaternion):
    """Update position and orientation of the segments of one creature from their velocities."""
    for i in range(first, first + count):
        for d in range(3):
            position[i, d] += dt * velocity[i, d]
        for d in range(4):
            quaternion[d] = orientation[i, d]
        turn(quaternion, 0, dt * angular_velocity[i, 0], dt * angular_velocity[i, 1], dt * angular_velocity[i, 2])
        for d in range(4):
            orientation[i, d] = quaternion[d]


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
        k = np.int64(index)
        creature = rows[k]
        step_one_follow(
            first_segment[creature], segment_count[creature], position, orientation, velocity, angular_velocity, dt,
            scratch[k],
        )  # fmt: skip
