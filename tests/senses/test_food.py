"""The field of food against its formula, and who eats."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium.engine.props import FoodPool
from paludarium.engine.spatial_hash import hash_points
from paludarium.systems.senses import Sense, sense_row
from paludarium.systems.senses.food_kernel import eat_food
from paludarium.systems.senses.smell_kernel import intensity
from paludarium.tests.senses.crawlers import Crawlers, one_thread  # noqa: F401 - a fixture


def smell_at(point, position, amount=1.0, softening=0.5, cutoff=20.0, cell=5.0):
    position = np.asarray(position, dtype=float).reshape(-1, 3)
    pool, rows = FoodPool(), np.arange(3, 3 + len(position), dtype=np.int32)
    pool.claim(3 + len(position), owner=1)
    pool.position[rows], pool.amount[rows] = position, amount
    return intensity(*point, pool.bundle, rows, hash_points(position, cell), softening, cutoff)


@pytest.mark.parametrize("r", [0.5, 1.0, 3.0, 10.0, 19.9])
def test_intensity_falls_with_the_squared_distance(r):
    assert smell_at((0.0, 0.0, 0.0), [[0.6 * r, 0.0, 0.8 * r]]) == pytest.approx(1.0 / r**2, rel=1e-14)


def test_intensity_stays_finite_at_the_source_and_vanishes_beyond_the_cutoff():
    assert smell_at((1.0, 1.0, 1.0), [[1.0, 1.0, 1.0]]) == 4.0
    assert smell_at((0.0, 0.0, 0.0), [[20.1, 0.0, 0.0]]) == 0.0


@pytest.mark.parametrize("cell", [1.0, 5.0, 40.0])
def test_intensity_equals_brute_force_inside_the_cutoff(cell):
    generator = np.random.default_rng(2)
    position = generator.uniform((-40, -40, 0), (40, 40, 3), (400, 3))
    amount = np.where(generator.random(400) < 0.8, generator.uniform(0.5, 2, 400), 0.0)
    for point in generator.uniform((-40, -40, 0), (40, 40, 3), (20, 3)):
        r_squared = ((point - position) ** 2).sum(axis=1)
        terms = np.where(r_squared <= 144.0, amount / np.maximum(r_squared, 0.25), 0.0)
        # the terms are the same; only the order of the sum differs
        assert smell_at(point, position, amount, cutoff=12.0, cell=cell) == pytest.approx(terms.sum(), rel=1e-13)


def test_truncation_is_bounded_by_the_strength_over_the_squared_cutoff():
    near, far = [[3.0, 0.0, 0.0]], [[3.0, 0.0, 0.0], [25.0, 0.0, 0.0]]
    full = smell_at((0, 0, 0), far, cutoff=1e3)
    assert smell_at((0, 0, 0), far) == smell_at((0, 0, 0), near)
    assert 0 < full - smell_at((0, 0, 0), far) < 1 / 20.0**2


def meals(heads, food, amount, rows, **parameters):
    position, food = np.asarray(heads, dtype=float), np.asarray(food, dtype=float)
    n = len(position)
    amount, winner = np.array(amount, dtype=float), np.full(len(food), 9, np.int32)
    meal_food, meal = np.full(n, 9, np.int32), np.full(n, 9.0)
    table = np.tile(sense_row(**parameters), (n, 1))
    first = np.arange(n, dtype=np.int32)
    eat_food(
        np.array(rows, np.int32), table, position, first, food, amount, hash_points(food, 2.0), winner, meal_food, meal
    )
    return winner.tolist(), meal_food.tolist(), meal.tolist(), amount.tolist()


def test_the_nearer_head_wins_whatever_the_order_of_rows():
    heads, food = [[0.9, 0, 1], [0, 0.5, 1], [0.7, 0.0, 1]], [[0.0, 0.0, 0.0]]
    for rows in ([0, 1, 2], [2, 1, 0], [1, 0, 2]):
        assert meals(heads, food, [3.0], rows) == ([1], [-1, 0, -1], [0.0, 3.0, 0.0], [0.0])


def test_equal_distance_goes_to_the_lower_row():
    heads, food = [[0.5, 0, 1], [-0.5, 0, 1]], [[0.0, 0.0, 0.0]]
    for rows in ([0, 1], [1, 0]):
        assert meals(heads, food, [1.0], rows)[0] == [0]


def test_a_bite_leaves_the_rest_and_nothing_out_of_reach_is_eaten():
    assert meals([[0, 0, 1]], [[0.5, 0, 0], [1.01, 0, 0]], [1.0, 1.0], [0], bite=0.25) == (
        [0, -1],
        [0],
        [0.25],
        [0.75, 1.0],
    )
    assert meals([[0, 0, 5]], [[0, 0, 0]], [1.0], [0])[0] == [-1]


def test_eaten_food_is_conserved():
    generator = np.random.default_rng(8)
    heads, food = generator.uniform(0, 6, (40, 3)), generator.uniform(0, 6, (60, 3))
    winner, meal_food, meal, amount = meals(heads, food, np.full(60, 2.0), range(40), bite=0.7, eat_height=9.0)
    assert sum(meal) == pytest.approx(60 * 2.0 - sum(amount))
    assert sum(m > 0 for m in meal) == sum(w >= 0 for w in winner) > 5
    assert all(winner[k] == c for c, k in enumerate(meal_food) if k >= 0)


def test_empty_world_smells_of_nothing():
    crawler = Crawlers(np.empty((0, 2)), [], food=())
    crawler.run(0.1)
    lonely = Crawlers([[0, 0]], [0.0])
    lonely.run(0.1)
    assert not lonely.brain.senses.smell.any()
    assert lonely.antennae.parameters[0, Sense.FOOD_CUTOFF] == 20.0
