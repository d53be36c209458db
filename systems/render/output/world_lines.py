"""Lines over the picture, in world space: what a creature feels and sees, how the water runs, what touches and carries.

All functions take the surface, the camera that drew it and the world, and only read. Bright lines lie on dark ones, so that
they can be seen on sand and in deep water alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....components.antennae import AntennaPool, Sense
from ....components.body import BodyPool
from ....components.leg_states import LegState
from ....components.legs import LegPool
from ....components.segments import SegmentPool
from ....engine.turns import headings
from ..scene.camera import Camera
from .pygame_surface import Colour, draw_circle, draw_lines

if TYPE_CHECKING:
    from ....engine.creature import Creature
    from ....engine.pool import Array
    from ....engine.world import World

OUTLINE: Colour = (18, 22, 26)
ANTENNA: Colour = (120, 255, 140)
TOUCH: Colour = (255, 96, 80)
SIGHT: Colour = (255, 236, 130)
FLOW: Colour = (190, 236, 255)
CARRIED: Colour = (120, 220, 110)
HANGING: Colour = (255, 150, 60)
FAR_PIXELS = 20_000.0  # px; pygame takes no coordinates beyond 16 bits
ARC_STEP = 0.08  # rad between the points of an arc
SMELL_RADIUS = 1.5  # units; drawn reach of an antenna tip
QUICK_PERCENTILE = 90.0  # an arrow of this rank is as long as the way to the next one
LONGEST_ARROW = 1.4  # of the way to the next one
CALM = 0.1  # units/s; where all water is slower than this, arrows stay short
SLOWEST = 0.02  # units/s; slower water gets no arrow
NORMAL_LENGTH = 1.2  # units


def draw_overlay_antennae(surface: Any, camera: Camera, world: World, creature: Creature | None = None) -> None:
    """The antennae of one creature, or of all, with the fields in which their tips feel; red when they touch.

    Example::

        draw_overlay_antennae(screen, camera, world, selected)
    """
    antennae = world.pool(AntennaPool)
    for row in _rows(antennae, creature):
        links = int(antennae.parameters[row, Sense.LINK_COUNT])
        for side in range(2):
            line = antennae.points[row, side, : links + 1, :2]
            colour = TOUCH if antennae.contact[row, side] else ANTENNA
            _line(surface, camera, line, colour, 2)
            _line(surface, camera, _arc(line[-1], SMELL_RADIUS, 0.0, 2.0 * math.pi), colour, 1)
            if antennae.contact[row, side]:
                normal = antennae.contact_normal[row, side, :2]
                _line(surface, camera, np.array([line[-1], line[-1] + NORMAL_LENGTH * normal]), TOUCH, 3)


def draw_overlay_vision(
    surface: Any, camera: Camera, world: World, creature: Creature, angles: Sequence[tuple[float, float]],
    ranges: Sequence[float],
) -> None:  # fmt: skip
    """Fans in front of a creature's head: for each one its right and left angle (radians, left positive) and its range.

    Example::

        draw_overlay_vision(screen, camera, world, selected, angles=[(-0.6, 0.6)], ranges=[14.0])
    """
    segments = world.pool(SegmentPool)
    head = creature.rows["segments"].start
    heading = float(headings(segments.orientation[head]))
    eye = segments.position[head, :2]
    for (right, left), reach in zip(angles, ranges, strict=True):
        rim = _arc(eye, reach, heading + right, heading + left)
        _line(surface, camera, np.vstack([eye, rim, eye]), SIGHT, 2)


def draw_overlay_water(surface: Any, camera: Camera, world: World, spacing_pixels: int = 44) -> None:
    """Arrows along the velocity of all ponds, one every so many pixels; still water has none.

    Example::

        draw_overlay_water(screen, camera, world)
    """
    west, south, east, north = camera.visible_bounds
    step = max(spacing_pixels, 8) / camera.pixels_per_unit
    for grid in world.water.grids:
        along_x, along_y = grid.velocity
        x, y = np.meshgrid(np.arange(west, east, step) + step / 2, np.arange(south, north, step) + step / 2)
        column = np.floor((x.ravel() - grid.origin[0]) / grid.cell).astype(int)
        row = np.floor((y.ravel() - grid.origin[1]) / grid.cell).astype(int)
        rows, columns = grid.depth.shape
        inside = (column >= 0) & (row >= 0) & (column < columns) & (row < rows)
        column, row, start = column[inside], row[inside], np.column_stack([x.ravel(), y.ravel()])[inside]
        flow = np.column_stack([along_x[row, column], along_y[row, column]])
        flowing = (grid.depth[row, column] > 0.0) & (np.hypot(flow[:, 0], flow[:, 1]) > SLOWEST)
        ways = flow[flowing] * _arrow_seconds(np.hypot(*flow[flowing].T), step)
        ways *= np.minimum(1.0, LONGEST_ARROW * step / np.maximum(np.hypot(*ways.T), 1e-9))[:, None]
        for place, way in zip(start[flowing], ways, strict=True):
            _arrow(surface, camera, place, place + way, FLOW)


def _arrow_seconds(speeds: Array, step: float) -> float:
    """How long the water's way is that arrows show: for the fastest but a few as long as there is room."""
    if not speeds.size:
        return 0.0
    return step / max(float(np.percentile(speeds, QUICK_PERCENTILE)), CALM)


def draw_overlay_contacts(surface: Any, camera: Camera, world: World, creature: Creature | None = None) -> None:
    """Dots where feet stand, crosses where antennae touch.

    Example::

        draw_overlay_contacts(screen, camera, world, selected)
    """
    legs, body = world.pool(LegPool), world.pool(BodyPool)
    for row in _rows(body, creature):
        first, count = int(body.first_leg[row]), int(body.leg_count[row])
        tips = legs.tip[first : first + count][legs.state[first : first + count] == LegState.STANCE]
        for x, y in _pixels(camera, tips[:, :2]):
            _dot(surface, x, y, CARRIED)
    antennae = world.pool(AntennaPool)
    for row in _rows(antennae, creature):
        links = int(antennae.parameters[row, Sense.LINK_COUNT])
        touching = antennae.points[row, antennae.contact[row].astype(bool), links, :2]
        for x, y in _pixels(camera, touching):
            _dot(surface, x, y, TOUCH)


def draw_overlay_support(surface: Any, camera: Camera, world: World, creature: Creature | None = None) -> None:
    """A ring on every segment: green when legs or ground carry it, orange when it hangs.

    Example::

        draw_overlay_support(screen, camera, world, selected)
    """
    segments, body = world.pool(SegmentPool), world.pool(BodyPool)
    radius = max(int(0.4 * camera.pixels_per_unit), 2)
    for row in _rows(body, creature):
        first, count = int(body.first_segment[row]), int(body.segment_count[row])
        carried = segments.supported[first : first + count]
        places = _pixels(camera, segments.position[first : first + count, :2], drop=False)
        for (x, y), is_carried in zip(places, carried, strict=True):
            if abs(x) < FAR_PIXELS and abs(y) < FAR_PIXELS:
                draw_circle(surface, (int(x), int(y)), radius + 1, OUTLINE, 3)
                draw_circle(surface, (int(x), int(y)), radius, CARRIED if is_carried else HANGING, 2)


def draw_path(surface: Any, camera: Camera, points: Array, colour: Colour, width: int = 2) -> None:
    """A line through places (n, 2) of the world, for overlays of other families.

    Example::

        draw_path(screen, camera, [(0, 0), (4, 2)], (255, 205, 84))
    """
    _line(surface, camera, points, colour, width)


def draw_spots(surface: Any, camera: Camera, points: Array, colours: Array, radius: int) -> None:
    """Spots of so many pixels at places (n, 2) of the world, each with a colour (n, 3) of its own.

    Example::

        draw_spots(screen, camera, [(0, 0)], [(255, 120, 60)], radius=4)
    """
    for (x, y), (red, green, blue) in zip(_pixels(camera, points, drop=False), np.asarray(colours).tolist(), strict=True):
        if abs(x) < FAR_PIXELS and abs(y) < FAR_PIXELS:
            draw_circle(surface, (int(x), int(y)), radius, (red, green, blue))


def _rows(pool: Any, creature: Creature | None) -> Iterable[int]:
    """Rows of a pool that is aligned with the creatures: those of one creature, or of all."""
    rows: Array = pool.spans[:, 0]
    if creature is None:
        return [int(row) for row in rows]
    mine = creature.rows["creature"].start
    return [mine] if mine in rows else []


def _pixels(camera: Camera, points: Array, drop: bool = True) -> Array:
    """Screen positions of world points; those that pygame could not take are dropped or put far off screen."""
    pixels = camera.to_screen(np.asarray(points, dtype=np.float64).reshape(-1, 2))
    fits = np.asarray(np.isfinite(pixels).all(axis=1) & (np.abs(np.nan_to_num(pixels)) < FAR_PIXELS).all(axis=1))
    if drop:
        return pixels[fits]
    return np.where(fits[:, None], pixels, 2.0 * FAR_PIXELS)


def _line(surface: Any, camera: Camera, points: Array, colour: Colour, width: int) -> None:
    pixels = _pixels(camera, points)
    if len(pixels) > 1:
        draw_lines(surface, pixels.tolist(), OUTLINE, width + 2)
        draw_lines(surface, pixels.tolist(), colour, width)


def _arrow(surface: Any, camera: Camera, start: Array, end: Array, colour: Colour) -> None:
    back = (start - end) * 0.35
    across = np.array([-back[1], back[0]]) * 0.5
    _line(surface, camera, np.array([start, end, end + back + across, end + back - across, end]), colour, 2)


def _dot(surface: Any, x: float, y: float, colour: Colour) -> None:
    draw_circle(surface, (int(x), int(y)), 4, OUTLINE)
    draw_circle(surface, (int(x), int(y)), 3, colour)


def _arc(center: Array, radius: float, start: float, stop: float) -> Array:
    angles = np.linspace(start, stop, max(int(abs(stop - start) / ARC_STEP), 2))
    return np.asarray(center) + radius * np.column_stack([np.cos(angles), np.sin(angles)])
