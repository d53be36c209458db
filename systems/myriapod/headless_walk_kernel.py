"""How far a body without a head may go. It has no antennae: its foremost segment feels only what closes the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ...components.antennae import Sense
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ..legs.segment_frame_kernel import segment_frame
from ..senses.clearance_kernel import look_ahead

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.head_command import HeadCommandPool
    from ...components.myriapod.headless_walk import GangliaPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array
    from ..spatial_index.index import Around


@kernel()
def look_without_head(c: int, bodies: BodyPool, segments: SegmentPool, heads: HeadCommandPool, headless: GangliaPool,
                      around: Around) -> None:  # fmt: skip
    """Find how far the foremost segment of one body may go, the barrier it has met and the way along it."""
    frame = segment_frame(segments.position, segments.orientation, int64(bodies.first_segment[c]))
    clearance, look_range = headless.senses[c, Sense.HEAD_CLEARANCE], headless.senses[c, Sense.LOOK_RANGE]
    look_ahead(frame, frame, clearance, look_range, around, headless.free_path[c], headless.barrier[c], heads.way[c])


@kernel(parallel=True)
def look_ahead_headless(rows: Array, bodies: BodyPool, segments: SegmentPool, heads: HeadCommandPool, headless: GangliaPool,
                        around: Around) -> None:  # fmt: skip
    """Update free paths, barriers and ways of all listed bodies from the solids and the map edge around."""
    for r in prange(rows.size):
        look_without_head(int64(rows[r]), bodies, segments, heads, headless, around)
