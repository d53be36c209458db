"""The world: ticks, life, events, determinism, and peace with a host that uses esper itself."""

from __future__ import annotations

import gc
import random
from dataclasses import dataclass

import esper
import numba
import numpy as np
import pytest

from paludarium.engine import lifecycle
from paludarium.engine.errors import PaludariumError, PluginError, SnapshotError, SpawnError, SpeciesError, StaleHandleError
from paludarium.engine.kinds import KindPool
from paludarium.engine.pool import Pool, column
from paludarium.engine.props import FoodKindPool
from paludarium.engine.world import World
from paludarium.tests.engine.sealed import opened, sealed
from paludarium.tests.engine.worms import BeadPool, Beads, worm_world
from paludarium.tests.engine.worms import build as build_worms
from paludarium.tests.pool_rows import live_rows


def test_update_runs_whole_ticks_and_keeps_the_rest(tmp_path):
    world = worm_world(tmp_path)
    assert [world.update(0.01) for _ in range(10)] == [0, 1, 0, 1, 1, 0, 1, 0, 1, 1]
    assert world.tick == 6
    assert world.time == pytest.approx(0.1)


def test_sixty_frames_of_a_sixtieth_are_sixty_ticks(tmp_path):
    world = worm_world(tmp_path)
    for _ in range(60):
        world.update(1 / 60)
    assert world.tick == 60


def test_pause_and_time_scale(tmp_path):
    world = worm_world(tmp_path)
    world.clock.paused = True
    assert world.update(1.0) == 0
    world.step()
    world.clock.paused, world.clock.scale = False, 2.0
    assert world.update(2 / 60) == 4


@pytest.mark.parametrize("dt", [-1.0, float("nan"), float("inf")])
def test_impossible_frame_times_are_refused(tmp_path, dt):
    with pytest.raises(ValueError, match="seconds"):
        worm_world(tmp_path).update(dt)


@pytest.mark.parametrize("options", [{"seed": -1}, {"seed": 1.5}, {"precision": "float16"}, {"tick_rate": 0}])
def test_impossible_worlds_are_refused(options):
    with pytest.raises(PaludariumError, match="allowed is"):
        World(plugins=(), **options)


def test_same_seed_gives_the_same_hash_on_one_and_two_threads(tmp_path):
    hashes = []
    for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
        numba.set_num_threads(threads)
        world = worm_world(tmp_path, seed=9)
        world.spawn("worm", count=30, spread=10)
        world.step(600)
        hashes.append(world.state_hash())
    assert hashes[0] == hashes[1]
    assert worm_world(tmp_path, seed=10).state_hash() != worm_world(tmp_path, seed=9).state_hash()


def test_two_worlds_do_not_touch(tmp_path):
    alone = worm_world(tmp_path, seed=3)
    alone.spawn("worm", count=5, spread=3)
    alone.step(50)
    one, two = worm_world(tmp_path, seed=3), worm_world(tmp_path, seed=4)
    one.spawn("worm", count=5, spread=3)
    for _ in range(50):
        one.step()
        two.spawn("worm")
        two.step()
    assert one.state_hash() == alone.state_hash()


def test_ten_thousand_creatures_in_random_order_leak_nothing(tmp_path):
    world, order = worm_world(tmp_path), random.Random(1)
    living = []
    for _ in range(10_000):
        living.append(world.spawn("worm"))
        if len(living) > 100:
            living.pop(order.randrange(len(living))).despawn()
    for creature in living:
        creature.despawn()
    names = (world.pool(KindPool), world.pool(FoodKindPool))  # species and dishes that have been here stay known
    assert all(live_rows(pool) == 0 and pool.end == 0 for pool in world.pools.values() if pool not in names)
    assert live_rows(names[0]) == 1
    with world.ecs:
        assert list(esper.get_entities()) == []


def test_a_dead_creature_says_that_it_is_stale(tmp_path):
    world = worm_world(tmp_path)
    worm = world.spawn("worm")
    beads = worm.beads
    worm.despawn()
    world.spawn("worm")
    assert not worm.alive
    for use in (lambda: worm.position, lambda: worm.heading, lambda: beads.position):
        with pytest.raises(StaleHandleError, match="stale"):
            use()


def test_despawn_inside_a_tick_waits_for_its_end(tmp_path):
    world = worm_world(tmp_path)
    worm, seen = world.spawn("worm"), []

    class Reaper:
        def __init__(self, world):
            self.world = world

        def process(self, dt):  # noqa: ARG002 - a system's signature
            worm.despawn()
            seen.append(worm.alive)

    world.add_system(Reaper, after="BeadSystem")
    world.step()
    assert seen == [True]
    assert not worm.alive


def test_events_come_at_the_end_of_the_tick_with_their_values(tmp_path):
    world, heard = worm_world(tmp_path), []
    world.on("born", lambda event: heard.append((event.kind, event.creature.name)))

    @world.on("gone")
    def _(event):
        heard.append((event.kind, event.name))

    worm = world.spawn("worm")
    assert heard == []
    world.step()
    worm.despawn()
    world.step()
    assert heard == [("born", "test worm 1"), ("gone", "test worm 1")]
    with pytest.raises(PaludariumError, match="did you mean 'born'"):
        world.on("borne", print)


@pytest.mark.parametrize("at", [(np.nan, 0), (0, np.inf), (1,), (1, 2, 3, 4), "here"])
def test_impossible_places_are_refused_and_leave_nothing(tmp_path, at):
    world = worm_world(tmp_path)
    before = world.state_hash()
    with pytest.raises((SpawnError, ValueError)):
        world.spawn("worm", at=at)
    assert world.state_hash() == before


def test_a_group_is_spawned_whole_or_not_at_all(tmp_path, monkeypatch):
    world = worm_world(tmp_path)
    calls = []
    original = lifecycle.give_birth

    def third_fails(*arguments):
        calls.append(1)
        if len(calls) == 3:
            raise SpawnError("no room")
        return original(*arguments)

    monkeypatch.setattr(lifecycle, "give_birth", third_fails)
    with pytest.raises(SpawnError):
        world.spawn("worm", count=5)
    assert not world.creatures
    assert live_rows(world.pool(BeadPool)) == 0


def test_nan_never_enters_a_pool(tmp_path):
    world = worm_world(tmp_path)
    def fill_with_nan(_birth, _spec, pool, rows):
        pool.velocity[rows.slice] = np.nan

    world.parts["beads"] = world.parts["beads"].__class__(
        **{**world.parts["beads"].__dict__, "fill": fill_with_nan}
    )
    with pytest.raises(SpawnError, match="beads.velocity would hold NaN"):
        world.spawn("worm")
    assert live_rows(world.pool(BeadPool)) == 0


def test_a_host_that_uses_esper_never_notices_us(tmp_path):
    """A host world with its own processors, interleaved with ours, keeps its context, entities and order."""
    ran = []

    class HostProcessor(esper.Processor):
        def process(self, *_):
            ran.append(esper.current_world)

    esper.switch_world("host")
    try:
        esper.add_processor(HostProcessor())
        mine = esper.create_entity("a component")
        world = worm_world(tmp_path)
        for _ in range(5):
            esper.process()
            worm = world.spawn("worm")
            world.step()
            worm.despawn()
            esper.process()
            assert esper.current_world == "host"
        assert ran == ["host"] * 10
        assert list(esper.get_entities()) == [mine]
        with world.ecs:
            world.spawn("worm")
            assert len(esper.get_component(Beads)) == 1
            world.step()
        assert esper.current_world == "host"
    finally:
        esper.switch_world("default")
        esper.delete_world("host")


def test_a_forgotten_world_leaves_no_esper_context(tmp_path):
    before = set(esper.list_worlds())
    world = worm_world(tmp_path)
    world.spawn("worm", count=3)
    del world
    gc.collect()
    assert set(esper.list_worlds()) <= before | {"default"}


@dataclass(frozen=True)
class StripeSpec:
    def row_count(self, specs):
        return specs["beads"].row_count(specs)


class StripePool(Pool):
    beside = "BeadPool"

    width = column(np.float64, fill=0.5)


def add_stripes(world: World) -> None:
    world.add_part("stripes", StripeSpec, StripePool, Beads, lambda birth, spec, pool, rows: None)


def striped_world(tmp_path) -> World:
    world = worm_world(tmp_path)
    add_stripes(world)
    world.define_species("striped", beads={"count": 5}, stripes={})
    return world


def test_a_part_beside_another_has_its_rows(tmp_path):
    world = striped_world(tmp_path)
    plain, striped = world.spawn("worm", count=30, spread=5.0), world.spawn("striped", count=30, spread=5.0)
    for creature in plain[::2]:
        creature.despawn()
    striped += world.spawn("striped", count=20, spread=5.0)
    assert all(c.rows["stripes"][:2] == c.rows["beads"][:2] for c in striped)
    assert world.pool(StripePool).capacity == world.pool(BeadPool).capacity
    assert live_rows(world.pool(StripePool)) == 5 * len(striped)


def test_a_part_beside_nothing_is_refused(tmp_path):
    world = World(seed=1, plugins=[])
    with pytest.raises(PluginError, match="no part has its rows in BeadPool"):
        add_stripes(world)
    with pytest.raises(PluginError, match="StripePool is beside BeadPool, which this world has not"):
        world.add_pool(StripePool)
    assert not world.parts
    with pytest.raises(SpeciesError, match=r"\[stripes\].*none without a \[beads\] table"):
        striped_world(tmp_path).define_species("bare", stripes={})


@pytest.mark.parametrize("shift, grow", [(1, 1), (-1, -1), (0, -1)])
def test_a_save_whose_rows_are_not_beside_each_other_is_refused(tmp_path, shift, grow):
    plugins = [build_worms, add_stripes]
    world = World(seed=1, plugins=plugins)
    world.define_species("striped", beads={"count": 5}, stripes={})
    world.spawn("striped", count=3, spread=5.0)
    world.save(tmp_path / "a.save")
    assert World.load(tmp_path / "a.save", plugins=plugins).state_hash() == world.state_hash()
    header, arrays = opened(tmp_path / "a.save")
    start, stop, generation = header["creatures"][1][3]["stripes"]
    header["creatures"][1][3]["stripes"] = [start + shift, stop + grow, generation]
    with pytest.raises(SnapshotError, match=r"stripes rows .*(its beads rows, 5\.\.9|its species has 5)"):
        World.load(sealed(tmp_path / "b.save", header, arrays), plugins=plugins)
