"""Two capsules of any bodies that meet: where they are nearest to each other, and the impulse that parts them in a tick.

It takes away the whole speed of approach and leads out most of what has sunk in, along the line between the nearest points:
    f = m (1/dt) min(max(0, v.n + min(PARTED depth/dt, OUT reach)), FASTEST reach) n,
and where a gap of less than AHEAD is left, it leaves as much of the speed as just closes that: v.n - gap/dt.
Legend: n unit vector from the one to the other; v relative velocity of both points; reach sum of both radii; depth by which
both skins overlap; m reduced mass at these points. Bodies need not be as wide as high: heights are squeezed by
    q = (r_k + r_j) / (h_k + h_j)       h: half heights
before the nearest points are sought, and the normal is stretched back, so that each is an elliptic capsule.

Chains press against each other in another way (`soft_contact_kernel`): their tissue gives.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ...components.body import Answer
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ..spatial_index.solids import SolidField
from .soft_contact_kernel import SHORTEST, direction_apart, lightness_at, nearest_points, velocity_at

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array, Vector

PARTED = 0.8
"""Of the depth of an overlap, in a tick."""

OUT = 15.0
"""Sums of both radii per second at which bodies are led out of each other at most: those born into each other do not fly."""

FASTEST = 60.0
"""Sums of both radii per second that are taken away at most."""

SKIN = 0.05
"""Of the sum of both radii: the gap that is kept."""

SKIN_ON_FEET = 0.4
"""The same between two that stand on their feet, for those need room. Nothing else is braked ahead of that gap."""

AHEAD = 0.25
"""Of the sum of both radii: the gap from which on an approach is braked. Two animals at 7 u/s near each other by 0.23 u in
a tick, as much as a small one is thick."""


@kernel(refcount=False)
def front_segment(k: int, bodies: BodyPool, places: Array, capsules: Array) -> int:
    """Return the row of the segment at which capsule k begins, or which it is."""
    c = int64(capsules[k, SolidField.OWNER])
    return int64(bodies.first_segment[c]) + k - int64(places[c])


@kernel(refcount=False)
def half_height(k: int, row: int, capsules: Array, segments: SegmentPool) -> float:
    """Return half the height of a capsule."""
    return capsules[k, SolidField.RADIUS] * segments.half_extents[row, 2] / segments.half_extents[row, 1]


@kernel(refcount=False)
def arm_of(k: int, row: int, share: float, capsules: Array, segments: SegmentPool) -> Vector:
    """Return the way from the centre of a segment to a place along the capsule that it is."""
    at = segments.position[row]
    return (capsules[k, SolidField.X] + share * capsules[k, SolidField.EXTENT_X] - at[0],
            capsules[k, SolidField.Y] + share * capsules[k, SolidField.EXTENT_Y] - at[1],
            capsules[k, SolidField.Z] + share * capsules[k, SolidField.EXTENT_Z] - at[2])  # fmt: skip


@kernel(refcount=False)
def speed_along(k: int, c: int, row: int, share: float, n: Vector, bodies: BodyPool, segments: SegmentPool,
                capsules: Array) -> float:  # fmt: skip
    """Return how fast a place along a capsule of body c moves along a direction, nudges apart."""
    velocity = segments.velocity
    if bodies.linked[c] != 0:
        along = velocity_at(velocity, row, share, 0) * n[0]
        along += velocity_at(velocity, row, share, 1) * n[1]
        return along + velocity_at(velocity, row, share, 2) * n[2]
    ax, ay, az = arm_of(k, row, share, capsules, segments)
    spin = segments.angular_velocity[row]
    along = (velocity[row, 0] + spin[1] * az - spin[2] * ay) * n[0]
    along += (velocity[row, 1] + spin[2] * ax - spin[0] * az) * n[1]
    return along + (velocity[row, 2] + spin[0] * ay - spin[1] * ax) * n[2]


@kernel(refcount=False)
def moves_as_a_whole(c: int, bodies: BodyPool) -> bool:
    """Return whether a force anywhere on a body moves all of it."""
    return bodies.answer[c] == Answer.NUDGE.value or bodies.answer[c] == Answer.WHOLE.value


@kernel(refcount=False)
def lightness(k: int, c: int, row: int, share: float, n: Vector, bodies: BodyPool, segments: SegmentPool,
              capsules: Array) -> float:  # fmt: skip
    """Return 1/m of such a place against a force along a direction; what is moved as a whole has the mass of all of it.

    So has what is pushed along its own axis, for it takes along what hangs on it, but for chains: their tissue gives.
    """
    if moves_as_a_whole(c, bodies):
        return 1.0 / mass_of(c, bodies, segments)
    here = lightness_at(segments.mass, row, share) if bodies.linked[c] != 0 else 1.0 / segments.mass[row]
    if bodies.answer[c] == Answer.OWN.value:
        return here
    ux, uy, uz = capsules[k, SolidField.EXTENT_X], capsules[k, SolidField.EXTENT_Y], capsules[k, SolidField.EXTENT_Z]
    along, length = ux * n[0] + uy * n[1] + uz * n[2], ux * ux + uy * uy + uz * uz
    taken = along * along / length if length > SHORTEST else 0.0
    return (1.0 - taken) * here + taken / mass_of(c, bodies, segments)


@kernel(refcount=False)
def mass_of(c: int, bodies: BodyPool, segments: SegmentPool) -> float:
    """Return the mass of a body."""
    first, total = int64(bodies.first_segment[c]), 0.0
    for i in range(first, first + bodies.segment_count[c]):
        total += segments.mass[i]
    return total


@kernel(refcount=False)
def approach_of(k: int, j: int, bodies: BodyPool, segments: SegmentPool, places: Array, capsules: Array,
                dt: float) -> tuple[float, float, Vector, float, float, float]:  # fmt: skip
    """Return (s, t, n, closing, most, light): where capsules k and j meet, the way from k to j, and the speed to take away.

    That is `closing`, nudges apart, and no more than `most`; `light` is 1/m. Where they do not meet, `light` is 0.
    """
    row_k, row_j = front_segment(k, bodies, places, capsules), front_segment(j, bodies, places, capsules)
    reach = capsules[k, SolidField.RADIUS] + capsules[j, SolidField.RADIUS]
    squeeze = reach / (half_height(k, row_k, capsules, segments) + half_height(j, row_j, capsules, segments))
    s, t, dx, dy, dz = nearest_points(capsules, k, j, squeeze)
    c, d = int64(capsules[k, SolidField.OWNER]), int64(capsules[j, SolidField.OWNER])
    on_feet = bodies.answer[c] == Answer.NUDGE.value and bodies.answer[d] == Answer.NUDGE.value
    skin, ahead = (SKIN_ON_FEET, 0.0) if on_feet else (SKIN, AHEAD)
    squared, farthest = dx * dx + dy * dy + dz * dz, (1.0 + skin + ahead * max(squeeze, 1.0)) * reach
    if squared > farthest * farthest:
        return s, t, (0.0, 0.0, 0.0), 0.0, 0.0, 0.0
    distance = sqrt(squared)
    nx, ny, nz = direction_apart(capsules, k, dx, dy, dz, distance)
    nz *= squeeze  # across the surface of an ellipse, which the squeezed way is not
    steepness = sqrt(nx * nx + ny * ny + nz * nz)
    n = (nx / steepness, ny / steepness, nz / steepness)
    depth = ((1.0 + skin) * reach - distance) / steepness
    if not depth > -ahead * reach:
        return s, t, n, 0.0, 0.0, 0.0
    closing = speed_along(k, c, row_k, s, n, bodies, segments, capsules)
    closing -= speed_along(j, d, row_j, t, n, bodies, segments, capsules)
    closing += min(PARTED * depth / dt, OUT * reach) if depth > 0.0 else depth / dt
    if not closing > 0.0:
        return s, t, n, 0.0, 0.0, 0.0
    light = lightness(k, c, row_k, s, n, bodies, segments, capsules)
    light += lightness(j, d, row_j, t, n, bodies, segments, capsules)
    return s, t, n, closing, FASTEST * reach, light
