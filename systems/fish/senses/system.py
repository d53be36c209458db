"""FishSenseSystem: what fishes see, smell and feel; each looks in every fourth tick."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.diet import DietPool
from ....components.fish.eyes import Alarm, Eye, EyePool
from ....components.fish.mind import MindPool
from ....components.fish.nodes import NodePool
from ....components.fish.springs import FishBodyPool
from ....engine.bundle import repacked
from ....engine.factions import HOSTILE
from ....engine.props import FoodPool
from ....engine.spatial_hash import SpatialHash, hash_boxes, hash_circles, hash_points
from ....engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ...feeding.food_web import EATS, FoodWeb
from ...row_selection import living_rows
from ...sea.hooks import HookPool
from ...sea.seaweed import SeaweedPool, Thicket
from ...spatial_index.index import SpatialIndex
from ...stimuli.stimuli import Stimuli
from .fish_look_kernel import look_of_fishes
from .fish_view_kernel import LARGEST_FACTOR
from .food_reach_kernel import claim_food
from .sight import Scene, Sight

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

THINK_TICKS = 4
"""Ticks from one look and thought of a fish to its next; statistics are the same as with one. [fish 4]"""
MURKIEST, CLEAREST = 0.1, 1.0
"""Limits of the factor that the clarity of the water is on the range of sight."""
HUNTER_CELL = 64.0
"""Units; of the squares in which hunters can be seen."""
MOST_CELLS_AWAY = 16.0
"""So many of them at most between a hunter and whoever sees it: they are larger for eyes that reach farther."""
THICKET_CELL = 8.0
"""Units; about as wide as a cluster of seaweed."""
PLAN_BOX = [Thicket.LOW_X, Thicket.LOW_Y, Thicket.HIGH_X, Thicket.HIGH_Y]
"""Columns of a cluster that are its box in the plan view."""


class FishSenseSystem:
    """Update what fishes perceive, and who looks and so thinks in this tick."""

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.fishes, self.nodes, self.eyes = world.pool(FishBodyPool), world.pool(NodePool), world.pool(EyePool)
        self.minds, self.diets, self.food = world.pool(MindPool), world.pool(DietPool), world.pool(FoodPool)
        self.index, self.food_web = world.resource(SpatialIndex), world.resource(FoodWeb)
        self.stimuli, self.sight, self.hooks = world.resource(Stimuli), world.resource(Sight), world.pool(HookPool)
        self._nobody = np.zeros(0, np.int32)
        self._no_places, self._no_alarms = np.zeros((0, 3)), np.zeros((0, len(Alarm)))
        self._no_hash = hash_points(self._no_places, HUNTER_CELL)
        self._claims = np.empty(0)
        self._packed: Scene | None = None
        self.weed, self._no_weed = world.pool(SeaweedPool), (np.zeros((0, 7)), hash_boxes(np.zeros((0, 4)), THICKET_CELL))

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        rows = living_rows(self.minds, self.creatures)
        self.sight.rows = rows = rows[rows % THINK_TICKS == self.world.tick % THINK_TICKS]
        if not rows.size:
            return
        self.sight.scene = scene = self._scene()
        with ThreadsFor(rows.size, CREATURES_PER_THREAD, most=self.world.threads):
            look_of_fishes(rows, self.creatures, self.fishes, self.nodes, self.eyes,
                           self.minds, self.diets, self.food, self.index.around,
                           self.world.sea.arrays, scene)  # fmt: skip

    def _scene(self) -> Scene:
        food_web, relation = self.food_web.table(), self.world.factions.table
        hunters, index = self._hunters(food_web, relation), self.index
        clarity = min(max(self.world.weather.light.clarity, MURKIEST), CLEAREST)
        adrift, adrift_hash = self._adrift()
        scene = Scene(index.herd, index.herd_hash, hunters, self._hunter_hash(hunters), food_web, relation, self._alarms(),
                      adrift, adrift_hash, self._claimed(), self._baits(), *self._thickets(), clarity,
                      self.world.tick)  # fmt: skip
        self._packed = repacked(self._packed, scene)
        return self._packed

    def _adrift(self) -> tuple[Array, SpatialHash]:
        """Plankton; it is indexed in worlds that have any."""
        if not self.world.props.drifting:
            return self._nobody, self._no_hash
        adrift = self.index.adrift
        return adrift.rows, adrift.hashed

    def _claimed(self) -> Array:
        """What fishes go for, so that the others look for something else."""
        if len(self._claims) != self.food.capacity:
            self._claims = np.empty(self.food.capacity)
        claim_food(living_rows(self.minds, self.creatures), self.fishes, self.minds, self.food, self._claims)
        return self._claims

    def _thickets(self) -> tuple[Array, SpatialHash]:
        """Seaweed that eyes look through; it is measured in worlds that have any."""
        if not len(self.weed.spans):
            return self._no_weed
        from ...sea.seaweed_step import thickets_of

        thickets = thickets_of(self.weed)
        return thickets, hash_boxes(np.ascontiguousarray(thickets[:, PLAN_BOX]), THICKET_CELL)

    def _baits(self) -> Array:
        """(n, 3) places of hooks with bait."""
        rows = self.hooks.first_rows
        if not rows.size:
            self.sight.hooks = self._nobody
            return self._no_places
        self.sight.hooks = rows = rows[self.hooks.bait[rows] != 0]
        return np.ascontiguousarray(self.hooks.position[rows])

    def _hunters(self, food_web: Array, relation: Array) -> Array:
        """Living creatures that eat another kind or have enemies."""
        has_enemies = relation.size and (relation == HOSTILE).any()
        if not food_web.size and not has_enemies:
            return self._nobody
        creatures = self.creatures
        rows = living_rows(creatures, creatures)
        feared = np.zeros(rows.size, np.bool_)
        if food_web.size:
            feared |= (food_web == EATS).any(axis=1)[creatures.kind[rows]]
        if has_enemies:
            feared |= (relation == HOSTILE).any(axis=0)[creatures.faction[rows]]
        return rows[feared]

    def _hunter_hash(self, hunters: Array) -> SpatialHash:
        """The squares from which hunters can be seen."""
        if not hunters.size:
            return self._no_hash
        farthest = self._farthest_look()
        return hash_circles(self.creatures.position[hunters], farthest, max(HUNTER_CELL, farthest / MOST_CELLS_AWAY))

    def _farthest_look(self) -> float:
        """Units from which the largest hunter can be seen by the fish with the best eyes."""
        rows = self.eyes.first_rows
        if not rows.size:
            return 1.0
        sight = self.eyes.parameters[rows, Eye.RANGE] * self.fishes.length[rows]
        visibility = self.eyes.parameters[rows, Eye.VISIBILITY]
        return float(sight.max()) * max(LARGEST_FACTOR, float(visibility.max()))

    def _alarms(self) -> Array:
        """(n, 5) threats of the game, columns `Alarm`."""
        pool = self.stimuli.pool
        rows = pool.first_rows
        if not rows.size:
            return self._no_alarms
        rows = rows[pool.kind[rows] == list(self.stimuli.kinds).index("threat")]
        return np.column_stack([pool.position[rows], pool.strength[rows], pool.radius[rows]]).reshape(-1, len(Alarm))
