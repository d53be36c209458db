"""What an insect is made of behind its head, by its build: shells and rods, a row of numbers each, in units.

The picture draws these rows and exports model them: whoever changes a waist or a wing case here changes it in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.raster.shell_marks_kernel import BANDS as BANDED
from ...render.raster.shell_marks_kernel import PLAIN, SHIELD, WING_CASES, WINGS
from .shell_looks import (
    BANDS,
    BEETLE,
    GASTER,
    GASTER_LENGTH,
    GASTER_WIDTH,
    HEAD,
    HEAD_LENGTH,
    HEAD_WIDTH,
    PUNCTURES,
    ROACH,
    SOLDIER,
    SPLIT,
    STICK,
    STRIAE,
    STYLE,
    THORAX,
    THORAX_LENGTH,
    THORAX_WIDTH,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector

KIND, PART, ALONG, ABOVE, LONG, WIDE, HIGH, COLOUR, SHADE, TAPER, DOME, SQUARE, MARKS, LINES, DEPTH = range(15)
"""Of a row. PART is the segment it belongs to: head, thorax or gaster, ALONG and ABOVE its middle there, then half sizes;
COLOUR a place in a look and SHADE the share of it that is left; TAPER narrows one end (positive: the rear), SQUARE is how
square its outline is; MARKS, LINES and DEPTH are what `markings_code` takes. A rod runs from ALONG to LONG and has the radii
WIDE and HIGH; a neck runs from ALONG to the middle of the head and is as thick as WIDE."""
SHAPE_FIELDS = 15
SHELL_ROW, ROD_ROW, NECK_ROW = range(3)
MOST_SHAPES = 16
HEAD_PART, THORAX_PART, GASTER_PART = range(3)
HEAD_FORM, BROAD_HEAD_FORM = (-0.42, 1.0, 0.18), (0.10, 1.0, 0.15)
"""Taper, dome and square of the heads of ants, and of others."""
HEAD_SET = 0.85
"""Half lengths by which the middle of a broad insect's head lies behind its front."""
HEAD_HIGH = 0.8
"""Half height of a head by its half width."""


@kernel(refcount=False)
def lay_shell(rows: Array, k: int, part: int, place: tuple[float, float], size: Vector, colour: tuple[int, float],
              form: Vector, marks: tuple[int, float, float]) -> int:  # fmt: skip
    """Update row k with a shell; place is along and above, colour a place in a look and a share. Return the next row."""
    row = rows[k]
    row[KIND], row[PART] = SHELL_ROW, part
    row[ALONG], row[ABOVE] = place
    row[LONG], row[WIDE], row[HIGH] = size
    row[COLOUR], row[SHADE] = colour
    row[TAPER], row[DOME], row[SQUARE] = form
    row[MARKS], row[LINES], row[DEPTH] = marks
    return k + 1


@kernel(refcount=False)
def lay_rod(rows: Array, k: int, kind: int, ends: tuple[float, float], radii: tuple[float, float],
            colour: tuple[int, float]) -> int:  # fmt: skip
    """Update row k with a rod or a neck along the thorax; return the next row."""
    row = rows[k]
    row[KIND], row[PART], row[ABOVE] = kind, THORAX_PART, 0.0
    row[ALONG], row[LONG] = ends
    row[WIDE], row[HIGH] = radii
    row[COLOUR], row[SHADE] = colour
    return k + 1


@kernel(refcount=False)
def lay_ant(rows: Array, sizes: Array, look: Array, links: int, overturned: bool) -> int:
    """Update rows with neck, waist, rear part and thorax of an ant, from the rear; return how many there are."""
    long, wide = sizes[1, 0] * look[THORAX_LENGTH], sizes[1, 1] * look[THORAX_WIDTH]
    rear, round_ = sizes[2, 0] * look[GASTER_LENGTH], sizes[2, 1] * look[GASTER_WIDTH]
    plain, none, k = (0.0, 1.0, 0.0), (PLAIN, 0.0, 0.0), 0
    if links == 3:
        k = lay_rod(rows, k, NECK_ROW, (1.4 * long, 0.0), (0.42 * wide, 0.42 * wide), (THORAX, 0.45))
        bead = 0.52 * wide
        k = lay_shell(rows, k, THORAX_PART, (-1.24 * long, -0.1 * wide), (0.9 * bead, bead, bead), (THORAX, 0.85), plain,
                      none)  # fmt: skip
    k = lay_shell(rows, k, GASTER_PART, (-0.12 * rear, 0.0), (0.88 * rear, 1.16 * round_, sizes[2, 2]), (GASTER, 1.0),
                  (0.22, 1.0, 0.0), (BANDED, 0.0 if overturned else float(look[BANDS]), 0.0))  # fmt: skip
    if links == 1:
        return lay_shell(rows, k, THORAX_PART, (0.2 * long, 0.0), (1.35 * long, wide, wide), (THORAX, 1.0), plain, none)
    k = lay_shell(rows, k, THORAX_PART, (-0.55 * long, 0.0), (0.60 * long, 0.80 * wide, wide), (THORAX, 0.88),
                  (0.30, 1.0, 0.15), none)  # fmt: skip
    if links == 3:
        k = lay_shell(rows, k, THORAX_PART, (0.15 * long, 0.0), (0.52 * long, 0.86 * wide, wide), (THORAX, 0.94), plain,
                      none)  # fmt: skip
    return lay_shell(rows, k, THORAX_PART, (0.92 * long, 0.1 * wide), (0.68 * long, 1.08 * wide, wide), (THORAX, 1.0),
                     (-0.12, 1.0, 0.0), none)  # fmt: skip


@kernel(refcount=False)
def lay_beetle(rows: Array, span: tuple[float, float], w: float, look: Array, overturned: bool) -> int:
    """Update rows with rear end, shield and wing cases of a beetle; return how many there are."""
    (front, rear), k = span, 0
    whole = front - rear
    cases, wide = 0.60 * whole * look[GASTER_LENGTH], 1.36 * w * look[GASTER_WIDTH]
    if look[SPLIT] > f32(0.0):
        k = lay_shell(rows, k, THORAX_PART, (rear + 0.44 * cases, -0.1 * w), (0.47 * cases, 0.86 * wide, 0.6 * w),
                      (GASTER, 0.35), (0.3, 0.8, 0.0), (BANDED, 5.0, 0.0))  # fmt: skip
    size = (0.125 * whole * look[THORAX_LENGTH], 1.22 * w * look[THORAX_WIDTH], 0.6 * w)
    k = lay_shell(rows, k, THORAX_PART, (rear + 0.97 * cases + 0.08 * whole, 0.05 * w), size, (THORAX, 1.0),
                  (-0.22, 0.9, 0.55), (SHIELD, 1.0, float(look[PUNCTURES])))  # fmt: skip
    marks = (BANDED, 5.0, 0.0) if overturned else (WING_CASES, float(look[STRIAE]), float(look[SPLIT]))
    return lay_shell(rows, k, THORAX_PART, (rear + 0.5 * cases, 0.1 * w), (0.5 * cases, wide, 0.7 * w), (GASTER, 1.0),
                     (0.34, 1.0, 0.22), marks)  # fmt: skip


@kernel(refcount=False)
def lay_roach(rows: Array, span: tuple[float, float], w: float, look: Array, links: int, overturned: bool) -> int:
    """Update rows with abdomen, wings and shield of a cockroach; return how many there are."""
    front, rear = span
    whole = front - rear
    k = lay_shell(rows, 0, THORAX_PART, (rear + 0.36 * whole, -0.1 * w), (0.37 * whole, 0.98 * w, 0.3 * w), (THORAX, 0.55),
                  (0.35, 0.7, 0.1), (BANDED, 8.0, 0.0))  # fmt: skip
    if not overturned:
        size = (0.43 * whole * look[GASTER_LENGTH], 1.0 * w * look[GASTER_WIDTH], 0.35 * w)
        k = lay_shell(rows, k, THORAX_PART, (rear + 0.40 * whole * look[GASTER_LENGTH], 0.1 * w), size, (GASTER, 1.0),
                      (0.22, 0.55, 0.3), (WINGS, 9.0, 0.0))  # fmt: skip
    middle, high = rear + 0.84 * whole, 0.15 * w
    size = (0.135 * whole * look[THORAX_LENGTH], 0.94 * w * look[THORAX_WIDTH], 0.3 * w)
    k = lay_shell(rows, k, THORAX_PART, (middle, high), size, (THORAX, 1.0), (-0.10, 0.6, 0.25), (SHIELD, 1.0, 0.0))
    if links == 3:
        size = (0.085 * whole, 0.55 * w * look[THORAX_WIDTH], 0.2 * w)
        k = lay_shell(rows, k, THORAX_PART, (middle, high + 0.02 * w), size, (HEAD, 0.75), (-0.1, 0.6, 0.2),
                      (PLAIN, 0.0, 0.0))  # fmt: skip
    return k


@kernel(refcount=False)
def lay_stick(rows: Array, span: tuple[float, float], w: float, look: Array, links: int) -> int:
    """Update rows with the rods of a stick insect, knotted where they meet; return how many there are."""
    front, rear = span
    whole, rods, n = front - rear, 7 if links == 3 else 3, 0
    for k in range(rods):
        a, b = rear + 0.92 * whole * k / rods, rear + 0.92 * whole * (k + 1) / rods
        thick = w * look[GASTER_WIDTH] * (0.55 + 0.45 * min(k + 1.0, 3.0) / 3.0)
        colour = GASTER if k < (rods + 1) // 2 else THORAX
        n = lay_rod(rows, n, ROD_ROW, (a, b), (0.86 * thick, thick), (colour, 1.0))
        if links == 3:
            n = lay_shell(rows, n, THORAX_PART, (b, 0.0), (0.35 * w, 1.12 * thick, w), (colour, 0.6), (0.0, 1.0, 0.3),
                          (PLAIN, 0.0, 0.0))  # fmt: skip
    return n


@kernel(refcount=False)
def lay_trunk(rows: Array, sizes: Array, span: tuple[float, float], wide: float, look: Array, links: int,
              overturned: bool) -> int:  # fmt: skip
    """Update rows (MOST_SHAPES, SHAPE_FIELDS) with all of an insect behind its head, lowest first; return their number.

    sizes (3, 3) are the half sizes of its segments, span and wide how far and how broad it reaches; with fewer links of legs
    less is seen of it.
    """
    style = int(look[STYLE])
    if style <= SOLDIER:
        return lay_ant(rows, sizes, look, links, overturned)
    if style == BEETLE:
        return lay_beetle(rows, span, wide, look, overturned)
    if style == ROACH:
        return lay_roach(rows, span, wide, look, links, overturned)
    return lay_stick(rows, span, wide, look, links)


@kernel(refcount=False)
def head_size(sizes: Array, look: Array, span: tuple[float, float], wide: float) -> tuple[float, float]:
    """Return half length and width of a head."""
    style = int(look[STYLE])
    long, broad = sizes[0, 0], 1.18 * sizes[0, 1]
    if style == SOLDIER:
        long, broad = 1.45 * long, 1.75 * broad
    elif style == BEETLE:
        long, broad = 0.105 * (span[0] - span[1]), 0.66 * wide
    elif style == ROACH:
        long, broad = 0.07 * (span[0] - span[1]), 0.40 * wide
    elif style == STICK:
        long, broad = max(0.045 * (span[0] - span[1]), 1.1 * wide), 0.85 * wide
    return long * look[HEAD_LENGTH], broad * look[HEAD_WIDTH]
