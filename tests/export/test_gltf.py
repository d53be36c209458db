"""glTF: valid by a library and by our own reading, joints where the segments were, skins that follow the tissue."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from paludarium import Recorder, World
from paludarium.tests.export.glb_reading import Glb, z_up


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A second of two animals, one of which comes later and one of which leaves; with what segments and legs were then."""
    world = World(seed=5)
    walker = world.spawn("giant_centipede", at=(40.0, -25.0), heading=2.0)
    leaver = world.spawn("pauropod", at=(0.0, 12.0))
    truth = {}
    with Recorder(world, every=4) as recorder:
        for tick in range(1, 61):
            world.step()
            if tick == 20:
                world.spawn("pauropod", at=(0.0, -12.0))
            if tick == 40:
                leaver.despawn()
            if tick % 4 == 0:
                truth[tick] = (walker.segments.position.copy(), walker.segments.orientation.copy(), walker.legs.tip.copy())
    path = recorder.to_gltf(tmp_path_factory.mktemp("gltf") / "walk.glb")
    return recorder, Glb(path), truth, path


def test_a_library_reads_it_and_writes_the_same(recorded, tmp_path):
    pygltflib = pytest.importorskip("pygltflib", reason="the validator is a development dependency")
    _, ours, _, path = recorded
    theirs = pygltflib.GLTF2().load_binary(str(path))
    assert theirs.binary_blob() == ours.binary
    assert len(theirs.skins) == 3
    assert len(theirs.accessors) == len(ours.arrays)
    theirs.save_binary(str(tmp_path / "again.glb"))
    again = Glb(tmp_path / "again.glb")
    assert again.binary == ours.binary
    assert len(again.tracks) == len(ours.tracks)


def test_joints_are_where_the_segments_were(recorded):
    _, glb, truth, _ = recorded
    joints = glb.below(glb.node("giant centipede 1"))
    for tick, (positions, _, _) in truth.items():
        found = np.array([glb.matrix(joints[f"segment {place}"], tick / 60.0)[:3, 3] for place in range(19)])
        assert_allclose(z_up(found), positions, atol=1e-4)


def test_joints_turn_as_the_segments_did(recorded):
    """The forward axis of a segment, which is x in both systems of axes."""
    _, glb, truth, _ = recorded
    joints = glb.below(glb.node("giant centipede 1"))
    _, orientation, _ = truth[60]
    w, x, y, z = orientation.T
    forward = np.column_stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
    found = np.array([glb.matrix(joints[f"segment {place}"], 1.0)[:3, 0] for place in range(19)])
    assert_allclose(z_up(found), forward, atol=1e-5)


def test_in_the_first_frame_every_corner_is_where_it_was_drawn(recorded):
    """Inverse bind matrices undo the joints: blending changes nothing at the moment of binding."""
    _, glb, _, _ = recorded
    for node in (place for place, entry in enumerate(glb.document["nodes"]) if "skin" in entry):
        name = glb.document["nodes"][node]["name"].removesuffix(" skin")
        mesh = glb.document["meshes"][glb.document["nodes"][node]["mesh"]]
        start = 20 / 60.0 + 4 / 60.0 if name == "pauropod 3" else 0.0  # it came after the frame of tick 20
        drawn = glb.arrays[mesh["primitives"][0]["attributes"]["POSITION"]]
        assert_allclose(glb.skinned(node, start), drawn, atol=1e-4)


def test_the_skin_follows_the_tissue_and_the_feet(recorded):
    """Nodes on segments are exact; middle planes move as rigid ones here, and bend a little in the simulation."""
    recorder, glb, truth, _ = recorded
    corners = z_up(glb.skinned(glb.node("giant centipede 1 skin"), 1.0))
    nodes = recorder.frames[-1].poses[0].nodes
    apart = np.linalg.norm(corners[: len(nodes)] - nodes, axis=1)
    assert apart.max() < 0.05
    assert np.median(apart) < 1e-5
    tips = truth[60][2].reshape(-1, 3)
    ends = recorder.frames[-1].poses[0].points[: 4 * len(tips)].reshape(-1, 4, 3)[:, 3]
    nearest = [np.linalg.norm(corners - end, axis=1).min() for end in ends]
    assert max(nearest) < 0.05


def test_weights_add_up_and_name_joints_of_the_skin(recorded):
    _, glb, _, _ = recorded
    for skin, mesh in ((glb.document["skins"][n["skin"]], glb.document["meshes"][n["mesh"]])
                       for n in glb.document["nodes"] if "skin" in n):  # fmt: skip
        attributes = mesh["primitives"][0]["attributes"]
        assert_allclose(glb.arrays[attributes["WEIGHTS_0"]].sum(axis=1), 1.0, atol=1e-6)
        assert glb.arrays[attributes["JOINTS_0"]].max() < len(skin["joints"])
        assert len(glb.arrays[skin["inverseBindMatrices"]]) == len(skin["joints"])
        for primitive in mesh["primitives"]:
            assert glb.arrays[primitive["indices"]].max() < len(glb.arrays[attributes["POSITION"]])
        assert_allclose(np.linalg.norm(glb.arrays[attributes["NORMAL"]], axis=1), 1.0, atol=1e-5)


def test_those_who_come_later_and_leave_earlier_have_no_size_meanwhile(recorded):
    _, glb, _, _ = recorded
    size = {name: [float(glb.value(glb.node(name), "scale", tick / 60.0)[0]) for tick in range(0, 61, 4)]
            for name in ("giant centipede 1", "pauropod 2", "pauropod 3")}  # fmt: skip
    assert size["giant centipede 1"] == [1.0] * 16
    assert size["pauropod 2"] == [1.0] * 11 + [0.0] * 5
    assert size["pauropod 3"] == [0.0] * 6 + [1.0] * 10


def test_neighbouring_keys_turn_the_short_way(recorded):
    """Viewers blend keys linearly: a change of sign would send a joint the long way round."""
    _, glb, _, _ = recorded
    for (_, path), track in glb.tracks.items():
        if path == "rotation":
            turns = glb.arrays[track["output"]]
            assert (np.sum(turns[1:] * turns[:-1], axis=1) > 0.0).all()
            assert_allclose(np.linalg.norm(turns, axis=1), 1.0, atol=1e-5)


def test_only_what_moves_is_animated(recorded):
    """Links have fixed lengths: they turn, and are moved by their segments. Antennae are laid before the head moves on in a
    tick, so their roots trail it a little.
    """
    _, glb, _, _ = recorded
    names = glb.document["nodes"]
    moved = {names[node]["name"] for node, path in glb.tracks if path == "translation"}
    assert {name for name in moved if not name.startswith(("segment", "tissue"))} == {"antenna left 0", "antenna right 0"}


def test_antennae_of_newborns_are_as_long_as_later(recorded):
    """They are first laid in the first tick; a skin bound before that would have none."""
    recorder, _, _, _ = recorded
    plan, lengths = recorder.plans[0], []
    start = plan.point_starts[-3]
    for frame in (recorder.frames[0], recorder.frames[-1]):
        points = frame.poses[0].points[start:].reshape(2, -1, 3)
        lengths.append(np.linalg.norm(np.diff(points, axis=1), axis=2))
        assert np.linalg.norm(points[:, 0] - frame.poses[0].position[0], axis=1).max() < 1.0
    assert_allclose(lengths[0], lengths[1], atol=1e-9)
