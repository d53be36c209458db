"""The sea of a world: how the water of all its ponds flows, how warm and how bright it is, at any point and depth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import arguments
from ..bundle import packed
from ..errors import shortened
from ..props import OBSTACLE_KINDS
from ..spatial_hash import hash_boxes
from ..terrain.checks import checked_points
from ..threads import POINTS_PER_THREAD, ThreadsFor
from ..water.water_error import WaterError
from ..weather import DAYLIGHT
from .sea_layout import (
    BRIGHTNESS,
    FADING,
    FASTEST_SOURCE,
    FLOW_X,
    FLOW_Y,
    PILLAR_COLUMNS,
    SEA_SLOTS,
    SHADE_COLUMNS,
    SHADE_RADIUS,
    SOURCE,
    SURFACE_WARMTH,
    WARMTH_EAST,
    WARMTH_NORTH,
    WARMTH_PER_DEPTH,
    SeaArrays,
)
from .sea_tables import FASTEST

if TYPE_CHECKING:
    from ..world import World

Array = NDArray[np.float64]

CYLINDER = OBSTACLE_KINDS.index("cylinder")
HALF_DEPTH = 4.0
"""Units in water of clarity 1 after which half of the light is left; the picture loses the bed there."""
SHALLOWEST = 1e-3
"""Units; the depth that temperatures change over is never less."""
PILLAR_CELL = 12.0
"""Units; of the index of pillars. Water flows away from them over some ten units."""
SOURCE_REACH = 10.0
"""Distances from a pillar's side, in roots of the source, up to which it is felt: 1 % of the current is left there."""
DIRECTION, STRENGTH, PERIOD, SPRING = range(4)  # slots of the current
SURFACE, BED, EAST, NORTH, LIGHT = range(5)  # slots of the climate
RANGES = {
    "current": ((-360.0, 360.0), (0.0, FASTEST), (0.0, 100_000.0), (0.0, 1000.0)),
    "climate": ((0.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (-1.0, 1.0), (0.0, 1.0)),
}
"""What a save may hold."""


class Sea:
    """Flow, warmth and light of all water of one world; ``world.sea``.

    Example::

        world.set_flow(direction=0.0, strength=0.5, period=8.0)
        world.sea.flow([(0, 0, -2)]), world.sea.temperature([(0, 0, -2)]), world.sea.brightness([(0, 0, -2)])
    """

    def __init__(self, world: World) -> None:
        self._world = world
        chart = world.map
        current, climate = chart.current, chart.climate
        light = DAYLIGHT[chart.light.time] if math.isnan(climate.brightness) else climate.brightness
        warmth = (climate.surface_temperature, climate.bed_temperature, *climate.gradient, light)
        self._current = np.array([current.direction, current.strength, current.period, current.source])
        self._climate = np.array(warmth)
        self._shades = np.array([(*s.at, s.radius, s.darkness) for s in chart.shade]).reshape(-1, SHADE_COLUMNS)
        self._deepest = max([_deepest(grid.level, grid.bed, grid.depth) for grid in world.water.grids], default=SHALLOWEST)
        self._numbers = np.zeros(SEA_SLOTS)
        self._record: SeaArrays | None = None
        self._known = (-1, -1)  # tick and version of the obstacles that the record is about

    # -- what it is like ------------------------------------------------------------------------------------------

    @property
    def flows(self) -> bool:
        """Whether there is a current beside those of the ponds themselves."""
        return bool(self._current[STRENGTH] > 0.0)

    @property
    def light(self) -> float:
        """How bright it is at the surface without shade, 0 to 1; ``world.weather.brightness``."""
        return float(self._climate[LIGHT])

    def set_flow(self, direction: float = 0.0, strength: float = 0.0, period: float = 0.0, source: float = 1.0) -> None:
        """Let all water flow; see ``[current]`` of a map. `direction` is in radians, 0 is east."""
        self._current[:] = (
            math.remainder(arguments.number("flow direction", direction, error=WaterError), math.tau),
            arguments.number("flow strength", strength, 0.0, FASTEST, error=WaterError),
            arguments.number("flow period", period, 0.0, 100_000.0, error=WaterError),
            arguments.number("flow source", source, 0.0, 1000.0, error=WaterError),
        )
        self._record = None

    def set_climate(self, surface_temperature: float | None = None, bed_temperature: float | None = None,
                    gradient: ArrayLike | None = None, brightness: float | None = None) -> None:
        """Change how warm and how bright the water is; what is not given stays. See ``[climate]`` of a map."""
        changed = self._climate.copy()
        given = {SURFACE: surface_temperature, BED: bed_temperature, LIGHT: brightness}
        names = {SURFACE: "surface_temperature", BED: "bed_temperature", LIGHT: "brightness"}
        for slot, value in given.items():
            if value is not None:
                changed[slot] = arguments.number(names[slot], value, 0.0, 1.0, error=WaterError)
        if gradient is not None:
            changed[EAST : NORTH + 1] = arguments.vector("gradient", gradient, (2,), largest=1.0, error=WaterError)
        self._climate[:], self._record = changed, None

    # -- questions ------------------------------------------------------------------------------------------------

    @property
    def arrays(self) -> SeaArrays:
        """The sea as it is in this tick, for kernels that call `flow_at`, `temperature_at` and `brightness_at`."""
        known = (self._world.tick, self._world.props.obstacles.version)
        if self._record is None or known[1] != self._known[1]:
            self._record = self._made()
        if known[0] != self._known[0]:
            self._flow_now()
        self._known = known
        return self._record

    def flow(self, points: ArrayLike) -> Array:
        """Velocity (n, 3) of the water at points (n, 3), or (n, 2) at the surface; 0 where there is none."""
        from .sea_flow_kernel import flow_at_points

        array = self._points(points)
        flows = np.zeros_like(array)
        with ThreadsFor(len(array), POINTS_PER_THREAD):
            flow_at_points(self.arrays, array, flows)
        return flows

    def temperature(self, points: ArrayLike) -> Array:
        """How warm it is at points (n, 3), or (n, 2) at the surface: 0 is cold, 1 is warm."""
        return self._climate_at(points)[:, 0]

    def brightness(self, points: ArrayLike) -> Array:
        """How bright it is at points (n, 3), or (n, 2) at the surface: 0 is dark, 1 is full daylight."""
        return self._climate_at(points)[:, 1]

    def _climate_at(self, points: ArrayLike) -> Array:
        from .climate_kernel import climate_at_points

        array = self._points(points)
        climate = np.zeros((len(array), 2))
        with ThreadsFor(len(array), POINTS_PER_THREAD):
            climate_at_points(self.arrays, array, climate)
        return climate

    def _points(self, points: ArrayLike) -> Array:
        array = checked_points(points, (2, 3))
        if array.shape[1] == 3:
            return array
        return np.column_stack([array, np.nan_to_num(self._world.water.surface(array))])

    # -- saving ---------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Array]:
        """Plain arrays from which `restore` continues exactly."""
        return {"current": self._current.copy(), "climate": self._climate.copy(), "shades": self._shades.copy()}

    def restore(self, state: dict[str, Array]) -> None:
        """Continue from what another sea saved."""
        for name, ranges in RANGES.items():
            values = np.asarray(state.get(name, ()), dtype=np.float64)
            low, high = np.array(ranges).T
            if values.shape != low.shape or not ((values >= low) & (values <= high)).all():
                raise WaterError(f"{name} is {shortened(values.tolist())}; allowed are {len(low)} numbers from "
                                 f"{low.tolist()} to {high.tolist()}")  # fmt: skip
        shades = np.asarray(state.get("shades", ()), dtype=np.float64)
        if shades.ndim != 2 or shades.shape[1] != SHADE_COLUMNS or not _are_shades(shades):
            raise WaterError(f"shades are {shortened(shades.tolist())}; allowed are rows of place, radius and darkness")
        self._current[:], self._climate[:], self._shades = state["current"], state["climate"], shades.copy()
        self._record = None

    # -- inside ---------------------------------------------------------------------------------------------------

    def _made(self) -> SeaArrays:
        """The record for kernels. Only upright cylinders are pillars; others are not known to the flow. [Tu99 8.1]"""
        numbers, climate = np.zeros(SEA_SLOTS), self._climate
        strength, source = self._current[STRENGTH], self._current[SPRING]
        numbers[SOURCE], numbers[FASTEST_SOURCE] = strength * source, 2.0 * strength
        numbers[SURFACE_WARMTH], numbers[WARMTH_EAST], numbers[WARMTH_NORTH] = climate[[SURFACE, EAST, NORTH]]
        numbers[WARMTH_PER_DEPTH] = (climate[BED] - climate[SURFACE]) / self._deepest
        numbers[BRIGHTNESS] = climate[LIGHT]
        numbers[FADING] = math.log(2.0) / (HALF_DEPTH * self._world.weather.light.clarity)
        pillars = self._pillars()
        reach = (pillars[:, 2] + SOURCE_REACH * math.sqrt(source))[:, None]
        boxes = np.concatenate([pillars[:, :2] - reach, pillars[:, :2] + reach], axis=1)
        self._numbers = numbers
        self._flow_now()
        return packed(SeaArrays(numbers, pillars, hash_boxes(boxes, PILLAR_CELL), self._shades, self._world.water.arrays))

    def _flow_now(self) -> None:
        """Update the current that is the same everywhere: u = a sin(2 pi t / T). [Tu99 8.1]"""
        direction, strength, period, _ = self._current.tolist()
        now = strength * (math.sin(math.tau * math.fmod(self._world.time, period) / period) if period > 0.0 else 1.0)
        self._numbers[FLOW_X], self._numbers[FLOW_Y] = now * math.cos(direction), now * math.sin(direction)

    def _pillars(self) -> Array:
        pool = self._world.props.obstacles
        rows = pool.spans[:, 0]
        rows = rows[pool.kind[rows] == CYLINDER]
        pillars = np.empty((len(rows), PILLAR_COLUMNS))
        pillars[:, :2], pillars[:, 2] = pool.position[rows, :2], pool.half_size[rows, 0]
        pillars[:, 3] = pool.position[rows, 2] + 2.0 * pool.half_size[rows, 2]
        return pillars


def _deepest(level: float, bed: Array, depth: Array) -> float:
    """Depth of the deepest bed of a pond."""
    return max(level - float(bed[depth > 0.0].min(initial=level)), SHALLOWEST)


def _are_shades(shades: Array) -> bool:
    low, high = np.array([(-1e6, 1e6), (-1e6, 1e6), (1e-9, 1e5), (0.0, 1.0)]).T
    return bool(((shades >= low) & (shades <= high)).all() and (shades[:, SHADE_RADIUS] > 0.0).all())
