"""Antennae in motion: the root wanders between random targets and a wave runs along the links [Fang15 3.5].

An antenna is a kinematic chain in the head frame. Joint i adds (theta_i, phi_i) to the direction of link i - 1, so
link i points along the sums of the joint angles: sideways by theta (outward on both sides) and up by phi.
Columns are (creature, side, ...), side 0 left; angles come as (theta, phi).
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
from numba import prange

from ...components.antennae import Sense
from ...engine.kernel import kernel
from ..legs.segment_frame_kernel import segment_frame, to_world
from .random_stream_kernel import advance, uniform

LEFT, RIGHT = 0, 1
THETA, PHI = 0, 1
FULL_TURN = 2.0 * pi


@kernel()
def toward(value, target, step):
    """Return value moved toward target by at most step."""
    if abs(target - value) <= step:
        return target
    return value + step if target > value else value - step


@kernel()
def draw_target(c, side, parameters, target, stream):
    """Update the root target and the random state of one antenna."""
    stream[c, side] = advance(stream[c, side])
    target[c, side, THETA] = uniform(stream[c, side], parameters[c, Sense.THETA_MIN], parameters[c, Sense.THETA_MAX])
    stream[c, side] = advance(stream[c, side])
    target[c, side, PHI] = uniform(stream[c, side], parameters[c, Sense.PHI_MIN], parameters[c, Sense.PHI_MAX])


@kernel()
def turn_root(c, side, parameters, angles, target, retracting, stream, dt):
    """Update root angles, target and retraction flag of one antenna from its target."""
    speed = parameters[c, Sense.RETRACT_SPEED] if retracting[c, side] else parameters[c, Sense.ROOT_SPEED]
    for axis in range(2):  # [Fang15 3.5], signed and clamped at the target as corrected in the digest (E-38)
        angles[c, side, axis] = toward(angles[c, side, axis], target[c, side, axis], speed * dt)
    if angles[c, side, THETA] == target[c, side, THETA] and angles[c, side, PHI] == target[c, side, PHI]:
        retracting[c, side] = 0
        draw_target(c, side, parameters, target, stream)


@kernel()
def lay_links(c, side, parameters, frame, angles, phase, points):
    """Update the link points of one antenna in the world from the head frame, root angles and wave phase."""
    outward = 1.0 if side == LEFT else -1.0
    length = parameters[c, Sense.LINK_LENGTH]
    x, y, z = parameters[c, Sense.ROOT_X], parameters[c, Sense.ROOT_Y], parameters[c, Sense.ROOT_Z]
    theta, phi = angles[c, side, THETA], angles[c, side, PHI]
    count = int(parameters[c, Sense.LINK_COUNT])
    for i in range(count + 1):
        points[c, side, i, 0], points[c, side, i, 1], points[c, side, i, 2] = to_world(frame, x, outward * y, z)
        if i == count:
            break
        if i > 0:
            wave = sin(phase[c, side] - parameters[c, Sense.WAVE_LAG] * i)  # [Fang15 3.5] A sin(omega t - lambda i) + B
            theta += parameters[c, Sense.WAVE_THETA] * wave + parameters[c, Sense.CURL_THETA]
            phi += parameters[c, Sense.WAVE_PHI] * wave + parameters[c, Sense.CURL_PHI]
        x += length * cos(phi) * cos(theta)
        y += length * cos(phi) * sin(theta)
        z += length * sin(phi)


@kernel()
def move_creature_antennae(
    c, parameters, position, orientation, first_segment, angles, target, phase, retracting, stream, points, dt
):
    """Update both antennae of one creature from its head pose."""
    frame = segment_frame(position, orientation, np.int64(first_segment[c]))
    for side in range(2):
        turn_root(c, side, parameters, angles, target, retracting, stream, dt)
        phase[c, side] = (phase[c, side] + parameters[c, Sense.WAVE_SPEED] * dt) % FULL_TURN
        lay_links(c, side, parameters, frame, angles, phase, points)


@kernel(parallel=True)
def move_antennae(
    rows, parameters, position, orientation, first_segment, angles, target, phase, retracting, stream, points, dt
):
    """Update root angles, targets, wave phase and link points of all antennae from the head poses."""
    for r in prange(rows.size):
        move_creature_antennae(
            np.int64(rows[r]), parameters, position, orientation, first_segment,
            angles, target, phase, retracting, stream, points, dt,
        )  # fmt: skip
