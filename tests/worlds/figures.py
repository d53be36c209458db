"""The figures of a watched world: of each species, and of the whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from paludarium.engine.pool import Array

SPEED_BINS = np.concatenate([[0.0], np.geomspace(0.003, 30.0, 121)])
"""Lengths per second: edges of the bins in which speeds are counted, eight per cent wide."""
FEW = 5
"""Animals in view: fewer make an empty picture."""


@dataclass
class SpeciesFigures:
    """What came of one species. Counts of looks are in animals times seconds."""

    begun: int = 0
    left: int = 0
    meals: int = 0
    matings: int = 0
    births: int = 0
    deaths: dict[str, int] = field(default_factory=dict)
    events: dict[str, int] = field(default_factory=dict)
    looks: int = 0
    moving_looks: int = 0  # those at which a speed was known
    resting: int = 0
    stuck: int = 0
    aground: int = 0
    hunger: list[float] = field(default_factory=list)  # mean over the animals, once per look
    speeds: Array = field(default_factory=lambda: np.zeros(len(SPEED_BINS), np.int64))

    def add(self, speed: Array, resting: Array, stuck: Array, aground: Array, hunger: Array) -> None:
        """Count one look at its animals; a speed or hunger that is not known is NaN."""
        known = speed[np.isfinite(speed)]
        self.looks += speed.size
        self.moving_looks += known.size
        self.resting += int((resting & np.isfinite(speed)).sum())
        self.stuck += int(stuck.sum())
        self.aground += int(aground.sum())
        self.speeds += np.bincount(np.searchsorted(SPEED_BINS, known, side="right") - 1, minlength=len(SPEED_BINS))
        if np.isfinite(hunger).any():
            self.hunger.append(float(np.nanmean(hunger)))

    def speed(self, share: float) -> float:
        """The speed, in lengths per second, that a share of the looks stays below."""
        if not self.moving_looks:
            return 0.0
        place = int(np.searchsorted(np.cumsum(self.speeds), share * self.moving_looks))
        return float(SPEED_BINS[min(place + 1, len(SPEED_BINS) - 1)])

    @property
    def resting_share(self) -> float:
        return self.resting / max(self.moving_looks, 1)

    @property
    def last_hunger(self) -> float | None:
        """Mean hunger of its animals in the last minute; None for those that know no hunger."""
        return float(np.mean(self.hunger[-60:])) if self.hunger else None


@dataclass(frozen=True)
class Figures:
    """What came of one world."""

    seconds: float
    species: dict[str, SpeciesFigures]
    torn: dict[str, int]
    times: tuple[float, ...]
    in_view: tuple[int, ...]
    deep: tuple[float, ...]

    @property
    def events_per_minute(self) -> float:
        return 60.0 * len(self.times) / max(self.seconds, 1e-9)

    @property
    def longest_gap(self) -> float:
        """Seconds without an event worth watching."""
        return float(np.diff([0.0, *self.times, self.seconds]).max())

    @property
    def deep_share(self) -> float:
        """Mean share of the animals that are deep in another one, after the first five seconds."""
        return float(np.mean(self.deep[1:])) if len(self.deep) > 1 else 0.0

    @property
    def empty_views(self) -> float:
        """Share of the looks at which fewer than `FEW` animals were in the view of the scene."""
        return float(np.mean(np.array(self.in_view) < FEW)) if self.in_view else 0.0

    def total(self, name: str) -> int:
        """A count over all species: ``figures.total("meals")``."""
        return int(sum(getattr(figures, name) for figures in self.species.values()))

    def share(self, name: str) -> float:
        """A count of looks over all species, as a share of all looks: ``figures.share("aground")``."""
        return self.total(name) / max(self.total("looks"), 1)
