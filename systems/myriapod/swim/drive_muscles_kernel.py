"""All that muscles do in a tick: sides beat, tops and bottoms hold what climbs out level, active tissue stiffens."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .hold_up_kernel import level_one
from .muscle_kernel import contract_one, is_relaxed
from .stiffness_kernel import stiffen_one

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.head_command import HeadCommandPool
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.myriapod.muscles import MusclePool
    from ....components.myriapod.tissue import TissuePool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array


@kernel(parallel=True)
def drive_muscles(rows: Array, creatures: CreaturePool, bodies: BodyPool, chains: ChainPool, segments: SegmentPool,
                  chained: ChainSegmentPool, blocks: TissuePool, muscles: MusclePool, heads: HeadCommandPool,
                  dt: float) -> None:  # fmt: skip
    """Set rest lengths and stiffness of the blocks of the creatures in `rows`, by what heads want and where bodies are wet.

    Muscles of the dead relax, and so do those of creatures that kinematics alone lead.
    """
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        relaxed = is_relaxed(c, creatures)
        contract_one(c, relaxed, bodies, chains, segments, chained, blocks, muscles, heads, dt)
        level_one(c, relaxed, chains, segments, blocks, muscles, dt)
        stiffen_one(c, chains, blocks, muscles)
