"""Digest checks C53, C54 and C63, and C29 in shallow water: animals in ponds that find their own way, and their wakes."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import BrainMode, Map, World
from paludarium.components.segments import SegmentPool
from paludarium.components.vision import OUT_OF_SIGHT
from paludarium.engine.creature import Creature
from paludarium.engine.water import WaterGrid
from paludarium.tests.reproduction.myriapoda.measures import follow

TICKS = 60
POOL = 80.0
DEEPEST_IN_A_WALL = 0.05  # units, of any corner of a segment: no penetration, but that of a contact that gives way


def pool_map(side: float, level: float, cell: float = 0.4, **settings) -> Map:
    half = side / 2
    water = {"bounds": [-half, -half, half, half], "level_u": level, "cell_u": cell, **settings}
    return Map.define(name="pool", area={"width_u": side, "height_u": side}, water=[water])


def reach_of(swimmer: Creature) -> float:
    """How far the outermost corner of all segments is from the middle of the map, along x or y."""
    w, x, y, z = swimmer.segments.orientation.T
    ahead = np.abs([1 - 2 * (y * y + z * z), 2 * (x * y + w * z)])
    left = np.abs([2 * (x * y - w * z), 1 - 2 * (x * x + z * z)])
    up = np.abs([2 * (x * z + w * y), 2 * (y * z - w * x)])
    half = swimmer.world.pool(SegmentPool).half_extents[swimmer.rows["segments"].slice]
    corner = ahead * half[:, 0] + left * half[:, 1] + up * half[:, 2]
    return float((np.abs(swimmer.segments.position[:, :2].T) + corner).max())


def forage(seed: int, seconds: float, cell: float) -> tuple[list[float], float]:
    """Ten foods in the pool: when each was eaten, and how deep a corner of the body came into a wall at the worst."""
    world = World(seed=seed, map=pool_map(POOL, 3.0, cell))
    for place in np.random.default_rng(seed).uniform(-34.0, 34.0, (10, 2)):
        world.add_food(place)
    swimmer, eaten, farthest = world.spawn("swimmer", heading=0.3), [], 0.0
    world.on("ate", lambda _event: eaten.append(round(world.time, 1)))
    for _ in range(round(seconds * TICKS)):
        world.step()
        farthest = max(farthest, reach_of(swimmer))
    return eaten, farthest - POOL / 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_c53_lone_swimmer_eats_most_of_ten_foods_in_five_minutes(seed, record_property):
    """Reported: an autonomous swimmer eats and avoids walls (Fig. 5.12). Proposed: at least 5 of 10 foods in 5 min, no wall
    penetration: a twentieth of a segment at most, at any corner of any segment in any tick of the five minutes."""
    eaten, depth = forage(seed, seconds=300.0, cell=0.4)
    record_property("eaten", len(eaten))
    record_property("deepest in a wall [u]", round(depth, 3))
    assert len(eaten) >= 5
    assert depth < DEEPEST_IN_A_WALL


def test_c53b_lone_swimmer_finds_food_in_a_pool(record_property):
    """The first 45 s of the same, on a coarser water grid."""
    eaten, depth = forage(seed=2, seconds=45.0, cell=1.0)
    record_property("eaten at [s]", eaten)
    record_property("deepest in a wall [u]", round(depth, 3))
    assert len(eaten) >= 2  # the pace asked for is one a minute
    assert depth < DEEPEST_IN_A_WALL


def test_c53c_swimmer_hurries_when_it_sees_food_and_slows_down_at_it(record_property):
    """Reported: it accelerates when food is first seen and slows on approach. Proposed: faster then than 2 units from it."""
    world = World(seed=1, map=pool_map(120.0, 3.0, 1.0))
    swimmer = world.spawn("swimmer", at=(-36.0, 0.0))
    swimmer.control(5.0, 0.0)
    world.step(7 * TICKS)
    cruise = path_speed(world, swimmer, TICKS)
    swimmer.release()
    head = swimmer.segments.position[0]
    food = world.add_food((head[0] + 28.0, head[1] + 2.0))
    eaten: list[float] = []
    world.on("ate", lambda _event: eaten.append(world.time))
    places, distances, seen = [], [], []
    while not eaten and len(places) < 15 * TICKS:
        world.step()
        places.append(swimmer.segments.position[:, :2].mean(axis=0))
        if food.exists:
            distances.append(float(np.hypot(*(swimmer.segments.position[0] - food.position)[:2])))
            seen.append(swimmer.vision.food[0] < OUT_OF_SIGHT)
    beat = TICKS // 2
    speed = np.hypot(*(np.array(places[beat:]) - places[:-beat]).T) * TICKS / beat
    fastest, at_two = float(speed.max()), float(speed[np.searchsorted(-np.array(distances), -2.0) - beat])
    record_property("cruising, at first sight, fastest, 2 units away [u/s]",
                    [round(v, 2) for v in (cruise, float(speed[0]), fastest, at_two)])  # fmt: skip
    assert eaten
    assert seen[5]
    assert fastest > 1.1 * cruise
    assert at_two < min(float(speed[0]), 0.8 * fastest)


def path_speed(world: World, creature: Creature, ticks: int) -> float:
    """Mean speed of the middle of a body along its way over so many ticks."""
    before = creature.segments.position[:, :2].mean(axis=0)
    world.step(ticks)
    return float(np.hypot(*(creature.segments.position[:, :2].mean(axis=0) - before))) * TICKS / ticks


RAIN_SPEED = 4.0
STEADY = 0.02  # deviation of the speed from second to second, as a share: what check C49 calls steady


def swim_in_rain(seconds: float, cells: int) -> tuple[World, list[Creature], np.ndarray]:
    """Four swimmers side by side in rain; the speed of each in every second of the way."""
    world = World(seed=1, map=pool_map(0.8 * cells, 3.0, 0.8, rain_per_s=40.0))
    half = 0.4 * cells
    swimmers = [world.spawn("swimmer", at=(26.0 - half, 18.0 * k - 27.0)) for k in range(4)]
    for swimmer in swimmers:
        swimmer.control(RAIN_SPEED, 0.0)
    speeds = []
    for _ in range(round(seconds)):
        before = np.array([s.segments.position[:, :2].mean(axis=0) for s in swimmers])
        world.step(TICKS)
        after = np.array([s.segments.position[:, :2].mean(axis=0) for s in swimmers])
        speeds.append(np.hypot(*(after - before).T))
    return world, swimmers, np.array(speeds)


def check_steady(world: World, speeds: np.ndarray, first: int, last: int, record_property) -> None:
    steady = speeds[first:last]
    record_property("speeds [u/s]", [round(float(v), 2) for v in steady.mean(axis=0)])
    record_property("told [u/s]", RAIN_SPEED)
    unrest = steady.std(axis=0) / steady.mean(axis=0)
    record_property("largest deviation from second to second", round(float(unrest.max()), 3))
    depth = world.water.grids[0].depth
    assert np.isfinite(depth).all()
    assert np.abs(depth - 3.0).max() < 2.0
    assert np.abs(steady.mean(axis=0) / RAIN_SPEED - 1.0).max() < 0.03
    assert (unrest < STEADY).all()


def test_c54_four_swimmers_in_rain_reach_a_steady_speed(record_property):
    """Reported: many swimmers and rain (Fig. 5.13). Proposed: 4 swimmers, 200 x 200 cells, rain, finite for 60 s, steady.
    These are the first 14 s in a quarter of the pool; the slow test is the whole of it."""
    world, _, speeds = swim_in_rain(14.0, 100)
    check_steady(world, speeds, 8, 14, record_property)


@pytest.mark.slow
def test_c54b_four_swimmers_live_through_a_minute_of_rain(record_property):
    """Proposed: finite for 60 s, each reaches steady speed. They cross the pool, then they are on their own and turn."""
    world, swimmers, speeds = swim_in_rain(30.0, 200)
    check_steady(world, speeds, 8, 20, record_property)
    for swimmer in swimmers:
        swimmer.release()
    world.step(30 * TICKS)
    for swimmer in swimmers:
        assert np.isfinite(swimmer.segments.position).all()
        assert np.abs(swimmer.segments.position[:, :2]).max() < 80.0
        assert path_speed(world, swimmer, TICKS) > 0.1


def vorticity(grid: WaterGrid) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertical vorticity at the inner corners of the cells, and where their columns and rows are."""
    u, v = grid.velocity
    curl = (v[1:-1, 1:] - v[1:-1, :-1] - u[1:, 1:-1] + u[:-1, 1:-1]) / grid.cell
    x, y = (grid.origin[axis] + grid.cell * np.arange(1, grid.size[axis]) for axis in (0, 1))
    return curl, x, y


def row_of(sign: float, line: np.ndarray, spacing: float) -> np.ndarray:
    """Places along a line of all local extrema of one sign, at least a third as strong as the strongest one."""
    values = sign * line
    inner = values[1:-1]
    peaks = np.flatnonzero((inner >= values[:-2]) & (inner > values[2:]) & (inner > values.max() / 3.0)) + 1
    return spacing * peaks


def test_c63_vortices_of_opposite_sign_stand_in_two_rows_behind_a_steady_swimmer(record_property):
    """Reported: two rows of lateral vortices (Fig. 5.7). Proposed: alternate-sign extrema on two lines left and right of the
    path, at least 3 pairs. Ours, in water that the swimmer nearly fills: to the left those that turn clockwise, to the right
    the others; along the path between them the mean vorticity vanishes."""
    absorbing = {f"edge_{side}": "absorbing" for side in ("west", "east", "south", "north")}
    water = {"bounds": [-45, -15, 45, 15], "level_u": 1.2, **absorbing}
    world = World(seed=1, map=Map.define(name="lane", area={"width_u": 90, "height_u": 30}, water=[water]))
    swimmer = world.spawn("swimmer", at=(-18.0, 0.0))
    swimmer.control(5.0, 0.0)
    path = []
    for _ in range(13 * TICKS):
        world.step()
        path.append(swimmer.segments.position[:, 1].mean())
    path_line = np.mean(path[-5 * TICKS :])  # its start has turned it a little: half a unit or less to a side
    grid = world.water.grids[0]
    curl, x, y = vorticity(grid)
    tail = swimmer.segments.position[-1]
    wake = (x > tail[0] - 22.0) & (x < tail[0] - 4.0)
    mean = curl[:, wake].mean(axis=1)
    beside = np.abs(y - path_line) < 4.0
    left, right = (int(np.flatnonzero(beside)[(sign * mean[beside]).argmax()]) for sign in (-1.0, 1.0))
    between = np.abs(mean[right : left + 1]).min()
    record_property("rows left, right of the path [u]", [round(float(y[row] - path_line), 2) for row in (left, right)])
    record_property("mean vorticity left, between, right [1/s]",
                    [round(float(value), 2) for value in (mean[left], between, mean[right])])  # fmt: skip
    rows = [row_of(sign, curl[row, wake], grid.cell) for sign, row in ((-1.0, left), (1.0, right))]
    record_property("vortices left, right", [len(row) for row in rows])
    strongest = [float(curl[left, wake].min()), float(curl[right, wake].max())]
    record_property("strongest left, right [1/s]", [round(value, 2) for value in strongest])
    apart = [float(np.diff(row).mean()) for row in rows]
    record_property("between two of a row [u]", [round(value, 2) for value in apart])
    assert min(len(row) for row in rows) >= 3
    assert y[left] > path_line > y[right]
    assert min(-mean[left], mean[right]) > 0.2
    assert between < 0.2 * min(-mean[left], mean[right])
    assert apart[0] == pytest.approx(apart[1], rel=0.2)  # one pair a beat


@pytest.mark.parametrize("seed", [1, 2])
def test_c29b_zigzag_of_food_is_eaten_in_order_in_ankle_deep_water(seed, record_property):
    """Reported: food guides the path, shown also in shallow water (Fig. 6.3). Water: 0.4 deep under a ride height of 1."""
    water = {"bounds": [-60, -30, 60, 30], "level_u": 0.4, "cell_u": 0.5}
    world = World(seed=seed, map=Map.define(name="shallows", area={"width_u": 120, "height_u": 60}, water=[water]))
    places = [(9.0 * (k + 1) - 40.0, 2.0 * (-1) ** k) for k in range(5)]
    for place in places:
        world.add_food((*place, 0.4))  # with a height it does not drift
    creature, eaten = world.spawn("stone_centipede", at=(-40.0, 0.0)), []
    world.on("ate", lambda event: eaten.append(tuple(event.food[:2])))
    stirred: list[float] = []
    grid = world.water.grids[0]
    track = follow(world, creature, 38.0, lambda: stirred.append(float(np.abs(grid.depth - 0.4).max())))
    record_property("worst link", round(track.worst_link(), 3))
    record_property("highest ripple [u]", round(max(stirred), 3))
    assert eaten == places
    assert track.worst_link() < 0.05
    assert 0.005 < max(stirred) < 0.3
    assert BrainMode.ADJUSTMENT not in track.mode[120:]
