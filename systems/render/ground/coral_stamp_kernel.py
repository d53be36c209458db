"""Corals as part of the height field: how one pixel, one twig or one dome of them is put there.

What stands higher covers what is lower; edges are mixed over one pixel. A place is a tuple (x, y, z) in units, `region` a tuple
(land, corner, height, albedo).
"""

# mypy: ignore-errors
from __future__ import annotations

import math

from numpy import float32 as f32

from ....engine.kernel import kernel

THINNEST = 0.62  # px; thinner twigs keep this radius


@kernel(refcount=False, inline=True)
def stamp(height, albedo, j, i, tall, cover, colour):
    """Update one pixel with a surface at a height, if that is not below what is there."""
    rise = tall - height[j, i]
    if rise <= f32(0.0) or cover <= f32(0.0):
        return
    height[j, i] += rise * cover
    for c in range(3):
        albedo[c, j, i] += (colour[c] - albedo[c, j, i]) * cover


@kernel(refcount=False)
def box_of(region, x, y, reach):
    """Return first and last column and row of the pixels of a region around a place."""
    land, (left, top), height, _ = region
    ci, cj, far = x * land.scale - left - 0.5, -y * land.scale - top - 0.5, reach * land.scale + 1.0
    rows, columns = height.shape
    return (
        max(int(ci - far), 0), min(int(ci + far) + 2, columns), max(int(cj - far), 0), min(int(cj + far) + 2, rows), ci, cj,
    )  # fmt: skip


@kernel(refcount=False)
def mixed(a, b, t):
    """Return two colours mixed."""
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t


@kernel(refcount=False)
def paler(colour, t):
    """Return a colour mixed with white."""
    return mixed(colour, (f32(0.85), f32(0.82), f32(0.78)), t)


@kernel(refcount=False)
def darker(colour, t):
    """Return a colour with so much of its light."""
    return colour[0] * t, colour[1] * t, colour[2] * t


@kernel(refcount=False)
def stamp_twig(region, a, b, radii, colours):
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
