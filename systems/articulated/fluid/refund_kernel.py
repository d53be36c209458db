"""What the stable form has lost or made of the water's momentum near links goes to the water around. [fluid 1.3, 1.6]

Faces near a cut one have two new values: a stable velocity, and the momentum that flows have left there. The difference is
given evenly to the open faces within some cells. What no face can take is left to the link that owns the face.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.articulated.link_plan import MOST_LINKS
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .advection_kernel import BAND, copy_row, flow_row
from .cut_region_kernel import HIGH_I, HIGH_J, LOW_I, LOW_J, find_cuts, note_openings
from .plane_body_kernel import COS, SIN, SPIN, VX, VY, add_pull
from .window_layout import PAD

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....engine.kernel_types import Array
    from .window_layout import WindowArrays

REACH = 3
"""Cells within which faces share a difference. [fluid 1.3]"""
TAKES = 0.5
"""Open share from which on a face takes a part. [fluid 1.6]"""


@kernel(refcount=False)
def begin_flows(w: int, fluid: WindowArrays) -> None:
    """Update the flows through all faces from velocities and openings at the end of the last tick."""
    for j in range(fluid.u.shape[1]):
        flow_row(fluid.open_u[w, j], fluid.u[w, j], fluid.weight_u[w, 0, j])
        flow_row(fluid.open_v[w, j], fluid.v[w, j], fluid.weight_v[w, 0, j])
    for j in range(1, fluid.u.shape[1] - 1):  # scratch of the pressure: its padding stays 0
        copy_row(fluid.rest[w, 0, j, 1 : fluid.u.shape[2] - 1], fluid.open_u[w, j, 1:])
        copy_row(fluid.image[w, j, 1 : fluid.u.shape[2] - 1], fluid.open_v[w, j, 1:])
    note_openings(w, fluid, True)


@kernel(refcount=False)
def begin_momentum(w: int, fluid: WindowArrays, cuts: Array) -> None:
    """Update which faces are near links, and the momentum that they begin the tick with."""
    note_openings(w, fluid, False)
    find_cuts(w, fluid, cuts)
    for j in range(cuts[LOW_J], cuts[HIGH_J] + 1):
        for i in range(cuts[LOW_I], cuts[HIGH_I] + 1):
            fluid.guess[w, 0, j, i] = fluid.weight_u[w, 0, j, i]
            fluid.other[w, 0, j, i] = fluid.weight_v[w, 0, j, i]


@kernel(refcount=False)
def sum_row(a: Array, out: Array) -> None:
    """Update a row of sums of seven neighbours each: `a` begins REACH before `out`."""
    for i in range(out.size):
        out[i] = ((a[i] + a[i + 1]) + (a[i + 2] + a[i + 3])) + ((a[i + 4] + a[i + 5]) + a[i + 6])


@kernel(refcount=False)
def sum_rows(a: Array, b: Array, c: Array, d: Array, e: Array, f: Array, g: Array, out: Array) -> None:
    """Update a row to be the sum of seven."""
    for i in range(out.size):
        out[i] = ((a[i] + b[i]) + (c[i] + d[i])) + ((e[i] + f[i]) + g[i])


@kernel(refcount=False)
def sum_around(a: Array, b: Array, low_j: int, high_j: int, low_i: int, high_i: int) -> None:
    """Update `a` in a box to be its own sums over seven rows and columns; by rows first, in `b`."""
    for j in range(low_j - REACH, high_j + REACH + 1):
        sum_row(a[j, low_i - REACH :], b[j, low_i : high_i + 1])
    for j in range(low_j, high_j + 1):
        sum_rows(b[j - 3, low_i:], b[j - 2, low_i:], b[j - 1, low_i:], b[j, low_i:], b[j + 1, low_i:], b[j + 2, low_i:],
                 b[j + 3, low_i:], a[j, low_i : high_i + 1])  # fmt: skip


@kernel(refcount=False)
def outflow_u(j: int, i: int, flow_u: Array, flow_v: Array) -> float:
    """Return what leaves the velocity cell of an east face, per width of one."""
    along = 0.5 * (flow_u[j, i + 1] - flow_u[j, i - 1])
    return along + 0.5 * ((flow_v[j, i] + flow_v[j, i + 1]) - (flow_v[j - 1, i] + flow_v[j - 1, i + 1]))


@kernel(refcount=False)
def outflow_v(j: int, i: int, flow_u: Array, flow_v: Array) -> float:
    """Return what leaves the velocity cell of a north face, per width of one."""
    along = 0.5 * (flow_v[j + 1, i] - flow_v[j - 1, i])
    return along + 0.5 * ((flow_u[j, i] + flow_u[j + 1, i]) - (flow_u[j, i - 1] + flow_u[j + 1, i - 1]))


@kernel(refcount=False)
def swap_water(w: int, fluid: WindowArrays, f: Array, free: Array, before: Array, momentum: Array, east: bool, own: float,
               step: float, low_j: int, high_j: int, low_i: int, high_i: int) -> None:  # fmt: skip
    """Update the momentum of faces near links by that of the water that flows do not know of, at the body's own speed.

    A link closes a face at once, while flows fill and empty it little by little. That water is taken to move with the body:
    a body and water that move alike stay so. The sum of it is made up for evenly, so that no momentum comes of it.
    """
    near, cuts, flow_u, flow_v = fluid.reached[w], fluid.cuts[w], fluid.weight_u[w, 0], fluid.weight_v[w, 0]
    total, room = 0.0, 0.0
    for j in range(max(cuts[LOW_J], low_j), min(cuts[HIGH_J], high_j) + 1):
        for i in range(max(cuts[LOW_I], low_i), min(cuts[HIGH_I], high_i) + 1):
            if near[j, i]:
                out = outflow_u(j, i, flow_u, flow_v) if east else outflow_v(j, i, flow_u, flow_v)
                unknown = own * (before[j, i] - step * out - free[j, i])
                momentum[j, i] -= unknown
                total += unknown
                room += free[j, i] if free[j, i] >= TAKES else 0.0
    gain = total / room if room > 0.0 else 0.0
    for j in range(max(cuts[LOW_J], low_j), min(cuts[HIGH_J], high_j) + 1):
        for i in range(max(cuts[LOW_I], low_i), min(cuts[HIGH_I], high_i) + 1):
            if near[j, i] and free[j, i] >= TAKES:
                f[j, i] += gain
                momentum[j, i] += gain * free[j, i]


@kernel(refcount=False)
def clear_rows(a: Array, low_j: int, high_j: int, low_i: int, high_i: int) -> None:
    """Update a box of a field to be 0."""
    for j in range(low_j, high_j + 1):
        row = a[j, low_i : high_i + 1]
        for i in range(row.size):
            row[i] = 0.0


@kernel(refcount=False)
def clear_around(a: Array, low_j: int, high_j: int, low_i: int, high_i: int, far: int) -> None:
    """Update a field to be 0 around a box, so far."""
    clear_rows(a, low_j - far, low_j - 1, low_i - far, high_i + far)
    clear_rows(a, high_j + 1, high_j + far, low_i - far, high_i + far)
    clear_rows(a, low_j, high_j, low_i - far, low_i - 1)
    clear_rows(a, low_j, high_j, high_i + 1, high_i + far)


@kernel(refcount=False)
def room_row(free: Array, out: Array) -> None:
    """Update a row of the open shares of faces that take part."""
    for i in range(out.size):
        out[i] = free[i] if free[i] >= TAKES else 0.0


@kernel(refcount=False)
def take_row(part: Array, free: Array, f: Array) -> None:
    """Update a row of velocities by their parts, where faces take part."""
    for i in range(f.size):
        f[i] += part[i] if free[i] >= TAKES else 0.0


@kernel(refcount=False)
def share_out(w: int, fluid: WindowArrays, f: Array, free: Array, momentum: Array, low_j: int, high_j: int, low_i: int,
              high_i: int) -> bool:  # fmt: skip
    """Update velocities by what is missing near links; return whether some of it is left over, in `momentum`.

    The box is that of faces whose velocity is the window's own.
    """
    a, b, near, cuts = fluid.sums[w, 0], fluid.sums[w, 1], fluid.reached[w], fluid.cuts[w]
    j0, j1 = max(cuts[LOW_J], low_j), min(cuts[HIGH_J], high_j)
    i0, i1 = max(cuts[LOW_I], low_i), min(cuts[HIGH_I], high_i)
    if j0 > j1 or i0 > i1:
        return False
    far = 2 * REACH
    clear_rows(a, j0 - far + PAD, j1 + far + PAD, i0 - far + PAD, i1 + far + PAD)
    first, last = max(i0 - REACH, low_i), min(i1 + REACH, high_i)
    for j in range(max(j0 - REACH, low_j), min(j1 + REACH, high_j) + 1):
        room_row(free[j, first:], a[j + PAD, first + PAD : last + PAD + 1])
    sum_around(a, b, j0 + PAD, j1 + PAD, i0 + PAD, i1 + PAD)
    left = False
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            part = 0.0
            if near[j, i]:
                missing, room = momentum[j, i] - free[j, i] * f[j, i], a[j + PAD, i + PAD]
                if room >= TAKES:
                    part = missing / room
                    missing = 0.0
                momentum[j, i] = missing
                left = left or missing != 0.0
            a[j + PAD, i + PAD] = part
    clear_around(a, j0 + PAD, j1 + PAD, i0 + PAD, i1 + PAD, far)
    j0, j1, i0, i1 = max(j0 - REACH, low_j), min(j1 + REACH, high_j), first, last
    sum_around(a, b, j0 + PAD, j1 + PAD, i0 + PAD, i1 + PAD)
    for j in range(j0, j1 + 1):
        take_row(a[j + PAD, i0 + PAD :], free[j, i0:], f[j, i0 : i1 + 1])
    return left


@kernel(refcount=False)
def hand_to_links(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool, along_x: bool) -> None:
    """Update the pull on members by momentum that was left over: in pockets that links have closed."""
    owner, momentum = (fluid.owner_u[w], fluid.guess[w, 0]) if along_x else (fluid.owner_v[w], fluid.other[w, 0])
    near, cuts, dx = fluid.reached[w], fluid.cuts[w], fluid.cell[w]
    ny, nx = near.shape[0] - 2, near.shape[1] - 2
    for j in range(max(cuts[LOW_J], 1 + BAND), min(cuts[HIGH_J], ny - BAND) + 1):
        for i in range(max(cuts[LOW_I], 1 + BAND), min(cuts[HIGH_I], nx - BAND) + 1):
            name = int64(owner[j, i])
            if near[j, i] and momentum[j, i] != 0.0 and name >= 0:
                m, impulse = name // MOST_LINKS, momentum[j, i] * dx * dx
                x, y = fluid.origin[w, 0] + (i - 0.5) * dx, fluid.origin[w, 1] + (j - 0.5) * dx
                first = int64(swimmers.first_link[fluid.members[w, m]])
                if along_x:
                    add_pull(
                        name % MOST_LINKS, x + 0.5 * dx, y, impulse, 0.0, first, links, fluid.frame[w, m], fluid.pull[w, m]
                    )
                else:
                    add_pull(
                        name % MOST_LINKS, x, y + 0.5 * dx, 0.0, impulse, first, links, fluid.frame[w, m], fluid.pull[w, m]
                    )


@kernel(refcount=False)
def speed_of_members(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool) -> tuple[float, float]:
    """Return the mean velocity of all links in a window, weighted by mass."""
    mass, x, y = 0.0, 0.0, 0.0
    for m in range(fluid.member_count[w]):
        c, frame = fluid.members[w, m], fluid.frame[w, m]
        first = int64(swimmers.first_link[c])
        for k in range(swimmers.link_count[c]):
            here, turn = links.mass[first + k], links.com[first + k] * frame[k, SPIN]
            mass += here
            x += here * (frame[k, VX] + turn * frame[k, SIN])
            y += here * (frame[k, VY] - turn * frame[k, COS])
    return x / mass, y / mass


@kernel(refcount=False)
def refund(w: int, fluid: WindowArrays, swimmers: SwimPool, links: LinkPool, dt: float, known: bool) -> None:
    """Update velocities around links so that momentum is what flows have left, and the pull on links.

    `known`: openings of the last tick are of the same members; otherwise what they closed anew was no water of theirs.
    """
    ny, nx, step = fluid.u.shape[1] - 2, fluid.u.shape[2] - 2, dt / fluid.cell[w]
    u, v, open_u, open_v = fluid.u[w], fluid.v[w], fluid.open_u[w], fluid.open_v[w]
    was_u, was_v, to_u, to_v = fluid.rest[w, 0], fluid.image[w], fluid.guess[w, 0], fluid.other[w, 0]
    high_j, high_i = ny - BAND, nx - BAND
    if known:
        own_x, own_y = speed_of_members(w, fluid, swimmers, links)
        swap_water(w, fluid, u, open_u, was_u, to_u, True, own_x, step, 1 + BAND, high_j, BAND, high_i)
        swap_water(w, fluid, v, open_v, was_v, to_v, False, own_y, step, BAND, high_j, 1 + BAND, high_i)
    left_u = share_out(w, fluid, u, open_u, to_u, 1 + BAND, high_j, BAND, high_i)
    left_v = share_out(w, fluid, v, open_v, to_v, BAND, high_j, 1 + BAND, high_i)
    if left_u:
        hand_to_links(w, fluid, swimmers, links, True)
    if left_v:
        hand_to_links(w, fluid, swimmers, links, False)
