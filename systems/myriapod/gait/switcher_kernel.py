"""The Switcher: six leg states, five local rules and two for the water, and no clock anywhere. [Fang15 4.3, 6.3]

Leg rows of a creature are contiguous, front to back, left before right. The wave along the body is not written down
here: it emerges from rule 4, the only one in which a leg looks at another segment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numba

from ....components.leg_states import LegEvent, LegState, Reach
from ....components.myriapod.gait import Gait
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ...legs.leg_kinematics_kernel import knee_to_tip, next_knee_to_tip
from ...legs.segment_frame_kernel import segment_frame
from .leg_poses_kernel import joint_speed
from .stance_check_kernel import gate_of, next_reach, recall_angles, surely_reaches
from .support_kernel import ON_A_BACK
from .swing_kernel import glide_leg, solve_stance, swing_leg

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.head_command import HeadCommandPool
    from ....components.legs import LegPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.myriapod.gait import GaitPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array
    from ....engine.terrain.ground_layout import Ground
    from ...legs.segment_frame_kernel import Frame


@kernel()
def send_to(leg: int, legs: LegPool, state: int, event: int) -> None:
    """Put one leg into a state ordered from outside; a same-tick landing is taken back with its event."""
    legs.state[leg] = state
    legs.armed[leg] = 0
    legs.entered[leg] = 0
    legs.events[leg] |= event


@kernel()
def obey_water(leg: int, side: float, legs: LegPool, segments: SegmentPool) -> None:
    """Apply rules 6 and 7 to one leg: under water it is tucked, out of the water it swings."""
    submerged = segments.submerged[legs.segment_row[leg]]
    if submerged and legs.state[leg] != LegState.TUCKED:
        recall_angles(leg, side, legs, segments)
        send_to(leg, legs, LegState.TUCKED.value, LegEvent.TUCKED_IN.value)
    elif not submerged and legs.state[leg] == LegState.TUCKED:
        send_to(leg, legs, LegState.SF1.value, LegEvent.RELEASED.value)


@kernel()
def lift_beyond_reach(leg: int, legs: LegPool, gait: Array, frame: Frame, bend: tuple[float, float], side: float,
                      backward: bool) -> bool:  # fmt: skip
    """Apply rule 3 to a standing leg: it swings when it cannot reach its foot any more. Returns whether it was lifted."""
    angles, point = legs.angles, (legs.tip[leg, 0], legs.tip[leg, 1], legs.tip[leg, 2])
    reach, angles[leg, 0], angles[leg, 1], angles[leg, 2] = solve_stance(
        leg, legs, gait, frame, bend, side, backward, point
    )
    if reach == Reach.SOLVED:
        return False
    send_to(leg, legs, LegState.SF1.value, LegEvent.LIFTED.value)
    return True


@kernel()
def pair_followed(leg: int, first: int, legs: LegPool, chained: ChainSegmentPool, head: int) -> int:
    """Return the pair of legs that a pair of a branching body listens to: the next one toward the head, or -1.

    leg, first: left legs of the pair and of the first one; head: the first segment.
    """
    row = int64(legs.segment_row[leg])
    while row > head:
        row = max(row - chained.ahead[row], head)
        for other in range(leg - 2, first - 1, -2):
            if legs.segment_row[other] == row:
                return other
    return -1


@kernel()
def spread_wave(first: int, count: int, step: int, pairwise: bool, branches: bool, head: int, legs: LegPool,
                segments: SegmentPool, chained: ChainSegmentPool) -> None:  # fmt: skip
    """Apply rule 4, leader to last: a leg whose neighbour ahead has just come to stand goes to ADJUST.

    Edge-triggered, and in every state including STANCE, or no wave forms. In this order a leg sent to ADJUST loses
    its own landing of the same tick, so an order never runs down the body within one tick. ``step`` is +2 from head
    to tail, -2 for the reverse. Pairwise, the left leg speaks for both sides. What the water has just let go swings first,
    by rule 7. [myriapoda 1.9; walking 2]
    """
    for pair in range(count // 2 - 1):
        ahead = first + step * pair
        follower = ahead + step
        if branches:
            ahead = pair_followed(follower, first, legs, chained, head)
        for side in range(2):
            speaker = ahead if pairwise else ahead + side
            leg = follower + side
            if ahead < 0:
                continue
            held = legs.state[leg] == LegState.TUCKED or legs.events[leg] & LegEvent.RELEASED
            if legs.entered[speaker] and not held:
                recall_angles(leg, 1.0 - 2.0 * side, legs, segments)
                send_to(leg, legs, LegState.ADJUST.value, LegEvent.ADJUSTED.value)


@kernel()
def keep_history(c: int, bodies: BodyPool, legs: LegPool, ticks: int) -> None:
    """Write the states of one creature's legs into their histories, once for each of so many ticks."""
    first, history = bodies.first_leg[c], legs.history
    cursor, length = bodies.history_cursor[c], history.shape[1]
    for leg in range(first, first + bodies.leg_count[c]):
        for tick in range(ticks):
            history[leg, (cursor + tick) % length] = legs.state[leg]
    bodies.history_cursor[c] = (cursor + ticks) % length


@kernel()
def share_of_standing_legs(c: int, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool,
                           legs: LegPool) -> float:  # fmt: skip
    """Return the share of one creature's legs that stand, or need not: what a back or the water carries needs no feet."""
    first, count, standing = bodies.first_leg[c], bodies.leg_count[c], 0
    for leg in range(first, first + count):
        row = legs.segment_row[leg]
        carried = chained.lift_share[row] > ON_A_BACK or segments.submerged[row] != 0
        standing += legs.state[leg] == LegState.STANCE or carried
    return standing / count if count > 0 else 0.0


@kernel()
def switch_creature_legs(c: int, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, legs: LegPool,
                         gaits: GaitPool, heads: HeadCommandPool, ground: Ground, ticks: int,
                         dt: float) -> None:  # fmt: skip
    """Move the legs of one creature for a tick, then apply the rules in which they look at each other.

    ticks: how many their states stand for in the histories; out of sight they have glided through the one before.
    """
    state, gait, head_speed = legs.state, gaits.parameters[c], heads.speed[c]
    first, count = bodies.first_leg[c], bodies.leg_count[c]
    backward = head_speed < -gait[Gait.WAVE_MIN_SPEED]
    speed = joint_speed(gait, head_speed)
    branches = bodies.linked[c] == 0
    reverse = backward and not branches  # a body with several tails has no last leg to begin with
    step = -2 if reverse else 2
    leading = first + count - 2 if reverse else first
    unseen, gated = ticks > 1, gait[Gait.THETA_GATE] > 0.5
    gate, reach = gate_of(gait, backward), (0.0, 0.0)
    left_lifted, bend = False, (0.0, 0.0)
    for leg in range(first, first + count):
        row = legs.segment_row[leg]
        side = 1.0 - 2.0 * ((leg - first) % 2)
        legs.entered[leg] = 0
        legs.events[leg] = 0
        frame = segment_frame(segments.position, segments.orientation, row)
        obey_water(leg, side, legs, segments)
        lifted = False
        if unseen:
            reach = next_reach(legs.links, leg, first, reach)
        else:
            bend = next_knee_to_tip(legs.links, leg, first, bend)
        sure = unseen and surely_reaches(leg, legs, gated, gate, frame, reach, side)
        if state[leg] == LegState.STANCE and not sure:
            bend = knee_to_tip(legs.links[leg]) if unseen else bend
            lifted = lift_beyond_reach(leg, legs, gait, frame, bend, side, backward)
        if state[leg] != LegState.STANCE:
            lifted |= swing_leg(leg, legs, gait, frame, ground, side, backward, speed, dt)
        if leg == leading:
            left_lifted = lifted
    if gait[Gait.WAVE_RULE] > 0.5 and abs(head_speed) >= gait[Gait.WAVE_MIN_SPEED]:
        pairwise, head = gait[Gait.PAIR_RULE] > 0.5, bodies.first_segment[c]
        spread_wave(leading, count, step, pairwise, branches, head, legs, segments, chained)
    right = leading + 1
    if left_lifted and gait[Gait.SYNC_RULE] > 0.5 and state[right] != LegState.SF1 and state[right] != LegState.TUCKED:
        recall_angles(right, -1.0, legs, segments)
        send_to(right, legs, LegState.SF1.value, LegEvent.SYNCHRONISED.value)
    keep_history(c, bodies, legs, ticks)
    gaits.stance_share[c] = share_of_standing_legs(c, bodies, segments, chained, legs)


@kernel(parallel=True)
def switch_legs(rows: Array, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, legs: LegPool,
                gaits: GaitPool, heads: HeadCommandPool, ground: Ground, ticks: int, dt: float) -> None:  # fmt: skip
    """Move the legs of the listed creatures for dt seconds; their states stand for so many ticks in the histories."""
    for r in numba.prange(rows.shape[0]):
        switch_creature_legs(int64(rows[r]), bodies, segments, chained, legs, gaits, heads, ground, ticks, dt)


@kernel()
def glide_creature_legs(c: int, bodies: BodyPool, segments: SegmentPool, legs: LegPool, gaits: GaitPool,
                        heads: HeadCommandPool, dt: float) -> None:  # fmt: skip
    """Move the free legs of one creature for a tick in which it does not have its turn."""
    gait, head_speed, first = gaits.parameters[c], heads.speed[c], bodies.first_leg[c]
    backward, way = head_speed < -gait[Gait.WAVE_MIN_SPEED], joint_speed(gait, head_speed) * dt
    for leg in range(first, first + bodies.leg_count[c]):
        if legs.state[leg] != LegState.STANCE:
            frame = segment_frame(segments.position, segments.orientation, legs.segment_row[leg])
            glide_leg(leg, legs, gait, frame, 1.0 - 2.0 * ((leg - first) % 2), backward, way)


@kernel(parallel=True)
def glide_legs(rows: Array, bodies: BodyPool, segments: SegmentPool, legs: LegPool, gaits: GaitPool, heads: HeadCommandPool,
               dt: float) -> None:  # fmt: skip
    """Move the free legs of the listed creatures for dt seconds: those that stand wait for their turn, as all rules do."""
    for r in numba.prange(rows.shape[0]):
        glide_creature_legs(int64(rows[r]), bodies, segments, legs, gaits, heads, dt)
