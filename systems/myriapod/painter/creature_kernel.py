"""Turn the columns of myriapods into primitives: one pass over all of them, order kept within a creature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ...render.creatures.emit_kernel import broad_side, ground_at, keep_layer, layer_of, mark_creature, quaternion_axes
from ...render.creatures.primitive_fields import BOX, ELLIPSOID
from ...render.creatures.primitive_fields import PLATE as PLATE_KIND
from .colour_row import EYES, FORCIPULES, TAIL_LEGS, WIDTH
from .herd import STYLE_MILLIPEDE, STYLE_ROBOT, STYLE_SMOOTH, Joint, Legs, Span, Trunk
from .limb_kernel import put_antennae, put_between_legs, put_eyes, put_jaws, put_legs, put_tail_legs
from .trunk_kernel import ON_ITS_SIDE, put_contacts, put_head_shape, put_plates, put_rings, put_smooth, put_tissue

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ...render.creatures.sheet import Sheet, View
    from .herd import Herd

DETAIL_SCALE = 6.0  # px per unit; below it legs and antennae have two links and small parts are left out [look 7]
COARSE_SCALE = 4.5  # px per unit; below it a leg is one link
LIMB_REACH = 7.0  # units around the trunk that legs and antennae may cover


@kernel(refcount=False)
def is_visible(view: View, position: Array, first: int, count: int) -> bool:
    """Return whether the box around a creature's trunk, widened by its limbs, touches the screen."""
    half_w = 0.5 * view.width / view.scale + LIMB_REACH * (1.0 + 0.3 * view.shadow_reach)
    half_h = 0.5 * view.height / view.scale + LIMB_REACH * (1.0 + 0.3 * view.shadow_reach)
    left, right, low, high = np.inf, -np.inf, np.inf, -np.inf
    for row in range(first, first + count):
        x, y = position[row, 0] - view.center_x, position[row, 1] - view.center_y
        left, right, low, high = min(left, x), max(right, x), min(low, y), max(high, y)
    return left < half_w and right > -half_w and low < half_h and high > -half_h


@kernel(refcount=False)
def leg_links(scale: float) -> int:
    """Return into how many links a leg is drawn at a scale (px per unit): three, two or one."""
    if scale >= DETAIL_SCALE:
        return 3
    return 2 if scale >= COARSE_SCALE else 1


@kernel(refcount=False)
def place_segments(view: View, trunk: Trunk) -> None:
    """Update the ground height below and the draw layer of every segment of one creature."""
    for row in range(trunk.first, trunk.first + trunk.size):
        x, y, z = trunk.position[row, 0], trunk.position[row, 1], trunk.position[row, 2]
        trunk.ground[row] = ground_at(view, x, y)
        layer = layer_of(view, x, y, z, trunk.ground[row])
        trunk.layer[row] = layer if row == trunk.first else keep_layer(trunk.layer[row - 1], layer)


@kernel(refcount=False)
def joint_at(trunk: Trunk, row: int, axes: Array) -> Joint:
    """Return one segment of a trunk with its axes in plan; axes (2, 3) is scratch."""
    quaternion_axes(trunk.orientation, row, axes)
    broad_side(axes, ON_ITS_SIDE)
    position, width = trunk.position, trunk.half_extents[row, 1] * trunk.look[WIDTH]
    at = (position[row, 0], position[row, 1], position[row, 2])
    forward, left = (axes[0, 0], axes[0, 1]), (axes[1, 0], axes[1, 1])
    return Joint(at, forward, left, width, trunk.ground[row], trunk.layer[row])


@kernel(refcount=False)
def put_front(sheet: Sheet, n: int, view: View, trunk: Trunk, head: Joint, antennae: Array, first: int, count: int,
              links: int) -> int:  # fmt: skip
    """Update the sheet with jaws, antennae, head and eyes of one creature; return the next free row."""
    look = trunk.look
    if look[FORCIPULES] > 0.0 and links == 3:
        n = put_jaws(sheet, n, view, head, look)
    n = put_antennae(sheet, n, view, head, antennae, first, count, look, links)
    n = put_head_shape(sheet, n, view, head, BOX if trunk.style == STYLE_ROBOT else ELLIPSOID, look)
    if look[EYES] > 0.0 and links == 3:
        n = put_eyes(sheet, n, view, head, look)
    return n


@kernel(refcount=False)
def put_trunk(sheet: Sheet, n: int, view: View, trunk: Trunk, links: int, axes: Array) -> int:
    """Update the sheet with the body of one creature in its style; return the next free row. axes is scratch."""
    if trunk.style == STYLE_MILLIPEDE:
        return put_rings(sheet, n, view, trunk, axes.reshape(-1))
    if trunk.style == STYLE_SMOOTH:
        return put_smooth(sheet, n, view, trunk)
    n = put_tissue(sheet, n, view, trunk, 1 if links == 3 else 2)
    kind, shadow = BOX if trunk.style == STYLE_ROBOT else PLATE_KIND, f32(1.0) if links == 3 else f32(0.0)
    return put_plates(sheet, n, view, trunk, kind, shadow, axes)


@kernel(refcount=False)
def put_creature(sheet: Sheet, n: int, view: View, trunk: Trunk, legs: Legs, antennae: Array, first_antenna: int,
                 antenna_count: int, axes: Array, joints: Array) -> int:  # fmt: skip
    """Update the sheet with one whole creature, lowest parts first; return the next free row."""
    links = leg_links(view.limb_scale)
    place_segments(view, trunk)
    if links == 3:
        n = put_contacts(sheet, n, view, trunk)
    if trunk.style == STYLE_MILLIPEDE and links > 1:
        n = put_between_legs(sheet, n, view, trunk, legs, links, joints)
    n = put_legs(sheet, n, view, trunk, legs, links)
    if trunk.look[TAIL_LEGS] > 0.0 and links == 3:
        n = put_tail_legs(sheet, n, view, joint_at(trunk, trunk.first + trunk.size - 1, axes), trunk.look)
    n = put_trunk(sheet, n, view, trunk, links, axes)
    head = joint_at(trunk, trunk.first, axes)
    return put_front(sheet, n, view, trunk, head, antennae, first_antenna, antenna_count, links)


@kernel()
def build_creatures(sheet: Sheet, n: int, view: View, herd: Herd) -> int:
    """Update the sheet from all creatures of a herd; return the next free row."""
    axes, joints = np.zeros((2, 3)), np.zeros((4, 3))  # scratch
    ground, layer = np.zeros(herd.position.shape[0]), np.zeros(herd.position.shape[0], dtype=np.int64)
    for c in range(herd.spans.shape[0]):
        span = herd.spans[c]
        first, count = span[Span.SEGMENT], span[Span.SEGMENTS]
        if count <= 0 or not is_visible(view, herd.position, first, count):
            continue
        start, look = n, herd.looks[min(max(span[Span.LOOK], 0), herd.looks.shape[0] - 1)]
        trunk = Trunk(first, count, herd.position, herd.orientation, herd.half_extents, herd.ahead, ground, layer, look,
                      span[Span.STYLE])  # fmt: skip
        legs = Legs(span[Span.LEG], span[Span.LEGS], herd.leg_segment, herd.leg_joints, herd.leg_state)
        first_antenna, antenna_count = span[Span.ANTENNA], span[Span.ANTENNAE]
        n = put_creature(sheet, n, view, trunk, legs, herd.antennae, first_antenna, antenna_count, axes, joints)
        mark_creature(sheet, start, n, span[Span.CREATURE])
    return n
