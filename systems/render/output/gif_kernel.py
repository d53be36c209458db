"""The compression of GIF pictures (variable-width LZW), compiled because it looks at every pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import int64

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

CLEAR, END, FIRST_FREE, LARGEST_CODE = 256, 257, 258, 4095
HASH_SIZE = 1 << 14


@kernel()
def lzw(indices: Array, out: Array) -> int:
    """Update out with the LZW codes of 8-bit colour indices; return the number of bytes."""
    keys = np.full(HASH_SIZE, -1, dtype=np.int64)
    codes = np.zeros(HASH_SIZE, dtype=np.int64)
    width, free, bits, filled, size = 9, FIRST_FREE, 0, 0, 0
    bits |= CLEAR
    filled += width
    prefix = -1
    for k in range(indices.size + 1):
        emit = -1
        if k == indices.size:
            emit = prefix
        elif prefix < 0:
            prefix = int64(indices[k])
        else:
            key = (prefix << 8) | int64(indices[k])
            slot = (key * 40503) & (HASH_SIZE - 1)
            while keys[slot] >= 0 and keys[slot] != key:
                slot = (slot + 1) & (HASH_SIZE - 1)
            if keys[slot] == key:
                prefix = codes[slot]
            else:
                emit = prefix
                keys[slot], codes[slot] = key, free
                prefix = int64(indices[k])
        if emit >= 0:
            bits |= emit << filled
            filled += width
            if k < indices.size:
                if free == LARGEST_CODE:
                    bits |= CLEAR << filled
                    filled += width
                    keys[:] = -1
                    width, free = 9, FIRST_FREE
                else:
                    if free >= 1 << width:
                        width += 1
                    free += 1
        while filled >= 8:
            out[size] = bits & 255
            size += 1
            bits >>= 8
            filled -= 8
    bits |= END << filled
    filled += width
    while filled > 0:
        out[size] = bits & 255
        size += 1
        bits >>= 8
        filled -= 8
    return size
