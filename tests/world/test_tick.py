"""The tick is one list: the same for every order in which animals arrive, before and after a load, whatever mods add."""

from __future__ import annotations

from importlib import import_module
from itertools import permutations

import pytest

from paludarium import Phase, World
from paludarium.engine.errors import PluginError
from paludarium.systems.brain.mode_registry import ModeRegistry
from paludarium.systems.sea.sea_life import PARTS, SeaLife
from paludarium.systems.tick import ALL, FAMILIES, MODES, OLDER_NAMES, TICK, names_of

FIRST_BORN = {"myriapod": "stone_centipede", "fish": "koi", "insect": "worker_ant", "articulated": "eel"}


def listed(world):
    return [(entry.phase, entry.name) for entry in world.schedule]


def table_of(*whose):
    return [(step.phase, step.system) for step in TICK if step.whose in whose]


@pytest.mark.parametrize("order", list(permutations(FAMILIES)), ids="-".join)
def test_every_order_of_arrival_gives_the_same_list_before_and_after_a_load(order, tmp_path):
    world = World(seed=1)
    for family in order:
        world.require_family(family)
    assert listed(world) == table_of(ALL, *FAMILIES)
    world.save(tmp_path / "world.save")
    assert listed(World.load(tmp_path / "world.save")) == listed(world)


@pytest.mark.parametrize("order", [FAMILIES, FAMILIES[::-1]], ids=["as listed", "backward"])
def test_animals_bring_their_steps_in_any_order(order, tmp_path):
    world = World(seed=1, map="lagoon", populate=False)
    for family in order:
        place = (-9, 20) if family in ("fish", "articulated") else (50, 0)
        world.spawn(FIRST_BORN[family], at=place, spread=12, count=1)
    world.step(3)
    parts = [step.whose for step in TICK if step.whose.removeprefix("sea ") in world.resource(SeaLife).loaded]
    assert listed(world) == table_of(ALL, *FAMILIES, *parts)
    world.save(tmp_path / "world.save")
    again = World.load(tmp_path / "world.save")
    assert listed(again) == listed(world)
    for one in (world, again):
        one.step(10)
    assert again.state_hash() == world.state_hash()


def test_parts_of_the_sea_join_in_the_order_of_the_list():
    forth, back = World(seed=1), World(seed=1)
    for world, parts in ((forth, PARTS), (back, PARTS[::-1])):
        for part in parts:
            world.resource(SeaLife).require(part)
    assert listed(forth) == listed(back) == table_of(ALL, *(f"sea {part}" for part in PARTS))


def test_rows_go_down_the_phases_and_name_systems_that_exist():
    assert [step.phase for step in TICK] == sorted((step.phase for step in TICK), key=list(Phase).index)
    assert len({step.system for step in TICK}) == len(TICK)
    for place in (row.place for row in (*TICK, *MODES)):
        module, _, name = place.partition(":")
        found = getattr(import_module(f"paludarium.systems.{module}"), name)
        assert callable(getattr(found, "process", None) or found.decide)


def test_brain_modes_have_the_same_numbers_in_every_order():
    def mode_of_a_mod(world):
        world.resource(ModeRegistry).add("nap", priority=33.0, decide=lambda brain, rows: None, when=lambda: False)

    ants_first, mod_first = World(seed=1), World(seed=1)
    ants_first.require_family("insect")
    mode_of_a_mod(ants_first)
    mode_of_a_mod(mod_first)
    mod_first.require_family("insect")
    names = [world.resource(ModeRegistry).names for world in (ants_first, mod_first)]
    assert names[0] == names[1]
    assert {mode.name for mode in MODES} < set(names[0])
    priorities = ants_first.resource(ModeRegistry).priorities
    assert all(priorities[names[0].index(mode.name)] == mode.priority for mode in MODES)


class Before:
    def __init__(self, world):
        pass

    def process(self, dt):
        pass


class After(Before):
    pass


class Last(Before):
    pass


@pytest.mark.parametrize("late", [(), ("fish", "insect"), ("insect", "articulated", "fish", "myriapod")])
def test_systems_of_mods_stay_beside_the_one_they_named(late):
    world = World(seed=1)
    world.add_system(Last, phase=Phase.THINK)
    world.add_system(After, after="BrainSystem")
    world.add_system(Before, before="FishMindSystem")  # brings the fishes
    for family in late:
        world.require_family(family)
    names = [entry.name for entry in world.schedule]
    assert set(names_of("fish")) <= set(names)
    assert names[names.index("BrainSystem") + 1] == "After"
    assert names[names.index("FishMindSystem") - 1] == "Before"
    think = [entry.name for entry in world.schedule if entry.phase is Phase.THINK]
    assert think[-1] == "Last"


def test_a_system_keeps_its_place_when_its_neighbour_goes():
    world = World(seed=1)
    world.require_family("myriapod")
    world.add_system(After, after="SwitcherSystem")
    world.schedule.remove("SwitcherSystem")
    world.require_family("insect")
    names = [entry.name for entry in world.schedule]
    assert "SwitcherSystem" not in names
    assert names[names.index("After") - 1] == "TargeterSystem"
    assert names[names.index("After") + 1] == "TripodSystem"


def test_older_names_of_phases_and_systems_still_stand_for_something():
    assert (Phase.TARGET, Phase.SWITCH, Phase.BODY) == (Phase.ACT, Phase.ACT, Phase.MOVE)
    world = World(seed=1)
    for older, name in OLDER_NAMES.items():
        world.schedule.require(older)
        assert world.schedule[older].name == name
        with pytest.raises(PluginError, match="no system is called"):
            _ = world.schedule[older + "s"]
