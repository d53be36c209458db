"""The tables of a map file that are about water and what lives in it without being an animal."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..spec import integer, number, numbers

FASTEST = 20.0
"""Units/s of a current, as for the current of a pond."""
NOT_GIVEN = math.nan


@dataclass(frozen=True)
class Current:
    """``[current]``: a flow through all water of the map, and away from its pillars. [Tu99 8.1]"""

    direction: float = number(0.0, unit="deg", low=-360.0, high=360.0, doc="where it flows to; 0 is east, 90 north")
    strength: float = number(0.0, unit="u_per_s", low=0.0, high=FASTEST, doc="its speed, or the highest one if it swings")
    period: float = number(0.0, unit="s", low=0.0, high=100_000.0, doc="of its swing to and fro; 0 is a steady current")
    source: float = number(1.0, unit="u2", low=0.0, high=1000.0,
                           doc="flow away from pillars: strength times this by the squared distance from their side, "
                               "at most twice the strength")  # fmt: skip


@dataclass(frozen=True)
class Climate:
    """``[climate]``: how warm the water is. 0 is as cold and 1 as warm as any animal likes it. [Tu99 7.3]"""

    surface_temperature: float = number(0.5, low=0.0, high=1.0, doc="at the surface")
    bed_temperature: float = number(0.5, low=0.0, high=1.0, doc="at the deepest bed; in between it changes with the depth")
    gradient: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="per_u", low=-1.0, high=1.0,
                                          doc="change to the east and to the north, from the middle of the map")
    brightness: float = number(NOT_GIVEN, low=0.0, high=1.0,
                               doc="of the light at the surface; not given, it follows from the time of day")


@dataclass(frozen=True)
class Shade:
    """``[[shade]]``: a round place that is darker than the rest."""

    at: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="u", doc="its middle")
    radius: float = number(10.0, unit="u", low=0.0, above=True, high=100_000.0, doc="where it ends")
    darkness: float = number(0.8, low=0.0, high=1.0, doc="share of the light that is missing in its middle")


@dataclass(frozen=True)
class Plankton:
    """``[[plankton]]``: food that drifts with the water at any depth. Without a box and a spread it is in all water."""

    count: int = integer(100, low=1, high=50_000, doc="how many")
    at: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="u", doc="centre, with a spread")
    spread: float = number(0.0, unit="u", low=0.0, high=100_000.0, doc="radius of the disc they are spread over")
    box: tuple[float, ...] = numbers((), count=4, unit="u", doc="instead: west, south, east, north")
    depth: tuple[float, ...] = numbers((0.2, 1000.0), count=2, unit="u", low=0.0, high=100_000.0,
                                       doc="shallowest and deepest, below the surface")
    amount: float = number(1.0, low=0.0, above=True, doc="how much there is to eat in one of them")
    regrow: float = number(0.0, unit="s", low=0.0, high=100_000.0,
                           doc="mean time after which an eaten one comes back elsewhere; 0 is never")


@dataclass(frozen=True)
class Seaweed:
    """``[[seaweed]]``: clusters of leaves that stand on the bed and sway."""

    clusters: int = integer(1, low=1, high=2_000, doc="how many of them")
    at: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="u", doc="centre")
    spread: float = number(0.0, unit="u", low=0.0, high=100_000.0, doc="radius of the disc they are spread over")
    leaves: int = integer(12, low=1, high=60, doc="in a cluster")
    height: float = number(5.0, unit="u", low=0.2, high=200.0, doc="of the longest leaves; none reaches out of the water")

    @property
    def count(self) -> int:
        """All leaves."""
        return self.clusters * self.leaves


@dataclass(frozen=True)
class Bubbles:
    """``[[bubbles]]``: a place on the bed from which air rises."""

    count: int = integer(12, low=1, high=1_000, doc="on their way at the same time")
    at: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="u", doc="the vent")
    spread: float = number(0.3, unit="u", low=0.0, high=1000.0, doc="radius of the disc they leave the bed in")
    rise: float = number(2.0, unit="u_per_s", low=0.01, high=100.0, doc="how fast they rise")
    size: float = number(0.12, unit="u", low=0.001, high=10.0, doc="radius of the largest")
