"""Seaweed: clusters of leaves, each a chain of masses on springs that stands on the bed. [Tu99 8.2]"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine import arguments
from ...engine.column_rules import MOTION, OFFSET, NearFirst, Place, Within
from ...engine.errors import PlaceTakenError, SpawnError
from ...engine.placed import PlacedGroup
from ...engine.places import FARTHEST, PLACE_TRIES
from ...engine.pool import Pool, column

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World

NODES = 8
"""Of a leaf; the first one is its root and stays where it is."""
CLOSER, LIGHTER = 0.9, 0.85
"""Distance to the next node and its mass, each as a share of the one before."""
STRETCH = 460.0
"""Force at which a leaf would be twice as long; currents stretch it by a few hundredths."""
BUOYANCY = 5.0
"""Units/s^2: what holds leaves up, against the drag of the water; a current of 0.5 u/s bends them by 27 degrees."""
MOST_SUBSTEPS = 4
STEADY = 1.2
"""Largest product of a substep and the highest frequency of a chain; symplectic steps are stable up to 2."""
UNSTEADY = 1.9
"""The same product, beyond which a save is refused."""
SOFTEST = 1.0
"""Stiffness of leaves whose links are too short for any number of substeps; water holds them still."""
SHORTEST_LEAF = 0.12
"""Units: the least height of seaweed, times the least share of it that a leaf has."""
MASSES = LIGHTER ** np.arange(NODES)
LOOSE = float((1.0 / MASSES[:-1] + 1.0 / MASSES[1:]).max())
"""Of the two lightest neighbours: the reciprocal of their masses."""
MOST_LEAVES, MOST_CLUSTERS, TALLEST = 60, 2_000, 200.0
STRETCH = 2.0 * TALLEST  # units to each side of its root that a leaf reaches, however fast its nodes are
SHALLOWEST = 0.4
"""Units of water that seaweed needs."""
HEADROOM = 0.15
"""Units below the surface that leaves end at."""
STREAM = "seaweed"
GOLDEN_ANGLE = math.pi * (3.0 - math.sqrt(5.0))


class Thicket(IntEnum):
    """Columns of clusters of leaves: lowest and highest corner, and how much of the light is lost per unit of way in it."""

    LOW_X = 0
    LOW_Y = 1
    LOW_Z = 2
    HIGH_X = 3
    HIGH_Y = 4
    HIGH_Z = 5
    LOSS = 6


@dataclass(frozen=True)
class SteadyLeaf:
    """Stiffness of springs that the substeps of a leaf keep together, for links as short as its own."""

    def wrong(self, values: Array, place: Place) -> Array:
        links = np.linalg.norm(np.diff(place.columns["rest"][place.rows], axis=1), axis=2)
        substeps = place.columns["substeps"][place.rows]
        step = place.world.clock.tick_seconds / np.maximum(substeps, 1)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            product = step * np.sqrt((values + _across(links)) * LOOSE)
        softest = (values <= SOFTEST) & (substeps == MOST_SUBSTEPS) & (links.sum(axis=1) >= SHORTEST_LEAF)
        return ~((values >= 0.0) & ((product <= UNSTEADY) | softest))

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return "a stiffness that the substeps of the leaf keep together"


class SeaweedPool(Pool):
    """One row per leaf; the leaves of a cluster are one span. Nodes are counted from the root."""

    position = column(np.float64, NODES, 3, holds=NearFirst(4.0 * TALLEST))
    velocity = column(np.float64, NODES, 3, holds=MOTION)
    rest = column(np.float64, NODES, 3, holds=OFFSET, fixed=True)  # from the root, where nothing pushes it
    stiffness = column(np.float64, fill=100.0, holds=SteadyLeaf(), fixed=True)  # of every spring
    substeps = column(np.int32, fill=1, holds=Within(1, MOST_SUBSTEPS), fixed=True)
    width = column(np.float64, holds=Within(0.0, 100.0), fixed=True)  # at its widest
    tint = column(np.float64, holds=Within(0.0, 1.0), fixed=True)  # dark to light, for pictures


@dataclass(frozen=True)
class Seaweed(PlacedGroup):
    """One cluster; its places are (leaves, 8, 3), nodes from the roots on.

    Example::

        weed, = world.add_seaweed(at=(4, 2), leaves=16, height=6)
        world.step(60)
        print(weed.tips, weed.box)
        weed.remove()
    """

    @property
    def tips(self) -> Array:
        """(leaves, 3)"""
        return self.position[:, -1]

    @property
    def box(self) -> Array:
        """(2, 3): the lowest and the highest corner around all leaves."""
        nodes = self.position.reshape(-1, 3)
        return np.stack([nodes.min(axis=0), nodes.max(axis=0)])


def plant(world: World, at: Any, clusters: int, leaves: int, height: float, spread: float) -> list[Seaweed]:
    """Clusters on the bed, all of them or none."""
    at = arguments.vector("seaweed at", at, (2,), largest=FARTHEST, error=SpawnError)
    clusters = arguments.whole("seaweed clusters", clusters, 1, MOST_CLUSTERS, error=SpawnError)
    leaves = arguments.whole("seaweed leaves", leaves, 1, MOST_LEAVES, error=SpawnError)
    height = arguments.number("seaweed height", height, 0.2, TALLEST, error=SpawnError)
    spread = arguments.number("seaweed spread", spread, 0.0, 1e5, error=SpawnError)
    pool, before, planted = world.pool(SeaweedPool), world.streams.state(), []
    try:
        for _ in range(clusters):
            root, depth = _place(world, at, spread)
            rows = pool.claim(leaves, owner=0)
            planted.append(Seaweed(pool, rows))
            for leaf, row in enumerate(range(rows.start, rows.stop)):
                _grow_leaf(world, pool, row, (leaf, leaves), root, min(height, depth - HEADROOM))
    except PlaceTakenError:
        for weed in reversed(planted):
            pool.release(weed.rows)
        world.streams.rewind(before)
        raise
    return planted


def _place(world: World, at: Array, spread: float) -> tuple[Array, float]:
    """A place on the bed with enough water over it, and how much that is."""
    stream, (west, south, east, north) = world.streams[STREAM], world.map.area.bounds
    for _ in range(PLACE_TRIES if spread else 1):
        radius, angle = spread * math.sqrt(stream.random()), stream.uniform(-math.pi, math.pi)
        place = at + (radius * math.cos(angle), radius * math.sin(angle))
        depth, surface = float(world.water.depth(place[None])[0]), float(world.water.surface(place[None])[0])
        if depth >= SHALLOWEST and west <= place[0] <= east and south <= place[1] <= north:
            return np.append(place, surface - depth), depth
    raise PlaceTakenError(f"seaweed at ({at[0]:g}, {at[1]:g}): allowed is a place under at least {SHALLOWEST:g} u of water")


def _grow_leaf(world: World, pool: SeaweedPool, row: int, place: tuple[int, int], root: Array, height: float) -> None:
    """Update a fresh row: a leaf that arches outward, the more so the farther from the middle of its cluster it stands.

    place: which leaf it is, of how many.
    """
    draw = world.streams[STREAM].random(6)
    leaf, leaves = place
    angle, outer = leaf * GOLDEN_ANGLE + 0.7 * (draw[0] - 0.5), math.sqrt((leaf + 0.5) / leaves)
    length = height * (0.6 + 0.4 * draw[1])
    steps = CLOSER ** np.arange(NODES - 1)
    links = length * steps / steps.sum()
    lean = np.linspace(0.05 + 0.3 * outer * draw[2], 0.2 + 0.8 * outer + 0.3 * draw[3], NODES - 1)  # rad from upright
    turn = angle + np.linspace(0.0, 1.2 * (draw[4] - 0.5), NODES - 1)
    way = np.stack([np.sin(lean) * np.cos(turn), np.sin(lean) * np.sin(turn), np.cos(lean)], axis=1) * links[:, None]
    pool.rest[row, 1:] = np.cumsum(way, axis=0)
    aside = 0.1 * height * outer
    foot = root + (aside * math.cos(angle), aside * math.sin(angle), 0.0)
    pool.position[row] = foot + pool.rest[row]
    pool.width[row], pool.tint[row] = (0.11 + 0.05 * draw[5]) * length, draw[5]
    pool.substeps[row], pool.stiffness[row] = _steps_of(links, world.clock.tick_seconds)


def _steps_of(links: Array, dt: float) -> tuple[int, float]:
    """Substeps of a tick that a chain needs, and the stiffness of its springs: softer where it would need too many."""
    stiffness, across = STRETCH / float(links.mean()), float(_across(links))
    substeps = math.ceil(dt * math.sqrt((stiffness + across) * LOOSE) / STEADY)
    if substeps <= MOST_SUBSTEPS:
        return substeps, stiffness
    return MOST_SUBSTEPS, max((STEADY * MOST_SUBSTEPS / dt) ** 2 / LOOSE - across, SOFTEST)


def _across(links: Array) -> Array:
    """Stiffness against bending of the link that has most of it, of leaves (..., links)."""
    above = MASSES[::-1].cumsum()[::-1][1:]
    stiffest: Array = (BUOYANCY * above / links).max(axis=-1)
    return stiffest
