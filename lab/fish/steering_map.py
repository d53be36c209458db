"""The steering map of a species: how deep and how long to bend for a turn by a given angle, measured. [Tu99 4.6.1]

A turn-MC of the source bends fast, then lets go slowly, which leaves the new heading as it is. Pilots steer in closed loop
and do not need the map; it is for animals that are driven by controllers alone, and for checks.

Example::

    steering = steering_of(springs, motor)
    steering.plan(radians(135))        # two bends: [(1.0, 0.38), (1.0, 0.38)]
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, pi
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...components.fish.motor import Motor, MotorSpec
from ...components.fish.springs import TICK_SECONDS, SpringSpec
from ...components.fish.topology import NODES, STATIONS
from ...engine.bundle import packed
from ...engine.pool import Array
from ...systems.fish.body.calibration import CRUISE, SPEEDS, tank
from ...systems.fish.body.calibration_kernel import swim_trials
from ...systems.fish.body.springs_kernel import SCRATCH

BEND_RATE, RELEASE_RATE = 10.0, 1.0
"""Per second of its own time: fast in, slowly out. [fish 2]"""
SHORT_HOLD, LONG_HOLD = 0.35, 1.05
"""Seconds that a bend is held: all turns up to the sharpest bend, and the longest of those beyond."""
TRIED = np.concatenate([np.linspace(0.2, 1.0, 9), np.linspace(1.1, 2.0, 10)])
"""Settings q: up to 1 the depth of a bend held shortly, beyond it the whole bend, held longer."""
REST = 0.5
"""Seconds after the release until its heading is read."""
WIDEST = 0.5 * pi
"""Of one bend; larger turns are sequences. [Tu99 4.6.1]"""


class Turns(NamedTuple):
    """Headings of some turns, radians to the left: when the bend is let go, and at the end."""

    bent: Array
    after: Array


class Steering(NamedTuple):
    """A steering map: settings with the angles they turn by."""

    setting: Array
    angle: Array

    def plan(self, angle: float) -> list[tuple[float, float]]:
        """Bends (depth, seconds held) for an angle in radians; positive ones are to the left."""
        parts = max(ceil(abs(angle) / WIDEST - 1e-9), 1)
        q = float(np.interp(abs(angle) / parts, [0.0, *self.angle], [0.0, *self.setting]))
        depth, held = depth_and_hold(q)
        return [(float(np.copysign(depth, angle)), float(held))] * parts


def depth_and_hold(setting: ArrayLike) -> tuple[Array, Array]:
    """Depth of the bend and seconds that it is held."""
    q = np.asarray(setting, np.float64)
    return np.minimum(q, 1.0), SHORT_HOLD + np.maximum(q - 1.0, 0.0) * (LONG_HOLD - SHORT_HOLD)


@lru_cache(maxsize=64)
def steering_of(springs: SpringSpec, motor: MotorSpec) -> Steering:
    """The map of a species at its cruising speed."""
    depth, hold = depth_and_hold(TRIED)
    turns = fast_turns(springs, motor, depth, hold)
    angle = np.maximum.accumulate(turns.after)
    rising = np.concatenate([[True], np.diff(angle) > 0.0])
    return Steering(TRIED[rising], angle[rising])


def fast_turns(springs: SpringSpec, motor: MotorSpec, depth: ArrayLike, hold: ArrayLike,
               speed: float = float(SPEEDS[CRUISE])) -> Turns:  # fmt: skip
    """Turn fishes that glide along x at a speed (lengths per second of their own time), one for each bend."""
    depth, hold = np.broadcast_arrays(np.asarray(depth, np.float64), np.asarray(hold, np.float64))
    count, own_tick = len(depth), TICK_SECONDS * springs.pace
    kinds, fishes, motors, nodes = tank(springs, motor, count)
    nodes.velocity[: count * NODES, 0] = fishes.velocity[:count, 0] = speed * springs.length * springs.pace
    rows, scratch, table = np.arange(count, dtype=np.int32), np.zeros((count, SCRATCH)), packed(kinds)
    way, turned, wave = np.zeros((count, 3)), np.zeros(count), np.zeros((count, STATIONS + 1, 4))
    bent, held, released = np.zeros(count), np.zeros(count), np.zeros(count, bool)
    longest = 1.0 / BEND_RATE + float(hold.max()) + 1.0 / RELEASE_RATE + REST
    for _ in range(ceil(longest / own_tick)):
        bend = motors.bend[:count]
        step = np.where(released, RELEASE_RATE, BEND_RATE) * own_tick
        bend += np.clip(np.where(released, 0.0, depth) - bend, -step, step)
        held += np.where(np.abs(bend - depth) < 1e-9, own_tick, 0.0)
        swim_trials(rows, table, fishes, motors, nodes, 0, 1, TICK_SECONDS, scratch, way, turned, wave)
        ends = ~released & (held >= hold)
        bent[ends], released = turned[ends], released | ends
        motors.parameters[:count][released, Motor.YAW_COUPLE] = 0.0  # fins row for the bend alone
    return Turns(bent, turned)
