"""Patches of plankton: where they are, and how pieces of them come into the water."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine import arguments
from ...engine.column_rules import COUNT, ON_MAP, Within
from ...engine.errors import PlaceTakenError, SpawnError, shortened
from ...engine.placed import Placed
from ...engine.places import PLACE_TRIES
from ...engine.pool import Pool, column
from ...engine.props import ADRIFT, LARGEST_AMOUNT, MOST_PATCHES, PLANKTON

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World

MOST_PIECES = 50_000
"""In one patch, as in a map."""
STREAM = "plankton"
"""Of the random numbers that places come from."""
MARGIN = 0.05
"""Units that plankton keeps from the bed and from the surface."""


class PatchPool(Pool):
    """One row per patch of plankton: how much of it there is to be, and where it comes back."""

    single, most_rows = True, MOST_PATCHES

    wanted = column(np.int32, holds=Within(0, 50_000))  # pieces that there are when nobody eats any
    regrow = column(np.float64, holds=Within(0.0, 1e6))  # mean seconds after which an eaten one comes back; 0 is never
    due = column(np.float64, holds=COUNT)  # pieces that should have come back by now
    box = column(np.float64, 4, holds=ON_MAP)  # west, south, east, north
    spread = column(np.float64, holds=Within(0.0, 1e6))  # radius of the disc in the middle of the box; 0: all of the box
    depth = column(np.float64, 2, holds=Within(0.0, 1e6))  # shallowest and deepest, below the surface
    amount = column(np.float64, holds=Within(0.0))  # of one piece


@dataclass(frozen=True)
class Patch(Placed):
    """A patch of plankton. When it is removed, nothing of it comes back any more.

    Example::

        patch = world.add_plankton(500, at=(0, 0), spread=20, regrow=30)
        print(patch.count)
        patch.remove()      # what is there stays and nothing comes back
    """

    world: World

    @property
    def count(self) -> int:
        """Pieces of it that are there now."""
        self.pool.check(self.rows)
        return int((self.world.props.food.live("patch") == self.rows.start).sum())


def plant_patch(world: World, count: int, region: Array, spread: float, depth: Any, amount: float, regrow: float) -> Patch:
    """A patch with all of its pieces, or an error and nothing."""
    count = arguments.whole("plankton count", count, 1, MOST_PIECES, error=SpawnError)
    spread = arguments.number("plankton spread", spread, 0.0, 1e5, error=SpawnError)
    amount = arguments.number("plankton amount", amount, 0.0, LARGEST_AMOUNT, above=True, error=SpawnError)
    regrow = arguments.number("plankton regrow", regrow, 0.0, 1e5, error=SpawnError)
    shallow, deep = arguments.vector("plankton depth", depth, (2,), largest=1e5, error=SpawnError).tolist()
    if not 0.0 <= shallow <= deep:
        raise SpawnError(f"plankton depth = {shortened(depth)}: allowed is (shallowest, deepest), both 0 or more")
    pool, food, before = world.pool(PatchPool), world.props.food, world.streams.state()
    if len(pool.spans) >= MOST_PATCHES:
        raise SpawnError(f"plankton: there are {MOST_PATCHES} patches already, and more are not allowed")
    rows = pool.claim(1, owner=0)
    row = rows.start
    pool.box[row], pool.spread[row], pool.depth[row] = region, spread, (shallow, deep)
    pool.wanted[row], pool.regrow[row], pool.amount[row] = count, regrow, amount
    places = places_in(world, row, count)
    if len(places) < count:
        pool.release(rows)
        world.streams.rewind(before)
        raise PlaceTakenError(f"plankton in {shortened(region.tolist())}: only {len(places)} of {count} found water there "
                              "at its depths; allowed is a place in a pond")  # fmt: skip
    food.patch[: food.end][food.patch[: food.end] == row] = -1  # of a patch that was there before
    add_pieces(world, row, places)
    return Patch(pool, rows, world)


def add_pieces(world: World, patch: int, places: Array) -> None:
    """Put pieces of a patch into the water."""
    food = world.props.food
    for place in places:
        row = food.claim(1, owner=0).start
        food.position[row], food.amount[row] = place, world.pool(PatchPool).amount[patch]
        food.kind[row], food.drift[row], food.patch[row] = PLANKTON, ADRIFT, patch


def places_in(world: World, patch: int, count: int) -> Array:
    """Random places (n, 3) in the water of a patch; fewer than `count` where there is little of it."""
    pool, stream = world.pool(PatchPool), world.streams[STREAM]
    (west, south, east, north), spread = pool.box[patch].tolist(), float(pool.spread[patch])
    shallow, deep = pool.depth[patch].tolist()
    found = np.zeros((0, 3))
    for _ in range(PLACE_TRIES):
        missing = count - len(found)
        if not missing:
            break
        drawn = stream.random((missing, 3))
        if spread > 0.0:
            radius, angle = spread * np.sqrt(drawn[:, 0]), 2.0 * np.pi * drawn[:, 1]
            x, y = 0.5 * (west + east) + radius * np.cos(angle), 0.5 * (south + north) + radius * np.sin(angle)
        else:
            x, y = west + (east - west) * drawn[:, 0], south + (north - south) * drawn[:, 1]
        plan = np.column_stack([x, y])
        surface, depth = world.water.surface(plan), world.water.depth(plan)
        low, high = np.maximum(shallow, MARGIN), np.minimum(deep, depth - MARGIN)
        wet = high >= low
        below = (low + (high - low) * drawn[:, 2])[wet]
        found = np.concatenate([found, np.column_stack([plan[wet], surface[wet] - below])])
    return found


def region_of(world: World, at: Any, spread: float, box: Any) -> Array:
    """West, south, east and north of where a patch is; without a box and a spread that is all water."""
    if box is not None and len(box):
        west, south, east, north = arguments.vector("plankton box", box, (4,), largest=1e6, error=SpawnError).tolist()
        if not (west < east and south < north):
            raise SpawnError(f"plankton box = {shortened(box)}: allowed is west < east and south < north")
        return np.array([west, south, east, north])
    if spread:
        x, y = arguments.vector("plankton at", at, (2,), largest=1e6, error=SpawnError).tolist()
        return np.array([x, y, x, y])
    ponds = np.array([pond.bounds for pond in world.water.ponds]).reshape(-1, 4)
    if not len(ponds):
        raise PlaceTakenError("plankton: there is no water; allowed is a world with a pond")
    return np.concatenate([ponds[:, :2].min(axis=0), ponds[:, 2:].max(axis=0)])
