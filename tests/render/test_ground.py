"""The terrain picture: seamless chunks, a budget, and water where the ground is low."""

import numpy as np

from paludarium.systems.render.ground_bake import CHUNK, GroundPicture, bake, ladder_scale
from paludarium.systems.render.light import light_vector
from paludarium.systems.render.scene import Ground

LIGHT = light_vector("day")
HILLS = Ground(np.add.outer(np.sin(np.arange(40) * 0.4), np.cos(np.arange(40) * 0.3)), (-30.0, -30.0), 1.5, water_level=0.0)


def channels(packed):
    return ((packed[..., None] >> np.array([24, 16, 8, 0], dtype=np.uint32)) & 255).astype(int)


def test_neighbouring_chunks_join_without_a_seam():
    size = 64
    whole = channels(bake(HILLS, LIGHT, 9.0, [(0, 0)], 2 * size)[0])
    corners = [(0, 0), (size, 0), (0, size), (size, size)]
    a, b, c, d = (channels(square) for square in bake(HILLS, LIGHT, 9.0, corners, size))
    joined = np.vstack([np.hstack([a, b]), np.hstack([c, d])])
    # running sums round differently in regions of different size, plants at an edge are cut: one step is allowed
    assert np.quantile(np.abs(joined - whole), 0.99) <= 2
    seam = np.abs(np.diff(joined[:, size - 1 : size + 1, 1:], axis=1)).mean()
    assert seam < 1.6 * np.abs(np.diff(joined[:, :, 1:], axis=1)).mean()


def test_depth_byte_marks_exactly_the_low_ground():
    flat = Ground(np.full((4, 4), -1.0), (-50.0, -50.0), 30.0, water_level=0.0, stone_size=0.0)
    depth = channels(bake(flat, LIGHT, 9.0, [(0, 0)], 64)[0])[..., 0]
    assert abs(depth.mean() / 64.0 - 1.0) < 0.1
    dry = Ground(np.full((4, 4), 1.0), (-50.0, -50.0), 30.0, water_level=0.0, stone_size=0.0)
    assert channels(bake(dry, LIGHT, 9.0, [(0, 0)], 64)[0])[..., 0].max() == 0


def test_no_water_level_means_no_water():
    pit = Ground(np.full((4, 4), -9.0), (-50.0, -50.0), 30.0)
    assert channels(bake(pit, LIGHT, 9.0, [(0, 0)], 64)[0])[..., 0].max() == 0


def test_budget_limits_the_work_of_a_frame_and_the_picture_improves():
    store, background = GroundPicture(), np.zeros((2 * CHUNK, 2 * CHUNK), dtype=np.uint32)
    arguments = (HILLS, "day", LIGHT, 9.0, 0, 0)
    assert store.fill(background, *arguments, 1)
    coarse = background.copy()
    assert (coarse > 0).all()
    while store.fill(background, *arguments, 1):
        pass
    full = np.zeros_like(background)
    GroundPicture().fill(full, *arguments, 1000)
    np.testing.assert_array_equal(background, full)
    assert (coarse != full).any()
    difference = np.abs(channels(coarse) - channels(full))[..., 1:].mean()
    assert difference < 25  # the fallback shows the same place


def test_a_new_version_of_the_terrain_is_baked_again():
    store, background = GroundPicture(), np.zeros((CHUNK, CHUNK), dtype=np.uint32)
    store.fill(background, HILLS, "day", LIGHT, 9.0, 0, 0, 9)
    before = background.copy()
    raised = Ground(HILLS.elevation + 3.0, HILLS.origin, HILLS.cell, water_level=0.0, version=1)
    assert store.fill(background, raised, "day", LIGHT, 9.0, 0, 0, 9)
    assert (background != before).mean() > 0.5


def test_stones_stand_out_of_the_ground_and_throw_shadows():
    plain = Ground(np.zeros((4, 4)), (-50.0, -50.0), 30.0, stone_size=0.0, plant_density=0.0)
    stony = Ground(plain.elevation, plain.origin, plain.cell, stone_size=0.0, plant_density=0.0,
                   stones=np.array([[3.5, -3.5, 1.2, 0.9]]))  # fmt: skip
    a, b = (channels(bake(g, LIGHT, 18.0, [(0, 0)], CHUNK)[0])[..., 1:].sum(axis=2) for g in (plain, stony))
    rows, columns = np.nonzero(np.abs(a - b) > 60)
    assert rows.size > 200
    middle = 3.5 * 18.0
    darker = np.argwhere(a - b > 150)
    assert darker.mean() > middle  # away from the upper left sun


def test_zoom_ladder_never_enlarges():
    for scale in np.geomspace(1.0, 100.0, 37):
        assert 1.0 - 1e-6 <= ladder_scale(float(scale)) / scale <= 2**0.5 + 1e-6
    assert ladder_scale(18.0) == 18.0


def test_where_there_is_no_ground_the_backdrop_is_dark_up_to_the_outline():
    x = np.arange(-16.0, 16.5, 0.5)
    away = np.hypot(*np.meshgrid(x, x)) - 6.0
    ball = Ground(np.sqrt(np.maximum(36.0 - (away + 6.0) ** 2, 0.0)), (-16.0, -16.0), 0.5, clearance=away)
    size, scale = 256, 9.0
    linear = (channels(bake(ball, LIGHT, scale, [(-128, -128)], size)[0])[..., 1:] ** 2).sum(axis=2)
    place = (np.arange(size) - 127.5) / scale
    radius = np.hypot(*np.meshgrid(place, place))
    assert np.median(linear[radius < 2.0]) > 4.0 * np.median(linear[radius > 6.3])
    outside = np.abs(radius - 6.2) < 0.05  # two pixels beside the outline
    assert np.percentile(linear[outside], 90) < 0.5 * np.median(linear[radius < 2.0])
