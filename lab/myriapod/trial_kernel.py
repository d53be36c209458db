"""Swimmers of a study: one for many ticks without Python in between, which is what a sweep spends its time in, or many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ...components.myriapod.tissue import MUSCLE_SIDES
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...systems.myriapod.body.full_tier_kernel import step_one_full
from ...systems.myriapod.swim.muscle_kernel import contract_one, is_relaxed
from ...systems.myriapod.swim.stiffness_kernel import stiffen_one

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.head_command import HeadCommandPool
    from ...components.myriapod.chain import ChainPool
    from ...components.myriapod.chain_segments import ChainSegmentPool
    from ...components.myriapod.muscles import MusclePool
    from ...components.myriapod.tissue import TissuePool
    from ...components.segments import SegmentPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array

CENTER, POWER = 0, 3
"""Columns of a trace: x, y, z of the mean of the segment centres, work against the water per second."""
TRACE_COLUMNS = 4


@kernel()
def trace_tick(c: int, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, trace: Array, at: int) -> None:
    """Write into row `at` of a trace where creature `c` is and what it spends."""
    first, count, position = int64(bodies.first_segment[c]), int64(bodies.segment_count[c]), segments.position
    for d in range(3):
        total = 0.0
        for i in range(first, first + count):
            total += position[i, d]
        trace[at, CENTER + d] = total / count
    trace[at, POWER] = chains.water_power[c]


@kernel()
def keep_lengths(c: int, chains: ChainPool, blocks: TissuePool) -> None:
    """Take the muscle lengths of creature `c` as those at the start of the tick that follows."""
    lengths, lengths_before, first = blocks.lengths, blocks.lengths_before, int64(chains.first_block[c])
    for i in range(first, first + chains.block_count[c]):
        for side in range(MUSCLE_SIDES):
            lengths_before[i, side] = lengths[i, side]


@kernel()
def swim_tick(c: int, creatures: CreaturePool, bodies: BodyPool, chains: ChainPool, segments: SegmentPool,
              chained: ChainSegmentPool, blocks: TissuePool, muscles: MusclePool, heads: HeadCommandPool, contact: Array,
              dt: float, scratch: Array) -> None:  # fmt: skip
    """Let creature `c` swim for one tick: muscles, then the body."""
    keep_lengths(c, chains, blocks)
    contract_one(c, is_relaxed(c, creatures), bodies, chains, segments, chained, blocks, muscles, heads, dt)
    stiffen_one(c, chains, blocks, muscles)
    step_one_full(c, bodies, chains, segments, chained, blocks, contact, dt, scratch)


@kernel()
def swim_ticks(creatures: CreaturePool, bodies: BodyPool, chains: ChainPool, segments: SegmentPool,
               chained: ChainSegmentPool, blocks: TissuePool, muscles: MusclePool, heads: HeadCommandPool, contact: Array,
               dt: float, scratch: Array, trace: Array) -> None:  # fmt: skip
    """Let creature 0 swim for as many ticks as the trace has rows, and write the trace.

    It lets go of the interpreter, so that threads measure one swimmer each.
    """
    for tick in range(trace.shape[0]):
        swim_tick(0, creatures, bodies, chains, segments, chained, blocks, muscles, heads, contact, dt, scratch)
        trace_tick(0, bodies, chains, segments, trace, tick)


@kernel(parallel=True)
def swim_together(rows: Array, creatures: CreaturePool, bodies: BodyPool, chains: ChainPool, segments: SegmentPool,
                  chained: ChainSegmentPool, blocks: TissuePool, muscles: MusclePool, heads: HeadCommandPool, contact: Array,
                  dt: float, scratch: Array) -> None:  # fmt: skip
    """Let the creatures in `rows` swim for one tick, each in its own water and with its own row of scratch."""
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        swim_tick(c, creatures, bodies, chains, segments, chained, blocks, muscles, heads, contact, dt, scratch[r])
