"""Level keeping: top and bottom muscles hold what is in the water level while other parts of a body are on the ground.

Tissue stiff enough to swim with is a stiff beam, too: without this the tail of an animal on a bank would point down along
the slope, to the bed, and the head of one that wades in would be pushed down to it. Every block behind something that is on
the ground bends so that the segment behind it lies level, whatever the segment ahead does; every block ahead of the first
ground does the same for the segment ahead of it. A free swimmer has nothing to push against and is left to its buoyancy.
The source leaves top and bottom muscles as future work. [Fang15 7.2; myriapoda 1.11]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.myriapod.muscles import Muscle
from ....components.myriapod.tissue import Side
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import limited
from ...legs.segment_frame_kernel import segment_frame

if TYPE_CHECKING:
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.muscles import MusclePool
    from ....components.myriapod.tissue import TissuePool
    from ....components.segments import SegmentPool

SHORTEST, TURN_TIME, LIFT = int(Muscle.SHORTEST), int(Muscle.TURN_TIME), int(Muscle.LIFT)


@kernel()
def is_beached(c: int, chains: ChainPool, segments: SegmentPool, blocks: TissuePool) -> bool:
    """Return whether a segment of creature `c` is out of the water."""
    first = int64(chains.first_block[c])
    for i in range(first, first + chains.block_count[c]):
        if segments.submerged[blocks.segment_b[i]] == 0:
            return True
    return False


@kernel()
def level_one(c: int, relaxed: bool, chains: ChainPool, segments: SegmentPool, blocks: TissuePool, muscles: MusclePool,
              dt: float) -> None:  # fmt: skip
    """Bend the blocks of creature `c` by their tops and bottoms; the sides give way where both would be too short.

    Tops and bottoms of relaxed muscles go back to their own length.
    """
    position, orientation, submerged = segments.position, segments.orientation, segments.submerged
    own, size, lengths = muscles.parameters[c], blocks.size, blocks.lengths
    step = own[LIFT] * dt / own[TURN_TIME]
    held, beached = False, is_beached(c, chains, segments, blocks)  # by ground ahead; by ground anywhere behind the head
    first = int64(chains.first_block[c])
    for i in range(first, first + chains.block_count[c]):
        a, b = blocks.segment_a[i], blocks.segment_b[i]
        held = held or submerged[a] == 0
        # Of the top, as a share of the block; of the bottom if negative. fz: sine of the angle by which a segment points
        # upward; uz: 1 upright, -1 on its back, where its bottom is what is above.
        shorter = 0.0
        if not relaxed and held and submerged[b] != 0:
            frame = segment_frame(position, orientation, a)
            shorter = frame.fz * frame.uz
        elif not relaxed and beached and not held:
            frame = segment_frame(position, orientation, b)
            shorter = -frame.fz * frame.uz
        shorter = limited(shorter * size[i, 2] / size[i, 0], -own[LIFT], own[LIFT])
        lengths[i, Side.TOP] += limited(1.0 - max(shorter, 0.0) - lengths[i, Side.TOP], -step, step)
        lengths[i, Side.BOTTOM] += limited(1.0 + min(shorter, 0.0) - lengths[i, Side.BOTTOM], -step, step)
        least = own[SHORTEST] / min(lengths[i, Side.TOP], lengths[i, Side.BOTTOM])
        for side in range(2):
            lengths[i, side] = max(lengths[i, side], least)
