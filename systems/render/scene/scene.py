"""What the renderer needs to know about the world: plain arrays, nothing else.

Every field may be a live pool column; the renderer only reads. Positions are world units, quaternions wxyz.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....engine.growths import ROW_FIELDS
from ..creatures.painter import Group
from ..creatures.sheet import NO_CREATURE

Array = NDArray[Any]


def _empty(*shape: int, dtype: Any = np.float64) -> Any:
    return field(default_factory=lambda: np.zeros(shape, dtype=dtype))


@dataclass(frozen=True)
class Ground:
    """The terrain picture's source: elevation samples at ``origin + cell * (column, row)``, row to the north.

    ``ponds`` rows (west, south, east, north, level) say where water stands; ``water_level`` is one pond without shores, NaN
    means none. A new ``version`` says that elevation or water changed and must be drawn again.
    ``stones`` rows (x, y, radius, height) are solid domes to bake in; ``stone_size`` limits the decorative ones.
    ``clearance``, where given, has one number per elevation sample: how far the nearest solid lies from the vertical line
    there, negative through it. Where it is positive there is no ground, and a dark backdrop is shown. ``clarity`` divides
    the depth of all water as far as light is concerned: in water of clarity 1 the bed is lost at 4 units, at 6 in 24. Above
    1 the bed below it is bright: ``bed`` is "sand" or "pebbles". ``growths`` rows are those of `engine.growths.growth_rows`.
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
    clarity: float = 1.0
    bed: str = "sand"
    growths: Array = _empty(0, ROW_FIELDS)

    @property
    def grown(self) -> bool:
        """Whether its picture takes more than land does: a bed seen through clear water, or anything that grows there."""
        return (self.clarity > 1.0 and len(self.waters) > 0) or len(self.growths) > 0

    @cached_property
    def lowest(self) -> float:
        """Elevation of the deepest place."""
        return float(np.min(self.elevation))

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


class Props(NamedTuple):
    """Rows of everything that is not a creature, as in `Scene`."""

    food: Array
    obstacles: Array
    footprints: Array
    fireflies: Array
    lamps: Array
    frame_leaves: bool


@dataclass(frozen=True)
class Scene:
    """Everything one frame shows.

    ``creatures`` holds one group per family (see `painter.Group`), ``highlighted`` the row in `CreaturePool` of one that is
    lit up.
    ``food`` rows: x, y, z, size (1 = whole). ``obstacles`` rows: kind, x, y, z of the middle, half sizes a, b, c,
    heading (a sphere uses a as radius, a cylinder a as radius and c as half height, a box and a wall all three).
    ``footprints`` rows: x, y, heading, strength 0..1. ``fireflies`` rows: x, y, z, brightness 0..1. ``lamps`` rows: x, y, z,
    radius, red, green, blue (linear), strength.

    Example::

        scene = Scene(ground=Ground(np.zeros((64, 64))), creatures=(balls([(0, 0, 1)], 1.0, "#C8502A"),), light="dusk")
    """

    ground: Ground
    creatures: tuple[Group, ...] = ()
    highlighted: int = NO_CREATURE
    water: Water = field(default_factory=Water)
    food: Array = _empty(0, 4)
    obstacles: Array = _empty(0, 8)
    footprints: Array = _empty(0, 4)
    fireflies: Array = _empty(0, 4)
    lamps: Array = _empty(0, 8)
    light: str = "day"
    show_leg_states: bool = False
    frame_leaves: bool = False

    def props(self, *, footprints: bool = True) -> Props:
        """Everything that is not a creature, as the kernel takes it."""
        prints = self.footprints if footprints else self.footprints[:0]
        food, obstacles, prints, fireflies, lamps = (
            np.ascontiguousarray(rows, dtype=np.float64)
            for rows in (self.food, self.obstacles, prints, self.fireflies, self.lamps)
        )
        return Props(food, obstacles, prints, fireflies, lamps, self.frame_leaves)
