"""Shallow water against closed forms and conservation laws."""

from __future__ import annotations

import math
import platform

import numba
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from paludarium.engine.machine_code.kernel_dispatcher import KernelDispatcher
from paludarium.engine.terrain import Cylinder, Terrain
from paludarium.engine.water import Pond, Water, WaterGrid
from paludarium.engine.water.exchange_kernel import DENSITY
from paludarium.engine.water.flow_kernel import move_u_row, move_v_row
from paludarium.engine.water.grid import CELLS_PER_THREAD
from paludarium.engine.water.pond_layout import DEPTH, SURFACE, U, V

GRAVITY = 9.8
TICK = 1.0 / 60.0
FLAT = Terrain.flat(bounds=(-60, -60, 60, 60))
ISLANDS = Terrain.gaussians([(0, 0, 1.6, 2.0), (5, 3, 0.7, 1.5), (-6, 6, 3.0, 1.0)], bounds=(-20, -20, 20, 20))


def channel(length: float = 40.0, cell: float = 0.1, cells_across: int = 4, level: float = 1.0, **settings) -> WaterGrid:
    pond = Pond(bounds=(0, 0, length, cells_across * cell), level=level, cell=cell, **settings)
    return Water([pond], FLAT).grids[0]


def column_centers(grid: WaterGrid) -> np.ndarray:
    return (np.arange(grid.size[0]) + 0.5) * grid.cell


def break_dam(cell: float, depth_behind: float, depth_ahead: float, seconds: float):
    """Distances from the dam, depths along the channel after some time, and the grid."""
    grid = channel(cell=cell)
    x = column_centers(grid) - 20.0
    grid.set_depth(np.where(x < 0.0, depth_behind, depth_ahead))
    for _ in range(round(seconds / TICK)):
        grid.step(TICK)
    return x, grid.depth[1].copy(), grid


def stoker(depth_behind: float, depth_ahead: float) -> tuple[float, float, float]:
    """Depth and speed between rarefaction and bore, and the bore's speed. [Stoker57 10.8]"""
    low, high = depth_ahead, depth_behind
    for _ in range(100):
        h = 0.5 * (low + high)
        u = 2.0 * (math.sqrt(GRAVITY * depth_behind) - math.sqrt(GRAVITY * h))
        jump = (h - depth_ahead) * math.sqrt(GRAVITY * (h + depth_ahead) / (2.0 * h * depth_ahead))
        low, high = (h, high) if u > jump else (low, h)
    return h, u, u * h / (h - depth_ahead)


def test_a_dry_bed_dam_break_follows_ritter():
    """Depth (2c - x/t)^2 / 9g between x = -ct and 2ct. The thin tip lags, as in every scheme of first order."""
    seconds, c = 2.0, math.sqrt(GRAVITY)
    x, depth, grid = break_dam(0.1, 1.0, 0.0, seconds)
    s = x / seconds
    exact = np.where(s < -c, 1.0, np.where(s > 2.0 * c, 0.0, (2.0 * c - s) ** 2 / (9.0 * GRAVITY)))
    assert np.abs(depth - exact).sum() / exact.sum() < 0.01
    front = x[depth > 0.05].max() / seconds
    assert_allclose(front, 2.0 * c - 3.0 * math.sqrt(GRAVITY * 0.05), rtol=0.03)
    assert x[depth > 1e-3].max() / seconds < 2.0 * c
    assert_allclose(grid.volume, 20.0 * 0.4, rtol=1e-13)


@pytest.mark.parametrize("depth_ahead, tolerance", [(0.5, 0.015), (0.1, 0.03)])
def test_a_wet_bed_dam_break_sends_a_bore_at_stokers_speed(depth_ahead, tolerance):
    seconds = 2.0
    x, depth, _ = break_dam(0.1, 1.0, depth_ahead, seconds)
    h, u, speed = stoker(1.0, depth_ahead)
    assert_allclose(x[depth > 0.5 * (h + depth_ahead)].max() / seconds, speed, rtol=tolerance)
    middle = 0.5 * (u - math.sqrt(GRAVITY * h) + speed) * seconds
    assert_allclose(np.interp(middle, x, depth), h, rtol=tolerance)


def test_dam_breaks_along_both_axes_and_directions_are_mirror_images():
    def broken(flip: bool, turn: bool) -> np.ndarray:
        grid = Water([Pond(bounds=(-4, -4, 4, 4), level=1.0, cell=0.2)], FLAT).grids[0]
        ramp = np.where(np.arange(40) < 13, 1.0, 0.2) * np.ones((40, 1))
        ramp = ramp[:, ::-1] if flip else ramp
        grid.set_depth(ramp.T if turn else ramp)
        for _ in range(40):
            grid.step(TICK)
        result = grid.depth.T if turn else grid.depth
        return result[:, ::-1] if flip else result

    east = broken(False, False)
    for flip, turn in ((True, False), (False, True), (True, True)):
        assert_allclose(broken(flip, turn), east, atol=1e-12)


@pytest.mark.parametrize("terrain", [ISLANDS, Terrain.noise(amplitude=1.5, scale=4.0, seed=3, bounds=(-20, -20, 20, 20))])
def test_a_lake_at_rest_stays_at_rest_around_islands(terrain):
    terrain = terrain.with_shapes([Cylinder(center=(-5, -5, 0), axis=(0, 0, 1), length=12, radius=1.2)])
    grid = Water([Pond(bounds=(-10, -10, 10, 10), level=0.6)], terrain).grids[0]
    dry = grid.depth == 0.0
    assert grid.solid.any()
    assert (dry & ~grid.solid).any()
    before = grid.depth.copy()
    for _ in range(300):
        grid.step(TICK)
    assert_array_equal(grid.depth == 0.0, dry)
    assert_allclose(grid.depth, before, atol=1e-12)
    assert max(np.abs(part).max() for part in grid.velocity) < 1e-12


def test_shores_neither_leak_nor_go_below_the_bed():
    grid = Water([Pond(bounds=(-10, -10, 10, 10), level=1.0, rain=50)], ISLANDS, seed=4).grids[0]
    volume = grid.volume
    grid.splash((5, -5), radius=3.0, height=0.4)
    for _ in range(600):
        grid.step(TICK)
        assert grid.fields[DEPTH].min() >= 0.0
    assert_allclose(grid.volume, volume, rtol=1e-12)
    assert np.abs(grid.surface[np.isfinite(grid.surface)] - 1.0).max() < 0.3


def test_a_splash_on_a_beach_calms_down():
    grid = Water([Pond(bounds=(-10, -10, 10, 10), level=1.0)], ISLANDS).grids[0]
    grid.splash((5, -5), radius=2.0, height=0.3)

    def kinetic() -> float:
        u, v = grid.velocity
        middle = 0.5 * (u[:, 1:] ** 2 + u[:, :-1] ** 2 + v[1:] ** 2 + v[:-1] ** 2)
        return float((grid.depth * middle).sum())

    energies = []
    for _ in range(3):
        for _ in range(300):
            grid.step(TICK)
        energies.append(kinetic())
    assert energies[0] > energies[1] > energies[2] > 0.0


def test_water_that_overtops_a_ridge_runs_down_the_other_side_only_as_far_as_there_is_water():
    ridge = Terrain.gaussians([(0, y, 0.5, 1.0) for y in np.arange(-8.0, 8.1, 1.0)], bounds=(-10, -10, 10, 10))
    grid = Water([Pond(bounds=(-6, -2, 6, 2), level=0.8, cell=0.2)], ridge).grids[0]
    x = -6 + column_centers(grid)
    grid.set_depth(np.where(x < 0.0, np.maximum(2.5 - grid.bed, 0.0), 0.0))
    volume = grid.volume
    for _ in range(600):
        grid.step(TICK)
        assert grid.fields[DEPTH].min() >= 0.0
    assert grid.depth[:, x > 3].mean() > 0.05
    assert_allclose(grid.volume, volume, rtol=1e-12)


def test_solid_cells_stay_dry_and_closed_to_waves():
    grid = Water([Pond(bounds=(-5, -5, 5, 5), level=1.0, cell=0.2)], FLAT).grids[0]
    wall = np.zeros((50, 50), dtype=bool)
    wall[:, 24:26] = True
    volume = grid.volume
    grid.set_solid(wall)
    assert_allclose(grid.volume, volume, rtol=1e-14)
    for _ in range(200):
        grid.step(TICK)
    east_before = grid.depth[:, 26:].copy()
    grid.splash((-3, 0), radius=1.0, height=0.3)
    for _ in range(200):
        grid.step(TICK)
    assert (grid.depth[wall] == 0.0).all()
    assert_allclose(grid.depth[:, 26:], east_before, atol=1e-6)
    assert np.abs(grid.depth[:, :24] - grid.depth[:, :24].mean()).max() > 1e-3
    assert_allclose(grid.volume, volume, rtol=1e-12)


def test_water_on_a_tilted_bed_feels_the_surface_and_not_the_bed():
    """A small standing wave over a slope too gentle to reach the surface keeps its volume and stays small."""
    slope = Terrain.gaussians([(0, 0, 0.5, 6.0)], bounds=(-20, -20, 20, 20))
    grid = Water([Pond(bounds=(-10, -10, 10, 10), level=1.0)], slope).grids[0]
    x = -10 + column_centers(grid)
    grid.set_surface(1.0 + 1e-3 * np.sin(math.pi * x / 20.0))
    for _ in range(600):
        grid.step(TICK)
        assert np.abs(grid.surface - 1.0).max() < 2e-3


def test_results_are_bitwise_equal_for_one_and_two_threads():
    if numba.config.NUMBA_NUM_THREADS < 2:
        pytest.skip("needs two cores")
    bodies = [[-3, 0, 1, 3, 1, 1, 0.7, 2, 1, 2, -1]]

    def run(threads: int) -> dict[str, np.ndarray]:
        before = numba.get_num_threads()
        numba.set_num_threads(threads)
        try:
            ponds = [Pond(bounds=(-42, -42, 42, 42), level=1.0, rain=200, edge_east="absorbing"),  # worth two threads
                     Pond(bounds=(45, 45, 55, 55), level=0.5, cell=0.2, rain=50)]
            water = Water(ponds, ISLANDS, seed=11)
            assert np.prod(water.grids[0].size) >= 2 * CELLS_PER_THREAD
            for _ in range(20):
                water.step(TICK, bodies, bodies)
            return water.state()
        finally:
            numba.set_num_threads(before)

    one, two = run(1), run(2)
    assert_array_equal(one["numbers"], two["numbers"])
    assert_array_equal(one["indices"], two["indices"])


def test_a_saved_state_continues_exactly_and_fits_only_its_own_ponds():
    pond = Pond(bounds=(-10, -10, 10, 10), level=1.0, rain=100, moving=True, edge_north="absorbing")
    water = Water([pond], ISLANDS, seed=3)
    for tick in range(40):
        water.step(TICK, [[-6, tick * 0.1, 1, -4, tick * 0.1, 1, 0.6, 0, 6, 0, 6]])
        water.follow((0, tick * 0.1))
    state = water.state()
    copy = Water([pond], ISLANDS, seed=99)
    copy.restore(state)
    for _ in range(40):
        water.step(TICK)
        copy.step(TICK)
    assert_array_equal(copy.state()["numbers"], water.state()["numbers"])
    assert copy.grids[0].origin == water.grids[0].origin
    with pytest.raises(ValueError, match="same ponds"):
        Water([Pond(bounds=(-10, -10, 10, 11), level=1.0)], ISLANDS).restore(state)


def test_rain_depends_on_the_seed_and_creates_no_water():
    def rained(seed: int) -> WaterGrid:
        grid = Water([Pond(bounds=(-10, -10, 10, 10), level=1.0, rain=100)], FLAT, seed=seed).grids[0]
        for _ in range(30):
            grid.step(TICK)
        return grid

    first, again, other = rained(2**64 - 1), rained(2**64 - 1), rained(5)
    assert_array_equal(first.depth, again.depth)
    assert np.abs(first.depth - other.depth).max() > 1e-3
    assert np.abs(first.depth - 1.0).max() > 1e-3
    assert_allclose(first.volume, 400.0, rtol=1e-13)


def test_a_dent_changes_no_volume_and_leaves_dry_cells_dry():
    grid = Water([Pond(bounds=(-10, -10, 10, 10), level=1.0)], ISLANDS).grids[0]
    dry, volume = grid.depth == 0.0, grid.volume
    for height in (1e9, -1e9, 0.2):
        grid.splash((0, 2.5), radius=1.5, height=height)
        assert grid.fields[DEPTH].min() >= 0.0
        assert_array_equal(grid.depth == 0.0, dry)
    assert_allclose(grid.volume, volume, rtol=1e-12)


def test_the_surface_plane_always_is_bed_plus_depth():
    pond = Pond(bounds=(-10, -10, 10, 10), level=1.0, rain=60, edge_west="absorbing", level_hold=0.1)
    grid = Water([pond], ISLANDS).grids[0]
    for _ in range(100):
        grid.step(TICK, [[-6, 0, 1, -4, 0, 1, 0.6, 1, 0, 1, 0]])
    inner = grid.fields[SURFACE, 1:-1, 1:-1]
    assert_allclose(inner, grid.bed + grid.depth, atol=1e-15)
    assert np.isfinite(grid.fields[[U, V]]).all()


def test_a_jet_in_a_closed_basin_keeps_its_momentum_and_the_walls_take_the_rest():
    """Exact until its waves reach a wall; after that the difference is what walls push, in six seconds within 1 %. With
    velocities traced back along the flow 5 % were lost in three seconds."""
    grid = Water([Pond(bounds=(0, 0, 40, 40), level=1.0, cell=0.4)], FLAT, gravity=GRAVITY).grids[0]
    y, x = np.mgrid[0:100, 0:99] - 49.5
    grid.fields[U, 1:-1, 2:-1] = 3.0 * np.exp(-((np.hypot(x, y) / 6.0) ** 2))
    begun, walls, energy = grid.momentum, 0.0, []
    for tick in range(360):
        grid.step(TICK)
        u, v = grid.velocity
        energy.append(GRAVITY * float(((grid.depth - 1.0) ** 2).sum()) + float((u**2).sum()) + float((v**2).sum()))
        walls += 0.5 * GRAVITY * float((grid.depth[:, 0] ** 2 - grid.depth[:, -1] ** 2).sum()) * grid.cell * TICK
        if tick == 119:
            assert_allclose(grid.momentum, begun, rtol=0.0, atol=1e-6 * begun[0])
    assert begun[0] + DENSITY * walls == pytest.approx(grid.momentum[0], abs=0.01 * begun[0])
    assert abs(grid.momentum[1]) < 1e-9 * begun[0]  # and it is as symmetric as it was
    assert_allclose(grid.depth, grid.depth[::-1], atol=1e-12)
    assert (np.diff(energy) <= 1e-3 * energy[0]).all()
    assert energy[-1] < energy[0]


def test_momentum_is_kept_where_cells_run_dry():
    """A heap of water runs out over dry ground: no depth below 0, and momentum in all directions stays what it was."""
    grid = Water([Pond(bounds=(0, 0, 24, 24), level=1.0, cell=0.4)], FLAT, gravity=GRAVITY).grids[0]
    y, x = np.mgrid[0:60, 0:60] - 29.5
    grid.set_depth(np.where(np.hypot(x, y) < 6.0, 1.0, 0.0))
    grid.fields[U, 1:-1, 2:-1] = np.where(np.hypot(x, y)[:, 1:] < 5.0, 1.0, 0.0)
    begun, volume = grid.momentum[0], grid.volume
    for _ in range(60):
        grid.step(TICK)
        assert grid.depth.min() >= 0.0
    assert grid.volume == pytest.approx(volume, rel=1e-12)
    assert grid.momentum[0] == pytest.approx(begun, rel=0.02)
    assert abs(grid.momentum[1]) < 1e-9 * begun


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="looks for its instructions")
def test_rows_of_faces_are_moved_many_at_a_time():
    """Compilers give that up in silence where a loop calls something: the same result in four times the time."""
    for row, arrays in ((move_u_row, 10), (move_v_row, 14)):
        compiled = KernelDispatcher(row.py_func, None, {"error_model": "numpy"})
        compiled._cache.disable()  # what is stored cannot be looked into
        compiled(*[np.zeros(64) for _ in range(arrays)], 0.01, 0.1, 10.0)
        (code,) = compiled.inspect_asm().values()
        assert "mulpd" in code  # products of whole vectors
