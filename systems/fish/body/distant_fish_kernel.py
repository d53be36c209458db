"""Fishes in the distance: a wave along the spine as the full body swims it, and a root that follows speed and bend.

Same nodes, same frame and same segments as in full detail, so that nobody who looks sees the difference. What the shape was
when a body was last simulated in full fades away as an offset. [fish 6]
"""

# mypy: ignore-errors
from __future__ import annotations

from math import asin, atan2, cos, exp, sin, sqrt

import numpy as np
from numba import prange

from ....components.fish.motor import Motor
from ....components.fish.topology import NODES
from ....engine.creature import FULL
from ....engine.kernel import kernel
from ....engine.terrain.ground_kernel import sample_ground
from .contact_kernel import LARGEST_MOVE, nearest_solid
from .frame_kernel import write_segments
from .full_fish_kernel import feel_stream, water_level
from .pilot_kernel import clamp, toward

SPEED_TIME = 0.45  # s of its own time until a change of speed is two thirds done
PITCH_RATE, ROLL_RATE = 1.2, 2.5  # rad per second of its own time
YAW_TIME = 0.12  # s; how soon a bend turns it
BEND_CURVE = 0.55  # lengths of sideways offset per length squared behind the middle, in the sharpest bend
MIDDLE = 0.35  # of the length, where a bent body keeps its direction
FADE = 0.12  # s in which two thirds of an old shape are gone
GAP = 1e-3  # share of the offset below which it is forgotten
WAY_BACK = 0.5  # lengths/s, rowing backward
SURFACE = 0.6  # heights below the water level that the centre keeps


@kernel()
def new_axes(yaw, pitch, roll, axes):
    """Update a frame from its three angles; left goes up with a positive roll."""
    cy, sy, cp, sp, cr, sr = cos(yaw), sin(yaw), cos(pitch), sin(pitch), cos(roll), sin(roll)
    forward = (cy * cp, sy * cp, sp)
    level_left, level_up = (-sy, cy, 0.0), (-cy * sp, -sy * sp, cp)
    for axis in range(3):
        axes[0, axis] = forward[axis]
        axes[1, axis] = cr * level_left[axis] + sr * level_up[axis]
        axes[2, axis] = cr * level_up[axis] - sr * level_left[axis]


@kernel()
def sway(c, kind, place, station, kinds, motors):
    """Return the sideways offset of a station of the spine (0 nose, 1..5 rings, 6 tail) in lengths. place: from the nose."""
    wave = kinds.wave[kind, station]
    beat = motors.effort[c] * (wave[0] * cos(motors.phase[c]) + wave[1] * sin(motors.phase[c]))
    back = place - MIDDLE
    return beat + motors.bend[c] * BEND_CURVE * back * back


@kernel()
def station_of(node):
    """Return the station of the spine that a node is at."""
    return 0 if node == 0 else (6 if node > 20 else 1 + (node - 1) // 4)


@kernel()
def pose_node(c, kind, node, kinds, fishes, motors, out):
    """Update `out` (3) to where a node is in the wave, in world units."""
    length, size = fishes.length[c], fishes.size[c]
    here = station_of(node)
    ahead, behind = max(here - 1, 0), min(here + 1, 6)
    place, place_a, place_b = kinds.place[kind, here], kinds.place[kind, ahead], kinds.place[kind, behind]
    y_a, y_b = sway(c, kind, place_a, ahead, kinds, motors), sway(c, kind, place_b, behind, kinds, motors)
    slope = (y_a - y_b) / (place_b - place_a)
    turn = 1.0 / sqrt(1.0 + slope * slope)
    rest = kinds.rest[kind, node]
    across = size * rest[1]
    x = size * rest[0] - across * slope * turn
    y = length * sway(c, kind, place, here, kinds, motors) + across * turn
    for axis in range(3):
        axes = fishes.axes[c]
        out[axis] = fishes.centre[c, axis] + x * axes[0, axis] + y * axes[1, axis] + size * rest[2] * axes[2, axis]


@kernel()
def move_root(c, kind, dead, kinds, fishes, motors, stream, dt):
    """Update centre, velocity and axes of a fish that follows its commands directly."""
    pace, length, p = fishes.pace[c], fishes.length[c], motors.parameters[c]
    axes, v = fishes.axes[c], fishes.velocity[c]
    along = 0.0
    for axis in range(3):
        along += (v[axis] - stream[axis]) * axes[0, axis]
    wanted = min(motors.wish_speed[c], p[Motor.TOP_SPEED]) - WAY_BACK * motors.backward[c]
    if motors.brake[c] != 0 or dead != 0:
        wanted = -WAY_BACK * motors.backward[c]
    along += (wanted * length * pace - along) * (1.0 - exp(-dt * pace / SPEED_TIME))
    yaw, pitch = atan2(axes[0, 1], axes[0, 0]), asin(clamp(axes[0, 2], 1.0))
    roll = asin(clamp(axes[1, 2], 1.0))
    wish = motors.wish[c]
    level = sqrt(wish[0] * wish[0] + wish[1] * wish[1])
    climb = clamp(atan2(wish[2], level), p[Motor.STEEPEST]) if level > 1e-6 or abs(wish[2]) > 1e-6 else 0.0
    yaw += kinds.turn_rate[kind] * motors.bend[c] * pace * dt
    pitch = toward(pitch, climb if dead == 0 else 0.0, PITCH_RATE * pace * dt)
    roll = toward(roll, -p[Motor.BANK] * motors.bend[c], ROLL_RATE * pace * dt)
    new_axes(yaw, pitch, roll, axes)
    for axis in range(3):
        v[axis] = stream[axis] + along * axes[0, axis]
        fishes.centre[c, axis] += dt * (v[axis] + fishes.dragged[c, axis])
        fishes.dragged[c, axis] = 0.0


@kernel()
def keep_root_in(c, fishes, ground, around, level):
    """Update the place of a fish that is too near to the ground, a rock, the edge of the map or the surface."""
    radius, most = 0.5 * max(fishes.width[c], fishes.height[c]), LARGEST_MOVE * fishes.length[c]
    at, v, bounds = fishes.centre[c], fishes.velocity[c], around.bounds
    at[2] = min(at[2], max(level - SURFACE * fishes.height[c], at[2] - most))
    for kind in range(2):
        if kind == 0:
            d, nx, ny, nz = sample_ground(ground, at[0], at[1], at[2])
        else:
            d, nx, ny, nz = nearest_solid(at[0], at[1], at[2], 2.0 * radius, around)
        if d < radius:
            move, into = min(radius - d, most), min(v[0] * nx + v[1] * ny + v[2] * nz, 0.0)
            at[0], at[1], at[2] = at[0] + move * nx, at[1] + move * ny, at[2] + move * nz
            v[0], v[1], v[2] = v[0] - into * nx, v[1] - into * ny, v[2] - into * nz
    for axis in range(2):
        at[axis] = max(at[axis], min(bounds[axis] + radius, at[axis] + most))
        at[axis] = min(at[axis], max(bounds[2 + axis] - radius, at[axis] - most))


@kernel()
def write_nodes(c, kind, kinds, fishes, motors, nodes, dt, out):
    """Update the nodes of a fish from the wave, with what is left of its former shape on top. out: three numbers' room."""
    first = np.int64(fishes.first_node[c])
    if fishes.previous_tier[c] == FULL:  # the wave begins where the body is
        for node in range(NODES):
            pose_node(c, kind, node, kinds, fishes, motors, out)
            for axis in range(3):
                moved = nodes.position[first + node, axis] + dt * nodes.velocity[first + node, axis]
                nodes.offset[first + node, axis] = moved - out[axis]
        fishes.offset_left[c] = 1.0
    else:
        fishes.offset_left[c] *= exp(-dt * fishes.pace[c] / FADE)
    left = fishes.offset_left[c] if fishes.offset_left[c] > GAP else 0.0
    for node in range(NODES):
        pose_node(c, kind, node, kinds, fishes, motors, out)
        for axis in range(3):
            place = out[axis] + left * nodes.offset[first + node, axis]
            nodes.velocity[first + node, axis] = (place - nodes.position[first + node, axis]) / dt
            nodes.position[first + node, axis] = place
    for axis in range(3):
        fishes.mouth[c, axis] = nodes.position[first, axis]


@kernel(parallel=True)
def step_spines(rows, creatures, kinds, fishes, motors, nodes, bodies, segments, world, dt, scratch):
    """Update the listed fishes over a tick, by their waves alone."""
    for r in prange(rows.size):
        c = np.int64(rows[r])
        kind, dead = np.int64(creatures.kind[c]), creatures.dead[c]
        level, stream = water_level(c, fishes, world.water), feel_stream(c, fishes, bodies, segments)
        fishes.wet[c] = 1.0 if fishes.centre[c, 2] < level else 0.0
        fishes.air_seconds[c] = fishes.air_seconds[c] + dt if fishes.wet[c] == 0.0 else 0.0
        fishes.disturbed[c] = 0
        move_root(c, kind, dead, kinds, fishes, motors, stream, dt)
        keep_root_in(c, fishes, world.ground, world, level)
        write_nodes(c, kind, kinds, fishes, motors, nodes, dt, scratch[r])
        write_segments(c, fishes, nodes, bodies, segments, level)
