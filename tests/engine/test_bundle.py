"""Pools in kernels: what a kernel writes into one arrives, wherever in a parallel loop it is written.

numba loses writes to the fields of a NamedTuple inside a parallel loop, in silence. These tests are the gate for our own
pattern: they fail if the installed numba loses a write in it.
"""

from __future__ import annotations

import copy
import gc
import pickle

import numpy as np
import pytest
from numba import prange

from paludarium import World
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
        write_in_callee(rows, pool, 5.0)
        assert (pool.place[rows] == (5.0, 6.0, 7.0)).all()
        assert (pool.matrix[rows, 1] == (0.0, 10.0, 20.0)).all()
        assert pool.flag[rows].all()
        assert not pool.flag[rows + 1].any()


def test_writes_in_the_parallel_loop_itself_arrive(threads):
    for number in (1, 2):
        threads(number)
        pool, rows = filled(300)
        write_in_loop(rows, pool)
        write_through_locals_of_the_kernel(rows, pool)
        assert (pool.number[rows] == 3).all()
        assert (pool.place[rows, 1] == rows).all()
        assert (pool.place[rows, 2] == -1.0).all()
        assert (pool.stream[rows] == rows + 1).all()
        assert not pool.number[rows + 1].any()


def test_columns_have_the_pools_own_shapes():
    pool, _ = filled(100)
    assert sizes(pool) == (pool.capacity, 2, 3, 6 * pool.capacity)


def test_a_pool_that_has_grown_is_written_to_where_it_is_now():
    pool, rows = filled(10)
    write_in_loop(rows, pool)
    before = pool.number
    for owner in range(2, 5):
        pool.claim(1000, owner=owner)
        gc.collect()
        write_in_loop(rows, pool)
    assert pool.number is not before
    assert (before[rows] == 1).all()
    assert (pool.number[rows] == 4).all()
    assert sizes(pool)[0] == pool.capacity


def test_a_restored_pool_is_written_to_where_it_is_now():
    pool, rows = filled(10)
    write_in_loop(rows, pool)
    twin = PartPool()
    write_in_loop(rows, twin)  # its table is in use before it is replaced
    twin.restore(dict(pool.arrays()))
    write_in_loop(rows, twin)
    assert (twin.number[rows] == 2).all()
    assert (pool.number[rows] == 1).all()


def test_pools_of_one_kind_share_the_compiled_version_and_nothing_else():
    (one, rows), (other, _) = filled(10), filled(300)
    write_in_loop(rows, one)
    write_in_loop(rows, other)
    write_in_loop(rows, other)
    assert (one.number[rows] == 1).all()
    assert (other.number[rows] == 2).all()
    assert len(write_in_loop.signatures) == 1


def test_the_pools_of_two_worlds_are_two():
    @kernel()
    def move(creatures, row):
        creatures.position[row] += 1.0

    worlds = [World(seed=1, populate=False) for _ in range(2)]
    animals = [world.spawn("giant_centipede", at=(0.0, 0.0)) for world in worlds]
    before = worlds[1].creature_pool.position[animals[1].row].copy()
    move(worlds[0].creature_pool, animals[0].row)
    assert (worlds[1].creature_pool.position[animals[1].row] == before).all()
    assert (worlds[0].creature_pool.position[animals[0].row] == before + 1.0).all()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_copy_that_would_share_memory_is_refused(copied):
    with pytest.raises(TypeError, match="restore"):
        copied(filled(3)[0])


def test_the_old_name_of_what_kernels_take_is_the_pool():
    pool, _ = filled(10)
    assert pool.bundle is pool


def test_an_unknown_column_is_a_compile_error_and_an_attribute_error():
    @kernel()
    def wrong(parts):
        return parts.nonsense[0]

    pool, _ = filled(1)
    with pytest.raises(Exception, match="nonsense"):
        wrong(pool)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = pool.nonsense
