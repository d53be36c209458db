"""The dynamics of one fish: springs, muscles and the water on its faces, in symplectic substeps. [Tu99 4.3, 4.4] [fish 1]

Legend: x y z places and u v w velocities of the 23 nodes, fx fy fz forces, l rest length, c stiffness, kappa damping, e the
stretch of a unit, N half the cross product of a face's diagonals (its area times its outward normal), mu how hard water
pushes, h the substep.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ....components.fish.springs import Tuned
from ....components.fish.topology import FACE_COUNT, FACES, MUSCLE_COUNT, NODES, SPRING_COUNT, SPRINGS
from ....engine.kernel import kernel
from ....engine.kernel_types import uint64

if TYPE_CHECKING:
    from ....components.fish.nodes import NodePool
    from ....engine.kernel_types import Array, Vector
    from .kind_table import FishKinds

SHORTEST = 1e-9  # square units; a unit this short has no direction, and pulls nowhere

# Places in a scratch row: 23 numbers each, then 91 each for the units.
X, Y, Z, U, V, W, FX, FY, FZ, GX, GY, GZ = (NODES * k for k in range(12))
LENGTHS, RX, RY, RZ, SQUARE, ETA = (12 * NODES + SPRING_COUNT * k for k in range(6))
INTO, FLOW = ETA, ETA + FACE_COUNT  # of the faces, where the units have been
SCRATCH = ETA + SPRING_COUNT

# Unsigned, because compiled code then need not ask whether a place is counted from the end.
UNIT_A, UNIT_B = (np.ascontiguousarray(SPRINGS[:, end]).astype(np.uint64) for end in range(2))
CORNER = FACES.astype(np.uint64)
_Y, _Z, _U, _V, _W, _FX, _FY, _FZ = (uint64(place) for place in (Y, Z, U, V, W, FX, FY, FZ))


@kernel(refcount=False)
def pull_springs(s: Array, stiffness: Array, damping: Array, stiff_factor: float, damping_factor: float) -> None:
    """Update the forces in a scratch row from all units: f = (c e + kappa d') r / d on both ends. [Tu99 eq. 4.1, 4.2]

    In three loops, because roots and divisions side by side take a third less time.
    """
    for i in range(SPRING_COUNT):
        a, b = UNIT_A[i], UNIT_B[i]
        rx, ry, rz = s[b] - s[a], s[_Y + b] - s[_Y + a], s[_Z + b] - s[_Z + a]
        s[RX + i], s[RY + i], s[RZ + i] = rx, ry, rz
        s[SQUARE + i] = rx * rx + ry * ry + rz * rz
        s[ETA + i] = (s[_U + b] - s[_U + a]) * rx + (s[_V + b] - s[_V + a]) * ry + (s[_W + b] - s[_W + a]) * rz
    for i in range(SPRING_COUNT):
        d = sqrt(s[SQUARE + i])
        over = 1.0 / d if s[SQUARE + i] > SHORTEST else 0.0
        pull = stiff_factor * stiffness[i] * (d - s[LENGTHS + i])
        s[ETA + i] = over * (pull + damping_factor * damping[i] * s[ETA + i] * over)
    for i in range(SPRING_COUNT):
        a, b, eta = UNIT_A[i], UNIT_B[i], s[ETA + i]
        fx, fy, fz = eta * s[RX + i], eta * s[RY + i], eta * s[RZ + i]
        s[_FX + a] += fx
        s[_FY + a] += fy
        s[_FZ + a] += fz
        s[_FX + b] -= fx
        s[_FY + b] -= fy
        s[_FZ + b] -= fz


@kernel(refcount=False)
def push_water(s: Array, water: Array, grip: Array, level: float, stream: Vector, factor: float, h: float) -> None:
    """Update the forces in a scratch row from the water on all faces below its level. [Tu99 eq. 4.3]

    Only faces that move into the water are pushed back, f = -mu |v| max(0, N.v) N/|N|. The force is lowered to
    its mean over the substep, and to what stops the face at most: light tails in fast water are not thrown back.
    """
    for i in range(FACE_COUNT):
        a, b, c, d = CORNER[i, 0], CORNER[i, 1], CORNER[i, 2], CORNER[i, 3]
        u = 0.25 * (s[_U + a] + s[_U + b] + s[_U + c] + s[_U + d]) - stream[0]
        v = 0.25 * (s[_V + a] + s[_V + b] + s[_V + c] + s[_V + d]) - stream[1]
        w = 0.25 * (s[_W + a] + s[_W + b] + s[_W + c] + s[_W + d]) - stream[2]
        px, py, pz = s[c] - s[a], s[_Y + c] - s[_Y + a], s[_Z + c] - s[_Z + a]
        qx, qy, qz = s[d] - s[b], s[_Y + d] - s[_Y + b], s[_Z + d] - s[_Z + b]
        nx, ny, nz = 0.5 * (py * qz - pz * qy), 0.5 * (pz * qx - px * qz), 0.5 * (px * qy - py * qx)
        under = 0.25 * (s[_Z + a] + s[_Z + b] + s[_Z + c] + s[_Z + d]) <= level
        s[RX + i], s[RY + i], s[RZ + i] = nx, ny, nz
        s[INTO + i] = nx * u + ny * v + nz * w if under else 0.0
        s[SQUARE + i], s[FLOW + i] = nx * nx + ny * ny + nz * nz, u * u + v * v + w * w
    for i in range(FACE_COUNT):
        area, speed, mu = sqrt(s[SQUARE + i]), sqrt(s[FLOW + i]), factor * water[i]
        share = h * mu * area * speed * grip[i]  # of its velocity that the face would lose in this substep
        strength = -0.25 * mu * speed * s[INTO + i] / (area * max(1.0 + 0.5 * share, share))
        s[INTO + i] = strength if s[INTO + i] > 0.0 and area > SHORTEST else 0.0
    for i in range(FACE_COUNT):
        strength = s[INTO + i]
        if strength == 0.0:
            continue
        fx, fy, fz = strength * s[RX + i], strength * s[RY + i], strength * s[RZ + i]
        for node in (CORNER[i, 0], CORNER[i, 1], CORNER[i, 2], CORNER[i, 3]):
            s[_FX + node] += fx
            s[_FY + node] += fy
            s[_FZ + node] += fz


@kernel(refcount=False)
def set_lengths(s: Array, rest_length: Array, size: float, before: Array, now: Array, share: float) -> None:
    """Update the rest lengths of the muscles in a scratch row to a share of the way from one tick's to the next's."""
    for i in range(MUSCLE_COUNT):
        s[LENGTHS + i] = size * rest_length[i] * (before[i] + share * (now[i] - before[i]))


@kernel(refcount=False)
def step_springs(s: Array, kinds: FishKinds, k: int, size: float, tone: float, tuned: Array,
                 contraction: tuple[Array, Array], medium: tuple[float, Vector, float], steps: int,
                 dt: float) -> None:  # fmt: skip
    """Update places and velocities of one fish in its scratch row over a tick.

    The scratch row has the constant part of the forces on the nodes in GX GY GZ. tuned: see `Tuned`; contraction: muscles
    before and now; medium: water level, its velocity, gravity. Forces are those on a fish of the usual size: springs of
    others are alike against their masses, and water counts as 1 / size^3 of it.
    """
    h = dt / steps
    mass = tuned[Tuned.MASS]
    against = 1.0 / (size * size * size * mass)  # one of twice the size has eight times the mass
    level, stream, gravity = medium
    fall = h * gravity
    rest_length, stiffness, damping = kinds.rest_length[k], kinds.stiffness[k], kinds.damping[k]
    water, grip, inverse_mass = kinds.water[k], kinds.grip[k], kinds.inverse_mass[k]
    before, now = contraction
    for i in range(MUSCLE_COUNT, SPRING_COUNT):
        s[LENGTHS + i] = size * rest_length[i]
    for step in range(steps):
        set_lengths(s, rest_length, size, before, now, (step + 1.0) / steps)
        for i in range(3 * NODES):
            s[FX + i] = s[GX + i] * against
        pull_springs(s, stiffness, damping, tone * tuned[Tuned.STIFFNESS] / mass, tuned[Tuned.DAMPING] / mass)
        push_water(s, water, grip, level, stream, tuned[Tuned.WATER] * against, h)
        for i in range(NODES):
            g = h * inverse_mass[i]
            s[U + i] += g * s[FX + i]
            s[V + i] += g * s[FY + i]
            s[W + i] += g * s[FZ + i] - (fall if s[Z + i] > level else 0.0)
            s[X + i] += h * s[U + i]
            s[Y + i] += h * s[V + i]
            s[Z + i] += h * s[W + i]


@kernel(refcount=False)
def load_body(s: Array, nodes: NodePool, first: int) -> None:
    """Update a scratch row from the nodes of a fish."""
    for i in range(NODES):
        for axis in range(3):
            s[X + axis * NODES + i] = nodes.position[first + i, axis]
            s[U + axis * NODES + i] = nodes.velocity[first + i, axis]
            s[GX + axis * NODES + i] = 0.0


@kernel(refcount=False)
def store_body(s: Array, nodes: NodePool, first: int) -> None:
    """Update the nodes of a fish from its scratch row."""
    for i in range(NODES):
        for axis in range(3):
            nodes.position[first + i, axis] = s[X + axis * NODES + i]
            nodes.velocity[first + i, axis] = s[U + axis * NODES + i]


@kernel(refcount=False)
def is_sound(s: Array, kinds: FishKinds, k: int, size: float) -> bool:
    """Return whether no part of a body is turned inside out and every number is one."""
    total = 0.0
    for i in range(6 * NODES):
        total += s[i]
    if not np.isfinite(total):
        return False
    for ring in range(5):
        b = 1 + 4 * ring
        px, py, pz = s[X + b + 2] - s[X + b], s[Y + b + 2] - s[Y + b], s[Z + b + 2] - s[Z + b]
        qx, qy, qz = s[X + b + 3] - s[X + b + 1], s[Y + b + 3] - s[Y + b + 1], s[Z + b + 3] - s[Z + b + 1]
        ax = ay = az = bx = by = bz = 0.0
        for corner in range(4):
            ahead = 0 if ring == 0 else b - 4 + corner
            ax, ay, az = ax + s[X + ahead], ay + s[Y + ahead], az + s[Z + ahead]
            bx, by, bz = bx + s[X + b + corner], by + s[Y + b + corner], bz + s[Z + b + corner]
        sx, sy, sz = 0.25 * (bx - ax), 0.25 * (by - ay), 0.25 * (bz - az)
        volume = (py * qz - pz * qy) * sx + (pz * qx - px * qz) * sy + (px * qy - py * qx) * sz
        if volume < 0.02 * size * size * size * kinds.volume[k, ring]:
            return False
    return True
