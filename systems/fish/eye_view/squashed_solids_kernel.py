"""Solids as an eye sees them: bodies are capsules that are higher than wide, so rays meet them in a squashed space."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ...spatial_index.solid_ray_kernel import extent_of, from_centre, meets_capsule, meets_solid
from ...spatial_index.solids import SolidField, SolidKind

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Four, Vector

FLATTER = 3  # column of the squash, after its axis


@kernel(refcount=False)
def flattened(v: Vector, squash: Array) -> Vector:
    """Return a vector with its part along an axis divided: in that space a body that is higher than wide is round."""
    share = squash[FLATTER] * (v[0] * squash[0] + v[1] * squash[1] + v[2] * squash[2])
    return v[0] + share * squash[0], v[1] + share * squash[1], v[2] + share * squash[2]


@kernel(refcount=False)
def meets_squashed(eye: Vector, u: Vector, solids: Array, k: int, squash: Array) -> float:
    """Return the way along u to solid k, infinite if the ray misses it.

    squash: an axis (3), and as FLATTER the factor minus 1 on what lies along it. The way along a ray is the same in the
    squashed space.
    """
    if int(solids[k, SolidField.KIND]) != SolidKind.CAPSULE:
        return meets_solid(eye, u, solids, k)
    own, o, extent = squash[k], from_centre(solids, k, eye), extent_of(solids, k)
    return meets_capsule(flattened(o, own), flattened(u, own), flattened(extent, own), solids[k, SolidField.RADIUS])


@kernel(refcount=False)
def bounding_ball(solids: Array, k: int, squash: Array) -> Four:
    """Return centre and radius of a ball around solid k."""
    kind, radius = int(solids[k, SolidField.KIND]), solids[k, SolidField.RADIUS]
    x, y, z = solids[k, SolidField.X], solids[k, SolidField.Y], solids[k, SolidField.Z]
    ex, ey, ez = extent_of(solids, k)
    if kind == SolidKind.CAPSULE:
        widest = radius * max(1.0, 1.0 / (1.0 + squash[k, FLATTER]))
        half = 0.5 * sqrt(ex * ex + ey * ey + ez * ez)
        return x + 0.5 * ex, y + 0.5 * ey, z + 0.5 * ez, half + widest
    if kind == SolidKind.PILLAR:
        return x, y, z, sqrt(radius * radius + ez * ez)
    if kind == SolidKind.BOX:
        return x, y, z, sqrt(ex * ex + ey * ey + ez * ez)
    return x, y, z, radius
