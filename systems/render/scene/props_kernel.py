"""Everything alive or placed that is not a creature: food, obstacles, footprints, fireflies, leaves in the corners."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ..creatures.emit_kernel import ground_at, layer_of, put_link, put_shape, to_screen
from ..creatures.primitive_fields import (
    ALPHA,
    BOX,
    CAPSULE,
    CB,
    CG,
    CR,
    DENT,
    EB,
    EG,
    ELLIPSOID,
    ER,
    GLOW,
    GROUND_LAYER,
    H0,
    LOWEST_LAYER,
    TOP_LAYER,
    X0,
    Y0,
    Z0,
)
from ..creatures.sheet import Skin
from ..ground.plant_kernel import put_rosette
from .light import EMISSION
from .prop_rows import (
    OBSTACLE_BOX,
    OBSTACLE_CYLINDER,
    OBSTACLE_SPHERE,
    FireflyRow,
    FoodRow,
    LampRow,
    PrintRow,
    SolidRow,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ..creatures.sheet import Sheet, View
    from .scene import Props

FOOD_LIGHT = (f32(0.05), f32(0.75), f32(0.10))  # linear [look 5]
FOOD_SPHERES = ((0.0, 0.16, 0.32), (0.26, -0.14, 0.27), (-0.27, -0.10, 0.25), (0.02, 0.44, 0.20))  # x, y, radius
FOOD_EMISSION = f32(0.55)
FOOD_GLOW, FOOD_LAMP = 4.2, 9.0  # units: radius of the glow, reach of the point light after sunset
PRINT_LENGTH, PRINT_WIDTH = 0.27, 0.18  # units, half axes of a footprint
FIREFLY = (f32(1.0), f32(0.82), f32(0.25))
ROCK = (f32(0.36), f32(0.33), f32(0.29))
ROUND_TOP = 0.35  # of the radius of a sphere: where its shadow ends
HIGHLIGHT = (f32(0.16), f32(0.15), f32(0.07))  # linear light added to a chosen creature
LAMP_CORE = 0.12  # of a lamp's reach
SMALLEST_PRINT = 6.0  # px per unit; from farther above no footprint can be seen


@kernel(refcount=False)
def put_glow(sheet: Sheet, n: int, view: View, layer: int, at: Vector, radius: float, colour: Vector, strength: float,
             fog: float) -> int:  # fmt: skip
    """Update row n with a disc of light around a world point; return the next free row."""
    before = n
    skin = Skin(colour[0], colour[1], colour[2], f32(0.0), f32(0.0), f32(0.0))
    n = put_shape(sheet, n, view, GLOW, layer, at[2], at, (radius, 0.0), (0.0, radius), skin, (0.0, 0.0, fog))
    if n > before:
        sheet.prims[before, ALPHA] = strength
    return n


@kernel(refcount=False)
def put_food(sheet: Sheet, n: int, view: View, food: Array, light: Array) -> int:
    """Update the sheet with bunches of glowing spheres; return the next free row."""
    prims = sheet.prims
    skin = Skin(FOOD_LIGHT[0], FOOD_LIGHT[1], FOOD_LIGHT[2], f32(0.8), f32(0.15), f32(1.0))
    for k in range(food.shape[0]):
        x, y, size = food[k, FoodRow.X], food[k, FoodRow.Y], math.sqrt(max(food[k, FoodRow.SIZE], 0.0))
        if not size > 0.0:
            continue
        ground = ground_at(view, x, y)
        z = max(food[k, FoodRow.Z], ground)
        glow, submerged = FOOD_EMISSION * light[EMISSION], False
        layer = min(layer_of(view, x, y, z, ground), LOWEST_LAYER)  # below who walks over it
        for q in range(len(FOOD_SPHERES)):
            px, py, radius = FOOD_SPHERES[q]
            before = n
            middle, radii = (x + px * size, y + py * size, z + radius * size), (radius * size, radius * size)
            n = put_link(sheet, n, view, CAPSULE, layer, ground, middle, middle, radii, skin)
            if n > before:
                prims[before, ER], prims[before, EG] = glow * FOOD_LIGHT[0], glow * FOOD_LIGHT[1]
                prims[before, EB] = glow * FOOD_LIGHT[2]
                submerged = submerged or prims[before, Z0] < f32(0.0)
        # on land it lights what lies below it; the water above it scatters its light
        glow_layer = layer if submerged else GROUND_LAYER
        n = put_glow(sheet, n, view, glow_layer, (x, y, z), FOOD_GLOW * size, FOOD_LIGHT, f32(0.8), 0.10)
    return n


@kernel(refcount=False)
def put_obstacles(sheet: Sheet, n: int, view: View, obstacles: Array) -> int:
    """Update the sheet with rocks, posts and walls and their shadows; return the next free row."""
    nothing = f32(0.0)
    only_shadow = Skin(nothing, nothing, nothing, nothing, nothing, f32(1.0))
    rock = Skin(ROCK[0], ROCK[1], ROCK[2], f32(0.10), f32(0.05), nothing)
    for k in range(obstacles.shape[0]):
        row = obstacles[k]
        kind, x, y, z = int(row[SolidRow.KIND]), row[SolidRow.X], row[SolidRow.Y], row[SolidRow.Z]
        a, b, c, heading = row[SolidRow.HALF_X], row[SolidRow.HALF_Y], row[SolidRow.HALF_Z], row[SolidRow.HEADING]
        if kind == OBSTACLE_SPHERE:
            b = c = a
        elif kind == OBSTACLE_CYLINDER:
            b = a
        fx, fy, lx, ly = math.cos(heading) * a, math.sin(heading) * a, -math.sin(heading) * b, math.cos(heading) * b
        ground = ground_at(view, x, y)
        tall = max(z + c - ground, 0.0)
        foot, head, before = (x, y, ground), (x, y, ground + tall), n
        if kind != OBSTACLE_BOX:
            radii = (a, ROUND_TOP * a if kind == OBSTACLE_SPHERE else a)
            n = put_link(sheet, n, view, CAPSULE, GROUND_LAYER, ground, foot, head, radii, only_shadow)
        else:
            n = put_shape(sheet, n, view, BOX, GROUND_LAYER, ground, head, (fx, fy), (lx, ly), only_shadow, (0.2, 0.0, 0.0))
        if n > before:
            sheet.prims[before, ALPHA] = sheet.prims[before, H0] = nothing  # from the ground up to H1
        rounding = (1.0 if kind == OBSTACLE_SPHERE else 0.12) if kind != OBSTACLE_BOX else 0.0
        shape, rough = (ELLIPSOID, 0.12) if kind != OBSTACLE_BOX else (BOX, 0.10)
        at, form = (x, y, z + c), (rough, rounding, 0.0)
        n = put_shape(sheet, n, view, shape, GROUND_LAYER, ground, at, (fx, fy), (lx, ly), rock, form)
    return n


@kernel(refcount=False)
def put_footprints(sheet: Sheet, n: int, view: View, footprints: Array) -> int:
    """Update the sheet with small pits in the ground that fade with their strength; return the next free row."""
    nothing = f32(0.0)
    none = Skin(nothing, nothing, nothing, nothing, nothing, nothing)
    if view.limb_scale < SMALLEST_PRINT:
        return n
    for k in range(footprints.shape[0]):
        strength = f32(min(max(footprints[k, PrintRow.STRENGTH], 0.0), 1.0))
        if not strength > f32(0.03):
            continue
        x, y, heading = footprints[k, PrintRow.X], footprints[k, PrintRow.Y], footprints[k, PrintRow.HEADING]
        ground = ground_at(view, x, y)
        fx, fy = math.cos(heading), math.sin(heading)
        before = n
        forward, left = (fx * PRINT_LENGTH, fy * PRINT_LENGTH), (-fy * PRINT_WIDTH, fx * PRINT_WIDTH)
        n = put_shape(sheet, n, view, DENT, GROUND_LAYER, ground, (x, y, ground), forward, left, none, (0.0, 0.0, 0.0))
        if n > before:
            sheet.prims[before, ALPHA] = strength
    return n


@kernel(refcount=False)
def put_fireflies(sheet: Sheet, n: int, view: View, fireflies: Array) -> int:
    """Update the sheet with floating sparks; return the next free row."""
    for k in range(fireflies.shape[0]):
        row = fireflies[k]
        at, bright = (row[FireflyRow.X], row[FireflyRow.Y], row[FireflyRow.Z]), f32(row[FireflyRow.BRIGHTNESS])
        if bright > f32(0.02):
            n = put_glow(sheet, n, view, TOP_LAYER, at, 1.3, FIREFLY, bright * f32(0.4), 0.10)
            n = put_glow(sheet, n, view, TOP_LAYER, at, 0.32, FIREFLY, bright, 0.9)
    return n


@kernel(refcount=False)
def put_lamps(sheet: Sheet, n: int, view: View, lamps: Array) -> int:
    """Update the sheet with carried lights: a wide one on all below it, a bright core; return the next row."""
    for k in range(lamps.shape[0]):
        row = lamps[k]
        at, radius = (row[LampRow.X], row[LampRow.Y], row[LampRow.Z]), row[LampRow.RADIUS]
        strength = f32(row[LampRow.STRENGTH])
        if not (radius > 0.0 and strength > f32(0.0)):
            continue
        colour = (f32(row[LampRow.RED]), f32(row[LampRow.GREEN]), f32(row[LampRow.BLUE]))
        n = put_glow(sheet, n, view, TOP_LAYER, at, radius, colour, strength, 0.05)
        n = put_glow(sheet, n, view, TOP_LAYER, at, LAMP_CORE * radius, colour, strength, 0.6)
    return n


@kernel(refcount=False)
def put_corner_leaves(sheet: Sheet, n: int, view: View) -> int:
    """Update the sheet with large leaves that reach in from the corners, above everything; return the next free row."""
    start, s = n, view.scale
    for corner in range(4):
        sx, sy = (1.0 if corner % 2 else -1.0), (1.0 if corner // 2 else -1.0)
        x = view.center_x + sx * (0.5 * view.width - 40.0) / s
        y = view.center_y + sy * (0.5 * view.height - 26.0) / s
        n = put_rosette(sheet, n, view, (x, y, 0.0), 125.0 / s, 34.0 / s, 31 + corner * 7, f32(0.7))
    for k in range(start, n):
        sheet.layers[k] = TOP_LAYER
    return n


@kernel(refcount=False)
def lamp_light(sheet: Sheet, start: int, stop: int, view: View, food: Array, light: Array) -> None:
    """Update the added light of creature rows by the food nearby: one evaluation per primitive."""
    prims, reach = sheet.prims, f32(FOOD_LAMP * view.scale)
    gain = (light[EMISSION] - f32(1.0)) * f32(1.4)
    if gain <= f32(0.0):
        return
    for q in range(food.shape[0]):
        at = to_screen(view, food[q, FoodRow.X], food[q, FoodRow.Y])
        x, y = f32(at[0]), f32(at[1])
        for k in range(start, stop):
            dx, dy = prims[k, X0] - x, prims[k, Y0] - y
            fall = f32(1.0) - (dx * dx + dy * dy) / (reach * reach)
            if fall > f32(0.0):
                g = fall * fall * fall * gain
                prims[k, ER] += prims[k, CR] * FOOD_LIGHT[0] * g
                prims[k, EG] += (prims[k, CG] + f32(0.03)) * FOOD_LIGHT[1] * g
                prims[k, EB] += prims[k, CB] * FOOD_LIGHT[2] * g


@kernel(refcount=False)
def light_up(sheet: Sheet, start: int, stop: int, creature: int) -> None:
    """Update the added light of the rows of a chosen creature."""
    for k in range(start, stop):
        if sheet.creature[k] == creature:
            sheet.prims[k, ER] += HIGHLIGHT[0]
            sheet.prims[k, EG] += HIGHLIGHT[1]
            sheet.prims[k, EB] += HIGHLIGHT[2]


@kernel(refcount=False)
def build_props(sheet: Sheet, view: View, props: Props, light: Array) -> int:
    """Update the sheet, from its first row on, with all props; return the next free row."""
    n = put_footprints(sheet, 0, view, props.footprints)
    n = put_obstacles(sheet, n, view, props.obstacles)
    n = put_food(sheet, n, view, props.food, light)
    n = put_fireflies(sheet, n, view, props.fireflies)
    n = put_lamps(sheet, n, view, props.lamps)
    if props.frame_leaves:
        n = put_corner_leaves(sheet, n, view)
    return n
