"""Terrain against closed forms: height fields, shapes, combinations, out-of-range points, bad input."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from paludarium.engine.terrain import (
    Box,
    Cylinder,
    GaussianFloor,
    RandomCylinders,
    RandomGaussianFloor,
    Sphere,
    Terrain,
    TerrainError,
)
from paludarium.engine.terrain.ground_kernel import NO_FLOOR, ground_elevation, sample_ground
from paludarium.engine.terrain.ground_pack import packed_ground
from paludarium.engine.terrain.height_field import baked_floor, no_floor
from paludarium.engine.terrain.mesh import no_mesh
from paludarium.engine.terrain.shapes import no_shapes

BOUNDS = (-20.0, -15.0, 20.0, 15.0)
HILLS = ((0.0, 0.0, 2.0, 3.0), (6.0, -4.0, -1.0, 2.0), (-8.0, 5.0, 1.5, 2.5))


def scattered(count: int, half_size: float, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-half_size, half_size, (count, 3))


def gradient_of_height(terrain: Terrain, points: np.ndarray, step: float = 1e-6) -> np.ndarray:
    columns = [terrain.height(points + step * axis) - terrain.height(points - step * axis) for axis in np.eye(3)]
    return np.stack(columns, axis=1) / (2.0 * step)


# -- height fields --------------------------------------------------------------------------------------------------


def test_flat_ground_is_the_plane():
    terrain = Terrain.flat(elevation=1.5, bounds=BOUNDS)
    points = scattered(100, 30.0)
    assert_array_equal(terrain.height(points), points[:, 2] - 1.5)
    assert_array_equal(terrain.normal(points), np.tile([0.0, 0.0, 1.0], (100, 1)))
    assert_array_equal(terrain.inside(points), points[:, 2] < 1.5)
    assert_array_equal(terrain.elevation(points[:, :2]), np.full(100, 1.5))
    assert terrain.bounds == BOUNDS


def test_baked_hills_match_the_closed_form():
    """Spacing 0.25, widths of 2 units or more: elevation within 1e-4 units, normal within 0.1 degrees everywhere, and
    the distance within 1e-3 up to 2 units from the surface, where bodies are (further up the normal's error counts)."""
    terrain = Terrain.gaussians(HILLS, elevation=0.5, bounds=BOUNDS)
    points = scattered(2000, 14.0)
    x, y = points[:, 0], points[:, 1]
    height, slope_x, slope_y = np.full(2000, 0.5), np.zeros(2000), np.zeros(2000)
    for center_x, center_y, top, width in HILLS:
        hill = top * np.exp(-((x - center_x) ** 2 + (y - center_y) ** 2) / (2.0 * width**2))
        height += hill
        slope_x -= hill * (x - center_x) / width**2
        slope_y -= hill * (y - center_y) / width**2
    normal = np.stack([-slope_x, -slope_y, np.ones(2000)], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    assert_allclose(terrain.height(points[:, :2]), height, atol=1e-4)
    assert np.degrees(np.arccos(np.minimum((terrain.normal(points) * normal).sum(axis=1), 1.0))).max() < 0.1
    gap = np.random.default_rng(1).uniform(-2.0, 2.0, 2000)
    points[:, 2] = height + gap
    assert_allclose(terrain.height(points), gap * normal[:, 2], atol=1e-3)


def test_baked_hills_converge_with_the_cube_of_the_spacing():
    points = scattered(2000, 14.0)[:, :2]
    exact = GaussianFloor(HILLS).heights(points[:, 0], points[:, 1])
    errors = [
        np.abs(Terrain.gaussians(HILLS, bounds=BOUNDS, spacing=spacing).elevation(points) - exact).max()
        for spacing in (1.0, 0.5, 0.25)
    ]
    assert errors[0] / errors[1] > 6.0
    assert errors[1] / errors[2] > 6.0


def test_a_slope_is_reproduced_exactly():
    floor = baked_floor(lambda x, y: 0.3 * x - 0.2 * y + 1.0, BOUNDS, 0.5)
    terrain = Terrain(packed_ground(floor, no_shapes(), no_mesh()), BOUNDS)
    points = scattered(500, 12.0)
    normal = np.array([-0.3, 0.2, 1.0]) / np.sqrt(1.13)
    distance = (points - [0.0, 0.0, 1.0]) @ normal
    assert_allclose(terrain.height(points), distance, atol=1e-12)
    assert_allclose(terrain.normal(points), np.tile(normal, (500, 1)), atol=1e-12)


def test_the_distance_to_a_height_field_is_right_to_second_order_in_the_gap():
    """On hills of up to 47 degrees: at the ride height of 1 unit within 0.05 (95 %: 0.013), at a quarter 0.004."""
    terrain = Terrain.random_gaussians(count=40, seed=1, bounds=(-30, -30, 30, 30))
    feet = scattered(4000, 28.0)
    feet[:, 2] = terrain.elevation(feet[:, :2])
    errors = {gap: np.abs(terrain.height(feet + gap * terrain.normal(feet)) - gap) for gap in (0.25, 0.5, 1.0)}
    assert errors[1.0].max() < 0.05
    assert np.percentile(errors[1.0], 95) < 0.013
    assert errors[0.25].max() < 0.004
    assert errors[0.5].max() / errors[0.25].max() == pytest.approx(4.0, rel=0.15)


def test_the_normal_of_a_height_field_is_the_gradient_on_its_surface():
    terrain = Terrain.noise(amplitude=1.5, scale=6.0, seed=3, bounds=BOUNDS)
    points = scattered(500, 18.0)
    points[:, 2] = terrain.elevation(points[:, :2])
    assert_allclose(gradient_of_height(terrain, points), terrain.normal(points), atol=1e-5)


def test_normals_are_continuous_across_grid_lines_and_the_rim():
    terrain = Terrain.noise(amplitude=2.0, scale=5.0, seed=1, bounds=BOUNDS, spacing=0.5)
    x = np.concatenate([np.arange(-22.0, 22.0, 0.5), [BOUNDS[0], BOUNDS[2]]])
    y = np.linspace(-17.0, 17.0, 41)
    lines = np.stack([*np.meshgrid(x, y, indexing="ij"), np.zeros((x.size, y.size))], axis=-1).reshape(-1, 3)
    for step in ([1e-9, 0.0, 0.0], [0.0, 1e-9, 0.0]):
        assert np.abs(terrain.normal(lines + step) - terrain.normal(lines - step)).max() < 1e-7


def test_beyond_the_bounds_the_elevation_of_the_edge_holds():
    terrain = Terrain.noise(amplitude=2.0, scale=5.0, seed=1, bounds=BOUNDS)
    y = np.linspace(-14.0, 14.0, 30)
    far, near = np.stack([np.full(30, 500.0), y], axis=1), np.stack([np.full(30, 21.0), y], axis=1)
    edge = np.stack([np.full(30, BOUNDS[2]), y], axis=1)
    assert_array_equal(terrain.elevation(far), terrain.elevation(near))
    assert_allclose(terrain.elevation(far), terrain.elevation(edge), atol=1e-12)


def test_noise_terrain_depends_on_its_seed_only():
    first, again, other = (Terrain.noise(seed=seed, bounds=BOUNDS) for seed in (4, 4, 5))
    assert_array_equal(first.ground.numbers, again.ground.numbers)
    assert not np.array_equal(first.ground.numbers, other.ground.numbers)
    assert np.abs(first.ground.numbers[4:]).max() <= 21.0 + 2.0


def test_random_hills_lie_within_their_ranges():
    floor = RandomGaussianFloor(count=40, height=(0.5, 2.0), width=(2.0, 4.0), seed=9).drawn(BOUNDS)
    x, y, height, width = np.array(floor.hills).T
    assert len(floor.hills) == 40
    assert x.min() >= -20.0
    assert x.max() <= 20.0
    assert np.abs(y).max() <= 15.0
    assert height.min() >= 0.5
    assert height.max() <= 2.0
    assert width.min() >= 2.0
    assert width.max() <= 4.0


# -- shapes ---------------------------------------------------------------------------------------------------------


def test_a_sphere_has_its_closed_form_all_around():
    terrain = Terrain.from_shapes([Sphere((1.0, -2.0, 3.0), 1.5)])
    points = scattered(1000, 6.0)
    offset = points - [1.0, -2.0, 3.0]
    radius = np.linalg.norm(offset, axis=1)
    assert_allclose(terrain.height(points), radius - 1.5, atol=1e-12)
    assert_allclose(terrain.normal(points), offset / radius[:, None], atol=1e-12)
    assert_array_equal(terrain.inside(points), radius < 1.5)


def test_a_cylinder_lying_in_any_direction_has_its_closed_form():
    axis = np.array([1.0, 2.0, -0.5])
    terrain = Terrain.from_shapes([Cylinder((0.5, 0.0, 1.0), tuple(axis), length=4.0, radius=0.7)])
    axis /= np.linalg.norm(axis)
    points = scattered(2000, 5.0)
    offset = points - [0.5, 0.0, 1.0]
    along = offset @ axis
    side = np.linalg.norm(offset - along[:, None] * axis, axis=1) - 0.7
    cap = np.abs(along) - 2.0
    outside = np.hypot(np.maximum(side, 0.0), np.maximum(cap, 0.0))
    expected = np.where((side <= 0.0) & (cap <= 0.0), np.maximum(side, cap), outside)
    assert_allclose(terrain.height(points), expected, atol=1e-12)
    assert_array_equal(terrain.inside(points), expected < 0.0)


def test_a_turned_box_has_its_closed_form():
    terrain = Terrain.from_shapes([Box((1.0, 1.0, 0.5), (2.0, 1.0, 3.0), yaw_deg=30.0)])
    c, s = np.cos(np.pi / 6.0), np.sin(np.pi / 6.0)
    points = scattered(2000, 4.0)
    local = (points - [1.0, 1.0, 0.5]) @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    gap = np.abs(local) - [1.0, 0.5, 1.5]
    expected = np.where(gap.max(axis=1) <= 0.0, gap.max(axis=1), np.linalg.norm(np.maximum(gap, 0.0), axis=1))
    assert_allclose(terrain.height(points), expected, atol=1e-12)
    assert_allclose(terrain.normal([(1.0, 1.0, 3.0)]), [[0.0, 0.0, 1.0]], atol=1e-12)


@pytest.mark.parametrize(
    "shape",
    [Sphere((0.2, 0.1, 0.3), 1.0), Cylinder((0.1, 0.0, 0.2), (1, 1, 0.3), 3.0, 0.8), Box((0, 0, 0), (2, 3, 1), 20.0)],
)
def test_the_normal_of_a_shape_is_the_gradient_of_its_distance(shape):
    terrain = Terrain.from_shapes([shape])
    points = scattered(2000, 3.0)
    normals = terrain.normal(points)
    assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-12)
    wrong = np.abs(gradient_of_height(terrain, points) - normals).max(axis=1) > 1e-4
    assert wrong.sum() <= 2  # points within 1e-6 of an inner ridge have no gradient


def test_degenerate_places_still_have_a_unit_normal():
    terrain = Terrain.from_shapes([Sphere((0, 0, 0), 1.0)])
    assert_array_equal(terrain.normal([(0.0, 0.0, 0.0)]), [[0.0, 0.0, 1.0]])
    log = Terrain.from_shapes([Cylinder((0, 0, 0), (0, 1, 0), 4.0, 0.5)])
    assert_allclose(log.normal([(0.0, 0.0, 0.0)]), [[0.0, 0.0, 1.0]], atol=1e-12)
    post = Terrain.from_shapes([Cylinder((0, 0, 0), (0, 0, 1), 4.0, 0.5)])
    assert_allclose(np.linalg.norm(post.normal([(0.0, 0.0, 0.0)]), axis=1), 1.0)


def mixed_shapes(count: int, seed: int) -> list:
    random = np.random.default_rng(seed)
    shapes: list = []
    for _ in range(count):
        center = tuple(random.uniform([-30.0, -8.0, -0.5], [30.0, 8.0, 1.0]))
        turn = random.uniform(0.0, np.pi)
        shapes.append(
            Cylinder(center, (np.cos(turn), np.sin(turn), 0.2), random.uniform(1, 5), random.uniform(0.2, 0.6))
        )
        shapes.append(Sphere(center[::-1], random.uniform(0.2, 1.0)))
        shapes.append(Box(center[1:] + center[:1], tuple(random.uniform(0.2, 2.0, 3)), np.degrees(turn)))
    return shapes


def test_the_cell_list_finds_the_same_shape_as_asking_all_of_them():
    shapes = mixed_shapes(40, seed=2)
    together = Terrain.from_shapes(shapes)
    points = np.concatenate([scattered(1500, 10.0, seed=1), scattered(500, 60.0, seed=2)])
    single = np.array([Terrain.from_shapes([shape]).height(points) for shape in shapes])
    winner = single.argmin(axis=0)
    normals = np.array([Terrain.from_shapes([shape]).normal(points) for shape in shapes])
    assert_array_equal(together.height(points), single.min(axis=0))
    assert_array_equal(together.normal(points), normals[winner, np.arange(points.shape[0])])


def test_shapes_on_a_floor_combine_by_the_smallest_distance():
    logs = [RandomCylinders(count=250, area=(-30, -8, 30, 8), seed=3)]
    floor, shapes = Terrain.noise(seed=2, bounds=(-30, -30, 30, 30)), Terrain.from_shapes(logs)
    both = floor.with_shapes(logs)
    points = scattered(3000, 32.0) * [1.0, 0.5, 0.1]
    expected = np.minimum(floor.height(points), shapes.height(points))
    assert_array_equal(both.height(points), expected)
    from_floor = floor.height(points) <= shapes.height(points)
    assert 0.05 < from_floor.mean() < 0.95
    assert_array_equal(both.normal(points)[from_floor], floor.normal(points)[from_floor])
    assert_array_equal(both.normal(points)[~from_floor], shapes.normal(points)[~from_floor])
    assert_array_equal(both.inside(points), floor.inside(points) | shapes.inside(points))


def test_answers_do_not_depend_on_the_number_of_threads():
    terrain = Terrain.noise(bounds=BOUNDS).with_shapes(mixed_shapes(10, seed=4))
    points = scattered(5000, 20.0)
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        alone = terrain.height(points), terrain.normal(points), terrain.inside(points)
    finally:
        numba.set_num_threads(threads)
    for one, many in zip(alone, (terrain.height(points), terrain.normal(points), terrain.inside(points)), strict=True):
        assert_array_equal(one, many)


def test_adding_shapes_leaves_the_old_terrain_alone():
    plain = Terrain.flat()
    before = plain.ground.numbers.copy()
    assert plain.with_shapes([Sphere((0, 0, 0), 1.0)]).height([(0, 0, 2.0)]) == 1.0
    assert_array_equal(plain.ground.numbers, before)
    assert plain.height([(0, 0, 2.0)]) == 2.0


# -- odd points -----------------------------------------------------------------------------------------------------

WORLDS = {
    "flat": Terrain.flat,
    "noise": lambda: Terrain.noise(bounds=BOUNDS),
    "shapes": lambda: Terrain.from_shapes(mixed_shapes(3, seed=0)),
    "all": lambda: Terrain.noise(bounds=BOUNDS).with_shapes(mixed_shapes(3, seed=0)),
}


@pytest.mark.parametrize("name", WORLDS)
def test_points_far_away_have_finite_distances_and_unit_normals(name):
    ground = WORLDS[name]().ground
    for size in (1e3, 1e30, 1e300, np.inf):
        for direction in ((1, 0, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1), (1, 1, 1), (-1, -1, 1)):
            x, y, z = (size * part if part else 0.0 for part in direction)
            distance, nx, ny, nz = sample_ground(ground, x, y, z)
            assert np.isfinite(distance)
            assert nx * nx + ny * ny + nz * nz == pytest.approx(1.0)
            assert np.isfinite(ground_elevation(ground, x, y))


@pytest.mark.parametrize("name", WORLDS)
def test_a_point_that_is_not_a_number_is_answered_with_nan_and_up(name):
    ground = WORLDS[name]().ground
    for point in ((np.nan, 0.0, 0.0), (0.0, np.nan, 0.0), (0.0, 0.0, np.nan), (np.inf, -np.inf, np.nan)):
        distance, *normal = sample_ground(ground, *point)
        assert np.isnan(distance)
        assert normal == [0.0, 0.0, 1.0]


def test_a_world_without_floor_or_anything_is_still_finite():
    void = packed_ground(no_floor(), no_shapes(), no_mesh())
    assert np.isfinite(sample_ground(void, 0.0, 0.0, 0.0)).all()
    assert ground_elevation(void, 0.0, 0.0) == NO_FLOOR
    assert Terrain.from_shapes([Sphere((0, 0, 0), 1.0)]).elevation([(0.0, 0.0)]) == NO_FLOOR


@pytest.mark.parametrize("nothing", [[], np.zeros((0, 3)), np.zeros((0, 2))])
def test_no_points_give_no_answers(nothing):
    assert Terrain.flat().height(nothing).shape == (0,)


def test_no_points_give_no_normals():
    assert Terrain.flat().normal([]).shape == (0, 3)
    assert Terrain.flat().inside([]).shape == (0,)
    assert Terrain.flat().elevation([]).shape == (0,)


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([(0.0, np.nan, 0.0)], "point 0"),
        ([(0.0, 0.0, 0.0), (np.inf, 0.0, 0.0)], "point 1"),
        ([1.0, 2.0, 3.0], "shape"),
        (np.zeros((2, 4)), "shape"),
    ],
)
def test_bad_points_are_named(points, said):
    with pytest.raises(TerrainError, match=said):
        Terrain.flat().height(points)


def test_the_ground_cannot_be_written_to():
    ground = Terrain.flat().ground
    with pytest.raises(ValueError, match="read-only"):
        ground.numbers[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        ground.indices[0] = 1


NAN = float("nan")


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: Terrain.flat(elevation=NAN), "elevation"),
        (lambda: Terrain.flat(bounds=(0, 0, 0, 1)), "bounds"),
        (lambda: Terrain.flat(bounds=(0, 0, NAN, 1)), "bounds"),
        (lambda: Terrain.noise(amplitude=NAN), "amplitude"),
        (lambda: Terrain.noise(scale=0.0), "scale"),
        (lambda: Terrain.noise(octaves=0), "octaves"),
        (lambda: Terrain.noise(seed=-1), "seed"),
        (lambda: Terrain.noise(noise="cloud"), "kind"),
        (lambda: Terrain.noise(spacing=1e-3), "grid nodes"),
        (lambda: Terrain.gaussians([]), "hills"),
        (lambda: Terrain.gaussians([(0, 0, 1, -1)]), "width"),
        (lambda: Terrain.gaussians([(0, 0, 1)]), "hills"),
        (lambda: Terrain.gaussians([(0, NAN, 1, 1)]), "hills"),
        (lambda: Terrain.random_gaussians(count=0), "count"),
        (lambda: Terrain.random_gaussians(height=(2.0, 1.0)), "height"),
        (lambda: Terrain.random_gaussians(width=(0.0, 1.0)), "width"),
        (lambda: Terrain.from_shapes([]), "nothing to stand on"),
        (lambda: Sphere((0, 0, 0), -1.0), "radius"),
        (lambda: Sphere((0, 0, NAN), 1.0), "center"),
        (lambda: Sphere((0, 0), 1.0), "center"),
        (lambda: Sphere((0, 0, 0), float("inf")), "radius"),
        (lambda: Cylinder((0, 0, 0), (0, 0, 0), 1.0, 1.0), "axis"),
        (lambda: Cylinder((0, 0, 0), (1, 0, 0), 0.0, 1.0), "length"),
        (lambda: Cylinder((0, 0, 0), (1, 0, 0), 1.0, "wide"), "radius"),
        (lambda: Box((0, 0, 0), (1.0, 0.0, 1.0)), "size"),
        (lambda: Box((0, 0, 0), (1.0, 1.0, 1.0), NAN), "yaw"),
        (lambda: RandomCylinders(0, (0, 0, 1, 1)), "count"),
        (lambda: RandomCylinders(5, (0, 0, 0, 1)), "area"),
    ],
)
def test_bad_settings_are_refused_by_name(build, said):
    with pytest.raises(TerrainError, match=said):
        build()
