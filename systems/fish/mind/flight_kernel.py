"""How a fish flees: away from the threat and out of its way; or by the rules of the book. [Tu99 7.9.2] [fish 3]"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from ....components.fish.eyes import NOBODY
from ....components.fish.mind import Feared
from ....engine.kernel import kernel
from ....engine.number_kernel import limited, wrapped
from ....engine.vector_kernel import dot, minus, plus, row_of, size, unit
from .company_kernel import APART, course_of, keep_apart, mean_course
from .heading_kernel import turned, yaw_of

if TYPE_CHECKING:
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....components.fish.motor import MotorPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Vector

SIDEWISE, SIDEWISE_RANGE = 1.2, 3.0  # weight, and lengths within which it is full [fish 3]
WITH_OTHERS = 0.12  # weight of the neighbours' course [fish 3]
CLOSE = 3.0  # lengths of the threat [artificial-fishes F.5]
FRONT, REAR = pi / 4.0, 3.0 * pi / 4.0  # bearings [artificial-fishes F.5]
ACROSS = pi / 6.0  # a heading this near to a right angle, or to one's own [artificial-fishes F.5]
LEAST_TURN, MOST_TURN = pi / 6.0, pi / 2.0
LEFT, RIGHT = 1.0, -1.0


@kernel()
def wish_escape(c: int, creatures: CreaturePool, fishes: FishBodyPool, motors: MotorPool, eyes: EyePool,
                minds: MindPool) -> Vector:  # fmt: skip
    """Return the direction of a fish that flees from what it fears most. [fish 3]"""
    here, length = row_of(fishes.centre, c), fishes.length[c]
    forward = course_of(c, fishes, motors)
    threat = row_of(minds.feared, c)
    away = minus(here, threat)
    distance = size(away)
    away = unit(away, forward)
    course = unit((minds.feared[c, Feared.VX], minds.feared[c, Feared.VY], minds.feared[c, Feared.VZ]), (0.0, 0.0, 0.0))
    along = dot(minus(here, threat), course)
    side = minus(minus(here, threat), plus((0.0, 0.0, 0.0), course, along))
    left = turned((forward[0], forward[1], 0.0), pi / 2.0)
    sidewise = unit(side, left) if size(side) > 0.05 * length else left
    weight = SIDEWISE * min(1.0, SIDEWISE_RANGE * length / max(distance, 1e-6)) if size(course) > 0.5 else 0.0
    want = plus(away, sidewise, weight)
    want = plus(want, keep_apart(c, creatures, fishes, eyes, minds, NOBODY), APART)
    want = plus(want, mean_course(c, fishes, motors, eyes, minds)[0], WITH_OTHERS)
    return unit((want[0], want[1], limited(want[2], -0.6, 0.6)), forward)


@kernel()
def escape_rule(close: bool, bearing: float, course: float, approaching: bool) -> tuple[int, float]:
    """Return the rule that applies, 1 to 14, and the side to turn to: LEFT, RIGHT, or 0 for straight on and for about.

    bearing: of the threat, positive to the left; course: its heading relative to the fish's own. [Tu99 7.9.2]
    """
    is_left, angle = bearing > 0.0, abs(bearing)
    across = abs(abs(course) - pi / 2.0) < ACROSS
    to_left = course > 0.0  # it goes toward the left side of the fish
    if not close:
        if angle < FRONT:
            return 1, 0.0
        if angle > REAR:
            return 2, 0.0
        return (3, RIGHT) if is_left else (4, LEFT)
    if angle < FRONT:
        if across:
            return (5, RIGHT) if to_left else (6, LEFT)
        return 7, 0.0
    if angle > REAR:
        if abs(course) < ACROSS and approaching:
            return (8, RIGHT) if is_left else (9, LEFT)
        if across:
            return (10, RIGHT) if to_left else (11, LEFT)
        return 12, 0.0
    return (13, RIGHT) if is_left else (14, LEFT)


@kernel()
def rule_turn(rule: int, side: float, distance: float, near: float) -> float:
    """Return by how much a rule turns a fish: about, not at all, or 30 to 90 degrees the nearer the threat."""
    if rule == 1 or rule == 7:
        return pi
    if side == 0.0:
        return 0.0
    return side * (LEAST_TURN + (MOST_TURN - LEAST_TURN) * limited(1.0 - distance / max(near, 1e-9), 0.0, 1.0))


@kernel()
def wish_by_rules(c: int, threat_length: float, fishes: FishBodyPool, motors: MotorPool, minds: MindPool) -> Vector:
    """Return the direction of a fish that flees by the rules of the book."""
    here, forward = row_of(fishes.centre, c), course_of(c, fishes, motors)
    offset = minus(row_of(minds.feared, c), here)
    velocity = (minds.feared[c, Feared.VX], minds.feared[c, Feared.VY], minds.feared[c, Feared.VZ])
    distance, near = size(offset), CLOSE * threat_length
    bearing = wrapped(yaw_of(offset) - yaw_of(forward))
    course = wrapped(yaw_of(velocity) - yaw_of(forward))
    closing = -dot(minus(velocity, row_of(fishes.velocity, c)), offset)
    rule, side = escape_rule(distance < near, bearing, course, closing > 0.0)
    return turned(forward, rule_turn(rule, side, distance, near))
