"""One pair of capsules: by which of the two laws they press against each other, and the same bits from both sides."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from ...components.body import Answer
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ..spatial_index.solids import SolidField
from .hard_contact_kernel import approach_of, front_segment
from .soft_contact_kernel import press_links

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array
    from .meeting import Meeting

MOST_LINKS = 12
"""Capsules around one that presses. Of chains, one with more neither presses nor is pressed; of others the first count."""


class Link(IntEnum):
    """Columns of what is known of a contact, seen from one of its capsules."""

    SHARE = 0
    """Place along the capsule, 0..1."""
    X = 1
    """Force on it; two more follow."""
    Y = 2
    Z = 3
    ACROSS_X = 4
    """Direction from the capsule of lower number to the other one, in plan. These and the rest not between chains."""
    ACROSS_Y = 5
    CLOSING = 6
    """u/s to take away, nudges apart, and the most of it."""
    MOST = 7
    LIGHT = 8
    """1/m."""


@kernel(refcount=False)
def is_soft(c: int, other: int, bodies: BodyPool) -> bool:
    """Return whether two bodies are chains, whose tissue gives."""
    own = bodies.answer[c] == Answer.OWN.value and bodies.answer[other] == Answer.OWN.value
    return own and bodies.linked[c] != 0 and bodies.linked[other] != 0


@kernel(refcount=False)
def press_on(k: int, m: int, soft: bool, link: Array, bodies: BodyPool, segments: SegmentPool, meeting: Meeting) -> bool:
    """Find how capsule m presses on capsule k, return whether it does.

    Both are asked in the same order whichever of them is k, so what the other feels is minus that to the last bit.
    """
    low, high = int64(min(k, m)), int64(max(k, m))  # of a row number of prange and a signed one, min makes a float
    places, capsules, dt, sign = meeting.places, meeting.capsules, meeting.dt, -1.0 if k == low else 1.0
    if soft:
        row_low, row_high = front_segment(low, bodies, places, capsules), front_segment(high, bodies, places, capsules)
        s, t, fx, fy, fz = press_links(capsules, low, high, segments, row_low, row_high)
    else:
        s, t, n, closing, most, light = approach_of(low, high, bodies, segments, places, capsules, dt)
        if light == 0.0:
            return False
        force = min(closing, most) / (light * dt)
        fx, fy, fz = force * n[0], force * n[1], force * n[2]
        link[Link.ACROSS_X], link[Link.ACROSS_Y] = n[0], n[1]
        link[Link.CLOSING], link[Link.MOST], link[Link.LIGHT] = closing, most, light
    link[Link.SHARE] = s if k == low else t
    link[Link.X], link[Link.Y], link[Link.Z] = sign * fx, sign * fy, sign * fz
    return fx != 0.0 or fy != 0.0 or fz != 0.0


@kernel(refcount=False)
def press_with_nudges(k: int, m: int, link: Array, bodies: BodyPool, meeting: Meeting) -> tuple[float, float]:
    """Return in plan the force of capsule m on capsule k, when both bodies also move by the nudges that they have by now."""
    low, high = int64(min(k, m)), int64(max(k, m))
    c, d = int64(meeting.capsules[low, SolidField.OWNER]), int64(meeting.capsules[high, SolidField.OWNER])
    nx, ny = link[Link.ACROSS_X], link[Link.ACROSS_Y]
    nudge = bodies.nudge
    aside = (nudge[c, 0] - nudge[d, 0]) * nx + (nudge[c, 1] - nudge[d, 1]) * ny
    speed = min(link[Link.CLOSING] + aside, link[Link.MOST])
    if not speed > 0.0:
        return 0.0, 0.0
    force = speed / (link[Link.LIGHT] * meeting.dt)
    return (-force * nx, -force * ny) if k == low else (force * nx, force * ny)
