"""Threads: oneTBB where it is installed, and whatever the host has chosen where it has chosen."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys

import pytest

STEP_AND_TELL = """
import numba
from paludarium import World
world = World(seed=1)
world.spawn("pauropod", count=4)
world.step(2)
numba.set_num_threads(1)
print(numba.threading_layer(), world.state_hash())
"""


def told(**variables: str) -> list[str]:
    environment = {**os.environ, **variables}
    return subprocess.run([sys.executable, "-c", STEP_AND_TELL], env=environment, capture_output=True, text=True,
                          check=True).stdout.split()  # fmt: skip


HAS_TBB = any(found.name == "tbb" for found in importlib.metadata.distributions())


@pytest.mark.skipif(not HAS_TBB, reason="no oneTBB here: OpenMP is what there is")
def test_loops_run_on_tbb_where_it_is_installed_unless_the_host_chose_and_move_alike():
    ours, chosen = told(), told(NUMBA_THREADING_LAYER="omp")
    ordered = told(NUMBA_THREADING_LAYER_PRIORITY="omp tbb workqueue")
    assert [layer for layer, _ in (ours, chosen, ordered)] == ["tbb", "omp", "omp"]
    assert len({digest for _, digest in (ours, chosen, ordered)}) == 1
