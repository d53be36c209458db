"""Joint points of all legs in world coordinates, for pictures and hit tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ...components.leg_states import LegState
from ...engine.creature import FOLLOW
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from .leg_kinematics_kernel import leg_points, next_knee_to_tip, solve_bent_leg
from .segment_frame_kernel import segment_frame, to_body, to_world

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.legs import LegPool
    from ...components.segments import SegmentPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array, Vector
    from .segment_frame_kernel import Frame


@kernel()
def angles_to_tip(leg: int, legs: LegPool, frame: Frame, bend: tuple[float, float], side: float) -> Vector:
    """Return (theta, alpha, beta) of a standing leg from its tip; out of reach it is stretched toward it."""
    x, y, z = to_body(frame, legs.tip[leg, 0], legs.tip[leg, 1], legs.tip[leg, 2])
    _, theta, alpha, beta = solve_bent_leg(legs.hip[leg], legs.links[leg], bend, side, x, y, z)
    return theta, alpha, beta


@kernel()
def place_leg_joints(leg: int, legs: LegPool, frame: Frame, side: float, pose: Vector, joints: Array) -> None:
    """Place the hip, knee, ankle and tip of one leg in this pose in the world."""
    points = joints[leg]
    leg_points(legs.hip[leg], legs.links[leg], side, pose[0], pose[1], pose[2], points)
    for joint in range(4):
        points[joint, 0], points[joint, 1], points[joint, 2] = to_world(
            frame, points[joint, 0], points[joint, 1], points[joint, 2]
        )


@kernel()
def place_creature_joints(c: int, creatures: CreaturePool, bodies: BodyPool, segments: SegmentPool, legs: LegPool,
                          joints: Array) -> None:  # fmt: skip
    """Place the joints of one creature's legs in the world.

    Out of sight nobody finds the angles of standing legs after physics, so that they lag behind the body: who looks at
    such a creature after all has them from the foot, which would else be dragged along.
    """
    first, bend = int64(bodies.first_leg[c]), (0.0, 0.0)
    lagging = creatures.tier[c] == FOLLOW
    for leg in range(first, first + bodies.leg_count[c]):
        frame = segment_frame(segments.position, segments.orientation, legs.segment_row[leg])
        side = 1.0 - 2.0 * ((leg - first) % 2)
        pose = (legs.angles[leg, 0], legs.angles[leg, 1], legs.angles[leg, 2])
        if lagging:
            bend = next_knee_to_tip(legs.links, leg, first, bend)
            if legs.state[leg] == LegState.STANCE:
                pose = angles_to_tip(leg, legs, frame, bend, side)
        place_leg_joints(leg, legs, frame, side, pose, joints)


@kernel(parallel=True)
def place_all_leg_joints(rows: Array, creatures: CreaturePool, bodies: BodyPool, segments: SegmentPool, legs: LegPool,
                         joints: Array) -> None:  # fmt: skip
    """Place the joints (legs, 4, 3) of the listed creatures' legs from their segments' poses and their leg angles."""
    for r in prange(rows.shape[0]):
        place_creature_joints(int64(rows[r]), creatures, bodies, segments, legs, joints)
