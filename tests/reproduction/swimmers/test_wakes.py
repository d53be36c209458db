"""Checks A13-A15 and A25-A27 of the digest of swimmers: gaits in the water, wakes, the moving window, traces, time."""

import time

import numpy as np
import pytest

from paludarium.systems.articulated.fluid.tracers import FRAMES, Tracers
from paludarium.systems.articulated.fluid.window_layout import SHIFTS, FluidWindows
from paludarium.systems.articulated.fluid.window_view import view_window
from paludarium.systems.articulated.fluid.windows import ends_of, open_window, step_windows
from paludarium.tests.reproduction.criteria import criterion
from paludarium.tests.reproduction.swimmers.bodies import DT, beat_all, hand_gait, tank, write_solids

BOUND = 0.5
"""Of work per mass over two cycles. [articulated-swimmers 7.5]"""

MODERATE = (0.2, 0.27, 0.34, 0.42)
"""Amplitudes of the hand gait that stay below the bound."""


def distance(one):
    return float(np.hypot(*one.swimmers.root[0, :2]))


def test_a13_the_wave_runs_from_head_to_tail(record_property):
    """Reported: an eel's wave travels from head to tail. Digest: reversed phases go less than 30 % as far in 4 s. Study: 15
    to 22 %."""
    forward, back = tank(gait=hand_gait()), tank(gait=hand_gait(-1.0))
    assert forward.swim(240)
    assert back.swim(240)
    share = distance(back) / distance(forward)
    record_property("lengths in 4 s, reversed share", f"{distance(forward):.2f}, {share:.2f}")
    assert distance(forward) > 1.5
    assert share < 0.3


def test_a14_efficient_rather_than_fast(record_property):
    """Digest: a standing wave may go farther, for 1,167 J against 92 J, and must be refused by the budget of 0.5 J/kg in two
    cycles."""
    found = {}
    for name, way in (("travelling", 1.0), ("standing", 0.0)):
        one = tank(gait=hand_gait(way, amplitude=MODERATE))
        assert one.swim(120)
        found[name] = distance(one), float(one.swimmers.work[0]) / one.mass
    for name, (way, work) in found.items():
        record_property(f"{name}: L and J/kg in 2 s", f"{way:.2f}, {work:.2f}")
    ratio = found["standing"][1] / found["travelling"][1]
    record_property("work of the standing wave over that of the travelling one", ratio)
    assert found["travelling"][1] < BOUND < found["standing"][1]
    assert ratio > 3.0


def whirls(view, tail):
    """Places (n, 2) and signs of the extrema of vorticity behind a tail, from front to rear."""
    spin = view.vorticity.copy()
    for _ in range(2):  # a little smoother than a cell, so that a whirl has one extremum
        spin[1:-1, 1:-1] = 0.25 * spin[1:-1, 1:-1] + 0.125 * (
            spin[:-2, 1:-1] + spin[2:, 1:-1] + spin[1:-1, :-2] + spin[1:-1, 2:]) + 0.0625 * (
            spin[:-2, :-2] + spin[2:, 2:] + spin[:-2, 2:] + spin[2:, :-2])  # fmt: skip
    x = view.origin[0] + view.cell * (np.arange(spin.shape[1]) + 0.5)
    y = view.origin[1] + view.cell * (np.arange(spin.shape[0]) + 0.5)
    spin[:, (x > tail - 0.05) | (x < view.origin[0] + 8 * view.cell)] = 0.0
    size, limit, places = np.abs(spin), 0.3 * np.abs(spin).max(), []
    for j in range(6, spin.shape[0] - 6):
        for i in range(6, spin.shape[1] - 6):
            if size[j, i] > limit and size[j, i] == size[j - 6 : j + 7, i - 6 : i + 7].max():
                places.append((x[i], y[j], np.sign(spin[j, i])))
    return np.array(sorted(places, reverse=True))


def test_a15_one_street_of_whirls(record_property):
    """Reported: a single vortex street behind the plane eel, red counter-clockwise, blue clockwise. Digest: extrema behind
    the tail alternate, about 2 per cycle, in one lane. Study: clockwise to the left of the track (thrust)."""
    one = tank(gait=hand_gait(amplitude=MODERATE), nx=192, ny=64, width=4.5)
    assert one.swim(480)
    start = one.swimmers.root[0, :2].copy()
    assert one.swim(60)
    course = one.swimmers.root[0, :2] - start
    speed = float(np.hypot(*course))
    tail = float(ends_of(one.swimmers, one.links, 0)[:, 0].min())
    found = whirls(view_window(one.windows, 0), tail)
    across = (found[:, 1] - one.swimmers.root[0, 1]) * course[0] - (found[:, 0] - one.swimmers.root[0, 0]) * course[1]
    across /= speed
    alternating = np.mean(found[1:, 2] != found[:-1, 2])
    spacing = float(np.median(np.abs(np.diff(found[:, 0]))))
    offset = float(across[found[:, 2] < 0].mean() - across[found[:, 2] > 0].mean())
    record_property("whirls, alternating share", f"{len(found)}, {alternating:.2f}")
    record_property("whirls per cycle", speed / spacing)
    record_property("clockwise ones further left by L", offset)
    record_property("width of the street L", float(np.ptp(across)))
    assert len(found) >= 4
    assert alternating >= 0.75
    assert 1.3 < speed / spacing < 3.0
    assert np.ptp(across) < 0.6
    assert offset > 0.0


def test_a25_the_window_goes_along(record_property):
    """Digest: over 3 lengths of the window the box of the body stays within 10 cells of the middle, and a shift changes the
    speed by less than 1 % more than its neighbours."""
    one = tank(gait=hand_gait(), nx=64, ny=64, width=2.25)
    shifts, speeds, off = [], [], []
    while one.swimmers.root[0, 0] < 3 * 2.25 and len(speeds) < 3000:
        before = int(one.fluid.counts[0, SHIFTS])
        assert one.swim(1, 0.03)
        shifts.append(int(one.fluid.counts[0, SHIFTS]) > before)
        speeds.append(one.swimmers.root_rate[0, :2].copy())
        ends = ends_of(one.swimmers, one.links, 0)
        middle = one.fluid.origin[0] + 32 * one.fluid.cell[0]
        off.append(np.abs(0.5 * (ends.min(axis=0) + ends.max(axis=0)) - middle).max() / one.fluid.cell[0])
        one.swimmers.wish_steer[0] = 0.0
    changes = np.linalg.norm(np.diff(speeds, axis=0), axis=1)
    after = np.flatnonzero(shifts[:-1])
    beside = [changes[[k - 2, k - 1, k + 1, k + 2]].mean() for k in after if 2 <= k < len(changes) - 2]
    extra = float(np.mean([changes[k] for k in after if 2 <= k < len(changes) - 2]) - np.mean(beside))
    mean = float(np.linalg.norm(np.mean(speeds, axis=0)))
    record_property("shifts, farthest off in cells", f"{sum(shifts)}, {max(off):.1f}")
    record_property("extra change of speed at shifts, of the mean speed", extra / mean)
    assert sum(shifts) > 10
    assert max(off) < 10.0
    assert abs(extra) < 0.01 * mean


def test_a26_traces(record_property):
    """Reported: traces of the last 15 frames, red counter-clockwise and blue clockwise. Digest: exactly 15 frames after
    warm-up, opacity rises with vorticity."""
    one, tracers = tank(gait=hand_gait()), Tracers(2000)
    stream = np.random.default_rng(3)
    for _ in range(90):
        assert one.swim(1)
        tracers.move(one.windows, 0, DT, stream.random((2000, 3)))
    old = tracers.left < 2.0 - FRAMES * DT
    colors = tracers.colors
    order = np.argsort(np.abs(tracers.spin))
    assert old.sum() > 500
    assert (tracers.frames[old] == FRAMES).all()
    assert (np.diff(colors[order, 3]) >= 0.0).all()
    assert (colors[tracers.spin > 0.0, 0] > colors[tracers.spin > 0.0, 2]).all()
    assert (colors[tracers.spin < 0.0, 2] > colors[tracers.spin < 0.0, 0]).all()
    record_property("of tracers with 15 frames", float((tracers.frames == FRAMES).mean()))
    # the water of a swirl turns to the left where its vorticity is positive, and tracers go round it
    still = tank(nx=64, ny=64, width=2.0)
    fluid = still.fluid
    fluid.distance[0] = 1e9
    i, j = np.meshgrid(np.arange(66), np.arange(66))
    fluid.u[0], fluid.v[0] = -(j - 0.5 - 32.0) * fluid.cell[0], (i - 0.5 - 32.0) * fluid.cell[0]  # one rad per second
    spinning = Tracers(200)
    for _ in range(20):
        spinning.move(still.windows, 0, DT, stream.random((200, 3)) * 0.4 + 0.3)
    middle = fluid.origin[0] + 32.0 * fluid.cell[0]
    arms = spinning.trail - middle
    angle = np.arctan2(arms[..., 1], arms[..., 0])
    turned = np.unwrap(angle, axis=1)
    assert spinning.spin == pytest.approx(2.0, abs=1e-9)
    assert turned[:, 0] - turned[:, -1] == pytest.approx((FRAMES - 1) * DT, rel=2e-3)


def test_a27_time(record_property):
    """Reported: 0.64 s per frame for the eel at 128 x 64. Digest: at least 20 times faster. Issue: a step below 1 ms."""
    one = tank(gait=hand_gait())
    assert one.swim(30)
    best = np.inf
    for _ in range(5):
        start = time.thread_time()
        assert one.swim(60)
        best = min(best, (time.thread_time() - start) / 60.0)
    record_property("ms per step", 1e3 * best)
    record_property("times faster than published", 0.64 / best)
    criterion(record_property, holds=best < 1e-3, why_not="this machine is slow or busy")
    assert 0.64 / best > 20.0


def test_a13b_mirrored_gaits_mirror_the_way(record_property):
    """Study: the mirrored gait turns by the same angle to the other side."""
    left, right = tank(gait=hand_gait()), tank(gait=hand_gait())
    right.manoeuvres.sine[0] *= -1.0
    right.manoeuvres.cosine[0] *= -1.0
    assert left.swim(120, 1e-6)
    assert right.swim(120, 1e-6)
    mirrored = right.swimmers.root[0] * (1.0, -1.0, -1.0)
    off = np.abs(mirrored - left.swimmers.root[0])
    record_property("off by in x, y, angle after 2 s", ", ".join(f"{value:.4f}" for value in off))
    assert off.max() < 0.03


def two_eels(behind, side, phase):
    """Speed and power over 3 s of a leader and of a follower that is so far behind and aside, or of one alone."""
    at = ((0.0, 0.0, 0.0), (-behind, side, 0.0)) if behind else ((0.0, 0.0, 0.0),)
    one = tank(gait=hand_gait(amplitude=MODERATE), nx=192, ny=96, width=4.5, at=at)
    one.swimmers.phase[len(at) - 1] = phase
    assert one.swim(240, 0.03)
    start, work = one.swimmers.root[: len(at), :2].copy(), one.swimmers.work[: len(at)].copy()
    assert one.swim(180, 0.03)
    way = np.linalg.norm(one.swimmers.root[: len(at), :2] - start, axis=1)
    return np.array([way / 3.0, (one.swimmers.work[: len(at)] - work) / 3.0])


@pytest.mark.slow
def test_a15b_those_behind_another_feel_its_wake(record_property):
    """Two eels in one window, the second in the wake of the first or half a length aside, at four phases each. Not
    published; all pairs are listed, none was chosen."""
    alone = two_eels(0.0, 0.0, 0.0)[:, 0]
    pairs = {side: np.array([two_eels(behind, side, phase) / alone[:, None] for behind in (1.15, 1.4)
                             for phase in (0.0, 0.25, 0.5, 0.75)]) for side in (0.0, 0.5)}  # fmt: skip
    for side, found in pairs.items():
        speed, power = found[:, 0], found[:, 1]
        cost = power[:, 1] / speed[:, 1]
        record_property(f"follower {side} L aside: speed over alone", f"{speed[:, 1].min():.3f} to {speed[:, 1].max():.3f}")
        record_property(f"{side} L aside: its work per way", f"{cost.min():.3f} to {cost.max():.3f}, mean {cost.mean():.3f}")
        record_property(f"{side} L aside: speed of the leader", f"{speed[:, 0].min():.3f} to {speed[:, 0].max():.3f}")
    inside, aside = (np.ptp(pairs[side][:, 0, 1]) for side in (0.0, 0.5))
    assert inside > 0.1  # where in the street of whirls it beats matters
    assert inside > 3.0 * aside
    assert pairs[0.0][:, 0, 0].min() > 1.0  # who has a follower is pushed by it


def test_an_obstacle_is_felt():
    """Beside a wall the water cannot go aside: a body that moves toward it is pushed back sooner than in the open."""
    ways = []
    for wall in (False, True):
        one = tank(nx=64, ny=64, width=2.25)
        one.swimmers.root_rate[0, 1] = -0.5
        if wall:
            solid = np.zeros((64, 64), bool)
            solid[:29] = True
            write_solids(one.windows, 0, solid)
        assert one.swim(1, 1e-6, dt=1e-4)
        ways.append(float(one.swimmers.root_rate[0, 1]))
    assert ways[0] < 0.9 * ways[1] < 0.0


def test_windows_do_not_depend_on_threads():
    """Bitwise the same state on one and on two threads."""
    import numba

    most, found = numba.get_num_threads(), []
    for threads in (1, 2):
        if threads > numba.config.NUMBA_NUM_THREADS:
            pytest.skip("one thread only")
        one = tank(gait=hand_gait(), nx=64, ny=32, at=((0.0, 0.0, 0.0), (40.0, 3.0, 1.0), (80.0, 0.0, -2.0)))
        one.windows = FluidWindows(3, 64, 32)
        for w in range(3):
            open_window(one.windows, w, [w], one.swimmers, one.links, 3.0)
        numba.set_num_threads(threads)
        try:
            pools = one.swimmers, one.links, one.manoeuvres
            for _ in range(60):
                beat_all(np.arange(3), *pools, DT)
                step_windows(np.arange(3), one.windows, one.swimmers, one.links, DT, 0.03)
        finally:
            numba.set_num_threads(most)
        found.append(b"".join(array.tobytes() for array in one.windows.state().values()) + one.swimmers.root[:3].tobytes())
    assert found[0] == found[1]
