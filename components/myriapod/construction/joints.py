"""Which segments tissue joins, and where: behind each other in a chain, or as the species' own list of joints says."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....engine.pool import Array

NARROWEST = 0.01
"""Units; the shortest tissue there is, see ``[tissue] length_u``."""

_QUARTER = np.sqrt(0.5)
TOWARD = {  # axis and sign from b to a: the turn that takes a block's own x there, and the axes that its y and z become
    (0, 1): ((1.0, 0.0, 0.0, 0.0), (1, 2)), (0, -1): ((0.0, 0.0, 0.0, 1.0), (1, 2)),
    (1, 1): ((_QUARTER, 0.0, 0.0, _QUARTER), (0, 2)), (1, -1): ((_QUARTER, 0.0, 0.0, -_QUARTER), (0, 2)),
    (2, 1): ((_QUARTER, 0.0, -_QUARTER, 0.0), (1, 0)), (2, -1): ((_QUARTER, 0.0, _QUARTER, 0.0), (1, 0)),
}  # fmt: skip


class Joints(NamedTuple):
    """Blocks of tissue at rest, one row each. A block's own x axis runs from segment b to segment a."""

    segment_a: Array
    segment_b: Array
    size: Array
    anchor_a: Array  # (n, 7) centre and turn of the block in the frame of segment a
    anchor_b: Array


def chain_joints(half: Array, gap: float, count: int) -> Joints:
    """Block i between segments i and i + 1, `gap` long, as wide as the narrower of the two."""
    size = np.column_stack([np.full(count, gap), 2.0 * np.minimum(half[:-1], half[1:])[:count, 1:]])
    anchor_a, anchor_b = np.zeros((count, 7)), np.zeros((count, 7))
    anchor_a[:, 0], anchor_b[:, 0] = -(half[:count, 0] + gap / 2), half[1 : count + 1, 0] + gap / 2
    anchor_a[:, 3] = anchor_b[:, 3] = 1.0
    return Joints(np.arange(count), np.arange(count) + 1, size, anchor_a, anchor_b)


def graph_joints(half: Array, places: Array, pairs: Array) -> Joints:
    """Blocks between the facing sides of boxes at these places, for pairs (a, b): straight, and in line with b's middle.

    Example::

        graph_joints(np.full((2, 3), 0.5), np.array([[0, 0, 0], [0, 0, -2.0]]), np.array([[0, 1]]))  # one that hangs
    """
    sizes, fronts, rears = [], [], []
    for a, b in pairs.tolist():
        axis, gap = facing(half, places, a, b)
        sign = 1 if places[a, axis] > places[b, axis] else -1
        turn, across = TOWARD[axis, sign]
        narrow = 2.0 * np.minimum(half[a], half[b])
        middle = places[b].copy()
        middle[axis] += sign * (half[b, axis] + 0.5 * gap)
        sizes.append((gap, narrow[across[0]], narrow[across[1]]))
        fronts.append((*(middle - places[a]), *turn))
        rears.append((*(middle - places[b]), *turn))
    shape = (len(pairs), 7)
    return Joints(pairs[:, 0], pairs[:, 1], np.array(sizes).reshape(-1, 3), np.array(fronts).reshape(shape),
                  np.array(rears).reshape(shape))  # fmt: skip


def facing(half: Array, places: Array, a: int, b: int) -> tuple[int, float]:
    """The axis along which two boxes are farthest apart, and the room between their facing sides."""
    gaps = np.abs(places[a] - places[b]) - half[a] - half[b]
    axis = int(np.argmax(gaps))
    return axis, float(gaps[axis])
