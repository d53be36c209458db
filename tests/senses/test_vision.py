"""The eyes of swimmers against brute force and closed forms, and what the brain does about what they see."""

from __future__ import annotations

from math import cos, radians

import numpy as np
import pytest

from paludarium.components.body import BodyPool
from paludarium.components.brain import BrainPool
from paludarium.components.parameters import parameter_row
from paludarium.components.segments import SegmentPool
from paludarium.components.vision import OUT_OF_SIGHT, Vision, VisionPool, VisionSpec
from paludarium.engine.bundle import Packed
from paludarium.engine.creature import CreaturePool
from paludarium.engine.props import FoodPool
from paludarium.engine.spatial_hash import hash_points
from paludarium.engine.terrain import Terrain
from paludarium.engine.water import Pond, Water
from paludarium.systems.brain import Brain, BrainMode, GoalKind
from paludarium.systems.senses import hash_solids, no_solids, sphere
from paludarium.systems.senses.vision_kernel import SAMPLE_STEP, look_about
from paludarium.systems.spatial_index.index import Around, Herd
from paludarium.tests.capsule_rows import capsules
from paludarium.tests.senses.crawlers import DT, Crawlers, filled, one_thread  # noqa: F401 - a fixture

NO_EDGE = np.array([-np.inf, -np.inf, np.inf, np.inf])
FLAT = Terrain.flat(bounds=(-200, -200, 200, 200))
LAKE = Water([Pond(bounds=(-100, -100, 100, 100), level=3.0, cell=1.0)], FLAT).arrays


def look(places, headings, food=(), amount=1.0, solids=None, bodies=None, bounds=NO_EDGE, water=LAKE, afloat=1,
         **changes):
    """(food, alert) of heads at these places."""
    places = np.asarray(places, dtype=float).reshape(-1, 2)
    n, half = len(places), np.asarray(headings, dtype=float) / 2
    body, segments, brains, eyes = (filled(kind, n) for kind in (BodyPool, SegmentPool, BrainPool, VisionPool))
    body.first_segment[:], brains.afloat[:] = np.arange(n), afloat
    eyes.parameters[:] = parameter_row(VisionSpec(), **changes)
    segments.position[:] = np.column_stack([places, np.full(n, 2.5)])
    segments.orientation[:] = np.column_stack([np.cos(half), np.zeros(n), np.zeros(n), np.sin(half)])
    food = np.asarray(food, dtype=float).reshape(-1, 3)
    pool = filled(FoodPool, len(food))
    pool.position[:], pool.amount[:] = food, amount
    solids, bodies = (no_solids() if item is None else item for item in (solids, bodies))
    around = Around(solids, hash_solids(solids), bodies, hash_solids(bodies), np.arange(len(food), dtype=np.int32),
                    hash_points(food, 8.0), bounds)  # fmt: skip
    nobody = Herd(np.zeros(0, np.int32), hash_points(np.zeros((0, 3)), 8.0))
    look_about(np.arange(n, dtype=np.int32), body, segments, brains, eyes, pool,
               Packed(around), water, filled(CreaturePool, n), Packed(nobody))  # fmt: skip
    return eyes.food, eyes.alert


def test_nearest_food_in_the_fan_is_that_of_brute_force():
    generator = np.random.default_rng(4)
    food = np.column_stack([generator.uniform(-60, 60, (200, 2)), np.zeros(200)])
    amount = (generator.random(200) < 0.7).astype(float)
    places, headings = generator.uniform(-40, 40, (60, 2)), generator.uniform(-np.pi, np.pi, 60)
    seen, _ = look(places, headings, food, amount, food_range=12.0)
    found = 0
    for place, heading, (distance, bearing) in zip(places, headings, seen, strict=True):
        offset = food[:, :2] - place
        away = np.hypot(*offset.T)
        aside = (np.arctan2(offset[:, 1], offset[:, 0]) - heading + np.pi) % (2 * np.pi) - np.pi
        inside = (amount > 0) & (away <= 12.0) & (np.abs(aside) <= radians(60.0))
        if not inside.any():
            assert distance == OUT_OF_SIGHT
            continue
        k = np.where(inside, away, np.inf).argmin()
        assert distance == pytest.approx(away[k], rel=1e-12)
        assert bearing == pytest.approx(aside[k], abs=1e-12)
        found += 1
    assert 20 < found < 60


@pytest.mark.parametrize("distance", [3.0, 8.0, 11.5])
def test_wall_straight_ahead_is_seen_in_both_halves_at_its_distance(distance):
    _, alert = look([[0.0, 0.0]], [0.0], bounds=np.array([-np.inf, -np.inf, distance, np.inf]))
    straightest = radians(35.0) * 0.5 / 8  # half a ray from the middle
    assert alert[0] == pytest.approx([distance / cos(straightest)] * 2, rel=1e-12)


def test_wall_along_one_side_is_seen_in_that_half_only():
    bounds = np.array([-np.inf, -np.inf, np.inf, 4.0])  # to the north of a head that looks east
    _, alert = look([[0.0, 0.0], [0.0, 0.0]], [0.0, np.pi], bounds=bounds)
    widest = radians(35.0) * 7.5 / 8
    assert alert[0] == pytest.approx([4.0 / np.sin(widest), OUT_OF_SIGHT], rel=1e-12)
    assert alert[1] == pytest.approx([OUT_OF_SIGHT, 4.0 / np.sin(widest)], rel=1e-12)


def test_obstacle_is_seen_at_its_surface():
    _, alert = look([[0.0, 0.0]], [0.0], solids=sphere((8.0, 2.0, 2.5), 1.5))
    assert 6.5 < alert[0, 0] < 7.0
    assert alert[0, 1] == OUT_OF_SIGHT


def test_shore_and_end_of_the_pond_are_walls_unless_the_animal_does_not_mind():
    pond = Water([Pond(bounds=(-50, -50, 10, 50), level=3.0, cell=1.0)], FLAT).arrays
    _, alert = look([[2.0, 0.0]], [0.0], water=pond)
    assert (8.0 <= alert[0]).all()
    assert (alert[0] <= 8.0 + 2 * SAMPLE_STEP).all()
    _, alert = look([[2.0, 0.0]], [0.0], water=pond, least_depth=0.0)
    assert (alert[0] == OUT_OF_SIGHT).all()


def test_in_the_shallows_only_what_is_shallower_still_is_a_wall():
    puddle = Water([Pond(bounds=(-50, -50, 50, 50), level=0.5, cell=1.0)], FLAT).arrays
    _, alert = look([[0.0, 0.0]], [0.3], water=puddle, least_depth=0.8)
    assert (alert[0] == OUT_OF_SIGHT).all()


def test_other_bodies_are_seen_and_ones_own_is_not():
    bodies = capsules(np.array([[3.5, 0.5, 2.5]]), np.array([[3.5, 3.0, 2.5]]), 0.5, np.array([1]))
    _, alert = look([[0.0, 0.0], [0.0, 0.0]], [0.0, 0.0], bodies=bodies)
    assert alert[0, 0] == pytest.approx(np.hypot(3.5, 0.5) - 0.5, rel=1e-12)
    assert alert[0, 1] == OUT_OF_SIGHT
    assert (alert[1] == OUT_OF_SIGHT).all()  # the body is that of the second creature


def test_on_land_nothing_is_seen():
    for afloat in (0, 1):
        seen, alert = look([[0.0, 0.0]], [0.0], food=[[5.0, 0.0, 2.5]], solids=sphere((8.0, 0.0, 2.5), 1.5), afloat=afloat)
        assert (seen[0, 0] < OUT_OF_SIGHT) == afloat
        assert (alert[0] < OUT_OF_SIGHT).all() == afloat


def swimmer(seed: int = 0) -> Crawlers:
    """A crawler that swims; everything seen is set by hand."""
    crawler = Crawlers([[0, 0]], [0.0], seed=seed)
    crawler.brain.parameters[:, Brain.WALK_YAW] = 0.0
    crawler.sense = lambda: None
    crawler.brain.senses.afloat[:] = 1
    return crawler


@pytest.mark.parametrize(("alert", "sign"), [((8.0, OUT_OF_SIGHT), -1.0), ((OUT_OF_SIGHT, 8.0), 1.0)])
def test_swimmer_turns_toward_the_free_half(alert, sign):
    crawler = swimmer()
    crawler.brain.senses.alert[0] = alert
    crawler.run(0.5)
    assert crawler.brain.mode[0] == BrainMode.AVOIDANCE
    assert np.sign(crawler.brain.yaw_rate[0]) == sign
    crawler.brain.senses.alert[0] = OUT_OF_SIGHT
    crawler.run(0.4)
    assert crawler.brain.mode[0] == BrainMode.RANDOM_WALK


def test_wall_across_both_halves_is_left_to_a_side_drawn_once_and_kept():
    sides = set()
    for seed in range(8):
        crawler = swimmer(seed)
        crawler.brain.senses.alert[0] = 8.0
        crawler.run(0.5)
        side = np.sign(crawler.brain.yaw_rate[0])
        for alert in ((7.0, 7.0), (6.0, OUT_OF_SIGHT), (OUT_OF_SIGHT, 6.0), (7.0, 7.0)):
            crawler.brain.senses.alert[0] = alert
            crawler.run(0.5)
            assert np.sign(crawler.brain.yaw_rate[0]) == side
        sides.add(float(side))
    assert sides == {-1.0, 1.0}


def test_with_its_nose_at_the_wall_it_backs_off_for_a_while_and_turns_the_same_way_all_along():
    """The muscles see to it that a wanted turn is the body's turn, tail first too."""
    crawler = swimmer()
    crawler.brain.senses.alert[0] = 1.0
    crawler.run(2.0)
    turn = np.sign(crawler.brain.yaw_rate[0])
    assert crawler.brain.speed[0] < 0.0
    crawler.brain.senses.alert[0] = 6.0
    crawler.run(1.6)
    assert crawler.brain.speed[0] > 0.0
    assert np.sign(crawler.brain.yaw_rate[0]) == turn


@pytest.mark.parametrize("distance", [2.0, 10.0, 25.0])
@pytest.mark.parametrize("bearing", [0.0, 0.3, -0.9])
def test_wish_for_food_in_sight_is_that_of_the_digest(distance, bearing):
    crawler = swimmer()
    crawler.brain.senses.seen_food[0] = distance, bearing
    crawler.run(3.0)
    own, eyes = crawler.brain.parameters[0], crawler.brain.senses.eyes[0]
    expected = 1.5 * own[Brain.SPEED] * np.clip(distance / 15.0, 0.3, 1.0) * (1.0 - 0.6 * abs(bearing) / np.pi)
    assert crawler.brain.mode[0] == BrainMode.TROPHOTROPISM
    assert crawler.brain.wish[0, 0] == pytest.approx(expected, rel=1e-6)
    assert crawler.brain.wish[0, 1] == pytest.approx(eyes[Vision.STEER_GAIN] * bearing, rel=1e-6, abs=1e-12)
    assert crawler.brain.speed[0] == pytest.approx(expected, rel=1e-6)  # no wall and no neck limits it


def test_swing_of_the_head_is_averaged_out():
    crawler = swimmer()
    wishes = []
    for k in range(240):
        crawler.brain.senses.seen_food[0] = 20.0, 0.2 + 0.3 * np.sin(2 * np.pi * 1.2 * k * DT)
        crawler.step()
        wishes.append(crawler.brain.wish[0, 1] / 0.64)
    swing = np.ptp(wishes[120:]) / 2
    assert swing == pytest.approx(0.3 / np.hypot(1.0, 2 * np.pi * 1.2 * 0.3), rel=0.05)  # of a first-order low-pass
    assert np.mean(wishes[120:]) == pytest.approx(0.2, abs=0.02)


def test_wall_beats_food_and_a_player_beats_both():
    crawler = swimmer()
    crawler.brain.senses.seen_food[0], crawler.brain.senses.alert[0] = (10.0, 0.1), (8.0, OUT_OF_SIGHT)
    crawler.step()
    assert crawler.brain.mode[0] == BrainMode.AVOIDANCE
    crawler.brain.goals.kind[0], crawler.brain.goals.drive[0] = GoalKind.DRIVE, (3.0, 0.2, 0.0)
    crawler.run(2.0)
    assert crawler.brain.mode[0] == BrainMode.CONTROL
    assert (crawler.brain.speed[0], crawler.brain.yaw_rate[0]) == pytest.approx((3.0, 0.2))


def test_on_land_eyes_do_not_lead():
    crawler = swimmer()
    crawler.brain.senses.afloat[:] = 0
    crawler.brain.senses.seen_food[0], crawler.brain.senses.alert[0] = (10.0, 0.1), (1.0, 1.0)
    crawler.run(1.0)
    assert crawler.brain.mode[0] == BrainMode.RANDOM_WALK
