"""Reading closed meshes from files."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np

from .mesh import Mesh, checked_mesh
from .terrain_error import TerrainError


def read_mesh(path: str | Path) -> Mesh:
    """The closed triangle mesh in an OBJ file (or any other format that trimesh reads), its outside out."""
    file = Path(path)
    trimesh = _trimesh_package()
    if not file.is_file():
        raise TerrainError(f"mesh file {file} does not exist or is not a file; allowed is a closed mesh in an OBJ file")
    try:
        loaded = trimesh.load_mesh(str(file), process=False)
        vertices, faces = np.asarray(loaded.vertices), np.asarray(loaded.faces)
    except Exception as problem:  # the reader fails with many types; all mean the same to the user
        message = f"mesh file {file} cannot be read ({problem}); allowed is a closed mesh in an OBJ file"
        raise TerrainError(message) from problem
    return checked_mesh(vertices, faces, name=f"mesh file {file}")


def _trimesh_package() -> ModuleType:
    try:
        import trimesh  # optional: only worlds with mesh files need it
    except ImportError as problem:
        raise TerrainError("mesh files need the package trimesh: pip install 'paludarium[mesh]'") from problem
    return trimesh
