"""Compiled functions: kept away from the sources, and working without any cache at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from paludarium.engine import kernel as kernel_module
from paludarium.engine.kernel import kernel

ROOT = Path(__file__).resolve().parent.parent.parent


def test_fastmath_is_refused():
    with pytest.raises(ValueError, match="fastmath"):
        kernel(fastmath=True)


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=settings, check=False)


PLACING = "paludarium.components.myriapod.construction.placement_kernel"
SMALL = f"from {PLACING} import height_above as f; print(f.stats.cache_path)"


def test_no_cache_is_written_beside_the_sources():
    done = run_python(SMALL)
    assert done.returncode == 0, done.stderr
    assert not Path(done.stdout.strip()).is_relative_to(ROOT)


def test_a_home_that_cannot_be_written_still_works(tmp_path):
    """A file where the cache directory should be is unwritable for everybody, even for an administrator."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    code = (
        "from paludarium.engine.creature import CreaturePool\n"
        "from paludarium.systems.orders.orders_kernel import forget_the_gone as f\n"
        "pool = CreaturePool(); pool.claim(1, owner=1); f(pool.spans[:, 0], pool); print('works')"
    )
    done = run_python(code, XDG_CACHE_HOME=str(blocked), HOME=str(blocked))
    assert done.stdout.strip() == "works", done.stderr


def test_numba_still_knows_how_to_leave_reference_counts_out():
    """The option is private to numba: this fails when it goes, or no longer does what it did."""

    def first_row(table):
        row = table[0]
        return row[0] + row[1]

    counted, free = numba.njit(first_row), numba.njit(**kernel_module._numba_words({"refcount": False}))(first_row)
    called = []
    for compiled in (counted, free):
        assert compiled(np.array([[1.0, 2.0], [3.0, 4.0]])) == 3.0
        called.append("call void @NRT_" in next(iter(compiled.inspect_llvm().values())))
    assert called == [True, False]


def test_inlined_kernels_compute_the_same():
    @kernel(inline=True)
    def double(x):
        return 2.0 * x

    @kernel()
    def four_times(x):
        return double(double(x))

    assert four_times(1.5) == 6.0
