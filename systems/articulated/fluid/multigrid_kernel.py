"""One V-cycle for the pressure: damped Jacobi on grids each half as fine. The same forward and backward, so it may stand
inside conjugate gradients. [swimmer 0.2, 1.2]

The matrix of a grid: sum over faces of weight (P - P of the neighbour). Weights are the open shares of faces, 2 at the edge
of the window, where the pressure is 0 on the face; that of a coarse face is the mean of its two fine ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .window_layout import WindowArrays

DAMPING = 0.8
SWEEPS = 12
"""There and back over the coarsest grid. [swimmer 1.2]"""


@kernel(refcount=False)
def damped_row(ws: Array, w: Array, u: Array, out: Array, n: int) -> None:
    """Update a row of 0.8 over the diagonal; 0 where no face is open."""
    for i in range(1, n + 1):
        diagonal = u[i - 1] + u[i] + ws[i] + w[i]
        out[i] = DAMPING / diagonal if diagonal > 0.0 else 0.0


@kernel(refcount=False)
def copy_weights(open_u: Array, open_v: Array, weight_u: Array, weight_v: Array, n: int) -> None:
    """Update a row of the weights of the finest grid."""
    for i in range(n + 1):
        weight_u[i] = open_u[i]
        weight_v[i] = open_v[i]
    weight_u[0] *= 2.0
    weight_u[n] *= 2.0


@kernel(refcount=False)
def set_up(w: int, fluid: WindowArrays) -> None:
    """Update the weights and diagonals of all grids of a window from its open faces."""
    ny, nx = fluid.u.shape[1] - 2, fluid.u.shape[2] - 2
    wu, wv = fluid.weight_u[w, 0], fluid.weight_v[w, 0]
    for j in range(ny + 1):
        copy_weights(fluid.open_u[w, j], fluid.open_v[w, j], wu[j], wv[j], nx)
    for i in range(nx + 2):
        wv[0, i] *= 2.0
        wv[ny, i] *= 2.0
    for level in range(fluid.damped.shape[1]):
        wu, wv = fluid.weight_u[w, level], fluid.weight_v[w, level]
        if level:
            ny, nx = ny // 2, nx // 2
            fine_u, fine_v = fluid.weight_u[w, level - 1], fluid.weight_v[w, level - 1]
            for j in range(1, ny + 1):
                for i in range(nx + 1):
                    wu[j, i] = 0.5 * (fine_u[2 * j - 1, 2 * i] + fine_u[2 * j, 2 * i])
            for j in range(ny + 1):
                for i in range(1, nx + 1):
                    wv[j, i] = 0.5 * (fine_v[2 * j, 2 * i - 1] + fine_v[2 * j, 2 * i])
        for j in range(1, ny + 1):
            damped_row(wv[j - 1], wv[j], wu[j], fluid.damped[w, level, j], nx)


@kernel(refcount=False)
def first_sweep(damped: Array, rest: Array, out: Array, n: int) -> None:
    """Update a row of a guess that was 0."""
    for i in range(1, n + 1):
        out[i] = damped[i] * rest[i]


@kernel(refcount=False)
def sweep_row(ps: Array, p: Array, pn: Array, wvs: Array, wv: Array, wu: Array, rest: Array, damped: Array, out: Array,
              n: int) -> None:  # fmt: skip
    """Update a row of the next guess."""
    for i in range(1, n + 1):
        here = p[i]
        image = wu[i - 1] * (here - p[i - 1]) + wu[i] * (here - p[i + 1]) + wvs[i] * (here - ps[i]) + wv[i] * (here - pn[i])
        out[i] = here + damped[i] * (rest[i] - image)


@kernel(refcount=False)
def residual_row(ps: Array, p: Array, pn: Array, wvs: Array, wv: Array, wu: Array, rest: Array, damped: Array, out: Array,
                 n: int) -> None:  # fmt: skip
    """Update a row of what is left, in cells with water."""
    for i in range(1, n + 1):
        here = p[i]
        image = wu[i - 1] * (here - p[i - 1]) + wu[i] * (here - p[i + 1]) + wvs[i] * (here - ps[i]) + wv[i] * (here - pn[i])
        out[i] = rest[i] - image if damped[i] > 0.0 else 0.0


@kernel(refcount=False)
def sweep(p: Array, out: Array, wu: Array, wv: Array, rest: Array, damped: Array, ny: int, nx: int) -> None:
    """Update `out` to be the next guess after p."""
    for j in range(1, ny + 1):
        sweep_row(p[j - 1], p[j], p[j + 1], wv[j - 1], wv[j], wu[j], rest[j], damped[j], out[j], nx)


@kernel(refcount=False)
def coarsen(south: Array, north: Array, out: Array, n: int) -> None:
    """Update a coarse row: the sum of four cells each."""
    for i in range(1, n + 1):
        out[i] = (south[2 * i - 1] + south[2 * i]) + (north[2 * i - 1] + north[2 * i])


@kernel(refcount=False)
def refine(p: Array, coarse: Array, damped: Array, n: int) -> None:
    """Update a row by what a coarse row found, in cells with water only: as on the way down, or it is not symmetric."""
    for i in range(1, n + 1):
        here = coarse[i]
        p[2 * i - 1] += here if damped[2 * i - 1] > 0.0 else 0.0
        p[2 * i] += here if damped[2 * i] > 0.0 else 0.0


@kernel(refcount=False)
def relax(p: Array, wu: Array, wv: Array, rest: Array, damped: Array, ny: int, nx: int) -> None:
    """Update the guess of the coarsest grid by Gauss-Seidel sweeps there and back."""
    for j in range(1, ny + 1):
        for i in range(1, nx + 1):
            p[j, i] = 0.0
    cells = ny * nx
    for step in range(2 * SWEEPS):
        for number in range(cells):
            n = number if step < SWEEPS else cells - 1 - number
            j, i = 1 + n // nx, 1 + n % nx
            beside = wu[j, i - 1] * p[j, i - 1] + wu[j, i] * p[j, i + 1]
            above = wv[j - 1, i] * p[j - 1, i] + wv[j, i] * p[j + 1, i]
            p[j, i] = (damped[j, i] / DAMPING) * (rest[j, i] + beside + above)


@kernel(refcount=False)
def v_cycle(w: int, fluid: WindowArrays) -> None:
    """Update `guess` of the finest grid to about what `rest` needs. Cells of padding stay 0."""
    levels = fluid.damped.shape[1]
    ny, nx = fluid.u.shape[1] - 2, fluid.u.shape[2] - 2
    for level in range(levels - 1):
        wu, wv, damped = fluid.weight_u[w, level], fluid.weight_v[w, level], fluid.damped[w, level]
        rest, guess, other = fluid.rest[w, level], fluid.guess[w, level], fluid.other[w, level]
        coarse = fluid.rest[w, level + 1]
        for j in range(1, ny + 1):
            first_sweep(damped[j], rest[j], other[j], nx)
        sweep(other, guess, wu, wv, rest, damped, ny, nx)
        for j in range(1, ny + 1):
            residual_row(guess[j - 1], guess[j], guess[j + 1], wv[j - 1], wv[j], wu[j], rest[j], damped[j], other[j], nx)
        ny, nx = ny // 2, nx // 2
        for j in range(1, ny + 1):
            coarsen(other[2 * j - 1], other[2 * j], coarse[j], nx)
    level = levels - 1
    relax(fluid.guess[w, level], fluid.weight_u[w, level], fluid.weight_v[w, level], fluid.rest[w, level],
          fluid.damped[w, level], ny, nx)  # fmt: skip
    for level in range(levels - 2, -1, -1):
        wu, wv, damped = fluid.weight_u[w, level], fluid.weight_v[w, level], fluid.damped[w, level]
        rest, guess, other = fluid.rest[w, level], fluid.guess[w, level], fluid.other[w, level]
        coarse = fluid.guess[w, level + 1]
        for j in range(1, ny + 1):
            refine(guess[2 * j - 1], coarse[j], damped[2 * j - 1], nx)
            refine(guess[2 * j], coarse[j], damped[2 * j], nx)
        ny, nx = 2 * ny, 2 * nx
        sweep(guess, other, wu, wv, rest, damped, ny, nx)
        sweep(other, guess, wu, wv, rest, damped, ny, nx)
