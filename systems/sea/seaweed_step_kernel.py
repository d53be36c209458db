"""How leaves of seaweed move: springs along and across a chain, buoyancy, the drag of the water, and bodies that pass.

A buoyant chain stands with a tension T_i, the buoyancy of all nodes above link i, which turns the link back to where it
points at rest with the stiffness T_i / l_i across. Drag is implicit in a node's own velocity, so no current can throw it.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from numba import prange

from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.sea.sea_flow_kernel import extra_flow
from ...engine.spatial_hash import boxes_overlap, next_item, open_query
from ...engine.water.sample_kernel import sample_water
from ..spatial_index.solid_kernel import solid_distance
from ..spatial_index.solids import SolidField
from .seaweed import BUOYANCY, LIGHTER, NODES, STRETCH, Thicket

if TYPE_CHECKING:
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array
    from ...engine.sea.sea_layout import SeaArrays
    from ...engine.spatial_hash import SpatialHash
    from .seaweed import SeaweedPool

DRAG = 5.0  # per second; a node takes on the velocity of the water in a fifth of it
PUSH = 90.0  # per s^2: acceleration away from a body, per unit that it is too near
ASIDE = 0.2  # of a body's radius: how far leaves keep from one at rest [Tu99 8.2]
ASIDE_PER_SPEED = 0.25  # and so much more per u/s of its own
FASTEST = 4.0  # u/s; faster bodies do not reach farther
MIDDLE, TIP = 4, NODES - 1  # nodes at which the water is looked up; sources of the sea at the first one only
UNDER = 0.02  # units below the surface that nodes stay
SHORTEST = 1e-6  # units
LEAF_FILL = 2.0 / 3.0  # of the rectangle around a leaf between two arcs
FACING = 0.5  # of its area that a leaf shows on average, turned any way: a quarter of its surface, which is two sides


@kernel()
def bend(row: int, weed: SeaweedPool, h: float) -> None:
    """Update the velocities of the nodes of a leaf by its springs."""
    x, v, rest, stiffness = weed.position[row], weed.velocity[row], weed.rest[row], weed.stiffness[row]
    mass = 1.0
    above = LIGHTER * (1.0 - LIGHTER ** (NODES - 1)) / (1.0 - LIGHTER)  # masses of the nodes above a link
    for i in range(NODES - 1):
        lighter = LIGHTER * mass
        rx, ry, rz = x[i + 1, 0] - x[i, 0], x[i + 1, 1] - x[i, 1], x[i + 1, 2] - x[i, 2]
        wx, wy, wz = rest[i + 1, 0] - rest[i, 0], rest[i + 1, 1] - rest[i, 1], rest[i + 1, 2] - rest[i, 2]
        length, wanted = sqrt(rx * rx + ry * ry + rz * rz), sqrt(wx * wx + wy * wy + wz * wz)
        if length > SHORTEST and wanted > SHORTEST:
            pull, across = stiffness * (1.0 - wanted / length), BUOYANCY * above / wanted
            fx, fy, fz = pull * rx - across * (wx - rx), pull * ry - across * (wy - ry), pull * rz - across * (wz - rz)
            v[i, 0] += h * fx / mass
            v[i, 1] += h * fy / mass
            v[i, 2] += h * fz / mass
            v[i + 1, 0] -= h * fx / lighter
            v[i + 1, 1] -= h * fy / lighter
            v[i + 1, 2] -= h * fz / lighter
        mass, above = lighter, above - lighter


@kernel()
def make_way(row: int, weed: SeaweedPool, bodies: Array, hashed: SpatialHash, creatures: CreaturePool, dt: float) -> None:
    """Update the velocities of the nodes of a leaf by the bodies that pass: they push it outward. [Tu99 8.2]"""
    x, v = weed.position[row], weed.velocity[row]
    west, south, east, north = x[0, 0], x[0, 1], x[0, 0], x[0, 1]
    for i in range(1, NODES):
        west, east = min(west, x[i, 0]), max(east, x[i, 0])
        south, north = min(south, x[i, 1]), max(north, x[i, 1])
    far = 1.0  # units; the widest berth that a body of one unit is given
    cells, cursor = open_query(hashed, west - far, south - far, east + far, north + far)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            break
        if not boxes_overlap(hashed.boxes, k, west - far, south - far, east + far, north + far):
            continue
        c = int64(bodies[k, SolidField.OWNER])
        speed = sqrt(creatures.velocity[c, 0] ** 2 + creatures.velocity[c, 1] ** 2 + creatures.velocity[c, 2] ** 2)
        berth = bodies[k, SolidField.RADIUS] * (ASIDE + ASIDE_PER_SPEED * min(speed, FASTEST))
        for i in range(1, NODES):
            gap, nx, ny, nz = solid_distance(bodies, k, x[i, 0], x[i, 1], x[i, 2])
            if gap < berth:
                push = PUSH * dt * (berth - gap)
                v[i, 0] += push * nx
                v[i, 1] += push * ny
                v[i, 2] += push * nz


@kernel()
def sway_one(row: int, weed: SeaweedPool, sea: SeaArrays, bodies: Array, hashed: SpatialHash, creatures: CreaturePool,
             dt: float) -> None:  # fmt: skip
    """Update the nodes of one leaf."""
    x, v = weed.position[row], weed.velocity[row]
    surface, depth, u, w = sample_water(sea.water, x[MIDDLE, 0], x[MIDDLE, 1])
    tip_surface, tip_depth, tip_u, tip_w = sample_water(sea.water, x[TIP, 0], x[TIP, 1])
    top = surface - UNDER if depth > 0.0 else x[0, 2]  # where a pond has gone, leaves lie on its bed
    if tip_depth > 0.0:
        top = min(top, tip_surface - UNDER)
    if depth > 0.0:
        more_u, more_w = extra_flow(sea, x[MIDDLE, 0], x[MIDDLE, 1], x[MIDDLE, 2])
        u, w, tip_u, tip_w = u + more_u, w + more_w, tip_u + more_u, tip_w + more_w
    if hashed.entry_item.size > 0:
        make_way(row, weed, bodies, hashed, creatures, dt)
    substeps = weed.substeps[row]
    h = dt / substeps
    keep = 1.0 / (1.0 + h * DRAG)
    for _ in range(substeps):
        bend(row, weed, h)
        v[0, 0], v[0, 1], v[0, 2] = 0.0, 0.0, 0.0
        for i in range(1, NODES):
            share = max(i - MIDDLE, 0) / (TIP - MIDDLE)
            v[i, 0] = (v[i, 0] + h * DRAG * (u + share * (tip_u - u))) * keep
            v[i, 1] = (v[i, 1] + h * DRAG * (w + share * (tip_w - w))) * keep
            v[i, 2] *= keep
            x[i, 0] = max(min(x[i, 0] + h * v[i, 0], x[0, 0] + STRETCH), x[0, 0] - STRETCH)
            x[i, 1] = max(min(x[i, 1] + h * v[i, 1], x[0, 1] + STRETCH), x[0, 1] - STRETCH)
            x[i, 2] = max(min(x[i, 2] + h * v[i, 2], top), x[0, 2])


@kernel(parallel=True)
def sway(rows: Array, weed: SeaweedPool, sea: SeaArrays, bodies: Array, hashed: SpatialHash, creatures: CreaturePool,
         dt: float) -> None:  # fmt: skip
    """Update all leaves of the listed rows. bodies: capsules of all creatures, with their hash."""
    for r in prange(rows.size):
        sway_one(int64(rows[r]), weed, sea, bodies, hashed, creatures, dt)


@kernel()
def leaf_area(row: int, weed: SeaweedPool) -> float:
    """Return how large one side of a leaf is; its edges are two arcs."""
    x, length = weed.position[row], 0.0
    for i in range(NODES - 1):
        rx, ry, rz = x[i + 1, 0] - x[i, 0], x[i + 1, 1] - x[i, 1], x[i + 1, 2] - x[i, 2]
        length += sqrt(rx * rx + ry * ry + rz * rz)
    return LEAF_FILL * weed.width[row] * length


@kernel()
def measure_thickets(spans: Array, weed: SeaweedPool, thickets: Array) -> None:
    """Update thickets (n, 7), columns `Thicket`, from the leaves of each cluster."""
    for k in range(spans.shape[0]):
        first, area, volume, margin = spans[k, 0], 0.0, 1.0, 0.0
        for row in range(first, first + spans[k, 1]):
            area += leaf_area(row, weed)
            margin = max(margin, 0.5 * weed.width[row])
        for axis in range(3):
            low = high = weed.position[first, 0, axis]
            for row in range(first, first + spans[k, 1]):
                for i in range(NODES):
                    low, high = min(low, weed.position[row, i, axis]), max(high, weed.position[row, i, axis])
            thickets[k, Thicket.LOW_X + axis], thickets[k, Thicket.HIGH_X + axis] = low - margin, high + margin
            volume *= high - low + 2.0 * margin
        thickets[k, Thicket.LOSS] = FACING * area / max(volume, SHORTEST)
