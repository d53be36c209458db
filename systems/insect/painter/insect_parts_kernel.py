"""Heads, trunks, wing cases, eyes and hair of insects."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.emit_kernel import put_link, put_shape
from ...render.creatures.primitive_fields import CAPSULE, H1, SHELL, Z1
from ...render.creatures.sheet import Skin
from ...render.raster.shell_kernel import sheen_code
from ...render.raster.shell_marks_kernel import PLAIN, markings_code
from .insect_shapes_kernel import BROAD_HEAD_FORM, HEAD_FORM, HEAD_HIGH
from .shell_looks import EYE_SIZE, GLOSS, HAIR, HEAD, IRIDESCENCE, SHEEN, SOLDIER, STYLE
from .swarm import Part

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ...render.creatures.sheet import Sheet, View
    from .swarm import Seen

HAIRY_SIZE = 55.0  # px of an insect from which on its hair is seen
SMALLEST_EYE = 0.4  # px
HAIRS = 9  # on each side of a rear part
BELLY = f32(0.62)  # brightness of what is usually below
RIM_LIGHT = f32(0.55)
ROUND = (0.0, 1.0, 0.0)  # form of a part that is a plain ellipsoid
EYE_PLACE, EYE_RADIUS = (0.12, 0.80, 0.3), 0.20
"""Of an eye: forward in half lengths of the head, aside and up in half widths, and half widths that it is large."""


@kernel(refcount=False)
def beside(part: Part, along: float, aside: float, above: float) -> Vector:
    """Return the place so far forward, to the left and up of a part, in units."""
    f, left, up = part.forward, part.left, part.up
    return (part.at[0] + along * f[0] + aside * left[0] + above * up[0],
            part.at[1] + along * f[1] + aside * left[1] + above * up[1],
            part.at[2] + along * f[2] + aside * left[2] + above * up[2])  # fmt: skip


@kernel(refcount=False)
def moved(part: Part, along: float, aside: float, above: float) -> Part:
    """Return a part that lies elsewhere in the same frame."""
    return Part(beside(part, along, aside, above), part.forward, part.left, part.up)


@kernel(refcount=False)
def half_axes(part: Part, long: float, wide: float, high: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the half axes in plan of an ellipsoid: one seen from its end still shows its width."""
    f, left = part.forward, part.left
    flat = math.sqrt(f[0] * f[0] + f[1] * f[1])
    if flat > 1e-3:
        fx, fy = f[0] / flat, f[1] / flat
    else:
        fx, fy = left[1], -left[0]
        far = max(math.sqrt(fx * fx + fy * fy), 1e-6)
        fx, fy = fx / far, fy / far
    shown = math.sqrt((long * flat) ** 2 + (high * f[2]) ** 2)
    across = math.sqrt((wide**2) * max(1.0 - left[2] ** 2, 0.0) + (high * left[2]) ** 2)
    turn = 1.0 if left[1] * fx - left[0] * fy >= 0.0 else -1.0  # one on its back has its left on the other side
    return (fx * shown, fy * shown), (-fy * across * turn, fx * across * turn)


@kernel(refcount=False)
def put_shell(sheet: Sheet, n: int, view: View, seen: Seen, part: Part, size: Vector, colour: Vector, look: Array,
              form: Vector, marks: tuple[int, float, float]) -> int:  # fmt: skip
    """Update the sheet with one glossy part; size is half length, width and height; return the next free row."""
    forward, left = half_axes(part, size[0], size[1], size[2])
    before = n
    shade = BELLY if seen.overturned else f32(1.0)
    skin = Skin(colour[0] * shade, colour[1] * shade, colour[2] * shade, look[GLOSS], RIM_LIGHT, f32(1.0))
    n = put_shape(sheet, n, view, SHELL, seen.layer, seen.ground, part.at, forward, left, skin, form)
    if n > before:
        sheet.prims[before, H1] = markings_code(marks[0], marks[1], marks[2])
        sheet.prims[before, Z1] = sheen_code(look[SHEEN], look[SHEEN + 1], look[SHEEN + 2], look[IRIDESCENCE])
    return n


@kernel(refcount=False)
def tone(look: Array, first: int) -> Vector:
    """Return a colour of a look."""
    return look[first], look[first + 1], look[first + 2]


@kernel(refcount=False)
def darkened(colour: Vector, share: float) -> Vector:
    """Return a colour with so much of its light."""
    return colour[0] * f32(share), colour[1] * f32(share), colour[2] * f32(share)


@kernel(refcount=False)
def body_span(parts: tuple[Part, Part, Part], sizes: Array) -> tuple[float, float]:
    """Return how far the front of the head and the end of the rear part lie from the thorax, along its axis."""
    thorax, front, rear = parts[1], sizes[0, 0], -sizes[2, 0]
    for axis in range(3):
        front += (parts[0].at[axis] - thorax.at[axis]) * thorax.forward[axis]
        rear += (parts[2].at[axis] - thorax.at[axis]) * thorax.forward[axis]
    return front, rear


@kernel(refcount=False)
def put_eyes(sheet: Sheet, n: int, view: View, seen: Seen, head: Part, long: float, wide: float, size: float) -> int:
    """Update the sheet with two dark shining eyes; return the next free row."""
    radius = EYE_RADIUS * wide * size
    if radius * view.scale < SMALLEST_EYE or seen.overturned:
        return n
    skin = Skin(f32(0.008), f32(0.006), f32(0.006), f32(2.2), f32(0.15), f32(0.0))
    along, aside, above = EYE_PLACE
    for side in (1.0, -1.0):
        at = beside(head, along * long, side * aside * wide, above * wide)
        ahead = beside(head, along * long + 0.5 * radius, side * (aside - 0.02) * wide, above * wide)
        n = put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, at, ahead, (radius, 0.92 * radius), skin)
    return n


@kernel(refcount=False)
def put_head(sheet: Sheet, n: int, view: View, seen: Seen, head: Part, size: tuple[float, float], look: Array) -> int:
    """Update the sheet with the head and its eyes; return the next free row."""
    long, wide = size
    style = int(look[STYLE])
    form = HEAD_FORM if style <= SOLDIER else BROAD_HEAD_FORM
    n = put_shell(sheet, n, view, seen, head, (long, wide, HEAD_HIGH * wide), tone(look, HEAD), look, form, (PLAIN, 0, 0.0))
    if style == SOLDIER and seen.links == 3 and not seen.overturned:
        crease, small = moved(head, -0.45 * long, 0.0, 0.1 * wide), (0.42 * long, 0.07 * wide, 0.1 * wide)
        n = put_shell(sheet, n, view, seen, crease, small, darkened(tone(look, HEAD), 0.5), look, ROUND, (PLAIN, 0, 0.0))
    return put_eyes(sheet, n, view, seen, head, long, wide, look[EYE_SIZE])


@kernel(refcount=False)
def put_hair(sheet: Sheet, n: int, view: View, seen: Seen, part: Part, size: Vector, look: Array) -> int:
    """Update the sheet with short hair around a rear part; return the next free row."""
    if look[HAIR] <= f32(0.0) or seen.size < HAIRY_SIZE:
        return n
    long, wide, high = size
    colour = tone(look, SHEEN)
    skin = Skin(colour[0], colour[1], colour[2], f32(0.2), f32(0.0), f32(0.0))
    reach, thin = 0.16 * wide * look[HAIR] + 0.02 * wide, 0.014 * wide
    for side in (1.0, -1.0):
        for k in range(HAIRS):
            angle = 0.55 + 2.5 * k / (HAIRS - 1)
            c, s = math.cos(angle), math.sin(angle) * side
            bow = 1.0 if k % 2 == 0 else 0.7
            foot = beside(part, 0.92 * long * c, 0.92 * wide * s, 0.3 * high)
            tip = beside(part, (long + 0.4 * reach) * c - bow * reach, (wide + bow * reach) * s, 0.4 * high)
            n = put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, foot, tip, (thin, 0.3 * thin), skin)
    return n
