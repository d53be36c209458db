"""FishSenseSystem: what fishes see, smell and feel; each looks in every fourth tick."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from ....components.diet import DietPool
from ....components.fish.eyes import EyePool
from ....components.fish.mind import MindPool
from ....components.fish.nodes import NodePool
from ....components.fish.springs import FishBodyPool
from ....engine.bundle import packed
from ....engine.factions import HOSTILE
from ....engine.props import FoodPool
from ....engine.spatial_hash import SpatialHash, hash_boxes, hash_circles, hash_points
from ....engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ...feeding.bonds import EATS, Bonds
from ...row_selection import living_rows
from ...sea.hooks import HookPool
from ...sea.sea_life import SeaLife
from ...spatial_index.index import SpatialIndex
from ...stimuli.stimuli import Stimuli
from .fish_look_kernel import look_of_fishes
from .fish_view_kernel import LARGEST_FACTOR
from .sight import Scene, Sight

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World
    from ...sea.seaweed_step import SeaweedStep

THINK_TICKS = 4
"""Ticks from one look and thought of a fish to its next; statistics are the same as with one. [fish 4]"""
MURKIEST, CLEAREST = 0.1, 1.0
"""Limits of the factor that the clarity of the water is on the range of sight."""
HUNTER_CELL = 64.0
"""Units; of the squares in which hunters can be seen."""
THICKET_CELL = 8.0
"""Units; about as wide as a cluster of seaweed."""


class FishSenseSystem:
    """Update what fishes perceive, and who looks and so thinks in this tick."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.fishes, self.nodes, self.eyes = world.pool(FishBodyPool), world.pool(NodePool), world.pool(EyePool)
        self.minds, self.diets, self.food = world.pool(MindPool), world.pool(DietPool), world.pool(FoodPool)
        self.index, self.bonds, self.stimuli = world.resource(SpatialIndex), world.resource(Bonds), world.resource(Stimuli)
        self.sight, self.hooks = world.resource(Sight), world.pool(HookPool)
        self.life, self._no_weed = world.resource(SeaLife), (np.zeros((0, 7)), hash_boxes(np.zeros((0, 4)), THICKET_CELL))
        self._no_plankton = np.zeros(0, np.int32), hash_points(np.zeros((0, 3)), HUNTER_CELL)

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        rows = living_rows(self.minds, self.creatures)
        self.sight.rows = rows = rows[rows % THINK_TICKS == self.world.tick % THINK_TICKS]
        if not rows.size:
            return
        self.sight.scene = scene = self._scene()
        with ThreadsFor(rows.size, CREATURES_PER_THREAD, most=self.world.threads):
            look_of_fishes(rows, self.creatures.bundle, self.fishes.bundle, self.nodes.bundle, self.eyes.bundle,
                           self.minds.bundle, self.diets.bundle, self.food.bundle, self.index.around,
                           self.world.sea.arrays, scene)  # fmt: skip

    def _scene(self) -> Scene:
        bonds, relation = self.bonds.table(), self.world.factions.table
        hunters, index, creatures = self._hunters(bonds, relation), self.index, self.creatures
        hunter_hash = hash_circles(creatures.position[hunters], self._farthest_look(), HUNTER_CELL)
        clarity = min(max(self.world.map.light.clarity, MURKIEST), CLEAREST)
        adrift, adrift_hash = self._adrift()
        return packed(Scene(index.herd, index.herd_hash, hunters, hunter_hash, bonds, relation, self._alarms(), adrift,
                            adrift_hash, self._baits(), *self._thickets(), clarity, self.world.tick))  # fmt: skip

    def _adrift(self) -> tuple[Array, SpatialHash]:
        """Plankton; it is indexed in worlds that have any."""
        if not self.world.props.drifting:
            return self._no_plankton
        adrift = self.index.adrift
        return adrift.rows, adrift.hashed

    def _thickets(self) -> tuple[Array, SpatialHash]:
        """Seaweed that eyes look through; it is measured in worlds that have any."""
        if "seaweed" not in self.life.steps:
            return self._no_weed
        thickets = cast("SeaweedStep", self.life.steps["seaweed"]).thickets()
        return thickets, hash_boxes(np.ascontiguousarray(thickets[:, [0, 1, 3, 4]]), THICKET_CELL)

    def _baits(self) -> Array:
        """(n, 3) places of hooks with bait."""
        rows = self.hooks.spans[:, 0]
        self.sight.hooks = rows = rows[self.hooks.bait[rows] != 0]
        return np.ascontiguousarray(self.hooks.position[rows])

    def _hunters(self, bonds: Array, relation: Array) -> Array:
        """Living creatures that eat another kind or have enemies."""
        creatures = self.creatures
        rows = np.ascontiguousarray(creatures.spans[:, 0])
        rows = rows[creatures.dead[rows] == 0]
        feared = np.zeros(rows.size, np.bool_)
        if bonds.size:
            feared |= (bonds == EATS).any(axis=1)[creatures.kind[rows]]
        if relation.size and (relation == HOSTILE).any():
            feared |= (relation == HOSTILE).any(axis=0)[creatures.faction[rows]]
        return rows[feared]

    def _farthest_look(self) -> float:
        """Units from which the largest hunter can be seen by the fish with the best eyes."""
        rows = self.eyes.spans[:, 0]
        if not rows.size:
            return 1.0
        sight = self.eyes.parameters[rows, 0] * self.fishes.length[rows]
        visibility = self.eyes.parameters[rows, 3]
        return float(sight.max()) * max(LARGEST_FACTOR, float(visibility.max()))

    def _alarms(self) -> Array:
        """(n, 5) place, strength and radius of the threats of the game."""
        pool = self.stimuli.pool
        rows = pool.spans[:, 0]
        rows = rows[pool.kind[rows] == list(self.stimuli.kinds).index("threat")]
        return np.column_stack([pool.position[rows], pool.strength[rows], pool.radius[rows]]).reshape(-1, 5)
