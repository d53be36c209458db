"""What a game sees of the water of a fluid window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ....engine.pool import Array
    from .window_layout import FluidWindows


@dataclass(frozen=True)
class FluidView:
    """Copies of the water of one window, rows from south to north. Velocities are against the current around it.

    Example::

        water = eel.fluid
        strongest = abs(water.vorticity).max()          # 1/s, positive counter-clockwise
    """

    origin: tuple[float, float]
    """South-west corner, in units of the world."""
    cell: float
    """Width of a cell."""
    velocity: Array
    """(ny, nx, 2) u/s, at the middles of the cells."""
    vorticity: Array
    """(ny + 1, nx + 1) 1/s, at their corners."""
    pressure: Array
    """(ny, nx) times the length of a tick."""


def view_window(windows: FluidWindows, w: int) -> FluidView:
    """The water of a window as it is now."""
    fluid = windows.arrays
    u, v, h = fluid.u[w], fluid.v[w], float(fluid.cell[w])
    middle = np.stack([0.5 * (u[1:-1, 1:-1] + u[1:-1, :-2]), 0.5 * (v[1:-1, 1:-1] + v[:-2, 1:-1])], axis=-1)
    x, y = (float(value) for value in fluid.origin[w])
    return FluidView((x, y), h, middle, vorticity(u, v, h), fluid.pressure[w, 1:-1, 1:-1].copy())


def vorticity(u: Array, v: Array, cell: float) -> Array:
    """(ny + 1, nx + 1) dv/dx - du/dy at the corners of the cells."""
    found: Array = (v[:-1, 1:] - v[:-1, :-1] - u[1:, :-1] + u[:-1, :-1]) / cell
    return found
