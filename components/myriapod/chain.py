"""The chain: what the finite elements of a body need to know about it as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...engine.column_rules import COUNT, FLAG, Codes, SpanOf, Within
from ...engine.creature import TIERS
from ...engine.parts import SpecProblem
from ...engine.pool import Array, MovedFrom, Pool, Rows, column, view
from ...engine.readings import Reading
from ...engine.spec import integers, number, numbers
from .body_modes import ON_LAND, BodyMode
from .construction.joints import NARROWEST, facing
from .construction.lattice import FREE_NODES

MOST_SUBSTEPS = 100_000
"""Of a body in one tick, that a save may ask for."""


@dataclass(frozen=True)
class ChainSpec:
    """The ``[chain]`` table: how segments hang together. Without places each one follows the one before it.

    With them a body is any graph: boxes at their places, and tissue between the facing sides of those that are joined.
    [Fang15 3.2, Fig. 3.3]
    """

    x: tuple[float, ...] = numbers((), unit="u", low=-500.0, high=500.0,
                                   doc="places of all segments at rest, head first: how far ahead of the head")
    y: tuple[float, ...] = numbers((), unit="u", low=-500.0, high=500.0, doc="to the left of it; empty means none is")
    z: tuple[float, ...] = numbers((), unit="u", low=-500.0, high=500.0, doc="above it; empty means none is")
    lengths: tuple[float, ...] = numbers((), unit="u", low=0.01, high=100.0, doc="of all segments; empty: as in [segments]")
    widths: tuple[float, ...] = numbers((), unit="u", low=0.01, high=100.0, doc="of all segments; empty: as in [segments]")
    heights: tuple[float, ...] = numbers((), unit="u", low=0.01, high=100.0, doc="of all segments; empty: as in [segments]")
    join: tuple[int, ...] = integers((), low=0, high=399, doc="tissue joins each of these segments, nearer to the head,")
    to: tuple[int, ...] = integers((), low=1, high=399, doc="to each of these: first 1, 2, 3 ..., then what closes loops")
    pinned: tuple[int, ...] = integers((), low=0, high=399, doc="segments that stay where they are born: a lamp's top")
    friction: float = number(0.8, low=0.0, high=10.0, doc="Coulomb coefficient of the bare body; feet do not slip")

    @property
    def is_graph(self) -> bool:
        """Whether the file says where the segments are."""
        return bool(self.x)

    @property
    def pairs(self) -> Array:
        """(n, 2) the joined segments."""
        return np.column_stack([self.join, self.to]).astype(np.int64).reshape(-1, 2)

    def places(self, count: int) -> Array:
        """(count, 3) centres at rest, seen from the head."""
        columns = [np.array(values or (0.0,) * count) for values in (self.x, self.y, self.z)]
        return np.column_stack(columns) - np.array([column[0] for column in columns])

    def extents(self, half: Array) -> Array:
        """(count, 3) half sizes: the file's where it has them, else those given."""
        columns = [half[:, axis] if not values else 0.5 * np.array(values)
                   for axis, values in enumerate((self.lengths, self.widths, self.heights))]  # fmt: skip
        return np.column_stack(columns)

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        count = specs["segments"].count if "segments" in specs else 0
        if not self.is_graph:
            self._must_be_empty("y_u", "z_u", "lengths_u", "widths_u", "heights_u", "join", "to", "pinned")
            return
        for key in ("x_u", "y_u", "z_u", "lengths_u", "widths_u", "heights_u"):
            values = getattr(self, key[:-2])
            if values and len(values) != count:
                raise SpecProblem(key, list(values), f"{count} numbers, one for each segment")
        self._check_joints(self.extents(specs["segments"].half_extents()))
        if "tissue" not in specs:
            raise SpecProblem("join", list(self.join), "a species that also has a [tissue] table")
        if "gait" in specs or "muscles" in specs:
            self._check_trailing(specs)
        for segment in self.pinned:
            if segment >= count:
                raise SpecProblem("pinned", segment, f"segments that exist, 0 to {count - 1}")
            if "gait" in specs:
                raise SpecProblem("pinned", segment, "nothing pinned in a species with a [gait]: it could not walk")

    def _must_be_empty(self, *keys: str) -> None:
        for key in keys:
            values = getattr(self, key.removesuffix("_u"))
            if values:
                raise SpecProblem(key, list(values), "nothing without x_u, the places of the segments")

    def _check_joints(self, half: Array) -> None:
        count, places = len(half), self.places(len(half))
        join, to = list(self.join), list(self.to)
        if len(join) != len(to):
            raise SpecProblem("to", to, f"as many numbers as join has, {len(join)}")
        if to[: count - 1] != list(range(1, count)):
            raise SpecProblem("to", to, f"first all segments from 1 to {count - 1} in turn, so that none is loose")
        for a, b in zip(join, to, strict=True):
            if not a < b < count:
                raise SpecProblem("join", a, f"a segment nearer to the head than {b}, and both below {count}")
            if facing(half, places, a, b)[1] < NARROWEST:
                raise SpecProblem("to", b, f"a segment with at least {NARROWEST:g} u between it and segment {a}")
        if len(set(zip(join, to, strict=True))) != len(to):
            raise SpecProblem("to", to, "each pair of segments once")

    def _check_trailing(self, specs: dict[str, Any]) -> None:
        """Whatever walks or swims is drawn by its head: each segment has to be behind the one that it follows."""
        half, places = self.extents(specs["segments"].half_extents()), self.places(specs["segments"].count)
        for a, b in self.pairs[: len(places) - 1].tolist():
            if places[b, 0] > places[a, 0] - half[a, 0] - half[b, 0]:
                raise SpecProblem("x_u", float(places[b, 0]), f"segment {b} of a walker or swimmer behind segment {a}")


def dry_is_on_land(modes: Array) -> Array:
    """The body modes of an older save, which wrote 0 where no water was involved."""
    return np.where(modes == 0, np.uint8(ON_LAND), modes)


class ChainPool(Pool):
    """One row per creature whose segments are joined by soft tissue, aligned with `CreaturePool`."""

    aligned = True
    format = 2

    first_block = column(np.int32, older=MovedFrom("BodyPool", "first_block"), holds=SpanOf("TissuePool", "block_count"))
    block_count = column(np.int32, older=MovedFrom("BodyPool", "block_count"), holds=COUNT)
    # per tick, from the stiffest block's limit
    substeps = column(np.int32, older=MovedFrom("BodyPool", "substeps"), holds=Within(1, MOST_SUBSTEPS), fixed=True)
    damping_inverse = column(np.float64, FREE_NODES, FREE_NODES, older=MovedFrom("BodyPool", "damping_inverse"),
                             holds=Within(-1e6, 1e6), fixed=True)
    # damping that spares rigid rotation
    rotation_free = column(np.uint8, older=MovedFrom("BodyPool", "rotation_free"), holds=FLAG, fixed=True)
    water_power = column(np.float64, older=MovedFrom("BodyPool", "water_power"))  # work against the water per second
    body_mode = column(np.uint8, fill=ON_LAND, older=MovedFrom("MusclePool", "water_mode", dry_is_on_land),
                       holds=Codes(len(BodyMode)))
    # so that a change can be handed over
    previous_tier = column(np.uint8, older=MovedFrom("BodyPool", "previous_tier"), holds=Codes(len(TIERS)))
    friction = column(np.float64, fill=0.8, since=2, holds=Within(0.0, 10.0), fixed=True)  # of the bare body


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
