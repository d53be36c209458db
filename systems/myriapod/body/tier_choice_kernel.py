"""Which tier a body can really be stepped at: the bush tier knows chains on land only."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from ....engine.creature import BUSH, FULL
from ....engine.kernel import kernel
from .water_force_kernel import touches_water


@kernel()
def is_chain(c, bodies, chains, blocks):
    """Return whether block k of creature `c` joins its segments k and k + 1, for all segments."""
    first, row = bodies.first_segment[c], chains.first_block[c]
    segment_a, segment_b = blocks.segment_a, blocks.segment_b
    if chains.block_count[c] != bodies.segment_count[c] - 1:
        return False
    for k in range(chains.block_count[c]):
        if segment_a[row + k] != first + k or segment_b[row + k] != first + k + 1:
            return False
    return True


@kernel()
def promote_bodies(rows, bodies, chains, segments, blocks, tiers):
    """Raise the tiers of the listed creatures from bush to full where the body is no chain, or touches water.

    Drag needs the nodes between the segments. [numerics-study 5]
    """
    for k in range(rows.shape[0]):
        if tiers[k] != BUSH:
            continue
        c = rows[k]
        first, count = np.int64(bodies.first_segment[c]), np.int64(bodies.segment_count[c])
        if not is_chain(c, bodies, chains, blocks) or touches_water(first, count, segments):
            tiers[k] = FULL


@kernel()
def sort_by_tier(rows, bodies, chains, tiers, order, ends):
    """Sort the rows by tier into `order`, write where each tier ends into `ends`, and return three numbers.

    They are the most segments and the most blocks of a body, and how many bodies had another tier in the tick before.
    """
    segments, blocks, changed, place = 0, 0, 0, 0
    for tier in range(ends.shape[0]):
        for k in range(rows.shape[0]):
            if tiers[k] == tier:
                order[place] = rows[k]
                place += 1
        ends[tier] = place
    for k in range(rows.shape[0]):
        c = rows[k]
        segments, blocks = max(segments, bodies.segment_count[c]), max(blocks, chains.block_count[c])
        changed += chains.previous_tier[c] != tiers[k]
    return segments, blocks, changed
