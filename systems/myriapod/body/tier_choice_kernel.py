"""Which tier a body can really be stepped at: the bush tier knows chains on land only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.creature import BUSH, FULL
from ....engine.kernel import kernel
from .body_rows_kernel import body_rows
from .water_force_kernel import touches_water

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.tissue import TissuePool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array


@kernel()
def is_chain(c: int, bodies: BodyPool, chains: ChainPool, blocks: TissuePool) -> bool:
    """Return whether block k of creature `c` joins its segments k and k + 1, for all segments."""
    first, count, row, block_count = body_rows(c, bodies, chains)
    segment_a, segment_b = blocks.segment_a, blocks.segment_b
    if block_count != count - 1:
        return False
    for k in range(block_count):
        if segment_a[row + k] != first + k or segment_b[row + k] != first + k + 1:
            return False
    return True


@kernel()
def possible_tier(c: int, wanted: int, bodies: BodyPool, chains: ChainPool, segments: SegmentPool,
                  blocks: TissuePool) -> int:  # fmt: skip
    """Return the tier of creature `c`: the wanted one, but full if it branches, and instead of bush if it touches water.

    Drag needs the nodes between the segments. [numerics 5]
    """
    if bodies.linked[c] == 0:
        return FULL
    if wanted != BUSH:
        return wanted
    first, count, _, _ = body_rows(c, bodies, chains)
    return BUSH if is_chain(c, bodies, chains, blocks) and not touches_water(first, count, segments) else FULL


@kernel()
def sort_by_tier(rows: Array, creatures: CreaturePool, bodies: BodyPool, chains: ChainPool, segments: SegmentPool,
                 blocks: TissuePool, tiers: Array, order: Array, ends: Array) -> tuple[int, int, int]:  # fmt: skip
    """Find the tier of each of the rows, sort them by tier into `order`, and write where each tier ends into `ends`.

    Return three numbers: the most segments and the most blocks of a body, and how many bodies had another tier in the
    tick before.
    """
    most_segments, most_blocks, changed, place = 0, 0, 0, 0
    for k in range(rows.shape[0]):
        c = rows[k]
        tiers[k] = possible_tier(c, creatures.tier[c], bodies, chains, segments, blocks)
        most_segments = max(most_segments, bodies.segment_count[c])
        most_blocks = max(most_blocks, chains.block_count[c])
        changed += chains.previous_tier[c] != tiers[k]
    for tier in range(ends.shape[0]):
        for k in range(rows.shape[0]):
            if tiers[k] == tier:
                order[place] = rows[k]
                place += 1
        ends[tier] = place
    return most_segments, most_blocks, changed
