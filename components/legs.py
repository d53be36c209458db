"""Legs: three links each, massless, hung on a segment's flank in pairs. [Fang15 3.4]"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.column_rules import BITS, FLAG, ON_MAP, Codes, RowOf
from ..engine.parts import Birth, SpecProblem
from ..engine.pool import Array, Pool, Rows, column
from ..engine.readings import Reading
from ..engine.spec import integers, number, numbers
from .leg_states import HISTORY_TICKS, STANDING_SHARE, LegState
from .segments import SegmentPool, is_piece

if TYPE_CHECKING:
    from ..engine.creature import Creature

SIDES = 2

REMEMBERED = 64
"""Species whose legs are laid out only once."""

STATE_TONES = tuple(zip((state.name for state in LegState), ("sky", "blue", "violet", "pink", "amber", "moss", "slate"),
                        strict=True))  # fmt: skip
"""Names of the states, with their tones in a panel."""


class Link(IntEnum):
    """Columns of `LegPool.links`: three lengths from hip to tip, and the fixed bend at the ankle."""

    L1 = 0
    L2 = 1
    L3 = 2
    GAMMA = 3


@dataclass(frozen=True)
class LegSpec:
    """The ``[legs]`` table."""

    links: tuple[float, ...] = numbers((1.0, 0.75, 0.5), count=3, unit="u", low=0.01, high=100.0, doc="hip to tip")
    ankle: float = number(20.0, unit="deg", low=-90.0, high=90.0, doc="fixed bend between the last two links")
    hip: tuple[float, ...] = numbers((0.0, 0.5, -0.2), count=3, unit="u", low=-100.0, high=100.0,
                                     doc="left hip in the segment's frame")
    on_segments: tuple[int, ...] = integers((), low=0, high=399,
                                            doc="segments with a pair of legs; empty means all but the head")
    tail_growth: float = number(0.0, low=-0.9, high=4.0, doc="how much longer the last pair is than the first")

    def segments(self, specs: dict[str, Any]) -> tuple[int, ...]:
        """The segments that carry legs, front to back."""
        return self.on_segments or tuple(range(1, specs["segments"].count))

    def row_count(self, specs: dict[str, Any]) -> int:
        return SIDES * len(self.segments(specs))

    def check(self, specs: dict[str, Any]) -> None:
        if "segments" not in specs:
            raise SpecProblem("", "legs without segments", "a species that also has a [segments] table")
        count = specs["segments"].count
        for segment in self.on_segments:
            if segment >= count:
                raise SpecProblem("on_segments", segment, f"segments that exist, 0 to {count - 1}")
        if list(self.on_segments) != sorted(set(self.on_segments)):
            raise SpecProblem("on_segments", list(self.on_segments), "rising numbers, each once")


class LegPool(Pool):
    """Legs of all creatures: segment by segment from the head, left before right."""

    segment_row = column(np.int32, holds=RowOf("SegmentPool", own=True), fixed=True)
    hip = column(np.float64, 3, fixed=True)  # in the segment's frame
    links = column(np.float64, len(Link), fixed=True)
    state = column(np.uint8, holds=Codes(len(LegState)))
    angles = column(np.float64, 3)  # theta forward, alpha up, beta knee
    tip = column(np.float64, 3, holds=ON_MAP)  # world; fixed while the leg stands
    tip_before = column(np.float64, 3, holds=ON_MAP)  # a tick ago: wading feet push water
    armed = column(np.uint8, holds=FLAG)  # the tip has been clear of the ground since it last stood
    entered = column(np.uint8, holds=FLAG)  # came to stand in the last tick
    events = column(np.uint8, holds=BITS)  # LegEvent bits of the last tick
    history = column(np.uint8, HISTORY_TICKS, holds=Codes(len(LegState)))  # ring of the last second's states


class Legs:
    """The legs of one creature as (pairs, 2) arrays, side 0 left. ``segment`` says which segment each pair is on."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: LegPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def state(self) -> Array:
        """(pairs, 2) `LegState` values."""
        return self._paired("state")

    @property
    def tip(self) -> Array:
        """(pairs, 2, 3) feet in world coordinates."""
        return self._paired("tip")

    @property
    def angles(self) -> Array:
        """(pairs, 2, 3) theta (forward), alpha (up) and beta (knee) in radians."""
        return self._paired("angles")

    @property
    def in_stance(self) -> Array:
        """(pairs, 2) bool: the foot stands."""
        standing: Array = self.state == LegState.STANCE
        return standing

    @property
    def segment(self) -> Array:
        """(pairs,) row of the segment that carries each pair, counted in the pool."""
        return self.pool.view(self.rows, "segment_row")[::SIDES]

    @property
    def history(self) -> Array:
        """(pairs, 2, 60) ring buffer of the states of the last second."""
        return self._paired("history")

    def readings(self) -> list[Reading]:
        """Where the feet have found hold, how many stand, and what each leg does."""
        if not len(self):
            return []
        stood = (self.history == LegState.STANCE).any(axis=-1)
        state, total = self.state, self.rows.size
        standing = int((state == LegState.STANCE).sum())
        told = [Reading("bar", "legs standing", "amber", standing / total, text=f"{standing}/{total}")]
        if not (state == LegState.TUCKED).any():  # legs that are folded under water feel for no ground
            footing = "IN AIR" if not stood.any() else "ON GROUND" if stood.mean() >= STANDING_SHARE else "LANDING"
            told.append(Reading("word", "footing", "amber", text=footing))
        for side, name in enumerate(("left legs", "right legs")):
            told.append(Reading("strip", name, values=state[:, side], states=STATE_TONES))
        return told

    def _paired(self, name: str) -> Array:
        flat = self.pool.view(self.rows, name)
        return flat.reshape(-1, SIDES, *flat.shape[1:])

    def __len__(self) -> int:
        return self.rows.size // SIDES


@lru_cache(maxsize=REMEMBERED)
def leg_layout(spec: LegSpec, segments: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """Segment, hip and links of every leg of a species: the same for all that are born."""
    on_segments = np.repeat(segments, SIDES)
    pairs = len(segments)
    side = np.tile([1.0, -1.0], pairs)
    growth = 1.0 + spec.tail_growth * np.repeat(np.linspace(0.0, 1.0, pairs), SIDES)
    hips = np.array(spec.hip) * np.stack([np.ones_like(side), side, np.ones_like(side)], axis=1)
    links = np.column_stack([growth[:, None] * np.array(spec.links), np.full(len(growth), spec.ankle)])
    return on_segments, hips, links


def renew_legs(creature: Creature, spec: LegSpec, pool: LegPool, rows: Rows) -> None:
    """Legs as the species has them. Those of a piece of an animal are as long as where they were, see `tail_growth`."""
    grown = pool.links[rows.slice, Link.L1] / spec.links[0]
    write_legs(pool, rows, spec, creature.rows["segments"].start, spec.segments(creature.species.specs))
    if is_piece(creature.species):
        least, most = sorted((1.0, 1.0 + spec.tail_growth))
        pool.links[rows.slice, : Link.GAMMA] = np.clip(grown, least, most)[:, None] * np.array(spec.links)


def write_legs(pool: LegPool, rows: Rows, spec: LegSpec, first_segment: int, segments: tuple[int, ...]) -> None:
    """Update where the legs of one body hang, and how long they are."""
    on_segments, hips, links = leg_layout(spec, segments)
    pool.segment_row[rows.slice] = first_segment + on_segments
    pool.hip[rows.slice], pool.links[rows.slice] = hips, links


def fill_legs(birth: Birth, spec: LegSpec, pool: LegPool, rows: Rows) -> None:
    """Every leg starts somewhere in its swing, so that the wave has to form by itself."""
    write_legs(pool, rows, spec, birth.rows["segments"].start, spec.segments(birth.species.specs))
    draw = birth.world.streams["legs"]
    pool.state[rows.slice] = draw.integers(LegState.SF1, LegState.STANCE, size=rows.size)
    pool.angles[rows.slice] = draw.uniform((-0.6, 0.0, 0.2), (0.6, 0.6, 0.8), size=(rows.size, 3))
    pool.tip[rows.slice] = pool.tip_before[rows.slice] = birth.world.pool(SegmentPool).position[pool.segment_row[rows.slice]]
