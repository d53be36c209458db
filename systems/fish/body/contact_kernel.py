"""What stops a fish: the bed, rocks, walls and the edge of the map, and on land the ground it lies on.

Four places along the spine are asked. What is too near is moved out of it by a twentieth of a length per tick at most and
loses its speed into it: more than that at once tears a body of springs. [fish 7]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.fish.topology import SEGMENT_NODES
from ....engine.kernel import kernel
from ....engine.spatial_hash import next_item, open_query
from ....engine.terrain.ground_kernel import sample_ground
from ...spatial_index.wall_contact_kernel import FIRST_EDGE, WALLS, nearest_edge, wall_contact
from .springs_kernel import U, V, W, X, Y, Z

if TYPE_CHECKING:
    from ....components.fish.springs import FishBodyPool
    from ....engine.kernel_types import Array, Vector
    from ....engine.terrain.ground_layout import Ground
    from ...body_surroundings import BodySurroundings

LARGEST_MOVE = 0.05  # lengths per tick [fish 7]
FRICTION = 0.25  # share of the speed along the ground that is lost per tick on land


@kernel(refcount=False)
def group_mean(s: Array, column: int, group: int) -> float:
    """Return the mean of a scratch column over the nodes of a place."""
    total, first, last = 0.0, SEGMENT_NODES[group, 0], SEGMENT_NODES[group, 1]
    for node in range(first, last):
        total += s[column + node]
    return total / (last - first)


@kernel(refcount=False)
def move_out(s: Array, group: int, depth: float, normal: Vector, most: float, dry: bool) -> None:
    """Update places and velocities of the nodes of a group that is too near by `depth`."""
    move = min(depth, most)
    nx, ny, nz = normal
    u, v, w = group_mean(s, U, group), group_mean(s, V, group), group_mean(s, W, group)
    into = min(u * nx + v * ny + w * nz, 0.0)
    rub = FRICTION if dry else 0.0
    for node in range(SEGMENT_NODES[group, 0], SEGMENT_NODES[group, 1]):
        s[X + node] += move * nx
        s[Y + node] += move * ny
        s[Z + node] += move * nz
        s[U + node] -= into * nx + rub * (u - into * nx)
        s[V + node] -= into * ny + rub * (v - into * ny)
        s[W + node] -= into * nz + rub * (w - into * nz)


@kernel(refcount=False)
def keep_out(s: Array, c: int, fishes: FishBodyPool, ground: Ground, around: BodySurroundings, dry: bool) -> bool:
    """Update a fish that touches the ground, a rock or the edge of the map; return whether it does."""
    length = fishes.length[c]
    thick, most = 0.5 * max(fishes.width[c], fishes.height[c]), LARGEST_MOVE * length
    x, y, z = fishes.centre[c, 0], fishes.centre[c, 1], fishes.centre[c, 2]
    near_ground = sample_ground(ground, x, y, z).distance < length
    cells, cursor = open_query(around.solid_hash, x - length, y - length, x + length, y + length)
    near_solid = next_item(around.solid_hash, cells, cursor)[0] >= 0
    near_edge = nearest_edge(x, y, around.bounds).distance < length
    if not (near_ground or near_solid or near_edge):
        return False
    touched = False
    for group in range(4):
        radius = thick if group == 1 or group == 2 else 0.6 * thick
        x, y, z = group_mean(s, X, group), group_mean(s, Y, group), group_mean(s, Z, group)
        if near_ground:
            d, nx, ny, nz = sample_ground(ground, x, y, z)
            if d < radius:
                move_out(s, group, radius - d, (nx, ny, nz), most, dry)
                touched = True
        for wall in range(0 if near_solid else FIRST_EDGE, WALLS if near_edge else FIRST_EDGE):
            depth, nx, ny, nz = wall_contact(wall, x, y, z, radius, around)
            if depth > 0.0:
                move_out(s, group, depth, (nx, ny, nz), most, False)
                touched = True
    return touched
