"""Lines over the picture that only insects have: the triangle they stand on, and the trails of their colonies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...components.insect.tripods import LEFT_TRIPOD, RIGHT_TRIPOD, TripodPool
from ...components.leg_states import LegState
from ...components.legs import LegPool
from ..render.output.pygame_surface import Colour
from ..render.output.world_lines import draw_path, draw_spots
from .colony.trail_grid import Trails

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.pool import Array
    from ...engine.world import World
    from ..render.scene.camera import Camera

LEFT: Colour = (255, 205, 84)
RIGHT: Colour = (104, 214, 255)
WEAK, STRONG = np.array((70.0, 96.0, 190.0)), np.array((255.0, 120.0, 60.0))
FAINTEST, FULL = 0.04, 2.0
"""Strengths of a trail from which on it is shown, and from which on no more of it can be told."""
FEWEST_PIXELS = 6.0
"""Between two spots of a trail."""


def draw_overlay_triangles(surface: Any, camera: Camera, world: World, creature: Creature | None = None) -> None:
    """The triangle of feet that one insect stands on, or each of them: amber for that of L1 R2 L3, blue for the other.

    Example::

        draw_overlay_triangles(screen, camera, world, selected)
    """
    tripods, legs, bodies = world.pool(TripodPool), world.pool(LegPool), world.creature_pool
    for row in tripods.spans[:, 0].tolist():
        if creature is not None and creature.row != row:
            continue
        owner = world.creatures[int(bodies.owner[row])]
        first = owner.rows["legs"].start
        stands = legs.state[first : first + 6] == LegState.STANCE
        for feet, colour in ((LEFT_TRIPOD, LEFT), (RIGHT_TRIPOD, RIGHT)):
            places = list(feet)
            if stands[places].all():
                corners = legs.tip[first + np.array([*places, places[0]]), :2]
                draw_path(surface, camera, corners, colour, 2)


def draw_overlay_trails(surface: Any, camera: Camera, world: World) -> None:
    """The trails of all colonies, blue where they are weak and orange where they are strong.

    Example::

        draw_overlay_trails(screen, camera, world)
    """
    trails = world.resources.find(Trails)
    if trails is None:
        return
    (left, low, cell), (west, south, east, north) = trails.frame, camera.visible_bounds
    step = max(int(np.ceil(FEWEST_PIXELS / (cell * camera.pixels_per_unit))), 1)
    columns = slice(max(int((west - left) / cell), 0), max(int((east - left) / cell) + 1, 0), step)
    rows = slice(max(int((south - low) / cell), 0), max(int((north - low) / cell) + 1, 0), step)
    part: Array = trails.field[rows, columns]
    j, i = np.nonzero(part > FAINTEST)
    share = np.minimum(np.sqrt(part[j, i] / FULL), 1.0)[:, None]
    places = np.column_stack([left + (columns.start + i * step + 0.5) * cell, low + (rows.start + j * step + 0.5) * cell])
    radius = max(int(0.3 * step * cell * camera.pixels_per_unit), 1)
    draw_spots(surface, camera, places, np.rint(WEAK + (STRONG - WEAK) * share).astype(int), radius)
