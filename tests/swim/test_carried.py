"""Water that pushes back: what drifts, coasts, swims and floats in a world, and the momentum of it all."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest

from paludarium import Map, World
from paludarium.components.myriapod.construction.lattice import FREE_MASSES
from paludarium.components.myriapod.tissue import TissuePool
from paludarium.components.segments import SegmentPool
from paludarium.engine.creature import Creature

TICKS = 60
OPEN = {"edge_west": "absorbing", "edge_east": "absorbing"}
GIANT = {
    "segments": {"count": 6, "length_u": 3.0, "width_u": 4.0, "height_u": 3.0},
    "tissue": {"length_u": 1.5},
    "body": {"ride_height_u": 2.0},
    "muscles": {"lift": 0.0},
}


def pond(east: float, north: float, level: float = 2.0, cell: float = 0.8, **settings) -> World:
    water = {"bounds": [-east / 2, -north / 2, east / 2, north / 2], "level_u": level, "cell_u": cell, **settings}
    return World(seed=1, map=Map.define(name="pond", area={"width_u": east, "height_u": north}, water=[water]))


def momentum(world: World) -> np.ndarray:
    """Horizontal momentum of all bodies: of their segments, with what is bound to them, and of the free nodes between."""
    segments, tissue = world.pool(SegmentPool), world.pool(TissuePool)
    total = (segments.live("mass")[:, None] * segments.live("velocity")).sum(axis=0)
    masses = tissue.live("elastic")[:, 2] * tissue.live("size").prod(axis=1)
    total = total + np.einsum("b,n,bnd->d", masses, FREE_MASSES, tissue.live("node_velocity"))
    return total[:2]


def middle(creature: Creature) -> np.ndarray:
    return creature.segments.position[:, :2].mean(axis=0)


def set_going(world: World, velocity: tuple[float, float]) -> None:
    segments, tissue = world.pool(SegmentPool), world.pool(TissuePool)
    for start, count in segments.spans:
        segments.velocity[start : start + count, :2] = velocity
    for start, count in tissue.spans:
        tissue.node_velocity[start : start + count, :, :2] = velocity


def test_what_a_coasting_body_loses_the_water_has():
    """A body set going across itself, in a basin whose walls no wave reaches: after 3 s it has a fifth of its momentum left
    and the water the rest, to a millionth: fluxes of momentum lose none of it. Traced back along the flow 2 % were lost."""
    world = pond(60.0, 60.0, cell=0.4)
    world.spawn("swimmer", at=(11.0, 0.0)).kill()
    set_going(world, (0.0, 2.0))
    before = momentum(world)[1]
    world.step(3 * TICKS)
    body, water = momentum(world), world.water.grids[0].momentum
    assert 0.1 < body[1] / before < 0.25
    assert body[1] + water[1] == pytest.approx(before, rel=1e-4)
    assert abs(body[0] + water[0]) < 1e-3 * before


def test_a_swimmer_pushes_water_backward():
    """From rest in still water, for 6 s: what swims forward and what flows backward are alike but for a hundredth. Measured:
    0.2 %; where velocities were traced back along the flow it was 19 %."""
    world = pond(100.0, 60.0, cell=0.4)
    swimmer = world.spawn("swimmer", at=(11.0, 0.0))
    swimmer.control(5.0, 0.0)
    world.step(6 * TICKS)
    body, water = momentum(world), world.water.grids[0].momentum
    assert body[0] > 80.0  # of 22 units of mass
    assert water[0] == pytest.approx(-body[0], rel=0.01)
    assert abs(water[1] + body[1]) < 0.02 * body[0]


def test_still_water_and_a_body_in_it_stay_at_rest():
    world = pond(40.0, 40.0)
    swimmer = world.spawn("swimmer", at=(11.0, 0.0))
    swimmer.kill()
    place = swimmer.segments.position.copy()
    world.step(10 * TICKS)
    grid = world.water.grids[0]
    assert np.abs(swimmer.segments.position - place).max() < 1e-4  # its own weight settles
    assert np.abs(grid.depth - 2.0).max() < 1e-8
    assert max(np.abs(part).max() for part in grid.velocity) < 1e-8


def test_a_log_across_the_stream_is_carried_as_the_drag_of_its_side_says():
    """All of its side advances against the water with 1 - v: m dv/dt = A (1 - v)^2, so v = t / (t + m / A). [Fang15 eq. 5.2]
    Ours is a twentieth slower: the water it holds up is slower, too."""
    world = pond(120.0, 40.0, **OPEN, current_u_per_s=[1.0, 0.0])
    log = world.spawn("swimmer", at=(-20.0, 11.0), heading=math.pi / 2)
    log.kill()
    mass, side = 0.97 * 23.0, 0.97 * 23.0  # segments and blocks of a unit each; what is under water of their side
    for second in (1, 2, 4, 8):
        world.step(round(second * TICKS - world.tick))
        assert log.segments.velocity[:, 0].mean() == pytest.approx(second / (second + mass / side), rel=0.06)
        assert abs(log.segments.velocity[:, 1].mean()) < 1e-3


def test_swimmers_are_carried_by_the_current_up_and_down_the_stream():
    """The same orders with and without a current of 1 u/s: the way over the ground differs by it, within 6 %."""
    drift = []
    for place, heading in ((-40.0, 0.0), (40.0, math.pi)):
        ways = []
        for current in (1.0, 0.0):
            world = pond(160.0, 40.0, **OPEN, current_u_per_s=[current, 0.0])
            swimmer = world.spawn("swimmer", at=(place, 0.0), heading=heading)
            swimmer.control(4.0, 0.0)
            world.step(6 * TICKS)
            before = middle(swimmer)
            world.step(4 * TICKS)
            ways.append((middle(swimmer) - before)[0] / 4.0)
        drift.append(ways[0] - ways[1])
    assert drift == pytest.approx([1.0, 1.0], rel=0.06)


def test_the_wave_of_a_diving_giant_rocks_a_small_one_and_a_leaf():
    """A body of some 300 units of mass falls into the pond beside a swimmer that lies still; without it nothing moves."""
    swings = []
    for dives in (False, True):
        world = pond(80.0, 60.0, level=4.0)
        world.define_species("giant", **GIANT)
        small, leaf = world.spawn("swimmer", at=(10.0, -10.0)), world.add_food((-10.0, 12.0))
        small.kill()
        if dives:
            world.spawn("giant", at=(8.0, 8.0, 8.0)).kill()
        heave, places = [], []
        for _ in range(8 * TICKS):
            world.step()
            heave.append(small.segments.position[:, 2].mean())
            places.append([*middle(small), *leaf.position])
        swings.append(np.concatenate([[np.ptp(heave)], np.ptp(places, axis=0)]))
    still, rocked = swings
    assert still.max() < 1e-4
    assert rocked[0] > 0.2  # up and down; measured 0.47 units
    assert rocked[2] > 0.05  # to and fro with the wave; 0.17
    assert rocked[5] > 0.3  # the leaf rides on it; 0.88
    assert np.hypot(*rocked[3:5]) > 0.3  # and is carried: 0.88


def test_a_leaf_drifts_with_the_current_and_stays_off_the_rocks():
    world = pond(60.0, 20.0, **OPEN, current_u_per_s=[1.0, 0.0])
    leaf, held = world.add_food((-20.0, 0.0)), world.add_food((-20.0, 4.0, 2.0))
    world.step(10 * TICKS)
    assert leaf.position == pytest.approx([-10.0, 0.0, 2.0], abs=0.1)
    assert held.position == pytest.approx([-20.0, 4.0, 2.0], abs=1e-12)  # put there with a height
    world.add_obstacle("cylinder", (-6.0, 0.0), radius=2.0, height=4.0)
    for _ in range(10 * TICKS):
        world.step()
        assert np.hypot(*(leaf.position[:2] - (-6.0, 0.0))) > 1.5  # a cell may lie across the outline


def test_what_drifts_is_found_where_it_is():
    world = pond(60.0, 20.0, **OPEN, current_u_per_s=[1.0, 0.0])
    leaf = world.add_food((-20.0, 0.0))
    assert world.props.at((-20.0, 0.0))
    world.step(5 * TICKS)
    assert not world.props.at((-20.0, 0.0))
    assert world.props.at(leaf.position[:2])


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
def test_the_exchange_does_not_depend_on_the_number_of_threads():
    hashes, before = [], numba.get_num_threads()
    for threads in (1, 2):
        world = pond(100.0, 40.0, cell=0.3, **OPEN, current_u_per_s=[0.5, 0.0], rain_per_s=20.0)  # worth two threads
        numba.set_num_threads(threads)
        for place in range(4):
            world.spawn("swimmer", at=(8.0, 5.0 * place - 7.0))
        world.add_food((5.0, 5.0))
        try:
            world.step(90)
        finally:
            numba.set_num_threads(before)
        hashes.append(world.state_hash())
    assert hashes[0] == hashes[1]
