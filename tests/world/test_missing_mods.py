"""Worlds that are loaded without a mod: what needs it sleeps, is saved as it was, and comes back with it."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import Phase, SnapshotError, World
from paludarium.engine.errors import ArgumentError
from paludarium.engine.name_codes import names_of_codes
from paludarium.engine.plugins import BUILT_IN
from paludarium.examples.mods import bask, pheromones
from paludarium.systems.brain.mode_registry import ModeRegistry, Wish
from paludarium.systems.stimuli.stimuli import Stimuli
from paludarium.tests.campaigns.madhouse import mad_mod
from paludarium.tests.engine.sealed import opened, redescribed, sealed

MAD = mad_mod("nowhere", None)  # here it behaves
MODS = (MAD, pheromones, bask)


def garden(map="tide_pool"):  # noqa: A002 - as World calls it
    """A world with animals of a mod's family, animals of ours with a part of it, and others."""
    world = World(seed=4, map=map, plugins=[*BUILT_IN, *MODS], populate=False)
    for species, at in (("pauropod", (70, 70)), ("ball", (72, 60)), ("unicorn", (60, 70)), ("eel", (-20, 20)),
                        ("torpedo", (-14, 26)), ("ball", (62, 60)), ("clownfish", (20, 0))):  # fmt: skip
        world.spawn(species, at=at)
    for kind in ("warmth", "dread", "threat"):
        world.add_stimulus(kind, (66, 66), seconds=1000)
    world.step(10)
    world.spawn("ball", at=(50, 72))
    world.emit("dreamt", world.creatures[2], what="of rain")
    return world


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    world, file = garden(), tmp_path_factory.mktemp("garden") / "garden.palu"
    world.save(file)
    return file, world.state_hash(), {c.serial: c.species.key for c in world.creatures.values()}


def test_it_is_refused_unless_the_game_asks(saved):
    file, *_ = saved
    with pytest.raises(SnapshotError, match=r"mad.build.*plugins=\[...\].*missing=\"dormant\""):
        World.load(file, plugins=[pheromones, bask])
    with pytest.raises(ArgumentError, match="missing = 'ignore': allowed is .*refuse.*dormant"):
        World.load(file, missing="ignore")


def test_animals_of_its_family_sleep_and_those_with_a_part_of_it_go_on(saved):
    file, _, told = saved
    world = World.load(file, plugins=[pheromones, bask], missing="dormant")
    asleep = {serial for serial, key in told.items() if key == "ball"}
    assert world.mods.dormant.mods == ["mad.build"]
    assert world.mods.dormant.names == ["ball 2", "ball 6", "ball 8"]
    assert set(world.creatures) == set(told) - asleep
    assert world.plugins == [*BUILT_IN, pheromones.__name__, bask.__name__]
    unicorn = next(c for c in world.creatures.values() if c.species.key == "unicorn")
    assert "horn" not in unicorn.rows
    kinds = list(world.resource(Stimuli).kinds)
    assert [kinds[k] for k in world.pools["StimulusPool"].live("kind")] == ["warmth", "threat"]
    world.step(5)
    assert not any(event.kind == "dreamt" for event in world.events.queue)


@pytest.mark.parametrize("given", [(), (pheromones,), (pheromones, bask), (MAD,), (bask, MAD)])
def test_saved_again_it_is_as_it_was(saved, tmp_path, given):
    file, before, told = saved
    for turn in range(2):
        world = World.load(file, plugins=list(given), missing="dormant")
        file = tmp_path / f"{turn}.palu"
        world.save(file)
        assert World.load(file, plugins=list(given), missing="dormant").state_hash() == world.state_hash()
    again = World.load(file, plugins=list(MODS))
    assert again.mods.dormant is None
    assert again.state_hash() == before
    assert {c.serial: c.species.key for c in again.creatures.values()} == told
    one = garden()
    one.step(20)
    again.step(20)
    assert again.state_hash() == one.state_hash()


def test_what_happens_meanwhile_does_not_touch_them(saved, tmp_path):
    file, *_ = saved
    world = World.load(file, plugins=[pheromones], missing="dormant")
    unicorn, torpedo = (next(c for c in world.creatures.values() if c.species.key == key) for key in ("unicorn", "torpedo"))
    world.creatures[1].despawn()
    unicorn.sever(3)
    torpedo.despawn()
    for k in range(6):
        world.spawn("stone_centipede", at=(70 - 4 * k, 76))
    world.step(30)
    world.check = "heavy"
    world.step(2)
    world.save(tmp_path / "after.palu")
    again = World.load(tmp_path / "after.palu", plugins=list(MODS))
    balls = [c for c in again.creatures.values() if c.species.key == "ball"]
    then = World.load(file, plugins=list(MODS))
    assert [c.serial for c in balls] == [2, 6, 8]
    for ball in balls:
        assert np.array_equal(ball.segments.position, then.creatures[ball.serial].segments.position)
        assert ball.rows == then.creatures[ball.serial].rows
    assert set(again.creatures) == set(world.creatures) | {2, 6, 8}
    assert torpedo.serial not in again.creatures
    assert "horn" not in again.creatures[unicorn.serial].rows  # its species is another since it was cut
    assert (len(again.pools["HornPool"].spans), len(again.pools["MemoryPool"].spans)) == (0, 1)
    again.check = "heavy"
    again.step(3)


def test_rows_of_those_that_sleep_are_given_to_nobody(saved):
    file, *_ = saved
    world = World.load(file, missing="dormant")
    asleep = world.mods.dormant.rows["SegmentPool"]["spans"]
    for k in range(30):
        world.spawn("pauropod", at=(-60 + 4 * k, 76))
    for start, count in asleep.tolist():
        assert (world.pools["SegmentPool"].owner[start : start + count] == -1).all()
    for creature in list(world.creatures.values()):
        creature.despawn()
    born = world.spawn("pauropod", at=(70, 70))
    taken = set(range(born.rows["segments"].start, born.rows["segments"].stop))
    assert not taken & {row for start, count in asleep.tolist() for row in range(start, start + count)}


def with_modes(priority, *names):
    """A plugin that adds modes which always win, the last one over the others."""

    def build(world):
        for k, name in enumerate(names):
            def decide(_brain, rows, speed=float(k)):
                return Wish(np.ones(rows.size, bool), np.full(rows.size, speed), np.zeros(rows.size))

            world.resource(ModeRegistry).add(name, priority=priority + k, decide=decide)

    build.__qualname__ = "_".join(names)
    return build


def test_modes_keep_their_names_when_the_numbers_of_others_are_gone(tmp_path):
    early, late = with_modes(170.0, "early"), with_modes(171.0, "late", "latest")
    world = World(seed=1, plugins=[*BUILT_IN, early, late])
    creature = world.spawn("stone_centipede")
    world.step()
    assert creature.brain.mode == names_of_codes(world)["BrainPool.mode"].index("LATEST")
    world.save(tmp_path / "both.palu")
    one = World.load(tmp_path / "both.palu", plugins=[late], missing="dormant")
    names = names_of_codes(one)["BrainPool.mode"]
    assert names.index("LATEST") == creature.brain.mode - 1
    assert names[one.creatures[1].brain.mode] == "LATEST"
    one.save(tmp_path / "one.palu")
    assert World.load(tmp_path / "one.palu", plugins=[early, late]).state_hash() == world.state_hash()
    none = World.load(tmp_path / "both.palu", missing="dormant")
    assert none.creatures[1].brain.mode == 0
    none.save(tmp_path / "none.palu")
    assert World.load(tmp_path / "none.palu", plugins=[early, late]).state_hash() == world.state_hash()
    none.step()
    none.pools["BrainPool"].mode[0] = 0  # what it is now is not what stood for the unknown one before the tick
    none.save(tmp_path / "none.palu")
    assert World.load(tmp_path / "none.palu", plugins=[early, late]).creatures[1].brain.mode == 0


def test_a_name_that_no_plugin_knows_is_refused(saved, tmp_path):
    header, arrays = opened(saved[0])
    header["codes"]["StimulusPool.kind"] = ["food", "threat", "pheromone", "gloom", "dread"]
    with pytest.raises(SnapshotError, match="StimulusPool.kind holds 'gloom', which no installed plugin knows"):
        World.load(sealed(tmp_path / "wrong.palu", header, arrays), plugins=list(MODS))


@pytest.mark.parametrize("codes", [5, {"StimulusPool.kind": 3}, {"BrainPool.mode": ["A", "A"]}, {"BrainPool.mode": [1]}])
def test_names_are_checked(saved, tmp_path, codes):
    header, arrays = opened(saved[0])
    with pytest.raises(SnapshotError, match="codes = .*: allowed is"):
        World.load(sealed(tmp_path / "wrong.palu", {**header, "codes": codes}, arrays), plugins=list(MODS))


@pytest.mark.parametrize("column, value", [("spans", 10**6), ("spans", -3), ("owner", 99)])
def test_what_sleeps_is_checked_for_shape_and_size(saved, tmp_path, column, value):
    header, arrays = opened(saved[0])
    arrays["SegmentPool", column][1] = value
    with pytest.raises(SnapshotError, match="SegmentPool"):
        World.load(sealed(tmp_path / "wrong.palu", header, arrays), missing="dormant")


def test_a_creature_that_sleeps_may_not_be_one_that_lives(saved, tmp_path):
    header, arrays = opened(saved[0])
    header["creatures"][1][0] = 1
    with pytest.raises(SnapshotError, match="serial numbers"):
        World.load(sealed(tmp_path / "wrong.palu", redescribed(header, arrays), arrays), missing="dormant")


def test_a_mod_that_is_gone_for_good_costs_nothing_else(tmp_path):
    class Idle:
        def __init__(self, world):
            pass

        def process(self, dt):
            pass

    def build(world):
        world.add_system(Idle, phase=Phase.LIVE)

    world = World(seed=1, plugins=[*BUILT_IN, build])
    world.spawn("pauropod")
    world.step(3)
    world.save(tmp_path / "world.palu")
    without = World.load(tmp_path / "world.palu", missing="dormant")
    assert without.mods.dormant.names == []
    world.step(5)
    without.step(5)
    assert without.creatures[1].position.tolist() == world.creatures[1].position.tolist()


def test_nothing_sleeps_when_everything_is_there(saved):
    assert World.load(saved[0], plugins=list(MODS), missing="dormant").mods.dormant is None
