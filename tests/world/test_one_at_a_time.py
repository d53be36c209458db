"""A world belongs to one thread at a time, and ticks do not run within ticks: a clear error, and nothing has happened."""

from __future__ import annotations

import sys
import threading

import esper
import pygame
import pytest

from paludarium import Camera, World
from paludarium.engine.errors import BusyError
from paludarium.engine.gate import Gate
from paludarium.engine.replay import Recording, replay
from paludarium.engine.schedule import Phase

PATIENCE = 60.0
"""Seconds after which a test that waits for another thread has failed."""
HESITATION = 0.5
"""Seconds in which a thread that is not kept waiting would come."""
TICKS, THREADS = 200, 3


def crawling(seed: int = 1) -> World:
    world = World(seed=seed)
    world.spawn("pauropod", count=3, spread=10.0)
    return world


def call_of(name):
    return {"step": lambda world: world.step(), "update": lambda world: world.update(1.0)}[name]


@pytest.mark.parametrize("inner", ["step", "update"])
@pytest.mark.parametrize("outer", ["step", "update"])
def test_a_handler_cannot_run_ticks_of_its_own_world(outer, inner):
    world, alone, refused = crawling(), crawling(), []

    def nested(event) -> None:
        with pytest.raises(BusyError, match=rf"^world\.{inner}\(\) was called within world\.{outer}\(\).*allowed is after"):
            call_of(inner)(world)
        refused.append(event.tick)

    world.on("born", nested)
    call_of(outer)(world)
    call_of(outer)(alone)
    assert len(refused) == 3
    assert (world.tick, world.clock.waiting_seconds, world.state_hash()) == (
        alone.tick, alone.clock.waiting_seconds, alone.state_hash())  # fmt: skip
    world.step(5)  # it is open again
    alone.step(5)
    assert world.state_hash() == alone.state_hash()


@pytest.mark.parametrize("inner", ["step", "update"])
def test_a_system_cannot_run_ticks_of_its_own_world(inner):
    class Impatient:
        def __init__(self, world) -> None:
            self.world, self.refused = world, 0

        def process(self, _dt) -> None:
            with pytest.raises(BusyError, match=rf"^world\.{inner}\(\) was called within world\.step\(\)"):
                call_of(inner)(self.world)
            self.refused += 1

    world, alone = crawling(), crawling()
    system = world.add_system(Impatient, phase=Phase.LIVE).system
    world.step(3)
    alone.step(3)
    assert system.refused == 3
    assert world.state_hash() == alone.state_hash()


def test_handlers_may_do_all_the_rest(tmp_path):
    world, other, done = crawling(), crawling(2), []

    def busy(event) -> None:
        world.events.off("born", busy)
        before = world.tick
        child = world.spawn("pauropod", at=(30.0, 0.0))
        child.goto((35.0, 0.0))
        world.add_food((1.0, 1.0))
        world.add_stimulus("food", (2.0, 2.0))
        world.set_relation("a", "b", "hostile")
        world.save(tmp_path / "in_a_handler.palu")
        assert World.load(tmp_path / "in_a_handler.palu").state_hash() == world.state_hash()
        world.draw(pygame.Surface((64, 48), 0, 32), Camera((64, 48)))
        assert child in world.near((30.0, 0.0), 10.0)
        other.step(3)
        event.creature.despawn()
        assert world.tick == before
        done.append(child)

    world.on("born", busy)
    world.step(3)
    assert len(done) == 1
    assert (world.tick, other.tick) == (3, 3)


def test_a_world_opens_again_after_an_error():
    class Fails:
        def __init__(self, _world) -> None: ...

        def process(self, _dt) -> None:
            raise RuntimeError("in a tick")

    world = crawling()
    world.add_system(Fails, phase=Phase.LIVE)
    for call in (world.step, lambda: world.update(0.1)):
        with pytest.raises(RuntimeError, match="in a tick"):
            call()
    world.schedule.remove("Fails")
    world.on("gone", lambda event: 1 / 0)
    next(iter(world.creatures.values())).despawn()
    with pytest.raises(ZeroDivisionError):
        world.step()
    for refused in (lambda: world.spawn("no such animal"), lambda: world.near("here", 1.0), lambda: world.step(-1)):
        with pytest.raises(ValueError, match=r"allowed|known"):
            refused()
    done = []
    other = threading.Thread(target=lambda: done.append(world.step()))  # no lock of this thread is left
    other.start()
    other.join(PATIENCE)
    assert done == [None]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_world_opens_again_when_a_call_is_interrupted_at_its_very_beginning(monkeypatch, when):
    world, enter = crawling(), Gate._enter

    def interrupted(gate, call, within) -> None:
        if when == "after":
            enter(gate, call, within)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Gate, "_enter", interrupted)
        for call in (world.step, world.state_hash, lambda: world.draw(pygame.Surface((64, 48), 0, 32), Camera((64, 48)))):
            with pytest.raises(KeyboardInterrupt):
                call()
    world.step()
    done = []
    other = threading.Thread(target=lambda: done.append(world.update(0.1)))
    other.start()
    other.join(PATIENCE)
    assert done == [6]


class Waits:
    """A system in the middle of which another thread comes."""

    def __init__(self, _world) -> None:
        self.reached, self.go_on, self.armed = threading.Event(), threading.Event(), False

    def process(self, _dt) -> None:
        if self.armed:
            self.reached.set()
            assert self.go_on.wait(PATIENCE)


def test_another_thread_is_told_while_a_tick_runs(tmp_path):
    world, alone = crawling(), crawling()
    system = world.add_system(Waits, phase=Phase.LIVE).system
    creature = next(iter(world.creatures.values()))
    system.armed = True
    calls = {
        "world.step": world.step, "world.update": lambda: world.update(0.1), "world.state_hash": world.state_hash,
        "world.save": lambda: world.save(tmp_path / "world.palu"), "world.spawn": lambda: world.spawn("pauropod"),
        "world.add_food": lambda: world.add_food((1.0, 1.0)), "world.near": lambda: world.near((0, 0), 5.0),
        "world.add_obstacle": lambda: world.add_obstacle("sphere", (40.0, 0.0)),
        "world.add_stimulus": lambda: world.add_stimulus("food", (1.0, 1.0)), "world.hit": lambda: world.hit((0, 0)),
        "world.raycast": lambda: world.raycast((0, 0), (5, 5)), "creature.goto": lambda: creature.goto((1.0, 1.0)),
        "world.set_relation": lambda: world.set_relation("a", "b", "hostile"), "creature.kill": creature.kill,
        "world.set_wind": lambda: world.set_wind(1.0, 1.0), "world.add_nest": lambda: world.add_nest((5.0, 5.0)),
        "world.draw": lambda: world.draw(pygame.Surface((64, 48), 0, 32), Camera((64, 48))),
        "world.despawn": lambda: world.despawn(creature),
    }  # fmt: skip
    thread = threading.Thread(target=world.step, name="simulation")
    thread.start()
    try:
        assert system.reached.wait(PATIENCE)
        for name, call in calls.items():
            with pytest.raises(BusyError) as told:
                call()
            said = str(told.value)
            assert said.startswith(f"{name}(): "), said
            assert "'MainThread'" in said, said
            assert "'simulation' is in world.step()" in said, said
            assert "one thread at a time" in said, said
    finally:
        system.go_on.set()
        thread.join(PATIENCE)
    alone.step()
    assert world.state_hash() == alone.state_hash()
    assert not list(tmp_path.iterdir())
    for call in calls.values():  # one after the other all of them work
        call()


def test_threads_that_step_one_world_run_whole_ticks_or_none():
    world, alone, problems, done = crawling(), crawling(), [], []
    before = sys.getswitchinterval()

    def run() -> None:
        for _ in range(TICKS):
            try:
                world.step()
                done.append(1)
            except BusyError:
                continue
            except Exception as problem:  # noqa: BLE001 - whatever it is, it is told
                problems.append(repr(problem))

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    finally:
        sys.setswitchinterval(before)
    assert problems == []
    assert world.tick == len(done) > 0
    alone.step(world.tick)
    assert world.state_hash() == alone.state_hash()


def test_worlds_of_several_threads_do_not_meet_in_esper():
    """esper has one active context for the whole process: a second thread waits until the first has left its own."""
    mine, other = World(seed=1, plugins=()).ecs, World(seed=2, plugins=()).ecs
    inside, begun, seen = threading.Event(), threading.Event(), []

    def second() -> None:
        begun.set()
        with other:
            inside.set()
            seen.append(esper.current_world)

    thread = threading.Thread(target=second)
    with mine:
        thread.start()
        assert begun.wait(PATIENCE)
        assert not inside.wait(HESITATION)
        assert esper.current_world == mine.name
        entity = mine.create("a component")
    thread.join(PATIENCE)
    assert seen == [other.name]
    assert esper.current_world == "default"
    with mine:
        assert esper.entity_exists(entity)


def test_calls_are_recorded_as_before(tmp_path):
    world = World(seed=4)
    recording = Recording(world)
    creature = world.spawn("pauropod")
    verb = creature.goto
    world.step(3)
    verb((5.0, 5.0))
    world.on("born", lambda event: world.add_food((3.0, 3.0)))
    world.spawn("pauropod", at=(10.0, 0.0))
    world.step(5)
    recording.save(tmp_path / "run.jsonl")
    assert len(recording) == 4
    assert replay(tmp_path / "run.jsonl").state_hash() == world.state_hash()
