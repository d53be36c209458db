"""The columns that describe bodies, in the order in which every tier's kernel takes them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....components.segments import DRY_LEVEL

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]
Bytes = NDArray[np.uint8]


class BodyColumns(NamedTuple):
    """All body columns; unpack it into a kernel call: ``step_full(rows, *columns, contact, dt, scratch)``.

    Rows of one creature are contiguous. Orientation quaternions are w, x, y, z, body to world.
    """

    # one row per creature
    first_segment: Integers
    segment_count: Integers
    first_block: Integers
    block_count: Integers
    substeps: Integers
    rotation_free: Bytes  # 1: damping that leaves rigid rotation alone, 0: the published damping
    damping_inverse: Floats  # (n, 9, 9), see properties.damping_inverse
    # one row per segment
    position: Floats  # (n, 3) box centre
    orientation: Floats  # (n, 4)
    velocity: Floats  # (n, 3) of the box centre
    angular_velocity: Floats  # (n, 3) world frame
    half_extents: Floats  # (n, 3)
    mass: Floats  # (n,) with the attached face nodes
    center_of_mass: Floats  # (n, 3) offset from the box centre, body frame
    inertia: Floats  # (n, 3, 3) about the centre of mass, body frame
    inverse_inertia: Floats  # (n, 3, 3)
    kinematic: Bytes  # 1: moves with its given velocities and ignores forces
    gravity: Floats  # (n, 3) acceleration
    ground_point: Floats  # (n, 3) a point of the local ground plane
    ground_normal: Floats  # (n, 3) its unit normal
    push: Floats  # (n, 6) force at the box centre and torque, world frame, held over the tick
    # one row per soft block
    segment_a: Integers  # segment row of the front face
    segment_b: Integers  # segment row of the rear face
    anchor_a: Floats  # (n, 7) position and quaternion of the block centre in the frame of segment_a
    anchor_b: Floats  # (n, 7)
    size: Floats  # (n, 3) edge lengths
    elastic: Floats  # (n, 4) mu, lambda, density, damping gamma; gamma / density is the same in one creature
    joint: Floats  # (n, 11, 6) stiffness for the bush tier, see joint.joint_table
    lengths_before: Floats  # (n, 4) left, right, top, bottom at the start of the tick, fractions of size x
    lengths: Floats  # (n, 4) the same at the end of the tick
    node_position: Floats  # (n, 9, 3) free mid-plane nodes, world
    node_velocity: Floats  # (n, 9, 3)
    disturbed: Bytes  # output, bits of the guard module
    # water, one row per segment
    water_level: Floats  # (n,) height of the water surface at the segment; DRY_LEVEL or NaN where there is none
    water_velocity: Floats  # (n, 3) of the water there
    # and one row per creature
    water_power: Floats  # (n,) output, work against the water per second, mean over the tick


_CREATURE, _SEGMENT, _BLOCK = "creature", "segment", "block"
_INT, _BYTE, _FLOAT = np.int32, np.uint8, np.float64
# Row kind, type and row shape of each column, in the order of BodyColumns.
_SHAPES: tuple[tuple[str, type, tuple[int, ...]], ...] = (
    *((_CREATURE, _INT, ()) for _ in range(5)),
    (_CREATURE, _BYTE, ()),
    (_CREATURE, _FLOAT, (9, 9)),
    *((_SEGMENT, _FLOAT, shape) for shape in ((3,), (4,), (3,), (3,), (3,), (), (3,), (3, 3), (3, 3))),
    (_SEGMENT, _BYTE, ()),
    *((_SEGMENT, _FLOAT, shape) for shape in ((3,), (3,), (3,), (6,))),
    *((_BLOCK, _INT, ()) for _ in range(2)),
    *((_BLOCK, _FLOAT, shape) for shape in ((7,), (7,), (3,), (4,), (11, 6), (4,), (4,), (9, 3), (9, 3))),
    (_BLOCK, _BYTE, ()),
    *((_SEGMENT, _FLOAT, shape) for shape in ((), (3,))),
    (_CREATURE, _FLOAT, ()),
)
NO_GROUND_DEPTH = 1e6  # units; deep enough that a body without terrain never meets its plane


def allocate(creatures: int, segments: int, blocks: int) -> BodyColumns:
    """Columns for so many rows: identity orientations, rest lengths, ground far below, no water, everything else zero.

    Example::

        columns = allocate(creatures=1, segments=2, blocks=1)
    """
    rows = {"creature": creatures, "segment": segments, "block": blocks}
    columns = BodyColumns(
        *(np.zeros((rows[kind], *shape), dtype) for kind, dtype, shape in _SHAPES)
    )
    columns.orientation[:, 0] = 1.0
    columns.anchor_a[:, 3] = columns.anchor_b[:, 3] = 1.0
    columns.lengths_before[:] = columns.lengths[:] = 1.0
    columns.ground_point[:, 2] = -NO_GROUND_DEPTH
    columns.ground_normal[:, 2] = 1.0
    columns.water_level[:] = DRY_LEVEL
    return columns
