"""Slopes, ceilings, pushes, wind and falls of the game's ants. [insect 6]"""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.insect.tripods import TripodPool
from paludarium.components.insect.trunk import TrunkMode, TrunkPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.maps import Map

BALL = 8.0
HILL = 500.0
"""Radius of a ball that is so large that an ant on its side climbs a slope, u."""
SQUARE = {"area": {"width_u": 80, "height_u": 80}}


def on_ball(adhesion=5.0):
    """An ant on top of a ball without any ground around it, walking."""
    ball = {"kind": "shapes", "shapes": [{"kind": "sphere", "center": [0, 0, 0], "radius": BALL}]}
    world = World(seed=1, map=Map.define(name="ball", terrain=ball, **SQUARE))
    base = world.species["worker_ant"].source
    world.define_species("walker", **{**base, "trunk": {"adhesion": adhesion}})
    ant = world.spawn("walker", at=(0, 0))
    ant.control(2.0)
    return world, ant


def meadow(count, **tables):
    world = World(seed=1, map=Map.define(name="meadow", terrain={"kind": "flat"}, **SQUARE, **tables))
    places = [(8.0 * (k % 4) - 12.0, 8.0 * (k // 4) - 12.0) for k in range(count)]
    return world, [world.spawn("worker_ant", at=at, heading=0.8 * k) for k, at in enumerate(places)]


def push(ant, velocity):
    """Change the velocity of the whole trunk at once."""
    mass = float(ant.world.pool(SegmentPool).mass[ant.rows["segments"].slice].sum())
    ant.push(mass * np.asarray(velocity, float), segment=1)


def test_once_around_a_ball_upside_down_too():
    world, ant = on_ball()
    trunks, tripods = world.pool(TrunkPool), world.pool(TripodPool)
    lowest, fewest, away = 1.0, 6, []
    for _ in range(1650):
        world.step(1)
        lowest = min(lowest, float(trunks.normal[ant.row, 2]))
        fewest = min(fewest, int(tripods.stands[ant.row].sum()))
        away.append(np.linalg.norm(trunks.position[ant.row]) - BALL)
    assert lowest < -0.99
    assert fewest >= 3
    assert trunks.normal[ant.row, 2] > 0.9  # on top again
    assert 0.43 < min(away) <= max(away) < 0.7  # 0.6 over flat ground; a tenth lower downhill, a tenth higher uphill
    assert ant.trunk.mode == TrunkMode.WALK


def test_on_the_underside_feet_that_hold_bear_a_push_and_others_let_go():
    fallen = {}
    for adhesion in (5.0, 0.5):
        world, ant = on_ball(adhesion)
        told = []
        world.on("fell", told.append)
        world.step(800)
        assert world.pool(TrunkPool).normal[ant.row, 2] < -0.9
        push(ant, (0.0, 0.5, 0.0))
        world.step(60)
        fallen[adhesion] = len(told)
    assert fallen[5.0] == 0
    assert fallen[0.5] >= 1


@pytest.mark.parametrize("jump", [1.0, 3.0])
def test_pushes_are_recovered_and_soon(jump):
    """Up to 4 u/s nobody falls; they are on their way again within a second. [insect 6]"""
    world, ants = meadow(8)
    told = []
    world.on("fell", told.append)
    for ant in ants:
        ant.control(2.0)
    world.step(60)
    for k, ant in enumerate(ants):
        push(ant, (jump * np.cos(0.8 * k), jump * np.sin(0.8 * k), 0.0))
    world.step(5)
    assert all(ant.trunk.mode == TrunkMode.PUSHED for ant in ants)
    world.step(85)
    assert not told
    assert all(ant.trunk.mode == TrunkMode.WALK for ant in ants)


def test_all_that_are_thrown_stand_up_again():
    """Dropped from 3 u with a spin: all are upright within six seconds; half of those of the study are after 1.2."""
    world, ants = meadow(0)
    trunks = world.pool(TrunkPool)
    ants = [world.spawn("worker_ant", at=(6.0 * k - 18.0, 0.0, 3.0), heading=0.5 * k) for k in range(7)]
    rng = np.random.default_rng(2)
    for ant in ants:
        trunks.spin[ant.row] = rng.normal(0.0, 6.0, 3)
        assert ant.trunk.mode == TrunkMode.TUMBLE
    world.step(360)
    assert all(ant.trunk.mode != TrunkMode.TUMBLE for ant in ants)
    assert trunks.normal[[ant.row for ant in ants], 2].min() > 0.9


def blown(adhesion, strength):
    """How many of eight walkers lose their feet within three seconds of a sudden wind."""
    world, _ = meadow(0)
    base = world.species["worker_ant"].source
    world.define_species("walker", **{**base, "trunk": {"adhesion": adhesion}})
    fallen = set()
    world.on("fell", lambda event: fallen.add(event.creature.serial))
    for k in range(8):
        world.spawn("walker", at=(8.0 * (k % 4) - 12.0, 8.0 * (k // 4) - 4.0), heading=0.8 * k).control(2.0)
    world.step(60)
    world.set_wind(direction=0.5 * np.pi, strength=strength)
    world.step(180)
    return len(fallen)


def test_feet_decide_what_wind_blows_away():
    """Feet that hold five weights bear a sudden wind of five, feet that hold half of one not even one of two and a half."""
    assert (blown(5.0, 5.0), blown(0.5, 1.0)) == (0, 0)
    assert (blown(5.0, 20.0), blown(0.5, 2.5)) == (8, 8)


def test_wind_makes_them_lean_and_crouch():
    leans, crouches, moved = [], [], []
    for strength in (0.5, 1.0, 2.0):
        world, ants = meadow(4, wind={"direction_deg": 90, "strength": strength})
        for ant in ants:
            ant.stop()
        rows, trunks = [ant.row for ant in ants], world.pool(TrunkPool)
        start = np.array([ant.position for ant in ants])
        world.step(240)
        _, x, y, _ = trunks.turn[rows].T
        leans.append(float(np.degrees(np.arccos(np.clip(1.0 - 2.0 * (x * x + y * y), -1.0, 1.0))).max()))
        crouches.append(float(trunks.crouch[rows].mean()))
        moved.append(float(np.abs(np.array([ant.position for ant in ants]) - start)[:, 1].max()))
    np.testing.assert_allclose(crouches, 0.18 * 0.6 * np.array([0.5, 1.0, 2.0]), rtol=0.05)
    assert 0.1 < leans[0] < leans[1] < leans[2] < 15.0  # degrees
    assert max(moved) < 0.5


LENGTHS = {"worker_ant": 1.5, "soldier_ant": 2.3, "ground_beetle": 5.4, "cockroach": 3.6, "stick_insect": 10.5}
SPEEDS = {"worker_ant": 2.25, "soldier_ant": 3.0, "ground_beetle": 3.0, "cockroach": 5.0, "stick_insect": 1.2}


def walkers(species, count=4, seed=9, heading=None):
    """Some of a species that walk on a plane, far from each other; and those of them that have lost their feet."""
    length = LENGTHS[species]
    world = World(seed=seed, map=Map.define(name="wide", area={"width_u": 300, "height_u": 300}, terrain={"kind": "flat"}))
    ants = [world.spawn(species, at=(0.0, 7.0 * length * (k - 1.5)), heading=0.8 * k if heading is None else heading)
            for k in range(count)]  # fmt: skip
    fallen = set()
    world.on("fell", lambda event: fallen.add(event.creature.serial))
    for ant in ants:
        ant.control(SPEEDS[species])
    world.step(60)
    return world, ants, fallen


@pytest.mark.parametrize("species", LENGTHS)
def test_all_species_stand_wind_kicks_and_loads(species):
    """Wind of two weights; a kick of 4 u/s for an ant, for others by the root of their lengths; what they can carry."""
    world, ants, fallen = walkers(species)
    world.set_wind(direction=0.5, strength=2.0)
    world.step(120)
    world.set_wind(direction=0.5, strength=0.0)
    world.step(60)
    jump = 4.0 * np.sqrt(LENGTHS[species] / LENGTHS["worker_ant"])
    for k, ant in enumerate(ants):
        push(ant, (jump * np.cos(1.7 * k), jump * np.sin(1.7 * k), 0.0))
    world.step(120)
    for ant in ants:
        ant.load = float(world.pool(TrunkPool).strength[ant.row])
    world.step(120)
    assert not fallen
    assert all(ant.trunk.mode == TrunkMode.WALK for ant in ants)


@pytest.mark.parametrize("species", ["worker_ant", "ground_beetle", "stick_insect"])
def test_headwind_costs_speed_and_tailwind_nothing(species):
    """A tenth of the speed for each weight that pulls it back."""
    walked = {}
    for direction in (0.0, np.pi):
        world, ants, _ = walkers(species, count=2, heading=0.0)
        world.set_wind(direction=direction, strength=2.0)
        world.step(120)
        begun = np.array([ant.position[0] for ant in ants])
        world.step(120)
        walked[direction] = float(np.mean([ant.position[0] for ant in ants] - begun)) / 2.0 / SPEEDS[species]
    assert walked[0.0] == pytest.approx(1.0, abs=0.04)
    assert walked[np.pi] == pytest.approx(0.8, abs=0.04)


def lie_on_back(species):
    world, (one,), _ = walkers(species, count=1)
    trunks, row = world.pool(TrunkPool), one.row
    trunks.mode[row], trunks.turn[row] = TrunkMode.TUMBLE, (0.0, 1.0, 0.0, 0.0)
    trunks.body[row, 2] = 0.6 * trunks.height[row]
    return world, one


@pytest.mark.parametrize("species", LENGTHS)
def test_legs_turn_one_from_its_back(species):
    world, one = lie_on_back(species)
    world.step(240)
    assert one.trunk.mode != TrunkMode.TUMBLE
    assert one.trunk.normal[2] > 0.9


def test_without_legs_that_reach_the_ground_one_stays_on_its_back():
    """The counterpart: what rights it are its legs, and nothing else."""
    world, one = lie_on_back("worker_ant")
    world.pool(TrunkPool).reach[one.row] = 1e-3
    world.step(240)
    assert one.trunk.mode == TrunkMode.TUMBLE


@pytest.mark.parametrize("degrees, area", [(10.0, 0.877), (-10.0, 1.131)])
def test_slopes_shape_the_triangle_of_those_that_walk(degrees, area):
    """Feet of an ant that walks up and down ten degrees, against level ground. [Guo15 eq. 4.6]"""
    found = []
    for slope in (0.0, degrees):
        ball = {"kind": "shapes", "shapes": [{"kind": "sphere", "center": [0, 0, -HILL], "radius": HILL}]}
        world = World(seed=4, map=Map.define(name="hill", terrain=ball, area={"width_u": 400, "height_u": 80}))
        x, far = -HILL * np.sin(np.radians(slope)), 2.25  # uphill is toward the top
        ant = world.spawn("worker_ant", at=(x - far, 0.0))
        ant.control(2.25)
        world.step(120)
        trunks = world.pool(TrunkPool)
        feet = trunks.foot[ant.row] + trunks.spread[ant.row] * float(trunks.crouch[ant.row])
        (ax, ay), (bx, by), (cx, cy) = feet[[0, 3, 4]]
        found.append(0.5 * abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)))
    assert found[1] / found[0] == pytest.approx(area, abs=0.02)
