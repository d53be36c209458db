"""The terrain picture: seamless chunks, a budget, and water where the ground is low."""

from dataclasses import replace

import numpy as np
import pytest

from paludarium.systems.render.ground.chunk_batch import GroundBatch, bake
from paludarium.systems.render.ground.chunks import BLURRED, CHUNK, COARSELY, EVERYTHING, ladder_scale
from paludarium.systems.render.ground.ground_view import GroundView
from paludarium.systems.render.ground.paint_kernel import add_noise, noise_rows
from paludarium.systems.render.ground.picture_noise_kernel import fractal, layer_table, noise2
from paludarium.systems.render.ground.placeholder import resampled
from paludarium.systems.render.renderer import PARTS_PER_FRAME
from paludarium.systems.render.scene.camera import Camera
from paludarium.systems.render.scene.light import light_vector
from paludarium.systems.render.scene.scene import Ground, Scene

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


def view_of(center, scale=9.0, ground=HILLS):
    return Scene(ground=ground), Camera((2 * CHUNK, 2 * CHUNK), center, scale)


def painted(center, scale=9.0, ground=HILLS):
    """The ground freshly painted, all of it at once."""
    view = GroundView(2 * CHUNK, 2 * CHUNK)
    view.show(*view_of(center, scale, ground), LIGHT, EVERYTHING)
    return view.background


def settle(view, center, scale=9.0, ground=HILLS):
    """Show the ground until nothing is missing any more; returns the number of frames."""
    quiet = frames = 0
    while quiet < 40:  # chunks around the view are painted too, which does not show
        quiet = 0 if view.show(*view_of(center, scale, ground), LIGHT, 8) else quiet + 1
        frames += 1
    return frames - quiet


def test_the_work_of_a_frame_is_limited_and_the_picture_improves():
    view = GroundView(2 * CHUNK, 2 * CHUNK)
    assert view.show(*view_of((0.0, 0.0)), LIGHT, 1)
    coarse = view.background.copy()
    assert (coarse > 0).all()
    full = painted((0.0, 0.0))
    assert (coarse != full).any()
    assert np.abs(channels(coarse) - channels(full))[..., 1:].mean() < 25  # the fallback shows the same place
    assert settle(view, (0.0, 0.0)) > 3
    np.testing.assert_array_equal(view.background, full)


def blocks(picture, size=16):
    """Mean colours of squares."""
    rows, columns, _ = picture.shape
    return picture[..., 1:].reshape(rows // size, size, columns // size, size, 3).mean(axis=(1, 3))


@pytest.mark.parametrize(("scale", "rim"), [(9.5, False), (18.0, False), (6.0, False), (4.5, True)])
def test_after_a_zoom_step_the_same_place_is_shown_at_once_and_soon_in_all_detail(scale, rim):
    """Closer views come from the step before, much wider ones have a rim that was never painted."""
    view = GroundView(2 * CHUNK, 2 * CHUNK)
    settle(view, (0.0, 0.0))
    assert view.show(*view_of((0.0, 0.0), scale), LIGHT, 1)
    first, full = channels(view.background), channels(painted((0.0, 0.0), scale))
    assert (first[..., 1:].sum(axis=2) > 0).all()
    assert np.abs(blocks(first) - blocks(full)).mean() < 12
    quality = {chunk.quality for key, chunk in view._store._chunks.items() if key[2] == ladder_scale(scale)}
    assert BLURRED in quality if rim else quality == {COARSELY}  # nothing is painted that is known
    settle(view, (0.0, 0.0), scale)
    np.testing.assert_array_equal(channels(view.background), full)


def test_a_chunk_resampled_from_another_zoom_step_lies_where_it_did():
    """One byte counts columns, another one rows; twice as large they count half as fast."""
    x = np.arange(2 * CHUNK, dtype=np.uint32)
    whole = np.add.outer(x, x << 8).astype(np.uint32)
    known = {(i, j): whole[j * CHUNK : (j + 1) * CHUNK, i * CHUNK : (i + 1) * CHUNK] for i in range(2) for j in range(2)}
    found = resampled(known.get, 0.5, [(1, 1), (2, 1), (3, 3), (1, 5)], CHUNK)
    assert list(found) == [(1, 1), (2, 1)]  # what lies beside (3, 3), and all of (1, 5), is not known
    for (cx, cy), pixels in found.items():
        columns, rows = ((np.arange(CHUNK) + k * CHUNK + 0.5) / 2 - 0.5 for k in (cx, cy))
        bytes_ = channels(pixels)
        assert np.abs(bytes_[..., 2] - columns).max() < 1.0
        assert np.abs(bytes_[..., 3] - rows[:, None]).max() < 1.0
        assert not bytes_[..., :2].any()


def test_rows_of_noise_are_the_noise_of_their_points():
    layers = layer_table((0.55, 3.0, 3, 41), (9.1, 0.0, 1, 12))
    for step in (1.0 / 18.0, 8.0):  # many columns per lattice point, and many points per column
        rows = np.empty((4, 50), dtype=np.float32)
        kept = noise_rows(-7.3, step, layers, 50)
        for y in (2.0, 1.95, -40.3):
            add_noise(y, 7, layers, 0, 4, kept, rows)
            exact = [sum_of_layer(layer, -7.3 + step * np.arange(50), y) for layer in layers]
            np.testing.assert_allclose(rows, exact, atol=2e-6)


def sum_of_layer(layer, x, y):
    frequency, shift_x, shift_y, seed = layer
    return [noise2(a * frequency + shift_x, y * frequency + shift_y, 7 + int(seed)) for a in x]


def test_a_layer_table_holds_the_octaves_of_a_fractal():
    layers = layer_table((0.27, 0.0, 3, 101))
    total = sum(0.5**k * noise2(3.1 * f + sx, -8.2 * f + sy, int(seed)) for k, (f, sx, sy, seed) in enumerate(layers))
    assert total == pytest.approx(fractal(3.1 * 0.27, -8.2 * 0.27, 3, 101), abs=1e-6)


def test_a_large_stone_at_the_edge_of_chunks_is_the_same_in_both():
    """Its middle lies outside of the region that the other chunk looks at."""
    slope = Ground(np.add.outer(np.zeros(8), 0.4 * np.arange(8)), (-20.0, -20.0), 6.0, stone_size=0.0, plant_density=0.0,
                   stones=np.array([[5.4, -1.8, 2.4, 1.5]]))  # fmt: skip
    scale, size = 36.0, CHUNK
    a, b, c = (channels(square) for square in bake(slope, LIGHT, scale, [(0, 0), (size, 0), (64, 0)], size))
    np.testing.assert_allclose(a[:, 64:], c[:, :64], atol=3)
    np.testing.assert_allclose(b[:, :64], c[:, 64:], atol=3)


@pytest.mark.parametrize("scale", [9.0, 8.0])  # a zoom step, and a scale between two
def test_a_scrolled_ground_is_the_same_as_a_freshly_painted_one(scale):
    view = GroundView(2 * CHUNK, 2 * CHUNK)
    for step in range(30):
        view.show(*view_of((0.5 * step, -0.3 * step), scale), LIGHT, 2)
    settle(view, (14.5, -8.7), scale)
    np.testing.assert_array_equal(channels(view.background), channels(painted((14.5, -8.7), scale)))


def test_what_comes_into_view_slowly_is_ready_before():
    """A walker's camera: every frame shows what painting everything at once would show."""
    view = GroundView(2 * CHUNK, 2 * CHUNK)
    view.show(*view_of((0.0, 0.0)), LIGHT, EVERYTHING)
    settle(view, (0.0, 0.0))
    for step in range(1, 181):
        place = (step * 3.2 / 60.0, 0.0)
        view.show(*view_of(place), LIGHT, PARTS_PER_FRAME)
        if step % 60 == 0:
            np.testing.assert_array_equal(view.background, painted(place))


def test_a_new_version_of_the_terrain_is_baked_again():
    view, raised = GroundView(2 * CHUNK, 2 * CHUNK), replace(HILLS, elevation=HILLS.elevation + 3.0, version=1)
    view.show(*view_of((0.0, 0.0)), LIGHT, EVERYTHING)
    before = view.background.copy()
    settle(view, (0.0, 0.0), ground=raised)
    assert (view.background != before).mean() > 0.5
    np.testing.assert_array_equal(view.background, painted((0.0, 0.0), ground=raised))


def test_a_moved_rock_changes_only_the_chunks_around_it_and_those_completely():
    first, second = (replace(HILLS, stones=np.array([[x, 3.0, 1.2, 0.9]]), version=x) for x in (3, 5))
    view = GroundView(8 * CHUNK, 2 * CHUNK)
    camera = Camera((8 * CHUNK, 2 * CHUNK), (0.0, 0.0), 9.0)
    view.show(Scene(ground=first), camera, LIGHT, EVERYTHING)
    for _ in range(80):
        view.show(Scene(ground=second), camera, LIGHT, 8)
    fresh = GroundView(8 * CHUNK, 2 * CHUNK)
    fresh.show(Scene(ground=second), camera, LIGHT, EVERYTHING)
    np.testing.assert_array_equal(view.background, fresh.background)
    far_away = [chunk for (*_, column, _row), chunk in view._store._chunks.items() if abs(column) >= 3]
    assert far_away
    assert {chunk.version for chunk in far_away} == {5}  # taken over, not painted anew
    assert view.show(Scene(ground=replace(second, version=6)), camera, LIGHT, 8) is False


def test_parts_of_the_work_add_up_to_the_whole():
    corners = [(0, 0), (CHUNK, -CHUNK)]
    batch = GroundBatch(HILLS, LIGHT, 9.0, corners, CHUNK)
    steps = 0
    while not batch.finished:
        batch.advance(3)
        steps += 1
    assert steps > 4
    np.testing.assert_array_equal(batch.packed, bake(HILLS, LIGHT, 9.0, corners, CHUNK))


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
