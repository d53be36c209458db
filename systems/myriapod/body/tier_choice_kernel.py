"""Which tier a body can really be stepped at: the bush tier knows chains on land only."""

from __future__ import annotations

from ....engine.kernel import kernel
from .water_force_kernel import touches_water


@kernel()
def is_chain(first, count, row, blocks, segment_a, segment_b):
    """Return whether block k of a creature joins its segments k and k + 1, for all segments."""
    if blocks != count - 1:
        return False
    for k in range(blocks):
        if segment_a[row + k] != first + k or segment_b[row + k] != first + k + 1:
            return False
    return True


@kernel()
def promote_bodies(
    rows, bush, full, first_segment, segment_count, first_block, block_count, segment_a, segment_b, position,
    half_extents, water_level, tiers,
):  # fmt: skip
    """Update tiers of the listed creatures from `bush` to `full` where the body is no chain, or touches water.

    Drag needs the nodes between the segments. [numerics-study 5]
    """
    for k in range(rows.shape[0]):
        if tiers[k] != bush:
            continue
        c = rows[k]
        first, count = first_segment[c], segment_count[c]
        chain = is_chain(first, count, first_block[c], block_count[c], segment_a, segment_b)
        if not chain or touches_water(first, count, position, half_extents, water_level):
            tiers[k] = full


@kernel()
def sort_by_tier(rows, tiers, previous, segment_count, block_count, order, ends):
    """Update order to the rows, tier by tier, and ends to where each tier's end; return three numbers.

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
        segments, blocks = max(segments, segment_count[c]), max(blocks, block_count[c])
        changed += previous[c] != tiers[k]
    return segments, blocks, changed
