"""The body in the water: open shares of faces, and how each cell's water is displaced by the rates of the body.

A link is a tapered bar of elliptic cross-section. A face is open by 1/2 + distance / dx at its middle; faces through which
the line between two cells' middles passes the mid-surface of a flat link are closed, so that plates thinner than a cell hold
water. [swimmer 1.1, 6]
"""

from __future__ import annotations

from math import floor, sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32
from .box_arrays import Counter
from .space_body_kernel import FREE

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .box_arrays import FluidBox
    from .space_body import SpaceBody, SpaceState

FAR = float32(1e3)
NOTHING, ONE, HALF = float32(0.0), float32(1.0), float32(0.5)
LEAST_OPEN = float32(0.02)
"""Faces open by less are closed. [swimmer 1.1]"""
MARGIN = 1.0
"""Cells around a link in which faces are looked at."""
NUDGE = 0.0013
"""Cells by which mid-surfaces are moved: a tie of a line that just touches would leak. [swimmer 8.3]"""


@kernel(refcount=False)
def distance_to_link(body: SpaceBody, k: int, x: float, y: float, z: float) -> float:
    """Return about how far a point is from the surface of a link, in the link's own axes; negative inside."""
    t = -x / body.length[k]
    t = 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)
    w = body.width[k, 0] + t * (body.width[k, 1] - body.width[k, 0])
    h = body.height[k, 0] + t * (body.height[k, 1] - body.height[k, 0])
    y -= body.aside[k]
    over = x if x > 0.0 else (-x - body.length[k] if x < -body.length[k] else 0.0)
    cap = w if w < h else h
    a, b, c = y / w, z / h, over / cap
    size = sqrt(a * a + b * b + c * c)
    if size < 1e-6:
        return -cap
    a, b, c = a / w, b / h, c / cap
    return size * (size - 1.0) / sqrt(a * a + b * b + c * c)


@kernel(refcount=False)
def crosses_plate(length: float, half: Array, x: float, y: float, z: float, sx: float, sy: float, sz: float) -> bool:
    """Return whether the line from a point by -s to it by +s passes the middle of a plate, z = 0, within its half width."""
    if not abs(z) < abs(sz):
        return False
    share = -z / sz
    x += share * sx
    return 0.0 >= x >= -length and abs(y + share * sy) <= half[0] - x / length * (half[1] - half[0])


@kernel(refcount=False)
def mark_link(box: FluidBox, body: SpaceBody, state: SpaceState, k: int, axis: int, far: Array, owner: Array) -> None:
    """Update distance and owner of the faces across one axis that are near a link; distances below any closed one close."""
    dx, axes, joint = box.dx, state.axes[k], state.joints[k]
    width, height, length = body.width[k], body.height[k], body.length[k]
    wide, high = max(width[0], width[1]), max(height[0], height[1])
    cap = min(wide, high)
    sides = box.cells
    sy = sides[2] + 2
    sx = sy * (sides[1] + 2)
    mx, my = -0.5 * length, body.aside[k]
    hx, hy, hz = 0.5 * length + cap, wide, high
    a0, b0 = bounds_along(box, axes, joint, 0, axis, mx, my, hx, hy, hz)
    a1, b1 = bounds_along(box, axes, joint, 1, axis, mx, my, hx, hy, hz)
    a2, b2 = bounds_along(box, axes, joint, 2, axis, mx, my, hx, hy, hz)
    stepx, stepy, stepz = 0.5 * dx * axes[0, axis], 0.5 * dx * axes[1, axis], 0.5 * dx * axes[2, axis]
    flat, upright = high < dx and high <= wide, wide < dx and wide < high
    ox = 0.0 if axis == 0 else 0.5
    oy = 0.0 if axis == 1 else 0.5
    oz = 0.0 if axis == 2 else 0.5
    closed = float32(-dx)
    for i in range(a0, b0 + 1):
        px = box.origin[0] + (i - 1 + ox) * dx - joint[0]
        for j in range(a1, b1 + 1):
            py = box.origin[1] + (j - 1 + oy) * dx - joint[1]
            for m in range(a2, b2 + 1):
                pz = box.origin[2] + (m - 1 + oz) * dx - joint[2]
                x = axes[0, 0] * px + axes[0, 1] * py + axes[0, 2] * pz
                y = axes[1, 0] * px + axes[1, 1] * py + axes[1, 2] * pz
                z = axes[2, 0] * px + axes[2, 1] * py + axes[2, 2] * pz
                away = float32(distance_to_link(body, k, x, y, z))
                y -= my
                if flat and away > closed and crosses_plate(length, width, x, y, z - NUDGE * dx, stepx, stepy, stepz):
                    away = closed
                if upright and away > closed and crosses_plate(length, height, x, z, y - NUDGE * dx, stepx, stepz, stepy):
                    away = closed
                c = i * sx + j * sy + m
                if away < far[c]:
                    far[c], owner[c] = away, k


@kernel(refcount=False)
def bounds_along(box: FluidBox, axes: Array, joint: Array, d: int, axis: int, mx: float, my: float, hx: float, hy: float,
                 hz: float) -> tuple[int, int]:  # fmt: skip
    """Return the first and last cell along one axis whose face may be near a link; also widen the span of the body."""
    middle = joint[d] + mx * axes[0, d] + my * axes[1, d]
    reach = hx * abs(axes[0, d]) + hy * abs(axes[1, d]) + hz * abs(axes[2, d]) + MARGIN * box.dx
    shift = 1.0 if d != axis else 1.5
    low = int(floor((middle - reach - box.origin[d]) / box.dx + shift))
    high = int(floor((middle + reach - box.origin[d]) / box.dx + shift))
    low, high = max(low, 2), min(high, box.cells[d] - 1 if d != axis else box.cells[d])
    box.span[2 * d] = min(box.span[2 * d], low)
    box.span[2 * d + 1] = max(box.span[2 * d + 1], high)
    return low, high


@kernel(refcount=False)
def open_faces(span: Array, strides: tuple[int, int], dx: float, far: Array, shares: Array) -> None:
    """Update the open shares of the faces around the body from their distances."""
    scale = float32(1.0 / dx)
    for i in range(span[0], span[1] + 1):
        for j in range(span[2], span[3] + 1):
            row = i * strides[0] + j * strides[1]
            for k in range(span[4], span[5] + 1):
                share = HALF + far[row + k] * scale
                if share < ONE:
                    shares[row + k] = share if share > LEAST_OPEN else NOTHING


@kernel(refcount=False)
def mark_body(box: FluidBox, body: SpaceBody, state: SpaceState) -> None:
    """Update distances, owners and open shares of all faces."""
    box.far_x[:] = FAR
    box.far_y[:] = FAR
    box.far_z[:] = FAR
    size = box.p.size
    for c in range(size):
        box.open_x[c], box.open_y[c], box.open_z[c] = box.empty_x[c], box.empty_y[c], box.empty_z[c]
    for d in range(3):
        box.span[2 * d], box.span[2 * d + 1] = box.cells[d], 1
    for k in range(body.parent.size):
        if body.length[k] > 0.0:
            mark_link(box, body, state, k, 0, box.far_x, box.owner_x)
            mark_link(box, body, state, k, 1, box.far_y, box.owner_y)
            mark_link(box, body, state, k, 2, box.far_z, box.owner_z)
    strides = ((box.cells[1] + 2) * (box.cells[2] + 2), box.cells[2] + 2)
    open_faces(box.span, strides, box.dx, box.far_x, box.open_x)
    open_faces(box.span, strides, box.dx, box.far_y, box.open_y)
    open_faces(box.span, strides, box.dx, box.far_z, box.open_z)


@kernel(refcount=False)
def add_face(body: SpaceBody, state: SpaceState, row: Array, k: int, axis: int, x: float, y: float, z: float,
             factor: float) -> None:  # fmt: skip
    """Add to a row how fast a face of link k moves along an axis, per rate."""
    j, m = (axis + 1) % 3, (axis + 2) % 3
    row[axis] += factor
    joints, hinges = state.joints, state.hinges
    px, py, pz = x, y, z
    pj = py if j == 1 else (px if j == 0 else pz)
    pm = py if m == 1 else (px if m == 0 else pz)
    # (e x r) . n for n along `axis`: e_j r_m - e_m r_j
    row[3 + j] += factor * (pm - joints[0, m])
    row[3 + m] -= factor * (pj - joints[0, j])
    for number in range(body.depth[k]):
        above = body.chain[k, number]
        part = hinges[above, j] * (pm - joints[above, m]) - hinges[above, m] * (pj - joints[above, j])
        row[FREE - 1 + above] += factor * part


@kernel(refcount=False)
def write_rows(box: FluidBox, body: SpaceBody, state: SpaceState) -> bool:
    """Update the rows of all cut cells: dx sum of s (1 - open) n J, K over dx; return whether there was room for all."""
    rates = FREE - 1 + body.parent.size
    sides, dx, span = box.cells, box.dx, box.span
    sy = sides[2] + 2
    sx = sy * (sides[1] + 2)
    count = 0
    for i in range(max(span[0] - 1, 1), min(span[1], sides[0]) + 1):
        x = box.origin[0] + (i - 0.5) * dx
        for j in range(max(span[2] - 1, 1), min(span[3], sides[1]) + 1):
            y = box.origin[1] + (j - 0.5) * dx
            for k in range(max(span[4] - 1, 1), min(span[5], sides[2]) + 1):
                c = i * sx + j * sy + k
                whole = box.open_x[c] + box.open_x[c + sx] + box.open_y[c]
                whole += box.open_y[c + sy] + box.open_z[c] + box.open_z[c + 1]
                if whole >= 6.0 or whole <= 0.0:
                    continue
                if count == box.cut_cells.size:
                    return False
                z = box.origin[2] + (k - 0.5) * dx
                row = box.rows[count]
                for a in range(rates):
                    row[a] = 0.0
                half = 0.5 * dx
                if box.open_x[c] < ONE:
                    add_face(body, state, row, box.owner_x[c], 0, x - half, y, z, -dx * float(ONE - box.open_x[c]))
                if box.open_x[c + sx] < ONE:
                    add_face(body, state, row, box.owner_x[c + sx], 0, x + half, y, z, dx * float(ONE - box.open_x[c + sx]))
                if box.open_y[c] < ONE:
                    add_face(body, state, row, box.owner_y[c], 1, x, y - half, z, -dx * float(ONE - box.open_y[c]))
                if box.open_y[c + sy] < ONE:
                    add_face(body, state, row, box.owner_y[c + sy], 1, x, y + half, z, dx * float(ONE - box.open_y[c + sy]))
                if box.open_z[c] < ONE:
                    add_face(body, state, row, box.owner_z[c], 2, x, y, z - half, -dx * float(ONE - box.open_z[c]))
                if box.open_z[c + 1] < ONE:
                    add_face(body, state, row, box.owner_z[c + 1], 2, x, y, z + half, dx * float(ONE - box.open_z[c + 1]))
                box.cut_cells[count] = c
                count += 1
    box.counters[Counter.CUT] = count
    return True


@kernel(refcount=False)
def move_closed(box: FluidBox, state: SpaceState, axis: int, field: Array, shares: Array, owner: Array) -> None:
    """Let closed faces across one axis move with the link that owns them."""
    sides, dx, span = box.cells, box.dx, box.span
    sy = sides[2] + 2
    sx = sy * (sides[1] + 2)
    j_axis, m_axis = (axis + 1) % 3, (axis + 2) % 3
    ox = 0.0 if axis == 0 else 0.5
    oy = 0.0 if axis == 1 else 0.5
    oz = 0.0 if axis == 2 else 0.5
    for i in range(span[0], span[1] + 1):
        x = box.origin[0] + (i - 1 + ox) * dx
        for j in range(span[2], span[3] + 1):
            y = box.origin[1] + (j - 1 + oy) * dx
            for k in range(span[4], span[5] + 1):
                c = i * sx + j * sy + k
                if shares[c] > NOTHING:
                    continue
                z, link = box.origin[2] + (k - 1 + oz) * dx, owner[c]
                joint, spin = state.joints[link], state.spin[link]
                pj = (y if j_axis == 1 else (x if j_axis == 0 else z)) - joint[j_axis]
                pm = (y if m_axis == 1 else (x if m_axis == 0 else z)) - joint[m_axis]
                field[c] = float32(state.velocity[link, axis] + spin[j_axis] * pm - spin[m_axis] * pj)
