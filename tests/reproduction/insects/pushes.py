"""How hard an ant can be pushed: the protocol of the source, for the published model and for ants of the game. [Guo15 5.4.2]

A force is held for half a cycle; an ant has borne it if it did not fall and walks on with its speed.
"""

from __future__ import annotations

import numpy as np

from paludarium.components.insect.oscillators import OscillatorSpec
from paludarium.lab.insect.ant_model import AntModel
from paludarium.lab.insect.stride_control import StrideProblem
from paludarium.lab.insect.walker import Push, walk_on_oscillators
from paludarium.tests.reproduction.insects.game_ants import PACE, SPEED_OF_MM, TICK, GameAnts, fallen

STRIDES = 16
KEPT = 0.2
"""Share of the speed that may be missing in the end."""
STRONGEST = 2.0e5
"""Micronewtons at which the search ends."""
WEIGHTS = np.linspace(3.0, 17.0, 57)
"""Forces that ants of the game are pushed with, in their own weights."""


def cycle_of(speed: float) -> float:
    """Seconds of a whole cycle."""
    return (3.0 + 0.1 * speed) / speed if speed else 0.25


def bears(force: float, degrees: float, start: float, speed: float) -> bool:
    """Whether the published ant, on its oscillators alone, bears a force (uN) that starts at a share of the cycle."""
    oscillators = OscillatorSpec(half_cycle=round(0.5 * cycle_of(speed), 4))
    half, steps = oscillators.half_cycle, round(oscillators.half_cycle / oscillators.step)
    way, angle = (speed * half, 0.0, 0.0), np.radians(degrees)
    controls = StrideProblem(way, AntModel(), oscillators).shoot()
    push = Push((force * np.cos(angle), force * np.sin(angle), 0.0), (4.0 + 2.0 * start) * half, half)
    walk, _ = walk_on_oscillators(controls, STRIDES, way, oscillators=oscillators, push=push)
    if walk.fell:
        return False
    velocity, yaw = (walk.trace[-1, :2] - walk.trace[-1 - 4 * steps, :2]) / (4.0 * half), float(walk.end[3])
    along = velocity[0] * np.cos(yaw) + velocity[1] * np.sin(yaw)
    return bool(abs(along - speed) <= KEPT * max(speed, 5.0) and abs(yaw) < 1.0)


def published_limit(degrees: float, start: float, speed: float) -> float:
    """The largest force that is borne, in mN, by doubling and halving."""
    low, high = 0.0, 500.0
    while bears(high, degrees, start, speed) and high < STRONGEST:
        low, high = high, 1.5 * high
    for _ in range(10):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if bears(middle, degrees, start, speed) else (low, middle)
    return low / 1000.0


def game_limit(degrees: float, start: float, speed: float) -> float:
    """The largest force below which all are borne, in weights: one ant of the game for each force."""
    ants = GameAnts(len(WEIGHTS))
    ants.tripods.phase[ants.rows] = (0.0, 0.45, 0.45, 0.0, 0.0, 0.45)  # all in step
    ants.drive(speed)
    ants.run(1.5)
    ticks = cycle_of(speed) / PACE / TICK
    if speed:
        landed = False
        while not landed:  # the left tripod begins its stance
            before = ants.tripods.stands[ants.rows[0], 0]
            ants.run(TICK * PACE)
            landed = not before and bool(ants.tripods.stands[ants.rows[0], 0])
        if start:
            ants.run(round(start * ticks) * TICK * PACE)
    angle = np.radians(degrees)
    force = WEIGHTS[:, None] * [np.cos(angle), np.sin(angle), 0.0]

    def blow(tick: int) -> None:
        ants.trunks.force[ants.rows] = force if tick < round(0.5 * ticks) else 0.0

    steps = ants.run(3.0, blow)
    last = np.linalg.norm(steps.position[-1] - steps.position[-61], axis=1) / (60 * TICK * SPEED_OF_MM)
    good = ~fallen(steps) & (np.abs(last - speed) <= KEPT * max(speed, 5.0))
    return float(WEIGHTS[-1] if good.all() else WEIGHTS[max(int(np.argmin(good)) - 1, 0)])


def limit(profile: str, degrees: float, start: float, speed: float) -> float:
    """Of the ant that is measured: mN of the published one, weights of that of the game."""
    return published_limit(degrees, start, speed) if profile == "published" else game_limit(degrees, start, speed)
