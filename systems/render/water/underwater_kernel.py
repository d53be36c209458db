"""The bed seen through the water, a strip of a tile at a time: the rows of pixels between two rows of samples.

Row loops read and write flat scratch arrays, planes at a constant distance from one another: so the compiler sees that they
do not overlap, and a loop may write several of them and still run as vectors. They always run over a whole row of a tile;
only what is read from the picture ends at its edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32, uint32
from ..creatures.primitive_fields import TILE_H, TILE_W
from ..raster.shade_kernel import CAUST, KEEP, SURF_B, SURF_G, SURF_R
from ..raster.tiles_kernel import decode_row, shade_row
from ..scene.light import WATER_BODY
from .row_blend_kernel import DRY, SURFACE_PLANES, fill_between
from .water_kernel import OFFSET_X, OFFSET_Y, SAMPLE_ROWS

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ..raster.frame import Floor, Scratch, WaterView

FILM, SUNLIGHT = range(2)  # rows of floats that a row of pixels is made with
STRIP_NUMBERS, SUNLIGHT_AT = 2 * TILE_W, SUNLIGHT * TILE_W
# whole numbers of a row: where the bed of a pixel lies, then its packed colour; the light that passes, and the table of it
BED_AT, PASSING_AT, PASSING_TABLE_AT = 0, TILE_W, 2 * TILE_W
WHOLE_NUMBERS = PASSING_TABLE_AT + 256
WIDE_PLANE, TILE_PLANE = SAMPLE_ROWS * TILE_W, TILE_H * TILE_W  # numbers in a plane
X_AT, Y_AT = OFFSET_X * WIDE_PLANE, OFFSET_Y * WIDE_PLANE
FILM_STEPS = f32(0.025)  # per quarter of a depth byte: the thinnest film fades in, which gives a smooth shoreline
BED_SHADOW = f32(0.6)  # darkest creature shadow on the bed: water scatters light into it
BODY_SHADOW = f32(0.38)  # and in the water above it, which is lit by the same sun
SQUARE = f32(1.5 / (255.0 * 255.0))  # from a background byte squared to linear light, range as in raster_kernel
ROUND = f32(1024.5)  # added before and taken off after cutting to whole numbers: rounds negative ones the same way
FULL_FILM = uint32(0x0A000000)  # packed pixels from here on have a full film
TEN_BITS = int32(1023)  # of every channel in the table of passing light; the two bits above them say that it is wet
WET = uint32(0x40000000)
# where a channel begins in a packed pixel, and in a number of the table of passing light
RED_AT, GREEN_AT, BLUE_AT = (uint32(16), uint32(0)), (uint32(8), uint32(10)), (uint32(0), uint32(20))
SEVEN_BITS = uint32(0x7F7F7F7F)  # of each byte


@kernel(refcount=False)
def pack_passing(depth_table: Array, out: Array) -> None:
    """Update out (256) with the three channels of light that passes per depth byte, ten bits each, and whether it is wet."""
    ten, half = f32(TEN_BITS), f32(0.5)
    for d in range(256):
        red, green = uint32(depth_table[0, d] * ten + half), uint32(depth_table[1, d] * ten + half)
        blue = uint32(depth_table[2, d] * ten + half)
        out[d] = red | (green << uint32(10)) | (blue << uint32(20)) | (WET if d > 0 else uint32(0))


@kernel(refcount=False)
def depth_range(background: Array, top: int, left: int, rows: int, columns: int) -> tuple[int, int]:
    """Return the smallest and the largest of packed pixels; their depth is in the leading bits."""
    least, most = uint32(0xFFFFFFFF), uint32(0)
    for v in range(rows):
        row = background[top + v, left : left + columns]
        for x in range(row.size):
            least, most = min(least, row[x]), max(most, row[x])
    return least, most


@kernel(refcount=False)
def lay_ground(floor: Floor, any_shadow: bool, light: Array, top: int, left: int, first: int, last: int, width: int,
               tile: Array) -> None:  # fmt: skip
    """Update some rows of a tile from the packed pixels of the ground and the shadow on it."""
    background, shadow = floor.packed, floor.shadow
    for y in range(first, last):
        red, green, blue = tile[0, y, :width], tile[1, y, :width], tile[2, y, :width]
        decode_row(background[top + y, left : left + width], red, green, blue)
        if any_shadow:
            j, mix = (top + y + 1) // 2, f32(0.25) if y % 2 == 1 else f32(0.75)
            shade_row(shadow[j, left // 2 :], shadow[j + 1, left // 2 :], mix, light, red, green, blue)


@kernel(refcount=False, inline=True)
def find_bed(wide: Array, b: float, y: int, left: int, rows: int, columns: int, whole: Array) -> None:
    """Update places, in a picture of rows x columns, of the bed that every pixel of a row shows; beyond it is its edge."""
    last_row, last_column, across = int32(rows - 1), int32(columns - 1), int32(columns)
    first_row, first_column = int32(y - 1024), int32(left - 1024)
    for x in range(TILE_W):
        dx = int32(wide[X_AT + x] + (wide[X_AT + TILE_W + x] - wide[X_AT + x]) * b + ROUND)
        dy = int32(wide[Y_AT + x] + (wide[Y_AT + TILE_W + x] - wide[Y_AT + x]) * b + ROUND)
        column = min(max(int32(int32(first_column + int32(x)) + dx), int32(0)), last_column)
        row = min(max(int32(first_row + dy), int32(0)), last_row)
        whole[BED_AT + x] = uint32(int32(row * across) + column)


@kernel(refcount=False, inline=True)
def look_up(flat: Array, own: Array, table: Array, bed: Array, passing: Array) -> None:
    """Update bed from places to the packed colours there, and the light that passes; a dry bed is none: shown is its own."""
    for x in range(own.size):
        mine, seen = own[x], flat[bed[x]]
        bed[x] = mine if seen < DRY else seen
        passing[x] = table[mine >> uint32(24)]


@kernel(refcount=False, inline=True)
def look_straight(above: Array, own: Array, below: Array, table: Array, bed: Array, passing: Array) -> None:
    """Update the packed colours of the bed straight below, one part above and below to two of its own; light that passes.

    Where only some rows are made, what is between them must show in them: stones would twinkle as the view moves.
    """
    for x in range(own.size):
        around = (above[x] & below[x]) + (((above[x] ^ below[x]) >> uint32(1)) & SEVEN_BITS)  # means of all four bytes
        bed[x] = (around & own[x]) + (((around ^ own[x]) >> uint32(1)) & SEVEN_BITS)
    for x in range(own.size):
        passing[x] = table[own[x] >> uint32(24)]


@kernel(refcount=False, inline=True)
def between_rows(wide: Array, b: float, out: Array) -> None:
    """Update a row of the surface planes between two rows of samples."""
    for plane in range(SURFACE_PLANES):
        source, target = plane * WIDE_PLANE, plane * TILE_PLANE
        for x in range(TILE_W):
            out[target + x] = wide[source + x] + (wide[source + TILE_W + x] - wide[source + x]) * b


@kernel(refcount=False)
def thin_film(pixels: Array, left: int, columns: int, film: Array, surface: Array, row: int) -> None:
    """Update a row of the surface planes: at rest where dry, and fading in with the depth of its packed pixels.

    Depth is mixed with that of the pixels to the left and to the right, for it was rounded differently in each of them.
    """
    own, byte, last = pixels[left : left + columns], uint32(24), left + columns - 1
    before, after = pixels[max(left - 1, 0)] >> byte, pixels[min(last + 1, pixels.size - 1)] >> byte
    for x in range(1, own.size - 1):
        mixed = (own[x - 1] >> byte) + uint32(2) * (own[x] >> byte) + (own[x + 1] >> byte)
        film[x] = min(f32(int32(mixed)) * FILM_STEPS, f32(1.0))
    first = before + uint32(2) * (own[0] >> byte) + (own[min(1, own.size - 1)] >> byte)
    final = (own[max(own.size - 2, 0)] >> byte) + uint32(2) * (own[own.size - 1] >> byte) + after
    film[own.size - 1] = min(f32(int32(final)) * FILM_STEPS, f32(1.0))
    film[0] = min(f32(int32(first)) * FILM_STEPS, f32(1.0))
    for plane in range(SURFACE_PLANES):
        rest = f32(1.0) if plane == CAUST or plane == KEEP else f32(0.0)
        out = surface[plane, row]
        for x in range(out.size):
            out[x] = rest + (out[x] - rest) * film[x]


@kernel(refcount=False)
def spread_row(low: Array, high: Array, b: float, out: Array, width: int) -> None:
    """Update out (width) with two half-res rows mixed by b and spread to full resolution."""
    a, quarter, most = f32(1.0) - b, f32(0.25), f32(0.75)
    for i in range((width + 1) // 2):
        s0, s1, s2 = low[i] * a + high[i] * b, low[i + 1] * a + high[i + 1] * b, low[i + 2] * a + high[i + 2] * b
        out[2 * i] = s0 * quarter + s1 * most
        out[2 * i + 1] = s1 * most + s2 * quarter


@kernel(refcount=False, inline=True)
def lay_channel(bed: int, passing: int, sunlight: float, body: float, keep: float, added: float, place: tuple[int, int],
                before: float) -> float:  # fmt: skip
    """Return one colour of a pixel: the bed in the light that passes, the body of the water, what the surface adds."""
    colour = f32(int32((bed >> place[0]) & uint32(255)))
    through = f32(int32((passing >> place[1]) & uint32(TEN_BITS))) * f32(1.0 / TEN_BITS)
    value = (colour * colour * sunlight * through + body * (f32(1.0) - through)) * keep + added
    return value if passing >= WET else before


@kernel(refcount=False, inline=True)
def lay_row(whole: Array, strip: Array, surface: Array, body: Vector, tile: Array) -> None:
    """Update a row of the tile where it is wet; body is the colour of the water."""
    red, green, blue = body
    for x in range(TILE_W):
        bed, passing = whole[BED_AT + x], whole[PASSING_AT + x]
        shade = strip[SUNLIGHT_AT + x]
        sunlight = (f32(1.0) - BED_SHADOW * shade) * SQUARE * surface[CAUST * TILE_PLANE + x]
        lit = f32(1.0) - BODY_SHADOW * shade
        keep = surface[KEEP * TILE_PLANE + x]
        added_r, added_g = surface[SURF_R * TILE_PLANE + x], surface[SURF_G * TILE_PLANE + x]
        added_b, x_green, x_blue = surface[SURF_B * TILE_PLANE + x], TILE_PLANE + x, 2 * TILE_PLANE + x
        tile[x] = lay_channel(bed, passing, sunlight, red * lit, keep, added_r, RED_AT, tile[x])
        tile[x_green] = lay_channel(bed, passing, sunlight, green * lit, keep, added_g, GREEN_AT, tile[x_green])
        tile[x_blue] = lay_channel(bed, passing, sunlight, blue * lit, keep, added_b, BLUE_AT, tile[x_blue])


@kernel(refcount=False)
def no_surface(surface: Array, first: int, rows: int) -> None:
    """Update rows of the surface planes to rest."""
    for plane in range(SURFACE_PLANES):
        rest = f32(1.0) if plane == CAUST or plane == KEEP else f32(0.0)
        for y in range(first, first + rows):
            row = surface[plane, y]
            for x in range(row.size):
                row[x] = rest


@kernel(refcount=False)
def water_strip(floor: Floor, water: WaterView, light: Array, own: Scratch, box: tuple[int, int, int, int], any_shadow: bool,
                first: int, rows: int, stride: int, kept: int, least: int) -> None:  # fmt: skip
    """Update every stride-th of some rows of a tile, from `first` on, where wet, and as many surface rows from `kept` on.

    box is top, left, height and width of the tile in the picture, `least` the smallest of its packed pixels. Without
    refraction the bed is a mean over some rows up and down. Submerged parts are seen through the surface.
    """
    top, left, _, columns = box
    background, shadow, strip, whole, step = floor.packed, floor.shadow, own.strip, own.whole, water.step
    flat_tile, flat_surface = own.tile.reshape(-1), own.surface.reshape(-1)
    wide, start, share = own.wide.reshape(-1)[first // step * TILE_W :], first % step, f32(1.0) / f32(step)
    film, sunlight = strip[FILM * TILE_W : (FILM + 1) * TILE_W], strip[SUNLIGHT_AT : SUNLIGHT_AT + TILE_W]
    table, bed, passing = whole[PASSING_TABLE_AT:], whole[BED_AT:], whole[PASSING_AT:]
    body, spread = (light[WATER_BODY], light[WATER_BODY + 1], light[WATER_BODY + 2]), water.rows // 2
    for x in range(TILE_W):
        sunlight[x] = f32(0.0)
    for v in range(rows):
        y, b = top + first + v * stride, (f32(start + v * stride) + f32(0.5)) * share
        own_row, seen = background[y, left : left + columns], flat_surface[(kept + v * stride) * TILE_W :]
        if water.refraction:
            find_bed(wide, b, y, left, background.shape[0], background.shape[1], whole)
            look_up(floor.flat, own_row, table, bed, passing)
        else:
            above, below = background[max(y - spread, 0)], background[min(y + spread, background.shape[0] - 1)]
            look_straight(above[left:], own_row, below[left:], table, bed, passing)
        between_rows(wide, b, seen)
        if least < FULL_FILM:
            thin_film(background[y], left, columns, film, own.surface, kept + v * stride)
        if any_shadow:
            j, mix = (y + 1) // 2, f32(0.25) if y % 2 == 1 else f32(0.75)
            spread_row(shadow[j, left // 2 :], shadow[j + 1, left // 2 :], mix, sunlight, columns)
        lay_row(whole, strip, seen, body, flat_tile[(first + v * stride) * TILE_W :])


@kernel(refcount=False)
def lay_water(floor: Floor, water: WaterView, light: Array, own: Scratch, box: tuple[int, int, int, int], any_shadow: bool,
              any_items: bool) -> bool:  # fmt: skip
    """Update a tile with its ground where it is dry and its water where it is wet, and return whether it has rows to mix.

    Surface rows are kept if anything is seen through them. With a stride only every stride-th row is made. In a tile that is
    nothing but water the others are left to be mixed when all is packed, which is cheaper.
    """
    (top, left, height, width), step, stride = box, water.step, water.rows
    shallowest = uint32(0xFFFFFFFF)
    for y in range(0, height, step):
        rows = min(step, height - y)
        least, most = depth_range(floor.packed, top + y, left, rows, width)
        shallowest, kept = min(shallowest, least), y if any_items else 0
        if least < DRY:
            lay_ground(floor, any_shadow, light, top, left, y, y + rows, width, own.tile)
        if most < DRY:
            no_surface(own.surface, kept, rows)
            continue
        water_strip(floor, water, light, own, box, any_shadow, y, -(-rows // stride), stride, kept, least)
        if stride > 1 and y + rows == height:  # the last row has none below it in this tile to be mixed with
            last, kept = height - 1, height - 1 if any_items else 0
            water_strip(floor, water, light, own, box, any_shadow, last, 1, 1, kept, least)
    only_water = shallowest >= DRY and not any_items
    if stride > 1 and not only_water:
        fill_between(floor.packed, top, left, height, width, stride, any_items, own.tile, own.surface)
    return stride > 1 and only_water
