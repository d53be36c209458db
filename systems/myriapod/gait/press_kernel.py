"""What a chain does about the bodies that press against it: free segments are pushed, led ones give way (`crowd_kernel`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import int64

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array


@kernel(refcount=False)
def is_held(i: int, first: int, end: int, chained: ChainSegmentPool) -> bool:
    """Return whether a neighbour of a segment is led: that one gives way, a push on what hangs on it folds the joint."""
    kinematic = chained.kinematic
    return (i > first and kinematic[i - 1] != 0) or (i + 1 < end and kinematic[i + 1] != 0)


@kernel(parallel=True)
def take_presses(rows: Array, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool) -> None:
    """Update the pushes on segments of the listed chains by what presses against them, but for those that are held."""
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        first = int64(bodies.first_segment[c])
        end = first + int64(bodies.segment_count[c])
        press, push = segments.press, segments.push
        for i in range(first, end):
            if is_held(i, first, end, chained):
                continue
            for axis in range(3):
                push[i, axis] += press[i, axis]
