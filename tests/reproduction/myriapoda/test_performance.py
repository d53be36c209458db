"""C71: how fast the published body runs here. Times are recorded, never asserted; shares of one run are."""

from __future__ import annotations

import numba

from paludarium.examples import walking_swarm


def test_c71_the_body_simulation_dominates_and_its_speed_is_recorded(record_property):
    """Reported: 18 segments, 3x3x3 nodes, 17,000 steps/s on six cores, 6 x real time at 1/3000 s; FEM dominates."""
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        world = walking_swarm.build_world(count=4, tier="full", precision="float64")
        world.step(30)
        world.schedule.reset_timing()
        world.step(60)
    finally:
        numba.set_num_threads(before)
    times = {entry.name: entry.nanoseconds for entry in world.schedule}
    substeps = 60 * sum(int(c.chain.substeps[0]) for c in world.creatures.values())
    record_property("steps per second on one core", round(substeps / times["FEMSystem"] * 1e9))
    record_property("real time on one core, whole tick, creatures", round(4 / (sum(times.values()) * 1e-9), 1))
    record_property("share of the body simulation", times["FEMSystem"] / sum(times.values()))
    assert times["FEMSystem"] / sum(times.values()) > 0.5
