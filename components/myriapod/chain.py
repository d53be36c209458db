"""The chain: what the finite elements of a body need to know about it as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...engine.column_rules import COUNT, FLAG, Codes, SpanOf, Within
from ...engine.creature import TIERS
from ...engine.pool import Array, MovedFrom, Pool, Rows, column, view
from ...engine.readings import Reading
from .body_modes import ON_LAND, BodyMode
from .construction.lattice import FREE_NODES

MOST_SUBSTEPS = 100_000
"""Of a body in one tick, that a save may ask for."""


@dataclass(frozen=True)
class ChainSpec:
    """The ``[chain]`` table, which follows from the others and has no keys."""

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1


def dry_is_on_land(modes: Array) -> Array:
    """The body modes of an older save, which wrote 0 where no water was involved."""
    return np.where(modes == 0, np.uint8(ON_LAND), modes)


class ChainPool(Pool):
    """One row per creature whose segments are joined by soft tissue, aligned with `CreaturePool`."""

    aligned = True

    first_block = column(np.int32, older=MovedFrom("BodyPool", "first_block"), holds=SpanOf("TissuePool", "block_count"))
    block_count = column(np.int32, older=MovedFrom("BodyPool", "block_count"), holds=COUNT)
    # per tick, from the stiffest block's limit
    substeps = column(np.int32, older=MovedFrom("BodyPool", "substeps"), holds=Within(1, MOST_SUBSTEPS))
    damping_inverse = column(np.float64, FREE_NODES, FREE_NODES, older=MovedFrom("BodyPool", "damping_inverse"),
                             holds=Within(-1e6, 1e6), still=True)
    # damping that spares rigid rotation
    rotation_free = column(np.uint8, older=MovedFrom("BodyPool", "rotation_free"), holds=FLAG)
    water_power = column(np.float64, older=MovedFrom("BodyPool", "water_power"))  # work against the water per second
    body_mode = column(np.uint8, fill=ON_LAND, older=MovedFrom("MusclePool", "water_mode", dry_is_on_land),
                       holds=Codes(len(BodyMode)))
    # so that a change can be handed over
    previous_tier = column(np.uint8, older=MovedFrom("BodyPool", "previous_tier"), holds=Codes(len(TIERS)))


class Chain:
    """The simulation of one creature's body."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: ChainPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    substeps = view("substeps", "(1,) physics steps per tick")
    water_power = view("water_power", "(1,) work against the water per second in the last tick")

    def readings(self) -> list[Reading]:
        """Where the body is while water is involved."""
        mode = BodyMode(int(self.pool.view(self.rows, "body_mode")[0]))
        return [] if mode == ON_LAND else [Reading("word", "water", "sky", text=mode.name.replace("_", " "))]
