"""What a game tells insects, and what it is told: loads, jaws, stops, paths, triangles, wind, nests, events."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.insect.colony import Errand
from paludarium.components.insect.tripods import TripodPool
from paludarium.components.insect.trunk import TrunkMode, TrunkPool
from paludarium.components.legs import LegPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.errors import MapError, PaludariumError
from paludarium.engine.maps import Map
from paludarium.engine.replay import Recording, replay

PLANE = {"name": "plane", "area": {"width_u": 80, "height_u": 80}, "terrain": {"kind": "flat"}}


def plane(**tables):
    return World(seed=2, map=Map.define(**PLANE, **tables))


def heard(world, *kinds):
    """Events of these kinds, as they come."""
    told = []
    for kind in kinds:
        world.on(kind, told.append)
    return told


def test_a_piece_is_carried_home_and_stored():
    world = plane(nests=[{"at_u": [10, 0]}])
    told = heard(world, "picked_up", "dropped", "stored")
    ant, food = world.spawn("worker_ant", at=(0, 0)), world.add_food((0.5, 0.0), amount=0.2)
    ant.carry(food)
    assert (ant.colony.errand, ant.load) == (Errand.HOMEWARD, pytest.approx(0.6))  # 3 masses for an amount of 1
    world.step(600)
    assert [event.kind for event in told] == ["picked_up", "stored"]
    assert (told[1].nest, told[1].amount, told[1].creature) == (0, 0.2, ant)
    assert (ant.colony.trips, ant.load, food.exists) == (1, 0.0, False)


def test_what_is_dropped_lies_on_the_ground_where_the_jaws_were():
    world = plane(nests=[{"at_u": [30, 0]}])
    told = heard(world, "dropped")
    ant, food = world.spawn("worker_ant", at=(0, 0)), world.add_food((0.5, 0.0), amount=0.2)
    ant.carry(food)
    world.step(120)
    ant.drop()
    assert (ant.load, food.exists, len(told)) == (0.0, True, 0)
    at = world.props.food.position[food.rows.start]
    assert np.linalg.norm(at[:2] - ant.position[:2]) < 1.5
    assert at[2] == pytest.approx(0.0, abs=1e-9)
    world.step(1)
    assert [event.amount for event in told] == [0.2]
    ant.drop()  # nothing to drop: nothing happens
    world.step(120)
    assert (len(told), ant.load) == (1, 0.0)  # nor is it taken up again at once


def test_the_dead_let_go():
    world = plane(nests=[{"at_u": [30, 0]}])
    ant, food = world.spawn("worker_ant", at=(0, 0)), world.add_food((0.5, 0.0), amount=0.2)
    ant.carry(food)
    world.step(30)
    ant.kill()
    world.step(2)
    assert world.props.food.carrier[food.rows.start] < 0
    assert food.exists


def test_who_is_robbed_begins_anew():
    world = plane(nests=[{"at_u": [30, 0]}])
    ant, food = world.spawn("worker_ant", at=(0, 0)), world.add_food((0.5, 0.0), amount=0.2)
    ant.carry(food)
    world.step(30)
    food.remove()
    world.add_food((-20, -20), amount=5.0)  # it takes the row that was held
    world.step(2)
    assert (ant.colony.errand, ant.load) == (Errand.SEARCH, 0.0)
    assert world.props.food.position[world.props.food.spans[0, 0], 0] == -20.0


def test_a_load_lowers_and_slows():
    """Speed by v (1 - 0.1 load) within a few per cent, height by the crouch of the study. [insect 6]"""
    world = plane()
    ants = [world.spawn("worker_ant", at=(0, 10 * k)) for k in range(3)]
    for ant, load in zip(ants, (0.0, 1.0, 3.0), strict=True):
        ant.load = load
        ant.control(20.0)  # as fast as it can
    world.step(180)
    trunks = world.pool(TrunkPool)
    speeds, heights = trunks.speed[[a.row for a in ants]], trunks.position[[a.row for a in ants], 2]
    np.testing.assert_allclose(speeds[1:] / speeds[0], (0.9, 0.7), rtol=1e-6)
    np.testing.assert_allclose(heights, 0.6 * (1.0 - np.array([0.0, 0.13, 0.39])), rtol=0.03)
    for bad in (-1.0, np.nan, 5.1, "much"):  # one holds five of its masses
        with pytest.raises(PaludariumError, match="load"):
            ants[0].load = bad


@pytest.mark.parametrize("doing", ["forage", "control", "path"])
def test_stop_and_go(doing):
    """It stands on six feet within half a second [insect 3], stays, and goes on with what it was about."""
    world = plane(nests=[{"at_u": [30, 0]}])
    ant = world.spawn("worker_ant", at=(0, 0))
    if doing == "control":
        ant.control(2.0)
    elif doing == "path":
        ant.follow_path([(12, 0), (12, 12)])
    world.step(90)
    goal = int(world.creature_pool.goal_kind[ant.row])
    ant.stop()
    world.step(45)
    at = ant.position.copy()
    assert world.pool(TripodPool).stands[ant.row].all()
    world.step(120)
    assert np.linalg.norm(ant.position - at) < 1e-9
    ant.go()
    world.step(60)
    assert np.linalg.norm(ant.position - at) > 1.0
    assert int(world.creature_pool.goal_kind[ant.row]) == goal


def test_only_insects_stop_and_carry():
    world = plane()
    worm, ant = world.spawn("pauropod", at=(20, 20)), world.spawn("ground_beetle", at=(0, 0))
    for call in ("stop", "go"):
        with pytest.raises(PaludariumError, match="allowed are insects"):
            getattr(worm, call)()
    with pytest.raises(PaludariumError, match="allowed are living animals of a colony"):
        ant.carry(world.add_food((1, 1)))
    assert worm.triangle is None
    with pytest.raises(PaludariumError, match="no piece of food"):
        world.spawn("worker_ant", at=(5, 5)).carry("leaf")


def test_a_path_is_followed_and_begun_again():
    world = plane()
    ant = world.spawn("worker_ant", at=(0, 0))
    corners = np.array([(8.0, 0.0), (8.0, 8.0), (0.0, 8.0), (0.0, 0.0)])
    ant.follow_path(corners, loop=True, radius=1.0)
    nearest = np.full(4, np.inf)
    rounds, last = 0, np.inf
    for _ in range(3000):
        world.step(1)
        away = np.linalg.norm(corners - ant.position[:2], axis=1)
        nearest = np.minimum(nearest, away)
        rounds += away[0] < 1.1 <= last
        last = away[0]
    assert (nearest < 1.1).all()
    assert rounds >= 2


def test_the_triangle_is_that_of_standing_feet():
    world = plane()
    ant = world.spawn("worker_ant", at=(0, 0))
    ant.control(6.0)
    for _ in range(120):
        world.step(1)
        feet, tips = ant.triangle, world.pool(LegPool).tip[ant.rows["legs"].slice]
        assert feet.shape == (3, 3)
        assert any((feet == tips[list(legs)]).all() for legs in ((0, 3, 4), (1, 2, 5)))
        stands = world.pool(TripodPool).stands[ant.row].astype(bool)
        if stands.sum() == 3:
            assert (feet == tips[stands]).all()
            assert np.abs(feet[:, 2]).max() < 1e-6


def test_one_that_is_thrown_falls_says_so_and_stands_up_again():
    world = plane()
    told = heard(world, "fell")
    ant = world.spawn("worker_ant", at=(0, 0))
    world.step(30)
    mass = float(world.pool(SegmentPool).mass[ant.rows["segments"].slice].sum())
    ant.push((0.0, 15.0 * mass, 9.0 * mass), segment=1)
    world.step(60)
    assert [event.creature for event in told][:1] == [ant]
    world.step(360)
    assert ant.trunk.mode == TrunkMode.WALK
    assert ant.trunk.normal[2] > 0.9


def test_two_of_one_nest_that_meet_tell_it():
    world = plane(nests=[{"at_u": [30, 0]}])
    base = world.species["worker_ant"].source
    world.define_species("polite", **{**base, "colony": {"greet_chance": 1.0}})
    told = heard(world, "met")
    one, other = world.spawn("polite", at=(-1.5, 0)), world.spawn("polite", at=(1.5, 0), heading=np.pi)
    one.carry(world.add_food((-1, 0), amount=0.2))
    world.step(240)
    assert [{event.creature.serial, event.other} for event in told] == [{one.serial, other.serial}]


def test_wind_of_a_map_blows_from_the_beginning_is_saved_and_replayed(tmp_path):
    world = plane(wind={"direction_deg": 90, "strength": 1.0, "gusts": 0.5, "period_s": 2.0})
    ant = world.spawn("worker_ant", at=(0, 0))
    np.testing.assert_allclose(world.weather.wind.now(), (0.0, 1.0, 0.0), atol=1e-12)
    ant.control(1.0)
    world.step(120)
    assert world.pool(TrunkPool).crouch[ant.row] > 0.05
    world.save(tmp_path / "windy.save")
    again = World.load(tmp_path / "windy.save")
    assert again.state_hash() == world.state_hash()
    for one in (world, again):
        one.step(60)
    assert again.state_hash() == world.state_hash()
    calm = plane()
    calm.spawn("worker_ant", at=(0, 0)).control(1.0)
    calm.step(180)
    assert calm.state_hash() != world.state_hash()


def test_wind_stop_and_nests_are_replayed(tmp_path):
    world = plane(wind={"strength": 0.5}, nests=[{"at_u": [20, 0], "entrances": 2}])
    recording = Recording(world)
    ant = world.spawn("worker_ant", at=(0, 0))
    world.step(20)
    ant.stop()
    world.add_nest((0, 20))
    world.set_wind(direction=1.0, strength=0.8)
    world.step(20)
    ant.go()
    ant.carry(world.add_food((1, 0), amount=0.2))
    ant.load = 0.5
    world.step(60)
    recording.save(tmp_path / "a.jsonl")
    assert replay(tmp_path / "a.jsonl").state_hash() == world.state_hash()


@pytest.mark.parametrize("table, key", [({"strength": -1.0}, "strength"), ({"strength": 21.0}, "strength"),
                                        ({"gusts": 2.0}, "gusts"), ({"period_s": 0.0}, "period_s"), ({"from": 3}, "from"),
                                        ({"direction_deg": float("nan")}, "direction_deg")])  # fmt: skip
def test_wrong_wind_names_the_key(table, key):
    with pytest.raises(MapError, match=key):
        plane(wind=table)
