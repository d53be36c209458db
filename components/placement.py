"""Where the segments of a newborn are: laid along the ground behind the head, or straight in the air."""

from __future__ import annotations

from math import cos, hypot, sin
from typing import TYPE_CHECKING

import numpy as np

from ..engine.errors import SpawnError
from ..engine.pool import Array

if TYPE_CHECKING:
    from ..engine.parts import Birth

GROUND_STEPS = 3
"""Projections onto the surface per segment; each one squares the error on ground that curves gently."""

UPSIDE = np.array([0.0, 0.0, 1.0])


def lay_chain(birth: Birth, pitches: Array, ride_height: float) -> tuple[Array, Array]:
    """Centres (n, 3) and quaternions (n, 4) of a chain whose head is at the birth place and looks along its heading.

    A place given with a height is taken literally when it is more than half the ride height away from where a
    standing head would be: the creature is dropped from there.
    """
    terrain = birth.world.terrain
    forward = np.array([cos(birth.heading), sin(birth.heading), 0.0])
    head = birth.at if birth.in_air else birth.at + ride_height * UPSIDE
    height = float(terrain.height(head[None])[0])
    if height < 0.0:
        raise SpawnError(
            f"{birth.species.key} at {tuple(round(float(v), 3) for v in head)} would start inside the ground: "
            f"its head would be {-height:.2f} u below the surface"
        )
    standing = not birth.in_air or abs(height - ride_height) < 0.5 * ride_height
    centers, quaternions = [], []
    point = head
    for pitch in [0.0, *pitches]:
        point = point - pitch * forward
        normal = UPSIDE
        if standing:
            point, normal = _settle(terrain, point, ride_height)
        forward = _tangent(forward, normal)
        centers.append(point)
        quaternions.append(_quaternion(forward, normal))
    return np.array(centers), np.array(quaternions)


def keep_out_of_obstacles(birth: Birth, centers: Array, radius: float) -> None:
    """No part of a newborn may be inside an obstacle."""
    for center in centers:
        for prop in birth.world.props.at(center, radius):
            if prop.kind != "food":
                raise SpawnError(
                    f"{birth.species.key} at {tuple(round(float(v), 3) for v in birth.at)} would start inside a "
                    f"{prop.kind} at {tuple(round(float(v), 3) for v in prop.position)}; choose a free place"
                )


def _settle(terrain: object, point: Array, ride_height: float) -> tuple[Array, Array]:
    normal = UPSIDE
    for _ in range(GROUND_STEPS):
        normal = terrain.normal(point[None])[0]  # type: ignore[attr-defined]
        point = point + (ride_height - float(terrain.height(point[None])[0])) * normal  # type: ignore[attr-defined]
    return point, normal


def _tangent(direction: Array, normal: Array) -> Array:
    along: Array = direction - (direction @ normal) * normal
    length = float(np.linalg.norm(along))
    if length < 1e-9:  # looking straight into the surface: any direction along it will do
        along = np.cross(normal, [0.0, 1.0, 0.0] if hypot(normal[0], normal[2]) > 1e-3 else [1.0, 0.0, 0.0])
        length = float(np.linalg.norm(along))
    return along / length


def _quaternion(forward: Array, up: Array) -> Array:
    """The rotation whose x axis is `forward` and z axis is `up`, as wxyz."""
    x, z = forward, up
    y = np.cross(z, x)
    trace = x[0] + y[1] + z[2]
    candidates = np.array([trace, x[0] - y[1] - z[2], y[1] - x[0] - z[2], z[2] - x[0] - y[1]])
    largest = int(np.argmax(candidates))  # divide by the largest component: always well conditioned
    rows = np.array([
        [1.0 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]],
        [y[2] - z[1], 1.0 + candidates[1], y[0] + x[1], z[0] + x[2]],
        [z[0] - x[2], y[0] + x[1], 1.0 + candidates[2], z[1] + y[2]],
        [x[1] - y[0], z[0] + x[2], z[1] + y[2], 1.0 + candidates[3]],
    ])  # fmt: skip
    quaternion: Array = rows[largest] / np.linalg.norm(rows[largest])
    return quaternion if quaternion[0] >= 0.0 else -quaternion
