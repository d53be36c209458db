"""The body of a fish as a whole: shape, masses and stiffness of its species, and what moves with the nodes. [Tu99 4.2, 4.3]

World units are used throughout: a fish of length L has masses, stiffness and damping of L^3 times those of one of length 1,
so that large and small ones swim alike in their own lengths per second [fish]. `pace` makes all of that faster or slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import FLAG, MOTION, ON_MAP, SIZE, Codes, SpanOf, Within
from ...engine.creature import TIERS
from ...engine.parts import SpecProblem
from ...engine.pool import Array, Pool, Rows, column
from ...engine.readings import Reading
from ...engine.spec import number, numbers
from .topology import (
    BODY_SEGMENTS,
    CORNERS,
    CROSS,
    FACE_SEGMENT,
    MUSCLE,
    MUSCLE_COUNT,
    NODES,
    PLAIN,
    RINGS,
    SPRING_CLASS,
    SPRINGS,
    ring,
)

if TYPE_CHECKING:
    from ...engine.parts import Birth

BOOK_UNIT = 1.0 / 8000.0
"""Of a mass or a stiffness of the book in units of a body of length 1: the book's is 20 long. [artificial-fishes A.2]"""
TENSION = 2500.0
"""Multiple of the book's stiffness, 1/s^2: serves tail beats of 1.5 to 4 Hz. [fish 1]"""
CLASS_STIFFNESS = {PLAIN: 30.0, MUSCLE: 28.0, CROSS: 38.0}  # [Tu99 Tab. 4.2]
BOOK_DAMPING = 0.1  # of every unit [Tu99 Tab. 4.2]
DAMPING_SHARE = 2.0
"""Of the damping that would keep its share at the higher stiffness. [fish 1]"""
TAUTEST = 2.0
"""Largest tone, the factor on stiffness in a burst. [fish 1]"""
LARGEST_STEP = 0.96
"""Share of the largest stable substep that is used: eight per tick for the usual body, as measured. [fish 1]"""
MOST_SUBSTEPS = 64
"""Per tick; a body that needs more is refused."""
TICK_SECONDS = 1.0 / 60.0
"""For which bodies are checked when a species is read; slower ticks get more substeps."""
SWIMS_IN = 1.3
"""Heights of its body that the water has to be deep for a fish to swim in it."""
SLOWEST_TICKS = 60
"""So many times as many: one tick a second."""


class Tuned(IntEnum):
    """Columns of `FishBodyPool.tuned`: factors on what a body is made of."""

    STIFFNESS = 0
    DAMPING = 1
    MASS = 2
    WATER = 3


@dataclass(frozen=True)
class SpringSpec:
    """The ``[springs]`` table: the shape of a fish and what it is made of. Shares are of its length."""

    length: float = number(8.0, unit="u", low=0.2, high=200.0, doc="nose to tips of the tail")
    size_spread: float = number(0.0, low=0.0, high=0.4, doc="how much individuals differ in length, as a share of it")
    pace: float = number(1.0, low=0.1, high=4.0, doc="how fast it lives: beats, speeds and turns are multiplied by it")
    ring_place: tuple[float, ...] = numbers((0.20, 0.40, 0.58, 0.74, 0.87), count=RINGS, low=0.02, high=0.98,
                                            doc="where the five rings are, from the nose")
    ring_half_width: tuple[float, ...] = numbers((0.060, 0.080, 0.070, 0.045, 0.012), count=RINGS, low=0.005, high=0.5,
                                                 doc="half widths of the rings")
    ring_half_height: tuple[float, ...] = numbers((0.090, 0.130, 0.110, 0.065, 0.050), count=RINGS, low=0.005, high=0.5,
                                                  doc="half heights of the rings")
    tail_half_height: float = number(0.100, low=0.005, high=0.5, doc="half the height of the tail fin's end")
    mass: tuple[float, ...] = numbers((2.2, 6.6, 11.0, 6.6, 2.2, 2.2, 1.1), count=RINGS + 2, low=0.1, high=1000.0,
                                      doc="of a node of the nose, of each ring and of the tail tips; the book's unit")
    stiffness: float = number(1.0, low=0.05, high=20.0, doc="multiple of the usual stiffness of springs")
    damping: float = number(1.0, low=0.0, high=50.0, doc="multiple of the usual damping of springs")
    water: tuple[float, ...] = numbers((0.2, 0.5, 0.5, 0.5, 3.0, 6.0), count=BODY_SEGMENTS, low=0.0, high=50.0,
                                       doc="how hard water pushes on head, four parts of the body and tail")
    righting: float = number(0.0003, low=0.0, high=0.01, doc="couple that keeps the back up, in units of length cubed")
    air: float = number(30.0, unit="s", low=0.0, high=1e6, doc="how long it lives out of the water; 0 for ever")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:  # noqa: ARG002 - the same signature for all parts
        """Refuse an impossible shape, and a body that no bearable number of substeps keeps together."""
        if list(self.ring_place) != sorted(set(self.ring_place)):
            raise SpecProblem("ring_place", list(self.ring_place), "numbers that grow from the nose to the tail")
        needed = substeps_for(blueprint_of(self), TICK_SECONDS)
        if needed > MOST_SUBSTEPS:
            most = self.stiffness * (MOST_SUBSTEPS / needed) ** 2
            raise SpecProblem("stiffness", self.stiffness, f"at most {most:.3g} with these masses, shape and pace: "
                              f"it would need {needed} substeps in a tick, allowed are {MOST_SUBSTEPS}")  # fmt: skip


@dataclass(frozen=True)
class FishBlueprint:
    """What all fishes of a species share, for an individual of the usual size. Numbers are in world units."""

    rest: Array  # (23, 3) nodes as seen from the nose, x forward, y left, z up
    rest_length: Array  # (91,)
    stiffness: Array  # (91,)
    damping: Array  # (91,)
    mass: Array  # (23,)
    water: Array  # (24,) of the faces
    fastest: float  # largest angular frequency at rest, rad/s
    decay: float  # of that vibration, 1/s
    bending: float  # lowest frequency of sideways bending, Hz
    volume: Array  # (5,) of the parts between nose and last ring


@lru_cache(maxsize=256)
def blueprint_of(spec: SpringSpec) -> FishBlueprint:
    """The blueprint of a species' ``[springs]``."""
    rest = _rest_shape(spec)
    ends = rest[SPRINGS[:, 1]] - rest[SPRINGS[:, 0]]
    cube, pace = spec.length**3, spec.pace
    by_class = np.array([CLASS_STIFFNESS[kind] for kind in (PLAIN, MUSCLE, CROSS)])
    stiffness = cube * pace**2 * spec.stiffness * TENSION * BOOK_UNIT * by_class[SPRING_CLASS]
    share = DAMPING_SHARE * np.sqrt(TENSION * spec.stiffness) * BOOK_DAMPING * BOOK_UNIT
    damping = np.full(len(SPRINGS), cube * pace * spec.damping * share)
    mass = cube * BOOK_UNIT * np.array([spec.mass[0], *np.repeat(spec.mass[1:-1], CORNERS), spec.mass[-1], spec.mass[-1]])
    fastest, decay, bending = _frequencies(rest, ends, stiffness, damping, mass)
    return FishBlueprint(rest, np.linalg.norm(ends, axis=1), stiffness, damping, mass,
                         np.array(spec.water)[FACE_SEGMENT], fastest, decay, bending, part_volumes(rest))  # fmt: skip


def _rest_shape(spec: SpringSpec) -> Array:
    rest = np.zeros((NODES, 3))
    for number_, (x, y, z) in enumerate(zip(spec.ring_place, spec.ring_half_width, spec.ring_half_height, strict=True)):
        rest[ring(number_)] = [(-x, y, z), (-x, y, -z), (-x, -y, -z), (-x, -y, z)]
    rest[-2:] = [(-1.0, 0.0, spec.tail_half_height), (-1.0, 0.0, -spec.tail_half_height)]
    shape: Array = spec.length * rest
    return shape


def _frequencies(rest: Array, ends: Array, stiffness: Array, damping: Array, mass: Array) -> tuple[float, float, float]:
    """Angular frequency and decay (1/s) of the fastest small vibration, lowest frequency (Hz) of bending sideways."""
    scale = 1.0 / np.sqrt(np.repeat(mass, 3))
    squares, shapes = np.linalg.eigh(scale[:, None] * _matrix(ends, stiffness) * scale)
    decay = 0.5 * shapes[:, -1] @ (scale[:, None] * _matrix(ends, damping) * scale) @ shapes[:, -1]
    places = (shapes * scale[:, None]).reshape(NODES, 3, -1)
    stations = np.concatenate([places[:1], _ring_means(places), places[-2:].mean(axis=0)[None]])
    along = np.array([rest[0, 0], *rest[1:-2:CORNERS, 0], rest[-1, 0]])
    free = 6  # moving and turning as a whole
    sideways = np.array([_is_bend(along, stations[:, :, k]) for k in range(free, len(squares))])
    lowest = free + int(np.argmax(sideways))
    return float(np.sqrt(squares[-1])), float(decay), float(np.sqrt(max(squares[lowest], 0.0)) / (2.0 * np.pi))


def _matrix(ends: Array, strength: Array) -> Array:
    """Sum of s u u^T over all springs, u along each: rest lengths are kept, so a spring acts along itself alone."""
    matrix = np.zeros((3 * NODES, 3 * NODES))
    for (a, b), end, s in zip(SPRINGS.tolist(), ends, strength, strict=True):
        u = end / np.linalg.norm(end)
        block = s * np.outer(u, u)
        i, j = slice(3 * a, 3 * a + 3), slice(3 * b, 3 * b + 3)
        matrix[i, i] += block
        matrix[j, j] += block
        matrix[i, j] -= block
        matrix[j, i] -= block
    return matrix


def _is_bend(along: Array, stations: Array) -> bool:
    """Whether stations along the spine move to the sides, and not all on one line."""
    moved = np.abs(stations).sum(axis=0)
    if moved[1] < 2.0 * (moved[0] + moved[2]):
        return False
    line = np.polynomial.polynomial.polyval(along, np.polynomial.polynomial.polyfit(along, stations[:, 1], 1))
    return bool(np.abs(stations[:, 1] - line).sum() > 0.3 * moved[1])


def _ring_means(values: Array) -> Array:
    means: Array = np.stack([values[ring(number_)].mean(axis=0) for number_ in range(RINGS)])
    return means


def part_volumes(nodes: Array) -> Array:
    """Volumes of the head and of the four parts between rings, each times six: negative when one is turned inside out."""
    volumes = np.zeros(RINGS)
    for number_ in range(RINGS):
        here = nodes[ring(number_)]
        ahead = nodes[ring(number_ - 1)] if number_ else np.repeat(nodes[:1], CORNERS, axis=0)
        spine = here.mean(axis=0) - ahead.mean(axis=0)
        area = np.cross(here[2] - here[0], here[3] - here[1])
        volumes[number_] = float(area @ spine)
    return volumes


def substeps_for(blueprint: FishBlueprint, tick_seconds: float, stiffness: float = 1.0, mass: float = 1.0,
                 damping: float = 1.0) -> int:
    """Substeps that keep the body together at the largest tone.

    Symplectic steps h of a vibration with angular frequency omega and decay gamma are stable while
    (h omega)^2 / 4 + h gamma < 1. Springs of large and small individuals are alike against their masses, so size has no say.
    """
    omega = blueprint.fastest * np.sqrt(TAUTEST * stiffness / mass)
    decay = blueprint.decay * damping / mass
    step = 2.0 * (np.sqrt(decay**2 + LARGEST_STEP * omega**2) - decay) / omega**2
    return max(ceil(tick_seconds / float(step)), 1)


class FishBodyPool(Pool):
    """One row per fish, aligned with `CreaturePool`."""

    aligned = True
    format = 2  # without the column "shape_time", which was always 0

    first_node = column(np.int32, holds=SpanOf("NodePool", "node_count"))
    node_count = column(np.int32, fill=NODES, holds=Within(0, NODES))
    size = column(np.float64, fill=1.0, holds=Within(0.1, 10.0), fixed=True)  # of this individual, against its species
    length = column(np.float64, fill=1.0, holds=SIZE, fixed=True)  # u, nose to tail at rest
    width = column(np.float64, fill=1.0, holds=SIZE, fixed=True)
    height = column(np.float64, fill=1.0, holds=SIZE, fixed=True)
    pace = column(np.float64, fill=1.0, holds=Within(0.1, 4.0), fixed=True)
    substeps = column(np.int32, fill=1, holds=Within(1, SLOWEST_TICKS * MOST_SUBSTEPS), fixed=True)
    tuned = column(np.float64, len(Tuned), fill=1.0, holds=Within(0.0, 100.0), fixed=True)
    # where it is, from its nodes
    centre = column(np.float64, 3, holds=ON_MAP)  # of mass
    velocity = column(np.float64, 3, holds=MOTION)  # of the centre
    stream = column(np.float64, 3, holds=MOTION)  # velocity of the water around it
    axes = column(np.float64, 3, 3, holds=Within(-2.0, 2.0))  # rows: forward, left and up
    mouth = column(np.float64, 3, holds=ON_MAP)
    wet = column(np.float64, fill=1.0, holds=Within(0.0, 1.0))  # share of it that is under water
    air_seconds = column(np.float64, holds=Within(0.0, 1e9))  # since it was last in the water
    # muscles: rest lengths as shares of those at ease, at the end of this tick and of the one before
    contraction = column(np.float64, MUSCLE_COUNT, fill=1.0, holds=Within(0.1, 2.0))
    contraction_before = column(np.float64, MUSCLE_COUNT, fill=1.0, holds=Within(0.1, 2.0))
    dragged = column(np.float64, 3, holds=MOTION)  # velocity at which something pulls all of it along in the next tick
    offset_left = column(np.float64, holds=Within(0.0, 1.0))  # how much of `NodePool.offset` still shows
    previous_tier = column(np.uint8, holds=Codes(len(TIERS)))
    disturbed = column(np.uint8, holds=FLAG)  # it was put back into shape in this tick


class Springs:
    """The body of one fish."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: FishBodyPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def length(self) -> float:
        """Nose to tail at rest, in units."""
        return float(self.pool.view(self.rows, "length")[0])

    @property
    def axes(self) -> Array:
        """(3, 3) forward, left and up as rows."""
        return self.pool.view(self.rows, "axes")[0]

    @property
    def contraction(self) -> Array:
        """(12,) rest lengths of the muscles as shares of those at ease: three segments of four."""
        return self.pool.view(self.rows, "contraction")[0]

    @property
    def wet(self) -> float:
        """Share of the body that is under water."""
        return float(self.pool.view(self.rows, "wet")[0])

    def readings(self) -> list[Reading]:
        """How far each pair of muscles is contracted, left minus right."""
        lengths = self.contraction.reshape(-1, CORNERS)
        pull = (lengths[:, 2:].mean(axis=1) - lengths[:, :2].mean(axis=1)) / 0.6
        told = [Reading("cells", "bend", "amber", values=np.clip(0.5 + pull, 0.0, 1.0))]
        dry = float(self.pool.view(self.rows, "air_seconds")[0])
        if dry > 0.0:
            told.append(Reading("bar", "out of water", "red", min(dry / 30.0, 1.0), text=f"{dry:.0f} s"))
        return told


def write_sizes(pool: FishBodyPool, row: int, spec: SpringSpec, size: float) -> None:
    """Update the sizes of one fish, that has some size against its species."""
    pool.size[row], pool.length[row], pool.pace[row] = size, size * spec.length, spec.pace
    pool.width[row] = 2.0 * size * spec.length * max(spec.ring_half_width)
    pool.height[row] = 2.0 * size * spec.length * max(spec.ring_half_height)


def fill_springs(birth: Birth, spec: SpringSpec, pool: FishBodyPool, rows: Rows) -> None:
    """Lay the nodes of a newborn as its segments lie; `family.place_fish` has chosen the place and the size."""
    from .nodes import NodePool

    row, blueprint = rows.start, blueprint_of(spec)
    size = float(birth.world.creature_pool.length[row]) / spec.length
    pool.first_node[row], pool.node_count[row] = birth.rows["nodes"].start, NODES
    write_sizes(pool, row, spec, size)
    pool.substeps[row] = substeps_for(blueprint, birth.world.clock.tick_seconds)
    head, heading = birth.world.creature_pool.position[row], birth.heading
    forward = np.array([np.cos(heading), np.sin(heading), 0.0])
    pool.axes[row] = axes = np.array([forward, [-forward[1], forward[0], 0.0], [0.0, 0.0, 1.0]])
    nodes = size * blueprint.rest @ axes
    nodes += head - 0.5 * (nodes[0] + nodes[1 : 1 + CORNERS].mean(axis=0))  # the head segment lies behind the nose
    birth.world.pool(NodePool).position[birth.rows["nodes"].slice] = nodes
    pool.mouth[row] = nodes[0]
    pool.centre[row] = blueprint.mass @ nodes / blueprint.mass.sum()
