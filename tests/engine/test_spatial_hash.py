"""The spatial hash finds exactly what brute force finds, in an order fixed by the data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paludarium.engine.kernel import kernel
from paludarium.engine.spatial_hash import (
    hash_again,
    hash_boxes,
    hash_circles,
    hash_points,
    next_item,
    open_query,
)
from paludarium.tests.engine.hash_queries import items_near, touching_pairs


@kernel()
def count_visits(hashed, x_min, y_min, x_max, y_max, visits):
    """Update visits from one query."""
    cells, cursor = open_query(hashed, x_min, y_min, x_max, y_max)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            break
        visits[k] += 1


def touching(boxes, box):
    return (boxes[:, 0] <= box[2]) & (boxes[:, 2] >= box[0]) & (boxes[:, 1] <= box[3]) & (boxes[:, 3] >= box[1])


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**31), count=st.integers(0, 120), cell=st.sampled_from([0.3, 1.0, 4.0, 50.0]))
def test_pairs_equal_brute_force(seed, count, cell):
    generator = np.random.default_rng(seed)
    hashed = hash_circles(generator.uniform(-20, 20, (count, 3)), generator.uniform(0, 3, count), cell)
    expected = [
        (i, j) for i in range(count) for j in range(i + 1, count) if touching(hashed.boxes[[j]], hashed.boxes[i])[0]
    ]
    assert [tuple(pair) for pair in touching_pairs(hashed)] == expected


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**31), cell=st.sampled_from([0.3, 1.0, 7.0]), reach=st.floats(0, 12))
def test_every_item_of_a_query_is_visited_exactly_once(seed, cell, reach):
    generator = np.random.default_rng(seed)
    hashed = hash_circles(generator.uniform(-20, 20, (80, 2)), generator.uniform(0, 5, 80), cell)
    x, y = generator.uniform(-20, 20, 2)
    visits = np.zeros(80, int)
    count_visits(hashed, x - reach, y - reach, x + reach, y + reach, visits)
    inside = touching(hashed.boxes, (x - reach, y - reach, x + reach, y + reach))
    assert visits.max(initial=0) <= 1
    assert np.all(visits[inside] == 1)
    np.testing.assert_array_equal(items_near(hashed, x, y, reach), np.flatnonzero(inside))


def test_a_long_wall_among_points_is_one_item():
    boxes = np.array([[-100.0, 0.0, 100.0, 0.4], [3.0, 3.0, 3.0, 3.0]])
    hashed = hash_boxes(boxes, 2.0)
    assert items_near(hashed, 77.0, 1.0, 1.0).tolist() == [0]
    assert items_near(hashed, 3.0, 2.0, 2.0).tolist() == [0, 1]


def test_order_of_entries_depends_on_the_data_alone():
    points = np.random.default_rng(3).uniform(0, 50, (500, 2))
    first, second = hash_points(points, 2.0), hash_points(points.copy(), 2.0)
    for one, other in zip(first[:3], second[:3], strict=True):
        np.testing.assert_array_equal(one, other)
    starts = first.bucket_start
    assert all(np.all(np.diff(first.entry_item[a:b]) >= 0) for a, b in zip(starts, starts[1:], strict=False))


def test_empty_and_wild_input_is_harmless():
    empty = hash_points(np.empty((0, 3)), 1.0)
    assert touching_pairs(empty).shape == (0, 2)
    assert items_near(empty, 0.0, 0.0, 5.0).size == 0
    wild = hash_points(np.array([[np.nan, 0.0], [np.inf, 1e300], [1.0, 1.0]]), 1.0)
    assert items_near(wild, 1.0, 1.0, 0.5).tolist() == [2]


@pytest.mark.parametrize("cell_size", [0.0, -1.0, np.nan])
def test_a_cell_size_that_is_not_positive_is_refused(cell_size):
    with pytest.raises(ValueError, match="cell size"):
        hash_points(np.zeros((1, 2)), cell_size)


def test_a_cell_size_far_too_small_is_refused():
    with pytest.raises(ValueError, match="enlarge the cell size"):
        hash_boxes(np.array([[0.0, 0.0, 1e6, 1e6]]), 1.0)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**31), counts=st.lists(st.integers(0, 60), min_size=2, max_size=6))
def test_a_hash_that_is_filled_again_finds_what_a_new_one_finds_in_the_same_order(seed, counts):
    generator = np.random.default_rng(seed)
    hashed = hash_boxes(np.zeros((0, 4)), 1.0)
    for count in counts:
        corner = generator.uniform(-6.0, 6.0, (count, 2))
        boxes = np.concatenate((corner, corner + generator.uniform(0.0, 3.0, (count, 2))), axis=1)
        hashed, fresh = hash_again(hashed, boxes), hash_boxes(boxes, 1.0)
        np.testing.assert_array_equal(touching_pairs(hashed), touching_pairs(fresh))
        assert visiting_order(hashed) == visiting_order(fresh)


def visiting_order(hashed):
    found, (cells, cursor) = [], open_query(hashed, -2.0, -2.0, 5.0, 5.0)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            return found
        found.append(int(k))


def test_what_moves_a_little_stays_in_its_tables():
    boxes = np.random.default_rng(3).uniform(0.0, 10.0, (40, 2))
    boxes = np.concatenate((boxes, boxes + 0.5), axis=1)
    first = hash_again(hash_boxes(np.zeros((0, 4)), 2.0), boxes)
    boxes += 0.1
    assert hash_again(first, boxes) is first
    boxes[0, 2:] += 50.0  # more cells than there is room for
    grown = hash_again(first, boxes)
    assert grown is not first
    np.testing.assert_array_equal(touching_pairs(grown), touching_pairs(hash_boxes(boxes, 2.0)))
