"""The damping variant that leaves rigid rotation alone.

The published damping brakes spin [myriapoda E-49]. Here each element loses only u - w x r, where r and u are position and
velocity of a node relative to the element's mean and w is the element's best-fit angular velocity, so that neither
force nor torque remains. It is explicit: its largest rate, 4 gamma / rho, is far below the stability limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.vector_kernel import cross
from .elastic_kernel import gather_corners
from .faces_kernel import place_face
from .scratch_layout import (
    BLK_GAMMA_VOLUME,
    BLK_V,
    CORNER_FORCE,
    CORNER_V,
    CORNER_X,
    END_A,
    END_B,
    END_VBASE,
    LANES,
    NODE_FORCE,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector

CORNER_SHARE = 1.0 / 48.0  # volume of a corner tetrahedron over the block volume; the central one has twice that


@kernel()
def rotation_free_damping(w: Array, s: Array, block: int) -> None:
    """Update the corner forces of a block by the damping of all motion that is not rigid within an element."""
    real = w.dtype.type
    place_face(w, END_A + END_VBASE, w, NODE_FORCE)  # the node forces are not in use yet: hold node velocities there
    place_face(w, END_B + END_VBASE, w, NODE_FORCE + 18)
    for d in range(3):
        for n in range(9):
            w[NODE_FORCE + 27 * d + 9 + n] = s[block + BLK_V + 9 * d + n]
    gather_corners(w, w, NODE_FORCE, CORNER_V)
    share = s[block + BLK_GAMMA_VOLUME] * real(CORNER_SHARE)
    damp_kind(w, 0, 96, 48, 24, share)
    damp_kind(w, 72, 168, 24, 48, share)
    damp_kind(w, 120, 24, 168, 96, share)
    damp_kind(w, 144, 48, 96, 168, share)
    damp_kind(w, 96, 48, 24, 168, share + share)


@kernel()
def relative(w: Array, at: int, mean_x: float, mean_y: float, mean_z: float) -> Vector:
    """A corner vector minus the element mean."""
    return w[at] - mean_x, w[at + LANES] - mean_y, w[at + 2 * LANES] - mean_z


@kernel()
def inertia_sums(a: Vector, b: Vector, c: Vector, d: Vector) -> tuple[float, float, float, float, float, float]:
    """Sums over four offsets of xx, yy, zz, xy, xz, yz."""
    return (
        a[0] * a[0] + b[0] * b[0] + c[0] * c[0] + d[0] * d[0],
        a[1] * a[1] + b[1] * b[1] + c[1] * c[1] + d[1] * d[1],
        a[2] * a[2] + b[2] * b[2] + c[2] * c[2] + d[2] * d[2],
        a[0] * a[1] + b[0] * b[1] + c[0] * c[1] + d[0] * d[1],
        a[0] * a[2] + b[0] * b[2] + c[0] * c[2] + d[0] * d[2],
        a[1] * a[2] + b[1] * b[2] + c[1] * c[2] + d[1] * d[2],
    )


@kernel()
def best_spin(sums: tuple[float, float, float, float, float, float], lx: float, ly: float, lz: float, tiny: float) -> Vector:
    """The angular velocity I^-1 L of four equal masses with these sums of offsets and this angular momentum."""
    xx, yy, zz, xy, xz, yz = sums
    a, b, c = yy + zz, xx + zz, xx + yy
    ca, cb, cc = b * c - yz * yz, a * c - xz * xz, a * b - xy * xy
    cd, ce, cf = xz * yz + xy * c, xy * yz + xz * b, xy * xz + yz * a
    det = a * ca - xy * cd - xz * ce
    below = det if det > tiny else tiny
    return (
        (ca * lx + cd * ly + ce * lz) / below,
        (cd * lx + cb * ly + cf * lz) / below,
        (ce * lx + cf * ly + cc * lz) / below,
    )


@kernel()
def damp_corner(w: Array, at: int, r: Vector, u: Vector, spin: Vector, scale: float) -> None:
    """Update the force on one corner from its motion relative to the rigid rotation of the element."""
    v = cross(spin, r)
    w[CORNER_FORCE + at] -= scale * (u[0] - v[0])
    w[CORNER_FORCE + at + LANES] -= scale * (u[1] - v[1])
    w[CORNER_FORCE + at + 2 * LANES] -= scale * (u[2] - v[2])


@kernel()
def damp_kind(w: Array, p: int, q: int, r: int, t: int, scale: float) -> None:
    """Update the corner forces of the eight elements on corners p, q, r, t (offsets into the corner arrays)."""
    real = w.dtype.type
    quarter, tiny = real(0.25), real(1e-30)
    for c in range(LANES):
        x, v = CORNER_X + c, CORNER_V + c
        mx = quarter * (w[x + p] + w[x + q] + w[x + r] + w[x + t])
        my = quarter * (w[x + p + 8] + w[x + q + 8] + w[x + r + 8] + w[x + t + 8])
        mz = quarter * (w[x + p + 16] + w[x + q + 16] + w[x + r + 16] + w[x + t + 16])
        nx = quarter * (w[v + p] + w[v + q] + w[v + r] + w[v + t])
        ny = quarter * (w[v + p + 8] + w[v + q + 8] + w[v + r + 8] + w[v + t + 8])
        nz = quarter * (w[v + p + 16] + w[v + q + 16] + w[v + r + 16] + w[v + t + 16])
        rp, rq = relative(w, x + p, mx, my, mz), relative(w, x + q, mx, my, mz)
        rr, rt = relative(w, x + r, mx, my, mz), relative(w, x + t, mx, my, mz)
        up, uq = relative(w, v + p, nx, ny, nz), relative(w, v + q, nx, ny, nz)
        ur, ut = relative(w, v + r, nx, ny, nz), relative(w, v + t, nx, ny, nz)
        lp = cross(rp, up)
        lq = cross(rq, uq)
        lr = cross(rr, ur)
        lt = cross(rt, ut)
        lx, ly, lz = lp[0] + lq[0] + lr[0] + lt[0], lp[1] + lq[1] + lr[1] + lt[1], lp[2] + lq[2] + lr[2] + lt[2]
        spin = best_spin(inertia_sums(rp, rq, rr, rt), lx, ly, lz, tiny)
        damp_corner(w, p + c, rp, up, spin, scale)
        damp_corner(w, q + c, rq, uq, spin, scale)
        damp_corner(w, r + c, rr, ur, spin, scale)
        damp_corner(w, t + c, rt, ut, spin, scale)
