"""C69: what leaves the program. POV-Ray scenes with a mesh2 per soft block, and keys at 30 frames per second that read back.

The source writes keys for Maya (``.mel``); ours go into glTF 2.0, which Maya, Blender and web viewers read.
"""

from __future__ import annotations

import re
import shutil
import subprocess

import numpy as np
import pytest

from paludarium import Recorder, World
from paludarium.tests.export.glb_reading import Glb, z_up

MESH = re.compile(r"mesh2 \{\s+vertex_vectors \{ (\d+), (.*?) \}\s+normal_vectors \{ (\d+), (.*?) \}\s+"
                  r"face_indices \{ (\d+), (.*?) \}", re.DOTALL)  # fmt: skip
FRAMES_PER_SECOND = 30


@pytest.fixture(scope="module")
def walk():
    """A second of a walk over a beach, at the source's 30 frames per second, with what was true then."""
    world = World(seed=2, map="tide_pool", populate=False)
    animal = world.spawn("giant_centipede", at=(-1.0, -7.0), heading=2.82)
    truth = []
    with Recorder(world, every=world.tick_rate // FRAMES_PER_SECOND) as recorder:
        for _ in range(FRAMES_PER_SECOND):
            world.step(recorder.every)
            truth.append([array.copy() for array in (animal.segments.position, animal.segments.orientation,
                                                     animal.legs.angles, animal.legs.tip)])  # fmt: skip
    return recorder, animal, truth


def test_c69_every_soft_block_is_a_mesh2_with_matching_counts(walk, tmp_path, record_property):
    """Reported: each soft block a mesh2. Digest: as many normals as vertices, faces that name them, the include parses."""
    recorder, animal, _ = walk
    files = recorder.to_povray(tmp_path)
    text = files[-1].read_text()
    assert text.count('#include "scene.inc"') == 1
    blocks = [found for found in MESH.findall(text) if int(found[0]) == 26]
    assert len(blocks) == len(animal.segments) - 1
    nodes = recorder.frames[-1].poses[0].nodes.reshape(len(blocks), 26, 3)
    for (count, vertices, normals, directions, faces, corners), simulated in zip(blocks, nodes, strict=True):
        assert int(count) == int(normals) == vertices.count("<") == directions.count("<")
        assert int(faces) == corners.count("<") == 48
        numbers = np.array([triple.split(",") for triple in re.findall(r"<(.*?)>", corners)], dtype=int)
        assert (numbers.min(), numbers.max()) == (0, 25)
        written = np.array([triple.split(",") for triple in re.findall(r"<(.*?)>", vertices)], dtype=float)
        assert np.abs(written - simulated).max() < 1e-5
        lengths = np.array([triple.split(",") for triple in re.findall(r"<(.*?)>", directions)], dtype=float)
        assert np.abs(np.linalg.norm(lengths, axis=1) - 1.0).max() < 1e-4
    record_property("mesh2 of tissue per frame", len(blocks))
    record_property("vertices, normals, faces each", "26, 26, 48")
    record_property("kB per frame", round(files[-1].stat().st_size / 1000))


@pytest.mark.skipif(shutil.which("povray") is None, reason="povray is not installed")
def test_c69_povray_renders_the_frame(walk, tmp_path, record_property):
    """The scene parses and renders without an error or a warning about its meshes."""
    files = walk[0].to_povray(tmp_path)
    words = ["povray", f"+I{files[-1].name}", "+Oframe.png", "+W160", "+H90", "-D", "-A", "+WT1"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    troubles = re.findall(r"(?i)^.*(?:error:|warning:).*$", done.stderr, re.MULTILINE)
    assert troubles == []
    record_property("exit code", done.returncode)
    record_property("warnings", len(troubles))
    assert (tmp_path / "frame.png").stat().st_size > 1000


def test_c69_keys_at_30_per_second_read_back_as_the_pose(walk, tmp_path, record_property):
    """Reported: keys for Maya (.mel) at 30 per second of every rigid pose and leg angle; the digest asks that reading them
    back gives the pose to 1e-5. Ours are in glTF 2.0 instead.
    """
    recorder, animal, truth = walk
    glb = Glb(recorder.to_gltf(tmp_path / "walk.glb"))
    joints = glb.below(glb.node(animal.name))
    legs = [name for name in joints if name.startswith("leg ") and name.endswith(" 0")]
    assert len(legs) == animal.rows["legs"].size
    places, turns, angles = [], [], []
    for frame in (1, 8, 21, 30):
        time, (position, orientation, bends, _) = frame / FRAMES_PER_SECOND, truth[frame - 1]
        frames = np.array([glb.matrix(joints[f"segment {place}"], time) for place in range(len(position))])
        places.append(np.abs(z_up(frames[:, :3, 3]) - position).max())
        turns.append(np.abs(z_up(frames[:, :3, 0]) - forward(orientation)).max())
        angles.append(np.abs(leg_angles(glb, joints, frames, time, legs) - bends.reshape(-1, 3)).max())
    times = glb.arrays[next(iter(glb.tracks.values()))["input"]][:, 0]
    record_property("keys per second", 1.0 / np.diff(times).mean())
    record_property("largest error of places (u)", max(places))
    record_property("of directions", max(turns))
    record_property("of leg angles (rad)", max(angles))
    assert np.abs(np.diff(times) - 1.0 / FRAMES_PER_SECOND).max() < 1e-6
    assert max(places) < 1e-5
    assert max(turns) < 1e-5
    assert max(angles) < 1e-5


def forward(orientation):
    """The direction in which segments look."""
    w, x, y, z = orientation.T
    return np.column_stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])


def leg_angles(glb, joints, frames, time, legs):
    """theta, alpha and beta of every leg, from nothing but the joints of the file: hip, knee and ankle in its segment."""
    found = []
    for name in legs:
        _, segment, side, _ = name.split()
        frame = frames[int(segment)]
        hip, knee, ankle = (glb.matrix(joints[f"leg {segment} {side} {link}"], time)[:3, 3] for link in range(3))
        first, second = (z_up(frame[:3, :3].T @ (end - start)) for start, end in ((hip, knee), (knee, ankle)))
        outward = 1.0 if side == "left" else -1.0
        whole = first + second
        theta = np.arctan2(whole[0], outward * whole[1])
        across = np.array([np.sin(theta), outward * np.cos(theta), 0.0])
        alpha, shin = (np.arctan2(link[2], link @ across) for link in (first, second))
        found.append((theta, alpha, alpha - shin))
    return np.array(found)
