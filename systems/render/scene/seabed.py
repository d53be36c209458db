"""What grows or stands on the bed, as the picture of the ground takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.growths import GROWTH_KINDS, HEADING, HEIGHT, KIND, RADIUS, ROW_FIELDS, SEED, SOLID, X, Z, growth_rows
from ....engine.props import OBSTACLE_KINDS
from ....engine.terrain.shapes import Cylinder, drawn_shapes
from ....engine.terrain.terrain_error import TerrainError

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

ROCKY = len(GROWTH_KINDS)
"""Beside the kinds of growth: a pillar or a boulder."""
NEST_MOUND = ROCKY + 1
"""And an entrance of a nest."""
LOG = NEST_MOUND + 1
"""And a log: HEIGHT is half its length, SOLID how much its axis rises per unit."""
STEEPEST_LOG = 0.5
BOULDER = 0.8
"""Height of a boulder as a share of its radius."""
BOX = OBSTACLE_KINDS.index("box")


def log_rows(world: World) -> Array:
    """Rows of the cylinders of the terrain that lie on the ground."""
    try:
        parts = world.terrain.parts
    except TerrainError:  # packed by hand
        return np.zeros((0, ROW_FIELDS))
    rows = []
    for place, shape in enumerate(drawn_shapes(parts.shapes) if parts.floor is not None else ()):
        if isinstance(shape, Cylinder):
            ax, ay, az = shape.axis
            flat = float(np.hypot(ax, ay))
            if flat > 0.0 and abs(az) < STEEPEST_LOG * flat:
                half = 0.5 * shape.length * flat / float(np.sqrt(flat * flat + az * az))
                turn = float(np.arctan2(ay, ax))
                rows.append((LOG, *shape.center, shape.radius, half, turn, 0.0, 0.0, 0.0, 1.0 + place, az / flat))
    return np.array(rows, dtype=np.float64).reshape(-1, ROW_FIELDS)


def baked_growths(world: World, with_rocks: bool) -> Array:
    """Rows of everything that grows; with rocks also round obstacles, which in clear water are overgrown."""
    rows, solid = growth_rows(world), world.props.obstacles
    if not with_rocks or not len(solid.spans):
        return rows
    bare = (solid.live("look") == 0) & (solid.live("kind") != BOX)
    half, kind = solid.live("half_size")[bare], solid.live("kind")[bare]
    rocks = np.zeros((len(half), ROW_FIELDS))
    rocks[:, KIND], rocks[:, X : Z + 1], rocks[:, RADIUS] = ROCKY, solid.live("position")[bare], half[:, 0]
    rocks[:, HEIGHT] = np.where(kind == OBSTACLE_KINDS.index("sphere"), BOULDER * half[:, 0], 2.0 * half[:, 2])
    rocks[:, HEADING], rocks[:, SEED], rocks[:, SOLID] = solid.live("heading")[bare], 1 + np.arange(len(half)), 1.0
    return np.concatenate([rows, rocks])
