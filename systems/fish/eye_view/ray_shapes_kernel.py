"""Where a ray meets the shapes that solids have. A ray that begins inside of a shape does not see it.

Legend: o is the eye, u the unit direction of the ray; both relative to the centre of the shape.
"""

# mypy: ignore-errors
from __future__ import annotations

from math import inf, sqrt

from ....engine.kernel import kernel
from ....engine.vector_kernel import dot
from ...spatial_index.solids import SolidField, SolidKind

HERE = 1e-12  # squared lengths and slopes below this are none


@kernel(refcount=False)
def first_root(a, b, c):
    """Return the smaller root of a t^2 + 2 b t + c = 0, infinite if there is none."""
    root = b * b - a * c
    if a < HERE or root < 0.0:
        return inf
    return (-b - sqrt(root)) / a


@kernel(refcount=False)
def meets_ball(o, u, radius):
    """Return the way to a ball."""
    t = first_root(dot(u, u), dot(o, u), dot(o, o) - radius * radius)
    return t if t > 0.0 else inf


@kernel(refcount=False)
def meets_capsule(o, u, axis, radius):
    """Return the way to a capsule whose first end is the origin and whose second is `axis`."""
    aa, ao, au = dot(axis, axis), dot(axis, o), dot(axis, u)
    second = (o[0] - axis[0], o[1] - axis[1], o[2] - axis[2])
    if aa > HERE:
        a, b = aa * dot(u, u) - au * au, aa * dot(o, u) - ao * au
        c = aa * dot(o, o) - ao * ao - radius * radius * aa
        t = first_root(a, b, c)
        along = ao + t * au
        if t < inf and 0.0 < along < aa:
            return t if t > 0.0 else inf
    nearest = min(dot(o, o), dot(second, second))
    if nearest < radius * radius:  # inside of one of the ends
        return inf
    return min(meets_ball(o, u, radius), meets_ball(second, u, radius))


@kernel(refcount=False)
def meets_pillar(o, u, radius, half_height):
    """Return the way to an upright cylinder with flat ends."""
    best = inf
    t = first_root(u[0] * u[0] + u[1] * u[1], o[0] * u[0] + o[1] * u[1], o[0] * o[0] + o[1] * o[1] - radius * radius)
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
def between(start, step, half, low, high):
    """Return the part of [low, high] in which a coordinate that goes from start by step per unit is within +-half."""
    if step == 0.0:
        return (low, high) if abs(start) < half else (1.0, 0.0)
    a, b = (-half - start) / step, (half - start) / step
    return max(low, min(a, b)), min(high, max(a, b))


@kernel(refcount=False)
def meets_box(o, u, half_x, half_y, half_z):
    """Return the way to a box along the axes."""
    low, high = between(o[0], u[0], half_x, -inf, inf)
    low, high = between(o[1], u[1], half_y, low, high)
    low, high = between(o[2], u[2], half_z, low, high)
    return low if 0.0 < low < high else inf


@kernel(refcount=False)
def flattened(v, squash):
    """Return a vector with its part along an axis divided: in that space a body that is higher than wide is round."""
    share = squash[3] * (v[0] * squash[0] + v[1] * squash[1] + v[2] * squash[2])
    return v[0] + share * squash[0], v[1] + share * squash[1], v[2] + share * squash[2]


@kernel(refcount=False)
def meets_solid(eye, u, solids, k, squash):
    """Return the way along u to solid k, infinite if the ray misses it.

    squash: axis, and the factor minus 1 on what lies along it. The way along a ray is the same in the squashed space.
    """
    kind, radius = int(solids[k, SolidField.KIND]), solids[k, SolidField.RADIUS]
    o = (eye[0] - solids[k, SolidField.X], eye[1] - solids[k, SolidField.Y], eye[2] - solids[k, SolidField.Z])
    extent = (solids[k, SolidField.EXTENT_X], solids[k, SolidField.EXTENT_Y], solids[k, SolidField.EXTENT_Z])
    if kind == SolidKind.CAPSULE:
        own = squash[k]
        return meets_capsule(flattened(o, own), flattened(u, own), flattened(extent, own), radius)
    if kind == SolidKind.PILLAR:
        return meets_pillar(o, u, radius, extent[2])
    if kind == SolidKind.BOX:
        c, s = solids[k, SolidField.COS], solids[k, SolidField.SIN]
        from_there = (c * o[0] + s * o[1], c * o[1] - s * o[0], o[2])
        way = (c * u[0] + s * u[1], c * u[1] - s * u[0], u[2])
        return meets_box(from_there, way, extent[0], extent[1], extent[2])
    return meets_ball(o, u, radius)


@kernel(refcount=False)
def bounding_ball(solids, k, squash):
    """Return centre and radius of a ball around solid k."""
    kind, radius = int(solids[k, SolidField.KIND]), solids[k, SolidField.RADIUS]
    x, y, z = solids[k, SolidField.X], solids[k, SolidField.Y], solids[k, SolidField.Z]
    ex, ey, ez = solids[k, SolidField.EXTENT_X], solids[k, SolidField.EXTENT_Y], solids[k, SolidField.EXTENT_Z]
    if kind == SolidKind.CAPSULE:
        widest = radius * max(1.0, 1.0 / (1.0 + squash[k, 3]))
        half = 0.5 * sqrt(ex * ex + ey * ey + ez * ez)
        return x + 0.5 * ex, y + 0.5 * ey, z + 0.5 * ez, half + widest
    if kind == SolidKind.PILLAR:
        return x, y, z, sqrt(radius * radius + ez * ez)
    if kind == SolidKind.BOX:
        return x, y, z, sqrt(ex * ex + ey * ey + ez * ez)
    return x, y, z, radius
