"""Everything alive or placed that is not a creature: food, obstacles, footprints, fireflies, leaves in the corners."""

from __future__ import annotations

import math

from numpy import float32 as f32

from ....engine.kernel import kernel
from ..creatures.emit_kernel import CENTER_X, CENTER_Y, HEIGHT, LIMB_SCALE, SCALE, WIDTH, ground_at, put_link, put_shape
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
    LAYERS,
    X0,
    Y0,
    Z0,
)
from ..ground.plant_kernel import put_rosette
from .light import EMISSION

FOOD_LIGHT = (f32(0.05), f32(0.75), f32(0.10))  # linear [look study 5]
FOOD_SPHERES = ((0.0, 0.16, 0.32), (0.26, -0.14, 0.27), (-0.27, -0.10, 0.25), (0.02, 0.44, 0.20))  # x, y, radius
FOOD_EMISSION = f32(0.55)
FOOD_GLOW, FOOD_LAMP = 4.2, 9.0  # units: radius of the glow, reach of the point light after sunset
PRINT_LENGTH, PRINT_WIDTH = 0.27, 0.18  # units, half axes of a footprint
FIREFLY = (f32(1.0), f32(0.82), f32(0.25))
ROCK = (f32(0.36), f32(0.33), f32(0.29))
SPHERE, CYLINDER = 0, 1  # scene.OBSTACLE_*
SHADOW_SLICES = 4
LAMP_CORE = 0.12  # of a lamp's reach
SMALLEST_PRINT = 6.0  # px per unit; from farther above no footprint can be seen
TOP_LAYER = LAYERS - 1


@kernel(refcount=False)
def put_glow(prims, layers, n, layer, view, x, y, z, radius, r, g, b, strength, fog):
    """Update row n with a disc of light; return the next free row."""
    before = n
    n = put_shape(
        prims, layers, n, layer, view, GLOW, x, y, z, radius, 0.0, 0.0, radius, z, r, g, b, f32(0.0), f32(0.0),
        f32(0.0),
        0.0, 0.0, fog,
    )  # fmt: skip
    if n > before:
        prims[before, ALPHA] = strength
    return n


@kernel(refcount=False)
def put_food(prims, layers, n, view, elevation, food, light):
    """Update prims with bunches of glowing spheres; return the next free row."""
    for k in range(food.shape[0]):
        x, y, size = food[k, 0], food[k, 1], math.sqrt(max(food[k, 3], 0.0))
        if not size > 0.0:
            continue
        ground = ground_at(elevation, view, x, y)
        z = max(food[k, 2], ground)
        glow, submerged = FOOD_EMISSION * light[EMISSION], False
        for q in range(len(FOOD_SPHERES)):
            px, py, radius = FOOD_SPHERES[q]
            before = n
            n = put_link(
                prims, layers, n, 1, view, CAPSULE, x + px * size, y + py * size, z + radius * size,
                x + px * size, y + py * size, z + radius * size, radius * size, radius * size, ground,
                FOOD_LIGHT[0], FOOD_LIGHT[1], FOOD_LIGHT[2], f32(0.8), f32(0.15), f32(1.0),
            )  # fmt: skip
            if n > before:
                prims[before, ER], prims[before, EG] = glow * FOOD_LIGHT[0], glow * FOOD_LIGHT[1]
                prims[before, EB] = glow * FOOD_LIGHT[2]
                submerged = submerged or prims[before, Z0] < f32(0.0)
        # on land it lights what lies below it; the water above it scatters its light
        n = put_glow(
            prims, layers, n, 1 if submerged else 0, view, x, y, z, FOOD_GLOW * size, FOOD_LIGHT[0], FOOD_LIGHT[1],
            FOOD_LIGHT[2], f32(0.8), 0.10,
        )  # fmt: skip
    return n


@kernel(refcount=False)
def put_obstacles(prims, layers, n, view, elevation, obstacles):
    """Update prims with rocks, posts and walls and the slices of their shadows; return the next free row."""
    nothing = f32(0.0)
    for k in range(obstacles.shape[0]):
        kind, x, y, z = int(obstacles[k, 0]), obstacles[k, 1], obstacles[k, 2], obstacles[k, 3]
        a, b, c, heading = obstacles[k, 4], obstacles[k, 5], obstacles[k, 6], obstacles[k, 7]
        if kind == SPHERE:
            b = c = a
        elif kind == CYLINDER:
            b = a
        fx, fy, lx, ly = math.cos(heading) * a, math.sin(heading) * a, -math.sin(heading) * b, math.cos(heading) * b
        ground = ground_at(elevation, view, x, y)
        tall = max(z + c - ground, 0.0)
        for slice_ in range(SHADOW_SLICES):
            part = (slice_ + 0.5) / SHADOW_SLICES
            narrow = math.sqrt(max(1.0 - part * part, 0.05)) if kind == SPHERE else 1.0
            before = n
            n = put_shape(
                prims, layers, n, 0, view, BOX, x, y, ground + tall * part, fx * narrow, fy * narrow, lx * narrow,
                ly * narrow,
                ground, nothing, nothing, nothing, nothing, nothing, f32(1.0), 0.2, 0.0, 0.0,
            )  # fmt: skip
            if n > before:
                prims[before, ALPHA] = nothing
        rounding = (1.0 if kind == SPHERE else 0.12) if kind <= CYLINDER else 0.0
        n = put_shape(
            prims, layers, n, 0, view, ELLIPSOID if kind <= CYLINDER else BOX, x, y, z + c, fx, fy, lx, ly, ground,
            ROCK[0], ROCK[1], ROCK[2], f32(0.10), f32(0.05), nothing, 0.12 if kind <= CYLINDER else 0.10, rounding, 0.0,
        )  # fmt: skip
    return n


@kernel(refcount=False)
def put_footprints(prims, layers, n, view, elevation, footprints):
    """Update prims with small pits in the ground that fade with their strength; return the next free row."""
    nothing = f32(0.0)
    if view[LIMB_SCALE] < SMALLEST_PRINT:
        return n
    for k in range(footprints.shape[0]):
        strength = f32(min(max(footprints[k, 3], 0.0), 1.0))
        if not strength > f32(0.03):
            continue
        x, y, heading = footprints[k, 0], footprints[k, 1], footprints[k, 2]
        ground = ground_at(elevation, view, x, y)
        fx, fy = math.cos(heading), math.sin(heading)
        before = n
        n = put_shape(
            prims, layers, n, 0, view, DENT, x, y, ground, fx * PRINT_LENGTH, fy * PRINT_LENGTH, -fy * PRINT_WIDTH,
            fx * PRINT_WIDTH, ground, nothing, nothing, nothing, nothing, nothing, nothing, 0.0, 0.0, 0.0,
        )  # fmt: skip
        if n > before:
            prims[before, ALPHA] = strength
    return n


@kernel(refcount=False)
def put_fireflies(prims, layers, n, view, fireflies):
    """Update prims with floating sparks; return the next free row."""
    for k in range(fireflies.shape[0]):
        x, y, z, bright = fireflies[k, 0], fireflies[k, 1], fireflies[k, 2], f32(fireflies[k, 3])
        if bright > f32(0.02):
            n = put_glow(
                prims, layers, n, TOP_LAYER, view, x, y, z, 1.3, FIREFLY[0], FIREFLY[1], FIREFLY[2],
                bright * f32(0.4), 0.10,
            )  # fmt: skip
            n = put_glow(
                prims, layers, n, TOP_LAYER, view, x, y, z, 0.32, FIREFLY[0], FIREFLY[1], FIREFLY[2], bright, 0.9,
            )  # fmt: skip
    return n


@kernel(refcount=False)
def put_lamps(prims, layers, n, view, lamps):
    """Update prims with lights that are carried about: a wide one on all below it, a bright core; return the next row."""
    for k in range(lamps.shape[0]):
        x, y, z, radius, strength = lamps[k, 0], lamps[k, 1], lamps[k, 2], lamps[k, 3], f32(lamps[k, 7])
        if not (radius > 0.0 and strength > f32(0.0)):
            continue
        r, g, b = f32(lamps[k, 4]), f32(lamps[k, 5]), f32(lamps[k, 6])
        n = put_glow(prims, layers, n, TOP_LAYER, view, x, y, z, radius, r, g, b, strength, 0.05)
        n = put_glow(prims, layers, n, TOP_LAYER, view, x, y, z, LAMP_CORE * radius, r, g, b, strength, 0.6)
    return n


@kernel(refcount=False)
def put_corner_leaves(prims, layers, n, view):
    """Update prims with large leaves that reach in from the corners, above everything; return the next free row."""
    start = n
    s = view[SCALE]
    for corner in range(4):
        sx, sy = (1.0 if corner % 2 else -1.0), (1.0 if corner // 2 else -1.0)
        x = view[CENTER_X] + sx * (0.5 * view[WIDTH] - 40.0) / s
        y = view[CENTER_Y] + sy * (0.5 * view[HEIGHT] - 26.0) / s
        n = put_rosette(prims, layers, n, view, x, y, 0.0, 125.0 / s, 34.0 / s, 31 + corner * 7, 9, 6, f32(0.7))
    for k in range(start, n):
        layers[k] = TOP_LAYER
    return n


@kernel(refcount=False)
def lamp_light(prims, start, stop, view, food, light):
    """Update the added light of creature rows by the food nearby: one evaluation per primitive."""
    reach = f32(FOOD_LAMP * view[SCALE])
    gain = (light[EMISSION] - f32(1.0)) * f32(1.4)
    if gain <= f32(0.0):
        return
    for q in range(food.shape[0]):
        x = f32((food[q, 0] - view[CENTER_X]) * view[SCALE] + 0.5 * view[WIDTH])
        y = f32(0.5 * view[HEIGHT] - (food[q, 1] - view[CENTER_Y]) * view[SCALE])
        for k in range(start, stop):
            dx, dy = prims[k, X0] - x, prims[k, Y0] - y
            fall = f32(1.0) - (dx * dx + dy * dy) / (reach * reach)
            if fall > f32(0.0):
                g = fall * fall * fall * gain
                prims[k, ER] += prims[k, CR] * FOOD_LIGHT[0] * g
                prims[k, EG] += (prims[k, CG] + f32(0.03)) * FOOD_LIGHT[1] * g
                prims[k, EB] += prims[k, CB] * FOOD_LIGHT[2] * g


@kernel(refcount=False)
def build_props(prims, layers, n, view, elevation, food, obstacles, footprints, fireflies, lamps, leaves, light):
    """Update prims with all props; return the next free row."""
    n = put_footprints(prims, layers, n, view, elevation, footprints)
    n = put_obstacles(prims, layers, n, view, elevation, obstacles)
    n = put_food(prims, layers, n, view, elevation, food, light)
    n = put_fireflies(prims, layers, n, view, fireflies)
    n = put_lamps(prims, layers, n, view, lamps)
    if leaves:
        n = put_corner_leaves(prims, layers, n, view)
    return n
