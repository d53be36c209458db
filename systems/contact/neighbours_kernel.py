"""Who presses against whom: contacts of capsules of different bodies.

Three passes: chains in heaps, contacts, and forces (`pressing_kernel`). Each reads what the one before has written for all
bodies and writes only its own rows, so the result does not depend on the number of threads; and each pair is judged by the
same numbers from both sides, so that what one of them feels the other feels too. Where limits are needed (no one can look at
a thousand neighbours), they count for both.

Whole animals are compared before their capsules are. What is pushed has capsules in the index, rows in `SegmentPool` and an
`Answer`: a body that a game moves, or a solid that is pushed, needs no more than that.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.spatial_hash import Edge, boxes_overlap, next_item, open_query
from ..spatial_index.body_capsules_kernel import WIDEST, capsule_count
from ..spatial_index.solids import SolidField
from .hard_contact_kernel import AHEAD, SKIN, SKIN_ON_FEET, front_segment, half_height, moves_as_a_whole
from .pair_kernel import MOST_LINKS, is_soft, press_on

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array, Four
    from .meeting import Meeting

LOOK = 2.0
"""Radii of the narrower link: the gap from which on links of chains are neighbours."""

MOST_BODIES = 40
"""Chains around one that presses; one that lies in a larger heap neither presses chains nor is pressed by them."""

NEAR = max(SKIN + AHEAD, SKIN_ON_FEET)
"""Of the sum of both radii: the gap from which on other bodies are neighbours."""


@kernel(refcount=False)
def box_around_body(c: int, bodies: BodyPool, look: float, meeting: Meeting) -> Four:
    """Return the plan box of what a body may press against."""
    begin, boxes, capsules = int64(meeting.places[c]), meeting.boxes, meeting.capsules
    west, south, east, north, widest = inf, inf, -inf, -inf, 0.0
    for k in range(begin, begin + capsule_count(c, bodies)):
        west, south = min(west, boxes[k, Edge.WEST]), min(south, boxes[k, Edge.SOUTH])
        east, north = max(east, boxes[k, Edge.EAST]), max(north, boxes[k, Edge.NORTH])
        widest = max(widest, capsules[k, SolidField.RADIUS])
    reach = max(look * widest, NEAR * (widest + meeting.widest))
    return west - reach, south - reach, east + reach, north + reach


@kernel(parallel=True)
def leave_out_heaps(rows: Array, bodies: BodyPool, meeting: Meeting) -> None:
    """Find which of the listed chains press chains: those with some of them, and no more than MOST_BODIES, around."""
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        herd, herd_hash, presses = meeting.herd, meeting.herd_hash, meeting.presses
        presses[c] = 0
        west, south, east, north = box_around_body(c, bodies, LOOK, meeting)
        if not (east - west < WIDEST and north - south < WIDEST):  # torn apart: there would be no end of cells to ask
            continue
        cells, cursor = open_query(herd_hash, west, south, east, north)
        found = 0
        while found <= MOST_BODIES:
            k, cursor = next_item(herd_hash, cells, cursor)
            if k < 0:
                break
            if herd[k] != c and is_soft(c, herd[k], bodies) and boxes_overlap(herd_hash.boxes, k, west, south, east, north):
                found += 1
        presses[c] = 1 if 0 < found <= MOST_BODIES else 0


@kernel(refcount=False)
def are_near(k: int, m: int, reach: float, capsules: Array) -> bool:
    """Return whether the plan distance of two capsules may be less than a reach, going by their middles."""
    ux, uy = 0.5 * capsules[k, SolidField.EXTENT_X], 0.5 * capsules[k, SolidField.EXTENT_Y]
    vx, vy = 0.5 * capsules[m, SolidField.EXTENT_X], 0.5 * capsules[m, SolidField.EXTENT_Y]
    dx = capsules[m, SolidField.X] + vx - capsules[k, SolidField.X] - ux
    dy = capsules[m, SolidField.Y] + vy - capsules[k, SolidField.Y] - uy
    reach += sqrt(ux * ux + uy * uy) + sqrt(vx * vx + vy * vy)
    return dx * dx + dy * dy <= reach * reach


@kernel(refcount=False)
def are_level(k: int, m: int, bodies: BodyPool, segments: SegmentPool, meeting: Meeting) -> bool:
    """Return whether two capsules share a height, or nearly so."""
    places, capsules = meeting.places, meeting.capsules
    thick = half_height(k, front_segment(k, bodies, places, capsules), capsules, segments)
    thick += half_height(m, front_segment(m, bodies, places, capsules), capsules, segments)
    z, up = capsules[k, SolidField.Z], capsules[k, SolidField.EXTENT_Z]
    other, its_up = capsules[m, SolidField.Z], capsules[m, SolidField.EXTENT_Z]
    thick *= 1.0 + NEAR
    return z + min(up, 0.0) <= other + max(its_up, 0.0) + thick and z + max(up, 0.0) >= other + min(its_up, 0.0) - thick


@kernel(refcount=False)
def is_near_body(k: int, item: int, soft: bool, meeting: Meeting) -> bool:
    """Return whether any capsule of another body, an item of the hash of bodies, may press against capsule k."""
    boxes, radius = meeting.boxes, meeting.capsules[k, SolidField.RADIUS]
    reach = LOOK * radius if soft else NEAR * (radius + meeting.widest)
    return boxes_overlap(meeting.herd_hash.boxes, item, boxes[k, Edge.WEST] - reach, boxes[k, Edge.SOUTH] - reach,
                         boxes[k, Edge.EAST] + reach, boxes[k, Edge.NORTH] + reach)  # fmt: skip


@kernel(refcount=False)
def note_contacts(k: int, other: int, soft: bool, bodies: BodyPool, segments: SegmentPool, meeting: Meeting) -> None:
    """Note the capsules of another body that press against capsule k."""
    boxes, capsules, count = meeting.boxes, meeting.capsules, meeting.counts[k]
    west, south, east, north = boxes[k, Edge.WEST], boxes[k, Edge.SOUTH], boxes[k, Edge.EAST], boxes[k, Edge.NORTH]
    radius, begin = capsules[k, SolidField.RADIUS], int64(meeting.places[other])
    for m in range(begin, begin + capsule_count(other, bodies)):
        reach = LOOK * radius if soft else NEAR * (radius + capsules[m, SolidField.RADIUS])
        near = (boxes[m, Edge.WEST] <= east + reach) & (boxes[m, Edge.EAST] >= west - reach)
        if not (near & (boxes[m, Edge.SOUTH] <= north + reach) & (boxes[m, Edge.NORTH] >= south - reach)):
            continue
        if not soft:
            both = (1.0 + NEAR) * (radius + capsules[m, SolidField.RADIUS])
            if not (are_near(k, m, both, capsules) and are_level(k, m, bodies, segments, meeting)):
                continue
        # One more than there is room for is judged in the last place, which then counts for nothing.
        if press_on(k, m, soft, meeting.links[k, min(count, MOST_LINKS)], bodies, segments, meeting):
            if count < MOST_LINKS:
                meeting.partners[k, count] = m
            count += 1
    meeting.counts[k] = count


@kernel(refcount=False)
def share_out(c: int, begin: int, end: int, bodies: BodyPool, meeting: Meeting) -> None:
    """Update by how many the forces on a body's capsules are divided: by all of its contacts if it moves as a whole."""
    whole, total = moves_as_a_whole(c, bodies), 0
    for k in range(begin, end):
        total += meeting.counts[k]
    meeting.touches[c] = 1 if total > 0 else 0
    for k in range(begin, end):
        meeting.sharing[k] = (total + 1) // 2 if whole else meeting.counts[k]


@kernel(parallel=True)
def find_contacts(rows: Array, bodies: BodyPool, segments: SegmentPool, meeting: Meeting) -> None:
    """Note the neighbours of all capsules of the listed bodies, but for their kin."""
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        herd, herd_hash, meets, presses, kin = meeting.herd, meeting.herd_hash, meeting.meets, meeting.presses, meeting.kin
        begin = int64(meeting.places[c])
        end = begin + capsule_count(c, bodies)
        for k in range(begin, end):
            meeting.counts[k] = meeting.sharing[k] = 0
        if meets[c] == 0:
            continue
        look = LOOK if presses[c] != 0 else 0.0
        west, south, east, north = box_around_body(c, bodies, look, meeting)
        if not (east - west < WIDEST and north - south < WIDEST):  # torn apart: there would be no end of cells to ask
            continue
        cells, cursor = open_query(herd_hash, west, south, east, north)
        while True:
            item, cursor = next_item(herd_hash, cells, cursor)
            if item < 0:
                break
            if not boxes_overlap(herd_hash.boxes, item, west, south, east, north):
                continue
            other = int64(herd[item])
            if meets[other] == 0 or kin[other] == kin[c]:
                continue
            soft = is_soft(c, other, bodies)
            if soft and (presses[c] == 0 or presses[other] == 0):
                continue
            for k in range(begin, end):
                if is_near_body(k, item, soft, meeting):
                    note_contacts(k, other, soft, bodies, segments, meeting)
        share_out(c, begin, end, bodies, meeting)
