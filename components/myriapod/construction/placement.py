"""Where the segments of a newborn are: laid along the ground behind the head, or straight in the air."""

from __future__ import annotations

from math import cos, isnan, pi, sin
from typing import TYPE_CHECKING

import numpy as np

from ....engine.errors import PlaceTakenError
from ....engine.pool import Array
from ....engine.props import OBSTACLE_KINDS
from .placement_kernel import height_above, lay_segments

if TYPE_CHECKING:
    from ....engine.parts import Birth
    from ...body import BodySpec

STRAIGHT: Array = np.zeros(0)
ALONE = (STRAIGHT, STRAIGHT)
"""Pitches and turns of a single segment."""

STRAIGHT_NECK = 8.0
"""Joints behind the head over which the bends begin: bent tissue turns a head aside before its feet have found hold."""

SHARPEST_TURN = 0.5
"""Radians between two segments of a newborn; less than half of what tissue takes [walking 3]."""

ROUNDING = 1e-9
"""Units; what lies exactly on the ground is not in it."""


def lay_chain(birth: Birth, pitches: Array, ride_height: float, centers: Array, quaternions: Array) -> bool:
    """Write centres (n, 3) and quaternions (n, 4) of a chain whose head is at the birth place and looks along its heading.

    Returns whether it stands on the ground.
    A place given with a height is taken literally when it is more than half the ride height away from where a
    standing head would be: the creature is dropped from there.
    """
    terrain = birth.world.terrain
    head = birth.at.copy()
    if is_swimmer(birth):
        return float_chain(birth, head, pitches, centers, quaternions)
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
    turns = birth_turns(birth, pitches) if standing else STRAIGHT
    lay_segments(terrain.ground, head, forward, pitches, turns, ride_height, standing, centers, quaternions)
    if not standing:
        keep_out_of_ground(birth, centers)
    return standing


def birth_turns(birth: Birth, pitches: Array) -> Array:
    """Radians by which each segment of a newborn is turned against the one ahead: its way here was a wave.

    The direction along the way s is A sin(2 pi s / L + phase) against the mean; a long body that is born straight would be
    a ruler for as long as it takes to walk its own length.
    """
    body: BodySpec | None = birth.species.specs.get("body")
    if body is None or body.birth_bend == 0.0:
        return STRAIGHT
    phase = birth.world.streams["birth bend"].uniform(0.0, 2.0 * pi)
    way = np.concatenate([[0.0], np.cumsum(pitches)])
    turns: Array = np.diff(body.birth_bend * np.sin(2.0 * pi * way / body.birth_wave + phase))
    turns *= np.minimum(np.arange(turns.size) / STRAIGHT_NECK, 1.0)
    return np.clip(turns, -SHARPEST_TURN, SHARPEST_TURN)


def lay_graph(birth: Birth, places: Array, ride_height: float, centers: Array, quaternions: Array) -> bool:
    """Write centres and quaternions of a body of any shape as it is at rest, its head at the birth place.

    Returns whether it stands on the ground; then each segment is put there by itself. Where a height is given, and where
    there is nothing to stand on, it starts in the air, as it is.
    """
    ground, walks = birth.world.terrain.ground, "gait" in birth.species.specs
    forward = np.array([cos(birth.heading), sin(birth.heading), 0.0])
    left = np.array([-forward[1], forward[0], 0.0])
    head = birth.at.copy()
    standing = walks and (not birth.in_air or abs(height_above(ground, head) - ride_height) < 0.5 * ride_height)
    if not birth.in_air:
        head[2] += ride_height if walks else -float(places[:, 2].min()) + ride_height
    centers[:] = head + places @ np.array([forward, left, [0.0, 0.0, 1.0]])
    for center, quaternion in zip(centers, quaternions, strict=True):
        lay_segments(ground, center.copy(), forward, *ALONE, ride_height, standing, center[None], quaternion[None])
    if not standing:
        keep_out_of_ground(birth, centers)
    return standing


def keep_out_of_ground(birth: Birth, centers: Array) -> None:
    """No centre of a newborn in the air or in the water may be inside the ground."""
    for center in centers:
        height = height_above(birth.world.terrain.ground, center)
        if height < -ROUNDING:
            raise PlaceTakenError(
                f"{birth.species.key} at {_place(birth.at)} would start inside the ground: the part at {_place(center)} "
                f"would be {-height:.2f} u below the surface; choose a free place or another heading"
            )


def is_swimmer(birth: Birth) -> bool:
    """Whether it has muscles to swim with and no legs to stand on."""
    return "muscles" in birth.species.specs and "gait" not in birth.species.specs


def float_chain(birth: Birth, head: Array, pitches: Array, centers: Array, quaternions: Array) -> bool:
    """Write a straight level chain of a legless swimmer: afloat where its head is over water, else at the given height.

    Returns False: it does not stand. All of it has to be clear of the ground.
    """
    segments, ground = birth.species.specs["segments"], birth.world.terrain.ground
    if not birth.in_air:
        surface = float(birth.world.water.surface(head[None, :2])[0])
        # Of a box of density rho the share rho is under water, so its middle is (rho - 1/2) h below the surface.
        floating = surface + (0.5 - min(segments.density, 1.0)) * segments.height
        head[2] = head[2] + 0.5 * segments.height if isnan(surface) else floating
    forward = np.array([cos(birth.heading), sin(birth.heading), 0.0])
    lay_segments(ground, head, forward, pitches, STRAIGHT, 0.0, False, centers, quaternions)
    area = birth.world.map.area
    west, south, east, north = area.bounds
    for center in centers:
        if area.edge == "wall" and not (west < center[0] < east and south < center[1] < north):
            raise PlaceTakenError(
                f"{birth.species.key} at {_place(birth.at)} would reach through the wall around the map: a part would be at "
                f"{_place(center)}; allowed is x from {west:g} to {east:g} and y from {south:g} to {north:g}"
            )
        height = height_above(ground, center)
        if height < 0.5 * segments.height - ROUNDING:
            raise PlaceTakenError(
                f"{birth.species.key} at {_place(birth.at)} would start in the ground: the part at {_place(center)} "
                f"would have its middle {height:.2f} u above it; allowed is half its height_u, {0.5 * segments.height:g}"
            )
    return False


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
