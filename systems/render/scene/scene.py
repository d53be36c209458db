"""What the renderer needs to know about the world: plain arrays, nothing else.

Every field may be a live pool column; the renderer only reads. Positions are world units, quaternions wxyz.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

STYLE_CENTIPEDE, STYLE_MILLIPEDE, STYLE_ROBOT, STYLE_SMOOTH = range(4)
OBSTACLE_SPHERE, OBSTACLE_CYLINDER, OBSTACLE_BOX = range(3)


def _empty(*shape: int, dtype: Any = np.float64) -> Any:
    return field(default_factory=lambda: np.zeros(shape, dtype=dtype))


@dataclass(frozen=True)
class Creatures:
    """Columns of all creatures: one row per creature, segment, leg or antenna.

    ``style`` is one of the STYLE_ constants, ``appearance`` a row of ``appearance_table`` (see `appearance_row`).
    ``leg_joints`` holds hip, knee, ankle and tip; ``leg_segment`` the absolute segment row; ``antenna_points``
    the base and the end of every link (unused trailing points may be NaN).
    """

    first_segment: Array = _empty(0, dtype=np.int64)
    segment_count: Array = _empty(0, dtype=np.int64)
    first_leg: Array = _empty(0, dtype=np.int64)
    leg_count: Array = _empty(0, dtype=np.int64)
    first_antenna: Array = _empty(0, dtype=np.int64)
    antenna_count: Array = _empty(0, dtype=np.int64)
    style: Array = _empty(0, dtype=np.int64)
    appearance: Array = _empty(0, dtype=np.int64)
    highlight: Array = _empty(0)
    segment_position: Array = _empty(0, 3)
    segment_orientation: Array = _empty(0, 4)
    segment_half_extents: Array = _empty(0, 3)
    leg_segment: Array = _empty(0, dtype=np.int64)
    leg_joints: Array = _empty(0, 4, 3)
    leg_state: Array = _empty(0, dtype=np.int64)
    antenna_points: Array = _empty(0, 2, 3)
    appearance_table: Array = _empty(1, 40, dtype=np.float32)


@dataclass(frozen=True)
class Ground:
    """The terrain picture's source: elevation samples at ``origin + cell * (column, row)``, row to the north.

    ``ponds`` rows (west, south, east, north, level) say where water stands; ``water_level`` is one pond without shores, NaN
    means none. A new ``version`` says that elevation or water changed and must be drawn again.
    ``stones`` rows (x, y, radius, height) are solid domes to bake in; ``stone_size`` limits the decorative ones.
    ``clearance``, where given, has one number per elevation sample: how far the nearest solid lies from the vertical line
    there, negative through it. Where it is positive there is no ground, and a dark backdrop is shown.
    """

    elevation: Array
    origin: tuple[float, float] = (0.0, 0.0)
    cell: float = 1.0
    water_level: float = float("nan")
    ponds: Array = _empty(0, 5)
    seed: int = 0
    version: int = 0
    stones: Array = _empty(0, 4)
    clearance: Array = _empty(0, 0)
    stone_size: float = 1.3
    plant_density: float = 1.0
    lushness: float = 0.0

    @property
    def waters(self) -> Array:
        """(n, 5) rectangles with levels, the first one counts where they overlap."""
        if np.isnan(self.water_level):
            return np.asarray(self.ponds, dtype=np.float64).reshape(-1, 5)
        return np.array([[-np.inf, -np.inf, np.inf, np.inf, self.water_level]])


@dataclass(frozen=True)
class Water:
    """A moving surface: ``height`` above the level of the ponds on a grid, as the water solver keeps it."""

    height: Array = _empty(2, 2)
    origin: tuple[float, float] = (0.0, 0.0)
    cell: float = 1.0


@dataclass(frozen=True)
class Scene:
    """Everything one frame shows.

    ``food`` rows: x, y, z, size (1 = whole). ``obstacles`` rows: kind, x, y, z of the middle, half sizes a, b, c,
    heading (a sphere uses a as radius, a cylinder a as radius and c as half height, a box and a wall all three).
    ``footprints`` rows: x, y, heading, strength 0..1. ``fireflies`` rows: x, y, z, brightness 0..1. ``lamps`` rows: x, y, z,
    radius, red, green, blue (linear), strength.

    Example::

        scene = Scene(ground=Ground(np.zeros((64, 64))), creatures=Creatures(), light="dusk")
    """

    ground: Ground
    creatures: Creatures = field(default_factory=Creatures)
    water: Water = field(default_factory=Water)
    food: Array = _empty(0, 4)
    obstacles: Array = _empty(0, 8)
    footprints: Array = _empty(0, 4)
    fireflies: Array = _empty(0, 4)
    lamps: Array = _empty(0, 8)
    light: str = "day"
    show_leg_states: bool = False
    frame_leaves: bool = False
