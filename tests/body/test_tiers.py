"""The bush and follow tiers, and changes between tiers."""

import numba
import numpy as np
import pytest

from paludarium.components.myriapod.construction.joint_table import joint_table
from paludarium.engine.creature import BUSH, FOLLOW, FULL
from paludarium.systems.myriapod.body.follow_tier_kernel import step_follow
from paludarium.systems.myriapod.body.inversion_guard_kernel import OUT_OF_RANGE
from paludarium.systems.myriapod.body.joint_tier_kernel import step_joint_tier
from paludarium.systems.myriapod.body.tier_choice_kernel import possible_tier
from paludarium.tests.body.bodies import (
    IDENTITY,
    LAM,
    MU,
    advance,
    allocate,
    body,
    chain,
    copied,
    hanging_chain,
    settle_nodes,
    stacked,
)
from paludarium.tests.body.measures import momentum

STATE = ("position", "orientation", "velocity", "angular_velocity", "node_position", "node_velocity")


def bush(columns, ticks=1, **options):
    flags = advance(columns, ticks, step=step_joint_tier, **options)
    settle_nodes(columns)  # as on a change to the full tier
    return flags


@pytest.mark.parametrize(
    ("row", "study"), [(8, (6144, 1308, 417, 733)), (3, (13293, 2788, 655, 1407))], ids=["length 1", "length 0.5"]
)
def test_joint_table_is_that_of_the_numerics_study(row, study):
    table = joint_table((1, 1, 1), MU, LAM)[row]
    np.testing.assert_allclose(table[[0, 1, 3, 4]], study, rtol=1e-3)
    np.testing.assert_allclose(table[[2, 5]], table[[1, 4]], rtol=1e-9)


def test_joint_table_scales_with_size_and_stiffness():
    small = joint_table((0.5, 0.4, 0.3), 10.0, 30.0)
    np.testing.assert_allclose(joint_table((1.0, 0.8, 0.6), 20.0, 60.0), small * 2 * np.repeat([2, 8], 3))


def test_body_at_rest_stays_at_rest():
    columns = chain(5)
    before = copied(columns)
    bush(columns, 60)
    for name in STATE:
        np.testing.assert_allclose(getattr(columns, name), getattr(before, name), atol=1e-10)


def test_momentum_is_kept_without_outer_forces():
    columns = chain(4)
    columns.velocity[:] = np.random.default_rng(0).normal(size=(4, 3))
    settle_nodes(columns)
    bush(columns)  # afterwards the nodes move with the faces, as the tier assumes
    linear, _ = momentum(columns, 0)
    bush(columns, 120)
    np.testing.assert_allclose(momentum(columns, 0)[0], linear, rtol=0.05, atol=0.05)


@pytest.mark.parametrize("lengths", [(0.5, 1, 1, 1), (1, 0.7, 1, 1), (1, 1, 0.7, 1), (0.8, 0.8, 1, 1)])
def test_muscles_hold_the_same_pose_as_in_the_full_tier(lengths):
    poses = []
    for step in (bush, advance):
        columns = chain(2)
        columns.rotation_free[:] = 1
        columns.lengths_before[:] = columns.lengths[:] = lengths
        step(columns, 300)
        poses.append(columns)
    turns = [c.orientation[0] * [1, -1, -1, -1] for c in poses]
    relative = []
    for c, q in zip(poses, turns, strict=True):
        p = c.orientation[1]
        relative.append(q[0] * p[1:] + p[0] * q[1:] + np.cross(q[1:], p[1:]))
    np.testing.assert_allclose(relative[0], relative[1], atol=0.005)
    gaps = [np.linalg.norm(c.position[0] - c.position[1]) for c in poses]
    assert gaps[0] == pytest.approx(gaps[1], abs=0.02)


def test_hanging_body_stretches_as_in_the_full_tier():
    gaps = []
    for step in (bush, advance):
        columns = hanging_chain(6)
        columns.kinematic[0] = 1
        columns.gravity[:, 2] = -9.8
        for _ in range(200):
            step(columns)
            columns.velocity[:] *= 0.9
            columns.node_velocity[:] *= 0.9
        gaps.append(-np.diff(columns.position[:, 2]) - 2.0)
    np.testing.assert_allclose(gaps[0], gaps[1], rtol=0.05)


def test_sideways_cantilever_bends_as_in_the_full_tier():
    sag = []
    for step in (bush, advance):
        columns = chain(3)
        columns.kinematic[0] = 1
        columns.gravity[:, 2] = -2.0
        for _ in range(300):
            step(columns)
            columns.velocity[:] *= 0.9
            columns.angular_velocity[:] *= 0.9
            columns.node_velocity[:] *= 0.9
        sag.append(columns.position[2, 2])
    assert sag[1] < -0.02
    assert sag[0] == pytest.approx(sag[1], rel=0.08)


def test_kinematic_segments_move_exactly_as_told():
    columns = chain(4)
    columns.kinematic[[0, 3]] = 1
    columns.velocity[[0, 3]] = (0.7, 0.2, 0.0)
    bush(columns, 60)
    np.testing.assert_allclose(columns.position[0], (0.7, 0.2, 0), atol=1e-9)
    np.testing.assert_allclose(columns.position[3], (-5.3, 0.2, 0), atol=1e-9)
    np.testing.assert_allclose(columns.velocity[1:3], [(0.7, 0.2, 0)] * 2, atol=0.02)


def test_dropped_body_comes_to_rest_on_the_ground():
    columns = chain(5)
    columns.gravity[:, 2] = -9.8
    columns.ground_point[:, 2] = -1.5
    bush(columns, 300)
    assert np.abs(columns.velocity).max() < 0.01
    np.testing.assert_allclose(columns.position[:, 2], -1.0, atol=0.02)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_violent_motion_stays_finite_and_is_flagged(dtype):
    columns = chain(12)
    rng = np.random.default_rng(1)
    columns.velocity[:] = 30.0 * rng.normal(size=(12, 3))
    columns.angular_velocity[:] = 30.0 * rng.normal(size=(12, 3))
    flags = bush(columns, 300, dtype=dtype)
    assert flags.max() & OUT_OF_RANGE
    for name in STATE:
        assert np.isfinite(getattr(columns, name)).all()
    gaps = np.linalg.norm(np.diff(columns.position, axis=0), axis=1)
    assert gaps.max() < 3.0


def test_changing_the_tier_back_and_forth_moves_no_segment_abruptly():
    columns = chain(6)
    columns.gravity[:, 2] = -9.8
    columns.ground_point[:, 2] = -0.6
    columns.velocity[0] = (0.5, 0.5, 0.0)
    settle_nodes(columns)
    for tick in range(60):
        before, speed = columns.position.copy(), np.abs(columns.velocity).max()
        flags = advance(columns) if tick // 5 % 2 else bush(columns)
        assert not flags.any()
        limit = (max(speed, np.abs(columns.velocity).max()) + 0.2) / 60
        assert np.abs(columns.position - before).max() < 1.5 * limit


def promoted(columns, tier=BUSH):
    bodies, chains, segments, _, blocks = columns.pools
    return possible_tier(0, tier, bodies, chains, segments, blocks)


def test_only_dry_chains_are_left_to_the_bush_tier():
    boxes = [((0, 0, 0), (0.5, 0.5, 0.5)), ((-2, 0, 0), (0.5, 0.5, 0.5)), ((2, 0, 0), (0.5, 0.5, 0.5))]
    blocks = [(0, 1, (-1, 0, 0), IDENTITY, (1, 1, 1)), (2, 0, (1, 0, 0), IDENTITY, (1, 1, 1))]
    assert promoted(body(boxes, blocks)) == FULL
    wading = chain(4)
    assert promoted(wading) == BUSH
    wading.water_level[3] = -0.2
    assert promoted(wading) == FULL
    assert promoted(wading, FOLLOW) == FOLLOW


def test_led_segments_cut_a_body_into_runs_that_move_as_in_the_full_tier():
    """Free runs of one and two segments, at the tail too, between segments that are led on a curve."""
    led = np.array([1, 0, 1, 1, 1, 0, 0, 1, 0], np.uint8)
    ends = []
    for step in (bush, advance):
        columns = chain(led.size)
        columns.kinematic[:] = led
        for tick in range(120):
            columns.velocity[led == 1] = (0.6, 0.3 * np.sin(0.05 * tick), 0.0)
            columns.angular_velocity[led == 1] = 0.0
            step(columns)
        ends.append(columns)
    np.testing.assert_allclose(ends[0].position[led == 1], ends[1].position[led == 1], atol=1e-9)
    np.testing.assert_allclose(ends[0].position, ends[1].position, atol=0.02)


@pytest.mark.parametrize("step", [step_joint_tier, step_follow])
def test_no_creatures_and_empty_creatures_are_stepped_without_effect(step):
    advance(allocate(0, 0, 0), step=step)
    advance(allocate(1, 0, 0), step=step)


def test_results_are_the_same_bits_for_any_thread_count():
    creatures = stacked([chain(3 + k) for k in range(4)])
    creatures.velocity[:] = np.random.default_rng(3).normal(size=creatures.velocity.shape)
    results = []
    before = numba.get_num_threads()
    try:
        for threads in range(1, before + 1):
            numba.set_num_threads(threads)
            columns = copied(creatures)
            bush(columns, 20)
            results.append(columns)
    finally:
        numba.set_num_threads(before)
    for other in results[1:]:
        for name in STATE:
            np.testing.assert_array_equal(getattr(other, name), getattr(results[0], name))


def test_follow_tier_integrates_the_given_velocities_and_leaves_the_nodes():
    columns = chain(3)
    columns.velocity[:] = (1.0, -0.5, 0.25)
    columns.angular_velocity[:] = (0.0, 0.0, 0.6)
    nodes = columns.node_position.copy()
    start = columns.position.copy()
    advance(columns, 60, step=step_follow)
    np.testing.assert_allclose(columns.position, start + (1.0, -0.5, 0.25), atol=1e-12)
    np.testing.assert_allclose(columns.orientation, [(np.cos(0.3), 0, 0, np.sin(0.3))] * 3, atol=1e-9)
    np.testing.assert_array_equal(columns.node_position, nodes)
