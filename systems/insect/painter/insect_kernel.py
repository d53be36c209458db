"""Turn the columns of insects into primitives: one pass over all of them, order kept within an insect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ...render.creatures.emit_kernel import ground_at, layer_of, mark_creature, put_contact, quaternion_axes
from .carried_kernel import put_held
from .insect_limbs_kernel import put_antennae, put_jaws, put_legs
from .insect_parts_kernel import beside, body_span, put_head
from .insect_shapes_kernel import HEAD_SET, MOST_SHAPES, SHAPE_FIELDS, head_size
from .insect_trunks_kernel import put_trunk
from .shell_looks import SOLDIER, STYLE
from .swarm import HELD, NOTHING, Part, Seen

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Vector
    from ...render.creatures.sheet import Sheet, View
    from .swarm import Swarm

THREE_LINKS, TWO_LINKS = 19.0, 9.0  # px of an insect from which on its legs have so many links
TRUNK_SHARE = 0.72  # of the width of the trunk that the thorax has
LIMB_REACH = 1.6  # lengths around the middle that limbs and loads may cover
OPEN_JAWS = 1.5


@kernel(refcount=False)
def part_of(position: Array, orientation: Array, k: int, axes: Array) -> Part:
    """Return one segment as a part; axes (3, 3) is scratch."""
    quaternion_axes(orientation, k, axes)
    return Part(
        (position[k, 0], position[k, 1], position[k, 2]), (axes[0, 0], axes[0, 1], axes[0, 2]),
        (axes[1, 0], axes[1, 1], axes[1, 2]), (axes[2, 0], axes[2, 1], axes[2, 2]),
    )  # fmt: skip


@kernel(refcount=False)
def parts_of(swarm: Swarm, k: int, axes: Array) -> tuple[Part, Part, Part]:
    """Return head, thorax and gaster of an insect; axes (3, 3) is scratch."""
    position, orientation = swarm.position[k], swarm.orientation[k]
    return (part_of(position, orientation, 0, axes), part_of(position, orientation, 1, axes),
            part_of(position, orientation, 2, axes))  # fmt: skip


@kernel(refcount=False)
def trunk_width(sizes: Array) -> float:
    """Return the half width of a trunk."""
    return sizes[1, 1] / TRUNK_SHARE


@kernel(refcount=False)
def head_of(parts: tuple[Part, Part, Part], span: tuple[float, float], size: tuple[float, float], look: Array) -> Part:
    """Return the head where it is drawn: those of broad insects sit at the front of the thorax."""
    head = parts[0]
    if int(look[STYLE]) > SOLDIER:
        return Part(beside(parts[1], span[0] - HEAD_SET * size[0], 0.0, 0.0), head.forward, head.left, head.up)
    return head


@kernel(refcount=False)
def is_in_view(view: View, at: Vector, reach: float) -> bool:
    """Return whether a disc around a place touches the picture."""
    far = reach * (1.0 + 0.5 * view.shadow_reach)
    return (abs(at[0] - view.center_x) < 0.5 * view.width / view.scale + far
            and abs(at[1] - view.center_y) < 0.5 * view.height / view.scale + far)  # fmt: skip


@kernel(refcount=False)
def put_touch(sheet: Sheet, n: int, view: View, seen: Seen, parts: tuple[Part, Part, Part], sizes: Array) -> int:
    """Update the sheet with the dark touch of a body on the ground; return the next free row."""
    wide = 1.15 * max(seen.wide, sizes[2, 1])
    gap = parts[1].at[2] - seen.ground - sizes[1, 2]
    return put_contact(sheet, n, view, seen.ground, parts[0].at, parts[2].at, wide, gap)


@kernel(refcount=False)
def put_insect(sheet: Sheet, n: int, view: View, swarm: Swarm, k: int, axes: Array, rows: Array) -> int:
    """Update the sheet with one insect, lowest parts first; axes and rows are scratch. Return the next free row."""
    sizes, look, parts = swarm.half_extents[k], swarm.looks[k], parts_of(swarm, k, axes)
    thorax = parts[1]
    span = body_span(parts, sizes)
    length = span[0] - span[1]
    if not (length < 1e4 and abs(thorax.at[2]) < 1e5) or not is_in_view(view, thorax.at, LIMB_REACH * length):
        return n
    ground, size = ground_at(view, thorax.at[0], thorax.at[1]), length * view.limb_scale
    links = 3 if size >= THREE_LINKS else (2 if size >= TWO_LINKS else 1)
    layer = layer_of(view, thorax.at[0], thorax.at[1], thorax.at[2], ground)
    seen = Seen(layer, ground, trunk_width(sizes), size, links, thorax.up[2] < -0.1)
    broad = head_size(sizes, look, span, seen.wide)
    head = head_of(parts, span, broad, look)
    n = put_touch(sheet, n, view, seen, parts, sizes)
    if not seen.overturned:
        n = put_legs(sheet, n, view, seen, thorax, swarm.joints[k], swarm.states[k], look)
    n = put_trunk(sheet, n, view, seen, parts, sizes, span, look, rows)
    holds = swarm.held[k, HELD] != NOTHING
    if holds:
        n = put_held(sheet, n, view, seen, head, broad, swarm.held[k])
    n = put_jaws(sheet, n, view, seen, head, broad, look, OPEN_JAWS if holds else 1.0)
    n = put_antennae(sheet, n, view, seen, head, broad, swarm.antennae[k], look, swarm.dead[k] != 0)
    n = put_head(sheet, n, view, seen, head, broad, look)
    if seen.overturned:
        n = put_legs(sheet, n, view, seen, thorax, swarm.joints[k], swarm.states[k], look)
    return n


@kernel()
def build_insects(sheet: Sheet, n: int, view: View, swarm: Swarm) -> int:
    """Update the sheet from all insects of a swarm; return the next free row."""
    axes, rows = np.zeros((3, 3)), np.zeros((MOST_SHAPES, SHAPE_FIELDS))
    for k in range(swarm.position.shape[0]):
        start = n
        n = put_insect(sheet, n, view, swarm, k, axes, rows)
        mark_creature(sheet, start, n, swarm.creature[k])
    return n
