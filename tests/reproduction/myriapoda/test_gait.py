"""Digest checks C11-C20 on a body without dynamics: the controller alone, from random leg states, several seeds.

The walking study reports for speed 2: cycle 1.27 s, stance 0.804, both legs 0.803, lag 0.250 s. Ours on the kinematic
body: 1.267 s, 0.804, 0.803, 0.250 s. Without dynamics all segments are led, so of the published rules only one differs from
ours here: no pair rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numba
import numpy as np
import pytest

from paludarium.components.leg_states import LegEvent, LegState, Reach
from paludarium.components.myriapod.gait import Gait, GaitSpec
from paludarium.components.parameters import parameter_row
from paludarium.systems.legs.leg_kinematics_kernel import leg_points, leg_tip
from paludarium.tests.gait import grounds
from paludarium.tests.gait.kinematic_walker import HIP, LINKS, KinematicWalker, Track
from paludarium.tests.gait.leg_solving import solve_leg

SEEDS = (1, 2, 3, 4, 5, 6)
CYCLE = 1.27  # s, from the study; only used to say when "three cycles" are over


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Walkers here are single creatures: a second thread would only wait."""
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(threads)


def rules(profile: str) -> dict[str, float]:
    """What of a profile matters to a body without dynamics."""
    return {} if profile == "steady" else {"pair_rule": 0.0}


@cache
def flat_walk(seed: int, seconds: float = 20.0, segments: int = 18, profile: str = "steady") -> Track:
    return KinematicWalker(segments, seed, **rules(profile)).walk(seconds)


@cache
def changed_walk(seed: int, changes: tuple[tuple[str, float], ...], profile: str = "steady") -> Track:
    return KinematicWalker(18, seed, **{**rules(profile), **dict(changes)}).walk(20.0)


def test_c11_inverse_kinematics_undoes_forward_kinematics_on_both_sides(record_property):
    """Asked: to 1e-10 over random reachable tips, the knee above the line from hip to tip."""
    worst = 0.0
    rng = np.random.default_rng(11)
    links = np.array(LINKS)
    for _ in range(4000):
        side = rng.choice([-1.0, 1.0])
        hip = np.array(HIP) * [1.0, side, 1.0]
        theta, alpha, beta = rng.uniform(-1.4, 1.4), rng.uniform(-1.0, 1.4), rng.uniform(0.01, 2.4)
        tip = np.array(leg_tip(hip, links, side, theta, alpha, beta))
        if side * (tip[1] - hip[1]) < 0.05:
            continue  # folded back across the hip: the leg plane is not unique there
        reach, *angles = solve_leg(hip, links, side, *tip)
        assert reach == Reach.SOLVED
        assert angles[2] > 0.0
        worst = max(worst, float(np.abs(np.subtract(leg_tip(hip, links, side, *angles), tip)).max()))
        points = np.zeros((4, 3))
        leg_points(hip, links, side, *angles, points)
        assert_knee_above_line(points)
    record_property("largest error of a tip [u]", worst)
    assert worst < 1e-10


def assert_knee_above_line(points):
    hip, knee, _, tip = points
    along = (tip - hip) / np.linalg.norm(tip - hip)
    outward = np.array([along[0], along[1], 0.0]) / np.hypot(along[0], along[1])
    upward = -along[2] * outward + np.hypot(along[0], along[1]) * np.array([0.0, 0.0, 1.0])
    assert (knee - hip) @ upward >= -1e-9


def test_c11_inverse_kinematics_agrees_with_a_brute_force_search(record_property):
    """Against the nearest of 313,000 pairs of angles, 0.005 rad apart."""
    worst = 0.0
    links, hip = np.array(LINKS), np.array(HIP)
    alpha, beta = np.meshgrid(np.linspace(-1.5, 1.5, 601), np.linspace(0.0, 2.6, 521))
    r = links[0] * np.cos(alpha) + links[1] * np.cos(alpha - beta) + links[2] * np.cos(alpha - beta - links[3])
    h = links[0] * np.sin(alpha) + links[1] * np.sin(alpha - beta) + links[2] * np.sin(alpha - beta - links[3])
    for rho, eta in ((1.5, -0.8), (1.2, -0.3), (1.9, -0.6), (0.9, -1.1)):
        reach, _, found_alpha, found_beta = solve_leg(hip, links, 1.0, hip[0], hip[1] + rho, hip[2] + eta)
        best = np.unravel_index(np.argmin(np.hypot(r - rho, h - eta)), r.shape)
        assert reach == Reach.SOLVED
        worst = max(worst, abs(found_alpha - alpha[best]), abs(found_beta - beta[best]))
    record_property("largest difference of an angle [rad]", worst)
    assert worst < 0.02


def test_c11_unreachable_tips_fail(record_property):
    """Asked: too far and too near fail."""
    hip, links = np.array(HIP), np.array(LINKS)
    rng = np.random.default_rng(12)
    chord = np.hypot(links[1] + links[2] * np.cos(links[3]), links[2] * np.sin(links[3]))
    for _ in range(500):
        direction = rng.normal(size=3)
        direction /= np.linalg.norm(direction)
        far, near = (1.0 + chord) * rng.uniform(1.001, 3.0), (chord - 1.0) * rng.uniform(0.01, 0.999)
        assert solve_leg(hip, links, 1.0, *(hip + far * direction))[0] == Reach.TOO_FAR
        assert solve_leg(hip, links, 1.0, *(hip + near * direction))[0] == Reach.TOO_NEAR
    record_property("tips that fail, of 1000", 1000)


@pytest.mark.parametrize("seed", SEEDS)
def test_c12_suspended_legs_run_through_the_four_swing_states_in_order(seed, record_property):
    """The right leg of the first pair may be pulled into SF1 once by the left one; that is the rule at work."""
    walker = KinematicWalker(18, seed)
    walker.state[walker.state >= LegState.STANCE] = LegState.SF1
    walker.position[:, 2] = 40.0
    states, events = [walker.state.copy()], [walker.events.copy()]
    for _ in range(300):
        walker.switch()
        states.append(walker.state.copy())
        events.append(walker.events.copy())
    states, events = np.array(states), np.array(events)
    assert set(np.unique(states)) == {LegState.SF1, LegState.SF2, LegState.SB1, LegState.SB2}
    step = (states[1:].astype(int) - states[:-1]) % 4
    forced = (events[1:] & LegEvent.SYNCHRONISED) > 0
    assert (step[~forced] <= 1).all()
    assert forced.sum() <= 1
    record_property("fewest changes of state of a leg in 5 s", int(np.sum(step == 1, axis=0).min()))
    assert (np.sum(step == 1, axis=0) >= 8).all()  # at least two full loops in five seconds


@pytest.mark.parametrize("seed", SEEDS)
def test_c14_wave_emerges_within_three_cycles(profile, seed, record_property):
    """Reported: fast convergence to a wave (limits 20 % and 90 %). Without dynamics."""
    three_cycles = flat_walk(seed, profile=profile).between(3 * CYCLE, 6 * CYCLE)
    in_order = [0.0 < np.mean(lag) < 0.5 * CYCLE for lag in three_cycles.lags()]
    record_property("lag spread [cycle]", three_cycles.lag_spread())
    record_property("pairs in order", np.mean(in_order))
    assert three_cycles.lag_spread() < 0.05
    assert np.mean(in_order) >= 0.9


@pytest.mark.parametrize("seed", SEEDS)
def test_c14_no_wave_forms_without_rule_four(profile, seed, record_property):
    """Asked: above 25 % of the cycle. Without dynamics."""
    track = changed_walk(seed, (("wave_rule", 0.0),), profile).after(3 * CYCLE)
    record_property("lag spread [cycle]", track.lag_spread())
    assert track.lag_spread() > 0.25


@pytest.mark.parametrize("seed", SEEDS)
def test_c15_stance_dominates_and_adjust_and_search_are_short(profile, seed, record_property):
    """Asked: ADJUST and SB1 below 15 % each, SB2 below 2 %. Without dynamics."""
    track = flat_walk(seed, profile=profile).after(8.0)
    for state in (LegState.STANCE, LegState.ADJUST, LegState.SB1, LegState.SB2):
        record_property(state.name, track.share(state))
    shares = [track.share(state) for state in LegState]
    assert np.argmax(shares) == LegState.STANCE
    assert track.share(LegState.ADJUST) < 0.15
    assert track.share(LegState.SB1) < 0.15
    assert track.share(LegState.SB2) < 0.02


@pytest.mark.parametrize("seed", SEEDS)
def test_c16_a_fixed_share_of_legs_carries_the_body(profile, seed, record_property):
    """Reported by the digest: below 10 % of the mean. Without dynamics."""
    standing = np.mean(flat_walk(seed, profile=profile).after(8.0).state == LegState.STANCE, axis=1)
    record_property("spread of the share", np.std(standing) / np.mean(standing))
    assert np.std(standing) < 0.05 * np.mean(standing)


def test_c17_larger_adjust_offsets_make_a_longer_lag(profile, record_property):
    """Asked: larger offsets in three steps change the lag monotonically."""
    standard = parameter_row(GaitSpec())
    columns = ("adjust_theta", "adjust_alpha", "adjust_beta")
    lags = []
    for scale in (0.4, 0.7, 1.0):
        changes = tuple((name, scale * float(standard[Gait[name.upper()]])) for name in columns)
        lags.append(np.mean(np.concatenate(changed_walk(1, changes, profile).after(8.0).lags())))
    record_property("lags [s]", [round(float(lag), 3) for lag in lags])
    assert lags[0] < lags[1] < lags[2]
    assert lags[2] > 1.15 * lags[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_c18_first_pair_steps_in_synchrony(profile, seed, record_property):
    """Asked: below 5 % of the cycle in the first pair. With the pair rule the last pair has none at all."""
    track = flat_walk(seed, profile=profile).after(8.0)
    first, last = (track.left_right_offset(pair) / track.cycle() for pair in (0, 16))
    record_property("offset of the first pair [cycle]", first)
    record_property("of the last [cycle]", last)
    assert first < 0.05
    assert last < {"steady": 1e-9, "published": 0.05}[profile]


def test_c18_synchrony_raises_the_time_on_both_legs(record_property):
    """Without the pair rule, as in the source. Ours, mean of six seeds: 0.79 with the rule and 0.67 without."""
    pair_off = ("pair_rule", 0.0)
    with_rule = [changed_walk(seed, (pair_off,)).after(8.0).both_standing() for seed in SEEDS]
    without = [changed_walk(seed, (pair_off, ("sync_rule", 0.0))).after(8.0).both_standing() for seed in SEEDS]
    record_property("both legs stand, with the rule", np.mean(with_rule))
    record_property("without", np.mean(without))
    assert np.mean(with_rule) > np.mean(without) + 0.05
    assert all(on >= off - 0.01 for on, off in zip(with_rule, without, strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_c19_standing_tips_do_not_slip(profile, seed, record_property):
    """The tips are computed here from angles and poses, as a renderer would, not read from the stored column."""
    walker = KinematicWalker(18, seed, **rules(profile))
    walker.walk(4.0)
    anchor = np.full((walker.state.size, 3), np.nan)
    worst = 0.0
    for _ in range(240):
        walker.tick()
        standing = walker.state == LegState.STANCE
        for leg in range(walker.state.size):
            if not standing[leg]:
                anchor[leg] = np.nan
                continue
            shown = walker.position[walker.segment_row[leg]] + leg_tip(  # the body stays level on flat ground
                walker.hip[leg], walker.links[leg], walker.side[leg], *walker.angles[leg]
            )
            if walker.entered[leg] or np.isnan(anchor[leg, 0]):
                anchor[leg] = shown
            worst = max(worst, np.abs(shown - anchor[leg]).max())
    record_property("largest slip [u]", float(worst))
    assert worst < 1e-6


@pytest.mark.parametrize("seed", SEEDS)
def test_c20_links_keep_their_length_on_flat_ground(profile, seed, record_property):
    """Limit 10 %. Without dynamics."""
    worst = float(np.abs(flat_walk(seed, profile=profile).links() / 2.0 - 1.0).max())
    record_property("worst link", worst)
    assert worst < 1e-6


@pytest.mark.parametrize("seed", SEEDS[:3])
@pytest.mark.parametrize("ground", ["bumps", "hills", "logs"])
def test_c20_links_keep_their_length_over_rough_ground(ground, seed, record_property):
    """Limit 10 %. Without dynamics; study with dynamics: 8 %, logs 8 %."""
    build, limit = {
        "bumps": (lambda _: grounds.bumps(), 0.01),
        "hills": (grounds.hills, 0.05),
        "logs": (grounds.logs, 0.10),
    }[ground]
    links = KinematicWalker(18, seed, terrain=build(seed)).walk(30.0).links()
    worst = float(np.abs(links / 2.0 - 1.0).max())
    record_property(f"worst link, {ground}", worst)
    assert worst < limit


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_wave_survives_hills(seed):
    """Study with dynamics: lag spread 4.6 % of the cycle."""
    track = KinematicWalker(18, seed, terrain=grounds.hills(seed)).walk(35.0).after(5.0)
    assert track.lag_spread() < 0.10


@pytest.mark.parametrize("segments", [12, 19, 58])
def test_other_body_lengths_walk_the_same_gait(segments):
    """Study: identical numbers for 12, 18 and 19 segments; 58 need as long as the wave takes to reach the tail."""
    track = flat_walk(1, 40.0, segments).after(22.0)
    assert track.cycle() == pytest.approx(1.267, abs=0.02)
    assert track.share(LegState.STANCE) == pytest.approx(0.804, abs=0.01)
    assert np.mean(np.concatenate(track.lags())) == pytest.approx(0.250, abs=0.005)
    assert track.lag_spread() < 0.01


@pytest.mark.parametrize("rate", [60, 120, 480])
def test_gait_does_not_depend_on_the_control_rate(rate):
    """Study at 60 / 120 / 960 Hz: cycle 1.27 / 1.27 / 1.26 s, lag 0.250 / 0.250 / 0.247 s."""
    track = KinematicWalker(12, dt=1.0 / rate).walk(14.0).after(7.0)
    assert track.cycle() == pytest.approx(1.265, abs=0.01)
    assert np.mean(np.concatenate(track.lags())) == pytest.approx(0.249, abs=0.003)
    assert track.share(LegState.STANCE) == pytest.approx(0.804, abs=0.003)


@pytest.mark.parametrize(
    ("speed", "cycle", "stance", "lag"),
    [(0.2, 10.73, 0.959, 0.417), (1.0, 2.45, 0.832, 0.417), (3.0, 0.85, 0.786, 0.183), (4.0, 0.65, 0.772, 0.150)],
)
def test_stepping_rate_follows_the_speed(speed, cycle, stance, lag):
    """Study without the joint speed floor: stance 0.92 at 0.2 to 0.77 at 4. Below speed 1 our floor shortens swings."""
    track = KinematicWalker(18, speed=speed).walk(60.0 if speed < 1.0 else 20.0).after(10.0)
    assert track.cycle() == pytest.approx(cycle, rel=0.02)
    assert track.share(LegState.STANCE) == pytest.approx(stance, abs=0.01)
    assert np.mean(np.concatenate(track.lags())) == pytest.approx(lag, abs=0.01)


def test_walking_backward_stands_as_much_as_walking_forward():
    """Study: 0.475 with unchanged poses at speed -1; with the extremes exchanged ours is 0.83, the forward value."""
    backward = KinematicWalker(18, speed=-1.0).walk(20.0).after(8.0)
    forward = KinematicWalker(18, speed=1.0).walk(20.0).after(8.0)
    assert backward.share(LegState.STANCE) == pytest.approx(forward.share(LegState.STANCE), abs=0.02)
    np.testing.assert_allclose(backward.links(), 2.0, rtol=1e-3)


def test_halting_animal_puts_all_feet_down_within_half_a_second():
    """Study: 0.4 s with rule 4 resting below speed 0.05, 7 s without."""
    walker = KinematicWalker(18)
    walker.walk(8.0)
    walker.heads.speed[:] = 0.0
    walker.walk(0.5)
    assert (walker.state == LegState.STANCE).all()


def test_animal_that_halted_finds_its_gait_again():
    walker = KinematicWalker(18)
    walker.walk(6.0)
    walker.heads.speed[:] = 0.0
    walker.walk(2.0)
    walker.heads.speed[:] = 2.0
    track = walker.walk(16.0).after(8.0)
    assert track.share(LegState.STANCE) == pytest.approx(0.804, abs=0.01)
    assert track.lag_spread() < 0.02
