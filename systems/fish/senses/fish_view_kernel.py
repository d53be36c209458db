"""What can be seen from where: points and fishes, behind what stands between. [Tu99 6.3, 6.4]

Legend: o is the eye, p the point looked at, t the way from o (0) to p (1). Fishes hide nothing: that passes in a moment.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING

from ....components.fish.topology import NODES
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.spatial_hash import bucket_of, cell_of
from ....engine.water.sample_kernel import sample_water
from ...spatial_index.solid_ray_kernel import solid_hides

if TYPE_CHECKING:
    from ....components.fish.nodes import NodePool
    from ....engine.kernel_types import Array, Vector
    from ....engine.spatial_hash import SpatialHash
    from ....engine.water.pond_layout import WaterArrays
    from ...spatial_index.index import Around

BED_SAMPLES = 3  # places on a line of sight at which the bed is asked for
NOTHING = -1
HERE = 1e-9  # units; what is nearer has no direction
LARGEST_FACTOR = 4.0  # how much farther the largest are seen [artificial-fishes 5]


@kernel(refcount=False)
def distance_between(o: Vector, p: Vector) -> float:
    """Return the distance of two points."""
    x, y, z = p[0] - o[0], p[1] - o[1], p[2] - o[2]
    return sqrt(x * x + y * y + z * z)


@kernel(refcount=False)
def in_view(o: Vector, axis: Vector, p: Vector, reach: float, narrowest: float) -> bool:
    """Return whether a point lies in the view volume: near enough, and not behind. [Tu99 6.3.1]

    narrowest: cosine of half the field, which the cosine of its direction has to exceed.
    """
    x, y, z = p[0] - o[0], p[1] - o[1], p[2] - o[2]
    d = sqrt(x * x + y * y + z * z)
    if d > reach:
        return False
    return d < HERE or x * axis[0] + y * axis[1] + z * axis[2] > narrowest * d


@kernel(refcount=False)
def hider_in_cell(o: Vector, p: Vector, cell_x: int, cell_y: int, solids: Array, hashed: SpatialHash) -> int:
    """Return an obstacle in one cell of the hash that is between two points, or NOTHING."""
    bucket = bucket_of(cell_x, cell_y, int64(hashed.bucket_start.size - 1))
    for entry in range(hashed.bucket_start[bucket], hashed.bucket_start[bucket + 1]):
        if hashed.entry_cell[entry, 0] == cell_x and hashed.entry_cell[entry, 1] == cell_y:
            if solid_hides(o, p, solids, hashed.entry_item[entry]):
                return int64(hashed.entry_item[entry])
    return int64(NOTHING)


@kernel(refcount=False)
def to_border(start: float, step: float, cell: int, cell_size: float) -> tuple[float, float]:
    """Return at which t a coordinate leaves its cell, and how much t passes from one border to the next."""
    if step == 0.0:
        return inf, inf
    border = (cell + (1 if step > 0.0 else 0)) * cell_size
    return (border - start) / step, cell_size / abs(step)


@kernel(refcount=False)
def hider(o: Vector, p: Vector, around: Around) -> int:
    """Return an obstacle between two points, or NOTHING: those in the cells along the line are asked. [Amanatides87]"""
    solids, hashed = around.solids, around.solid_hash
    if solids.shape[0] == 0:
        return int64(NOTHING)
    cell_size = hashed.cell_size
    cell_x, cell_y, last_x, last_y = (cell_of(o[0], cell_size), cell_of(o[1], cell_size), cell_of(p[0], cell_size),
                                      cell_of(p[1], cell_size))  # fmt: skip
    dx, dy = p[0] - o[0], p[1] - o[1]
    next_x, pass_x = to_border(o[0], dx, cell_x, cell_size)
    next_y, pass_y = to_border(o[1], dy, cell_y, cell_size)
    for _ in range(abs(last_x - cell_x) + abs(last_y - cell_y) + 1):
        found = hider_in_cell(o, p, cell_x, cell_y, solids, hashed)
        if found != NOTHING:
            return found
        if next_x < next_y:
            cell_x, next_x = cell_x + (1 if dx > 0.0 else -1), next_x + pass_x
        else:
            cell_y, next_y = cell_y + (1 if dy > 0.0 else -1), next_y + pass_y
    return int64(NOTHING)


@kernel(refcount=False)
def solids_hide(o: Vector, p: Vector, around: Around) -> bool:
    """Return whether any obstacle is between two points."""
    return hider(o, p, around) != NOTHING


@kernel(refcount=False)
def bed_hides(o: Vector, p: Vector, water: WaterArrays) -> bool:
    """Return whether the bed, or dry land, rises between two points."""
    for k in range(BED_SAMPLES):
        t = (k + 1.0) / (BED_SAMPLES + 1.0)
        surface, depth, _, _ = sample_water(water, o[0] + t * (p[0] - o[0]), o[1] + t * (p[1] - o[1]))
        if not (depth > 0.0 and o[2] + t * (p[2] - o[2]) > surface - depth):
            return True
    return False


@kernel(refcount=False)
def hides(o: Vector, p: Vector, far: float, around: Around, water: WaterArrays) -> bool:
    """Return whether anything is between two points; hills of the bed count from a distance `far` on."""
    return solids_hide(o, p, around) or (distance_between(o, p) > far and bed_hides(o, p, water))


@kernel(refcount=False)
def sees_nodes(o: Vector, centre: Vector, first: int, nodes: NodePool, far: float, around: Around,
               water: WaterArrays) -> bool:  # fmt: skip
    """Return whether something of a fish is seen: a single node that nothing hides is enough. [Tu99 6.4.2]

    What hides its middle most likely hides the rest: that one is asked first.
    """
    found = hider(o, centre, around)
    if found == NOTHING:
        return not (distance_between(o, centre) > far and bed_hides(o, centre, water))
    for n in range(NODES):
        place = nodes.position[first + n]
        p = (place[0], place[1], place[2])
        if not solid_hides(o, p, around.solids, found) and not hides(o, p, far, around, water):
            return True
    return False


@kernel(refcount=False)
def seen_from(visibility: float, length: float, own_length: float) -> float:
    """Return the factor on the range of sight for one that is seen: its own, or its size against the viewer's."""
    return visibility if visibility > 0.0 else min(max(length / own_length, 1.0), LARGEST_FACTOR)
