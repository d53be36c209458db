"""What the source says a step writes is what it writes; the page of the tick says the same."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.lab.tick.effects import effects_of
from paludarium.lab.tick.page import PAGE, written
from paludarium.systems.tick import TICK

TICKS = 24
FOUND = {step.system: effects_of(step.place) for step in TICK}


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
    unseen = {name: changed - FOUND[name].writes for name, changed in watcher.changed.items()}
    assert [(name, *column) for name, columns in unseen.items() for column in sorted(columns)] == []


def test_each_step_has_an_effect():
    silent = {"IndexSystem", "SafetySystem"}  # an index is no pool; creatures are removed by the world
    assert all(FOUND[step.system].writes for step in TICK if step.system not in silent)


def test_what_the_targeter_writes_is_what_it_is_for():
    pools = {pool for pool, _ in FOUND["TargeterSystem"].writes}
    assert {"SegmentPool", "ChainSegmentPool"} <= pools
    assert "LegPool" not in pools  # legs are the Switcher's
    assert ("LegPool", "state") in FOUND["SwitcherSystem"].writes


def test_the_page_of_the_tick_is_made_from_the_list():
    page = PAGE.read_text()
    assert written(page) == page, "run: python -m paludarium.lab.tick.page"
