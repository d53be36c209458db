"""StimulusSystem: what every head is drawn to or shrinks from, and the brain mode that does something about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.brain import Brain, BrainPool
from ...components.reactions import reaction_row
from ...engine.spatial_hash import hash_points
from ..brain.mode_registry import ModeRegistry, Wish
from ..feeding.bonds import Bonds
from ..row_selection import living_rows
from .reaction_kernel import Ties, react
from .stimuli import Stimuli

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.species import Species
    from ...engine.world import World
    from ..brain.brain_view import BrainColumns

PRIORITY = 50.0
"""Of the REACTION mode: below avoidance, so that no creature flees into a wall, and above food."""
CELL = 10.0
"""Units; animals see each other from about 15 units away."""


class StimulusSystem:
    """Update what every head is drawn to or shrinks from. All of it is derived, nothing has to be saved."""

    def __init__(self, world: World) -> None:
        self.world, self.stimuli = world, world.resource(Stimuli)
        self.creatures, self.brain = world.creature_pool, world.pool(BrainPool)
        self.bonds = world.resource(Bonds)
        self.on = False
        self.aim, self.pull = np.zeros((0, 2)), np.zeros(0)
        self._rows_of: dict[str, tuple[Species, Array]] = {}
        self._table, self._version = np.zeros((0, 0)), (-1, -1)
        world.resource(ModeRegistry).add("reaction", priority=PRIORITY, decide=self.decide, when=lambda: self.on)

    def process(self, dt: float) -> None:
        self.stimuli.age(dt)
        pool, relation = self.stimuli.pool, self.world.factions.table
        bonds = self.bonds.table()
        has_ties = bool((relation.size and relation.any()) or bonds.size)
        self.on = has_ties or bool(len(pool.spans))
        if not self.on:
            return
        rows, c = living_rows(self.brain, self.creatures), self.creatures
        if len(self.pull) < c.capacity:
            self.aim, self.pull = np.zeros((c.capacity, 2)), np.zeros(c.capacity)
        everybody = np.ascontiguousarray(c.spans[:, 0] if has_ties else c.spans[:0, 0])
        hashed = hash_points(c.position[everybody], CELL)
        react(rows, self._reactions()[rows], c.bundle, Ties(relation, bonds, everybody), hashed, pool.live("position"),
              pool.live("kind"), pool.live("strength"), pool.live("radius"), self.aim, self.pull)  # fmt: skip

    def decide(self, brain: BrainColumns, rows: Array) -> Wish:
        """The REACTION mode: toward what attracts, away from what repels."""
        c, p = self.creatures, brain.parameters[rows]
        if len(self.pull) < c.capacity:  # a creature was born within this tick
            return Wish(wants=np.zeros(rows.size, bool), speed=np.zeros(rows.size), yaw_rate=np.zeros(rows.size))
        offset = self.aim[rows] - c.position[rows, :2]
        angle = np.arctan2(offset[:, 1], offset[:, 0]) - c.heading[rows]
        forward, left = np.hypot(*offset.T) * np.cos(angle), np.hypot(*offset.T) * np.sin(angle)
        limit = p[:, Brain.GOAL_YAW]
        yaw = np.clip(p[:, Brain.GOAL_GAIN] * np.arctan2(left, forward), -limit, limit)
        turn_radius, fleeing = p[:, Brain.MIN_TURN_RADIUS], self.pull[rows] < 0.0
        # What lies inside the turning circle cannot be reached by turning: straight on until the circle has passed it.
        inside = ~fleeing & (np.hypot(forward, np.abs(left) - turn_radius) < turn_radius)
        speed = p[:, Brain.SPEED] * np.where(fleeing, p[:, Brain.FLEE_SPEED], 1.0)
        return Wish(wants=self.pull[rows] != 0.0, speed=speed, yaw_rate=np.where(inside, 0.0, yaw))

    def _reactions(self) -> Array:
        """Reaction rows by creature row, gathered anew after a birth, a death or a new kind."""
        version = (self.creatures.version, len(self.stimuli.kinds))
        if version != self._version:
            kinds = self.stimuli.kinds
            if version[1] != self._version[1]:
                self._rows_of.clear()
            self._table = np.zeros((self.creatures.capacity, reaction_row(None, kinds).size))
            for creature in self.world.creatures.values():
                key = creature.species.key
                known = self._rows_of.get(key)
                if known is None or known[0] is not creature.species:
                    known = (creature.species, reaction_row(creature.species.specs.get("reactions"), kinds))
                    self._rows_of[key] = known
                self._table[creature.row] = known[1]
            self._version = version
        return self._table
