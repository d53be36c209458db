"""Modes, goals, limits and the registry of the brain."""

from __future__ import annotations

from enum import IntEnum
from types import SimpleNamespace

import numba
import numpy as np
import pytest

from paludarium.systems.brain import Brain, BrainMode, GoalKind, Memory, ModeRegistry, Wish
from paludarium.systems.senses import box, pillar, stack_solids
from paludarium.systems.senses.clearance_kernel import BARRIER_GAP
from paludarium.tests.senses.crawlers import DT, Crawlers, one_thread  # noqa: F401 - a fixture


def straight_walker(**world):
    """A crawler that walks straight on while nothing disturbs it."""
    crawler = Crawlers(world.pop("start", [[0, 0]]), world.pop("headings", [0.0]), **world)
    crawler.brain.parameters[:, Brain.WALK_YAW] = 0.0
    return crawler


def test_adjustment_holds_from_a_quarter_of_the_legs_until_more_than_half_stand():
    crawler = Crawlers([[0, 0]], [0.0])
    seen = []
    for share in (1.0, 0.3, 0.25, 0.24, 0.3, 0.5, 0.51, 0.3):
        crawler.brain.senses.stance_share[0] = share
        crawler.step()
        seen.append(crawler.brain.mode[0] == BrainMode.ADJUSTMENT)
    assert seen == [False, False, False, True, True, True, False, False]


def test_the_strongest_active_mode_wins_in_the_stated_order():
    crawler = Crawlers([[0, 0]], [0.0])
    crawler.sense = lambda: None  # everything felt is set by hand
    b = crawler.brain
    b.senses.stance_share[0], b.senses.contact[0], b.senses.smell[0] = 0.0, (1, 0), (0.5, 0.5)
    b.goals.kind[0] = GoalKind.DRIVE
    crawler.step()
    assert b.mode[0] == BrainMode.ADJUSTMENT
    b.senses.stance_share[0] = 1.0
    crawler.step()
    assert b.mode[0] == BrainMode.CONTROL
    b.goals.kind[0] = GoalKind.NONE
    crawler.step()
    assert b.mode[0] == BrainMode.AVOIDANCE
    b.senses.contact[0] = 0
    crawler.run(0.4)
    assert b.mode[0] == BrainMode.TROPHOTROPISM
    b.senses.smell[0] = 0.0
    crawler.step()
    assert b.mode[0] == BrainMode.RANDOM_WALK


def test_speed_and_yaw_obey_acceleration_and_curvature():
    crawlers = Crawlers(np.zeros((50, 2)), np.zeros(50), food=[[6, 6, 1]])
    limits = crawlers.brain.parameters[0]
    for _ in range(300):
        before = crawlers.brain.speed.copy()
        crawlers.step()
        assert np.all(np.abs(crawlers.brain.speed - before) <= limits[Brain.ACCELERATION] * DT + 1e-12)
        assert np.all(
            np.abs(crawlers.brain.yaw_rate) <= np.abs(crawlers.brain.speed) / limits[Brain.TIGHT_TURN_RADIUS] + 1e-12
        )
    assert np.abs(crawlers.brain.speed).max() > 1.0


def test_a_bent_neck_is_bent_no_further():
    crawler = Crawlers([[0, 0]], [0.0])
    crawler.tow_heading[:] = -1.1  # the head points to the left of the body
    crawler.tow()
    crawler.brain.goals.kind[0], crawler.brain.goals.drive[0] = GoalKind.DRIVE, (1.0, 0.5, 0.0)
    crawler.sense()
    crawler.step()
    assert crawler.brain.yaw_rate[0] == 0.0
    crawler.brain.goals.drive[0] = 1.0, -0.5, 0.0
    crawler.step()
    assert crawler.brain.yaw_rate[0] < 0.0


def test_only_what_trails_has_a_neck_that_can_be_bent_too_far():
    crawler = Crawlers([[0, 0]], [0.0])
    crawler.pools.bodies.trailing[0] = 0
    crawler.tow_heading[:] = -1.1
    crawler.tow()
    crawler.brain.goals.kind[0], crawler.brain.goals.drive[0] = GoalKind.DRIVE, (1.0, 0.5, 0.0)
    crawler.step()
    assert crawler.brain.yaw_rate[0] > 0.0


def test_the_head_is_told_when_it_is_not_in_charge():
    crawlers = Crawlers([[0, 0], [9, 0]], [0.0, 0.0])
    crawlers.brain.senses.stance_share[:] = 0.0, 1.0
    crawlers.step()
    assert crawlers.pools.heads.adjusting.tolist() == [1, 0]


def test_latched_direction_outlives_the_contact_by_the_clear_time():
    crawler = Crawlers([[0, 0]], [0.0])
    b = crawler.brain
    crawler.sense = lambda: None  # contacts are set by hand
    b.senses.contact[0] = 1, 0
    crawler.step()
    b.senses.contact[0] = 0, 1  # the other antenna touches a little later, without any side to its normal
    crawler.step()
    assert b.memory[0, Memory.TURN] == -1.0
    b.senses.contact[0] = 0, 0
    held = 0
    while b.mode[0] == BrainMode.AVOIDANCE:
        crawler.step()
        held += 1
    assert held * DT == pytest.approx(0.3, abs=1.5 * DT)


def test_both_antennae_touching_at_once_turn_right_because_the_left_decides():
    crawler = Crawlers([[0, 0]], [0.0])
    crawler.sense = lambda: None
    crawler.brain.senses.contact[0] = 1, 1
    crawler.run(0.5)
    assert crawler.heading[0] < -0.02


def test_mirrored_worlds_give_mirrored_paths():
    def path(sign):
        solids = stack_solids(pillar((6, 1.2 * sign), 0.5), pillar((9, -2.5 * sign), 0.7))
        crawler = straight_walker(solids=solids, food=[[14, 3 * sign, 1]])
        if sign < 0:  # the antennae of the two animals are mirror images, each with its own random stream
            crawler.antennae.stream[:] = crawler.antennae.stream[:, ::-1].copy()
            for column in (crawler.antennae.angles, crawler.antennae.target, crawler.antennae.phase):
                column[:] = column[:, ::-1].copy()
        track = []
        for _ in range(420):
            crawler.step()
            track.append(
                (crawler.plan[0, 0], sign * crawler.plan[0, 1], sign * crawler.heading[0], crawler.brain.mode[0])
            )
        return np.array(track)

    left, right = path(1), path(-1)
    assert {BrainMode.AVOIDANCE, BrainMode.TROPHOTROPISM} <= set(left[:, 3].astype(int))
    np.testing.assert_allclose(left, right, atol=1e-9)  # rounding only, grown by the feedback over seven seconds


@pytest.mark.parametrize("target", [(12, 0), (5, 9), (-6, 3), (0.5, 2.5), (-2, 0)])
def test_goto_arrives_and_stays_also_from_inside_the_turning_circle(target):
    crawler = Crawlers([[0, 0]], [0.0])
    goals = crawler.brain.goals
    goals.kind[0], goals.position[0], goals.radius[0] = GoalKind.GOTO, (*target, 1.0), 1.0
    crawler.run(40.0)
    assert crawler.brain.goal_done[0] == 1
    assert np.hypot(*(crawler.plan[0] - target)) < 1.0
    assert crawler.brain.speed[0] == 0.0


def test_goto_slows_down_before_it_arrives():
    crawler = Crawlers([[0, 0]], [0.0])
    goals = crawler.brain.goals
    goals.kind[0], goals.position[0], goals.radius[0] = GoalKind.GOTO, (8.0, 0.0, 1.0), 0.5
    speeds = []
    while not crawler.brain.goal_done[0]:
        crawler.step()
        speeds.append(crawler.brain.speed[0])
    assert max(speeds) == pytest.approx(2.0)
    assert speeds[-2] < 0.7


def test_goto_walks_around_a_wall_and_keeps_its_mode():
    crawler = Crawlers([[0, 0]], [0.0], solids=box((6, 0), 0.4, 6.0))
    goals = crawler.brain.goals
    goals.kind[0], goals.position[0] = GoalKind.GOTO, (14.0, 0.0, 1.0)
    modes = set()
    for _ in range(round(60 / DT)):
        crawler.step()
        modes.add(int(crawler.brain.mode[0]))
        if crawler.brain.goal_done[0]:
            break
    assert crawler.brain.goal_done[0] == 1
    assert modes == {BrainMode.CONTROL}


def test_follow_keeps_its_distance_behind_a_walking_leader():
    crawlers = Crawlers([[0, 0], [8, 0]], [0.0, 0.0], seed=4)
    goals = crawlers.brain.goals
    crawlers.brain.parameters[1, Brain.SPEED] = 1.0
    goals.kind[0], goals.row[0], goals.radius[0] = GoalKind.FOLLOW, 1, 3.0
    crawlers.run(20.0)
    distances = []
    for _ in range(600):
        crawlers.step()
        distances.append(np.hypot(*(crawlers.plan[0] - crawlers.plan[1])))
    assert 1.5 < min(distances)
    assert max(distances) < 5.0


@pytest.mark.parametrize("kind", [GoalKind.FLEE_POINT, GoalKind.FLEE_CREATURE])
def test_flee_leaves_the_radius_and_then_lives_its_own_life(kind):
    crawlers = Crawlers([[0, 0], [2, 0.5]], [0.0, 0.0])
    goals = crawlers.brain.goals
    crawlers.brain.parameters[1, Brain.SPEED] = 0.0  # the threat stays where it is
    goals.kind[0], goals.row[0], goals.position[0], goals.radius[0] = kind, 1, (2.0, 0.5, 1.0), 10.0
    crawlers.step()
    assert crawlers.brain.mode[0] == BrainMode.CONTROL
    while not crawlers.brain.goal_done[0]:
        crawlers.step()
        assert crawlers.time < 20.0
    assert np.hypot(*(crawlers.plan[0] - (2.0, 0.5))) >= 9.9
    assert crawlers.brain.mode[0] == BrainMode.RANDOM_WALK


def test_user_control_is_stopped_by_the_clearance_but_may_walk_back():
    crawler = Crawlers([[0, 0]], [0.0], solids=box((4.0, 0), 1.0, 40.0))
    crawler.brain.goals.kind[0], crawler.brain.goals.drive[0] = GoalKind.DRIVE, (4.0, 0.0, 0.0)
    crawler.run(3.0)
    assert crawler.plan[0, 0] == pytest.approx(3.5 - 0.6, abs=BARRIER_GAP)  # from there on it would slide
    crawler.brain.goals.drive[0] = -1.0, 0.0, 0.0
    crawler.run(1.0)
    assert crawler.plan[0, 0] < 2.2


@pytest.mark.parametrize("width", [5.0, 4.0, 3.0, 2.4])
def test_a_corridor_is_walked_through_without_going_back(width):
    walls = stack_solids(box((40, width / 2 + 0.5), 110, 1), box((40, -width / 2 - 0.5), 110, 1))
    crawler = straight_walker(headings=[0.1], solids=walls)
    for _ in range(round(30 / DT)):
        crawler.step()
        assert abs(crawler.plan[0, 1]) < width / 2 - 0.59
    assert crawler.plan[0, 0] > 30.0


def test_threads_do_not_change_a_bit():
    def state(threads):
        before = numba.get_num_threads()
        numba.set_num_threads(min(threads, before))
        generator = np.random.default_rng(0)
        crawlers = Crawlers(
            generator.uniform(-15, 15, (60, 2)), generator.uniform(-3, 3, 60), see_bodies=True,
            solids=stack_solids(*(pillar(at, 0.6) for at in generator.uniform(-15, 15, (20, 2)))),
            food=generator.uniform((-15, -15, 0), (15, 15, 1), (20, 3)), bounds=np.array([-20.0, -20.0, 20.0, 20.0]),
        ).run(2.0)  # fmt: skip
        numba.set_num_threads(before)
        b = crawlers.brain
        return [
            a.tobytes() for a in (crawlers.segments.position, crawlers.points, b.memory, b.mode, b.stream, b.senses.smell)
        ]

    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert state(1) == state(2)


def test_a_mode_of_a_mod_overrules_weaker_modes_only_and_obeys_the_limits():
    crawlers = straight_walker(start=[[0, 0], [0, 50], [0, 100]], headings=np.zeros(3))
    asked = []

    def bolt(brain, rows):
        asked.append(rows.tolist())
        return Wish(wants=rows != 0, speed=np.full(rows.size, 4.0), yaw_rate=np.full(rows.size, 9.0))

    number = crawlers.modes.add("bolt", priority=70.0, decide=bolt)
    crawlers.brain.goals.kind[2] = GoalKind.DRIVE  # CONTROL is stronger than 70
    crawlers.run(1.0)
    assert asked[-1] == [0, 1]
    assert crawlers.brain.mode.tolist() == [BrainMode.RANDOM_WALK, number, BrainMode.CONTROL]
    assert crawlers.modes.name_of(number) == "BOLT"
    assert crawlers.brain.speed[1] == pytest.approx(4.0)
    assert crawlers.brain.yaw_rate[1] == pytest.approx(4.0 / 5.0)


def test_the_highest_of_several_added_modes_wins_whatever_the_order_they_came_in():
    def constant(speed):
        return lambda brain, rows: Wish(np.ones(rows.size, bool), np.full(rows.size, speed), np.zeros(rows.size))

    for order in ((30.0, 90.0), (90.0, 30.0)):
        crawler = straight_walker()
        for priority in order:
            crawler.modes.add(f"mode {priority}", priority=priority, decide=constant(priority / 100))
        crawler.step()
        assert crawler.modes.name_of(int(crawler.brain.mode[0])) == "MODE 90.0"


def test_a_mode_with_a_taken_name_or_priority_is_refused():
    modes = ModeRegistry()
    with pytest.raises(ValueError, match="AVOIDANCE exists"):
        modes.add("avoidance", priority=1.0, decide=lambda brain, rows: None)
    with pytest.raises(ValueError, match="CONTROL has priority"):
        modes.add("mine", priority=80.0, decide=lambda brain, rows: None)


def test_another_family_has_a_registry_of_its_own_modes_and_wishes_in_depth():
    class Mood(IntEnum):
        REST = 0
        PLAY = 1

    modes = ModeRegistry(modes=Mood, priorities={Mood.REST: 10.0, Mood.PLAY: 20.0})
    rows = np.arange(3, dtype=np.int32)

    def dive(_mind, rows):
        return Wish(rows != 2, np.ones(rows.size), np.zeros(rows.size), climb=np.full(rows.size, -0.5))

    def rise(_mind, rows):
        return Wish(rows == 2, np.full(rows.size, 2.0), np.zeros(rows.size))

    number = modes.add("dive", priority=15.0, decide=dive)
    modes.add("rise", priority=30.0, decide=rise)
    mind = SimpleNamespace(mode=np.array([Mood.REST, Mood.PLAY, Mood.PLAY], np.uint8), wish=np.zeros((3, 3)))
    modes.overrule(mind, rows)
    assert modes.name_of(Mood.PLAY) == "PLAY"
    assert mind.mode.tolist() == [number, Mood.PLAY, number + 1]
    assert mind.wish.tolist() == [[1.0, 0.0, -0.5], [0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
