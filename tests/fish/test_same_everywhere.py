"""The same bits for any number of threads, and after saving and loading; `tune` is part of both."""

import numpy as np
import pytest

from paludarium import World
from paludarium.components.body import BodyPool
from paludarium.components.segments import SegmentPool
from paludarium.engine.replay import Recording, replay
from paludarium.tests.fish.open_water import Fishes, sea

ELSEWHERE = -12.0
"""z of a fish that is to meet no other one: the rest of the school is in the middle of the depth."""


def school(threads_set=None, count: int = 70) -> Fishes:
    fishes = Fishes(sea(), count)
    rng = np.random.default_rng(5)
    direction = rng.normal(size=(count, 3)) * (1.0, 1.0, 0.3)
    fishes.want(direction / np.linalg.norm(direction, axis=1)[:, None], rng.uniform(0.1, 2.0, count))
    for creature in fishes.all[::3]:
        creature.tier = "bush"
    for creature in fishes.all[1::3]:
        creature.tune(stiffness=1.5, water=0.8)
    return fishes


def test_any_number_of_threads_gives_the_same_bits(threads):
    hashes = set()
    for count in (1, 2, 4):
        fishes = school()
        threads(min(count, 2))
        fishes.world.threads = count
        for creature in fishes.all[::6]:
            creature.tier = "full"
        fishes.world.step(45)
        hashes.add(fishes.world.state_hash())
    assert len(hashes) == 1


def test_who_is_simulated_beside_it_does_not_matter():
    """Fishes share scratch rows; nothing of one is left for the next."""
    alone, many = Fishes(sea(), 1), school(count=20)
    row, other = alone.rows[0], many.rows[7]
    wish = np.array([0.6, -0.7, 0.1])
    ways = []
    for fishes, one in ((alone, row), (many, other)):
        fishes.all[0 if fishes is alone else 7].tier = "full"
        if fishes is many:
            many.all[7].tune(stiffness=1.0, water=1.0)
        fishes.motors.phase[one] = 1.0
        fishes.motors.wish[one], fishes.motors.wish_speed[one] = wish, 1.1
        first = fishes.bodies.first_node[one]
        move = np.array([0.0, 0.0, ELSEWHERE]) - fishes.bodies.centre[one]
        here = slice(first, first + 23)
        fishes.nodes.position[here] = alone_rest(fishes, one)
        fishes.bodies.centre[one] += move
        body = fishes.world.pool(BodyPool).first_segment[one]
        fishes.world.pool(SegmentPool).position[body : body + 4] += move  # else it is pressed where it was
        fishes.world.step(60)
        ways.append(fishes.nodes.position[here].copy())
    np.testing.assert_array_equal(*ways)


def alone_rest(fishes: Fishes, row: int) -> np.ndarray:
    from paludarium.components.fish.springs import blueprint_of

    blueprint = blueprint_of(fishes.all[0].species.specs["springs"])
    rest = blueprint.rest - blueprint.mass @ blueprint.rest / blueprint.mass.sum()
    return rest + np.array([0.0, 0.0, ELSEWHERE])


def test_saved_and_loaded_it_goes_on_as_before(tmp_path):
    fishes = school(count=12)
    fishes.world.step(40)
    fishes.world.save(tmp_path / "fishes.npz")
    again = World.load(tmp_path / "fishes.npz")
    assert again.state_hash() == fishes.world.state_hash()
    fishes.world.step(60)
    again.step(60)
    assert again.state_hash() == fishes.world.state_hash()


def test_a_tuned_fish_is_in_a_recording(tmp_path):
    world = sea()
    recording = Recording(world)
    world.define_species("testfish", family="fish", springs={"length_u": 2.0})
    fish = world.spawn("testfish", at=(0.0, 0.0, -20.0))
    world.step(5)
    fish.tune(stiffness=2.0, mass=1.2)
    world.step(20)
    recording.save(tmp_path / "run.jsonl")
    assert replay(tmp_path / "run.jsonl").state_hash() == world.state_hash()


def test_only_fishes_can_be_tuned():
    world = World(seed=1, map="flat")
    with pytest.raises(Exception, match="allowed are fishes"):
        world.spawn("pauropod").tune(water=0.0)
