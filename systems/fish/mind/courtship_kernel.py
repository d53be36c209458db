"""Courtship: whom to court, and looping, circling, ascending and nuzzling with the one who courts back. [Tu99 7.9.3]

Both partners have a stage of their own; who is farther in it pulls the other along. One that eats, flees or makes way in
between keeps its partner, its stage and what it has counted, and goes on from there: meanwhile the other waits.
"""

from __future__ import annotations

from math import pi, sin
from typing import TYPE_CHECKING

from ....components.fish.eyes import NOBODY, UNSEEN
from ....components.fish.intentions import About, Habit, Intention, Stage
from ....components.fish.mind import Course
from ....engine.kernel import kernel
from ....engine.vector_kernel import minus, plus, row_of, size
from .chase_kernel import chase
from .heading_kernel import yaw_of

if TYPE_CHECKING:
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....components.fish.motor import MotorPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Vector

LOOPS, TURNS, TOUCHES = 6.0, 3.0, 3.0  # that end the stages [artificial-fishes F.7]
LOOP_AHEAD, LOOP_ABOVE, LOOP_HIGH = 0.6, 0.2, 0.4  # lengths of her; height and swing of the point he goes for
LOOP_PERIOD, LOOP_REACH = 100.0 / 30.0, 0.4  # s, lengths
ASCENT, LONGEST_ASCENT = 2.0, 6.0  # lengths, s: five lengths do not fit into a pool [fish 3]
TOUCH_REACH, RETREAT, WAIT = 0.22, 40.0 / 60.0, 20.0 / 30.0  # lengths, s [fish 3] [artificial-fishes F.7]
RIVAL_PATIENCE = 10.0  # s of looping before one who courts another [artificial-fishes F.7]
FOLLOW_PATIENCE = 20.0  # s of following one who does not court at all
ABSENCE = 20.0  # s after which a courtship that one of both has left is over
LONGEST_STAGE = 60.0  # s; a courtship that does not get on ends
COURT_SPEED, CIRCLE_SPEED, ASCENT_SPEED = 1.1, 0.75, 0.9  # lengths per second
FOLLOW_DISTANCE = 1.0  # lengths
SIZE_COUNTS = 0.4  # of a male's size in the choice of a female [artificial-fishes F.7]


@kernel()
def is_female(c: int, minds: MindPool) -> bool:
    """Return whether a fish is female."""
    return minds.habits[c] & Habit.FEMALE.value != 0


@kernel()
def charm(c: int, row: int, creatures: CreaturePool, fishes: FishBodyPool, minds: MindPool, sight: float) -> float:
    """Return how desirable another is: to a female the larger, to a male the nearer. [Tu99 7.9.3]"""
    same = 0.6 if creatures.kind[row] == creatures.kind[c] else 0.0
    if is_female(c, minds):
        return same + SIZE_COUNTS * min(1.0, 0.5 * creatures.length[row] / creatures.length[c])
    d = size(minus(row_of(fishes.centre, row), row_of(fishes.centre, c)))
    return same + SIZE_COUNTS * max(1.0 - d / sight, 0.0)


@kernel()
def is_taken(c: int, row: int, minds: MindPool) -> bool:
    """Return whether another courts somebody else."""
    other = minds.seen_partner[row]
    return minds.seen_mode[row] == Intention.MATE.value and other != NOBODY and other != c


@kernel()
def choose_partner(c: int, creatures: CreaturePool, fishes: FishBodyPool, eyes: EyePool, minds: MindPool,
                   sight: float) -> None:  # fmt: skip
    """Update whom one fish courts. Before circling a female may change her mind for a larger male."""
    partner = minds.partner[c]
    if partner != NOBODY:
        if creatures.owner[partner] != minds.partner_serial[c] or creatures.dead[partner] != 0:
            part(c, minds)
            partner = NOBODY
        elif minds.stage[c] >= Stage.CIRCLING.value or not is_female(c, minds):
            return
    best, most = NOBODY, 0.0
    for k in range(eyes.mates.shape[1]):
        row = eyes.mates[c, k]
        if row == NOBODY:
            break
        wooed = is_taken(c, row, minds)
        if wooed and (is_female(c, minds) or minds.seen_stage[row] >= Stage.CIRCLING.value):
            continue
        value = charm(c, row, creatures, fishes, minds, sight)
        if value > most:
            best, most = row, value
    if best == NOBODY or best == partner:
        return
    if partner != NOBODY and most < 1.1 * charm(c, partner, creatures, fishes, minds, sight):
        return
    minds.partner[c], minds.partner_serial[c], minds.waited[c] = best, creatures.owner[best], 0.0
    minds.stage[c], minds.count[c], minds.clock[c], minds.retreat[c] = Stage.FOLLOWING.value, 0.0, 0.0, 0.0


@kernel()
def part(c: int, minds: MindPool) -> None:
    """Update one fish to be alone again."""
    minds.partner[c], minds.partner_serial[c], minds.waited[c] = NOBODY, 0, 0.0
    minds.stage[c], minds.count[c], minds.clock[c], minds.retreat[c] = Stage.ALONE.value, 0.0, 0.0, 0.0


@kernel()
def give_up(c: int, fishes: FishBodyPool, minds: MindPool) -> None:
    """Update one fish that was not chosen: it turns away and has had enough for a while."""
    away = minus(row_of(fishes.centre, c), row_of(fishes.centre, minds.partner[c]))
    part(c, minds)
    minds.vigour[c, Intention.MATE.value] = 0.1
    minds.course[c, Course.YAW], minds.course[c, Course.PITCH], minds.course_left[c] = yaw_of(away), 0.0, 4.0
    minds.mode[c], minds.since[c] = Intention.WANDER.value, 0.0


@kernel()
def enter(c: int, stage: int, minds: MindPool) -> None:
    """Update the stage of one fish's courtship."""
    minds.stage[c], minds.count[c], minds.clock[c], minds.retreat[c] = stage, 0.0, 0.0, 0.0


@kernel()
def is_loved(c: int, minds: MindPool) -> bool:
    """Return whether the partner of one fish has chosen it, too, whatever it does at the moment."""
    partner = minds.partner[c]
    return minds.seen_partner[partner] == c and minds.seen_stage[partner] != Stage.ALONE.value


@kernel()
def is_attended(c: int, minds: MindPool) -> bool:
    """Return whether the partner of one fish courts it at the moment."""
    return is_loved(c, minds) and minds.seen_mode[minds.partner[c]] == Intention.MATE.value


@kernel()
def is_paired(c: int, minds: MindPool) -> bool:
    """Return whether one fish dances with one that dances with it: they touch without pressing each other away."""
    return minds.stage[c] >= Stage.LOOPING.value and minds.partner[c] != NOBODY and is_attended(c, minds)


@kernel()
def stay_away(c: int, minds: MindPool, dt: float) -> None:
    """Update the courtship of one fish that does something else: it is over after a while. [Tu99 7.7.1]"""
    if minds.partner[c] == NOBODY:
        return
    minds.waited[c] += dt
    if minds.waited[c] > ABSENCE or minds.stage[c] == Stage.FOLLOWING.value:
        part(c, minds)


@kernel()
def advance_stage(c: int, z: float, top: float, fishes: FishBodyPool, motors: MotorPool, minds: MindPool, dt: float) -> None:
    """Update how far the courtship of one fish has come; see the exits in the table of the book. [Tu99 7.9.3]"""
    partner = minds.partner[c]
    if minds.stage[c] == Stage.DONE.value:
        return
    if is_attended(c, minds):
        minds.waited[c] = 0.0
    else:
        minds.waited[c] += dt
    if not is_loved(c, minds):
        woo_in_vain(c, fishes, minds, dt)
        return
    if minds.waited[c] > 0.0:  # what it has counted stays
        if minds.waited[c] > ABSENCE:
            give_up(c, fishes, minds)
        return
    minds.clock[c] += dt
    stage = minds.stage[c]
    if stage < Stage.LOOPING.value:
        enter(c, Stage.LOOPING.value, minds)
    elif minds.seen_stage[partner] > stage:
        enter(c, minds.seen_stage[partner], minds)
        if minds.stage[c] == Stage.ASCENDING.value:
            minds.count[c] = z
    elif minds.clock[c] > LONGEST_STAGE:
        give_up(c, fishes, minds)
    elif is_female(c, minds):
        advance_female(c, z, top, fishes, motors, minds, dt)
    elif stage == Stage.LOOPING.value and minds.count[c] >= LOOPS:
        enter(c, Stage.CIRCLING.value, minds)
    elif stage == Stage.NUZZLING.value and minds.count[c] >= TOUCHES:
        enter(c, Stage.DONE.value, minds)


@kernel()
def woo_in_vain(c: int, fishes: FishBodyPool, minds: MindPool, dt: float) -> None:
    """Update the courtship of one fish whose partner has not chosen it: a male loops before one that has a rival."""
    partner = minds.partner[c]
    rival = is_taken(c, partner, minds)
    minds.clock[c] += dt
    if rival and not is_female(c, minds):
        if minds.stage[c] != Stage.LOOPING.value:
            enter(c, Stage.LOOPING.value, minds)
        if minds.clock[c] > RIVAL_PATIENCE:
            give_up(c, fishes, minds)
    elif rival or minds.waited[c] > FOLLOW_PATIENCE:
        give_up(c, fishes, minds)
    elif minds.stage[c] != Stage.FOLLOWING.value and minds.waited[c] > WAIT:
        enter(c, Stage.FOLLOWING.value, minds)


@kernel()
def advance_female(c: int, z: float, top: float, fishes: FishBodyPool, motors: MotorPool, minds: MindPool,
                   dt: float) -> None:  # fmt: skip
    """Update the stages that a female ends: so many turns, and the ascent."""
    stage = minds.stage[c]
    if stage == Stage.CIRCLING.value:
        minds.count[c] += motors.yaw_rate[c] * fishes.pace[c] * dt / (2.0 * pi)
        if abs(minds.count[c]) >= TURNS:
            enter(c, Stage.ASCENDING.value, minds)
            minds.count[c] = z
    elif stage == Stage.ASCENDING.value:
        risen = z - minds.count[c] > ASCENT * fishes.length[c] or z > top - 0.15 * fishes.length[c]
        if risen or minds.clock[c] > LONGEST_ASCENT:
            enter(c, Stage.NUZZLING.value, minds)


@kernel()
def loop_point(row: int, clock: float, fishes: FishBodyPool) -> Vector:
    """Return the point before her head that a male goes for: it rises and falls."""
    length = fishes.length[row]
    high = (LOOP_ABOVE + LOOP_HIGH * sin(2.0 * pi * clock / LOOP_PERIOD)) * length
    p = plus(row_of(fishes.mouth, row), row_of(fishes.axes[row], 0), LOOP_AHEAD * length)
    return p[0], p[1], p[2] + high


@kernel()
def belly_of(row: int, fishes: FishBodyPool) -> Vector:
    """Return a point under the middle of a fish."""
    p = row_of(fishes.centre, row)
    return p[0], p[1], p[2] - 0.5 * fishes.height[row]


@kernel()
def hover(c: int, fishes: FishBodyPool, motors: MotorPool, bob: float) -> tuple[Vector, float]:
    """Return direction and speed of a fish that stays where it is, its head going up and down."""
    ahead = (motors.heading[c, 0], motors.heading[c, 1], bob)
    if size(row_of(fishes.velocity, c)) > 0.15 * fishes.length[c] * fishes.pace[c]:
        motors.brake[c] = 1
    return ahead, 0.0


@kernel()
def wish_male(c: int, fishes: FishBodyPool, motors: MotorPool, minds: MindPool, dt: float) -> tuple[Vector, float]:
    """Return direction and speed of a courting male, and count what he has done."""
    her, length, stage = minds.partner[c], fishes.length[c], minds.stage[c]
    mouth, axis = row_of(fishes.mouth, c), row_of(fishes.axes[c], 0)
    scale = length * fishes.pace[c]
    velocity = row_of(fishes.velocity, her)
    minds.retreat[c] = max(minds.retreat[c] - dt, 0.0)
    if stage == Stage.LOOPING.value:
        p = loop_point(her, minds.clock[c], fishes)
        if size(minus(p, mouth)) < LOOP_REACH * fishes.length[her] and minds.retreat[c] == 0.0:
            minds.count[c] += 1.0
            minds.retreat[c] = 0.5 * LOOP_PERIOD
        return chase(mouth, axis, p, velocity, length, COURT_SPEED, scale, 0.3)
    if stage == Stage.CIRCLING.value:
        tail = plus(row_of(fishes.centre, her), row_of(fishes.axes[her], 0), -0.5 * fishes.length[her])
        ahead, _ = chase(mouth, axis, tail, velocity, length, CIRCLE_SPEED, scale, 0.0)
        return ahead, CIRCLE_SPEED
    if stage == Stage.ASCENDING.value:
        return chase(mouth, axis, belly_of(her, fishes), velocity, length, ASCENT_SPEED, scale, 0.3)
    if stage == Stage.NUZZLING.value:
        p = belly_of(her, fishes)
        if minds.retreat[c] > 0.0:
            if minds.retreat[c] > WAIT:
                motors.backward[c] = 1.0
            return hover(c, fishes, motors, 0.0)
        if size(minus(p, mouth)) < TOUCH_REACH * max(fishes.length[her], length):
            minds.count[c] += 1.0
            minds.retreat[c] = RETREAT + WAIT
        ahead, speed = chase(mouth, axis, p, velocity, length, COURT_SPEED, scale, 0.2)
        return ahead, min(speed, 0.7)
    return follow(c, her, fishes)


@kernel()
def wish_female(c: int, fishes: FishBodyPool, motors: MotorPool, minds: MindPool) -> tuple[Vector, float]:
    """Return direction and speed of a courting female."""
    him, length, stage = minds.partner[c], fishes.length[c], minds.stage[c]
    mouth, axis = row_of(fishes.mouth, c), row_of(fishes.axes[c], 0)
    if stage == Stage.LOOPING.value:
        return hover(c, fishes, motors, 0.3 * sin(2.0 * pi * minds.clock[c] / LOOP_PERIOD))
    if stage == Stage.CIRCLING.value:
        tail = plus(row_of(fishes.centre, him), row_of(fishes.axes[him], 0), -0.5 * fishes.length[him])
        ahead, _ = chase(mouth, axis, tail, row_of(fishes.velocity, him), length, CIRCLE_SPEED, length * fishes.pace[c], 0.0)
        return ahead, CIRCLE_SPEED
    if stage == Stage.ASCENDING.value:
        return (motors.heading[c, 0], motors.heading[c, 1], 1.0), ASCENT_SPEED
    if stage == Stage.NUZZLING.value:
        return hover(c, fishes, motors, 0.0)
    return follow(c, him, fishes)


@kernel()
def follow(c: int, other: int, fishes: FishBodyPool) -> tuple[Vector, float]:
    """Return direction and speed of a fish that follows another."""
    mouth, axis, length = row_of(fishes.mouth, c), row_of(fishes.axes[c], 0), fishes.length[c]
    p = row_of(fishes.centre, other)
    ahead, speed = chase(mouth, axis, p, row_of(fishes.velocity, other), length, COURT_SPEED, length * fishes.pace[c], 0.3)
    near = size(minus(p, mouth)) < FOLLOW_DISTANCE * length
    return ahead, 0.2 if near else speed


@kernel()
def wish_mate(c: int, top: float, creatures: CreaturePool, fishes: FishBodyPool, motors: MotorPool, eyes: EyePool,
              minds: MindPool, sight: float, dt: float) -> tuple[bool, tuple[Vector, float]]:  # fmt: skip
    """Return whether one fish has somebody to court, and if so direction and speed."""
    choose_partner(c, creatures, fishes, eyes, minds, sight)
    if minds.partner[c] != NOBODY:
        advance_stage(c, fishes.centre[c, 2], top, fishes, motors, minds, dt)
    partner = minds.partner[c]
    if partner == NOBODY or minds.stage[c] == Stage.DONE.value:
        return False, ((0.0, 0.0, 0.0), 0.0)
    minds.about[c], minds.target[c], minds.target_serial[c] = About.CREATURE.value, partner, minds.partner_serial[c]
    if is_loved(c, minds) and minds.waited[c] > 0.0:
        return True, follow(c, partner, fishes)
    if is_female(c, minds):
        return True, wish_female(c, fishes, motors, minds)
    return True, wish_male(c, fishes, motors, minds, dt)


@kernel()
def mate_distance(c: int, fishes: FishBodyPool, eyes: EyePool) -> float:
    """Return how near the nearest mate in sight is."""
    row = eyes.mates[c, 0]
    return UNSEEN if row == NOBODY else size(minus(row_of(fishes.centre, row), row_of(fishes.centre, c)))
