"""The bodies around a climber, as its kernels see them."""

from __future__ import annotations

from typing import NamedTuple

from ....engine.kernel_types import Array
from ....engine.spatial_hash import SpatialHash


class Crowd(NamedTuple):
    """All bodies of a world at the beginning of a tick, and which of them are climbed by which."""

    order: Array  # by creature row: a body climbs those with a lower number
    places: Array  # by creature row: its first capsule
    capsules: Array  # of all bodies, as solids
    capsule_hash: SpatialHash
    herd: Array  # creature rows of the items in the next hash
    herd_hash: SpatialHash  # boxes around whole bodies
