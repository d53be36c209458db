"""Plugins and the schedule: one door for all, a fixed order, and a broken mod that does not stop the world."""

from __future__ import annotations

import logging

import pytest

from paludarium.engine.errors import PluginError, SnapshotError, SpeciesError
from paludarium.engine.schedule import Phase
from paludarium.engine.world import World
from paludarium.tests.engine.worms import build, worm_world


def recorder(name, log):
    return type(name, (), {"__init__": lambda self, world: None, "process": lambda self, dt: log.append(name)})


def test_phases_run_in_order_whatever_the_order_of_registration(tmp_path):
    world, log = worm_world(tmp_path), []
    world.add_system(recorder("Late", log), phase=Phase.LIVE)
    world.add_system(recorder("Early", log), phase=Phase.SENSE)
    world.add_system(recorder("Thinker", log), phase=Phase.THINK)
    world.add_system(recorder("AfterEarly", log), after="Early")
    world.add_system(recorder("BeforeLate", log), before="Late")
    world.step()
    assert log == ["Early", "AfterEarly", "Thinker", "BeforeLate", "Late"]


def test_wrong_neighbours_and_doubles_are_refused(tmp_path):
    world = worm_world(tmp_path)
    with pytest.raises(PluginError, match="did you mean 'BeadSystem'"):
        world.add_system(recorder("X", []), after="BeedSystem")
    with pytest.raises(PluginError, match="exactly one"):
        world.add_system(recorder("X", []))
    with pytest.raises(PluginError, match="already"):
        world.add_system(recorder("BeadSystem", []), phase=Phase.LIVE)
    with pytest.raises(PluginError, match="already installed"):
        World(plugins=[build, build])


def test_mods_in_a_folder_are_found_and_a_broken_one_is_named(tmp_path, caplog):
    (tmp_path / "good.py").write_text("def build(world):\n    world.add_verb('sing', lambda c: c.name + ' sings')\n")
    (tmp_path / "bad.py").write_text("def build(world):\n    raise RuntimeError('out of eggs')\n")
    (tmp_path / "syntax.py").write_text("def build(world:\n")
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("def build(world):\n    world.add_attribute('twice', lambda c: 2)\n")
    species = tmp_path / "species"
    species.mkdir()
    with caplog.at_level(logging.CRITICAL):
        world = World(plugins=[build], mods=tmp_path)
    (species / "worm.toml").write_text("[beads]\ncount = 2")
    world.add_species(species / "worm.toml")
    failures = []
    world.on("mod_failed", lambda event: failures.append((event.mod, event.problem)))
    worm = world.spawn("worm")
    world.step()
    assert worm.sing().endswith("sings")
    assert worm.twice == 2
    assert {mod.rpartition(".")[2] for mod, _ in failures} == {"bad", "syntax"}
    assert any("out of eggs" in problem for _, problem in failures)


def test_a_mods_system_that_raises_is_taken_out_and_the_world_goes_on(tmp_path, caplog):
    world = worm_world(tmp_path)

    class Bomb:
        def __init__(self, world):
            pass

        def process(self, dt):  # noqa: ARG002 - a system's signature
            raise ZeroDivisionError("boom")

    world.building = "fireworks"
    world.add_system(Bomb, phase=Phase.LIVE)
    world.building = None
    failures = []
    world.on("mod_failed", lambda event: failures.append(event.mod))
    with caplog.at_level(logging.CRITICAL):
        world.step(3)
    assert failures == ["fireworks (Bomb)"]
    assert world.tick == 3
    assert [entry.name for entry in world.schedule] == ["BeadSystem"]


def test_a_mods_folder_that_is_missing_is_named(tmp_path):
    with pytest.raises(PluginError, match="nowhere"):
        World(plugins=(), mods=tmp_path / "nowhere")


DIST_INFO = """Metadata-Version: 2.1
Name: firefly-mod
Version: 1.0
"""


def install_distribution(folder, monkeypatch, name, entry_points, code):
    """A real distribution on sys.path: a module and its dist-info, as pip would have left them."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(DIST_INFO.replace("firefly-mod", name))
    (info / "entry_points.txt").write_text(f"[paludarium.mods]\n{entry_points}\n")
    (folder / f"{name}.py").write_text(code)
    monkeypatch.syspath_prepend(str(folder))


def test_installed_mods_are_found_by_their_entry_points_and_load_again(tmp_path, monkeypatch):
    code = "def build(world):\n    world.add_verb('glow', len)\n\n\ndef extra(world):\n    world.add_verb('hum', len)\n"
    points = "firefly = firefly_mod\nhum = firefly_mod:extra"
    install_distribution(tmp_path / "site", monkeypatch, "firefly_mod", points, code)
    assert World(plugins=[build]).plugins == [f"{build.__module__}.build"]  # nobody asked for mods
    world = World(plugins=[build], mods=True)
    assert world.plugins[1:] == ["firefly_mod", "firefly_mod:extra"]
    assert set(world.verbs) >= {"glow", "hum"}
    world.save(tmp_path / "world.palu")
    assert World.load(tmp_path / "world.palu", plugins=[build], mods=True).plugins == world.plugins


@pytest.mark.parametrize("code, problem", [
    ("import no_such_package_anywhere\n", "cannot be imported"),
    ("raise RuntimeError('at import')\n", "at import"),
    ("def build(world:\n", "SyntaxError"),
    ("nothing = 1\n", "no function build"),
])  # fmt: skip
def test_an_installed_mod_that_cannot_be_imported_is_named_and_left_out(tmp_path, monkeypatch, caplog, code, problem):
    name = f"broken_mod_{abs(hash(code))}"
    install_distribution(tmp_path / "site", monkeypatch, name, f"broken = {name}", code)
    failures = []
    with caplog.at_level(logging.CRITICAL):
        world = World(plugins=[build], mods=True)
    world.on("mod_failed", lambda event: failures.append((event.mod, event.problem)))
    world.step()
    assert [mod for mod, _ in failures] == [name]
    assert problem in failures[0][1]
    assert name not in world.plugins


HALF_BUILT = """
from paludarium.engine.families import Family
from paludarium.engine.pool import Pool
from paludarium.engine.schedule import Phase

class HalfPool(Pool):
    pass

class HalfSystem:
    def __init__(self, world):
        pass
    def process(self, dt):
        raise AssertionError("a mod that failed to build must not run")

def build(world):
    world.add_pool(HalfPool)
    world.add_verb("half", len)
    world.add_attribute("halved", len)
    world.add_resource(HalfPool())
    world.add_family(Family("half", frozenset(), frozenset()))
    world.add_state("half", world.water)
    world.add_call("halve", len)
    world.on("born", lambda event: 1 / 0)
    world.add_system(HalfSystem, phase=Phase.LIVE)
    raise RuntimeError("half done")
"""


def test_a_mod_that_fails_half_way_leaves_nothing_behind(tmp_path, caplog):
    mods = tmp_path / "mods"
    mods.mkdir()
    (mods / "half.py").write_text(HALF_BUILT)
    with caplog.at_level(logging.CRITICAL):
        world = World(plugins=[build], mods=mods)
    plain = World(plugins=[build])
    for table in ("pools", "verbs", "attributes", "parts", "states", "calls", "families"):
        assert set(getattr(world, table)) == set(getattr(plain, table)), table
    assert set(world.resources.by_kind) == set(plain.resources.by_kind)
    assert [entry.name for entry in world.schedule] == [entry.name for entry in plain.schedule]
    (tmp_path / "worm.toml").write_text("[beads]\ncount = 2")
    world.add_species(tmp_path / "worm.toml")
    world.spawn("worm")
    world.step(2)
    assert world.tick == 2


TROUBLE = """
from paludarium.engine.schedule import Phase

class Quiet:
    def __init__(self, world):
        pass
    def process(self, dt):
        pass

class Loud(Quiet):
    pass

def build(world):
    world.add_system(Quiet, phase=Phase.SENSE)
    world.add_system(Loud, phase=Phase.LIVE)
    world.on("born", lambda event: {}["handler"])
    world.on("gone", lambda event: None)
"""


def test_a_mods_handler_that_raises_takes_the_whole_mod_out_and_others_still_hear(tmp_path, caplog):
    mods = tmp_path / "mods"
    mods.mkdir()
    (mods / "trouble.py").write_text(TROUBLE)
    world = World(plugins=[build], mods=mods)
    (tmp_path / "worm.toml").write_text("[beads]\ncount = 2")
    world.add_species(tmp_path / "worm.toml")
    heard, failures = [], []
    world.on("born", lambda event: heard.append(event.creature.name))
    world.on("mod_failed", lambda event: failures.append(event.mod))
    world.spawn("worm")
    with caplog.at_level(logging.CRITICAL):
        world.step(2)
    assert failures == ["paludarium_mods.trouble (handler of 'born')"]
    assert len(heard) == 1
    assert [entry.name for entry in world.schedule] == ["BeadSystem"]
    world.spawn("worm")
    world.step(2)
    assert len(heard) == 2
    assert len(failures) == 1


def test_an_error_in_the_hosts_own_handler_reaches_the_host(tmp_path):
    world = worm_world(tmp_path)
    world.on("born", lambda event: 1 / 0)
    world.spawn("worm")
    with pytest.raises(ZeroDivisionError):
        world.step()


def test_two_systems_of_one_mod_that_raise_in_one_tick_are_reported_once(tmp_path, caplog):
    world = worm_world(tmp_path)

    def fail(self, dt):
        raise ZeroDivisionError

    world.building = "fireworks"
    for name in ("First", "Second"):
        world.add_system(type(name, (), {"__init__": lambda self, world: None, "process": fail}), phase=Phase.LIVE)
    world.building = None
    failures = []
    world.on("mod_failed", lambda event: failures.append(event.mod))
    with caplog.at_level(logging.CRITICAL):
        world.step(3)
    assert failures == ["fireworks (First)"]


def test_animals_in_a_folder_need_no_code_and_a_wrong_file_is_named(tmp_path, caplog):
    for mod, count in (("meadow", "2"), ("swamp", "-2")):
        folder = tmp_path / mod / "species"
        folder.mkdir(parents=True)
        (folder / f"{mod}_worm.toml").write_text(f"[beads]\ncount = {count}")
    with caplog.at_level(logging.CRITICAL):
        world = World(plugins=[build], mods=tmp_path)
    failures = []
    world.on("mod_failed", lambda event: failures.append((event.mod, event.problem)))
    assert world.spawn("meadow_worm").alive
    with pytest.raises(SpeciesError):
        world.spawn("swamp_worm")
    world.step()
    assert [mod for mod, _ in failures] == ["paludarium_mods.swamp"]
    assert "count = -2" in failures[0][1]
    world.save(tmp_path / "world.palu")
    with pytest.raises(SnapshotError, match="mods=FOLDER"):
        World.load(tmp_path / "world.palu", plugins=[build])
    assert World.load(tmp_path / "world.palu", plugins=[build], mods=tmp_path).state_hash() == world.state_hash()
