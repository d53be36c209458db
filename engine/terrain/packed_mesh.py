"""A closed mesh as a save or a recording holds it: two texts of packed numbers, exact to the last bit, without any file.

Numbers are written little-endian, packed (zlib) and told as text (base64). What comes back is checked like a mesh file.
"""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..errors import shortened
from .mesh import MOST_CORNERS, Mesh, checked_mesh
from .terrain_error import TerrainError

CORNERS = 3
"""Numbers of a vertex, and of a face."""
VERTEX_NUMBERS, FACE_NUMBERS = np.dtype("<f8"), np.dtype("<i4")
PACKING = 6
"""Level of zlib: higher ones take much longer and save a hundredth."""
LONGEST_TEXT = 2 * MOST_CORNERS * CORNERS * VERTEX_NUMBERS.itemsize
"""Characters: base64 adds a third, and zlib hardly anything to what cannot be packed."""


@dataclass(frozen=True)
class MeshPacked:
    """A closed mesh as saves hold it: packed vertices and faces.

    Example::

        again = MeshPacked(**packed_mesh(mesh)).mesh()
    """

    vertices: str
    faces: str

    def mesh(self) -> Mesh:
        """The checked mesh."""
        vertices = _unpacked(self.vertices, VERTEX_NUMBERS, "vertices")
        return checked_mesh(vertices, _unpacked(self.faces, FACE_NUMBERS, "faces"), name="packed mesh")


def packed_mesh(mesh: Mesh) -> dict[str, str]:
    """The keys of a packed mesh in the table of a map."""
    return {"vertices": _packed(mesh.vertices, VERTEX_NUMBERS), "faces": _packed(mesh.faces, FACE_NUMBERS)}


def _packed(numbers: npt.NDArray[np.generic], kind: np.dtype[np.generic]) -> str:
    return base64.b64encode(zlib.compress(numbers.astype(kind).tobytes(), PACKING)).decode("ascii")


def _unpacked(text: str, kind: np.dtype[np.generic], name: str) -> npt.NDArray[np.generic]:
    """(n, 3) numbers of a text, or an error before more is unpacked than a mesh may have."""
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise TerrainError(f"{name} of a packed mesh are {shortened(text)}; allowed is a text of {LONGEST_TEXT} characters")
    most = MOST_CORNERS * CORNERS * kind.itemsize
    try:
        unpacking = zlib.decompressobj()
        content = unpacking.decompress(base64.b64decode(text.encode("ascii"), validate=True), most + 1)
    except (ValueError, zlib.error) as problem:
        raise TerrainError(f"{name} of a packed mesh cannot be unpacked ({problem}); allowed is what a save holds") from None
    if len(content) > most:
        raise TerrainError(f"{name} of a packed mesh are more than {MOST_CORNERS}; allowed are {MOST_CORNERS}")
    if not unpacking.eof or unpacking.unused_data or len(content) % (CORNERS * kind.itemsize):
        raise TerrainError(f"{name} of a packed mesh are torn; allowed are {CORNERS} numbers for each")
    return np.frombuffer(content, kind).reshape(-1, CORNERS)
