"""What a head is drawn to and what it shrinks from, out of all stimuli and all creatures of other factions in reach."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.records import record
from ...engine.spatial_hash import next_item, open_query
from ..feeding.food_web import EATEN_BY, EATS

if TYPE_CHECKING:
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array
    from ...engine.spatial_hash import SpatialHash

# columns of a reaction row
HOSTILE_REACTION, ALLIED_REACTION, PREY_REACTION, PREDATOR_REACTION, SIGHT, THRESHOLD, ARRIVAL, FIRST_KIND = range(8)
NEUTRAL, HOSTILE, ALLIED = range(3)  # values of the table of relations
HERE = 1e-9  # units; a stimulus nearer than this has no direction


class Ties(NamedTuple):
    """What creatures are to each other: relations of factions, food web of kinds, and where they all are. Read-only."""

    relation: NDArray[np.int8]  # (factions, factions)
    food_web: NDArray[np.int8]  # (kinds, kinds); empty where no creature eats another
    others: NDArray[np.int32]  # creature rows of the items in the hash of places; empty where no creature has ties


@record
class Attraction(NamedTuple):
    """The strongest of all sources that attract: its weight, and where it is."""

    weight: float
    x: float
    y: float


@kernel()
def weigh(x: float, y: float, px: float, py: float, reaction: float, strength: float, radius: float, arrival: float,
          best: Attraction, flight: tuple[float, float]) -> tuple[Attraction, tuple[float, float]]:  # fmt: skip
    """Return the strongest attraction and the sum of all flights (x, y) with one more source weighed in.

    The weight falls linearly to zero at the radius.
    """
    dx, dy = px - x, py - y
    d = hypot(dx, dy)
    if d >= radius or d < HERE:
        return best, flight
    w = reaction * strength * (1.0 - d / radius)
    if w > 0.0:
        if d > arrival and w > best.weight:
            return Attraction(w, px, py), flight
        return best, flight
    away_x, away_y = flight
    return best, (away_x + w * dx / d, away_y + w * dy / d)


@kernel()
def weigh_stimuli(x: float, y: float, reactions: Array, position: Array, kind: Array, strength: Array, radius: Array,
                  arrival: float, best: Attraction,
                  flight: tuple[float, float]) -> tuple[Attraction, tuple[float, float]]:  # fmt: skip
    """Return attraction and flight of one head with all stimuli weighed in."""
    for k in range(kind.size):
        reaction = reactions[FIRST_KIND + kind[k]]
        best, flight = weigh(x, y, position[k, 0], position[k, 1], reaction, strength[k], radius[k], arrival, best, flight)
    return best, flight


@kernel()
def tie_between(c: int, other: int, creatures: CreaturePool, reactions: Array, ties: Ties) -> tuple[float, float]:
    """Return the reaction of one creature to another, and how near it has to come: factions first, then who eats whom."""
    if ties.relation.shape[0] > 0:
        tie = ties.relation[creatures.faction[c], creatures.faction[other]]
        if tie == HOSTILE:
            return reactions[HOSTILE_REACTION], 0.0  # a hunter goes all the way
        if tie == ALLIED:
            return reactions[ALLIED_REACTION], reactions[ARRIVAL]
    if ties.food_web.shape[0] > 0 and creatures.dead[other] == 0:
        tie = ties.food_web[creatures.kind[c], creatures.kind[other]]
        if tie == EATS:
            return reactions[PREY_REACTION], 0.0
        if tie == EATEN_BY:
            return reactions[PREDATOR_REACTION], 0.0
    return 0.0, 0.0


@kernel()
def weigh_others(c: int, x: float, y: float, reactions: Array, creatures: CreaturePool, ties: Ties, hashed: SpatialHash,
                 best: Attraction, flight: tuple[float, float]) -> tuple[Attraction, tuple[float, float]]:  # fmt: skip
    """Return attraction and flight of one head with all creatures in sight weighed in that it has a tie with."""
    place, others = creatures.position, ties.others
    sight = reactions[SIGHT]
    cells, cursor = open_query(hashed, x - sight, y - sight, x + sight, y + sight)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            return best, flight
        other = int64(others[k])
        if other == c:
            continue
        reaction, arrival = tie_between(c, other, creatures, reactions, ties)
        if reaction == 0.0:
            continue
        best, flight = weigh(x, y, place[other, 0], place[other, 1], reaction, 1.0, sight, arrival, best, flight)


@kernel(parallel=True)
def react(rows: Array, reactions: Array, creatures: CreaturePool, ties: Ties, hashed: SpatialHash, position: Array,
          kind: Array, strength: Array, radius: Array, aim: Array, pull: Array) -> None:  # fmt: skip
    """Update aim (a point to go to) and pull (above 0: go there, below 0: flee to there, 0: nothing) of all rows."""
    place = creatures.position
    for r in prange(rows.size):
        c = int64(rows[r])
        row = reactions[r]
        x, y = place[c, 0], place[c, 1]
        best, flight = Attraction(0.0, x, y), (0.0, 0.0)
        best, flight = weigh_stimuli(x, y, row, position, kind, strength, radius, row[ARRIVAL], best, flight)
        if ties.others.shape[0] > 0:
            best, flight = weigh_others(c, x, y, row, creatures, ties, hashed, best, flight)
        away_x, away_y = flight
        fear = hypot(away_x, away_y)
        if fear >= best.weight and fear > row[THRESHOLD]:
            aim[c, 0], aim[c, 1], pull[c] = x + away_x / fear, y + away_y / fear, -fear
        elif best.weight > row[THRESHOLD]:
            aim[c, 0], aim[c, 1], pull[c] = best.x, best.y, best.weight
        else:
            aim[c, 0], aim[c, 1], pull[c] = x, y, 0.0
