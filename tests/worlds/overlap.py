"""How deep animals are in each other, measured apart from the contact step: it must not judge itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from paludarium.components.body import BodyPool
from paludarium.components.segments import SegmentPool
from paludarium.systems.spatial_index.index import SpatialIndex
from paludarium.systems.spatial_index.solids import SolidField

if TYPE_CHECKING:
    from paludarium.engine.pool import Array
    from paludarium.engine.world import World

DEEP = 0.2
"""Of the narrower radius: overlaps deeper than this count."""
SAMPLES = np.linspace(0.0, 1.0, 7)[None, :, None]
"""Shares of a capsule's length at which its distance to another one is taken."""


def squeezed_distance(points: Array, start: Array, way: Array, squeeze: Array) -> Array:
    """(n,) from the nearest of (n, 7, 3) points to lines, heights multiplied by (n,) squeezes before."""
    scale = np.stack([np.ones_like(squeeze), np.ones_like(squeeze), squeeze], axis=1)
    from_start, way = points * scale[:, None] - (start * scale)[:, None], way * scale
    share = (from_start * way[:, None]).sum(axis=-1) / np.maximum((way * way).sum(axis=-1), 1e-12)[:, None]
    gap = from_start - np.clip(share, 0.0, 1.0)[..., None] * way[:, None]
    return np.asarray(np.linalg.norm(gap, axis=-1).min(axis=1))


def overlaps(world: World) -> tuple[Array, Array]:
    """(n,) depths of overlaps of elliptic capsules, as shares of the narrower radius, and (n, 2) whose."""
    index = world.resource(SpatialIndex)
    index.refresh()
    bodies, segments, capsules, box = world.pool(BodyPool), world.pool(SegmentPool), index.bodies, index.body_hash.boxes
    owner, radius = capsules[:, SolidField.OWNER].astype(int), capsules[:, SolidField.RADIUS]
    row = bodies.first_segment[owner] + np.arange(len(capsules)) - index.places[owner]
    high = radius * segments.half_extents[row, 2] / segments.half_extents[row, 1]
    start = capsules[:, [SolidField.X, SolidField.Y, SolidField.Z]]
    way = capsules[:, [SolidField.EXTENT_X, SolidField.EXTENT_Y, SolidField.EXTENT_Z]]
    order = np.argsort(box[:, 0])
    first, second = [], []
    for place, k in enumerate(order):
        others = order[place + 1 : np.searchsorted(box[order, 0], box[k, 2], side="right")]
        others = others[(owner[others] != owner[k]) & (box[others, 1] <= box[k, 3]) & (box[others, 3] >= box[k, 1])]
        first.append(np.full(others.size, k))
        second.append(others)
    i, j = np.concatenate(first), np.concatenate(second)
    squeeze = (radius[i] + radius[j]) / (high[i] + high[j])
    near = [squeezed_distance(start[a][:, None] + SAMPLES * way[a][:, None], start[b], way[b], squeeze)
            for a, b in ((i, j), (j, i))]  # fmt: skip
    depth = (radius[i] + radius[j] - np.minimum(*near)) / np.minimum(radius[i], radius[j])
    return depth[depth > 0.0], np.stack([owner[i], owner[j]], axis=1)[depth > 0.0]


def deep_share(world: World) -> float:
    """Share of the animals that are deep in another one."""
    depth, whose = overlaps(world)
    return float(np.unique(whose[depth > DEEP]).size / len(world.creatures))
