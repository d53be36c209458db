"""Ponds from data, questions, bodies and legs, and everything that can be thrown at water."""

from __future__ import annotations

import math
import tomllib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from paludarium import Map, World
from paludarium.engine.errors import MapError, PaludariumError
from paludarium.engine.kernel import kernel
from paludarium.engine.terrain import Cylinder, Sphere, Terrain
from paludarium.engine.water import Pond, Water, WaterError, WaterGrid, read_ponds
from paludarium.engine.water.pond_layout import BED, DEPTH, SURFACE, WET, U, V
from paludarium.engine.water.sample_kernel import sample_water
from paludarium.engine.water.shore import SIDES

TICK = 1.0 / 60.0
FLAT = Terrain.flat(bounds=(-60, -60, 60, 60))
ISLAND = Terrain.gaussians([(0, 0, 2.0, 2.0)], bounds=(-20, -20, 20, 20))
SQUARE = (-10.0, -10.0, 10.0, 10.0)


def one(terrain: Terrain = FLAT, **values) -> WaterGrid:
    return Water([Pond(**{"bounds": SQUARE, "level": 1.0, **values})], terrain).grids[0]


def capsule(start, end, radius: float = 0.6, velocity=(0.0, 0.0)) -> list[float]:
    return [*start, *end, radius, *velocity, *velocity]


# -- ponds from data ------------------------------------------------------------------------------------------------


def test_ponds_are_read_from_the_tables_of_a_map_file():
    text = """
    [[water]]
    bounds = [-10, -5, 10, 5]
    level_u = 1.5
    rain_per_s = 20
    edge_west = "absorbing"
    [[water]]
    bounds = [20, 20, 30, 30]
    depth_u = 2
    cell_u = 0.5
    level_hold_per_s = 0.1
    moving = true
    """
    first, second = read_ponds(tomllib.loads(text)["water"], "tide_pool.toml")
    assert (first.bounds, first.level, first.cell, first.rain) == ((-10, -5, 10, 5), 1.5, 0.4, 20)
    assert (first.edge_west, first.edge_east, first.moving) == ("absorbing", "reflecting", False)
    assert (first.size, second.size) == ((50, 25), (20, 20))
    water = Water([first, second], Terrain.flat(elevation=0.5, bounds=(-60, -60, 60, 60)))
    assert [grid.level for grid in water.grids] == [1.5, 2.5]
    assert second.moving
    assert second.level_hold == 0.1


@pytest.mark.parametrize(
    "table, words",
    [
        ({}, "bounds"),
        ({"bounds": [0, 0, 10]}, "list of 4"),
        ({"bounds": [0, 0, 10, math.nan], "level_u": 1}, "bounds"),
        ({"bounds": [10, 0, 0, 10], "level_u": 1}, "west < east"),
        ({"bounds": [0, 0, 10, 10]}, "level_u or depth_u"),
        ({"bounds": [0, 0, 10, 10], "level_u": 1, "depth_u": 1}, "not both"),
        ({"bounds": [0, 0, 10, 10], "depth_u": -1}, "above 0"),
        ({"bounds": [0, 0, 10, 10], "level_u": math.nan}, "finite"),
        ({"bounds": [0, 0, 10, 10], "level_u": 1, "cell_u": 0}, "from 0.01"),
        ({"bounds": [0, 0, 10, 10], "level_u": 1, "cell_u": -0.4}, "from 0.01"),
        ({"bounds": [0, 0, 100, 100], "level_u": 1, "cell_u": 0.01}, "at most"),
        ({"bounds": [0, 0, 10, 10], "level_u": 1, "cell_u": 9}, "at least 3"),
        ({"bounds": [0, 0, 10, 10], "level_u": 1, "edge_west": "soft"}, "reflecting"),
        ({"bounds": [0, 0, 10, 10], "level_u": 1, "rain_per_s": -1}, "rain"),
        ({"bounds": [0, 0, 10, 10], "level_u": 1, "levle": 1}, "did you mean"),
        (7, "table"),
    ],
)
def test_a_wrong_table_is_refused_with_its_place_and_what_is_allowed(table, words):
    with pytest.raises(MapError, match=words) as caught:
        read_ponds([{"bounds": SQUARE, "level_u": 1.0}, table], "pond.toml")
    assert "pond.toml" in str(caught.value)
    assert "water 2" in str(caught.value)


@pytest.mark.parametrize(
    "values, words",
    [
        ({"cell": math.nan}, "cell"),
        ({"cell": 0.0}, "cell"),
        ({"level": math.inf}, "level"),
        ({"level": math.nan, "depth": -2.0}, "depth"),
        ({"bounds": (0, 0, math.inf, 1)}, "bounds"),
        ({"edge_south": "open"}, "edge_south"),
        ({"rain": math.nan}, "rain"),
    ],
)
def test_a_wrong_pond_in_code_is_refused_alike(values, words):
    with pytest.raises(WaterError, match=words):
        one(**values)


def test_a_pond_whose_level_is_below_the_ground_is_refused():
    with pytest.raises(WaterError, match="no wet cell.*above 3"):
        one(Terrain.flat(elevation=3.0))


BOWL = {"kind": "gaussians", "elevation": 2.0, "hills": [[0.0, 0.0, -5.0, 6.0]]}


@pytest.mark.parametrize(("bounds", "level", "side"), [
    ((-12, -12, 12, 12), 2.5, "west"),  # higher than all the land
    ((-12, -12, 3, 12), 1.0, "east"),  # cut through the water
])  # fmt: skip
def test_a_pond_that_stands_above_the_land_is_refused_unless_its_edge_is_named(bounds, level, side):
    half_cell = 0.2
    outside = abs(bounds[SIDES.index(side)]) + half_cell
    rise = level - (2.0 - 5.0 * math.exp(-(outside**2 + half_cell**2) / (2.0 * 6.0**2)))

    def world(**edges):
        water = {"bounds": list(bounds), "level_u": level, **edges}
        return World(seed=1, map=Map.define(name="bowl", area={"width_u": 60, "height_u": 60}, terrain=BOWL, water=[water]))

    with pytest.raises(MapError, match=rf"water 1\] edge_{side} .*stand {rise:.3g} units above the ground"):
        world()
    assert world(**{f"edge_{name}": "reflecting" for name in SIDES}).water.grids


def test_a_pond_that_ends_with_the_map_or_in_the_land_needs_no_edges():
    for size, level in ((24, 2.5), (60, 1.0)):
        area = {"width_u": size, "height_u": size}
        water = {"bounds": [-12, -12, 12, 12], "level_u": level}
        assert World(seed=1, map=Map.define(name="bowl", area=area, terrain=BOWL, water=[water])).water.grids


def test_a_pond_without_a_floor_or_filled_by_a_shape_is_refused():
    with pytest.raises(WaterError, match="no floor"):
        one(Terrain.from_shapes([Sphere(center=(0, 0, 0), radius=1)]))
    with pytest.raises(WaterError, match="shapes fill"):
        one(FLAT.with_shapes([Cylinder(center=(0, 0, 0), axis=(0, 0, 1), length=10, radius=30)]))


def test_water_too_deep_for_its_cells_is_refused_with_the_depth_that_fits():
    with pytest.raises(WaterError, match="too deep") as caught:
        one(bounds=(0, 0, 0.1, 0.1), cell=0.01, level=500.0)
    allowed = float(str(caught.value).split("allowed are ")[1].split(" ")[0])
    one(bounds=(0, 0, 0.1, 0.1), cell=0.01, level=0.99 * allowed).step(TICK)


@pytest.mark.parametrize("depth", [-0.1, math.nan, math.inf])
def test_negative_and_undefined_depths_are_refused(depth):
    depths = np.ones((50, 50))
    depths[7, 9] = depth
    with pytest.raises(WaterError, match="row 7, column 9"):
        one().set_depth(depths)


@pytest.mark.parametrize("dt", [-1.0, math.nan, math.inf, 1.0])
def test_impossible_steps_are_refused(dt):
    with pytest.raises(WaterError, match="dt"):
        one().step(dt)


def test_other_impossible_requests_are_refused():
    grid = one()
    with pytest.raises(WaterError, match="splash"):
        grid.splash((0, math.nan), 1.0, 0.1)
    with pytest.raises(WaterError, match="shape"):
        grid.step(TICK, [[1.0, 2.0]])
    with pytest.raises(WaterError, match="rain"):
        grid.rain_rate = math.nan
    with pytest.raises(WaterError, match="gravity"):
        Water([], FLAT, gravity=-1.0)
    assert grid.follow((math.nan, math.inf)) == (0, 0)


# -- questions --------------------------------------------------------------------------------------------------------


def test_a_world_without_ponds_is_dry():
    water = Water([], FLAT)
    water.step(TICK)
    assert np.isnan(water.surface([(0.0, 0.0)])).all()
    assert_array_equal(water.depth([(0.0, 0.0, 5.0)]), [0.0])
    assert water.velocity([]).shape == (0, 2)
    water.restore(water.state())


def test_samples_agree_with_an_interpolation_written_out():
    grid = one(bounds=(-3, -2, 5, 4), cell=0.5)
    random = np.random.default_rng(1)
    grid.set_depth(random.uniform(0.5, 1.5, grid.depth.shape))
    grid.fields[U, 1:-1, 2:-1] = random.normal(size=grid.fields[U, 1:-1, 2:-1].shape)
    grid.fields[V, 2:-1, 1:-1] = random.normal(size=grid.fields[V, 2:-1, 1:-1].shape)
    columns, rows = grid.size
    x, y = -3 + (np.arange(columns) + 0.5) * 0.5, -2 + (np.arange(rows) + 0.5) * 0.5
    faces_x, faces_y = -3 + np.arange(columns + 1) * 0.5, -2 + np.arange(rows + 1) * 0.5

    def bilinear(field, xs, ys, at):
        along = [np.interp(at[0], xs, row) for row in field]
        return np.interp(at[1], ys, along)

    points = random.uniform((-3, -2), (5, 4), (200, 2))
    water = Water([Pond(bounds=(-3, -2, 5, 4), cell=0.5, level=1.0)], FLAT)
    water.grids[0].fields[:] = grid.fields
    u, v = grid.velocity
    expected = [[bilinear(grid.depth, x, y, p), bilinear(u, faces_x, y, p), bilinear(v, x, faces_y, p)] for p in points]
    assert_allclose(np.column_stack([water.depth(points), water.velocity(points)]), expected, atol=1e-12)


def test_dry_places_and_those_outside_have_no_surface():
    water = Water([Pond(bounds=SQUARE, level=1.0)], ISLAND)
    points = np.array([(0.0, 0.0), (9.9, 9.9), (10.1, 0.0), (-10.0, -10.0), (1e12, 0.0)])
    assert_array_equal(np.isnan(water.surface(points)), [True, False, True, False, True])
    assert_array_equal(water.depth(points) > 0.0, [False, True, False, True, False])
    radii = np.linspace(0.0, 6.0, 200)
    ray = np.column_stack([radii, np.zeros(200)])
    wet = np.isfinite(water.surface(ray))
    shore = 2.0 * math.sqrt(2.0 * math.log(2.0))  # where the hill is as high as the level
    assert np.abs(radii[wet].min() - shore) < 0.4
    assert_allclose(water.surface(ray[wet]), 1.0, atol=1e-12)


@kernel()
def ask_anything(water, values, found):
    for a in range(values.size):
        for b in range(values.size):
            found[a, b] = sample_water(water, values[a], values[b])[1]


def test_wild_coordinates_are_answered_inside_kernels():
    water = Water([Pond(bounds=SQUARE, level=1.0)], FLAT)
    values = np.array([math.nan, math.inf, -math.inf, 1e308, -1e308, 10.0, -10.0, 0.0, 10.0 + 1e-12])
    found = np.full((9, 9), -1.0)
    ask_anything(water.arrays, values, found)
    inside = np.abs(values) <= 10.0
    assert_array_equal(found, np.where(inside[:, None] & inside[None, :], 1.0, 0.0))


def test_the_first_wet_pond_answers_where_ponds_overlap():
    hill = Terrain.gaussians([(0, 0, 2.0, 2.0)], bounds=(-20, -20, 20, 20))
    water = Water([Pond(bounds=SQUARE, level=1.0), Pond(bounds=(-4, -4, 4, 4), level=3.0)], hill)
    assert_allclose(water.surface([(8.0, 8.0), (0.0, 0.0)]), [1.0, 3.0])


# -- bodies and legs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("height", [5.0, 1.61])
def test_a_body_above_the_water_does_nothing(height):
    grid = one()
    before = grid.fields[: BED + 1].copy()
    body, leg = capsule((-2, 0, height), (2, 0, height), 0.6, (3, 3)), capsule((0, 0, height), (0, 1, height), 0.05, (3, 3))
    grid.couple([body], [leg])
    assert_array_equal(grid.fields[: BED + 1], before)


def test_a_body_under_the_surface_moves_water_and_leaves_the_surface_flat():
    grid = one(level=4.0)
    grid.couple([capsule((-2, 0, 1), (2, 0, 1), 0.9, (0, 2))])
    assert_allclose(grid.depth, 4.0, atol=1e-12)
    assert 0.0 < grid.fields[V].max() < 2.0


def test_overlapping_capsules_of_one_body_give_the_same_result_in_any_order():
    rows = [capsule((-3 + i, 0.2 * i, 1), (-2 + i, 0.2 * i + 0.2, 1), 0.7, (1.0 + i, 0.5 * i)) for i in range(5)]
    first, second = one(), one()
    first.couple(rows)
    second.couple(rows[::-1])
    assert_allclose(first.fields[: BED + 1], second.fields[: BED + 1], atol=1e-12)


def test_legs_stir_the_water_they_stand_in_and_create_none():
    grid = one()
    volume = grid.volume
    leg = capsule((0, 1, 2.0), (0, 2, 0.1), 0.08, (3.0, 0.0))
    for _ in range(10):
        grid.step(TICK, legs=[leg])
    u, v = grid.velocity
    row, column = np.unravel_index(np.abs(u).argmax(), u.shape)
    assert u[row, column] > 0.2
    assert abs(-10 + column * 0.4 - 0.0) <= 0.8
    assert 1.0 < -10 + (row + 0.5) * 0.4 < 2.4
    assert grid.depth[row, column + 1 :].max() > 1.0 > grid.depth[row].min()
    assert_allclose(grid.volume, volume, rtol=1e-13)


def test_bodies_on_a_shore_and_at_the_edge_keep_the_rules():
    grid = one(ISLAND)
    dry = grid.depth == 0.0
    volume = grid.volume
    for k in range(120):
        crawler = capsule((-3 + 0.05 * k, 0, 1), (-2 + 0.05 * k, 0, 1), 0.6, (3, 0))
        rows = [crawler, capsule((9, 9, 1), (12, 12, 1), 0.8, (4, 4))]
        grid.step(TICK, rows, rows)
        assert grid.fields[DEPTH].min() >= 0.0
    assert_array_equal(grid.fields[U, 1:-1, [1, -1]], 0.0)
    assert_array_equal(grid.fields[V, [1, -1], 1:-1], 0.0)
    assert (dry & (grid.depth < WET)).any()
    assert_allclose(grid.volume, volume, rtol=1e-12)


# -- anything at all --------------------------------------------------------------------------------------------------


def test_a_wave_taller_than_the_pool_stays_finite_and_keeps_its_water():
    grid = one(ISLAND)
    tall = np.zeros((50, 50))
    tall[20:24, 8:12] = 500.0
    grid.set_depth(grid.depth + tall)
    volume = grid.volume
    for _ in range(120):
        grid.step(TICK)
        assert np.isfinite(grid.fields[: SURFACE + 1]).all()
        assert grid.fields[DEPTH].min() >= 0.0
    assert_allclose(grid.volume, volume, rtol=1e-12)
    assert grid.depth.max() < 100.0


def test_garbage_in_the_fields_heals():
    grid = one()
    grid.fields[U, 10, 10], grid.fields[V, 20, 20], grid.fields[DEPTH, 30, 30] = math.nan, math.inf, math.nan
    grid.fields[SURFACE, 30, 30] = math.nan
    for _ in range(20):
        grid.step(TICK)
    assert np.isfinite(grid.fields[: SURFACE + 1]).all()


ANY_NUMBER = st.one_of(st.floats(), st.floats(-12, 12), st.sampled_from([0.0, 1e-300, 1e300]))  # NaN, infinities too
ROW = st.lists(ANY_NUMBER, min_size=11, max_size=11)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(ROW, max_size=4), st.lists(ROW, max_size=4), st.integers(0, 3))
def test_no_body_and_no_leg_can_break_the_water(bodies, legs, edge):
    edges = dict.fromkeys(("edge_west", "edge_north")[:edge], "absorbing")
    grid = one(ISLAND, cell=0.8, rain=600, **edges)
    for _ in range(3):
        grid.step(TICK, bodies, legs)
    for _ in range(3):
        grid.step(TICK)
    assert np.isfinite(grid.fields[: SURFACE + 1]).all()
    assert grid.fields[DEPTH].min() >= 0.0
    assert (grid._owner == -1).all()


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    columns=st.integers(3, 23),
    rows=st.integers(3, 17),
    cell=st.floats(0.02, 30.0),
    deepest=st.floats(1e-4, 50.0),
    dt=st.floats(0.0, 0.25),
    seed=st.integers(0, 2**32),
)
def test_any_grid_with_random_water_keeps_volume_and_sign(columns, rows, cell, deepest, dt, seed):
    grid = Water([Pond(bounds=(0, 0, columns * cell, rows * cell), level=1e-3, cell=cell)], Terrain.flat()).grids[0]
    random = np.random.default_rng(seed)
    grid.fields[BED, 1:-1, 1:-1] = random.uniform(0, deepest, grid.depth.shape)
    grid.set_depth(random.uniform(0, deepest, grid.depth.shape) * (random.random(grid.depth.shape) < 0.6))
    grid.fields[U, 1:-1, 2:-1] = random.normal(scale=10.0, size=grid.fields[U, 1:-1, 2:-1].shape)
    volume = grid.volume
    for _ in range(10):
        grid.step(dt)
    assert np.isfinite(grid.fields[: SURFACE + 1]).all()
    assert grid.fields[DEPTH].min() >= 0.0
    assert_allclose(grid.volume, volume, rtol=1e-11)


def test_ticks_that_water_cannot_take_are_refused_at_once():
    with pytest.raises(PaludariumError, match="tick_rate = 3: allowed on a map with ponds is 4 or more"):
        World(map="tide_pool", tick_rate=3)
    assert World(tick_rate=1).tick_rate == 1
