"""The columns that describe bodies, in the order in which every tier's kernel takes them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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


def allocate(creatures: int, segments: int, blocks: int) -> BodyColumns:
    """Columns for so many rows: identity orientations, rest lengths, ground far below, everything else zero.

    Example::

        columns = allocate(creatures=1, segments=2, blocks=1)
    """
    shapes: dict[str, tuple[int, ...]] = {
        "position": (3,), "orientation": (4,), "velocity": (3,), "angular_velocity": (3,), "half_extents": (3,),
        "mass": (), "center_of_mass": (3,), "inertia": (3, 3), "inverse_inertia": (3, 3), "gravity": (3,),
        "ground_point": (3,), "ground_normal": (3,), "push": (6,),
    }  # fmt: skip
    block_shapes: dict[str, tuple[int, ...]] = {
        "anchor_a": (7,), "anchor_b": (7,), "size": (3,), "elastic": (4,), "joint": (11, 6), "lengths_before": (4,), "lengths": (4,),
        "node_position": (9, 3), "node_velocity": (9, 3),
    }  # fmt: skip
    integers = {
        name: np.zeros(creatures, np.int32)
        for name in ("first_segment", "segment_count", "first_block", "block_count", "substeps")
    }
    columns = BodyColumns(
        **integers,
        rotation_free=np.zeros(creatures, np.uint8),
        damping_inverse=np.zeros((creatures, 9, 9)),
        kinematic=np.zeros(segments, np.uint8),
        segment_a=np.zeros(blocks, np.int32),
        segment_b=np.zeros(blocks, np.int32),
        disturbed=np.zeros(blocks, np.uint8),
        **{name: np.zeros((segments, *shape)) for name, shape in shapes.items()},
        **{name: np.zeros((blocks, *shape)) for name, shape in block_shapes.items()},
    )
    columns.orientation[:, 0] = 1.0
    columns.anchor_a[:, 3] = columns.anchor_b[:, 3] = 1.0
    columns.lengths_before[:] = columns.lengths[:] = 1.0
    columns.ground_point[:, 2] = -NO_GROUND_DEPTH
    columns.ground_normal[:, 2] = 1.0
    return columns


NO_GROUND_DEPTH = 1e6  # units; deep enough that a body without terrain never meets its plane
