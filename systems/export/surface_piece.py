"""A piece of a body's surface, for modellers that cut it up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.pool import Array


@dataclass(frozen=True)
class Piece:
    """Some triangles of one material between two segments: places of its corners in the cloud of points of a body."""

    corners: Array
    triangles: Array
    segments: tuple[int, int]
    weights: Array
    material: int
