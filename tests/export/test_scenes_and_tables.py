"""POV-Ray scenes, OBJ sequences, tables, and the command that writes them."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from paludarium import BrainMode, LegState, PaludariumError, Recorder, World
from paludarium.game_demo.__main__ import main
from paludarium.systems.export.data_tables import joined, write_tables
from paludarium.systems.export.observations import unit_of
from paludarium.systems.export.posed_meshes import body_meshes
from paludarium.systems.export.scenery import ground_mesh, seen_bounds, water_mesh
from paludarium.systems.export.unit_shapes import SHAPES
from paludarium.systems.myriapod.modeller import SURFACE_TRIANGLES


@pytest.fixture(scope="module")
def walk():
    """Two animals on the tide pool's beach, one of them with somewhere to go, and what the world said of them."""
    world = World(seed=5, map="tide_pool", populate=False)
    walker, other = world.spawn("stone_centipede", at=(-1.0, -7.0), heading=0.3), world.spawn("pauropod", at=(4.0, -9.0))
    walker.goto((-10.0, -7.0))
    world.add_food((1.0, -4.0), amount=27.0)
    with Recorder(world, every=5) as recorder:
        world.step(10)
    return world, walker, other, recorder


def numbers(path):
    """Vertices (n, 3) and triangles (m, 3), from zero on, of an OBJ file, object by object."""
    objects, vertices, faces = {}, [], []
    for line in path.read_text().splitlines():
        word, *rest = line.split()
        if word == "o":
            faces = objects.setdefault(rest[0], [])
        elif word == "v":
            vertices.append([float(value) for value in rest])
        elif word == "f":
            faces.append([int(value) - 1 for value in rest])
    return np.array(vertices), {name: np.array(faces) for name, faces in objects.items()}


def test_obj_files_hold_every_body_as_closed_triangles(walk, tmp_path):
    _, walker, other, recorder = walk
    files = recorder.to_obj(tmp_path)
    assert [file.name for file in files] == ["materials.mtl", "ground.obj", *(f"frame_0000{k}.obj" for k in range(3))]
    vertices, objects = numbers(files[-1])
    assert list(objects) == ["000_stone_centipede_1", "001_pauropod_2"]
    assert np.isfinite(vertices).all()
    assert_array_equal(next(iter(objects.values()))[: len(SURFACE_TRIANGLES)], SURFACE_TRIANGLES)
    assert_array_equal(np.unique(np.concatenate(list(objects.values()))), np.arange(len(vertices)))
    for faces, animal in zip(objects.values(), (walker, other), strict=True):
        own, centres = vertices[np.unique(faces)], animal.segments.position
        assert (own.min(axis=0) < centres.min(axis=0)).all()
        assert (own.max(axis=0) > centres.max(axis=0)).all()
        assert np.linalg.norm(own[:, None] - centres, axis=2).min(axis=1).max() < 5.0  # as far as antennae reach
        edges = {(a, b) for face in faces.tolist() for a, b in zip(face, [*face[1:], face[0]], strict=True)}
        assert len(edges) == 3 * len(faces)  # no edge is walked twice in one direction: orientation is consistent
    nodes = recorder.frames[-1].poses[0].nodes
    assert_allclose(vertices[: len(nodes)], nodes, atol=6e-6)
    used = set(re.findall(r"usemtl (\S+)", files[-1].read_text()))
    assert used <= set(re.findall(r"newmtl (\S+)", files[0].read_text()))


def test_plates_sit_on_their_segments_in_every_format(walk, tmp_path):
    """A turned body: the middle of each box and the axes of its matrix are those of the segment."""
    _, walker, _, recorder = walk
    plan, pose = recorder.plans[0], recorder.frames[-1].poses[0]
    w, x, y, z = walker.segments.orientation.T
    left = np.column_stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)])
    assert np.abs(left - (0.0, 1.0, 0.0)).max() > 0.01
    text = recorder.to_povray(tmp_path)[-1].read_text()
    matrices = re.findall(r"object { Shape_box Body_0_\S+ matrix <(.*?)> }", text)
    boxes = [mesh for _, mesh, _ in body_meshes(plan, pose) if len(mesh.vertices) == len(SHAPES["box"].vertices)]
    assert len(matrices) == len(boxes) == len(left)
    for segment in range(1, len(left)):
        rows = np.array(matrices[segment].split(","), dtype=float).reshape(4, 3)
        half = walker.segments.half_extents[segment, 1]
        assert_allclose(rows[1], half * left[segment], atol=2e-6)
        assert_allclose(rows[3], walker.segments.position[segment], atol=2e-6)
        across = (boxes[segment].vertices - walker.segments.position[segment]) @ left[segment]
        assert_allclose(np.abs(across), half, atol=1e-9)


def test_ground_and_water_lie_where_the_world_has_them(walk):
    world, _, _, recorder = walk
    bounds = seen_bounds(recorder)
    ground = ground_mesh(world, bounds).vertices
    inner = ground[::97]
    assert_allclose(inner[:, 2], np.maximum(world.terrain.elevation(inner[:, :2]), ground[:, 2].min()), atol=0.05)
    (pond,) = recorder.frames[-1].around.water
    water = water_mesh(pond, bounds).vertices
    assert len(water) > 1000
    assert np.abs(water[:, 2] - world.water.grids[0].level).max() < 0.5
    assert (water[:, 0].min() >= bounds[0]) & (water[:, 1].max() <= bounds[3])


def test_the_tables_hold_what_the_handles_say(walk, tmp_path):
    world, walker, other, recorder = walk
    files = {file.name: file for file in write_tables(recorder, tmp_path, parquet=False)}
    assert set(files) == {f"{name}.csv" for name in ("creatures", "trajectories", "segments", "legs", "brain")}
    rows = {name: list(csv.DictReader(file.read_text().splitlines())) for name, file in files.items()}
    last = [row for row in rows["trajectories.csv"] if row["tick"] == "10"]
    assert [int(row["creature"]) for row in last] == [walker.serial, other.serial]
    assert_array_equal([float(last[0][name]) for name in ("x_u", "y_u", "z_u")], walker.position)
    assert float(last[0]["heading_rad"]) == walker.heading
    assert float(last[0]["speed_u_per_s"]) == pytest.approx(np.linalg.norm(walker.velocity))
    assert float(last[0]["time_s"]) == pytest.approx(10 / 60)
    legs = [row for row in rows["legs.csv"] if row["tick"] == "10" and row["creature"] == str(walker.serial)]
    assert_array_equal([[LegState[row["state"]] for row in legs[k::2]] for k in range(2)], walker.legs.state.T)
    assert [row["side"] for row in legs[:2]] == ["left", "right"]
    assert int(legs[0]["segment"]) == 1
    tips = [[float(row[f"tip_{axis}_u"]) for axis in "xyz"] for row in legs]
    assert_array_equal(tips, walker.legs.tip.reshape(-1, 3))
    assert_array_equal([float(row["beta_rad"]) for row in legs], walker.legs.angles[..., 2].reshape(-1))
    brains = [row for row in rows["brain.csv"] if row["tick"] == "10"]
    assert [BrainMode[row["mode"]] for row in brains] == [walker.brain.mode, other.brain.mode]
    assert (brains[0]["goal"], float(brains[0]["goal_x_u"]), brains[1]["goal_x_u"]) == ("GOTO", -10.0, "")
    assert float(brains[0]["commanded_speed_u_per_s"]) == walker.brain.speed
    assert rows["creatures.csv"][0] == {"creature": "1", "name": "stone centipede 1", "species": "stone_centipede",
                                        "family": "myriapod", "segments": "18"}  # fmt: skip
    assert len(rows["segments.csv"]) == 3 * sum(len(creature.segments) for creature in world.creatures.values())


def test_every_measured_column_has_a_unit(walk):
    plain = {"tick", "creature", "segment", "side", "state", "tier", "dead", "mode", "goal", "goal_done", "qw", "qx", "qy",
             "qz", "supported", "submerged"}  # fmt: skip
    for name in ("trajectories", "segments", "legs", "brain"):
        for column in joined(walk[3], name):
            assert (unit_of(column) == "") == (column in plain), column


def test_parquet_has_the_same_values_and_units_in_its_metadata(walk, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason='Parquet needs the extra "export"')
    files = walk[3].to_tables(tmp_path)
    assert len(files) == 10
    table = parquet.read_table(tmp_path / "trajectories.parquet")
    assert table.schema.field("speed_u_per_s").metadata == {b"unit": b"units per second"}
    assert table.schema.metadata[b"map"] == b"tide pool"
    assert_array_equal(table["x_u"].to_numpy(), joined(walk[3], "trajectories")["x_u"])
    assert set(parquet.read_table(tmp_path / "legs.parquet")["side"].to_pylist()) == {"left", "right"}


def test_parquet_without_pyarrow_says_what_to_install(walk, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(PaludariumError, match=r"paludarium\[export\]"):
        walk[3].to_tables(tmp_path, parquet=True)
    assert len(walk[3].to_tables(tmp_path)) == 5


@pytest.mark.skipif(shutil.which("povray") is None, reason="povray is not installed")
def test_povray_renders_a_frame_with_everything_at_its_place(walk, tmp_path):
    """The picture is not mirrored: the only food lies where the camera's numbers say, red, and not on the other side."""
    from PIL import Image

    files = walk[3].to_povray(tmp_path)
    words = ["povray", f"+I{files[-1].name}", "+Oframe.png", "+W160", "+H90", "-D", "-A", "+WT1"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    text = files[-1].read_text()
    (x, y, _), = (map(float, found) for found in re.findall(r"View_At = <(\S+), (\S+), (\S+)>", text))
    width = float(re.search(r"View_Width = (\S+);", text)[1])
    pixels = np.asarray(Image.open(tmp_path / "frame.png").convert("RGB")).astype(int)
    assert np.ptp(pixels) > 100

    def red(east, north):
        column, row = 80 + 160 * (east - x) / width, 45 - 160 * (north - y) / width
        r, g, b = pixels[int(row), int(column)]
        return r - max(g, b) > 70

    assert red(1.0, -4.0)
    assert not red(2 * x - 1.0, -4.0)
    assert not red(1.0, 2 * y + 4.0)


def test_the_command_writes_all_formats_with_names_and_sizes(tmp_path, capsys):
    words = ["export", "--scene", "drop", "--ticks", "4", "--every", "2", "--to", str(tmp_path / "out"), "--count", "1",
             "--species", "pauropod", "--seed", "3"]  # fmt: skip
    assert main(words) == 0
    printed = capsys.readouterr()
    for place in ("povray", "scene.glb", "obj", "tables"):
        assert (tmp_path / "out" / place).exists()
        assert str(tmp_path / "out" / place) in printed.out
    assert "recording: 4 of 4 done" in printed.err
    assert len(list((tmp_path / "out" / "povray").glob("frame_*.pov"))) == 3
    assert not list((tmp_path / "out").rglob("*.part"))


@pytest.mark.parametrize("words, named", [
    (["--scene", "drip"], "did you mean 'drop'"), (["--ticks", "0"], "--ticks 0: allowed is a whole number, 1 or more"),
    (["--every", "-1"], "--every -1: allowed"), (["--formats", "gltf,onj"], "--formats onj: did you mean 'obj'"),
    (["--formats", ","], "allowed are some of povray"), (["--count", "-1"], "--count -1: allowed is 0 to 10000"),
    (["--seed", "-1"], "--seed -1: allowed"), (["--species", "pauropot"], "pauropod"), (["--to", __file__], "is a file"),
])  # fmt: skip
def test_wrong_options_name_option_value_and_what_is_allowed(words, named, tmp_path, capsys):
    given = {"--scene": "drop", "--ticks": "1", "--to": str(tmp_path / "out"), words[0]: words[1]}
    assert main(["export", *(word for pair in given.items() for word in pair)]) == 2
    assert named in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_world_of_the_empty_map_can_be_exported(tmp_path):
    recorder = Recorder(World(seed=1))
    assert recorder.to_gltf(tmp_path / "nobody.glb").stat().st_size > 1000
    assert len(recorder.to_povray(tmp_path)) == 3
    assert len(recorder.to_obj(tmp_path)) == 3
    assert len(recorder.to_tables(tmp_path, parquet=False)) == 5
