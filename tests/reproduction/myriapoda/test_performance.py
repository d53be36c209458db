"""C71: how fast the published body runs here. Times are recorded, never asserted; shares of one run are."""

from __future__ import annotations

from time import process_time

import numba
import pytest

from paludarium.components.myriapod.chain import ChainPool
from paludarium.components.myriapod.construction.anatomy import damping_inverse
from paludarium.examples import walking_swarm
from paludarium.tests.reproduction.criteria import criterion

BODIES, TICKS = 4, 60
REPORTED_STEPS, REPORTED_REAL_TIME = 17_000, 5.7  # per second on six cores; 5.7 = 17,000 / 3,000


@pytest.mark.parametrize("rate", [600, 3000])
def test_c71_the_body_simulation_dominates_and_its_speed_is_recorded(rate, record_property):
    """Reported: 18 segments, 3x3x3 nodes, steps of 1/3000 s: 17,000 steps/s on six cores, 5.7 x real time; FEM dominates.

    Our bodies are stepped at 1/600 s, as long as their tissue allows; the source's 1/3000 s is measured beside it.
    """
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        world = walking_swarm.build_world(count=BODIES, tier="full", precision="float64")
        chain, tick, substeps = world.pool(ChainPool), world.clock.tick_seconds, rate // 60
        for creature in world.creatures.values():
            tissue = creature.species.specs["tissue"]
            chain.substeps[creature.row] = substeps
            chain.damping_inverse[creature.row] = damping_inverse(tissue.damping, tissue.density, tick / substeps)
        world.step(30)
        world.schedule.reset_timing()
        start = process_time()
        world.step(TICKS)
        seconds = process_time() - start  # of this core, whoever else waits for it
    finally:
        numba.set_num_threads(before)
    times = {entry.name: entry.nanoseconds for entry in world.schedule}
    share = times["FEMSystem"] / sum(times.values())
    steps, real_time = TICKS * substeps * BODIES / (share * seconds), BODIES * TICKS * tick / seconds
    record_property(f"steps of 1/{rate} s per second on one core", round(steps))
    record_property(f"times real time of one body on one core, whole tick, at 1/{rate} s", round(real_time, 1))
    record_property(f"share of the body simulation at 1/{rate} s", share)
    holds = steps >= REPORTED_STEPS and real_time >= REPORTED_REAL_TIME
    criterion(record_property, holds=holds, why_not=f"slower than reported on this machine as it was, at 1/{rate} s")
    assert share > 0.5
