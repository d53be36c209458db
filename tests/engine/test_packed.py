"""Packed records: kernels read and write what Python put in, alone and in parallel, and nothing else is accepted."""

import gc
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import prange

from paludarium.engine.bundle import packed
from paludarium.engine.kernel import kernel


class Sample(NamedTuple):
    count: int
    share: float
    single: Any
    on: bool
    flat: np.ndarray
    grid: np.ndarray
    cube: np.ndarray


def sample(rows=4):
    flat, cube = np.arange(rows, dtype=np.float64), np.arange(rows * 6).reshape(rows, 2, 3).astype(np.int64)
    return Sample(3, 0.1, np.float32(0.7), True, flat, np.zeros((rows, 5), np.float32), cube)


@kernel()
def add_up(record):
    total = record.share * record.count + record.single
    if record.on:
        for i in range(record.flat.size):
            total += record.flat[i]
    return total + record.cube[1, 1, 2] + record.cube.shape[2] * 1000.0 + record.grid.shape[0] * 100.0


@kernel(refcount=False)
def inner(record, i):
    record.grid[i, 2] += np.float32(i)


@kernel(parallel=True)
def write_all(record):
    for i in prange(record.grid.shape[0]):
        inner(record, i)
        record.grid[i, 4] = record.flat[i]


def expected(record):
    return record.share * record.count + float(record.single) + record.flat.sum() + record.cube[1, 1, 2] + 3000.0 + 400.0


def test_a_kernel_reads_every_kind_of_field():
    record = sample()
    assert add_up(packed(record)) == pytest.approx(expected(record), rel=1e-12)
    assert add_up(packed(record._replace(on=False))) == pytest.approx(expected(record) - record.flat.sum(), rel=1e-12)


def test_a_plain_tuple_is_taken_just_as_well():
    record = sample()
    assert add_up(record) == add_up(packed(record))


def test_writes_arrive_also_from_parallel_loops():
    record = sample(100)
    write_all(packed(record))
    np.testing.assert_array_equal(record.grid[:, 2], np.arange(100))
    np.testing.assert_array_equal(record.grid[:, 4], record.flat)


def test_other_code_sees_the_same_fields():
    record = sample()
    assert packed(record).count == 3
    assert packed(record).grid is record.grid
    assert packed(record)._replace(count=7)._asdict() == record._replace(count=7)._asdict()
    with pytest.raises(AttributeError):
        _ = packed(record).colour


def test_a_record_keeps_its_arrays_alive():
    record = packed(sample(50_000))
    gc.collect()
    total = add_up(record)
    assert total == pytest.approx(expected(record) + 100.0 * (50_000 - 4), rel=1e-12)


def test_arrays_with_gaps_are_refused_by_name():
    with pytest.raises(ValueError, match="grid"):
        packed(sample()._replace(grid=np.zeros((4, 10), np.float32)[:, ::2]))


def test_a_record_may_have_other_fields_than_the_one_before():
    record = sample()
    for changed in (record, record._replace(flat=record.flat.astype(np.float32)), record._replace(share=2), record):
        assert add_up(packed(changed)) == pytest.approx(expected(changed), rel=1e-6)
    whole = record._replace(count=2.5)  # a number that was whole until now
    assert add_up(packed(whole)) == pytest.approx(expected(whole), rel=1e-6)
    assert add_up(packed(record)) == pytest.approx(expected(record), rel=1e-6)


def test_read_only_and_empty_arrays_are_fine():
    record = sample()
    record.flat.flags.writeable = False
    assert add_up(packed(record)) == pytest.approx(expected(record), rel=1e-6)
    empty = record._replace(flat=np.zeros(0))
    assert add_up(packed(empty)) == pytest.approx(expected(empty), rel=1e-6)


def test_records_of_the_same_fields_share_one_compiled_kernel():
    add_up(packed(sample()))
    before = len(add_up.signatures)
    add_up(packed(sample(9)))
    assert len(add_up.signatures) == before
