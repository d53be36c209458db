"""How swimmers steer in worlds: straight legs with turns between them, efforts that follow a wish, paths of any spacing."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.articulated.manoeuvres import ManoeuvrePool
from paludarium.components.articulated.servo import SwimPool
from paludarium.components.brain import BrainPool
from paludarium.components.brain_modes import BrainMode
from paludarium.tests.articulated.scenes import SCENES, Life, watch
from paludarium.tests.articulated.test_swimmers_in_the_world import DEEP
from paludarium.tests.reproduction.swimmers.path_runs import distance_to, s_path

TIERS = ("full", "bush", "follow")
LENGTH = 8.0
"""Of the eel."""


def own_speed(creature) -> float:
    """Of its straight stroke in still water, u/s."""
    pool = creature.world.pool(SwimPool)
    row = creature.row
    speed = float(creature.world.pool(ManoeuvrePool).speed[pool.first_manoeuvre[row]])
    return speed * float(pool.pace[row] * pool.length[row])


def free_eel(seed: int, species: str = "eel"):
    world = World(seed=seed, map=DEEP)
    return world, world.spawn(species, at=(0, 0), tier="bush")


@pytest.mark.parametrize("species", ["eel", "frog", "sea_turtle"])
def test_a_free_swimmer_beats_straight_for_most_of_the_time_and_turns_between(species):
    world, swimmer = free_eel(5, species)
    swimmer.ashore.pool.due[swimmer.row] = 1e6  # no errand on land
    pool, steer = world.pool(SwimPool), []
    for _ in range(2400):
        world.step(1)
        if swimmer.brain.mode == BrainMode.RANDOM_WALK:
            steer.append(abs(float(pool.steer[swimmer.row])))
    straight = np.array(steer) < 0.05
    begins = np.flatnonzero(np.diff(straight.astype(int)) == 1)
    assert straight.mean() > 0.5
    assert not straight.all()
    assert len(begins) >= 2
    assert straight.sum() / 60.0 / (len(begins) + 1) > 3.0  # seconds of a leg


def test_the_brain_never_asks_for_more_than_the_turn_was_measured_at():
    world, frog = free_eel(5, "frog")
    brains, row = world.pool(BrainPool), frog.row
    frog.goto((-30, 3))
    asked = []
    for _ in range(300):
        world.step(1)
        asked.append(abs(frog.brain.yaw_rate))
    assert 0.0 < brains.turn_rate[row] < np.radians(90)
    assert max(asked) <= float(brains.turn_rate[row]) + 1e-9
    assert max(asked) > 0.5 * float(brains.turn_rate[row])


def test_steering_to_a_goal_is_in_proportion_and_rests_on_the_line_to_it():
    """Switching steering was at its stop for most of the way: the mean was 0.58 for an eel, 0.74 for a frog."""
    world, eel = free_eel(3)
    eel.goto((50, 0), radius=3.0)
    steer = []
    for _ in range(480):
        world.step(1)
        steer.append(abs(float(eel.servo.steer)))
    assert eel.position[0] > 21.5  # 23.0 before ponds kept the momentum of what swims in them, 21.9 to 22.1 since
    assert np.mean(steer[120:]) < 0.1


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_a_wished_speed_is_swum_at_every_tier(tier, share):
    """A share of the stroke is another share of the speed in every water: an eel finds out within a few cycles."""
    world = World(seed=3, map=DEEP)
    eel = world.spawn("eel", at=(-40, 0), tier=tier)
    eel.control(share * own_speed(eel), 0.0)
    world.step(900)
    start = eel.position.copy()
    world.step(480)
    swum = float(np.hypot(*(eel.position - start)[:2])) / 8.0
    assert swum == pytest.approx(share * own_speed(eel), rel=0.15)


def along_a_line(species: str, tier: str, gap: float) -> float:
    world = World(seed=3, map=DEEP)
    swimmer = world.spawn(species, at=(-40, 0), tier=tier)
    step = gap * float(world.pool(SwimPool).length[swimmer.row])
    swimmer.follow_path([(-40.0 + step * k, 0.0) for k in range(int(60.0 / step) + 1)])
    world.step(240)
    start = swimmer.position.copy()
    world.step(300)
    return float(np.hypot(*(swimmer.position - start)[:2]))


@pytest.mark.parametrize("tier", TIERS)
def test_the_speed_on_a_path_does_not_depend_on_the_spacing_of_its_points(tier):
    """It braked at every point: 0.15, 0.33 and 0.43 lengths/s for a point every 0.05, 0.25 and 1 lengths."""
    swum = [along_a_line("eel", tier, gap) for gap in (0.05, 0.25, 1.0)]
    assert max(swum) / min(swum) < 1.05
    assert min(swum) / 5.0 / LENGTH > 0.38


OFF_PATH = 0.03
"""Lengths that a head may be off its path in the mean."""


def off_the_s(species: str, tier: str, seed: int, mirror: float = 1.0) -> float:
    """Mean distance of the head from an S, in lengths, over 14 s."""
    world = World(seed=seed, map=DEEP)
    swimmer = world.spawn(species, at=(-45, 0), tier=tier)
    size = float(world.pool(SwimPool).length[swimmer.row])
    points = size * s_path(0.9, 6.0, 10.0) * (1.0, mirror, 1.0) - (45.0, 0.0, 0.0)
    swimmer.follow_path([tuple(point[:2]) for point in points])
    world.step(60)
    off = []
    for _ in range(14 * 30):
        world.step(2)
        off.append(distance_to(points, *world.pool(SwimPool).root[swimmer.row, :2]) / size)
    assert swimmer.position[0] > -5.0
    return float(np.mean(off))


@pytest.mark.parametrize("tier", TIERS)
def test_an_eel_keeps_to_an_s_in_a_world(tier):
    """Without a grid it was off by 0.12 lengths: its body slid on sideways for longer than the fluid lets it."""
    assert off_the_s("eel", tier, 3) < OFF_PATH


@pytest.mark.slow
@pytest.mark.parametrize("mirror", [1.0, -1.0])
@pytest.mark.parametrize("seed", [101, 202, 303])
@pytest.mark.parametrize("tier", TIERS)
def test_an_eel_keeps_to_an_s_and_to_its_mirror_image(tier, seed, mirror, record_property):
    off = off_the_s("eel", tier, seed, mirror)
    record_property(f"{tier}, seed {seed}, mirror {mirror:+.0f}", f"{off:.3f} lengths")
    assert off < OFF_PATH


def check_steering(lives: list[Life]) -> None:
    for kind in {life.species for life in lives}:  # in a few seconds one of them may turn away from a shore for most of it
        straight = float(np.mean([one.straight for one in lives if one.species == kind]))
        assert straight > LEAST_STRAIGHT.get(kind, 0.4), kind
    for life in lives:
        assert life.wet > 0.0 if life.visits else life.wet == 1.0, life  # nobody runs ashore who does not want to
        assert life.speed > LEAST_OF_OWN[life.species] * life.own, life


LEAST_OF_OWN = {
    "eel": 0.7, "jointed_clownfish": 0.8, "sea_turtle": 0.5, "manta": 0.5, "frog": 0.5, "alien": 0.7, "accordion": 0.3,
}  # fmt: skip
"""Mean speed of a free life in the water, of that of the straight stroke in still water."""
LEAST_STRAIGHT = {"accordion": 0.2, "alien": 0.3, "manta": 0.15}
"""Share of the time. Those that are long for their pond, or as fast as these, turn away from shores for more of it; a manta
crosses its lagoon in twenty seconds."""
BARS = {"frog": 0.5, "sea_turtle": 0.5, "manta": 0.4, "accordion": 0.4, "alien": 0.2}
"""Lengths per second that free lives are to have, as means of a species over seeds."""
SHORT = 0.75
"""Of a bar, in a few seconds of one seed."""


def speeds_of(lives: list[Life]) -> dict[str, float]:
    """Mean lengths per second of each species."""
    kinds = {life.species for life in lives}
    return {kind: float(np.mean([one.speed / one.length for one in lives if one.species == kind])) for kind in kinds}


@pytest.mark.parametrize("scene", SCENES)
def test_free_lives_in_a_scene_beat_straight_and_stay_in_the_water(scene):
    lives = watch(scene, 101, 25)
    check_steering(lives)
    for kind, speed in speeds_of(lives).items():
        assert speed >= SHORT * BARS.get(kind, 0.0), kind


@pytest.mark.slow
@pytest.mark.parametrize("seed", [101, 202, 303])
@pytest.mark.parametrize("scene", SCENES)
def test_free_lives_in_a_scene_for_a_minute(scene, seed):
    check_steering(watch(scene, seed, 60))


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_free_lives_are_as_fast_as_is_asked(scene, record_property):
    lives = [life for seed in (404, 505, 606) for life in watch(scene, seed, 60)]
    for kind, speed in speeds_of(lives).items():
        record_property(kind, f"{speed:.2f} of {BARS.get(kind, 0.0)} lengths/s")
        assert speed >= BARS.get(kind, 0.0), kind


@pytest.mark.slow
def test_no_frog_runs_ashore_that_does_not_want_to():
    """With its errands on land put off no frog leaves the water, whatever the seed."""
    for seed in (11, 12, 13):
        world = World(seed=seed, map="frog_pond")
        frogs = [one for one in world.creatures.values() if one.species.key == "frog"]
        pool = world.pool(SwimPool)
        for frog in frogs:
            frog.ashore.pool.due[frog.row] = 1e6
        for _ in range(120):
            world.step(30)
            assert all(pool.wet[frog.row] > 0.9 for frog in frogs), (seed, world.time)
