"""From a wish to muscles and fins: closed loops for heading, climb and roll, and the beat that goes with a speed. [fish 2]

Legend: gamma are the angles of the pectoral fins, pi/2 is neutral; rates are per second of a fish's own time.
"""

from __future__ import annotations

from math import asin, atan2, cos, exp, pi, sin, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.fish.motor import Controller, Motor
from ....components.fish.topology import MUSCLE_SEGMENTS
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import TWO_PI, clamp, wrapped
from .kind_table import Swim

if TYPE_CHECKING:
    from ....components.fish.motor import MotorPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array, Four, Vector
    from .kind_table import FishKinds

TINY = 1e-9
EFFORT_RATE, BEAT_RATE, TONE_RATE = 3.0, 10.0, 8.0  # per second of a fish's own time [fish 2]
BEND_RATE, REFLEX_RATE = 4.0, 10.0  # [fish 2]
PITCH_GAIN, PITCH_DAMPING = 3.0, 0.2  # [fish 2]
ROLL_GAIN, ROLL_DAMPING = 1.5, 1.0  # at little speed; the study's 0.6 and 0.12 let it swing for ten seconds
EASY_SPEED = 0.5  # lengths/s, above which fins do more than is needed to keep the balance and are turned less for it
WIDEST_FIN = pi / 4  # rad
SHARP_TURN, TURN_SPEED = 1.2, 0.9  # rad, lengths/s: it slows down while it has farther to turn [fish 2]
BEHIND = 2.8  # rad; beyond it the side of a turn is kept, because either one is as good
STRAIGHT = 2.0  # rad; below it any side may be chosen again
MOST_SHORTENING = 0.55  # of a muscle [fish 2]
DRY = 0.2  # share under water below which it flops
GLIDE_EFFORT = 0.08  # below it the muscles are at ease
TURN_BEND, CLIMB_ANGLE, ROLL_ANGLE = 0.35, 0.25, 0.3  # from which a turn, a climb or balancing counts as what it does most
SLACK_BEND = 0.05  # smaller bends are not made: they would scull it along at half a length per second
SPEED_GAIN = 1.0  # how much more speed it asks of its muscles for each that it lacks: from rest it would take four seconds
TRIM_RATE, MOST_TRIM = 0.4, 0.5  # per second; lengths/s: what it learns of how its speed differs from the table's
STILL = 0.1  # lengths/s ahead, above which who wants to go backward brakes first
FIN_BEAT = 1.5  # Hz at which pectoral fins beat at ease [look]


@kernel(refcount=False)
def toward(value: float, goal: float, step: float) -> float:
    """Return the value, nearer to the goal by at most the step."""
    return value + min(max(goal - value, -step), step)


@kernel(refcount=False)
def swim_setting(table: Array, speed: float) -> Vector:
    """Return beat rate, effort and tone for a speed, from the species' table."""
    last = table.shape[0] - 1
    if speed <= table[0, Swim.SPEED]:
        return table[0, Swim.BEAT], table[0, Swim.EFFORT], table[0, Swim.TONE]
    for i in range(last):
        if speed <= table[i + 1, Swim.SPEED]:
            width = table[i + 1, Swim.SPEED] - table[i, Swim.SPEED]
            t = (speed - table[i, Swim.SPEED]) / width if width > 0.0 else 1.0
            return (
                table[i, Swim.BEAT] + t * (table[i + 1, Swim.BEAT] - table[i, Swim.BEAT]),
                table[i, Swim.EFFORT] + t * (table[i + 1, Swim.EFFORT] - table[i, Swim.EFFORT]),
                table[i, Swim.TONE] + t * (table[i + 1, Swim.TONE] - table[i, Swim.TONE]),
            )
    return table[last, Swim.BEAT], table[last, Swim.EFFORT], table[last, Swim.TONE]


@kernel(refcount=False)
def ahead_speed(c: int, fishes: FishBodyPool) -> float:
    """Return how fast a fish goes along its own axis through the water, in lengths per second of its own time."""
    along = 0.0
    for axis in range(3):
        along += (fishes.velocity[c, axis] - fishes.stream[c, axis]) * fishes.axes[c, 0, axis]
    return along / (fishes.length[c] * fishes.pace[c])


@kernel(refcount=False)
def asked_speed(c: int, speed: float, fishes: FishBodyPool, motors: MotorPool, own_dt: float) -> float:
    """Update the trim; return the speed to look up in the table: more than the wanted one for a fish that is too slow."""
    if speed <= 0.0:
        motors.trim[c] = 0.0
        return 0.0
    top = motors.parameters[c, Motor.TOP_SPEED]
    short = speed - ahead_speed(c, fishes)
    asked = speed + SPEED_GAIN * short + motors.trim[c]
    if 0.0 < asked < top and abs(short) < 0.5 * speed:  # what it cannot do, or has yet to do, teaches it nothing
        motors.trim[c] = clamp(motors.trim[c] + TRIM_RATE * own_dt * short, MOST_TRIM)
    return min(max(asked, 0.0), top)


@kernel(refcount=False)
def bend_toward(c: int, want: float, motors: MotorPool) -> tuple[float, float]:
    """Return the bend that turns the mean heading to the wanted one, and how far that is."""
    p = motors.parameters[c]
    error = wrapped(want - atan2(motors.heading[c, 1], motors.heading[c, 0]))
    if abs(error) > BEHIND:  # straight behind: the side is chosen once
        if motors.side[c] == 0:
            motors.side[c] = 1 if error > 0.0 else -1
    elif abs(error) < STRAIGHT:
        motors.side[c] = 0
    if motors.side[c] != 0 and error * motors.side[c] < 0.0:
        error += TWO_PI * motors.side[c]
    bend = p[Motor.TURN_GAIN] * error - p[Motor.TURN_DAMPING] * motors.yaw_rate[c]
    bend -= clamp(bend, SLACK_BEND)
    return clamp(bend, 1.0), abs(error)


@kernel(refcount=False)
def feel_angles(c: int, fishes: FishBodyPool, motors: MotorPool, own_dt: float) -> Four:
    """Update mean heading and yaw rate; return pitch and roll with their rates. Rates are per second of its own time."""
    axes, p = fishes.axes, motors.parameters[c]
    yaw = atan2(axes[c, 0, 1], axes[c, 0, 0])
    pitch, roll = asin(clamp(axes[c, 0, 2], 1.0)), asin(clamp(axes[c, 1, 2], 1.0))
    if axes[c, 2, 2] < 0.0:  # on its back: the angle grows on
        roll = (pi if roll >= 0.0 else -pi) - roll
    before = motors.angles[c]
    yaw_rate = wrapped(yaw - before[0]) / own_dt
    pitch_rate, roll_rate = (pitch - before[1]) / own_dt, wrapped(roll - before[2]) / own_dt
    before[0], before[1], before[2] = yaw, pitch, roll
    keep = exp(-own_dt / p[Motor.HEADING_TIME])
    x = keep * motors.heading[c, 0] + (1.0 - keep) * cos(yaw)
    y = keep * motors.heading[c, 1] + (1.0 - keep) * sin(yaw)
    motors.heading[c, 0], motors.heading[c, 1] = x, y
    motors.yaw_rate[c] = clamp(keep * motors.yaw_rate[c] + (1.0 - keep) * yaw_rate, 100.0)
    return pitch, roll, clamp(pitch_rate, 100.0), clamp(roll_rate, 100.0)


@kernel(refcount=False)
def set_fins(c: int, climb: float, bend: float, pitch: float, roll: float, pitch_rate: float, roll_rate: float,
             fishes: FishBodyPool, motors: MotorPool) -> None:  # fmt: skip
    """Update the angles of the pectoral fins: both lift or lower the head, their difference rolls. [Tu99 4.6.2]"""
    p = motors.parameters[c]
    lift = clamp(PITCH_GAIN * (climb - pitch) - PITCH_DAMPING * pitch_rate, WIDEST_FIN)
    ahead, row = ahead_speed(c, fishes), p[Motor.ROWING_SPEED]
    ease = min((EASY_SPEED * EASY_SPEED + row * row) / (ahead * ahead + row * row + TINY), 1.0)
    tilt = clamp(ease * (ROLL_GAIN * (-p[Motor.BANK] * bend - roll) - ROLL_DAMPING * roll_rate), WIDEST_FIN)
    motors.gamma[c, 0] = pi / 2 + clamp(lift + tilt, WIDEST_FIN)
    motors.gamma[c, 1] = pi / 2 + clamp(lift - tilt, WIDEST_FIN)
    if motors.brake[c] != 0 or (motors.backward[c] > 0.0 and ahead > STILL):
        motors.gamma[c, 0] = motors.gamma[c, 1] = pi


@kernel(refcount=False)
def name_controller(c: int, climb: float, roll: float, motors: MotorPool) -> None:
    """Update which controller does most at the moment."""
    if motors.backward[c] > 0.0:
        motors.controller[c] = Controller.BACKWARD.value
    elif motors.brake[c] != 0:
        motors.controller[c] = Controller.BRAKE.value
    elif abs(motors.bend[c]) > TURN_BEND:
        motors.controller[c] = Controller.TURN_LEFT.value if motors.bend[c] > 0.0 else Controller.TURN_RIGHT.value
    elif abs(climb) > CLIMB_ANGLE:
        motors.controller[c] = Controller.ASCEND.value if climb > 0.0 else Controller.DESCEND.value
    elif abs(roll) > ROLL_ANGLE and motors.effort[c] < GLIDE_EFFORT:
        motors.controller[c] = Controller.BALANCE.value
    else:
        motors.controller[c] = Controller.GLIDE.value if motors.effort[c] < GLIDE_EFFORT else Controller.SWIM.value


@kernel(refcount=False)
def beat_muscles(c: int, fishes: FishBodyPool, motors: MotorPool) -> None:
    """Update how far the muscles are contracted: the beat, and the bend on top of it. [Tu99 4.6.1] [fish 2]"""
    for segment in range(MUSCLE_SEGMENTS):
        phase = motors.phase[c] - motors.lag[c, segment]
        stroke, bend = motors.effort[c] * motors.stroke[c, segment], motors.bend_share[c, segment] * motors.bend[c]
        left = stroke * 0.5 * (1.0 - cos(phase)) + max(bend, 0.0)
        right = stroke * 0.5 * (1.0 + cos(phase)) + max(-bend, 0.0)
        for k in range(2):
            fishes.contraction[c, 4 * segment + k] = 1.0 - min(MOST_SHORTENING, left)
            fishes.contraction[c, 4 * segment + 2 + k] = 1.0 - min(MOST_SHORTENING, right)


@kernel(refcount=False)
def steer_one(c: int, kind: int, dead: int, kinds: FishKinds, fishes: FishBodyPool, motors: MotorPool, dt: float) -> None:
    """Update beat, bend and fins of one fish for the next tick."""
    own_dt = dt * fishes.pace[c]
    for i in range(fishes.contraction.shape[1]):
        fishes.contraction_before[c, i] = fishes.contraction[c, i]
    pitch, roll, pitch_rate, roll_rate = feel_angles(c, fishes, motors, own_dt)
    p, wish = motors.parameters[c], motors.wish[c]
    beat, effort, tone, bend, climb = kinds.table[kind, 0, 1], 0.0, 1.0, 0.0, 0.0
    if dead != 0:
        motors.brake[c], motors.backward[c], motors.reflex[c] = 0, 0.0, 0
    elif fishes.wet[c] < DRY:  # it flops from side to side
        swing = sin(TWO_PI * p[Motor.FLOP_RATE] * fishes.air_seconds[c] * fishes.pace[c])
        bend = 1.0 if swing > 0.0 else -1.0
    else:
        level = sqrt(wish[0] * wish[0] + wish[1] * wish[1])
        speed = min(motors.wish_speed[c], p[Motor.TOP_SPEED])
        if level > 1e-6:
            bend, error = bend_toward(c, atan2(wish[1], wish[0]), motors)
            if error > SHARP_TURN:
                speed = min(speed, TURN_SPEED)
        if level > 1e-6 or abs(wish[2]) > 1e-6:
            climb = clamp(atan2(wish[2], level), p[Motor.STEEPEST])
        if motors.backward[c] == 0.0 and motors.brake[c] == 0:
            asked = asked_speed(c, speed, fishes, motors, own_dt)
            beat, effort, tone = swim_setting(kinds.table[kind], asked)
    rate = REFLEX_RATE if motors.reflex[c] != 0 or fishes.wet[c] < DRY else BEND_RATE
    motors.bend[c] = toward(motors.bend[c], bend, rate * own_dt)
    motors.effort[c] = toward(motors.effort[c], effort, EFFORT_RATE * own_dt)
    motors.beat[c] = toward(motors.beat[c], beat, BEAT_RATE * own_dt)
    motors.tone[c] = toward(motors.tone[c], tone, TONE_RATE * own_dt)
    motors.phase[c] = (motors.phase[c] + TWO_PI * motors.beat[c] * own_dt) % TWO_PI
    flutter = FIN_BEAT * (1.0 + abs(motors.gamma[c, 0] - pi / 2) + abs(motors.gamma[c, 1] - pi / 2))
    motors.fin_phase[c] = (motors.fin_phase[c] + TWO_PI * flutter * own_dt * (0.0 if dead != 0 else 1.0)) % TWO_PI
    set_fins(c, climb, motors.bend[c], pitch, roll, pitch_rate, roll_rate, fishes, motors)
    name_controller(c, climb, roll, motors)
    beat_muscles(c, fishes, motors)


@kernel(parallel=True)
def steer(rows: Array, creatures: CreaturePool, kinds: FishKinds, fishes: FishBodyPool, motors: MotorPool,
          dt: float) -> None:  # fmt: skip
    """Update the muscles and fins of the listed fishes from what is wanted of them."""
    for r in prange(rows.size):
        c = int64(rows[r])
        steer_one(c, int64(creatures.kind[c]), creatures.dead[c], kinds, fishes, motors, dt)
