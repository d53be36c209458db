"""Arrays from an .npz file of unknown origin: the head of each is checked before a byte of it is unpacked."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from ...engine.errors import PaludariumError
from ...engine.file_reading import read_limited

PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How numpy packs; what else a zip file can hold unpacks to any size in one piece."""
HEADS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
UNREADABLE = (OSError, ValueError, EOFError, KeyError, NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What zip files and heads of arrays raise when they are not what they seem to be."""


def read_arrays(file: Path, kinds: Mapping[str, str], largest: int, error: type[PaludariumError]) -> dict[str, Any]:
    """The named arrays, each of its kind (as in `numpy.dtype.kind`), of at most so many bytes all together.

    What the file holds beside them is not looked at. Nothing is unpickled: a dtype of objects is of no allowed kind.

    Example::

        read_arrays(Path("ant.npz"), {"vx": "f", "failed": "b"}, 2**20, TableError)["vx"]
    """
    found, left = {}, largest
    packed_bytes = BytesIO(read_limited(file, largest, error))
    try:
        with zipfile.ZipFile(packed_bytes) as packed:
            inside = {member.filename: member for member in packed.infolist()}
            for name, kind in kinds.items():
                member = inside.get(f"{name}.npy")
                if member is None:
                    raise error(f"{file}: {name} is missing: allowed is an array of kind {kind!r}")
                left -= member.file_size
                if left < 0:
                    raise error(f"{file}: {name} unpacks to {member.file_size} bytes: allowed are {largest} for all arrays")
                if member.compress_type not in PACKED:
                    raise error(f"{file}: {name} is packed in way {member.compress_type}: allowed are {PACKED}")
                with packed.open(member) as stream:  # never more than was promised: it may unpack to any size
                    found[name] = _read(stream.read(member.file_size), kind, f"{file}: {name}", error)
    except UNREADABLE as problem:
        if isinstance(problem, PaludariumError):
            raise
        raise error(f"{file} cannot be read as a table of arrays: {problem}") from None
    return found


def _read(member: bytes, kind: str, what: str, error: type[PaludariumError]) -> Any:
    stream = BytesIO(member)
    version = npy.read_magic(stream)
    if version not in HEADS:
        raise ValueError(f"{what} has the array format {version}")
    shape, by_columns, dtype = HEADS[version](stream)
    if dtype.kind != kind:
        raise error(f"{what} is {dtype}: allowed is an array of kind {kind!r}")
    content = stream.read()
    wanted = dtype.itemsize
    for length in shape:
        wanted *= length
    if wanted != len(content) or any(length < 0 for length in shape) or not dtype.itemsize:
        raise error(f"{what} has the shape {shape} and {len(content)} bytes: allowed is what fits")
    return np.frombuffer(content, dtype).reshape(shape, order="F" if by_columns else "C")
