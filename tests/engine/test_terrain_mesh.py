"""Closed meshes: sign and distance against solids with closed forms, smooth field, files, bad meshes."""

from __future__ import annotations

import builtins
import zipfile

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from paludarium.engine.terrain import (
    LumpyBall,
    MeshArrays,
    MeshBall,
    MeshGround,
    Terrain,
    TerrainError,
    mesh_file,
    noise_displaced_sphere,
    uv_sphere,
)
from paludarium.engine.terrain.ground_kernel import sample_ground
from paludarium.engine.terrain.mesh import checked_mesh

CUBE_VERTICES = [[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
CUBE_FACES = [
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
]  # fmt: skip


def cube(**settings) -> Terrain:
    return Terrain.from_mesh(MeshArrays(CUBE_VERTICES, CUBE_FACES), **settings)


def cube_distance(points: np.ndarray) -> np.ndarray:
    gap = np.abs(points) - 1.0
    return np.where(gap.max(axis=1) <= 0.0, gap.max(axis=1), np.linalg.norm(np.maximum(gap, 0.0), axis=1))


def scattered(count: int, half_size: float, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-half_size, half_size, (count, 3))


def test_an_exact_cube_mesh_has_the_closed_form_of_the_cube():
    terrain = cube(exact=True, cells=7)
    points = scattered(3000, 3.0)
    assert_allclose(terrain.height(points), cube_distance(points), atol=1e-12)
    assert_array_equal(terrain.inside(points), cube_distance(points) < 0.0)


def test_the_exact_normal_is_the_gradient_of_the_distance():
    terrain = Terrain.from_mesh(LumpyBall(radius=3.0, amplitude=1.0, lump_width=2.0, rings=24, sectors=24), exact=True)
    points = scattered(1500, 5.0)
    step = 1e-6
    columns = [terrain.height(points + step * axis) - terrain.height(points - step * axis) for axis in np.eye(3)]
    wrong = np.abs(np.stack(columns, axis=1) / (2.0 * step) - terrain.normal(points)).max(axis=1) > 1e-3
    assert wrong.sum() <= 3  # the few points on a ridge between two nearest triangles have no gradient


def test_a_point_on_the_surface_has_the_normal_of_its_face_edge_or_corner():
    terrain = cube(exact=True)
    places = [(1.0, 0.3, 0.2), (1.0, 1.0, 0.3), (1.0, 1.0, 1.0), (0.0, 0.0, -1.0)]
    expected = np.array([(1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (0.0, 0.0, -1.0)])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert_allclose(terrain.normal(places), expected, atol=1e-12)
    assert_allclose(terrain.height(places), 0.0, atol=1e-12)


def test_rays_through_edges_and_corners_are_counted_right():
    """Every ray here runs through vertices and along edges of the cube or the ball's poles."""
    lattice = np.array(
        [(x, y, z) for x in (-2, -1, -0.5, 0, 0.5, 1, 2) for y in (-2, -1, 0, 0.5, 1, 2) for z in (-2, 0, 2)]
    )
    off_surface = np.abs(cube_distance(lattice)) > 0.0
    assert_array_equal(cube(exact=True).inside(lattice)[off_surface], (cube_distance(lattice) < 0.0)[off_surface])
    ball = Terrain.from_mesh(MeshBall(radius=2.0, rings=8, sectors=8), exact=True)
    axis = np.stack([np.zeros(9), np.zeros(9), np.linspace(-3.9, 3.9, 9)], axis=1)
    assert_array_equal(ball.inside(axis), np.abs(axis[:, 2]) < 2.0)


def test_two_rooms_in_one_mesh_are_both_inside_and_a_cavity_is_not():
    vertices = np.concatenate(
        [np.array(CUBE_VERTICES), np.array(CUBE_VERTICES) * 3.0, np.array(CUBE_VERTICES) + [9, 0, 0]]
    )
    faces = np.array(CUBE_FACES)
    shells = np.concatenate([faces[:, ::-1], faces + 8, faces + 16])  # the small cube is a hole in the large one
    terrain = Terrain.from_mesh(MeshArrays(vertices, shells), exact=True, cells=11)
    points = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (9.0, 0.0, 0.5), (5.0, 0.0, 0.0)]
    assert_array_equal(terrain.inside(points), [False, True, True, False])
    assert_allclose(terrain.height(points), [1.0, -1.0, -0.5, 2.0], atol=1e-12)


def test_sign_by_normals_agrees_with_sign_by_rays_on_a_lumpy_ball():
    terrain = Terrain.from_mesh(LumpyBall(radius=4.0, amplitude=1.5, lump_width=2.0, rings=60, sectors=60), exact=True)
    points = scattered(10_000, 6.0)
    assert_array_equal(terrain.inside(points), terrain.height(points) < 0.0)
    assert 0.1 < terrain.inside(points).mean() < 0.5


def test_the_distance_field_follows_the_triangles():
    """Node spacing 0.56 on the ball of radius 15: within 0.02 units near the surface; the normals turn less than those
    of the triangles, whose facets of 3 by 6 degrees lean up to half a facet away from the sphere."""
    ball = MeshBall(radius=15.0, rings=60, sectors=60)
    exact, smooth = Terrain.from_mesh(ball, exact=True), Terrain.from_mesh(ball)
    direction = np.random.default_rng(0).normal(size=(3000, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    points = direction * np.random.default_rng(1).uniform(14.0, 17.5, (3000, 1))
    assert np.abs(smooth.height(points) - exact.height(points)).max() < 0.02
    lean = [np.arccos(np.minimum((world.normal(points) * direction).sum(axis=1), 1.0)) for world in (smooth, exact)]
    assert lean[0].max() < np.radians(3.0)
    assert lean[0].mean() < lean[1].mean()
    assert_array_equal(smooth.inside(points), exact.inside(points))


def test_the_distance_field_is_right_deep_inside_and_beyond_its_edge():
    ball = MeshBall(radius=6.0, rings=40, sectors=40)
    exact, smooth = Terrain.from_mesh(ball, exact=True), Terrain.from_mesh(ball, field_nodes=48)
    inside, outside = scattered(2000, 3.4), scattered(2000, 100.0)
    assert np.abs(smooth.height(inside) - exact.height(inside)).max() < 0.1
    outside = outside[np.linalg.norm(outside, axis=1) > 12.0]
    assert (np.abs(smooth.height(outside) / exact.height(outside) - 1.0)).max() < 0.12
    outward = outside / np.linalg.norm(outside, axis=1, keepdims=True)
    assert (smooth.normal(outside) * outward).sum(axis=1).min() > 0.99


def test_field_normals_turn_smoothly_from_facet_to_facet():
    coarse = MeshBall(radius=6.0, rings=8, sectors=8)  # neighbouring facets meet at 45 degrees
    angle = np.linspace(0.0, 2.0 * np.pi, 20_001)
    circle = 6.2 * np.stack([np.cos(angle), np.sin(angle), 0.05 + 0.0 * angle], axis=1)
    normals = Terrain.from_mesh(coarse, field_nodes=32).normal(circle)
    assert np.linalg.norm(np.diff(normals, axis=0), axis=1).max() < 0.005
    assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-12)


def test_a_mesh_on_a_floor_combines_by_the_smallest_distance():
    mesh = MeshGround(MeshArrays(CUBE_VERTICES, CUBE_FACES), center=(3.0, 0.0, 0.5), scale=2.0, exact=True)
    both = Terrain.flat().with_mesh(mesh)
    points = scattered(2000, 6.0)
    expected = np.minimum(points[:, 2], 2.0 * cube_distance((points - [3.0, 0.0, 0.5]) / 2.0))
    assert_allclose(both.height(points), expected, atol=1e-12)
    assert_array_equal(both.inside(points), expected < 0.0)


@pytest.mark.parametrize("exact", [True, False])
def test_mesh_queries_far_away_are_finite(exact):
    ground = Terrain.from_mesh(MeshBall(3.0, 10, 10), exact=exact, field_nodes=16).ground
    for point in ((1e300, 0.0, 0.0), (np.inf, -np.inf, np.inf), (0.0, 0.0, -1e30), (0.0, 0.0, 0.0)):
        distance, nx, ny, nz = sample_ground(ground, *point)
        assert np.isfinite(distance)
        assert nx * nx + ny * ny + nz * nz == pytest.approx(1.0)
    assert np.isnan(sample_ground(ground, 0.0, np.nan, 0.0)[0])


def test_ball_meshes_are_closed_and_have_the_sizes_they_promise():
    ball = uv_sphere(radius=2.0, rings=101, sectors=100)
    assert ball.faces.shape == (20_000, 3)
    assert_allclose(np.linalg.norm(ball.vertices, axis=1), 2.0)
    assert_array_equal(checked_mesh(*ball).faces.shape, ball.faces.shape)
    lumpy = noise_displaced_sphere(radius=10.0, amplitude=2.0, seed=3)
    radii = np.linalg.norm(lumpy.vertices, axis=1)
    assert checked_mesh(*lumpy).faces.shape == lumpy.faces.shape
    assert radii.std() > 0.1
    assert np.abs(radii - 10.0).max() <= 2.0
    assert_array_equal(lumpy.vertices, noise_displaced_sphere(radius=10.0, amplitude=2.0, seed=3).vertices)


def test_a_mesh_turned_inside_out_is_turned_back():
    flipped = Terrain.from_mesh(MeshArrays(CUBE_VERTICES, np.array(CUBE_FACES)[:, ::-1]), exact=True)
    assert_allclose(flipped.height([(0.0, 0.0, 3.0), (0.0, 0.0, 0.5)]), [2.0, -0.5])


def one_face_turned() -> list[list[int]]:
    return [CUBE_FACES[0][::-1], *CUBE_FACES[1:]]


@pytest.mark.parametrize(
    ("vertices", "faces", "said"),
    [
        ([], [], "empty"),
        (CUBE_VERTICES, [], "empty"),
        (CUBE_VERTICES, CUBE_FACES[1:], "not closed"),
        (CUBE_VERTICES, one_face_turned(), "turned against"),
        ([[np.nan, 0, 0], *CUBE_VERTICES[1:]], CUBE_FACES, "not finite"),
        (CUBE_VERTICES, [[0, 1, 99]], "vertex numbers"),
        (CUBE_VERTICES, [[0.5, 1.0, 2.0]], "whole"),
        ([[0, 0], [1, 0], [0, 1]], [[0, 1, 2]], "shapes"),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 1]], "no volume"),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 1]], "without area"),
        ([[0, 0, 0], [1, 0]], [[0, 1, 1]], "ragged"),
    ],
)
def test_meshes_that_cannot_be_walked_on_are_refused(vertices, faces, said):
    with pytest.raises(TerrainError, match=said):
        Terrain.from_mesh(MeshArrays(vertices, faces))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"cells": 0}, "cells"),
        ({"cells": 1000}, "cells"),
        ({"scale": -1.0}, "scale"),
        ({"center": (0.0, 0.0)}, "center"),
        ({"exact": 1}, "exact"),
        ({"field_nodes": 2}, "field_nodes"),
    ],
)
def test_bad_mesh_settings_are_named(settings, said):
    with pytest.raises(TerrainError, match=said):
        cube(**settings)


# -- files ----------------------------------------------------------------------------------------------------------


def write_obj(path, vertices, faces) -> str:
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_an_obj_file_gives_the_same_ground_as_its_arrays(tmp_path):
    pytest.importorskip("trimesh", reason="the package trimesh is not installed")
    read = Terrain.from_obj(write_obj(tmp_path / "cube.obj", CUBE_VERTICES, CUBE_FACES), exact=True)
    points = scattered(500, 3.0)
    assert_allclose(read.height(points), cube_distance(points), atol=1e-12)
    assert Terrain.from_obj(tmp_path / "cube.obj").describe()["mesh"]["path"].endswith("cube.obj")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not closed"),
        ("v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n", "not finite|cannot be read"),
        ("", "empty|cannot be read"),
        ("v 0 0 zero\nf 1 2 3\n", "cannot be read|empty"),
        ("f 1 2 9\n", "cannot be read|empty|vertex numbers"),
    ],
)
def test_a_bad_mesh_file_is_named_with_what_is_wrong(tmp_path, content, said):
    pytest.importorskip("trimesh", reason="the package trimesh is not installed")
    file = tmp_path / "rock.obj"
    file.write_text(content)
    with pytest.raises(TerrainError, match=said) as problem:
        Terrain.from_obj(file)
    assert "rock.obj" in str(problem.value)


def test_a_missing_mesh_file_is_named(tmp_path):
    pytest.importorskip("trimesh", reason="the package trimesh is not installed")
    with pytest.raises(TerrainError, match="does not exist"):
        Terrain.from_obj(tmp_path / "nowhere.obj")


def test_a_missing_trimesh_package_names_the_extra(monkeypatch):
    real_import = builtins.__import__

    def without_trimesh(name, *arguments, **keywords):
        if name == "trimesh":
            raise ImportError(name)
        return real_import(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_trimesh)
    with pytest.raises(TerrainError, match=r"paludarium\[mesh\]"):
        Terrain.from_obj("cube.obj")


def refused(path, said: str) -> None:
    with pytest.raises(TerrainError, match=said) as problem:
        Terrain.from_obj(path)
    assert path.name in str(problem.value)


@pytest.fixture
def unread(monkeypatch):
    """A reader of meshes that must not be reached."""
    trimesh = pytest.importorskip("trimesh", reason="the package trimesh is not installed")
    calls = []
    monkeypatch.setattr(trimesh, "load_mesh", lambda *content, **_options: calls.append(content))
    yield
    assert not calls


def test_other_formats_never_reach_the_reader(tmp_path, unread):
    for name in ("rock.zip", "rock.stl", "rock.glb", "rock", "rock.obj.gz"):
        file = tmp_path / name
        file.write_bytes(b"PK\x03\x04" + bytes(100))
        refused(file, "does not end in .obj")
    file = tmp_path / "rock.obj"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rock.obj", "v 0 0 0\n" * 1000)
    refused(file, "no text|empty")


def test_too_much_is_refused_before_it_is_read(tmp_path, unread, monkeypatch):
    monkeypatch.setattr(mesh_file, "MOST_CORNERS", 10)
    file = tmp_path / "rock.obj"
    file.write_text("v 0 0 0\n" * 11 + "f 1 2 3\n")
    refused(file, "11 vertices and 1 faces; allowed are 10")
    file.write_text("v 0 0 0\n" * 3 + "f 1 2 3\n" * 11)
    refused(file, "3 vertices and 11 faces; allowed are 10")
    file.write_text("v 0 0 0\n" * 3 + "f" + " 1" * 3000 + "\n")
    refused(file, "a line of 6001 bytes")
    file.write_text("v 0 0 0\n" * 3 + "f 1 \\\n" + " 2 \\\n" * 3000)
    refused(file, "a line of")
    monkeypatch.setattr(mesh_file, "LARGEST_FILE", 20)
    refused(file, "larger than 20 bytes")


def test_materials_textures_and_groups_stay_behind(tmp_path, monkeypatch):
    """They name other files, and each group costs the reader time: only vertices and faces are handed on."""
    trimesh = pytest.importorskip("trimesh", reason="the package trimesh is not installed")
    handed = []
    load_mesh = trimesh.load_mesh

    def watched(content, **options):
        handed.append(content.getvalue())
        return load_mesh(content, **options)

    monkeypatch.setattr(trimesh, "load_mesh", watched)
    lines = ["mtllib /etc/passwd", "# rock"]
    lines += [f"v {x} {y} {z}" for x, y, z in CUBE_VERTICES] + ["vt 0 0", "vn 0 0 1"]
    for k, (a, b, c) in enumerate(CUBE_FACES):
        lines += [f"g part{k}", f"usemtl paint{k}", f"f {a + 1}/1/1 {b + 1}//1 \\", f"  {c + 1}"]
    file = tmp_path / "cube.OBJ"
    file.write_text("\n".join(lines))
    points = scattered(200, 3.0)
    assert_allclose(Terrain.from_obj(file, exact=True).height(points), cube_distance(points), atol=1e-12)
    assert {line.split()[0] for line in handed[0].splitlines()} == {b"v", b"f"}
    assert b"/" not in handed[0]
