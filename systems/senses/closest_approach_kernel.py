"""Where two bodies that both go on as they do come nearest to each other, and what risk that is.

With p the way from a place of the one to a place of the other and w the velocity of the one against the other (derived):
    tau = p.w / w.w,    miss = p - tau w,    risk = (1 - tau / HORIZON) (1 - |miss| / room)
where all of that is positive: 0 for what passes at a distance or later than the horizon, 1 for what touches now. Places are
the first, the middle and the last segment of each body; the greatest risk of all pairs counts. Both go by the velocity of
their centre of mass, in which the beat of a tail is averaged out.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ...components.brain_modes import GoalKind
from ...engine.column_rules import NOBODY
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.vector_kernel import dot, minus, plus, row_of, size

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Vector

PLACES = 3
"""Of a body: its first, its middle and its last segment."""

OPPOSED = -0.5
"""Cosine of the angle between two courses from which on they meet head-on: 120 degrees (docs/crowds.md)."""

HEAD_ON = 0.5
"""Share of the room: who meets head-on and misses by less than that gives way to the right (docs/crowds.md)."""

KEPT = 0.3
"""Of a turn: by so much another meeting has to be worse before the side is changed. Of two eels that cross, what the miss
says changes sides several times a second by up to 0.1 (docs/crowds.md)."""

SMALLEST = 0.4
"""Length of another, of its own: smaller ones make way. A school of them would keep a ray from ever swimming straight."""


@kernel(refcount=False)
def drift_of(c: int, bodies: BodyPool, segments: SegmentPool) -> Vector:
    """Return the velocity of the centre of mass of a body."""
    first, mass, x, y, z = int64(bodies.first_segment[c]), 0.0, 0.0, 0.0, 0.0
    for i in range(first, first + bodies.segment_count[c]):
        m = segments.mass[i]
        mass += m
        x, y, z = x + m * segments.velocity[i, 0], y + m * segments.velocity[i, 1], z + m * segments.velocity[i, 2]
    return (x / mass, y / mass, z / mass) if mass > 0.0 else (0.0, 0.0, 0.0)


@kernel(refcount=False)
def place_on(c: int, k: int, bodies: BodyPool) -> int:
    """Return the row of the segment that is the k-th place of a body."""
    return int64(bodies.first_segment[c]) + k * (int64(bodies.segment_count[c]) - 1) // (PLACES - 1)


@kernel(refcount=False)
def half_width_of(c: int, bodies: BodyPool, segments: SegmentPool) -> float:
    """Return half the width of a body at the widest of its places."""
    widest = 0.0
    for k in range(PLACES):
        widest = max(widest, segments.half_extents[place_on(c, k, bodies), 1])
    return widest


@kernel(refcount=False)
def risk_at(p: Vector, w: Vector, room: float, horizon: float) -> tuple[float, Vector]:
    """Return the risk that two places come near each other, and how they would miss.

    p: way to the other place; w: own velocity against it; room: the least miss that is no risk; horizon: seconds.
    """
    closing, square = dot(p, w), dot(w, w)
    if not 0.0 < closing < horizon * square:
        return 0.0, p
    tau = closing / square
    miss = plus(p, w, -tau)
    away = size(miss)
    if not away < room:
        return 0.0, miss
    return (1.0 - tau / horizon) * (1.0 - away / room), miss


@kernel(refcount=False)
def risk_of(c: int, row: int, drift: Vector, horizon: float, widths: float, bodies: BodyPool,
            segments: SegmentPool) -> tuple[float, float]:  # fmt: skip
    """Return the risk that a body meets another one, and the side to give way to: 1 left, -1 right.

    drift: own velocity; widths: room that both need, in sums of their half widths.
    """
    other = drift_of(row, bodies, segments)
    w, room = minus(drift, other), widths * (half_width_of(c, bodies, segments) + half_width_of(row, bodies, segments))
    worst, miss = 0.0, (0.0, 0.0, 0.0)
    for k in range(PLACES):
        here = row_of(segments.position, place_on(c, k, bodies))
        for m in range(PLACES):
            there = row_of(segments.position, place_on(row, m, bodies))
            risk, missed = risk_at(minus(there, here), w, room, horizon)
            if risk > worst:
                worst, miss = risk, missed
    if worst == 0.0:
        return 0.0, 0.0
    opposed = dot(drift, other) < OPPOSED * size(drift) * size(other)
    if opposed and size(miss) < HEAD_ON * room:
        return worst, -1.0
    return worst, -1.0 if drift[0] * miss[1] - drift[1] * miss[0] >= 0.0 else 1.0


@kernel(refcount=False)
def follows(c: int, row: int, creatures: CreaturePool) -> bool:
    """Return whether a creature has been told to follow another one."""
    return creatures.goal_kind[c] == GoalKind.FOLLOW.value and creatures.goal_row[c] == row


@kernel(refcount=False)
def gives_way_to(c: int, row: int, creatures: CreaturePool, bodies: BodyPool) -> bool:
    """Return whether a creature makes way for another: not for small ones, followers or who it follows, nor in its mouth."""
    if row == c or creatures.owner[row] == NOBODY or bodies.segment_count[row] == 0:
        return False
    if creatures.length[row] < SMALLEST * creatures.length[c] or follows(c, row, creatures) or follows(row, c, creatures):
        return False
    return bodies.bond[c] != creatures.owner[row] and bodies.bond[row] != creatures.owner[c]


@kernel(refcount=False)
def turn_for(risk: float, side: float, before: float) -> float:
    """Return how much one turns for a risk, -1 to 1, left positive: its square root, so that small ones count early.

    before: the same a moment ago. The side is kept: with every beat another may seem the better one.
    """
    turn = side * sqrt(risk)
    return -turn if turn * before < 0.0 and abs(turn) < abs(before) + KEPT else turn
