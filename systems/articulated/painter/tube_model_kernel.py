"""Articulated swimmers for exports: the sections of their tubes and the places of their guides, as the picture has them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from .part_fields import COUNT, END_ROUND, FIRST, HEAD_ROUND, MOST_GUIDES
from .tube_kernel import CROWDED, bend_tube, guide_point, place_station, sections_of

if TYPE_CHECKING:
    from ....engine.kernel_types import Array

STATIONS = 32
"""Of a tube in an export, from its head to its end."""


@kernel(refcount=False)
def station_place(part: Array, k: int) -> float:
    """Return where among the guides of a tube a station lies; those of ends that round off are closer."""
    u = k / (STATIONS - 1)
    if part[HEAD_ROUND] + part[END_ROUND] > 0.0:
        u -= CROWDED * math.sin(2.0 * math.pi * u) / (2.0 * math.pi)
    return u * (sections_of(part) - 1)


@kernel()
def lay_tubes(tubes: Array, guides: Array, frames: Array, length: float, steer: float, stations: Array,
              places: Array) -> None:  # fmt: skip
    """Update stations (tubes, STATIONS, 3, 3) with middle, half width and half height vector of each.

    places (tubes, STATIONS, 2) get where among its guides a station lies, and where on the skin (0 to 1).
    """
    bent, sizes, ahead = np.zeros((3, MOST_GUIDES, 3)), np.zeros(3), np.zeros(3)
    for t in range(tubes.shape[0]):
        part = tubes[t]
        bend_tube(part, guides, frames, length, steer, bent)
        for k in range(STATIONS):
            place = station_place(part, k)
            place_station(part, bent, sections_of(part), place, stations[t, k], sizes, ahead)
            places[t, k, 0], places[t, k, 1] = place, min(max(sizes[2], 0.0), 1.0)


@kernel()
def lay_guides(parts: Array, guides: Array, frames: Array, length: float, steer: float, points: Array) -> None:
    """Update points (guides, 3) with where the guides of parts are in the world."""
    for p in range(parts.shape[0]):
        for k in range(int(parts[p, FIRST]), int(parts[p, FIRST]) + int(parts[p, COUNT])):
            x, y, z = guide_point(guides[k], frames, length, steer)
            points[k, 0], points[k, 1], points[k, 2] = x, y, z
