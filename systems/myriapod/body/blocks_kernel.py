"""Soft blocks of one creature: loading, one substep (elastic, damping, coupling, inversion guard) and storing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....components.myriapod.construction.lattice import FACE_COUPLING, FACE_DAMPING, FREE_MASSES
from ....components.myriapod.tissue import Elastic
from ....engine.kernel import kernel
from .elastic_kernel import scatter_faces, scatter_middle
from .faces_kernel import load_end, place_end, place_face, place_middle, push_face
from .inversion_guard_kernel import OUT_OF_RANGE, OVERSTRETCHED, guard_spring, joint_in_range
from .rotation_free_damping_kernel import rotation_free_damping
from .scratch_layout import (
    BLK_END_A,
    BLK_END_B,
    BLK_GAMMA_VOLUME,
    BLK_HALF,
    BLK_INVERSE_MASS,
    BLK_INVERTED,
    BLK_LAMBDA,
    BLK_LENGTH_RATE,
    BLK_LENGTHS,
    BLK_TWO_MU,
    BLK_V,
    BLK_X,
    END_A,
    END_B,
    END_VBASE,
    MOTION_IN,
    MOTION_MATRIX,
    MOTION_OUT,
    NODE_FORCE,
    SEG_COM,
    SEG_GRAVITY,
    SEG_KINEMATIC,
)
from .tissue_forces_kernel import overstretched, tissue_strain, tissue_stress
from .water_force_kernel import block_buoyancy, block_drag, block_in_water, level_at_block

if TYPE_CHECKING:
    from ....components.myriapod.tissue import TissuePool
    from ....engine.kernel_types import Array, Vector


@kernel()
def load_block(i: int, blocks: TissuePool, origin: Vector, seg_a: int, seg_b: int, s: Array, o: int) -> bool:
    """Copy block `i` into the scratch at `o`, between two scratch segments; return whether its rest shape is morphed."""
    real = s.dtype.type
    half = real(0.5)
    size, elastic, node_position, node_velocity = blocks.size, blocks.elastic, blocks.node_position, blocks.node_velocity
    lengths_before, lengths = blocks.lengths_before, blocks.lengths
    volume = size[i, 0] * size[i, 1] * size[i, 2]
    for d in range(3):
        s[o + BLK_HALF + d] = half * real(size[i, d])
    s[o + BLK_TWO_MU] = real(2.0 * elastic[i, Elastic.MU])
    s[o + BLK_LAMBDA] = real(elastic[i, Elastic.LAMBDA])
    s[o + BLK_INVERSE_MASS] = real(1.0 / (elastic[i, Elastic.DENSITY] * volume))
    s[o + BLK_GAMMA_VOLUME] = real(elastic[i, Elastic.GAMMA] * volume)
    s[o + BLK_INVERTED] = real(0.0)
    hx, hy, hz = s[o + BLK_HALF], s[o + BLK_HALF + 1], s[o + BLK_HALF + 2]
    load_end(s, o + BLK_END_A, seg_a + SEG_COM, blocks.anchor_a, i, real(1.0), hx, hy, hz, o + BLK_X)
    load_end(s, o + BLK_END_B, seg_b + SEG_COM, blocks.anchor_b, i, real(-1.0), hx, hy, hz, o + BLK_X)
    morphed = False
    for d in range(4):
        s[o + BLK_LENGTHS + d] = real(lengths_before[i, d])
        s[o + BLK_LENGTH_RATE + d] = real(lengths[i, d] - lengths_before[i, d])
        morphed = morphed or lengths_before[i, d] != 1.0 or lengths[i, d] != 1.0
    for n in range(9):
        for d in range(3):
            s[o + BLK_X + 27 * d + 9 + n] = real(node_position[i, n, d] - origin[d])
            s[o + BLK_V + 9 * d + n] = real(node_velocity[i, n, d])
    return morphed


@kernel()
def store_block(i: int, blocks: TissuePool, origin: Vector, s: Array, o: int) -> None:
    """Copy the free nodes of the scratch block at `o` back to block `i`."""
    node_position, node_velocity = blocks.node_position, blocks.node_velocity
    for n in range(9):
        for d in range(3):
            node_position[i, n, d] = origin[d] + s[o + BLK_X + 27 * d + 9 + n]
            node_velocity[i, n, d] = s[o + BLK_V + 9 * d + n]


@kernel()
def load_motion_matrix(w: Array, inverse: Array, tau: float, rotation_free: bool) -> None:
    """Update the 16 x 16 matrix that takes free momenta and face motions to new velocities and damping moments.

    v = (m + tau d)^-1 (p - tau b c) and moments = -(b^T v + q c), with m, d, b, q of the unit lattice, c the six face
    motions and tau = dt gamma / rho; with rotation-free damping only v = m^-1 p remains.
    """
    real = w.dtype.type
    for k in range(256):
        w[MOTION_MATRIX + k] = real(0.0)
    for j in range(9):
        if rotation_free:
            w[MOTION_MATRIX + 17 * j] = real(1.0 / FREE_MASSES[j])
            continue
        for i in range(9):
            w[MOTION_MATRIX + 16 * i + j] = real(inverse[j, i])
        for m in range(6):
            total = 0.0
            for i in range(9):
                total += inverse[j, i] * FACE_COUPLING[i, m]
            w[MOTION_MATRIX + 16 * (9 + m) + j] = real(-tau * total)
    if rotation_free:
        return
    for m in range(6):
        for i in range(15):
            total = 0.0 if i < 9 else FACE_DAMPING[m, i - 9]
            for j in range(9):
                total += FACE_COUPLING[j, m] * w[MOTION_MATRIX + 16 * i + j]
            w[MOTION_MATRIX + 16 * i + 9 + m] = real(-total)


@kernel()
def advance_free_nodes(w: Array, s: Array, o: int, seg_a: int, seg_b: int, dt: float) -> None:
    """Update velocities, positions of the free nodes and the damping moments on the faces of block `o`."""
    real = w.dtype.type
    scale = dt * s[o + BLK_INVERSE_MASS]
    half_dt = real(0.5) * dt
    for d in range(3):
        fall = half_dt * (s[seg_a + SEG_GRAVITY + d] + s[seg_b + SEG_GRAVITY + d])
        for n in range(9):
            force = w[NODE_FORCE + 27 * d + 9 + n]
            w[MOTION_IN + 16 * d + n] = real(FREE_MASSES[n]) * (s[o + BLK_V + 9 * d + n] + fall) + scale * force
        for k in range(3):
            w[MOTION_IN + 16 * d + 9 + k] = w[END_A + END_VBASE + 3 * k + d]
            w[MOTION_IN + 16 * d + 12 + k] = w[END_B + END_VBASE + 3 * k + d]
    for d in range(3):
        for j in range(16):
            w[MOTION_OUT + 16 * d + j] = real(0.0)
        for i in range(0, 15, 5):
            row, at = MOTION_MATRIX + 16 * i, MOTION_IN + 16 * d + i
            p, q, r, t, u = w[at], w[at + 1], w[at + 2], w[at + 3], w[at + 4]
            for j in range(16):
                w[MOTION_OUT + 16 * d + j] += (
                    (w[row + j] * p + w[row + 16 + j] * q) + (w[row + 32 + j] * r + w[row + 48 + j] * t)
                ) + w[row + 64 + j] * u
        for n in range(9):
            v = w[MOTION_OUT + 16 * d + n]
            s[o + BLK_V + 9 * d + n] = v
            s[o + BLK_X + 27 * d + 9 + n] += dt * v


@kernel()
def step_block(w: Array, s: Array, o: int, seg_a: int, seg_b: int, morphing: bool, rotation_free: bool, wet: bool,
               fraction: float, dt: float, floor: float) -> int:  # fmt: skip
    """Update free nodes of block `o` and the wrenches on its two segments over one substep; returns the flags.

    Led segments ask for no wrench: most blocks of a walker lie between two of them.
    """
    free_a, free_b = s[seg_a + SEG_KINEMATIC] == 0, s[seg_b + SEG_KINEMATIC] == 0
    place_end(w, END_A, s, o + BLK_END_A, seg_a)
    place_end(w, END_B, s, o + BLK_END_B, seg_b)
    if not joint_in_range(w, s, o):
        place_middle(w, s, o)
        guard_spring(w, s, o, seg_a, seg_b, dt)
        return OUT_OF_RANGE
    place_face(w, END_A, s, o + BLK_X)
    place_face(w, END_B, s, o + BLK_X + 18)
    flags = 0
    counts = tissue_strain(w, s, o, morphing, fraction)
    if overstretched(counts):
        place_middle(w, s, o)
        flags = OVERSTRETCHED
        counts = tissue_strain(w, s, o, morphing, fraction)
        if overstretched(counts):
            guard_spring(w, s, o, seg_a, seg_b, dt)
            return flags
    tissue_stress(w, s, o, morphing, counts, floor)
    if rotation_free:
        rotation_free_damping(w, s, o)
    level = s.dtype.type(0.0)
    if wet:
        level = level_at_block(s, seg_a, seg_b)
        wet = block_in_water(w, level)
        if wet:
            block_buoyancy(w, s, o, seg_a, seg_b, level)
    scatter_middle(w)
    if wet or free_a or free_b:
        scatter_faces(w)
    if wet:
        block_drag(w, s, o, seg_a, seg_b, level, dt)
    advance_free_nodes(w, s, o, seg_a, seg_b, dt)
    if free_a:
        push_face(w, s, END_A, seg_a, 0, 9, s[o + BLK_GAMMA_VOLUME])
    if free_b:
        push_face(w, s, END_B, seg_b, 18, 12, s[o + BLK_GAMMA_VOLUME])
    return flags
