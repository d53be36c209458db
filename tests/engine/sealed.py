"""Saves as somebody could have written them who knows how the checksum is made."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from paludarium.engine.snapshot import DIGEST_BYTES, MAGIC, PREFIX


def opened(path: Path) -> tuple[dict[str, Any], dict[tuple[str, str], np.ndarray]]:
    """Header and arrays of a save, to be changed."""
    content = path.read_bytes()
    start = PREFIX.size + PREFIX.unpack_from(content)[2]
    header, arrays = json.loads(content[PREFIX.size : start]), {}
    for owner, column, dtype, shape in header["arrays"]:
        values = np.frombuffer(content, dtype, int(np.prod(shape)), start).reshape(shape).copy()
        arrays[owner, column] = values
        start += values.nbytes
    return header, arrays


def sealed(path: Path, header: dict[str, Any] | bytes, arrays: dict[tuple[str, str], np.ndarray], version: int = 2) -> Path:
    """Write a save with a checksum that fits."""
    if isinstance(header, dict):
        header = json.dumps(header).encode()
    body = PREFIX.pack(MAGIC, version, len(header)) + header + b"".join(values.tobytes() for values in arrays.values())
    path.write_bytes(body + hashlib.blake2b(body, digest_size=DIGEST_BYTES).digest())
    return path


def redescribed(header: dict[str, Any], arrays: dict[tuple[str, str], np.ndarray]) -> dict[str, Any]:
    """The header with the kinds and shapes that the arrays have now."""
    table = [[*key, values.dtype.str, list(values.shape)] for key, values in arrays.items()]
    return {**header, "arrays": table}
