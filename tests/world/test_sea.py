"""The sea: how water flows, how warm and bright it is, and plankton that drifts in it; all of it saved and repeated."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

from paludarium import Map, PaludariumError, World
from paludarium.engine.errors import MapError, SpawnError
from paludarium.engine.pool import Rows
from paludarium.engine.replay import Recording, replay
from paludarium.engine.water import WaterError
from paludarium.systems.spatial_index.index import SpatialIndex

WALLS = {f"edge_{side}": "reflecting" for side in ("west", "east", "south", "north")}
TICK = 1.0 / 60.0


def tank(**tables) -> Map:
    """Still water 10 units deep, 60 x 60 units wide, its surface at 0."""
    basin = {"bounds": [-30, -30, 30, 30], "level_u": 0.0, "cell_u": 1.0, **WALLS}
    return Map.define(name="tank", area={"width_u": 80, "height_u": 80}, terrain={"kind": "flat", "elevation": -10.0},
                      water=[basin], **tables)  # fmt: skip


PILLAR = {"at_u": [5.0, 0.0], "radius_u": 2.0, "height_u": 6.0}


def test_a_uniform_current_swings_as_a_sine_and_is_zero_outside_the_water():
    world = World(seed=1, map=tank(current={"direction_deg": 30, "strength_u_per_s": 0.5, "period_s": 8.0}))
    for _ in range(4):
        world.step(17)
        speed = 0.5 * math.sin(2.0 * math.pi * world.time / 8.0)
        wanted = [speed * math.cos(math.radians(30)), speed * math.sin(math.radians(30)), 0.0]
        assert np.allclose(world.sea.flow([(0.0, 0.0, -2.0), (7.0, 3.0, -9.0)]), wanted, rtol=0, atol=1e-12)
    assert not world.sea.flow([(0, 0, 0.5), (0, 0, -10.5), (35, 0, -1)]).any()


def test_water_flows_away_from_pillars_below_their_tops_and_never_faster_than_twice_the_current():
    world = World(seed=1, map=tank(current={"strength_u_per_s": 0.4, "source_u2": 1.5}, obstacles=[PILLAR]))
    gaps = np.array([0.3, 0.9, 1.0, 2.0, 5.0, 11.0])
    flow = world.sea.flow([(5.0, 2.0 + gap, -8.0) for gap in gaps])
    assert np.allclose(flow[:, 1], np.minimum(0.4 * 1.5 / gaps**2, 0.8), rtol=1e-12)
    assert np.allclose(flow[:, 0], 0.4)
    top = -10.0 + 6.0
    assert world.sea.flow([(5.0, 3.0, top + 0.01)])[0, 1] == 0.0
    assert world.sea.flow([(5.0, 3.0, top - 0.01)])[0, 1] > 0.0
    pillar = world.add_obstacle("cylinder", (-10, 0), 1.0, height=8)
    assert world.sea.flow([(-10.0, 2.0, -8.0)])[0, 1] == pytest.approx(0.6)
    pillar.remove()
    assert world.sea.flow([(-10.0, 2.0, -8.0)])[0, 1] == 0.0


def test_currents_of_sea_and_pond_add_up():
    river = {"bounds": [-20, -8, 20, 8], "level_u": 0.0, "cell_u": 1.0, **WALLS, "edge_west": "absorbing",
             "edge_east": "absorbing", "current_u_per_s": [0.5, 0.0]}  # fmt: skip
    chart = Map.define(area={"width_u": 60, "height_u": 40}, terrain={"kind": "flat", "elevation": -2.0}, water=[river],
                       current={"direction_deg": 90, "strength_u_per_s": 0.2})  # fmt: skip
    world = World(seed=1, map=chart)
    world.step(5)
    pond = world.water.velocity([(1.0, 1.0)])[0]
    assert pond[0] == pytest.approx(0.5, abs=0.05)
    assert np.allclose(world.sea.flow([(1.0, 1.0, -1.0)])[0], [pond[0], pond[1] + 0.2, 0.0], atol=1e-12)


def test_bodies_and_floating_food_feel_the_current():
    world = World(seed=1, map=tank(current={"strength_u_per_s": 0.5}))
    swimmer, fruit = world.spawn("swimmer", at=(0, 0)), world.add_food((10.0, 10.0))
    world.step(10)
    assert swimmer.segments.pool.water_velocity[swimmer.segments.rows.slice, 0].max() > 0.4
    assert fruit.position[0] - 10.0 == pytest.approx(10 * TICK * 0.5, abs=0.02)


def test_warmth_is_linear_in_depth_and_across_the_map():
    climate = {"surface_temperature": 0.9, "bed_temperature": 0.1, "gradient_per_u": [0.01, 0]}
    world = World(seed=1, map=tank(climate=climate))
    points = [(0, 0, 0), (0, 0, -5), (0, 0, -10), (10, 0, -5), (30, 5, 0), (0, 0, 3)]
    assert np.allclose(world.sea.temperature(points), [0.9, 0.5, 0.1, 0.6, 1.0, 0.9])
    world.set_climate(surface_temperature=0.5)
    assert np.allclose(world.sea.temperature(points[:2]), [0.5, 0.3])


def test_light_fades_with_depth_by_clarity_and_in_shade():
    dark = [{"at_u": [-10, 0], "radius_u": 10, "darkness": 0.75}]
    for time, clarity, surface in (("day", 1.0, 1.0), ("dusk", 2.5, 0.45)):
        world = World(seed=1, map=tank(light={"time": time, "clarity": clarity}, shade=dark))
        light = world.sea.brightness([(5, 0, 0), (5, 0, -4 * clarity), (-10, 0, 0), (-10, 6.9, 0), (-10, 9.99, 0)])
        assert np.allclose(light, [surface, surface / 2, surface / 4, surface / 4, surface], atol=1e-3)
    world.set_climate(brightness=0.2)
    assert world.sea.brightness([(5, 0)])[0] == 0.2


def test_plankton_stays_in_the_water_and_comes_back():
    patches = [{"count": 300, "at_u": [5, 5], "spread_u": 6, "depth_u": [1, 4], "regrow_s": 0.5}]
    world = World(seed=2, map=tank(current={"strength_u_per_s": 5.0}, plankton=patches))
    food = world.props.food
    depth = -food.live("position")[:, 2]
    assert depth.min() >= 1.0
    assert depth.max() <= 4.0
    world.step(600)  # fifty units of way to an edge that is 25 away
    place = food.live("position")
    assert len(place) == 300
    assert (np.abs(place[:, :2]) <= 30.0).all()
    assert (place[:, 0] < 29.0).mean() > 0.9  # it is not heaped up at the edge
    for row in food.spans[:50, 0].tolist():
        food.release(Rows(row, row + 1, food.generation_of(row)))
    world.step(1)
    assert 250 <= len(food.spans) < 260
    world.step(400)  # thirteen times the mean time
    assert (food.live("patch") == 0).sum() == 300


def test_plankton_is_eaten_by_those_who_eat_it_and_smelled_by_nobody_else():
    world = World(seed=2, map=tank(plankton=[{"count": 400, "box_u": [-3, -3, 3, 3], "depth_u": [0, 1]}]))
    tables = world.species["swimmer"].source
    world.define_species("whale", **{**tables, "diet": {"eats": ["plankton"], "reach_u": 4.0, "height_u": 8.0}})
    world.spawn("swimmer", at=(0, 0))
    world.step(30)
    assert len(world.props.food.spans) == 400
    assert world.resource(SpatialIndex).food_rows.size == 0
    ate = []
    world.on("ate", lambda event: ate.append(event.creature.species.key))
    world.spawn("whale", at=(0, 12))
    world.step(5)
    world.add_plankton(20, box=(-2, 10, 2, 14), depth=(0, 1))
    world.step(10)
    assert set(ate) == {"whale"}


def test_a_sea_is_saved_loaded_hashed_recorded_and_repeated(tmp_path):
    world = World(seed=3, map=tank(plankton=[{"count": 50, "regrow_s": 2.0}]))
    recording = Recording(world)
    world.step(10)
    world.set_flow(direction=0.4, strength=0.7, period=3.0)
    world.set_climate(bed_temperature=0.2, brightness=0.6)
    patch = world.add_plankton(40, at=(3, 3), spread=5, regrow=1.0)
    world.step(20)
    patch.remove()
    world.step(40)
    world.save(tmp_path / "sea.save")
    again = World.load(tmp_path / "sea.save")
    assert again.state_hash() == world.state_hash()
    assert np.array_equal(again.sea.flow([(1, 2, -3)]), world.sea.flow([(1, 2, -3)]))
    recording.save(tmp_path / "sea.jsonl")
    assert replay(tmp_path / "sea.jsonl").state_hash() == world.state_hash()
    for one in (world, again):
        one.step(60)
    assert again.state_hash() == world.state_hash()
    before = world.state_hash()
    world.set_climate(brightness=0.61)
    assert world.state_hash() != before


@pytest.mark.parametrize("call, words", [
    (lambda w: w.set_flow(strength=-1), "flow strength"),
    (lambda w: w.set_flow(direction=math.nan), "flow direction"),
    (lambda w: w.set_flow(strength="fast"), "flow strength"),
    (lambda w: w.set_climate(brightness=2), "brightness"),
    (lambda w: w.set_climate(gradient=(5, 0)), "gradient"),
    (lambda w: w.add_plankton(0), "plankton count"),
    (lambda w: w.add_plankton(10, at=(60, 60), spread=1), "allowed is a place in a pond"),
    (lambda w: w.add_plankton(10, depth=(5, 2)), "plankton depth"),
    (lambda w: w.add_plankton(10, box=(1, 1, 0, 2)), "plankton box"),
    (lambda w: w.add_plankton(10, depth=(50, 60)), "allowed is a place in a pond"),
    (lambda w: w.sea.flow([(1, 2, math.nan)]), "finite"),
])  # fmt: skip
def test_wrong_calls_are_refused_and_change_nothing(call, words):
    world = World(seed=1, map=tank())
    before = world.state_hash()
    with pytest.raises(PaludariumError, match=words):
        call(world)
    assert world.state_hash() == before


@pytest.mark.parametrize("tables, words", [
    ({"current": {"strength_u_per_s": 50}}, "strength_u_per_s"),
    ({"climate": {"bed_temperature": 1.5}}, "bed_temperature"),
    ({"plankton": [{"count": 10, "box_u": [0, 0, 1]}]}, "box_u"),
    ({"plankton": [{"count": 10, "at_u": [60, 0], "spread_u": 1}]}, "plankton 1"),
    ({"plankton": [{"count": 30_000}, {"count": 30_000}]}, "50000"),
    ({"shade": [{"darkness": 2}]}, "darkness"),
    ({"creatures": [{"species": "pauropod", "at_u": [0, 0, 1], "depth_u": 1}]}, "either a depth"),
    ({"creatures": [{"species": "pauropod", "at_u": [38, 0], "depth_u": 1}]}, "in the water"),
])  # fmt: skip
def test_wrong_maps_are_refused_by_table_and_key(tables, words):
    with pytest.raises(MapError, match=words):
        World(seed=1, map=tank(**tables))


def test_creatures_of_a_map_may_start_at_an_elevation_or_a_depth():
    groups = [{"species": "swimmer", "at_u": [0, -10], "depth_u": 4.0},
              {"species": "swimmer", "at_u": [0, 10, -3.0]}]  # fmt: skip
    world = World(seed=1, map=tank(creatures=groups))
    heights = [creature.position[2] for creature in world.creatures.values()]
    assert heights == pytest.approx([-4.0, -3.0], abs=0.6)


def test_a_damaged_state_is_refused():
    world = World(seed=1, map=tank())
    state = world.sea.state()
    damage = {"current": np.array([0, -1, 0, 0.0]), "climate": np.zeros(3), "shades": np.full((1, 4), np.nan)}
    for name, value in damage.items():
        with pytest.raises(WaterError, match=name):
            world.sea.restore({**state, name: value})
    with pytest.raises(SpawnError):
        world.add_food((0, 0), kind="algae")


def test_a_world_without_a_sea_neither_loads_nor_steps_one():
    code = ("import sys; from paludarium import World; w = World(seed=1, map='tide_pool'); w.step(2); "
            "loaded = [n for n in sys.modules if 'paludarium' in n and '.sea.' in n and 'kernel' in n]; "
            "assert not loaded, loaded; "
            "assert not {'CurrentSystem', 'SeaweedSystem'} & {entry.name for entry in w.schedule}")  # fmt: skip
    subprocess.run([sys.executable, "-c", code], check=True)
