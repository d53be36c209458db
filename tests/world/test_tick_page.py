"""What the source says a step writes is what it writes; the page of the tick says the same."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.articulated.servo import SwimPool
from paludarium.components.fish.springs import FishBodyPool
from paludarium.lab.tick.effects import effects_of
from paludarium.lab.tick.page import PAGE, written
from paludarium.systems.tick import TICK

TICKS = 24
FOUND = {step.system: effects_of(step) for step in TICK}


def columns_of(world):
    return {(name, column): getattr(pool, column).copy() for name, pool in world.pools.items()
            for column in pool.columns if column != "owner"}  # rows are claimed and released by the pool itself


def differs(one, other):
    return one.shape != other.shape or not np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


class Watcher:
    """Runs ticks and notes which columns each system has changed."""

    def __init__(self, world):
        self.world = world
        self.changed = {entry.name: set() for entry in world.schedule}

    def step(self):
        for entry in self.world.schedule:
            process, name = entry.system.process, entry.name

            def watched(dt, process=process, name=name):
                before = columns_of(self.world)
                process(dt)
                after = columns_of(self.world)
                self.changed[name] |= {key for key in before if differs(before[key], after[key])}

            entry.system.process = watched
        try:
            self.world.step()
        finally:
            for entry in self.world.schedule:
                del entry.system.process


@pytest.mark.parametrize("chart", ["forest_floor", "lagoon", "ant_trail", "koi_pond", "rainy_pond"])
def test_no_step_changes_a_column_that_its_source_does_not_show(chart):
    world = World(seed=4, map=chart)
    for creature in list(world.creatures.values())[::3]:
        creature.push((3.0, 1.0, 0.0))
    watcher = Watcher(world)
    for _ in range(TICKS):
        watcher.step()
    assert any(watcher.changed.values())
    assert unseen_by(watcher) == []


ONE_OF_EACH = ("stone_centipede", "silverside", "worker_ant", "frog")


def unseen_by(watcher):
    return [(name, *column) for name, changed in watcher.changed.items() for column in sorted(changed - FOUND[name].writes)]


def test_what_brings_animals_back_from_beyond_the_edge_is_in_the_source():
    world = World(seed=4, map="lagoon", populate=False)
    east = float(world.map.area.bounds[2])
    thrown = [world.spawn(kind, at=(2.0 * place, 0.0)) for place, kind in enumerate(ONE_OF_EACH)]
    back = []
    world.on("brought_back", lambda event: back.append(event.creature))
    for creature in thrown:
        creature.family.carry(creature, np.array([4.0 * east, 0.0]))
    watcher = Watcher(world)
    for _ in range(TICKS):
        watcher.step()
    assert set(back) == set(thrown)
    assert unseen_by(watcher) == []


def test_death_by_air_is_in_the_source():
    world = World(seed=4, map="frog_pond", populate=False)
    ashore = [world.spawn("silverside", at=(46.0, -34.0)), world.spawn("eel", at=(48.0, 34.0))]
    for creature in ashore:
        for pool in (FishBodyPool, SwimPool):
            if world.pool(pool).owner[creature.row] == creature.serial:
                world.pool(pool).air_seconds[creature.row] = 1000.0
    watcher = Watcher(world)
    for _ in range(TICKS):
        watcher.step()
    assert all(creature.dead for creature in ashore)
    killers = {name for name, changed in watcher.changed.items() if ("CreaturePool", "dead") in changed}
    assert killers == {"FishBodySystem", "SwimBodySystem"}
    assert unseen_by(watcher) == []


def test_pools_that_a_calculation_makes_for_itself_are_no_effect():
    """The trials in which the first fish of a kind learns its swimming table run in pools of their own."""
    assert not any(pool == "NodePool" for pool, _ in FOUND["FishMotorSystem"].writes)


def test_each_step_has_an_effect():
    assert [step.system for step in TICK if not FOUND[step.system].writes] == ["IndexSystem"]  # an index is no pool


def test_what_the_targeter_writes_is_what_it_is_for():
    pools = {pool for pool, _ in FOUND["TargeterSystem"].writes}
    assert {"SegmentPool", "ChainSegmentPool"} <= pools
    assert "LegPool" not in pools  # legs are the Switcher's
    assert ("LegPool", "state") in FOUND["SwitcherSystem"].writes


def test_the_page_of_the_tick_is_made_from_the_list():
    page = PAGE.read_text()
    assert written(page) == page, "run: python -m paludarium.lab.tick.page"


def test_the_picture_of_the_tick_is_made_from_the_list():
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("matplotlib")
    from paludarium.examples.figure_tick import draw, words_of

    with image.open(PAGE.parent / "images" / "tick.png") as picture:
        assert picture.text["Description"] == words_of(draw()), "run examples.figure_tick for docs/images"
