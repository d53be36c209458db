"""Opening fluid windows and letting them run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .plane_body_kernel import lay_links
from .window_kernel import run_windows
from .window_layout import FRAME, FluidWindows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....engine.pool import Array

TINY = 1e-9
"""Lengths and widths that are no less."""


def open_window(windows: FluidWindows, w: int, rows: Sequence[int], swimmers: SwimPool, links: LinkPool,
                width: float) -> None:  # fmt: skip
    """Begin a window of still water, so many units wide, around swimmers.

    Example::

        open_window(windows, 0, [eel.row], swimmers, links, width=3.0 * length)
    """
    fluid = windows.arrays
    windows.clear(w)
    points = np.concatenate([ends_of(swimmers, links, row) for row in rows])
    fluid.member_count[w], fluid.members[w, : len(rows)] = len(rows), rows
    fluid.cell[w] = width / windows.nx
    size = np.array([windows.nx, windows.ny]) * fluid.cell[w]
    fluid.origin[w] = 0.5 * (points.min(axis=0) + points.max(axis=0)) - 0.5 * size


def carry_water(windows: FluidWindows, w: int, row: int, swimmers: SwimPool, links: LinkPool, speed: float,
                width: float) -> None:  # fmt: skip
    """Let the water of a window that opens go along with a swimmer: at its speed along its heading, less with the distance.

    A body that has swum for a while has such water around it. In water at rest it would lose up to half of its speed to it.

    Example::

        carry_water(windows, 0, eel.row, swimmers, links, speed=1.5, width=0.1 * length)
    """
    fluid = windows.arrays
    cell, (x0, y0), heading = float(fluid.cell[w]), fluid.origin[w], float(swimmers.heading[row])
    ends = ends_of(swimmers, links, row)
    front, rear = ends[: len(ends) // 2], ends[len(ends) // 2 :]
    j, i = np.mgrid[0 : windows.ny + 2, 0 : windows.nx + 2]
    for field, along, across, part in ((fluid.u, 0.0, 0.5, np.cos(heading)), (fluid.v, 0.5, 0.0, np.sin(heading))):
        x, y = x0 + cell * (i - along), y0 + cell * (j - across)
        nearest = np.full(x.shape, np.inf)
        for a, b in zip(front, rear, strict=True):
            axis = b - a
            s = np.clip(((x - a[0]) * axis[0] + (y - a[1]) * axis[1]) / max(axis @ axis, TINY), 0.0, 1.0)
            nearest = np.minimum(nearest, (x - a[0] - s * axis[0]) ** 2 + (y - a[1] - s * axis[1]) ** 2)
        field[w] = speed * part * np.exp(-nearest / max(width, TINY) ** 2)


def lay_out(swimmers: SwimPool, links: LinkPool, row: int) -> None:
    """Write where the links of a swimmer are and how it heads, from its root and its joints."""
    first, n = int(swimmers.first_link[row]), int(swimmers.link_count[row])
    frame = np.zeros((n, len(FRAME)))
    x, y, angle = (float(value) for value in swimmers.root[row])
    lay_links(first, n, x, y, angle, links, frame)
    links.place[first : first + n] = frame[:, :3]
    swimmers.heading[row] = np.average(frame[:, 2], weights=links.mass[first : first + n])


def ends_of(swimmers: SwimPool, links: LinkPool, row: int) -> Array:
    """(2 n, 2) ends of the axes of all links of a swimmer, as `place` has them."""
    first = int(swimmers.first_link[row])
    here = slice(first, first + int(swimmers.link_count[row]))
    place, length = links.place[here], links.length[here, None]
    back = length * np.column_stack([np.cos(place[:, 2]), np.sin(place[:, 2])])
    return np.concatenate([place[:, :2], place[:, :2] - back])


def step_windows(active: Array, windows: FluidWindows, swimmers: SwimPool, links: LinkPool, dt: float,
                 tolerance: float) -> None:  # fmt: skip
    """Let one tick pass in the listed windows, for the water and for all swimmers in it, on all threads."""
    run_windows(active, windows.arrays, swimmers, links, dt, tolerance)
