"""One step of the shallow-water equations, row by row. [Fang15 eq. B.21-B.29; Stelling03; numerics 7]

Legend: u, v velocities; e surface elevation; k = dt / dx. Suffixes s and n are the rows to the south and north. Every read
has a fixed offset, so the loops vectorise. Compilers give that up at a call within the loop, so what rows call is inlined.

Velocities move with the fluxes that move the water: what a face loses of momentum its neighbour gets, to the last bit but
rounding, and a face takes from each side in proportion to what flows in there. So momentum is kept, bores and fronts have
their speed, and no velocity leaves the range of its neighbours. Tracing back along the flow, as the source does, lost a
fifth of the momentum of a swimmer in six seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernel import kernel
from .pond_layout import FILM

if TYPE_CHECKING:
    from ..kernel_types import Array


@kernel(inline=True)
def moved(w: float, west: float, east: float, south: float, north: float, flow_w: float, flow_e: float, flow_s: float,
          flow_n: float, depth: float, k: float) -> float:  # fmt: skip
    """Return the velocity of a face after water from its four neighbours flowed in; depth is that of its water now.

    d(h w)/dt = -div(q w) less w times dh/dt = -div q: only what flows in changes a velocity. [Stelling03]
    """
    flow_w = flow_w if flow_w > 0.0 else 0.0
    flow_e = -flow_e if flow_e < 0.0 else 0.0
    flow_s = flow_s if flow_s > 0.0 else 0.0
    flow_n = -flow_n if flow_n < 0.0 else 0.0
    came = k * (flow_w + flow_e + flow_s + flow_n)
    depth = depth if depth > came else came
    depth = depth if depth > FILM else FILM
    gain = flow_w * (west - w) + flow_e * (east - w) + flow_s * (south - w) + flow_n * (north - w)
    return w + k * gain / depth


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
def move_u_row(us: Array, u: Array, un: Array, fx: Array, fy: Array, fy_n: Array, depth: Array, surface: Array, sill: Array,
               out: Array, k: float, pull: float, fastest: float) -> None:  # fmt: skip
    """Update a row of new u from the old velocities, the fluxes of this substep and the surface after it."""
    for i in range(1, out.size - 1):
        w = moved(u[i], u[i - 1], u[i + 1], us[i], un[i], 0.5 * (fx[i - 1] + fx[i]), 0.5 * (fx[i] + fx[i + 1]),
                  0.5 * (fy[i - 1] + fy[i]), 0.5 * (fy_n[i - 1] + fy_n[i]), 0.5 * (depth[i - 1] + depth[i]), k)
        out[i] = push(w, surface[i - 1], surface[i], sill[i], pull, fastest)


@kernel()
def move_v_row(vs: Array, v: Array, vn: Array, fx_s: Array, fx: Array, fy_s: Array, fy: Array, fy_n: Array, depth_s: Array,
               depth: Array, surface_s: Array, surface: Array, sill: Array, out: Array, k: float, pull: float,
               fastest: float) -> None:  # fmt: skip
    """Update a row of new v from the old velocities, the fluxes of this substep and the surface after it."""
    for i in range(1, out.size - 1):
        w = moved(v[i], v[i - 1], v[i + 1], vs[i], vn[i], 0.5 * (fx_s[i] + fx[i]), 0.5 * (fx_s[i + 1] + fx[i + 1]),
                  0.5 * (fy_s[i] + fy[i]), 0.5 * (fy[i] + fy_n[i]), 0.5 * (depth_s[i] + depth[i]), k)
        out[i] = push(w, surface_s[i], surface[i], sill[i], pull, fastest)


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
def cut_row(fx: Array, fy: Array, share_s: Array, share: Array) -> None:
    """Update the fluxes through a row of west and south faces where cells are short of water: each to its giver's share."""
    for i in range(1, share.size - 1):
        fx[i] *= share[i - 1] if fx[i] > 0.0 else share[i]
        fy[i] *= share_s[i] if fy[i] > 0.0 else share[i]


@kernel()
def raise_row(bed: Array, depth: Array, surface: Array) -> None:
    """Update a row of surface elevations from bed and depth."""
    for i in range(1, depth.size - 1):
        surface[i] = bed[i] + depth[i]
