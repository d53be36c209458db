"""Insects as compiled code sees them: columns of all of them, and one at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

Array = NDArray[Any]

NOTHING, FRUIT, CARRION = range(3)
"""What jaws hold."""
HELD, AMOUNT, SEED = range(3)
HELD_FIELDS = 3


class Swarm(NamedTuple):
    """Columns of all insects of a frame. Parts are head, thorax and gaster."""

    position: Array  # (n, 3, 3)
    orientation: Array  # (n, 3, 4)
    half_extents: Array  # (n, 3, 3)
    joints: Array  # (n, 6, 4, 3): hip, knee, ankle, tip of L1 R1 L2 R2 L3 R3
    states: Array  # (n, 6) of the legs
    antennae: Array  # (n, 2, points, 3): base and the end of every link, NaN beyond the last one
    held: Array  # (n, HELD_FIELDS)
    looks: Array  # (n, LOOK_FIELDS), see shell_looks
    dead: Array  # (n,)
    creature: Array  # (n,) rows in CreaturePool


class Part(NamedTuple):
    """A part of a body, or a frame along it: where it is and its axes."""

    at: tuple[float, float, float]
    forward: tuple[float, float, float]
    left: tuple[float, float, float]
    up: tuple[float, float, float]


class Seen(NamedTuple):
    """What all parts of one insect have in common in a picture."""

    layer: int
    ground: float
    wide: float  # half width of the trunk, in units
    size: float  # px from end to end that small parts are drawn for
    links: int  # of a leg: 3, 2 or 1
    overturned: bool
