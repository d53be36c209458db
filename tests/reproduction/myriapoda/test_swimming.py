"""Checks C38-C51 of the myriapod digest: swimming of 12 rigid and 11 soft unit cubes in unlimited still water.

The digest's own runs, quoted as "digest", had 48 tetrahedra per block, a different damping and no mass at the bound nodes.
"""

from functools import cache

import numpy as np
import pytest

from paludarium.components.myriapod.muscles import MuscleSpec
from paludarium.engine.errors import SpeciesError
from paludarium.engine.spec import read_table
from paludarium.lab.myriapod.optimum import least_power
from paludarium.lab.myriapod.swim_tank import TICK, Swimmers, mean_speed
from paludarium.tests.reproduction.criteria import criterion

PI = np.pi
SECONDS = 12.0
RACE_FREQUENCIES = (0.5, 0.75, 1.0, 1.25, 1.6, 2.0)
RACE_SHIFTS = (0.1, 0.2, 0.31, 0.43, 0.55)
SIX = [(f, ps) for f in (1.0, 2.0) for ps in (0.22, 0.31, 0.40)]  # two frequencies, three shifts, as in Fig. C.1
GRIDS = {
    "coarse": (np.array([0.5, 0.75, 1.0, 1.5, 2.0, 3.0]), np.array([0.10, 0.14, 0.22, 0.28, 0.31, 0.34, 0.37, 0.40, 0.50])),
    "fine": (np.array([0.5, 0.6, 0.75, 0.9, 1.05, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0]),
             np.array([0.10, 0.14, 0.18, 0.22, 0.25, 0.28, 0.31, 0.34, 0.37, 0.40, 0.43, 0.46, 0.50, 0.55])),
}  # fmt: skip
# speeds up to 60 % of the fastest gait; the source names no range
WORKING_SPEEDS = np.arange(2.0, 5.6, 0.5)
either_grid = pytest.mark.parametrize("grid", ["coarse", pytest.param("fine", marks=pytest.mark.slow)])


@cache
def single_runs():
    """All single swimmers in one batch: gait -> index, and the track."""
    gaits = [(1.0, 0.3), (1.0, 0.31), (1.0, -0.3)]
    gaits += [(1.5, ps) for ps in RACE_SHIFTS] + SIX
    gaits = list(dict.fromkeys(gaits))
    swimmers = Swimmers(len(gaits))
    swimmers.set_gait([f for f, _ in gaits], [PI * ps for _, ps in gaits])
    return {gait: k for k, gait in enumerate(gaits)}, swimmers.run(SECONDS)


def speed_of(f, ps, beats=3):
    index, track = single_runs()
    frequencies = [gait[0] for gait in index]
    return float(mean_speed(track, frequencies, TICK, beats)[0][index[f, ps]])


def muscles_of(profile, **keys):
    """A ``[muscles]`` table with this profile."""
    return read_table(MuscleSpec, {"profile": profile, **keys}, "test", "muscles", SpeciesError)


@cache
def turns(profile):
    """Two swimmers that turn to the left and to the right as sharply as they can: as published with one side at one half."""
    swimmers = Swimmers(2, muscles=muscles_of(profile))
    swimmers.set_gait(1.0, 0.3 * PI)
    swimmers.pools.heads.yaw_rate[:] = (1.0, -1.0)
    return swimmers, swimmers.run(SECONDS)


@cache
def sweep(grid):
    """Frequencies, shifts in units of pi, and maps of speed and power over them."""
    frequencies, shifts = GRIDS[grid]
    f, ps = (axis.ravel() for axis in np.meshgrid(frequencies, shifts, indexing="ij"))
    swimmers = Swimmers(f.size)
    swimmers.set_gait(f, PI * ps)
    speed, power = mean_speed(swimmers.run(SECONDS), f, TICK, 2)
    shape = frequencies.size, shifts.size
    return frequencies, shifts, speed.reshape(shape), power.reshape(shape)


def in_path_frame(f, ps, beats=3):
    """Segment places (ticks, segments) along and across the mean path over the last whole beats."""
    index, track = single_runs()
    ticks = round(beats / (f * TICK))
    places = track.segments[-ticks:, index[f, ps], :, :2]
    centers = track.centers[-ticks - 1 :, index[f, ps], :2]
    drift = centers[-1] - centers[0]
    ahead = drift / np.hypot(*drift)
    moving = places - np.linspace(0.0, 1.0, ticks)[:, None, None] * drift
    return moving @ ahead, moving @ np.array([-ahead[1], ahead[0]])


def first_harmonic(values, f):
    """Complex amplitude of (ticks, ...) at frequency f."""
    t = np.arange(len(values)) * TICK
    return 2.0 * np.tensordot(np.exp(-2j * PI * f * t), values - values.mean(axis=0), axes=(0, 0)) / len(values)


def pulses_per_beat(values, beats=4):
    """Dominant frequency of a record of so many beats, without its straight trend."""
    t = np.arange(len(values))
    return np.abs(np.fft.rfft(values - np.polyval(np.polyfit(t, values, 1), t))).argmax() / beats


def test_c38_antisymmetric_drive_propels_the_body_head_first(record_property):
    """Reported: forward propulsion with constant amplitude (Fig. 5.8). Proposed: more than 1 segment/s after 6 s at f = 1,
    ps = 0.3 pi (digest: 6.2; study: 6.0)."""
    index, track = single_runs()
    k = index[1.0, 0.3]
    speed = (track.centers[-1, k] - track.centers[-361, k]) / 6.0
    record_property("speed", round(float(speed[0]), 2))
    assert speed[0] > 1.0
    assert 5.0 < speed[0] < 7.0
    assert abs(track.centers[-1, k, 2]) < 1e-9  # nothing drives it up or down


def test_c38b_reversed_wave_swims_backward_like_a_mirror_image(record_property):
    """Reported by the digest: ps < 0 swims exactly mirrored. Ours starts with another bend, so it agrees within 5 %."""
    index, track = single_runs()
    k = index[1.0, -0.3]
    speed = (track.centers[-1, k, 0] - track.centers[-361, k, 0]) / 6.0
    record_property("speed", round(float(speed), 2))
    assert speed == pytest.approx(-speed_of(1.0, 0.3), rel=0.05)


def test_c39_undulation_grows_from_head_to_tail(record_property):
    """Reported: larger swing of the tail emerges. Proposed: tail at least 1.5 times the head, rising over at least 7 of 11
    neighbour steps (digest: 0.5-1.0 to 2.0-2.3)."""
    _, across = in_path_frame(1.0, 0.3)
    swing = np.ptp(across, axis=0) / 2
    record_property("head_swing", round(float(swing[0]), 2))
    record_property("tail_swing", round(float(swing[-1]), 2))
    assert swing[-1] >= 1.5 * swing[0]
    assert (np.diff(swing) > 0).sum() >= 7


def test_c40_body_wave_outruns_the_swimmer(record_property):
    """Reported: the wave is faster than the swimmer. Digest: 9.4 against 6.05 u/s at f = 1, ps = 0.31 pi."""
    along, across = in_path_frame(1.0, 0.31)
    phase = np.unwrap(np.angle(first_harmonic(across, 1.0)))
    slope = np.polyfit(along.mean(axis=0), phase, 1)[0]  # rad per unit, rising toward the head
    wave = 2 * PI * 1.0 / slope
    record_property("wave_speed", round(float(wave), 2))
    record_property("swim_speed", round(speed_of(1.0, 0.31), 2))
    assert wave > speed_of(1.0, 0.31)


def test_c41_body_turns_toward_its_weaker_side(profile, record_property):
    """Reported: circular turn by unequal sides (Fig. 5.9). Proposed: a = (0.5, 1) turns more than 90 degrees to the left in
    10 s, the mirror image to the right; the bend travels from head to tail (digest: 140 degrees). Ours: a mean bend."""
    swimmers, track = turns(profile)
    if profile == "published":
        np.testing.assert_allclose(swimmers.pools.muscles.strength, [(0.5, 1.0), (1.0, 0.5)], atol=1e-6)
    way = np.linalg.norm(np.diff(track.centers[-601:, :, :2], axis=0), axis=2).sum(axis=0)
    record_property("speed in the turn [u/s]", round(float(way.mean()) / 10.0, 2))
    axis = track.segments[:, :, 0] - track.segments[:, :, -1]
    heading = np.degrees(np.unwrap(np.arctan2(axis[..., 1], axis[..., 0]), axis=0))
    turned = heading[-1] - heading[-601]
    record_property("turned_left", round(float(turned[0]), 1))
    record_property("turned_right", round(float(turned[1]), 1))
    assert turned[0] > 90.0
    assert turned[1] < -90.0
    links = np.diff(track.segments[-180:, 0, :, :2], axis=1)
    angle = np.unwrap(np.arctan2(links[..., 1], links[..., 0]), axis=1)
    bend = -np.diff(angle, axis=1)  # positive: the left side is inside
    assert (bend.mean(axis=0) > 0).all()
    lag = -np.diff(np.unwrap(np.angle(first_harmonic(bend, 1.0))))
    assert (lag > 0).all()


def race(muscles):
    """Distances after the race at ps = 0.31 pi, by frequency."""
    swimmers = Swimmers(len(RACE_FREQUENCIES), muscles=muscles)
    swimmers.set_gait(RACE_FREQUENCIES, 0.31 * PI)
    return np.hypot(*swimmers.run(SECONDS).centers[-1, :, :2].T)


def test_c42_faster_beats_swim_farther(profile, record_property):
    """Reported: five racers (Fig. 5.10). Proposed: distances strictly rising with f in 0.5...2 at ps = 0.31 pi.

    The signal is the source's cusped one in both profiles: rising up to 1.6 Hz, and 2 Hz then falls 3 % behind 1.6 Hz.
    """
    distances = race(muscles_of(profile))
    record_property("distances [u]", np.round(distances, 1).tolist())
    holds = bool((np.diff(distances) > 0).all())
    criterion(record_property, holds=holds, why_not="with the source's own cusped signal 2 Hz falls behind 1.6 Hz")
    assert (np.diff(distances[:-1]) > 0).all()
    assert distances[-1] > 0.95 * distances[-2]


def test_c42b_faster_beats_swim_farther_with_a_smooth_signal(record_property):
    """The same race with `activation = "smooth"`, the digest's other reading (E-13)."""
    distances = race(MuscleSpec(activation="smooth"))
    record_property("distances [u]", np.round(distances, 1).tolist())
    assert (np.diff(distances) > 0).all()


def test_c43_one_shift_is_fastest(record_property):
    """Reported: five racers (Fig. 5.11). Proposed: speed has an interior maximum over ps at f = 1.5."""
    speeds = [speed_of(1.5, ps) for ps in RACE_SHIFTS]
    record_property("speeds", [round(v, 2) for v in speeds])
    assert 0 < int(np.argmax(speeds)) < len(speeds) - 1


@either_grid
def test_c44_cheapest_shift_lies_in_a_narrow_band(grid, record_property):
    """Reported: 0.28 pi to 0.33 pi. Proposed: median in 0.25...0.40 pi, spread at most 0.12 pi over the working speeds
    (digest: 0.28-0.36 for v = 2-5, 0.40 at 6-7). Ours: up to 60 % of the fastest gait; beyond that it moves to 0.5 pi."""
    best = least_power(*sweep(grid), WORKING_SPEEDS)
    record_property("median", round(float(np.median(best.shift)), 3))
    record_property("band", [round(float(best.shift.min()), 3), round(float(best.shift.max()), 3)])
    reported = (best.shift.min() >= 0.28) & (best.shift.max() <= 0.33)
    criterion(record_property, holds=bool(reported), why_not="narrow as reported, but 0.06 pi higher")
    assert 0.25 <= np.median(best.shift) <= 0.40
    assert np.ptp(best.shift) <= 0.12


@either_grid
def test_c45_fast_beats_do_not_help_below_one_wave_on_the_body(grid, record_property):
    """Reported: below 0.18 pi speed falls as f grows. Proposed: at 0.10 and 0.14 pi the top f is more than 20 % below the
    peak, while at 0.34 pi speed still rises up to f = 2 (digest: 4.0 to 2.6 and 4.9 to 2.8)."""
    frequencies, shifts, speed, _ = sweep(grid)
    for ps in (0.10, 0.14):
        column = speed[:, np.flatnonzero(shifts == ps)[0]]
        record_property(f"peak_and_top_{ps}", [round(float(column.max()), 2), round(float(column[-1]), 2)])
        assert column[-1] < 0.8 * column.max()
    column = speed[:, np.flatnonzero(shifts == 0.34)[0]]
    assert (np.diff(column[frequencies <= 2.0]) > 0).all()


def test_c46_eleven_shifts_of_018_pi_are_one_wave(record_property):
    """Reported: 0.18 pi is just one wave on the body. Check: 11 x 0.18 pi = 1.98 pi."""
    blocks = len(Swimmers(1).pools.blocks.size)
    record_property("waves on the body", blocks * 0.18 / 2.0)
    assert blocks * 0.18 * PI == pytest.approx(2 * PI, rel=0.011)


@either_grid
def test_c47_least_power_grows_like_a_parabola_or_steeper(grid, record_property):
    """Reported: r_e quadratic in v_s (Fig. C.5C). Proposed: quadratic fit R^2 >= 0.9 (digest: 0.965, exponent 3.3); the
    exponent is recorded only, patch power is cubic in speed."""
    best = least_power(*sweep(grid), np.arange(2.0, 9.1, 0.5))
    found = np.isfinite(best.power)
    v, power = best.speed[found], best.power[found]
    fit = np.polyval(np.polyfit(v, power, 2), v)
    quality = 1.0 - ((power - fit) ** 2).sum() / ((power - power.mean()) ** 2).sum()
    exponent = np.polyfit(np.log(v), np.log(power), 1)[0]
    record_property("r_squared", round(float(quality), 3))
    record_property("exponent", round(float(exponent), 2))
    assert v[-1] >= 7.0
    assert quality >= 0.9
    assert exponent > 2.0


@either_grid
def test_c48_maps_of_speed_and_power_share_one_hill(grid, record_property):
    """Reported: one hill shape, energy steeper (Fig. C.3, C.4). Proposed: rank correlation above 0.6, relative range of
    r_e larger than that of v_s."""
    _, _, speed, power = sweep(grid)
    ranks = [values.ravel().argsort().argsort() for values in (speed, power)]
    correlation = np.corrcoef(*ranks)[0, 1]
    record_property("rank_correlation", round(float(correlation), 2))
    assert correlation > 0.6
    assert np.ptp(power) / power.mean() > np.ptp(speed) / speed.mean()


def test_c49_speed_and_power_settle_and_pulse_at_twice_the_beat(record_property):
    """Reported: ramp-up, then stable; v_s and r_e oscillate together (Fig. C.1). Proposed: period means of speed vary by
    less than 2 %, both have the same dominant frequency (digest: 2 f, the tail's is f)."""
    index, track = single_runs()
    worst = 0.0
    for f, ps in SIX:
        k, period = index[f, ps], round(1.0 / (f * TICK))
        velocity = np.diff(track.centers[-4 * period - 1 :, k, :2], axis=0) / TICK
        mean = velocity.mean(axis=0)
        ahead = velocity @ (mean / np.hypot(*mean))
        means = ahead.reshape(4, period).mean(axis=1)
        worst = max(worst, float(means.std() / means.mean()))
        assert pulses_per_beat(ahead) == pulses_per_beat(track.power[-4 * period :, k]) == 2.0
        assert pulses_per_beat(in_path_frame(f, ps, 4)[1][:, -1]) == 1.0
    record_property("worst_variation_of_period_means", round(worst, 4))
    assert worst < 0.02


def test_c50_fastest_is_not_the_most_efficient(record_property):
    """Reported: fastest is not most efficient (Fig. C.1). Proposed: among six the one of highest v is not
    that of highest v^2/r_e."""
    index, track = single_runs()
    speed, power = mean_speed(track, [gait[0] for gait in index], TICK, 3)
    chosen = [index[gait] for gait in SIX]
    efficiency = speed[chosen] ** 2 / power[chosen]
    record_property("fastest", str(SIX[int(speed[chosen].argmax())]))
    record_property("most_efficient", str(SIX[int(efficiency.argmax())]))
    assert speed[chosen].argmax() != efficiency.argmax()


@either_grid
def test_c51_one_shift_serves_all_speeds(grid, record_property):
    """Reported: a nearly constant ps suffices (also Grillner 1974). Proposed: the median optimum costs less than 25 % more
    than the optimum over the lower 70 % of the reachable speeds (digest: 17 % at v = 7)."""
    frequencies, shifts, speed, power = sweep(grid)
    wanted = np.arange(2.0, 0.7 * speed.max(), 0.5)
    best = least_power(frequencies, shifts, speed, power, wanted)
    shift = float(np.median(best.shift))
    fixed = least_power(frequencies, shifts, speed, power, wanted, (shift, shift))
    excess = fixed.power / best.power - 1.0
    record_property("shift", round(shift, 3))
    record_property("largest_excess", round(float(excess.max()), 3))
    assert wanted[-1] >= 6.0
    assert excess.max() < 0.25
