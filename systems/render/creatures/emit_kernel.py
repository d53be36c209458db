"""Append single primitives in screen space: projection, culling, thin parts, wetness.

World points are tuples (x, y, z), `ground` is the height of the ground below them, `skin` a `Skin`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.turn_kernel import axes_of_quaternion
from ..water.pond_kernel import level_at
from .primitive_fields import (
    ALPHA,
    CAPSULE,
    CB,
    CG,
    CONTACT,
    CR,
    DEPTH_BANDS,
    EB,
    EG,
    ER,
    GLOSS,
    GROUND_LAYER,
    H0,
    H1,
    HIGH,
    HIGHEST_LAYER,
    KIND,
    LINE,
    LOWEST_LAYER,
    P0,
    P1,
    P2,
    R0,
    R1,
    RIM,
    SHADOW,
    SMALLEST_RADIUS,
    X0,
    X1,
    Y0,
    Y1,
    Z0,
    Z1,
)
from .sheet import NO_CREATURE, Skin

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from .sheet import Sheet, View

LAYER_HEIGHT = 1.2  # units; a body that climbs over another is at least this far above the ground
LAYER_OFFSET = 0.1  # units; keeps a walking body in the middle of its layer
BANDS_PER_LAYER = 6  # in water: two swimmers cross with less between them than two walkers
BAND_HEIGHT = LAYER_HEIGHT / BANDS_PER_LAYER
WALKING_BAND = 3  # of a layer on land: that of a floating body in the water beside it
SWIMMING_DEPTH = 0.6  # units; a floating body's middle is about this far above its layer's floor, what is deeper dives
CONTACT_STRENGTH, LEAST_CONTACT = f32(0.62), f32(0.02)  # darkness of a body's touch on the ground
CONTACT_GAP = 1.6  # units above the ground from which on it has none
THIN = f32(4.0)  # px; below this radius three lit places across cannot be told from a lit cylinder
FARTHEST = 1.0e5  # px; anything farther off screen (or NaN) is dropped before it is turned into an integer


@kernel(refcount=False)
def ground_at(view: View, x: float, y: float) -> float:
    """Return the terrain height at (x, y): bilinear, clamped at the edge of the grid."""
    elevation = view.elevation
    ny, nx = elevation.shape
    u, v = (x - view.grid_x) / view.grid_cell, (y - view.grid_y) / view.grid_cell
    if not (abs(u) < FARTHEST and abs(v) < FARTHEST):
        return 0.0
    u, v = max(min(u, nx - 1.001), 0.0), max(min(v, ny - 1.001), 0.0)
    i, j = int(u), int(v)
    i1, j1 = min(i + 1, nx - 1), min(j + 1, ny - 1)
    a, b = u - i, v - j
    low = elevation[j, i] * (1.0 - a) + elevation[j, i1] * a
    high = elevation[j1, i] * (1.0 - a) + elevation[j1, i1] * a
    return low * (1.0 - b) + high * b


@kernel(refcount=False)
def layer_of(view: View, x: float, y: float, z: float, ground: float) -> int:
    """Return the draw layer of a body part at (x, y, z): higher parts are drawn later.

    Over deep water heights count from just below the surface, so that the unevenness of the bed changes no order, and lie
    in bands a sixth as thick as a layer on land, or so much thicker that they reach down to the deepest bed. Parts of one
    body must not change their order as it bends: see `keep_layer`.
    """
    upper = level_at(view.ponds, x, y) - SWIMMING_DEPTH
    deep = upper > ground
    base = upper if deep else ground
    if not (abs(z - base) < FARTHEST):
        return LOWEST_LAYER
    if deep and z < base:
        thick = max(BAND_HEIGHT, (base - view.lowest) / DEPTH_BANDS)
        return max(DEPTH_BANDS - int((base - z) / thick), GROUND_LAYER + 1)
    if deep:
        return min(int((z - base) / BAND_HEIGHT) + LOWEST_LAYER, HIGHEST_LAYER)
    above = max(int((z - base + LAYER_OFFSET) / LAYER_HEIGHT), 0)
    return min(BANDS_PER_LAYER * above + LOWEST_LAYER + WALKING_BAND, HIGHEST_LAYER)


@kernel(refcount=False)
def keep_layer(before: int, layer: int) -> int:
    """Return the layer of a part of a body whose neighbour has the layer `before`: the same as long as it is close to it."""
    return before if abs(layer - before) <= 1 else layer


@kernel(refcount=False)
def height_above_water(view: View, x: float, y: float, z: float, ground: float) -> float:
    """Return pixels above the water line, or HIGH where the ground is dry."""
    level = level_at(view.ponds, x, y)
    if ground < level:
        return f32((z - level) * view.scale)
    return HIGH


@kernel(refcount=False)
def to_screen(view: View, x: float, y: float) -> tuple[float, float]:
    """Return the pixels of a world point."""
    return (x - view.center_x) * view.scale + 0.5 * view.width, 0.5 * view.height - (y - view.center_y) * view.scale


@kernel(refcount=False)
def fill_row(sheet: Sheet, n: int, kind: int, layer: int, skin: Skin) -> None:
    """Update what all kinds of primitives have in common in row n of the sheet."""
    row = sheet.prims[n]
    row[KIND] = kind
    row[CR], row[CG], row[CB], row[ALPHA] = skin.red, skin.green, skin.blue, f32(1.0)
    row[GLOSS], row[RIM], row[SHADOW] = skin.gloss, skin.rim, skin.shadow
    row[ER] = row[EG] = row[EB] = f32(0.0)
    sheet.layers[n], sheet.creature[n] = layer, NO_CREATURE


@kernel(refcount=False)
def put_link(sheet: Sheet, n: int, view: View, kind: int, layer: int, ground: float, a: Vector, b: Vector,
             radii: tuple[float, float], skin: Skin) -> int:  # fmt: skip
    """Update row n of the sheet with a tapered link between world points a and b; return the next free row."""
    if n >= sheet.prims.shape[0]:
        return n
    s = view.scale
    x0, y0 = to_screen(view, a[0], a[1])
    x1, y1 = to_screen(view, b[0], b[1])
    margin = max(radii[0], radii[1]) * s + 2.0
    h0, h1 = max((a[2] - ground) * s, 0.0), max((b[2] - ground) * s, 0.0)
    reach = margin + view.shadow_reach * max(h0, h1)
    if not (abs(x0) < FARTHEST and abs(y0) < FARTHEST and abs(x1) < FARTHEST and abs(y1) < FARTHEST and reach < FARTHEST):
        return n
    if min(x0, x1) > view.width + reach or max(x0, x1) < -reach:
        return n
    if min(y0, y1) > view.height + reach or max(y0, y1) < -reach:
        return n
    r0, r1 = f32(radii[0] * s), f32(radii[1] * s)
    widest = max(r0, r1)
    fill_row(sheet, n, kind if kind != CAPSULE or widest >= THIN else LINE, layer, skin)
    row = sheet.prims[n]
    if widest < SMALLEST_RADIUS and kind != CONTACT:
        row[ALPHA] = max(widest / SMALLEST_RADIUS, f32(0.15))
    row[X0], row[Y0], row[X1], row[Y1] = f32(x0), f32(y0), f32(x1), f32(y1)
    row[R0], row[R1] = max(r0, SMALLEST_RADIUS), max(r1, SMALLEST_RADIUS)
    row[Z0] = height_above_water(view, a[0], a[1], a[2], ground)
    row[Z1] = height_above_water(view, b[0], b[1], b[2], ground)
    row[H0], row[H1] = f32(h0), f32(h1)
    row[P0] = row[P1] = row[P2] = f32(0.0)
    return n + 1


@kernel(refcount=False)
def put_shape(sheet: Sheet, n: int, view: View, kind: int, layer: int, ground: float, at: Vector,
              forward: tuple[float, float], left: tuple[float, float], skin: Skin, form: Vector) -> int:  # fmt: skip
    """Update row n of the sheet with a shape around a world point; return the next free row.

    forward and left are its half axes in plan, in units; form is P0, P1 and P2, whose meaning depends on the kind.
    """
    if n >= sheet.prims.shape[0]:
        return n
    s = view.scale
    x, y = to_screen(view, at[0], at[1])
    reach_x, reach_y = (abs(forward[0]) + abs(left[0])) * s + 2.0, (abs(forward[1]) + abs(left[1])) * s + 2.0
    h = max((at[2] - ground) * s, 0.0)
    longest = view.shadow_reach * h
    if not (abs(x) < FARTHEST and abs(y) < FARTHEST and reach_x < FARTHEST and reach_y < FARTHEST and h < FARTHEST):
        return n
    if x > view.width + reach_x + longest or x < -reach_x - longest:
        return n
    if y > view.height + reach_y + longest or y < -reach_y - longest:
        return n
    fill_row(sheet, n, kind, layer, skin)
    row = sheet.prims[n]
    row[X0], row[Y0], row[X1], row[Y1] = f32(x), f32(y), f32(forward[0] * s), f32(-forward[1] * s)
    row[R0], row[R1] = f32(left[0] * s), f32(-left[1] * s)
    row[Z0] = height_above_water(view, at[0], at[1], at[2], ground)
    row[Z1] = row[Z0]
    row[H0] = row[H1] = f32(h)
    row[P0], row[P1], row[P2] = f32(form[0]), f32(form[1]), f32(form[2])
    return n + 1


@kernel(refcount=False)
def put_contact(sheet: Sheet, n: int, view: View, ground: float, a: Vector, b: Vector, width: float, gap: float) -> int:
    """Update the sheet with the dark touch on the ground of a body between a and b, `gap` above it; return the next row."""
    nothing, strength = f32(0.0), CONTACT_STRENGTH * f32(max(0.0, 1.0 - max(gap, 0.0) / CONTACT_GAP))
    if not strength > LEAST_CONTACT:
        return n
    below_a, below_b = (a[0], a[1], ground), (b[0], b[1], ground)
    skin = Skin(nothing, nothing, nothing, nothing, nothing, strength)
    return put_link(sheet, n, view, CONTACT, GROUND_LAYER, ground, below_a, below_b, (width, width), skin)


@kernel(refcount=False)
def mark_creature(sheet: Sheet, start: int, stop: int, creature: int) -> None:
    """Update whose rows start..stop-1 are, so that it can be highlighted."""
    for k in range(start, stop):
        sheet.creature[k] = creature


@kernel(refcount=False)
def quaternion_axes(orientation: Array, row: int, axes: Array) -> None:
    """Update axes with the forward and the left axis of one body frame, and where there are three also the one up."""
    w, x, y, z = orientation[row, 0], orientation[row, 1], orientation[row, 2], orientation[row, 3]
    forward, left, up = axes_of_quaternion(w, x, y, z)
    axes[0, 0], axes[0, 1], axes[0, 2] = forward
    axes[1, 0], axes[1, 1], axes[1, 2] = left
    if axes.shape[0] > 2:
        axes[2, 0], axes[2, 1], axes[2, 2] = up


@kernel(refcount=False)
def long_side(axes: Array, shortest: float) -> None:
    """Update axes[0] in plan so that a body part seen from its end still shows at least `shortest` of its length."""
    length = math.sqrt(axes[0, 0] ** 2 + axes[0, 1] ** 2)
    if length < shortest:
        if length > 1e-6:
            grow = shortest / length
            axes[0, 0], axes[0, 1] = axes[0, 0] * grow, axes[0, 1] * grow
        else:
            axes[0, 0], axes[0, 1] = axes[1, 1] * shortest, -axes[1, 0] * shortest


@kernel(refcount=False)
def broad_side(axes: Array, shortest: float) -> None:
    """Update axes[1] in plan so that a body lying on its side still shows at least `shortest` of its width."""
    length = math.sqrt(axes[1, 0] ** 2 + axes[1, 1] ** 2)
    if length < shortest:
        fx, fy = axes[0, 0], axes[0, 1]
        norm = max(math.sqrt(fx * fx + fy * fy), 1e-9)
        axes[1, 0], axes[1, 1] = -fy / norm * shortest, fx / norm * shortest
