"""Corals as part of the height field: how one pixel, one twig or one dome of them is put there.

What stands higher covers what is lower; edges are mixed over one pixel. A place is a tuple (x, y, z) in units, `region` a
tuple (land, corner, height, albedo).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32

if TYPE_CHECKING:
    from ....engine.kernel_types import Array, Numbers, Vector
    from .land import Land

THINNEST = 0.62  # px; thinner twigs keep this radius


@kernel(refcount=False, inline=True)
def stamp(height: Array, albedo: Array, j: int, i: int, tall: float, cover: float, colour: Vector) -> None:
    """Update one pixel with a surface at a height, if that is not below what is there."""
    rise = tall - height[j, i]
    if rise <= f32(0.0) or cover <= f32(0.0):
        return
    height[j, i] += rise * cover
    for c in range(3):
        albedo[c, j, i] += (colour[c] - albedo[c, j, i]) * cover


@kernel(refcount=False)
def box_of(region: tuple[Land, tuple[float, float], Array, Array], x: float, y: float,
           reach: float) -> tuple[int, int, int, int, float, float]:  # fmt: skip
    """Return first and last column and row of the pixels of a region around a place."""
    land, (left, top), height, _ = region
    ci, cj, far = x * land.scale - left - 0.5, -y * land.scale - top - 0.5, reach * land.scale + 1.0
    rows, columns = height.shape
    return (
        max(int(ci - far), 0), min(int(ci + far) + 2, columns), max(int(cj - far), 0), min(int(cj + far) + 2, rows), ci, cj,
    )  # fmt: skip


@kernel(refcount=False)
def mixed(a: Numbers, b: Numbers, t: float) -> Vector:
    """Return two colours mixed."""
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t


@kernel(refcount=False)
def paler(colour: Vector, t: float) -> Vector:
    """Return a colour mixed with a bright one of its own hue."""
    return mixed(colour, (f32(0.45) + colour[0], f32(0.42) + colour[1], f32(0.40) + colour[2]), t)


@kernel(refcount=False)
def darker(colour: Vector, t: float) -> Vector:
    """Return a colour with so much of its light."""
    return colour[0] * t, colour[1] * t, colour[2] * t


@kernel(refcount=False)
def stamp_twig(region: tuple[Land, tuple[float, float], Array, Array], a: Vector, b: Vector, radii: tuple[float, float],
               colours: tuple[Vector, Vector]) -> None:  # fmt: skip
    """Update a region with a round twig from a to b."""
    land, (left, top), height, albedo = region
    scale = land.scale
    thin = THINNEST / scale
    r0, r1 = max(radii[0], thin), max(radii[1], thin)
    dx, dy = b[0] - a[0], b[1] - a[1]
    reach = 0.5 * math.sqrt(dx * dx + dy * dy) + max(r0, r1)
    i0, i1, j0, j1, _, _ = box_of(region, 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), reach)
    per = 1.0 / max(dx * dx + dy * dy, 1e-9)
    for j in range(j0, j1):
        py = -(top + j + 0.5) / scale - a[1]
        for i in range(i0, i1):
            px = (left + i + 0.5) / scale - a[0]
            t = min(max((px * dx + py * dy) * per, 0.0), 1.0)
            ex, ey, r = px - t * dx, py - t * dy, r0 + (r1 - r0) * t
            e = math.sqrt(ex * ex + ey * ey)
            cover = f32(min(max((r - e) * scale + 0.5, 0.0), 1.0))
            if cover > f32(0.0):
                tall = f32(a[2] + (b[2] - a[2]) * t + math.sqrt(max(r * r - e * e, 0.0)))
                stamp(height, albedo, j, i, tall, cover, mixed(colours[0], colours[1], f32(t)))
