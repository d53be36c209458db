"""Calls with wrong values get an error of ours that names them, and change nothing; saves hash alike in every case."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import PaludariumError, World
from paludarium.engine.errors import ArgumentError, SnapshotError, StaleHandleError
from paludarium.engine.schedule import Phase
from paludarium.tests.pool_rows import live_rows

JUNK = [
    None, True, 10**400, float("nan"), float("inf"), "x", "\ud800", "\0", "a" * 10**5, b"x", [], [1], [1, 2, 3, 4],
    ["a", "b"], [float("nan"), 0.0], [1e300, 0.0], {}, {"a": 1}, object(), np.zeros((2, 2)), np.array(["a", "b"]), {1, 2},
]  # fmt: skip
CALLS = {
    "spawn": {"species": "pauropod", "at": (5, 5), "heading": 0.0, "count": 2, "spread": 1.0, "tier": "full",
              "faction": "f"},
    "despawn": {"creature": None}, "near": {"point": (0, 0), "radius": 1.0, "faction": "a"},
    "hit": {"point": (0, 0), "radius": 1.0, "faction": "a"},
    "raycast": {"start": (0, 0), "end": (5, 5), "radius": 0.0, "faction": "a", "ignore": None, "props": True},
    "set_relation": {"one": "p", "other": "q", "relation": "hostile", "both": True},
    "add_food": {"at": (1, 1), "amount": 1.0, "kind": "fruit"},
    "add_obstacle": {"kind": "box", "at": (40, 40), "radius": 1.0, "size": (1, 1), "height": 1.0, "heading": 0.0},
    "add_stimulus": {"kind": "threat", "at": (1, 1), "strength": 1.0, "radius": 1.0, "seconds": 1.0},
    "on": {"kind": "born", "handler": None}, "emit": {"kind": "born", "creature": 5}, "step": {"ticks": None},
    "update": {"dt": None}, "save": {"path": None}, "load": {"path": None}, "add_species": {"path": None},
    "define_species": {"key": None},
}  # fmt: skip
VERBS = {
    "goto": {"point": (1, 1), "radius": 1.0, "speed": 0.0}, "follow": {"other": None, "distance": 1.0},
    "follow_path": {"points": [(0, 0)], "loop": False, "radius": 1.0}, "flee_from": {"threat": (0, 0), "radius": 1.0},
    "control": {"speed": 1.0, "turn": 0.0, "climb": 0.0}, "push": {"impulse": (0, 0, 1), "segment": 0},
    "sever": {"joint": None}, "attach": {"thing": "hat", "segment": 0, "offset": (0, 0, 0), "rotate": True},
    "distance_to": {"point": None},
}  # fmt: skip
ACCEPTED = {("spawn", "count"), ("spawn", "faction"), ("near", "faction"), ("hit", "faction"), ("raycast", "faction"),
            ("set_relation", "one"), ("set_relation", "other"), ("near", "radius"), ("add_stimulus", "seconds"),
            ("raycast", "ignore"), ("raycast", "props"), ("set_relation", "both"), ("attach", "thing"), ("attach", "rotate"),
            ("emit", "creature"), ("on", "handler"), ("follow_path", "loop"), ("define_species", "key"),
            ("add_obstacle", "size"), ("flee_from", "threat"), ("follow_path", "points"), ("save", "path"),
            ("load", "path"), ("add_species", "path")}  # fmt: skip
"""Arguments for which some of the values above are right."""


@pytest.fixture(scope="module")
def world():
    world = World(seed=1)
    world.spawn("pauropod")
    world.step(2)
    return world


@pytest.mark.parametrize("call, argument", [(call, name) for call, options in CALLS.items() for name in options])
def test_wrong_values_to_a_world_are_refused_and_change_nothing(world, call, argument, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _refuses(world, getattr(world, call), CALLS[call], (call, argument))


@pytest.mark.parametrize("verb, argument", [(verb, name) for verb, options in VERBS.items() for name in options])
def test_wrong_values_to_a_verb_are_refused_and_change_nothing(world, verb, argument):
    creature = next(iter(world.creatures.values()))
    _refuses(world, getattr(creature, verb), VERBS[verb], (verb, argument))


def _refuses(world, call, right, place):
    for place_of_junk in range(len(JUNK)):
        junk, before = JUNK[place_of_junk], world.state_hash()
        try:
            call(**{**right, place[1]: junk})
        except PaludariumError as problem:
            said = str(problem)
        else:
            assert place in ACCEPTED, (place, place_of_junk)
            continue
        assert len(said) < 700, place
        assert world.state_hash() == before, (place, place_of_junk)


@pytest.mark.parametrize("options", [
    {"seed": -1}, {"seed": 1.5}, {"seed": None}, {"seed": True}, {"tick_rate": 0}, {"tick_rate": "x"}, {"tick_rate": True},
    {"precision": []}, {"precision": np.zeros(2)}, {"map": None}, {"map": 5}, {"map": "a" * 10**4}, {"map": "\0"},
    {"map": ""},
    {"map": "a" * 300 + ".toml"}, {"plugins": None}, {"plugins": "paludarium.components"}, {"plugins": [5]},
    {"plugins": ["no.such.module"]}, {"plugins": [""]}, {"mods": 5}, {"mods": "no such folder"}, {"populate": 3},
])  # fmt: skip
def test_a_world_is_not_built_from_wrong_values(options):
    with pytest.raises(PaludariumError, match="allowed|known|no such folder|cannot be imported") as caught:
        World(**options)
    assert len(str(caught.value)) < 600


def test_a_handle_of_one_that_is_gone_does_nothing_to_who_has_its_rows_now():
    world = World(seed=1)
    gone = world.spawn("pauropod")
    rows = gone.rows["segments"]
    gone.despawn()
    heir = world.spawn("pauropod")
    assert heir.rows["segments"].start == rows.start
    before = world.state_hash()
    for act in (lambda: gone.push((0, 0, 5)), lambda: gone.goto((1, 1)), lambda: gone.control(1.0), gone.release, gone.kill,
                lambda: gone.sever(3), lambda: gone.attach("hat"), lambda: gone.follow(heir), lambda: heir.follow(gone),
                lambda: gone.follow_path([(0, 0)]), lambda: gone.flee_from((0, 0)), lambda: setattr(gone, "tier", "bush"),
                lambda: setattr(gone, "faction", "new")):  # fmt: skip
        with pytest.raises(StaleHandleError):
            act()
        assert world.state_hash() == before
    world.despawn(gone)
    assert world.state_hash() == before
    with pytest.raises(ArgumentError, match="creature of this world"):
        world.despawn(World(seed=1).spawn("pauropod"))


@pytest.mark.parametrize("bad", [np.nan, np.inf, "fast", None, [1.0]])
def test_a_refused_order_leaves_no_goal(bad):
    world = World(seed=1)
    creature = world.spawn("pauropod")
    for act in (lambda: creature.control(bad), lambda: creature.control(1.0, bad), lambda: creature.goto((1, 1), radius=bad),
                lambda: creature.goto((1, 1), speed=bad), lambda: creature.follow_path([(1, 1)], radius=bad)):  # fmt: skip
        with pytest.raises(ArgumentError):
            act()
    assert world.creature_pool.goal_kind[creature.row] == 0
    assert not live_rows(creature.world.pools["PathPool"])


def test_a_refused_birth_leaves_no_trace():
    world = World(seed=1)
    world.spawn("pauropod", count=3, spread=10.0)
    before, queued = world.state_hash(), len(world.events.queue)
    for options in ({"at": (1e5, 0), "spread": 5.0, "count": 4}, {"at": (119.9, 0), "spread": 3000.0, "count": 200},
                    {"faction": "new", "at": (1e5, 0)}, {"faction": "x" * 41}, {"count": 10**9}, {"count": -1}):  # fmt: skip
        with pytest.raises(PaludariumError):
            world.spawn("stone_centipede", **options)
        assert world.state_hash() == before
        assert len(world.events.queue) == queued
    assert world.spawn("pauropod", at=(20, 0)).serial == 4


def test_the_65th_faction_is_refused_with_its_relation():
    world = World(seed=1)
    for number in range(31):
        world.set_relation(f"a{number}", f"b{number}", "allied")
    world.set_relation("last", "last", "allied")
    before = world.state_hash()
    with pytest.raises(PaludariumError, match="at most 64"):
        world.set_relation("one more", "a1", "hostile")
    assert world.state_hash() == before


def test_events_about_those_who_left_are_hashed_alike_after_loading(tmp_path):
    world = World(seed=1)
    leaver, stayer = world.spawn("pauropod"), world.spawn("pauropod", at=(10, 0))
    leaver.name = "the one that left"
    world.events.declare("told")
    world.emit("told", stayer, by=leaver, table={10: 1, 9: (2.0, np.float64(3.0))}, where=np.zeros(2))
    leaver.kill()
    leaver.despawn()
    assert [event.creature for event in world.events.queue if event.creature is leaver]
    world.save(tmp_path / "world.palu")

    def build(world):
        world.events.declare("told")

    with pytest.raises(SnapshotError, match="'told'"):
        World.load(tmp_path / "world.palu")
    copy = World(seed=0)
    assert copy.state_hash() != world.state_hash()
    world.plugins.append(f"{build.__module__}.{build.__qualname__}")
    world.save(tmp_path / "world.palu")
    copy, heard = World.load(tmp_path / "world.palu", plugins=[build]), []
    assert copy.state_hash() == world.state_hash()
    copy.on("died", lambda event: heard.append((event.creature.name, event.creature.alive, event.creature.serial)))
    copy.step()
    world.step()
    assert heard == [("the one that left", False, leaver.serial)]
    assert copy.state_hash() == world.state_hash()


def test_what_cannot_be_saved_is_told_as_ours(tmp_path):
    world = World(seed=1)
    for bad in (object(), {1, 2}, float("nan"), {(1, 2): 3}):
        world.emit("born", None, bad=bad)
        with pytest.raises(SnapshotError, match=r"world\.palu"):
            world.save(tmp_path / "world.palu")
        world.events.queue.clear()
    assert not list(tmp_path.iterdir())


def test_a_world_is_not_saved_in_the_middle_of_a_tick(tmp_path):
    class Saver:
        def __init__(self, world):
            self.world = world

        def process(self, dt):  # noqa: ARG002 - a system's signature
            with pytest.raises(SnapshotError, match="within a tick"):
                self.world.save(tmp_path / "world.palu")

    world = World(seed=1)
    world.add_system(Saver, phase=Phase.LIVE)
    world.on("born", lambda event: world.save(tmp_path / f"{event.creature.serial}.palu"))
    world.spawn("pauropod")
    world.step()
    assert [file.name for file in tmp_path.iterdir()] == ["1.palu"]


@pytest.mark.parametrize("name", [5, None, "x" * 500, "\ud800"])
def test_a_creature_is_called_by_a_text(name):
    creature = World(seed=1).spawn("pauropod")
    with pytest.raises(ArgumentError, match="name = "):
        creature.name = name


def test_unknown_names_are_errors_of_ours_and_of_pythons():
    world = World(seed=1)
    creature = world.spawn("pauropod")
    world.on("born", lambda event: hasattr(event, "nothing"))
    for ask in (lambda: creature.nothing, lambda: world.nothing, lambda: setattr(creature, "nothing", 1)):
        with pytest.raises(PaludariumError):
            ask()
    assert not hasattr(creature, "nothing")
    assert not hasattr(world, "nothing")
