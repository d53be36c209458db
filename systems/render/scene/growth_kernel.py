"""Growths that move: arms of anemones, floating lilies, reed in the wind. All of it follows from the time that is shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.growths import BLUE, GREEN, GROWTH_KINDS, HEADING, HEIGHT, KIND, RADIUS, RED, SEED, X, Y, Z
from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..creatures.emit_kernel import ground_at, layer_of, put_link, put_shape
from ..creatures.primitive_fields import CAPSULE, GROUND_LAYER, H0, H1, HIGHEST_LAYER, LEAF, P0, P1, PAD, R1
from ..creatures.sheet import Skin
from ..ground.picture_noise_kernel import random01

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ..creatures.sheet import Sheet, View

ANEMONE, LILY, LOTUS, REED = (GROWTH_KINDS.index(name) for name in ("anemone", "lily", "lotus", "reed"))
ALBEDO = f32(0.62)  # of a displayed colour, squared
CLOSE, NEAR = 9.0, 4.5  # px per unit from which on arms are drawn with all links, and with half of them
ARMS = 52
GOLDEN = 2.39996  # rad; from one arm to the next
KNOBS = ((0.80, 0.30, 0.62), (0.80, 0.62, 0.30), (0.45, 0.78, 0.82), (0.82, 0.78, 0.62))  # linear colours of tips
SUN_BELOW = 0.45  # of a height: sunlight is steeper below the surface
PETALS = ((8, 0.50, 0.15, 0.80), (7, 0.39, 0.14, 0.95), (5, 0.25, 0.11, 1.10))  # number, length, width (radii), brightness
BLADES = 11
BREATH = 0.03  # of the height of reed: what its blades move by themselves
FLUTTER = 0.25  # of what the wind bends them: how much that differs from blade to blade, and from moment to moment


@kernel(refcount=False)
def put_anemone(sheet: Sheet, n: int, view: View, growth: Array, time: float) -> int:
    """Update the sheet with the arms of an anemone, outer ones first; return the next free row."""
    x, y, radius, tall, seed = growth[X], growth[Y], growth[RADIUS], growth[HEIGHT], int(growth[SEED]) & 0xFFFFF
    ground = growth[Z]
    arms = ARMS if view.limb_scale * radius > CLOSE else (30 if view.limb_scale * radius > NEAR else 16)
    links = 2 if view.limb_scale * radius > CLOSE else 1
    tip = KNOBS[seed % len(KNOBS)]
    red, green, blue = f32(growth[RED]), f32(growth[GREEN]), f32(growth[BLUE])
    red, green, blue = ALBEDO * red * red, ALBEDO * green * green, ALBEDO * blue * blue
    knob = Skin(f32(tip[0]), f32(tip[1]), f32(tip[2]), f32(0.4), f32(0.1), f32(0.0))
    for q in range(arms):
        k = arms - 1 - q
        out = math.sqrt((k + 0.5) / arms)
        turn = GOLDEN * k + 0.4 * (random01(seed, k, 51) - 0.5)
        beat = time * (1.05 + 0.25 * random01(seed, k, 52)) + 6.2832 * random01(seed, k, 53) + 2.0 * out * math.cos(turn)
        sway, lift = 0.22 * math.sin(beat), 0.08 * math.cos(0.8 * beat)
        drift = 0.14 * radius * math.sin(0.7 * time + 0.15 * (x + y))
        px, py, pz = x + 0.52 * radius * out * math.cos(turn), y + 0.52 * radius * out * math.sin(turn), ground + 0.45 * tall
        length = radius * (0.20 + 0.34 * out) * (0.85 + 0.3 * random01(seed, k, 54))
        thick = radius * 0.050
        for link in range(links):
            angle = turn + sway * (link + 1.0)
            qx = px + length / links * math.cos(angle) + 0.5 * drift * (link + 1.0) / links
            qy = py + length / links * math.sin(angle) + 0.3 * drift * (link + 1.0) / links
            qz = pz + tall * (0.75 - 0.45 * out + lift) / links
            bright = f32(0.55 + 0.55 * (link + 1.0) / links)
            skin = Skin(red * bright, green * bright, blue * bright, f32(0.25), f32(0.05), f32(0.35 if q % 3 == 0 else 0.0))
            here, there, radii = (px, py, pz), (qx, qy, qz), (thick, 0.85 * thick)
            n = put_link(sheet, n, view, CAPSULE, GROUND_LAYER, ground, here, there, radii, skin)
            px, py, pz = qx, qy, qz
        at = (px, py, pz)
        n = put_link(sheet, n, view, CAPSULE, GROUND_LAYER, ground, at, at, (0.075 * radius, 0.075 * radius), knob)
    return n


@kernel(refcount=False)
def place_of_pad(growth: Array, time: float) -> Vector:
    """Return where a floating leaf is now, and how it is turned."""
    seed = int(growth[SEED]) & 0xFFFFF
    a, b = 6.2832 * random01(seed, 1, 61), 6.2832 * random01(seed, 2, 61)
    x = growth[X] + 0.10 * math.sin(0.43 * time + a)
    return x, growth[Y] + 0.10 * math.sin(0.37 * time + b), growth[HEADING] + 0.05 * math.sin(0.31 * time + a + b)


@kernel(refcount=False)
def put_leaf_on_water(sheet: Sheet, n: int, view: View, growth: Array, time: float) -> int:
    """Update the sheet with a lily pad and its shadow on the bed; return the next free row."""
    x, y, turn = place_of_pad(growth, time)
    radius, seed = growth[RADIUS], int(growth[SEED]) & 0xFFFFF
    ground = ground_at(view, x, y)
    red, green, blue = f32(growth[RED]), f32(growth[GREEN]), f32(growth[BLUE])
    skin = Skin(ALBEDO * red * red, ALBEDO * green * green, ALBEDO * blue * blue, f32(0.55), f32(0.03), f32(0.85))
    forward = (radius * math.cos(turn), radius * math.sin(turn))
    left = (-forward[1], forward[0])
    level, before = growth[Z] + 0.02, n
    layer = layer_of(view, x, y, level + 0.3, ground)
    form = (float(11 + seed % 5), 0.35 * (random01(seed, 3, 61) - 0.5), 0.0)
    n = put_shape(sheet, n, view, PAD, layer, ground, (x, y, level), forward, left, skin, form)
    if n > before:
        high = f32(SUN_BELOW * max(growth[Z] - ground, 0.0) * view.scale)
        sheet.prims[before, H0] = sheet.prims[before, H1] = high
    return n


@kernel(refcount=False)
def put_flower(sheet: Sheet, n: int, view: View, growth: Array, time: float) -> int:
    """Update the sheet with the flower of a lily, three whorls of petals around yellow; return the next free row."""
    x, y, turn = place_of_pad(growth, time)
    radius, seed = growth[RADIUS], int(growth[SEED]) & 0xFFFFF
    x, y = x - 0.28 * radius * math.cos(turn), y - 0.28 * radius * math.sin(turn)
    ground = ground_at(view, x, y)
    white = random01(seed, 4, 61) < f32(0.3)
    layer = min(layer_of(view, x, y, growth[Z] + 0.9, ground), HIGHEST_LAYER)
    for whorl in range(len(PETALS)):
        count, long, wide, bright = PETALS[whorl]
        z = growth[Z] + 0.10 * (whorl + 1.0)
        for k in range(count):
            angle = 6.2832 * (k + 0.5 * (whorl % 2)) / count + 0.1 * random01(seed, k, 62) + 0.02 * math.sin(time + k)
            length = radius * long * (0.92 + 0.16 * random01(seed, k, 63))
            tip = (x + length * math.cos(angle), y + length * math.sin(angle), z)
            light = f32(bright)
            skin = Skin(f32(0.72) * light, (f32(0.62) if white else f32(0.20)) * light,
                        (f32(0.52) if white else f32(0.40)) * light, f32(0.25), f32(0.05), f32(0.0))  # fmt: skip
            before = n
            n = put_link(sheet, n, view, LEAF, layer, ground, (x, y, z), tip, (wide * radius, wide * radius), skin)
            if n > before:
                row = sheet.prims[before]
                row[R1], row[P0], row[P1] = f32(0.0), f32(0.55), f32(0.10)
    middle, gold = (x, y, growth[Z] + 0.5), Skin(f32(0.80), f32(0.50), f32(0.05), f32(0.3), f32(0.0), f32(0.0))
    return put_link(sheet, n, view, CAPSULE, layer, ground, middle, middle, (0.095 * radius, 0.095 * radius), gold)


@kernel(refcount=False)
def put_reed(sheet: Sheet, n: int, view: View, growth: Array, time: float, lean: tuple[float, float]) -> int:
    """Update the sheet with a clump of reed: long blades that lean outwards, and some brown heads; return the next row.

    lean: how far the wind bends blades, in heights along x and y.
    """
    radius, tall, seed = growth[RADIUS], growth[HEIGHT], int(growth[SEED]) & 0xFFFFF
    ground = growth[Z]
    red, green, blue = f32(growth[RED]), f32(growth[GREEN]), f32(growth[BLUE])
    red, green, blue = ALBEDO * red * red, ALBEDO * green * green, ALBEDO * blue * blue
    layer = HIGHEST_LAYER
    brown = Skin(f32(0.16), f32(0.075), f32(0.03), f32(0.2), f32(0.05), f32(0.5))
    for k in range(BLADES):
        turn = GOLDEN * k + 0.6 * random01(seed, k, 71)
        place = 0.35 * growth[X] + 0.2 * growth[Y] + 0.6 * random01(seed, k, 72)
        breath, gust = BREATH * math.sin(0.9 * time + place), 1.0 + FLUTTER * math.sin(2.6 * time + 3.0 * place)
        aside, ahead = gust * lean[0] + breath, gust * lean[1] + 0.5 * breath
        out = radius * 0.35 * math.sqrt(random01(seed, k, 73))
        x, y = growth[X] + out * math.cos(turn), growth[Y] + out * math.sin(turn)
        length = tall * (0.22 + 0.44 * random01(seed, k, 74))
        tip = (x + length * math.cos(turn) + aside * tall, y + length * math.sin(turn) + ahead * tall, ground + tall)
        bright = f32(0.8 + 0.5 * random01(seed, k, 75))
        dark = f32(0.45) if k % 3 == 0 else f32(0.0)
        skin = Skin(red * bright, green * bright, blue * bright, f32(0.3), f32(0.05), dark)
        before, root, wide = n, (x, y, ground + 0.3 * tall), 0.052 * length
        n = put_link(sheet, n, view, LEAF, layer, ground, root, tip, (wide, wide), skin)
        if n > before:
            row = sheet.prims[before]
            row[R1] = f32(0.14) * (random01(seed, k, 76) - f32(0.5))
            row[P0], row[P1] = f32(0.6), f32(0.25)
        if k % 5 == 2:
            high = (0.5 * (x + tip[0]) + 0.1, 0.5 * (y + tip[1]) + 0.1, ground + 0.9 * tall)
            end = (high[0] + 0.16 * (tip[0] - x), high[1] + 0.16 * (tip[1] - y), ground + tall)
            n = put_link(sheet, n, view, CAPSULE, layer, ground, high, end, (0.10 * radius, 0.09 * radius), brown)
    return n


@kernel()
def build_growths(sheet: Sheet, n: int, view: View, growths: Array, time: float, lean_x: float, lean_y: float) -> int:
    """Update the sheet with everything that moves with the water or the wind; return the next free row."""
    for k in range(growths.shape[0]):
        kind = int(growths[k, KIND])
        if kind == ANEMONE:
            n = put_anemone(sheet, n, view, growths[k], time)
        elif kind == LILY or kind == LOTUS:
            n = put_leaf_on_water(sheet, n, view, growths[k], time)
        elif kind == REED:
            n = put_reed(sheet, n, view, growths[k], time, (lean_x, lean_y))
    for k in range(growths.shape[0]):  # above all leaves
        if int(growths[k, KIND]) == LOTUS:
            n = put_flower(sheet, n, view, growths[k], time)
    return n
