"""Where a ray meets a solid, and which solids hide a point from an eye.

A ray that begins inside of a solid does not meet it. Legend: o is the eye, u the unit direction of a ray, both as seen from
the centre of a shape; p is a point looked at.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING

from ...engine.kernel import kernel
from ...engine.vector_kernel import dot
from .solid_kernel import link_distance
from .solids import SolidField, SolidKind

if TYPE_CHECKING:
    from ...engine.kernel_types import Array, Vector

HERE = 1e-12  # squared lengths and slopes below this are none


@kernel(refcount=False)
def roots(a: float, b: float, c: float) -> tuple[float, float]:
    """Return the two roots of a t^2 + 2 b t + c = 0, the smaller first; both infinite if there are none."""
    square = b * b - a * c
    if a < HERE or square < 0.0:
        return inf, inf
    root = sqrt(square)
    return (-b - root) / a, (-b + root) / a


@kernel(refcount=False)
def meets_ball(o: Vector, u: Vector, radius: float) -> float:
    """Return the way to a ball."""
    t = roots(dot(u, u), dot(o, u), dot(o, o) - radius * radius)[0]
    return t if t > 0.0 else inf


@kernel(refcount=False)
def meets_capsule(o: Vector, u: Vector, axis: Vector, radius: float) -> float:
    """Return the way to a capsule whose first end is the origin and whose second is `axis`."""
    aa, ao, au = dot(axis, axis), dot(axis, o), dot(axis, u)
    second = (o[0] - axis[0], o[1] - axis[1], o[2] - axis[2])
    if aa > HERE:
        a, b = aa * dot(u, u) - au * au, aa * dot(o, u) - ao * au
        c = aa * dot(o, o) - ao * ao - radius * radius * aa
        t = roots(a, b, c)[0]
        along = ao + t * au
        if t < inf and 0.0 < along < aa:
            return t if t > 0.0 else inf
    nearest = min(dot(o, o), dot(second, second))
    if nearest < radius * radius:  # inside of one of the ends
        return inf
    return min(meets_ball(o, u, radius), meets_ball(second, u, radius))


@kernel(refcount=False)
def meets_mantle(o: Vector, u: Vector, radius: float) -> tuple[float, float]:
    """Return where a line enters and leaves an endless upright cylinder, infinite if it does not."""
    return roots(u[0] * u[0] + u[1] * u[1], o[0] * u[0] + o[1] * u[1], o[0] * o[0] + o[1] * o[1] - radius * radius)


@kernel(refcount=False)
def meets_pillar(o: Vector, u: Vector, radius: float, half_height: float) -> float:
    """Return the way to an upright cylinder with flat ends."""
    best = inf
    t = meets_mantle(o, u, radius)[0]
    if 0.0 < t < inf and abs(o[2] + t * u[2]) <= half_height:
        best = t
    if u[2] != 0.0:
        end = -half_height if u[2] > 0.0 else half_height  # the one it comes to first
        t = (end - o[2]) / u[2]
        x, y = o[0] + t * u[0], o[1] + t * u[1]
        if t > 0.0 and x * x + y * y <= radius * radius:
            best = min(best, t)
    return best


@kernel(refcount=False)
def between(start: float, step: float, half: float, low: float, high: float) -> tuple[float, float]:
    """Return the part of [low, high] in which a coordinate that goes from start by step per unit is within +-half."""
    if step == 0.0:
        return (low, high) if abs(start) < half else (1.0, 0.0)
    a, b = (-half - start) / step, (half - start) / step
    return max(low, min(a, b)), min(high, max(a, b))


@kernel(refcount=False)
def within_box(o: Vector, u: Vector, half: Vector, low: float, high: float) -> tuple[float, float]:
    """Return the part of [low, high] of a line that is inside of a box along the axes; empty if the first is not smaller."""
    low, high = between(o[0], u[0], half[0], low, high)
    low, high = between(o[1], u[1], half[1], low, high)
    return between(o[2], u[2], half[2], low, high)


@kernel(refcount=False)
def meets_box(o: Vector, u: Vector, half: Vector) -> float:
    """Return the way to a box along the axes."""
    low, high = within_box(o, u, half, -inf, inf)
    return low if 0.0 < low < high else inf


@kernel(refcount=False)
def from_centre(solids: Array, k: int, place: Vector) -> Vector:
    """Return a place as seen from the centre of solid k, in axes of the world."""
    return place[0] - solids[k, SolidField.X], place[1] - solids[k, SolidField.Y], place[2] - solids[k, SolidField.Z]


@kernel(refcount=False)
def extent_of(solids: Array, k: int) -> Vector:
    """Return the half sizes of solid k, or the way from the first end of a capsule to its second."""
    return solids[k, SolidField.EXTENT_X], solids[k, SolidField.EXTENT_Y], solids[k, SolidField.EXTENT_Z]


@kernel(refcount=False)
def in_box_axes(solids: Array, k: int, v: Vector) -> Vector:
    """Return a vector in the own axes of a box."""
    c, s = solids[k, SolidField.COS], solids[k, SolidField.SIN]
    return c * v[0] + s * v[1], c * v[1] - s * v[0], v[2]


@kernel(refcount=False)
def meets_solid(eye: Vector, u: Vector, solids: Array, k: int) -> float:
    """Return the way along u to solid k, infinite if the ray misses it."""
    kind, radius = int(solids[k, SolidField.KIND]), solids[k, SolidField.RADIUS]
    o, extent = from_centre(solids, k, eye), extent_of(solids, k)
    if kind == SolidKind.CAPSULE:
        return meets_capsule(o, u, extent, radius)
    if kind == SolidKind.PILLAR:
        return meets_pillar(o, u, radius, extent[2])
    if kind == SolidKind.BOX:
        return meets_box(in_box_axes(solids, k, o), in_box_axes(solids, k, u), extent)
    return meets_ball(o, u, radius)


@kernel(refcount=False)
def pillar_hides(o: Vector, p: Vector, x: float, y: float, radius: float, bottom: float, top: float) -> bool:
    """Return whether an upright cylinder is between two points: its mantle is met between its ends. [Tu99 6.4.1]"""
    way = (p[0] - o[0], p[1] - o[1], p[2] - o[2])
    first, second = meets_mantle((o[0] - x, o[1] - y, 0.0), way, radius)
    z1, z2 = o[2] + first * way[2], o[2] + second * way[2]
    return (0.0 <= first <= 1.0 and bottom < z1 <= top) or (0.0 <= second <= 1.0 and bottom < z2 <= top)


@kernel(refcount=False)
def ball_hides(o: Vector, p: Vector, x: float, y: float, z: float, radius: float) -> bool:
    """Return whether a ball is between two points."""
    ox, oy, oz, dx, dy, dz = o[0] - x, o[1] - y, o[2] - z, p[0] - o[0], p[1] - o[1], p[2] - o[2]
    a = dx * dx + dy * dy + dz * dz
    t = min(max(-(ox * dx + oy * dy + oz * dz) / a, 0.0), 1.0) if a > 0.0 else 0.0
    x, y, z = ox + t * dx, oy + t * dy, oz + t * dz
    return x * x + y * y + z * z < radius * radius


@kernel(refcount=False)
def box_hides(o: Vector, p: Vector, solids: Array, k: int) -> bool:
    """Return whether an upright box is between two points."""
    way = in_box_axes(solids, k, (p[0] - o[0], p[1] - o[1], p[2] - o[2]))
    low, high = within_box(in_box_axes(solids, k, from_centre(solids, k, o)), way, extent_of(solids, k), 0.0, 1.0)
    return low < high


@kernel(refcount=False)
def solid_hides(o: Vector, p: Vector, solids: Array, k: int) -> bool:
    """Return whether solid k is between two points. An eye inside of a ball, a box or a capsule sees nothing."""
    kind, z = int(solids[k, SolidField.KIND]), solids[k, SolidField.Z]
    x, y, radius = solids[k, SolidField.X], solids[k, SolidField.Y], solids[k, SolidField.RADIUS]
    if kind == SolidKind.PILLAR:
        half = solids[k, SolidField.EXTENT_Z]
        return pillar_hides(o, p, x, y, radius, z - half, z + half)
    if kind == SolidKind.BOX:
        return box_hides(o, p, solids, k)
    if kind == SolidKind.CAPSULE:
        return link_distance(solids, k, o[0], o[1], o[2], p[0], p[1], p[2]).distance < 0.0
    return ball_hides(o, p, x, y, z, radius)
