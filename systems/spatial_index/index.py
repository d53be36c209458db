"""What creatures can bump into, indexed once per tick and shared by all systems that ask: obstacles, bodies, food."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...components.body import BodyPool
from ...components.segments import SegmentPool
from ...engine.bundle import packed, write_fields
from ...engine.pool import NO_OWNER, Array
from ...engine.props import ADRIFT, OBSTACLE_KINDS, FoodPool, ObstaclePool
from ...engine.roles import Capsules
from ...engine.spatial_hash import ROOM, Edge, SpatialHash, hash_again, hash_boxes, hash_points
from .body_capsules_kernel import NOWHERE, lay_capsules, lay_outline
from .solids import CELL_SIZE, SOLID_COLUMNS, box, hash_solids, no_solids, pillar, sphere, stack_solids

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.world import World

FOOD_CELL = 8.0
"""Units; noses look about 20 units far, so a query visits some 25 cells."""

HERD_CELL, FINEST_HERD_CELL = 24.0, 3.0
"""Units; about the length of a body, so that the box around one is in a few cells. Where all are small, cells are too."""
CELL_LENGTHS = 2.0
"""Lengths of the longest body that a cell measures then: a thousand ants at a nest would else all be in a few cells."""


class Around(NamedTuple):
    """What a kernel needs to know about the surroundings of any creature, as of this tick. Read-only for kernels.

    Example::

        around = world.resource(SpatialIndex).around
        print(len(around.solids), "obstacles within", around.bounds)
    """

    solids: Array  # obstacles, one `SolidField` row each
    solid_hash: SpatialHash
    bodies: Array  # capsules of all creatures, of the same layout
    body_hash: SpatialHash
    food_rows: Array  # rows of `FoodPool` by item of the next hash
    food_hash: SpatialHash
    bounds: Array  # of the map: x_min, y_min, x_max, y_max, infinite where it has no edge


class Adrift(NamedTuple):
    """Food that drifts in the water at any depth, as of this tick. Read-only for kernels."""

    rows: Array  # rows of `FoodPool` by item of the hash
    hashed: SpatialHash


class Herd(NamedTuple):
    """Whole bodies, as of this tick. Read-only for kernels."""

    rows: Array  # creature rows by item of the hash
    hashed: SpatialHash  # plan boxes


class SpatialIndex:
    """Solids and food around the creatures of one world. Derived from pools only, so a snapshot need not hold it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._body, self._segments = world.pool(BodyPool), world.pool(SegmentPool)
        self._obstacles, self._food = world.pool(ObstaclePool), world.pool(FoodPool)
        self._obstacle_version = self._body_version = -1
        self._food_version = self._adrift_version = (-1, -1)
        self.solids = no_solids()
        self.solid_hash: SpatialHash = hash_solids(self.solids)
        self.food_rows: Array = np.zeros(0, np.int32)
        self.food_hash: SpatialHash = hash_points(np.zeros((0, 3)), FOOD_CELL)
        self._adrift = Adrift(self.food_rows, self.food_hash)
        self.bodies = no_solids()
        self._boxes = np.zeros((0, 4))
        self._places: Array = np.zeros(0, np.int64)
        self.places: Array = np.zeros(0, np.int64)  # first capsule of each creature, by creature row
        self.body_hash: SpatialHash = hash_boxes(self._boxes, CELL_SIZE)
        self.herd: Array = np.zeros(0, np.int32)  # creature rows of the items in the next hash
        self._herd_boxes = np.zeros((0, 4))  # the plan box around each body, empty for a body of one segment
        self._herd_items: Array | None = None  # which of them have a width, if not all
        self._herd_cell = HERD_CELL
        self.herd_hash: SpatialHash = hash_boxes(self._boxes, HERD_CELL)
        west, south, east, north = world.map.area.bounds
        open_edge = world.map.area.edge == "open"
        self.bounds = np.full(4, np.inf) * (-1, -1, 1, 1) if open_edge else np.array([west, south, east, north])
        self.around = packed(
            Around(self.solids, self.solid_hash, self.bodies, self.body_hash, self.food_rows, self.food_hash, self.bounds)
        )

    def refresh(self) -> None:
        """Bring all indexes up to the present."""
        if self._obstacles.version != self._obstacle_version:
            self._refresh_obstacles()
        if self._food_state() != self._food_version:
            self._refresh_food()
        self._refresh_bodies()

    def _refresh_obstacles(self) -> None:
        pool = self._obstacles
        rows = []
        for row in pool.spans[:, 0].tolist():
            (x, y, z), (half_x, half_y, half_z) = pool.position[row], pool.half_size[row]
            kind = OBSTACLE_KINDS[pool.kind[row]]
            if kind == "sphere":
                rows.append(sphere((x, y, z), half_x))
            elif kind == "cylinder":
                rows.append(pillar((x, y), half_x, bottom=z, height=2 * half_z))
            else:
                rows.append(box((x, y), 2 * half_x, 2 * half_y, heading=pool.heading[row], bottom=z, height=2 * half_z))
        self.solids = stack_solids(*rows)
        self.solid_hash = hash_solids(self.solids)
        write_fields(self.around, solids=self.solids, solid_hash=self.solid_hash)
        self._obstacle_version = pool.version

    @property
    def adrift(self) -> Adrift:
        """Plankton, indexed when somebody asks for it, once per tick: most animals neither smell nor eat it."""
        now = (self._food.version, self._world.tick)
        if now != self._adrift_version:
            rows, hashed = self._food.first_rows, self._adrift.hashed
            rows = rows[self._food.drift[rows] == ADRIFT]
            boxes = hashed.boxes if len(hashed.boxes) == rows.size else np.empty((rows.size, 4))
            boxes[:, :2] = boxes[:, 2:] = self._food.position[rows, :2]
            self._adrift = Adrift(rows, hash_again(hashed, boxes))
            self._adrift_version = now
        return self._adrift

    def _food_state(self) -> tuple[int, int]:
        return self._food.version, self._world.props.food_moves

    def _refresh_food(self) -> None:
        rows = self._food.spans[:, 0]
        lies = (self._food.drift[rows] != ADRIFT) & (self._food.carrier[rows] == NO_OWNER)
        self.food_rows = rows[lies]  # what somebody carries is nobody else's
        self.food_hash = hash_points(self._food.position[self.food_rows], FOOD_CELL)
        write_fields(self.around, food_rows=self.food_rows, food_hash=self.food_hash)
        self._food_version = self._food_state()

    def _refresh_bodies(self) -> None:
        body = self._body
        rows = body.first_rows
        if body.version != self._body_version:
            counts = body.segment_count[rows]
            counts = np.where(body.linked[rows] != 0, np.maximum(counts - 1, 0), counts)
            self._places = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
            total = int(self._places[-1])
            self.places = np.zeros(body.capacity, np.int64)
            self.places[rows] = self._places[:-1]
            self.bodies, self._boxes = np.zeros((total, SOLID_COLUMNS)), np.zeros((total, 4))
            self.herd = rows[counts > 0]
            self._herd_boxes = np.zeros((rows.size, 4))
            self._herd_items = None if self.herd.size == rows.size else np.flatnonzero(counts > 0)
            longest = float(self._world.creature_pool.length[self.herd].max(initial=0.0))
            self._herd_cell = min(max(CELL_LENGTHS * longest, FINEST_HERD_CELL), HERD_CELL)
            write_fields(self.around, bodies=self.bodies)
            self._body_version = body.version
        lay_capsules(rows, self._places, body, self._segments, self.bodies, self._boxes, self._herd_boxes)
        self.body_hash = hash_again(self.body_hash, self._boxes)
        write_fields(self.around, body_hash=self.body_hash)
        everybody = self._herd_items is None
        boxes = self._herd_boxes if everybody else self._herd_boxes[self._herd_items]
        boxes[boxes[:, Edge.WEST] > boxes[:, Edge.EAST]] = NOWHERE  # all of such a body has been torn apart
        if self._herd_cell != self.herd_hash.cell_size:
            self.herd_hash = hash_boxes(boxes, self._herd_cell, ROOM)
        else:
            self.herd_hash = hash_again(self.herd_hash, boxes)

    def capsules(self, creature: Creature) -> Capsules:
        """The body of one creature as it is now, for hit tests and rays; empty for one without segments."""
        row, body = creature.row, self._body
        segments = int(body.segment_count[row]) if "body" in creature.rows else 0
        linked = bool(body.linked[row])
        count = max(segments - 1, 0) if linked else segments
        starts, ends, radii = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count)
        if count:
            lay_outline(row, body, self._segments, starts, ends, radii)
        first = np.arange(count)
        return Capsules(starts, ends, radii, first, first + linked)
