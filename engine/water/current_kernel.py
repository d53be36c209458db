"""A current through a pond: all of its water is pushed alike, until its mean velocity is the wanted one.

A push that is the same everywhere leaves waves and wakes as they are, only carried along. The sides that let waves out let
the current in and out as well: there the water beyond the edge has the velocity of the current.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernel import kernel
from .pond_layout import CLOSED, CURRENT_X, CURRENT_Y, DEPTH, DRIVEN, FILM, SILL_X, SILL_Y, SURFACE, WET, U, V

if TYPE_CHECKING:
    from ..kernel_types import Array

PUSH_RATE = 0.5  # per second; a pond at rest has two thirds of its current after two of them


@kernel()
def flows(frame: Array) -> bool:
    """Return whether a pond has a current, or has had one: then it is held at rest."""
    return frame[DRIVEN] != 0.0


@kernel()
def mean_velocity(fields: Array) -> tuple[float, float]:
    """Return the mean velocity (x, y) of the water, by its depth; 0 in a dry pond."""
    along, across, mass_x, mass_y = 0.0, 0.0, 0.0, 0.0
    for j in range(1, fields.shape[1] - 1):
        for i in range(1, fields.shape[2] - 1):
            if fields[SILL_X, j, i] < CLOSED:
                h = fields[DEPTH, j, i - 1] + fields[DEPTH, j, i]
                along, mass_x = along + h * fields[U, j, i], mass_x + h
            if fields[SILL_Y, j, i] < CLOSED:
                h = fields[DEPTH, j - 1, i] + fields[DEPTH, j, i]
                across, mass_y = across + h * fields[V, j, i], mass_y + h
    return along / mass_x if mass_x > 0.0 else 0.0, across / mass_y if mass_y > 0.0 else 0.0


@kernel()
def add_velocity(fields: Array, x: float, y: float) -> None:
    """Update the velocities of all wet faces that are not closed by (x, y)."""
    for j in range(1, fields.shape[1] - 1):
        for i in range(1, fields.shape[2] - 1):
            surface = fields[SURFACE, j, i]
            sill = fields[SILL_X, j, i]
            if sill < CLOSED and max(surface, fields[SURFACE, j, i - 1]) - sill > FILM:
                fields[U, j, i] += x
            sill = fields[SILL_Y, j, i]
            if sill < CLOSED and max(surface, fields[SURFACE, j - 1, i]) - sill > FILM:
                fields[V, j, i] += y


@kernel()
def push_current(fields: Array, frame: Array, dt: float) -> None:
    """Update the velocities towards the pond's current, by the same everywhere; without one nothing happens."""
    if not flows(frame):
        return
    x, y = mean_velocity(fields)
    share = min(1.0, PUSH_RATE * dt)
    add_velocity(fields, share * (frame[CURRENT_X] - x), share * (frame[CURRENT_Y] - y))


@kernel()
def flow_through_edge(fields: Array, frame: Array, side: int) -> None:
    """Update the velocities on and along one absorbing side (west, east, south, north) to those of the current."""
    rows, columns = fields.shape[1], fields.shape[2]
    x, y = frame[CURRENT_X], frame[CURRENT_Y]
    if side < 2:
        i, wall = (1, 1) if side == 0 else (columns - 2, columns - 1)
        for j in range(1, rows - 1):
            wet = fields[DEPTH, j, i] > WET
            fields[U, j, wall] = x if wet else 0.0
            fields[V, j, i] = y if wet and fields[SILL_Y, j, i] < CLOSED else 0.0
    else:
        j, wall = (1, 1) if side == 2 else (rows - 2, rows - 1)
        for i in range(1, columns - 1):
            wet = fields[DEPTH, j, i] > WET
            fields[V, wall, i] = y if wet else 0.0
            fields[U, j, i] = x if wet and fields[SILL_X, j, i] < CLOSED else 0.0
