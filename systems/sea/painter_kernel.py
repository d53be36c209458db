"""Seaweed, plankton, bubbles and hooks as primitives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...engine.kernel import kernel
from ...engine.kernel_types import float32 as f32
from ..render.creatures.emit_kernel import ground_at, layer_of, put_link, put_shape
from ..render.creatures.primitive_fields import ALPHA, CAPSULE, ELLIPSOID, HIGHEST_LAYER, LINE
from ..render.creatures.sheet import Skin
from ..render.scene.props_kernel import put_glow
from ..render.water.pond_kernel import level_at
from .seaweed import GOLDEN_ANGLE, NODES

if TYPE_CHECKING:
    from ...engine.kernel_types import Array, Vector
    from ..render.creatures.sheet import Sheet, View
    from .painter import SeaThings

# Linear colours of leaves at the root and at the tip, by hue.
ROOTS = np.array([(0.012, 0.055, 0.020), (0.028, 0.055, 0.010), (0.008, 0.050, 0.034), (0.060, 0.040, 0.010),
                  (0.020, 0.060, 0.012)], dtype=np.float32)  # fmt: skip
TIPS = np.array([(0.26, 0.52, 0.10), (0.66, 0.58, 0.10), (0.16, 0.42, 0.22), (0.80, 0.46, 0.12), (0.42, 0.62, 0.14)],
                dtype=np.float32)  # fmt: skip
ALL_NODES = 28.0  # px per unit below which a leaf is drawn with every second node
RIBBED, RIB = 30.0, 0.16  # px per unit from which on midribs can be seen; their share of the width
SHADOW = 1.3  # of a leaf, at its tip
GLOWING = 5.0  # px per unit from which on plankton has a halo
PLANKTON = (f32(0.85), f32(1.0), f32(0.72))
PLANKTON_CORE, PLANKTON_GLOW = 0.08, 0.34  # units
LEAST_CORE = 1.5  # px
PLANKTON_SCALE = 9.0  # px per unit; seen from farther away it fades
TWINKLE = 1.7  # rad/s
BUBBLE = (f32(0.55), f32(0.75), f32(0.85))
FLOAT_RED, FLOAT_WHITE, BAIT, STEEL = (0.62, 0.05, 0.04), (0.75, 0.72, 0.66), (0.75, 0.22, 0.20), (0.42, 0.44, 0.48)
FLOAT_SIZE = 0.34  # units
LINE_WIDTH = 0.025
WAG = 0.10  # of a bubble's way: how far it wags, in units
WAG_RATE = 7.0  # rad/s


@kernel(refcount=False)
def leaf_skin(hue: int, tint: float, share: float, shadow: float) -> Skin:
    """Return the look of a leaf at a share of its length: dark at the root, light at the tip."""
    light = f32(0.70 + 0.45 * tint)
    red = (ROOTS[hue, 0] + f32(share) * (TIPS[hue, 0] - ROOTS[hue, 0])) * light
    green = (ROOTS[hue, 1] + f32(share) * (TIPS[hue, 1] - ROOTS[hue, 1])) * light
    blue = (ROOTS[hue, 2] + f32(share) * (TIPS[hue, 2] - ROOTS[hue, 2])) * light
    return Skin(red, green, blue, f32(0.30), f32(0.06), shadow)


@kernel(refcount=False)
def leaf_width(share: float) -> float:
    """Return how wide a leaf is at a share of its length, about 1 at its widest; it ends in a point."""
    return 0.08 + 0.92 * math.sqrt(max(share * (1.0 - share), 0.0)) * (2.3 - 0.9 * share)


@kernel(refcount=False)
def put_ribbon(sheet: Sheet, n: int, view: View, nodes: Array, look: Array, step: int, share: float, rib: float) -> int:
    """Update the sheet with a ribbon of links over every `step`-th node of a leaf; return the next free row.

    share: of the leaf's width; rib: how much lighter it is, and whether it throws no shadow.
    """
    width, tint, hue = share * look[0], look[1], int(look[2])
    ground, last = ground_at(view, nodes[0, 0], nodes[0, 1]), NODES - 1
    layer = layer_of(view, nodes[last, 0], nodes[last, 1], 0.5 * (nodes[last, 2] + nodes[0, 2]), ground)
    for i in range(0, last, step):
        j = min(i + step, last)
        a, b, s0, s1 = nodes[i], nodes[j], i / last, j / last
        radii, middle = (width * leaf_width(s0), width * leaf_width(s1)), 0.5 * (s0 + s1)
        shadow = f32(SHADOW * middle) if rib == 0.0 else f32(0.0)
        skin = leaf_skin(hue, tint, min(middle + rib, 1.0), shadow)
        n = put_link(sheet, n, view, LINE, layer, ground, (a[0], a[1], a[2]), (b[0], b[1], b[2]), radii, skin)
    return n


@kernel(refcount=False)
def put_weed(sheet: Sheet, n: int, view: View, things: SeaThings) -> int:
    """Update the sheet with all leaves; return the next free row."""
    step = 1 if view.limb_scale >= ALL_NODES else 2
    for k in range(things.weed.shape[0]):
        n = put_ribbon(sheet, n, view, things.weed[k], things.leaves[k], step, 0.65, 0.0)
        if view.limb_scale >= RIBBED:
            n = put_ribbon(sheet, n, view, things.weed[k], things.leaves[k], step, 0.65 * RIB, 0.3)
    return n


@kernel(refcount=False)
def put_plankton(sheet: Sheet, n: int, view: View, things: SeaThings) -> int:
    """Update the sheet with specks that glow a little, less the deeper they are; return the next free row."""
    core, far = max(PLANKTON_CORE, LEAST_CORE / view.scale), min(view.scale / PLANKTON_SCALE, 1.0)
    for k in range(things.plankton.shape[0]):
        x, y, z = things.plankton[k, 0], things.plankton[k, 1], things.plankton[k, 2]
        ground, level = ground_at(view, x, y), level_at(view.ponds, x, y)
        layer = layer_of(view, x, y, z, ground)
        high = min(max((z - ground) / max(level - ground, 1e-3), 0.0), 1.0) if level > ground else 1.0
        bright = far * (0.3 + 0.7 * high) * (0.8 + 0.2 * math.sin(TWINKLE * things.time + GOLDEN_ANGLE * k))
        if view.limb_scale >= GLOWING:
            halo = max(PLANKTON_GLOW, 3.0 * core)
            n = put_glow(sheet, n, view, layer, (x, y, z), halo, PLANKTON, f32(0.32 * bright), 0.1)
        n = put_glow(sheet, n, view, layer, (x, y, z), core, PLANKTON, f32(0.9 * bright), 0.8)
    return n


@kernel(refcount=False)
def put_bubbles(sheet: Sheet, n: int, view: View, things: SeaThings) -> int:
    """Update the sheet with bubbles that wag on their way up; return the next free row."""
    skin = Skin(BUBBLE[0], BUBBLE[1], BUBBLE[2], f32(1.0), f32(1.2), f32(0.25))
    for k in range(things.bubbles.shape[0]):
        place, size = things.bubbles[k], things.sizes[k]
        turn = WAG_RATE * things.time + GOLDEN_ANGLE * k
        at = (place[0] + WAG * math.sin(turn), place[1] + WAG * math.cos(0.8 * turn), place[2])
        ground = ground_at(view, at[0], at[1])
        before = n
        layer = layer_of(view, at[0], at[1], at[2], ground)
        n = put_link(sheet, n, view, CAPSULE, layer, ground, at, at, (size, size), skin)
        if n > before:
            sheet.prims[before, ALPHA] *= f32(0.55)
    return n


@kernel(refcount=False)
def plain(colour: Vector, gloss: float) -> Skin:
    """Return the look of something of one colour."""
    return Skin(f32(colour[0]), f32(colour[1]), f32(colour[2]), f32(gloss), f32(0.1), f32(1.0))


@kernel(refcount=False)
def put_hooks(sheet: Sheet, n: int, view: View, things: SeaThings) -> int:
    """Update the sheet with hooks, lines and floats; return the next free row."""
    for k in range(things.hooks.shape[0]):
        hook, top = things.hooks[k], things.tops[k]
        at, above = (hook[0], hook[1], hook[2]), (top[0], top[1], top[2] + 0.5 * FLOAT_SIZE)
        ground = ground_at(view, at[0], at[1])
        layer = layer_of(view, at[0], at[1], at[2], ground)
        steel, line = plain(STEEL, 0.8), Skin(f32(0.6), f32(0.62), f32(0.6), f32(0.0), f32(0.0), f32(0.3))
        n = put_link(sheet, n, view, CAPSULE, layer, ground, at, above, (LINE_WIDTH, LINE_WIDTH), line)
        bow = ((0.0, 0.0), (0.10, -0.22), (0.24, -0.24), (0.32, -0.08))
        for i in range(3):
            a = (at[0] + bow[i][0], at[1] + bow[i][1], at[2])
            b = (at[0] + bow[i + 1][0], at[1] + bow[i + 1][1], at[2])
            n = put_link(sheet, n, view, CAPSULE, layer, ground, a, b, (0.045, 0.045), steel)
        if things.baits[k] != 0.0:
            a, b = (at[0] + 0.10, at[1] - 0.22, at[2] + 0.1), (at[0] + 0.28, at[1] - 0.16, at[2] + 0.1)
            n = put_link(sheet, n, view, CAPSULE, layer, ground, a, b, (0.11, 0.07), plain(BAIT, 0.7))
        over = layer_of(view, above[0], above[1], above[2], ground)
        n = put_shape(sheet, n, view, ELLIPSOID, over, ground, above, (FLOAT_SIZE, 0.0), (0.0, FLOAT_SIZE),
                      plain(FLOAT_RED, 0.9), (0.0, 1.0, 0.0))  # fmt: skip
        cap = 0.45 * FLOAT_SIZE
        tip = (above[0], above[1], above[2] + 0.3)
        n = put_shape(sheet, n, view, ELLIPSOID, min(over + 1, HIGHEST_LAYER), ground, tip, (cap, 0.0), (0.0, cap),
                      plain(FLOAT_WHITE, 0.9), (0.0, 1.0, 0.0))  # fmt: skip
    return n


@kernel(refcount=False)
def put_sea(sheet: Sheet, n: int, view: View, things: SeaThings) -> int:
    """Update the sheet with everything of the sea; return the next free row."""
    n = put_weed(sheet, n, view, things)
    n = put_bubbles(sheet, n, view, things)
    n = put_plankton(sheet, n, view, things)
    return put_hooks(sheet, n, view, things)
