"""Which rows belong to a body, and where in its scratch the ends of a block are."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from ....engine.kernel import kernel
from .scratch_layout import SEGMENT_STRIDE


@kernel()
def body_rows(c, bodies, chains):
    """Return first segment, number of segments, first block and number of blocks of creature `c`."""
    return (
        np.int64(bodies.first_segment[c]),
        np.int64(bodies.segment_count[c]),
        np.int64(chains.first_block[c]),
        np.int64(chains.block_count[c]),
    )


@kernel()
def block_ends(i, first, blocks):
    """Return where in scratch the two segments of block `i` are, for a creature whose segments begin at row `first`."""
    a, b = np.int64(blocks.segment_a[i]), np.int64(blocks.segment_b[i])
    return (a - first) * SEGMENT_STRIDE, (b - first) * SEGMENT_STRIDE
