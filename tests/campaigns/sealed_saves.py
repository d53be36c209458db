"""Saves that are wrong but sealed: taken apart, changed inside, and written with a checksum that fits."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from paludarium.engine.snapshot import DIGEST_BYTES, FORMAT_VERSION, MAGIC, PREFIX

from .damage import Chance, damaged_tree

WILD_NUMBERS = (-1, 0, 1, 2, 7, 63, 64, 255, 4096, 10**6, 2**31 - 1, -(2**31), 2**40, -(2**62))
WILD_FLOATS = (np.nan, np.inf, -np.inf, 1e300, -1e300, 1e38, 1e9, -1e9, 1e-300, 0.0, -1.0)
HEADER_SHARE = 0.4
"""Of cases that change the header; the others change arrays."""


def take_apart(file: Path) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The header and the arrays of a save, as they are written."""
    content = file.read_bytes()
    _, _, length = PREFIX.unpack_from(content)
    start = PREFIX.size + length
    header, arrays = json.loads(content[PREFIX.size : start]), []
    for _, _, dtype, shape in header["arrays"]:
        count = int(np.prod(shape, dtype=np.int64))
        arrays.append(np.frombuffer(content, dtype=dtype, count=count, offset=start).reshape(shape).copy())
        start += arrays[-1].nbytes
    return header, arrays


def seal(file: Path, header: Any, arrays: list[np.ndarray], version: int = FORMAT_VERSION) -> None:
    """Write a save whose checksum is right, whatever it holds."""
    text = json.dumps(header).encode()
    body = b"".join([PREFIX.pack(MAGIC, version, len(text)), text, *(array.tobytes() for array in arrays)])
    file.write_bytes(body + hashlib.blake2b(body, digest_size=DIGEST_BYTES).digest())


def changed_save(chance: Chance, header: dict[str, Any], arrays: list[np.ndarray]) -> tuple[Any, list[np.ndarray], str]:
    """Header and arrays with something changed in them, and what it was."""
    if chance.random() < HEADER_SHARE:
        other, words = damaged_tree(chance, header)
        return other, arrays, f"header: {words}"
    arrays, words = list(arrays), []
    filled = [place for place, array in enumerate(arrays) if array.size]
    for _ in range(int(chance.integers(1, 3))):
        place = int(chance.choice(filled))
        owner, column, _, _ = header["arrays"][place]
        array = arrays[place] = arrays[place].copy()
        at = int(chance.integers(array.size))
        if array.dtype.kind == "f":
            value: Any = float(chance.choice(WILD_FLOATS))
            array.reshape(-1)[at] = value
        else:
            limits = np.iinfo(array.dtype)
            value = int(chance.choice(np.array(WILD_NUMBERS, dtype=np.int64)))
            value = min(max(value, int(limits.min)), int(limits.max))
            if chance.random() < 0.2:
                array[...] = value
            else:
                array.reshape(-1)[at] = value
        words.append(f"{owner}.{column}[{at}] = {value!r}")
    if chance.random() < 0.1:
        return *_reshaped(chance, header, arrays, words), "; ".join(words)
    return header, arrays, "; ".join(words)


def _reshaped(chance: Chance, header: Any, arrays: list[np.ndarray], words: list[str]) -> tuple[Any, list[np.ndarray]]:
    """Take rows away from one array or add some, and let the table say so."""
    header = json.loads(json.dumps(header))
    place = int(chance.integers(len(arrays)))
    array = arrays[place]
    rows = max(0, len(array) + int(chance.integers(-3, 4)))
    longer = np.zeros((rows, *array.shape[1:]), array.dtype)
    longer[: min(rows, len(array))] = array[:rows]
    arrays[place], header["arrays"][place][3] = longer, list(longer.shape)
    words.append(f"{header['arrays'][place][:2]} has {rows} rows")
    return header, arrays
