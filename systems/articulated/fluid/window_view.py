"""What a game sees of the water in a fluid window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ....engine.pool import Array
    from .window_layout import FluidWindows


@dataclass(frozen=True)
class FluidView:
    """Copies of the fields of one window, in units of the map; row j, column i is the cell that begins at
    ``origin + cell * (i, j)``.

    Example::

        water = eel.fluid
        water.velocity[32, 32]       # (2,) in the middle of a window of 64 x 64 cells
    """

    origin: tuple[float, float]
    cell: float
    velocity: Array  # (ny, nx, 2) in the middle of cells, against the ground
    vorticity: Array  # (ny, nx) positive counter-clockwise, 1/s
    pressure: Array  # (ny, nx) of water of density 1
    solid: Array  # (ny, nx) bool: ground and obstacles


def view_window(windows: FluidWindows, w: int) -> FluidView:
    """The water of a window as it is now."""
    fluid = windows.arrays
    u, v, cell = fluid.u[w], fluid.v[w], float(fluid.cell[w])
    inner = slice(1, -1)
    means = 0.5 * (u[inner, 1:-1] + u[inner, :-2]), 0.5 * (v[1:-1, inner] + v[:-2, inner])
    velocity = np.stack(means, axis=-1) + fluid.drift[w, :2]
    spin = (v[:-1, 1:] - v[:-1, :-1] - u[1:, :-1] + u[:-1, :-1]) / cell  # of nodes [0..ny, 0..nx]
    spin[0] = spin[-1] = spin[:, 0] = spin[:, -1] = 0.0
    vorticity = 0.25 * (spin[1:, 1:] + spin[:-1, 1:] + spin[1:, :-1] + spin[:-1, :-1])
    seconds = float(fluid.drift[w, 2]) or 1.0
    x, y = (float(value) for value in fluid.origin[w])
    pressure, solid = fluid.pressure[w, inner, inner] / seconds, fluid.solid[w, inner, inner] > 0
    return FluidView((x, y), cell, velocity, vorticity, pressure, solid)
