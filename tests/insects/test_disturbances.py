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
