"""Write pictures and clips without any imaging library."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def rgb_bytes(pixels: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The (height, width, 3) bytes of packed 0xRRGGBB pixels."""
    shifts = np.array([16, 8, 0], dtype=np.uint32)
    return ((pixels[:, :, None] >> shifts) & np.uint32(255)).astype(np.uint8)


def save_png(path: str | Path, pixels: NDArray[np.uint32], level: int = 6) -> None:
    """Save packed pixels as a PNG file.

    Example::

        save_png("frame.png", renderer.pixels)
    """
    height, width = pixels.shape
    rows = rgb_bytes(pixels).astype(np.int16).reshape(height, width * 3)
    filtered = np.zeros((height, 1 + width * 3), dtype=np.uint8)
    filtered[:, 0] = 2  # "up" filter: the difference to the row above packs well for soft pictures
    filtered[0, 1:] = rows[0]
    filtered[1:, 1:] = (rows[1:] - rows[:-1]) & 255
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(filtered.tobytes(), level)
    chunks = (_chunk(b"IHDR", header), _chunk(b"IDAT", body), _chunk(b"IEND", b""))
    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
