"""Tables of maps for what grows and for the bed of clear water."""

from __future__ import annotations

from dataclasses import dataclass

from .growths import CORALS, LARGEST_RADIUS, LARGEST_SEED
from .spec import choice, integer, number, numbers, text

ANY_COLOUR = ""
"""Written where a map leaves the colour to the world."""


@dataclass(frozen=True)
class Bed:
    """What lies on the ground of clear water."""

    kind: str = choice("sand", "sand", "pebbles", doc="below water of a clarity above 1: dunes and rock, or stones, moss")


@dataclass(frozen=True)
class Corals:
    """One group of corals."""

    kind: str = choice("brain", *CORALS, doc="brain, polyp, table and tube are solid; bodies pass through the others")
    count: int = integer(1, low=1, high=5_000, doc="how many")
    at: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="u", doc="centre of the group")
    spread: float = number(0.0, unit="u", low=0.0, doc="radius of the disc they are spread over")
    radius: float = number(2.0, unit="u", low=0.01, high=LARGEST_RADIUS, doc="of the mean one; they differ by a quarter")
    colour: str = text(ANY_COLOUR, doc="as '#8FB048'; otherwise each has one of its kind")
    seed: int = integer(0, low=0, high=LARGEST_SEED, doc="of the forms of the group; 0 is drawn by the world")


@dataclass(frozen=True)
class Lilies:
    """One group of lily leaves."""

    count: int = integer(1, low=1, high=5_000, doc="how many")
    at: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="u", doc="centre of the group")
    spread: float = number(0.0, unit="u", low=0.0, doc="radius of the disc they are spread over")
    radius: float = number(2.2, unit="u", low=0.01, high=LARGEST_RADIUS, doc="of the mean leaf; they differ by a quarter")
    flowers: float = number(0.25, low=0.0, high=1.0, doc="share of the leaves that have one")


@dataclass(frozen=True)
class Reeds:
    """One group of clumps of reed."""

    count: int = integer(1, low=1, high=5_000, doc="how many")
    at: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="u", doc="centre of the group")
    spread: float = number(0.0, unit="u", low=0.0, doc="radius of the disc they are spread over")
    radius: float = number(1.0, unit="u", low=0.01, high=LARGEST_RADIUS, doc="of a clump")
