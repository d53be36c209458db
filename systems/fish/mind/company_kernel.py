"""Swimming with others: keeping apart, and schooling. [Tu99 7.9.2] [fish 3]

Keeping apart is a part of every wish and no intention: at a distance of one length somebody is always near.
"""

from __future__ import annotations

from math import atan2
from typing import TYPE_CHECKING

from ....components.fish.eyes import NOBODY, Eye, EyeSpec, Flock
from ....components.fish.intentions import Intention
from ....components.fish.mind import Mind
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import limited
from ....engine.vector_kernel import dot, minus, plus, row_of, size, unit
from .free_way_kernel import FREE
from .heading_kernel import direction

if TYPE_CHECKING:
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....components.fish.motor import MotorPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Vector

APART = 1.2  # weight of keeping apart [fish 3]
TOGETHER = 0.9  # weight of coming together
TOGETHER_FROM, TOGETHER_FULL = 1.3, 2.8  # lengths from the middle of the neighbours
OWN_WILL = 0.15
LEVEL = 0.3  # weight against its own slope
REJOIN = 1.1  # weight of the flock beyond
REJOIN_FROM, REJOIN_FULL = 3.0, 9.0  # lengths
CATCH_UP, FALL_BACK = 0.35, 0.5  # changes of speed [fish 3]
TURN_BACK_FROM, TURN_BACK_FULL = 0.45, 0.7  # wish to rejoin at which one no longer follows its neighbours
ABOUT_TO_HIT = 0.8  # lengths ahead
LEADS = 6.0  # times as much as others counts who has orders where to go: a school follows it
SMALLEST_BOX, LARGEST_BOX = 0.25, 3.0  # of the usual box that still make a difference
MOST_APART = 2.0  # of the wish to keep apart from one

_USUAL = EyeSpec()
USUAL_BOX = (_USUAL.box_front + _USUAL.box_back) * _USUAL.box_side * _USUAL.box_height
USUAL_FORMATION = _USUAL.box_formation


@kernel()
def course_of(row: int, fishes: FishBodyPool, motors: MotorPool) -> Vector:
    """Return where a fish swims to, the beat averaged out."""
    speed = size(row_of(fishes.velocity, row))
    climb = limited(fishes.velocity[row, 2] / speed, -0.7, 0.7) if speed > 1e-6 else 0.0
    return direction(atan2(motors.heading[row, 1], motors.heading[row, 0]), climb)


@kernel()
def apart_from(offset: Vector, distance: float, wanted: float) -> Vector:
    """Return the push away from somebody at an offset: 0 at the wanted distance, more the nearer."""
    if distance >= wanted or distance < 1e-9:
        return 0.0, 0.0, 0.0
    push = min(wanted / distance - 1.0, MOST_APART) / distance
    return -push * offset[0], -push * offset[1], -push * offset[2]


@kernel()
def box_factor(c: int, eyes: EyePool, minds: MindPool) -> float:
    """Return how large the box is around one fish into which others had better not come, against the usual one: the large
    one of the timid, the small one of the bold. [Tu99 6.6.1]"""
    if minds.parameters[c, Mind.AVOID_INTENDS] != 0.0:
        return 1.0  # there the box is an intention, and no part of steering
    own = eyes.parameters[c]
    volume = (own[Eye.BOX_FRONT] + own[Eye.BOX_BACK]) * own[Eye.BOX_SIDE] * own[Eye.BOX_HEIGHT] / USUAL_BOX
    factor = volume ** (1.0 / 3.0)
    if minds.mode[c] == Intention.SCHOOL.value:
        factor *= own[Eye.BOX_FORMATION] / USUAL_FORMATION
    return limited(factor, SMALLEST_BOX, LARGEST_BOX)


@kernel()
def keep_apart(c: int, creatures: CreaturePool, fishes: FishBodyPool, eyes: EyePool, minds: MindPool,
               skipped: int) -> Vector:  # fmt: skip
    """Return the wish of one fish to keep away from all near it, but not from one it is after."""
    here, length = row_of(fishes.centre, c), fishes.length[c]
    total, box = (0.0, 0.0, 0.0), box_factor(c, eyes, minds)
    wanted = box * minds.parameters[c, Mind.SEPARATION] * length
    for k in range(eyes.neighbours.shape[1]):
        row = eyes.neighbours[c, k]
        if row == NOBODY:
            break
        if row != skipped:
            offset = minus(row_of(fishes.centre, row), here)
            total = plus(total, apart_from(offset, size(offset), wanted), 1.0)
    for k in range(eyes.others.shape[1]):
        row = eyes.others[c, k]
        if row == NOBODY:
            break
        if row == skipped or creatures.owner[row] == NOBODY:
            continue
        offset = minus(row_of(creatures.position, row), here)
        keep = 0.5 * wanted + 0.35 * box * (creatures.length[row] + length) * minds.parameters[c, Mind.SEPARATION]
        if creatures.length[row] > 0.3 * length:
            total = plus(total, apart_from(offset, size(offset), min(keep, 3.0 * wanted)), 1.0)
    return total


@kernel()
def neighbour_count(c: int, eyes: EyePool) -> int:
    """Return how many of its kind one fish sees, of those it swims with."""
    count = 0
    for k in range(eyes.neighbours.shape[1]):
        if eyes.neighbours[c, k] == NOBODY:
            break
        count += 1
    return count


@kernel()
def mean_course(c: int, fishes: FishBodyPool, motors: MotorPool, eyes: EyePool,
                minds: MindPool) -> tuple[Vector, Vector, float, int]:  # fmt: skip
    """Return the mean direction of the neighbours of one fish (not of length 1), their mean place and speed in u/s.

    One that has been told where to swim leads: it counts as several.
    """
    heading, place, speed, count, total = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0, 0.0
    for k in range(eyes.neighbours.shape[1]):
        row = int64(eyes.neighbours[c, k])
        if row == NOBODY:
            break
        weight = LEADS if minds.seen_mode[row] == Intention.CONTROL.value else 1.0
        heading = plus(heading, course_of(row, fishes, motors), weight)
        place = plus(place, row_of(fishes.centre, row), weight)
        speed += weight * size(row_of(fishes.velocity, row))
        total += weight
        count += 1
    if count == 0:
        return heading, row_of(fishes.centre, c), 0.0, 0
    share = 1.0 / total
    return plus((0.0, 0.0, 0.0), heading, share), plus((0.0, 0.0, 0.0), place, share), speed * share, count


@kernel()
def ramp(value: float, start: float, full: float) -> float:
    """Return 0 below start, 1 above full, and linearly between."""
    return limited((value - start) / (full - start), 0.0, 1.0)


@kernel()
def rejoin(c: int, here: Vector, length: float, company: int, eyes: EyePool) -> Vector:
    """Return the wish of one fish to come to more of its kind, whatever is between: the fewer are with it, the stronger."""
    if eyes.flock[c, Flock.COUNT] < 1.0:
        return 0.0, 0.0, 0.0
    offset = minus(row_of(eyes.flock, c), here)
    far = size(offset)
    share = eyes.flock[c, Flock.COUNT] / (eyes.flock[c, Flock.COUNT] + company + 1.0)
    weight = REJOIN * share * ramp(far / length, REJOIN_FROM, REJOIN_FULL)
    return plus((0.0, 0.0, 0.0), unit(offset, (0.0, 0.0, 0.0)), weight)


@kernel()
def about_to_hit(c: int, u: Vector, fishes: FishBodyPool, eyes: EyePool) -> float:
    """Return how near the next neighbour straight ahead of one fish is, 0 for far to 1 for touching."""
    here, length, worst = row_of(fishes.centre, c), fishes.length[c], 0.0
    for k in range(eyes.neighbours.shape[1]):
        row = eyes.neighbours[c, k]
        if row == NOBODY:
            break
        offset = minus(row_of(fishes.centre, row), here)
        ahead = dot(offset, u)
        aside = size(plus(offset, u, -ahead))
        if 0.0 < ahead < ABOUT_TO_HIT * length and aside < 0.3 * length:
            worst = max(worst, 1.0 - ahead / (ABOUT_TO_HIT * length))
    return worst


@kernel()
def wish_school(c: int, own_will: Vector, creatures: CreaturePool, fishes: FishBodyPool, motors: MotorPool, eyes: EyePool,
                minds: MindPool) -> tuple[Vector, float]:  # fmt: skip
    """Return direction and speed (lengths per second) of one fish that swims with its neighbours. [fish 3]"""
    here, length, scale = row_of(fishes.centre, c), fishes.length[c], fishes.length[c] * fishes.pace[c]
    forward = course_of(c, fishes, motors)
    heading, place, speed, count = mean_course(c, fishes, motors, eyes, minds)
    cruise = minds.cruise[c]
    flock = rejoin(c, here, length, count, eyes)
    pull, lag = size(flock), dot(unit(flock, (0.0, 0.0, 0.0)), forward)
    along = 1.0
    if minds.obstacle[c] != FREE:  # who leads around something turns back: else both halves circle it for ever
        along -= ramp(pull, TURN_BACK_FROM, TURN_BACK_FULL) * ramp(-lag, 0.0, 0.3)
    want = (along * heading[0], along * heading[1], 0.5 * along * heading[2])
    middle = minus(place, here)
    away = size(middle)
    box = max(box_factor(c, eyes, minds), 1.0)
    together = TOGETHER * ramp(away / length, box * TOGETHER_FROM, box * TOGETHER_FULL)
    want = plus(want, unit(middle, (0.0, 0.0, 0.0)), together)
    want = plus(want, keep_apart(c, creatures, fishes, eyes, minds, NOBODY), APART)
    want = plus(want, own_will, OWN_WILL)
    want = plus(want, flock, 1.0)
    want = (want[0], want[1], want[2] - LEVEL * forward[2])
    mean = speed / scale if count > 0 else cruise
    wanted = 0.5 * min(mean, 1.6 * cruise) + 0.5 * cruise
    ahead = dot(middle, forward) / length if count > 0 else 0.0
    behind = max(ramp(ahead, 0.5, 2.0), ramp(pull, 0.2, 0.6) if lag > 0.0 else 0.0)
    wanted *= 1.0 + CATCH_UP * behind
    wanted *= 1.0 - FALL_BACK * about_to_hit(c, forward, fishes, eyes)
    if ahead < -0.5 and count > 2:  # far in front of all others it waits for them
        wanted *= 1.0 - 0.3 * ramp(-ahead, 0.5, 2.0)
    return unit(want, forward), wanted
