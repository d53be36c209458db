"""The sweep on a Dask cluster of real worker processes."""

import os
import signal

import pytest

from paludarium.components.segments import SegmentSpec
from paludarium.lab.jobs.cluster import ClusterError, measure_on_cluster
from paludarium.lab.myriapod.sweep import Sweep, load_table, run_sweep
from paludarium.lab.myriapod.trial import Trial

distributed = pytest.importorskip("distributed")

SWEEP = Sweep(tuple(0.5 + 0.25 * k for k in range(10)), (0.7, 0.9, 1.1, 1.3),
              Trial(SegmentSpec(8), fewest_seconds=6.0, longest_seconds=6.0))  # fmt: skip


@pytest.fixture(scope="module")
def cluster():
    """Two workers, each a process of its own with a guard that starts it again. Kernels are compiled before, not in each."""
    SWEEP.measure(0)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


def test_worker_killed_half_way_loses_nothing_and_counts_nothing_twice(cluster, tmp_path):
    file, killed, seen = tmp_path / "sweep.csv", [], []

    def kill_one(done, total):
        seen.append(done)
        if not killed and done >= total // 4:
            with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
                busy = [address for address, tasks in client.processing().items() if tasks]
                pid = client.run(os.getpid, workers=busy[:1])[busy[0]]
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    table = run_sweep(SWEEP, file, measure_on_cluster(cluster.scheduler_address), kill_one)
    assert len(killed) == 1
    assert killed[0] != os.getpid()
    assert seen == list(range(1, 41))
    lines = [line for line in file.read_text().splitlines() if line[:1].isdigit()]
    assert sorted(int(line.split(",")[0]) for line in lines) == list(range(40))
    for index in (0, 23, 39):
        assert table.speed[index] == SWEEP.measure(index)[1].speed  # the same wherever it is measured


def test_interrupted_cluster_sweep_goes_on_on_this_machine(cluster, tmp_path):
    sweep = Sweep((1.0, 2.0), (0.8, 1.0, 1.2), Trial(SegmentSpec(4), fewest_seconds=1.0, longest_seconds=1.0))
    file = tmp_path / "sweep.csv"

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sweep(sweep, file, measure_on_cluster(cluster.scheduler_address), stop)
    assert load_table(sweep, file).done.sum() == 1
    assert run_sweep(sweep, file).done.all()


def test_worker_of_another_version_is_refused(cluster, tmp_path, monkeypatch):
    import paludarium

    monkeypatch.setattr(paludarium, "__version__", "99.0.0")
    sweep = Sweep((1.0,), (0.8,), Trial(SegmentSpec(4), fewest_seconds=1.0, longest_seconds=1.0))
    with pytest.raises(ClusterError, match=r"has version 0\.1\.1: allowed is 99\.0\.0"):
        run_sweep(sweep, tmp_path / "sweep.csv", measure_on_cluster(cluster.scheduler_address))


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere"])
def test_unreachable_scheduler_is_named(tmp_path, address, monkeypatch):
    from paludarium.lab.jobs import cluster as cluster_module

    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1)
    with pytest.raises(ClusterError, match=address):
        run_sweep(SWEEP, tmp_path / "sweep.csv", measure_on_cluster(address))
