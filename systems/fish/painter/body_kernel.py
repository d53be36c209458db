"""The body of a fish as a loft: its stations as rows of the sheet."""

# mypy: ignore-errors
from __future__ import annotations

import math

from numpy import float32 as f32

from ....engine.kernel import kernel
from ...render.creatures.emit_kernel import fill_row, to_screen
from ...render.creatures.primitive_fields import GLOSS as GLOSS_FIELD
from ...render.creatures.primitive_fields import LOFT, P0, P1, P2, PRIMITIVE_FIELDS, R0, R1, RIM, X0, X1, Y0, Y1, Z1
from ...render.creatures.sheet import NO_CREATURE, Skin
from ...render.creatures.skins import SKIN_LENGTH, SKIN_LEVELS
from ...render.raster.loft_kernel import (
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
from .looks import GLOSS, SCALE_MARKS, SKIN
from .school import CENTRE, HIGH, WIDE
from .spine_kernel import along_at, length_of, station

BODY_END = 5.5  # place, in knots, where the body ends in the tail fin
CROWDED_NOSE = 1.5  # power: stations lie closer at the round snout
NARROWEST = 0.6  # px, half width of a body from far above
STEEPEST = 2.2  # slope of the outline that still turns the normal
DIFFERENCE = 0.05  # knots to either side that slopes are taken from
MOST_LEAN = 0.10  # share of the length that a pitched body shows its skin farther back or ahead
OUTLINE = 0.008  # of the length [fish 5]
HALO, LEAST_HALO, MOST_HALO = 0.02, 0.8, 2.4  # of the length, px: dark rim on what lies below
SCALES_FROM, SCALES_FULL = 130.0, 320.0  # px, length of a body from which on scales are seen, and seen well
FEWEST, FEW, MANY, MOST = 5, 8, 13, 24  # stations
SHORT, MIDDLING, LONG = 32.0, 64.0, 150.0  # px, lengths below which that many are enough


@kernel(refcount=False)
def station_count(length):
    """Return how many stations a body of some pixels needs."""
    if length < SHORT:
        return FEWEST
    if length < MIDDLING:
        return FEW
    return MANY if length < LONG else MOST


@kernel(refcount=False)
def skin_level(length):
    """Return the size of the skin, 0 the finest, for a body of some pixels."""
    level, texels = 0, SKIN_LENGTH
    while level < SKIN_LEVELS - 1 and texels > 1.4 * length:
        texels, level = texels // 2, level + 1
    return level


@kernel(refcount=False)
def put_station(row, view, spine, look, g, heading, level, scratch):
    """Update a row of the sheet with the station at place g. heading is that of the whole fish in plan."""
    at, before, behind = scratch[0], scratch[1], scratch[2]
    low, high = max(g - DIFFERENCE, 0.0), min(g + DIFFERENCE, 6.0)
    station(spine, look, low, before)
    station(spine, look, high, behind)
    station(spine, look, g, at)
    s = view.scale
    tx, ty, tz = (before[CENTRE, 0] - behind[CENTRE, 0], before[CENTRE, 1] - behind[CENTRE, 1],
                  before[CENTRE, 2] - behind[CENTRE, 2])
    step = max(math.sqrt(tx * tx + ty * ty + tz * tz), 1e-9)
    tx, ty, tz = tx / step, ty / step, tz / step
    fx, fy = tx + 0.15 * heading[0], ty + 0.15 * heading[1]  # a fish that stands on its head still has a left
    plan = max(math.sqrt(fx * fx + fy * fy), 1e-6)
    fx, fy = fx / plan, fy / plan
    wide, tall = max(length_of(at[WIDE]), 1e-6), max(length_of(at[HIGH]), 1e-6)
    wl, hl = -at[WIDE, 0] * fy + at[WIDE, 1] * fx, -at[HIGH, 0] * fy + at[HIGH, 1] * fx
    reach = math.sqrt(wl * wl + hl * hl)
    cosine, sine = (wl / reach, hl / reach) if reach > 1e-6 else (1.0, 0.0)
    shown = max(reach * s, NARROWEST)
    x, y = to_screen(view, at[CENTRE, 0], at[CENTRE, 1])
    grown = 0.5 * (length_of(behind[WIDE]) + length_of(behind[HIGH]) - length_of(before[WIDE]) - length_of(before[HIGH]))
    slope = min(max(grown / step, -STEEPEST), STEEPEST)
    per = max(math.sqrt(tx * tx + ty * ty), 0.3) * step / max(along_at(high) - along_at(low), 1e-6)
    lean = min(max((at[HIGH, 0] * fx + at[HIGH, 1] * fy) / per, -MOST_LEAN), MOST_LEAN)
    for field in range(PRIMITIVE_FIELDS):
        row[field] = f32(0.0)
    even = min(wide, tall)
    w, h = even / (wide * wide), even / (tall * tall)
    row[AT_X], row[AT_Y], row[AT_Z] = f32(x), f32(y), f32((at[CENTRE, 2] - level) * s)
    row[LEFT_X], row[LEFT_Y] = f32(-fy * shown), f32(-fx * shown)
    row[TURN_COS], row[TURN_SIN] = f32(cosine), f32(sine)
    row[WIDE_X], row[WIDE_Y], row[WIDE_Z] = f32(at[WIDE, 0] * w), f32(-at[WIDE, 1] * w), f32(at[WIDE, 2] * w)
    row[HIGH_X], row[HIGH_Y], row[HIGH_Z] = f32(at[HIGH, 0] * h), f32(-at[HIGH, 1] * h), f32(at[HIGH, 2] * h)
    row[SLOPE_X], row[SLOPE_Y], row[SLOPE_Z] = f32(tx * slope), f32(-ty * slope), f32(tz * slope)
    row[ALONG], row[LEAN] = f32(along_at(g)), f32(lean)


@kernel(refcount=False)
def put_body(sheet, n, view, spine, look, heading, length, place, caustics, scratch):
    """Update the sheet with the body of one fish; return the next free row. place is its layer and the water's level."""
    layer, level = place
    shown = length * view.scale
    count = station_count(shown)
    if n + count + 1 > sheet.prims.shape[0]:
        return sheet.prims.shape[0]
    nothing, halo = f32(0.0), min(max(HALO * shown, LEAST_HALO), MOST_HALO)
    fill_row(sheet, n, LOFT, layer, Skin(nothing, nothing, nothing, nothing, nothing, nothing))
    row = sheet.prims[n]
    left, right, upper, lower = 1e9, -1e9, 1e9, -1e9
    for i in range(count):
        here, g = sheet.prims[n + 1 + i], BODY_END * (i / (count - 1)) ** CROWDED_NOSE
        put_station(here, view, spine, look, g, heading, level, scratch)
        sheet.layers[n + 1 + i], sheet.creature[n + 1 + i] = layer, NO_CREATURE
        reach_x, reach_y = abs(here[LEFT_X]) + halo + 1.0, abs(here[LEFT_Y]) + halo + 1.0
        left, right = min(left, here[AT_X] - reach_x), max(right, here[AT_X] + reach_x)
        upper, lower = min(upper, here[AT_Y] - reach_y), max(lower, here[AT_Y] + reach_y)
    row[X0], row[Y0], row[X1], row[Y1] = f32(left), f32(upper), f32(right), f32(lower)
    row[R0], row[R1], row[Z1] = f32(count), look[SKIN], f32(halo)
    row[P0], row[P1], row[P2] = f32(caustics), f32(OUTLINE * shown), f32(skin_level(shown))
    row[GLOSS_FIELD] = look[GLOSS]
    row[RIM] = look[SCALE_MARKS] * f32(min(max((shown - SCALES_FROM) / (SCALES_FULL - SCALES_FROM), 0.0), 1.0))
    return n + 1 + count
