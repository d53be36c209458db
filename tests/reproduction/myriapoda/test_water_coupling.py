"""Check C62 of the myriapod digest: what a body does to the water around it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from paludarium import Map, World
from paludarium.components.body import BodyPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.water import WaterGrid
from paludarium.engine.water.coupling_rows_kernel import AVX, BODY_COLUMNS, along_axis
from paludarium.engine.water.pond_layout import U, V
from paludarium.systems.water.wet_bodies_kernel import lay_wet_bodies
from paludarium.tests.reproduction.criteria import criterion
from paludarium.tests.reproduction.myriapoda.pools import ABSORBING_EDGES, GRAVITY, TICK, centers, pool

BOX = np.array([[6.0, 10.0, 1.0, 14.0, 10.0, 1.0, 1.3, 0.0, 2.0, 0.0, 2.0]])  # a long capsule that moves sideways


def test_c62_outline_cells_take_the_bodys_normal_velocity_and_inner_cells_its_underside(record_property):
    """A capsule that fills the water, half out of it; along its flanks, where faces share a normal. Asked: 1e-12."""
    grid = pool(20.0, 20.0, level=2.0)
    bodies = BOX.copy()
    bodies[:, [2, 5]] = 2.0
    for _ in range(5):
        grid.step(TICK)
    grid.couple(bodies)
    v = grid.fields[V, 1:, 1:-1]
    middle = 0.5 * (v[1:] + v[:-1])
    x, y = centers(grid), centers(grid)
    flank = (x > 6.5) & (x < 13.5)
    occupied = np.abs(y - 10.0) <= 1.3
    relative = float(np.abs(middle[np.ix_(occupied, flank)] - 2.0).max())
    record_property("largest relative normal velocity [u/s]", relative)
    assert relative < 1e-12
    inside = np.abs(y - 10.0) <= 1.3 - grid.cell
    assert_allclose(grid.depth[np.ix_(inside, flank)], 2.0 - 1.3, atol=1e-12)
    outline = occupied & ~inside
    assert_allclose(grid.depth[np.ix_(outline, flank)], 2.0, atol=1e-12)
    u = grid.fields[U, 1:-1, 1:]
    assert np.abs(u[np.ix_(outline, np.flatnonzero(flank))]).max() == 0.0  # tangential velocity is kept


def test_c62_a_moving_body_leaves_a_wake_behind_and_nothing_ahead_of_its_waves(record_property):
    """Asked: a wake behind a moving body, none ahead beyond the wave speed. A capsule at 6 u/s, waves run at 3.1 u/s."""
    grid = pool(80.0, 20.0)
    body = np.array([[10.0, 10.0, 1.0, 12.0, 10.0, 1.0, 0.8, 6.0, 0.0, 6.0, 0.0]])
    ticks = 240
    for _ in range(ticks):
        body[:, [0, 3]] += 6.0 * TICK
        grid.step(TICK, body)
    x = centers(grid)
    surface = grid.depth - np.median(grid.depth)
    nose, waves = body[0, 3] + 0.8, 12.8 + math.sqrt(GRAVITY) * ticks * TICK
    behind = np.abs(surface[:, (x > 12.0) & (x < body[0, 0] - 1.0)]).max()
    ahead = np.abs(surface[:, x > max(nose, waves) + 4.0]).max()
    record_property("wake behind and ahead [u]", [f"{behind:.2g}", f"{ahead:.2g}"])
    assert behind > 0.02
    assert ahead < 1e-3 * behind


def outline_speeds(grid: WaterGrid, capsules: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Speeds of bodies and water along the outlines' normals, at cells that bodies fill and that have free neighbours."""
    columns, rows = grid.size
    best, owner = np.full((rows, columns), np.inf), np.full((rows, columns), -1)
    place: dict[tuple[int, int], tuple[float, float, float]] = {}
    for row, capsule in enumerate(capsules):
        for j in range(rows):
            y = grid.origin[1] + (j + 0.5) * grid.cell
            if abs(y - capsule[1]) > 4.0:
                continue
            for i in np.flatnonzero(np.abs(grid.origin[0] + (np.arange(columns) + 0.5) * grid.cell - capsule[0]) < 4.0):
                t, s, nx, ny = along_axis(capsule, grid.origin[0] + (i + 0.5) * grid.cell, y)
                if s <= 0.0 and s < best[j, i]:
                    best[j, i], owner[j, i], place[j, i] = s, row, (t, nx, ny)
    u, v = grid.velocity
    found = []
    for (j, i), (t, nx, ny) in place.items():
        if min(owner[j, i - 1], owner[j, i + 1], owner[j - 1, i], owner[j + 1, i]) < 0:
            ends = capsules[owner[j, i], AVX : AVX + 4].reshape(2, 2)
            body = (1.0 - t) * ends[0] + t * ends[1]
            water = 0.5 * np.array([u[j, i] + u[j, i + 1], v[j, i] + v[j + 1, i]])
            found.append((body @ (nx, ny), water @ (nx, ny)))
    return np.array(found).T


@pytest.mark.parametrize("depth, shares", [(1.0, (0.1, 0.25)), (3.0, (-0.03, 0.03))])
def test_c62_a_swimmer_takes_water_along_and_leaves_a_wake(depth, shares, record_property):
    """Asked: no relative velocity along the outline's normal, and a wake behind, none ahead. The swimmer of our worlds at
    5 u/s, one unit high, in water one and three units deep: a body takes along only that part of a column that it fills."""
    water = {"bounds": [-45, -15, 45, 15], "level_u": depth, "cell_u": 0.4, **ABSORBING_EDGES}
    world = World(seed=1, map=Map.define(name="lane", area={"width_u": 90, "height_u": 30}, water=[water]))
    swimmer, grid = world.spawn("swimmer", at=(-18.0, 0.0)), world.water.grids[0]
    swimmer.control(5.0, 0.0)
    world.step(480)
    bodies, segments = world.pool(BodyPool), world.pool(SegmentPool)
    capsules = np.zeros((segments.capacity, BODY_COLUMNS))
    rows = np.ascontiguousarray(bodies.spans[:, 0])
    count = lay_wet_bodies(rows, bodies, segments, world.water.arrays, capsules)
    body, flow = outline_speeds(grid, capsules[:count])
    share, relative = float(body @ flow / (body @ body)), float(np.sqrt(np.mean((body - flow) ** 2)))
    record_property(f"share of its speed that water takes over, {depth:g} deep", share)
    record_property(f"relative normal velocity, rms [u/s], {depth:g} deep", relative)
    x = grid.origin[0] + (np.arange(grid.size[0]) + 0.5) * grid.cell
    nose, tail = swimmer.segments.position[[0, -1], 0]
    surface = np.abs(grid.depth - depth)
    behind = float(surface[:, (x > tail - 12.0) & (x < tail - 2.0)].max())
    ahead = float(surface[:, x > nose + 8.0].max())
    record_property(f"wake behind and ahead [u], {depth:g} deep", [round(behind, 3), round(ahead, 3)])
    criterion(record_property, holds=relative < 1e-12,
              why_not="below the surface a body gives the water what it loses by drag, not the speed of its outline, and "
                      "the rest of a column passes below it")  # fmt: skip
    least, most = shares
    assert least < share < most
    assert behind > 5.0 * ahead


def test_c62_displaced_water_is_accounted_for(record_property):
    """What a body presses out of its way comes back."""
    grid = pool(20.0, 20.0)
    before = grid.volume
    body = np.array([[4.0, 10.0, 1.0, 8.0, 10.0, 1.0, 0.8, 3.0, 0.0, 3.0, 0.0]])
    for _ in range(200):
        body[:, [0, 3]] += 3.0 * TICK
        grid.step(TICK, body)
    record_property("change of the volume, as a share", abs(grid.volume / before - 1.0))
    assert_allclose(grid.volume, before, rtol=1e-12)
    for _ in range(300):
        grid.step(TICK)
    assert_allclose(grid.depth.mean(), 1.0, rtol=1e-6)
