"""How much the backs of others raise the ground below a segment: ramps, and what of a back has to be cleared."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.spatial_hash import Edge, boxes_overlap, cell_of, next_item, open_query
from ...spatial_index.body_capsules_kernel import capsule_count
from ...spatial_index.solids import SolidField

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Four
    from ....engine.spatial_hash import SpatialHash
    from ...legs.segment_frame_kernel import Frame
    from .crowd import Crowd

FULL_MARGIN = 1.0
"""Plan-view gap, in half widths of the climber, at which it is already at full height."""

SIDE_RAMP = 0.7
"""Width of the ramp onto a back that lies abeam, in sums of half widths: bodies side by side hardly lift each other."""

ALONGSIDE, CROSSING = 0.9, 0.71
"""Cosines of the angles between two axes (26 and 45 degrees): flanks that press, and a back that is crossed."""

FLANK_BEGIN, FLANK_END = 0.9, 1.05
"""Sums of half widths to the side: nearer than the first a body alongside is climbed after all, from the second on not."""

RAMP_SLOPE = 0.9
"""Steepest rise per unit of way of the ramp onto a back that lies ahead or behind."""

LONGEST_RAMP = 4.0
"""Half pitches; higher piles are climbed more steeply."""

OWN_GAP = 6
"""Capsules between a segment and the part of its own body it may climb over; nearer ones are its neighbours."""

TOO_HIGH = 3.0
"""Sums of half heights; a body that far overhead is no ground, it passes over."""

SMOOTHSTEP_PEAK = 1.5
"""Steepest slope of s^2 (3 - 2 s)."""

SHORTEST = 1e-9
"""Units; below this a direction is not defined."""

ROUNDING = 1.001
"""What is farther than its limit by this factor is so whatever has been rounded."""

MOST_BACKS = 24
"""Bodies around a segment that are felt, lowest numbers first; a heap of more is as high as these make it."""

CELL_MARGIN = 1.01
"""Cells; boxes with a wider gap between them have no cell in common."""


@kernel()
def highest_within(capsules: Array, k: int, x: float, y: float, z: float, nx: float, ny: float, nz: float,
                   full: float) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Return (dx, dy, dz, up, top): a capsule's axis from a point, in plan view across n and along n.

    dx, dy, dz lead to the nearest point of the axis and up is its height; top is the height of the highest point of the
    axis that is no farther than `full`. On a body that climbs itself the two differ, and what is nearest is not what a
    climber has to clear.
    """
    ax, ay, az = capsules[k, SolidField.X] - x, capsules[k, SolidField.Y] - y, capsules[k, SolidField.Z] - z
    ex, ey, ez = capsules[k, SolidField.EXTENT_X], capsules[k, SolidField.EXTENT_Y], capsules[k, SolidField.EXTENT_Z]
    a_up, e_up = ax * nx + ay * ny + az * nz, ex * nx + ey * ny + ez * nz
    ax, ay, az = ax - a_up * nx, ay - a_up * ny, az - a_up * nz
    ex, ey, ez = ex - e_up * nx, ey - e_up * ny, ez - e_up * nz
    length = ex * ex + ey * ey + ez * ez
    t = -(ax * ex + ay * ey + az * ez) / length if length > SHORTEST else 0.0
    t = min(max(t, 0.0), 1.0)
    dx, dy, dz = ax + t * ex, ay + t * ey, az + t * ez
    highest = t
    spare = full * full - dx * dx - dy * dy - dz * dz
    if spare > 0.0:  # |d + s e| = full has one root s on either side of the nearest point; the one uphill is wanted
        uphill = 1.0 if e_up > 0.0 else -1.0
        if length > SHORTEST:
            along = dx * ex + dy * ey + dz * ez
            highest += (uphill * sqrt(along * along + spare * length) - along) / length
        else:
            highest += uphill
        highest = min(max(highest, 0.0), 1.0)
    return dx, dy, dz, a_up + t * e_up, a_up + highest * e_up


@kernel()
def highest_end(capsules: Array, k: int, x: float, y: float, z: float, nx: float, ny: float, nz: float) -> float:
    """Return the height along n of the higher end of a capsule's axis over a point: no point of the axis is higher."""
    ax, ay, az = capsules[k, SolidField.X] - x, capsules[k, SolidField.Y] - y, capsules[k, SolidField.Z] - z
    ex, ey, ez = capsules[k, SolidField.EXTENT_X], capsules[k, SolidField.EXTENT_Y], capsules[k, SolidField.EXTENT_Z]
    a_up, e_up = ax * nx + ay * ny + az * nz, ex * nx + ey * ny + ez * nz
    return max(a_up, a_up + e_up)


@kernel()
def share_a_cell(hashed: SpatialHash, k: int, cells: tuple[int, int, int, int], asked: Four) -> bool:
    """Return whether the box of item k and a query have a cell of the hash in common; asked: the query's own box."""
    size, boxes = hashed.cell_size, hashed.boxes
    west, south, east, north = asked
    if boxes_overlap(boxes, k, west, south, east, north):
        return True  # boxes that touch do, and most that come so far touch
    first_x, first_y, last_x, last_y = cells
    if cell_of(boxes[k, Edge.WEST], size) > last_x or cell_of(boxes[k, Edge.EAST], size) < first_x:
        return False
    return cell_of(boxes[k, Edge.SOUTH], size) <= last_y and cell_of(boxes[k, Edge.NORTH], size) >= first_y


@kernel()
def back_share(frame: Frame, capsules: Array, k: int, dx: float, dy: float, dz: float, own: float,
               lift_share: float) -> float:  # fmt: skip
    """Return how much a link is a back to climb, 0..1, and not a flank to press against.

    It is a flank as far as both axes run along with each other and it lies to the side of the segment's own axis: by
    FLANK_END and more. By less than FLANK_BEGIN it has been pressed in, or lies ahead, and is climbed after all. Who is
    lifted already stays up, or would come down onto the flank: lift_share 0..1.
    """
    ex, ey, ez = capsules[k, SolidField.EXTENT_X], capsules[k, SolidField.EXTENT_Y], capsules[k, SolidField.EXTENT_Z]
    length = sqrt(ex * ex + ey * ey + ez * ez)
    if length < SHORTEST:
        return 1.0
    along = abs(ex * frame.fx + ey * frame.fy + ez * frame.fz) / length
    if along <= CROSSING:
        return 1.0
    ahead = dx * frame.fx + dy * frame.fy + dz * frame.fz
    lateral = sqrt(max(dx * dx + dy * dy + dz * dz - ahead * ahead, 0.0)) / (own + capsules[k, SolidField.RADIUS])
    if lateral <= FLANK_BEGIN:
        return 1.0
    s = min((along - CROSSING) / (ALONGSIDE - CROSSING), 1.0)
    t = min((lateral - FLANK_BEGIN) / (FLANK_END - FLANK_BEGIN), 1.0)
    return 1.0 - (1.0 - lift_share) * s * s * (3.0 - 2.0 * s) * t * t * (3.0 - 2.0 * t)


@kernel()
def ramp_share(frame: Frame, dx: float, dy: float, dz: float, own: float, radius: float, climb: float, size: float) -> float:
    """Return how much of a back counts for a segment, 0..1, from the plan-view vector to its axis.

    Full from FULL_MARGIN on; before that a ramp, long where the back lies ahead or behind, short where it lies abeam:
    w^2 = (L cos)^2 + (W sin)^2 with the bearing of the back against the body's axis. The slope that the body feels
    along its axis then never exceeds that of the long ramp.
    """
    distance = sqrt(dx * dx + dy * dy + dz * dz)
    aside = distance - own - radius - FULL_MARGIN * own
    if aside <= 0.0:
        return 1.0
    ahead = (dx * frame.fx + dy * frame.fy + dz * frame.fz) / distance
    long = min(SMOOTHSTEP_PEAK * climb / RAMP_SLOPE, LONGEST_RAMP * size)
    wide = min(SIDE_RAMP * (own + radius), long)
    width = sqrt(long * long * ahead * ahead + wide * wide * (1.0 - ahead * ahead))
    if aside >= width:
        return 0.0
    s = 1.0 - aside / width
    return s * s * (3.0 - 2.0 * s)


@kernel()
def is_out_of_reach(capsules: Array, k: int, x: float, y: float, z: float, nx: float, ny: float, nz: float,
                    reach: float) -> bool:  # fmt: skip
    """Return whether no point of a capsule's axis is within reach of a point, seen along n: for sure, and cheaply."""
    ax, ay, az = capsules[k, SolidField.X] - x, capsules[k, SolidField.Y] - y, capsules[k, SolidField.Z] - z
    up = ax * nx + ay * ny + az * nz
    ex, ey, ez = capsules[k, SolidField.EXTENT_X], capsules[k, SolidField.EXTENT_Y], capsules[k, SolidField.EXTENT_Z]
    farthest = ROUNDING * (reach + abs(ex) + abs(ey) + abs(ez))
    return ax * ax + ay * ay + az * az - up * up > farthest * farthest


@kernel()
def is_afloat(row: int, segments: SegmentPool, chained: ChainSegmentPool) -> bool:
    """Return whether a segment is left to the water. Such segments climb nothing and carry nothing: they give way."""
    return segments.submerged[row] != 0 and chained.kinematic[row] == 0


@kernel()
def feel_back(row: int, other: int, skipped: int, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool,
              crowd: Crowd, frame: Frame, query: tuple[tuple[int, int, int, int], Four, Four], height: float,
              raised: float) -> float:  # fmt: skip
    """Return by how much the body of `other` raises the ground below a segment, or raised if that is more.

    skipped: capsules behind its head that do not count. query: the cells that are asked, its own box, and one around the
    cells. Only what shares a cell with the query counts, as it would if the hash were asked. height: of the segment above
    the bare ground.
    """
    capsules, boxes = crowd.capsules, crowd.capsule_hash.boxes
    half_extents, normal = segments.half_extents, chained.ground_normal
    cells, asked, (near_west, near_south, near_east, near_north) = query
    nx, ny, nz = normal[row, 0], normal[row, 1], normal[row, 2]
    own, size = half_extents[row, 1], chained.half_pitch[row]
    begin, first = int64(crowd.places[other]), int64(bodies.first_segment[other])
    pressed = skipped == 0  # a body does not press against itself
    for k in range(begin + skipped, begin + capsule_count(other, bodies)):
        west, south, east, north = boxes[k, Edge.WEST], boxes[k, Edge.SOUTH], boxes[k, Edge.EAST], boxes[k, Edge.NORTH]
        # one branch, not four: which of them is taken cannot be guessed
        if not ((west <= near_east) & (east >= near_west) & (south <= near_north) & (north >= near_south)):
            continue
        radius = capsules[k, SolidField.RADIUS]
        if highest_end(capsules, k, frame.x, frame.y, frame.z, nx, ny, nz) + radius + height <= raised:
            continue  # in a heap most are lower than the highest that has been found
        full = own + radius + FULL_MARGIN * own
        if is_out_of_reach(capsules, k, frame.x, frame.y, frame.z, nx, ny, nz, full + LONGEST_RAMP * size):
            continue
        if is_afloat(first + k - begin, segments, chained) or not share_a_cell(crowd.capsule_hash, k, cells, asked):
            continue
        dx, dy, dz, up, top = highest_within(capsules, k, frame.x, frame.y, frame.z, nx, ny, nz, full)
        climb = top + radius + height
        if climb <= raised or up > TOO_HIGH * (half_extents[row, 2] + radius):
            continue
        if pressed:
            climb *= back_share(frame, capsules, k, dx, dy, dz, own, chained.lift_share[row])
        raised = max(raised, climb * ramp_share(frame, dx, dy, dz, own, radius, climb, size))
    return raised


@kernel()
def feel_backs(c: int, row: int, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, crowd: Crowd,
               frame: Frame, older: tuple[Four, int], height: float) -> float:  # fmt: skip
    """Return by how much the backs around a segment raise the ground below it: of the older ones, and its own rear.

    Bodies are looked up as wholes and then link by link: they are few, and the cells around a segment are many.
    older: the box around those that can matter, and how many they are at most. height: of the segment above the bare ground.
    """
    order, herd, herd_hash = crowd.order, crowd.herd, crowd.herd_hash
    x, y = frame.x, frame.y
    reach = (1.0 + FULL_MARGIN) * segments.half_extents[row, 1] + LONGEST_RAMP * chained.half_pitch[row]
    asked = (x - reach, y - reach, x + reach, y + reach)
    cells, _ = open_query(crowd.capsule_hash, x - reach, y - reach, x + reach, y + reach)
    far = reach + CELL_MARGIN * crowd.capsule_hash.cell_size
    west, south, east, north = x - far, y - far, x + far, y + far
    query = (cells, asked, (west, south, east, north))
    behind = row - int64(bodies.first_segment[c]) + OWN_GAP
    raised = 0.0
    if bodies.linked[c] != 0:  # branches lie beside each other, they do not climb
        raised = feel_back(row, c, behind, bodies, segments, chained, crowd, frame, query, height, 0.0)
    (older_west, older_south, older_east, older_north), most = older
    if older_west > east or older_east < west or older_south > north or older_north < south:
        return raised
    herd_cells, cursor = open_query(herd_hash, west, south, east, north)
    felt = 0
    while felt < most:
        k, cursor = next_item(herd_hash, herd_cells, cursor)
        if k < 0:
            break
        other = int64(herd[k])
        if order[other] < order[c] and boxes_overlap(herd_hash.boxes, k, west, south, east, north):
            raised = feel_back(row, other, 0, bodies, segments, chained, crowd, frame, query, height, raised)
            felt += 1
    return raised
