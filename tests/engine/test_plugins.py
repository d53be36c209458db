"""Plugins and the schedule: one door for all, a fixed order, and a broken mod that does not stop the world."""

from __future__ import annotations

import logging

import pytest

from paludarium.engine.errors import PluginError
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
