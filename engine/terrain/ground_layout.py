"""How a ground is packed: two flat read-only arrays and a header that says where each part begins.

Two arrays instead of one per part, because compiled code counts references of every array in a tuple on every call:
sixteen arrays cost 240 ns per call layer, and threads would fight for the counters.

``indices`` begins with the header below. ``numbers`` holds, in this order:

* floor: x and y of node 0, nodes per unit along x and y (4 numbers), then elevations row by row;
* shapes: grid corner (3), cells per unit (1), low and high corner of the box around all shapes (6), then 16 per shape;
* mesh: grid corner (3), cells per unit along x, y, z (3), low and high corner of the mesh (6), then 30 per triangle;
* field: first node (3), nodes per unit (1), then signed distances row by row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# header slots of `indices`; *_AT is an offset into `numbers`, *_START and *_RING into `indices`
FLOOR_NX, FLOOR_NY, FLOOR_AT = 0, 1, 2  # nodes; 0 x 0 is "no floor", 1 x 1 is "flat"
SHAPE_COUNT, SHAPE_AT, SHAPE_START = 3, 4, 5
SHAPE_NX, SHAPE_NY, SHAPE_NZ = 6, 7, 8  # cells
MESH_COUNT, MESH_AT, MESH_START = 9, 10, 11
MESH_NX, MESH_NY, MESH_NZ = 12, 13, 14  # cells
MESH_RING = 15  # per cell: rings to the nearest cell that holds a triangle
FIELD_NX, FIELD_NY, FIELD_NZ, FIELD_AT = 16, 17, 18, 19  # nodes; 0: mesh queries are exact
HEADER_SLOTS = 20

FLOOR_FRAME = 4  # numbers before the elevations
SHAPE_FRAME = 10  # numbers before the shapes
MESH_FRAME = 12  # numbers before the triangles
FIELD_FRAME = 4  # numbers before the distances

# shape columns: 0-2 centre; sphere: 3 radius; cylinder: 3-5 unit axis, 6 half length, 7 radius;
# box: 3-5 half sizes, 6-14 its three unit axes; 15 the kind
SHAPE_COLUMNS = 16
KIND_COLUMN = 15
SPHERE, CYLINDER, BOX = 0, 1, 2

# triangle columns: 0-8 corners; 9-29 angle-weighted normals of the face, the edges 01, 12, 20, the corners 0, 1, 2
TRIANGLE_COLUMNS = 30
TRIANGLE_NORMALS = 9


class Ground(NamedTuple):
    """Everything a kernel needs to feel the ground, as two read-only arrays; ``Terrain.ground`` holds one."""

    numbers: NDArray[np.float64]
    indices: NDArray[np.int32]
