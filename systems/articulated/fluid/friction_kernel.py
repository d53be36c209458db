"""Skin friction: water beside links drags at them, and they at it. [fluid 1.6]

The grid knows no layer beside the skin. On both sides of each link, once per cell along it, the water a little off the skin
is compared with the skin, and the coefficient of a flat plate of the body's length says what passes between them: all that
a link gets the water beside it loses.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .cut_region_kernel import HIGH_J, LOW_J
from .plane_body_kernel import COS, SIN, SPIN, VX, VY, X, Y, add_pull

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....engine.kernel_types import Array
    from .window_layout import WindowArrays

LAMINAR = 1.328
"""Of a plate: drag coefficient times the root of its Reynolds number. [Blasius]"""
TURBULENT, TURBULENT_POWER, TRANSITION = 0.074, -0.2, 1700.0
TURBULENT_FROM = 5e4
"""The same where part of its layer is turbulent, and from which Reynolds number on. [Prandtl]"""
ROUND = 2.0
"""Skin of a round body per volume, against that of a slab. [fluid 1.6]"""
THICKNESS = 0.664 * 2.0 / 3.0
"""Of the layer: the momentum that it lacks, mean along a plate, times the root of the Reynolds number. The water looked at
lacks it already: in cells, that is the share by which the water farther out is faster. [Blasius]"""
OFF_SKIN = 0.75
"""Cells off the skin at which water is looked at."""
MOST_LOSS = 0.3
"""Of the difference in speed that a cell of water may lose in a step."""
TAKES = 0.5
"""Open share from which on a face takes part."""
BESIDE = 4
"""Rows beyond faces near links in which water may be looked at."""
LEAST_WEIGHT = 0.25
"""Of the four faces around a point, that have to be open."""


@kernel(refcount=False)
def plate_coefficient(reynolds: float) -> float:
    """Return the drag coefficient of one side of a plate along the flow."""
    laminar = LAMINAR / sqrt(reynolds)
    if reynolds < TURBULENT_FROM:
        return laminar
    return max(laminar, TURBULENT * reynolds**TURBULENT_POWER - TRANSITION / reynolds)


@kernel(refcount=False)
def look(u: Array, free: Array, x: float, y: float, weights: Array) -> float:
    """Return the velocity at a point between faces, and update the weights of the four around it; 0 where too few are open.

    The face [j, i] is at (i, j).
    """
    i, j = int64(np.floor(x)), int64(np.floor(y))
    for k in range(4):
        weights[k] = 0.0
    if not (1 <= i < u.shape[1] - 2 and 1 <= j < u.shape[0] - 2):
        return 0.0
    a, b, total, value = x - i, y - j, 0.0, 0.0
    for k in range(4):
        di, dj = k % 2, k // 2
        if free[j + dj, i + di] >= TAKES:
            weight = (a if di else 1.0 - a) * (b if dj else 1.0 - b)
            weights[k] = weight
            total += weight
            value += weight * u[j + dj, i + di]
    if total < LEAST_WEIGHT:
        for k in range(4):
            weights[k] = 0.0
        return 0.0
    for k in range(4):
        weights[k] /= total
    return value / total


@kernel(refcount=False)
def give(u: Array, free: Array, x: float, y: float, weights: Array, velocity: float) -> None:
    """Update what faces around a point gain by an impulse, told as the velocity that it gives to one cell of water."""
    i, j = int64(np.floor(x)), int64(np.floor(y))
    for k in range(4):
        if weights[k] > 0.0:
            u[j + k // 2, i + k % 2] += weights[k] * velocity / free[j + k // 2, i + k % 2]


@kernel(refcount=False)
def gain_row(gain_u: Array, gain_v: Array, u: Array, v: Array) -> None:
    """Update a row of both velocities by what they gain."""
    for i in range(u.size):
        u[i] += gain_u[i]
        v[i] += gain_v[i]


@kernel(refcount=False)
def rub_link(w: int, m: int, k: int, row: int, first: int, reynolds: float, layer: float, fluid: WindowArrays,
             links: LinkPool, dt: float) -> None:  # fmt: skip
    """Update the water beside one link, and the pull on its body; `reynolds` is that of its body at unit speed."""
    frame, dx, x0, y0 = fluid.frame[w, m], fluid.cell[w], fluid.origin[w, 0], fluid.origin[w, 1]
    u, v, open_u, open_v, weights = fluid.u[w], fluid.v[w], fluid.open_u[w], fluid.open_v[w], fluid.weights[w]
    length, co, si = links.length[row], frame[k, COS], frame[k, SIN]
    count = max(1, int64(np.ceil(length / dx)))
    ds = length / count
    for point in range(count):
        back = (point + 0.5) * ds
        half = links.radius[row, 0] + (point + 0.5) / count * (links.radius[row, 1] - links.radius[row, 0])
        for side in range(2):
            out = half if side == 0 else -half
            x, y = frame[k, X] - back * co - out * si, frame[k, Y] - back * si + out * co
            off = OFF_SKIN if side == 0 else -OFF_SKIN
            px, py = (x - x0) / dx - off * si, (y - y0) / dx + off * co
            water_x = look(u, open_u, px, py + 0.5, weights[0])
            water_y = look(v, open_v, px + 0.5, py, weights[1])
            if weights[0].sum() * weights[1].sum() == 0.0:
                continue
            skin_x = frame[k, VX] - frame[k, SPIN] * (y - frame[k, Y])
            skin_y = frame[k, VY] + frame[k, SPIN] * (x - frame[k, X])
            slip = (water_x - skin_x) * co + (water_y - skin_y) * si
            speed = abs(slip)
            if not speed * reynolds > 1.0:  # creeping flow is none that a plate's formula knows
                continue
            outer = slip * (1.0 + layer / sqrt(speed * reynolds))
            impulse = 0.5 * ROUND * plate_coefficient(speed * reynolds) * abs(outer) * outer * ds * dt
            most = MOST_LOSS * speed * dx * ds
            impulse = min(max(impulse, -most), most)
            add_pull(k, x, y, impulse * co, impulse * si, first, links, frame, fluid.pull[w, m])
            give(fluid.u1[w], open_u, px, py + 0.5, weights[0], -impulse * co / (dx * dx))
            give(fluid.v1[w], open_v, px + 0.5, py, weights[1], -impulse * si / (dx * dx))


@kernel(refcount=False)
def rub(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool, dt: float) -> None:
    """Update the water beside all members of a window, and the pull of its friction on them.

    All points look at the same water, so that left and right are alike.
    """
    u, v, gain_u, gain_v = fluid.u[w], fluid.v[w], fluid.u1[w], fluid.v1[w]
    low, high = max(fluid.cuts[w, LOW_J] - BESIDE, 0), min(fluid.cuts[w, HIGH_J] + BESIDE, u.shape[0] - 1)
    gain_u[low : high + 1] = 0.0
    gain_v[low : high + 1] = 0.0
    for m in range(fluid.member_count[w]):
        c = fluid.members[w, m]
        first = int64(swimmers.first_link[c])
        reynolds = swimmers.reynolds[c] / (swimmers.length[c] * swimmers.pace[c])
        layer = THICKNESS * swimmers.length[c] / fluid.cell[w]
        for k in range(swimmers.link_count[c]):
            if reynolds > 0.0 and links.length[first + k] > 0.0:
                rub_link(w, m, k, first + k, first, reynolds, layer, fluid, links, dt)
    for j in range(low, high + 1):
        gain_row(gain_u[j], gain_v[j], u[j], v[j])
