"""F37-F38: seaweed, plankton and bubbles in a current. [Tu99 8]"""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import Map, World
from paludarium.components.segments import SegmentPool

TICK = 1.0 / 60.0
WALLS = {f"edge_{side}": "reflecting" for side in ("west", "east", "south", "north")}


def basin(**tables) -> Map:
    """Still water 10 units deep, its surface at 0."""
    water = {"bounds": [-30, -30, 30, 30], "level_u": 0.0, "cell_u": 1.0, **WALLS}
    return Map.define(name="basin", area={"width_u": 80, "height_u": 80}, terrain={"kind": "flat", "elevation": -10.0},
                      water=[water], **tables)  # fmt: skip


def test_f37_seaweed_tips_swing_more_in_stronger_currents_and_not_at_all_without_one(record_property):
    """Source: a mass-spring leaf sways with the current; drawn, no number. Limit: the amplitude of the tip grows with the
    strength of the current and is zero without one."""
    amplitudes = []
    strengths = [0.0, 0.05, 0.2, 0.6, 1.5]
    for strength in strengths:
        world = World(seed=1, map=basin(current={"strength_u_per_s": strength, "period_s": 400 / 60}))
        weed, = world.add_seaweed((0, 0), leaves=12, height=6.0)
        ways = []
        for _ in range(800):
            world.step()
            ways.append(weed.tips[:, 0].copy())
        amplitudes.append(float(np.ptp(np.array(ways)[400:], axis=0).max() / 2.0))
    record_property("current, u/s", strengths)
    record_property("amplitude of the tips, u", [round(value, 3) for value in amplitudes])
    assert amplitudes[0] < 1e-9
    assert all(more > 2.0 * less for less, more in zip(amplitudes[1:-1], amplitudes[2:], strict=True))
    assert amplitudes[1] > 0.01


def test_f37b_the_leaf_nearest_to_a_passing_body_is_pushed_away_from_it(record_property):
    """Source: leaves part where a fish passes. Limit: the leaf nearest to its way moves away from it, one far off is
    moved by no more than the wake."""
    world = World(seed=1, map=basin())
    near, = world.add_seaweed((0.0, 1.2), leaves=1, height=5.0)
    far, = world.add_seaweed((0.0, 12.0), leaves=1, height=5.0)
    middle = near.position[0, 4].copy()
    away = middle[1] - 0.6
    passer = world.spawn("pauropod", at=(-6.0, away, float(middle[2])))
    rows, segments, creatures = passer.rows["segments"].slice, world.pool(SegmentPool), world.creature_pool
    largest = 0.0
    start = segments.position[rows].copy() + (0.0, away - segments.position[rows][:, 1].mean(), 0.0)
    start[:, 2] += middle[2] - start[:, 2].mean()
    rest, still = near.position.copy(), far.position.copy()
    for tick in range(240):  # it is led past the leaf at 3 u/s, whatever it does by itself
        segments.position[rows] = start + (3.0 * tick * TICK, 0.0, 0.0)
        segments.velocity[rows] = creatures.velocity[passer.row] = (3.0, 0.0, 0.0)
        world.step()
        largest = max(largest, float((near.position - rest)[0, :, 1].max()))
    record_property("deflection away from the way of the body, u", round(largest, 3))
    assert largest > 0.1
    wake = float(np.abs(far.position - still).max())
    record_property("of a leaf that is eleven units off, u", round(wake, 3))
    assert wake < 0.25 * largest
    world.despawn(passer)
    world.step(600)
    assert np.abs(near.position - rest).max() < 0.15 * largest  # and comes back, but for what is left of the wake


@pytest.mark.parametrize("pillar", [False, True])
def test_f38_plankton_moves_as_fast_as_the_water_around_it(record_property, pillar):
    """Source: plankton are points moved by the current. Limit: their speed is that of the local current to 1e-9."""
    stones = [{"at_u": [2.0, 1.0], "radius_u": 2.0, "height_u": 12.0}] if pillar else []
    current = {"direction_deg": 25, "strength_u_per_s": 0.7, "period_s": 9.0}
    world = World(seed=4, map=basin(current=current, obstacles=stones,
                                    plankton=[{"count": 400, "spread_u": 20.0, "depth_u": [0.5, 9.0]}]))  # fmt: skip
    worst, speeds, food = 0.0, [], world.props.food
    for _ in range(120):
        before, flow = food.live("position"), world.sea.flow(food.live("position"))
        world.step()
        velocity = (food.live("position") - before) / TICK
        inside = np.abs(before[:, :2]).max(axis=1) < 28.0  # at the walls it stops
        if pillar:
            inside &= np.hypot(before[:, 0] - 2.0, before[:, 1] - 1.0) > 3.5  # in the grid's cells around it is rock
        worst = max(worst, float(np.abs(velocity - flow)[inside].max()))
        speeds.append(float(np.linalg.norm(velocity, axis=1)[inside].max()))
    record_property("largest difference, u/s", worst)
    record_property("highest speed, u/s", round(max(speeds), 3))
    assert worst < 1e-9
    assert max(speeds) > 0.5


def test_f38b_bubbles_rise_all_the_way_and_begin_again(record_property):
    """Source: bubbles are such points with an upward velocity, used again at the surface. Limit: heights grow monotonically
    between two beginnings."""
    world = World(seed=4, map=basin(current={"strength_u_per_s": 0.5, "period_s": 5.0}))
    vent = world.add_bubbles((0, 0), count=40, rise=2.0)
    begun = np.zeros(40, int)
    for _ in range(900):
        before = vent.position.copy()
        world.step()
        down = vent.position[:, 2] < before[:, 2]
        assert (vent.position[~down, 2] > before[~down, 2]).all()
        assert np.allclose(vent.position[down, 2], -10.0)
        assert (before[down, 2] > -0.1).all()  # and those had come to the surface
        begun += down
    record_property("rises of each bubble in 15 s", [int(begun.min()), int(begun.max())])
    assert begun.min() >= 2
