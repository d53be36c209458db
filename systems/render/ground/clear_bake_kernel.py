"""Bake squares of the terrain picture with clear water or corals in them: as bake_kernel does, with more parts.

Worlds without them never load this module, so they compile and wait for nothing of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.growths import GROWTH_KINDS, HEIGHT, KIND, RADIUS, X, Y
from ....engine.kernel import kernel
from ....engine.work_counter import take_next
from ..scene.seabed import LOG, NEST_MOUND, ROCKY
from .bake_kernel import PART_ROWS, finish_square, smooth_heights, work_of
from .bark_kernel import put_log
from .bed import ANEMONE, PEBBLES, STARFISH
from .bed_rows_kernel import paint_bed, reef_field
from .coral_domes_kernel import put_dome, put_tubes
from .coral_twigs_kernel import put_branches, put_foot, put_starfish
from .ground_material_kernel import smooth_sample
from .land import Work
from .nest_mound_kernel import put_nest
from .paint_kernel import coarse_fields, paint_rows
from .pebble_kernel import add_pebbles
from .relief_light_kernel import light_rows
from .stone_kernel import add_stones

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .bed import Bed
    from .land import Land, Margins

BRAIN, POLYP, TABLE, TUBE, BRANCH, FAN = (
    GROWTH_KINDS.index(name) for name in ("brain", "polyp", "table", "tube", "branch", "fan")
)
SUNK = 0.12  # units: growths stand in the sand, not on it
REACH = 1.7  # radii, as far as any growth goes


@kernel()
def add_growths(region: tuple[Land, tuple[float, float], Array, Array], bed: Bed) -> None:
    """Update a region with everything that grows on the bed, low ones first as they come."""
    land, (left, top), height, _ = region
    rows, columns = height.shape
    west, east = left / land.scale, (left + columns) / land.scale
    north, south = -top / land.scale, -(top + rows) / land.scale
    for k in range(bed.growths.shape[0]):
        growth = bed.growths[k]
        kind, reach = int(growth[KIND]), REACH * growth[RADIUS]
        if kind == LOG:
            reach += growth[HEIGHT]
        if growth[X] + reach < west or growth[X] - reach > east or growth[Y] + reach < south or growth[Y] - reach > north:
            continue
        base = smooth_sample(land, land.elevation, growth[X], growth[Y])
        if kind != STARFISH:
            base += 0.25 if bed.clear > 0.0 else -SUNK
        if kind == BRAIN:
            put_dome(region, growth, base, 0)
        elif kind == POLYP:
            put_dome(region, growth, base, 1)
        elif kind == TABLE:
            put_dome(region, growth, base, 2)
        elif kind == ROCKY:
            put_dome(region, growth, base - 0.2, 3)
        elif kind == TUBE:
            put_tubes(region, growth, base)
        elif kind == BRANCH or kind == FAN:
            put_branches(region, growth, base, kind == FAN)
        elif kind == STARFISH:
            put_starfish(region, growth, base)
        elif kind == ANEMONE:
            put_foot(region, growth, base)
        elif kind == NEST_MOUND:
            put_nest(region, growth, base)
        elif kind == LOG:
            put_log(region, growth)


@kernel()
def count_clear_parts(outer: int, size: int) -> int:
    """Return the number of parts in which a square is baked, see `count_parts`."""
    return 2 * -(-outer // PART_ROWS) + 3 + -(-size // PART_ROWS) + 1


@kernel()
def bake_clear_part(part: int, land: Land, bed: Bed, light: Array, margins: Margins, left: int, top: int, work: Work,
                    reef: Array, packed: Array) -> None:  # fmt: skip
    """Update the working arrays of a square by one part, see `bake_part`."""
    outer, size = work.height.shape[0], packed.shape[0]
    painting, lighting = -(-outer // PART_ROWS), -(-size // PART_ROWS)
    corner = (float(left - margins.left), float(top - margins.top))
    first, last = part % painting * PART_ROWS, min((part % painting + 1) * PART_ROWS, outer)
    if part == 0:
        coarse_fields(land, corner, work.fields)
        reef_field(land, bed, corner, reef)
    if part < painting:
        paint_rows(land, corner, work.fields, first, last, work.height, work.albedo)
    elif part == painting:
        add_stones(land, corner, work.height, work.albedo)
    elif part <= 2 * painting:
        first = (part - painting - 1) * PART_ROWS
        if bed.clear > 0.0 and land.ponds.shape[0] > 0:
            last = min(first + PART_ROWS, outer)
            paint_bed(land, bed, corner, work.fields, reef, first, last, work.height, work.albedo)
    elif part == 2 * painting + 1:
        region = (land, corner, work.height, work.albedo)
        if bed.kind == PEBBLES:
            add_pebbles(region, int(land.seed) * 13 + 5)
        add_growths(region, bed)
    elif part == 2 * painting + 2:
        smooth_heights(work, margins, size)
    elif part < 2 * painting + 3 + lighting:
        first = (part - 2 * painting - 3) * PART_ROWS
        light_rows(land, corner, light, margins, work, first, min(first + PART_ROWS, size))
    else:
        finish_square(land, light, margins, left, top, work, packed)


@kernel()
def bake_clear_parts(first: int, last: int, land: Land, bed: Bed, light: Array, margins: Margins, corners: Array, work: Work,
                     packed: Array, _seat: int, taken: Array) -> None:  # fmt: skip
    """Update squares by parts first..last, see `bake_parts`."""
    k = take_next(taken)
    while k < corners.shape[0]:
        one = work_of(work, k)
        for part in range(first, last):
            bake_clear_part(part, land, bed, light, margins, corners[k, 0], corners[k, 1], one, bed.reef[k], packed[k])
        k = take_next(taken)
