"""Reference implementations in plain numpy, written from the equations and independent of the kernels."""

from __future__ import annotations

from itertools import product

import numpy as np

REFERENCE_CORNERS = list(product((0, 1), repeat=3))


def tetrahedra() -> np.ndarray:
    """The alternating five-tetrahedron split of a 3 x 3 x 3 lattice, cell by cell."""
    result = []
    for cell in product((-1, 1), repeat=3):

        def node(steps, cell=cell):
            i, j, k = (1 + side * step for side, step in zip(cell, steps, strict=True))
            return 9 * i + 3 * j + k

        result.append([node(steps) for steps in REFERENCE_CORNERS if sum(steps) % 2 == 1])
        for steps in REFERENCE_CORNERS:
            if sum(steps) % 2 == 0:
                flipped = [tuple(v ^ int(a == b) for b, v in enumerate(steps)) for a in range(3)]
                result.append([node(steps)] + [node(f) for f in flipped])
    return np.array(result)


TETRAHEDRA = tetrahedra()
LATTICE = np.array([(1 - i, j - 1, k - 1) for i, j, k in product(range(3), repeat=3)]) / 2.0


def signed_polar(gradient: np.ndarray) -> np.ndarray:
    """The rotation of F by SVD, a reflection pushed into the smallest singular value. [Fang15 eq. A.4; myriapoda E-50]"""
    u, s, vt = np.linalg.svd(gradient)
    flip = np.diag([1.0, 1.0, np.linalg.det(u) * np.linalg.det(vt)])
    return u @ flip @ vt


def cofactor(gradient: np.ndarray) -> np.ndarray:
    """cof F from column cross products, valid for singular F too."""
    a, b, c = gradient.T
    return np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1)


def piola(gradient: np.ndarray, mu: float, lam: float) -> np.ndarray:
    """P = 2 mu (F - R) + lambda (J - 1) cof F. [Fang15 eq. A.18]"""
    rotation, det = signed_polar(gradient), np.linalg.det(gradient)
    return 2.0 * mu * (gradient - rotation) + lam * (det - 1.0) * cofactor(gradient)


def energy_density(gradient: np.ndarray, mu: float, lam: float) -> float:
    """Psi = mu sum (sigma - 1)^2 + lambda / 2 (J - 1)^2 with a signed smallest sigma."""
    s = np.linalg.svd(gradient, compute_uv=False)
    det = np.linalg.det(gradient)
    s[2] *= np.sign(det)
    return mu * float(((s - 1.0) ** 2).sum()) + 0.5 * lam * (det - 1.0) ** 2


def rest_positions(size, lengths) -> np.ndarray:
    """The morphed rest shape, top and bottom blended like left and right. [Fang15 eq. 5.1]"""
    rest = LATTICE * np.asarray(size, dtype=float)
    for n, (_, y, z) in enumerate(LATTICE):
        left, right, top, bottom = lengths
        rest[n, 0] *= (left * (0.5 + y) + right * (0.5 - y)) * (top * (0.5 + z) + bottom * (0.5 - z))
    return rest


def elastic_forces(nodes: np.ndarray, rest: np.ndarray, mu: float, lam: float) -> np.ndarray:
    """Nodal forces H = -V P Dm^-T, summed over the elements. [Fang15 eq. A.19; myriapoda E-1]"""
    forces = np.zeros((27, 3))
    for a, b, c, d in TETRAHEDRA:
        dm = np.column_stack([rest[b] - rest[a], rest[c] - rest[a], rest[d] - rest[a]])
        ds = np.column_stack([nodes[b] - nodes[a], nodes[c] - nodes[a], nodes[d] - nodes[a]])
        inverse = np.linalg.inv(dm)
        h = -abs(np.linalg.det(dm)) / 6.0 * piola(ds @ inverse, mu, lam) @ inverse.T
        for column, node in enumerate((b, c, d)):
            forces[node] += h[:, column]
        forces[a] -= h.sum(axis=1)
    return forces


def masses_and_damping(size, density: float, gamma: float) -> tuple[np.ndarray, np.ndarray]:
    """Lumped masses (27,) and damping matrix (27, 27) of a block. [Fang15 eq. A.22, A.23]"""
    rest = LATTICE * np.asarray(size, dtype=float)
    masses, damping = np.zeros(27), np.zeros((27, 27))
    for tet in TETRAHEDRA:
        volume = abs(np.linalg.det(rest[tet[1:]] - rest[tet[0]])) / 6.0
        masses[tet] += density * volume / 4.0
        damping[np.ix_(tet, tet)] += gamma * volume * (np.eye(4) - 0.25)
    return masses, damping


def matrix_of(quaternion) -> np.ndarray:
    w, x, y, z = quaternion
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross


def turned(quaternion, rotation_vector) -> np.ndarray:
    """exp(rotation vector / 2) times the quaternion."""
    angle = np.linalg.norm(rotation_vector)
    axis = rotation_vector / angle if angle > 0 else np.zeros(3)
    pw, (px, py, pz) = np.cos(angle / 2), np.sin(angle / 2) * axis
    qw, qx, qy, qz = quaternion
    return np.array([
        pw * qw - px * qx - py * qy - pz * qz, pw * qx + px * qw + py * qz - pz * qy,
        pw * qy + py * qw + pz * qx - px * qz, pw * qz + pz * qw + px * qy - py * qx,
    ])  # fmt: skip


def substep(columns, creature: int, dt: float, lengths: np.ndarray) -> None:
    """One substep of a body without ground: the published damping, all nodes of a block treated alike."""
    first = int(columns.first_segment[creature])
    rows = range(first, first + int(columns.segment_count[creature]))
    force = {i: columns.mass[i] * columns.gravity[i] for i in rows}
    torque = {i: np.zeros(3) for i in rows}
    center, arm = {}, {}
    for i in rows:
        arm[i] = matrix_of(columns.orientation[i]) @ columns.center_of_mass[i]
        center[i] = columns.position[i] + arm[i]
        force[i] = force[i] + columns.push[i, :3]
        torque[i] = torque[i] + columns.push[i, 3:] - np.cross(arm[i], columns.push[i, :3])
    for k in range(columns.first_block[creature], columns.first_block[creature] + columns.block_count[creature]):
        _block_substep(columns, k, dt, lengths[k], center, force, torque)
    for i in rows:
        _segment_substep(columns, i, dt, arm[i], center[i], force[i], torque[i])


def _block_substep(columns, k, dt, lengths, center, force, torque) -> None:
    mu, lam, density, gamma = columns.elastic[k]
    size = columns.size[k]
    x, v = np.zeros((27, 3)), np.zeros((27, 3))
    x[9:18], v[9:18] = columns.node_position[k], columns.node_velocity[k]
    ends = (
        (columns.segment_a[k], columns.anchor_a[k], range(9)),
        (columns.segment_b[k], columns.anchor_b[k], range(18, 27)),
    )
    for i, anchor, nodes in ends:
        for n in nodes:
            local = anchor[:3] + matrix_of(anchor[3:]) @ (LATTICE[n] * size)
            r = matrix_of(columns.orientation[i]) @ local
            x[n], v[n] = columns.position[i] + r, columns.velocity[i] + np.cross(columns.angular_velocity[i], r)
    f = elastic_forces(x, rest_positions(size, lengths), mu, lam)
    masses, damping = masses_and_damping(size, density, gamma)
    free, bound = np.arange(9, 18), np.r_[0:9, 18:27]
    gravity = 0.5 * (columns.gravity[columns.segment_a[k]] + columns.gravity[columns.segment_b[k]])
    right = masses[free, None] * (v[free] + dt * gravity) + dt * f[free] - dt * damping[np.ix_(free, bound)] @ v[bound]
    v[free] = np.linalg.solve(np.diag(masses[free]) + dt * damping[np.ix_(free, free)], right)
    f -= damping @ v
    columns.node_velocity[k] = v[free]
    columns.node_position[k] = x[free] + dt * v[free]
    for i, _, nodes in ends:
        for n in nodes:
            force[i] = force[i] + f[n]
            torque[i] = torque[i] + np.cross(x[n] - center[i], f[n])


def _segment_substep(columns, i, dt, arm, center, force, torque) -> None:
    if columns.kinematic[i]:
        columns.position[i] += dt * columns.velocity[i]
        columns.orientation[i] = turned(columns.orientation[i], dt * columns.angular_velocity[i])
        return
    turn = matrix_of(columns.orientation[i])
    speed = columns.velocity[i] + np.cross(columns.angular_velocity[i], arm) + dt * force / columns.mass[i]
    inertia = turn @ columns.inertia[i] @ turn.T
    angular_momentum = inertia @ columns.angular_velocity[i] + dt * torque
    spin = np.linalg.solve(inertia, angular_momentum)
    middle = spin - 0.5 * dt * np.linalg.solve(inertia, np.cross(spin, angular_momentum))
    columns.orientation[i] = turned(columns.orientation[i], dt * middle)
    turn = matrix_of(columns.orientation[i])
    spin = np.linalg.solve(turn @ columns.inertia[i] @ turn.T, angular_momentum)
    arm = turn @ columns.center_of_mass[i]
    columns.position[i] = center + dt * speed - arm
    columns.angular_velocity[i] = spin
    columns.velocity[i] = speed - np.cross(spin, arm)
