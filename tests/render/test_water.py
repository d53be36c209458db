"""The parts that water is made of, against closed forms."""

import numpy as np

from paludarium.systems.render import Camera, Ground, Renderer, Scene
from paludarium.systems.render.creatures.primitive_fields import TILE_H, TILE_W
from paludarium.systems.render.output.image import rgb_bytes
from paludarium.systems.render.raster.frame import WaterView
from paludarium.systems.render.water.ripple_kernel import mix_texels
from paludarium.systems.render.water.row_blend_kernel import mix_packed
from paludarium.systems.render.water.underwater_kernel import WET, pack_passing
from paludarium.systems.render.water.wave_kernel import NODE_COLUMNS, NODE_ROWS, NODE_STEP, NODES, wave_nodes

SCALE, CELL = 16.0, 0.25  # px per unit, units
CELLS = 60
BEND_X, BEND_Y, LEAN = 0.3, -0.2, 0.1  # heights are a bowl: 0.15 x^2 - 0.1 y^2 + 0.1 x


def nodes_of_a_bowl(left, top, cells_kept=CELLS):
    """Slopes and curvature at the nodes of the tile whose first pixel is (left, top); the grid begins at world (0, 0)."""
    x = np.arange(CELLS) * CELL
    height = (0.5 * BEND_X * x[None, :] ** 2 + 0.5 * BEND_Y * x[:, None] ** 2 + LEAN * x[None, :]).astype(np.float32)
    water = WaterView(
        heights=height, texture=height, fades=height, picture_x=0.0, picture_y=0.0, scale=SCALE, grid_x=0.0, grid_y=0.0,
        cell=CELL, time=0.0, step=4, rows=1, refraction=True,
    )  # fmt: skip
    out = np.full((3, NODES), np.nan, np.float32)
    scratch = np.empty(12 * (NODE_COLUMNS + 1), np.float32)
    wave_nodes(water, left, top, scratch, np.empty((3, cells_kept), np.float32), *out)
    return out.reshape(3, NODE_ROWS, NODE_COLUMNS)


def test_slopes_and_curvature_of_a_bowl_are_exact():
    """Cubic splines have the slopes and the curvature of a parabola. Screen rows run south: y is -top at the first one."""
    left, top = 24, -160
    slope_x, slope_y, bend = nodes_of_a_bowl(left, top)
    x, y = (left + NODE_STEP * np.arange(NODE_COLUMNS)) / SCALE, -(top + NODE_STEP * np.arange(NODE_ROWS)) / SCALE
    np.testing.assert_allclose(slope_x, np.broadcast_to(BEND_X * x + LEAN, slope_x.shape), atol=2e-5)
    np.testing.assert_allclose(slope_y, np.broadcast_to(-BEND_Y * y[:, None], slope_y.shape), atol=2e-5)
    np.testing.assert_allclose(bend, BEND_X + BEND_Y, atol=2e-4)


def test_the_surface_rests_outside_its_grid():
    slope_x, slope_y, bend = nodes_of_a_bowl(-32, -160)
    outside = (-32 + NODE_STEP * np.arange(NODE_COLUMNS)) / SCALE < CELL  # the first cell has no neighbour to the west
    for plane in (slope_x, slope_y, bend):
        assert not plane[:, outside].any()
    assert (slope_x[:, ~outside] > LEAN).all()
    for left, top in ((5000, -160), (-5000, -160), (24, 5000), (24, -5000)):
        assert not nodes_of_a_bowl(left, top).any()


def test_a_grid_much_finer_than_the_pixels_rests():
    assert not nodes_of_a_bowl(24, -160, cells_kept=8).any()


def test_rows_of_texels_are_mixed_and_repeat():
    texture = np.random.default_rng(2).random((256, 1024), dtype=np.float32)
    out = np.zeros(4 * 600, np.float32)
    for v, first in ((3.25, 250), (255.5, -3), (-0.75, 0)):
        mix_texels(texture, np.float32(v), first, 600, out)
        low, b = int(np.floor(v)), v - np.floor(v)
        row = (1.0 - b) * texture[low % 256] + b * texture[(low + 1) % 256]
        np.testing.assert_allclose(out.reshape(-1, 4), row.reshape(256, 4)[(first + np.arange(600)) % 256], atol=1e-6)


def test_packed_light_that_passes_is_good_to_ten_bits_and_says_what_is_wet():
    table = np.exp(-np.array([[1.7], [0.5], [0.4]]) * np.arange(256) / 64.0).astype(np.float32)
    packed = np.zeros(256, np.uint32)
    pack_passing(table, packed)
    for c in range(3):
        np.testing.assert_allclose(((packed >> np.uint32(10 * c)) & 1023) / 1023.0, table[c], atol=0.5 / 1023.0 + 1e-6)
    np.testing.assert_array_equal(packed >= WET, np.arange(256) > 0)


def test_packed_rows_between_are_mixed_by_their_distance():
    for height, stride in ((TILE_H, 4), (TILE_H, 2), (7, 4), (1, 2)):
        picture = np.random.default_rng(5).integers(0, 1 << 24, (TILE_H + 3, TILE_W + 5)).astype(np.uint32)
        mixed = picture.copy()
        mix_packed(mixed, 3, 5, height, TILE_W, stride)
        made = sorted({*range(0, height, stride), height - 1})
        kept, before = rgb_bytes(mixed).astype(float), rgb_bytes(picture).astype(float)
        for y in range(height):
            low, high = max(k for k in made if k <= y), min(k for k in made if k >= y)
            b = (y - low) / max(high - low, 1)
            want = (1.0 - b) * before[3 + low, 5:] + b * before[3 + high, 5:]
            np.testing.assert_allclose(kept[3 + y, 5:], want, atol=1.6)  # parts of 256, then rounded
        np.testing.assert_array_equal(mixed[:3], picture[:3])
        np.testing.assert_array_equal(mixed[:, :5], picture[:, :5])


def test_a_flat_shore_shows_no_lines_of_equal_depth():
    """Depth is kept in bytes of 1/64 unit. On a shore so flat that each is 20 pixels wide, none of their edges is seen."""
    size, scale = (320, 120), 16.0
    x = np.arange(-20.0, 21.0)
    ground = Ground(np.tile(-0.0125 * x, (41, 1)), (-20.0, -20.0), 1.0, water_level=0.0, stone_size=0.0, plant_density=0.0)
    renderer, camera = Renderer(size), Camera(size, (4.0, 0.0), scale)
    renderer.prepare(Scene(ground=ground), camera)
    renderer.draw(Scene(ground=ground), camera, 0.0)
    steps = np.diff(rgb_bytes(renderer.pixels).astype(float), axis=1)
    assert np.abs(steps).max() < 32  # 23, grains of sand; lines of equal depth 46
