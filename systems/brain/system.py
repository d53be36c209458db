"""BrainSystem: senses and goals become head commands. Mods add modes to ``world.resource(ModeRegistry)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.antennae import AntennaPool
from ...components.body import BodyPool
from ...components.brain import BrainPool
from ...components.head_command import HeadCommandPool
from ...components.segments import SegmentPool
from ...components.vision import VisionPool
from ..row_selection import living_rows
from .brain_kernel import decide, drive, think
from .brain_view import BrainPools, brain_columns
from .mode_registry import ModeRegistry

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World


class BrainSystem:
    """Update modes, wishes and head commands."""

    def __init__(self, world: World) -> None:
        self.modes = world.resource(ModeRegistry)
        self.pools = BrainPools(
            creatures=world.creature_pool,
            bodies=world.pool(BodyPool),
            segments=world.pool(SegmentPool),
            heads=world.pool(HeadCommandPool),
            brains=world.pool(BrainPool),
            antennae=world.pool(AntennaPool),
            eyes=world.pool(VisionPool),
        )
        self.pools.brains.mode_names = self.modes.names  # a brain tells its mode by name, also a mod's

    def process(self, dt: float) -> None:
        rows = living_rows(self.pools.brains, self.pools.creatures)
        if rows.size:
            run_brains(self.modes, self.pools, rows, dt)


def run_brains(modes: ModeRegistry, pools: BrainPools, rows: Array, dt: float) -> None:
    """Think one tick for the given creatures: compiled modes, then those of mods, then the limits of the body."""
    creatures, bodies, segments, heads, brains, antennae, eyes = pools
    if not modes.has_added_modes:
        think(rows, creatures, bodies, segments, heads, brains, antennae, eyes, modes.priorities, dt)
        return
    decide(rows, creatures, bodies, segments, heads, brains, antennae, eyes, modes.priorities, dt)
    modes.overrule(brain_columns(pools), rows)
    drive(rows, bodies, segments, heads, brains, antennae, dt)
