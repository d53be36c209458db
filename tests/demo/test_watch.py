"""What parts tell about themselves, and what a watch remembers of it."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from paludarium import LegState, Reading, World
from paludarium.game_demo.watch import PAST_TICKS, Watch, read_parts
from paludarium.systems.brain.mode_registry import ModeRegistry
from paludarium.tests.demo.strangers import add_part, strange_world, telling


def raising(problem):
    def readings(_handle):
        raise problem

    return readings


class Unspeakable(Exception):
    def __str__(self):
        raise RuntimeError("not even this")


def readings_of(creature, kind=None):
    told = [reading for report in read_parts(creature) for reading in report.readings]
    return {reading.name: reading for reading in told if kind in (None, reading.kind)}


NONSENSE = {
    "raises": raising(ValueError("the lamp is out")),
    "raises what cannot be written": raising(Unspeakable()),
    "asks for more": lambda self, more: [],
    "nothing": lambda _self: None,
    "a number": lambda _self: 7,
    "a text": lambda _self: "glow",
    "a reading alone": lambda _self: Reading("bar", "glow"),
    "a list of texts": lambda _self: ["glow"],
    "readings and a text": lambda _self: [Reading("bar", "glow"), "glow"],
    "a reading that is none": lambda _self: [Reading("pie", "glow")],
    "a class": lambda _self: [Reading],
    "a property that raises": property(raising(KeyError("glow"))),
    "a number in its place": 7,
}


@pytest.fixture(scope="module")
def walked():
    """One animal of each built-in species after a second, all on land."""
    world = World(seed=3, precision="float32")
    for place, key in enumerate(world.species):
        world.spawn(key, at=(60.0 * (place // 18) - 60.0, 12.0 * (place % 18) - 105.0))
    world.step(60)
    return world


def test_every_animal_of_the_package_can_be_read_and_is_not_changed_by_it(walked):
    before = walked.state_hash()
    for creature in walked.creatures.values():
        reports = read_parts(creature)
        assert [report.problem for report in reports] == [""] * len(reports)
        known = list(walked.parts)
        assert [report.part for report in reports] == sorted((r.part for r in reports), key=known.index)
        assert f"{len(creature.segments)} segments" in readings_of(creature, "cells")
    assert walked.state_hash() == before


def test_legs_tell_the_state_of_each_of_them_and_how_many_stand(walked):
    walker = next(c for c in walked.creatures.values() if c.species.key == "giant_centipede")
    told = readings_of(walker)
    for side, name in enumerate(("left legs", "right legs")):
        assert list(told[name].values) == walker.legs.state[:, side].tolist()
        assert [state for state, _ in told[name].states] == [state.name for state in LegState]
    standing = int((walker.legs.state == LegState.STANCE).sum())
    assert told["legs standing"].text == f"{standing}/{2 * len(walker.legs)}"
    assert told["footing"].text == "ON GROUND"


def test_a_faller_is_in_the_air_and_then_on_the_ground():
    world = World(seed=2, precision="float32")
    faller = world.spawn("pauropod", at=(0.0, 0.0, 14.0))
    seen = []
    for _ in range(300):
        world.step()
        word = readings_of(faller, "word")["footing"].text
        seen += [word] if not seen or seen[-1] != word else []
    assert seen[0] == "IN AIR"
    assert seen[-1] == "ON GROUND"


def test_a_swimmer_tells_of_the_water_its_beat_and_its_muscles():
    world = World(seed=1, map="rainy_pond", precision="float32")
    swimmer = next(c for c in world.creatures.values() if c.species.key == "swimmer")
    world.step(120)
    told = readings_of(swimmer)
    assert told["water"].text == "IN WATER"
    assert told["beats per s"].text == f"{swimmer.muscles.frequency:.2f}"
    assert set(told["12 segments"].values) == {2.0}
    left = np.array(told["left muscles"].values)
    assert len(left) == len(swimmer.segments) - 1
    assert left.min() >= 0.0
    assert left.max() > 0.1


def test_brains_tell_mode_goal_speed_and_turn_and_modes_of_mods_by_name():
    world = World(seed=1, precision="float32")
    walker = world.spawn("pauropod")
    world.step(60)
    assert readings_of(walker, "word")["mode"].text == walker.brain.mode.name.replace("_", " ")
    assert "goal" not in readings_of(walker)
    walker.goto((20.0, 0.0))
    assert readings_of(walker)["goal"].text == "GOTO"
    assert readings_of(walker)["speed"].text == f"{walker.brain.speed:.2f}"
    number = world.resource(ModeRegistry).add("sun_bathing", priority=99.0, decide=lambda *_: None, when=lambda: False)
    world.pools["BrainPool"].mode[walker.row] = number
    assert readings_of(walker, "word")["mode"].text == "SUN BATHING"


def test_antennae_tell_what_they_smell_and_that_they_touch():
    world = World(seed=1, precision="float32")
    walker = world.spawn("pauropod")
    world.step(2)
    pool = walker.antennae.pool
    pool.smell[walker.row], pool.contact[walker.row] = (1.0, 0.0), (0, 1)
    told = readings_of(walker)
    assert (told["left antenna"].share, told["left antenna"].text) == (0.5, "1.00")
    assert (told["right antenna"].tone, told["right antenna"].text) == ("red", "touch")


def test_the_rear_of_a_cut_body_tells_how_long_it_still_walks():
    world = World(seed=1, precision="float32")
    rear = world.spawn("stone_centipede").sever(8)
    world.step(30)
    told = readings_of(rear)
    assert "mode" not in told
    assert told["strength left"].text == f"{rear.ganglia.seconds_left:.0f} s"
    assert told["speed"].kind == "curve"


def test_a_part_of_a_mod_is_read_also_where_there_is_no_built_in_part():
    world = strange_world()
    assert [reading.kind for reading in readings_of(world.spawn("lamp")).values()] == [
        "word", "bar", "curve", "cells", "cells", "strip"]  # fmt: skip
    assert read_parts(world.spawn("pebble", at=(9.0, 0.0))) == []
    world.define_species("glowing", **{**world.species["pauropod"].source, "lantern": {"glow": 1.0}})
    both = [report.part for report in read_parts(world.spawn("glowing", at=(0.0, 30.0)))]
    assert both[-1] == "lantern"
    assert "legs" in both


@pytest.mark.parametrize("readings", NONSENSE.values(), ids=NONSENSE)
def test_a_part_that_tells_nonsense_is_reported_and_logged_once(readings, caplog):
    world = strange_world()
    add_part(world, "fuse", telling("Fuse", readings))
    world.define_species("odd", name="odd", lantern={}, fuse={})
    odd, watch = world.spawn("odd"), Watch()
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            world.step()
            watch.update(odd)
        watch.update(None)
        watch.update(odd)
    good, bad = watch.reports
    assert good.part == "lantern"
    assert good.problem == ""
    assert bad.part == "fuse"
    assert bad.problem
    assert bad.readings == ()
    assert len([record for record in caplog.records if "fuse" in record.getMessage()]) == 1


def counting_world():
    """A world with one creature whose strip shows the tick's last digit, and its curve a tenth of it."""
    world = strange_world()
    states = tuple((str(digit), "sky") for digit in range(10))
    told = telling("Counter", lambda _self: [
        Reading("strip", "digits", values=[world.tick % 10, 3], states=states),
        Reading("curve", "tenth", share=world.tick % 10 / 10.0),
    ])  # fmt: skip
    add_part(world, "counter", told)
    world.define_species("clock", name="clock", counter={})
    return world, world.spawn("clock")


def test_a_watch_remembers_strips_and_curves_tick_by_tick():
    world, clock = counting_world()
    watch = Watch()
    for _ in range(25):
        world.step()
        watch.update(clock)
        watch.update(clock)  # a frame without a tick
    strip, curve = watch.reports[0].readings
    past = watch.past("counter", strip)
    assert past.shape == (2, PAST_TICKS)
    assert past[0, -25:].tolist() == [tick % 10 for tick in range(1, 26)]
    assert (past[1, -25:] == 3).all()
    assert np.isnan(past[:, :-25]).all()
    assert watch.past("counter", curve)[0, -25:] == pytest.approx([tick % 10 / 10.0 for tick in range(1, 26)])


def test_ticks_that_were_not_looked_at_are_filled_with_what_is_there_afterwards():
    world, clock = counting_world()
    watch = Watch()
    world.step()
    watch.update(clock)
    world.step(3)
    watch.update(clock)
    strip = watch.reports[0].readings[0]
    assert watch.past("counter", strip)[0, -5:].tolist()[1:] == [1, 4, 4, 4]
    world.step(2 * PAST_TICKS)
    watch.update(clock)
    assert len(set(watch.past("counter", strip)[0].tolist())) == 1


def test_another_creature_or_another_world_starts_an_empty_past():
    world, clock = counting_world()
    watch = Watch()
    for _ in range(9):
        world.step()
        watch.update(clock)
    other = world.spawn("clock", at=(9.0, 0.0))
    watch.update(other)
    strip = watch.reports[0].readings[0]
    assert np.isnan(watch.past("counter", strip)[0, :-1]).all()
    watch.update(None)
    assert watch.reports == []
    assert watch.words == []
    _, earlier = counting_world()
    watch.update(earlier)
    assert np.isnan(watch.past("counter", strip)).all()


def test_strips_of_changing_size_of_the_same_name_and_of_no_rows_are_kept_apart_from_each_other():
    world = strange_world()
    states = (("a", "sky"), ("b", "red"))
    told = telling("Odd", lambda _self: [
        Reading("strip", "same", values=[0] * (world.tick % 3), states=states),
        Reading("strip", "same", values=[1] * 4, states=states),
        Reading("curve", "same", share=0.5),
    ])  # fmt: skip
    add_part(world, "oddity", told)
    world.define_species("odd", name="odd", oddity={})
    odd, watch = world.spawn("odd"), Watch()
    for tick in range(1, 8):
        world.step()
        watch.update(odd)
        first, _, curve = watch.reports[0].readings
        assert watch.past("oddity", first).shape == (tick % 3, PAST_TICKS)
        assert watch.past("oddity", curve)[0, -1] == 0.5
