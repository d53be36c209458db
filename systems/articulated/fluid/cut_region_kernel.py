"""Where links cut faces, in this tick or at the end of the last one: there the water is carried in another way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import uint8

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .window_layout import WindowArrays

LOW_J, HIGH_J, LOW_I, HIGH_I = range(4)
"""Columns of a box: first and last row and column."""
NEAR = 1
"""Cells from a cut face within which a face is near one. [fluid 1.3]"""


@kernel(refcount=False)
def least_row(open_u: Array, open_v: Array, out: Array) -> None:
    """Update a row of the smallest opening that a cell has had."""
    for i in range(out.size):
        least = open_u[i] if open_u[i] < open_v[i] else open_v[i]
        out[i] = least if least < out[i] else out[i]


@kernel(refcount=False)
def note_openings(w: int, fluid: WindowArrays, begin: bool) -> None:
    """Update the smallest openings of all cells by those of now; begin: whatever was before is forgotten."""
    open_u, open_v, least = fluid.open_u[w], fluid.open_v[w], fluid.least[w]
    for j in range(least.shape[0]):
        if begin:
            for i in range(least.shape[1]):
                least[j, i] = 1.0
        least_row(open_u[j], open_v[j], least[j])


@kernel(refcount=False)
def least_of_three(a: Array, b: Array, c: Array, out: Array) -> None:
    """Update a row to be the smallest of three."""
    for i in range(out.size):
        least = a[i] if a[i] < b[i] else b[i]
        out[i] = c[i] if c[i] < least else least


@kernel(refcount=False)
def mark_row(line: Array, near: Array) -> None:
    """Update which of a row are beside an opening below 1: `line` begins one before."""
    for i in range(near.size):
        near[i] = uint8(line[i] < 1.0 or line[i + 1] < 1.0 or line[i + 2] < 1.0)


@kernel(refcount=False)
def find_cuts(w: int, fluid: WindowArrays, cuts: Array) -> None:
    """Update which faces are near a cut one, and the box of those that are; none: its first row lies behind its last."""
    least, near = fluid.least[w], fluid.reached[w]
    ny, nx = least.shape[0] - 2, least.shape[1] - 2
    cuts[LOW_J], cuts[HIGH_J], cuts[LOW_I], cuts[HIGH_I] = ny + 2, -1, nx + 2, -1
    for j in range(ny + 2):
        first = 0
        while first < nx + 2 and least[j, first] >= 1.0:
            first += 1
        if first < nx + 2:
            last = nx + 1
            while least[j, last] >= 1.0:
                last -= 1
            cuts[LOW_J], cuts[HIGH_J] = min(cuts[LOW_J], j), j
            cuts[LOW_I], cuts[HIGH_I] = min(cuts[LOW_I], first), max(cuts[HIGH_I], last)
    if cuts[HIGH_J] < 0:
        return
    cuts[LOW_J], cuts[HIGH_J] = max(cuts[LOW_J] - NEAR, 1), min(cuts[HIGH_J] + NEAR, ny)
    cuts[LOW_I], cuts[HIGH_I] = max(cuts[LOW_I] - NEAR, 1), min(cuts[HIGH_I] + NEAR, nx)
    line, low_i, high_i = fluid.lines[w, 0], cuts[LOW_I], cuts[HIGH_I]
    for j in range(cuts[LOW_J], cuts[HIGH_J] + 1):
        least_of_three(
            least[j - 1, low_i - 1 :], least[j, low_i - 1 :], least[j + 1, low_i - 1 :], line[: high_i - low_i + 3]
        )
        mark_row(line, near[j, low_i : high_i + 1])
