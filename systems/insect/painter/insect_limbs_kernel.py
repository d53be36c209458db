"""Legs, antennae and jaws of insects."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.emit_kernel import ground_at, put_contact, put_link
from ...render.creatures.leg_colours import NO_STATE, STATE_COLOURS
from ...render.creatures.primitive_fields import ALPHA, CAPSULE
from ...render.creatures.sheet import Skin
from .insect_parts_kernel import beside, darkened, tone
from .shell_looks import ANTENNA, ANTENNA_WIDTH, BEETLE, GLOSS, HAIR, JAW, JAW_SIZE, LEG, LEG_WIDTH, ROACH, STICK, STYLE

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ...render.creatures.sheet import Sheet, View
    from .swarm import Part, Seen

LEG_RADII = (0.27, 0.215, 0.15, 0.05)  # half widths of the trunk, at hip, knee, ankle and tip
COXA_RADIUS = 0.33
SLENDER = (1.0, 1.05, 0.74, 0.46, 0.62)  # legs of each style against these
FEELERS = (1.0, 1.0, 0.42, 0.26, 0.6)  # and antennae
OUTLINE_FROM, OUTLINE_FULL = 0.9, 1.7  # px of radius over which the dark outline of a leg comes in
OUTLINE = 0.8  # px that it is wide
DOTS_FROM = 1.5  # px of radius from which on joints are seen
SPINES_FROM = 2.0  # the same for spines and claws
FOOT_TOUCH = 8.0  # how much faster the touch of a foot fades with height than that of a body
ELBOW = 0.30  # of its length that an antenna bends outward at its elbow
ANTENNA_RADIUS = 0.145  # half widths of the trunk
JAWS_FROM = 28.0  # px of an insect from which on its jaws are seen
JAW_CURVE = ((0.55, 0.55), (0.86, 0.72), (1.18, 0.70), (1.43, 0.46), (1.58, 0.12))
"""Places forward and aside, in half lengths and widths of the head."""
JAW_RADII = (0.30, 0.25, 0.20, 0.14, 0.05)  # half widths of the head
ANTLER_CURVE = ((0.60, 0.42), (0.95, 0.92), (1.50, 1.12), (2.05, 0.96), (2.45, 0.46))
JAW_LINKS = 4
LASH_LINKS = 4  # of the outer part of an antenna, seen from near
LEGS = 6
ANTLERS_FROM = 2.0  # jaws of this size are antlers
BLACK = (f32(0.006), f32(0.005), f32(0.005))


@kernel(refcount=False)
def put_outline(sheet: Sheet, n: int, view: View, seen: Seen, ground: float, a: Vector, b: Vector,
                radii: tuple[float, float], colour: Vector, fade: float) -> int:  # fmt: skip
    """Update the sheet with the dark edge of a limb; return the next free row."""
    if fade <= 0.0:
        return n
    before, more = n, OUTLINE / view.scale
    ink = darkened(colour, 0.10)
    skin = Skin(ink[0], ink[1], ink[2], f32(0.0), f32(0.0), f32(0.0))
    n = put_link(sheet, n, view, CAPSULE, seen.layer, ground, a, b, (radii[0] + more, radii[1] + more), skin)
    if n > before:
        sheet.prims[before, ALPHA] *= f32(fade)
    return n


@kernel(refcount=False)
def place(joints: Array, k: int) -> Vector:
    """Return a joint as a tuple."""
    return joints[k, 0], joints[k, 1], joints[k, 2]


@kernel(refcount=False)
def put_leg(sheet: Sheet, n: int, view: View, seen: Seen, root: Vector, joints: Array, look: Array, state: int,
            thick: float) -> int:  # fmt: skip
    """Update the sheet with one leg and the touch of its foot; return the next free row."""
    links = seen.links
    below = ground_at(view, joints[3, 0], joints[3, 1])
    colour = tone(look, LEG)
    if state != NO_STATE:
        k = min(max(state, 0), STATE_COLOURS.shape[0] - 1)
        colour = (STATE_COLOURS[k, 0], STATE_COLOURS[k, 1], STATE_COLOURS[k, 2])
    if links == 3:
        tip = place(joints, 3)
        n = put_contact(sheet, n, view, below, tip, tip, 0.55 * thick, FOOT_TOUCH * (tip[2] - below))
    pixels = LEG_RADII[1] * thick * view.limb_scale
    fade = min(max((pixels - OUTLINE_FROM) / (OUTLINE_FULL - OUTLINE_FROM), 0.0), 1.0) if links == 3 else 0.0
    for layer in range(2 if fade > 0.0 else 1):
        outline = fade > 0.0 and layer == 0
        if links == 3:
            hip, radii = place(joints, 0), (0.7 * COXA_RADIUS * thick, COXA_RADIUS * thick)
            if outline:
                n = put_outline(sheet, n, view, seen, seen.ground, root, hip, radii, colour, fade)
            else:
                skin = leg_skin(look, colour, 0.72, 0.0)
                n = put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, root, hip, radii, skin)
        for link in range(links):
            start, stop = link, link + 1 if link + 1 < links else 3
            a = root if link == 0 and links < 3 else place(joints, start)
            b = place(joints, stop)
            radii, ground = (LEG_RADII[start] * thick, LEG_RADII[stop] * thick), seen.ground if link == 0 else below
            if outline:
                n = put_outline(sheet, n, view, seen, ground, a, b, radii, colour, fade)
                continue
            shadow = 1.0 if links == 3 or (links == 2 and link == 1) else 0.0
            n = put_link(sheet, n, view, CAPSULE, seen.layer, ground, a, b, radii,
                         leg_skin(look, colour, 1.0 - 0.10 * link, shadow))  # fmt: skip
    if links == 3 and pixels > DOTS_FROM:
        n = put_joints(sheet, n, view, seen, below, joints, colour, look, thick)
    if links == 3 and pixels > SPINES_FROM:
        n = put_spines(sheet, n, view, seen, below, joints, colour, look, thick)
    return n


@kernel(refcount=False)
def leg_skin(look: Array, colour: Vector, shade: float, shadow: float) -> Skin:
    """Return the surface of a link of a leg."""
    c = darkened(colour, shade)
    return Skin(c[0], c[1], c[2], f32(0.9) * look[GLOSS], f32(0.16), f32(shadow))


@kernel(refcount=False)
def put_joints(sheet: Sheet, n: int, view: View, seen: Seen, ground: float, joints: Array, colour: Vector, look: Array,
               thick: float) -> int:  # fmt: skip
    """Update the sheet with dots at knee and ankle; return the next free row."""
    for k in range(1, 3):
        at, radius = place(joints, k), 1.16 * LEG_RADII[k] * thick
        dark = leg_skin(look, colour, 0.36, 0.0)
        n = put_link(sheet, n, view, CAPSULE, seen.layer, ground, at, at, (radius, radius), dark)
        n = put_link(sheet, n, view, CAPSULE, seen.layer, ground, at, at, (0.66 * radius, 0.66 * radius),
                     leg_skin(look, colour, 0.95, 0.0))  # fmt: skip
    return n


@kernel(refcount=False)
def put_spines(sheet: Sheet, n: int, view: View, seen: Seen, ground: float, joints: Array, colour: Vector, look: Array,
               thick: float) -> int:  # fmt: skip
    """Update the sheet with spines on the tibia and two claws; ants have fine hair there. Return the next free row."""
    dx, dy = joints[2, 0] - joints[1, 0], joints[2, 1] - joints[1, 1]
    far = math.sqrt(dx * dx + dy * dy)
    if far < 1e-6:
        return n
    dx, dy = dx / far, dy / far
    style = int(look[STYLE])
    spiny = style == BEETLE or style == ROACH
    if not spiny and look[HAIR] <= f32(0.0):
        return n
    reach, thin = (0.30 * thick, 0.06 * thick) if spiny else (0.22 * thick * look[HAIR], 0.03 * thick)
    skin = leg_skin(look, colour, 0.5 if spiny else 1.15, 0.0)
    count = 3
    for k in range(2 * count):
        side, t = 1.0 - 2.0 * (k % 2), 0.35 + 0.60 * (k // 2) / count
        x, y = joints[1, 0] + (joints[2, 0] - joints[1, 0]) * t, joints[1, 1] + (joints[2, 1] - joints[1, 1]) * t
        z = joints[1, 2] + (joints[2, 2] - joints[1, 2]) * t
        foot = (x - side * dy * 0.15 * thick, y + side * dx * 0.15 * thick, z)
        tip = (foot[0] + reach * (0.75 * dx - side * 0.8 * dy), foot[1] + reach * (0.75 * dy + side * 0.8 * dx), z)
        n = put_link(sheet, n, view, CAPSULE, seen.layer, ground, foot, tip, (thin, 0.3 * thin), skin)
    tx, ty = joints[3, 0] - joints[2, 0], joints[3, 1] - joints[2, 1]
    far = max(math.sqrt(tx * tx + ty * ty), 1e-6)
    tx, ty, at = tx / far, ty / far, place(joints, 3)
    skin = leg_skin(look, colour, 0.4, 0.0)
    for side in (1.0, -1.0):
        claw = (at[0] + 0.26 * thick * (tx - side * 0.6 * ty), at[1] + 0.26 * thick * (ty + side * 0.6 * tx), at[2])
        n = put_link(sheet, n, view, CAPSULE, seen.layer, ground, at, claw, (0.07 * thick, 0.02 * thick), skin)
    return n


@kernel(refcount=False)
def leg_thickness(look: Array, wide: float) -> float:
    """Return what the radii of legs are shares of, for a trunk of a half width."""
    thick = wide * look[LEG_WIDTH] * SLENDER[int(look[STYLE])]
    if int(look[STYLE]) == STICK:
        thick = max(thick, 0.35 * wide)
    return thick


@kernel(refcount=False)
def leg_root(thorax: Part, hip: Array, leg: int, wide: float) -> Vector:
    """Return where a leg comes out of the trunk."""
    side = 1.0 - 2.0 * (leg % 2)
    along = aside = 0.0
    for axis in range(3):
        offset = hip[axis] - thorax.at[axis]
        along += offset * thorax.forward[axis]
        aside += offset * thorax.left[axis]
    return beside(thorax, 0.8 * along, side * min(0.45 * abs(aside), 0.5 * wide), -0.1 * wide)


@kernel(refcount=False)
def put_legs(sheet: Sheet, n: int, view: View, seen: Seen, thorax: Part, joints: Array, states: Array, look: Array) -> int:
    """Update the sheet with the six legs; return the next free row."""
    thick = leg_thickness(look, seen.wide)
    for leg in range(LEGS):
        root = leg_root(thorax, joints[leg, 0], leg, seen.wide)
        state = states[leg] if view.leg_states else NO_STATE
        n = put_leg(sheet, n, view, seen, root, joints[leg], look, state, thick)
    return n


@kernel(refcount=False)
def antenna_radius(look: Array, wide: float) -> float:
    """Return how thick antennae are at their elbows, for a trunk of a half width."""
    return ANTENNA_RADIUS * wide * look[ANTENNA_WIDTH] * FEELERS[int(look[STYLE])]


@kernel(refcount=False)
def antenna_line(head: Part, size: tuple[float, float], points: Array, look: Array, limp: bool,
                 side: float) -> tuple[Vector, Vector, Vector, tuple[float, float], float]:  # fmt: skip
    """Return root, elbow and tip of an antenna, how far its lash bows in plan, and how long it is."""
    bend = ELBOW if int(look[STYLE]) <= BEETLE else 0.06
    root = beside(head, 0.55 * size[0], side * 0.34 * size[1], 0.3 * size[1])
    tip = (points[2, 0], points[2, 1], points[2, 2])
    if limp or not tip[0] == tip[0]:
        tip = beside(head, 1.6 * size[0], side * 2.6 * size[1], -0.2 * size[1])
    dx, dy, dz = tip[0] - root[0], tip[1] - root[1], tip[2] - root[2]
    far = math.sqrt(dx * dx + dy * dy + dz * dz)
    out = bend * far * side
    left, up, rise = head.left, head.up, 0.12 * far
    elbow = (root[0] + 0.42 * dx + out * left[0] + rise * up[0], root[1] + 0.42 * dy + out * left[1] + rise * up[1],
             root[2] + 0.42 * dz + out * left[2] + rise * up[2])  # fmt: skip
    return root, elbow, tip, (out * 0.35 * left[0], out * 0.35 * left[1]), far


@kernel(refcount=False)
def lash_point(elbow: Vector, tip: Vector, bow: tuple[float, float], t: float) -> Vector:
    """Return a place on the outer part of an antenna, 0 at its elbow to 1 at its tip."""
    arch = 4.0 * t * (1.0 - t)
    return (elbow[0] + (tip[0] - elbow[0]) * t + bow[0] * arch, elbow[1] + (tip[1] - elbow[1]) * t + bow[1] * arch,
            elbow[2] + (tip[2] - elbow[2]) * t)  # fmt: skip


@kernel(refcount=False)
def put_antennae(sheet: Sheet, n: int, view: View, seen: Seen, head: Part, size: tuple[float, float], points: Array,
                 look: Array, limp: bool) -> int:  # fmt: skip
    """Update the sheet with two antennae, elbowed unless they are long; return the next free row."""
    radius, colour = antenna_radius(look, seen.wide), tone(look, ANTENNA)
    for k in range(2):
        root, elbow, tip, bow, far = antenna_line(head, size, points[k], look, limp, 1.0 - 2.0 * k)
        if not far < 1e3:
            continue
        if seen.links == 1:
            n = put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, root, tip, (0.8 * radius, 0.6 * radius),
                         leg_skin(look, colour, 1.0, 0.0))  # fmt: skip
            continue
        shadow, fade = 0.0, 0.0
        if seen.links == 3:
            shadow, fade = 1.0, min(max((radius * view.limb_scale - 0.7) / 0.8, 0.0), 1.0)
            n = put_outline(sheet, n, view, seen, seen.ground, root, elbow, (0.8 * radius, radius), colour, fade)
        n = put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, root, elbow, (0.8 * radius, radius),
                     leg_skin(look, colour, 0.9, shadow))  # fmt: skip
        if seen.links == 2:
            n = put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, elbow, tip, (0.75 * radius, 0.7 * radius),
                         leg_skin(look, colour, 1.1, 0.0))  # fmt: skip
            continue
        if fade > 0.0:
            n = put_lash(sheet, n, view, seen, elbow, tip, bow, radius, colour, look, fade)
        n = put_lash(sheet, n, view, seen, elbow, tip, bow, radius, colour, look, -1.0)
    return n


@kernel(refcount=False)
def put_lash(sheet: Sheet, n: int, view: View, seen: Seen, elbow: Vector, tip: Vector, bow: tuple[float, float],
             radius: float, colour: Vector, look: Array, ink: float) -> int:  # fmt: skip
    """Update the sheet with the outer part of an antenna, bowed and jointed, thicker at its end; return the next row.

    With `ink` (0..1) it is the outline, else the antenna itself.
    """
    count = LASH_LINKS if radius * view.limb_scale > 0.8 else 2
    club = 1.7 if int(look[STYLE]) == BEETLE else 1.0
    before = elbow
    for k in range(1, count + 1):
        at = lash_point(elbow, tip, bow, k / count)
        thin, thick = radius * (0.62 + 0.06 * k), radius * (0.74 + 0.07 * k) * (club if k == count else 1.0)
        if ink >= 0.0:
            n = put_outline(sheet, n, view, seen, seen.ground, before, at, (thin, thick), colour, ink)
        else:
            n = put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, before, at, (thin, thick),
                         leg_skin(look, colour, 1.15 if k % 2 else 0.92, 1.0))  # fmt: skip
        before = at
    return n


@kernel(refcount=False)
def put_jaws(sheet: Sheet, n: int, view: View, seen: Seen, head: Part, size: tuple[float, float], look: Array,
             spread: float) -> int:  # fmt: skip
    """Update the sheet with a pair of hooked jaws with black tips, or of antlers; return the next free row."""
    grow = look[JAW_SIZE]
    if grow <= f32(0.0) or (seen.size < JAWS_FROM and grow < f32(1.5)):
        return n
    antlers = grow >= f32(ANTLERS_FROM)
    colour = tone(look, JAW)
    scale = grow / ANTLERS_FROM if antlers else grow
    fat = 0.95 if antlers else min(grow, 1.3)
    fade = min(max((0.2 * size[1] * view.limb_scale - 0.6) / 0.9, 0.0), 1.0)
    for side in (1.0, -1.0):
        for layer in range(2):
            for k in range(JAW_LINKS):
                a, b = (ANTLER_CURVE[k], ANTLER_CURVE[k + 1]) if antlers else (JAW_CURVE[k], JAW_CURVE[k + 1])
                start = beside(head, (0.55 + (a[0] - 0.55) * scale) * size[0], side * a[1] * size[1] * spread, 0.0)
                stop = beside(head, (0.55 + (b[0] - 0.55) * scale) * size[0], side * b[1] * size[1] * spread, 0.0)
                radii = (JAW_RADII[k] * fat * size[1], JAW_RADII[k + 1] * fat * size[1])
                if layer == 0:
                    n = put_outline(sheet, n, view, seen, seen.ground, start, stop, radii, colour, fade)
                    continue
                c = BLACK if k >= 2 and not antlers else colour
                skin = Skin(c[0], c[1], c[2], f32(1.2) * look[GLOSS], f32(0.2), f32(1.0))
                n = put_link(sheet, n, view, CAPSULE, seen.layer, seen.ground, start, stop, radii, skin)
    return n
