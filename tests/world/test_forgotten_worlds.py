"""A world that a game drops is freed, whatever has happened in it and whatever handle of a creature the game has kept.

esper keeps its contexts in module state, and numba, pymunk and our own painters live as long as the process: nothing that
any of them holds may hold a world.
"""

from __future__ import annotations

import gc
import os
import tracemalloc
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import esper
import pygame
import pytest

from paludarium import Camera, World
from paludarium.engine.errors import MapError, SnapshotError, StaleHandleError
from paludarium.engine.maps import Map
from paludarium.engine.replay import Recording, replay
from paludarium.engine.schedule import Phase
from paludarium.systems.export.motion_recorder import Recorder
from paludarium.systems.render.render_threads import CREW
from paludarium.tests.campaigns.file_cases import SMALL, lively_world
from paludarium.tests.campaigns.outcome import ROOT

POND = Map.define(**{**SMALL, "creatures": []})
ANIMALS = {"myriapod": ("stone_centipede", (-20.0, 10.0)), "fish": ("silverside", (0.0, 0.0)),
           "insect": ("worker_ant", (-24.0, 4.0)), "articulated": ("eel", (0.0, 0.0))}  # fmt: skip
MAPS = ["flat", *sorted(file.stem for file in (ROOT / "assets" / "worlds").glob("*.toml"))]
SIZE = (160, 100)
WORLDS, FEW_WORLDS, WARM = 50, 10, 3
LEAK = 15_000
"""Bytes per world that are none: calls of kernels leave some small objects, a limited number of them. The smallest world
takes a hundred times as much, its pools sixty times."""
HANDLE = 40_000
"""Bytes of a creature that a game has kept: the tables of its species."""
LEAK_MB = 12.0
"""Of resident memory, for all the worlds of a test, each of which takes between 1.4 and 22 MB."""


@pytest.fixture(scope="module", autouse=True)
def quick_collections():
    """What is there already needs no looking through again and again."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def pond_with(*families: str) -> World:
    world = World(seed=1, map=POND)
    for family in families:
        species, at = ANIMALS[family]
        world.spawn(species, at=at)
    world.step(2)
    return world


def contexts() -> set[str]:
    return {name for name in esper.list_worlds() if name.startswith("paludarium-")}


def assert_freed(make: Callable[[], Any]) -> None:
    """What `make` hands back is a world, or a tuple of one and of what a game keeps; nothing else holds the world."""
    before = contexts()
    made = make()
    world, *kept = made if isinstance(made, tuple) else (made,)
    seen = weakref.ref(world)
    del made, world
    gc.collect()
    assert seen() is None, [type(holder) for holder in gc.get_referrers(seen())]
    gc.collect()  # what was freed by a finalizer's doing
    assert contexts() <= before
    del kept


def loaded(world: World, folder: Path) -> World:
    world.save(folder / "world.palu")
    return World.load(folder / "world.palu")


def drawn(world: World) -> World:
    world.draw(pygame.Surface(SIZE, 0, 32), Camera(SIZE))
    return world


def asked(world: World) -> World:
    """Everything that builds something to answer from: pymunk's space, indexes, pictures of eyes, plans of bodies."""
    world.near((0.0, 0.0), 50.0)
    world.hit((0.0, 0.0), 5.0)
    world.raycast((-25.0, -25.0), (25.0, 25.0))
    world.props.at((3.0, 3.0), 40.0)
    world.picture.frame(Camera(SIZE), SIZE, still=True)
    for creature in world.creatures.values():
        if "eyes" in creature.rows and "springs" in creature.rows:
            creature.eye_image(8)
            creature.eyes.image(8)
            creature.eyes.readings()
    with Recorder(world) as recorder:
        world.step(2)
    assert len(recorder) == 3
    world.state_hash()
    return world


class Fails:
    """A system that raises."""

    def __init__(self, world: World) -> None:
        self.world = world

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        raise RuntimeError(f"in a tick of {self.world}")


def failed(world: World) -> World:
    """An error of the host's own system reaches the host, who catches it."""
    world.add_system(Fails, phase=Phase.LIVE)
    for _ in range(2):
        with suppress(RuntimeError):
            world.step()
            raise AssertionError("it should have failed")
    assert world.schedule["Fails"].system.world is world
    return world


def build_failing(world: World) -> None:
    world.add_system(Fails, phase=Phase.LIVE)


def with_failing_mod() -> World:
    world = World(seed=1, map=POND, plugins=["paludarium.components", "paludarium.systems", build_failing])
    world.step(2)
    assert "Fails" not in world.schedule
    return world


def with_failing_handler(world: World) -> World:
    world.on("born", lambda event: 1 / 0)
    world.spawn("pauropod", at=(-22.0, -22.0))
    try:
        world.step()
    except ZeroDivisionError:
        return world
    raise AssertionError("a host's own errors are the host's")


def heard(world: World) -> World:
    """Handlers that hold the world, an attached thing, an order to follow another."""
    world.on("born", lambda event: world.near(event.creature, 5.0))
    one, other = world.spawn("pauropod", at=(-22.0, -22.0), count=2, spread=3.0)
    one.follow(other)
    one.attach("a hat")
    world.set_relation("a", "b", "hostile")
    world.step(3)
    other.kill()
    one.despawn()
    world.step(2)
    return world


def recorded(folder: Path) -> World:
    world = World(seed=1, map=POND)
    recording = Recording(world)
    for species, at in ANIMALS.values():
        world.spawn(species, at=at)
    world.step(3)
    recording.save(folder / "run.jsonl")
    return world


def begun(world: World) -> World:
    """A picture that is still being painted."""
    world.picture.begin(pygame.Surface(SIZE, 0, 32), Camera(SIZE))
    world.picture.finish()
    world.picture.begin(pygame.Surface(SIZE, 0, 32), Camera(SIZE))
    return world


@pytest.mark.parametrize("family", ANIMALS)
@pytest.mark.parametrize("deed", [lambda world, _: world, lambda world, _: drawn(world), lambda world, _: asked(world),
                                  loaded, lambda world, folder: asked(loaded(world, folder)),
                                  lambda world, _: failed(world), lambda world, _: with_failing_handler(world),
                                  lambda world, _: heard(world)],
                         ids=["stepped", "drawn", "asked", "loaded", "loaded and asked", "failed", "failing handler",
                              "heard"])  # fmt: skip
def test_a_dropped_world_is_freed(family, deed, tmp_path):
    assert_freed(lambda: deed(pond_with(family), tmp_path))


@pytest.mark.parametrize("name", MAPS)
def test_worlds_of_all_maps_are_freed(name):
    def make() -> World:
        world = World(seed=1, map=name)
        world.step(2)
        return drawn(world)

    assert_freed(make)


def test_worlds_with_mods_and_recordings_are_freed(tmp_path):
    assert_freed(with_failing_mod)
    assert_freed(lambda: recorded(tmp_path))
    assert_freed(lambda: replay(tmp_path / "run.jsonl"))
    assert_freed(lively_world)


def test_a_world_whose_picture_is_still_being_painted_is_freed_when_it_is_done():
    world = begun(pond_with(*ANIMALS))
    task, seen = world.picture._begun.task, weakref.ref(world)
    del world
    CREW.finish(task)
    del task
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize("family", ANIMALS)
def test_a_game_may_keep_the_handle_of_a_creature(family, tmp_path):
    def make() -> tuple[Any, ...]:
        world = drawn(loaded(pond_with(family), tmp_path))
        creature = next(iter(world.creatures.values()))
        return world, creature, creature.goto, creature.segments, creature.position.copy()

    assert_freed(make)


def test_a_handle_whose_world_is_gone_says_so():
    world = pond_with(*ANIMALS)
    fish = next(creature for creature in world.creatures.values() if "springs" in creature.rows)
    gone = world.spawn("pauropod", at=(-22.0, -22.0))
    world.despawn(gone)
    eyes, verb, creature = fish.eyes, fish.goto, fish
    assert creature.world is world
    del world
    gc.collect()
    for handle in (creature, gone):
        assert not handle.in_world
        assert not handle.alive
        assert "gone" in repr(handle)
        assert "goto" not in dir(handle)
        assert handle.parts == {}
    asks = [lambda: creature.world, lambda: creature.position, lambda: creature.heading, lambda: creature.tier,
            lambda: creature.segments, lambda: creature.goto, lambda: creature.no_such_thing, lambda: creature.doing,
            lambda: verb((0.0, 0.0)), lambda: gone.row, lambda: setattr(creature, "tier", "full"), creature.despawn,
            lambda: eyes.image(8), lambda: creature.distance_to((0.0, 0.0))]  # fmt: skip
    for ask in asks:
        with pytest.raises(StaleHandleError, match=r"world is gone.*keep the World"):
            ask()
    creature.name = "remembered"  # its name, number and species stay
    assert (creature.name, creature.species.key) == ("remembered", "silverside")
    with pytest.raises(Exception, match="creature of this world"):
        World(seed=1).despawn(creature)


def test_eyes_of_a_fish_that_has_left_are_stale():
    world = pond_with("fish")
    fish = next(iter(world.creatures.values()))
    eyes = fish.eyes
    fish.despawn()
    for look in (lambda: eyes.image(8), eyes.readings):
        with pytest.raises(StaleHandleError):
            look()


def test_worlds_that_could_not_be_built_or_loaded_leave_nothing(tmp_path):
    world = lively_world()
    world.save(tmp_path / "world.palu")
    content = (tmp_path / "world.palu").read_bytes()
    (tmp_path / "bad.palu").write_bytes(content[:-1])
    before, built = contexts(), []

    class Watched(World):
        def __init__(self, *arguments, **options) -> None:
            built.append(weakref.ref(self))
            super().__init__(*arguments, **options)

    def build(world: World) -> None:
        raise RuntimeError("of a mod")

    inhabited = Map.define(**{**SMALL, "creatures": [{"species": "pauropod", "at_u": [900, 900]}]})
    for attempt, error in ((lambda: Watched(seed=1, map=inhabited), MapError),
                           (lambda: Watched(plugins=[build]), RuntimeError),
                           (lambda: Watched.load(tmp_path / "bad.palu"), SnapshotError)):  # fmt: skip
        try:
            attempt()
        except error:
            pass
        else:
            raise AssertionError("this cannot work")
    gc.collect()
    assert len(built) >= 2
    assert not [world for world in built if world() is not None]
    assert contexts() <= before


def stay_flat(make: Callable[[], tuple[Any, ...]], worlds: int = WORLDS) -> None:
    """Build and drop worlds; `make` hands back a world and what a game keeps of it, a list of them all."""
    kept = []

    def build_and_drop(count: int) -> None:
        for _ in range(count):
            kept.append(make()[1:])
            gc.collect()

    build_and_drop(WARM)
    resident = resident_megabytes()
    build_and_drop(worlds)
    grown = resident_megabytes() - resident
    assert grown < LEAK_MB, f"{grown:.1f} MB after {worlds} worlds"
    tracemalloc.start(1)
    try:
        build_and_drop(1)
        traced, count = tracemalloc.get_traced_memory()[0], max(worlds // 5, 5)
        build_and_drop(count)
        traced = (tracemalloc.get_traced_memory()[0] - traced) / count
    finally:
        tracemalloc.stop()
    handles = len(kept[-1])
    assert traced < LEAK + handles * HANDLE, f"{traced:.0f} bytes per world with {handles} handles"


def resident_megabytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def tried_out(world: World, folder: Path) -> World:
    """What a game does with a level: load it, play, draw; and an error in a tick."""
    world = loaded(world, folder)
    world.step(2)
    return failed(drawn(world))


def test_memory_stays_flat_over_worlds_of_all_families(tmp_path):
    def make() -> tuple[Any, ...]:
        world = tried_out(pond_with(*ANIMALS), tmp_path)
        return world, next(iter(world.creatures.values()))

    stay_flat(make, FEW_WORLDS)


@pytest.mark.slow
@pytest.mark.parametrize("name", MAPS)
def test_memory_stays_flat_over_fifty_worlds_of_every_map(name, tmp_path):
    def make() -> tuple[Any, ...]:
        world = tried_out(World(seed=1, map=name), tmp_path)
        return world, *list(world.creatures.values())[:1]

    stay_flat(make)


@pytest.mark.slow
@pytest.mark.parametrize("family", ANIMALS)
def test_memory_stays_flat_over_fifty_worlds_of_every_family(family, tmp_path):
    def make() -> tuple[Any, ...]:
        world = tried_out(asked(pond_with(family)), tmp_path)
        return world, next(iter(world.creatures.values()))

    stay_flat(make)
