"""Bundles: what a kernel writes through one arrives, wherever in a parallel loop it is written.

numba loses writes to the fields of a NamedTuple inside a parallel loop, in silence. These tests are the gate for our own
pattern: they fail if the installed numba loses a write in it.
"""

from __future__ import annotations

import gc

import numpy as np
import pytest
from numba import prange

from paludarium.engine.kernel import kernel
from paludarium.engine.pool import Pool, column


class PartPool(Pool):
    number = column(np.int32)
    flag = column(np.uint8)
    place = column(np.float64, 3)
    matrix = column(np.float64, 2, 3)
    stream = column(np.uint64)


@kernel()
def write_one(i, parts, value):
    place, matrix = parts.place, parts.matrix
    for axis in range(3):
        place[i, axis] = value + axis
        matrix[i, 1, axis] += 10.0 * axis
    parts.flag[i] = 1


@kernel(parallel=True)
def write_in_callee(rows, parts, value):
    for r in prange(rows.size):
        write_one(np.int64(rows[r]), parts, value)


@kernel(parallel=True)
def write_in_loop(rows, parts):
    for r in prange(rows.size):
        i = np.int64(rows[r])
        parts.number[i] += 1
        row = parts.place[i]
        row[1] = i
        parts.stream[i] = np.uint64(i) + np.uint64(1)


@kernel(parallel=True)
def write_through_locals_of_the_kernel(rows, parts):
    number, place = parts.number, parts.place
    for r in prange(rows.size):
        number[rows[r]] += 2
        place[rows[r], 2] = -1.0


@kernel(refcount=False)
def sizes(parts):
    return parts.number.shape[0], parts.matrix.shape[1], parts.matrix.shape[2], parts.matrix.size


def filled(count: int) -> tuple[PartPool, np.ndarray]:
    pool = PartPool()
    pool.claim(count, owner=1)
    return pool, np.arange(0, count, 2, dtype=np.int32)


def test_writes_in_a_callee_of_a_parallel_loop_arrive(threads):
    for number in (1, 2):
        threads(number)
        pool, rows = filled(300)
        write_in_callee(rows, pool.bundle, 5.0)
        assert (pool.place[rows] == (5.0, 6.0, 7.0)).all()
        assert (pool.matrix[rows, 1] == (0.0, 10.0, 20.0)).all()
        assert pool.flag[rows].all()
        assert not pool.flag[rows + 1].any()


def test_writes_in_the_parallel_loop_itself_arrive(threads):
    for number in (1, 2):
        threads(number)
        pool, rows = filled(300)
        write_in_loop(rows, pool.bundle)
        write_through_locals_of_the_kernel(rows, pool.bundle)
        assert (pool.number[rows] == 3).all()
        assert (pool.place[rows, 1] == rows).all()
        assert (pool.place[rows, 2] == -1.0).all()
        assert (pool.stream[rows] == rows + 1).all()
        assert not pool.number[rows + 1].any()


def test_columns_have_the_pools_own_shapes():
    pool, _ = filled(100)
    assert sizes(pool.bundle) == (pool.capacity, 2, 3, 6 * pool.capacity)


def test_a_pool_that_grows_hands_out_a_new_bundle_and_the_old_one_stays_readable():
    pool, rows = filled(10)
    before = pool.bundle
    assert pool.bundle is before
    pool.claim(1000, owner=2)
    assert pool.bundle is not before
    gc.collect()
    write_in_loop(rows, before)  # into memory that the old bundle keeps alive, not into somebody else's
    assert not pool.number.any()
    write_in_loop(rows, pool.bundle)
    assert (pool.number[rows] == 1).all()


def test_an_unknown_column_is_a_compile_error_and_an_attribute_error():
    @kernel()
    def wrong(parts):
        return parts.nonsense[0]

    pool, _ = filled(1)
    with pytest.raises(Exception, match="nonsense"):
        wrong(pool.bundle)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = pool.bundle.nonsense
