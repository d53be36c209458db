"""Leg poses for the picture: run after physics, so that a standing foot is drawn exactly where it stands."""

from __future__ import annotations

import numba
import numpy as np

from ....components.leg_states import LegState
from ....engine.kernel import kernel
from ...legs.leg_kinematics_kernel import next_knee_to_tip, solve_bent_leg
from ...legs.segment_frame_kernel import segment_frame, to_body
from .swing_kernel import world_tip


@kernel()
def pose_creature_legs(
    creature, first_leg, leg_count, segment_row, hip, links, position, orientation, state, angles, tip
):
    """Update the angles of standing legs from their tips, and the tips of all others from their angles.

    A standing leg whose tip has just gone out of reach is drawn stretched toward it; its state changes in the next
    tick, when the Switcher sees the same failure.
    """
    first, bend = first_leg[creature], (0.0, 0.0)
    for leg in range(first, first + leg_count[creature]):
        bend = next_knee_to_tip(links, leg, first, bend)
        frame = segment_frame(position, orientation, segment_row[leg])
        side = 1.0 - 2.0 * ((leg - first) % 2)
        if state[leg] == LegState.STANCE:
            x, y, z = to_body(frame, tip[leg, 0], tip[leg, 1], tip[leg, 2])
            _, angles[leg, 0], angles[leg, 1], angles[leg, 2] = solve_bent_leg(
                hip[leg], links[leg], bend, side, x, y, z
            )
        else:
            tip[leg, 0], tip[leg, 1], tip[leg, 2] = world_tip(
                leg, hip, links, side, frame, angles[leg, 0], angles[leg, 1], angles[leg, 2]
            )


@kernel(parallel=True)
def pose_stance_legs(
    creature_rows, first_leg, leg_count, segment_row, hip, links, position, orientation, state, angles, tip
):
    """Update the leg angles and tips of all listed creatures from their final segment poses."""
    for index in numba.prange(creature_rows.shape[0]):
        pose_creature_legs(
            np.int64(creature_rows[index]), first_leg, leg_count, segment_row, hip, links, position, orientation, state,
            angles, tip,
        )  # fmt: skip
