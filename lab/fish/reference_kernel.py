"""The solver of the source: semi-implicit steps of 23 nodes with a banded L D L^T in skyline storage. [Tu99 4.5]

For checks of what was published, never part of a tick: explicit steps are as stable and cost half [fish 1].

Legend: eta effective stiffness of a unit, A the matrix and G the right side of the velocities' equations, MAXA places of the
diagonal in the store, u direction of a unit, c stiffness, kappa damping, e stretch.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from ...engine.kernel import kernel

if TYPE_CHECKING:
    from ...engine.kernel_types import Array
    from .reference_fish import PublishedBody

LITERAL, CLIPPED, LINEARISED, FORWARD_EULER, SYMPLECTIC = range(5)
"""Modes: as printed; without negative eta in A; all of a unit's stiffness in A; explicit in two ways.
[artificial-fishes A.5]"""


@kernel()
def factor_skyline(store: Array, maxa: Array, heights: Array) -> None:
    """Update a symmetric matrix in skyline storage to its factors, D on the diagonal and L^T above it. [Tu99 4.5.1]"""
    for j in range(maxa.size):
        top = j - heights[j]
        for i in range(top + 1, j):
            for r in range(max(top, i - heights[i]), i):
                store[maxa[j] + j - i] -= store[maxa[i] + i - r] * store[maxa[j] + j - r]
        for i in range(top, j):
            product = store[maxa[j] + j - i]
            store[maxa[j] + j - i] = product / store[maxa[i]]
            store[maxa[j]] -= product * store[maxa[j] + j - i]


@kernel()
def solve_skyline(store: Array, maxa: Array, heights: Array, sides: Array) -> None:
    """Update right sides (n, k) to the solutions of a factored matrix."""
    n = maxa.size
    for k in range(sides.shape[1]):
        for j in range(n):
            for i in range(j - heights[j], j):
                sides[j, k] -= store[maxa[j] + j - i] * sides[i, k]
        for j in range(n):
            sides[j, k] /= store[maxa[j]]
        for j in range(n - 1, -1, -1):
            for i in range(j - heights[j], j):
                sides[i, k] -= store[maxa[j] + j - i] * sides[j, k]


@kernel()
def add_water(x: Array, v: Array, body: PublishedBody, mu: float, stream: Array, force: Array) -> None:
    """Update forces by the water on all faces: f = -mu A |v| max(0, n.v) n. [Tu99 eq. 4.3]"""
    for f in range(body.faces.shape[0]):
        a, b, c, d = body.faces[f, 0], body.faces[f, 1], body.faces[f, 2], body.faces[f, 3]
        p0, p1, p2 = x[c, 0] - x[a, 0], x[c, 1] - x[a, 1], x[c, 2] - x[a, 2]
        q0, q1, q2 = x[d, 0] - x[b, 0], x[d, 1] - x[b, 1], x[d, 2] - x[b, 2]
        n0, n1, n2 = 0.5 * (p1 * q2 - p2 * q1), 0.5 * (p2 * q0 - p0 * q2), 0.5 * (p0 * q1 - p1 * q0)
        area = sqrt(n0 * n0 + n1 * n1 + n2 * n2)
        w0, w1, w2 = -stream[0], -stream[1], -stream[2]
        for k in range(4):
            node, share = body.faces[f, k], body.weights[f, k]
            w0, w1, w2 = w0 + share * v[node, 0], w1 + share * v[node, 1], w2 + share * v[node, 2]
        into = n0 * w0 + n1 * w1 + n2 * w2
        if into <= 0.0 or area <= 0.0:
            continue
        strength = -mu * sqrt(w0 * w0 + w1 * w1 + w2 * w2) * into / area
        for k in range(4):
            node, share = body.faces[f, k], body.weights[f, k]
            force[node, 0] += share * strength * n0
            force[node, 1] += share * strength * n1
            force[node, 2] += share * strength * n2


@kernel()
def add_block(store: Array, maxa: Array, i: int, j: int, value: float) -> None:
    """Update an entry of a matrix in skyline storage, row i <= column j."""
    store[maxa[j] + j - i] += value


@kernel()
def published_step(x: Array, v: Array, rest_length: Array, force: Array, body: PublishedBody, mode: int, dt: float,
                   store: Array, sides: Array, wide: Array) -> None:  # fmt: skip
    """Update places and velocities by one step. force (23, 3): all that is not of the units; it is used up.

    store, sides: room for the matrix of 23 unknowns with three right sides, or, `wide` (69, 1), of 69 with one.
    """
    linear = mode == LINEARISED
    store[:], sides[:], wide[:] = 0.0, 0.0, 0.0
    for s in range(body.springs.shape[0]):
        a, b = body.springs[s, 0], body.springs[s, 1]
        r0, r1, r2 = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1], x[b, 2] - x[a, 2]
        d = sqrt(r0 * r0 + r1 * r1 + r2 * r2)
        closing = ((v[b, 0] - v[a, 0]) * r0 + (v[b, 1] - v[a, 1]) * r1 + (v[b, 2] - v[a, 2]) * r2) / d
        c, kappa, e = body.stiffness[s], body.damping[s], d - rest_length[s]
        eta = (c * e + (0.0 if linear else kappa * closing)) / d  # [Tu99 eq. 4.1]
        unit = (r0 / d, r1 / d, r2 / d)
        for axis in range(3):
            pull = eta * d * unit[axis]
            force[a, axis] += pull
            force[b, axis] -= pull
        if linear:  # d f / d x and d f / d v of the unit, without what would make A indefinite
            for p in range(3):
                for q in range(3):
                    along = unit[p] * unit[q]
                    value = (dt * c + kappa) * along + dt * max(eta, 0.0) * ((1.0 if p == q else 0.0) - along)
                    if p <= q:
                        add_block(store, body.wide_maxa, 3 * a + p, 3 * a + q, value)
                        add_block(store, body.wide_maxa, 3 * b + p, 3 * b + q, value)
                    add_block(store, body.wide_maxa, 3 * a + p, 3 * b + q, -value)
        elif mode == LITERAL or mode == CLIPPED:  # [Tu99 eq. 4.10]
            inside = dt * (max(eta, 0.0) if mode == CLIPPED else eta)
            add_block(store, body.maxa, a, a, inside)
            add_block(store, body.maxa, b, b, inside)
            add_block(store, body.maxa, a, b, -inside)
    for i in range(x.shape[0]):
        for axis in range(3):
            g = force[i, axis] + body.mass[i] / dt * v[i, axis]  # [Tu99 eq. 4.11]
            sides[i, axis] = g
            wide[3 * i + axis, 0] = g
            if linear:
                add_block(store, body.wide_maxa, 3 * i + axis, 3 * i + axis, body.mass[i] / dt)
        if mode == LITERAL or mode == CLIPPED:
            add_block(store, body.maxa, i, i, body.mass[i] / dt)
    if linear:
        factor_skyline(store, body.wide_maxa, body.wide_heights)
        solve_skyline(store, body.wide_maxa, body.wide_heights, wide)
    elif mode == LITERAL or mode == CLIPPED:
        factor_skyline(store, body.maxa, body.heights)
        solve_skyline(store, body.maxa, body.heights, sides)
    for i in range(x.shape[0]):
        for axis in range(3):
            before = v[i, axis]
            if linear:
                v[i, axis] = wide[3 * i + axis, 0]
            elif mode == LITERAL or mode == CLIPPED:
                v[i, axis] = sides[i, axis]
            else:
                v[i, axis] = before + dt / body.mass[i] * force[i, axis]
            x[i, axis] += dt * (before if mode == FORWARD_EULER else v[i, axis])  # [Tu99 eq. 4.7]
