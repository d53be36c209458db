"""How many threads a piece of work gets."""

from __future__ import annotations

import numba
import pytest

from paludarium.engine.threads import ThreadsFor

ALL = numba.config.NUMBA_NUM_THREADS


@pytest.fixture(autouse=True)
def _all_threads():
    before = numba.get_num_threads()
    numba.set_num_threads(ALL)
    yield
    numba.set_num_threads(before)


def threads_within(items: int, per_thread: int, **options: int) -> int:
    with ThreadsFor(items, per_thread, **options):
        return numba.get_num_threads()


def test_little_work_gets_one_thread_and_much_work_what_was_set():
    assert threads_within(0, 10) == 1
    assert threads_within(10 * ALL - 1, 10) == max(ALL - 1, 1)
    assert threads_within(1000 * ALL, 10) == ALL
    assert numba.get_num_threads() == ALL


@pytest.mark.skipif(ALL < 2, reason="needs two threads")
def test_heavy_work_within_light_work_may_use_more_but_not_more_than_the_host_allows():
    with ThreadsFor(1, 10):
        assert numba.get_num_threads() == 1
        assert threads_within(1000 * ALL, 10) == 1
        assert threads_within(1000 * ALL, 10, most=ALL) == ALL
        assert threads_within(15, 10, most=ALL) == 1
        assert numba.get_num_threads() == 1
    assert numba.get_num_threads() == ALL


@pytest.mark.skipif(ALL < 2, reason="needs two threads")
def test_an_error_within_leaves_the_setting_as_it_was():
    with pytest.raises(RuntimeError), ThreadsFor(1, 10):
        raise RuntimeError
    assert numba.get_num_threads() == ALL
