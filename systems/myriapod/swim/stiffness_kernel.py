"""Active muscles are stiff muscles: the Lame parameters of a block rise with its contraction. [Fang15 7.2]

The source names it as future work. It is off unless a species asks for it. Substeps are counted for the stiffest state, so
steps stay stable. The cheap tiers keep the stiffness at rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.myriapod.muscles import Muscle
from ....components.myriapod.tissue import Elastic, Side
from ....engine.kernel import kernel
from ....engine.kernel_types import int64

if TYPE_CHECKING:
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.muscles import MusclePool
    from ....components.myriapod.tissue import TissuePool

SHORTEST, STIFFENING = int(Muscle.SHORTEST), int(Muscle.STIFFENING)


@kernel()
def stiffen_one(c: int, chains: ChainPool, blocks: TissuePool, muscles: MusclePool) -> None:
    """Set the Lame parameters of the blocks of creature `c` from the shortest of their four sides."""
    own, lame, lengths, elastic = muscles.parameters[c], muscles.lame[c], blocks.lengths, blocks.elastic
    if own[STIFFENING] == 0.0:
        return
    first = int64(chains.first_block[c])
    for i in range(first, first + chains.block_count[c]):
        shortest = min(lengths[i, Side.LEFT], lengths[i, Side.RIGHT])
        shortest = min(shortest, min(lengths[i, Side.TOP], lengths[i, Side.BOTTOM]))
        activity = min(max((1.0 - shortest) / (1.0 - own[SHORTEST]), 0.0), 1.0)
        elastic[i, Elastic.MU] = lame[Elastic.MU] * (1.0 + own[STIFFENING] * activity)
        elastic[i, Elastic.LAMBDA] = lame[Elastic.LAMBDA] * (1.0 + own[STIFFENING] * activity)
