"""Stimuli, factions and attachments: what draws animals near, what drives them away, and what rides on them."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest

from paludarium import Map, PaludariumError, SpeciesError, StaleHandleError, World
from paludarium.engine.creature import CreaturePool
from paludarium.engine.errors import PluginError
from paludarium.systems.attachments import Attachments, Light
from paludarium.systems.brain.mode_registry import ModeRegistry
from paludarium.systems.stimuli.reaction_kernel import FIRST_KIND, SIGHT, Ties, react
from paludarium.systems.stimuli.stimuli import Stimuli, StimulusPool

FIELD = Map.define(name="field", area={"width_u": 300, "height_u": 300})


def mode_name(creature) -> str:
    return creature.world.resource(ModeRegistry).name_of(int(creature.brain.mode))


def distances(group, point=(0.0, 0.0)) -> np.ndarray:
    return np.array([creature.distance_to(point) for creature in group])


def test_a_threat_drives_everybody_away():
    world = World(seed=1, map=FIELD)
    group = world.spawn("pauropod", count=6, spread=15, tier="follow")
    world.step(60)
    start = distances(group)
    threat = world.add_stimulus("threat", (0, 0), radius=40.0, seconds=9.0)
    world.step(30)
    assert {mode_name(c) for c in group} <= {"REACTION", "AVOIDANCE", "ADJUSTMENT"}
    world.step(480)
    assert (distances(group) > start + 5.0).all()  # eight seconds, of which turning round takes up to five
    world.step(60)
    assert not threat.exists
    assert "REACTION" not in {mode_name(c) for c in group}


def test_what_attracts_brings_animals_near():
    """Of six animals one may walk off once more: three groups are asked together."""
    shares = []
    for seed in (1, 2, 3):
        world = World(seed=seed, map=FIELD)
        group = world.spawn("pauropod", count=6, spread=30, tier="follow")
        world.step(60)
        far = distances(group)
        world.add_stimulus("food", (0, 0), radius=80.0)
        world.step(1000)  # five seconds of them to turn round
        shares.append(distances(group).mean() / far.mean())
    assert np.mean(shares) < 0.5


def test_no_stimulus_and_no_relation_change_nothing_at_all():
    hashes = []
    for added in (False, True):
        world = World(seed=2, map=FIELD)
        world.spawn("pauropod", count=3, spread=10, faction="red" if added else "")
        if added:
            world.add_stimulus("threat", (0, 0), seconds=0.001).remove()
        world.step(120)
        hashes.append(world.creature_pool.live("position").tobytes())
    assert hashes[0] == hashes[1]


def test_species_decide_by_their_file_and_wrong_values_are_named():
    world = World(seed=3, map=FIELD)
    tables = world.species["pauropod"].source
    world.define_species("fearless", **{**tables, "reactions": {"threat": 1.0, "arrival_u": 2.0}})
    brave = world.spawn("fearless", at=(12.0, 0.0), heading=math.pi)
    shy = world.spawn("pauropod", at=(-12.0, 0.0), heading=math.pi)
    world.add_stimulus("threat", (0, 0), radius=40.0)
    world.step(420)
    assert brave.distance_to((0, 0)) < 6.0
    assert shy.distance_to((0, 0)) > 18.0
    with pytest.raises(SpeciesError, match=r"\[reactions\] threat = 2"):
        world.define_species("wrong", **{**tables, "reactions": {"threat": 2}})
    with pytest.raises(SpeciesError, match="did you mean 'threat'"):
        world.define_species("wrong", **{**tables, "reactions": {"thread": 1.0}})


def test_a_mod_adds_a_kind_and_species_files_know_it():
    world = World(seed=3, map=FIELD)
    stimuli = world.resource(Stimuli)
    with pytest.raises(PaludariumError, match="kind = 'music'"):
        world.add_stimulus("music", (0, 0))
    stimuli.add_kind("music", default=-0.5, doc="loud sounds")
    tables = world.species["pauropod"].source
    world.define_species("dancer", **{**tables, "reactions": {"music": 1.0}})
    dancer = world.spawn("dancer", at=(15.0, 0.0), heading=math.pi)
    other = world.spawn("pauropod", at=(-15.0, 0.0), heading=math.pi)
    world.add_stimulus("music", (0, 0), radius=50.0)
    world.step(300)
    assert dancer.distance_to((0, 0)) < 10.0
    assert other.distance_to((0, 0)) > 16.0
    for name, default in (("music", 0.0), ("two words", 0.0), ("hostile", 0.0), ("noise", 3.0)):
        with pytest.raises(PluginError, match="stimulus kind"):
            stimuli.add_kind(name, default)


@pytest.mark.parametrize("change", [{"kind": "threads"}, {"strength": -1.0}, {"radius": math.inf}, {"radius": 0.0},
                                    {"seconds": 0.0}, {"seconds": math.nan}, {"at": (math.nan, 0.0)}])  # fmt: skip
def test_senseless_stimuli_are_refused(change):
    world = World(seed=1)
    values = {"kind": "threat", "at": (0.0, 0.0), "strength": 1.0, "radius": 5.0, "seconds": 1.0, **change}
    with pytest.raises(PaludariumError):
        world.add_stimulus(**values)
    assert len(world.pool(StimulusPool).spans) == 0


def test_hostile_ones_avoid_or_hunt_as_their_species_says():
    world = World(seed=4, map=FIELD)
    tables = world.species["pauropod"].source
    world.define_species("hunter", **{**tables, "reactions": {"hostile": 1.0, "sight_u": 40.0}})
    world.define_species("prey", **{**tables, "reactions": {"hostile": -1.0, "sight_u": 40.0}})
    hunter, prey = world.spawn("hunter", at=(0, 0), faction="red"), world.spawn("prey", at=(20, 0), faction="blue")
    neutral = world.spawn("prey", at=(0, 60), faction="green")
    world.step(30)
    assert mode_name(hunter) != "REACTION"  # nobody is hostile yet
    world.set_relation("red", "blue", "hostile")
    world.step(240)
    assert mode_name(prey) == "REACTION"
    assert mode_name(hunter) == "REACTION"
    assert mode_name(neutral) != "REACTION"
    assert prey.position[0] > 22.0  # it runs, away from the hunter
    assert hunter.position[0] > 5.0  # which follows
    world.set_relation("red", "blue", "neutral")
    world.step(2)
    assert mode_name(hunter) != "REACTION"


def test_relations_can_be_one_sided_and_are_saved(tmp_path):
    world = World(seed=4)
    a, b = world.spawn("pauropod", at=(0, 0), faction="wölfe"), world.spawn("pauropod", at=(0, 10))
    b.faction = "sheep"
    world.set_relation("sheep", "wölfe", "hostile", both=False)
    world.add_stimulus("food", (3, 3), seconds=4.0)
    world.step(30)
    world.save(tmp_path / "w.palu")
    copy = World.load(tmp_path / "w.palu")
    for each in (world, copy):
        assert each.factions.relation("sheep", "wölfe") == "hostile"
        assert each.factions.relation("wölfe", "sheep") == "neutral"
        assert each.factions.relation("wölfe", "nobody") == "neutral"
        assert [c.faction for c in each.creatures.values()] == ["wölfe", "sheep"]
        each.step(300)
    assert copy.state_hash() == world.state_hash()
    assert a.faction == "wölfe"


def test_senseless_factions_are_refused():
    world = World(seed=4)
    creature = world.spawn("pauropod")
    assert creature.faction == ""
    for value in (7, None, "x" * 41, "a\0b"):
        with pytest.raises(PaludariumError, match="faction"):
            creature.faction = value
    with pytest.raises(PaludariumError, match="relation"):
        world.set_relation("a", "b", "friendly")
    for number in range(63):
        creature.faction = f"clan {number}"
    with pytest.raises(PaludariumError, match="at most 64"):
        creature.faction = "one more"


def test_the_kernel_agrees_with_plain_python_and_with_any_number_of_threads():
    from paludarium.engine.spatial_hash import hash_points

    rng = np.random.default_rng(5)
    count, kinds = 60, 3
    creatures = CreaturePool()
    creatures.claim(count, owner=1)
    place, faction = creatures.position[:count], creatures.faction[:count]
    faction[:] = rng.integers(0, 3, count)
    place[:, :2] = rng.uniform(-30, 30, (count, 2))
    relation = rng.integers(0, 3, (3, 64)).astype(np.int8)
    ties = Ties(relation, np.zeros((0, 0), np.int8), np.arange(count, dtype=np.int32))
    taste, sight = rng.uniform(-1, 1, (count, 2)), rng.uniform(5, 25, count)
    reactions = np.column_stack([taste, np.zeros((count, 2)), sight, np.full(count, 0.02), np.full(count, 3.0),
                                 rng.uniform(-1, 1, (count, kinds))])  # fmt: skip
    position, kind = np.zeros((12, 3)), rng.integers(0, kinds, 12).astype(np.int32)
    position[:, :2] = rng.uniform(-30, 30, (12, 2))
    strength, radius = rng.uniform(0.1, 2.0, 12), rng.uniform(5, 40, 12)
    rows = np.arange(count, dtype=np.int32)
    results = []
    before = numba.get_num_threads()
    for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
        numba.set_num_threads(threads)
        aim, pull = np.zeros((count, 2)), np.zeros(count)
        react(rows, reactions, creatures, ties, hash_points(place, 10.0), position, kind, strength, radius, aim, pull)
        results.append((aim, pull))
    numba.set_num_threads(before)
    assert (results[0][0] == results[1][0]).all()
    assert (results[0][1] == results[1][1]).all()
    for c in range(count):
        sources = [(position[k], reactions[c, FIRST_KIND + kind[k]], strength[k], radius[k], 3.0) for k in range(12)]
        for other in range(count):
            tie = relation[faction[c], faction[other]]
            if other != c and tie:
                sources.append((place[other], reactions[c, tie - 1], 1.0, reactions[c, SIGHT], 0.0 if tie == 1 else 3.0))
        best, target, flight = 0.0, None, np.zeros(2)
        for where, reaction, force, reach, arrival in sources:
            offset = (where - place[c])[:2]
            d = np.linalg.norm(offset)
            weight = reaction * force * (1 - d / reach)
            if d < reach and weight > 0 and d > arrival and weight > best:
                best, target = weight, where[:2]
            if d < reach and weight < 0:
                flight += weight * offset / d
        fear = np.linalg.norm(flight)
        if fear >= best and fear > 0.02:
            assert results[0][1][c] == pytest.approx(-fear)
            np.testing.assert_allclose(results[0][0][c], place[c, :2] + flight / fear, atol=1e-9)
        elif best > 0.02:
            assert results[0][1][c] == pytest.approx(best)
            np.testing.assert_allclose(results[0][0][c], target)
        else:
            assert results[0][1][c] == 0.0


def test_attachments_ride_on_their_segment_until_they_are_removed_or_their_creature_leaves():
    world = World(seed=6)
    creature = world.spawn("stone_centipede", at=(0, 0), heading=math.pi / 2)
    before = world.state_hash()
    hat = creature.attach("hat.png", segment=0, offset=(0.5, 0.0, 0.4))
    lamp = creature.attach(Light(radius=9.0), segment=-1, rotate=False)
    assert world.state_hash() == before  # only looks
    position, angle = hat.pose
    np.testing.assert_allclose(position, creature.position + (0.0, 0.5, 0.4), atol=1e-9)
    assert angle == pytest.approx(math.pi / 2)
    assert lamp.pose.angle == 0.0
    assert creature.attachments == [hat, lamp]
    world.step(60)
    held = world.resource(Attachments)
    positions, angles = held.poses()
    for place, item in enumerate(held):
        np.testing.assert_allclose(positions[place], item.pose.position, atol=1e-12)
        assert angles[place] == pytest.approx(item.pose.angle, abs=1e-12)
    rear = creature.sever(8)
    assert lamp.creature is rear
    assert lamp.segment == len(rear.segments) - 1
    np.testing.assert_allclose(lamp.pose.position, positions[1], atol=1e-12)
    hat.remove()
    hat.remove()
    assert not hat.exists
    assert len(held) == 1
    rear.despawn()
    assert not lamp.exists
    assert len(held) == 0
    with pytest.raises(StaleHandleError):
        _ = lamp.pose
    with pytest.raises(PaludariumError, match="allowed is 0 to 8"):
        creature.attach("x", segment=9)
    with pytest.raises(PaludariumError, match="offset"):
        creature.attach("x", offset=(0, math.nan))
