"""Eating: who gets which food. Nearest head first."""

from __future__ import annotations

import numpy as np

from ...components.antennae import Sense
from ...engine.kernel import kernel
from ...engine.spatial_hash import next_item, open_query

NO_FOOD = -1


@kernel()
def nearest_food(c, parameters, position, first_segment, food_position, food_amount, hashed):
    """Return the nearest food within reach of a head and its squared plan distance; the lower row wins a tie."""
    head = np.int64(first_segment[c])
    x, y, z = position[head, 0], position[head, 1], position[head, 2]
    reach = parameters[c, Sense.EAT_RADIUS]
    best, best_squared = np.int64(NO_FOOD), reach * reach
    cells, cursor = open_query(hashed, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            break
        if food_amount[k] <= 0.0 or abs(z - food_position[k, 2]) > parameters[c, Sense.EAT_HEIGHT]:
            continue
        dx, dy = x - food_position[k, 0], y - food_position[k, 1]
        squared = dx * dx + dy * dy
        if squared < best_squared or (squared == best_squared and (best == NO_FOOD or k < best)):
            best, best_squared = k, squared
    return best, best_squared


@kernel()
def eat_food(rows, parameters, position, first_segment, food_position, food_amount, hashed, winner, meal_food, meal):
    """Update meals, winners and remaining amounts from the food within reach of each head.

    One creature eats of one food per tick: the nearest, and on equal distance the one with the lower row, whatever the
    order of ``rows``. Losers go without. ``winner`` (one per food) receives the eater's row or -1; ``meal_food`` and
    ``meal`` (one per creature) receive what was eaten and how much. Serial, because winners are shared.
    """
    winner[:] = NO_FOOD
    for r in range(rows.size):
        c = np.int64(rows[r])
        meal[c] = 0.0
        k, squared = nearest_food(c, parameters, position, first_segment, food_position, food_amount, hashed)
        meal_food[c] = k
        if k == NO_FOOD:
            continue
        rival = np.int64(winner[k])
        if rival >= 0:
            rival_squared = nearest_food(
                rival, parameters, position, first_segment, food_position, food_amount, hashed
            )[1]
            if rival_squared < squared or (rival_squared == squared and rival < c):
                meal_food[c] = NO_FOOD
                continue
            meal_food[rival] = NO_FOOD
        winner[k] = c
    for k in range(winner.size):
        c = np.int64(winner[k])
        if c >= 0:
            meal[c] = min(parameters[c, Sense.BITE], food_amount[k])
            food_amount[k] -= meal[c]
