"""How far a point is from something solid: what the ground, obstacles and the edge of the map answer alike."""

from __future__ import annotations

from typing import NamedTuple

from .records import record


@record
class Gap(NamedTuple):
    """The distance of a point from a surface, negative inside, and the unit normal there, which points outward.

    Example::

        if sample_ground(ground, x, y, z).distance < radius: ...
    """

    distance: float
    nx: float
    ny: float
    nz: float
