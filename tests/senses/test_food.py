"""The field of food against its formula."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium.engine.props import FoodPool
from paludarium.engine.spatial_hash import hash_points
from paludarium.systems.senses import Sense
from paludarium.systems.senses.smell_kernel import intensity
from paludarium.tests.senses.crawlers import Crawlers, one_thread  # noqa: F401 - a fixture


def smell_at(point, position, amount=1.0, softening=0.5, cutoff=20.0, cell=5.0):
    position = np.asarray(position, dtype=float).reshape(-1, 3)
    pool, rows = FoodPool(), np.arange(3, 3 + len(position), dtype=np.int32)
    pool.claim(3 + len(position), owner=1)
    pool.position[rows], pool.amount[rows] = position, amount
    return intensity(*point, pool, rows, hash_points(position, cell), softening, cutoff)


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


def test_empty_world_smells_of_nothing():
    crawler = Crawlers(np.empty((0, 2)), [], food=())
    crawler.run(0.1)
    lonely = Crawlers([[0, 0]], [0.0])
    lonely.run(0.1)
    assert not lonely.brain.senses.smell.any()
    assert lonely.antennae.parameters[0, Sense.FOOD_CUTOFF] == 20.0
