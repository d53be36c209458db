"""The rigid segments of a body: a chain of boxes, head first, that carry legs and are joined by soft tissue."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.column_rules import COUNT, FLAG, MOTION, OF_ONE_BODY, POSITIVE, SIZE, Turn, Within
from ..engine.parts import Birth, SpecProblem
from ..engine.pool import Array, MovedFrom, Pool, Rows, column, view
from ..engine.readings import Reading
from ..engine.spatial_hash import SOLID_CELL
from ..engine.spec import integer, number

if TYPE_CHECKING:
    from ..engine.species import Species

MOST_BODY_CELLS = 25_000
"""Cells of the index of bodies that one may lie in: 400 segments of 10 units, or two of 100."""

MOST_SEGMENTS = 400

DRY_LEVEL = -1e6
"""Units: the water level of a segment that has no water below or above it."""


@dataclass(frozen=True)
class SegmentSpec:
    """The ``[segments]`` table: how many boxes and how large. [Fang15 3.1]"""

    count: int = integer(low=1, high=MOST_SEGMENTS, doc="rigid segments including head and tail")
    length: float = number(1.0, unit="u", low=0.01, high=100.0, doc="along the body")
    width: float = number(1.0, unit="u", low=0.01, high=100.0, doc="across the body")
    height: float = number(1.0, unit="u", low=0.01, high=100.0, doc="thickness")
    density: float = number(1.0, low=0.01, high=100.0, doc="relative to water")
    tail_taper: float = number(0.0, low=0.0, high=0.8, doc="how much narrower the last segment is than the others")
    taper_segments: int = integer(6, low=1, high=40, doc="segments over which the tail narrows")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return self.count

    def check(self, specs: dict[str, Any]) -> None:
        """A body that lies in too many cells of the index of bodies would be looked up for ever."""
        gap = getattr(specs.get("tissue"), "length", 0.0)
        cells = ((self.length + gap + self.width) / SOLID_CELL + 2.0) ** 2
        if self.count * cells > MOST_BODY_CELLS:
            size = f"segments of {self.length:g} x {self.width:g} u, {gap:g} u apart"
            most = max(int(MOST_BODY_CELLS / cells), 1)
            raise SpecProblem("count", self.count, f"at most {most} {size}")

    def half_extents(self) -> Array:
        """(count, 3) half sizes of every box, head first."""
        from_tail = np.arange(self.count)[::-1]
        narrow = 1.0 - self.tail_taper * np.clip(1.0 - from_tail / self.taper_segments, 0.0, 1.0)
        scale = np.stack([np.ones(self.count), narrow, narrow], axis=1)
        halves: Array = 0.5 * scale * np.array([self.length, self.width, self.height])
        return halves


CARRIED, HANGING, WET = range(3)
HELD_BY = (("carried", "amber"), ("hanging", "grey"), ("in water", "blue"))
"""What may hold a segment, with the tones of its cell in a panel."""


class Push(IntEnum):
    """Columns of `SegmentPool.push`: a force and a torque."""

    FX = 0
    FY = 1
    FZ = 2
    TX = 3
    TY = 4
    TZ = 5


class SegmentPool(Pool):
    """Segments of all creatures, head first. Vectors in world axes unless the name says otherwise; quaternions are wxyz.

    This is the common language of all families; what one of them needs besides is in a pool `beside` this one. Whatever
    physics moves an animal, by the end of the MOVE phase it has written position, orientation and the two velocities of
    its segments, has read and cleared ``push``, and has set ``submerged``. Hit tests, rays, touch, sight, wakes,
    attachments, pushes and cameras read these and never ask further.
    """

    format = 4

    # of every animal
    position = column(np.float64, 3, holds=OF_ONE_BODY)  # centre
    orientation = column(np.float64, 4, holds=Turn())  # body to world
    velocity = column(np.float64, 3, holds=MOTION)
    angular_velocity = column(np.float64, 3, holds=MOTION)
    half_extents = column(np.float64, 3, holds=SIZE, fixed=True)
    mass = column(np.float64, holds=POSITIVE, fixed=True)  # with whatever is bound to it
    submerged = column(np.uint8, holds=FLAG)
    water_level = column(np.float64, fill=DRY_LEVEL)  # height of the water surface at the segment
    water_velocity = column(np.float64, 3, holds=MOTION)  # of the water around the segment, horizontal
    # what water and body do to each other within a tick; 0 between ticks
    water_impulse = column(np.float64, 2, since=2, holds=MOTION)  # horizontal momentum that the water gave
    felt_water = column(np.uint8, since=2, holds=FLAG)  # 1: it moved freely under the force of the water
    push = column(np.float64, len(Push), holds=Within(-1e12, 1e12))  # outside force and torque during the next tick
    # force of the bodies that press against it in this tick, and how many capsules of theirs do
    press = column(np.float64, 3, since=4, older=MovedFrom("ChainSegmentPool", "press"), holds=Within(-1e12, 1e12))
    contacts = column(np.int32, since=4, holds=COUNT)
    # carried by a leg on the ground; 0 in families that do not say: the handle, exports and overlays show it of all animals
    supported = column(np.uint8, holds=FLAG)


class Segments:
    """The segments of one creature, head first."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: SegmentPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    position = view("position", "(n, 3) centres")
    orientation = view("orientation", "(n, 4) quaternions wxyz, body to world")
    velocity = view("velocity", "(n, 3) u/s")
    angular_velocity = view("angular_velocity", "(n, 3) rad/s")
    half_extents = view("half_extents", "(n, 3) half sizes along the segment's own axes")
    mass = view("mass", "(n,)")

    contacts = view("contacts", "(n,) capsules of other bodies that press against it")

    @property
    def supported(self) -> Array:
        """(n,) bool: carried by a leg on the ground."""
        return self.pool.view(self.rows, "supported").view(np.bool_)

    @property
    def submerged(self) -> Array:
        """(n,) bool: its centre is under water."""
        return self.pool.view(self.rows, "submerged").view(np.bool_)

    def readings(self) -> list[Reading]:
        """What carries each segment."""
        held_by = np.where(self.submerged, WET, np.where(self.supported, CARRIED, HANGING))
        return [Reading("cells", f"{len(self)} segments", values=held_by, states=HELD_BY)]

    def __len__(self) -> int:
        return self.rows.size


def is_piece(species: Species) -> bool:
    """Whether this is a piece that was cut off an animal: the key of such a species ends with its place, ``eel[0:8]``."""
    return species.key.endswith("]") and "[" in species.key


def fill_segments(birth: Birth, spec: SegmentSpec, pool: SegmentPool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    """Where the segments of a newborn are is its family's business."""
    birth.family.place(birth, spec, rows)
