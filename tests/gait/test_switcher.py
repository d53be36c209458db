"""The rules of the Switcher, one fact each, on legs set up by hand."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from paludarium.components.leg_states import LegEvent, LegState
from paludarium.components.legs import LegPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.components.myriapod.gait import Gait
from paludarium.components.segments import SegmentPool
from paludarium.systems.myriapod.gait.leg_poses_kernel import joint_speed, pose_of, stance_range, state_after
from paludarium.systems.myriapod.gait.switcher_kernel import spread_wave
from paludarium.tests.gait.kinematic_walker import STAND_RADIUS, KinematicWalker

SWING = [LegState.SF1, LegState.SF2, LegState.SB1, LegState.SB2]


def standing_walker(segments=4, **options) -> KinematicWalker:
    """All legs standing on flat ground straight beside their hips."""
    walker = KinematicWalker(segments, start="rest", **options)
    walker.state[:] = LegState.STANCE
    walker.tip[:] = walker.position[walker.segment_row]
    walker.tip[:, 1] += walker.side * (0.5 + STAND_RADIUS)
    walker.tip[:, 2] = 0.0
    return walker


def hanging_walker(**options) -> KinematicWalker:
    """A body held far above the ground."""
    walker = KinematicWalker(4, start="rest", **options)
    walker.position[:, 2] = 50.0
    return walker


def test_free_leg_moves_at_the_joint_speed_with_all_angles_arriving_together():
    walker = hanging_walker()
    before = walker.angles[0].copy()
    walker.switch()
    target = np.array(pose_of(walker.gaits.parameters[0], LegState.SF1, False))
    step, whole = walker.angles[0] - before, target - before
    assert np.max(np.abs(step)) == pytest.approx(joint_speed(walker.gaits.parameters[0], 2.0) * walker.dt)
    np.testing.assert_allclose(step / whole, (step / whole)[0])


def test_rest_of_the_tick_is_spent_in_the_next_state():
    """A leg 3 degrees from its pose with 8.33 degrees to go must be 5.33 degrees on its way to the next one."""
    walker = hanging_walker()
    gait = walker.gaits.parameters[0]
    up, front = np.array(pose_of(gait, LegState.SF1, False)), np.array(pose_of(gait, LegState.SF2, False))
    walker.angles[0] = up + [0.0, 0.0, np.radians(3.0)]
    walker.switch()
    assert walker.state[0] == LegState.SF2
    moved = np.max(np.abs(walker.angles[0] - up))
    assert moved == pytest.approx(joint_speed(gait, 2.0) / 60.0 - np.radians(3.0))
    np.testing.assert_allclose((walker.angles[0] - up) / (front - up), moved / np.radians(60.0))


def test_free_legs_do_not_depend_on_the_tick_length():
    coarse, fine = hanging_walker(), hanging_walker(dt=1.0 / 240.0)
    coarse.walk(2.0)
    fine.walk(2.0)
    np.testing.assert_allclose(coarse.angles, fine.angles, atol=1e-9)
    np.testing.assert_array_equal(coarse.state, fine.state)


def test_armed_leg_stands_exactly_on_the_surface_it_swept_through():
    walker = hanging_walker(wave_rule=0.0)
    walker.position[:, 2] = 1.0
    walker.state[:], walker.armed[:] = LegState.SB1, 1
    walker.angles[:] = pose_of(walker.gaits.parameters[0], LegState.SF2, False)
    for _ in range(12):
        walker.switch()
    assert (walker.state == LegState.STANCE).all()
    np.testing.assert_allclose(walker.tip[:, 2], 0.0, atol=1e-12)


def test_leg_stands_where_its_path_first_meets_the_ground_however_long_the_tick():
    """Brute force: a million points along the straight path in angle space; one tick of 1/8 s passes the surface."""
    walker = hanging_walker(wave_rule=0.0, dt=0.125)
    walker.position[:, 2] = 1.0
    walker.state[:], walker.armed[:] = LegState.SB1, 1
    start, end = (np.array(pose_of(walker.gaits.parameters[0], state, False)) for state in (LegState.SF2, LegState.SB1))
    walker.angles[:] = start
    walker.switch()
    theta, alpha, beta = start[:, None] + np.linspace(0.0, 1.0, 1_000_001) * (end - start)[:, None]
    first, second, third, gamma = walker.links[0]
    height = first * np.sin(alpha) + second * np.sin(alpha - beta) + third * np.sin(alpha - beta - gamma) + 0.8
    out = first * np.cos(alpha) + second * np.cos(alpha - beta) + third * np.cos(alpha - beta - gamma)
    meets = np.argmax(height < 0.0)
    expected = walker.position[1, 0] + out[meets] * np.sin(theta[meets])
    assert walker.state[0] == LegState.STANCE
    assert walker.tip[0, 0] == pytest.approx(expected, abs=2e-3)  # 1/1024 of the step, plus the projection


def test_leg_below_the_ground_does_not_stand_before_it_was_clear():
    walker = hanging_walker()
    walker.position[:, 2] = 0.3
    walker.state[:], walker.armed[:] = LegState.SB1, 0
    walker.angles[:] = pose_of(walker.gaits.parameters[0], LegState.SF2, False)
    walker.switch()
    assert not (walker.state == LegState.STANCE).any()
    assert not walker.entered.any()


def test_stance_is_refused_where_the_leg_could_not_stand():
    walker = hanging_walker()
    walker.position[:, 2] = 0.9
    walker.state[:], walker.armed[:] = LegState.SB2, 1
    walker.angles[:] = pose_of(walker.gaits.parameters[0], LegState.SB2, False)
    walker.angles[:, 0] -= 0.3  # behind the posterior pose: inside reach but outside the theta range
    walker.angles[:, 2] += 0.6
    walker.switch()
    assert (walker.events & LegEvent.REFUSED).all()
    assert not (walker.state == LegState.STANCE).any()


def test_standing_leg_swings_when_the_body_has_passed_it():
    walker = standing_walker()
    walker.position[:, 0] += STAND_RADIUS  # theta -45 degrees, beyond the posterior pose
    walker.switch()
    assert (walker.state == LegState.SF1).all()
    assert (walker.events & LegEvent.LIFTED).all()


def test_standing_leg_keeps_its_tip_while_the_body_moves():
    walker = standing_walker()
    tip = walker.tip.copy()
    walker.position += [0.2, 0.05, 0.02]
    walker.switch()
    assert (walker.state == LegState.STANCE).all()
    np.testing.assert_array_equal(walker.tip, tip)


def spread(entered, state, pairwise=False, step=2):
    """Rule 4 on legs without a body; the result is (state, entered)."""
    legs, count = LegPool(), len(state)
    here = legs.claim(count, owner=1).slice
    legs.state[here], legs.entered[here], legs.armed[here] = state, entered, 1
    segments, chained = SegmentPool(), ChainSegmentPool()
    for pool in (segments, chained):
        pool.claim(count // 2, owner=1)
    legs.segment_row[here], legs.links[here] = np.arange(count) // 2, 1.0
    spread_wave(0 if step > 0 else count - 2, count, step, pairwise, False, 0, legs, segments, chained)
    return legs.state[here].tolist(), legs.entered[here].tolist()


STAND, ADJUST = int(LegState.STANCE), int(LegState.ADJUST)


def test_landing_sends_the_leg_behind_on_the_same_side_to_adjust_even_when_it_stands():
    state, _ = spread([0, 1, 0, 0, 0, 0], [STAND] * 6)
    assert state == [STAND, STAND, STAND, ADJUST, STAND, STAND]


def test_leg_sent_to_adjust_loses_its_own_landing_so_orders_do_not_cascade():
    state, entered = spread([1, 0, 1, 0, 0, 0], [STAND] * 6)
    assert state == [STAND, STAND, ADJUST, STAND, STAND, STAND]
    assert entered == [1, 0, 0, 0, 0, 0]


def test_pair_rule_moves_both_legs_on_a_left_landing_and_none_on_a_right_one():
    assert spread([1, 0, 0, 0], [STAND] * 4, pairwise=True)[0] == [STAND, STAND, ADJUST, ADJUST]
    assert spread([0, 1, 0, 0], [STAND] * 4, pairwise=True)[0] == [STAND] * 4


def test_wave_rule_leaves_tucked_legs_alone():
    tucked = int(LegState.TUCKED)
    assert spread([1, 0, 0, 0], [STAND, STAND, tucked, STAND])[0][2] == tucked


def test_wave_runs_from_tail_to_head_when_walking_backward():
    assert spread([0, 0, 0, 0, 1, 0], [STAND] * 6, step=-2)[0] == [STAND, STAND, ADJUST, STAND, STAND, STAND]


def test_wave_rule_rests_below_its_speed():
    walker = KinematicWalker(6, speed=0.04)
    track = walker.walk(3.0)
    assert not (track.events & LegEvent.ADJUSTED).any()
    assert (walker.state == LegState.STANCE).all()


def test_left_leg_of_the_first_pair_takes_the_right_one_along():
    walker = standing_walker(wave_rule=0.0)
    walker.tip[0::2, 0] -= STAND_RADIUS  # every left leg is too far behind
    walker.switch()
    assert walker.state[1] == LegState.SF1
    assert walker.events[1] & LegEvent.SYNCHRONISED
    assert (walker.state[3::2] == LegState.STANCE).all()


def test_right_leg_stays_when_synchrony_is_off():
    walker = standing_walker(wave_rule=0.0, sync_rule=0.0)
    walker.tip[0::2, 0] -= STAND_RADIUS
    walker.switch()
    assert (walker.state[1::2] == LegState.STANCE).all()


def test_submerged_legs_tuck_and_hold_and_swing_when_they_surface():
    walker = standing_walker()
    walker.submerged[2] = 1
    wet = walker.segment_row == 2
    walker.switch()
    assert (walker.state[wet] == LegState.TUCKED).all()
    assert (walker.state[~wet] == LegState.STANCE).all()
    for _ in range(120):
        walker.switch()
    np.testing.assert_allclose(walker.angles[wet], np.radians([[-80.0, 0.0, 0.0]] * 2))
    walker.submerged[2] = 0
    walker.switch()
    assert (walker.state[wet] == LegState.SF1).all()
    assert (walker.events[wet] & LegEvent.RELEASED).all()


def test_history_holds_the_last_second_in_ring_order():
    walker = KinematicWalker(5)
    track = walker.walk(2.5)
    newest_last = np.roll(walker.history, -walker.bodies.history_cursor[0], axis=1)
    np.testing.assert_array_equal(newest_last, track.state[-60:].T)


def test_stance_share_counts_standing_legs():
    walker = KinematicWalker(9)
    walker.walk(1.0)
    assert walker.gaits.stance_share[0] == np.mean(walker.state == LegState.STANCE)


def test_loop_and_rule_five_are_the_only_successions():
    assert [state_after(state) for state in SWING] == [*SWING[1:], SWING[0]]
    assert state_after(LegState.ADJUST) == LegState.SF2


def test_backward_poses_exchange_the_extremes():
    gait = KinematicWalker(3).gaits.parameters[0]
    assert pose_of(gait, LegState.SF2, True) == pose_of(gait, LegState.SB2, False)
    assert pose_of(gait, LegState.SB2, True) == pose_of(gait, LegState.SF2, False)
    assert stance_range(gait, True) == (gait[Gait.PEP_THETA] - gait[Gait.THETA_MARGIN], gait[Gait.AEP_THETA])


def test_mirrored_start_gives_the_mirrored_walk_without_the_left_biased_rules():
    options = {"sync_rule": 0.0, "pair_rule": 0.0}
    walker, mirror = KinematicWalker(8, **options), KinematicWalker(8, **options)
    swap = np.arange(walker.state.size) ^ 1
    for name in ("state", "angles", "armed"):
        getattr(mirror, name)[:] = getattr(walker, name)[swap]
    mirror.tip[:] = walker.tip[swap] * [1.0, -1.0, 1.0]
    walker.walk(3.0)
    mirror.walk(3.0)
    np.testing.assert_array_equal(mirror.state, walker.state[swap])
    np.testing.assert_allclose(mirror.tip, walker.tip[swap] * [1.0, -1.0, 1.0], atol=1e-9)


def test_empty_list_of_creatures_changes_nothing():
    walker = KinematicWalker(4)
    walker.rows = walker.rows[:0]
    before = walker.state.copy()
    walker.tick()
    np.testing.assert_array_equal(walker.state, before)


def test_creature_without_legs_is_walked_over_quietly():
    walker = KinematicWalker(4)
    walker.bodies.leg_count[:] = 0
    before = walker.state.copy()
    walker.tick()
    np.testing.assert_array_equal(walker.state, before)
    assert walker.gaits.stance_share[0] == 0.0


def test_result_is_bitwise_equal_for_one_and_two_threads():
    results = []
    for count in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
        numba.set_num_threads(count)
        walker = KinematicWalker(7, creatures=5)
        for _ in range(120):
            walker.tick()
        results.append((walker.state.copy(), walker.tip.copy(), walker.position.copy(), walker.orientation.copy()))
    for one, many in zip(*results, strict=True):
        np.testing.assert_array_equal(one, many)


def test_creatures_do_not_touch_each_others_rows():
    pair = KinematicWalker(7, creatures=2)
    pair.rows = pair.rows[:1]
    quiet = pair.angles[pair.bodies.first_leg[1] :].copy()
    pair.walk(1.0)
    np.testing.assert_array_equal(pair.angles[pair.bodies.first_leg[1] :], quiet)
