"""How many substeps blocks need, from their stiffest frequency alone: what trials of single blocks and swimmers take.

Animals of a world are stepped by `stability.steps_needed`, which also asks the frames between the blocks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...components.myriapod.construction.anatomy import STABILITY_SHARE, largest_frequency


def stable_substeps(
    sizes: ArrayLike, elastic: ArrayLike, shortest_length: float, tick: float, share: float = STABILITY_SHARE
) -> int:
    """Substeps per tick that keep the explicit step at this share of its stability limit for every block.

    The mid-plane nodes set the limit, dt < 2 / omega_max, with omega_max the largest generalised eigenvalue over the
    muscle's range of lengths [numerics 3].

    Example::

        stable_substeps([(1, 1, 1)], [(1428.57, 5714.29, 1.0, 50.0)], 0.5, 1 / 60)  # 10
    """
    blocks = {(*map(float, size), *map(float, law[:3])) for size, law in zip(
        np.atleast_2d(np.asarray(sizes, dtype=np.float64)), np.atleast_2d(np.asarray(elastic)), strict=True
    )}  # fmt: skip
    lengths = np.linspace(shortest_length, 1.0, 4)
    fastest = max(
        (largest_frequency((x, y, z), mu, lam, rho, float(at)) for x, y, z, mu, lam, rho in blocks for at in lengths),
        default=0.0,
    )
    return max(1, int(np.ceil(tick * fastest / (2.0 * share))))
