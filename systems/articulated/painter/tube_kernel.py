"""Tubes: one smooth loft through guides that are bound to links, so that a chain of rigid pieces has one skin."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.curve_kernel import curve
from ...render.creatures.loft_rows_kernel import (
    CENTRE,
    STEEPEST,
    finish_loft,
    halo_of,
    skin_level,
    write_station,
)
from ...render.creatures.loft_rows_kernel import HIGH as UP
from ...render.creatures.loft_rows_kernel import WIDE as LEFT
from ...render.creatures.primitive_fields import ALPHA as ALPHA_FIELD
from ...render.creatures.primitive_fields import EB, EG, ER
from ...render.creatures.primitive_fields import GLOSS as GLOSS_FIELD
from ...render.creatures.skins import FLAT_SKIN
from .part_fields import (
    ACROSS,
    ALONG,
    ALPHA,
    AT_X,
    AT_Y,
    AT_Z,
    BLUE,
    COUNT,
    END_ROUND,
    FIRST,
    FOLD,
    GLOSS,
    GREEN,
    HALO,
    HEAD_ROUND,
    HIGH,
    LIGHT,
    LINK,
    LINK_FORWARD,
    LINK_JOINT,
    LINK_LEFT,
    LINK_UP,
    OUTLINE,
    RED,
    SKIN,
    STEERED,
    WIDE,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ...render.creatures.sheet import Sheet, View

FEWEST, MOST, PER_STATION = 5, 28, 8.5  # stations of a tube, and px from one to the next
CROWDED = 0.75  # how much closer stations lie at ends that round off
DIFFERENCE = 0.04  # guides to either side that slopes are taken from
# Rows of a bent tube (3, MOST_GUIDES, 3): middles; axes up, or half widths of those between edges; half width, half height,
# place on the skin.
MIDDLES, TURNS, SIZES = range(3)


@kernel(refcount=False)
def guide_point(guide: Array, frames: Array, length: float, steer: float) -> Vector:
    """Return the place of a guide in the world. frames (segments, 4, 3) has joints and axes of the links."""
    frame = frames[int(guide[LINK])]
    joint, forward, left, up = frame[LINK_JOINT], frame[LINK_FORWARD], frame[LINK_LEFT], frame[LINK_UP]
    x, y, z = length * guide[AT_X], length * (guide[AT_Y] + steer * guide[STEERED]), length * guide[AT_Z]
    return (
        joint[0] + x * forward[0] + y * left[0] + z * up[0],
        joint[1] + x * forward[1] + y * left[1] + z * up[1],
        joint[2] + x * forward[2] + y * left[2] + z * up[2],
    )


@kernel(refcount=False)
def sections_of(part: Array) -> int:
    """Return how many sections a tube has: one per guide, or per pair of guides where it is spread between two edges."""
    return int(part[COUNT]) // 2 if part[ACROSS] > 0.5 else int(part[COUNT])


@kernel(refcount=False)
def bend_tube(part: Array, guides: Array, frames: Array, length: float, steer: float, bent: Array) -> float:
    """Update bent with the sections of a tube in the world; return how long its middle line is."""
    first, total, pairs = int(part[FIRST]), 0.0, part[ACROSS] > 0.5
    for i in range(sections_of(part)):
        guide = guides[first + 2 * i if pairs else first + i]
        x, y, z = guide_point(guide, frames, length, steer)
        wide, up = length * guide[WIDE], frames[int(guide[LINK]), LINK_UP]
        for k in range(3):
            bent[TURNS, i, k] = up[k]
        if pairs:  # the left edge and the right edge
            rx, ry, rz = guide_point(guides[first + 2 * i + 1], frames, length, steer)
            lx, ly, lz = 0.5 * (x - rx), 0.5 * (y - ry), 0.5 * (z - rz)
            x, y, z, wide = x - lx, y - ly, z - lz, math.sqrt(lx * lx + ly * ly + lz * lz)
            bent[TURNS, i, 0], bent[TURNS, i, 1], bent[TURNS, i, 2] = lx, ly, lz
        bent[MIDDLES, i, 0], bent[MIDDLES, i, 1], bent[MIDDLES, i, 2] = x, y, z
        bent[SIZES, i, 0], bent[SIZES, i, 1], bent[SIZES, i, 2] = wide, length * guide[HIGH], guide[ALONG]
        if i > 0:
            dx, dy, dz = x - bent[MIDDLES, i - 1, 0], y - bent[MIDDLES, i - 1, 1], z - bent[MIDDLES, i - 1, 2]
            total += math.sqrt(dx * dx + dy * dy + dz * dz)
    return total


@kernel(refcount=False)
def rounded(along: float, head: float, end: float) -> float:
    """Return the share of its size that a tube has at a place whose ends round off."""
    size = 1.0
    if along < head:
        x = 1.0 - along / head
        size *= math.sqrt(max(1.0 - x * x, 0.0))
    if along > 1.0 - end:
        x = (along - 1.0 + end) / end
        size *= math.sqrt(max(1.0 - x * x, 0.0))
    return size


@kernel(refcount=False)
def place_station(part: Array, bent: Array, count: int, g: float, at: Array, sizes: Array,
                  ahead: Array) -> tuple[float, float]:  # fmt: skip
    """Update at (3, 3), middle, half-width and half-height vector of a tube at place g, and the direction ahead there."""
    curve(bent, MIDDLES, count, max(g - DIFFERENCE, 0.0), ahead)
    curve(bent, MIDDLES, count, min(g + DIFFERENCE, count - 1.0), at[CENTRE])
    for k in range(3):
        ahead[k] -= at[CENTRE, k]
    step = math.sqrt(ahead[0] * ahead[0] + ahead[1] * ahead[1] + ahead[2] * ahead[2])
    if step < 1e-9:
        step = 1.0
    for k in range(3):
        ahead[k] /= step
    curve(bent, MIDDLES, count, g, at[CENTRE])
    curve(bent, SIZES, count, g, sizes)
    round_ = rounded(sizes[2], part[HEAD_ROUND], part[END_ROUND])
    wide, tall = max(sizes[0], 0.0) * round_, max(sizes[1], 0.0) * round_
    i = min(int(g), count - 2)
    j, share = i + 1, g - i
    ux = bent[TURNS, i, 0] + (bent[TURNS, j, 0] - bent[TURNS, i, 0]) * share
    uy = bent[TURNS, i, 1] + (bent[TURNS, j, 1] - bent[TURNS, i, 1]) * share
    uz = bent[TURNS, i, 2] + (bent[TURNS, j, 2] - bent[TURNS, i, 2]) * share
    if part[ACROSS] > 0.5:
        lx, ly, lz = ux, uy, uz
    else:
        lx, ly, lz = uy * ahead[2] - uz * ahead[1], uz * ahead[0] - ux * ahead[2], ux * ahead[1] - uy * ahead[0]
    norm = wide / max(math.sqrt(lx * lx + ly * ly + lz * lz), 1e-9)
    at[LEFT, 0], at[LEFT, 1], at[LEFT, 2] = lx * norm, ly * norm, lz * norm
    hx, hy, hz = ahead[1] * lz - ahead[2] * ly, ahead[2] * lx - ahead[0] * lz, ahead[0] * ly - ahead[1] * lx
    norm = tall / max(math.sqrt(hx * hx + hy * hy + hz * hz), 1e-9)
    at[UP, 0], at[UP, 1], at[UP, 2] = hx * norm, hy * norm, hz * norm
    return wide, tall


@kernel(refcount=False)
def put_station(row: Array, view: View, part: Array, bent: Array, count: int, g: float, fold: float, level: float,
                scratch: Array) -> None:  # fmt: skip
    """Update a row of the sheet with the station of a tube at place g. fold is the slope of the pleat it belongs to."""
    at, sizes, ahead = scratch[0], scratch[1, 0], scratch[1, 1]
    low, high = max(g - DIFFERENCE, 0.0), min(g + DIFFERENCE, count - 1.0)
    wide0, tall0 = place_station(part, bent, count, low, at, sizes, ahead)
    x, y, z = at[CENTRE, 0], at[CENTRE, 1], at[CENTRE, 2]
    wide1, tall1 = place_station(part, bent, count, high, at, sizes, ahead)
    dx, dy, dz = at[CENTRE, 0] - x, at[CENTRE, 1] - y, at[CENTRE, 2] - z
    step = max(math.sqrt(dx * dx + dy * dy + dz * dz), 1e-9)
    wide, tall = place_station(part, bent, count, g, at, sizes, ahead)
    thin = 0.0 if part[ACROSS] > 0.5 else min(tall / max(wide, 1e-9), 1.0)
    grown = 0.5 * ((wide1 - wide0) * thin + tall1 - tall0)
    slope = fold if fold != 0.0 else min(max(grown / step, -STEEPEST), STEEPEST)
    lx, ly = at[LEFT, 0], at[LEFT, 1]
    plan = math.sqrt(lx * lx + ly * ly)
    if plan < 1e-3 * wide or plan < 1e-9:  # seen from its edge, or a point
        lx, ly, plan = -ahead[1], ahead[0], max(math.sqrt(ahead[0] * ahead[0] + ahead[1] * ahead[1]), 1e-9)
    places = (min(max(sizes[2], 0.0), 1.0), 0.0)
    write_station(row, view, at, (ahead[0], ahead[1], ahead[2]), (lx / plan, ly / plan), slope, places, level)


@kernel(refcount=False)
def put_tube(sheet: Sheet, n: int, view: View, part: Array, guides: Array, frames: Array, own: Vector,
             place: tuple[int, float, float], bent: Array, scratch: Array) -> int:  # fmt: skip
    """Update the sheet with a tube; return the next free row.

    own is length and steering of the swimmer and how clearly the part is seen, place its layer, the water's level and how
    strong the net of light is there.
    """
    (length, steer, seen), (layer, level, caustics) = own, place
    shown, sections = bend_tube(part, guides, frames, length, steer, bent) * view.scale, sections_of(part)
    if not (shown < 1e5):
        return n
    pleats, crowded = part[FOLD] > 0.0, CROWDED if part[HEAD_ROUND] + part[END_ROUND] > 0.0 else 0.0
    count = 2 * sections - 2 if pleats else min(max(int(shown / PER_STATION), FEWEST), MOST)
    if n + count + 1 > sheet.prims.shape[0]:
        return sheet.prims.shape[0]
    for i in range(count):
        if pleats:
            fold = part[FOLD] if (i // 2) % 2 == 0 else -part[FOLD]
            put_station(sheet.prims[n + 1 + i], view, part, bent, sections, (i + 1) // 2, fold, level, scratch)
        else:
            u = i / (count - 1)
            u -= crowded * math.sin(2.0 * math.pi * u) / (2.0 * math.pi)
            put_station(sheet.prims[n + 1 + i], view, part, bent, sections, u * (sections - 1), 0.0, level, scratch)
    whole = length * view.scale
    halo, outline = part[HALO] * halo_of(whole), part[OUTLINE] * whole
    end = finish_loft(sheet, n, count, layer, halo, part[SKIN], caustics, outline, FLAT_SKIN + skin_level(shown))
    row = sheet.prims[n]
    row[ALPHA_FIELD], row[GLOSS_FIELD] = f32(part[ALPHA] * seen), f32(part[GLOSS])
    row[ER], row[EG], row[EB] = f32(part[LIGHT] * part[RED]), f32(part[LIGHT] * part[GREEN]), f32(part[LIGHT] * part[BLUE])
    return end
