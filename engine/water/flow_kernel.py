"""One step of the shallow-water equations, row by row. [Fang15 eq. B.21-B.29; myriapoda E-6, E-18; numerics 7]

Legend: u, v velocities; e surface elevation; k = dt / dx; a, b offsets of a departure point in cells, at most one
cell, so that bilinear interpolation needs the nearest nine samples only and every read has a fixed offset: no index is
ever made from a float, and the loops vectorise, four times as fast as they are otherwise. Compilers give that up at a call
within the loop, so what rows call is inlined. Suffixes s and n are the rows to the south and north.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernel import kernel
from .pond_layout import FILM

if TYPE_CHECKING:
    from ..kernel_types import Array


@kernel(inline=True)
def gather(fs: Array, f: Array, fn: Array, i: int, a: float, b: float) -> float:
    """Return row f bilinearly at (i + a, b) from the 3 x 3 samples around i, for |a|, |b| <= 1."""
    west, east, here = 0.5 * (abs(a) - a), 0.5 * (abs(a) + a), 1.0 - abs(a)
    south, north, mid = 0.5 * (abs(b) - b), 0.5 * (abs(b) + b), 1.0 - abs(b)
    return (
        south * (west * fs[i - 1] + here * fs[i] + east * fs[i + 1])
        + mid * (west * f[i - 1] + here * f[i] + east * f[i + 1])
        + north * (west * fn[i - 1] + here * fn[i] + east * fn[i + 1])
    )


@kernel(inline=True)
def trace_u(us: Array, u: Array, un: Array, v: Array, vn: Array, i: int, k: float) -> tuple[float, float]:
    """Return the offset in cells of the departure point of face i of a row of u (true midpoint RK2)."""
    a = -0.5 * k * u[i]  # [myriapoda E-6]: x_m = x - dt/2 v(x), x_p = x - dt v(x_m)
    b = -0.125 * k * (v[i - 1] + v[i] + vn[i - 1] + vn[i])
    u_mid = gather(us, u, un, i, a, b)
    v_mid = (0.5 - b) * ((0.5 - a) * v[i - 1] + (0.5 + a) * v[i]) + (0.5 + b) * ((0.5 - a) * vn[i - 1] + (0.5 + a) * vn[i])
    return -k * u_mid, -k * v_mid


@kernel(inline=True)
def trace_v(vs: Array, v: Array, vn: Array, us: Array, u: Array, i: int, k: float) -> tuple[float, float]:
    """Return the offset in cells of the departure point of face i of a row of v (true midpoint RK2)."""
    a = -0.125 * k * (us[i] + us[i + 1] + u[i] + u[i + 1])
    b = -0.5 * k * v[i]
    v_mid = gather(vs, v, vn, i, a, b)
    u_mid = (0.5 - b) * ((0.5 - a) * us[i] + (0.5 + a) * us[i + 1]) + (0.5 + b) * ((0.5 - a) * u[i] + (0.5 + a) * u[i + 1])
    return -k * u_mid, -k * v_mid


@kernel(inline=True)
def push(velocity: float, e0: float, e1: float, sill: float, pull: float, fastest: float) -> float:
    """Return a face velocity after the surface slope from e0 up to e1 acted on it.

    Surfaces count from the sill up: water behind a higher bed neither pushes nor is pushed, so a lake at rest stays at
    rest over any bed (hydrostatic reconstruction). Dry faces stand still; NaN becomes 0.
    """
    h0 = e0 - sill if e0 > sill else 0.0
    h1 = e1 - sill if e1 > sill else 0.0
    velocity = velocity - pull * (h1 - h0)
    velocity = velocity if velocity < fastest else (fastest if velocity >= fastest else 0.0)
    velocity = velocity if velocity > -fastest else -fastest
    return velocity if h0 + h1 > FILM else 0.0


@kernel()
def move_u_row(us: Array, u: Array, un: Array, v: Array, vn: Array, surface: Array, sill: Array, out: Array, k: float,
               pull: float, fastest: float) -> None:  # fmt: skip
    """Update a row of new u from the old velocities and the surface."""
    for i in range(1, out.size - 1):
        a, b = trace_u(us, u, un, v, vn, i, k)
        out[i] = push(gather(us, u, un, i, a, b), surface[i - 1], surface[i], sill[i], pull, fastest)


@kernel()
def move_v_row(vs: Array, v: Array, vn: Array, us: Array, u: Array, surface_s: Array, surface: Array, sill: Array,
               out: Array, k: float, pull: float, fastest: float) -> None:  # fmt: skip
    """Update a row of new v from the old velocities and the surface."""
    for i in range(1, out.size - 1):
        a, b = trace_v(vs, v, vn, us, u, i, k)
        out[i] = push(gather(vs, v, vn, i, a, b), surface_s[i], surface[i], sill[i], pull, fastest)


@kernel()
def flux_u_row(u: Array, surface: Array, sill: Array, out: Array) -> None:
    """Update the flux through a row of west faces: velocity times the water above the sill on the side it comes from."""
    for i in range(1, out.size - 1):
        w, west, east = u[i], surface[i - 1], surface[i]
        h = (west if w > 0.0 else east) - sill[i]
        out[i] = w * (h if h > 0.0 else 0.0)


@kernel()
def flux_v_row(v: Array, surface_s: Array, surface: Array, sill: Array, out: Array) -> None:
    """Update the flux through a row of south faces: velocity times the water above the sill on the side it comes from."""
    for i in range(1, out.size - 1):
        w, south, north = v[i], surface_s[i], surface[i]
        h = (south if w > 0.0 else north) - sill[i]
        out[i] = w * (h if h > 0.0 else 0.0)


@kernel()
def share_row(fx: Array, fy: Array, fy_n: Array, depth: Array, share: Array, k: float) -> int:
    """Update the share of its wanted outflow that each cell of a row can pay; return how many cannot pay all of it."""
    poor = 0
    for i in range(1, share.size - 1):
        west, east, south, north = fx[i], fx[i + 1], fy[i], fy_n[i]
        out = (east if east > 0.0 else 0.0) - (west if west < 0.0 else 0.0)
        out = k * (out + (north if north > 0.0 else 0.0) - (south if south < 0.0 else 0.0))
        short = out > depth[i]
        share[i] = depth[i] / out if short else 1.0
        poor += short
    return poor


@kernel()
def fill_row(fx: Array, fy: Array, fy_n: Array, depth: Array, k: float) -> None:
    """Update a row of depths from the fluxes through the faces; what leaves one cell enters the next."""
    for i in range(1, depth.size - 1):
        d = depth[i] - k * ((fx[i + 1] - fx[i]) + (fy_n[i] - fy[i]))
        depth[i] = d if d > 0.0 else 0.0  # below 0 by rounding only


@kernel()
def fill_poor_row(fx: Array, fy: Array, fy_n: Array, share_s: Array, share: Array, share_n: Array, depth: Array,
                  k: float) -> None:  # fmt: skip
    """Update a row of depths where some cells are short of water: each flux is cut to the giver's share."""
    for i in range(1, depth.size - 1):
        west = fx[i] * (share[i - 1] if fx[i] > 0.0 else share[i])
        east = fx[i + 1] * (share[i] if fx[i + 1] > 0.0 else share[i + 1])
        south = fy[i] * (share_s[i] if fy[i] > 0.0 else share[i])
        north = fy_n[i] * (share[i] if fy_n[i] > 0.0 else share_n[i])
        d = depth[i] - k * ((east - west) + (north - south))
        depth[i] = d if d > 0.0 else 0.0


@kernel()
def raise_row(bed: Array, depth: Array, surface: Array) -> None:
    """Update a row of surface elevations from bed and depth."""
    for i in range(1, depth.size - 1):
        surface[i] = bed[i] + depth[i]
