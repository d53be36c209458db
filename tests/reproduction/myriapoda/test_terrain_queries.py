"""Terrain checks of the myriapod digest: C67 (queries are right) and C68 (the hash is fast)."""

from __future__ import annotations

from time import perf_counter

import numba
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from paludarium.engine.terrain import Cylinder, LumpyBall, MeshBall, Sphere, Terrain
from paludarium.engine.terrain.ground_layout import MESH_AT, MESH_COUNT, MESH_FRAME, TRIANGLE_COLUMNS
from paludarium.engine.terrain.mesh_kernel import inside_mesh, nearest_triangle
from paludarium.engine.terrain.triangle_kernel import height_over, nearest_on_triangle
from paludarium.tests.reproduction.criteria import criterion

RADIUS = 15.0
BIG_BALL = MeshBall(radius=RADIUS, rings=101, sectors=100)  # 20 000 triangles
LUMPY_BALL = LumpyBall(radius=RADIUS, amplitude=3.0, rings=101, sectors=100, seed=2)


def scattered(count: int, half_size: float, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-half_size, half_size, (count, 3))


def near_surface(count: int, seed: int = 0) -> np.ndarray:
    """Points from one unit inside to two units outside, where hips, feet and bodies are."""
    random = np.random.default_rng(seed)
    direction = random.normal(size=(count, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    return direction * random.uniform(RADIUS - 1.0, RADIUS + 2.0, (count, 1))


@pytest.fixture(scope="module")
def big_ball() -> Terrain:
    return Terrain.from_mesh(BIG_BALL, exact=True)


@numba.njit
def ask_every_triangle(ground, points, squares, triangles, inside):
    at = ground.indices[MESH_AT] + MESH_FRAME
    for i in range(points.shape[0]):
        x, y, z = points[i]
        squares[i], odd = np.inf, False
        for triangle in range(ground.indices[MESH_COUNT]):
            d2 = nearest_on_triangle(ground.numbers, at + TRIANGLE_COLUMNS * triangle, x, y, z)[0]
            if d2 < squares[i]:
                squares[i], triangles[i] = d2, triangle
            hit, hit_z = height_over(ground.numbers, at + TRIANGLE_COLUMNS * triangle, x, y)
            if hit and hit_z > z:
                odd = not odd
        inside[i] = odd


def mesh_tolerance(rings: int) -> float:
    """How far a facet of the ball lies inside the sphere: radius * (1 - cos(half a facet's angle)^2)."""
    return RADIUS * (1.0 - np.cos(np.pi / (2.0 * rings)) * np.cos(np.pi / rings))


def test_c67_plane_sphere_and_cylinder_queries_agree_with_their_closed_forms(record_property):
    """Asked: sphere, cylinder and plane agree with their closed forms. At 10,000 points."""
    points = scattered(10_000, 20.0)
    plane = Terrain.flat(elevation=-2.0)
    assert_array_equal(plane.height(points), points[:, 2] + 2.0)
    sphere = Terrain.from_shapes([Sphere((0, 0, 0), RADIUS)])
    ball = float(np.abs(sphere.height(points) - (np.linalg.norm(points, axis=1) - RADIUS)).max())
    log = Terrain.from_shapes([Cylinder((0, 0, 0), (1, 0, 0), length=200.0, radius=3.0)])
    tube = float(np.abs(log.height(points) - np.maximum(np.hypot(points[:, 1], points[:, 2]) - 3.0, -3.0)).max())
    record_property("largest error of a height, sphere and cylinder [u]", [f"{ball:.1g}", f"{tube:.1g}"])
    assert max(ball, tube) < 1e-12


@pytest.mark.parametrize("exact", [True, False])
def test_c67_the_mesh_ball_agrees_with_the_sphere_within_the_mesh_tolerance(exact, record_property):
    """Asked: within the mesh tolerance. Facets lie 0.0092 units below the sphere; the smoothed field may be 0.02 off."""
    points = near_surface(10_000)
    exact_distance = np.linalg.norm(points, axis=1) - RADIUS
    error = np.abs(Terrain.from_mesh(BIG_BALL, exact=exact).height(points) - exact_distance).max()
    record_property(f"largest error, {'triangles' if exact else 'smoothed field'} [u]", error)
    assert error < (mesh_tolerance(100) if exact else 0.02)


def test_c67_the_inside_test_is_right_on_ten_thousand_random_points(big_ball, record_property):
    """Wrong answers are allowed only in the thin shell between the facets and the sphere."""
    points = scattered(10_000, 18.0)
    radius = np.linalg.norm(points, axis=1)
    between = (radius < RADIUS) & (radius > RADIUS - mesh_tolerance(100))
    record_property("points in the shell, of 10,000", int(between.sum()))
    record_property("wrong answers beside it", int((big_ball.inside(points) != (radius < RADIUS))[~between].sum()))
    assert between.sum() < 20
    assert_array_equal(big_ball.inside(points)[~between], (radius < RADIUS)[~between])
    assert 0.2 < big_ball.inside(points).mean() < 0.5


@pytest.mark.parametrize("source", [BIG_BALL, LUMPY_BALL])
def test_c67_the_hash_answers_exactly_as_asking_every_triangle(source, record_property):
    """Asked: identical to brute force."""
    ground = Terrain.from_mesh(source, exact=True).ground
    points = np.concatenate([near_surface(300), scattered(150, 18.0, seed=1), scattered(50, 100.0, seed=2)])
    squares, triangles = np.zeros(500), np.zeros(500, dtype=np.int64)
    inside = np.zeros(500, dtype=np.bool_)
    ask_every_triangle(ground, points, squares, triangles, inside)
    hashed = [nearest_triangle(ground, *point) for point in points]
    record_property("different distances, of 500", int(np.sum(np.array([answer[0] for answer in hashed]) != squares)))
    assert_array_equal([answer[0] for answer in hashed], squares)
    assert_array_equal([answer[1] for answer in hashed], triangles)
    assert_array_equal([inside_mesh(ground, *point)[0] for point in points], inside)


@numba.njit
def ask_the_hash(ground, points, squares, triangles, inside):
    for i in range(points.shape[0]):
        squares[i], triangles[i] = nearest_triangle(ground, points[i, 0], points[i, 1], points[i, 2])[:2]
        inside[i] = inside_mesh(ground, points[i, 0], points[i, 1], points[i, 2])[0]


def seconds_of(ask, ground, points) -> float:
    """The shortest of three runs over all points, compiled before."""
    answers = np.zeros(len(points)), np.zeros(len(points), dtype=np.int64), np.zeros(len(points), dtype=np.bool_)
    ask(ground, points[:1], *answers)
    times = []
    for _ in range(3):
        start = perf_counter()
        ask(ground, points, *answers)
        times.append(perf_counter() - start)
    return min(times)


def test_c68_the_hash_tests_far_fewer_triangles_than_asking_all(big_ball, record_property):
    """Asked: a hash of 50^3 cells is 20 times faster than brute force on 20,000 triangles. Triangle tests are asserted; the
    time of both questions, distance and inside, is recorded, at the same 300 points near the surface."""
    ground = big_ball.ground
    count = int(ground.indices[MESH_COUNT])
    assert count >= 20_000
    points = near_surface(2000)
    nearest = np.array([nearest_triangle(ground, *point)[2] for point in points])
    rays = np.array([inside_mesh(ground, *point)[1] for point in points])
    anywhere = np.array([nearest_triangle(ground, *point)[2] for point in scattered(300, 30.0)])
    fewer = [round(float(count / tests.mean())) for tests in (nearest, rays, anywhere)]
    record_property("times fewer tests: distance, inside, distance from anywhere", fewer)
    faster = seconds_of(ask_every_triangle, ground, points[:300]) / seconds_of(ask_the_hash, ground, points[:300])
    record_property("times faster by the clock", round(faster))
    criterion(record_property, holds=faster >= 20.0 and min(fewer) >= 20, why_not="less than 20 times faster")
    assert min(fewer) >= 20
