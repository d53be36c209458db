"""Out of the way of those that a fish would meet if both went on as they do. (docs/crowds.md)

It goes by the neighbours that its eyes keep. It does not make way for what it hunts, follows or courts, and in a school not
for its own kind: there keeping apart does that. What may eat it, it flees from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ....components.brain_modes import GoalKind
from ....components.fish.eyes import NOBODY
from ....components.fish.intentions import About, Intention
from ....components.fish.mind import Mind
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ...senses.closest_approach_kernel import drift_of, gives_way_to, risk_of, turn_for
from .heading_kernel import turned

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array, Vector

HORIZON = 2.0
"""Seconds that a fish looks ahead: it turns within one (docs/crowds.md)."""

ROOM = 2.5
"""Sums of both half widths at which it lets others pass (docs/crowds.md)."""

TURN = 1.5
"""Radians by which it turns its wish for what touches it now (docs/crowds.md)."""


@kernel()
def gives_way(c: int, creatures: CreaturePool, minds: MindPool) -> bool:
    """Return whether a fish makes way for others now: not when it flees, mates, avoids another or is driven.

    Nor does one to which that is an intention and no part of steering.
    """
    if minds.parameters[c, Mind.AVOID_INTENDS] != 0.0:
        return False
    mode, goal = minds.mode[c], creatures.goal_kind[c]
    if mode == Intention.CONTROL.value:
        return goal == GoalKind.GOTO.value or goal == GoalKind.PATH.value or goal == GoalKind.FOLLOW.value
    strolls = mode == Intention.WANDER.value or mode == Intention.LEAVE.value
    return strolls or mode == Intention.SCHOOL.value or mode == Intention.EAT.value


@kernel()
def is_after(c: int, row: int, minds: MindPool) -> bool:
    """Return whether a fish hunts or courts another."""
    hunts = minds.mode[c] == Intention.EAT.value and minds.about[c] == About.CREATURE.value
    return (hunts and minds.target[c] == row) or minds.seen_partner[c] == row


@kernel()
def worst_of(c: int, rows: Array, drift: Vector, creatures: CreaturePool, minds: MindPool, bodies: BodyPool,
             segments: SegmentPool) -> tuple[float, float]:  # fmt: skip
    """Return the greatest risk that one fish meets any of a list, and the side to give way to."""
    worst, to = 0.0, 0.0
    for k in range(rows.shape[0]):
        row = int64(rows[k])
        if row == NOBODY:
            break
        wanted = is_after(c, row, minds) or is_after(row, c, minds)
        if wanted or not gives_way_to(c, row, creatures, bodies):
            continue
        risk, side = risk_of(c, row, drift, HORIZON, ROOM, bodies, segments)
        if risk > worst:
            worst, to = risk, side
    return worst, to


@kernel(parallel=True)
def foresee_meetings(rows: Array, creatures: CreaturePool, eyes: EyePool, minds: MindPool, bodies: BodyPool,
                     segments: SegmentPool) -> None:  # fmt: skip
    """Find how much each listed fish has to turn for the one of those in its sight that it is most likely to meet."""
    for r in prange(rows.size):
        c = int64(rows[r])
        eyes.dodge[c] = 0.0
        if not gives_way(c, creatures, minds):
            continue
        drift = drift_of(c, bodies, segments)
        worst, side = worst_of(c, eyes.others[c], drift, creatures, minds, bodies, segments)
        if minds.mode[c] != Intention.SCHOOL.value:
            risk, to = worst_of(c, eyes.neighbours[c], drift, creatures, minds, bodies, segments)
            if risk > worst:
                worst, side = risk, to
        eyes.dodge[c] = turn_for(worst, side, 0.0)


@kernel()
def dodged(c: int, ahead: Vector, creatures: CreaturePool, eyes: EyePool, minds: MindPool) -> Vector:
    """Return the direction that a fish wants to go, turned away from the one that it is most likely to meet."""
    if eyes.dodge[c] == 0.0 or not gives_way(c, creatures, minds):
        return ahead
    return turned(ahead, TURN * eyes.dodge[c])
