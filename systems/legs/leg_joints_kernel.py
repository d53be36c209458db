"""Joint points of all legs in world coordinates, for pictures and hit tests."""

from __future__ import annotations

import numpy as np
from numba import prange

from ...engine.kernel import kernel
from .leg_kinematics_kernel import leg_points
from .segment_frame_kernel import segment_frame, to_world


@kernel()
def place_leg_joints(leg, side, frame, hip, links, angles, joints):
    """Update the hip, knee, ankle and tip of one leg."""
    points = joints[leg]
    leg_points(hip[leg], links[leg], side, angles[leg, 0], angles[leg, 1], angles[leg, 2], points)
    for joint in range(4):
        points[joint, 0], points[joint, 1], points[joint, 2] = to_world(
            frame, points[joint, 0], points[joint, 1], points[joint, 2]
        )


@kernel(parallel=True)
def place_all_leg_joints(rows, first_leg, leg_count, segment_row, hip, links, angles, position, orientation, joints):
    """Update joints (legs, 4, 3) from segment poses and leg angles of the listed creatures."""
    for r in prange(rows.shape[0]):
        first = np.int64(first_leg[rows[r]])
        for leg in range(first, first + leg_count[rows[r]]):
            frame = segment_frame(position, orientation, segment_row[leg])
            place_leg_joints(leg, 1.0 - 2.0 * ((leg - first) % 2), frame, hip, links, angles, joints)
