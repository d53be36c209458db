"""Single primitives against brute force: rows are cut to what is covered and widened to vectors, and no pixel may tell."""

import numpy as np
import pytest

from paludarium.systems.render.creatures.primitive_fields import (
    ALPHA,
    BOX,
    CAPSULE,
    CB,
    CONTACT,
    CR,
    DENT,
    ELLIPSOID,
    GLOW,
    H0,
    H1,
    HIGH,
    KIND,
    LEAF,
    LINE,
    P0,
    P1,
    PLATE,
    PRIMITIVE_FIELDS,
    R0,
    R1,
    RING,
    SHADOW,
    TILE_H,
    TILE_W,
    X0,
    X1,
    Y0,
    Y1,
    Z0,
    Z1,
)
from paludarium.systems.render.raster.film_kernel import film, film_curve, read_film
from paludarium.systems.render.raster.shade_kernel import VECTOR, pixel_range, vector_range
from paludarium.systems.render.raster.tiles_kernel import draw_items, draw_shadow
from paludarium.systems.render.scene.light import EMISSION, SHADOW_X, SHADOW_Y, light_vector

LIGHT = light_vector("day")
DARK = 0.25  # linear light of the empty tile
TAPER, BEVEL = 0.07, 0.2
QUARTER_STEP = 1e-3  # of a display byte: the radius of a short, tapered link is not known better in single precision
HALF_STEP = 0.54  # of a display byte: rounding takes 0.5 of it, the steps of the table the rest


def random_primitive(kind, rng):
    row = np.zeros(PRIMITIVE_FIELDS, dtype=np.float32)
    row[KIND], row[ALPHA], row[CR : CB + 1], row[[Z0, Z1]] = kind, 1.0, 4.0, HIGH  # much brighter than the tile
    row[[X0, Y0]] = rng.uniform((-5.0, -5.0), (TILE_W + 5.0, TILE_H + 5.0))
    angle, long, wide = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(9.0, 16.0), rng.uniform(9.0, 14.0)
    along, across = (np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))
    if kind in (LINE, CAPSULE, CONTACT):
        row[[X1, Y1]] = row[[X0, Y0]] + np.multiply(along, rng.choice([0.0, 3.0, 20.0]))
        row[[R0, R1]] = rng.uniform(0.7, 1.2, 2) if rng.uniform() < 0.4 else rng.uniform(1.5, 8.0, 2)
    elif kind == LEAF:
        row[[X1, Y1]] = row[[X0, Y0]] + np.multiply(along, 2.0 * long)
        row[R0], row[R1] = 0.4 * wide, 0.05
    elif kind == GLOW:
        row[X1] = 2.0 * long
    else:
        row[[X1, Y1]], row[[R0, R1]] = np.multiply(along, long), np.multiply(across, wide)
    row[P0] = {PLATE: TAPER, RING: TAPER, BOX: BEVEL}.get(kind, 0.0)
    row[P1] = 1.0 if kind == ELLIPSOID else 0.0
    return row


def drawn(row, shape=(TILE_H, TILE_W), left=0, top=0):
    tile = np.full((3, *shape), DARK, dtype=np.float32)
    surface, table = np.zeros((6, *shape), dtype=np.float32), np.ones((3, 256), dtype=np.float32)
    draw_items(row[None], np.zeros((2, 1), dtype=np.int32), 0, 1, LIGHT, table, tile, surface, left, top)
    return tile


def cover_of(row):
    """What each pixel's cover must be, from the outline of the kind alone."""
    y, x = np.mgrid[0:TILE_H, 0:TILE_W] + 0.5
    qx, qy = x - row[X0], y - row[Y0]
    kind = int(row[KIND])
    if kind in (LINE, CAPSULE):
        distance, radius, _ = to_link(row, x, y)
        return np.clip(radius - distance + 0.5, 0.0, 1.0)
    determinant = row[X1] * row[R1] - row[Y1] * row[R0]
    u, v = (qx * row[R1] - qy * row[R0]) / determinant, (qy * row[X1] - qx * row[Y1]) / determinant
    shortest = min(np.hypot(row[X1], row[Y1]), np.hypot(row[R0], row[R1]))
    if kind in (PLATE, RING):
        v = v / (1.0 - TAPER * u)
    edge = {
        PLATE: (u**4 + v**4) ** 0.25,
        RING: np.maximum(np.abs(v), (u**4 * (0.75 + 0.25 * v**2)) ** 0.25),
        ELLIPSOID: np.hypot(u, v),
        BOX: np.maximum(np.abs(u), np.abs(v)),
    }[kind]
    return np.clip((1.0 - edge) * shortest + 0.5, 0.0, 1.0)


def to_link(row, x, y):
    """Distance to the axis of a link, its radius there and the place along it."""
    dx, dy = row[X1] - row[X0], row[Y1] - row[Y0]
    t = np.clip(((x - row[X0]) * dx + (y - row[Y0]) * dy) / max(dx * dx + dy * dy, 1e-6), 0.0, 1.0)
    return np.hypot(x - row[X0] - t * dx, y - row[Y0] - t * dy), row[R0] + (row[R1] - row[R0]) * t, t


@pytest.mark.parametrize("kind", [LINE, CAPSULE, PLATE, RING, ELLIPSOID, BOX])
def test_exactly_the_covered_pixels_change(kind):
    rng = np.random.default_rng(kind)
    for _ in range(40):
        row = random_primitive(kind, rng)
        cover, changed = cover_of(row), np.abs(drawn(row) - DARK).max(axis=0) > 0.0
        assert changed[cover > 0.01].all()
        assert not changed[cover == 0.0][cover_near_nothing(row, cover)].any()


def cover_near_nothing(row, cover):
    """Which of the uncovered pixels are so far out that single precision cannot cover them; all but the very rim."""
    grown = row.copy()
    if int(row[KIND]) in (LINE, CAPSULE):
        grown[[R0, R1]] += np.float32(0.01)
    else:
        grown[[X1, Y1, R0, R1]] *= np.float32(1.001)
    return cover_of(grown)[cover == 0.0] == 0.0


@pytest.mark.parametrize("kind", [LINE, CAPSULE, PLATE, RING, ELLIPSOID, BOX, LEAF, GLOW, DENT])
def test_a_tile_of_any_width_shows_the_same_part_of_a_primitive(kind):
    """Narrow pictures cannot be widened to vectors and are drawn pixel by pixel: the two ways must agree."""
    rng = np.random.default_rng(100 + kind)
    for _ in range(10):
        row = random_primitive(kind, rng)
        whole = drawn(row)
        for left, width in ((0, 5), (13, 7), (30, 34)):
            part = drawn(row, (TILE_H, width), left)
            np.testing.assert_allclose(part, whole[:, :, left : left + width], rtol=0.0, atol=2e-4)


@pytest.mark.parametrize("kind", [LINE, CONTACT])
def test_a_shadow_is_its_formula_at_every_pixel(kind):
    rng = np.random.default_rng(200 + kind)
    for _ in range(40):
        row = random_primitive(kind, rng)
        row[[X0, X1, Y0, Y1]] *= np.float32(2.0)
        row[SHADOW], row[[H0, H1]] = rng.uniform(0.2, 1.0), rng.uniform(0.0, 12.0, 2) * (kind == LINE)
        shadow = np.zeros((TILE_H + 2, TILE_W + 2), dtype=np.float32)
        draw_shadow(row[None], 0, LIGHT, shadow, 0, 0, TILE_W, TILE_H, 1)
        np.testing.assert_allclose(shadow[1:-1, 1:-1], shadow_formula(row), rtol=0.0, atol=QUARTER_STEP)
        assert not shadow[[0, -1]].any()
        assert not shadow[:, [0, -1]].any()


def shadow_formula(row):
    half, (y, x) = row.astype(float), np.mgrid[0:TILE_H, 0:TILE_W] + 0.5
    for px, py, h in ((X0, Y0, H0), (X1, Y1, H1)):
        half[px], half[py] = half[px] + row[h] * LIGHT[SHADOW_X], half[py] + row[h] * LIGHT[SHADOW_Y]
    half[[X0, Y0, X1, Y1, R0, R1]] *= 0.5
    distance, radius, t = to_link(half, x, y)
    if row[KIND] == CONTACT:
        return np.clip(1.0 - distance**2 / (1.96 * radius**2), 0.0, 1.0) ** 2 * row[SHADOW]
    edge = 0.6 + 0.1 * (row[H0] + (row[H1] - row[H0]) * t)
    return np.clip((radius + 0.5 * edge - distance) / edge, 0.0, 1.0) * np.minimum(2.0 * radius / edge, 1.0) * row[SHADOW]


def test_a_glow_reaches_its_radius_and_no_further():
    row = random_primitive(GLOW, np.random.default_rng(5))
    row[[X0, Y0, X1]] = 30.3, 21.7, 17.0
    y, x = np.mgrid[0:TILE_H, 0:TILE_W] + 0.5
    q = ((x - row[X0]) ** 2 + (y - row[Y0]) ** 2) / row[X1] ** 2
    gain = np.maximum(1.0 - q, 0.0) ** 2 / (1.0 + 7.0 * q) * LIGHT[EMISSION] * (0.10 + DARK) * 1.3
    np.testing.assert_allclose(drawn(row), np.broadcast_to(DARK + row[CR] * gain, (3, TILE_H, TILE_W)), rtol=1e-4)


def test_ranges_hold_the_pixels_whose_middle_lies_inside():
    rng = np.random.default_rng(0)
    for _ in range(300):
        low, length, start = rng.uniform(-80.0, 200.0), rng.uniform(0.0, 90.0), rng.integers(0, 100)
        first, last = pixel_range(np.float32(low), np.float32(low + length), int(start), TILE_W)
        middles = np.arange(TILE_W) + start + 0.5
        inside = np.flatnonzero((middles >= np.float32(low)) & (middles <= np.float32(low + length)))
        assert list(range(first, last)) == list(inside)


def test_ranges_widen_to_whole_vectors_within_the_tile():
    for size in (5, 8, 34, TILE_W):
        for first in range(size):
            for last in range(first + 1, size + 1):
                begin, end = vector_range(first, last, size)
                assert 0 <= begin <= first
                assert last <= end <= size
                assert (end - begin) % VECTOR == 0 or (begin, end) == (first, last)
                assert end - begin < last - first + VECTOR


@pytest.mark.parametrize(("developed", "farthest"), [(film, 0.501), (read_film, HALF_STEP)])
def test_film_follows_its_curve_for_every_light(developed, farthest):
    values = np.arange(0, np.float32(16.0).view(np.int32), 4099, dtype=np.int32).view(np.float32)
    shown = np.array([developed(value) for value in values])
    assert np.abs(shown - film_curve(values.astype(float))).max() < farthest
    assert (np.diff(shown) >= 0).all()
    assert [developed(np.float32(value)) for value in (0.0, 1e30, np.inf)] == [0, 255, 255]


@pytest.mark.parametrize("developed", [film, read_film])
def test_negative_light_and_what_is_no_number_are_black(developed):
    assert [developed(np.float32(value)) for value in (-0.3, -np.inf)] == [0, 0]
    assert developed(np.float32(np.nan)) == 0
