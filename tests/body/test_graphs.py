"""Bodies that are any graph of segments and tissue, written in a species file. [Fang15 3.2, Fig. 3.3]"""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import Map, World
from paludarium.components.body import BodyPool
from paludarium.components.myriapod.chain import ChainPool
from paludarium.components.myriapod.chain_segments import ChainSegmentPool
from paludarium.components.myriapod.construction.joints import graph_joints
from paludarium.components.myriapod.construction.skeleton import skeleton_of
from paludarium.components.myriapod.tissue import TissuePool
from paludarium.components.segments import SegmentPool
from paludarium.engine.errors import PaludariumError, SpeciesError
from paludarium.engine.turns import rotation_matrices
from paludarium.tests.body.bodies import Bodies
from paludarium.tests.body.measures import momentum

RING = {
    "x_u": [0.0, -2.0, -2.0, 0.0], "y_u": [0.0, 0.0, 2.0, 2.0],
    "join": [0, 1, 2, 0], "to": [1, 2, 3, 3],
}  # fmt: skip
THREE = {"x_u": [0.0, -2.0, -4.0], "join": [0, 1], "to": [1, 2]}
MISTAKES = {
    "a place is missing": ({"x_u": [0.0, -2.0]}, "x_u", "3 numbers"),
    "a width is missing": ({"widths_u": [1.0]}, "widths_u", "3 numbers"),
    "a loose segment": ({"join": [0], "to": [1]}, "to", "from 1 to 2"),
    "ends that do not match": ({"join": [0, 1, 1]}, "to", "as many"),
    "a joint toward the head": ({"join": [0, 2]}, "join", "nearer to the head"),
    "a segment that is not there": ({"join": [0, 1, 1], "to": [1, 2, 399]}, "join", "below 3"),
    "the same joint twice": ({"join": [0, 1, 1], "to": [1, 2, 2]}, "to", "once"),
    "boxes that touch": ({"x_u": [0.0, -1.0, -4.0]}, "to", "0.01 u between"),
    "places without x": ({"x_u": [], "y_u": [0.0, 1.0, 2.0], "join": [], "to": []}, "y_u", "without x_u"),
    "a pin that is not there": ({"pinned": [3]}, "pinned", "0 to 2"),
    "no number": ({"x_u": [0.0, float("nan"), -4.0]}, "x_u", "finite"),
    "far away": ({"x_u": [0.0, -2.0, -501.0]}, "x_u", "-500 to 500"),
}


def define(world: World, count: int, chain: dict, **tables) -> str:
    return world.define_species("thing", segments={"count": count}, tissue={}, body={}, chain=chain, **tables)


@pytest.mark.parametrize("changes, key, allowed", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_graph_is_named_and_leaves_nothing_behind(changes, key, allowed):
    world = World(seed=1)
    before, known = world.state_hash(), set(world.species)
    with pytest.raises(SpeciesError) as caught:
        define(world, 3, {**THREE, **changes})
    assert caught.value.table == "chain"
    assert caught.value.key == key
    assert allowed in str(caught.value)
    assert (world.state_hash(), set(world.species)) == (before, known)


def test_whatever_walks_is_drawn_by_its_head():
    world = World(seed=1)
    sideways = {"x_u": [0.0, 0.0], "y_u": [0.0, 2.0], "join": [0], "to": [1]}
    with pytest.raises(SpeciesError, match="behind segment 0"):
        define(world, 2, sideways, legs={}, gait={})
    with pytest.raises(SpeciesError, match="could not walk"):
        define(world, 3, {**THREE, "pinned": [0]}, legs={}, gait={})
    define(world, 2, sideways)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_block_lies_between_the_facing_sides_whatever_way_they_face(axis, sign):
    half = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.8]])
    places = np.zeros((2, 3))
    places[1, axis] = sign * 3.0
    joints = graph_joints(half, places, np.array([[0, 1]]))
    gap = 3.0 - half[0, axis] - half[1, axis]
    assert joints.size[0, 0] == pytest.approx(gap)
    across = [k for k in range(3) if k != axis]
    assert sorted(joints.size[0, 1:]) == pytest.approx(sorted(2.0 * half[:, across].min(axis=0)))
    w, x, y, z = joints.anchor_a[0, 3:]
    own_x = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
    np.testing.assert_allclose(own_x, -sign * np.eye(3)[axis], atol=1e-12)  # from b to a
    np.testing.assert_allclose(places[0] + joints.anchor_a[0, :3], places[1] + joints.anchor_b[0, :3])
    assert (places[0] + joints.anchor_a[0, :3])[axis] == pytest.approx(sign * (half[0, axis] + 0.5 * gap))


def test_a_chain_written_as_a_graph_is_the_same_body():
    world = World(seed=1)
    define(world, 3, THREE)
    plain = world.define_species("plain", segments={"count": 3}, tissue={}, body={})
    written, chain = (skeleton_of(world.species[key].specs) for key in ("thing", plain))
    for name in ("half_extents", "places", "mass", "center_of_mass", "inertia", "ahead", "half_pitch"):
        np.testing.assert_allclose(getattr(written, name), getattr(chain, name), err_msg=name)
    for own, other in zip(written.joints, chain.joints, strict=True):
        np.testing.assert_allclose(own, other)
    assert written.length == chain.length


def test_a_closed_ring_stays_a_ring_and_keeps_its_momentum():
    world = World(seed=1)
    world.define_species("thing", segments={"count": 4}, tissue={"damping_kind": "rotation_free"}, body={}, chain=RING)
    ring = world.spawn("thing", at=(0.0, 0.0, 60.0))
    world.pool(ChainSegmentPool).gravity[ring.rows["segments"].slice] = 0.0
    ring.push((4.0, -2.0, 1.0), 2)
    world.step()
    body = Bodies(*(world.pool(kind) for kind in (BodyPool, ChainPool, SegmentPool, ChainSegmentPool, TissuePool)))
    linear, angular = momentum(body, ring.row)
    np.testing.assert_allclose(linear, (4.0, -2.0, 1.0), rtol=1e-3)
    world.step(240)
    later = momentum(body, ring.row)
    np.testing.assert_allclose(later[0], linear, rtol=1e-6)
    np.testing.assert_allclose(later[1], angular, rtol=1e-4)
    sides = np.linalg.norm(ring.segments.position - np.roll(ring.segments.position, 1, axis=0), axis=1)
    np.testing.assert_allclose(sides, 2.0, rtol=0.1)


@pytest.fixture(scope="module")
def walked():
    """A two-tailed one after 20 seconds of its own will, and what happened to its tissue on the way."""
    world, disturbed = World(seed=1), []
    world.on("tissue_disturbed", disturbed.append)
    walker = world.spawn("two_tailed")
    way, last, heights = 0.0, walker.position.copy(), []
    for _ in range(120):
        world.step(10)
        way += float(np.linalg.norm(walker.position[:2] - last[:2]))
        last = walker.position.copy()
        heights.append(walker.segments.position[:, 2].copy())
    return world, walker, way, np.array(heights), disturbed


def test_a_body_with_two_tails_walks(walked):
    _, walker, way, heights, disturbed = walked
    assert way > 1.5 * walker.length
    assert not disturbed
    assert np.abs(heights[30:] - 1.0).max() < 0.25  # of its ride height: no tail drags, none climbs the other
    assert walker.legs.in_stance.mean() > 0.3


def test_both_tails_trail_behind_the_hub(walked):
    _, walker, _, _, _ = walked
    place = walker.segments.position
    for begin in (6, 11):
        links = np.linalg.norm(np.diff(place[begin : begin + 5, :2], axis=0), axis=1)
        np.testing.assert_allclose(links, 2.0, rtol=0.05)
        side = 2.0 if begin == 6 else -2.0
        hinge = place[5] + rotation_matrices(walker.segments.orientation[5]) @ (-1.0, side, 0.0)
        assert np.linalg.norm(hinge - place[begin]) == pytest.approx(1.0, rel=0.1)
    gap = np.linalg.norm(place[6:11, None] - place[None, 11:16], axis=2).min()
    assert gap > 1.0  # widths: they do not lie in each other


def test_the_wave_runs_down_each_tail_from_the_hub(walked):
    """Legs of the second tail listen to the hub's, not to the end of the first tail, which is the row before."""
    world, walker, _, _, _ = walked
    lags = {6: [], 11: []}
    before, landed = walker.legs.in_stance.copy(), {}
    segment = walker.legs.segment - walker.rows["segments"].start
    for tick in range(600):
        world.step()
        now = walker.legs.in_stance
        for pair in np.flatnonzero(now[:, 0] & ~before[:, 0]).tolist():
            landed[int(segment[pair])] = tick
            if int(segment[pair]) in lags and 4 in landed:
                lags[int(segment[pair])].append(tick - landed[4])
        before = now.copy()
    both = [np.median(lags[root]) for root in (6, 11)]
    assert min(len(found) for found in lags.values()) >= 4
    assert both[0] == pytest.approx(both[1], abs=6)


def test_a_branching_body_is_saved_hashed_and_always_in_full_detail(walked, tmp_path):
    world, walker, *_ = walked
    walker.tier = "follow"
    world.step(2)
    world.save(tmp_path / "tails.palu")
    loaded = World.load(tmp_path / "tails.palu")
    for one in (world, loaded):
        one.step(60)
    assert loaded.state_hash() == world.state_hash()
    with pytest.raises(PaludariumError, match="branches"):
        walker.sever(6)


def test_the_muscles_of_both_tails_beat_alike_and_it_swims():
    """The wave reaches both tails at once; side by side they swim straight on."""
    world = World(seed=1, map=Map.define(
        area={"width_u": 160, "height_u": 80}, terrain={"kind": "flat", "elevation": -8.0},
        water=[{"bounds": [-80, -40, 80, 40], "level_u": 0.0}],
    ))  # fmt: skip
    tables = {name: dict(table) for name, table in world.species["two_tailed"].source.items() if isinstance(table, dict)}
    for name in ("legs", "gait"):
        del tables[name]
    world.define_species("fork", **tables | {"muscles": {}, "segments": {"count": 16, "density": 0.97},
                                             "tissue": {"density": 0.97}})  # fmt: skip
    fork = world.spawn("fork", at=(-20.0, 0.0), heading=0.0)
    fork.control(speed=3.0, turn=0.0)
    disturbed = []
    world.on("tissue_disturbed", disturbed.append)
    world.step(900)
    phase = world.pool(TissuePool).muscle_phase[fork.rows["tissue"].slice]
    np.testing.assert_allclose(phase[5:10], phase[10:15])
    assert not disturbed
    assert np.linalg.norm(fork.position[:2] - (-20.0, 0.0)) > fork.length
