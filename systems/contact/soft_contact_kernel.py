"""Two links of chains that meet: where they are nearest to each other, and the force with which they press.

A link is a capsule between the centres of two neighbouring segments. The force acts along the line between the nearest
points of both axes, as an inelastic contact that begins a little before the skins touch: it takes away what of the speed
of approach is more than the gap allows, and leads out again what has sunk in. The one link gets the force, the other minus
the force, each shared out between its two segments as a lever would do it, so that no momentum comes of it:
    f = m RESPONSE min(v.n - APPROACH gap, FASTEST (r_k + r_j)) n, where that is positive.
Legend: s, t places of the nearest points along links k and j, 0..1; n unit vector from the one to the other; gap between
both skins, negative inside; m reduced mass at these points, 1/m = 1/m_k + 1/m_j with 1/m_k = (1 - s)^2/m_a + s^2/m_b.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ...engine.kernel import kernel
from ..spatial_index.solids import SolidField

if TYPE_CHECKING:
    from ...components.segments import SegmentPool
    from ...engine.kernel_types import Array, Vector

APPROACH = 10.0
"""1/s; two skins may near each other by as much of the gap per second, and are led out of each other as fast."""

RESPONSE = 30.0
"""1/s; how fast an approach that is faster is slowed down: by half in a tick. 50/s disturbed tissue (docs/crowds.md)."""

FASTEST = 12.0
"""Sums of both radii per second that are taken away at most; what comes faster sinks in, which is better than torn. A third
of that lets swimmers pass through each other: their beat alone moves a flank by several units per second."""

SKIN = 0.2
"""Of the sum of both radii: the gap that is kept."""

MIDDLING = 0.02
"""Pull of the nearest points toward the middle of their links, as a share of the links' stiffness against leaving it.

Of two links side by side no point is nearest: without it the force would jump from end to end."""

SHORTEST = 1e-9
"""Units; below this a direction is not defined."""


@kernel(refcount=False)
def clamp_to_link(share: float) -> float:
    """Return a place along a link, limited to its ends."""
    return min(max(share, 0.0), 1.0)


@kernel(refcount=False)
def nearest_points(capsules: Array, k: int, j: int, squeeze: float) -> tuple[float, float, float, float, float]:
    """Return (s, t, dx, dy, dz): the nearest points of the axes of links k and j, and the way from the one to the other.

    They minimise |p_k + s u - p_l - t v|^2 + MIDDLING (u.u (s - 1/2)^2 + v.v (t - 1/2)^2) over the two links (derived).
    Heights are multiplied by `squeeze` before, also that of the way: 1 for bodies as wide as high.
    """
    px, py, pz = capsules[k, SolidField.X], capsules[k, SolidField.Y], squeeze * capsules[k, SolidField.Z]
    rx, ry, rz = px - capsules[j, SolidField.X], py - capsules[j, SolidField.Y], pz - squeeze * capsules[j, SolidField.Z]
    ux, uy = capsules[k, SolidField.EXTENT_X], capsules[k, SolidField.EXTENT_Y]
    vx, vy = capsules[j, SolidField.EXTENT_X], capsules[j, SolidField.EXTENT_Y]
    uz, vz = squeeze * capsules[k, SolidField.EXTENT_Z], squeeze * capsules[j, SolidField.EXTENT_Z]
    uu = max(ux * ux + uy * uy + uz * uz, SHORTEST)
    vv = max(vx * vx + vy * vy + vz * vz, SHORTEST)
    uv = ux * vx + uy * vy + uz * vz
    wanted_s = 0.5 * MIDDLING * uu - (ux * rx + uy * ry + uz * rz)
    wanted_t = 0.5 * MIDDLING * vv + (vx * rx + vy * ry + vz * rz)
    a, b = (1.0 + MIDDLING) * uu, (1.0 + MIDDLING) * vv
    s = clamp_to_link((wanted_s * b + uv * wanted_t) / (a * b - uv * uv))
    t = clamp_to_link((wanted_t + uv * s) / b)
    s = clamp_to_link((wanted_s + uv * t) / a)
    return s, t, t * vx - s * ux - rx, t * vy - s * uy - ry, t * vz - s * uz - rz


@kernel(refcount=False)
def direction_apart(capsules: Array, k: int, dx: float, dy: float, dz: float, distance: float) -> Vector:
    """Return the unit vector along a way; for axes that cross, across link k."""
    if distance > SHORTEST:
        return dx / distance, dy / distance, dz / distance
    ux, uy = capsules[k, SolidField.EXTENT_X], capsules[k, SolidField.EXTENT_Y]
    length = sqrt(ux * ux + uy * uy)
    return (-uy / length, ux / length, 0.0) if length > SHORTEST else (1.0, 0.0, 0.0)


@kernel(refcount=False)
def lightness_at(mass: Array, row: int, share: float) -> float:
    """Return 1/m of the point at a share of the way from a segment to the next, both as points of mass."""
    return (1.0 - share) * (1.0 - share) / mass[row] + share * share / mass[row + 1]


@kernel(refcount=False)
def velocity_at(velocity: Array, row: int, share: float, axis: int) -> float:
    """Return one coordinate of the velocity of such a point."""
    return (1.0 - share) * velocity[row, axis] + share * velocity[row + 1, axis]


@kernel(refcount=False)
def press_links(capsules: Array, k: int, j: int, segments: SegmentPool, row_k: int,
                row_j: int) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Return (s, t, fx, fy, fz): where links k and j press against each other, and the force on j; on k it is minus that.

    row_k, row_j: the front segments of both.
    """
    s, t, dx, dy, dz = nearest_points(capsules, k, j, 1.0)
    distance = sqrt(dx * dx + dy * dy + dz * dz)
    nx, ny, nz = direction_apart(capsules, k, dx, dy, dz, distance)
    reach = capsules[k, SolidField.RADIUS] + capsules[j, SolidField.RADIUS]
    velocity, mass = segments.velocity, segments.mass
    closing = (velocity_at(velocity, row_k, s, 0) - velocity_at(velocity, row_j, t, 0)) * nx
    closing += (velocity_at(velocity, row_k, s, 1) - velocity_at(velocity, row_j, t, 1)) * ny
    closing += (velocity_at(velocity, row_k, s, 2) - velocity_at(velocity, row_j, t, 2)) * nz
    excess = min(closing - APPROACH * (distance - (1.0 + SKIN) * reach), FASTEST * reach)
    if not excess > 0.0:
        return s, t, 0.0, 0.0, 0.0
    force = RESPONSE * excess / (lightness_at(mass, row_k, s) + lightness_at(mass, row_j, t))
    return s, t, force * nx, force * ny, force * nz
