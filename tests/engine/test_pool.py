"""Pools: contiguous rows that never move, exact reuse, and handles that know when they are stale."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paludarium.engine.errors import StaleHandleError
from paludarium.engine.pool import Pool, column
from paludarium.tests.pool_rows import live_rows


class DotPool(Pool):
    place = column(np.float64, 2)
    color = column(np.uint8, fill=7)
    weight = column(np.float32, fill=0.5)
    kind = column(np.int64, 3, fill=-2)


def test_claimed_rows_start_with_the_fill_value_even_when_reused():
    pool = DotPool()
    rows = pool.claim(3, owner=1)
    pool.color[rows.slice] = 99
    pool.release(rows)
    again = pool.claim(3, owner=2)
    assert again.start == rows.start
    assert (pool.color[again.slice] == 7).all()


def test_a_fresh_row_has_the_fill_of_every_column_and_neighbours_keep_theirs():
    pool = DotPool()
    left, middle, right = (pool.claim(2, owner) for owner in (1, 2, 3))
    for name in DotPool.columns:
        getattr(pool, name)[:] = 5
    pool.release(middle)
    fresh = pool.claim(2, owner=4)
    for name, declared in DotPool.columns.items():
        values = getattr(pool, name)
        assert (values[fresh.slice] == (4 if name == "owner" else declared.fill)).all(), name
        assert (values[left.slice] == 5).all(), name
        assert (values[right.slice] == 5).all(), name


@pytest.mark.parametrize("name", ["place", "weight"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_finite_check_names_the_column_and_looks_at_no_other_rows(name, bad):
    pool = DotPool()
    rows, other = pool.claim(3, owner=1), pool.claim(1, owner=2)
    getattr(pool, name)[rows.stop - 1] = bad
    assert pool.first_bad_column(rows) == name
    assert pool.first_bad_column(other) is None


def test_columns_are_contiguous_and_begin_on_a_cache_line():
    pool = DotPool(capacity=5)
    for name in DotPool.columns:
        assert getattr(pool, name).flags.c_contiguous
        assert getattr(pool, name).ctypes.data % 64 == 0, name


def test_growth_keeps_values_and_handles():
    pool = DotPool(capacity=2)
    first = pool.claim(2, owner=1)
    pool.place[first.slice] = [[1, 2], [3, 4]]
    for owner in range(2, 200):
        pool.claim(5, owner)
    assert pool.view(first, "place").tolist() == [[1, 2], [3, 4]]


def test_stale_rows_raise_an_error_that_says_so():
    pool = DotPool()
    rows = pool.claim(2, owner=1)
    pool.release(rows)
    pool.claim(2, owner=2)
    with pytest.raises(StaleHandleError, match="stale"):
        pool.view(rows, "place")
    with pytest.raises(StaleHandleError):
        pool.release(rows)


def test_views_cannot_be_written():
    pool = DotPool()
    rows = pool.claim(2, owner=1)
    with pytest.raises(ValueError, match="read-only"):
        pool.view(rows, "place")[0] = 1.0


def test_ten_thousand_births_and_deaths_in_random_order_leak_no_rows():
    pool, order, living = DotPool(), random.Random(5), []
    for owner in range(10_000):
        living.append(pool.claim(order.choice([1, 5, 18, 58]), owner))
        if len(living) > 200 or order.random() < 0.4:
            pool.release(living.pop(order.randrange(len(living))))
        assert pool.end <= 40 * 400  # bounded by what lives, not by what was ever born
    for rows in living:
        pool.release(rows)
    assert pool.end == 0
    assert live_rows(pool) == 0
    assert len(pool.spans) == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 30)), max_size=60))
def test_pool_agrees_with_a_dictionary(steps):
    """Spans and contents equal a plain model after any sequence of claims and releases."""
    pool, model = DotPool(capacity=1), {}
    for owner, (count, kill) in enumerate(steps):
        rows = pool.claim(count, owner)
        pool.place[rows.slice] = owner
        model[owner] = rows
        if kill in model:
            pool.release(model.pop(kill))
        assert pool.spans.tolist() == sorted([r.start, r.size] for r in model.values())
        assert pool.first_rows.tolist() == sorted(r.start for r in model.values())
        for who, kept in model.items():
            assert (pool.place[kept.slice] == who).all()
            assert (pool.owner[kept.slice] == who).all()


def test_restored_pool_continues_like_the_original():
    pool, order, living = DotPool(), random.Random(3), []
    for owner in range(50):
        living.append(pool.claim(order.randint(1, 6), owner))
    for rows in living[::3]:
        pool.release(rows)
    copy = DotPool()
    copy.restore({name: array.copy() for name, array in pool.arrays()})
    for owner in range(100, 130):
        assert copy.claim(4, owner) == pool.claim(4, owner)
    assert np.array_equal(copy.spans, pool.spans)
    assert np.array_equal(copy.first_rows, pool.first_rows)


class RimPool(Pool):
    beside = "DotPool"

    width = column(np.float64, fill=0.25)


def test_a_pool_beside_another_is_as_large_as_that_one_and_blank_where_it_has_no_owner():
    dots, rims = DotPool(), RimPool()
    dots.lead(rims)
    first = dots.claim(5, owner=1)
    rows = rims.claim(5, owner=1, at=first.start)
    rims.width[rows.slice] = 1.0
    second = dots.claim(1000, owner=2)
    assert rims.capacity == dots.capacity > 1000
    assert (rims.width[rows.slice] == 1.0).all()
    assert (rims.width[second.slice] == 0.25).all()
    rims.claim(second.size, owner=2, at=second.start)
    rims.release(rows)
    assert (rims.width[rows.slice] == 0.25).all()
    assert rims.spans.tolist() == [[second.start, second.size]]
    copy, beside = DotPool(), RimPool()
    copy.lead(beside)
    copy.restore({name: array.copy() for name, array in dots.arrays()})
    beside.restore({name: array.copy() for name, array in rims.arrays()})
    assert beside.capacity == copy.capacity
    assert beside.claim(5, owner=1, at=first.start).start == first.start


def test_an_aligned_pool_is_beside_that_of_the_creatures():
    class OnePool(Pool):
        aligned = True

    assert OnePool.beside == "CreaturePool"
    assert DotPool.beside is None
