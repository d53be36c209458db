"""The Switcher: six leg states, five local rules and two for the water, and no clock anywhere. [Fang15 4.3, 6.3]

Leg rows of a creature are contiguous, front to back, left before right. The wave along the body is not written down
here: it emerges from rule 4, the only one in which a leg looks at another segment.
"""

from __future__ import annotations

import numba
import numpy as np

from ....components.leg_states import LegEvent, LegState, Reach
from ....components.myriapod.gait import Gait
from ....engine.kernel import kernel
from ...legs.leg_kinematics_kernel import next_knee_to_tip
from ...legs.segment_frame_kernel import segment_frame
from .leg_poses_kernel import joint_speed
from .support_kernel import ON_A_BACK
from .swing_kernel import solve_stance, swing_leg


@kernel()
def send_to(leg, target, event, state, armed, entered, events):
    """Update one leg to a state ordered from outside; a same-tick landing is taken back with its event."""
    state[leg] = target
    armed[leg] = 0
    entered[leg] = 0
    events[leg] |= event


@kernel()
def obey_water(leg, submerged, state, armed, entered, events):
    """Update one leg by rules 6 and 7: under water it is tucked, out of the water it swings."""
    if submerged and state[leg] != LegState.TUCKED:
        send_to(leg, LegState.TUCKED.value, LegEvent.TUCKED_IN.value, state, armed, entered, events)
    elif not submerged and state[leg] == LegState.TUCKED:
        send_to(leg, LegState.SF1.value, LegEvent.RELEASED.value, state, armed, entered, events)


@kernel()
def spread_wave(first, count, step, pairwise, state, armed, entered, events):
    """Update states by rule 4, leader to last: a leg whose neighbour ahead has just come to stand goes to ADJUST.

    Edge-triggered, and in every state including STANCE, or no wave forms. In this order a leg sent to ADJUST loses
    its own landing of the same tick, so an order never runs down the body within one tick. ``step`` is +2 from head
    to tail, -2 for the reverse. Pairwise, the left leg speaks for both sides. [digest 1.9, walking-study 2]
    """
    for pair in range(count // 2 - 1):
        ahead = first + step * pair
        for side in range(2):
            speaker = ahead if pairwise else ahead + side
            leg = ahead + step + side
            if entered[speaker] and state[leg] != LegState.TUCKED:
                send_to(leg, LegState.ADJUST.value, LegEvent.ADJUSTED.value, state, armed, entered, events)


@kernel()
def switch_creature_legs(
    creature, first_leg, leg_count, head_speed, gait_rows, segment_row, hip, links, position, orientation, submerged,
    lift_share, state, angles, tip, armed, entered, events, history, history_cursor, stance_share, ground, ticks,
    tick_seconds,
):  # fmt: skip
    """Update the legs of one creature over some ticks from its segment poses, the ground and each other."""
    dt = ticks * tick_seconds
    gait = gait_rows[creature]
    first = first_leg[creature]
    count = leg_count[creature]
    backward = head_speed[creature] < -gait[Gait.WAVE_MIN_SPEED]
    speed = joint_speed(gait, head_speed[creature])
    step = -2 if backward else 2
    leading = first + count - 2 if backward else first
    left_lifted, bend = False, (0.0, 0.0)
    for leg in range(first, first + count):
        bend = next_knee_to_tip(links, leg, first, bend)
        row = segment_row[leg]
        side = 1.0 - 2.0 * ((leg - first) % 2)
        entered[leg] = 0
        events[leg] = 0
        frame = segment_frame(position, orientation, row)
        obey_water(leg, submerged[row], state, armed, entered, events)
        lifted = False
        if state[leg] == LegState.STANCE:
            reach, angles[leg, 0], angles[leg, 1], angles[leg, 2] = solve_stance(
                leg, gait, backward, hip, links, bend, side, frame, tip[leg, 0], tip[leg, 1], tip[leg, 2]
            )
            if reach != Reach.SOLVED:  # rule 3
                send_to(leg, LegState.SF1.value, LegEvent.LIFTED.value, state, armed, entered, events)
                lifted = True
        if state[leg] != LegState.STANCE:
            lifted |= swing_leg(
                leg, gait, backward, speed, hip, links, side, frame, angles, tip, state, armed, entered, events,
                ground, dt,
            )  # fmt: skip
        if leg == leading:
            left_lifted = lifted
    if gait[Gait.WAVE_RULE] > 0.5 and abs(head_speed[creature]) >= gait[Gait.WAVE_MIN_SPEED]:
        spread_wave(leading, count, step, gait[Gait.PAIR_RULE] > 0.5, state, armed, entered, events)
    right = leading + 1
    if left_lifted and gait[Gait.SYNC_RULE] > 0.5 and state[right] != LegState.SF1 and state[right] != LegState.TUCKED:
        send_to(right, LegState.SF1.value, LegEvent.SYNCHRONISED.value, state, armed, entered, events)
    standing = 0
    cursor = history_cursor[creature]
    for leg in range(first, first + count):
        for tick in range(ticks):
            history[leg, (cursor + tick) % history.shape[1]] = state[leg]
        row = segment_row[leg]  # what a back or the water carries needs no feet
        standing += state[leg] == LegState.STANCE or lift_share[row] > ON_A_BACK or submerged[row] != 0
    history_cursor[creature] = (cursor + ticks) % history.shape[1]
    stance_share[creature] = standing / count if count > 0 else 0.0


@kernel(parallel=True)
def switch_legs(
    creature_rows, first_leg, leg_count, head_speed, gait_rows, segment_row, hip, links, position, orientation,
    submerged, lift_share, state, angles, tip, armed, entered, events, history, history_cursor, stance_share, ground, ticks,
    tick_seconds,
):  # fmt: skip
    """Update the legs of all listed creatures over some ticks; each iteration writes only its own creature's rows."""
    for index in numba.prange(creature_rows.shape[0]):
        switch_creature_legs(
            np.int64(creature_rows[index]), first_leg, leg_count, head_speed, gait_rows, segment_row, hip, links,
            position, orientation, submerged, lift_share, state, angles, tip, armed, entered, events, history,
            history_cursor, stance_share, ground, ticks, tick_seconds,
        )  # fmt: skip
