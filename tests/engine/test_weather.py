"""Wind, rain, light and time of day in one place: what is asked, what is set, what is saved, and what is refused."""

from __future__ import annotations

import ast
import math
from pathlib import Path

import numpy as np
import pytest

from paludarium import Map, Recording, World, replay
from paludarium.components.insect.trunk import TrunkPool
from paludarium.engine import weather
from paludarium.engine.errors import PaludariumError, SnapshotError
from paludarium.engine.water.grid import MOST_DROPS
from paludarium.systems.render import LIGHT_NAMES

ROOT = Path(weather.__file__).resolve().parent.parent
PONDS = [{"bounds": [-20, -20, -2, 20], "level_u": 0.0, "rain_per_s": 36.0},
         {"bounds": [2, -20, 20, 20], "level_u": 0.0}]  # fmt: skip
BASIN = {"kind": "flat", "elevation": -4.0}


def pool(**tables):
    """Two ponds side by side, with walls."""
    walls = {f"edge_{side}": "reflecting" for side in ("west", "east", "south", "north")}
    return World(seed=1, map=Map.define(terrain=BASIN, water=[{**pond, **walls} for pond in PONDS], **tables))


@pytest.mark.parametrize("seconds", [0.0, 0.5, 1.0, 2.75, 1e4])
def test_gusts_come_and_go_as_a_sine(seconds):
    world = World(seed=1)
    world.set_wind(direction=0.5, strength=1.5, gusts=0.4, period=3.0)
    size = 1.5 * (1.0 + 0.4 * math.sin(2.0 * math.pi * seconds / 3.0))
    np.testing.assert_allclose(world.weather.wind.now(seconds), size * np.array([math.cos(0.5), math.sin(0.5), 0.0]))


def test_wind_now_is_that_of_the_time_of_the_world():
    world = World(seed=1)
    world.set_wind(direction=-1.0, strength=2.0, gusts=1.0, period=2.0)
    forces = []
    for _ in range(120):
        np.testing.assert_array_equal(world.weather.wind.now(), world.weather.wind.now(world.time))
        forces.append(np.linalg.norm(world.weather.wind.now()))
        world.step()
    assert min(forces) == pytest.approx(0.0, abs=0.01)
    assert max(forces) == pytest.approx(4.0, abs=0.01)
    assert np.mean(forces) == pytest.approx(2.0)  # a whole period


def test_wind_tells_what_was_set():
    table = {"direction_deg": 90, "strength": 1.0, "gusts": 0.3, "period_s": 5}
    wind = World(seed=1, map=Map.define(wind=table)).weather.wind
    assert (wind.direction, wind.strength, wind.gusts, wind.period) == pytest.approx((math.pi / 2, 1.0, 0.3, 5.0))
    assert wind.blows
    assert not World(seed=1).weather.wind.blows
    np.testing.assert_array_equal(World(seed=1).weather.wind.now(), 0.0)


def test_rain_is_the_mean_of_the_ponds_and_falls_on_all_of_them():
    world = pool()
    first, second = world.water.grids
    assert world.weather.rain == pytest.approx(36.0 / (first.area + second.area))
    world.set_rain(0.03)
    assert world.weather.rain == pytest.approx(0.03)
    assert first.rain_rate == pytest.approx(0.03 * first.area)
    assert first.area == pytest.approx(18 * 40, rel=0.1)
    drops = np.stack([grid.depth for grid in world.water.grids])
    world.step(60)
    assert all((grid.depth != before).any() for grid, before in zip(world.water.grids, drops, strict=True))
    world.set_rain()
    assert (world.weather.rain, second.rain_rate) == (0.0, 0.0)
    world.set_rain(weather.HEAVIEST_RAIN)
    assert second.rain_rate == MOST_DROPS
    dry = World(seed=1)
    dry.set_rain(0.5)
    assert dry.weather.rain == 0.0


@pytest.mark.parametrize("time", weather.TIMES_OF_DAY)
def test_time_of_day_and_brightness(time):
    world = pool(light={"time": time, "clarity": 3.0})
    assert world.weather.time_of_day == time
    assert world.weather.light.clarity == 3.0
    assert world.weather.brightness == world.weather.daylight == weather.DAYLIGHT[time]
    assert world.sea.brightness([(10.0, 0.0)])[0] == pytest.approx(world.weather.brightness)
    world.set_climate(brightness=0.3)
    assert world.weather.brightness == 0.3
    assert world.weather.daylight == weather.DAYLIGHT[time]
    world.set_time_of_day("dusk")
    assert (world.weather.time_of_day, world.weather.brightness) == ("dusk", 0.3)


def test_picture_and_weather_know_the_same_times_of_day():
    assert LIGHT_NAMES == weather.TIMES_OF_DAY


def test_all_of_it_is_saved_and_goes_on(tmp_path):
    world = pool(wind={"strength": 0.5})
    world.spawn("worker_ant", at=(0, 0))
    world.set_wind(direction=1.0, strength=1.2, gusts=0.7, period=1.5)
    world.set_rain(0.02)
    world.set_time_of_day("night")
    world.step(30)
    world.save(tmp_path / "weather.save")
    again = World.load(tmp_path / "weather.save")
    for one in (world, again):
        assert one.weather.time_of_day == "night"
        assert one.weather.rain == pytest.approx(0.02)
        assert (one.weather.wind.strength, one.weather.wind.gusts) == (1.2, 0.7)
    np.testing.assert_array_equal(again.weather.wind.now(), world.weather.wind.now())
    for one in (world, again):
        one.step(30)
    assert again.state_hash() == world.state_hash()


def test_wind_is_hashed_without_any_plugin():
    calm, windy = World(seed=1, plugins=()), World(seed=1, plugins=())
    windy.set_wind(strength=1.0)
    assert "wind" in windy.states
    assert calm.state_hash() != windy.state_hash()


def test_all_of_it_is_recorded(tmp_path):
    world = pool()
    recording = Recording(world)
    world.set_wind(0.3, 1.0)
    world.set_rain(0.05)
    world.set_time_of_day("dusk")
    world.step(30)
    recording.save(tmp_path / "run.jsonl")
    again = replay(tmp_path / "run.jsonl")
    assert again.state_hash() == world.state_hash()
    assert (again.weather.time_of_day, again.weather.rain) == ("dusk", world.weather.rain)


def test_nothing_is_left_of_the_wind_when_it_ends():
    world = World(seed=1)
    ant = world.spawn("worker_ant", at=(0, 0))
    world.set_wind(strength=1.0)
    world.step(2)
    assert world.pool(TrunkPool).force[ant.row].any()
    world.set_wind()
    world.step()
    assert not world.pool(TrunkPool).force[ant.row].any()


def test_no_family_keeps_weather_of_its_own():
    """Whoever wants it imports nothing of another family: it is asked of the world."""
    for file in sorted((ROOT / "systems").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                assert node.name.lower() not in ("wind", "rain", "weather", "set_wind", "set_rain"), file


NOT_NUMBERS = (math.nan, math.inf, -1.0, 1e9, "much", None, True, np.array([1.0, 2.0]), [0.5], 10**400)


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
@pytest.mark.parametrize("name", ["strength", "gusts", "period"])
def test_wrong_wind_is_refused_and_changes_nothing(name, value):
    world = World(seed=1)
    world.set_wind(strength=0.5)
    before = world.state_hash()
    with pytest.raises(PaludariumError, match=rf"set_wind\({name}\)"):
        world.set_wind(**{"direction": 0.0, name: value})
    assert world.state_hash() == before


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_wrong_rain_is_refused_and_changes_nothing(value):
    world = pool()
    before = world.state_hash()
    with pytest.raises(PaludariumError, match=r"set_rain\(drops\)"):
        world.set_rain(value)
    assert world.state_hash() == before


@pytest.mark.parametrize("value", ["noon", "", None, 3, ["day"], "Day"])
def test_wrong_time_of_day_says_which_there_are(value):
    world = World(seed=1)
    with pytest.raises(PaludariumError, match="day, dusk, night"):
        world.set_time_of_day(value)
    assert world.weather.time_of_day == "day"


@pytest.mark.parametrize("numbers", [
    np.zeros(3), np.zeros((4, 1)), np.zeros(0), np.zeros(4, np.float32), np.zeros(4, np.int64), np.zeros(4, bool),
    np.array([0.0, 30.0, 0.0, 4.0]), np.array([0.0, np.nan, 0.0, 4.0]), np.array([np.inf, 0.0, 0.0, 4.0]),
    np.array([0.0, -1.0, 0.0, 4.0]), np.array([0.0, 1.0, 1.5, 4.0]), np.array([0.0, 1.0, 0.5, 0.0]),
])  # fmt: skip
def test_wrong_wind_of_a_save_is_refused(numbers):
    wind = World(seed=1).weather.wind
    wind.set(0.5, 1.0, 0.2, 2.0)
    with pytest.raises(SnapshotError, match="wind"):
        wind.restore({"numbers": numbers})
    assert (wind.direction, wind.strength, wind.gusts, wind.period) == (0.5, 1.0, 0.2, 2.0)
    with pytest.raises(SnapshotError, match="wind"):
        wind.restore({})
