"""Swimming without a grid: a reactive elongated body with quadratic drag, in the coordinates of the links. [swimmer 4.2]

Per length of a link (t along it to its rear end, n across it, w = n.v, u = t.v, turning at `spin`) the water answers with
-m_a (n.a - 2 spin u) - Cn |w| w / 2 across and -Ct |u| u / 2 along it. Where a link goes on in the next one, and at leading
ends, the momentum of the water jumps. n.a is part of the mass matrix and drag is implicit, so any tick is stable.

What these forces make of the speed along the heading depends on jets and whirls that links leave for each other, of which
they know nothing. Where the speed of a stroke was measured, `surge_kernel` says it; links bend, sway and turn by the forces.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ....components.articulated.link_plan import MOST_LINKS
from ....components.articulated.manoeuvres import CYCLE_FIELDS
from ....components.articulated.surrogate import Surrogate
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ..fluid.plane_body_kernel import add_servos, begin_step, end_body, factorise, solve_factorised
from ..fluid.window_layout import FRAME
from .stroke_kernel import NONE, turn_row
from .surge_kernel import CARRIED, is_measured, surge_after

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.manoeuvres import ManoeuvrePool
    from ....components.articulated.servo import SwimPool
    from ....components.articulated.surrogate import SurrogatePool
    from ....engine.kernel_types import Array

X, Y, ANGLE, COS, SIN, VX, VY, SPIN, AX, AY = FRAME
FIELDS = len(FRAME)
MOST = MOST_LINKS + 2
"""Coordinates: x and y of the root, and an angle per link."""
BLOCK = 16
"""Swimmers after each other in one scratch: it stays in the cache."""
ON_AXIS = 1.0e-6
"""Of a body length: a joint farther from its parent's axis is that of a limb."""
FIRST_POINT, LAST_POINT = 0.5 - sqrt(1.0 / 12.0), 0.5 + sqrt(1.0 / 12.0)
"""Of a link, of a rule with two points that is exact for cubes. [Gauss]"""
RATES, IMPULSES, LEVERS, MEANS = range(4)
"""Rows of the vectors in the scratch."""
LIMB, ENDS, BEGINS = range(3)
"""Rows of marks: a limb or part of one; the rear end is free; the front end is free."""


@kernel(refcount=False)
def mark_links(first: int, n: int, links: LinkPool, nothing: float, marks: Array) -> None:
    """Update which links are limbs, and which ends of theirs are free."""
    for k in range(n):
        row = first + k
        marks[LIMB, k], marks[ENDS, k], marks[BEGINS, k] = 0.0, 1.0, 1.0
        if k == 0:
            continue
        p = int64(links.parent[row])
        aside = abs(links.joint[row, 1]) > nothing
        if aside or marks[LIMB, p] > 0.0:
            marks[LIMB, k] = 1.0
        if not aside and abs(links.joint[row, 0] + links.length[first + p]) <= nothing:
            marks[ENDS, p] = marks[BEGINS, k] = 0.0  # water flows from one along the other


@kernel(refcount=False)
def lever(k: int, x: float, y: float, nx: float, ny: float, parents: Array, frame: Array, g: Array) -> None:
    """Update how a point of link `k` moves along a direction: by the root's x and y, and by each angle before it."""
    g[0], g[1] = nx, ny
    while k >= 0:
        g[2 + k] = ny * (x - frame[k, X]) - nx * (y - frame[k, Y])
        k = int64(parents[k])


@kernel(refcount=False)
def add_mass(k: int, weight: float, impulse: float, parents: Array, g: Array, matrix: Array, star: Array) -> None:
    """Update matrix (below its diagonal) and impulses by one point and direction: weight g g^T and impulse g."""
    matrix[0, 0] += weight * g[0] * g[0]
    matrix[1, 0] += weight * g[1] * g[0]
    matrix[1, 1] += weight * g[1] * g[1]
    add_impulse(k, impulse, parents, g, star)
    while k >= 0:
        held = weight * g[2 + k]
        matrix[2 + k, 0] += held * g[0]
        matrix[2 + k, 1] += held * g[1]
        j = k
        while j >= 0:
            matrix[2 + k, 2 + j] += held * g[2 + j]
            j = int64(parents[j])
        k = int64(parents[k])


@kernel(refcount=False)
def add_impulse(k: int, impulse: float, parents: Array, g: Array, star: Array) -> None:
    """Update impulses by one along a direction."""
    star[0] += impulse * g[0]
    star[1] += impulse * g[1]
    while k >= 0:
        star[2 + k] += impulse * g[2 + k]
        k = int64(parents[k])


@kernel(refcount=False)
def add_water(first: int, n: int, size: float, links: LinkPool, water: Array, more: float, frame: Array, marks: Array,
              g: Array, matrix: Array, star: Array, dt: float) -> None:  # fmt: skip
    """Update matrix and impulses by the water along all links that are in it; `more`: a factor of Cn. [swimmer 4.2]"""
    parents = links.parent[first : first + n]
    for k in range(n):
        length, kind, wet = links.length[first + k], int64(3.0 * marks[LIMB, k]), links.wet[first + k]
        thick = wet * water[kind] * size
        cn, ct = wet * more * water[kind + 1], wet * water[kind + 2]
        x, y, tx, ty, spin = frame[k, X], frame[k, Y], -frame[k, COS], -frame[k, SIN], frame[k, SPIN]
        nx, ny = -ty, tx
        u, w = tx * frame[k, VX] + ty * frame[k, VY], nx * frame[k, VX] + ny * frame[k, VY]
        swung = nx * frame[k, AX] + ny * frame[k, AY] - 2.0 * spin * u
        mass = 0.5 * length * thick
        for point in range(2):
            s = length * (FIRST_POINT if point == 0 else LAST_POINT)
            here = w + spin * s
            lever(k, x + s * tx, y + s * ty, nx, ny, parents, frame, g)
            drag = 0.25 * length * cn * abs(here)
            add_mass(k, mass + dt * drag, mass * (here - dt * swung), parents, g, matrix, star)
        lever(k, x, y, tx, ty, parents, frame, g)
        add_mass(k, dt * 0.5 * length * ct * abs(u), 0.0, parents, g, matrix, star)
        if marks[BEGINS, k] == 0.0:
            p = int64(parents[k])
            turn = frame[k, ANGLE] - frame[p, ANGLE]
            u_before = -frame[p, COS] * frame[k, VX] - frame[p, SIN] * frame[k, VY]
            w_before = frame[p, SIN] * frame[k, VX] - frame[p, COS] * frame[k, VY]
            jump = thick * (u * w - u_before * w_before - 0.5 * sin(0.5 * turn) * (w * w + w_before * w_before))
            half = frame[p, ANGLE] + 0.5 * turn
            lever(p, x, y, sin(half), -cos(half), parents, frame, g)
            add_impulse(p, dt * jump, parents, g, star)
        elif u < 0.0:  # it meets water that is at rest
            lever(k, x, y, nx, ny, parents, frame, g)
            add_impulse(k, dt * thick * u * w, parents, g, star)
        if u > 0.0 and marks[ENDS, k] > 0.0:  # so does its rear end when it moves backward
            lever(k, x + length * tx, y + length * ty, nx, ny, parents, frame, g)
            add_impulse(k, -dt * thick * u * (w + spin * length), parents, g, star)


@kernel(refcount=False)
def add_trim(c: int, first: int, n: int, swimmers: SwimPool, links: LinkPool, manoeuvres: ManoeuvrePool, water: Array,
             frame: Array, g: Array, star: Array, dt: float) -> None:  # fmt: skip
    """Update impulses by the trim, which moves all links alike: an acceleration across the heading and about the middle.

    It goes with the share of the turn, the square of the effort and the wet share.
    """
    side, parents = swimmers.steer[c], links.parent[first : first + n]
    turn, _ = turn_row(c, side, swimmers, manoeuvres)
    k = abs(side) if turn != NONE else 0.0
    hard = swimmers.wet[c] * swimmers.effort[c] * abs(swimmers.effort[c]) * swimmers.pace[c] * swimmers.pace[c]
    left = abs(hard) * (k if side > 0.0 else -k)
    spin, sway = left * water[Surrogate.TURN_MOMENT], left * swimmers.length[c] * water[Surrogate.TURN_SWAY]
    if spin == 0.0 and sway == 0.0:
        return
    whole, mx, my = 0.0, 0.0, 0.0
    for k in range(n):
        mass, back = links.mass[first + k], links.com[first + k]
        whole += mass
        mx += mass * (frame[k, X] - back * frame[k, COS])
        my += mass * (frame[k, Y] - back * frame[k, SIN])
    co, si = cos(swimmers.heading[c]), sin(swimmers.heading[c])
    ahead_x, ahead_y = -sway * si, sway * co
    for k in range(n):
        mass, back = links.mass[first + k], links.com[first + k]
        x, y = frame[k, X] - back * frame[k, COS], frame[k, Y] - back * frame[k, SIN]
        lever(k, x, y, 1.0, 0.0, parents, frame, g)
        add_impulse(k, dt * mass * (ahead_x - spin * (y - my / whole)), parents, g, star)
        lever(k, x, y, 0.0, 1.0, parents, frame, g)
        add_impulse(k, dt * mass * (ahead_y + spin * (x - mx / whole)), parents, g, star)
        i = k
        while i >= 0:
            star[2 + i] += dt * links.inertia[first + k] * spin
            i = int64(parents[i])


@kernel(refcount=False)
def add_keel(c: int, first: int, n: int, swimmers: SwimPool, links: LinkPool, drag: float, frame: Array, g: Array, h: Array,
             matrix: Array) -> None:  # fmt: skip
    """Update the matrix by what the water does to the whole body when it slides to the side: `drag` of its momentum."""
    parents, whole = links.parent[first : first + n], 0.0
    co, si = cos(swimmers.heading[c]), sin(swimmers.heading[c])
    for q in range(n + 2):
        h[q] = 0.0
    for k in range(n):
        mass, back = links.mass[first + k], links.com[first + k]
        lever(k, frame[k, X] - back * frame[k, COS], frame[k, Y] - back * frame[k, SIN], -si, co, parents, frame, g)
        whole += mass
        h[0] += mass * g[0]
        h[1] += mass * g[1]
        i = k
        while i >= 0:
            h[2 + i] += mass * g[2 + i]
            i = int64(parents[i])
    for q in range(n + 2):
        for r in range(q + 1):
            matrix[q, r] += drag / whole * h[q] * h[r]


@kernel(refcount=False)
def swim_ahead(c: int, swimmers: SwimPool, links: LinkPool, surrogates: SurrogatePool, manoeuvres: ManoeuvrePool,
               frame: Array, v: Array, rate: Array, dt: float) -> None:  # fmt: skip
    """Update the root's new rates to the speed along the heading that `surge_kernel` says; all links come along.

    Speeds ahead are against the heading at the beginning of their tick: a body that turns does not make sway of surge.
    """
    first, mass, fx, fy, spin = int64(swimmers.first_link[c]), 0.0, 0.0, 0.0, 0.0
    for row in range(first, first + swimmers.link_count[c]):
        mass += links.mass[row]
        spin += links.mass[row] * frame[row - first, SPIN]
        fx += links.push[row, 0]
        fy += links.push[row, 1]
    before = swimmers.heading[c] - dt * spin / mass
    ahead = cos(before) * swimmers.root_rate[c, 0] + sin(before) * swimmers.root_rate[c, 1]
    co, si = cos(swimmers.heading[c]), sin(swimmers.heading[c])
    pushed = dt * (co * fx + si * fy) / ((1.0 + CARRIED) * mass)
    share = surrogates.parameters[c, Surrogate.AHEAD_SHARE]
    surge, _ = surge_after(c, ahead, pushed, share, swimmers, links, surrogates, manoeuvres, v[0], v[1], dt)
    more = surge - co * rate[0] - si * rate[1]
    rate[0] += more * co
    rate[1] += more * si


@kernel(refcount=False)
def step_surrogate(c: int, swimmers: SwimPool, links: LinkPool, surrogates: SurrogatePool, manoeuvres: ManoeuvrePool,
                   frame: Array, matrix: Array, vectors: Array, marks: Array, cycle: Array, dt: float) -> None:  # fmt: skip
    """Update one swimmer over a tick; `wanted` says what its servos do. One that cannot be solved stays as it is."""
    first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
    water, size = surrogates.parameters[c], swimmers.length[c]
    rate, star, g = vectors[RATES], vectors[IMPULSES], vectors[LEVERS]
    begin_step(c, first, n, swimmers, links, frame, matrix, rate, star, g, dt)
    mark_links(first, n, links, ON_AXIS * size, marks)
    add_trim(c, first, n, swimmers, links, manoeuvres, water, frame, g, star, dt)
    more = 1.0 + abs(swimmers.steer[c]) * (water[Surrogate.TURN_DRAG] - 1.0)
    add_water(first, n, size, links, water, more, frame, marks, g, matrix, star, dt)
    add_keel(c, first, n, swimmers, links, dt * swimmers.wet[c] * swimmers.pace[c] * water[Surrogate.SIDE_DRAG], frame, g,
             vectors[MEANS], matrix)  # fmt: skip
    add_servos(first, n, links, matrix, star, dt)
    if factorise(matrix, n + 2):
        solve_factorised(matrix, n + 2, star)
        if is_measured(c, swimmers, manoeuvres):
            swim_ahead(c, swimmers, links, surrogates, manoeuvres, frame, cycle, star, dt)
        end_body(c, swimmers, links, dt, swimmers.stream[c, 0], swimmers.stream[c, 1], frame, star)


@kernel(parallel=True)
def step_surrogates(rows: Array, swimmers: SwimPool, links: LinkPool, surrogates: SurrogatePool, manoeuvres: ManoeuvrePool,
                    dt: float) -> None:  # fmt: skip
    """Update the listed swimmers over a tick, each by itself: the same for any number of threads."""
    blocks = (rows.size + BLOCK - 1) // BLOCK
    for block in prange(blocks):
        frame, matrix = np.empty((MOST_LINKS, FIELDS)), np.empty((MOST, MOST))
        vectors, marks, cycle = np.empty((4, MOST)), np.empty((3, MOST_LINKS)), np.empty((2, CYCLE_FIELDS))
        for r in range(BLOCK * block, min(BLOCK * (block + 1), rows.size)):
            step_surrogate(int64(rows[r]), swimmers, links, surrogates, manoeuvres, frame, matrix, vectors, marks, cycle, dt)
