"""Wakes: whirls of fluid windows as dye, and traces of what drifts in them. [swimmer 9] [articulated-swimmers 2.12]

Grids are those of `fluid.window_layout`: `u[j, i]` lies at (i, j - 1/2) cells from the origin, `v[j, i]` at (i - 1/2, j),
vorticity and dye at whole numbers of cells.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int64, uint32
from ...render.creatures.emit_kernel import fill_row, ground_at, layer_of, to_screen
from ...render.creatures.primitive_fields import (
    ALPHA,
    DYE,
    GROUND_LAYER,
    HIGH,
    LINE,
    P0,
    R0,
    R1,
    X0,
    X1,
    Y0,
    Y1,
    Z0,
    Z1,
)
from ...render.creatures.sheet import NO_CREATURE, Skin
from ...render.raster.dye_kernel import DYE_MASK, DYE_SHIFT

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ...render.creatures.sheet import Sheet, View
    from .wakes import Wakes

STEPS = 15
"""Positions of a trace. [articulated-swimmers 2.12]"""
LIFE, LIFE_SPREAD = 2.0, 2.0  # s that a tracer lives, and how much longer some do
QUIETEST = 0.25  # rad/s of body: weaker whirls are left pale, however weak all of them are
STRONG = 1.0  # times the root mean square: whirls that colour the water at once
DYE_SECONDS, DYEING = 2.6, 8.0  # s that dye lasts, and per s how quickly whirls colour the water
MARGIN = 0.12  # of a window: where dye and traces fade toward its edge
FINEST = 3.0  # px between values of dye; closer ones are left out
BLOCK = 8  # values along the side of a block of dye: most of a window has none
PALE = 0.55  # of dye that is always there
FAINTEST = 0.03
DYE_STRONG, DYE_SUBTLE = 0.62, 0.20  # alpha of dye in the overlay, and always
TRACE_STRONG, TRACE_SUBTLE = 0.85, 0.30
TRACE_WIDE = f32(0.7)  # px
LEAST_TRACE = 0.25  # alpha in the overlay where nothing whirls
WARM, COOL = (f32(0.62), f32(0.23), f32(0.05)), (f32(0.06), f32(0.34), f32(0.60))


@kernel(refcount=False)
def between(grid: Array, x: float, y: float) -> float:
    """Return a grid at a place in cells, bilinear; its edges go on outside."""
    ny, nx = grid.shape
    x, y = min(max(x, 0.0), nx - 1.001), min(max(y, 0.0), ny - 1.001)
    i, j = int(x), int(y)
    a, b = x - i, y - j
    low = grid[j, i] * (1.0 - a) + grid[j, i + 1] * a
    return low * (1.0 - b) + (grid[j + 1, i] * (1.0 - a) + grid[j + 1, i + 1] * a) * b


@kernel(refcount=False)
def vorticity(u: Array, v: Array, cell: float, i: int, j: int) -> float:
    """Return the vorticity at a corner of cells: counter-clockwise is positive."""
    return (v[j, i + 1] - v[j, i] - u[j + 1, i] + u[j, i]) / cell


@kernel(refcount=False)
def whirl_size(u: Array, v: Array, cell: float) -> float:
    """Return the vorticity that counts as strong in a window."""
    ny, nx, total = u.shape[0] - 2, u.shape[1] - 2, 0.0
    for j in range(1, ny):
        for i in range(1, nx):
            w = vorticity(u, v, cell, i, j)
            total += w * w
    return max(STRONG * math.sqrt(total / max((nx - 1) * (ny - 1), 1)), QUIETEST)


@kernel()
def stir_dye(wakes: Wakes, dye: Array, spare: Array, before: Array, dt: float) -> None:
    """Update the dye (windows, ny + 1, nx + 1) of all windows: carried along, fading, made anew where the water whirls.

    before has the origins that the dye lies at; windows may have moved since then.
    """
    fade, colour = math.exp(-dt / DYE_SECONDS), min(DYEING * dt, 1.0)
    for w in range(wakes.origin.shape[0]):
        u, v, cell, old = wakes.u[w], wakes.v[w], wakes.cell[w], dye[w]
        ny, nx, strong = u.shape[0] - 2, u.shape[1] - 2, whirl_size(wakes.u[w], wakes.v[w], wakes.cell[w])
        moved_x = (wakes.origin[w, 0] - before[w, 0] - dt * wakes.drift[w, 0]) / cell
        moved_y = (wakes.origin[w, 1] - before[w, 1] - dt * wakes.drift[w, 1]) / cell
        for j in range(ny + 1):
            for i in range(nx + 1):
                x = i + moved_x - dt / cell * between(u, float(i), j + 0.5)
                y = j + moved_y - dt / cell * between(v, i + 0.5, float(j))
                here = fade * between(old, x, y) if 0.0 <= x <= nx and 0.0 <= y <= ny else 0.0
                new = min(max(vorticity(u, v, cell, i, j) / strong, -1.0), 1.0)
                spare[j, i] = here + (new - here) * colour if abs(new) > abs(here) else here
        for j in range(ny + 1):
            for i in range(nx + 1):
                old[j, i] = spare[j, i]


@kernel(refcount=False)
def edge_fade(x: float, y: float) -> float:
    """Return how clearly a place (0..1) in a window is seen."""
    near = min(x, 1.0 - x, y, 1.0 - y) / MARGIN
    near = min(max(near, 0.0), 1.0)
    return near * near * (3.0 - 2.0 * near)


@kernel(refcount=False)
def chance(a: int, b: int) -> float:
    """Return a number 0..1 that depends on two others as if by chance."""
    h = uint32(a) * uint32(2654435761) ^ uint32(b) * uint32(2246822519)
    h = (h ^ (h >> uint32(15))) * uint32(2246822519)
    h = (h ^ (h >> uint32(13))) * uint32(3266489917)
    return int64((h ^ (h >> uint32(16))) & uint32(0xFFFF)) / 65536.0


@kernel()
def move_traces(wakes: Wakes, places: Array, ages: Array, births: Array, dt: float, longer: bool) -> None:
    """Update the traces (windows, tracers, STEPS, 2) of all windows by some seconds: the newest place comes first.

    longer says whether the place before is kept, or only the newest one moves on.
    """
    for w in range(wakes.origin.shape[0]):
        u, v, cell = wakes.u[w], wakes.v[w], wakes.cell[w]
        x0, y0 = wakes.origin[w, 0], wakes.origin[w, 1]
        wide, high = (u.shape[1] - 2) * cell, (u.shape[0] - 2) * cell
        for k in range(places.shape[1]):
            at = places[w, k]
            x, y = (at[0, 0] - x0) / cell, (at[0, 1] - y0) / cell
            inside = 0.0 < x * cell < wide and 0.0 < y * cell < high
            if ages[w, k] <= 0.0 or not inside:
                births[w, k] += 1
                number = births[w, k] * 977 + k
                px, py = x0 + wide * chance(number, 3 * w + 1), y0 + high * chance(number, 3 * w + 2)
                ages[w, k] = LIFE + LIFE_SPREAD * chance(number, 3 * w + 3)
                for s in range(STEPS):
                    at[s, 0], at[s, 1] = px, py
                continue
            ages[w, k] -= dt
            for s in range(STEPS - 1 if longer else 0, 0, -1):
                at[s, 0], at[s, 1] = at[s - 1, 0], at[s - 1, 1]
            at[0, 0] += dt * (between(u, x, y + 0.5) + wakes.drift[w, 0])
            at[0, 1] += dt * (between(v, x + 0.5, y) + wakes.drift[w, 1])


@kernel(refcount=False)
def dye_value(wakes: Wakes, w: int, i: int, j: int) -> float:
    """Return the dye at a corner of cells, fading toward the edge of its window."""
    ny, nx = wakes.u.shape[1] - 2, wakes.u.shape[2] - 2
    i, j = min(i, nx), min(j, ny)
    return wakes.dye[w, j, i] * edge_fade(i / nx, j / ny)


@kernel(refcount=False)
def is_clear(wakes: Wakes, w: int, first_i: int, first_j: int, step: int) -> bool:
    """Return whether a block of dye is too faint to be seen."""
    for j in range(BLOCK + 1):
        for i in range(BLOCK + 1):
            if abs(dye_value(wakes, w, first_i + i * step, first_j + j * step)) > FAINTEST:
                return False
    return True


@kernel(refcount=False)
def put_dye(sheet: Sheet, n: int, view: View, wakes: Wakes, w: int, layer: int) -> int:
    """Update the sheet with the dye of one window, block by block where there is any; return the next free row."""
    cell, ny, nx = wakes.cell[w], wakes.u.shape[1] - 2, wakes.u.shape[2] - 2
    step = max(int(math.ceil(FINEST / (cell * view.scale))), 1)
    rows, across = ((BLOCK + 1) * (BLOCK + 1) + DYE_MASK) >> DYE_SHIFT, BLOCK * step
    pale, alpha = 0.0 if wakes.shown else PALE, (DYE_STRONG if wakes.shown else DYE_SUBTLE) * wakes.seen[w]
    nothing = f32(0.0)
    for first_j in range(0, ny, across):
        for first_i in range(0, nx, across):
            if is_clear(wakes, w, first_i, first_j, step):
                continue
            if n + rows + 1 > sheet.prims.shape[0]:
                return sheet.prims.shape[0]
            for k in range(n, n + rows + 1):
                for field in range(sheet.prims.shape[1]):
                    sheet.prims[k, field] = nothing
                sheet.layers[k], sheet.creature[k] = layer, NO_CREATURE
            for j in range(BLOCK + 1):
                for i in range(BLOCK + 1):
                    place = j * (BLOCK + 1) + i
                    value = dye_value(wakes, w, first_i + i * step, first_j + j * step)
                    sheet.prims[n + 1 + (place >> DYE_SHIFT), 1 + (place & DYE_MASK)] = f32(value)
            fill_row(sheet, n, DYE, layer, Skin(nothing, nothing, nothing, nothing, nothing, nothing))
            row = sheet.prims[n]
            left, lower = to_screen(view, wakes.origin[w, 0] + first_i * cell, wakes.origin[w, 1] + first_j * cell)
            wide = across * cell * view.scale
            row[X0], row[Y0], row[X1], row[Y1] = f32(left), f32(lower - wide), f32(left + wide), f32(lower)
            row[R0] = row[R1] = f32(BLOCK + 1)
            row[P0], row[ALPHA] = f32(pale), f32(alpha)
            n += rows + 1
    return n


@kernel(refcount=False)
def put_trace(sheet: Sheet, n: int, view: View, wakes: Wakes, w: int, at: Array, layer: int) -> int:
    """Update the sheet with the path of one tracer; return the next free row."""
    cell, ny, nx = wakes.cell[w], wakes.u.shape[1] - 2, wakes.u.shape[2] - 2
    x, y = (at[0, 0] - wakes.origin[w, 0]) / cell, (at[0, 1] - wakes.origin[w, 1]) / cell
    if not (1.0 <= x < nx and 1.0 <= y < ny):
        return n
    whirl = between(wakes.dye[w], x, y)
    alpha = (LEAST_TRACE + (1.0 - LEAST_TRACE) * abs(whirl) if wakes.shown else abs(whirl)) * edge_fade(x / nx, y / ny)
    alpha *= (TRACE_STRONG if wakes.shown else TRACE_SUBTLE) * wakes.seen[w]
    if alpha < FAINTEST:
        return n
    nothing, stride = f32(0.0), 1 if wakes.shown else 2
    red, green, blue = WARM if whirl > 0.0 else COOL
    if not wakes.shown:
        red, green, blue = f32(0.5) + f32(0.5) * red, f32(0.5) + f32(0.5) * green, f32(0.5) + f32(0.5) * blue
    for s in range(0, STEPS - stride, stride):
        if n >= sheet.prims.shape[0]:
            return n
        ax, ay = to_screen(view, at[s, 0], at[s, 1])
        bx, by = to_screen(view, at[s + stride, 0], at[s + stride, 1])
        if abs(ax - bx) + abs(ay - by) < 0.15:
            break
        fill_row(sheet, n, LINE, layer, Skin(red, green, blue, nothing, nothing, nothing))
        row = sheet.prims[n]
        row[X0], row[Y0], row[X1], row[Y1] = f32(ax), f32(ay), f32(bx), f32(by)
        row[R0] = row[R1] = TRACE_WIDE
        row[Z0] = row[Z1] = HIGH
        row[ALPHA] = f32(alpha * (1.0 - s / STEPS))
        n += 1
    return n


@kernel()
def put_wakes(sheet: Sheet, n: int, view: View, wakes: Wakes) -> int:
    """Update the sheet with dye and traces of all windows in view; return the next free row."""
    for w in range(wakes.origin.shape[0]):
        u, cell = wakes.u[w], wakes.cell[w]
        wide, high = (u.shape[1] - 2) * cell, (u.shape[0] - 2) * cell
        x, y = wakes.origin[w, 0] + 0.5 * wide, wakes.origin[w, 1] + 0.5 * high
        if not wakes.seen[w] > 0.0 or abs(x - view.center_x) > 0.5 * (view.width / view.scale + wide):
            continue
        if abs(y - view.center_y) > 0.5 * (view.height / view.scale + high):
            continue
        z = wakes.height[w]
        layer = max(layer_of(view, x, y, z, ground_at(view, x, y)) - 1, GROUND_LAYER + 1)
        n = put_dye(sheet, n, view, wakes, w, layer)
        for k in range(wakes.places.shape[1]):
            n = put_trace(sheet, n, view, wakes, w, wakes.places[w, k], layer)
    return n
