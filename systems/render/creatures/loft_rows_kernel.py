"""What swims as rows of the sheet: the stations of a loft and its first row, fins, eyes, light and shadow below water."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..raster.loft_kernel import (
    ALONG,
    AT_X,
    AT_Y,
    AT_Z,
    HIGH_X,
    HIGH_Y,
    HIGH_Z,
    LEAN,
    LEFT_X,
    LEFT_Y,
    SLOPE_X,
    SLOPE_Y,
    SLOPE_Z,
    TURN_COS,
    TURN_SIN,
    WIDE_X,
    WIDE_Y,
    WIDE_Z,
)
from ..water.pond_kernel import level_at
from ..water.water_texture import CLEAR_NET, NET_FADE
from .emit_kernel import fill_row, put_link, to_screen
from .primitive_fields import (
    ALPHA,
    CAPSULE,
    EYE,
    FIN,
    GROUND_LAYER,
    H0,
    H1,
    LOFT,
    P0,
    P1,
    P2,
    PRIMITIVE_FIELDS,
    R0,
    R1,
    RIM,
    X0,
    X1,
    Y0,
    Y1,
    Z0,
    Z1,
)
from .primitive_fields import GLOSS as RAYS
from .sheet import NO_CREATURE, Skin
from .skins import SKIN_LENGTH, SKIN_LEVELS

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from .sheet import Sheet, View

CENTRE, WIDE, HIGH = range(3)  # of a station (3, 3): its middle, half-width vector to the left, half-height vector up
NARROWEST = 0.6  # px, half width of a body from far above
STEEPEST = 2.2  # slope of the outline that still turns the normal
HALO, LEAST_HALO, MOST_HALO = 0.02, 0.8, 2.4  # of the length, px: dark rim on what lies below
MOST_CAUSTICS, CAUSTIC_GAIN = 6.0, 1.3
FADE = 0.35  # of the length at which a part is first seen: over which it fades in
SHADOW_FALL = 0.32  # of a height: sunlight is steeper below the surface, and a shadow stays near its fish [fish 5]
SHADOW_DEPTH = 18.0  # units above the bed over which a shadow fades
FAINTEST_SHADOW = f32(0.04)


@kernel(refcount=False)
def skin_level(length: float) -> int:
    """Return the size of the skin, 0 the finest, for a body of some pixels."""
    level, texels = 0, SKIN_LENGTH
    while level < SKIN_LEVELS - 1 and texels > 1.4 * length:
        texels, level = texels // 2, level + 1
    return level


@kernel(refcount=False)
def halo_of(shown: float) -> float:
    """Return the width in px of the dark rim of a body of some pixels on what lies below it."""
    return min(max(HALO * shown, LEAST_HALO), MOST_HALO)


@kernel(refcount=False)
def length_of(v: Array) -> float:
    """Return the length of a vector."""
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@kernel(refcount=False)
def write_station(row: Array, view: View, at: Array, ahead: Vector, left: tuple[float, float], slope: float,
                  places: tuple[float, float], level: float) -> None:  # fmt: skip
    """Update a row of the sheet with a station of a loft.

    ahead is the direction (3) to the first station, left the unit vector in plan that its half width is seen along, places
    how far along the skin it is and how far it leans.
    """
    s = view.scale
    wide, tall = max(length_of(at[WIDE]), 1e-6), max(length_of(at[HIGH]), 1e-6)
    wl, hl = at[WIDE, 0] * left[0] + at[WIDE, 1] * left[1], at[HIGH, 0] * left[0] + at[HIGH, 1] * left[1]
    reach = math.sqrt(wl * wl + hl * hl)
    cosine, sine = (wl / reach, hl / reach) if reach > 1e-6 else (1.0, 0.0)
    shown = max(reach * s, NARROWEST)
    x, y = to_screen(view, at[CENTRE, 0], at[CENTRE, 1])
    for field in range(PRIMITIVE_FIELDS):
        row[field] = f32(0.0)
    even = min(wide, tall)
    w, h = even / (wide * wide), even / (tall * tall)
    row[AT_X], row[AT_Y], row[AT_Z] = f32(x), f32(y), f32((at[CENTRE, 2] - level) * s)
    row[LEFT_X], row[LEFT_Y] = f32(left[0] * shown), f32(-left[1] * shown)
    row[TURN_COS], row[TURN_SIN] = f32(cosine), f32(sine)
    row[WIDE_X], row[WIDE_Y], row[WIDE_Z] = f32(at[WIDE, 0] * w), f32(-at[WIDE, 1] * w), f32(at[WIDE, 2] * w)
    row[HIGH_X], row[HIGH_Y], row[HIGH_Z] = f32(at[HIGH, 0] * h), f32(-at[HIGH, 1] * h), f32(at[HIGH, 2] * h)
    row[SLOPE_X], row[SLOPE_Y], row[SLOPE_Z] = f32(ahead[0] * slope), f32(-ahead[1] * slope), f32(ahead[2] * slope)
    row[ALONG], row[LEAN] = f32(places[0]), f32(places[1])


@kernel(refcount=False)
def finish_loft(sheet: Sheet, n: int, count: int, layer: int, halo: float, skin: float, caustics: float, outline: float,
                level: int) -> int:  # fmt: skip
    """Update row n of the sheet with the loft of the `count` stations that follow it; return the next free row."""
    nothing = f32(0.0)
    fill_row(sheet, n, LOFT, layer, Skin(nothing, nothing, nothing, nothing, nothing, nothing))
    row = sheet.prims[n]
    left, right, upper, lower = 1e9, -1e9, 1e9, -1e9
    for i in range(count):
        here = sheet.prims[n + 1 + i]
        sheet.layers[n + 1 + i], sheet.creature[n + 1 + i] = layer, NO_CREATURE
        reach_x, reach_y = abs(here[LEFT_X]) + halo + 1.0, abs(here[LEFT_Y]) + halo + 1.0
        left, right = min(left, here[AT_X] - reach_x), max(right, here[AT_X] + reach_x)
        upper, lower = min(upper, here[AT_Y] - reach_y), max(lower, here[AT_Y] + reach_y)
    row[X0], row[Y0], row[X1], row[Y1] = f32(left), f32(upper), f32(right), f32(lower)
    row[R0], row[R1], row[Z1] = f32(count), f32(skin), f32(halo)
    row[P0], row[P1], row[P2] = f32(caustics), f32(outline), f32(level)
    return n + 1 + count


@kernel(refcount=False)
def put_fin(sheet: Sheet, n: int, view: View, place: tuple[int, float], roots: tuple[Vector, Vector],
            tips: tuple[Vector, Vector], bow: tuple[float, float], colour: Vector, form: Vector,
            caustics: float) -> int:  # fmt: skip
    """Update row n with a fin between two roots and two tips in the world; return the next free row.

    place is its layer and the water's level, bow how far its middle bends aside in plan, form its shape, number of rays and
    density.
    """
    (root, other), (tip, other_tip), (shape, rays, alpha) = roots, tips, form
    if n >= sheet.prims.shape[0]:
        return n
    layer, level = place
    nothing = f32(0.0)
    fill_row(sheet, n, FIN, layer, Skin(colour[0], colour[1], colour[2], nothing, nothing, nothing))
    row, s = sheet.prims[n], view.scale
    ax, ay = to_screen(view, root[0], root[1])
    bx, by = to_screen(view, other[0], other[1])
    cx, cy = to_screen(view, tip[0], tip[1])
    dx, dy = to_screen(view, other_tip[0], other_tip[1])
    row[X0], row[Y0], row[X1], row[Y1] = f32(ax), f32(ay), f32(bx), f32(by)
    row[P0], row[P1], row[R0], row[R1] = f32(cx), f32(cy), f32(dx), f32(dy)
    row[Z0], row[Z1] = f32((0.5 * (root[2] + other[2]) - level) * s), f32((0.5 * (tip[2] + other_tip[2]) - level) * s)
    row[H0], row[H1] = f32(bow[0] * s), f32(-bow[1] * s)
    row[P2], row[RAYS], row[RIM], row[ALPHA] = f32(shape), f32(rays), f32(0.5 * caustics), f32(alpha)
    return n + 1


@kernel(refcount=False)
def put_disc(sheet: Sheet, n: int, view: View, place: tuple[int, float], at: Vector, along: tuple[float, float],
             across: tuple[float, float], colour: Vector, pupil: float, glint: float, caustics: float) -> int:  # fmt: skip
    """Update row n with an eye or a mouth: a flat disc with two half axes in the world; return the next free row."""
    if n >= sheet.prims.shape[0]:
        return n
    layer, level = place
    nothing = f32(0.0)
    fill_row(sheet, n, EYE, layer, Skin(colour[0], colour[1], colour[2], nothing, nothing, nothing))
    row, s = sheet.prims[n], view.scale
    x, y = to_screen(view, at[0], at[1])
    row[X0], row[Y0], row[X1], row[Y1] = f32(x), f32(y), f32(along[0] * s), f32(-along[1] * s)
    row[R0], row[R1] = f32(across[0] * s), f32(-across[1] * s)
    row[Z0] = row[Z1] = f32((at[2] - level) * s)
    row[P0], row[P1], row[P2] = f32(pupil), f32(glint), f32(caustics)
    return n + 1


@kernel(refcount=False)
def caustics_at(view: View, depth: float, bed: float) -> float:
    """Return how much stronger the net of light is at a depth than on the bed below it."""
    fade = NET_FADE / (1.0 + CLEAR_NET * max(view.clarity - 1.0, 0.0))
    ratio = math.exp(fade * (bed - depth) / view.clarity)
    return min(CAUSTIC_GAIN * ratio, MOST_CAUSTICS)


@kernel(refcount=False)
def fade_in(shown: float, start: float) -> float:
    """Return how clearly a part is seen on a body of some pixels: from `start` on ever more, so that nothing pops up."""
    return min(max((shown - start) / (FADE * start), 0.0), 1.0)


@kernel(refcount=False)
def shadow_below(view: View, x: float, y: float, z: float, ground: float) -> tuple[float, float]:
    """Return how strong the shadow of a swimmer on the bed is, and the height that it seems to be thrown from."""
    strength = f32(math.exp(-max(z - ground, 0.0) / SHADOW_DEPTH))
    fall = SHADOW_FALL if level_at(view.ponds, x, y) > ground else 1.0
    return strength if strength >= FAINTEST_SHADOW else f32(0.0), z - fall * (z - ground)


@kernel(refcount=False)
def put_shadow_link(sheet: Sheet, n: int, view: View, strength: float, below: float, a: Vector, b: Vector,
                    radii: tuple[float, float]) -> int:  # fmt: skip
    """Update the sheet with the shadow of a part between a and b, displaced along the sun; return the next free row."""
    nothing, before = f32(0.0), n
    skin = Skin(nothing, nothing, nothing, nothing, nothing, strength)
    n = put_link(sheet, n, view, CAPSULE, GROUND_LAYER, below, a, b, radii, skin)
    if n > before:
        sheet.prims[before, ALPHA] = nothing
    return n
