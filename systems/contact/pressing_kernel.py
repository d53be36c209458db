"""The forces of bodies on each other, from the contacts that have been found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ..spatial_index.body_capsules_kernel import capsule_count
from ..spatial_index.solids import SolidField
from .hard_contact_kernel import arm_of
from .pair_kernel import MOST_LINKS, Link, is_soft

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array
    from .meeting import Meeting


@kernel(refcount=False)
def has_noted(m: int, k: int, meeting: Meeting) -> bool:
    """Return whether capsule m has noted capsule k, too, or had room for it."""
    if meeting.counts[m] <= MOST_LINKS:
        return True
    for n in range(MOST_LINKS):
        if meeting.partners[m, n] == k:
            return True
    return False


@kernel(refcount=False)
def turn_by_force(k: int, row: int, share: float, fx: float, fy: float, fz: float, capsules: Array,
                  segments: SegmentPool) -> None:  # fmt: skip
    """Update the torque on a segment by a force on a place along the capsule that it is."""
    ax, ay, az = arm_of(k, row, share, capsules, segments)
    push = segments.push
    push[row, 3] += ay * fz - az * fy
    push[row, 4] += az * fx - ax * fz
    push[row, 5] += ax * fy - ay * fx


@kernel(parallel=True)
def press_bodies(rows: Array, bodies: BodyPool, segments: SegmentPool, meeting: Meeting) -> None:
    """Find the forces with which others press against the segments of the listed bodies.

    Capsules that several others press against share the force out, or all together would throw them back.
    """
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        first, begin, linked = int64(bodies.first_segment[c]), int64(meeting.places[c]), bodies.linked[c] != 0
        press, contacts, counts, sharing = segments.press, segments.contacts, meeting.counts, meeting.sharing
        for i in range(first, first + bodies.segment_count[c]):
            press[i, 0], press[i, 1], press[i, 2] = 0.0, 0.0, 0.0
            contacts[i] = 0
        for k in range(begin, begin + capsule_count(c, bodies)):
            row = first + k - begin
            contacts[row] = counts[k]
            for n in range(min(counts[k], MOST_LINKS)):
                m = int64(meeting.partners[k, n])
                soft = is_soft(c, int64(meeting.capsules[m, SolidField.OWNER]), bodies)
                if (counts[k] > MOST_LINKS or counts[m] > MOST_LINKS) if soft else not has_noted(m, k, meeting):
                    continue
                link = meeting.links[k, n]
                share, fx, fy, fz = link[Link.SHARE], link[Link.X], link[Link.Y], link[Link.Z]
                if not linked:
                    part = 1.0 / max(sharing[k], sharing[m])
                    fx, fy, fz = part * fx, part * fy, part * fz
                    press[row, 0], press[row, 1], press[row, 2] = press[row, 0] + fx, press[row, 1] + fy, press[row, 2] + fz
                    turn_by_force(k, row, share, fx, fy, fz, meeting.capsules, segments)
                    continue
                rear = share / max(sharing[k], sharing[m])
                front = (1.0 - share) / max(sharing[k], sharing[m])
                press[row, 0], press[row + 1, 0] = press[row, 0] + front * fx, press[row + 1, 0] + rear * fx
                press[row, 1], press[row + 1, 1] = press[row, 1] + front * fy, press[row + 1, 1] + rear * fy
                press[row, 2], press[row + 1, 2] = press[row, 2] + front * fz, press[row + 1, 2] + rear * fz
