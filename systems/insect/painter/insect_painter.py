"""The painter of the insects: what of them moves, what they hold, and their looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.antennae import MOST_LINKS, AntennaPool, Sense
from ....components.body import BodyPool
from ....components.insect.colony import ColonyPool, Errand
from ....components.insect.shell import ShellPool
from ....components.insect.trunk import LEGS
from ....components.legs import LegPool
from ....components.segments import SegmentPool
from ....engine.pool import NO_OWNER
from ....engine.props import FoodPool
from ....engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ...legs.leg_joints_kernel import place_all_leg_joints
from ..colony.trail_grid import Trails
from .insect_group import InsectGroup
from .shell_looks import shell_looks
from .swarm import AMOUNT, CARRION, FRUIT, HELD, HELD_FIELDS, SEED

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

PARTS = 3
TRAIL_TICKS = 20
"""From one look at the trails to the next: they change slowly."""
SEEDS = 9973
"""Colours of what is carried repeat after so many pieces."""


class InsectPainter:
    """Draws the insects of one world.

    Example::

        world.picture.add_painter("insect", InsectPainter(world))
    """

    def __init__(self, world: World) -> None:
        self.world, self.creatures = world, world.creature_pool
        self.body, self.segments, self.legs = world.pool(BodyPool), world.pool(SegmentPool), world.pool(LegPool)
        self.antennae, self.shells = world.pool(AntennaPool), world.pool(ShellPool)
        self.colonies, self.food = world.pool(ColonyPool), world.pool(FoodPool)
        self._key: tuple[bytes, ...] = ()
        self._looks: Array = np.zeros(0)
        self._worn: tuple[int, Array] = (-1, np.zeros((0, 0), dtype=np.float32))

    def poses(self) -> dict[str, Array]:
        """Copies of segments, joints of legs and points of antennae."""
        rows, s, legs = self.rows(), self.segments, self.legs
        parts, feet = self._parts_of(rows), self._legs_of(rows)
        joints = np.empty((legs.end, 4, 3))
        with ThreadsFor(rows.size, CREATURES_PER_THREAD):
            place_all_leg_joints(rows, self.creatures, self.body, s, legs, joints)
        return {"position": s.position[parts], "orientation": s.orientation[parts], "leg_joints": joints[feet],
                "antennae": self._antennae_of(rows)}  # fmt: skip

    def group(self, moving: dict[str, Array]) -> InsectGroup:
        """All insects with these poses."""
        rows = self.rows()
        turns = moving["orientation"].reshape(-1, PARTS, 4)
        extents = self.segments.half_extents[self._parts_of(rows)]
        return InsectGroup(**{**moving, "orientation": turns}, half_extents=extents,
                           leg_states=self.legs.state[self._legs_of(rows)], held=self._held_by(rows),
                           looks=self._looks_of(rows), dead=self.creatures.dead[rows], creature=rows,
                           **self._trails())  # fmt: skip

    def _trails(self) -> dict[str, Array]:
        """A copy of the trails, if there are any."""
        trails = self.world.resources.find(Trails)
        if trails is None:
            return {}
        look = self.world.tick // TRAIL_TICKS
        if look != self._worn[0]:
            self._worn = (look, trails.field.copy() if trails.field.any() else trails.field[:0])
        return {"trails": self._worn[1], "trail_frame": trails.frame}

    def rows(self) -> Array:
        """Rows in `CreaturePool` of all insects."""
        found: Array = np.ascontiguousarray(self.shells.spans[:, 0])
        return found

    def _parts_of(self, rows: Array) -> Array:
        places: Array = self.body.first_segment[rows].astype(np.int64)[:, None] + np.arange(PARTS)
        return places

    def _legs_of(self, rows: Array) -> Array:
        places: Array = self.body.first_leg[rows].astype(np.int64)[:, None] + np.arange(LEGS)
        return places

    def _antennae_of(self, rows: Array) -> Array:
        """Base, the middle joint and the tip of every antenna, in one row of points each; NaN for who has none."""
        points: Array = np.full((rows.size, 2, 3, 3), np.nan)
        feeling = np.flatnonzero(np.isin(rows, self.antennae.spans[:, 0]))
        if feeling.size:
            own = rows[feeling]
            last = np.clip(self.antennae.parameters[own, Sense.LINK_COUNT].astype(np.int64), 1, MOST_LINKS)
            for place, joint in enumerate((np.zeros_like(last), last // 2, last)):
                points[feeling, :, place] = self.antennae.points[own, :, joint]
        return points

    def _held_by(self, rows: Array) -> Array:
        """What jaws hold; pieces that several pull at lie on the ground and are seen there."""
        held = np.zeros((rows.size, HELD_FIELDS))
        member = self.colonies.owner[rows] != NO_OWNER
        piece = np.where(member & (self.colonies.errand[rows] != Errand.HAUL), self.colonies.carried[rows], -1)
        holds = np.flatnonzero(piece >= 0)
        piece = piece[holds]
        own = self.food.carrier[piece] == self.creatures.owner[rows[holds]]
        holds, piece = holds[own], piece[own]
        carrion = self.world.props.food_kinds.find("carrion")
        held[holds, HELD] = np.where(self.food.kind[piece] == carrion, CARRION, FRUIT)
        held[holds, AMOUNT] = self.food.amount[piece]
        held[holds, SEED] = (piece * 7 + self.creatures.owner[rows[holds]] * 31) % SEEDS
        return held

    def _looks_of(self, rows: Array) -> Array:
        """The looks, made anew only when one of them looks different."""
        pool = self.shells
        serials = pool.owner[rows]
        key = (rows.tobytes(), serials.tobytes(), pool.parameters[rows].tobytes(), pool.colors[rows].tobytes())
        if key != self._key:
            self._key, self._looks = key, shell_looks(pool.parameters[rows], pool.colors[rows], serials)
        return self._looks


def add_painter(world: World) -> None:
    """Let the picture of a world show its insects; called when the first of them is born."""
    world.picture.add_painter("insect", InsectPainter(world))
