"""The body as a whole: one row per creature with where its parts begin and the constants of its simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.parts import SpecProblem
from ..engine.pool import Pool, Rows, column, view
from ..engine.spec import number
from .myriapod.construction.lattice import FREE_NODES


@dataclass(frozen=True)
class BodySpec:
    """The ``[body]`` table."""

    ride_height: float = number(1.0, unit="u", low=0.05, high=100.0, doc="segment centres above the ground when walking")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if "segments" not in specs:
            raise SpecProblem("", "a body without segments", "a species that also has a [segments] table")
        if self.ride_height < specs["segments"].height / 2:
            raise SpecProblem("ride_height_u", self.ride_height, "at least half the segments' height_u, or the belly drags")


class BodyPool(Pool):
    """One row per creature, aligned with `CreaturePool`."""

    aligned = True

    first_segment = column(np.int32)
    segment_count = column(np.int32)
    first_block = column(np.int32)
    block_count = column(np.int32)
    first_leg = column(np.int32)
    leg_count = column(np.int32)
    substeps = column(np.int32)  # per tick, from the stability limit of the stiffest block
    damping_inverse = column(np.float64, FREE_NODES, FREE_NODES)
    rotation_free = column(np.uint8)  # damping that leaves rigid rotation alone
    water_power = column(np.float64)  # work against the water per second in the last tick
    previous_tier = column(np.uint8)  # tier of the last tick, so that a change can be handed over
    dead = column(np.uint8)  # a ragdoll: physics without control


class Body:
    """What one creature's body is made of."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: BodyPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    substeps = view("substeps", "(1,) physics steps per tick")
