"""Where the segments of a newborn are: laid along the ground behind the head, or straight in the air."""

from __future__ import annotations

from math import cos, sin
from typing import TYPE_CHECKING

import numpy as np

from ..engine.errors import PlaceTakenError
from ..engine.pool import Array
from ..engine.props import OBSTACLE_KINDS
from .placement_kernel import height_above, lay_segments

if TYPE_CHECKING:
    from ..engine.parts import Birth


def lay_chain(birth: Birth, pitches: Array, ride_height: float, centers: Array, quaternions: Array) -> bool:
    """Write centres (n, 3) and quaternions (n, 4) of a chain whose head is at the birth place and looks along its heading.

    Returns whether it stands on the ground.
    A place given with a height is taken literally when it is more than half the ride height away from where a
    standing head would be: the creature is dropped from there.
    """
    terrain = birth.world.terrain
    head = birth.at.copy()
    if not birth.in_air:
        head[2] += ride_height
    height = height_above(terrain.ground, head)
    if height < 0.0:
        raise PlaceTakenError(
            f"{birth.species.key} at {_place(head)} would start inside the ground: "
            f"its head would be {-height:.2f} u below the surface"
        )
    standing = not birth.in_air or abs(height - ride_height) < 0.5 * ride_height
    forward = np.array([cos(birth.heading), sin(birth.heading), 0.0])
    lay_segments(terrain.ground, head, forward, pitches, ride_height, standing, centers, quaternions)
    return standing


def keep_out_of_obstacles(birth: Birth, centers: Array, radius: float) -> None:
    """No part of a newborn may be inside an obstacle."""
    obstacles = birth.world.props.obstacles
    rows = obstacles.spans[:, 0]
    if not rows.size:
        return
    half = obstacles.half_size[rows]
    reach = np.hypot(half[:, 0], half[:, 1]) + radius
    offsets = centers[:, None, :2] - obstacles.position[rows, :2]
    near = (np.hypot(offsets[..., 0], offsets[..., 1]) < reach).any(axis=1)
    for center in centers[near]:  # the circle around it is crossed: ask exactly
        for prop in birth.world.props.at(center, radius):
            if prop.kind in OBSTACLE_KINDS:
                raise PlaceTakenError(
                    f"{birth.species.key} at {_place(birth.at)} would start inside a {prop.kind} at "
                    f"{_place(prop.position)}; choose a free place"
                )


def _place(point: Array) -> str:
    return f"({', '.join(f'{float(value):g}' for value in point)})"
