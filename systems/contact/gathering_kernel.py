"""What bodies are to each other at the beginning of a tick, before any contact is looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.body import Answer
from ...engine.column_rules import NOBODY
from ...engine.creature import FOLLOW
from ...engine.kernel import kernel
from ...engine.kernel_types import int64

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array
    from .meeting import Meeting


@kernel(refcount=False)
def leave_alone(c: int, bodies: BodyPool, segments: SegmentPool) -> None:
    """Update a body that no other one is near: nothing presses against it."""
    bodies.nudge[c, 0] = bodies.nudge[c, 1] = 0.0
    first, press, contacts = int64(bodies.first_segment[c]), segments.press, segments.contacts
    for i in range(first, first + bodies.segment_count[c]):
        press[i, 0], press[i, 1], press[i, 2] = 0.0, 0.0, 0.0
        contacts[i] = 0


@kernel(refcount=False)
def gather(rows: Array, creatures: CreaturePool, bodies: BodyPool, meeting: Meeting, chains: Array) -> int:
    """Update whether each listed body meets others, and its kin; list the chains that may press chains, return how many."""
    count = 0
    meets, presses, touches, kin = meeting.meets, meeting.presses, meeting.touches, meeting.kin
    for r in range(rows.shape[0]):
        c = int64(rows[r])
        answer, bond = bodies.answer[c], bodies.bond[c]
        bodies.nudge[c, 0] = bodies.nudge[c, 1] = 0.0
        meets[c] = 1 if answer != Answer.NONE.value else 0
        presses[c] = touches[c] = 0
        kin[c] = bond if bond != NOBODY else creatures.owner[c]
        if answer == Answer.OWN.value and bodies.linked[c] != 0 and creatures.tier[c] != FOLLOW:
            chains[count] = c
            count += 1
    return count


@kernel(refcount=False)
def pick_on_feet(rows: Array, bodies: BodyPool, meeting: Meeting, chosen: Array) -> int:
    """List the bodies on their feet that touch others; return how many."""
    count = 0
    for r in range(rows.shape[0]):
        c = int64(rows[r])
        if meeting.touches[c] != 0 and bodies.answer[c] == Answer.NUDGE.value:
            chosen[count] = c
            count += 1
    return count
