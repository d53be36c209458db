"""One pair of capsules: by which of the two laws they press against each other, and the same bits from both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.body import Answer
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from .hard_contact_kernel import front_segment, part_bodies
from .soft_contact_kernel import press_links

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Four
    from .meeting import Meeting

MOST_LINKS = 12
"""Capsules around one that presses. Of chains, one with more neither presses nor is pressed; of others the first count."""


@kernel(refcount=False)
def is_soft(c: int, other: int, bodies: BodyPool) -> bool:
    """Return whether two bodies are chains, whose tissue gives."""
    own = bodies.answer[c] == Answer.OWN.value and bodies.answer[other] == Answer.OWN.value
    return own and bodies.linked[c] != 0 and bodies.linked[other] != 0


@kernel(refcount=False)
def press_on(k: int, m: int, soft: bool, bodies: BodyPool, segments: SegmentPool, meeting: Meeting) -> Four:
    """Return (share, fx, fy, fz): the place along capsule k at which capsule m presses, and the force.

    Both are asked in the same order whichever of them is k, so what the other feels is minus that to the last bit.
    """
    low, high = int64(min(k, m)), int64(max(k, m))  # of a row number of prange and a signed one, min makes a float
    places, capsules = meeting.places, meeting.capsules
    if soft:
        row_low, row_high = front_segment(low, bodies, places, capsules), front_segment(high, bodies, places, capsules)
        s, t, fx, fy, fz = press_links(capsules, low, high, segments, row_low, row_high)
    else:
        s, t, fx, fy, fz = part_bodies(low, high, bodies, segments, places, capsules, meeting.dt)
    return (s, -fx, -fy, -fz) if k == low else (t, fx, fy, fz)
