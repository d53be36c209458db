"""The muscle controllers alone: signals, ramp, turning, speed line, oscillators, wet and dry blocks."""

import numba
import numpy as np
import pytest

from paludarium.components.body import BodyPool
from paludarium.components.head_command import HeadCommandPool
from paludarium.components.myriapod.chain import ChainPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.components.myriapod.muscles import LINE_POINTS, MusclePool, MuscleSpec, muscle_line
from paludarium.components.myriapod.tissue import TissuePool
from paludarium.components.parameters import parameter_row
from paludarium.components.segments import SegmentPool
from paludarium.engine.creature import CreaturePool
from paludarium.systems.myriapod.swim.drive_muscles_kernel import drive_muscles

TICK = 1.0 / 60.0
BLOCKS = 11


class Controller:
    """The controllers of some bodies without the bodies. Columns of the pools are attributes, of all rows in use."""

    def __init__(self, count=1, blocks=BLOCKS, **changes):
        self.count, self.blocks = count, blocks
        self.creatures, self.bodies, self.chains = CreaturePool(), BodyPool(), ChainPool()
        self.segments, self.chained, self.tissue = SegmentPool(), ChainSegmentPool(), TissuePool()
        self.muscles, self.heads = MusclePool(), HeadCommandPool()
        for pool, each in zip(self.pools(), (1, 1, 1, blocks + 1, blocks + 1, blocks, 1, 1), strict=True):
            pool.claim(count * each, owner=1)
        spec = MuscleSpec(**changes)
        self.parameters[:], self.line[:] = parameter_row(spec), muscle_line(spec)
        self.speed[:] = 3.0
        self.drive[:] = (spec.line_frequency[0], spec.line_shift[0], 0.0)
        ahead = (np.arange(count)[:, None] * (blocks + 1) + np.arange(blocks)).ravel()
        self.segment_a[:], self.segment_b[:] = ahead, ahead + 1
        self.first_segment[:], self.segment_count[:] = np.arange(count) * (blocks + 1), blocks + 1
        self.first_block[:], self.block_count[:] = np.arange(count) * blocks, blocks
        self.submerged[:], self.size[:] = 1, 1.0

    def pools(self):
        return (self.creatures, self.bodies, self.chains, self.segments, self.chained, self.tissue, self.muscles,
                self.heads)  # fmt: skip

    def __getattr__(self, name):
        for pool in reversed(self.pools()):
            if name in pool.columns:
                return getattr(pool, name)[: pool.end]
        raise AttributeError(name)

    def step(self, ticks=1):
        rows = np.arange(self.count, dtype=np.int32)
        for _ in range(ticks):
            drive_muscles(rows, *self.pools(), TICK)

    def pattern_error(self):
        """Largest deviation of a neighbour's phase lag from the wanted shift."""
        lag = self.muscle_phase[: self.blocks - 1] - self.muscle_phase[1 : self.blocks] - self.drive[0, 1]
        return np.abs((lag + np.pi) % (2 * np.pi) - np.pi).max()


def test_no_creatures_and_no_blocks_are_fine():
    Controller(0).step()
    Controller(1, blocks=0).step()


def test_signals_have_unit_square_sum_and_span_the_muscle_range():
    body = Controller()
    seen = []
    body.step(200)
    for _ in range(200):
        body.step()
        signals = (body.lengths[:, :2] - 0.5) / 0.5
        np.testing.assert_allclose((signals**2).sum(axis=1), 1.0, atol=1e-12)
        seen.append(body.lengths[:, :2].copy())
    assert np.min(seen) == pytest.approx(0.5, abs=0.02)
    assert np.max(seen) == pytest.approx(1.0, abs=1e-3)
    assert (body.lengths[:, 2:] == 1.0).all()


def test_smooth_signals_keep_the_sum_of_both_sides():
    body = Controller(activation="smooth")
    body.step(200)
    np.testing.assert_allclose(body.lengths[:, :2].sum(axis=1), 1.5, atol=1e-12)


def test_body_first_bends_to_the_standing_wave_and_then_beats():
    body = Controller(ramp_time=1.0)
    body.step(30)
    np.testing.assert_allclose(body.muscle_blend, 0.5, atol=1e-12)
    assert body.muscle_phase[0] == 0.0
    body.step(35)
    assert (body.muscle_blend == 1.0).all()
    assert body.muscle_phase[0] > 0.0


def test_wave_travels_from_head_to_tail_and_backward_for_negative_speed():
    for speed, sign in ((4.0, 1.0), (-4.0, -1.0)):
        body = Controller()
        body.speed[0] = speed
        body.step(300)
        assert (sign * np.diff(body.muscle_phase) < 0).all()


@pytest.mark.parametrize("speed", [2.0, 3.5, 6.2])
def test_speed_is_looked_up_on_the_line_of_least_energy(speed):
    body = Controller()
    body.speed[0] = speed
    body.step(300)
    points, f, ps = body.line[0]
    np.testing.assert_allclose(body.drive[0], (np.interp(speed, points, f), np.interp(speed, points, ps), 1.0), rtol=1e-6)


def test_slow_swimmers_bend_less_and_fast_ones_do_their_best():
    body = Controller(2)
    body.speed[:] = (0.5, 100.0)
    body.step(300)
    assert body.drive[0, 2] == pytest.approx(0.25 ** (2 / 3), rel=1e-6)
    np.testing.assert_allclose(body.drive[1], (*body.line[1, 1:, LINE_POINTS - 1], 1.0), rtol=1e-6)
    body.speed[0] = 0.0
    body.step(600)
    np.testing.assert_allclose(body.lengths[:BLOCKS, 0], body.lengths[:BLOCKS, 1], atol=1e-9)  # straight


def test_frequency_and_shift_stay_in_their_range():
    body = Controller(slowest_beat=1.0, fastest_beat=1.2, least_shift=0.9, most_shift=1.0)
    for speed, f in ((1.0, 1.0), (7.0, 1.2)):
        body.speed[0] = speed
        body.step(400)
        assert body.drive[0, 0] == pytest.approx(f, rel=1e-6)
        assert 0.9 - 1e-9 < body.drive[0, 1] <= 1.0 + 1e-9


def test_inner_side_weakens_smoothly_with_the_wanted_turn():
    """The source's way of turning."""
    body = Controller(2, steering="weaker_side")
    body.step(120)
    body.yaw_rate[:] = (0.1, -10.0)
    body.step(18)  # 0.3 s, one time constant
    gone = 1.0 - np.exp(-1.0)
    np.testing.assert_allclose(body.strength, [(1 - 0.2 * gone, 1.0), (1.0, 1 - 0.5 * gone)], rtol=1e-9)
    body.step(300)
    np.testing.assert_allclose(body.strength, [(0.8, 1.0), (1.0, 0.5)], rtol=1e-6)


def test_wanted_turn_is_the_speed_over_the_radius_of_the_bend():
    """A bent body swims on a circle whose radius is as one over the bend: by hand, from a 3-4-5 triangle."""
    body = Controller(3, turn_radius=4.0, fastest_turn=1.0)
    body.speed[:], body.yaw_rate[:] = np.transpose(((3.0, 1.0), (0.0, -0.5), (3.0, 0.0)))
    body.step(400)
    bend = np.array([0.75 * 4.0 / 5.0, 0.75, 0.0])
    np.testing.assert_allclose(1.0 - body.strength, [(bend[0], 0.0), (0.0, bend[1]), (0.0, 0.0)], atol=1e-6)
    swum = np.array([5.0, 2.0, 3.0]) / (1.0 - 0.8 * bend**2)  # a bent body loses up to almost half of its speed
    np.testing.assert_allclose(body.drive[:, 0], np.interp(swum, body.line[0, 0], body.line[0, 1]), rtol=1e-6)
    faster = body.strength.copy()
    body.yaw_rate[:2] = 7.0, -1.0  # beyond the fastest turn nothing changes
    body.step(400)
    np.testing.assert_allclose(body.strength, faster, atol=1e-6)


@pytest.mark.parametrize("controller", ["wave", "oscillators"])
def test_mean_bend_keeps_signals_and_lengths_in_their_range_and_bends_the_inner_side(controller):
    body = Controller(2, controller=controller)
    body.speed[:], body.yaw_rate[:] = np.transpose(((2.0, 0.3), (2.0, -0.3)))
    body.step(400)
    seen = []
    for _ in range(240):
        body.step()
        signals = (body.lengths[:, :2] - 0.5) / 0.5
        np.testing.assert_allclose((signals**2).sum(axis=1), 1.0, atol=1e-12)
        seen.append(body.lengths[:, :2].copy())
    assert np.min(seen) == 0.5
    assert np.max(seen) == 1.0
    left, right = np.mean(seen, axis=0).T
    assert (left[:BLOCKS] < right[:BLOCKS] - 0.1).all()
    assert (left[BLOCKS:] > right[BLOCKS:] + 0.1).all()


@pytest.mark.parametrize("controller", ["wave", "oscillators"])
def test_turns_begin_and_end_smoothly_and_a_straight_body_is_straight_again(controller):
    body = Controller(controller=controller)
    body.speed[0] = 0.0
    body.step(300)
    jumps, top = [], 0.0
    for yaw in (0.4, -0.4, 0.0):
        body.yaw_rate[0] = yaw
        for _ in range(240):
            before = body.lengths.copy()
            body.step()
            jumps.append(np.abs(body.lengths - before).max())
            top = max(top, body.drive[0, 0])
    # the bend changes sides within TURN_TIME and turns the signals by pi / 4 at 1, the wave by half its phase
    fastest = np.pi / 4 * 2 * 0.75 * (1 - np.exp(-TICK / 0.3)) + np.pi * top * TICK
    assert max(jumps) < 0.5 * fastest
    body.step(300)
    np.testing.assert_allclose(body.lengths[:, 0], body.lengths[:, 1], atol=1e-6)
    np.testing.assert_allclose(body.strength, 1.0, atol=1e-9)


def test_swimmer_that_goes_backward_bends_to_the_other_side():
    body = Controller(2)
    body.speed[:], body.yaw_rate[:] = np.transpose(((3.0, 0.3), (-3.0, 0.3)))
    body.step(300)
    np.testing.assert_allclose(body.strength[0], body.strength[1, ::-1], atol=1e-12)
    assert body.strength[0, 0] < 0.6


@pytest.mark.parametrize("controller", ["wave", "oscillators"])
def test_change_of_speed_is_smooth(controller):
    body = Controller(controller=controller, activation="smooth")
    body.speed[0] = 2.0
    body.step(300)
    jumps = []
    for speed in (7.0, 2.0):
        body.speed[0] = speed
        for _ in range(120):
            before = body.lengths.copy()
            body.step()
            jumps.append(np.abs(body.lengths - before).max())
    fastest = 0.25 * 2 * np.pi * 1.7 * TICK  # amplitude times rate at the top frequency
    assert max(jumps) < 2.0 * fastest


def test_oscillators_find_their_pattern_again_after_a_push():
    body = Controller(controller="oscillators")
    body.step(300)
    assert body.pattern_error() < 1e-3
    frequency, before = body.drive[0, 0], body.muscle_phase[0]
    body.step(1)
    assert (body.muscle_phase[0] - before) % (2 * np.pi) == pytest.approx(2 * np.pi * frequency * TICK, rel=1e-3)
    body.muscle_phase[:] += np.random.default_rng(3).normal(0.0, 1.0, BLOCKS)
    body.muscle_amplitude[:, 0] *= np.linspace(0.2, 1.5, BLOCKS)
    assert body.pattern_error() > 0.5
    body.step(30)
    middle = body.pattern_error()
    body.step(90)
    assert body.pattern_error() < 0.02
    assert body.pattern_error() < 0.5 * middle
    np.testing.assert_allclose(body.muscle_amplitude[:, 0], 1.0, atol=1e-3)


def test_clock_and_oscillators_beat_alike_when_undisturbed():
    one, two = Controller(), Controller(controller="oscillators")
    for body in (one, two):
        body.step(400)
    np.testing.assert_allclose(two.lengths, one.lengths, atol=2e-2)


def test_blocks_out_of_the_water_return_to_their_own_shape_in_the_ramp_time():
    body = Controller(ramp_time=0.5)
    body.step(120)
    body.submerged[:4] = 0
    body.step(31)
    assert (body.lengths[:4, :2] == 1.0).all()  # block 3 joins a dry and a wet segment
    assert (body.muscle_blend[4:] == 1.0).all()
    assert body.beating[0] == 1
    before = body.muscle_phase[5]
    body.step()
    assert body.muscle_phase[5] != before  # the wet rest goes on beating
    body.submerged[:] = 0
    body.step(31)
    assert (body.lengths == 1.0).all()
    assert body.beating[0] == 0


def test_wet_blocks_of_a_body_that_wades_in_beat_the_more_the_less_of_it_is_led():
    body = Controller()
    segments, prepare = body.blocks + 1, MuscleSpec().prepare
    body.submerged[:], body.kinematic[:] = 0, 1
    body.submerged[0], body.kinematic[0] = 1, 0
    body.step()
    assert body.beating[0] == 0  # a wet head alone has no wet block
    for wet in (2, 6, segments - 1):
        body.submerged[:wet], body.kinematic[:wet] = 1, 0
        body.step(120)
        assert body.beating[0] == 1
        bend = 1.0 - (1.0 - prepare) * (segments - wet) / segments
        assert body.muscle_blend[: wet - 1] == pytest.approx(bend)
        assert (body.lengths[wet - 1 :, :2] == 1.0).all()
        before = body.muscle_phase[0]
        body.step()
        assert body.muscle_phase[0] != before  # the wave does not wait for the tail
    body.submerged[:], body.kinematic[:] = 1, 0
    body.step(60)
    assert (body.muscle_blend == 1.0).all()


def test_straight_body_that_floats_takes_the_bend_of_the_standing_wave_first():
    body = Controller()
    body.step(50)
    assert (body.muscle_blend < 1.0).all()
    assert body.muscle_phase[0] == 0.0
    body.step(15)
    assert (body.muscle_blend == 1.0).all()
    assert body.muscle_phase[0] > 0.0


def test_blocks_between_led_segments_are_straight_while_the_rest_beats():
    body = Controller()
    body.step(120)
    body.submerged[0] = 0
    body.kinematic[:4] = 1  # it climbs out and is not all out of the water yet; block 3 joins a led and a free segment
    body.step(70)
    assert body.beating[0] == 1
    assert (body.muscle_blend[:3] == 0.0).all()
    assert (body.muscle_blend[3:] > 0.5).all()
    before = body.muscle_phase[5]
    body.step()
    assert body.muscle_phase[5] != before


def test_body_without_legs_beats_with_all_its_might_however_little_of_it_is_wet():
    body = Controller()
    body.submerged[4:] = 0
    body.step(70)
    assert (body.muscle_blend[:3] == 1.0).all()
    assert (body.muscle_blend[3:] == 0.0).all()


def test_dead_bodies_go_limp():
    body = Controller()
    body.step(120)
    body.dead[0] = 1
    body.step(70)
    assert (body.lengths == 1.0).all()


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
def test_lengths_do_not_depend_on_the_number_of_threads(threads):
    results = []
    for count in (1, 2):
        threads(count)
        body = Controller(5, controller="oscillators")
        body.speed[:] = np.arange(5.0)
        body.step(200)
        results.append(body.lengths.copy())
    np.testing.assert_array_equal(*results)
