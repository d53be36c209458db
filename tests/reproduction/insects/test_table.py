"""Checks A24-A28 and A30 of the insect digest: the controller table, its lookups, its optimisers."""

from functools import lru_cache
from time import process_time

import numpy as np
import pytest

from paludarium.lab.insect.ant_leg_kernel import angles_of
from paludarium.lab.insect.ant_model import AntModel
from paludarium.lab.insect.ant_path import AntPath
from paludarium.lab.insect.controller_table import load_table
from paludarium.lab.insect.gait_tuning import GaitProblem, compare_optimisers
from paludarium.lab.insect.stride_control import StrideProblem
from paludarium.lab.insect.table_training import TableJob, evolve, principal_shares
from paludarium.lab.insect.triangle_placement import AntInputs
from paludarium.lab.insect.walker import walk_path
from paludarium.tests.reproduction.criteria import criterion

HALF = 0.125
SAMPLE = (15.0 * HALF, 0.0, 0.0)
STEPS = (4.0, 2.0, 1.0)
"""mm/s between neighbours; published 2, 1 and 0.5."""


@lru_cache(maxsize=8)
def patch(step):
    """A table of level velocities up to 20 forward and 8 sideways, and the CPU seconds of a cell."""
    job = TableJob((round(40 / step) + 1, round(16 / step) + 1, 1), top=(20.0, 8.0, 0.0), evaluations=0)
    job.measure(0)
    start = process_time()
    found = dict(map(job.measure, range(job.count)))
    return job.table(found), (process_time() - start) / job.count


def end_errors(table, method="linear", count=150):
    """mm that random queries of a table miss their ends by, where it has controllers."""
    rng, out = np.random.default_rng(24), []
    for v in rng.uniform((4.0, -6.0), (18.0, 6.0), (count, 2)):
        out.append(StrideProblem((v[0] * HALF, v[1] * HALF, 0.0)).judge(table.at((*v, 0.0), method)).miss)
    return np.array(out)


def test_a24_finer_tables_are_better(record_property):
    """Reported (0.5 m at 15 mm/s): steps of 0.5, 1, 2 mm/s: 256,000, 32,000, 4,000 samples, 24, 3, 0.5 h, 52.4, 6.3,
    0.80 MB, errors 8, 26, 69 mm. Asserted: the error grows with the step. Here on level velocities only."""
    errors, walks, costs = [], [], []
    for step in STEPS:
        table, seconds = patch(step)
        errors.append(float(end_errors(table).mean()))
        walks.append(float(walk_path(AntPath.line(500.0), AntInputs(speed=14.7), table).misses.mean()))
        costs.append(seconds)
    weighted = float(end_errors(patch(2.0)[0], "inverse_distance").mean())
    shipped = load_table()
    record_property("steps in mm/s", ", ".join(f"{step:g}" for step in STEPS))
    record_property("mean miss of random queries in mm", ", ".join(f"{error:.4f}" for error in errors))
    record_property("mean miss on 0.5 m in mm", ", ".join(f"{error:.4f}" for error in walks))
    record_property("by inverse distance at 2 mm/s", round(weighted, 4))
    record_property("CPU ms per cell by shooting", round(1e3 * min(costs), 2))
    record_property("cells of the shipped table, without controller", f"{shipped.failed.size}, {int(shipped.failed.sum())}")
    assert errors[0] > errors[1] > errors[2]
    assert weighted > errors[1]
    assert max(walks) < 8.0


@pytest.mark.slow
def test_a24b_the_published_size(record_property):
    """Reported: 32,000 samples in less than 3 h on four threads, 6.3 MB. Here 41 x 41 x 21 by shooting alone."""
    job = TableJob((41, 41, 21), evaluations=0)
    start = process_time()
    table = job.table(dict(map(job.measure, range(job.count))))
    record_property("cells, CPU s", f"{job.count}, {process_time() - start:.0f}")
    record_property("MB", round(table.controls.nbytes / 1e6, 2))
    record_property("cells that would need the evolution strategy", int(table.failed.sum()))
    assert table.failed.mean() < 0.3


def test_a25_lookups_per_cycle(record_property):
    """Reported (0.5 m at 15 mm/s): 2, 4, 8 per cycle: 67, 123, 269 lookups, 2.50, 2.57, 2.62 s, errors 26, 14, 7 mm."""
    found = []
    for lookups in (1, 2, 4):
        walk = walk_path(AntPath.line(500.0), AntInputs(speed=15.0), load_table(), lookups=lookups)
        start = process_time()
        for _ in range(5):
            walk_path(AntPath.line(500.0), AntInputs(speed=15.0), load_table(), lookups=lookups)
        found.append((walk.lookups, walk.misses.mean(), (process_time() - start) / 5))
    record_property("lookups", ", ".join(str(count) for count, _, _ in found))
    record_property("mean miss in mm", ", ".join(f"{miss:.3f}" for _, miss, _ in found))
    record_property("CPU ms", ", ".join(f"{1e3 * cost:.0f}" for _, _, cost in found))
    assert [count for count, _, _ in found] == [266, 532, 1064]
    assert max(miss for _, miss, _ in found) < 7.0
    holds = found[0][1] > found[1][1] > found[2][1]
    criterion(
        record_property,
        holds=holds,
        why_not="once per stance misses least: in mid-stance the trunk is up to 0.03 mm off the "
        "smooth way and comes back by itself, and a lookup there corrects what is no error",
    )


def test_momentum_compensation_as_printed_is_worst():
    """[Guo15 eq. 6.7] takes off what the joints damp anyway: the misses grow with its share."""
    errors = [walk_path(AntPath.line(250.0), AntInputs(speed=15.0), load_table(), compensation=share).misses.mean()
              for share in (0.0, 0.5, 1.0)]  # fmt: skip
    assert errors[0] < errors[1] < errors[2]


def test_a26_quality_of_samples(record_property):
    """Reported: objectives below 1e-4, from neighbours in at most 300 iterations, the first sample in more, from 13.5.
    Judged here are evolved samples; cells of the shipped table are shot, which is 4 tries instead of thousands, and less
    good."""
    problem, near = StrideProblem(SAMPLE), StrideProblem((16.0 * HALF, 0.0, 0.0))
    start = problem.shoot()
    first = evolve(problem, start, 300 * 13, seed=26)
    cold = problem.objective(first)
    warm = near.objective(evolve(near, first, 300 * 13, seed=26, step=0.01))
    by_hand = problem.objective(GaitProblem().hand_made[:27])
    record_property("by hand, closed form, with 3 corrections", f"{by_hand:.2g}, {problem.objective(problem.shoot(0)):.2g}, "
                                                                f"{problem.objective(start):.2g}")  # fmt: skip
    record_property("evolved in 300 iterations from there, and from a neighbour", f"{cold:.1e}, {warm:.1e}")
    record_property("middle of the shipped table", f"{float(np.median(load_table().objective)):.1e}")
    assert cold < 1e-3
    assert warm < 1e-3
    criterion(record_property, holds=max(cold, warm) < 1e-4, why_not="not reached in 300 iterations")


def joint_angles(walk):
    """(steps, 18) angles of all legs of a traced walk, standing and swinging."""
    ant, rows = AntModel(), []
    for k in range(250, walk.strides * 125, 5):
        x, y, z, yaw = walk.trace[k, :4]
        c, s, row = np.cos(yaw), np.sin(yaw), []
        for leg in range(6):
            a, b, h, stands = walk.feet[k, leg]
            if stands:
                a, b, h = c * (a - x) + s * (b - y), c * (b - y) - s * (a - x), h - z
            hip, side = ant.anchors[leg], 1.0 if leg < 3 else -1.0
            row += angles_of(a - hip[0], b - hip[1], h, side, ant.coxa, ant.femur[leg % 3], ant.lower[leg % 3])[:3]
        rows.append(row)
    return np.array(rows)


def components(shares):
    return int(np.searchsorted(np.cumsum(shares), 0.95)) + 1


def test_a27_principal_components(record_property):
    """Reported: 6 of 18 components of joint motion and 10 of 27 of the controllers hold 95 %; the first about 50 % and
    30 %."""
    table = load_table()
    walk = walk_path(AntPath.circle(40.0, 1.0), AntInputs(speed=15.0), table, traced=True)
    motion = principal_shares(joint_angles(walk))
    control = principal_shares(table.controls[~table.failed].astype(np.float64))
    record_property("joint motion: components, first", f"{components(motion)} of 18, {100 * motion[0]:.0f} %")
    record_property("controllers: components, first", f"{components(control)} of 27, {100 * control[0]:.0f} %")
    assert components(motion) <= 6
    assert components(control) <= 12
    criterion(
        record_property,
        holds=components(motion) == 6 and components(control) == 10,
        why_not="fewer are needed; most controllers here come from one closed form, where the source has optima",
    )


def test_a28_normalised_objectives(record_property):
    """Reported: between 0 and 1 but for a few at the beginning. Asserted: 95 % of all evaluations."""
    problem, seen = StrideProblem(SAMPLE), []

    class Watched:
        def objective(self, numbers):
            outcome = problem.judge(np.asarray(numbers))
            seen.append((outcome.terms, outcome.fell))
            return outcome.objective

    evolve(Watched(), GaitProblem().hand_made[:27], 1500, seed=28, step=0.1)
    terms = np.array([term for term, _ in seen])
    inside = float(((terms > -1e-3) & (terms <= 1.0)).all(axis=1).mean())
    late = float(((terms[300:] > -1e-3) & (terms[300:] <= 1.0)).all(axis=1).mean())
    record_property("share inside, and without the first 300", f"{inside:.3f}, {late:.3f}")
    assert late > 0.9
    criterion(record_property, holds=inside >= 0.95, why_not="first tries that go back exceed the printed nadir")


def test_a30_optimisers(record_property):
    """Reported: the evolution strategy ends lowest; simplex, truncated Newton and Powell stall or fail."""
    found = compare_optimisers(StrideProblem(SAMPLE), GaitProblem().hand_made[:27], 3000)
    record_property(
        "objective after 3000 tries", ", ".join(f"{name} {result.objective:.1e}" for name, result in found.items())
    )
    assert min(found, key=lambda name: found[name].objective) == "CMA"
    assert all(result.evaluations <= 3000 + 20 for result in found.values())


def test_the_shipped_table_is_what_its_command_makes():
    """Cells of the file, made anew from the settings in it."""
    table = load_table()
    assert table.settings["made by"] == "paludarium train --species worker_ant"
    job = TableJob(
        tuple(table.settings["points"]),
        tuple(table.settings["top_mm_per_s"]),
        evaluations=table.settings["evaluations"],
        seed=table.settings["seed"],
    )
    for place in ((15, 10, 5), (10, 14, 5), (3, 10, 7), (20, 20, 10)):
        index = int(np.ravel_multi_index(place, job.points))
        _, values = job.measure(index)
        assert values[-1] == pytest.approx(float(table.objective[place]), rel=1e-3, abs=1e-6)
        turned = (np.array(values[:9]) - table.controls[place][:9]) / (2 * np.pi)
        assert np.abs(turned - np.round(turned)).max() < 1e-4
        assert table.controls[place][9:] == pytest.approx(values[9:27], abs=1e-4)
