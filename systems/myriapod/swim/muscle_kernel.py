"""From wanted speed and turn to the rest lengths of all blocks: the F-PS controller and its chain of oscillators.

phi_i: phase of block i from the head on, f: frequency, ps: phase shift, a: amplitude, s: signal of a side, b: mean bend.
"""

from __future__ import annotations

from math import cos, exp, pi, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np

from ....components.myriapod.muscles import LINE_POINTS, Drive, Line, Muscle
from ....components.myriapod.tissue import Beat, Side
from ....engine.creature import FOLLOW
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import limited

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.head_command import HeadCommandPool
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.myriapod.muscles import MusclePool
    from ....components.myriapod.tissue import TissuePool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array, Vector

TURN = 2.0 * pi
OSCILLATOR_STEPS = 4  # per tick: coupling times step stays below 0.5 at 60 ticks per second
WAVE, OSCILLATORS = 0, 1  # the options of MuscleSpec.controller, in their order
BEND, WEAKER_SIDE = 0, 1  # and of MuscleSpec.steering
# Exponent of the bend over the speed below the slowest point of the line. Measured with the 12-segment swimmer at 0.5 beats
# per second: 0.5 and 0.75 of the full bend give 0.35 and 0.67 of the speed.
SLOW_BEND = 2.0 / 3.0
# Mean bend of the tightest turn. The radius is as one over the bend, but a body bent farther loses too much thrust.
TIGHTEST_BEND = 0.75
# Share of its speed that a body would lose at a mean bend of 1; it grows with the square of the bend. Measured with the same
# animal at 0.5 to 2.8 beats per second: 0.28 at a bend of 0.6, 0.52 at 0.8.
BEND_LOSS = 0.8
CONTROLLER, ACTIVATION, STEERING = int(Muscle.CONTROLLER), int(Muscle.ACTIVATION), int(Muscle.STEERING)
SHORTEST, LONGEST = int(Muscle.SHORTEST), int(Muscle.LONGEST)
SLOWEST_BEAT, FASTEST_BEAT = int(Muscle.SLOWEST_BEAT), int(Muscle.FASTEST_BEAT)
LEAST_SHIFT, MOST_SHIFT = int(Muscle.LEAST_SHIFT), int(Muscle.MOST_SHIFT)
TURN_GAIN, WEAKEST_SIDE, TURN_TIME = int(Muscle.TURN_GAIN), int(Muscle.WEAKEST_SIDE), int(Muscle.TURN_TIME)
TURN_RADIUS, FASTEST_TURN = int(Muscle.TURN_RADIUS), int(Muscle.FASTEST_TURN)
CHANGE_TIME, RAMP_TIME, PREPARE = int(Muscle.CHANGE_TIME), int(Muscle.RAMP_TIME), int(Muscle.PREPARE)
COUPLING, AMPLITUDE_GAIN = int(Muscle.COUPLING), int(Muscle.AMPLITUDE_GAIN)


@kernel()
def is_relaxed(c: int, creatures: CreaturePool) -> bool:
    """Return whether the muscles of creature `c` are to give way.

    Those of the dead do, and those of creatures that kinematics alone lead: they would snap when the body is let go.
    """
    return creatures.dead[c] != 0 or creatures.tier[c] == FOLLOW


@kernel()
def along_line(line: Array, speed: float) -> Vector:
    """Return frequency, phase shift and amplitude of least energy for a speed. [Fang15 App. C]

    Below the slowest point of the line the body bends less; beyond the fastest it does what it does there.
    """
    speeds, frequencies, shifts = line[Line.SPEED], line[Line.FREQUENCY], line[Line.SHIFT]
    if speed <= speeds[0]:
        return frequencies[0], shifts[0], ((speed / speeds[0]) ** SLOW_BEND if speeds[0] > 0.0 else 1.0)
    for k in range(1, LINE_POINTS):
        if speed <= speeds[k]:
            t = (speed - speeds[k - 1]) / (speeds[k] - speeds[k - 1])
            f = frequencies[k - 1] + t * (frequencies[k] - frequencies[k - 1])
            return f, shifts[k - 1] + t * (shifts[k] - shifts[k - 1]), 1.0
    return frequencies[LINE_POINTS - 1], shifts[LINE_POINTS - 1], 1.0


@kernel()
def bend_for(own: Array, speed: float, yaw: float) -> tuple[float, float]:
    """Return how fast the wave must swim and the mean bend of the body, 0..1, for a speed and a yaw rate.

    A body bent to an arc swims along it, on a circle whose radius is as one over the bend. With r the tightest radius and v
    the speed along the arc, b = b_max r |yaw| / v. Where the wanted speed would ask for more than b_max the wave goes
    faster, v^2 = speed^2 + (r yaw)^2, so that without any speed the body turns about its own middle. The source weakens a
    side instead, which takes most of its thrust. [Fang15 5.4.1]
    """
    if own[STEERING] == WEAKER_SIDE:
        return abs(speed), min(own[TURN_GAIN] * abs(yaw), 1.0 - own[WEAKEST_SIDE])
    across = own[TURN_RADIUS] * min(abs(yaw), own[FASTEST_TURN])
    along = sqrt(speed * speed + across * across)
    b = TIGHTEST_BEND * across / along if along > 0.0 else 0.0
    return along / (1.0 - BEND_LOSS * b * b), b


@kernel()
def steer(c: int, bodies: BodyPool, chained: ChainSegmentPool, muscles: MusclePool, heads: HeadCommandPool,
          dt: float) -> None:  # fmt: skip
    """Move frequency, shift, amplitude and the sides' strength of creature `c` toward what its head wants. [Fang15 5.4.1]

    Behind a head that walks the rest only pushes: legs turn it, and a tail that bent with them would curl up.
    """
    own, drive, strength = muscles.parameters[c], muscles.drive, muscles.strength
    speed, yaw_rate = heads.speed[c], heads.yaw_rate[c]
    if chained.kinematic[bodies.first_segment[c]] != 0:
        yaw_rate = 0.0
    wave_speed, bend = bend_for(own, speed, yaw_rate)
    f, ps, a = along_line(muscles.line[c], wave_speed)
    f = limited(f, own[SLOWEST_BEAT], own[FASTEST_BEAT])
    ps = limited(ps, own[LEAST_SHIFT], own[MOST_SHIFT])
    share = 1.0 - exp(-dt / own[CHANGE_TIME])
    drive[c, Drive.FREQUENCY] += share * (f - drive[c, Drive.FREQUENCY])
    shift = ps if speed >= 0.0 else -ps  # a wave toward the head swims backward
    drive[c, Drive.SHIFT] += share * (shift - drive[c, Drive.SHIFT])
    drive[c, Drive.AMPLITUDE] += share * (limited(a, 0.0, 1.0) - drive[c, Drive.AMPLITUDE])
    share = 1.0 - exp(-dt / own[TURN_TIME])
    left = (yaw_rate > 0.0) == (speed >= 0.0)  # it turns toward the weaker side; tail first away from it
    strength[c, Side.LEFT] += share * ((1.0 - bend if left else 1.0) - strength[c, Side.LEFT])
    strength[c, Side.RIGHT] += share * ((1.0 if left else 1.0 - bend) - strength[c, Side.RIGHT])


@kernel()
def beat_as_wave(first: int, count: int, drive: Array, beating: bool, blocks: TissuePool, dt: float) -> None:
    """Set phases and amplitudes of all blocks to phi_i = phi_0 - i ps, with phi_0 from one clock. [Fang15 eq. 5.5]"""
    f, ps, a = drive[Drive.FREQUENCY], drive[Drive.SHIFT], drive[Drive.AMPLITUDE]
    phase, amplitude = blocks.muscle_phase, blocks.muscle_amplitude
    if beating:
        phase[first] = (phase[first] + TURN * f * dt) % TURN
    for i in range(count):
        phase[first + i] = phase[first] - i * ps
        amplitude[first + i, Beat.SIZE], amplitude[first + i, Beat.CHANGE] = a, 0.0


@kernel()
def beat_along_branches(head: int, first: int, count: int, drive: Array, beating: bool, chained: ChainSegmentPool,
                        blocks: TissuePool, dt: float) -> None:  # fmt: skip
    """The same wave in a branching body: it runs down every branch from the head."""
    beat_as_wave(first, count, drive, beating, blocks, dt)
    for i in range(first, first + count):
        row, place = int64(blocks.segment_b[i]), -1
        while row > head:
            row, place = max(row - chained.ahead[row], head), place + 1
        blocks.muscle_phase[i] = blocks.muscle_phase[first] - place * drive[Drive.SHIFT]


@kernel()
def beat_as_oscillators(first: int, count: int, drive: Array, own: Array, blocks: TissuePool, dt: float) -> None:
    """Advance phases and amplitudes of a chain of oscillators, each pulled by its two neighbours. [Ijspeert07 eq. 1]

    phi_i' = 2 pi f + sum_j r_j w sin(phi_j - phi_i - phi_ij), r'' = g (g (a - r) / 4 - r')
    """
    f, ps, a = drive[Drive.FREQUENCY], drive[Drive.SHIFT], drive[Drive.AMPLITUDE]
    coupling, gain = own[COUPLING], own[AMPLITUDE_GAIN]
    phase, amplitude = blocks.muscle_phase, blocks.muscle_amplitude
    step = dt / OSCILLATOR_STEPS
    for _ in range(OSCILLATOR_STEPS):
        before, before_r = phase[first], amplitude[first, Beat.SIZE]  # of the block ahead, before this step
        for i in range(first, first + count):
            phi, r = phase[i], amplitude[i, Beat.SIZE]
            pull = 0.0
            if i > first:
                pull += before_r * sin(before - phi - ps)
            if i < first + count - 1:
                pull += amplitude[i + 1, Beat.SIZE] * sin(phase[i + 1] - phi + ps)
            before, before_r = phi, r
            phase[i] = phi + step * (TURN * f + coupling * pull)
            amplitude[i, Beat.CHANGE] += step * gain * (0.25 * gain * (a - r) - amplitude[i, Beat.CHANGE])
            amplitude[i, Beat.SIZE] = r + step * amplitude[i, Beat.CHANGE]
    turns = TURN * np.floor(phase[first] / TURN)
    for i in range(first, first + count):
        phase[i] -= turns


@kernel()
def side_signals(phi: float, a: float, b: float, smooth: bool) -> tuple[float, float]:
    """Return the signals of the left and the right side, s_l^2 + s_r^2 = 1 (or their sum 1). [Fang15 5.4; myriapoda E-13]

    b: mean bend to the left, -1..1. It turns the point (s_l, s_r) of the unit circle toward s_r, and the wave keeps its
    amplitude until a side is as short or as long as it can be: with less amplitude a bent body has hardly any thrust.
    """
    left = 0.5 * (1.0 + a * sin(phi))
    if smooth:
        left = limited(left - 0.5 * b, 0.0, 1.0)
        return left, 1.0 - left
    s_left, s_right = sqrt(max(left, 0.0)), sqrt(max(1.0 - left, 0.0))
    angle = 0.25 * pi * b
    c, s = cos(angle), sin(angle)
    turned_left, turned_right = c * s_left - s * s_right, c * s_right + s * s_left
    if turned_left < 0.0:
        return 0.0, 1.0
    if turned_right < 0.0:
        return 1.0, 0.0
    return turned_left, turned_right


@kernel()
def swims(i: int, segments: SegmentPool, chained: ChainSegmentPool, blocks: TissuePool) -> bool:
    """Return whether the muscles of block `i` have water to push against, and an end that may give way to them."""
    a, b = blocks.segment_a[i], blocks.segment_b[i]
    free = chained.kinematic[a] == 0 or chained.kinematic[b] == 0
    return free and segments.submerged[a] != 0 and segments.submerged[b] != 0


@kernel()
def swimming_share(c: int, chains: ChainPool, segments: SegmentPool, chained: ChainSegmentPool, blocks: TissuePool) -> float:
    """Return the share of the blocks of creature `c` that swim."""
    first, count, swimming = int64(chains.first_block[c]), int64(chains.block_count[c]), 0
    for i in range(first, first + count):
        swimming += swims(i, segments, chained, blocks)
    return swimming / count


@kernel()
def led_share(c: int, bodies: BodyPool, chained: ChainSegmentPool) -> float:
    """Return the share of the segments of creature `c` that are led."""
    first, count, led = int64(bodies.first_segment[c]), int64(bodies.segment_count[c]), 0
    for i in range(first, first + count):
        led += chained.kinematic[i] != 0
    return led / count


@kernel()
def set_lengths(c: int, relaxed: bool, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, chained: ChainSegmentPool,
                blocks: TissuePool, muscles: MusclePool, dt: float) -> None:  # fmt: skip
    """Set the rest lengths of the blocks of creature `c`; blocks out of the water go back to their own shape.

    Every block goes by its own two segments, so a body that wades swims with what is in the water. The more of it its legs
    carry the less it bends, for a piece of a wave pushes to a side: a ripple first, and the whole beat when nothing is led.
    """
    own, strength = muscles.parameters[c], muscles.strength[c]
    bending = 1.0 - (1.0 - own[PREPARE]) * led_share(c, bodies, chained)
    phase, amplitude, blend, lengths = blocks.muscle_phase, blocks.muscle_amplitude, blocks.muscle_blend, blocks.lengths
    smooth = own[ACTIVATION] != 0.0
    bend, left_share, right_share = strength[Side.RIGHT] - strength[Side.LEFT], 1.0, 1.0
    if own[STEERING] == WEAKER_SIDE:
        bend, left_share, right_share = 0.0, strength[Side.LEFT], strength[Side.RIGHT]
    step = dt / own[RAMP_TIME]
    first = int64(chains.first_block[c])
    for i in range(first, first + chains.block_count[c]):
        wanted = bending if not relaxed and swims(i, segments, chained, blocks) else 0.0
        blend[i] += limited(wanted - blend[i], -step, step)
        if blend[i] == 0.0:
            lengths[i, Side.LEFT], lengths[i, Side.RIGHT] = 1.0, 1.0
            continue
        s_left, s_right = side_signals(phase[i], limited(amplitude[i, Beat.SIZE], 0.0, 1.0), bend, smooth)
        reach = own[LONGEST] - own[SHORTEST]
        lengths[i, Side.LEFT] = 1.0 + blend[i] * (own[SHORTEST] + left_share * s_left * reach - 1.0)
        lengths[i, Side.RIGHT] = 1.0 + blend[i] * (own[SHORTEST] + right_share * s_right * reach - 1.0)


@kernel()
def wet_segments(c: int, bodies: BodyPool, segments: SegmentPool) -> int:
    """Return how many segments of creature `c` are under water."""
    first, wet = int64(bodies.first_segment[c]), 0
    for i in range(first, first + bodies.segment_count[c]):
        wet += segments.submerged[i] != 0
    return wet


@kernel()
def beat(c: int, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, chained: ChainSegmentPool, blocks: TissuePool,
         muscles: MusclePool, dt: float) -> None:  # fmt: skip
    """Advance the wave along the blocks of creature `c`.

    A straight body that floats first takes the bend of the standing wave, then the wave begins to travel. In one that wades
    in or out it travels through those blocks that are wet, while they take their bend.
    """
    first, count = int64(chains.first_block[c]), int64(chains.block_count[c])
    own, drive = muscles.parameters[c], muscles.drive[c]
    share = swimming_share(c, chains, segments, chained, blocks)
    travels = 0.0 < share < 1.0 or (share == 1.0 and blocks.muscle_blend[first] == 1.0)
    if bodies.linked[c] == 0:
        head = int64(bodies.first_segment[c])
        beat_along_branches(head, first, count, drive, travels, chained, blocks, dt)
    elif own[CONTROLLER] == OSCILLATORS and travels:
        beat_as_oscillators(first, count, drive, own, blocks, dt)
    else:  # oscillators wait in the wanted pattern, too
        beat_as_wave(first, count, drive, travels, blocks, dt)


@kernel()
def contract_one(c: int, relaxed: bool, bodies: BodyPool, chains: ChainPool, segments: SegmentPool,
                 chained: ChainSegmentPool, blocks: TissuePool, muscles: MusclePool, heads: HeadCommandPool,
                 dt: float) -> None:  # fmt: skip
    """Advance the wave of creature `c` by one tick, and set the lengths of the two sides of its blocks."""
    wet = wet_segments(c, bodies, segments)
    if wet == 0 or relaxed:
        muscles.beating[c] = 0
    if chains.block_count[c] == 0:
        return
    if not relaxed and swimming_share(c, chains, segments, chained, blocks) > 0.0:
        muscles.beating[c] = 1
    if wet > 0 and not relaxed:
        steer(c, bodies, chained, muscles, heads, dt)
        beat(c, bodies, chains, segments, chained, blocks, muscles, dt)
    set_lengths(c, relaxed, bodies, chains, segments, chained, blocks, muscles, dt)
