"""Joint points of all legs in world coordinates, for pictures and hit tests."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numba import prange

from ...engine.kernel import kernel
from .leg_kinematics_kernel import leg_points
from .segment_frame_kernel import segment_frame, to_world


@kernel()
def place_leg_joints(leg, legs, frame, side, joints):
    """Place the hip, knee, ankle and tip of one leg in the world."""
    points, angles = joints[leg], legs.angles[leg]
    leg_points(legs.hip[leg], legs.links[leg], side, angles[0], angles[1], angles[2], points)
    for joint in range(4):
        points[joint, 0], points[joint, 1], points[joint, 2] = to_world(
            frame, points[joint, 0], points[joint, 1], points[joint, 2]
        )


@kernel()
def place_creature_joints(c, bodies, segments, legs, joints):
    """Place the joints of one creature's legs in the world."""
    first = np.int64(bodies.first_leg[c])
    for leg in range(first, first + bodies.leg_count[c]):
        frame = segment_frame(segments.position, segments.orientation, legs.segment_row[leg])
        place_leg_joints(leg, legs, frame, 1.0 - 2.0 * ((leg - first) % 2), joints)


@kernel(parallel=True)
def place_all_leg_joints(rows, bodies, segments, legs, joints):
    """Place the joints (legs, 4, 3) of the listed creatures' legs from their segments' poses and their leg angles."""
    for r in prange(rows.shape[0]):
        place_creature_joints(np.int64(rows[r]), bodies, segments, legs, joints)
