"""The body as a whole: one row per creature with where its segments and legs begin."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.column_rules import COUNT, FLAG, LARGEST, MOTION, NOBODY, SERIAL, Codes, SpanOf, Within
from ..engine.parts import SpecProblem
from ..engine.pool import Array, MovedFrom, Pool, Rows, column
from ..engine.spec import number
from .leg_states import HISTORY_TICKS

if TYPE_CHECKING:
    from ..engine.parts import Birth


ALWAYS_FELT = LARGEST
"""Half widths or half heights: more than there is water anywhere."""


class Physics(IntEnum):
    """What moves the segments of a body."""

    CHAIN = 0  # rigid segments joined by soft tissue, one behind the other
    SPRINGS = 1  # nodes and springs; segments are their means
    LINKS = 2  # rigid links on joints
    TRUNK = 3  # one rigid trunk on legs
    OWN = 4  # something else: a mod's


class Answer(IntEnum):
    """How a body answers to those that press against it: ``bodies.answer[row] == Answer.NUDGE``."""

    PUSH = 0  # the forces on its segments are added to `SegmentPool.push`
    WHOLE = 1  # so are they, but what they move is the whole body: one far away that keeps its shape
    NUDGE = 2  # it stands on its feet: `nudge` moves it aside as a whole, and only what would topple it is a push
    OWN = 3  # its family reads `SegmentPool.press` itself
    NONE = 4  # it neither presses nor is pressed


@dataclass(frozen=True)
class BodySpec:
    """The ``[body]`` table."""

    ride_height: float = number(1.0, unit="u", low=0.05, high=100.0, doc="segment centres above the ground when walking")
    birth_bend: float = number(0.0, unit="deg", low=0.0, high=60.0,
                               doc="how far the body of a newborn chain swings to either side of its way; 0 is straight")
    birth_wave: float = number(60.0, unit="u", low=1.0, high=10000.0, doc="length of body from one such swing to the next")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if "segments" not in specs:
            raise SpecProblem("", "a body without segments", "a species that also has a [segments] table")
        if self.ride_height < specs["segments"].height / 2:
            raise SpecProblem("ride_height_u", self.ride_height, "at least half the segments' height_u, or the belly drags")


def trailed(physics: Array) -> Array:
    """Whether the segments of bodies of an older save trail: those of chains did."""
    return (physics == Physics.CHAIN).astype(np.uint8)


def were_unfelt(widths: dict[Physics, float]) -> MovedFrom:
    """How deep bodies of an older save are unfelt by the water, which it told by what moves them."""

    def convert(physics: Array) -> Array:
        depths = np.full(physics.shape, ALWAYS_FELT)
        for code, depth in widths.items():
            depths[physics == code] = depth
        return depths

    return MovedFrom("BodyPool", "physics", convert)


def answered(physics: Array) -> Array:
    """How bodies of an older save answer to those that press, which it told by what moves them."""
    own = {Physics.CHAIN: Answer.OWN, Physics.TRUNK: Answer.NUDGE}
    answers = np.full(physics.shape, Answer.PUSH, np.uint8)
    for code, answer in own.items():
        answers[physics == code] = answer
    return answers


class BodyPool(Pool):
    """One row per creature, aligned with `CreaturePool`. Which physics moves it is its family's business.

    Code that all families share never asks for it: the flags below say what it has to know, and families write them.
    """

    aligned = True
    format = 4

    first_segment = column(np.int32, holds=SpanOf("SegmentPool", "segment_count"))
    segment_count = column(np.int32, holds=COUNT)
    first_leg = column(np.int32, holds=SpanOf("LegPool", "leg_count"))
    leg_count = column(np.int32, holds=COUNT)
    physics = column(np.uint8, since=2, holds=Codes(len(Physics)), fixed=True)  # a `Physics`
    # 1: capsules join neighbouring centres, 0: each segment is one along its x
    linked = column(np.uint8, fill=1, since=2, holds=FLAG, fixed=True)
    # 1: its segments trail behind each other, bend as its way did, and the last leads backward; 0: the first leads both ways
    trailing = column(np.uint8, since=3, older=MovedFrom("BodyPool", "physics", trailed, otherwise=1), holds=FLAG,
                      fixed=True)
    # half widths and half heights of water above a segment from which on it slips through, and no whole columns of water
    # have to give way to it: the lesser of both
    unfelt_widths = column(np.float64, fill=ALWAYS_FELT, since=3, holds=Within(0.0, ALWAYS_FELT), fixed=True,
                           older=were_unfelt({Physics.SPRINGS: 4.0, Physics.LINKS: 1.5}))
    unfelt_heights = column(np.float64, fill=ALWAYS_FELT, since=3, holds=Within(0.0, ALWAYS_FELT), fixed=True,
                            older=were_unfelt({Physics.LINKS: 1.5}))
    # an `Answer`
    answer = column(np.uint8, fill=Answer.PUSH, since=4, holds=Codes(len(Answer)),
                    older=MovedFrom("BodyPool", "physics", answered, otherwise=Answer.OWN))
    # serial number of the one that it does not press against, nor against others bound to that one: its family writes it
    bond = column(np.int64, fill=NOBODY, since=4, holds=SERIAL)
    # u/s in the plan view by which others push it aside in this tick
    nudge = column(np.float64, 2, since=4, older=MovedFrom("TrunkPool", "nudge"), holds=MOTION)
    # next place in leg histories
    history_cursor = column(np.int32, since=2, older=MovedFrom("GaitPool", "history_cursor"), holds=Codes(HISTORY_TICKS))


class Body:
    """What one creature's body is made of."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: BodyPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def physics(self) -> Physics:
        """What moves its segments."""
        return Physics(int(self.pool.view(self.rows, "physics")[0]))


def fill_body(birth: Birth, spec: BodySpec, pool: BodyPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    """Where its segments and legs begin. What moves it, and how its segments hang together, its family writes."""
    find_rows(pool, rows.start, birth.rows)


def write_kind(pool: BodyPool, row: int, physics: Physics, *, linked: int = 1, trailing: int = 0,
               unfelt_widths: float = ALWAYS_FELT, unfelt_heights: float = ALWAYS_FELT) -> None:  # fmt: skip
    """Say what moves the body of a creature, and what all families have to know about it."""
    pool.physics[row], pool.linked[row], pool.trailing[row] = physics, linked, trailing
    pool.unfelt_widths[row], pool.unfelt_heights[row] = unfelt_widths, unfelt_heights


def find_rows(pool: BodyPool, row: int, owned: dict[str, Rows]) -> None:
    """Update where the segments and legs of a creature begin, and how many there are."""
    none = Rows(0, 0, 0)
    segments, legs = owned.get("segments", none), owned.get("legs", none)
    pool.first_segment[row], pool.segment_count[row] = segments.start, segments.size
    pool.first_leg[row], pool.leg_count[row] = legs.start, legs.size
