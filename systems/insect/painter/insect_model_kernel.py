"""Insects for exports: what of them is rigid, in the frames of their segments, and where their limbs are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from .insect_kernel import head_of, parts_of, trunk_width
from .insect_limbs_kernel import LASH_LINKS, LEGS, antenna_line, antenna_radius, lash_point, leg_root, leg_thickness
from .insect_parts_kernel import body_span
from .insect_shapes_kernel import HEAD_SET, head_size, lay_trunk
from .shell_looks import SOLDIER, STYLE

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .swarm import Swarm

LEG_POINTS, ANTENNA_POINTS = 5, LASH_LINKS + 2
"""Root, hip, knee, ankle and tip; root, elbow and the ends of the links of the lash."""


@kernel(refcount=False)
def lay_insect(swarm: Swarm, k: int, axes: Array, rows: Array) -> tuple[int, float, float, float, float, float]:
    """Update rows with the shapes of insect k behind its head; return what is asked of it.

    These are how many rows there are, half length and half width of the head, how far before the thorax it sits (0: it is
    where its own segment is), and what radii of legs and of antennae are shares of.
    """
    sizes, look, parts = swarm.half_extents[k], swarm.looks[k], parts_of(swarm, k, axes)
    span, wide = body_span(parts, sizes), trunk_width(sizes)
    long, broad = head_size(sizes, look, span, wide)
    ahead = span[0] - HEAD_SET * long if int(look[STYLE]) > SOLDIER else 0.0
    count = lay_trunk(rows, sizes, span, wide, look, 3, False)
    return count, long, broad, ahead, leg_thickness(look, wide), antenna_radius(look, wide)


@kernel()
def lay_limbs(swarm: Swarm, legs: Array, antennae: Array) -> None:
    """Update legs (n, 6, LEG_POINTS, 3) and antennae (n, 2, ANTENNA_POINTS, 3) of all insects."""
    axes = np.zeros((3, 3))
    for k in range(swarm.position.shape[0]):
        sizes, look, parts = swarm.half_extents[k], swarm.looks[k], parts_of(swarm, k, axes)
        span, wide = body_span(parts, sizes), trunk_width(sizes)
        size = head_size(sizes, look, span, wide)
        head = head_of(parts, span, size, look)
        for leg in range(LEGS):
            root = leg_root(parts[1], swarm.joints[k, leg, 0], leg, wide)
            for axis in range(3):
                legs[k, leg, 0, axis] = root[axis]
            legs[k, leg, 1:] = swarm.joints[k, leg]
        for place in range(2):
            side, limp = 1.0 - 2.0 * place, swarm.dead[k] != 0
            root, elbow, tip, bow, _ = antenna_line(head, size, swarm.antennae[k, place], look, limp, side)
            line = antennae[k, place]
            for axis in range(3):
                line[0, axis], line[1, axis] = root[axis], elbow[axis]
            for link in range(1, LASH_LINKS + 1):
                at = lash_point(elbow, tip, bow, link / LASH_LINKS)
                for axis in range(3):
                    line[1 + link, axis] = at[axis]
