"""What stops a fish: the bed, rocks, walls and the edge of the map, and on land the ground it lies on.

Four places along the spine are asked about the ground, nose, rings and tail about rocks and edges: a pillar fits between
places that are farther from each other. What is too near is moved out of it by a twentieth of a length per tick at most
and loses its speed into it: more than that at once tears a body of springs. [fish 7]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.fish.topology import CORNERS, NODES, SEGMENT_NODES, STATIONS
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
NARROW = 0.6  # of the radius in the middle that nose and tail have
FRICTION = 0.25  # share of the speed along the ground that is lost per tick on land
AFLOAT = 0.5  # share of its nodes under water from which on a fish rubs on nothing


@kernel(refcount=False)
def mean_of(s: Array, column: int, first: int, end: int) -> float:
    """Return the mean of a scratch column over some nodes."""
    total = 0.0
    for node in range(first, end):
        total += s[column + node]
    return total / (end - first)


@kernel(refcount=False)
def first_of_station(station: int) -> int:
    """Return the first node of the nose, a ring or the tail; that of the next one is where it ends."""
    return 0 if station == 0 else min(1 + CORNERS * (station - 1), NODES)


@kernel(refcount=False)
def move_out(s: Array, first: int, end: int, depth: float, normal: Vector, most: float, rub: float) -> None:
    """Update places and velocities of some nodes too near by `depth`; rub: share of the speed along that is lost."""
    move = min(depth, most)
    nx, ny, nz = normal
    u, v, w = mean_of(s, U, first, end), mean_of(s, V, first, end), mean_of(s, W, first, end)
    into = min(u * nx + v * ny + w * nz, 0.0)
    for node in range(first, end):
        s[X + node] += move * nx
        s[Y + node] += move * ny
        s[Z + node] += move * nz
        s[U + node] -= into * nx + rub * (u - into * nx)
        s[V + node] -= into * ny + rub * (v - into * ny)
        s[W + node] -= into * nz + rub * (w - into * nz)


@kernel(refcount=False)
def keep_out(s: Array, c: int, fishes: FishBodyPool, ground: Ground, around: BodySurroundings) -> bool:
    """Update a fish that touches the ground, a rock or the edge of the map; return whether it does.

    What is half under water is carried by it, and does not rub.
    """
    rub = FRICTION * max(1.0 - fishes.wet[c] / AFLOAT, 0.0)
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
    for group in range(SEGMENT_NODES.shape[0] if near_ground else 0):
        first, end = SEGMENT_NODES[group, 0], SEGMENT_NODES[group, 1]
        radius = thick if group == 1 or group == 2 else NARROW * thick
        x, y, z = mean_of(s, X, first, end), mean_of(s, Y, first, end), mean_of(s, Z, first, end)
        d, nx, ny, nz = sample_ground(ground, x, y, z)
        if d < radius:
            move_out(s, first, end, radius - d, (nx, ny, nz), most, rub)
            touched = True
    for station in range(STATIONS if near_solid or near_edge else 0):
        first, end = first_of_station(station), first_of_station(station + 1)
        radius = thick if 1 <= station <= 3 else NARROW * thick
        x, y, z = mean_of(s, X, first, end), mean_of(s, Y, first, end), mean_of(s, Z, first, end)
        for wall in range(0 if near_solid else FIRST_EDGE, WALLS if near_edge else FIRST_EDGE):
            depth, nx, ny, nz = wall_contact(wall, x, y, z, radius, around)
            if depth > 0.0:
                move_out(s, first, end, depth, (nx, ny, nz), most, 0.0)
                touched = True
    return touched
