"""Which rows belong to a body, and where in its scratch the ends of a block are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .scratch_layout import SEGMENT_STRIDE

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.tissue import TissuePool


@kernel()
def body_rows(c: int, bodies: BodyPool, chains: ChainPool) -> tuple[int, int, int, int]:
    """Return first segment, number of segments, first block and number of blocks of creature `c`."""
    return (
        int64(bodies.first_segment[c]),
        int64(bodies.segment_count[c]),
        int64(chains.first_block[c]),
        int64(chains.block_count[c]),
    )


@kernel()
def block_ends(i: int, first: int, blocks: TissuePool) -> tuple[int, int]:
    """Return where in scratch the two segments of block `i` are, for a creature whose segments begin at row `first`."""
    a, b = int64(blocks.segment_a[i]), int64(blocks.segment_b[i])
    return (a - first) * SEGMENT_STRIDE, (b - first) * SEGMENT_STRIDE
