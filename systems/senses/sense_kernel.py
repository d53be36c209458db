"""What a head with antennae learns in one tick: what they touch and smell, and how far the way is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ...components.antennae import Sense
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ..legs.segment_frame_kernel import segment_frame
from .antenna_kernel import move_antennae
from .clearance_kernel import leading_end, look_ahead
from .smell_kernel import smell_with_antennae
from .touch_kernel import touch_with_antennae

if TYPE_CHECKING:
    from ...components.antennae import AntennaPool
    from ...components.body import BodyPool
    from ...components.head_command import HeadCommandPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array
    from ...engine.props import FoodPool
    from ..spatial_index.index import Around


@kernel()
def sense_one(c: int, bodies: BodyPool, segments: SegmentPool, heads: HeadCommandPool, antennae: AntennaPool, food: FoodPool,
              around: Around, dt: float) -> None:  # fmt: skip
    """Move the antennae of one creature, note what they touch and smell, and look how far its head may go."""
    frame = segment_frame(segments.position, segments.orientation, int64(bodies.first_segment[c]))
    clearance, look_range = antennae.parameters[c, Sense.HEAD_CLEARANCE], antennae.parameters[c, Sense.LOOK_RANGE]
    move_antennae(c, frame, antennae, dt)
    touch_with_antennae(c, frame, antennae, around, dt)
    rear = segment_frame(segments.position, segments.orientation, leading_end(c, bodies, True)[0])
    look_ahead(frame, rear, clearance, look_range, around, antennae.free_path[c], antennae.barrier[c], heads.way[c])
    smell_with_antennae(c, antennae, food, around)


@kernel(parallel=True)
def sense(rows: Array, bodies: BodyPool, segments: SegmentPool, heads: HeadCommandPool, antennae: AntennaPool,
          food: FoodPool, around: Around, dt: float) -> None:  # fmt: skip
    """Update antennae, contacts, smells, free paths, barriers and ways of all listed creatures."""
    for r in prange(rows.size):
        sense_one(int64(rows[r]), bodies, segments, heads, antennae, food, around, dt)
