"""A stroke tried in a box of water: from the numbers of a search to a score. [Tan11 4.2] [articulated-swimmers 2.8, 2.10]

Lengths in body lengths, work in J/kg for lengths in metres. The place of a swimmer is its centre of mass, its direction the
mean turn of its links by mass: the head of an eel says little of either. [articulated-swimmers 7.12]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....engine.bundle import packed
from ....engine.errors import ArgumentError
from ....systems.articulated.space.box_arrays import GRID, FluidBox, fluid_box
from ....systems.articulated.space.box_step_kernel import FINE, follow_body
from ....systems.articulated.space.space_body import SpaceBody, SpaceState, new_state, space_body
from ....systems.articulated.space.space_body_kernel import place_links
from ..training.objective import NO_SCORE, Score, Weights, gain_of
from .swim_in_box_kernel import FORWARD, LEFT, MIDDLE, OVERLAP, RECORD, TURN, WORK, swim_in_box

if TYPE_CHECKING:
    from ....engine.pool import Array
    from .space_bodies import Body

USUAL = Weights()
TURNS = {
    "straight": (0.0, 0.0, 0.0), "turn_left": (0.0, 0.0, 1.0), "pitch_up": (0.0, -1.0, 0.0), "pitch_down": (0.0, 1.0, 0.0),
}  # fmt: skip
"""Unit axis that each manoeuvre turns about, in the swimmer's axes: forward, left, up."""
LEAST_CELLS, MOST_CELLS = 8, 256
"""Along each axis of a box."""
HALF_WAY = np.sqrt(0.5)
"""Turns are to go half way between where the body looks and a right angle to it. [articulated-swimmers 2.10]

Half way to where it looks in the end was tried: mantas then swim on and hardly pitch, 0.02 instead of 0.09 rad a cycle.
"""


class SpaceStroke(NamedTuple):
    """What the servos follow: the manoeuvre now and the one before it."""

    now: Array  # (3, n) a, b and C
    before: Array
    since: Array  # (1,) when the one now began, s
    period: float
    ramp: float
    blend: float


@dataclass(frozen=True)
class Basin:
    """Where and how strokes are tried."""

    cells: tuple[int, int, int] = GRID
    lengths: float = 2.0  # of the box along x, in body lengths
    dt: float = 1.0 / 60.0
    tolerance: float = 1e-2
    cycles: int = 2
    period: float = 1.0
    ramp: float = 0.25
    blend: float = 0.15  # of a cycle: one manoeuvre goes over into the next [articulated-swimmers 7.16]

    @classmethod
    def named(cls, words: str, lengths: float = 2.0, period: float = 1.0) -> Basin:
        """Water by its name, as options of commands give it: ``Basin.named("64x32x32")``."""
        try:
            nx, ny, nz = (int(word) for word in words.split("x"))
        except ValueError:
            nx = ny = nz = 0
        if not all(MOST_CELLS >= n >= LEAST_CELLS and n % LEAST_CELLS == 0 for n in (nx, ny, nz)):
            raise ArgumentError(f"grid {words!r}: allowed in space are NXxNYxNZ, multiples of {LEAST_CELLS} up to "
                                f"{MOST_CELLS}, as in 64x32x32")  # fmt: skip
        return cls((nx, ny, nz), lengths, period=period)


class Swim:
    """One swimmer in its box, to be swum cycle by cycle.

    Example::

        swim = Swim(load_body("fish_3d"))
        swim.cycles(2, fish.sines())
        swim.record[-1, MIDDLE:FORWARD]        # centre of mass
    """

    def __init__(self, body: Body, basin: Basin | None = None) -> None:
        self.basin = basin or Basin()
        self.body: SpaceBody = space_body(body.plan, body.servo)
        self.state: SpaceState = new_state(self.body)
        self.box: FluidBox = fluid_box(self.basin.lengths, self.basin.cells)
        self.box.origin[:] = -0.5 * self.box.dx * self.box.cells[:]
        follow_body(self.box, self.body, self.state)
        self.box.counters[:] = 0
        n = body.plan.count
        self.stroke = SpaceStroke(np.zeros((3, n)), np.zeros((3, n)), np.zeros(1), self.basin.period, self.basin.ramp,
                                  self.basin.blend * self.basin.period)  # fmt: skip
        self.record: Array = np.zeros((0, RECORD))
        self.angles: Array = np.zeros((0, n))
        self.ended = FINE

    def cycles(self, count: float, sines: Array) -> bool:
        """Swim so many cycles of a stroke, from the one before if there was any; return whether all went well."""
        stroke, state = self.stroke, self.state
        stroke.before[...] = stroke.now if len(self.record) else sines
        stroke.now[...], stroke.since[0] = sines, state.time[0]
        steps = round(count * self.basin.period / self.basin.dt)
        record, angles = np.zeros((steps, RECORD)), np.zeros((steps, len(state.angle)))
        stroke, dt = packed(stroke), self.basin.dt
        self.ended = swim_in_box(self.box, self.body, state, stroke, record, angles, dt, self.basin.tolerance)
        self.record, self.angles = np.concatenate([self.record, record]), np.concatenate([self.angles, angles])
        return self.ended == FINE

    @property
    def start(self) -> Array:
        """The row of a record before the first step."""
        row = np.zeros(RECORD)
        fresh = new_state(self.body)
        place_links(self.body, fresh)
        row[TURN], row[FORWARD], row[LEFT + 1] = 1.0, 1.0, 1.0  # it looks along x, its left is y
        row[MIDDLE:FORWARD] = np.average(fresh.middles, axis=0, weights=self.body.mass)
        return row


def frame_of(row: Array) -> Array:
    """(3, 3) forward, left and up of a swimmer as rows, from a row of its record."""
    forward = row[FORWARD:LEFT] / np.linalg.norm(row[FORWARD:LEFT])
    left = row[LEFT:WORK] - (row[LEFT:WORK] @ forward) * forward
    left /= np.linalg.norm(left)
    return np.array([forward, left, np.cross(forward, left)])


def turn_between(a: Array, b: Array) -> Array:
    """The rotation vector that turns one frame into another, in the axes of the first. [articulated-swimmers 2.8]"""
    m = (b @ a.T).T  # columns are the new axes in the old ones
    axis = 0.5 * np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    size = float(np.linalg.norm(axis))
    angle = float(np.arctan2(size, 0.5 * (np.trace(m) - 1.0)))
    return axis * (angle / size) if size > 1e-12 else np.zeros(3)


def judge(swim: Swim, manoeuvre: str, weights: Weights = USUAL) -> Score:
    """The score of a swimmer that has swum straight ahead, or of its last cycle if it was to turn. [swimmer 4.3]

    With `weights.settling` cycles after those count, by their means. [stroke 2]
    """
    per_cycle = round(swim.basin.period / swim.basin.dt)
    mass, axis = float(swim.body.mass.sum()), np.array(TURNS[manoeuvre])
    turning = bool(axis.any())
    counted = weights.cycles - weights.settling if weights.settling else 1
    begin = swim.record[-counted * per_cycle - 1] if turning or weights.settling else swim.start
    end = swim.record[-1]
    frame = frame_of(begin)
    gone, turned = frame @ (end[MIDDLE:FORWARD] - begin[MIDDLE:FORWARD]), turn_between(frame, frame_of(end))
    wanted, gain = np.array([1.0, 0.0, 0.0]), float(axis @ turned)
    if turning:
        wanted = HALF_WAY * (wanted + np.cross(axis, wanted))
        turned = turned - gain * axis
    distance = float(gone @ wanted)
    deviation = float(np.linalg.norm(gone - distance * wanted) + np.linalg.norm(turned)) / counted
    distance, gain = distance / counted, gain / counted
    work = (float(end[WORK]) - (float(begin[WORK]) if weights.settling else 0.0)) / counted / mass
    overlap = float(end[OVERLAP])
    value = -gain_of(distance, gain, work, weights, turning=turning)
    value += weights.deviation * deviation + weights.beyond(work) + weights.collision * overlap
    score = Score(value, distance, gain, deviation, work, overlap / mass)
    return score if score.possible else NO_SCORE


def tried(body: Body, sines: Array, basin: Basin, manoeuvre: str = "straight", weights: Weights = USUAL) -> Score:
    """The score of a stroke in a box of its own: a pure function, may be called from threads."""
    swim = Swim(body, basin)
    if not swim.cycles(weights.cycles if weights.settling else basin.cycles, sines):
        return NO_SCORE
    return judge(swim, manoeuvre, weights)
