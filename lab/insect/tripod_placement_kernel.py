"""The triangle placement engine: where the feet of each step go along a path. [Guo15 4.2.2]

Legend: S stride, w weight of the blend, T' the last triangle of the same tripod moved straight on, T'' the template laid on
the path, dL how much the trunk is lowered. A triangle is blended vertex by vertex, then moved onto the ground.
"""

from __future__ import annotations

from math import cos, exp, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ...engine.kernel import kernel
from ...engine.terrain.ground_kernel import sample_ground

if TYPE_CHECKING:
    from ...engine.kernel_types import Array, Four, Vector
    from ...engine.terrain.ground_layout import Ground
    from .ant_model import AntTables
    from .triangle_placement import _Settings

SNAP_STEPS = 12  # moves of a vertex along the normal; they end at ON_GROUND
ON_GROUND = 1e-9
LEAST_AREA = 0.7  # of the triangle on the path: below, the guard acts
SLOWER, SLOWEST = 0.85, 0.2  # factors of the guard on the speed
NO_GUARD, GUARD_SLOWS, GUARD_TURNS = 0, 1, 2
SPEED, LOAD, FORCE_X, FORCE_Y, SIGMA = 1, 2, 3, 4, 5  # columns of the inputs, after the arc length
STILL = 1e-6  # mm/s
ROW_S, ROW_TIME, ROW_YAW, ROW_SPEED, ROW_STRIDE, ROW_LOWERED, ROW_WEIGHT, ROW_AREA, ROW_SLOPE = 0, 1, 2, 3, 4, 5, 6, 7, 8
ROW_COLUMNS = 9
PIECE_FROM, PIECE_X, PIECE_Y, PIECE_YAW, PIECE_BEND = 0, 1, 2, 3, 4  # of a path: where it begins, on it and in plan


@kernel(refcount=False)
def path_at(pieces: Array, first: int, last: int, s: float) -> Four:
    """Return x, y, heading and curvature of a path at an arc length."""
    low, high = first, last - 1
    while low < high:
        middle = (low + high + 1) // 2
        if pieces[middle, PIECE_FROM] <= s:
            low = middle
        else:
            high = middle - 1
    u, heading, bend = s - pieces[low, PIECE_FROM], pieces[low, PIECE_YAW], pieces[low, PIECE_BEND]
    turn = bend * u
    if abs(turn) > 1e-9:
        along, aside = sin(turn) / bend, (1.0 - cos(turn)) / bend
    else:
        along, aside = u, 0.5 * u * turn
    c, sn = cos(heading), sin(heading)
    return pieces[low, PIECE_X] + c * along - sn * aside, pieces[low, PIECE_Y] + sn * along + c * aside, heading + turn, bend


@kernel(refcount=False)
def input_at(inputs: Array, first: int, last: int, s: float, column: int) -> float:
    """Return a key-framed input at an arc length, linear between its keys."""
    if s <= inputs[first, 0]:
        return inputs[first, column]
    for k in range(first + 1, last):
        if s < inputs[k, 0]:
            share = (s - inputs[k - 1, 0]) / (inputs[k, 0] - inputs[k - 1, 0])
            return (1.0 - share) * inputs[k - 1, column] + share * inputs[k, column]
    return inputs[last - 1, column]


@kernel(refcount=False)
def onto_ground(ground: Ground, x: float, y: float, z: float) -> Vector:
    """Return the nearest point of the ground, by steps along its normal."""
    for _ in range(SNAP_STEPS):
        d, nx, ny, nz = sample_ground(ground, x, y, z)
        if abs(d) < ON_GROUND:
            break
        x, y, z = x - d * nx, y - d * ny, z - d * nz
    return x, y, z


@kernel(refcount=False)
def drop_to_ground(ground: Ground, x: float, y: float, z: float) -> Four:
    """Return the height of the ground straight below or above a point, and the normal there."""
    d, nx, ny, nz = sample_ground(ground, x, y, z)
    for _ in range(SNAP_STEPS):
        if abs(d) < ON_GROUND:
            break
        z -= d / max(nz, 0.2)
        d, nx, ny, nz = sample_ground(ground, x, y, z)
    return z, nx, ny, nz


@kernel(refcount=False)
def lowered_by(load: float, along: float, force: float, slope_sine: float, ant: AntTables, settings: _Settings) -> float:
    """Return how far the trunk is lowered by load, slope and force, the sum of the three. [Guo15 eq. 4.5-4.7]"""
    h = ant.height
    weight = ant.mass * settings.gravity
    push = -along if settings.signed_force else force
    total = settings.load_shift * load - h * slope_sine + push / weight * h
    return min(max(total, -settings.highest * h), settings.lowest * h)


@kernel(refcount=False)
def plan_area(t: Array) -> float:
    """Return the area of a triangle in the plan view."""
    return 0.5 * abs((t[1, 0] - t[0, 0]) * (t[2, 1] - t[0, 1]) - (t[1, 1] - t[0, 1]) * (t[2, 0] - t[0, 0]))


@kernel(refcount=False)
def lay_template(out: Array, tripod: int, at: Vector, forward: Vector, up: Vector, lowered: float, ant: AntTables) -> None:
    """Update out (3, 3): the template of a tripod around a point, in the plane of the ground there."""
    left = (up[1] * forward[2] - up[2] * forward[1], up[2] * forward[0] - up[0] * forward[2],
            up[0] * forward[1] - up[1] * forward[0])  # fmt: skip
    for j in range(3):
        leg = ant.tripods[tripod, j]
        x, y = ant.foot[leg, 0] + ant.spread[leg, 0] * lowered, ant.foot[leg, 1] + ant.spread[leg, 1] * lowered
        for axis in range(3):
            out[j, axis] = at[axis] + x * forward[axis] + y * left[axis]


@kernel(refcount=False)
def blend(out: Array, before: Array, after: Array, w: float, way: float, forward: Array) -> None:
    """Update out: vertex by vertex between the triangle before, moved on, and the one on the path. [Guo15 eq. 4.1]"""
    for j in range(3):
        for axis in range(3):
            out[j, axis] = (1.0 - w) * (before[j, axis] + way * forward[axis]) + w * after[j, axis]


@kernel(refcount=False)
def blend_turning(out: Array, before: Array, after: Array, w: float, way: float, forward: Array) -> None:
    """Update out: middles are blended, and the triangle on the path is turned as far as the weight says."""
    mx, my, mz, bx, by, bz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(3):
        mx, my, mz = mx + after[j, 0] / 3.0, my + after[j, 1] / 3.0, mz + after[j, 2] / 3.0
        bx, by, bz = bx + before[j, 0] / 3.0, by + before[j, 1] / 3.0, bz + before[j, 2] / 3.0
    ax, ay = after[0, 0] - after[2, 0], after[0, 1] - after[2, 1]
    px, py = before[0, 0] - before[2, 0], before[0, 1] - before[2, 1]
    turn = (1.0 - w) * np.arctan2(ax * py - ay * px, ax * px + ay * py)
    c, s = cos(turn), sin(turn)
    x, y = (1.0 - w) * (bx + way * forward[0]) + w * mx, (1.0 - w) * (by + way * forward[1]) + w * my
    z = (1.0 - w) * (bz + way * forward[2]) + w * mz
    for j in range(3):
        dx, dy = after[j, 0] - mx, after[j, 1] - my
        out[j, 0], out[j, 1], out[j, 2] = x + c * dx - s * dy, y + s * dx + c * dy, z + after[j, 2] - mz


@kernel()
def place_one(pieces: Array, first: int, last: int, inputs: Array, first_key: int, last_key: int, length: float,
              ant: AntTables, settings: _Settings, ground: Ground, triangles: Array, rows: Array) -> int:  # fmt: skip
    """Update triangles (n, 3, 3) and rows of one ant; return how many there are."""
    count, most = 0, rows.shape[0]
    target = np.empty((3, 3))
    time, z = 0.0, settings.start_z
    forwards = np.zeros((2, 3))  # along the path at the last triangle of each tripod
    bends = np.zeros(2)
    s, spacing = -1.0, 0.0
    while count < most:
        key = max(s, 0.0)
        load = input_at(inputs, first_key, last_key, key, LOAD)
        speed = input_at(inputs, first_key, last_key, key, SPEED) * (1.0 - settings.load_slowing * load)
        tripod = count % 2
        tries = 0
        while True:
            spacing = (ant.stride + ant.stride_time * speed) * settings.share  # [Guo15 eq. 4.4]
            here = 0.5 * spacing if count == 0 else s + spacing
            x, y, heading, bend = path_at(pieces, first, last, here)
            forward, up, slope = (cos(heading), sin(heading), 0.0), (0.0, 0.0, 1.0), 0.0
            if not settings.flat:
                z, nx, ny, nz = drop_to_ground(ground, x, y, z)
                up = (nx, ny, nz)
                dot = forward[0] * nx + forward[1] * ny
                fx, fy, fz = forward[0] - dot * nx, forward[1] - dot * ny, -dot * nz
                size = sqrt(fx * fx + fy * fy + fz * fz)
                forward, slope = (fx / size, fy / size, fz / size), fz / size
            force_x = input_at(inputs, first_key, last_key, here, FORCE_X)
            force_y = input_at(inputs, first_key, last_key, here, FORCE_Y)
            along = force_x * cos(heading) + force_y * sin(heading)
            low = lowered_by(input_at(inputs, first_key, last_key, here, LOAD), along,
                             sqrt(force_x * force_x + force_y * force_y), slope, ant, settings)  # fmt: skip
            lay_template(target, tripod, (x, y, z), forward, up, low, ant)
            w, ratio, out = 1.0, 1.0, triangles[count]
            if count < 2:
                out[:, :] = target
            else:
                w = exp(-abs(bends[tripod]) * speed * speed / settings.turn_gravity)  # [Guo15 eq. 4.3]
                way = here - rows[count - 2, ROW_S]
                blend(out, triangles[count - 2], target, w, way, forwards[tripod])
                ratio = plan_area(out) / plan_area(target)
                if ratio < LEAST_AREA and settings.guard == GUARD_TURNS:
                    blend_turning(out, triangles[count - 2], target, w, way, forwards[tripod])
                    ratio = plan_area(out) / plan_area(target)
            tries += 1
            if ratio >= LEAST_AREA or settings.guard != GUARD_SLOWS or tries > 10:
                break
            speed *= SLOWER
        if here > length and count > 0:
            break
        if not settings.flat:
            for j in range(3):
                vertex = onto_ground(ground, out[j, 0], out[j, 1], out[j, 2])
                out[j, 0], out[j, 1], out[j, 2] = vertex
        time += (here - max(s, 0.0)) / max(speed, STILL)
        s = here
        row = rows[count]
        row[ROW_S], row[ROW_TIME], row[ROW_YAW], row[ROW_SPEED], row[ROW_STRIDE] = s, time, heading, speed, 2.0 * spacing
        row[ROW_LOWERED], row[ROW_WEIGHT], row[ROW_AREA], row[ROW_SLOPE] = low, w, ratio, slope
        for axis in range(3):
            forwards[tripod, axis] = forward[axis]
        bends[tripod] = bend
        count += 1
    return count


@kernel(parallel=True)
def place_all(pieces: Array, piece_ends: Array, inputs: Array, key_ends: Array, lengths: Array, ant: AntTables,
              settings: _Settings, ground: Ground, triangles: Array, rows: Array, slots: Array,
              counts: Array) -> None:  # fmt: skip
    """Update triangles and rows of many ants, each with its own path and keys, in its own slots of the arrays."""
    for a in prange(lengths.size):
        first = 0 if a == 0 else piece_ends[a - 1]
        first_key = 0 if a == 0 else key_ends[a - 1]
        here, end = slots[a], slots[a + 1]
        counts[a] = place_one(pieces, first, piece_ends[a], inputs, first_key, key_ends[a], lengths[a], ant, settings,
                              ground, triangles[here:end], rows[here:end])  # fmt: skip
