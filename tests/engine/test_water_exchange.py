"""What free bodies and the water give to each other on the grid: momentum to the last bit, and nothing out of nothing."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from paludarium.engine.terrain import Terrain
from paludarium.engine.water import Pond, Water, WaterGrid
from paludarium.engine.water.pond_layout import DEPTH, U, V

TICK = 1.0 / 60.0
FLAT = Terrain.flat(bounds=(-40, -40, 40, 40))
BELOW, AWASH, AFLOAT = 1.0, 1.53, 2.0  # elevations of the axis of a body of radius 0.5, in water 2 deep


def pool(level: float = 2.0, side: float = 20.0, cell: float = 0.4, **settings) -> WaterGrid:
    half = side / 2
    return Water([Pond(bounds=(-half, -half, half, half), level=level, cell=cell, **settings)], FLAT).grids[0]


def stirred(grid: WaterGrid, seed: int = 3) -> WaterGrid:
    """Waves and eddies, so that no sum is zero by symmetry."""
    random = np.random.default_rng(seed)
    grid.set_depth(grid.depth + random.uniform(-0.1, 0.1, grid.depth.shape))
    grid.fields[U, 1:-1, 2:-1] = random.normal(0.0, 0.3, grid.fields[U, 1:-1, 2:-1].shape)
    grid.fields[V, 2:-1, 1:-1] = random.normal(0.0, 0.3, grid.fields[V, 2:-1, 1:-1].shape)
    return grid


def free_body(z: float, given=(0.0, 0.0), velocity=(0.0, 0.0), radius: float = 0.5) -> list[float]:
    return [-2.0, 0.3, z, 2.1, -0.4, z, radius, *velocity, *velocity, 1.0, *given]


@pytest.mark.parametrize("z", [BELOW, AWASH])
@pytest.mark.parametrize("radius", [0.5, 0.05, 1.7])
def test_the_water_gets_exactly_what_a_free_body_lost(z, radius):
    grid = stirred(pool())
    before = grid.momentum
    grid.couple([free_body(z - 1.2 * (radius > 1.0), (0.7, -1.9), (1.0, -2.0), radius)])
    assert_allclose(grid.momentum - before, (0.7, -1.9), atol=1e-12)


def test_two_bodies_in_the_same_columns_give_what_both_lost():
    grid = stirred(pool())
    before = grid.momentum
    grid.couple([free_body(BELOW, (0.7, -1.9), (9.0, 9.0)), free_body(BELOW, (0.1, 0.4), (9.0, 9.0))])
    assert_allclose(grid.momentum - before, (0.8, -1.5), atol=1e-12)


def test_a_body_at_rest_in_still_water_leaves_it_at_rest_exactly():
    for z in (BELOW, AWASH):
        grid = pool()
        before = grid.fields.copy()
        for _ in range(60):
            grid.step(TICK, [free_body(z)])
        for plane in (U, V, DEPTH):
            assert_array_equal(grid.fields[plane], before[plane])


def test_steps_three_to_five_are_taken_in_full_by_a_free_body_whose_middle_is_in_the_surface():
    """[Fang15 5.3] Inside, the surface is the underside; at the outline it is that of the free water; the water goes along
    with the body across its flank. Here the body lost what that takes, so nothing is taken back from the columns around."""
    led, free = pool(side=24.0), pool(side=24.0)
    body = [-8.0, 0.2, 2.0, 8.0, 0.2, 2.0, 1.3, 0.0, 2.0, 0.0, 2.0]
    led.couple([body])
    free.couple([[*body, 1.0, *led.momentum]])
    y = free.origin[1] + (np.arange(60) + 0.5) * free.cell
    flank = slice(15, 45)
    inside = np.abs(y - 0.2) <= 1.3 - free.cell
    occupied = np.abs(y - 0.2) <= 1.3
    assert inside.sum() >= 3
    assert_allclose(free.depth[inside, flank], 2.0 - 1.3, atol=1e-12)
    assert_allclose(free.depth[occupied & ~inside, flank], 2.0, atol=1e-12)
    v = free.velocity[1]
    assert_allclose(0.5 * (v[1:] + v[:-1])[occupied, flank], 2.0, atol=1e-12)
    assert_allclose(free.momentum, led.momentum, atol=1e-11)


def test_a_free_body_in_the_surface_gives_what_it_lost_and_not_what_its_steps_took():
    grid = pool(side=24.0)
    grid.couple([[-8.0, 0.2, 2.0, 8.0, 0.2, 2.0, 1.3, 0.0, 2.0, 0.0, 2.0, 1.0, 0.0, 5.0]])
    assert_allclose(grid.momentum, (0.0, 5.0), atol=1e-11)
    assert np.ptp(grid.velocity[1]) > 0.1


def test_what_steps_three_and_four_press_away_is_owed_to_the_pond():
    grid = pool()
    volume = grid.volume
    grid.couple([free_body(AFLOAT, radius=1.3)])
    assert grid.depth.min() < 1.0
    assert_allclose(grid.volume, volume, rtol=1e-13)


def test_a_film_of_water_under_a_fast_body_is_not_blown_away():
    """Drag cannot make water faster than what pushes it, however little of it there is: here 200 times the film's mass."""
    grid = pool(level=0.004)
    for _ in range(120):
        grid.step(TICK, [free_body(0.2, (5.0, 0.0), (8.0, 0.0))])
        assert np.abs(grid.fields[[U, V]]).max() < 2.0 * 8.0  # waves of it run ahead of the body
        assert np.isfinite(grid.fields[[U, V, DEPTH]]).all()
        assert grid.depth.min() >= 0.0


def test_a_body_ashore_gives_nothing_to_the_ground():
    land = Terrain.gaussians([(0.0, 0.0, 3.0, 3.0)], bounds=(-40, -40, 40, 40))
    grid = Water([Pond(bounds=(-20, -20, 20, 20), level=1.0)], land).grids[0]
    grid.couple([free_body(3.0, (5.0, 5.0), (1.0, 1.0))])
    assert_array_equal(grid.momentum, (0.0, 0.0))


def test_velocities_after_any_kick_stay_within_what_the_next_step_can_follow():
    """The bound: a step is divided so that sqrt(2 g h) + |u| + |v| is at most 0.8 cells, and beyond 64 parts it is cut."""
    grid = pool()
    grid.couple([free_body(BELOW, (9e4, 9e4), (1e3, 1e3))])
    for _ in range(30):
        grid.step(TICK)
    assert np.isfinite(grid.fields[[U, V, DEPTH]]).all()
    assert np.abs(grid.fields[[U, V]]).max() * TICK / (64 * grid.cell) < 0.9
