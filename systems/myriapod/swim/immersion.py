"""ImmersionSystem: how deep every segment is in the water, and where between ground and water a body is.

Only animals with muscles are lifted and held by water. Without them an animal is too heavy or too dumb to swim: it walks on
the bed as on any ground, and its body drifts only once it is dead.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

import numpy as np

from ....components.body import BodyPool
from ....components.legs import LegPool
from ....components.myriapod.chain import ChainPool
from ....components.myriapod.chain_segments import ChainSegmentPool
from ....components.myriapod.muscles import MusclePool
from ....components.segments import SegmentPool
from .immersion_kernel import latch_modes, sample_immersion

if TYPE_CHECKING:
    from ....engine.world import World

LEVEL_TIME = 0.3
"""Seconds over which a body feels the mean of the surface: a swimmer would else ride on the ripples of its own beat."""


class ImmersionSystem:
    """Update water level and submerged flags of all segments that can swim, and the water modes of their bodies."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.body, self.segments, self.muscles = world.pool(BodyPool), world.pool(SegmentPool), world.pool(MusclePool)
        self.legs, self.chain, self.chained = world.pool(LegPool), world.pool(ChainPool), world.pool(ChainSegmentPool)

    def process(self, dt: float) -> None:
        if not self.world.water.grids:
            return
        b, s = self.body, self.segments
        swimmers, bodies = self.muscles.spans[:, 0], self.chain.spans[:, 0]
        drifting = np.setdiff1d(bodies[self.world.creature_pool.dead[bodies] != 0], swimmers)
        rows = np.concatenate([swimmers, drifting.astype(swimmers.dtype)])
        sample_immersion(rows, b, s, self.chained, self.world.water.arrays, 1.0 - exp(-dt / LEVEL_TIME))
        latch_modes(np.ascontiguousarray(swimmers), b, self.chain, s, self.legs)
