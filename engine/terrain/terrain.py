"""The terrain of a world: built in Python, asked by arrays of points, handed to kernels as one `Ground` tuple."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..threads import POINTS_PER_THREAD, ThreadsFor
from .checks import Bounds, checked_bounds, checked_points
from .floors import FlatFloor, FloorKind, GaussianFloor, NoiseFloor, RandomGaussianFloor
from .ground_layout import Ground
from .ground_pack import packed_ground
from .height_field import no_floor
from .mesh import no_mesh
from .mesh_kinds import MeshFile, MeshGround, MeshSource
from .points_kernel import elevate_points, enclose_points, sample_points
from .shapes import ShapeSpec, arranged_shapes, drawn_shapes
from .tables import plain_tables
from .terrain_error import TerrainError

Array = NDArray[np.float64]

DEFAULT_BOUNDS: Bounds = (-50.0, -50.0, 50.0, 50.0)  # units


class TerrainParts(NamedTuple):
    """What a terrain was built from."""

    floor: FloorKind | None
    shapes: tuple[ShapeSpec, ...]
    mesh: MeshGround | None


class Terrain:
    """The ground creatures walk on: an optional floor, any number of shapes, an optional closed mesh.

    It never changes; `with_shapes` and `with_mesh` make a new one. Distances are the smallest of the parts' distances,
    normals are those of the part that is nearest.

    Example::

        >>> from paludarium.engine.terrain import Sphere, Terrain
        >>> hills = Terrain.gaussians([(0.0, 0.0, 2.0, 3.0)], bounds=(-20, -20, 20, 20))
        >>> hills = hills.with_shapes([Sphere(center=(8, 0, 0), radius=1)])
        >>> hills.height([(0.0, 0.0, 5.0)])
        array([3.])
    """

    def __init__(self, ground: Ground, bounds: Bounds = DEFAULT_BOUNDS, parts: TerrainParts | None = None) -> None:
        """Wrap a ground that was packed by hand; the builders below are the usual way."""
        self.ground = ground
        self.bounds = checked_bounds(bounds)
        self._parts = parts

    @classmethod
    def build(
        cls,
        floor: FloorKind | None = None,
        shapes: Iterable[ShapeSpec] = (),
        mesh: MeshGround | None = None,
        bounds: Bounds = DEFAULT_BOUNDS,
    ) -> Terrain:
        """A terrain from any mix of a floor, shapes and a mesh."""
        parts = TerrainParts(floor, tuple(shapes), mesh)
        area = checked_bounds(bounds)
        if floor is None and not parts.shapes and mesh is None:
            raise TerrainError("a terrain has nothing to stand on; allowed are a floor, shapes and a mesh, one or more")
        ground = packed_ground(
            floor.bake(area) if floor is not None else no_floor(),
            arranged_shapes(drawn_shapes(parts.shapes)),
            mesh.prepare() if mesh is not None else no_mesh(),
        )
        return cls(ground, area, parts)

    @classmethod
    def flat(cls, elevation: float = 0.0, bounds: Bounds = DEFAULT_BOUNDS) -> Terrain:
        """The same elevation everywhere."""
        return cls.build(FlatFloor(elevation), bounds=bounds)

    @classmethod
    def noise(
        cls,
        amplitude: float = 1.0,
        scale: float = 10.0,
        octaves: int = 4,
        seed: int = 0,
        bounds: Bounds = DEFAULT_BOUNDS,
        **settings: Any,
    ) -> Terrain:
        """Rolling ground; further settings are those of `NoiseFloor`: backend, noise, persistence, spacing, ..."""
        return cls.build(NoiseFloor(amplitude, scale, octaves, seed=seed, **settings), bounds=bounds)

    @classmethod
    def gaussians(
        cls, hills: Sequence[Sequence[float]], elevation: float = 0.0, bounds: Bounds = DEFAULT_BOUNDS, **settings: Any
    ) -> Terrain:
        """Hills and hollows, each (x, y, height, width)."""
        return cls.build(GaussianFloor(hills, elevation, **settings), bounds=bounds)

    @classmethod
    def random_gaussians(
        cls,
        count: int = 40,
        height: tuple[float, float] = (0.5, 2.0),
        width: tuple[float, float] = (2.0, 4.0),
        seed: int = 0,
        bounds: Bounds = DEFAULT_BOUNDS,
        **settings: Any,
    ) -> Terrain:
        """Random hills with heights and widths from (low, high)."""
        return cls.build(RandomGaussianFloor(count, height, width, seed=seed, **settings), bounds=bounds)

    @classmethod
    def from_shapes(cls, shapes: Iterable[ShapeSpec], bounds: Bounds = DEFAULT_BOUNDS) -> Terrain:
        """Shapes without a floor below them, for example one sphere to walk around."""
        return cls.build(shapes=shapes, bounds=bounds)

    @classmethod
    def from_mesh(cls, source: MeshSource, bounds: Bounds = DEFAULT_BOUNDS, **settings: Any) -> Terrain:
        """A closed mesh without a floor; settings are those of `MeshGround`: center, scale, cells, exact, ..."""
        return cls.build(mesh=MeshGround(source, **settings), bounds=bounds)

    @classmethod
    def from_obj(cls, path: str | Path, bounds: Bounds = DEFAULT_BOUNDS, **settings: Any) -> Terrain:
        """A closed mesh from an OBJ file; needs `paludarium[mesh]`."""
        return cls.from_mesh(MeshFile(str(path)), bounds, **settings)

    @property
    def parts(self) -> TerrainParts:
        """The floor, shapes and mesh this terrain was built from."""
        if self._parts is None:
            raise TerrainError("this terrain was packed by hand, its parts are not known; use Terrain.build")
        return self._parts

    def with_shapes(self, shapes: Iterable[ShapeSpec]) -> Terrain:
        """This terrain with more spheres, cylinders or boxes on it."""
        parts = self.parts
        return Terrain.build(parts.floor, (*parts.shapes, *shapes), parts.mesh, self.bounds)

    def with_mesh(self, mesh: MeshGround) -> Terrain:
        """This terrain with a mesh on it, in place of the one it had."""
        return Terrain.build(self.parts.floor, self.parts.shapes, mesh, self.bounds)

    def height(self, points: ArrayLike) -> Array:
        """Signed distance above the nearest surface for points (n, 3); for points (n, 2) the elevation z there."""
        array = checked_points(points, (3, 2))
        if array.shape[1] == 2:
            return self.elevation(array)
        return self._sample(array)[0]

    def normal(self, points: ArrayLike) -> Array:
        """Unit outward normals (n, 3) of the nearest surface for points (n, 3)."""
        return self._sample(checked_points(points, (3,)))[1]

    def inside(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Whether each of the points (n, 3) is under the floor, in a shape or in the mesh."""
        array = checked_points(points, (3,))
        inside = np.zeros(array.shape[0], dtype=np.bool_)
        with ThreadsFor(array.shape[0], POINTS_PER_THREAD):
            enclose_points(self.ground, array, inside)
        return inside

    def elevation(self, points: ArrayLike) -> Array:
        """The floor's z at points (n, 2); without a floor `NO_FLOOR`, far below everything."""
        array = checked_points(points, (2,))
        elevations = np.zeros(array.shape[0])
        with ThreadsFor(array.shape[0], POINTS_PER_THREAD):
            elevate_points(self.ground, array, elevations)
        return elevations

    def describe(self) -> dict[str, Any]:
        """The terrain as plain values for a map file; `build_terrain` makes the same terrain from it."""
        return plain_tables(*self.parts, self.bounds)

    def _sample(self, points: Array) -> tuple[Array, Array]:
        distances, normals = np.zeros(points.shape[0]), np.zeros((points.shape[0], 3))
        with ThreadsFor(points.shape[0], POINTS_PER_THREAD):
            sample_points(self.ground, points, distances, normals)
        return distances, normals
