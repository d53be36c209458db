"""Looking controllers up: linear between the eight corners of a cell, or weighted by inverse squared distance. [Guo15
6.3]"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.kernel import kernel

if TYPE_CHECKING:
    from ...engine.kernel_types import Array

LINEAR, INVERSE_DISTANCE = 0, 1
ON_CORNER = 1e-18  # squared steps: the query is the corner


@kernel(refcount=False)
def look_up(table: Array, low: Array, step: Array, vx: float, vy: float, vz: float, method: int, out: Array) -> bool:
    """Update out (27,) for a velocity; table (nx, ny, nz, 27), failed cells hold what their neighbours say. Returns
    whether the query was outside and had to be moved to the edge."""
    nx, ny, nz = table.shape[0], table.shape[1], table.shape[2]
    a, b, c = (vx - low[0]) / step[0], (vy - low[1]) / step[1], (vz - low[2]) / step[2]
    outside = a < -1e-9 or b < -1e-9 or c < -1e-9 or a > nx - 1 + 1e-9 or b > ny - 1 + 1e-9 or c > nz - 1 + 1e-9
    a, b, c = min(max(a, 0.0), nx - 1.0), min(max(b, 0.0), ny - 1.0), min(max(c, 0.0), nz - 1.0)
    i, j, k = min(int(a), max(nx - 2, 0)), min(int(b), max(ny - 2, 0)), min(int(c), max(nz - 2, 0))
    fa, fb, fc = a - i, b - j, c - k
    for n in range(27):
        out[n] = 0.0
    total = 0.0
    for corner in range(8):
        di, dj, dk = corner & 1, (corner >> 1) & 1, corner >> 2
        if method == LINEAR:
            weight = (fa if di else 1.0 - fa) * (fb if dj else 1.0 - fb) * (fc if dk else 1.0 - fc)
            if weight == 0.0:
                continue
        else:
            if i + di >= nx or j + dj >= ny or k + dk >= nz:
                continue
            # distances in velocity, not in controls: a query has none [Guo15 eq. 6.8]
            d = ((fa - di) * step[0]) ** 2 + ((fb - dj) * step[1]) ** 2 + ((fc - dk) * step[2]) ** 2
            if d < ON_CORNER:
                for n in range(27):
                    out[n] = table[i + di, j + dj, k + dk, n]
                return outside
            weight = 1.0 / d
        total += weight
        for n in range(27):
            out[n] += weight * table[i + di, j + dj, k + dk, n]
    for n in range(27):
        out[n] /= total
    return outside
