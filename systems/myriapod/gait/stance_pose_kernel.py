"""Leg poses for the picture: run after physics, so that a standing foot is drawn exactly where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numba

from ....components.leg_states import LegState
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ...legs.leg_joints_kernel import angles_to_tip
from ...legs.leg_kinematics_kernel import next_knee_to_tip
from ...legs.segment_frame_kernel import segment_frame
from .swing_kernel import world_tip

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.legs import LegPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array


@kernel()
def pose_creature_legs(c: int, bodies: BodyPool, segments: SegmentPool, legs: LegPool) -> None:
    """Find the angles of one creature's standing legs from their tips, and the tips of all others from their angles.

    A standing leg whose tip has just gone out of reach is drawn stretched toward it; its state changes in the next
    tick, when the Switcher sees the same failure.
    """
    position, orientation = segments.position, segments.orientation
    links, angles, tip = legs.links, legs.angles, legs.tip
    first, bend = bodies.first_leg[c], (0.0, 0.0)
    for leg in range(first, first + bodies.leg_count[c]):
        bend = next_knee_to_tip(links, leg, first, bend)
        frame = segment_frame(position, orientation, legs.segment_row[leg])
        side = 1.0 - 2.0 * ((leg - first) % 2)
        if legs.state[leg] == LegState.STANCE:
            angles[leg, 0], angles[leg, 1], angles[leg, 2] = angles_to_tip(leg, legs, frame, bend, side)
        else:
            pose = (angles[leg, 0], angles[leg, 1], angles[leg, 2])
            tip[leg, 0], tip[leg, 1], tip[leg, 2] = world_tip(leg, legs, frame, side, pose)


@kernel(parallel=True)
def pose_stance_legs(rows: Array, bodies: BodyPool, segments: SegmentPool, legs: LegPool) -> None:
    """Find the leg angles and tips of the listed creatures from their final segment poses."""
    for r in numba.prange(rows.shape[0]):
        pose_creature_legs(int64(rows[r]), bodies, segments, legs)
