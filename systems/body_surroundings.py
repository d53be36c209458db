"""What a body in the water can run into, and what pulls it down: one record for kernels of all families that swim."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..engine.bundle import repacked
from ..engine.terrain.ground_layout import Ground
from ..engine.water.pond_layout import WaterArrays
from .spatial_index.index import SpatialIndex

if TYPE_CHECKING:
    from ..engine.pool import Array
    from ..engine.spatial_hash import SpatialHash
    from ..engine.world import World


class BodySurroundings(NamedTuple):
    """Ground, water, obstacles, edges and gravity as of this tick. Read-only for kernels."""

    ground: Ground
    water: WaterArrays
    solids: Array
    solid_hash: SpatialHash
    bounds: Array
    gravity: float


def body_surroundings(world: World, before: BodySurroundings | None) -> BodySurroundings:
    """What is around bodies now, packed for kernels. before: what this gave last time, which is written anew."""
    index, gravity = world.resource(SpatialIndex), world.map.physics.gravity
    now = BodySurroundings(world.terrain.ground, world.water.arrays, index.solids, index.solid_hash, index.bounds, gravity)
    return repacked(before, now)
