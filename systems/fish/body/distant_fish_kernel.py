"""Fishes in the distance: a wave along the spine as the full body swims it, and a root that follows speed and bend.

Same nodes, same frame and same segments as in full detail, so that nobody who looks sees the difference. What the shape was
when a body was last simulated in full fades away as an offset. [fish 6]
"""

from __future__ import annotations

from math import asin, atan2, cos, exp, sin, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.body import Answer
from ....components.fish.motor import Motor
from ....components.fish.topology import NODES, STATIONS
from ....engine.creature import FULL
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import clamp, wrapped
from ....engine.terrain.ground_kernel import sample_ground
from ...breath_kernel import seconds_in_air
from ...spatial_index.wall_contact_kernel import nearest_solid
from .contact_kernel import LARGEST_MOVE
from .frame_kernel import write_segments
from .full_fish_kernel import feel_stream, water_level
from .kind_table import Swim
from .pilot_kernel import toward

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.fish.motor import MotorPool
    from ....components.fish.nodes import NodePool
    from ....components.fish.springs import FishBodyPool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array, Vector
    from ....engine.terrain.ground_layout import Ground
    from ...body_surroundings import BodySurroundings
    from .kind_table import FishKinds

GAIN_TIME = 0.6  # s of its own time until it has two thirds of more speed
COAST_DRAG, BRAKE_DRAG = 0.37, 3.1  # per length: how v falls by v^2, gliding and with braking fins [fish 2]
PITCH_RATE, ROLL_RATE = 1.2, 2.5  # rad per second of its own time
YAW_SHARE = 0.5  # of what a bend turns it by, beside how it has turned until now
FADE = 0.6  # s in which an old shape is gone
WAY_BACK = 0.5  # lengths/s, rowing backward
MIDDLE = 2  # station next to the centre of mass
POSE = 3 * STATIONS  # places of the nodes in a scratch row, after the spine
SURFACE = 0.6  # heights below the water level that the centre keeps


@kernel(refcount=False)
def new_axes(yaw: float, pitch: float, roll: float, axes: Array) -> None:
    """Update a frame from its three angles; left goes up with a positive roll."""
    cy, sy, cp, sp, cr, sr = cos(yaw), sin(yaw), cos(pitch), sin(pitch), cos(roll), sin(roll)
    forward = (cy * cp, sy * cp, sp)
    level_left, level_up = (-sy, cy, 0.0), (-cy * sp, -sy * sp, cp)
    for axis in range(3):
        axes[0, axis] = forward[axis]
        axes[1, axis] = cr * level_left[axis] + sr * level_up[axis]
        axes[2, axis] = cr * level_up[axis] - sr * level_left[axis]


@kernel(refcount=False)
def foreshortened(length: float, across: float) -> float:
    """Return what a piece of spine loses of its length ahead by going to the side."""
    return length - sqrt(max(length * length - across * across, 0.25 * length * length))


@kernel(refcount=False)
def lay_spine(c: int, kind: int, kinds: FishKinds, motors: MotorPool, s: Array) -> None:
    """Update a scratch row to the spine's sideways offsets (7, nose to tail, in lengths), its slopes (7) and how far each
    station is moved along the axis (7), because a bent spine is no longer than a straight one."""
    place, wave, bow, bend, table = kinds.place[kind], kinds.wave[kind], kinds.bow[kind], motors.bend[c], kinds.table[kind]
    row = 0
    while row < table.shape[0] - 2 and motors.beat[c] > table[row + 1, Swim.BEAT]:
        row += 1
    width = table[row + 1, Swim.BEAT] - table[row, Swim.BEAT]
    t = min(max((motors.beat[c] - table[row, Swim.BEAT]) / width, 0.0), 1.0) if width > 0.0 else 0.0
    p, q = motors.effort[c] * cos(motors.phase[c]), motors.effort[c] * sin(motors.phase[c])
    for i in range(STATIONS):
        cosine = wave[row, i, 0] + t * (wave[row + 1, i, 0] - wave[row, i, 0])
        sine = wave[row, i, 1] + t * (wave[row + 1, i, 1] - wave[row, i, 1])
        s[i] = cosine * p + sine * q + bend * bow[i]
    for i in range(STATIONS):
        ahead, behind = max(i - 1, 0), min(i + 1, STATIONS - 1)
        s[STATIONS + i] = (s[ahead] - s[behind]) / (place[behind] - place[ahead])
    s[2 * STATIONS + MIDDLE] = 0.0
    for i in range(MIDDLE + 1, STATIONS):
        s[2 * STATIONS + i] = s[2 * STATIONS + i - 1] + foreshortened(place[i] - place[i - 1], s[i] - s[i - 1])
    for i in range(MIDDLE - 1, -1, -1):
        s[2 * STATIONS + i] = s[2 * STATIONS + i + 1] - foreshortened(place[i + 1] - place[i], s[i + 1] - s[i])


@kernel(refcount=False)
def station_of(node: int) -> int:
    """Return the station of the spine that a node is at."""
    return 0 if node == 0 else (6 if node > 20 else 1 + (node - 1) // 4)


@kernel(refcount=False)
def pose_nodes(c: int, kind: int, kinds: FishKinds, fishes: FishBodyPool, s: Array) -> None:
    """Update a scratch row that has a spine by where the nodes are in that wave, in world units, from POSE on."""
    length, size, axes, centre, rest = fishes.length[c], fishes.size[c], fishes.axes[c], fishes.centre[c], kinds.rest[kind]
    for node in range(NODES):
        here = station_of(node)
        slope = s[STATIONS + here]
        turn = 1.0 / sqrt(1.0 + slope * slope)
        across = size * rest[node, 1]
        x = size * rest[node, 0] + length * s[2 * STATIONS + here] - across * slope * turn
        y, z = length * s[here] + across * turn, size * rest[node, 2]
        for axis in range(3):
            s[POSE + 3 * node + axis] = centre[axis] + x * axes[0, axis] + y * axes[1, axis] + z * axes[2, axis]


@kernel(refcount=False)
def next_speed(speed: float, wanted: float, brakes: bool, own_dt: float) -> float:
    """Return the speed (lengths per second of its own time) a tick later: gained soon, lost as water takes it."""
    if wanted < speed and speed > 0.0:
        return max(speed / (1.0 + own_dt * (BRAKE_DRAG if brakes else COAST_DRAG) * speed), wanted)
    return speed + (wanted - speed) * (1.0 - exp(-own_dt / GAIN_TIME))


@kernel(refcount=False)
def move_root(c: int, kind: int, dead: int, kinds: FishKinds, fishes: FishBodyPool, motors: MotorPool, stream: Vector,
              dt: float) -> None:  # fmt: skip
    """Update centre, velocity and axes of a fish that follows its commands directly."""
    pace, length, p = fishes.pace[c], fishes.length[c], motors.parameters[c]
    axes, v = fishes.axes[c], fishes.velocity[c]
    along = 0.0
    for axis in range(3):
        along += (v[axis] - stream[axis]) * axes[0, axis]
    wanted = min(motors.wish_speed[c], p[Motor.TOP_SPEED]) - WAY_BACK * motors.backward[c]
    if motors.brake[c] != 0 or dead != 0:
        wanted = -WAY_BACK * motors.backward[c]
    along = next_speed(along / (length * pace), wanted, motors.brake[c] != 0, dt * pace) * length * pace
    yaw, pitch = atan2(axes[0, 1], axes[0, 0]), asin(clamp(axes[0, 2], 1.0))
    if fishes.previous_tier[c] == FULL:  # the head swings about the way it goes, whose mean is late in a turn
        yaw = atan2(motors.heading[c, 1], motors.heading[c, 0]) + motors.yaw_rate[c] * p[Motor.HEADING_TIME]
        motors.angles[c, 0] = wrapped(yaw)
    roll = asin(clamp(axes[1, 2], 1.0))
    wish = motors.wish[c]
    level = sqrt(wish[0] * wish[0] + wish[1] * wish[1])
    climb = clamp(atan2(wish[2], level), p[Motor.STEEPEST]) if level > 1e-6 or abs(wish[2]) > 1e-6 else 0.0
    turning = motors.yaw_rate[c] + YAW_SHARE * (kinds.turn_rate[kind] * motors.bend[c] - motors.yaw_rate[c])
    yaw += turning * pace * dt
    pitch = toward(pitch, climb if dead == 0 else 0.0, PITCH_RATE * pace * dt)
    roll = toward(roll, -p[Motor.BANK] * motors.bend[c], ROLL_RATE * pace * dt)
    new_axes(yaw, pitch, roll, axes)
    for axis in range(3):
        v[axis] = stream[axis] + along * axes[0, axis]
        fishes.centre[c, axis] += dt * (v[axis] + fishes.dragged[c, axis])
        fishes.dragged[c, axis] = 0.0


@kernel(refcount=False)
def keep_root_in(c: int, fishes: FishBodyPool, ground: Ground, around: BodySurroundings, level: float) -> None:
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


@kernel(refcount=False)
def write_nodes(c: int, kind: int, kinds: FishKinds, fishes: FishBodyPool, motors: MotorPool, nodes: NodePool, dt: float,
                s: Array) -> None:  # fmt: skip
    """Update the nodes of a fish from the wave, with what is left of its former shape on top."""
    first = int64(fishes.first_node[c])
    position, velocity, offset = nodes.position, nodes.velocity, nodes.offset
    lay_spine(c, kind, kinds, motors, s)
    pose_nodes(c, kind, kinds, fishes, s)
    if fishes.previous_tier[c] == FULL:  # the wave begins where the body is
        for node in range(NODES):
            for axis in range(3):
                moved = position[first + node, axis] + dt * velocity[first + node, axis]
                offset[first + node, axis] = moved - s[POSE + 3 * node + axis]
        fishes.offset_left[c] = 1.0
    else:
        fishes.offset_left[c] = max(fishes.offset_left[c] - dt * fishes.pace[c] / FADE, 0.0)
    part = fishes.offset_left[c]
    left = part * part * (3.0 - 2.0 * part)  # goes slowly at both ends
    for node in range(NODES):
        for axis in range(3):
            place = s[POSE + 3 * node + axis] + left * offset[first + node, axis]
            velocity[first + node, axis] = (place - position[first + node, axis]) / dt
            position[first + node, axis] = place
    for axis in range(3):
        fishes.mouth[c, axis] = position[first, axis]


@kernel(parallel=True)
def step_spines(rows: Array, creatures: CreaturePool, kinds: FishKinds, fishes: FishBodyPool, motors: MotorPool,
                nodes: NodePool, bodies: BodyPool, segments: SegmentPool, world: BodySurroundings, dt: float,
                scratch: Array) -> None:  # fmt: skip
    """Update the listed fishes over a tick, by their waves alone."""
    for r in prange(rows.size):
        c = int64(rows[r])
        kind, dead = int64(creatures.kind[c]), creatures.dead[c]
        level, stream = water_level(c, fishes, world.water), feel_stream(c, fishes, bodies, segments)
        fishes.wet[c] = 1.0 if fishes.centre[c, 2] < level else 0.0
        fishes.air_seconds[c] = seconds_in_air(fishes.air_seconds[c], fishes.wet[c] == 0.0, dt)
        fishes.disturbed[c], bodies.answer[c] = 0, Answer.WHOLE.value
        move_root(c, kind, dead, kinds, fishes, motors, stream, dt)
        keep_root_in(c, fishes, world.ground, world, level)
        write_nodes(c, kind, kinds, fishes, motors, nodes, dt, scratch[r])
        write_segments(c, fishes, nodes, bodies, segments, level)
