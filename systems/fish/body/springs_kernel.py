"""The dynamics of one fish: springs, muscles and the water on its faces, in symplectic substeps. [Tu99 4.3, 4.4] [fish 1]

Legend: x y z places and u v w velocities of the 23 nodes, fx fy fz forces, l rest length, c stiffness, kappa damping, e the
stretch of a unit, N half the cross product of a face's diagonals (its area times its outward normal), mu how hard water
pushes, h the substep.
"""

# mypy: ignore-errors
from __future__ import annotations

from math import sqrt

import numpy as np

from ....components.fish.topology import FACES, MUSCLE_COUNT, NODES, SPRINGS
from ....engine.kernel import kernel

SHORTEST = 1e-9  # square units; a unit this short has no direction, and pulls nowhere
SLOWEST = 1e-12  # u/s; water that is slower does not push

# Places in a scratch row: 23 numbers each, then the rest lengths.
X, Y, Z, U, V, W, FX, FY, FZ, GX, GY, GZ = (NODES * k for k in range(12))
LENGTHS = 12 * NODES
SCRATCH = LENGTHS + len(SPRINGS)

SPRING_COUNT, FACE_COUNT = len(SPRINGS), len(FACES)


@kernel(refcount=False)
def pull_springs(s, kinds, k, tone, mass_factor, damping_factor):
    """Update the forces in a scratch row from all units: f = (c e + kappa d') r / d on both ends. [Tu99 eq. 4.1, 4.2]"""
    for i in range(SPRING_COUNT):
        a, b = SPRINGS[i, 0], SPRINGS[i, 1]
        rx, ry, rz = s[X + b] - s[X + a], s[Y + b] - s[Y + a], s[Z + b] - s[Z + a]
        squared = rx * rx + ry * ry + rz * rz
        if squared < SHORTEST:
            continue
        d = sqrt(squared)
        closing = (s[U + b] - s[U + a]) * rx + (s[V + b] - s[V + a]) * ry + (s[W + b] - s[W + a]) * rz
        eta = (tone * kinds.stiffness[k, i] * (d - s[LENGTHS + i]) + damping_factor * kinds.damping[k, i] * closing / d) / d
        eta /= mass_factor
        fx, fy, fz = eta * rx, eta * ry, eta * rz
        s[FX + a] += fx
        s[FY + a] += fy
        s[FZ + a] += fz
        s[FX + b] -= fx
        s[FY + b] -= fy
        s[FZ + b] -= fz


@kernel(refcount=False)
def push_water(s, kinds, k, level, stream, factor, h):
    """Update the forces in a scratch row from the water on all faces below its level. [Tu99 eq. 4.3]

    Only faces that move into the water are pushed back, f = -mu |v| max(0, N.v) N/|N|. The force is divided by what it would
    change its own face's velocity by, so that light tails in fast water are not thrown back.
    """
    for i in range(FACE_COUNT):
        a, b, c, d = FACES[i, 0], FACES[i, 1], FACES[i, 2], FACES[i, 3]
        if 0.25 * (s[Z + a] + s[Z + b] + s[Z + c] + s[Z + d]) > level:
            continue
        u = 0.25 * (s[U + a] + s[U + b] + s[U + c] + s[U + d]) - stream[0]
        v = 0.25 * (s[V + a] + s[V + b] + s[V + c] + s[V + d]) - stream[1]
        w = 0.25 * (s[W + a] + s[W + b] + s[W + c] + s[W + d]) - stream[2]
        px, py, pz = s[X + c] - s[X + a], s[Y + c] - s[Y + a], s[Z + c] - s[Z + a]
        qx, qy, qz = s[X + d] - s[X + b], s[Y + d] - s[Y + b], s[Z + d] - s[Z + b]
        nx, ny, nz = 0.5 * (py * qz - pz * qy), 0.5 * (pz * qx - px * qz), 0.5 * (px * qy - py * qx)
        into = nx * u + ny * v + nz * w
        if into <= 0.0:
            continue
        area, speed = sqrt(nx * nx + ny * ny + nz * nz), sqrt(u * u + v * v + w * w)
        if area < SHORTEST or speed < SLOWEST:
            continue
        mu = factor * kinds.water[k, i]
        strength = -0.25 * mu * speed * into / (area * (1.0 + h * mu * area * speed * kinds.grip[k, i]))
        fx, fy, fz = strength * nx, strength * ny, strength * nz
        for node in (a, b, c, d):
            s[FX + node] += fx
            s[FY + node] += fy
            s[FZ + node] += fz


@kernel(refcount=False)
def set_lengths(s, kinds, k, size, before, now, share):
    """Update the rest lengths of the muscles in a scratch row to a share of the way from one tick's to the next's."""
    for i in range(MUSCLE_COUNT):
        s[LENGTHS + i] = size * kinds.rest_length[k, i] * (before[i] + share * (now[i] - before[i]))


@kernel(refcount=False)
def step_springs(s, kinds, k, size, tone, tuned, contraction, medium, steps, dt):
    """Update places and velocities of one fish in its scratch row over a tick.

    The scratch row has the constant part of the forces on the nodes in GX GY GZ. tuned: factors on stiffness, damping, mass
    and water; contraction: muscles before and now; medium: water level, its velocity (3), gravity. Forces are those on a
    fish of the usual size: springs of others are alike against their masses, and water counts as 1 / size^3 of it.
    """
    h = dt / steps
    against = 1.0 / (size * size * size * tuned[2])  # one of twice the size has eight times the mass
    stream = (medium[1], medium[2], medium[3])
    for i in range(MUSCLE_COUNT, SPRING_COUNT):
        s[LENGTHS + i] = size * kinds.rest_length[k, i]
    for step in range(steps):
        set_lengths(s, kinds, k, size, contraction[0], contraction[1], (step + 1.0) / steps)
        for i in range(3 * NODES):
            s[FX + i] = s[GX + i] * against
        pull_springs(s, kinds, k, tone * tuned[0], tuned[2], tuned[1])
        push_water(s, kinds, k, medium[0], stream, tuned[3] * against, h)
        for i in range(NODES):
            g = h * kinds.inverse_mass[k, i]
            s[U + i] += g * s[FX + i]
            s[V + i] += g * s[FY + i]
            s[W + i] += g * s[FZ + i]
            if s[Z + i] > medium[0]:
                s[W + i] -= h * medium[4]
            s[X + i] += h * s[U + i]
            s[Y + i] += h * s[V + i]
            s[Z + i] += h * s[W + i]


@kernel()
def load_body(s, nodes, first):
    """Update a scratch row from the nodes of a fish."""
    for i in range(NODES):
        for axis in range(3):
            s[X + axis * NODES + i] = nodes.position[first + i, axis]
            s[U + axis * NODES + i] = nodes.velocity[first + i, axis]
            s[GX + axis * NODES + i] = 0.0


@kernel()
def store_body(s, nodes, first):
    """Update the nodes of a fish from its scratch row."""
    for i in range(NODES):
        for axis in range(3):
            nodes.position[first + i, axis] = s[X + axis * NODES + i]
            nodes.velocity[first + i, axis] = s[U + axis * NODES + i]


@kernel()
def is_sound(s, kinds, k, size):
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
