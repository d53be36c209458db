"""Fins, eyes and mouth of a fish."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.curve_kernel import curve
from ...render.creatures.loft_rows_kernel import length_of, put_disc, put_fin
from ...render.creatures.primitive_fields import ALPHA
from .looks import (
    EYE_BLUE,
    EYE_GREEN,
    EYE_RED,
    EYE_SIZE,
    FIN_ALPHA,
    FIN_BLUE,
    FIN_GREEN,
    FIN_RED,
    FLOW,
    OAR,
    PECTORALS,
    SKIN,
    TAIL_LENGTH,
    TAIL_SHAPE,
    TAIL_SPREAD,
)
from .school import CENTRE, FIN_COSINE, FIN_SINE, GAPE, HIGH, KNOTS, LEFT_GAMMA, WIDE
from .spine_kernel import station

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ...render.creatures.sheet import Sheet, View

LIP = (f32(0.32), f32(0.16), f32(0.12))
# Tail fin, in lengths of the fish: its own length, how far its lobes lean apart [fish 5], how far it lags per speed (s).
TAIL, SPLAY, LAG, MOST_LAG = 0.19, 0.066, 0.035, 0.08
PECTORAL, PECTORAL_AT, PECTORAL_ANGLE = 0.19, 1.32, -0.35  # length, place in knots, angle below the flank
PELVIC, PELVIC_AT, PELVIC_ANGLE = 0.085, 2.35, -0.85
SMALLEST_EYE = 0.4  # px, radius
LEAN = 0.40  # of its height that the fin on the back leans aside
EYE_AT, EYE_ANGLE, EYE_RADIUS = 0.66, 0.42, 0.021  # [fish 5]


@kernel(refcount=False)
def fin_colour(look: Array) -> Vector:
    """Return the colour of the fins of a fish."""
    return look[FIN_RED], look[FIN_GREEN], look[FIN_BLUE]


@kernel(refcount=False)
def put_tail(sheet: Sheet, n: int, view: View, spine: Array, look: Array, tail_velocity: Array, place: tuple[int, float],
             length: float, caustics: float, scratch: Array) -> int:  # fmt: skip
    """Update the sheet with the tail fin: two lobes that lean apart and trail behind the stroke; return the next row."""
    at, end = scratch[0], scratch[1, 0]
    station(spine, look, 5.0, at)
    curve(spine, CENTRE, KNOTS, 4.7, end)
    tx, ty, tz = at[CENTRE, 0] - end[0], at[CENTRE, 1] - end[1], at[CENTRE, 2] - end[2]
    step = max(math.sqrt(tx * tx + ty * ty + tz * tz), 1e-9)
    tx, ty, tz = tx / step, ty / step, tz / step
    wide, tall = max(length_of(at[WIDE]), 1e-9), max(length_of(at[HIGH]), 1e-9)
    plan = max(math.sqrt(tx * tx + ty * ty), 1e-6)
    lx, ly = ty / plan, -tx / plan  # t points back
    swing = tail_velocity[0] * lx + tail_velocity[1] * ly
    lag = min(max(-LAG * swing * (1.0 + look[FLOW]), -MOST_LAG * length), MOST_LAG * length)
    splay, long = SPLAY * length * look[TAIL_SPREAD], TAIL * length * look[TAIL_LENGTH]
    if at[HIGH, 0] * lx + at[HIGH, 1] * ly < 0.0:  # the upper lobe leans to where the roll shows it
        splay = -splay
    ux, uy, uz = at[HIGH, 0] / tall, at[HIGH, 1] / tall, at[HIGH, 2] / tall
    up = 0.095 * length
    x, y, z = at[CENTRE, 0], at[CENTRE, 1], at[CENTRE, 2]
    thick = 0.5 * wide if splay > 0.0 else -0.5 * wide
    root = (x + 0.9 * at[HIGH, 0] + thick * lx, y + 0.9 * at[HIGH, 1] + thick * ly, z + 0.9 * at[HIGH, 2])
    other = (x - 0.9 * at[HIGH, 0] - thick * lx, y - 0.9 * at[HIGH, 1] - thick * ly, z - 0.9 * at[HIGH, 2])
    one, two, short = lag + splay, lag - splay, 0.94 * long
    tip = (x + tx * long + ux * up + lx * one, y + ty * long + uy * up + ly * one, z + tz * long + uz * up)
    low = (x + tx * short - ux * up + lx * two, y + ty * short - uy * up + ly * two, z + tz * short - uz * up)
    rays = 8.0 if length * view.scale > 90.0 else 4.0
    bow = (-0.22 * lag * lx, -0.22 * lag * ly)
    form = (look[TAIL_SHAPE], rays, look[FIN_ALPHA] * 1.25)
    return put_fin(sheet, n, view, place, (root, other), (tip, low), bow, fin_colour(look), form, caustics)


@kernel(refcount=False)
def put_pair(sheet: Sheet, n: int, view: View, spine: Array, look: Array, fins: Array, place: tuple[int, float],
             length: float, caustics: float, scratch: Array, part: tuple[int, float]) -> int:  # fmt: skip
    """Update the sheet with the fins on the breast (part 0) or the small ones behind them (1); return the next row.

    [artificial-fishes C.4]: fins that flap swing up and down, the more the farther gamma is from its neutral pi / 2; fins
    that row swing back and forth. A fin that brakes (gamma pi) is spread wide and seen from its edge.
    """
    (which, clear), at, ahead = part, scratch[0], scratch[1, 0]
    g, angle, long = (PECTORAL_AT, PECTORAL_ANGLE, PECTORAL) if which == 0 else (PELVIC_AT, PELVIC_ANGLE, PELVIC)
    station(spine, look, g, at)
    curve(spine, CENTRE, KNOTS, g - 0.3, ahead)
    tx, ty, tz = ahead[0] - at[CENTRE, 0], ahead[1] - at[CENTRE, 1], ahead[2] - at[CENTRE, 2]
    step = max(math.sqrt(tx * tx + ty * ty + tz * tz), 1e-9)
    tx, ty, tz = tx / step, ty / step, tz / step
    wide, tall = max(length_of(at[WIDE]), 1e-9), max(length_of(at[HIGH]), 1e-9)
    long *= length * look[PECTORALS]
    for side in range(2):
        sign = 1.0 if side == 0 else -1.0
        turn = fins[LEFT_GAMMA + side] - 0.5 * math.pi
        opened = min(abs(turn) * 2.0 / math.pi, 1.0)
        wave, other_wave = fins[FIN_SINE], fins[FIN_COSINE]
        if which == 1:
            sweep, fan, lift = 0.95, 0.45, -0.35
        elif look[OAR] > 0.5:
            sweep, fan = 0.62 + 0.55 * wave - 0.4 * opened, 0.62 + 0.22 * other_wave
            lift = 0.12 * other_wave - 0.10
        else:
            sweep, fan = 0.85 - 0.75 * opened + 0.12 * other_wave, 0.74 - 0.30 * opened
            lift = (0.22 + 0.55 * opened) * wave - 0.12 + 0.4 * turn
        ca, sa = math.cos(angle), math.sin(angle)
        bx = at[CENTRE, 0] + 0.86 * (sign * ca * at[WIDE, 0] + sa * at[HIGH, 0])
        by = at[CENTRE, 1] + 0.86 * (sign * ca * at[WIDE, 1] + sa * at[HIGH, 1])
        bz = at[CENTRE, 2] + 0.86 * (sign * ca * at[WIDE, 2] + sa * at[HIGH, 2])
        root, back = (bx, by, bz), 0.22 * long
        other = (bx - tx * back, by - ty * back, bz - tz * back)
        lead = fin_ray(at, tx, ty, tz, sign / wide, 1.0 / tall, sweep, lift, long, root)
        trail = fin_ray(at, tx, ty, tz, sign / wide, 1.0 / tall, sweep + fan, 0.6 * lift, 0.72 * long, other)
        bow, form = (0.10 * long * tx, 0.10 * long * ty), (-0.30, 7.0 if which == 0 else 4.0, look[FIN_ALPHA] * clear)
        n = put_fin(sheet, n, view, place, (root, other), (lead, trail), bow, fin_colour(look), form, caustics)
    return n


@kernel(refcount=False)
def fin_ray(at: Array, tx: float, ty: float, tz: float, side: float, up: float, sweep: float, lift: float, long: float,
            root: Vector) -> Vector:  # fmt: skip
    """Return the tip of a ray from root: swept back from straight outward, and lifted, by angles."""
    out, back, high = math.cos(sweep) * math.cos(lift) * side, -math.sin(sweep) * math.cos(lift), math.sin(lift) * up
    return (
        root[0] + long * (out * at[WIDE, 0] + back * tx + high * at[HIGH, 0]),
        root[1] + long * (out * at[WIDE, 1] + back * ty + high * at[HIGH, 1]),
        root[2] + long * (out * at[WIDE, 2] + back * tz + high * at[HIGH, 2]),
    )


@kernel(refcount=False)
def put_ridge(sheet: Sheet, n: int, view: View, spine: Array, look: Array, place: tuple[int, float], length: float,
              caustics: float, scratch: Array, form: tuple[float, float, float, float, int, float]) -> int:  # fmt: skip
    """Update the sheet with the fin on the back or below the belly; return the next row.

    form: +1 up or -1 down, first and last place in knots, height in lengths, pieces, how clear.
    """
    up, first, last, tall, pieces, clear = form
    at, sway = scratch[0], LEAN * tall * length
    root, tip = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    handed = 0.7 if int(look[SKIN]) % 2 == 0 else -0.7
    left = (spine[WIDE, 2, 0], spine[WIDE, 2, 1])
    norm = max(math.sqrt(left[0] * left[0] + left[1] * left[1]), 1e-9)
    left = (left[0] / norm, left[1] / norm)
    for i in range(pieces + 1):
        share = i / pieces
        station(spine, look, first + (last - first) * share, at)
        high, wide = max(length_of(at[HIGH]), 1e-9), max(length_of(at[WIDE]), 1e-9)
        rise = up * tall * length * (0.35 + 0.65 * math.sin(math.pi * (0.12 + 0.80 * share) ** 0.8)) / high
        roll = at[HIGH, 0] * left[0] + at[HIGH, 1] * left[1]
        side = sway * (0.4 + 0.6 * share) * min(max(4.0 * roll / high + handed, -1.0), 1.0) / wide
        root_before, tip_before = root, tip
        root = (at[CENTRE, 0] + 0.94 * up * at[HIGH, 0], at[CENTRE, 1] + 0.94 * up * at[HIGH, 1],
                at[CENTRE, 2] + 0.94 * up * at[HIGH, 2])
        station(spine, look, min(first + (last - first) * share + 0.35, 5.5), at)
        tip = (at[CENTRE, 0] + (0.9 * up + rise) * at[HIGH, 0] + side * at[WIDE, 0],
               at[CENTRE, 1] + (0.9 * up + rise) * at[HIGH, 1] + side * at[WIDE, 1],
               at[CENTRE, 2] + (0.9 * up + rise) * at[HIGH, 2])
        if i > 0:
            web, tips = (0.0, 9.0 / pieces, look[FIN_ALPHA] * 0.95 * clear), (tip_before, tip)
            n = put_fin(sheet, n, view, place, (root_before, root), tips, (0.0, 0.0), fin_colour(look), web, caustics)
    return n


@kernel(refcount=False)
def put_face(sheet: Sheet, n: int, view: View, spine: Array, look: Array, fins: Array, place: tuple[int, float],
             length: float, caustics: float, scratch: Array) -> int:  # fmt: skip
    """Update the sheet with eyes and an open mouth; return the next free row."""
    at, ahead = scratch[0], scratch[1, 0]
    station(spine, look, EYE_AT, at)
    curve(spine, CENTRE, KNOTS, 0.2, ahead)
    tx, ty = ahead[0] - at[CENTRE, 0], ahead[1] - at[CENTRE, 1]
    step = max(math.sqrt(tx * tx + ty * ty + (ahead[2] - at[CENTRE, 2]) ** 2), 1e-9)
    tx, ty = tx / step, ty / step
    wide, tall = max(length_of(at[WIDE]), 1e-9), max(length_of(at[HIGH]), 1e-9)
    size = EYE_RADIUS * length * look[EYE_SIZE]
    for side in range(2):
        ca, sa = math.cos(EYE_ANGLE) * (1.0 if side == 0 else -1.0), math.sin(EYE_ANGLE)
        nx = ca * at[WIDE, 0] / wide + sa * at[HIGH, 0] / tall
        ny = ca * at[WIDE, 1] / wide + sa * at[HIGH, 1] / tall
        nz = ca * at[WIDE, 2] / wide + sa * at[HIGH, 2] / tall
        seen = min(max(size * view.scale - SMALLEST_EYE, 0.0) / SMALLEST_EYE, 1.0)
        if nz < -0.05 or seen <= 0.0:
            continue
        flat = max(nz, 0.50)
        plan = max(math.sqrt(nx * nx + ny * ny), 1e-6)
        across = (nx / plan * size * flat, ny / plan * size * flat)
        along = (-ny / plan * size, nx / plan * size)
        place_x = at[CENTRE, 0] + ca * at[WIDE, 0] + sa * at[HIGH, 0]
        place_y = at[CENTRE, 1] + ca * at[WIDE, 1] + sa * at[HIGH, 1]
        middle = (place_x, place_y, at[CENTRE, 2] + sa * at[HIGH, 2])
        colour = (look[EYE_RED], look[EYE_GREEN], look[EYE_BLUE])
        before = n
        n = put_disc(sheet, n, view, place, middle, along, across, colour, 0.62, 1.0, caustics)
        if n > before:
            sheet.prims[before, ALPHA] = f32(seen)
    gape = fins[GAPE]
    if gape > 0.05 and length * view.scale > 40.0:
        station(spine, look, 0.10, at)
        wide = 0.75 * gape + 0.2
        across = (wide * at[WIDE, 0], wide * at[WIDE, 1])
        along = (tx * 0.032 * length * gape, ty * 0.032 * length * gape)
        middle = (at[CENTRE, 0] + 0.25 * along[0], at[CENTRE, 1] + 0.25 * along[1], at[CENTRE, 2])
        n = put_disc(sheet, n, view, place, middle, along, across, LIP, 0.78, 0.0, caustics)
    return n
