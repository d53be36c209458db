"""The body of a fish as a loft: its stations as rows of the sheet."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.loft_rows_kernel import STEEPEST, finish_loft, halo_of, length_of, skin_level, write_station
from ...render.creatures.primitive_fields import GLOSS as GLOSS_FIELD
from ...render.creatures.primitive_fields import RIM
from .looks import GLOSS, SCALE_MARKS, SKIN
from .school import CENTRE, HIGH, WIDE
from .spine_kernel import along_at, station

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ...render.creatures.sheet import Sheet, View

BODY_END = 5.5  # place, in knots, where the body ends in the tail fin
CROWDED_NOSE = 1.5  # power: stations lie closer at the round snout
DIFFERENCE = 0.05  # knots to either side that slopes are taken from
MOST_LEAN = 0.10  # share of the length that a pitched body shows its skin farther back or ahead
OUTLINE = 0.008  # of the length [fish 5]
SCALES_FROM, SCALES_FULL = 130.0, 320.0  # px, length of a body from which on scales are seen, and seen well
FEWEST, FEW, MANY, MOST = 5, 8, 13, 24  # stations
SHORT, MIDDLING, LONG = 32.0, 64.0, 150.0  # px, lengths below which that many are enough


@kernel(refcount=False)
def station_count(length: float) -> int:
    """Return how many stations a body of some pixels needs."""
    if length < SHORT:
        return FEWEST
    if length < MIDDLING:
        return FEW
    return MANY if length < LONG else MOST


@kernel(refcount=False)
def put_station(row: Array, view: View, spine: Array, look: Array, g: float, heading: tuple[float, float], level: float,
                scratch: Array) -> None:  # fmt: skip
    """Update a row of the sheet with the station at place g. heading is that of the whole fish in plan."""
    at, before, behind = scratch[0], scratch[1], scratch[2]
    low, high = max(g - DIFFERENCE, 0.0), min(g + DIFFERENCE, 6.0)
    station(spine, look, low, before)
    station(spine, look, high, behind)
    station(spine, look, g, at)
    tx, ty, tz = (before[CENTRE, 0] - behind[CENTRE, 0], before[CENTRE, 1] - behind[CENTRE, 1],
                  before[CENTRE, 2] - behind[CENTRE, 2])
    step = max(math.sqrt(tx * tx + ty * ty + tz * tz), 1e-9)
    tx, ty, tz = tx / step, ty / step, tz / step
    fx, fy = tx + 0.15 * heading[0], ty + 0.15 * heading[1]  # a fish that stands on its head still has a left
    plan = max(math.sqrt(fx * fx + fy * fy), 1e-6)
    fx, fy = fx / plan, fy / plan
    grown = 0.5 * (length_of(behind[WIDE]) + length_of(behind[HIGH]) - length_of(before[WIDE]) - length_of(before[HIGH]))
    slope = min(max(grown / step, -STEEPEST), STEEPEST)
    per = max(math.sqrt(tx * tx + ty * ty), 0.3) * step / max(along_at(high) - along_at(low), 1e-6)
    lean = min(max((at[HIGH, 0] * fx + at[HIGH, 1] * fy) / per, -MOST_LEAN), MOST_LEAN)
    write_station(row, view, at, (tx, ty, tz), (-fy, fx), slope, (along_at(g), lean), level)


@kernel(refcount=False)
def put_body(sheet: Sheet, n: int, view: View, spine: Array, look: Array, heading: tuple[float, float], length: float,
             place: tuple[int, float], caustics: float, scratch: Array) -> int:  # fmt: skip
    """Update the sheet with the body of one fish; return the next free row. place is its layer and the water's level."""
    layer, level = place
    shown = length * view.scale
    count = station_count(shown)
    if n + count + 1 > sheet.prims.shape[0]:
        return sheet.prims.shape[0]
    for i in range(count):
        g = BODY_END * (i / (count - 1)) ** CROWDED_NOSE
        put_station(sheet.prims[n + 1 + i], view, spine, look, g, heading, level, scratch)
    end = finish_loft(sheet, n, count, layer, halo_of(shown), look[SKIN], caustics, OUTLINE * shown, skin_level(shown))
    row = sheet.prims[n]
    row[GLOSS_FIELD] = look[GLOSS]
    row[RIM] = look[SCALE_MARKS] * f32(min(max((shown - SCALES_FROM) / (SCALES_FULL - SCALES_FROM), 0.0), 1.0))
    return end
