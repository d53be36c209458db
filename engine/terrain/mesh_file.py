"""Reading closed meshes from OBJ files.

A file may come from anywhere. Its size and the number of its vertices and faces are looked at before anything is built, and
the reader is handed its vertices and faces alone: no archives, no materials, no textures, no other formats, no other files.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ..errors import shortened
from ..file_reading import read_limited
from .mesh import MOST_CORNERS, Mesh, checked_mesh
from .terrain_error import TerrainError

SUFFIX = ".obj"
LARGEST_FILE = 64_000_000  # bytes; half a million triangles take about 30
LONGEST_LINE = 2000  # bytes; a face of a hundred corners takes less
ALLOWED = "allowed is a closed mesh in an OBJ file"

_LINES = {kind: re.compile(rb"^[ \t]*" + kind + rb"[ \t][^\r\n]*", re.MULTILINE) for kind in (b"v", b"f")}
_ELSEWHERE = re.compile(r"[\\/]{2}|[\\/]\?\?|[A-Za-z][A-Za-z0-9+.-]+:")
"""How names of files begin that lie on another machine, or may: //host, \\\\host, and what is before the colon of an URL.
A single letter there is a disk."""
_AFTER_SLASH = re.compile(rb"/[^\s]*")  # numbers of textures and normals, which stay behind


def mesh_path(written: Any, folders: Sequence[str] | None) -> str:
    """Where the mesh file lies that a table names: in the first folder that has it. Nothing beyond this machine.

    folders: None if no file may be opened, because the table came in a save or a recording.

    Example::

        mesh_path("skull.obj", ("maps", ""))        # beside the map, or else where the program runs
    """
    if not isinstance(written, str) or not written or "\0" in written:
        raise TerrainError(f"mesh path is {shortened(written)}; allowed is the name of a file")
    if _ELSEWHERE.match(written):
        raise TerrainError(f"mesh path is {shortened(written)}; allowed is a file of this machine")
    if folders is None:
        raise TerrainError(f"the mesh file {shortened(written)}, which a save or recording names, is not opened unasked; "
                           "allowed is one in a folder of yours, given as meshes=FOLDER")  # fmt: skip
    places = [Path(folder, written) for folder in folders]
    return str(next((place for place in places if place.is_file()), places[0]))


def read_mesh(path: str | Path) -> Mesh:
    """The closed triangle mesh in an OBJ file, its outside out."""
    file = Path(path)
    trimesh = _trimesh_package()
    content = BytesIO(_geometry_of(file))
    try:
        loaded = trimesh.load_mesh(content, file_type="obj", process=False, skip_materials=True)
        vertices, faces = np.asarray(loaded.vertices), np.asarray(loaded.faces)
    except Exception as problem:  # the reader fails with many types; all mean the same to the user
        raise TerrainError(f"mesh file {file} cannot be read ({problem}); {ALLOWED}") from problem
    return checked_mesh(vertices, faces, name=f"mesh file {file}")


def _geometry_of(file: Path) -> bytes:
    """The lines of vertices and faces of a file, or an error before anything is made of a file that is not ours to read."""
    if file.suffix.lower() != SUFFIX:
        raise TerrainError(f"mesh file {file} does not end in {SUFFIX}; {ALLOWED}")
    content = read_limited(file, LARGEST_FILE, lambda said: TerrainError(f"mesh file {said}; {ALLOWED}"))
    if b"\0" in content:
        raise TerrainError(f"mesh file {file} is no text; {ALLOWED}")
    content = content.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")  # a line that goes on in the next one
    vertices, faces = ([match.group() for match in _LINES[kind].finditer(content)] for kind in (b"v", b"f"))
    if not vertices or not faces:
        raise TerrainError(f"mesh file {file} is empty: it has {len(vertices)} vertices and {len(faces)} faces; {ALLOWED}")
    if max(len(vertices), len(faces)) > MOST_CORNERS:
        counted = f"{len(vertices)} vertices and {len(faces)} faces"
        raise TerrainError(f"mesh file {file} has {counted}; allowed are {MOST_CORNERS} of each")
    if (longest := max(map(len, vertices + faces))) > LONGEST_LINE:
        raise TerrainError(f"mesh file {file} has a line of {longest} bytes; allowed are {LONGEST_LINE}")
    return b"\n".join([*vertices, _AFTER_SLASH.sub(b"", b"\n".join(faces)), b""])


def _trimesh_package() -> ModuleType:
    try:
        import trimesh  # optional: only worlds with mesh files need it
    except ImportError as problem:
        raise TerrainError("mesh files need the package trimesh: pip install 'paludarium[mesh]'") from problem
    return trimesh
