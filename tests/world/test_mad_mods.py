"""Mods that do what they should not: the culprit is named and taken out, what it wrote is put back, the world ticks on."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest

from paludarium import Phase, World
from paludarium.engine import schedule
from paludarium.engine.families import Family
from paludarium.engine.plugins import BUILT_IN
from paludarium.examples.mods import pheromones, rolling_ball
from paludarium.systems.brain.mode_registry import ModeRegistry, Wish
from paludarium.tests.campaigns.outcome import first_fault


def does(deed, name="Deed"):
    """A mod with one system that does a deed in every tick."""

    def process(self, _dt):
        deed(self.world)

    def build(world):
        world.add_system(type(name, (), {"__init__": lambda self, world: setattr(self, "world", world), "process": process}),
                         phase=Phase.LIVE)  # fmt: skip

    build.__module__, build.__qualname__ = "mad", name
    return build


def garden(*mods, check=""):
    world = World(seed=3, plugins=[*BUILT_IN, *mods])
    world.check, world.failed = check, []
    world.on("mod_failed", lambda event: world.failed.append((event.mod, event.problem)))
    for k, species in enumerate(("pauropod", "worker_ant", "silverside")):
        world.spawn(species, at=(12 * k, 0))
    return world


def write(pool, column, value):
    def deed(world):
        getattr(world.pools[pool], column)[world.pools[pool].spans[0, 0]] = value

    return deed


def owners(world):
    world.pools["LegPool"].owner[1] = 77


def spans(world):
    world.pools["LegPool"].spans[0] = (3, 10**6)


DAMAGE = {
    "NaN": (write("SegmentPool", "position", np.nan), "SegmentPool.position of row 0 is nan"),
    "endless": (write("SegmentPool", "velocity", np.inf), "SegmentPool.velocity of row 0 is inf"),
    "a row number": (write("BodyPool", "first_segment", 2**30), "BodyPool.first_segment of row 0 is 1073741824"),
    "a count": (write("BodyPool", "segment_count", 200), "BodyPool.segment_count|BodyPool.first_segment"),
    "a code": (write("LegPool", "state", 200), "LegPool.state of row 0 is 200"),
    "owners": (owners, "LegPool: owners do not agree"), "spans": (spans, "LegPool: spans .* are not ascending"),
}  # fmt: skip


@pytest.mark.parametrize("what", DAMAGE)
def test_a_watched_mod_that_damages_the_world_changes_nothing(what):
    deed, told = DAMAGE[what]
    mad, sane = garden(does(deed), pheromones, check="mods"), garden(pheromones)
    mad.step(12)
    sane.step(12)
    ((mod, problem),) = mad.failed
    assert mod == "mad.Deed (Deed)"
    assert "it left a damaged world, which has been mended" in problem
    assert re.search(told, problem)
    assert "Deed" not in mad.schedule
    assert "PheromoneSystem" in mad.schedule
    assert mad.state_hash() == sane.state_hash()


def test_a_watched_handler_and_a_watched_mode_change_nothing_either():
    deed = write("SegmentPool", "position", np.nan)

    def build(world):
        world.on("born", lambda event: deed(world))

    def build_mode(world):
        def decide(_brain, rows):
            deed(world)
            return Wish(np.zeros(rows.size, bool), np.zeros(rows.size), np.zeros(rows.size))

        world.resource(ModeRegistry).add("mad", priority=170.0, decide=decide)

    for mod, said in ((build, "handler of 'born'"), (build_mode, "brain mode MAD")):
        mad, sane = World(seed=3, plugins=[*BUILT_IN, mod]), World(seed=3)
        failed = []
        mad.check = "mods"
        mad.on("mod_failed", lambda event, failed=failed: failed.append(event.mod))
        for world in (mad, sane):
            world.spawn("pauropod")
            world.step(5)
        assert len(failed) == 1
        assert said in failed[0]
        assert np.array_equal(mad.creatures[1].segments.position, sane.creatures[1].segments.position)


def test_what_a_mod_may_do_is_not_damage():
    def busy(world):
        world.spawn("pauropod", at=(0.0, 40.0 + 3.0 * (world.tick % 20)))
        world.creature_pool.goal_radius[:] = 3.0
        list(world.creatures.values())[-1].push((0.0, 0.0, 1.0))
        if world.tick % 3 == 0:
            list(world.creatures.values())[-1].despawn()

    world = garden(does(busy), rolling_ball, check="mods")
    world.spawn("ball", at=(-20, -20))
    world.step(12)
    assert not world.failed
    assert first_fault(world) is None


def test_without_a_check_it_costs_an_animal_and_then_the_mod_is_named():
    turn = [0]

    def now_and_then(world):
        turn[0] += 1
        if turn[0] % 4 == 0:
            write("SegmentPool", "position", np.nan)(world)

    world = garden(does(now_and_then), pheromones)
    gone = []
    world.on("went_wrong", lambda event: gone.append(event.name))
    world.step(30)
    assert gone == ["pauropod 1"]
    assert [mod for mod, _ in world.failed] == ["mad.Deed (Deed)"]
    assert len(world.creatures) == 2
    assert "PheromoneSystem" in world.schedule


@pytest.mark.parametrize("pool, column, value", [
    ("SegmentPool", "position", np.inf), ("SegmentPool", "position", 1e300), ("CreaturePool", "heading", np.nan),
    ("StimulusPool", "strength", np.inf), ("NestPool", "position", np.nan), ("BrainPool", "wish", np.nan),
])  # fmt: skip
def test_systems_of_ours_do_not_stumble_over_it(pool, column, value):
    world = garden(does(write(pool, column, value)), pheromones)
    world.add_stimulus("threat", (3, 3), seconds=100)
    world.add_nest((20, 20))
    world.step(80)
    assert world.tick == 80
    assert first_fault(world) is None
    assert "PheromoneSystem" in world.schedule


def test_a_save_can_be_loaded_whatever_a_mod_has_written(tmp_path):
    world = garden(does(write("BrainPool", "wish", np.nan)), pheromones)
    world.step(2)
    world.save(tmp_path / "world.palu")
    mods = [does(write("BrainPool", "wish", 0.0)), pheromones]
    assert World.load(tmp_path / "world.palu", plugins=mods).state_hash() == world.state_hash()


def test_an_error_of_ours_is_raised_as_ever():
    world = garden(pheromones)
    world.schedule["BrainSystem"].system.process = lambda _dt: 1 / 0
    with pytest.raises(ZeroDivisionError):
        world.step()


@pytest.mark.parametrize("problem", [KeyError("lost"), SystemExit(3), RecursionError()])
def test_whatever_a_mod_raises_it_is_taken_out(problem):
    def raises(_world):
        raise problem

    def build(world):
        def when():
            raise problem

        world.resource(ModeRegistry).add("mad", priority=170.0, decide=raises, when=when)

    for mod, said in ((does(raises), "(Deed)"), (build, "brain mode MAD")):
        world = garden(mod, pheromones)
        world.step(3)
        assert len(world.failed) + len(world.mods.failed) >= 1
        assert any(said in name for name, _ in world.failed) or mod is build
        assert "PheromoneSystem" in world.schedule


def test_an_interrupt_is_for_the_game():
    def interrupt(_world):
        raise KeyboardInterrupt

    mad = World(seed=1, plugins=[*BUILT_IN, does(interrupt)])
    with pytest.raises(KeyboardInterrupt):
        mad.step()


@pytest.mark.parametrize("name", ["doing", "obeys", "bound", "stun"])
def test_functions_of_a_mods_family_that_raise_take_it_out(name):
    def build(world):
        add = world.add_family

        def with_a_fault(family):
            def fault(*_arguments):
                raise KeyError(name)

            add(Family(**{**vars(family), name: fault}))

        world.add_family = with_a_fault
        rolling_ball.build(world)
        del world.add_family

    build.__module__, build.__qualname__ = "mad", "balls"
    world = garden(build, pheromones)
    ball = world.spawn("ball", at=(-20, -20))
    calls = {"doing": lambda: ball.doing, "obeys": lambda: ball.goto((0, 0)), "stun": lambda: ball.push((1, 0, 0)),
             "bound": lambda: ball.family.bound(world, np.array([ball.row]))}  # fmt: skip
    calls[name]()
    calls[name]()
    world.step(3)
    assert [mod for mod, _ in world.failed] == [f"mad.balls ({name} of family ball)"]
    assert "RollSystem" not in world.schedule
    assert ball.alive


def test_a_resource_that_cannot_forget_its_mod_does_not_keep_it():
    class Clinging:
        def forget_mod(self, _name):
            raise KeyError("never")

    def build(world):
        world.add_resource(Clinging())
        does(write("SegmentPool", "no_such_column", 1.0))(world)

    world = garden(build)
    world.step(2)
    assert len(world.mods.failed) == 1
    assert "Deed" not in world.schedule


def test_a_system_that_holds_the_game_up_is_told_of(monkeypatch, caplog):
    monkeypatch.setattr(schedule, "LATE_SECONDS", 0.02)
    seen = []

    def nap(world):
        seen.append(world.schedule.running.name)
        time.sleep(0.04)

    world = garden(does(nap, "Sleepy"))
    before = garden(does(lambda _world: None, "Sleepy"))
    world.step(2)
    before.step(2)
    assert world.schedule.late["Sleepy"] >= 0.04
    assert set(seen) == {"Sleepy"}
    assert world.schedule.running is None
    assert "mod 'mad.Sleepy': Sleepy took" in caplog.text
    assert world.state_hash() == before.state_hash()  # time decides nothing
    assert not world.failed
    world.schedule.reset_timing()
    assert not world.schedule.late
