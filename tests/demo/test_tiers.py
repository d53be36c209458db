"""The policy that gives tiers to creatures: budgets, distance, what must stay full, and replay."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.engine.creature import TIERS
from paludarium.systems.tiers.policy import TierPolicy, apply_changes

VIEW = (-40.0, -40.0, 40.0, 40.0)


@pytest.fixture
def world():
    """Ten animals in a row, 15 units apart, on their feet."""
    world = World(seed=4, precision="float32")
    for place in range(10):
        world.spawn("pauropod", at=(15.0 * place - 67.5, 0.0), heading=np.pi / 2, tier="bush")
    world.step(60)
    return world


def tiers_by_distance(world, x=0.0):
    order = sorted(world.creatures.values(), key=lambda c: abs(c.position[0] - x))
    return [creature.tier for creature in order]


def test_the_nearest_are_full_the_next_bush_and_the_unseen_follow(world):
    TierPolicy(full=2, bush=2, margin=0.0).apply(world, (0.0, 0.0), VIEW)
    assert tiers_by_distance(world) == ["full"] * 2 + ["bush"] * 2 + ["follow"] * 6


def test_outside_the_view_nobody_is_more_than_follow(world):
    TierPolicy(full=10, bush=10, margin=0.0).apply(world, (200.0, 0.0), (190.0, -10.0, 210.0, 10.0))
    assert set(tiers_by_distance(world)) == {"follow"}


def test_the_kept_one_is_full_wherever_it_is_and_takes_a_place_of_the_budget(world):
    last = list(world.creatures.values())[-1]
    TierPolicy(full=2, bush=0, margin=0.0).apply(world, (-60.0, 0.0), VIEW, keep=[last])
    assert last.tier == "full"
    assert tiers_by_distance(world, -60.0).count("full") == 2


def test_ragdolls_stay_full(world):
    first = next(iter(world.creatures.values()))
    first.kill()
    TierPolicy(full=0, bush=0).apply(world, (500.0, 0.0), (490.0, -10.0, 510.0, 10.0))
    assert first.tier == "full"
    assert tiers_by_distance(world).count("full") == 1


def test_animals_that_fall_stay_full_until_they_stand():
    world = World(seed=4, precision="float32")
    faller = world.spawn("pauropod", at=(0.0, 0.0, 12.0))
    world.step(10)
    policy = TierPolicy(full=0, bush=4)
    policy.apply(world, (0.0, 0.0), VIEW)
    assert faller.tier == "full"
    world.step(200)
    policy.apply(world, (0.0, 0.0), VIEW)
    assert faller.tier == "bush"


def test_two_neighbours_do_not_swap_tiers_when_the_camera_trembles(world):
    policy = TierPolicy(full=1, bush=0, margin=0.0)
    policy.apply(world, (0.1, 0.0), VIEW)
    for tremble in (-0.1, 0.1) * 3:
        assert policy.apply(world, (tremble, 0.0), VIEW) == []
    assert policy.apply(world, (20.0, 0.0), VIEW)


def test_the_same_view_gives_the_same_tiers_and_recorded_changes_replay_the_run(tmp_path, world):
    world.save(tmp_path / "start.palu")
    policy, log = TierPolicy(full=2, bush=3), []
    for frame in range(30):
        log += policy.apply(world, (2.0 * frame - 30.0, 0.0), VIEW)
        world.step()
    again = World.load(tmp_path / "start.palu")
    for _ in range(30):
        apply_changes(again, [change for change in log if change.tick == again.tick])
        again.step()
    assert len(log) > 5
    assert again.state_hash() == world.state_hash()


def test_a_policy_on_an_empty_world_changes_nothing():
    assert TierPolicy().apply(World(seed=1), (0.0, 0.0), VIEW) == []


def test_changes_of_creatures_that_are_gone_are_passed_over(world):
    changes = TierPolicy(full=1, bush=1).apply(world, (0.0, 0.0), VIEW)
    for creature in list(world.creatures.values()):
        creature.despawn()
    apply_changes(world, changes)
    assert {change.tier for change in changes} <= set(TIERS)


def places_by_hand(world, policy, center):
    """The tiers of walkers that all stand in view, by sorting Python lists."""
    pool, rows = world.creature_pool, world.creature_pool.spans[:, 0].tolist()
    wanted, left = {}, list(rows)
    for tier, places in ((0, policy.full), (1, policy.bush)):
        loyal = {row: 0.85 if pool.tier[row] <= tier else 1.0 for row in left}
        away = {row: loyal[row] * np.hypot(*(pool.position[row, :2] - center)) for row in left}
        chosen = sorted(left, key=lambda row: (away[row], row))[:places]
        wanted.update(dict.fromkeys(chosen, tier))
        left = [row for row in left if row not in chosen]
    return [wanted.get(row, 2) for row in rows]


@pytest.mark.parametrize("seed", range(8))
def test_places_go_to_the_nearest_whatever_tiers_they_have_and_to_the_first_of_equals(world, seed):
    rng, pool = np.random.default_rng(seed), world.creature_pool
    rows = pool.spans[:, 0]
    pool.position[rows, :2] = rng.integers(-5, 6, (rows.size, 2))  # many are equally far away
    pool.tier[rows] = rng.integers(0, 3, rows.size)
    policy = TierPolicy(full=int(rng.integers(0, 6)), bush=int(rng.integers(0, 6)))
    center = rng.integers(-3, 4, 2).astype(float)
    assert policy.choose(world, rows, center, VIEW).tolist() == places_by_hand(world, policy, center)
