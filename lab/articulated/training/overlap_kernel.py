"""How much of a body's links lies in others of it: the self-collision term of the objective. [Tan11 4.2]

Links are tapered capsules; two of them are cut as polygons with 24 corners, and only when their axes are near enough. Links
that share a joint always overlap and do not count. [articulated-swimmers 7.21]
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import int64

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....engine.kernel_types import Array

HALF = 12
"""Corners of each end of a capsule."""
CORNERS = 2 * HALF
MOST_CORNERS = 2 * CORNERS
"""Of a polygon that another one has cut: each edge adds at most one."""


@kernel(refcount=False)
def capsule_corners(row: int, links: LinkPool, corners: Array) -> None:
    """Update the corners of a link, counter-clockwise: half a circle before its joint, and one behind its rear end."""
    angle, length = links.place[row, 2], links.length[row]
    for end in range(2):
        x = links.place[row, 0] - end * length * cos(angle)
        y = links.place[row, 1] - end * length * sin(angle)
        for i in range(HALF):
            at = angle + pi * (end - 0.5 + i / (HALF - 1.0))
            corners[end * HALF + i, 0] = x + links.radius[row, end] * cos(at)
            corners[end * HALF + i, 1] = y + links.radius[row, end] * sin(at)


@kernel(refcount=False)
def cut(held: Array, count: int, ax: float, ay: float, bx: float, by: float, out: Array) -> int:
    """Update `out` to the part of a polygon to the left of a line; return its corners. [Sutherland-Hodgman]"""
    found = 0
    for i in range(count):
        px, py = held[i, 0], held[i, 1]
        qx, qy = held[(i + 1) % count, 0], held[(i + 1) % count, 1]
        p = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
        q = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax)
        if p >= 0.0:
            out[found, 0], out[found, 1] = px, py
            found += 1
        if p * q < 0.0:
            part = p / (p - q)
            out[found, 0], out[found, 1] = px + part * (qx - px), py + part * (qy - py)
            found += 1
    return found


@kernel(refcount=False)
def shared_area(one: Array, other: Array, held: Array, spare: Array) -> float:
    """Return the area that two convex polygons share."""
    count = CORNERS
    for i in range(CORNERS):
        held[i, 0], held[i, 1] = one[i, 0], one[i, 1]
    for edge in range(CORNERS):
        after = (edge + 1) % CORNERS
        count = cut(held, count, other[edge, 0], other[edge, 1], other[after, 0], other[after, 1], spare)
        if count < 3:
            return 0.0
        for i in range(count):
            held[i, 0], held[i, 1] = spare[i, 0], spare[i, 1]
    area = 0.0
    for i in range(count):
        j = (i + 1) % count
        area += held[i, 0] * held[j, 1] - held[j, 0] * held[i, 1]
    return 0.5 * abs(area)


@kernel(refcount=False)
def gap_to_axis(x: float, y: float, row: int, links: LinkPool) -> float:
    """Return the distance of a point from the axis of a link."""
    angle, length = links.place[row, 2], links.length[row]
    dx, dy = x - links.place[row, 0], y - links.place[row, 1]
    s = min(max(-dx * cos(angle) - dy * sin(angle), 0.0), length)
    gx, gy = dx + s * cos(angle), dy + s * sin(angle)
    return sqrt(gx * gx + gy * gy)


@kernel(refcount=False)
def axes_cross(a: int, b: int, links: LinkPool) -> bool:
    """Return whether the axes of two links cross."""
    ca, sa, cb, sb = cos(links.place[a, 2]), sin(links.place[a, 2]), cos(links.place[b, 2]), sin(links.place[b, 2])
    turn = ca * sb - sa * cb
    if abs(turn) < 1e-12:
        return False
    dx, dy = links.place[b, 0] - links.place[a, 0], links.place[b, 1] - links.place[a, 1]
    s, t = -(dx * sb - dy * cb) / turn, -(dx * sa - dy * ca) / turn
    return 0.0 <= s <= links.length[a] and 0.0 <= t <= links.length[b]


@kernel(refcount=False)
def are_near(a: int, b: int, links: LinkPool) -> bool:
    """Return whether two links may overlap."""
    reach = max(links.radius[a, 0], links.radius[a, 1]) + max(links.radius[b, 0], links.radius[b, 1])
    for end in range(2):
        back = end * links.length[a]
        x, y = links.place[a, 0] - back * cos(links.place[a, 2]), links.place[a, 1] - back * sin(links.place[a, 2])
        if gap_to_axis(x, y, b, links) < reach:
            return True
        back = end * links.length[b]
        x, y = links.place[b, 0] - back * cos(links.place[b, 2]), links.place[b, 1] - back * sin(links.place[b, 2])
        if gap_to_axis(x, y, a, links) < reach:
            return True
    return axes_cross(a, b, links)


@kernel(refcount=False)
def overlap_of(c: int, swimmers: SwimPool, links: LinkPool, polygons: Array) -> float:
    """Return the area in which links of a swimmer overlap that share no joint. polygons: (4, MOST_CORNERS, 2) scratch."""
    first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
    total = 0.0
    for i in range(1, n):
        for j in range(i):
            a, b = first + i, first + j
            if links.parent[a] == j or links.length[a] == 0.0 or links.length[b] == 0.0 or not are_near(a, b, links):
                continue
            capsule_corners(a, links, polygons[0])
            capsule_corners(b, links, polygons[1])
            total += shared_area(polygons[0], polygons[1], polygons[2], polygons[3])
    return total
