"""What is underfoot besides the ground: the bodies of others, and how far rocks push a flank aside.

Two animals that meet do not fight for the same place: the younger one climbs over the older one, as real centipedes
do. To a segment of the younger, the back of the older is ground, reached over a ramp that begins before the bodies
touch. The order of birth decides who climbs, so two bodies never try to climb each other, and within one body the
front part climbs over the rear. A body is stiff: what is lifted takes its neighbours along. Only poses of the last
tick are read and only own rows written: the result does not depend on the order of creatures or the number of threads.
All lengths are in sizes of the bodies that meet, so the rule holds for animals of any scale (docs/crowds.md).
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.myriapod.chain_segments import Lift
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.spatial_hash import Edge, boxes_overlap, next_item, open_query
from ...contact.soft_contact_kernel import RESPONSE
from ...legs.segment_frame_kernel import segment_frame
from ...spatial_index.solid_kernel import solid_distance
from .backs_kernel import CELL_MARGIN, FULL_MARGIN, LONGEST_RAMP, MOST_BACKS, OWN_GAP, SHORTEST, feel_backs, is_afloat
from .crowd import Crowd

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Four, Vector
    from ....engine.spatial_hash import SpatialHash
    from ...legs.segment_frame_kernel import Frame
    from ...spatial_index.index import Around

BODY_SAG = 0.25
"""Half pitches that a segment may hang below the middle of its neighbours; deeper hollows are bridged."""

BODY_SLOPE = 0.5
"""Largest rise per unit of length along a body (30 degrees); what is lifted more takes its neighbours along."""

LIFT_GAIN = 20.0
"""1/s; how fast a lift follows the back below. Slower, and a climber sinks in; faster, and links feel every step of it."""

LIFT_SPEED = 7.0
"""Half pitches per second at which a back may lift a segment at most."""

LET_DOWN_SPEED = 4.0
"""Half pitches per second at which it is let down at most, also where a back is suddenly gone, as one that swims away;
and lifted while part of its body floats, which cannot follow faster."""

FLANK_MARGIN = 0.1
"""Half widths kept between a flank and a rock."""

SHOVE_GAIN = 8.0
"""1/s; how fast a flank inside that margin is pushed out."""

SHOVE_LIMIT = 3.0
"""Half pitches per second; faster than any animal walks, slower than anything that tears a body."""

HANDED_ON = 0.5
"""Share of a flank's shove that the segments ahead and behind go along with."""

NOWHERE = (inf, inf, -inf, -inf)
"""The plan box around nothing."""


@kernel()
def lies_straight(first: int, end: int, position: Array, reach: float) -> bool:
    """Return whether no part of a body can be within reach of a part OWN_GAP links behind it.

    True when every link leads on along the line from tail to head, and OWN_GAP of them lead farther than reach.
    """
    ux, uy = position[first, 0] - position[end - 1, 0], position[first, 1] - position[end - 1, 1]
    length = sqrt(ux * ux + uy * uy)
    for row in range(first, end - 1):
        if (position[row, 0] - position[row + 1, 0]) * ux + (position[row, 1] - position[row + 1, 1]) * uy < 0.0:
            return False
    for row in range(first, end - OWN_GAP):
        dx, dy = position[row, 0] - position[row + OWN_GAP, 0], position[row, 1] - position[row + OWN_GAP, 1]
        if dx * ux + dy * uy <= reach * length:
            return False
    return True


@kernel()
def widest(first: int, end: int, half_extents: Array) -> float:
    """Return the largest half width of a body's segments."""
    most = 0.0
    for row in range(first, end):
        most = max(most, half_extents[row, 1])
    return most


@kernel()
def is_alone(c: int, first: int, end: int, segments: SegmentPool, crowd: Crowd, reach: float) -> bool:
    """Return whether nothing that could be climbed is within reach of any part of a body: most bodies, most of the time."""
    position, order, herd, herd_hash = segments.position, crowd.order, crowd.herd, crowd.herd_hash
    if not lies_straight(first, end, position, reach + widest(first, end, segments.half_extents)):
        return False
    west, south, east, north = NOWHERE
    for row in range(first, end):
        west, east = min(west, position[row, 0]), max(east, position[row, 0])
        south, north = min(south, position[row, 1]), max(north, position[row, 1])
    west, south, east, north = west - reach, south - reach, east + reach, north + reach
    cells, cursor = open_query(herd_hash, west, south, east, north)
    while True:
        k, cursor = next_item(herd_hash, cells, cursor)
        if k < 0:
            return True
        if order[herd[k]] < order[c] and boxes_overlap(herd_hash.boxes, k, west, south, east, north):
            return False


@kernel()
def around_both(box: Four, boxes: Array, k: int) -> Four:
    """Return the plan box around one and box k of a table."""
    west, south, east, north = box
    return (
        min(west, boxes[k, Edge.WEST]),
        min(south, boxes[k, Edge.SOUTH]),
        max(east, boxes[k, Edge.EAST]),
        max(north, boxes[k, Edge.NORTH]),
    )


@kernel()
def contains(outer: Four, inner: Four) -> bool:
    """Return whether a plan box lies in another one."""
    west, south, east, north = outer
    inner_west, inner_south, inner_east, inner_north = inner
    return west <= inner_west and south <= inner_south and east >= inner_east and north >= inner_north


@kernel()
def find_older(c: int, first: int, end: int, position: Array, crowd: Crowd, reach: float) -> tuple[Four, int]:
    """Return (box, most): the plan box around all older ones that come near a body, and how many its segments may meet.

    Only whether a segment is near the box and how many there are up to MOST_BACKS is asked for, so the search ends where
    both are settled: once the box holds the whole body, and that many are counted. In a heap of a thousand nobody looks
    at all of them.
    """
    order, herd, herd_hash = crowd.order, crowd.herd, crowd.herd_hash
    older, most = NOWHERE, 0
    west, south, east, north = NOWHERE
    for row in range(first, end):
        west, east = min(west, position[row, 0]), max(east, position[row, 0])
        south, north = min(south, position[row, 1]), max(north, position[row, 1])
    body = (west, south, east, north)
    west, south, east, north = west - reach, south - reach, east + reach, north + reach
    cells, cursor = open_query(herd_hash, west, south, east, north)
    while most < MOST_BACKS or not contains(older, body):
        k, cursor = next_item(herd_hash, cells, cursor)
        if k < 0:
            break
        if order[herd[k]] < order[c] and boxes_overlap(herd_hash.boxes, k, west, south, east, north):
            older = around_both(older, herd_hash.boxes, k)
            most += 1
    return older, min(most, MOST_BACKS)


@kernel()
def longest_reach(first: int, end: int, half_extents: Array, half_pitch: Array) -> float:
    """Return how far away the flank of a back can be that raises any segment of a body."""
    reach = 0.0
    for row in range(first, end):
        reach = max(reach, (1.0 + FULL_MARGIN) * half_extents[row, 1] + LONGEST_RAMP * half_pitch[row])
    return reach


@kernel()
def bare_height(row: int, chained: ChainSegmentPool, frame: Frame) -> float:
    """Return the height of a segment above the bare ground from the raised plane that the last tick left below it.

    The height of the last tick itself would not do: the segment has moved since, and a back that seems to sink while
    one climbs makes a climber tremble.
    """
    height = chained.lift[row, Lift.HEIGHT]
    point, normal = chained.ground_point, chained.ground_normal
    height += (frame.x - point[row, 0]) * normal[row, 0]
    height += (frame.y - point[row, 1]) * normal[row, 1]
    height += (frame.z - point[row, 2]) * normal[row, 2]
    return height


@kernel()
def end_of_branch(first: int, end: int, chained: ChainSegmentPool) -> int:
    """Return the row after the segments that simply follow each other from this one on; a chain is one branch."""
    row = first + 1
    while row < end and chained.ahead[row] == 1:
        row += 1
    return row


@kernel()
def drape(first: int, end: int, half_pitch: Array, raised: Array) -> None:
    """Raise the heights along a body until they differ by no more than BODY_SLOPE allows from one to the next.

    What is lifted too steeply takes its neighbours along, as a stiff band would that lies over the pile.
    """
    for row in range(first + 1, end):
        raised[row] = max(raised[row], raised[row - 1] - BODY_SLOPE * (half_pitch[row] + half_pitch[row - 1]))
    for row in range(end - 2, first - 1, -1):
        raised[row] = max(raised[row], raised[row + 1] - BODY_SLOPE * (half_pitch[row] + half_pitch[row + 1]))
    for row in range(first + 1, end - 1):
        bridge = 0.5 * (raised[row - 1] + raised[row + 1]) - BODY_SAG * half_pitch[row]
        raised[row] = max(raised[row], bridge)


@kernel()
def hold_down(first: int, end: int, segments: SegmentPool, chained: ChainSegmentPool) -> bool:
    """Lower raised heights until a body rears no steeper than BODY_SLOPE out of the water; return whether any floats."""
    half_pitch, raised = chained.half_pitch, chained.raised
    landing = False
    for row in range(first, end):
        if is_afloat(row, segments, chained):
            raised[row], landing = 0.0, True
    if landing:
        for row in range(first + 1, end):
            raised[row] = min(raised[row], raised[row - 1] + BODY_SLOPE * (half_pitch[row] + half_pitch[row - 1]))
        for row in range(end - 2, first - 1, -1):
            raised[row] = min(raised[row], raised[row + 1] + BODY_SLOPE * (half_pitch[row] + half_pitch[row + 1]))
    return landing


@kernel()
def lift_body(first: int, end: int, segments: SegmentPool, chained: ChainSegmentPool, lift_speed: float, dt: float) -> None:
    """Lift one body's segments toward the raised heights, at a limited speed."""
    half_pitch, raised, lift = chained.half_pitch, chained.raised, chained.lift
    for row in range(first, end):
        least, most = -LET_DOWN_SPEED * half_pitch[row], lift_speed * half_pitch[row]
        rate = min(max(min(LIFT_GAIN, 1.0 / dt) * (raised[row] - lift[row, Lift.HEIGHT]), least), most)
        lift[row, Lift.RATE] = rate
        lift[row, Lift.HEIGHT] += rate * dt
        chained.lift_share[row] = min(lift[row, Lift.HEIGHT] / segments.half_extents[row, 2], 1.0)
    for row in range(first, end):
        front, rear = max(row - 1, first), min(row + 1, end - 1)
        way = max(2.0 * (rear - front) * half_pitch[row], SHORTEST)
        lift[row, Lift.SLOPE] = (lift[front, Lift.HEIGHT] - lift[rear, Lift.HEIGHT]) / way


@kernel()
def write_shove(row: int, vx: float, vy: float, vz: float, chained: ChainSegmentPool) -> None:
    """Update the velocity that a segment is shoved at, which has a limit."""
    speed = sqrt(vx * vx + vy * vy + vz * vz)
    most = SHOVE_LIMIT * chained.half_pitch[row]
    limit = most / speed if speed > most else 1.0
    chained.shove[row, 0], chained.shove[row, 1], chained.shove[row, 2] = limit * vx, limit * vy, limit * vz


@kernel()
def shove_from_solids(row: int, segments: SegmentPool, chained: ChainSegmentPool, solids: Array,
                      hashed: SpatialHash) -> None:  # fmt: skip
    """Set the velocity that takes a flank out of the rocks it touches, along the ground."""
    position, normal = segments.position, chained.ground_normal
    x, y, z = position[row, 0], position[row, 1], position[row, 2]
    nx, ny, nz = normal[row, 0], normal[row, 1], normal[row, 2]
    keep = (1.0 + FLANK_MARGIN) * segments.half_extents[row, 1]
    vx, vy, vz = 0.0, 0.0, 0.0
    cells, cursor = open_query(hashed, x - keep, y - keep, x + keep, y + keep)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            break
        d, ox, oy, oz = solid_distance(solids, k, x, y, z)
        if d < keep:
            lift = ox * nx + oy * ny + oz * nz
            out = SHOVE_GAIN * (keep - d)
            vx, vy, vz = vx + out * (ox - lift * nx), vy + out * (oy - lift * ny), vz + out * (oz - lift * nz)
    write_shove(row, vx, vy, vz, chained)


@kernel()
def shove_from_others(row: int, ahead: Vector, segments: SegmentPool, chained: ChainSegmentPool) -> None:
    """Add the velocity with which a led segment gives way to the bodies that press against it, across its own axis.

    A leg gives way like a damper: v = f / (m RESPONSE). So of two that press against each other each goes aside by its
    share of the mass, and together as fast as the contact asks for. What presses along the body is left to the feet, for
    a chain that is pushed from its front folds. ahead: the segment's own axis.
    """
    press, normal, shove = segments.press, chained.ground_normal, chained.shove
    fx, fy, fz = press[row, 0], press[row, 1], press[row, 2]
    if chained.kinematic[row] == 0 or (fx == 0.0 and fy == 0.0 and fz == 0.0):
        return
    for ux, uy, uz in (ahead, (normal[row, 0], normal[row, 1], normal[row, 2])):
        part = fx * ux + fy * uy + fz * uz
        fx, fy, fz = fx - part * ux, fy - part * uy, fz - part * uz
    give = 1.0 / (RESPONSE * segments.mass[row])
    vx, vy, vz = shove[row, 0] + give * fx, shove[row, 1] + give * fy, shove[row, 2] + give * fz
    write_shove(row, vx, vy, vz, chained)


@kernel()
def hand_on_shoves(first: int, end: int, chained: ChainSegmentPool) -> None:
    """Let the neighbours of a shoved segment go along with it.

    Were it shoved alone, it would turn about the hinge to its leader, and its rear hinge would go twice as far aside. The
    Follower takes every step aside from one segment to the next in full, so a long body that passes a rock would be bent a
    little more by each of its segments, until joints fold.
    """
    shove = chained.shove
    ax, ay, az = 0.0, 0.0, 0.0  # of the segment ahead, as the rocks gave it
    for row in range(first, end):
        x, y, z = shove[row, 0], shove[row, 1], shove[row, 2]
        bx, by, bz = 0.0, 0.0, 0.0
        if row + 1 < end:
            bx, by, bz = shove[row + 1, 0], shove[row + 1, 1], shove[row + 1, 2]
        vx, vy, vz = x + HANDED_ON * (ax + bx), y + HANDED_ON * (ay + by), z + HANDED_ON * (az + bz)
        write_shove(row, vx, vy, vz, chained)
        ax, ay, az = x, y, z


@kernel()
def feel_neighbours_of(c: int, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, crowd: Crowd,
                       solids: Array, solid_hash: SpatialHash, dt: float) -> None:  # fmt: skip
    """Find what the segments of one creature have underfoot and beside them besides the ground."""
    position, half_extents, half_pitch = segments.position, segments.half_extents, chained.half_pitch
    raised = chained.raised
    first = int64(bodies.first_segment[c])
    end = first + bodies.segment_count[c]
    reach = longest_reach(first, end, half_extents, half_pitch)
    alone = is_alone(c, first, end, segments, crowd, reach)
    older = (NOWHERE, 0)
    if not alone:
        reach += CELL_MARGIN * crowd.capsule_hash.cell_size
        older = find_older(c, first, end, position, crowd, reach)
    for row in range(first, end):
        raised[row] = 0.0
        frame = segment_frame(position, segments.orientation, row)
        if not (alone or is_afloat(row, segments, chained)):
            height = bare_height(row, chained, frame)
            raised[row] = feel_backs(c, row, bodies, segments, chained, crowd, frame, older, height)
        shove_from_solids(row, segments, chained, solids, solid_hash)
        shove_from_others(row, (frame.fx, frame.fy, frame.fz), segments, chained)
    while first < end:
        last = end_of_branch(first, end, chained)
        hand_on_shoves(first, last, chained)
        drape(first, last, half_pitch, raised)
        landing = hold_down(first, last, segments, chained)
        lift_body(first, last, segments, chained, LET_DOWN_SPEED if landing else LIFT_SPEED, dt)
        first = last


@kernel(parallel=True)
def feel_neighbours(rows: Array, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, order: Array,
                    places: Array, herd: Array, herd_hash: SpatialHash, around: Around, dt: float) -> None:  # fmt: skip
    """Find what the segments of the listed creatures have underfoot and beside them besides the ground.

    order to herd_hash: the fields of a `Crowd` that are not in `around`, one by one because no tuple of tuples can enter a
    parallel loop.
    """
    for r in prange(rows.shape[0]):
        crowd = Crowd(order, places, around.bodies, around.body_hash, herd, herd_hash)
        feel_neighbours_of(int64(rows[r]), bodies, segments, chained, crowd, around.solids, around.solid_hash, dt)
