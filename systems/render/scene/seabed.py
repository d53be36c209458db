"""What grows or stands on the bed, as the picture of the ground takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.growths import GROWTH_KINDS, HEADING, HEIGHT, KIND, RADIUS, ROW_FIELDS, SEED, SOLID, X, Z, growth_rows
from ....engine.props import OBSTACLE_KINDS

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

ROCKY = len(GROWTH_KINDS)
"""Beside the kinds of growth: a pillar or a boulder."""
NEST_MOUND = ROCKY + 1
"""And an entrance of a nest."""
BOULDER = 0.8
"""Height of a boulder as a share of its radius."""
BOX = OBSTACLE_KINDS.index("box")


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
