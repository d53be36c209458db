"""Runs that can be repeated: calls from outside are written down, made again, and give the same world bit for bit."""

from __future__ import annotations

import json
import logging

import numpy as np
import pytest

from paludarium import Map, PaludariumError, World
from paludarium.engine.replay import Recording, ReplayError, replay
from paludarium.systems.brain import Wish
from paludarium.systems.brain.mode_registry import ModeRegistry

MEADOW = Map.define(name="meadow", area={"width_u": 100, "height_u": 100}, food=[{"count": 4, "spread_u": 10}])


def eventful_run(path) -> World:
    world = World(seed=3, map=MEADOW)
    recording = Recording(world)
    a, b = world.spawn("pauropod", at=(0, 0)), world.spawn("stone_centipede", at=(0, 20), faction="red")
    world.on("ate", lambda event: event.creature.goto((0.0, 0.0)))  # the host's own reaction, within a step
    a.goto(np.array([12.0, 4.0]))
    fruit = world.add_food((1.5, 0.0))
    far = world.add_food((5.0, -40.0))
    world.step(60)
    far.remove()
    fire = world.add_stimulus("threat", (0, 0), radius=30.0)
    b.tier, b.faction, a.faction = "bush", "blue", "red"
    world.set_relation("red", "blue", "hostile")
    a.attach("a hat")
    with pytest.raises(PaludariumError):
        a.goto((np.nan, 0))
    for _ in range(5):
        world.update(0.02)
    world.clock.paused = True
    world.update(0.5)
    world.clock.paused = False
    rear = b.sever(6)
    world.step(30)
    fire.remove()
    rear.release()
    a.push((0.0, 0.0, 3.0), segment=2)
    world.step(30)
    a.despawn()
    with pytest.raises(PaludariumError):
        a.goto((1, 1))
    b.kill()
    world.step(30)
    recording.save(path)
    assert not fruit.exists  # it was eaten, so the host's handler did speak
    return world


def test_a_recorded_run_repeats_bit_for_bit(tmp_path):
    world = eventful_run(tmp_path / "run.jsonl")
    again = replay(tmp_path / "run.jsonl")
    assert again.state_hash() == world.state_hash()
    assert again.tick == world.tick
    assert replay(tmp_path / "run.jsonl", until=10).tick == 10


def test_a_changed_log_and_a_world_that_is_not_new_are_refused(tmp_path):
    path = tmp_path / "run.jsonl"
    world = World(seed=3)
    recording = Recording(world)
    walker = world.spawn("pauropod")
    walker.control(2.0, 0.1)
    world.step(20)
    recording.save(path)
    replay(path)
    text = path.read_text()
    path.write_text(text.replace("[2.0, 0.1]", "[2.0, 0.2]").replace("2.0, 0.1]", "2.0, 0.2]"))
    with pytest.raises(ReplayError, match="differs"):
        replay(path)
    path.write_text(text.rpartition("\n{")[0])
    with pytest.raises(ReplayError, match="only its beginning"):
        replay(path)
    path.write_text("{")
    with pytest.raises(ReplayError, match="no log"):
        replay(path)
    header = json.loads(text.splitlines()[0])
    path.write_text(text.replace(json.dumps(header), json.dumps({**header, "seed": 4})))
    with pytest.raises(ReplayError, match="seed, map and plugins"):
        replay(path)
    with pytest.raises(ReplayError, match="just built"):
        Recording(world)
    fresh = World(seed=3)
    Recording(fresh)
    with pytest.raises(ReplayError, match="cannot be recorded"):
        fresh.add_food(object())


def test_pause_and_time_scale():
    world = World(seed=1)
    assert world.update(1 / 60) == 1
    world.clock.paused = True
    assert world.update(1.0) == 0
    world.step()  # a single step, while paused
    assert world.tick == 2
    world.clock.paused, world.clock.scale = False, 2.0
    assert sum(world.update(1 / 60) for _ in range(30)) == 60
    world.clock.scale = 0.25
    assert sum(world.update(1 / 60) for _ in range(60)) == 15
    for wrong in (-1.0, float("nan"), "fast"):
        with pytest.raises(ValueError, match=r"clock\.scale"):
            world.clock.scale = wrong
    with pytest.raises(ValueError, match=r"clock\.paused"):
        world.clock.paused = "no"
    assert (world.clock.scale, world.clock.paused) == (0.25, False)
    world.clock.scale = 1.0
    assert world.update(10.0) == 8
    assert world.clock.dropped_seconds == pytest.approx(10.0 - 8 / 60)


@pytest.mark.parametrize("fault", ["raises", "nan", "short"])
def test_a_mods_brain_mode_that_fails_takes_its_mod_out_and_the_animals_walk_on(fault, caplog):
    world = World(seed=2)
    walker = world.spawn("pauropod")

    def decide(brain, rows):
        if fault == "raises":
            raise KeyError("nothing here")
        size = rows.size if fault == "nan" else rows.size + 1
        return Wish(np.ones(size, bool), np.full(size, np.nan if fault == "nan" else 1.0), np.zeros(size))

    class Companion:
        def __init__(self, world):
            pass

        def process(self, dt):
            pass

    from paludarium import Phase

    world.building = "dreamer"
    world.resource(ModeRegistry).add("dream", priority=90.0, decide=decide)
    world.add_system(Companion, phase=Phase.LIVE)
    world.building = None
    failures = []
    world.on("mod_failed", lambda event: failures.append(event.mod))
    with caplog.at_level(logging.CRITICAL):
        world.step(240)
    assert failures == ["dreamer (brain mode DREAM)"]
    assert "Companion" not in [entry.name for entry in world.schedule]
    assert np.isfinite(walker.position).all()
    assert np.linalg.norm(walker.velocity) > 0.5
