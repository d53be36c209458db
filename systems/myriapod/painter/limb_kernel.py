"""Legs, antennae, jaws, eyes and tail legs."""

from __future__ import annotations

import math

import numpy as np
from numpy import float32 as f32

from ....engine.kernel import kernel
from ...render.creatures.emit_kernel import SCALE, ground_at, put_link
from ...render.creatures.primitive_fields import CAPSULE
from .colour_row import (
    ANTENNA_BASE,
    ANTENNA_TIP,
    ANTENNA_WIDTH,
    EYES,
    FEMUR,
    FORCIPULES,
    HEAD,
    LEG_WIDTH,
    TAIL_LEGS,
    TIBIA,
    WIDTH,
)

REFERENCE_WIDTH = 0.92  # units, half width of the animal the proportions below were measured on [look study 5]
LEG_RADII = (0.215, 0.18, 0.125, 0.035)  # units at hip, knee, ankle, tip [look study 5]
ANTENNA_RADIUS, ANTENNA_SHRINK = 0.17, 0.90  # units, per twelfth of the length [look study 5]
JAW_LINKS = ((0.42, 0.62), (0.78, 0.86), (1.22, 0.80), (1.50, 0.50), (1.62, 0.20))  # forward, sideways in half widths
JAW_RADII = (0.30, 0.27, 0.20, 0.12, 0.03)  # in half widths
TAIL_LINKS = ((0.35, 0.45), (1.15, 0.85), (1.95, 1.12), (2.70, 1.22), (3.40, 1.16))  # backward, sideways in half widths
SMALLEST_EYE = 0.3  # px; smaller eyes only dirty the head
TAIL_RADII = (0.28, 0.27, 0.23, 0.17, 0.05)

# SF1, SF2, SB1, SB2, STANCE, ADJUST, TUCKED in linear light [look study 5]
STATE_COLOURS = np.array(
    [(0.096, 0.585, 0.938), (0.014, 0.285, 0.808), (0.450, 0.078, 0.543), (0.857, 0.063, 0.229), (0.901, 0.509, 0.038),
     (0.160, 0.538, 0.173), (0.108, 0.187, 0.229)], dtype=np.float32)  # fmt: skip


@kernel(refcount=False)
def put_leg(
    prims, layers, n, layer, view, joints, leg, ground, foot_ground, thick, look, state, show_state, links, shadow,
):  # fmt: skip
    """Update prims with one leg of three links, or of two or one in reduced detail; return the next free row."""
    for link in range(links):
        start = link
        stop = link + 1 if link + 1 < links else 3
        base = FEMUR + 3 * link if links == 3 or (link == 0 and links == 2) else TIBIA
        cr, cg, cb = look[base], look[base + 1], look[base + 2]
        if show_state and (link > 0 or links == 1):
            k = min(max(state, 0), STATE_COLOURS.shape[0] - 1)
            cr, cg, cb = STATE_COLOURS[k, 0], STATE_COLOURS[k, 1], STATE_COLOURS[k, 2]
        n = put_link(
            prims, layers, n, layer, view, CAPSULE,
            joints[leg, start, 0], joints[leg, start, 1], joints[leg, start, 2],
            joints[leg, stop, 0], joints[leg, stop, 1], joints[leg, stop, 2],
            LEG_RADII[start] * thick, LEG_RADII[stop] * thick, ground if link == 0 else foot_ground,
            cr, cg, cb, f32(0.42), f32(0.10), shadow if links == 3 or link == links - 1 else f32(0.0),
        )  # fmt: skip
    return n


@kernel(refcount=False)
def put_legs(
    prims, layers, n, view, elevation, grounds, places, half_extents, segment, joints, state, first, count, look, show,
    links,
):  # fmt: skip
    """Update prims with all legs of one creature; return the next free row."""
    for leg in range(first, first + count):
        row = segment[leg]
        if row < 0 or row >= grounds.size:
            continue
        foot = ground_at(elevation, view, joints[leg, 3, 0], joints[leg, 3, 1])
        shadow = f32(1.0) if links == 3 or (links == 2 and leg % 4 < 2) else f32(0.0)  # a leg below a pixel throws none
        thick = look[LEG_WIDTH] * look[WIDTH] * half_extents[row, 1] / REFERENCE_WIDTH
        n = put_leg(
            prims, layers, n, places[row], view, joints, leg, grounds[row], foot, thick, look, state[leg], show, links,
            shadow,
        )  # fmt: skip
    return n


@kernel(refcount=False)
def put_between_legs(
    prims, layers, n, view, elevation, grounds, places, half_extents, segment, joints, first, count, look, links, scratch
):
    """Update prims with a second leg pair per ring, halfway between neighbouring pairs; return the next free row."""
    for leg in range(first, first + count - 2):
        row = segment[leg]
        if row < 0 or row >= grounds.size or segment[leg + 2] != row + 1:
            continue
        for k in range(4):
            for axis in range(3):
                scratch[0, k, axis] = 0.5 * (joints[leg, k, axis] + joints[leg + 2, k, axis])
        ground = ground_at(elevation, view, scratch[0, 3, 0], scratch[0, 3, 1])
        thick = look[LEG_WIDTH] * look[WIDTH] * half_extents[row, 1] / REFERENCE_WIDTH
        n = put_leg(
            prims, layers, n, places[row], view, scratch, 0, ground, ground, thick, look, 0, False, links,
            f32(1.0) if links == 3 else f32(0.0),
        )  # fmt: skip
    return n


@kernel(refcount=False)
def put_antennae(prims, layers, n, view, elevation, points, first, count, layer, width, look, leg_links):
    """Update prims with the antennae as chains of links that darken alternately; return the next free row."""
    links = points.shape[1] - 1
    for a in range(first, first + count):
        used = links
        while used > 0 and not points[a, used, 0] == points[a, used, 0]:  # unused points are NaN
            used -= 1
        step = 1 if leg_links == 3 else max(-(-used // leg_links), 1)
        ground = ground_at(elevation, view, points[a, 0, 0], points[a, 0, 1])
        for k in range(0, used, step):
            stop = min(k + step, used)
            t, u = 12.0 * k / used, 12.0 * stop / used
            radius = ANTENNA_RADIUS * look[ANTENNA_WIDTH] * width / REFERENCE_WIDTH
            mix, shade = f32(k / used), f32(0.8 if k % 2 == 1 else 1.0)
            n = put_link(
                prims, layers, n, layer, view, CAPSULE,
                points[a, k, 0], points[a, k, 1], points[a, k, 2], points[a, stop, 0], points[a, stop, 1],
                points[a, stop, 2],
                radius * ANTENNA_SHRINK**t, radius * ANTENNA_SHRINK**u, ground,
                (look[ANTENNA_BASE] + (look[ANTENNA_TIP] - look[ANTENNA_BASE]) * mix) * shade,
                (look[ANTENNA_BASE + 1] + (look[ANTENNA_TIP + 1] - look[ANTENNA_BASE + 1]) * mix) * shade,
                (look[ANTENNA_BASE + 2] + (look[ANTENNA_TIP + 2] - look[ANTENNA_BASE + 2]) * mix) * shade,
                f32(0.35), f32(0.08), f32(1.0),
            )  # fmt: skip
    return n


@kernel(refcount=False)
def put_horns(
    prims, layers, n, layer, view, ground, position, row, axes, width, links, radii, direction, colour, tip,
    shadow,
):  # fmt: skip
    """Update prims with a mirrored pair of bent horns (jaws, tail legs) on one segment; return the next free row."""
    for side in (1.0, -1.0):
        for k in range(4):
            a, b = links[k], links[k + 1]
            shade = f32(1.0) if k < 3 else tip
            n = put_link(
                prims, layers, n, layer, view, CAPSULE,
                position[row, 0] + width * (direction * a[0] * axes[0, 0] + side * a[1] * axes[1, 0]),
                position[row, 1] + width * (direction * a[0] * axes[0, 1] + side * a[1] * axes[1, 1]),
                position[row, 2] + 0.1 * width,
                position[row, 0] + width * (direction * b[0] * axes[0, 0] + side * b[1] * axes[1, 0]),
                position[row, 1] + width * (direction * b[0] * axes[0, 1] + side * b[1] * axes[1, 1]),
                position[row, 2] - 0.1 * width * k,
                radii[k] * width, radii[k + 1] * width, ground,
                colour[0] * shade, colour[1] * shade, colour[2] * shade, f32(0.6), f32(0.12), shadow,
            )  # fmt: skip
    return n


@kernel(refcount=False)
def put_jaws(prims, layers, n, layer, view, ground, position, row, axes, width, look):
    """Update prims with the forcipules, black at the tips; return the next free row."""
    return put_horns(
        prims, layers, n, layer, view, ground, position, row, axes, width * look[FORCIPULES] * 1.06, JAW_LINKS,
        JAW_RADII, 1.0,
        (look[HEAD] * f32(0.9), look[HEAD + 1] * f32(0.9), look[HEAD + 2] * f32(0.9)), f32(0.06), f32(1.0),
    )  # fmt: skip


@kernel(refcount=False)
def put_tail_legs(prims, layers, n, layer, view, ground, position, row, axes, width, look):
    """Update prims with the thick trailing pair of the last segment; return the next free row."""
    return put_horns(
        prims, layers, n, layer, view, ground, position, row, axes, width * look[TAIL_LEGS], TAIL_LINKS, TAIL_RADII,
        -1.0,
        (look[TIBIA], look[TIBIA + 1], look[TIBIA + 2]), f32(1.12), f32(1.0),
    )  # fmt: skip


@kernel(refcount=False)
def put_eyes(prims, layers, n, layer, view, ground, position, row, axes, width, look):
    """Update prims with three specular dots on either side of the head; return the next free row."""
    radius = 0.075 * width * look[EYES]
    if radius * view[SCALE] < SMALLEST_EYE:
        return n
    for side in (1.0, -1.0):
        for k in range(3):
            angle = 0.62 + 0.34 * k
            forward, out = math.cos(angle) * 0.66 * width, side * math.sin(angle) * 0.66 * width
            x = position[row, 0] + (forward + 0.1 * width) * axes[0, 0] + out * axes[1, 0]
            y = position[row, 1] + (forward + 0.1 * width) * axes[0, 1] + out * axes[1, 1]
            n = put_link(
                prims, layers, n, layer, view, CAPSULE, x, y, position[row, 2] + 0.4 * width, x, y,
                position[row, 2] + 0.4 * width,
                radius, radius, ground, f32(0.006), f32(0.005), f32(0.005), f32(1.6), f32(0.0), f32(0.0),
            )  # fmt: skip
    return n


