"""Real creatures in a whole world: determinism, snapshots, verbs, tiers, and orders that make no sense."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from paludarium import BodyMode, BrainMode, Map, PaludariumError, SpawnError, SpeciesError, StaleHandleError, World
from paludarium.engine.pool import Rows

SPECIES = ("giant_centipede", "stone_centipede", "millipede", "robot", "pauropod")


def busy_world(seed: int = 4) -> World:
    world = World(seed=seed, map=Map.define(
        name="busy", area={"width_u": 80, "height_u": 80}, terrain={"kind": "noise", "amplitude": 0.6, "scale": 12.0},
        food=[{"count": 6, "spread_u": 25}], obstacles=[{"kind": "cylinder", "count": 4, "spread_u": 35}],
    ))  # fmt: skip
    world.spawn("stone_centipede", count=3, spread=20)
    world.spawn("pauropod", count=2, spread=20, tier="bush")
    world.spawn("robot", count=2, spread=20, tier="follow")
    return world


def test_same_seed_and_calls_give_the_same_hash_after_600_ticks_on_one_and_two_threads(threads, monkeypatch):
    monkeypatch.setattr("paludarium.engine.world.CREATURES_PER_THREAD", 1)  # let even this few use all threads
    hashes = []
    for count in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
        threads(count)
        world = busy_world()
        world.step(600)
        hashes.append(world.state_hash())
    assert hashes[0] == hashes[1]


def test_continuing_after_load_equals_never_having_stopped(tmp_path):
    world = busy_world()
    star = next(iter(world.creatures.values()))
    star.goto((10.0, 5.0))
    world.step(90)
    world.save(tmp_path / "world.palu")
    copy = World.load(tmp_path / "world.palu")
    assert copy.state_hash() == world.state_hash()
    for each in (world, copy):
        each.step(60)
        each.spawn("millipede", at=(0, 30))
        each.step(60)
    assert copy.state_hash() == world.state_hash()


def test_looking_does_not_change_anything():
    world = busy_world()
    world.step(10)
    before = world.state_hash()
    from paludarium import Camera

    world.picture.frame(Camera((160, 90)), (160, 90))
    for creature in world.creatures.values():
        _ = (creature.position, creature.legs.state, creature.brain.mode, creature.body_mode, world.near(creature, 5.0))
    assert world.state_hash() == before


def test_an_empty_world_runs_every_kernel_on_nothing():
    world = World(seed=1)
    world.step(3)
    assert world.picture.scene().creatures == ()
    assert len(world.state_hash()) == 32


@pytest.mark.parametrize("species", SPECIES)
def test_every_species_stands_walks_and_turns_with_the_same_code(species):
    world = World(seed=2)
    creature = world.spawn(species)
    start = creature.position.copy()
    creature.control(1.5, 0.0)
    world.step(300)
    assert creature.brain.mode == BrainMode.CONTROL
    assert creature.body_mode == BodyMode.ON_GROUND
    walked = creature.position - start
    assert walked[0] > 4.0
    assert abs(walked[1]) < 1.0
    heights = creature.segments.position[:, 2]
    assert heights.min() > 0.6
    assert heights.max() < 1.3
    creature.control(1.5, 0.25)
    world.step(180)
    assert creature.heading > 0.4
    for pool in world.pools.values():
        assert pool.first_bad_column(Rows(0, pool.end, 0)) is None, type(pool).__name__


MISTAKES = {
    "legs on segments that do not exist": ("legs", {"on_segments": [1, 40]}, "on_segments"),
    "negative length": ("segments", {"count": 5, "length_u": -1.0}, "length_u"),
    "nan": ("tissue", {"density": float("nan")}, "density"),
    "belly below the ground": ("body", {"ride_height_u": 0.2}, "ride_height_u"),
    "step backward": ("gait", {"aep_theta_deg": -50.0}, "pep_theta_deg"),
    "too many links": ("antennae", {"link_count": 99}, "link_count"),
    "unknown colour": ("appearance", {"plate": "brown"}, "plate"),
}


@pytest.mark.parametrize("table, keys, named", MISTAKES.values(), ids=MISTAKES)
def test_impossible_animals_are_refused_by_name(table, keys, named):
    world = World(seed=1)
    parts = {name: {} for name in ("tissue", "body", "legs", "gait", "antennae", "brain", "appearance")}
    tables = {"segments": {"count": 5}, **parts, table: keys}
    with pytest.raises(SpeciesError, match=named):
        world.define_species("impossible", **tables)
    assert not world.creatures


def test_places_that_cannot_be_are_refused_and_nothing_remains():
    world = World(seed=1, map=Map.define(area={"width_u": 40, "height_u": 40}))
    world.add_obstacle("cylinder", (10.0, 0.0), 2.0)
    before = world.state_hash()
    places = {(30.0, 0.0): "off the map", (10.5, 0.0): "inside a cylinder", (0.0, 0.0, -3.0): "inside the ground"}
    for at, word in places.items():
        with pytest.raises(SpawnError, match=word):
            world.spawn("pauropod", at=at)
    assert world.state_hash() == before
    creature = world.spawn("pauropod", at=(0.0, 10.0))
    with pytest.raises(SpawnError, match="inside"):
        world.add_obstacle("sphere", creature.position[:2], 1.0)
    for amount in (0.0, -1.0, float("nan")):
        with pytest.raises(SpawnError, match="amount"):
            world.add_food((0.0, 0.0), amount)


def test_a_point_hits_the_body_and_not_the_circle_around_it():
    world = World(seed=1)
    creature = world.spawn("stone_centipede", at=(0.0, 0.0))  # lies from x = 0 to x = -34
    assert world.hit((-20.0, 0.2)) == [creature]
    assert world.hit((-20.0, 3.0)) == []
    assert world.hit((-20.0, 3.0), radius=2.8) == [creature]
    assert world.near((-20.0, 3.0), 1.0) == [creature]
    world.add_obstacle("sphere", (-20.0, 4.0), 2.0)


def test_a_place_on_a_ball_without_a_floor_is_on_its_top():
    ball = {"kind": "shapes", "shapes": [{"kind": "sphere", "center": [0, 0, 0], "radius": 15}]}
    world = World(seed=1, map=Map.define(terrain=ball))
    creature = world.spawn("pauropod", at=(0.0, 0.0))
    assert creature.position[2] == pytest.approx(16.0, abs=0.01)
    with pytest.raises(SpawnError, match="no ground"):
        world.spawn("pauropod", at=(50.0, 0.0))


def test_orders_are_obeyed():
    world = World(seed=3)
    walker, hunter = world.spawn("pauropod", at=(0, 0)), world.spawn("pauropod", at=(0, 30))
    walker.goto((12.0, 4.0))
    hunter.follow(walker, distance=5.0)
    world.step(900)
    assert walker.distance_to((12.0, 4.0)) < 2.5
    assert hunter.distance_to(walker) < 10.0
    walker.despawn()
    world.step(2)
    assert hunter.brain.goal.name == "NONE"  # whom it followed is gone
    hunter.flee_from(hunter.position.copy(), radius=8.0)
    start = hunter.position.copy()
    world.step(420)
    assert np.hypot(*(hunter.position - start)[:2]) > 5.0


def test_senseless_orders_are_refused():
    world = World(seed=3)
    walker = world.spawn("pauropod")
    for order in (lambda: walker.goto((np.nan, 0)), lambda: walker.control(np.inf), lambda: walker.follow(walker),
                  lambda: walker.push((0, 0, np.nan)), lambda: walker.push((0, 0, 1), segment=99),
                  lambda: setattr(walker, "tier", "ultra")):  # fmt: skip
        with pytest.raises(PaludariumError):
            order()
    with pytest.raises(AttributeError, match="did you mean 'goto'"):
        walker.gotoo((0, 0))
    walker.despawn()
    with pytest.raises(StaleHandleError):
        walker.goto((0, 0))


def test_a_pushed_creature_finds_its_feet_again_and_a_dead_one_does_not():
    world = World(seed=5)
    pushed, killed = world.spawn("pauropod", at=(0, 0)), world.spawn("pauropod", at=(0, 20))
    world.step(60)
    pushed.push((0.0, 0.0, 12.0), segment=3)
    killed.kill()
    heard = []
    world.on("died", lambda event: heard.append(event.creature))
    world.step(10)
    assert pushed.brain.mode == BrainMode.ADJUSTMENT
    world.step(290)
    assert pushed.brain.mode != BrainMode.ADJUSTMENT
    assert heard == [killed]
    assert killed.dead
    assert killed.segments.position[:, 2].max() < 0.75  # it lies on its belly
    still = killed.position.copy()
    world.step(60)
    assert np.abs(killed.position - still).max() < 0.05


def test_changing_the_tier_is_not_seen():
    """Position continuous, velocity within 5 % of walking speed, at every change between all tiers."""
    world = World(seed=6)
    creature = world.spawn("stone_centipede")
    creature.control(2.0)
    world.step(240)
    for tier in ("bush", "full", "follow", "full", "follow", "bush", "follow"):
        before, velocity = creature.segments.position.copy(), creature.segments.velocity.copy()
        creature.tier = tier
        world.step()
        moved = (creature.segments.position - before) * world.tick_rate
        middle = np.linalg.norm(moved.mean(axis=0) - velocity.mean(axis=0))
        assert middle < 0.05 * 2.0, tier
        assert np.abs(creature.segments.position - before).max() < 4.0 / world.tick_rate, tier
        world.step(40)


def test_a_dead_body_is_in_the_world_until_it_is_removed():
    world = World(seed=1)
    creature = world.spawn("pauropod")
    creature.kill()
    assert creature.dead
    assert creature.in_world
    assert creature.alive  # the older name says the same
    world.despawn(creature)
    assert not creature.in_world
    assert not creature.alive


def test_the_middle_tier_has_a_plainer_name():
    world = World(seed=1)
    creature = world.spawn("pauropod", tier="joint")
    assert creature.tier == "bush"
    creature.tier = "full"
    creature.tier = "joint"
    assert creature.tier == "bush"
    with pytest.raises(PaludariumError, match="full, bush, follow"):
        creature.tier = "joints"
