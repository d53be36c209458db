"""Water on a body: pressure on advancing surface patches and buoyancy of the wet volume, at the actual water surface.

A patch with outward normal n, area A and velocity v relative to the water gets f = -rho max(0, n.v) (n.v) n A: only faces
that advance push, there is neither friction nor lift [Fang15 eq. 5.2]. Soft blocks have 32 side triangles. The sides of a
rigid box carry four Gauss points each: n.v is linear on a plane, so force, torque and power of an advancing face are
exact, like those of infinitely many patches. A face that a block is glued to has no water on it.

What a patch gets the water loses: the horizontal momentum is summed per segment over the tick, a block's by halves for the
two segments it joins, and `WaterSystem` takes it out of the columns around.

Every patch and every eighth of a volume counts with its wet share, linear over its own height. Displaced volume is that of
the rest shape, so tissue of density 1 weighs nothing under water, also while a muscle shortens it [myriapoda E-5].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.myriapod.construction.lattice import SIDE_TRIANGLES
from ....components.segments import DRY_LEVEL
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.vector_kernel import cross
from .body_rows_kernel import block_ends, body_rows
from .faces_kernel import place_face
from .rigid_segments_kernel import add_force
from .rotation_kernel import rotate, rotate_back
from .scratch_layout import (
    BLK_END_A,
    BLK_END_B,
    BLK_HALF,
    BLK_INVERSE_MASS,
    BLK_V,
    BLK_X,
    BLOCK_STRIDE,
    CORNER_FORCE,
    CORNER_X,
    END_A,
    END_B,
    END_EX,
    END_EY,
    END_EZ,
    END_VBASE,
    LANES,
    NODE_FORCE,
    NODE_V,
    SEG_COM,
    SEG_DRAG,
    SEG_GRAVITY,
    SEG_HALF,
    SEG_KINEMATIC,
    SEG_LEVEL,
    SEG_MASS,
    SEG_OPEN,
    SEG_R,
    SEG_TORQUE,
    SEG_V,
    SEG_W,
    SEG_WATER_V,
    SEG_X,
    SEGMENT_STRIDE,
    TRIANGLE_FORCE,
    WATER_POWER,
)

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.tissue import TissuePool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Vector

WATER_DENSITY = 1.0  # the unit of density
NO_WATER = -1e30  # the level in scratch, relative to the creature, where there is none
GAUSS = 0.5773502691896258  # 1/sqrt(3): two-point Gauss quadrature
THIN_BAND = 0.1  # share of a box's or block's half height over which even a level patch gets wet
# Share of its own momentum that a patch may lose per substep; explicit drag is stable below 1. It acts above 75 u/s for
# unit blocks at 600 Hz.
DRAG_MOMENTUM_SHARE = 0.25
TRIANGLES = 32
TRIANGLE_NODES = SIDE_TRIANGLES.T.astype(np.uint32).ravel()  # node k of triangle e at 32 k + e
# Mass share of a cell at its corner q: apexes of corner tetrahedra have 1/24, the others 5/24. [Fang15 eq. A.22]
CORNER_SHARES = np.array([1.0 if (q ^ (q >> 1) ^ (q >> 2)) & 1 == 0 else 5.0 for q in range(8)]) / 24.0
ALL_FACES_OPEN = 63


@kernel()
def touches_water(first: int, count: int, segments: SegmentPool) -> bool:
    """Return whether any segment of a creature reaches below the water surface at its place."""
    position, half_extents, water_level = segments.position, segments.half_extents, segments.water_level
    for i in range(first, first + count):
        x, y, z = half_extents[i, 0], half_extents[i, 1], half_extents[i, 2]
        below = water_level[i] - position[i, 2] + np.sqrt(x * x + y * y + z * z)
        if water_level[i] > DRY_LEVEL and below > 0.0:
            return True
    return False


@kernel()
def load_water(c: int, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, blocks: TissuePool, bottom: float,
               s: Array, w: Array) -> None:  # fmt: skip
    """Copy the water around the segments of creature `c` into scratch and find the faces that it can reach.

    bottom: height of the origin of the scratch.
    """
    real = s.dtype.type
    first, count, row, block_count = body_rows(c, bodies, chains)
    water_level, water_velocity = segments.water_level, segments.water_velocity
    w[WATER_POWER] = real(0.0)
    for i in range(count):
        o = i * SEGMENT_STRIDE
        wet = water_level[first + i] > DRY_LEVEL
        s[o + SEG_LEVEL] = real(water_level[first + i] - bottom) if wet else real(NO_WATER)
        s[o + SEG_OPEN] = real(ALL_FACES_OPEN)
        s[o + SEG_DRAG], s[o + SEG_DRAG + 1] = real(0.0), real(0.0)
        for d in range(3):
            s[o + SEG_WATER_V + d] = real(water_velocity[first + i, d]) if wet else real(0.0)
    for k in range(block_count):
        o = count * SEGMENT_STRIDE + k * BLOCK_STRIDE
        seg_a, seg_b = block_ends(row + k, first, blocks)
        close_face(s, seg_a, o + BLK_END_A)
        close_face(s, seg_b, o + BLK_END_B)


@kernel()
def store_water(c: int, bodies: BodyPool, segments: SegmentPool, s: Array) -> None:
    """Update what the water gave to the segments of creature `c` in this tick, and that the free ones felt it."""
    first, count = int64(bodies.first_segment[c]), int64(bodies.segment_count[c])
    water_impulse, felt_water = segments.water_impulse, segments.felt_water
    for i in range(count):
        o = i * SEGMENT_STRIDE
        felt_water[first + i] = 1 if s[o + SEG_KINEMATIC] == 0 else 0
        water_impulse[first + i, 0], water_impulse[first + i, 1] = s[o + SEG_DRAG], s[o + SEG_DRAG + 1]


@kernel()
def close_face(s: Array, segment: int, end: int) -> None:
    """Update the open faces of a segment: without the one that the block end is glued to."""
    real = s.dtype.type
    most, face = real(-1.0), 0
    for d in range(3):
        at = (s[end + d] + s[segment + SEG_COM + d]) / s[segment + SEG_HALF + d]
        if abs(at) > most:
            most, face = abs(at), 2 * d + (1 if at < 0 else 0)
    open_faces = int(s[segment + SEG_OPEN])
    s[segment + SEG_OPEN] = real(open_faces & ~(1 << face))


@kernel()
def wet_share(depth: float, band: float, half: float) -> float:
    """The wet share of something of height `band` whose middle is `depth` below the surface."""
    return min(max(half + depth / band, half - half), half + half)


@kernel()
def water_on_box(s: Array, w: Array, o: int, dt: float) -> None:
    """Update force and torque of segment `o` and the power it loses, from the water around its box."""
    real = s.dtype.type
    if s[o + SEG_LEVEL] <= real(NO_WATER) or s[o + SEG_KINEMATIC] != 0:
        return
    com = rotate(s, o + SEG_R, s[o + SEG_COM], s[o + SEG_COM + 1], s[o + SEG_COM + 2])
    hx, hy, hz = s[o + SEG_HALF], s[o + SEG_HALF + 1], s[o + SEG_HALF + 2]
    up = (s[o + SEG_R + 6], s[o + SEG_R + 7], s[o + SEG_R + 8])  # of the world, in body axes
    depth = s[o + SEG_LEVEL] - (s[o + SEG_X + 2] - com[2])
    reach = abs(up[0]) * hx + abs(up[1]) * hy + abs(up[2]) * hz
    if depth + reach <= 0:
        return
    box_buoyancy(s, o, com, up, depth, reach)
    swing = cross((s[o + SEG_W], s[o + SEG_W + 1], s[o + SEG_W + 2]), com)
    vx = s[o + SEG_V] - swing[0] - s[o + SEG_WATER_V]
    vy = s[o + SEG_V + 1] - swing[1] - s[o + SEG_WATER_V + 1]
    vz = s[o + SEG_V + 2] - swing[2] - s[o + SEG_WATER_V + 2]
    v = rotate_back(s, o + SEG_R, vx, vy, vz)
    spin = rotate_back(s, o + SEG_R, s[o + SEG_W], s[o + SEG_W + 1], s[o + SEG_W + 2])
    faces = int(s[o + SEG_OPEN])
    fastest = real(DRAG_MOMENTUM_SHARE / WATER_DENSITY) * s[o + SEG_MASS] / (real(4.0) * dt)
    x = axis_drag(w, v[0], (spin[1], spin[2]), (hx, hy, hz), (up[0], up[1], up[2]), depth, faces, fastest)
    y = axis_drag(w, v[1], (spin[2], spin[0]), (hy, hz, hx), (up[1], up[2], up[0]), depth, faces >> 2, fastest)
    z = axis_drag(w, v[2], (spin[0], spin[1]), (hz, hx, hy), (up[2], up[0], up[1]), depth, faces >> 4, fastest)
    force = rotate(s, o + SEG_R, x[0], y[0], z[0])
    torque = rotate(s, o + SEG_R, y[2] + z[1], z[2] + x[1], x[2] + y[1])
    add_force(s, o, -com[0], -com[1], -com[2], force[0], force[1], force[2])
    for d in range(3):
        s[o + SEG_TORQUE + d] += torque[d]
    s[o + SEG_DRAG] += dt * force[0]
    s[o + SEG_DRAG + 1] += dt * force[1]


@kernel()
def axis_drag(w: Array, v: float, spin: tuple[float, float], half_extents: Vector, upward: Vector, depth: float, faces: int,
              fastest: float) -> Vector:  # fmt: skip
    """Return the force along one body axis on the two faces across it, and its torque about the two axes e, f that follow.

    Axes follow each other cyclically; spin is that about e and f, half_extents and upward are along the axis, e and f.
    v: speed of the box centre along the axis; on both faces n.v = +-(v + spin_e f - spin_f e), so one of them advances.
    """
    real = w.dtype.type
    spin_e, spin_f = spin
    h, h_e, h_f = half_extents
    up, up_e, up_f = upward
    half, g = real(0.5), real(GAUSS)
    area = real(WATER_DENSITY) * h_e * h_f
    fastest = fastest / (h_e * h_f)
    band = abs(up_e) * h_e + abs(up_f) * h_f + real(THIN_BAND) * h
    force, torque_e, torque_f, power = real(0.0), real(0.0), real(0.0), real(0.0)
    for corner in range(4):
        e = h_e * (g if corner & 1 else -g)
        f = h_f * (g if corner & 2 else -g)
        speed = v + spin_e * f - spin_f * e
        if not (faces & (1 if speed > 0 else 2)):
            continue
        side = h if speed > 0 else -h
        size = abs(speed)
        share = wet_share(depth - (up * side + up_e * e + up_f * f), band, half)
        push = area * share * speed * (size if size < fastest else fastest)  # [Fang15 eq. 5.2]
        force -= push
        torque_e -= push * f
        torque_f += push * e
        power += push * speed  # [Fang15 eq. C.2]
    w[WATER_POWER] += power
    return force, torque_e, torque_f


@kernel()
def box_buoyancy(s: Array, o: int, com: Vector, up: Vector, depth: float, reach: float) -> None:
    """Update force and torque of segment `o` by the weight of the water that the eight parts of its box displace."""
    real = s.dtype.type
    half = real(0.5)
    hx, hy, hz = s[o + SEG_HALF], s[o + SEG_HALF + 1], s[o + SEG_HALF + 2]
    eighth = real(WATER_DENSITY) * hx * hy * hz
    gx, gy, gz = s[o + SEG_GRAVITY], s[o + SEG_GRAVITY + 1], s[o + SEG_GRAVITY + 2]
    if depth >= reach:
        mass = real(8.0) * eighth
        add_force(s, o, -com[0], -com[1], -com[2], -mass * gx, -mass * gy, -mass * gz)
        return
    for part in range(8):
        x = half * (hx if part & 4 else -hx)
        y = half * (hy if part & 2 else -hy)
        z = half * (hz if part & 1 else -hz)
        mass = eighth * wet_share(depth - (up[0] * x + up[1] * y + up[2] * z), reach, half)
        r = rotate(s, o + SEG_R, x, y, z)
        add_force(s, o, r[0] - com[0], r[1] - com[1], r[2] - com[2], -mass * gx, -mass * gy, -mass * gz)


@kernel()
def share_of_a(s: Array, seg_a: int, seg_b: int) -> float:
    """Weight of segment a in what is known about the water between two segments; one without water has no say."""
    real = s.dtype.type
    if s[seg_a + SEG_LEVEL] <= real(NO_WATER):
        return real(0.0)
    return real(1.0) if s[seg_b + SEG_LEVEL] <= real(NO_WATER) else real(0.5)


@kernel()
def level_at_block(s: Array, seg_a: int, seg_b: int) -> float:
    """Water level between two segments: the mean of both, or that of the one that has water."""
    share = share_of_a(s, seg_a, seg_b)
    return share * s[seg_a + SEG_LEVEL] + (s.dtype.type(1.0) - share) * s[seg_b + SEG_LEVEL]


@kernel()
def block_in_water(w: Array, level: float) -> bool:
    """Whether the lowest corner of a block's two faces is below the water level."""
    low_a = w[END_A + 2] - abs(w[END_A + END_EY + 2]) - abs(w[END_A + END_EZ + 2])
    low_b = w[END_B + 2] - abs(w[END_B + END_EY + 2]) - abs(w[END_B + END_EZ + 2])
    return level > (low_a if low_a < low_b else low_b)


@kernel()
def block_buoyancy(w: Array, s: Array, o: int, seg_a: int, seg_b: int, level: float) -> None:
    """Update the corner forces of block `o` by the weight of the water that its eight cells displace."""
    real = w.dtype.type
    half, eighth = real(0.5), real(0.125)
    volume = s[o + BLK_HALF] * s[o + BLK_HALF + 1] * s[o + BLK_HALF + 2]
    ex, ey, ez = END_A + END_EX + 2, END_A + END_EY + 2, END_A + END_EZ + 2
    band = s[o + BLK_HALF] * abs(w[ex]) + abs(w[ey]) + abs(w[ez])
    gx = half * (s[seg_a + SEG_GRAVITY] + s[seg_b + SEG_GRAVITY])
    gy = half * (s[seg_a + SEG_GRAVITY + 1] + s[seg_b + SEG_GRAVITY + 1])
    gz = half * (s[seg_a + SEG_GRAVITY + 2] + s[seg_b + SEG_GRAVITY + 2])
    for c in range(LANES):
        z = CORNER_X + 16 + c
        middle = ((w[z] + w[z + 24]) + (w[z + 48] + w[z + 72])) + ((w[z + 96] + w[z + 120]) + (w[z + 144] + w[z + 168]))
        mass = real(WATER_DENSITY) * volume * wet_share(level - eighth * middle, band, half)
        for q in range(8):
            share = mass * real(CORNER_SHARES[q])
            at = CORNER_FORCE + 24 * q + c
            w[at] -= share * gx
            w[at + 8] -= share * gy
            w[at + 16] -= share * gz


@kernel()
def block_drag(w: Array, s: Array, o: int, seg_a: int, seg_b: int, level: float, dt: float) -> None:
    """Update the node forces of block `o` and the power it loses, from the water on its 32 side triangles."""
    real = w.dtype.type
    place_face(w, END_A + END_VBASE, w, NODE_V)
    place_face(w, END_B + END_VBASE, w, NODE_V + 18)
    share_a = share_of_a(s, seg_a, seg_b)
    share_b = real(1.0) - share_a
    for d in range(3):
        water = share_a * s[seg_a + SEG_WATER_V + d] + share_b * s[seg_b + SEG_WATER_V + d]
        for n in range(9):
            w[NODE_V + 27 * d + 9 + n] = s[o + BLK_V + 9 * d + n]
        for n in range(27):
            w[NODE_V + 27 * d + n] -= water
    hy, hz = s[o + BLK_HALF + 1], s[o + BLK_HALF + 2]
    thin = hy if hy < hz else hz
    volume = real(8.0) * s[o + BLK_HALF] * hy * hz
    fastest = real(DRAG_MOMENTUM_SHARE / WATER_DENSITY) * thin / (s[o + BLK_INVERSE_MASS] * volume * dt)
    w[WATER_POWER] += triangle_forces(w, s, o + BLK_X, level, thin, fastest)
    give_drag(w, s, seg_a, seg_b, dt)
    for e in range(TRIANGLES):
        fx, fy, fz = w[TRIANGLE_FORCE + e], w[TRIANGLE_FORCE + 32 + e], w[TRIANGLE_FORCE + 64 + e]
        for k in range(3):
            n = NODE_FORCE + TRIANGLE_NODES[32 * k + e]
            w[n] += fx
            w[n + 27] += fy
            w[n + 54] += fz


@kernel()
def give_drag(w: Array, s: Array, seg_a: int, seg_b: int, dt: float) -> None:
    """Update the momentum that two segments got from the water by a half each of that of the block between them."""
    real = w.dtype.type
    along_x, along_y = real(0.0), real(0.0)
    for e in range(TRIANGLES):
        along_x += w[TRIANGLE_FORCE + e]
        along_y += w[TRIANGLE_FORCE + 32 + e]
    half = real(1.5) * dt  # three nodes have a third of the force of a triangle each
    s[seg_a + SEG_DRAG] += half * along_x
    s[seg_b + SEG_DRAG] += half * along_x
    s[seg_a + SEG_DRAG + 1] += half * along_y
    s[seg_b + SEG_DRAG + 1] += half * along_y


@kernel()
def triangle_forces(w: Array, s: Array, x: int, level: float, band: float, fastest: float) -> float:
    """Update a third of the water's force on each side triangle; returns the power of all. `x`: node positions in s."""
    real = w.dtype.type
    half, third = real(0.5), real(1.0 / 3.0)
    sixth = real(WATER_DENSITY / 6.0)
    power = real(0.0)
    for e in range(TRIANGLES):
        a, b, c = TRIANGLE_NODES[e], TRIANGLE_NODES[32 + e], TRIANGLE_NODES[64 + e]
        ax, ay, az = s[x + a], s[x + 27 + a], s[x + 54 + a]
        px, py, pz = s[x + b] - ax, s[x + 27 + b] - ay, s[x + 54 + b] - az
        qx, qy, qz = s[x + c] - ax, s[x + 27 + c] - ay, s[x + 54 + c] - az
        nx, ny, nz = py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx  # twice the area long
        vx = third * (w[NODE_V + a] + w[NODE_V + b] + w[NODE_V + c])
        vy = third * (w[NODE_V + 27 + a] + w[NODE_V + 27 + b] + w[NODE_V + 27 + c])
        vz = third * (w[NODE_V + 54 + a] + w[NODE_V + 54 + b] + w[NODE_V + 54 + c])
        share = half + (level - (az + third * (pz + qz))) / band
        share = min(max(share, real(0.0)), real(1.0))
        square = nx * nx + ny * ny + nz * nz + real(1e-30)
        flux = max(nx * vx + ny * vy + nz * vz, real(0.0))
        # f = -rho (N.v)^2 N / (2 |N|^2) [numerics 1]; a third of it for each node
        scale = sixth * share * flux * min(flux, fastest * np.sqrt(square)) / square
        w[TRIANGLE_FORCE + e] = -scale * nx
        w[TRIANGLE_FORCE + 32 + e] = -scale * ny
        w[TRIANGLE_FORCE + 64 + e] = -scale * nz
        power += real(3.0) * scale * flux
    return power
