"""Legs, antennae, jaws, eyes and tail legs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.emit_kernel import BANDS_PER_LAYER, ground_at, put_link
from ...render.creatures.leg_colours import NO_STATE, STATE_COLOURS
from ...render.creatures.primitive_fields import CAPSULE
from ...render.creatures.sheet import Skin
from .colour_row import (
    ANTENNA_BASE,
    ANTENNA_TIP,
    ANTENNA_WIDTH,
    EYES,
    FEMUR,
    FORCIPULES,
    HEAD,
    LEG_WIDTH,
    RINGS,
    TAIL_LEGS,
    TIBIA,
    WIDTH,
)

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ...render.creatures.sheet import Sheet, View
    from .herd import Joint, Legs, Trunk

REFERENCE_WIDTH = 0.92  # units, half width of the animal the proportions below were measured on [look 5]
LEG_RADII = (0.215, 0.18, 0.125, 0.035)  # units at hip, knee, ankle, tip [look 5]
ANTENNA_RADIUS, ANTENNA_SHRINK = 0.17, 0.90  # units, per twelfth of the length [look 5]
JAW_LINKS = ((0.42, 0.62), (0.78, 0.86), (1.22, 0.80), (1.50, 0.50), (1.62, 0.20))  # forward, sideways in half widths
JAW_RADII = (0.30, 0.27, 0.20, 0.12, 0.03)  # in half widths
TAIL_LINKS = ((-0.35, 0.45), (-1.15, 0.85), (-1.95, 1.12), (-2.70, 1.22), (-3.40, 1.16))  # the same
LEG_SPREAD = 2  # segments before and behind its own that a leg may lie below
SMALLEST_EYE = 0.3  # px; smaller eyes only dirty the head
TAIL_RADII = (0.28, 0.27, 0.23, 0.17, 0.05)


@kernel(refcount=False)
def put_leg(sheet: Sheet, n: int, view: View, layer: int, joints: Array, grounds: tuple[float, float], thick: float,
            look: Array, state: int, links: int, shadow: float) -> int:  # fmt: skip
    """Update the sheet with one leg of three links, or of two or one in reduced detail; return the next free row.

    joints (4, 3) are hip, knee, ankle and tip, grounds the heights of the ground below hip and tip. A leg shows its state
    by its colour unless that is NO_STATE.
    """
    for link in range(links):
        start = link
        stop = link + 1 if link + 1 < links else 3
        base = FEMUR + 3 * link if links == 3 or (link == 0 and links == 2) else TIBIA
        red, green, blue = look[base], look[base + 1], look[base + 2]
        if state != NO_STATE and (link > 0 or links == 1):
            k = min(max(state, 0), STATE_COLOURS.shape[0] - 1)
            red, green, blue = STATE_COLOURS[k, 0], STATE_COLOURS[k, 1], STATE_COLOURS[k, 2]
        skin = Skin(red, green, blue, f32(0.42), f32(0.10), shadow if links == 3 or link == links - 1 else f32(0.0))
        a, b = (joints[start, 0], joints[start, 1], joints[start, 2]), (joints[stop, 0], joints[stop, 1], joints[stop, 2])
        radii = (LEG_RADII[start] * thick, LEG_RADII[stop] * thick)
        n = put_link(sheet, n, view, CAPSULE, layer, grounds[0] if link == 0 else grounds[1], a, b, radii, skin)
    return n


@kernel(refcount=False)
def leg_layer(trunk: Trunk, row: int) -> int:
    """Return the draw layer of the legs of a segment: below the backs of its neighbours, unless they lie on another body."""
    layer = trunk.layer[row]
    for other in range(max(row - LEG_SPREAD, trunk.first), min(row + LEG_SPREAD + 1, trunk.first + trunk.size)):
        if layer - trunk.layer[other] < BANDS_PER_LAYER:
            layer = min(layer, trunk.layer[other])
    return layer


@kernel(refcount=False)
def put_legs(sheet: Sheet, n: int, view: View, trunk: Trunk, legs: Legs, links: int) -> int:
    """Update the sheet with all legs of one creature; return the next free row."""
    look = trunk.look
    for leg in range(legs.first, legs.first + legs.size):
        row, joints = legs.segment[leg], legs.joints[leg]
        if row < 0 or row >= trunk.ground.size:
            continue
        grounds = (trunk.ground[row], ground_at(view, joints[3, 0], joints[3, 1]))
        shadow = f32(1.0) if links == 3 or (links == 2 and leg % 4 < 2) else f32(0.0)  # a leg below a pixel throws none
        thick = look[LEG_WIDTH] * look[WIDTH] * trunk.half_extents[row, 1] / REFERENCE_WIDTH
        state = legs.state[leg] if view.leg_states else NO_STATE
        n = put_leg(sheet, n, view, leg_layer(trunk, row), joints, grounds, thick, look, state, links, shadow)
    return n


@kernel(refcount=False)
def put_between_legs(sheet: Sheet, n: int, view: View, trunk: Trunk, legs: Legs, links: int, joints: Array) -> int:
    """Update the sheet with a leg pair for every further ring, between neighbouring pairs; return the next free row.

    joints (4, 3) is scratch. These legs have two links at most: there are many, and they lie close to the body.
    """
    look, rings = trunk.look, max(int(trunk.look[RINGS]), 1)
    shadow = f32(1.0) if links == 3 else f32(0.0)
    for leg in range(legs.first, legs.first + legs.size - 2):
        row = legs.segment[leg]
        if row < 0 or row >= trunk.ground.size or legs.segment[leg + 2] != row + 1:
            continue
        thick, layer = look[LEG_WIDTH] * look[WIDTH] * trunk.half_extents[row, 1] / REFERENCE_WIDTH, leg_layer(trunk, row)
        for ring in range(1, rings):
            share = ring / rings
            for k in range(4):
                for axis in range(3):
                    here, there = legs.joints[leg, k, axis], legs.joints[leg + 2, k, axis]
                    joints[k, axis] = here + (there - here) * share
            ground = ground_at(view, joints[3, 0], joints[3, 1])
            few, grounds = min(links, 2), (ground, ground)
            n = put_leg(sheet, n, view, layer, joints, grounds, thick, look, NO_STATE, few, shadow)
    return n


@kernel(refcount=False)
def put_antennae(sheet: Sheet, n: int, view: View, head: Joint, points: Array, first: int, count: int, look: Array,
                 leg_links: int) -> int:  # fmt: skip
    """Update the sheet with the antennae as chains of links that darken alternately; return the next free row."""
    links = points.shape[1] - 1
    for a in range(first, first + count):
        used = links
        while used > 0 and not points[a, used, 0] == points[a, used, 0]:  # unused points are NaN
            used -= 1
        step = 1 if leg_links == 3 else max(-(-used // leg_links), 1)
        ground = ground_at(view, points[a, 0, 0], points[a, 0, 1])
        for k in range(0, used, step):
            stop = min(k + step, used)
            t, u = 12.0 * k / used, 12.0 * stop / used
            radius = ANTENNA_RADIUS * look[ANTENNA_WIDTH] * head.width / REFERENCE_WIDTH
            mix, shade = f32(k / used), f32(0.8 if k % 2 == 1 else 1.0)
            red = (look[ANTENNA_BASE] + (look[ANTENNA_TIP] - look[ANTENNA_BASE]) * mix) * shade
            green = (look[ANTENNA_BASE + 1] + (look[ANTENNA_TIP + 1] - look[ANTENNA_BASE + 1]) * mix) * shade
            blue = (look[ANTENNA_BASE + 2] + (look[ANTENNA_TIP + 2] - look[ANTENNA_BASE + 2]) * mix) * shade
            begin, end = points[a, k], points[a, stop]
            n = put_link(
                sheet,
                n,
                view,
                CAPSULE,
                head.layer,
                ground,
                (begin[0], begin[1], begin[2]),
                (end[0], end[1], end[2]),
                (radius * ANTENNA_SHRINK**t, radius * ANTENNA_SHRINK**u),
                Skin(red, green, blue, f32(0.35), f32(0.08), f32(1.0)),
            )
    return n


@kernel(refcount=False)
def beside(joint: Joint, width: float, along: float, side: float) -> tuple[float, float]:
    """Return the place in plan that lies `along` forward and `side` to the left of a segment, in widths."""
    x = joint.at[0] + width * (along * joint.forward[0] + side * joint.left[0])
    return x, joint.at[1] + width * (along * joint.forward[1] + side * joint.left[1])


@kernel(refcount=False)
def put_horns(sheet: Sheet, n: int, view: View, joint: Joint, width: float, links: tuple[tuple[float, float], ...],
              radii: tuple[float, float, float, float, float], colour: Vector, tip: float) -> int:  # fmt: skip
    """Update the sheet with a mirrored pair of bent horns (jaws, tail legs) on one segment; return the next free row.

    links are places forward and sideways and radii their half widths, both in widths; tip is the brightness of the end.
    """
    z = joint.at[2]
    for side in (1.0, -1.0):
        for k in range(4):
            shade = f32(1.0) if k < 3 else tip
            skin = Skin(colour[0] * shade, colour[1] * shade, colour[2] * shade, f32(0.6), f32(0.12), f32(1.0))
            ax, ay = beside(joint, width, links[k][0], side * links[k][1])
            bx, by = beside(joint, width, links[k + 1][0], side * links[k + 1][1])
            a, b = (ax, ay, z + 0.1 * width), (bx, by, z - 0.1 * width * k)
            ends = (radii[k] * width, radii[k + 1] * width)
            n = put_link(sheet, n, view, CAPSULE, joint.layer, joint.ground, a, b, ends, skin)
    return n


@kernel(refcount=False)
def put_jaws(sheet: Sheet, n: int, view: View, head: Joint, look: Array) -> int:
    """Update the sheet with the forcipules, black at the tips; return the next free row."""
    width = head.width * look[FORCIPULES] * 1.06
    colour = (look[HEAD] * f32(0.9), look[HEAD + 1] * f32(0.9), look[HEAD + 2] * f32(0.9))
    return put_horns(sheet, n, view, head, width, JAW_LINKS, JAW_RADII, colour, f32(0.06))


@kernel(refcount=False)
def put_tail_legs(sheet: Sheet, n: int, view: View, tail: Joint, look: Array) -> int:
    """Update the sheet with the thick trailing pair of the last segment; return the next free row."""
    colour = (look[TIBIA], look[TIBIA + 1], look[TIBIA + 2])
    return put_horns(sheet, n, view, tail, tail.width * look[TAIL_LEGS], TAIL_LINKS, TAIL_RADII, colour, f32(1.12))


@kernel(refcount=False)
def put_eyes(sheet: Sheet, n: int, view: View, head: Joint, look: Array) -> int:
    """Update the sheet with three specular dots on either side of the head; return the next free row."""
    width = head.width
    radius = 0.075 * width * look[EYES]
    if radius * view.scale < SMALLEST_EYE:
        return n
    skin = Skin(f32(0.006), f32(0.005), f32(0.005), f32(1.6), f32(0.0), f32(0.0))
    for side in (1.0, -1.0):
        for k in range(3):
            angle = 0.62 + 0.34 * k
            forward, out = math.cos(angle) * 0.66 * width, side * math.sin(angle) * 0.66 * width
            x = head.at[0] + (forward + 0.1 * width) * head.forward[0] + out * head.left[0]
            y = head.at[1] + (forward + 0.1 * width) * head.forward[1] + out * head.left[1]
            eye = (x, y, head.at[2] + 0.4 * width)
            n = put_link(sheet, n, view, CAPSULE, head.layer, head.ground, eye, eye, (radius, radius), skin)
    return n
