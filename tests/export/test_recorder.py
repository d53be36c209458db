"""The recorder: it sees every tick, changes nothing, and copes with births, deaths and cuts."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from paludarium import PaludariumError, Recorder, World
from paludarium.components.myriapod.construction.lattice import UNIT_NODES
from paludarium.components.myriapod.tissue import TissuePool
from paludarium.components.segments import SegmentPool
from paludarium.examples.mods import rolling_ball
from paludarium.systems.export.modellers import Modellers, PlainModeller
from paludarium.systems.myriapod.modeller import NODE_WEIGHTS, SURFACE_NODES, SURFACE_TRIANGLES
from paludarium.tests.body.measures import block_nodes


def pauropods() -> World:
    world = World(seed=3)
    world.spawn("pauropod", count=2, spread=6.0)
    return world


def test_it_changes_nothing_and_sees_every_so_many_ticks():
    watched, alone = pauropods(), pauropods()
    with Recorder(watched, every=3) as recorder:
        watched.step(7)
    alone.step(7)
    assert [frame.tick for frame in recorder.frames] == [0, 3, 6]
    assert watched.state_hash() == alone.state_hash()
    watched.step(6)
    assert len(recorder) == 3
    assert [entry.name for entry in watched.schedule] == [entry.name for entry in alone.schedule]


def test_two_recorders_see_one_world_each_in_its_own_time():
    world = pauropods()
    with Recorder(world) as first:
        world.step(2)
        with Recorder(world, every=2) as second:
            world.step(4)
        world.step(1)
    assert [frame.tick for frame in first.frames] == list(range(8))
    assert [frame.tick for frame in second.frames] == [2, 4, 6]


def test_a_frame_is_the_state_after_the_tick_with_what_handlers_did():
    world = pauropods()
    newborn = []
    world.on("gone", lambda _event: newborn.append(world.spawn("pauropod", at=(0, 30))))
    with Recorder(world) as recorder:
        next(iter(world.creatures.values())).despawn()
        world.step(1)
        last = recorder.frames[-1].poses
        assert_array_equal(last[2].position, newborn[0].segments.position)
        assert not np.shares_memory(last[2].position, newborn[0].segments.position)
    assert [sorted(frame.poses) for frame in recorder.frames] == [[0, 1], [1, 2]]


def test_cut_and_despawned_animals_end_and_their_halves_are_bodies_of_their_own():
    world = World(seed=3)
    animal, other = world.spawn("stone_centipede"), world.spawn("pauropod", at=(0, 12))
    with Recorder(world) as recorder:
        world.step(1)
        animal.sever(8)
        other.despawn()
        world.step(1)
    assert [plan.segments for plan in recorder.plans][0] == 18
    assert sorted(plan.segments for plan in recorder.plans[2:]) == [9, 9]
    assert [sorted(frame.poses) for frame in recorder.frames] == [[0, 1], [0, 1], [2, 3]]
    assert recorder.plans[0].serial == recorder.plans[2].serial


def test_tissue_is_the_simulated_one():
    """Against the oracle of the body tests: bound faces of both segments, and the free nodes in between."""
    world = World(seed=3)
    animal = world.spawn("stone_centipede", at=(0.0, 0.0, 6.0))
    animal.push((0.0, 9.0, 6.0), segment=4)
    world.step(20)
    (pose,) = Recorder(world).frames[0].poses.values()
    nodes = pose.nodes.reshape(len(animal.segments) - 1, len(SURFACE_NODES), 3)
    columns = SimpleNamespace(**{name: getattr(world.pool(pool), name) for pool, names in (
        (TissuePool, ("segment_a", "segment_b", "anchor_a", "anchor_b", "size", "node_position")),
        (SegmentPool, ("position", "orientation"))) for name in names})  # fmt: skip
    rows = animal.rows["tissue"]
    expected = np.array([block_nodes(columns, block)[SURFACE_NODES] for block in range(rows.start, rows.stop)])
    assert_allclose(nodes, expected, atol=2e-6)
    free = world.pool(TissuePool).node_position[animal.rows["tissue"].slice]
    straight = 0.5 * (expected[:, :9] + expected[:, -9:])
    assert np.abs(free - straight).max() > 1e-3  # it is bent, so halfway would be wrong


def test_the_surface_of_a_block_is_closed_and_looks_outward():
    corners = UNIT_NODES[SURFACE_NODES]
    assert_array_equal(NODE_WEIGHTS @ [1.0, -1.0], corners[:, 0])  # the front hangs on the segment ahead
    a, b, c = (corners[SURFACE_TRIANGLES[:, k]] for k in range(3))
    assert np.sum(a * np.cross(b, c)) / 6.0 == pytest.approx(8.0)
    edges = {(a, b) for t in SURFACE_TRIANGLES.tolist() for a, b in zip(t, [*t[1:], t[0]], strict=True)}
    assert len(edges) == 3 * len(SURFACE_TRIANGLES) == 144
    assert all((b, a) in edges for a, b in edges)


def test_other_families_are_shown_by_their_segments_or_by_their_own_modeller():
    world = World(seed=1, plugins=["paludarium.components", "paludarium.systems", rolling_ball.build])
    ball = world.spawn("ball")
    plain = Recorder(world)
    plain.stop()
    assert plain.plans[0].solids[0].half_sizes == (1.0, 1.0, 1.0)
    assert_array_equal(plain.frames[0].poses[0].position, ball.segments.position)

    class Twice(type(world.resource(Modellers).of("ball"))):
        def plan(self, creature):
            plan = super().plan(creature)
            return type(plan)(**{**plan.__dict__, "solids": plan.solids * 2})

    world.resource(Modellers).add("ball", Twice)
    assert len(Recorder(world).plans[0].solids) == 2


def test_a_modeller_of_a_mod_that_fails_is_taken_out_and_recording_goes_on():
    class Broken(PlainModeller):
        def poses(self, creatures):
            raise ValueError(f"no idea of {creatures}")

    world, failures = World(seed=1), []
    world.on("mod_failed", lambda event: failures.append(event.mod))
    world.spawn("pauropod")
    world.building = "paludarium_mods.broken"
    world.resource(Modellers).add("myriapod", Broken)
    world.building = None
    with Recorder(world) as recorder:
        world.step(1)
    assert failures == ["paludarium_mods.broken (modeller of myriapod)"]
    assert {solid.shape for solid in recorder.plans[0].solids} == {"ellipsoid"}
    assert [sorted(frame.poses) for frame in recorder.frames] == [[0], [0]]


def test_wrong_values_say_what_is_allowed():
    with pytest.raises(PaludariumError, match=r"every = 0: allowed is a whole number of ticks, 1 or more"):
        Recorder(World(seed=1), every=0)


def test_memory_is_counted_and_as_documented():
    """The docstring promises about 14 kB per frame and giant centipede."""
    world = World(seed=1)
    world.spawn("giant_centipede")
    with Recorder(world) as recorder:
        world.step(1)
    assert 10_000 < recorder.nbytes / len(recorder) < 18_000
