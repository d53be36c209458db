"""Trunks of insects: ants with a waist, beetles with wing cases, cockroaches with wings, stick insects."""

# mypy: ignore-errors
from __future__ import annotations

from numpy import float32 as f32

from ....engine.kernel import kernel
from ...render.creatures.emit_kernel import put_link
from ...render.creatures.primitive_fields import CAPSULE
from ...render.creatures.sheet import Skin
from ...render.raster.shell_marks_kernel import BANDS as BANDED
from ...render.raster.shell_marks_kernel import PLAIN, SHIELD, WING_CASES, WINGS
from .insect_parts_kernel import ROUND, beside, darkened, moved, put_hair, put_shell, tone
from .shell_looks import (
    BANDS,
    BEETLE,
    GASTER,
    GASTER_LENGTH,
    GASTER_WIDTH,
    GLOSS,
    HEAD,
    PUNCTURES,
    ROACH,
    SOLDIER,
    SPLIT,
    STRIAE,
    STYLE,
    THORAX,
    THORAX_LENGTH,
    THORAX_WIDTH,
)


@kernel(refcount=False)
def put_ant_trunk(sheet, n, view, seen, parts, sizes, look):
    """Update the sheet with waist, rear part and thorax of an ant, from the rear; return the next free row."""
    thorax, gaster = parts[1], parts[2]
    long, wide = sizes[1, 0] * look[THORAX_LENGTH], sizes[1, 1] * look[THORAX_WIDTH]
    rear, round_ = sizes[2, 0] * look[GASTER_LENGTH], sizes[2, 1] * look[GASTER_WIDTH]
    colour, none = tone(look, THORAX), (PLAIN, 0, 0.0)
    if seen.links == 3:
        n = put_neck(sheet, n, view, seen, beside(thorax, 1.4 * long, 0.0, 0.0), parts[0].at, 0.42 * wide, colour)
        waist, bead = moved(thorax, -1.24 * long, 0.0, -0.1 * wide), 0.52 * wide
        n = put_shell(sheet, n, view, seen, waist, (0.9 * bead, bead, bead), darkened(colour, 0.85), look, ROUND, none)
    n = put_shell(sheet, n, view, seen, moved(gaster, -0.12 * rear, 0.0, 0.0), (0.88 * rear, 1.16 * round_, sizes[2, 2]),
                  tone(look, GASTER), look, (0.22, 1.0, 0.0),
                  (BANDED, 0 if seen.overturned else look[BANDS], 0.0))  # fmt: skip
    if seen.links == 1:
        return put_shell(sheet, n, view, seen, moved(thorax, 0.2 * long, 0.0, 0.0), (1.35 * long, wide, wide), colour, look,
                         (0.0, 1.0, 0.0), none)  # fmt: skip
    n = put_shell(sheet, n, view, seen, moved(thorax, -0.55 * long, 0.0, 0.0), (0.60 * long, 0.80 * wide, wide),
                  darkened(colour, 0.88), look, (0.30, 1.0, 0.15), none)  # fmt: skip
    if seen.links == 3:
        n = put_shell(sheet, n, view, seen, moved(thorax, 0.15 * long, 0.0, 0.0), (0.52 * long, 0.86 * wide, wide),
                      darkened(colour, 0.94), look, (0.0, 1.0, 0.0), none)  # fmt: skip
    front = moved(thorax, 0.92 * long, 0.0, 0.1 * wide)
    return put_shell(sheet, n, view, seen, front, (0.68 * long, 1.08 * wide, wide), colour, look, (-0.12, 1.0, 0.0), none)


@kernel(refcount=False)
def put_neck(sheet, n, view, seen, a, b, thick, colour):
    """Update the sheet with what joins a head to a trunk; return the next free row."""
    c = darkened(colour, 0.45)
    skin = Skin(c[0], c[1], c[2], f32(0.5), f32(0.1), f32(0.0))
    return put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, a, b, (thick, thick), skin)


@kernel(refcount=False)
def put_beetle_trunk(sheet, n, view, seen, parts, span, look):
    """Update the sheet with rear end, wing cases and shield of a beetle; return the next free row."""
    thorax, (front, rear), w = parts[1], span, seen.wide
    whole = front - rear
    cases = 0.60 * whole * look[GASTER_LENGTH]
    middle = moved(thorax, rear + 0.5 * cases, 0.0, 0.1 * w)
    wide = 1.36 * w * look[GASTER_WIDTH]
    if look[SPLIT] > f32(0.0):
        n = put_shell(sheet, n, view, seen, moved(thorax, rear + 0.44 * cases, 0.0, -0.1 * w),
                      (0.47 * cases, 0.86 * wide, 0.6 * w), darkened(tone(look, GASTER), 0.35), look, (0.3, 0.8, 0.0),
                      (BANDED, 5, 0.0))  # fmt: skip
    shield = moved(thorax, rear + 0.97 * cases + 0.08 * whole, 0.0, 0.05 * w)
    size = (0.125 * whole * look[THORAX_LENGTH], 1.22 * w * look[THORAX_WIDTH], 0.6 * w)
    n = put_shell(sheet, n, view, seen, shield, size, tone(look, THORAX), look, (-0.22, 0.9, 0.55),
                  (SHIELD, 1, look[PUNCTURES]))  # fmt: skip
    marks = (BANDED, 5.0, 0.0) if seen.overturned else (WING_CASES, look[STRIAE], look[SPLIT])
    return put_shell(sheet, n, view, seen, middle, (0.5 * cases, wide, 0.7 * w), tone(look, GASTER), look, (0.34, 1.0, 0.22),
                     marks)  # fmt: skip


@kernel(refcount=False)
def put_roach_trunk(sheet, n, view, seen, parts, span, look):
    """Update the sheet with abdomen, wings and shield of a cockroach; return the next free row."""
    thorax, (front, rear), w = parts[1], span, seen.wide
    whole = front - rear
    n = put_shell(sheet, n, view, seen, moved(thorax, rear + 0.36 * whole, 0.0, -0.1 * w), (0.37 * whole, 0.98 * w, 0.3 * w),
                  darkened(tone(look, THORAX), 0.55), look, (0.35, 0.7, 0.1), (BANDED, 8, 0.0))  # fmt: skip
    if not seen.overturned:
        n = put_shell(sheet, n, view, seen, moved(thorax, rear + 0.40 * whole * look[GASTER_LENGTH], 0.0, 0.1 * w),
                      (0.43 * whole * look[GASTER_LENGTH], 1.0 * w * look[GASTER_WIDTH], 0.35 * w), tone(look, GASTER), look,
                      (0.22, 0.55, 0.3), (WINGS, 9, 0.0))  # fmt: skip
    shield = moved(thorax, rear + 0.84 * whole, 0.0, 0.15 * w)
    size = (0.135 * whole * look[THORAX_LENGTH], 0.94 * w * look[THORAX_WIDTH], 0.3 * w)
    n = put_shell(sheet, n, view, seen, shield, size, tone(look, THORAX), look, (-0.10, 0.6, 0.25), (SHIELD, 1, 0.0))
    if seen.links == 3:
        brow = moved(shield, 0.0, 0.0, 0.02 * w)
        n = put_shell(sheet, n, view, seen, brow, (0.085 * whole, 0.55 * w * look[THORAX_WIDTH], 0.2 * w),
                      darkened(tone(look, HEAD), 0.75), look, (-0.1, 0.6, 0.2), (PLAIN, 0, 0.0))  # fmt: skip
    return n


@kernel(refcount=False)
def put_stick_trunk(sheet, n, view, seen, parts, span, look):
    """Update the sheet with the rods of a stick insect, knotted where they meet; return the next free row."""
    thorax, (front, rear), w = parts[1], span, seen.wide
    whole, rods = front - rear, 7 if seen.links == 3 else 3
    for k in range(rods):
        a, b = rear + 0.92 * whole * k / rods, rear + 0.92 * whole * (k + 1) / rods
        thick = w * look[GASTER_WIDTH] * (0.55 + 0.45 * min(k + 1.0, 3.0) / 3.0)
        back = k < (rods + 1) // 2
        colour = tone(look, GASTER if back else THORAX)
        skin = Skin(colour[0], colour[1], colour[2], f32(0.35) * look[GLOSS], f32(0.12), f32(1.0))
        start, stop = beside(thorax, a, 0.0, 0.0), beside(thorax, b, 0.0, 0.0)
        n = put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, start, stop, (0.86 * thick, thick), skin)
        if seen.links == 3:
            knot = darkened(colour, 0.6)
            n = put_shell(sheet, n, view, seen, moved(thorax, b, 0.0, 0.0), (0.35 * w, 1.12 * thick, w), knot, look,
                          (0.0, 1.0, 0.3), (PLAIN, 0, 0.0))  # fmt: skip
    return n


@kernel(refcount=False)
def put_trunk(sheet, n, view, seen, parts, sizes, span, look):
    """Update the sheet with all of an insect behind its head; return the next free row."""
    style = int(look[STYLE])
    if style <= SOLDIER:
        rear = (sizes[2, 0] * look[GASTER_LENGTH], sizes[2, 1] * look[GASTER_WIDTH], sizes[2, 2])
        n = put_hair(sheet, n, view, seen, parts[2], rear, look)
        return put_ant_trunk(sheet, n, view, seen, parts, sizes, look)
    if style == BEETLE:
        return put_beetle_trunk(sheet, n, view, seen, parts, span, look)
    if style == ROACH:
        return put_roach_trunk(sheet, n, view, seen, parts, span, look)
    return put_stick_trunk(sheet, n, view, seen, parts, span, look)
