"""Antennae in motion: the root wanders between random targets and a wave runs along the links [Fang15 3.5].

An antenna is a kinematic chain in the head frame. Joint i adds (theta_i, phi_i) to the direction of link i - 1, so
link i points along the sums of the joint angles: sideways by theta (outward on both sides) and up by phi.
Columns are (creature, side, ...), side 0 left; angles come as (theta, phi).
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING

from ...components.antennae import LEFT, Sense
from ...engine.kernel import kernel
from ..legs.segment_frame_kernel import to_world
from .random_stream_kernel import advance, uniform

if TYPE_CHECKING:
    from ...components.antennae import AntennaPool
    from ...engine.kernel_types import Array
    from ..legs.segment_frame_kernel import Frame

THETA, PHI = 0, 1
FULL_TURN = 2.0 * pi


@kernel()
def toward(value: float, target: float, step: float) -> float:
    """Return value moved toward target by at most step."""
    if abs(target - value) <= step:
        return target
    return value + step if target > value else value - step


@kernel()
def draw_target(c: int, side: int, antennae: AntennaPool) -> None:
    """Choose a new random target for the root of one antenna."""
    own, target, stream = antennae.parameters[c], antennae.target[c, side], antennae.stream
    stream[c, side] = advance(stream[c, side])
    target[THETA] = uniform(stream[c, side], own[Sense.THETA_MIN], own[Sense.THETA_MAX])
    stream[c, side] = advance(stream[c, side])
    target[PHI] = uniform(stream[c, side], own[Sense.PHI_MIN], own[Sense.PHI_MAX])


@kernel()
def turn_root(c: int, side: int, antennae: AntennaPool, dt: float) -> None:
    """Turn the root of one antenna toward its target, and choose the next target once it is there."""
    own, angles, target = antennae.parameters[c], antennae.angles[c, side], antennae.target[c, side]
    retracting = antennae.retracting
    speed = own[Sense.RETRACT_SPEED] if retracting[c, side] else own[Sense.ROOT_SPEED]
    for axis in range(2):  # signed, and clamped at the target [Fang15 3.5; myriapoda E-38]
        angles[axis] = toward(angles[axis], target[axis], speed * dt)
    if angles[THETA] == target[THETA] and angles[PHI] == target[PHI]:
        retracting[c, side] = 0
        draw_target(c, side, antennae)


@kernel()
def lay_links(c: int, side: int, frame: Frame, antennae: AntennaPool, points: Array) -> None:
    """Lay the joints of one antenna into the world, from the head frame, its root angles and the phase of its wave."""
    own = antennae.parameters[c]
    theta, phi = antennae.angles[c, side, THETA], antennae.angles[c, side, PHI]
    phase = antennae.phase[c, side]
    outward = 1.0 if side == LEFT else -1.0
    length, count = own[Sense.LINK_LENGTH], int(own[Sense.LINK_COUNT])
    x, y, z = own[Sense.ROOT_X], own[Sense.ROOT_Y], own[Sense.ROOT_Z]
    for i in range(count + 1):
        points[i, 0], points[i, 1], points[i, 2] = to_world(frame, x, outward * y, z)
        if i == count:
            break
        if i > 0:
            wave = sin(phase - own[Sense.WAVE_LAG] * i)  # [Fang15 3.5] A sin(omega t - lambda i) + B
            theta += own[Sense.WAVE_THETA] * wave + own[Sense.CURL_THETA]
            phi += own[Sense.WAVE_PHI] * wave + own[Sense.CURL_PHI]
        x += length * cos(phi) * cos(theta)
        y += length * cos(phi) * sin(theta)
        z += length * sin(phi)


@kernel()
def move_antennae(c: int, frame: Frame, antennae: AntennaPool, dt: float) -> None:
    """Move both antennae of one creature, whose head has this frame."""
    phase, wave_speed = antennae.phase, antennae.parameters[c, Sense.WAVE_SPEED]
    for side in range(2):
        turn_root(c, side, antennae, dt)
        phase[c, side] = (phase[c, side] + wave_speed * dt) % FULL_TURN
        lay_links(c, side, frame, antennae, antennae.points[c, side])
