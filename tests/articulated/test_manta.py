"""A manta in a world: its plates lie beside their hinges, its wings are seen to beat, and its free life in the lagoon."""

import numpy as np
import pytest

from paludarium import World
from paludarium.components.articulated.servo import MOST_WINDOWS, SwimPool

LENGTH = 12.0
SPEED = 0.4
"""Lengths per second of a free life."""
SPAN = 0.7
"""Of the largest span that is seen from above, the smallest of a beat: wings that beat are seen to beat."""


def test_plates_of_the_wings_lie_side_by_side():
    world = World(seed=1)
    manta = world.spawn("manta", at=(0.0, 0.0))
    born = manta.segments.position.copy()
    across = np.sort(born[:, 1])
    np.testing.assert_allclose(across, -across[::-1], atol=1e-9)
    assert across[-1] > 0.35 * LENGTH  # the tips are well out
    world.step(1)
    moved = manta.segments.position - manta.segments.position[0]
    np.testing.assert_allclose(moved[:, :2], (born - born[0])[:, :2], atol=0.5)


def in_lagoon(seed: int):
    """The manta of the lagoon, what its water told, and its row."""
    world, told = World(seed=seed, map="lagoon"), []
    manta = next(one for one in world.creatures.values() if one.species.key == "manta")
    world.on("fluid_restarted", lambda event: told.append(event.creature))
    return world, manta, told


def test_wings_beat_so_that_one_sees_it():
    world, manta, _ = in_lagoon(7)
    manta.manoeuvre = "straight"
    world.step(240)
    pool, spans = world.pool(SwimPool), []
    for _ in range(24):
        world.step(5)
        heading = float(pool.heading[manta.row])
        across = manta.segments.position[:, :2] @ (-np.sin(heading), np.cos(heading))
        spans.append(across.max() - across.min())
    assert min(spans) < SPAN * max(spans)


def free_life(seed: int, seconds: int) -> float:
    """Mean lengths per second of its way in plan, second by second; it swims in its box and stays in the water."""
    world, manta, told = in_lagoon(seed)
    pool, row, way = world.pool(SwimPool), manta.row, 0.0
    world.step(120)
    for _ in range(seconds):
        before = pool.root[row, :2].copy()
        world.step(60)
        way += float(np.hypot(*(pool.root[row, :2] - before)))
        assert pool.window[row] >= MOST_WINDOWS
        assert pool.wet[row] > 0.9
    assert manta not in told
    return way / seconds / LENGTH


def test_a_free_life_in_the_lagoon_is_swum_in_a_box_and_fast():
    """Twelve seconds are a third of a round of the lagoon: turns may fall into them. The bar itself is for a minute."""
    assert free_life(404, 12) > 0.75 * SPEED


@pytest.mark.slow
@pytest.mark.parametrize("seed", [101, 202, 303])
def test_a_minute_of_free_life_in_the_lagoon(seed, record_property):
    speed = free_life(seed, 60)
    record_property("lengths per second", f"{speed:.2f}")
    assert speed > SPEED


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_its_water_never_begins_anew_in_ten_minutes(seed):
    world, manta, told = in_lagoon(seed)
    for one in list(world.creatures.values()):
        if one is not manta:
            one.despawn()
    world.step(600 * 60)
    assert not told
