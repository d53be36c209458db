"""Fishes in the distance that are pushed: what comes from the side moves them aside, what comes from ahead brakes them."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.fish.topology import NODES
from ....engine.creature import FULL
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .forces_kernel import FASTEST_PUSH

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.fish.nodes import NodePool
    from ....components.fish.springs import FishBodyPool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array


@kernel(refcount=False)
def give_way_one(c: int, fishes: FishBodyPool, nodes: NodePool, bodies: BodyPool, segments: SegmentPool, dt: float) -> None:
    """Update one fish by the pushes on its segments, all together and at most so fast.

    It goes on along its own axis alone, so what pushes along that changes its speed, and the rest moves it over this tick.
    """
    first, mass, fx, fy, fz = int64(bodies.first_segment[c]), 0.0, 0.0, 0.0, 0.0
    for i in range(first, first + bodies.segment_count[c]):
        mass += segments.mass[i]
        fx, fy, fz = fx + segments.push[i, 0], fy + segments.push[i, 1], fz + segments.push[i, 2]
    if fx == 0.0 and fy == 0.0 and fz == 0.0:
        return
    gain, forward = dt / mass, fishes.axes[c, 0]
    speed, most = gain * sqrt(fx * fx + fy * fy + fz * fz), FASTEST_PUSH * fishes.length[c]
    gain *= min(most / speed, 1.0)
    along = gain * (fx * forward[0] + fy * forward[1] + fz * forward[2])
    aside = (gain * fx - along * forward[0], gain * fy - along * forward[1], gain * fz - along * forward[2])
    node = int64(fishes.first_node[c])
    for axis in range(3):
        way = dt * aside[axis]
        fishes.velocity[c, axis] += along * forward[axis]
        fishes.centre[c, axis] += way
        fishes.mouth[c, axis] += way
        for k in range(node, node + NODES):
            nodes.position[k, axis] += way
        for i in range(first, first + bodies.segment_count[c]):
            segments.position[i, axis] += way
            segments.velocity[i, axis] += along * forward[axis]


@kernel(parallel=True)
def give_way(rows: Array, creatures: CreaturePool, fishes: FishBodyPool, nodes: NodePool, bodies: BodyPool,
             segments: SegmentPool, dt: float) -> None:  # fmt: skip
    """Update those of the listed fishes that are pushed and not seen in full."""
    for r in prange(rows.size):
        c = int64(rows[r])
        if creatures.tier[c] != FULL:
            give_way_one(c, fishes, nodes, bodies, segments, dt)
