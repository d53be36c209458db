"""The ground creatures walk on: height fields, analytic shapes and closed meshes behind one compiled query.

Kernels use `ground_kernel.sample_ground(ground, x, y, z)` with the tuple in `Terrain.ground`.
"""

from .description import build_terrain
from .floors import FlatFloor, GaussianFloor, NoiseFloor, RandomGaussianFloor
from .ground_layout import Ground
from .mesh import Mesh
from .mesh_kinds import LumpyBall, MeshArrays, MeshBall, MeshFile, MeshGround
from .mesh_shapes import noise_displaced_sphere, uv_sphere
from .packed_mesh import MeshPacked
from .shapes import Box, Cylinder, RandomCylinders, Sphere
from .terrain import Terrain
from .terrain_error import TerrainError

__all__ = [
    "Box",
    "Cylinder",
    "FlatFloor",
    "GaussianFloor",
    "Ground",
    "LumpyBall",
    "Mesh",
    "MeshArrays",
    "MeshBall",
    "MeshFile",
    "MeshGround",
    "MeshPacked",
    "NoiseFloor",
    "RandomCylinders",
    "RandomGaussianFloor",
    "Sphere",
    "Terrain",
    "TerrainError",
    "build_terrain",
    "noise_displaced_sphere",
    "uv_sphere",
]
