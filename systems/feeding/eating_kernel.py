"""Eating: who reaches which food, and which prey."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.diet import TAKES_FOOD, TAKES_PREY
from ...engine.kernel import kernel
from ...engine.kernel_types import int64, uint64
from ...engine.spatial_hash import next_item, open_query
from ..spatial_index.solid_kernel import solid_distance
from ..spatial_index.solids import SolidField
from .food_web import EATS

if TYPE_CHECKING:
    from ...components.diet import DietPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array, Vector
    from ...engine.spatial_hash import SpatialHash
    from .system import Food

NO_FOOD = -1


@kernel()
def mouth_of(c: int, diets: DietPool, creatures: CreaturePool) -> Vector:
    """Return where the mouth of a creature is: at its head, or the place its body system wrote."""
    if diets.own_mouth[c] == 0:
        return creatures.position[c, 0], creatures.position[c, 1], creatures.position[c, 2]
    return diets.mouth[c, 0], diets.mouth[c, 1], diets.mouth[c, 2]


@kernel()
def is_full(c: int, diets: DietPool) -> bool:
    """Return whether a creature has eaten as much as it can."""
    return diets.appetite[c] > 0.0 and diets.eaten[c] >= diets.appetite[c]


@kernel()
def nearest_food(c: int, diets: DietPool, creatures: CreaturePool, food: Food) -> tuple[int, float]:
    """Return the nearest food within reach of a mouth and its squared plan distance; the lower row wins a tie."""
    x, y, z = mouth_of(c, diets, creatures)
    reach = diets.reach[c]
    best, best_squared = int64(NO_FOOD), reach * reach
    if is_full(c, diets) or diets.gape[c] & TAKES_FOOD == 0:
        return best, best_squared
    cells, cursor = open_query(food.hashed, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(food.hashed, cells, cursor)
        if k < 0:
            break
        eats_it = (diets.foods[c] >> uint64(food.kind[k])) & uint64(1)
        if food.amount[k] <= 0.0 or eats_it == 0 or abs(z - food.position[k, 2]) > diets.height[c]:
            continue
        dx, dy = x - food.position[k, 0], y - food.position[k, 1]
        squared = dx * dx + dy * dy
        if squared < best_squared or (squared == best_squared and (best == NO_FOOD or k < best)):
            best, best_squared = k, squared
    return best, best_squared


@kernel()
def digest(rows: Array, diets: DietPool, dt: float) -> None:
    """Update how full creatures are, and since when they have not eaten."""
    eaten, since = diets.eaten, diets.since_meal
    for r in range(rows.size):
        c = rows[r]
        eaten[c] = max(eaten[c] - diets.digestion[c] * dt, 0.0)
        since[c] += dt
        diets.meal[c] = 0.0


@kernel()
def pick_eaters(rows: Array, diets: DietPool, kind: int, chosen: Array) -> int:
    """Update `chosen` to those of the creatures that eat a kind of food and have not eaten in this tick; return how many."""
    count = 0
    for r in range(rows.size):
        c = rows[r]
        if (diets.foods[c] >> uint64(kind)) & uint64(1) != 0 and diets.meal[c] == 0.0:
            chosen[count] = c
            count += 1
    return count


@kernel()
def swallow(c: int, amount: float, diets: DietPool) -> None:
    """Update what a creature has eaten."""
    diets.meal[c] += amount
    diets.eaten[c] += amount
    diets.since_meal[c] = 0.0


@kernel()
def eat_food(rows: Array, diets: DietPool, creatures: CreaturePool, food: Food, winner: Array, left: Array) -> None:
    """Update meals, winners and what is left from the food within reach of each mouth.

    One creature eats of one food per tick: the nearest, and on equal distance the one with the lower row, whatever the
    order of ``rows``. Losers go without. ``winner`` (one per food) receives the eater's row or -1, ``left`` the amounts.
    Serial, because winners are shared.
    """
    winner[:] = NO_FOOD
    for r in range(rows.size):
        c = int64(rows[r])
        k, squared = nearest_food(c, diets, creatures, food)
        if k == NO_FOOD:
            continue
        rival = int64(winner[k])
        if rival >= 0:
            rival_squared = nearest_food(rival, diets, creatures, food)[1]
            if rival_squared < squared or (rival_squared == squared and rival < c):
                continue
        winner[k] = c
    for k in range(winner.size):
        left[k] = food.amount[k]
        c = int64(winner[k])
        if c >= 0:
            amount = min(diets.bite[c], food.amount[k])
            left[k] -= amount
            swallow(c, amount, diets)


@kernel()
def catch_prey(rows: Array, diets: DietPool, creatures: CreaturePool, food_web: Array, capsules: Array, hashed: SpatialHash,
               caught: Array) -> None:  # fmt: skip
    """Update, per creature of `rows`, whom it catches: the creature row of the nearest prey within reach, or -1."""
    for r in range(rows.size):
        c = int64(rows[r])
        caught[r] = -1
        if is_full(c, diets) or diets.gape[c] & TAKES_PREY == 0:
            continue
        x, y, z = mouth_of(c, diets, creatures)
        reach = diets.reach[c]
        longest, best = diets.largest[c] * creatures.length[c], reach
        cells, cursor = open_query(hashed, x - reach, y - reach, x + reach, y + reach)
        while True:
            k, cursor = next_item(hashed, cells, cursor)
            if k < 0:
                break
            other = int64(capsules[k, SolidField.OWNER])
            if other == c or creatures.length[other] > longest:
                continue
            if food_web[creatures.kind[c], creatures.kind[other]] != EATS:
                continue
            gap = solid_distance(capsules, k, x, y, z).distance
            if gap < best:
                best, caught[r] = gap, other
