"""Trunks of insects: the rows of `insect_shapes_kernel` as primitives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.emit_kernel import put_link
from ...render.creatures.primitive_fields import CAPSULE
from ...render.creatures.sheet import Skin
from .insect_parts_kernel import beside, darkened, moved, put_hair, put_shell, tone
from .insect_shapes_kernel import (
    ABOVE,
    ALONG,
    COLOUR,
    DEPTH,
    DOME,
    GASTER_PART,
    HIGH,
    KIND,
    LINES,
    LONG,
    MARKS,
    NECK_ROW,
    PART,
    SHADE,
    SHELL_ROW,
    SQUARE,
    TAPER,
    WIDE,
    lay_trunk,
)
from .shell_looks import GASTER_LENGTH, GASTER_WIDTH, GLOSS, SOLDIER, STYLE

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ...render.creatures.sheet import Sheet, View
    from .swarm import Part, Seen


@kernel(refcount=False)
def put_rod(sheet: Sheet, n: int, view: View, seen: Seen, parts: tuple[Part, Part, Part], row: Array, look: Array) -> int:
    """Update the sheet with a rod along the thorax, or with what joins a head to a trunk; return the next free row."""
    thorax = parts[1]
    c = darkened(tone(look, int(row[COLOUR])), row[SHADE])
    start, radii = beside(thorax, row[ALONG], 0.0, 0.0), (row[WIDE], row[HIGH])
    if row[KIND] == NECK_ROW:
        skin = Skin(c[0], c[1], c[2], f32(0.5), f32(0.1), f32(0.0))
        return put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, start, parts[0].at, radii, skin)
    stop = beside(thorax, row[LONG], 0.0, 0.0)
    skin = Skin(c[0], c[1], c[2], f32(0.35) * look[GLOSS], f32(0.12), f32(1.0))
    return put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, start, stop, radii, skin)


@kernel(refcount=False)
def put_trunk(sheet: Sheet, n: int, view: View, seen: Seen, parts: tuple[Part, Part, Part], sizes: Array,
              span: tuple[float, float], look: Array, rows: Array) -> int:  # fmt: skip
    """Update the sheet with all of an insect behind its head; rows are scratch. Return the next free row."""
    if int(look[STYLE]) <= SOLDIER:
        rear = (sizes[2, 0] * look[GASTER_LENGTH], sizes[2, 1] * look[GASTER_WIDTH], sizes[2, 2])
        n = put_hair(sheet, n, view, seen, parts[2], rear, look)
    count = lay_trunk(rows, sizes, span, seen.wide, look, seen.links, seen.overturned)
    for k in range(count):
        row = rows[k]
        if row[KIND] != SHELL_ROW:
            n = put_rod(sheet, n, view, seen, parts, row, look)
            continue
        part = moved(parts[2] if row[PART] == GASTER_PART else parts[1], row[ALONG], 0.0, row[ABOVE])
        colour = darkened(tone(look, int(row[COLOUR])), row[SHADE])
        n = put_shell(sheet, n, view, seen, part, (row[LONG], row[WIDE], row[HIGH]), colour, look,
                      (row[TAPER], row[DOME], row[SQUARE]), (int(row[MARKS]), row[LINES], row[DEPTH]))  # fmt: skip
    return n
