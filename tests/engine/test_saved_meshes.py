"""A save or a recording is complete in itself: its mesh is in it, and no file that it names is opened unasked."""

from __future__ import annotations

import base64
import json
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paludarium import Map, World
from paludarium.engine.errors import MapError, PaludariumError, SnapshotError
from paludarium.engine.replay import Recording, ReplayError, replay
from paludarium.engine.terrain import MeshFile, uv_sphere
from paludarium.engine.terrain.mesh import checked_mesh
from paludarium.engine.terrain.mesh_file import mesh_path
from paludarium.engine.terrain.packed_mesh import MeshPacked
from paludarium.engine.terrain.packed_mesh import packed_mesh as packed
from paludarium.engine.terrain.terrain_error import TerrainError
from paludarium.tests.engine.sealed import opened, sealed

ELSEWHERE = ("//host/share/rock.obj", "\\\\host\\share\\rock.obj", "\\/host/rock.obj", "\\??\\UNC\\host\\rock.obj",
             "http://host/rock.obj", "file:///rock.obj", "smb:rock.obj", "\\\\?\\C:\\rock.obj")  # fmt: skip
AREA = {"width_u": 60, "height_u": 60}


def write_obj(file: Path, radius: float = 12.0) -> Path:
    vertices, faces = uv_sphere(radius, 8, 8)
    lines = ["v " + " ".join(f"{value:.4f}" for value in vertex) for vertex in vertices.tolist()]
    lines += ["f " + " ".join(str(corner + 1) for corner in face) for face in faces.tolist()]
    file.write_text("\n".join(lines) + "\n")
    return file


def rock_map(path: str, **more: Any) -> dict[str, Any]:
    mesh = {"source": "file", "path": path, "cells": 8, "field_nodes": 12, "center": [0.0, 0.0, 1.0], **more}
    return {"name": "rock", "area": AREA, "terrain": {"kind": "flat", "mesh": mesh}}


@pytest.fixture
def rock(tmp_path: Path) -> Path:
    pytest.importorskip("trimesh", reason="the package trimesh is not installed")
    (tmp_path / "meshes").mkdir()
    return write_obj(tmp_path / "meshes" / "rock.obj")


def lived(world: World) -> World:
    world.spawn("pauropod", at=(20.0, 20.0))
    world.step(5)
    return world


def with_a_name(save: Path, path: str) -> Path:
    """The save as earlier versions wrote it: with the name of the mesh file."""
    header, arrays = opened(save)
    mesh = header["map"]["terrain"]["mesh"]
    assert mesh["source"] == "packed"
    del mesh["vertices"], mesh["faces"]
    mesh.update(source="file", path=path)
    return sealed(save.with_name("named.palu"), header, arrays)


def test_a_save_goes_on_without_the_mesh_file(rock, tmp_path):
    world = lived(World(seed=2, map=Map.define(**rock_map(str(rock)))))
    world.save(tmp_path / "a.palu")
    rock.unlink()
    again = World.load(tmp_path / "a.palu")
    assert str(rock) not in (tmp_path / "a.palu").read_bytes().decode("latin-1")
    assert again.terrain.describe()["mesh"]["center"] == [0.0, 0.0, 1.0]
    again.save(tmp_path / "b.palu")
    for one in (world, again, third := World.load(tmp_path / "b.palu")):
        one.step(30)
    assert world.state_hash() == again.state_hash() == third.state_hash()


def test_a_save_holds_the_mesh_that_the_world_was_built_with(rock, tmp_path):
    world = World(seed=2, map=Map.define(**rock_map(str(rock))))
    write_obj(rock, radius=5.0)
    world.save(tmp_path / "a.palu")
    above = [(0.0, 0.0, 20.0)]
    assert World.load(tmp_path / "a.palu").terrain.height(above) == world.terrain.height(above)


def test_a_recording_goes_on_without_the_mesh_file(rock, tmp_path):
    world = World(seed=2, map=Map.define(**rock_map(str(rock))))
    recording = Recording(world)
    lived(world)
    recording.save(tmp_path / "a.jsonl")
    rock.unlink()
    assert replay(tmp_path / "a.jsonl").state_hash() == world.state_hash()
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    header = json.loads(lines[0])
    header["map"] = rock_map(str(write_obj(rock)))
    (tmp_path / "named.jsonl").write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    with pytest.raises(ReplayError, match="named.jsonl.*rock.obj.*meshes=FOLDER"):
        replay(tmp_path / "named.jsonl")
    assert replay(tmp_path / "named.jsonl", meshes=rock.parent).state_hash() == world.state_hash()


def test_meshes_that_are_written_out_are_packed_too(tmp_path):
    vertices, faces = uv_sphere(12.0, 40, 40)
    mesh = {"source": "arrays", "vertices": vertices.tolist(), "faces": faces.tolist(), "cells": 8, "field_nodes": 12}
    tables = {"name": "rock", "area": AREA, "terrain": {"kind": "flat", "mesh": mesh}}
    world = lived(World(seed=2, map=Map.define(**tables)))
    world.save(tmp_path / "a.palu")
    header, _ = opened(tmp_path / "a.palu")
    assert 2 * len(json.dumps(header["map"])) < len(json.dumps(tables))
    again = World.load(tmp_path / "a.palu")
    for one in (world, again):
        one.step(10)
    assert world.state_hash() == again.state_hash()


def opened_files(call: Any, error: type[PaludariumError], words: str, within: Path) -> set[str]:
    """What a call that is refused opens in a folder."""
    heard: set[str] = set()
    listening = [True]

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        if listening[0] and event == "open" and str(arguments[0]).startswith(str(within)):
            heard.add(str(arguments[0]))

    sys.addaudithook(hear)
    try:
        with pytest.raises(error, match=words):
            call()
    finally:
        listening[0] = False
    return heard


def test_a_mesh_file_that_a_save_names_is_opened_only_in_a_folder_of_the_host(rock, tmp_path, monkeypatch):
    world = lived(World(seed=2, map=Map.define(**rock_map(str(rock)))))
    world.save(tmp_path / "a.palu")
    for name in (str(rock), "rock.obj", "../meshes/rock.obj", "C:\\games\\rock.obj"):
        save = with_a_name(tmp_path / "a.palu", name)
        monkeypatch.chdir(rock.parent)
        load = lambda save=save: World.load(save)  # noqa: E731
        assert opened_files(load, SnapshotError, "rock.obj.*meshes=FOLDER", tmp_path) == {str(save)}
        monkeypatch.chdir(tmp_path)
        again = World.load(save, meshes=rock.parent)
        assert again.state_hash() == world.state_hash()
        assert again.map.source["terrain"]["mesh"]["path"] == "rock.obj"
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(rock.parent)
    for name in (str(rock), "rock.obj", "../meshes/rock.obj"):
        save = with_a_name(tmp_path / "a.palu", name)
        load = lambda save=save: World.load(save, meshes=tmp_path / "empty")  # noqa: E731
        assert opened_files(load, SnapshotError, "does not exist", tmp_path) <= {str(save), str(tmp_path / "empty/rock.obj")}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_nothing_is_opened_on_another_machine(tmp_path, name):
    world = World(seed=2, map=Map.define(area=AREA, terrain={"kind": "flat", "mesh": {"source": "ball", "radius": 9.0,
                  "rings": 8, "sectors": 8, "cells": 8, "field_nodes": 12}}))  # fmt: skip
    world.save(tmp_path / "a.palu")
    header, arrays = opened(tmp_path / "a.palu")
    header["map"] = rock_map(name)
    for meshes in (None, tmp_path):
        with pytest.raises(SnapshotError, match="allowed is a file of this machine"):
            World.load(sealed(tmp_path / "a.palu", header, arrays), meshes=meshes)
    (tmp_path / "rock.toml").write_text(f"[terrain]\nkind = 'mesh'\nmesh = {{source = 'file', path = '{name}'}}\n")
    with pytest.raises(MapError, match="allowed is a file of this machine"):
        World(map=tmp_path / "rock.toml")


@pytest.mark.parametrize("name", ["rock.obj", "meshes/rock.obj", "C:\\meshes\\rock.obj", "c:/a.obj", "/rock.obj", "./a:b"])
def test_names_of_files_of_this_machine_are_no_others(name):
    assert mesh_path(name, ("",)).endswith(Path(name).name)


@pytest.mark.parametrize("name", ["", 5, None, "a\0b", [], {}])
def test_a_path_is_a_text(name):
    with pytest.raises(TerrainError, match="allowed is the name of a file"):
        mesh_path(name, None)


@pytest.mark.parametrize("meshes", ["", 5, "a\0b"])
def test_the_folder_of_meshes_is_a_path(tmp_path, meshes):
    World(seed=1).save(tmp_path / "a.palu")
    with pytest.raises(SnapshotError, match="allowed is the name of a file"):
        World.load(tmp_path / "a.palu", meshes=meshes)


def test_a_map_file_names_its_mesh_from_where_it_lies(rock, tmp_path, monkeypatch):
    file = tmp_path / "rock.toml"
    file.write_text("[terrain]\nkind = 'mesh'\n[terrain.mesh]\nsource = 'file'\npath = 'meshes/rock.obj'\ncells = 8\n"
                    "field_nodes = 12\n")  # fmt: skip
    above = [(0.0, 0.0, 20.0)]
    world = World(map=file)
    assert world.terrain.height(above) == pytest.approx(8.0, abs=0.5)
    world.save(tmp_path / "a.palu")
    (tmp_path / "elsewhere").mkdir()
    moved = file.rename(tmp_path / "elsewhere" / "rock.toml")
    monkeypatch.chdir(tmp_path)  # as before: from where the program runs
    assert World(map=moved).terrain.height(above) == world.terrain.height(above)
    (tmp_path / "elsewhere" / "meshes").mkdir()
    write_obj(tmp_path / "elsewhere" / "meshes" / "rock.obj", radius=5.0)
    assert World(map=moved).terrain.height(above) == pytest.approx(15.0, abs=0.5)
    assert World.load(tmp_path / "a.palu").terrain.height(above) == world.terrain.height(above)


def text_of(numbers: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(numbers.tobytes())).decode()


BALL = checked_mesh(*uv_sphere(12.0, 8, 8))
NOT_A_NUMBER, FAR, OPEN = BALL.vertices.copy(), BALL.vertices * 1e7, BALL.faces[:-1]
NOT_A_NUMBER[3, 1] = np.nan
BEYOND = BALL.faces.copy()
BEYOND[0, 0] = len(BALL.vertices)


@pytest.mark.parametrize("key, value, words", [
    ("vertices", text_of(NOT_A_NUMBER), "not finite"), ("vertices", text_of(FAR), "units away"),
    ("vertices", text_of(BALL.vertices)[:-8], "torn|unpacked"), ("vertices", text_of(BALL.vertices.ravel()[:-1]), "torn"),
    ("vertices", "", "cannot be unpacked|torn"), ("vertices", "@@@", "cannot be unpacked"),
    ("vertices", "\u00e4", "cannot be unpacked"),
    ("vertices", 5, "allowed is a text"), ("vertices", [], "allowed is a text"), ("vertices", None, "allowed is a text"),
    ("vertices", text_of(np.zeros(0)), "empty"), ("vertices", text_of(np.zeros(2_000_000)), "more than 500000"),
    ("vertices", "A" * 30_000_000, "allowed is a text of"), ("faces", text_of(OPEN.astype("<i4")), "not closed"),
    ("faces", text_of(BEYOND.astype("<i4")), "vertex numbers"),
    ("faces", text_of(-BALL.faces.astype("<i4")), "numbers outside"),
    ("faces", text_of(np.zeros(2_000_000, "<i4")), "more than 500000"), ("extra", 1, "extra"),
])  # fmt: skip
def test_a_packed_mesh_is_checked_like_a_mesh_file(key, value, words):
    mesh = {"source": "packed", **packed(BALL), "cells": 8, "field_nodes": 12}
    World(map=Map.define(area=AREA, terrain={"kind": "mesh", "mesh": mesh}))
    with pytest.raises(MapError, match=words) as caught:
        World(map=Map.define(area=AREA, terrain={"kind": "mesh", "mesh": {**mesh, key: value}}))
    assert len(str(caught.value)) < 2000


def test_a_packed_mesh_is_the_same_to_the_last_bit():
    again = MeshPacked(**packed(BALL)).mesh()
    assert np.array_equal(again.vertices, BALL.vertices)
    assert np.array_equal(again.faces, BALL.faces)


def test_a_mesh_file_is_read_once(rock):
    kept = MeshFile(str(rock))
    first = kept.mesh()
    rock.unlink()
    assert kept.mesh() is first
