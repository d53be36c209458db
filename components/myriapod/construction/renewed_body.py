"""The body of a myriapod that is loaded: what follows from its species, and for a piece that was cut off from its own sizes.

A piece has a species of its own, without the taper of the whole: the sizes of its boxes are its own, within those that a
tapered body has, and all else follows from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...body import BodyPool
from ...segments import SegmentPool, SegmentSpec, is_piece
from ..chain import ChainPool, ChainSpec
from ..chain_segments import ChainSegmentPool, ChainSegmentSpec
from ..tissue import Elastic, TissuePool
from .assembly import (
    Blueprint,
    blueprint_of,
    draw_blueprint,
    ride_height_of,
    steps_of,
    write_blocks,
    write_boxes,
    write_chain,
)

if TYPE_CHECKING:
    from ....engine.creature import Creature
    from ....engine.pool import Rows

MOST_NARROWED = 5.0
"""The widest segment of a body against its narrowest: the largest taper is 0.8. So many times the substeps that a piece
needs the whole may have needed."""
LENGTH_ROUNDING = 2.0
"""A piece has its share of the length of the whole by the number of its segments, which is within this factor of its own."""


def renew_body(creature: Creature, spec: ChainSegmentSpec, pool: ChainSegmentPool, rows: Rows) -> None:  # noqa: ARG001
    """Sizes, masses and tissue of the species."""
    world, row, here = creature.world, creature.rows["creature"].start, rows.slice
    blueprint = _blueprint_of(creature)
    segments, skeleton, lengths = world.pool(SegmentPool), blueprint.skeleton, world.creature_pool.length
    segments.half_extents[here], segments.mass[here] = skeleton.half_extents, skeleton.mass
    write_boxes(pool, here, blueprint)
    pool.ride_height[here] = ride_height_of(creature.species)
    if "tissue" in creature.rows:
        _renew_tissue(creature, blueprint, world.pool(TissuePool), creature.rows["tissue"].slice)
    if "chain" in creature.rows:
        write_chain(world.pool(ChainPool), row, blueprint, world.pool(BodyPool))
    own = skeleton.length
    piece = is_piece(creature.species)
    lengths[row] = np.clip(lengths[row], own / LENGTH_ROUNDING, own * LENGTH_ROUNDING) if piece else own


def _blueprint_of(creature: Creature) -> Blueprint:
    world, species = creature.world, creature.species
    chain: ChainSpec | None = species.specs.get("chain")
    if not is_piece(species) or chain is None or chain.is_graph:
        return blueprint_of(world, species)
    spec: SegmentSpec = species.specs["segments"]
    widest = 0.5 * np.array([spec.length, spec.width, spec.height])
    narrowest = widest * (1.0, 1.0 - spec.tail_taper, 1.0 - spec.tail_taper)
    half = np.clip(world.pool(SegmentPool).half_extents[creature.rows["segments"].slice], narrowest, widest)
    tick, substeps = world.clock.tick_seconds, int(world.pool(ChainPool).substeps[creature.rows["creature"].start])
    least = steps_of(species, tick)
    return draw_blueprint(species, tick, half, substeps if least <= substeps <= MOST_NARROWED * least else least)


def _renew_tissue(creature: Creature, blueprint: Blueprint, pool: TissuePool, here: slice) -> None:
    """Blocks as they are at rest; muscles that contract make them stiffer, up to what the species says."""
    write_blocks(pool, here, blueprint, creature.rows["segments"].start)
    muscles = creature.species.specs.get("muscles")
    soft, own = blueprint.elastic, pool.elastic[here].copy()
    stiff = soft * (1.0 + (muscles.stiffening if muscles is not None else 0.0))
    pool.elastic[here] = soft
    for stiffness in (Elastic.MU, Elastic.LAMBDA):
        pool.elastic[here, stiffness] = np.clip(own[:, stiffness], soft[:, stiffness], stiff[:, stiffness])
