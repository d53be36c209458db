"""Growing: a creature slips into a longer body and goes on from the same pose, in the same step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.leg_states import LegState
from ...components.legs import LegPool
from ...components.myriapod.chain_segments import ChainSegmentPool
from ...components.myriapod.construction.assembly import settle_tissue
from ...components.myriapod.tissue import TissuePool
from ...components.segments import SegmentPool
from ...engine.turns import forward_axes

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.pool import Rows
    from ...engine.world import World

KEPT = {
    "segments": ("position", "orientation", "velocity", "angular_velocity", "supported", "submerged", "water_level",
                 "water_velocity"),
    "chain_segments": ("kinematic", "support_timer", "blend_timer", "height", "ground_point", "ground_normal", "gravity"),
    "legs": ("state", "angles", "tip", "tip_before", "armed", "entered", "events", "history"),
    "antennae": ("angles", "target", "phase", "retracting", "stream", "points"),
    "brain": ("memory", "mode", "stream", "wish"),
    "body": ("history_cursor",),
    "gait": ("stance_share",),
    "head": ("speed", "yaw_rate", "way", "adjusting"),
    "muscles": ("drive", "strength", "beating"),
    "creature": ("position", "velocity", "heading", "goal_kind", "goal_position", "goal_row", "goal_serial", "goal_radius",
                 "goal_speed", "goal_done", "drive"),
}  # fmt: skip
"""What a body keeps when it grows. Sizes and masses are those of the new one."""


def moult(creature: Creature, species: str, reach: float) -> Creature:
    """Replace a creature by a longer one in the same pose; the new segments follow behind the old tail.

    The new body is born on a free place within `reach` of the map's middle and moved at once, so it may raise a
    `SpawnError` only where the map is full. Both species must be alike but for the number of segments.

    Example::

        grown = moult(player, "hunter_of_16_segments", reach=60.0)
    """
    world = creature.world
    grown = world.spawn(species, spread=reach, heading=creature.heading, tier=creature.tier, faction=creature.faction)
    for part, columns in KEPT.items():
        if part in creature.rows and part in grown.rows:
            _keep(world, part, columns, creature.rows[part], grown.rows[part])
    _lay_new_tail(world, len(creature.segments), grown)
    if "tissue" in grown.rows:
        settle_tissue(world.pool(SegmentPool), world.pool(TissuePool), grown.rows["tissue"])
    grown.name = creature.name
    creature.despawn()
    return grown


def _keep(world: World, part: str, columns: tuple[str, ...], old: Rows, new: Rows) -> None:
    pool = world.creature_pool if part == "creature" else world.pool(world.parts[part].pool)
    count = min(old.size, new.size)
    for name in columns:
        values = getattr(pool, name)
        values[new.start : new.start + count] = values[old.start : old.start + count]


def _lay_new_tail(world: World, old_count: int, grown: Creature) -> None:
    """New segments stand one pitch behind each other, as the old tail did, and their feet look for the ground."""
    segments, chained, rows = world.pool(SegmentPool), world.pool(ChainSegmentPool), grown.rows["segments"]
    for row in range(rows.start + old_count, rows.stop):
        pitch = chained.half_pitch[row - 1] + chained.half_pitch[row]
        segments.position[row] = segments.position[row - 1] - pitch * forward_axes(segments.orientation[row - 1])
        for pool, names in ((segments, KEPT["segments"][1:]), (chained, KEPT["chain_segments"])):
            for name in names:
                getattr(pool, name)[row] = getattr(pool, name)[row - 1]
    if "legs" not in grown.rows:
        return
    legs, owned = world.pool(LegPool), grown.rows["legs"]
    new = np.arange(owned.start, owned.stop)
    new = new[legs.segment_row[new] >= rows.start + old_count]
    legs.state[new], legs.armed[new] = LegState.SF2, 1
    legs.tip[new] = legs.tip_before[new] = segments.position[legs.segment_row[new]]
