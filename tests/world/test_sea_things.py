"""Seaweed, bubbles and hooks: planted or refused, stable, saved, repeated, and gone when they are taken out."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import PaludariumError, StaleHandleError, World
from paludarium.engine.errors import MapError, SnapshotError
from paludarium.engine.replay import Recording, replay
from paludarium.systems.sea.hooks import Hooks
from paludarium.systems.sea.seaweed import SeaweedPool
from paludarium.systems.sea.seaweed_step import thickets_of
from paludarium.tests.world.test_sea import tank


@pytest.fixture
def world() -> World:
    return World(seed=1, map=tank())


def test_a_leaf_stands_on_the_bed_and_ends_below_the_surface(world):
    weeds = world.add_seaweed((0, 0), clusters=6, leaves=9, height=30.0, spread=15)
    assert [weed.position.shape for weed in weeds] == [(9, 8, 3)] * 6
    for weed in weeds:
        assert np.allclose(weed.position[:, 0, 2], -10.0)
        assert weed.position[..., 2].max() < 0.0
        links = np.linalg.norm(np.diff(weed.position, axis=1), axis=2)
        assert np.allclose(links[:, 1:] / links[:, :-1], 0.9)
        assert np.allclose(weed.box, [weed.position.min(axis=(0, 1)), weed.position.max(axis=(0, 1))])
    thickets, pool = thickets_of(world.pool(SeaweedPool)), world.pool(SeaweedPool)
    for thicket, weed in zip(thickets, weeds, strict=True):
        margin = 0.5 * pool.view(weed.rows, "width").max()
        assert np.allclose(thicket[:6].reshape(2, 3), [weed.box[0] - margin, weed.box[1] + margin])


def test_a_thicket_takes_as_much_light_as_its_leaves_are_large(world):
    weed = world.add_seaweed((0, 0), leaves=20, height=6.0)[0]
    thicket = thickets_of(world.pool(SeaweedPool))[0]
    length = np.linalg.norm(np.diff(weed.position, axis=1), axis=2).sum(axis=1)
    area = (2.0 / 3.0 * length * world.pool(SeaweedPool).view(weed.rows, "width")).sum()
    volume = np.prod(thicket[3:6] - thicket[:3])
    assert thicket[6] == pytest.approx(0.5 * area / volume, rel=1e-12)


@pytest.mark.parametrize("height", [0.2, 2.0, 9.0])
def test_seaweed_is_stable_in_any_current(world, height):
    weeds = world.add_seaweed((0, 0), leaves=8, height=height)
    length = np.linalg.norm(np.diff(weeds[0].position, axis=1), axis=2).sum(axis=1)
    for strength in (0.5, 5.0, 20.0):
        world.set_flow(strength=strength, period=1.0)
        world.step(240)
        now = np.linalg.norm(np.diff(weeds[0].position, axis=1), axis=2).sum(axis=1)
        assert (now < (1.1 if strength < 1.0 else 2.5) * length).all()
    world.set_flow()
    world.step(2400)
    pool = world.pool(SeaweedPool)
    assert np.abs(pool.live("position") - pool.live("position")[:, :1] - pool.live("rest")).max() < 0.01 * height


def test_a_hook_hangs_is_reeled_and_lets_go(world):
    hooked = []
    world.on("hooked", hooked.append)
    hook, swimmer = world.add_hook((4, 0), depth=3.0), world.spawn("swimmer", at=(0, 0))
    other = world.spawn("pauropod", at=(38, 38))
    hooks = world.resource(Hooks)
    assert hook.bait
    assert hook.hooked is None
    assert hooks.bite(hook.rows.start, swimmer.serial)
    assert not hooks.bite(hook.rows.start, other.serial)
    world.step(1)
    assert [event.creature for event in hooked] == [swimmer]
    assert hook.hooked is swimmer
    assert not hook.bait
    assert hooks.holds(swimmer.serial)
    hook.reel(1.0)
    world.step(300)
    assert hook.position[2] == pytest.approx(0.0, abs=0.2)
    assert np.linalg.norm(swimmer.segments.position[0] - hook.position) < 2.5
    assert len(hooked) == 1
    swimmer.despawn()
    world.step(1)
    assert hook.hooked is None
    hook.rebait()
    assert hook.bait
    hook.reel(-1.0)
    world.step(900)
    assert hook.position[2] == pytest.approx(-10.0, abs=0.1)  # no deeper than the bed
    hook.remove()
    hook.remove()
    with pytest.raises(StaleHandleError):
        hook.reel(1.0)
    world.step(2)


def eventful(world: World) -> None:
    weeds = world.add_seaweed((2, 0), clusters=4, leaves=5, height=5, spread=8)
    vent, hook = world.add_bubbles((3, 3), count=9), world.add_hook((1, 1), depth=2.0)
    world.set_flow(strength=0.6, period=3.0)
    swimmer = world.spawn("swimmer", at=(0, 0))
    world.step(30)
    weeds[1].remove()
    hook.reel(0.5)
    world.step(20)
    vent.remove()
    world.add_bubbles((-3, 3), count=5)
    hook.rebait()
    swimmer.push((5.0, 0.0, 0.0), 0)
    world.step(20)


def test_all_of_it_is_saved_recorded_and_repeated(world, tmp_path):
    recording = Recording(world)
    eventful(world)
    recording.save(tmp_path / "run.jsonl")
    assert replay(tmp_path / "run.jsonl").state_hash() == world.state_hash()
    world.resource(Hooks).bite(0, 1)
    world.save(tmp_path / "sea.save")
    again = World.load(tmp_path / "sea.save")
    assert [entry.name for entry in again.schedule] == [entry.name for entry in world.schedule]
    assert again.state_hash() == world.state_hash()
    for one in (world, again):
        one.step(40)
    assert again.state_hash() == world.state_hash()


def test_the_order_in_which_parts_were_loaded_does_not_matter(tmp_path):
    worlds = []
    for order in ((0, 1, 2), (2, 1, 0)):
        world = World(seed=2, map=tank())
        calls = (lambda w: w.add_seaweed((2, 0)), lambda w: w.add_bubbles((3, 3)), lambda w: w.set_flow(strength=1))
        for place in order:
            calls[place](world)
        world.step(20)
        worlds.append(world)
    assert worlds[0].state_hash() == worlds[1].state_hash()


@pytest.mark.parametrize("pool, column, value", [
    ("SeaweedPool", "substeps", 99), ("SeaweedPool", "stiffness", -1.0), ("SeaweedPool", "position", np.nan),
    ("HookPool", "caught_row", 10**6), ("HookPool", "bait", 7), ("BubblePool", "rise", -3.0), ("FoodPool", "patch", 20_000),
    ("PatchPool", "wanted", 10**6), ("FoodPool", "drift", 3),
])  # fmt: skip
def test_a_save_with_impossible_numbers_is_refused(world, tmp_path, pool, column, value):
    eventful(world)
    world.add_plankton(10)
    getattr(world.pools[pool], column)[world.pools[pool].spans[0, 0]] = value
    world.save(tmp_path / "bad.save")
    with pytest.raises(SnapshotError, match=f"{pool}.{column}"):
        World.load(tmp_path / "bad.save")


@pytest.mark.parametrize("call, words", [
    (lambda w: w.add_seaweed((60, 60)), "seaweed at"),
    (lambda w: w.add_seaweed((0, 0), leaves=1000), "seaweed leaves"),
    (lambda w: w.add_seaweed((0, 0), height="tall"), "seaweed height"),
    (lambda w: w.add_seaweed((70, 0), clusters=3, spread=1), "seaweed at"),
    (lambda w: w.add_bubbles((60, 60)), "bubbles at"),
    (lambda w: w.add_bubbles((0, 0), rise=0), "bubbles rise"),
    (lambda w: w.add_hook((0, 0), depth=12), "hook at"),
    (lambda w: w.add_hook((0, 0), depth=-1), "hook depth"),
    (lambda w: w.add_hook((0, 0), bait=3), "hook bait"),
    (lambda w: w.set_hook([5, 6, 0], speed=1), "removed"),
    (lambda w: w.set_hook("all", speed=1), "hook rows"),
])  # fmt: skip
def test_wrong_calls_are_refused_and_change_nothing(world, call, words):
    before = world.state_hash()
    with pytest.raises(PaludariumError, match=words):
        call(world)
    assert world.state_hash() == before


@pytest.mark.parametrize("tables, words", [
    ({"seaweed": [{"at_u": [60, 0]}]}, "seaweed 1"), ({"seaweed": [{"leaves": 0}]}, "leaves"),
    ({"bubbles": [{"at_u": [60, 0]}]}, "bubbles 1"), ({"seaweed": [{"clusters": 2000, "leaves": 60}]}, "20000"),
])  # fmt: skip
def test_wrong_maps_are_refused_by_table_and_key(tables, words):
    with pytest.raises(MapError, match=words):
        World(seed=1, map=tank(**tables))


def test_threads_do_not_matter():
    import numba

    hashes = []
    for threads in (1, 2):
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        world = World(seed=2, map=tank(current={"strength_u_per_s": 1.0, "period_s": 2.0}, plankton=[{"count": 300}]))
        world.add_seaweed((0, 0), clusters=9, leaves=9, spread=10)
        for k in range(4):
            world.spawn("swimmer", at=(4.0 * k, 0.0))
        world.step(60)
        hashes.append(world.state_hash())
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert hashes[0] == hashes[1]
