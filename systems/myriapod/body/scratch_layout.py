"""Offsets into one creature's flat scratch row.

The row holds the segments, then the blocks, then one work area that is reused for every block. All loops over
lanes address a single flat array with constant offsets, which is what lets the compiler vectorise them
[numerics 8]. Numbers are counts of scratch elements, not bytes.
"""

from __future__ import annotations

import numpy as np

# One segment: reference point (centre of mass, or box centre while kinematic) relative to the local origin.
SEG_X, SEG_Q, SEG_V, SEG_W, SEG_L, SEG_R = 0, 3, 7, 10, 13, 16
SEG_FORCE, SEG_TORQUE, SEG_COM, SEG_INVERSE_INERTIA = 25, 28, 31, 34
SEG_MASS, SEG_HALF, SEG_GRAVITY, SEG_POINT, SEG_NORMAL, SEG_PUSH, SEG_KINEMATIC = 43, 44, 47, 50, 53, 56, 62
SEG_LEVEL, SEG_WATER_V, SEG_OPEN = 63, 64, 67  # water: its surface, its velocity, bits of the faces it can reach
SEG_DRAG = 68  # horizontal momentum that the water gave during the tick, x and y
SEGMENT_STRIDE = 72

# One block: 27 node positions and 9 free velocities coordinate by coordinate, both ends, material, muscle lengths.
BLK_X, BLK_V, BLK_END_A, BLK_END_B, BLK_HALF = 0, 81, 108, 120, 132
BLK_TWO_MU, BLK_LAMBDA, BLK_INVERSE_MASS, BLK_GAMMA_VOLUME = 135, 136, 137, 138
BLK_LENGTHS, BLK_LENGTH_RATE, BLK_INVERTED = 140, 144, 148
BLOCK_STRIDE = 152

# Work area. Corner arrays: 8 lanes (cells) x 8 corners x 3 coordinates; element arrays: 40 lanes.
LANES, ELEMENTS = 8, 40
CORNER_X, CORNER_FORCE, CORNER_V = 0, 192, 384
INVERSE_EDGE, AREA = 576, 600  # 3 x 8 each: sign / h, and -volume * sign / h
GRADIENT = 624  # F, later P: 9 x 40, row major
COFACTOR = GRADIENT + 9 * ELEMENTS
GRAM = COFACTOR + 9 * ELEMENTS  # A = F^T F: xx, yy, zz, xy, xz, yz
INVARIANT_1 = GRAM + 6 * ELEMENTS
INVARIANT_2 = INVARIANT_1 + ELEMENTS
DETERMINANT = INVARIANT_2 + ELEMENTS
TRACE_S = DETERMINANT + ELEMENTS
MORPH_G = TRACE_S + ELEMENTS
MORPH_Y = MORPH_G + ELEMENTS
MORPH_Z = MORPH_Y + ELEMENTS
NODE_FORCE = MORPH_Z + ELEMENTS  # 3 x 27
MOTION_IN = NODE_FORCE + 88  # 3 x 16: 9 free momenta, 6 face motions, 1 unused
MOTION_OUT = MOTION_IN + 48  # 3 x 16: 9 new free velocities, 6 face moments of the damping force, 1 unused
END_A = MOTION_OUT + 48  # world: base, edge y, edge z, unit x, and the velocities of the first three
END_B = END_A + 24
MOTION_MATRIX = END_B + 24  # 16 x 16
WATER_POWER = MOTION_MATRIX + 256  # work against the water per second, summed over the substeps of a tick
WORK = WATER_POWER + 8
# Water, once the elements are done: node velocities (3 x 27) and forces of the side triangles (3 x 32).
NODE_V, TRIANGLE_FORCE = CORNER_V, GRADIENT

# Bush tier, behind the segments: per segment 6 rows of a symmetric band (12 wide) and 6 right-hand sides, then one
# block with its work area, which holds the joint's matrices where the element arrays of the full tier are.
BAND_WIDTH = 12
BUSH_UNKNOWNS = 6  # of a segment: velocity and angular velocity
BUSH_STRIDE = BUSH_UNKNOWNS * BAND_WIDTH + BUSH_UNKNOWNS
JOINT_MATRIX, JOINT_JACOBIAN, JOINT_PRODUCT, JOINT_FRAME, JOINT_METRIC = 160, 304, 340, 376, 388

END_BASE, END_EY, END_EZ, END_EX, END_VBASE, END_VEY, END_VEZ = 0, 3, 6, 9, 12, 15, 18


def scratch_width(most_segments: int, most_blocks: int) -> int:
    """Columns a scratch array needs for creatures of up to this many segments and blocks.

    Example::

        scratch = np.zeros((creatures, scratch_width(18, 17)), dtype=np.float32)
    """
    width = most_segments * SEGMENT_STRIDE + max(most_blocks * BLOCK_STRIDE, most_segments * BUSH_STRIDE) + WORK
    return int(np.ceil(width / 16) * 16)
