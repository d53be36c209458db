"""Kinds of floor, each a plain frozen record that a map file can hold and that bakes itself to a height grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..noise_field import NoiseBackend, NoiseError, NoiseKind, noise_grid
from .checks import (
    LARGEST_NUMBER,
    MOST_THINGS,
    Bounds,
    checked_count,
    checked_height,
    checked_range,
    checked_seed,
    checked_vector,
    checked_within,
)
from .height_field import Floor, baked_floor, flat_floor, grid_size
from .terrain_error import TerrainError

Array = NDArray[np.float64]

DEFAULT_SPACING = 0.25  # units between grid nodes: a quarter segment resolves everything a leg can feel
LEAST_SPACING = 0.001  # units
LEAST_SCALE = 0.01  # units; finer hills than that are noise to every foot
MOST_OCTAVES = 16
OCTAVE_RATIO = (0.01, 8.0)  # of one octave to the one before, in height and in fineness
MOST_HILL_NODES = 500_000_000  # hills times grid nodes: each hill is laid over the whole grid, some 10 ns per node
NARROWEST = 1.0e-3  # units; the width of a hill
HILL_STREAM = 1  # random stream of the seed, so that hills and logs of one seed differ


@dataclass(frozen=True)
class FlatFloor:
    """The same elevation everywhere."""

    elevation: float = 0.0

    def __post_init__(self) -> None:
        checked_height(self.elevation, "elevation")

    def bake(self, bounds: Bounds) -> Floor:  # noqa: ARG002 - every floor is baked with the same call
        """The height grid."""
        return flat_floor(float(self.elevation))


@dataclass(frozen=True)
class NoiseFloor:
    """Rolling ground: octaves of noise, hills about ``scale`` units wide and up to about ``amplitude`` high or deep."""

    amplitude: float = 1.0
    scale: float = 10.0
    octaves: int = 4
    persistence: float = 0.5
    lacunarity: float = 2.0
    noise: NoiseKind = "perlin"
    backend: NoiseBackend = "own"
    elevation: float = 0.0
    spacing: float = DEFAULT_SPACING
    seed: int = 0

    def __post_init__(self) -> None:
        checked_height(self.amplitude, "amplitude")
        checked_within(self.scale, "scale", LEAST_SCALE, LARGEST_NUMBER)
        checked_count(self.octaves, "octaves", most=MOST_OCTAVES)
        checked_within(self.persistence, "persistence", *OCTAVE_RATIO)
        checked_within(self.lacunarity, "lacunarity", *OCTAVE_RATIO)
        checked_height(self.elevation, "elevation")
        checked_within(self.spacing, "spacing", LEAST_SPACING, LARGEST_NUMBER)
        checked_seed(self.seed)

    def bake(self, bounds: Bounds) -> Floor:
        """The height grid."""
        try:
            return baked_floor(self._heights, bounds, self.spacing)
        except NoiseError as problem:
            raise TerrainError(str(problem)) from problem

    def _heights(self, x: Array, y: Array) -> Array:
        field = noise_grid(
            x / self.scale,
            y / self.scale,
            kind=self.noise,
            octaves=self.octaves,
            persistence=self.persistence,
            lacunarity=self.lacunarity,
            seed=self.seed,
            backend=self.backend,
        )
        return self.elevation + self.amplitude * field


@dataclass(frozen=True)
class GaussianFloor:
    """Hills and hollows: each of ``hills`` is (x, y, height, width), width the standard deviation. [Fang15 6.1.1]"""

    hills: Sequence[Sequence[float]]
    elevation: float = 0.0
    spacing: float = DEFAULT_SPACING

    def __post_init__(self) -> None:
        if isinstance(self.hills, str) or not isinstance(self.hills, Sequence | np.ndarray) or len(self.hills) == 0:
            raise TerrainError("hills is empty or no list; allowed is a list of (x, y, height, width)")
        if len(self.hills) > MOST_THINGS:
            raise TerrainError(f"hills has {len(self.hills)} of them; allowed are at most {MOST_THINGS}")
        hills = tuple(checked_vector(hill, f"hills[{place}]", 4) for place, hill in enumerate(self.hills))
        for place, hill in enumerate(hills):
            checked_height(hill[2], f"height of hills[{place}]")
            checked_within(hill[3], f"width of hills[{place}]", NARROWEST, LARGEST_NUMBER)
        checked_height(self.elevation, "elevation")
        checked_within(self.spacing, "spacing", LEAST_SPACING, LARGEST_NUMBER)
        object.__setattr__(self, "hills", hills)

    def bake(self, bounds: Bounds) -> Floor:
        """The height grid."""
        columns, rows = grid_size(bounds, self.spacing)
        if len(self.hills) * columns * rows > MOST_HILL_NODES:
            raise TerrainError(
                f"{len(self.hills)} hills on {columns} x {rows} grid nodes; allowed there are at most "
                f"{MOST_HILL_NODES // (columns * rows)} hills: use fewer, a larger spacing or smaller bounds"
            )
        return baked_floor(self.heights, bounds, self.spacing)

    def heights(self, x: Array, y: Array) -> Array:
        """The elevations before baking: elevation + sum of height * exp(-distance^2 / (2 width^2))."""
        total = np.full(np.broadcast_shapes(np.shape(x), np.shape(y)), float(self.elevation))
        for center_x, center_y, height, width in self.hills:
            total += height * np.exp(-((x - center_x) ** 2 + (y - center_y) ** 2) / (2.0 * width * width))
        return total


@dataclass(frozen=True)
class RandomGaussianFloor:
    """``count`` random hills over the bounds, with heights and widths drawn evenly from (low, high)."""

    count: int = 40
    height: tuple[float, ...] = (0.5, 2.0)
    width: tuple[float, ...] = (2.0, 4.0)
    elevation: float = 0.0
    spacing: float = DEFAULT_SPACING
    seed: int = 0

    def __post_init__(self) -> None:
        checked_count(self.count, "count")
        object.__setattr__(self, "height", checked_range(self.height, "height"))
        object.__setattr__(self, "width", checked_range(self.width, "width"))
        checked_height(self.height[0], "smallest height")
        checked_height(self.height[1], "largest height")
        checked_within(self.width[0], "smallest width", NARROWEST, LARGEST_NUMBER)
        checked_height(self.elevation, "elevation")
        checked_within(self.spacing, "spacing", LEAST_SPACING, LARGEST_NUMBER)
        checked_seed(self.seed)

    def drawn(self, bounds: Bounds) -> GaussianFloor:
        """The same floor with its hills written out."""
        random = np.random.default_rng([self.seed, HILL_STREAM])
        low = [bounds[0], bounds[1], self.height[0], self.width[0]]
        high = [bounds[2], bounds[3], self.height[1], self.width[1]]
        hills = random.uniform(low, high, (self.count, 4))
        return GaussianFloor(tuple(map(tuple, hills.tolist())), self.elevation, self.spacing)

    def bake(self, bounds: Bounds) -> Floor:
        """The height grid."""
        return self.drawn(bounds).bake(bounds)


FloorKind = FlatFloor | NoiseFloor | GaussianFloor | RandomGaussianFloor
