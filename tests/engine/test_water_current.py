"""Currents that a game makes, and obstacles that it puts into ponds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from paludarium import Map, World
from paludarium.engine.replay import Recording, replay
from paludarium.engine.terrain import Terrain
from paludarium.engine.water import Pond, Water, WaterError
from paludarium.engine.water.pond_layout import OWED

TICK = 1.0 / 60.0
FLAT = Terrain.flat(bounds=(-60, -60, 60, 60))
OPEN = {"edge_west": "absorbing", "edge_east": "absorbing"}


def river(speed: float = 0.0, **settings) -> Water:
    pond = Pond(bounds=(-20, -6, 20, 6), level=2.0, current=(speed, 0.0), **{**OPEN, **settings})
    return Water([pond], FLAT)


def river_world(**settings) -> World:
    water = {"bounds": [-20, -8, 20, 8], "level_u": 2.0, **OPEN, **settings}
    return World(seed=3, map=Map.define(name="river", area={"width_u": 40, "height_u": 16}, water=[water]))


def pool_world(side: float = 24.0) -> World:
    water = {"bounds": [-side / 2, -side / 2, side / 2, side / 2], "level_u": 2.0}
    return World(seed=3, map=Map.define(name="pool", area={"width_u": side, "height_u": side}, water=[water]))


def test_a_river_flows_with_its_current_from_the_beginning():
    water = river(1.5)
    for _ in range(600):
        water.step(TICK)
    u, v = water.grids[0].velocity
    assert_allclose(u, 1.5, rtol=1e-3)
    assert np.abs(v).max() < 1e-9
    assert_allclose(water.grids[0].depth, 2.0, rtol=2e-3)


def test_a_pond_takes_up_a_current_and_comes_to_rest_again():
    """To within 3 % a minute after it was asked for; the level rises by 3 % and falls by 4 %, as it does in a canal whose
    ends are opened."""
    water = river()
    grid = water.grids[0]
    for wanted in (1.0, 0.0):
        water.set_current((wanted, 0.0))
        for _ in range(3600):
            water.step(TICK)
        assert_allclose(grid.velocity[0], wanted, atol=0.03)
        assert_allclose(grid.depth, 2.0, rtol=0.06)


def test_a_wave_is_carried_along_by_a_current():
    """Both halves of a pulse 3 units wide are carried by 1.5 units in 1.5 s. The push is the same on every face and damps
    nothing; fluxes of first order smear the pulse, by 7 % of its height (by 31 % for one a unit wide)."""
    crests, heights = [], []
    for speed in (0.0, 1.0):
        grid, calm = river(speed).grids[0], river(speed).grids[0]
        x = grid.origin[0] + (np.arange(grid.size[0]) + 0.5) * grid.cell
        grid.set_depth(np.broadcast_to(2.0 + 0.02 * np.exp(-(((x + 4.0) / 3.0) ** 2)), grid.depth.shape))
        for _ in range(90):
            grid.step(TICK)
            calm.step(TICK)
        pulse = (grid.depth - calm.depth)[grid.size[1] // 2]
        halves = (x < 1.5 * speed - 4.0, x >= 1.5 * speed - 4.0)
        crests.append([x[half][pulse[half].argmax()] for half in halves])
        heights.append([pulse[half].max() for half in halves])
    assert np.mean(crests[1]) - np.mean(crests[0]) == pytest.approx(1.5, abs=0.2)  # half a cell
    assert_allclose(heights[1], heights[0], rtol=0.08)


def test_a_current_needs_sides_that_let_it_in_and_out():
    water = river()
    with pytest.raises(WaterError, match="south and north"):
        water.set_current((0.5, 0.5))
    with pytest.raises(WaterError, match="no pond"):
        water.set_current((0.5, 0.0), at=(50.0, 0.0))
    with pytest.raises(WaterError, match="allowed"):
        water.set_current((math.nan, 0.0))
    with pytest.raises(WaterError, match="20"):
        water.set_current((21.0, 0.0))
    assert water.grids[0].current == (0.0, 0.0)
    water.set_current((0.5, 0.0), at=(0.0, 0.0))
    assert water.grids[0].current == (0.5, 0.0)


def test_a_current_is_saved_hashed_and_replayed(tmp_path):
    world, still = river_world(), river_world()
    recording = Recording(world)
    world.step(10)
    still.step(10)
    assert world.state_hash() == still.state_hash()
    world.water.set_current((0.7, 0.0))
    assert world.state_hash() != still.state_hash()
    leaf = world.add_food((0.0, 0.0))
    world.step(120)
    assert leaf.position[0] > 0.3
    world.save(tmp_path / "river.save")
    recording.save(tmp_path / "run.jsonl")
    again = World.load(tmp_path / "river.save")
    assert again.water.grids[0].current == (0.7, 0.0)
    assert replay(tmp_path / "run.jsonl").state_hash() == again.state_hash() == world.state_hash()
    world.step(30)
    again.step(30)
    assert again.state_hash() == world.state_hash()


def test_a_rock_in_a_pond_is_solid_keeps_the_volume_and_reflects_waves():
    world, free = pool_world(), pool_world()
    grid = world.water.grids[0]
    volume = grid.volume
    wall = world.add_obstacle("box", (2.0, 0.0), size=(1.3, 24.0), height=4.0)
    for one in (world, free):
        one.step(120)
    x = grid.origin[0] + (np.arange(grid.size[0]) + 0.5) * grid.cell
    assert_array_equal(grid.solid.any(axis=0), np.abs(x - 2.0) <= 0.65)
    assert_array_equal(grid.solid.all(axis=0), grid.solid.any(axis=0))
    assert_allclose(grid.volume, volume, rtol=1e-12)
    assert_allclose(grid.depth[~grid.solid].mean(), volume / (grid.cell**2 * (~grid.solid).sum()), rtol=1e-4)
    for one in (world, free):
        one.water.splash((-3.0, 0.0), radius=2.0, height=0.3)
        one.step(120)
    beyond = x > 3.0
    passed = np.abs(free.water.grids[0].depth[:, beyond] - 2.0).max()
    assert np.ptp(grid.depth[:, beyond]) < 1e-3 * passed
    assert np.ptp(grid.depth[:, x < 1.0]) > 0.5 * passed
    wall.remove()
    world.step(1)
    assert not grid.solid.any()
    world.step(1200)
    assert_allclose(grid.volume, volume, rtol=1e-12)
    assert_allclose(grid.depth.mean(), 2.0, rtol=1e-9)
    assert abs(grid.frame[OWED]) < 1e-9


def test_a_rock_put_up_and_taken_out_of_still_water_leaves_hardly_a_ripple():
    world = pool_world()
    grid = world.water.grids[0]
    rock = world.add_obstacle("sphere", (1.0, -2.0), radius=3.0)
    world.step(300)
    filled = int(grid.solid.sum())
    assert filled * grid.cell**2 == pytest.approx(math.pi * (3.0**2 - 2.0**2), rel=0.1)  # its cut at the surface
    rock.remove()
    world.step(300)
    assert not grid.solid.any()
    assert_allclose(grid.depth, 2.0, atol=2e-3)


def test_a_rock_below_the_surface_lets_the_water_pass():
    world = pool_world()
    world.add_obstacle("cylinder", (0.0, 0.0), radius=2.0, height=1.5)
    world.step(5)
    assert not world.water.grids[0].solid.any()


def test_a_moved_rock_is_solid_where_it_stands_now():
    world = pool_world()
    grid = world.water.grids[0]
    rock = world.add_obstacle("cylinder", (-5.0, 0.0), radius=1.5, height=4.0)
    world.step(5)
    before = grid.solid
    rock.remove()
    world.add_obstacle("cylinder", (5.0, 0.0), radius=1.5, height=4.0)
    world.step(5)
    assert_array_equal(grid.solid, before[:, ::-1])


def test_rocks_in_ponds_are_saved_and_go_on_alike(tmp_path):
    world = pool_world()
    rock = world.add_obstacle("cylinder", (-5.0, 0.0), radius=1.5, height=4.0)
    world.water.splash((3.0, 0.0), radius=2.0, height=0.3)
    world.step(30)
    world.save(tmp_path / "rock.save")
    again = World.load(tmp_path / "rock.save")
    assert again.state_hash() == world.state_hash()
    assert_array_equal(again.water.grids[0].solid, world.water.grids[0].solid)
    assert again.water.grids[0].solid.any()
    rock.remove()
    again.props.at((-5.0, 0.0))[0].remove()
    for one in (world, again):
        one.step(30)
    assert again.state_hash() == world.state_hash()


def test_islands_of_the_land_stay_when_rocks_on_them_go():
    island = Map.define(name="island", area={"width_u": 24, "height_u": 24},
                        terrain={"kind": "flat", "shapes": [{"kind": "sphere", "center": [0, 0, 0], "radius": 4.0}]},
                        water=[{"bounds": [-12, -12, 12, 12], "level_u": 2.0}])  # fmt: skip
    world = World(seed=1, map=island)
    grid = world.water.grids[0]
    land = grid.solid
    assert land.any()
    rock = world.add_obstacle("cylinder", (5.0, 0.0), radius=2.0, height=4.0)
    world.step(2)
    assert grid.solid.sum() > land.sum()
    rock.remove()
    world.step(2)
    assert_array_equal(grid.solid, land)
