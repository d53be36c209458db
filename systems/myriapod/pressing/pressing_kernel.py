"""Who presses against whom: contacts of links of different bodies, and the forces on their segments.

Three passes. Each reads what the one before has written for all bodies and writes only its own rows, so the result does not
depend on the number of threads; and each pair is judged by the same numbers from both sides, so that what one of them
feels the other feels too. Where limits are needed (nobody can look at a thousand neighbours), they count for both.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.spatial_hash import Edge, boxes_overlap, next_item, open_query
from ...spatial_index.body_capsules_kernel import WIDEST, capsule_count
from ...spatial_index.solids import SolidField
from .link_contact_kernel import press_links

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Four
    from ....engine.spatial_hash import SpatialHash

LOOK = 2.0
"""Radii of the narrower link: the gap from which on links are neighbours."""

MOST_BODIES = 40
"""Bodies around one that presses; who lies in a larger heap neither presses nor is pressed."""

MOST_LINKS = 12
"""Links around one that presses; likewise."""


@kernel()
def box_around_body(c: int, bodies: BodyPool, places: Array, capsules: Array, boxes: Array) -> Four:
    """Return the plan box of what a body may press against."""
    begin = int64(places[c])
    west, south, east, north, widest = inf, inf, -inf, -inf, 0.0
    for k in range(begin, begin + capsule_count(c, bodies)):
        west, south = min(west, boxes[k, Edge.WEST]), min(south, boxes[k, Edge.SOUTH])
        east, north = max(east, boxes[k, Edge.EAST]), max(north, boxes[k, Edge.NORTH])
        widest = max(widest, capsules[k, SolidField.RADIUS])
    reach = LOOK * widest
    return west - reach, south - reach, east + reach, north + reach


@kernel(parallel=True)
def leave_out_heaps(rows: Array, bodies: BodyPool, places: Array, capsules: Array, capsule_hash: SpatialHash, herd: Array,
                    herd_hash: SpatialHash, takes_part: Array, presses: Array) -> None:  # fmt: skip
    """Find which of the listed bodies press: those who take part and have no more than MOST_BODIES around them."""
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        presses[c] = 0
        if takes_part[c] == 0:
            continue
        west, south, east, north = box_around_body(c, bodies, places, capsules, capsule_hash.boxes)
        if not (east - west < WIDEST and north - south < WIDEST):  # torn apart: there would be no end of cells to ask
            continue
        cells, cursor = open_query(herd_hash, west, south, east, north)
        found = 0
        while found <= MOST_BODIES:
            k, cursor = next_item(herd_hash, cells, cursor)
            if k < 0:
                break
            if herd[k] != c and boxes_overlap(herd_hash.boxes, k, west, south, east, north):
                found += 1
        presses[c] = 1 if 0 < found <= MOST_BODIES else 0


@kernel()
def front_segment(k: int, bodies: BodyPool, places: Array, capsules: Array) -> int:
    """Return the row of the segment at which link k begins."""
    c = int64(capsules[k, SolidField.OWNER])
    return int64(bodies.first_segment[c]) + k - int64(places[c])


@kernel()
def press_on(k: int, m: int, bodies: BodyPool, segments: SegmentPool, places: Array, capsules: Array) -> Four:
    """Return (share, fx, fy, fz): the place along link k at which link m presses, and the force.

    Both are asked in the same order whichever of them is k, so what the other feels is minus that to the last bit.
    """
    row_k, row_m = front_segment(k, bodies, places, capsules), front_segment(m, bodies, places, capsules)
    if k < m:
        share, _, fx, fy, fz = press_links(capsules, k, m, segments, row_k, row_m)
        return share, -fx, -fy, -fz
    _, share, fx, fy, fz = press_links(capsules, m, k, segments, row_m, row_k)
    return share, fx, fy, fz


@kernel()
def note_contacts(k: int, other: int, bodies: BodyPool, segments: SegmentPool, places: Array, capsules: Array, boxes: Array,
                  partners: Array, count: int) -> int:  # fmt: skip
    """Note the links of another body that press against link k, and return how many do so by now."""
    west, south, east, north = boxes[k, Edge.WEST], boxes[k, Edge.SOUTH], boxes[k, Edge.EAST], boxes[k, Edge.NORTH]
    begin, reach = int64(places[other]), LOOK * capsules[k, SolidField.RADIUS]
    for m in range(begin, begin + capsule_count(other, bodies)):
        near = (boxes[m, Edge.WEST] <= east + reach) & (boxes[m, Edge.EAST] >= west - reach)
        if not (near & (boxes[m, Edge.SOUTH] <= north + reach) & (boxes[m, Edge.NORTH] >= south - reach)):
            continue
        _, fx, fy, fz = press_on(k, m, bodies, segments, places, capsules)
        if fx != 0.0 or fy != 0.0 or fz != 0.0:
            if count < MOST_LINKS:
                partners[k, count] = m
            count += 1
    return count


@kernel(parallel=True)
def find_contacts(rows: Array, bodies: BodyPool, segments: SegmentPool, order: Array, places: Array, capsules: Array,
                  capsule_hash: SpatialHash, herd: Array, herd_hash: SpatialHash, presses: Array, partners: Array,
                  counts: Array) -> None:  # fmt: skip
    """Note the neighbours of all links of the listed bodies. Parts of a body that has just been cut are none.

    partners: (links, MOST_LINKS) links. counts: how many each has, which may be more than there is room for.
    """
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        begin = int64(places[c])
        end = begin + capsule_count(c, bodies)
        boxes = capsule_hash.boxes
        for k in range(begin, end):
            counts[k] = 0
        if presses[c] == 0:
            continue
        west, south, east, north = box_around_body(c, bodies, places, capsules, boxes)
        cells, cursor = open_query(herd_hash, west, south, east, north)
        while True:
            item, cursor = next_item(herd_hash, cells, cursor)
            if item < 0:
                break
            other = int64(herd[item])
            if presses[other] == 0 or order[other] == order[c]:
                continue
            if boxes_overlap(herd_hash.boxes, item, west, south, east, north):
                for k in range(begin, end):
                    counts[k] = note_contacts(k, other, bodies, segments, places, capsules, boxes, partners, counts[k])


@kernel()
def is_held(i: int, first: int, end: int, chained: ChainSegmentPool) -> bool:
    """Return whether a neighbour of a segment is led: that one gives way, a push on what hangs on it folds the joint."""
    kinematic = chained.kinematic
    return (i > first and kinematic[i - 1] != 0) or (i + 1 < end and kinematic[i + 1] != 0)


@kernel(parallel=True)
def press_bodies(rows: Array, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, places: Array,
                 capsules: Array, partners: Array, counts: Array) -> None:  # fmt: skip
    """Find the forces with which others press against the segments of the listed bodies, and push them by that.

    Links that several others press against share the force out, or all together would throw them back.
    """
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        first, begin = int64(bodies.first_segment[c]), int64(places[c])
        press, push = chained.press, segments.push
        for i in range(first, first + bodies.segment_count[c]):
            press[i, 0], press[i, 1], press[i, 2] = 0.0, 0.0, 0.0
        for k in range(begin, begin + capsule_count(c, bodies)):
            if counts[k] > MOST_LINKS:
                continue
            row = first + k - begin
            for n in range(counts[k]):
                m = int64(partners[k, n])
                if counts[m] > MOST_LINKS:
                    continue
                share, fx, fy, fz = press_on(k, m, bodies, segments, places, capsules)
                rear = share / max(counts[k], counts[m])
                front = (1.0 - share) / max(counts[k], counts[m])
                press[row, 0], press[row + 1, 0] = press[row, 0] + front * fx, press[row + 1, 0] + rear * fx
                press[row, 1], press[row + 1, 1] = press[row, 1] + front * fy, press[row + 1, 1] + rear * fy
                press[row, 2], press[row + 1, 2] = press[row, 2] + front * fz, press[row + 1, 2] + rear * fz
        for i in range(first, first + bodies.segment_count[c]):
            if is_held(i, first, first + bodies.segment_count[c], chained):
                continue
            for axis in range(3):
                push[i, axis] += press[i, axis]
