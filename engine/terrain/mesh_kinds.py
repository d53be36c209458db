"""Where a mesh comes from: a file, a ball, a lumpy ball, plain or packed arrays, as frozen records that a map can hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..errors import shortened
from .checks import checked_count, checked_positive, checked_vector
from .ground_pack import DEFAULT_FIELD_NODES, with_field
from .mesh import DEFAULT_CELLS, LARGEST_CELLS, Mesh, MeshCells, checked_mesh, hashed_mesh
from .mesh_file import read_mesh
from .mesh_shapes import noise_displaced_sphere, uv_sphere
from .packed_mesh import MeshPacked, packed_mesh
from .terrain_error import TerrainError

LEAST_FIELD_NODES = 8
LARGEST_FIELD_NODES = 128  # 17 MB of distances, and eight times the default to bake


@dataclass(frozen=True)
class MeshFile:
    """A closed mesh in an OBJ file; needs `paludarium[mesh]`."""

    path: str

    def __post_init__(self) -> None:
        if not isinstance(self.path, str) or not self.path:
            raise TerrainError(f"mesh path is {shortened(self.path)}; allowed is the name of a file")

    def mesh(self) -> Mesh:
        """The checked mesh, as it was in the file when it was first asked for."""
        return self._read

    @cached_property
    def _read(self) -> Mesh:
        return read_mesh(self.path)

    @cached_property
    def packed(self) -> dict[str, str]:
        """The mesh as keys of the source "packed", which needs no file."""
        return packed_mesh(self.mesh())


@dataclass(frozen=True)
class MeshBall:
    """A ball of triangles around the origin."""

    radius: float = 15.0
    rings: int = 100
    sectors: int = 100

    def mesh(self) -> Mesh:
        """The checked mesh."""
        return checked_mesh(*uv_sphere(self.radius, self.rings, self.sectors))


@dataclass(frozen=True)
class LumpyBall:
    """A ball of triangles moved in and out by noise."""

    radius: float = 15.0
    amplitude: float = 1.0
    lump_width: float = 8.0
    rings: int = 100
    sectors: int = 100
    octaves: int = 3
    seed: int = 0

    def mesh(self) -> Mesh:
        """The checked mesh."""
        ball = noise_displaced_sphere(
            self.radius, self.amplitude, self.lump_width, self.rings, self.sectors, self.octaves, self.seed
        )
        return checked_mesh(*ball)


@dataclass(frozen=True)
class MeshArrays:
    """A closed mesh written out: vertices of three numbers, faces of three vertex numbers."""

    vertices: Sequence[Sequence[float]]
    faces: Sequence[Sequence[int]]

    def mesh(self) -> Mesh:
        """The checked mesh."""
        try:
            return checked_mesh(self.vertices, self.faces)
        except TerrainError:
            raise
        except (TypeError, ValueError, OverflowError) as problem:
            raise TerrainError(f"mesh arrays are ragged or hold no numbers ({problem})") from problem

    @cached_property
    def packed(self) -> dict[str, str]:
        """The mesh as keys of the source "packed", which takes less room."""
        return packed_mesh(self.mesh())


MeshSource = MeshFile | MeshBall | LumpyBall | MeshArrays | MeshPacked


@dataclass(frozen=True)
class MeshGround:
    """A mesh to walk on: its source, where its origin lies, and how queries are answered.

    ``exact`` asks the triangles themselves (microseconds); otherwise a distance field with ``field_nodes`` nodes along
    the longest side answers (tens of nanoseconds) and rounds edges by about one node spacing. `Terrain.inside` always
    asks the triangles. ``cells`` is the hash grid's size along each axis.
    """

    source: MeshSource
    center: tuple[float, ...] = (0.0, 0.0, 0.0)
    scale: float = 1.0
    cells: int = DEFAULT_CELLS
    exact: bool = False
    field_nodes: int = DEFAULT_FIELD_NODES

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", checked_vector(self.center, "mesh center"))
        checked_positive(self.scale, "mesh scale")
        if not isinstance(self.exact, bool):
            raise TerrainError(f"mesh exact is {shortened(self.exact)}; allowed are true and false")
        if checked_count(self.cells, "mesh cells") > LARGEST_CELLS:
            raise TerrainError(f"mesh cells is {self.cells}; allowed are at most {LARGEST_CELLS}")
        if not LEAST_FIELD_NODES <= checked_count(self.field_nodes, "field_nodes") <= LARGEST_FIELD_NODES:
            raise TerrainError(
                f"field_nodes is {self.field_nodes}; allowed are {LEAST_FIELD_NODES} to {LARGEST_FIELD_NODES}"
            )

    def prepare(self) -> MeshCells:
        """The mesh, hashed, with its distance field unless queries shall be exact."""
        mesh = self.source.mesh()
        placed = Mesh(mesh.vertices * self.scale + self.center, mesh.faces)
        hashed = hashed_mesh(placed, self.cells)
        return hashed if self.exact else with_field(hashed, self.field_nodes)
