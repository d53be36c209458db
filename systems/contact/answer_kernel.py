"""What bodies do about those that press against them, each as its family has said at its birth."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from numba import prange

from ...components.body import Answer
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ..spatial_index.body_capsules_kernel import capsule_count
from .hard_contact_kernel import mass_of
from .pair_kernel import MOST_LINKS, press_with_nudges
from .pressing_kernel import has_noted

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array
    from .meeting import Meeting

TOPPLED = 6.0
"""Lengths per second: one that stands on its feet and is to be moved faster than that loses them."""


@kernel(refcount=False)
def pass_on(first: int, end: int, segments: SegmentPool) -> None:
    """Update the pushes on segments by the forces that press against them."""
    press, push = segments.press, segments.push
    for i in range(first, end):
        for axis in range(3):
            push[i, axis] += press[i, axis]


@kernel(parallel=True)
def answer_presses(rows: Array, creatures: CreaturePool, bodies: BodyPool, segments: SegmentPool, dt: float) -> None:
    """Update pushes and nudges of the listed bodies by what presses against their segments."""
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        first = int64(bodies.first_segment[c])
        end = first + int64(bodies.segment_count[c])
        answer, nudge = bodies.answer[c], bodies.nudge[c]
        if answer == Answer.PUSH.value or answer == Answer.WHOLE.value:
            pass_on(first, end, segments)
        elif answer == Answer.NUDGE.value:
            fx = fy = 0.0
            for i in range(first, end):
                fx, fy = fx + segments.press[i, 0], fy + segments.press[i, 1]
            if fx == 0.0 and fy == 0.0:
                continue
            gain = dt / mass_of(c, bodies, segments)
            if hypot(gain * fx, gain * fy) > TOPPLED * creatures.length[c]:
                pass_on(first, end, segments)
            else:
                nudge[0], nudge[1] = gain * fx, gain * fy


@kernel(parallel=True)
def want_nudges(rows: Array, bodies: BodyPool, segments: SegmentPool, meeting: Meeting) -> None:
    """Find by how much more the listed bodies on their feet have to give way, with the nudges that all have by now."""
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        begin, fx, fy = int64(meeting.places[c]), 0.0, 0.0
        for k in range(begin, begin + capsule_count(c, bodies)):
            for n in range(min(meeting.counts[k], MOST_LINKS)):
                m = int64(meeting.partners[k, n])
                if has_noted(m, k, meeting):
                    x, y = press_with_nudges(k, m, meeting.links[k, n], bodies, meeting)
                    part = 1.0 / max(meeting.sharing[k], meeting.sharing[m])
                    fx, fy = fx + part * x, fy + part * y
        gain = meeting.dt / mass_of(c, bodies, segments)
        meeting.wants[c, 0], meeting.wants[c, 1] = gain * fx, gain * fy


@kernel(refcount=False)
def take_nudges(rows: Array, bodies: BodyPool, meeting: Meeting) -> None:
    """Update the nudges of the listed bodies by what was found."""
    for r in range(rows.shape[0]):
        c = int64(rows[r])
        bodies.nudge[c, 0] += meeting.wants[c, 0]
        bodies.nudge[c, 1] += meeting.wants[c, 1]
