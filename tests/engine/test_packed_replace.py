"""Packed records that change: kernels read the same arrays and numbers as Python, in parallel loops too."""

from __future__ import annotations

import gc
from typing import NamedTuple

import numpy as np
import pytest
from numba import prange

from paludarium.engine.bundle import Packed, packed, repacked
from paludarium.engine.kernel import kernel


class Grid(NamedTuple):
    start: np.ndarray
    cells: np.ndarray
    size: float


class Place(NamedTuple):
    points: np.ndarray
    grid: Grid
    other_grid: Grid
    bounds: np.ndarray


def a_grid(count: int, size: float) -> Grid:
    return Grid(np.arange(count, dtype=np.int32), np.arange(2 * count, dtype=np.int32).reshape(count, 2), size)


def a_place(count: int) -> Place:
    return Place(np.arange(3.0 * count).reshape(count, 3), a_grid(count, 0.5), a_grid(2 * count, -1.5), np.arange(4.0))


@kernel()
def last_cell(grid):
    return grid.cells[grid.start.size - 1, 1] * grid.size


@kernel(parallel=True)
def read_in_loop(place, found):
    for i in prange(found.shape[0]):
        found[i, 0] = place.points[i, 2]
        found[i, 1] = last_cell(place.grid)
        found[i, 2] = last_cell(place.other_grid)
        found[i, 3] = place.bounds[3] + place.points.shape[0]


def expected(place: Place) -> np.ndarray:
    count = len(place.points)
    return np.column_stack([
        place.points[:, 2],
        np.full(count, place.grid.cells[-1, 1] * place.grid.size),
        np.full(count, place.other_grid.cells[-1, 1] * place.other_grid.size),
        np.full(count, place.bounds[3] + count),
    ])  # fmt: skip


def test_a_parallel_loop_reads_arrays_and_numbers_of_nested_tuples(threads):
    for number in (1, 2):
        threads(number)
        place = a_place(50)
        found = np.zeros((50, 4))
        read_in_loop(Packed(place), found)
        assert (found == expected(place)).all()


def test_replaced_fields_are_read_from_then_on_and_stay_alive():
    place, more = a_place(5), a_place(80)
    packed = Packed(place)
    packed.replace(points=more.points.copy(), grid=a_grid(80, 0.5))
    gc.collect()
    found = np.zeros((80, 4))
    read_in_loop(packed, found)
    assert (found == expected(more._replace(other_grid=place.other_grid))).all()
    assert packed.points.shape == (80, 3)
    assert packed.grid.size == 0.5


def test_empty_arrays_keep_their_shape():
    @kernel()
    def sizes(place):
        return place.points.shape[0], place.points.shape[1], place.grid.start.size

    assert sizes(Packed(a_place(0))) == (0, 3, 0)


def test_what_a_table_cannot_hold_is_refused():
    class Wrong(NamedTuple):
        name: str

    with pytest.raises(TypeError, match="name: a packed record"):
        Packed(Wrong("grid"))
    with pytest.raises(ValueError, match="points"):
        Packed(Place(np.zeros((4, 6))[:, ::2], a_grid(2, 1.0), a_grid(2, 1.0), np.zeros(4)))


def test_what_is_packed_again_stays_in_its_table_and_reads_like_new():
    place, more = a_place(5), a_place(80)
    kept = repacked(None, place)
    changed = place._replace(points=more.points, other_grid=more.other_grid)
    assert repacked(kept, changed) is kept
    del more
    gc.collect()
    found, wanted = np.zeros((80, 4)), np.zeros((80, 4))
    read_in_loop(kept, found)
    read_in_loop(packed(changed), wanted)
    assert (found == wanted).all()
    assert kept.points is changed.points


def test_what_is_packed_again_with_other_types_gets_a_table_of_its_own():
    place = a_place(5)
    kept = repacked(None, place)
    wide = repacked(kept, place._replace(bounds=np.arange(4, dtype=np.float32)))
    assert wide is not kept
    assert wide.bounds.dtype == np.float32


def test_a_number_that_does_not_fit_leaves_the_table_as_it_was():
    packed_place = Packed(a_place(3))
    with pytest.raises(TypeError, match="size: a packed record"):
        packed_place.replace(grid=a_grid(9, 0.5)._replace(size="wide"))
    found = np.zeros((3, 4))
    read_in_loop(packed_place, found)
    assert (found == expected(a_place(3))).all()


def test_a_field_of_another_type_and_an_unknown_one_are_refused():
    packed = Packed(a_place(3))
    with pytest.raises(TypeError, match="points is .*f4.*allowed is .*f8"):
        packed.replace(points=np.zeros((3, 3), np.float32))
    with pytest.raises(TypeError, match="no such field"):
        packed.replace(nonsense=1.0)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = packed.nonsense
