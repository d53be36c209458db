"""The swimming table of a species: which beat and effort give which speed, measured with its own body. [Tu99 4.6.1] [fish 2]

Made once per process and species, and the same wherever it is made.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ....components.fish.motor import MotorPool, MotorSpec
from ....components.fish.nodes import NodePool
from ....components.fish.springs import TICK_SECONDS, FishBodyPool, SpringSpec, blueprint_of, substeps_for
from ....components.fish.topology import NODES, STATIONS
from ....components.parameters import parameter_row
from ....engine.bundle import packed
from ....engine.pool import Array
from .calibration_kernel import swim_trials
from .kind_table import TABLE_ROWS, FishKinds, blank_kinds, write_kind
from .springs_kernel import SCRATCH

SPEEDS = np.array([0.0, 0.15, 0.3, 0.5, 0.75, 1.0, 1.25, 1.5, 1.8, 2.2])
"""Lengths per second that are looked for, with the beats (Hz) and tones that go with them. [fish 2]"""
BEATS = np.array([1.6, 1.9, 2.1, 2.4, 2.7, 3.0, 3.3, 3.6, 4.2, 5.0])
TONES = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.3, 1.7, 2.0])
EFFORTS = np.array([0.2, 0.4, 0.8, 1.3])
"""Shares of the full stroke that are tried with each beat."""
WARM_UP, MEASURED = 2.0, 1.2
"""Seconds of a fish's own time: to reach a steady speed from about that speed, and over which it is measured."""
CRUISE = 4
"""Row of the table at which turning is measured: three quarters of a length per second."""
SLOWEST_GAIN = 1e-3
"""Lengths per second by which each speed of a table is above the one before."""


class Swimming(NamedTuple):
    """What trials tell of a species."""

    table: Array  # (10, 4) speed in lengths/s, beat rate, effort, tone
    wave: Array  # (10, 7, 2)
    turn_rate: float  # rad/s
    bow: Array  # (7,)


class Trials(NamedTuple):
    """What became of some trials, each with constant commands."""

    speed: Array  # lengths/s
    turn_rate: Array  # rad/s
    wave: Array  # (trials, 7, 2) lengths of sideways offset with the cosine and the sine of the beat
    bow: Array  # (trials, 7) mean sideways offset from the body's own axis, lengths


@lru_cache(maxsize=64)
def swimming_of(springs: SpringSpec, motor: MotorSpec) -> Swimming:
    """Swim a species through its trials: all beats with some efforts, then with those that should give the wanted speeds."""
    beats = BEATS * motor.beat_scale
    grid = len(EFFORTS)
    at_first = np.outer(SPEEDS[1:], np.sqrt(EFFORTS)).ravel()
    tried = swum(springs, motor, np.repeat(beats[1:], grid), np.tile(EFFORTS, TABLE_ROWS - 1), np.repeat(TONES[1:], grid),
                 speed=at_first)  # fmt: skip
    measured = tried.speed.reshape(-1, grid)
    efforts = np.zeros(TABLE_ROWS)
    for row, speeds in enumerate(measured, start=1):
        efforts[row] = np.interp(SPEEDS[row] * motor.beat_scale, np.maximum.accumulate([0.0, *speeds]), [0.0, *EFFORTS])
    final = swum(springs, motor, [*beats[1:], beats[CRUISE]], [*efforts[1:], efforts[CRUISE]], [*TONES[1:], 1.0],
                 bend=[*np.zeros(TABLE_ROWS - 1), 1.0], speed=[*SPEEDS[1:], SPEEDS[CRUISE]])  # fmt: skip
    speeds = np.maximum.accumulate([0.0, *final.speed[:-1]]) + SLOWEST_GAIN * np.arange(TABLE_ROWS)
    wave = final.wave[:-1] / np.maximum(efforts[1:], SLOWEST_GAIN)[:, None, None]
    wave = np.concatenate([wave[:1], wave])
    return Swimming(np.column_stack([speeds, beats, efforts, TONES]), wave, float(final.turn_rate[-1]), final.bow[-1])


def swum(springs: SpringSpec, motor: MotorSpec, beat: ArrayLike, effort: ArrayLike, tone: ArrayLike, bend: ArrayLike = 0.0,
         speed: ArrayLike = 0.0) -> Trials:
    """Trials with these commands and speeds at first, one fish of the usual size for each, in water without an end."""
    beat = np.asarray(beat, np.float64)
    count, length, pace = len(beat), springs.length, springs.pace
    kinds, fishes, motors, nodes = tank(springs, motor, count)
    motors.beat[:count], motors.effort[:count], motors.tone[:count], motors.bend[:count] = beat, effort, tone, bend
    nodes.velocity[: count * NODES, 0] = np.repeat(np.broadcast_to(np.asarray(speed) * length * pace, count), NODES)
    fishes.velocity[:count] = nodes.velocity[: count * NODES : NODES]
    warm_up, ticks = (ceil(seconds / pace / TICK_SECONDS) for seconds in (WARM_UP, MEASURED))
    way, turned, sums = np.zeros((count, 3)), np.zeros(count), np.zeros((count, STATIONS + 1, 4))
    swim_trials(np.arange(count, dtype=np.int32), packed(kinds), fishes, motors, nodes, warm_up, ticks,
                TICK_SECONDS, np.zeros((count, SCRATCH)), way, turned, sums)  # fmt: skip
    seconds = ticks * TICK_SECONDS * pace
    # only what swings: a course that is not quite straight ahead shifts all offsets
    swing = (sums[:, :-1, :2] - sums[:, :-1, 2:3] * sums[:, -1:, :2] / ticks) / ticks / length
    return Trials(way[:, 0] / length / seconds, turned / seconds, 2.0 * swing, sums[:, :-1, 3] / ticks / length)


def tank(springs: SpringSpec, motor: MotorSpec, count: int) -> tuple[FishKinds, FishBodyPool, MotorPool, NodePool]:
    """Pools with so many fishes at rest that look along x, in no world, and the table of their one kind."""
    blueprint, kinds = blueprint_of(springs), blank_kinds(1)
    write_kind(kinds, 0, springs, blueprint)
    fishes, motors, nodes = FishBodyPool(count), MotorPool(count), NodePool(count * NODES)
    fishes.claim(count, 1)
    motors.claim(count, 1)
    nodes.claim(count * NODES, 1)
    fishes.first_node[:count] = NODES * np.arange(count)
    fishes.length[:count], fishes.pace[:count] = springs.length, springs.pace
    fishes.substeps[:count] = substeps_for(blueprint, TICK_SECONDS)
    fishes.axes[:count] = np.eye(3)
    nodes.position[: count * NODES] = np.tile(kinds.rest[0], (count, 1))
    motors.parameters[:count] = parameter_row(motor)
    motors.stroke[:count], motors.lag[:count], motors.bend_share[:count] = motor.stroke, motor.lag, motor.bend
    motors.heading[:count, 0] = 1.0
    return kinds, fishes, motors, nodes
