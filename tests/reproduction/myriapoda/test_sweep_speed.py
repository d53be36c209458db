"""C52: how many gaits a sweep measures in an hour. Times are recorded, never asserted."""

from __future__ import annotations

import os
from time import perf_counter, process_time

import numpy as np

from paludarium.lab.jobs.job import measure_on_cores
from paludarium.lab.myriapod.sweep import Sweep
from paludarium.lab.myriapod.trial import Trial

SIX_SECONDS = Sweep((0.5, 1.0, 1.5, 2.0, 3.0), (0.8, 1.2), Trial(fewest_seconds=6.0, longest_seconds=6.0))


def test_c52_ten_swimmers_are_measured_side_by_side(record_property):
    """Reported: 10 swimmers in parallel, 40,000 samples in less than 2 h. Ours: samples of 6 simulated seconds."""
    list(measure_on_cores(SIX_SECONDS, [0]))  # compiled now, if it was not
    start, cpu = perf_counter(), process_time()
    samples = dict(measure_on_cores(SIX_SECONDS, list(range(10))))
    seconds, cpu = perf_counter() - start, process_time() - cpu
    record_property("samples per hour on this machine as it was", round(10 / seconds * 3600))
    record_property("core seconds per sample", round(cpu / 10, 4))
    record_property("hours for 40,000 samples on free cores", round(cpu / 10 * 40_000 / 3600 / (os.cpu_count() or 1), 2))
    assert sorted(samples) == list(range(10))
    assert all(sample.seconds == 6.0 for sample in samples.values())
    assert np.ptp([sample.speed for sample in samples.values()]) > 1.0
