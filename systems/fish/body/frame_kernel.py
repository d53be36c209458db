"""Where a fish is and how it lies, from its nodes: centre, axes, mouth, and the four segments that all other code knows."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ....components.fish.topology import NODES
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.turn_kernel import quaternion_of_axes
from ....engine.vector_kernel import NO_LENGTH, cross, unit

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.fish.nodes import NodePool
    from ....components.fish.springs import FishBodyPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Vector
    from .kind_table import FishKinds


@kernel(refcount=False)
def ring_mean(values: Array, first: int, ring: int, axis: int) -> float:
    """Return the mean of a column over the four nodes of a ring."""
    b = first + 1 + 4 * ring
    return 0.25 * (values[b, axis] + values[b + 1, axis] + values[b + 2, axis] + values[b + 3, axis])


@kernel(refcount=False)
def body_axes(position: Array, first: int) -> tuple[Vector, Vector, Vector]:
    """Return forward, left and up of a fish: along its stiff front half, and from bellies to backs of three rings."""
    fx = ring_mean(position, first, 0, 0) - ring_mean(position, first, 2, 0)
    fy = ring_mean(position, first, 0, 1) - ring_mean(position, first, 2, 1)
    fz = ring_mean(position, first, 0, 2) - ring_mean(position, first, 2, 2)
    forward = unit((fx, fy, fz), (1.0, 0.0, 0.0))
    ux = uy = uz = 0.0
    for ring in range(3):
        b = first + 1 + 4 * ring
        ux += position[b, 0] + position[b + 3, 0] - position[b + 1, 0] - position[b + 2, 0]
        uy += position[b, 1] + position[b + 3, 1] - position[b + 1, 1] - position[b + 2, 1]
        uz += position[b, 2] + position[b + 3, 2] - position[b + 1, 2] - position[b + 2, 2]
    along = ux * forward[0] + uy * forward[1] + uz * forward[2]
    up = unit((ux - along * forward[0], uy - along * forward[1], uz - along * forward[2]), (0.0, 0.0, 1.0))
    return forward, cross(up, forward), up


@kernel(refcount=False)
def write_frame(c: int, k: int, kinds: FishKinds, fishes: FishBodyPool, nodes: NodePool) -> None:
    """Update centre, velocity, axes and mouth of a fish."""
    first, position, velocity = int64(fishes.first_node[c]), nodes.position, nodes.velocity
    total = kinds.total_mass[k]
    for axis in range(3):
        place = speed = 0.0
        for i in range(NODES):
            m = kinds.mass[k, i]
            place += m * position[first + i, axis]
            speed += m * velocity[first + i, axis]
        fishes.centre[c, axis], fishes.velocity[c, axis] = place / total, speed / total
        fishes.mouth[c, axis] = position[first, axis]
    forward, left, up = body_axes(position, first)
    for axis in range(3):
        fishes.axes[c, 0, axis], fishes.axes[c, 1, axis], fishes.axes[c, 2, axis] = forward[axis], left[axis], up[axis]


@kernel(refcount=False)
def station(values: Array, first: int, segment: int, axis: int) -> float:
    """Return the mean of a column at one of the four segments: behind the nose, second ring, before the tail, tail."""
    if segment == 0:
        return 0.5 * (values[first, axis] + ring_mean(values, first, 0, axis))
    if segment == 1:
        return ring_mean(values, first, 1, axis)
    if segment == 2:
        return 0.5 * (ring_mean(values, first, 2, axis) + ring_mean(values, first, 3, axis))
    tips = 0.5 * (values[first + 21, axis] + values[first + 22, axis])
    return 0.5 * (ring_mean(values, first, 4, axis) + tips)


@kernel(refcount=False)
def write_segments(c: int, fishes: FishBodyPool, nodes: NodePool, bodies: BodyPool, segments: SegmentPool,
                   level: float) -> None:  # fmt: skip
    """Update the four segments of a fish from its nodes. level: of the water, far below everything where it is dry."""
    first, here = int64(fishes.first_node[c]), int64(bodies.first_segment[c])
    axes = fishes.axes
    up = (axes[c, 2, 0], axes[c, 2, 1], axes[c, 2, 2])
    forward = (axes[c, 0, 0], axes[c, 0, 1], axes[c, 0, 2])
    for i in range(4):
        for axis in range(3):
            segments.position[here + i, axis] = station(nodes.position, first, i, axis)
            segments.velocity[here + i, axis] = station(nodes.velocity, first, i, axis)
    for i in range(4):
        ahead, behind = here + max(i - 1, 0), here + min(i + 1, 3)
        x = segments.position[ahead, 0] - segments.position[behind, 0]
        y = segments.position[ahead, 1] - segments.position[behind, 1]
        z = segments.position[ahead, 2] - segments.position[behind, 2]
        along = unit((x, y, z), forward)
        left = unit(cross(up, along), (0.0, 1.0, 0.0))
        turn = quaternion_of_axes(along, left, cross(along, left))
        for part in range(4):
            segments.orientation[here + i, part] = turn[part]
        # it turns as the line from the segment behind to the one ahead does
        length = sqrt(x * x + y * y + z * z)
        du = segments.velocity[ahead, 0] - segments.velocity[behind, 0]
        dv = segments.velocity[ahead, 1] - segments.velocity[behind, 1]
        dw = segments.velocity[ahead, 2] - segments.velocity[behind, 2]
        spin = cross(along, (du, dv, dw))
        for axis in range(3):
            segments.angular_velocity[here + i, axis] = spin[axis] / max(length, NO_LENGTH)
        segments.submerged[here + i] = 1 if segments.position[here + i, 2] < level else 0
        segments.water_level[here + i] = level
