"""What lies around the bodies: ground and water as meshes, rocks and food as solids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...engine.pool import NO_OWNER
from ...engine.props import ADRIFT, OBSTACLE_KINDS, FoodPool, ObstaclePool
from ...engine.water.pond_layout import WET
from ..render.scene.top_surface import DEEPEST, clearance, top_surface
from .unit_shapes import SHAPES, Mesh, smooth_normals

if TYPE_CHECKING:
    from ...engine.water import WaterGrid
    from ...engine.world import World
    from .motion_recorder import Recorder

Array = NDArray[Any]
Bounds = tuple[float, float, float, float]

MARGIN = 14.0
"""Units of ground around everything that moved."""
ASPECT = 16.0 / 9.0
FINEST_CELL = 0.5
MOST_SAMPLES = 160
"""Along either side of the ground; over larger distances its cells are coarser."""
MOST_WATER_CELLS = 20_000
"""Of one pond that are kept per frame."""


@dataclass(frozen=True)
class Surface:
    """The water of one pond: heights of its surface at the centres of cells, NaN where it is dry."""

    height: Array  # (north, east) float32
    origin: tuple[float, float]
    cell: float


@dataclass(frozen=True)
class Surroundings:
    """What is around the bodies in one frame."""

    food: Array  # (n, 4): place and radius
    obstacles: Array  # (n, 8): kind, centre of the footprint, half sizes, heading
    water: tuple[Surface, ...]

    @property
    def nbytes(self) -> int:
        """Bytes that its arrays take."""
        return self.food.nbytes + self.obstacles.nbytes + sum(pond.height.nbytes for pond in self.water)


def surroundings(world: World) -> Surroundings:
    """Food, obstacles and water of a world as they are now."""
    food, obstacles = world.pool(FoodPool), world.pool(ObstaclePool)
    alive = obstacles.owner[: obstacles.end] != NO_OWNER
    rows = np.column_stack([
        obstacles.kind[: obstacles.end], obstacles.position[: obstacles.end], obstacles.half_size[: obstacles.end],
        obstacles.heading[: obstacles.end],
    ])[alive]  # fmt: skip
    lying = food.live("drift") != ADRIFT
    pieces = np.column_stack([food.live("position"), 0.4 * np.cbrt(food.live("amount"))])[lying]
    return Surroundings(pieces, rows, tuple(_surface(grid) for grid in world.water.grids))


def _surface(grid: WaterGrid) -> Surface:
    """The surface of a pond, of a large one every so many cells."""
    step = int(np.ceil(np.sqrt(grid.depth.size / MOST_WATER_CELLS)))
    depth, bed = grid.depth[::step, ::step], grid.bed[::step, ::step]
    height = np.where(depth > WET, bed + depth, np.nan).astype(np.float32)
    west, south = grid.origin
    return Surface(height, (west + grid.cell / 2, south + grid.cell / 2), grid.cell * step)


def seen_bounds(recorder: Recorder) -> Bounds:
    """West, south, east and north of everything that was recorded, as wide as a picture, with a margin."""
    places = [pose.position[:, :2] for frame in recorder.frames for pose in frame.poses.values() if len(pose.position)]
    points = np.concatenate(places) if places else np.zeros((1, 2))
    middle, (wide, high) = 0.5 * (points.min(axis=0) + points.max(axis=0)), np.ptp(points, axis=0)
    half = 0.5 * np.array([max(wide, high * ASPECT), max(high, wide / ASPECT)]) + MARGIN
    (west, south), (east, north) = middle - half, middle + half
    return float(west), float(south), float(east), float(north)


def ground_mesh(world: World, bounds: Bounds) -> Mesh:
    """The highest surface of the terrain within bounds; nothing where a map has no floor."""
    west, south, east, north = bounds
    cell = max(FINEST_CELL, (east - west) / MOST_SAMPLES, (north - south) / MOST_SAMPLES)
    deepest = DEEPEST * max(world.weather.light.clarity, 1.0)
    height, origin = top_surface(world.terrain, bounds, cell, deepest)
    beside = clearance(world.terrain, bounds, cell, deepest)
    there = beside <= 0.0 if beside.size else np.ones(height.shape, np.bool_)
    return grid_mesh(height, origin, cell, there)


def water_mesh(pond: Surface, bounds: Bounds) -> Mesh:
    """The surface of a pond within bounds."""
    west, south, east, north = bounds
    rows, columns = pond.height.shape
    x, y = pond.origin[0] + pond.cell * np.arange(columns), pond.origin[1] + pond.cell * np.arange(rows)
    across, along = np.flatnonzero((x >= west) & (x <= east)), np.flatnonzero((y >= south) & (y <= north))
    if across.size < 2 or along.size < 2:
        return grid_mesh(np.zeros((0, 0)), (0.0, 0.0), 1.0, np.zeros((0, 0), np.bool_))
    height = pond.height[along[0] : along[-1] + 1, across[0] : across[-1] + 1].astype(np.float64)
    wet = np.isfinite(height)
    return grid_mesh(_continued(height, wet), (float(x[across[0]]), float(y[along[0]])), pond.cell, _widened(wet))


def _continued(height: Array, wet: Array) -> Array:
    """Heights that go on over dry cells as in the nearest wet row or column, so that water meets its shore."""
    level = float(height[wet].mean()) if wet.any() else 0.0
    return np.where(wet, height, level)


def _widened(wet: Array) -> Array:
    """Wet cells and their neighbours: the surface goes on into the shore."""
    padded = np.pad(wet, 1)
    rows, columns = wet.shape
    near = [padded[1 + a : 1 + a + rows, 1 + b : 1 + b + columns] for a in (-1, 0, 1) for b in (-1, 0, 1)]
    result: Array = np.logical_or.reduce(near)
    return result


def grid_mesh(height: Array, origin: tuple[float, float], cell: float, there: Array) -> Mesh:
    """A mesh of height samples (north, east) with two triangles per cell all of whose corners are there."""
    rows, columns = height.shape
    if not there.any():
        return Mesh(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), np.int64))
    x, y = np.meshgrid(origin[0] + cell * np.arange(columns), origin[1] + cell * np.arange(rows))
    vertices = np.column_stack([x.reshape(-1), y.reshape(-1), height.reshape(-1)])
    corner = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]
    whole = there[:-1, :-1] & there[:-1, 1:] & there[1:, 1:] & there[1:, :-1]
    triangles = np.concatenate([np.stack([a, b, c], axis=-1)[whole], np.stack([a, c, d], axis=-1)[whole]])
    used, renumbered = np.unique(triangles, return_inverse=True)
    triangles = renumbered.reshape(-1, 3)
    return Mesh(vertices[used], smooth_normals(vertices[used], triangles), triangles)


def thing_meshes(around: Surroundings) -> list[tuple[str, Mesh]]:
    """Obstacles and food as meshes in the world, each with a word for it."""
    meshes = []
    for kind, x, y, z, a, b, c, heading in around.obstacles.tolist():
        shape = OBSTACLE_SHAPES[int(kind)]
        middle = 0.0 if shape == "sphere" else c
        mesh = SHAPES[{"sphere": "ellipsoid", "cylinder": "ring", "box": "box"}[shape]]
        if shape == "cylinder":  # rings lie along x
            mesh = Mesh(np.roll(mesh.vertices, -1, axis=1), np.roll(mesh.normals, -1, axis=1), mesh.triangles)
        sizes = (a, a, a) if shape == "sphere" else (a, b, c)
        mesh, turn = mesh.stretched(sizes, (0.0, 0.0, middle)), np.array([np.cos(heading), np.sin(heading)])
        spin = np.array([(turn[0], turn[1], 0.0), (-turn[1], turn[0], 0.0), (0.0, 0.0, 1.0)])  # for rows
        meshes.append(("rock", Mesh(mesh.vertices @ spin + (x, y, z), mesh.normals @ spin, mesh.triangles)))
    for x, y, z, radius in around.food.tolist():
        if radius > 0.0:
            meshes.append(("food", SHAPES["ellipsoid"].stretched((radius,) * 3, (x, y, z + radius))))
    return meshes


OBSTACLE_SHAPES = dict(enumerate(OBSTACLE_KINDS))
