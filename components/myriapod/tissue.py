"""The soft tissue between segments: one deformable block of 3x3x3 nodes per joint. [Fang15 3.2]"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from ...engine.column_rules import FLAG, MOTION, ON_MAP, SIZE, RowOf, Within
from ...engine.parts import SpecProblem
from ...engine.pool import Pool, Rows, column, view
from ...engine.spec import choice, number
from .construction.joint_table import TABLE_ROWS
from .construction.lattice import FREE_NODES
from .construction.stability import MOST_STEPS_PER_S, steps_needed


@dataclass(frozen=True)
class TissueSpec:
    """The ``[tissue]`` table. Stiffness and damping are those of the source: E = 4000, nu = 0.4, gamma = 50."""

    length: float = number(1.0, unit="u", low=0.01, high=100.0, doc="gap between two segments")
    density: float = number(1.0, low=0.01, high=100.0, doc="relative to water")
    young_modulus: float = number(4000.0, low=1.0, high=1e7, doc="stiffness E")
    poisson_ratio: float = number(0.4, low=0.0, high=0.49, doc="sideways bulge nu")
    damping: float = number(50.0, unit="per_s", low=0.0, high=1e4, doc="element-mean damping gamma")
    damping_kind: str = choice("element_mean", "element_mean", "rotation_free", doc="the source's, or blind to rotation")
    shortest_muscle: float = number(0.5, low=0.2, high=1.0, doc="shortest rest length a muscle may command, as a share")

    def row_count(self, specs: dict[str, Any]) -> int:
        chain = specs.get("chain")
        return len(chain.to) if chain is not None and chain.is_graph else int(specs["segments"].count) - 1

    def check(self, specs: dict[str, Any]) -> None:
        if "segments" not in specs:
            raise SpecProblem("", "tissue without segments", "a species that also has a [segments] table")
        needed = steps_needed(specs)
        if needed.stiffness > MOST_STEPS_PER_S:
            most = self.young_modulus * (MOST_STEPS_PER_S / needed.stiffness) ** 2
            raise SpecProblem("young_modulus", self.young_modulus, self._at_most(most, specs["segments"]))
        if needed.damping > MOST_STEPS_PER_S:
            most = self.damping * MOST_STEPS_PER_S / needed.damping
            raise SpecProblem("damping_per_s", self.damping, self._at_most(most, specs["segments"]))

    def _at_most(self, most: float, segments: Any) -> str:
        edges = " x ".join(f"{edge:g}" for edge in (segments.length, segments.width, segments.height))
        return (
            f"at most {0.995 * most:.3g} with segments of {edges} u and density {segments.density:g}, tissue of "
            f"{self.length:g} u and density {self.density:g}: more takes over {MOST_STEPS_PER_S:,.0f} steps per second"
        )

    @property
    def lame(self) -> tuple[float, float]:
        """The Lame parameters mu and lambda. [Fang15 App. A]"""
        e, nu = self.young_modulus, self.poisson_ratio
        return e / (2.0 * (1.0 + nu)), e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))


STRETCH = Within(0.01, 100.0)
"""What a save may have as the length of a muscle, as a share of its length at rest."""


class Elastic(IntEnum):
    """Columns of `TissuePool.elastic`: the Lame parameters, density and damping."""

    MU = 0
    LAMBDA = 1
    DENSITY = 2
    GAMMA = 3


class Side(IntEnum):
    """Columns of the lengths of a block's muscles: each side's rest length as a share of the block's own."""

    LEFT = 0
    RIGHT = 1
    TOP = 2
    BOTTOM = 3


MUSCLE_SIDES = len(Side)

class Beat(IntEnum):
    """Columns of `TissuePool.muscle_amplitude`: how wide a block beats, 0..1, and how fast that changes, per second."""

    SIZE = 0
    CHANGE = 1


class TissuePool(Pool):
    """Soft blocks of all creatures; block i of a creature joins its segments i and i + 1."""

    segment_a = column(np.int32, holds=RowOf("SegmentPool", own=True), fixed=True)  # the segment ahead
    segment_b = column(np.int32, holds=RowOf("SegmentPool", own=True), fixed=True)  # the segment behind
    anchor_a = column(np.float64, 7, fixed=True)  # rest pose of the block's centre in segment a's frame: point, quaternion
    anchor_b = column(np.float64, 7, fixed=True)
    size = column(np.float64, 3, holds=SIZE, fixed=True)
    elastic = column(np.float64, len(Elastic))
    joint = column(np.float64, TABLE_ROWS, 6, fixed=True)  # condensed stiffness at tabled lengths, for the bush tier
    lengths_before = column(np.float64, MUSCLE_SIDES, fill=1.0, holds=STRETCH)  # at the start of the tick
    lengths = column(np.float64, MUSCLE_SIDES, fill=1.0, holds=STRETCH)  # at its end
    muscle_phase = column(np.float64)  # of the block's beat, rad
    muscle_amplitude = column(np.float64, len(Beat))  # of its oscillator
    muscle_blend = column(np.float64)  # 0: the block's own shape, 1: the shape its muscles want
    node_position = column(np.float64, FREE_NODES, 3, holds=ON_MAP)
    node_velocity = column(np.float64, FREE_NODES, 3, holds=MOTION)
    disturbed = column(np.uint8, holds=FLAG)  # 1 when the inversion guard had to act in the last tick


class Tissue:
    """The soft blocks of one creature."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: TissuePool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    size = view("size", "(n, 3) rest sizes")
    node_position = view("node_position", "(n, 9, 3) nodes of the middle planes")
    lengths = view("lengths", "(n, 4) rest lengths left, right, top, bottom as shares of the block")

    def __len__(self) -> int:
        return self.rows.size
