"""The poses legs move between, and the order in which they do: the part of the state machine without any ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.leg_states import LegState
from ....components.myriapod.gait import Gait
from ....engine.kernel import kernel

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector


@kernel()
def pose_of(gait: Array, state: int, backward: bool) -> Vector:
    """Return (theta, alpha, beta) where a leg in this state is heading. [Fang15 4.3.1]

    Walking backward exchanges the two extremes and mirrors the waiting pose: a foot then touches down behind and
    leaves the ground in front. [walking 3]
    """
    touch_down = gait[Gait.PEP_THETA] if backward else gait[Gait.AEP_THETA]
    lift_off = gait[Gait.AEP_THETA] if backward else gait[Gait.PEP_THETA]
    alpha = gait[Gait.EXTREME_ALPHA]
    beta = gait[Gait.EXTREME_BETA]
    if state == LegState.SF1:
        return gait[Gait.MUP_THETA], gait[Gait.MUP_ALPHA], gait[Gait.MUP_BETA]
    if state == LegState.SF2:
        return touch_down, alpha, beta
    if state == LegState.SB1:
        return gait[Gait.MDP_THETA], gait[Gait.MDP_ALPHA], gait[Gait.MDP_BETA]
    if state == LegState.SB2:
        return lift_off, alpha, beta
    if state == LegState.ADJUST:
        offset = -gait[Gait.ADJUST_THETA] if backward else gait[Gait.ADJUST_THETA]
        return touch_down + offset, alpha + gait[Gait.ADJUST_ALPHA], beta + gait[Gait.ADJUST_BETA]
    return gait[Gait.TUCK_THETA], gait[Gait.TUCK_ALPHA], gait[Gait.TUCK_BETA]


@kernel()
def state_after(state: int) -> int:
    """Return the state that follows when the pose is reached: rules 1 and 5. [Fang15 4.3.2]"""
    if state == LegState.SF1 or state == LegState.ADJUST:
        return LegState.SF2.value
    if state == LegState.SF2:
        return LegState.SB1.value
    if state == LegState.SB1:
        return LegState.SB2.value
    return LegState.SF1.value


@kernel()
def stance_range(gait: Array, backward: bool) -> tuple[float, float]:
    """Return the lowest and highest theta a standing leg may have: from lift-off to a little beyond touch-down."""
    if backward:
        return gait[Gait.PEP_THETA] - gait[Gait.THETA_MARGIN], gait[Gait.AEP_THETA]
    return gait[Gait.PEP_THETA], gait[Gait.AEP_THETA] + gait[Gait.THETA_MARGIN]


@kernel()
def joint_speed(gait: Array, head_speed: float) -> float:
    """Return the angular speed of free leg joints: it grows with the head's speed but never stalls."""
    wanted = gait[Gait.JOINT_SPEED_BASE] + gait[Gait.JOINT_SPEED_SLOPE] * abs(head_speed)
    return max(gait[Gait.JOINT_SPEED_FLOOR], wanted)
