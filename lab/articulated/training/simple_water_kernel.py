"""The simplified water that the publication compares with: a force on every surface element that moves outward, by the
square of its normal velocity. No wake, no mass of water, hence no jets. [Tan11 7] [articulated-swimmers 2.11]"""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....systems.articulated.fluid.plane_body_kernel import add_servos, begin_step, end_body, factorise, solve_factorised
from ....systems.articulated.fluid.window_layout import FRAME
from ....systems.articulated.stroke.surrogate_kernel import IMPULSES, LEVERS, RATES, add_mass, lever

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....engine.kernel_types import Array

X, Y, ANGLE, COS, SIN, VX, VY, SPIN, AX, AY = FRAME
DRAG = 2.0
"""C_n. [articulated-swimmers 7.24]"""
PIECES = 4
"""Elements along each side of a link, and around each end of a body."""


@kernel(refcount=False)
def add_element(k: int, x: float, y: float, nx: float, ny: float, area: float, parents: Array, frame: Array, g: Array,
                matrix: Array, star: Array, dt: float) -> None:  # fmt: skip
    """Update matrix by the resistance of an element with an outward normal, if it moves outward; implicit."""
    v = nx * (frame[k, VX] - frame[k, SPIN] * (y - frame[k, Y])) + ny * (frame[k, VY] + frame[k, SPIN] * (x - frame[k, X]))
    if v > 0.0:
        lever(k, x, y, nx, ny, parents, frame, g)
        add_mass(k, dt * 0.5 * DRAG * area * v, 0.0, parents, g, matrix, star)


@kernel(refcount=False)
def add_sides(k: int, row: int, links: LinkPool, parents: Array, frame: Array, g: Array, matrix: Array, star: Array,
              dt: float) -> None:  # fmt: skip
    """Update matrix by both sides of a link, and by the round ends of it that are not inside of others."""
    length, r0, r1 = links.length[row], links.radius[row, 0], links.radius[row, 1]
    co, si = frame[k, COS], frame[k, SIN]
    lean = (r0 - r1) / max(length, 1e-12)  # sides of a tapered link look backward a little
    size = sqrt(1.0 + lean * lean)
    for piece in range(PIECES):
        s = length * (piece + 0.5) / PIECES
        r = r0 + (r1 - r0) * (piece + 0.5) / PIECES
        for side in range(2):
            left = 1.0 if side == 0 else -1.0
            nx, ny = (-left * si - lean * co) / size, (left * co - lean * si) / size
            x, y = frame[k, X] - s * co - left * r * si, frame[k, Y] - s * si + left * r * co
            add_element(k, x, y, nx, ny, size * length / PIECES, parents, frame, g, matrix, star, dt)
    for end in range(2):
        r, back = (r0, 0.0) if end == 0 else (r1, length)
        for piece in range(PIECES):
            at = frame[k, ANGLE] + pi * (end - 0.5 + (piece + 0.5) / PIECES)
            x, y = frame[k, X] - back * co + r * cos(at), frame[k, Y] - back * si + r * sin(at)
            if (end == 0 and k == 0) or (end == 1 and is_leaf(k, parents)):
                add_element(k, x, y, cos(at), sin(at), pi * r / PIECES, parents, frame, g, matrix, star, dt)


@kernel(refcount=False)
def is_leaf(k: int, parents: Array) -> bool:
    """Return whether no link hangs on this one."""
    for j in range(k + 1, parents.shape[0]):
        if parents[j] == k:
            return False
    return True


@kernel(refcount=False)
def step_simple(c: int, swimmers: SwimPool, links: LinkPool, frame: Array, matrix: Array, vectors: Array, dt: float) -> None:
    """Update one swimmer over a tick in the simplified water."""
    first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
    rate, star, g, parents = vectors[RATES], vectors[IMPULSES], vectors[LEVERS], links.parent[first : first + n]
    begin_step(c, first, n, swimmers, links, frame, matrix, rate, star, g, dt)
    for k in range(n):
        add_sides(k, first + k, links, parents, frame, g, matrix, star, dt)
    add_servos(first, n, links, matrix, star, dt)
    if factorise(matrix, n + 2):
        solve_factorised(matrix, n + 2, star)
        end_body(c, swimmers, links, dt, swimmers.stream[c, 0], swimmers.stream[c, 1], frame, star)
