"""Fishes in the picture: skins stay on bodies, depth is seen, tiles have no seams, threads change nothing."""

import numba
import numpy as np
import pytest

from paludarium.components.fish.scales import COLOURS, PATTERNS, ScalesSpec
from paludarium.components.fish.springs import SpringSpec, blueprint_of
from paludarium.components.parameters import parameter_row
from paludarium.systems.fish.painter import FishGroup, look_rows
from paludarium.systems.fish.painter.looks import SKIN
from paludarium.systems.fish.painter.skin_patterns import paint_skin
from paludarium.systems.render import Camera, Ground, Renderer, Scene
from paludarium.systems.render.creatures.primitive_fields import KIND, LOFT, TILE_H, TILE_W
from paludarium.systems.render.creatures.sheet import View, new_sheet
from paludarium.systems.render.creatures.skins import (
    MOST_SKINS,
    SHELF,
    SKIN_LENGTH,
    SKIN_ROUND,
    SKIN_TEXELS,
    SkinShelf,
    diamond,
    packed_skin,
    skin_places,
)
from paludarium.systems.render.raster.loft_kernel import draw_loft
from paludarium.systems.render.scene.light import light_vector, set_depths
from paludarium.systems.render.water.row_blend_kernel import SURFACE_PLANES
from paludarium.systems.render.water.underwater_kernel import no_surface

SIZE = (320, 200)
RED, BLUE, ORANGE = (0.94, 0.12, 0.06), (0.06, 0.12, 0.94), (0.94, 0.31, 0.06)
REST = blueprint_of(SpringSpec(length=8.0)).rest
DEEP = Ground(np.full((80, 80), -20.0), (-40.0, -40.0), 1.0, ponds=np.array([[-99.0, -99.0, 99.0, 99.0, 0.0]]), clarity=6.0)


def rolled(at, heading=0.0, roll=0.0):
    """The nodes of a straight fish."""
    c, s = np.cos(roll), np.sin(roll)
    nodes = (REST + (4.0, 0.0, 0.0)) @ np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
    c, s = np.cos(heading), np.sin(heading)
    return nodes @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) + at


def looks(count, **words):
    spec = ScalesSpec(**words)
    colours = np.array([[getattr(spec, name) for name in COLOURS]] * count, dtype=np.float32)
    return look_rows(np.array([parameter_row(spec)] * count), colours, np.arange(count))


def picture(nodes, table, scale=16.0):
    renderer, camera = Renderer(SIZE), Camera(SIZE, (0.0, 0.0), scale)
    scene = Scene(DEEP, (FishGroup(np.array(nodes), table),))
    renderer.prepare(scene, camera)
    renderer.draw(scene, camera, time=2.0)
    return renderer.pixels.copy()


def colours_of(pixels):
    return np.stack([pixels >> 16 & 255, pixels >> 8 & 255, pixels & 255], axis=-1).astype(float)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_pattern_is_a_skin_and_individuals_differ(pattern):
    spec = ScalesSpec(pattern=pattern)
    colours = np.array([getattr(spec, name) for name in COLOURS])
    one, again, other = (paint_skin(parameter_row(spec), colours, seed) for seed in (1, 1, 2))
    assert one.shape == (SKIN_TEXELS,)
    assert (one == again).all()
    assert (one != other).any()


def test_places_round_a_body_are_angles():
    along, cosine, sine = skin_places()
    assert np.allclose(np.hypot(cosine, sine), 1.0)
    assert np.allclose(diamond(cosine, sine)[0], (np.arange(SKIN_ROUND) + 0.5) * 4.0 / SKIN_ROUND)
    assert along.shape == (SKIN_LENGTH, 1)


def test_the_shelf_grows_keeps_and_forgets():
    shelf = SkinShelf()
    first = shelf.place("first", lambda: np.full(SKIN_TEXELS, 7, np.uint32))
    for k in range(MOST_SKINS):
        shelf.place("first", lambda: np.zeros(SKIN_TEXELS, np.uint32))  # asked for: it stays
        shelf.place(k, lambda k=k: np.full(SKIN_TEXELS, k, np.uint32))
    assert shelf.place("first", lambda: np.zeros(SKIN_TEXELS, np.uint32)) == first
    assert shelf.texels[first, 0] == 7
    assert len(shelf.texels) <= MOST_SKINS


def test_a_roll_shows_the_flank():
    _, cosine, _ = skin_places()
    left = np.broadcast_to(cosine > 0.0, (SKIN_LENGTH, SKIN_ROUND))[..., None]
    skin = packed_skin(np.where(left, (1.0, 0.1, 0.1), (0.1, 0.1, 1.0)), np.zeros((1, 1)))
    table = looks(1)
    table[0, SKIN] = SHELF.place("red left, blue right", lambda: skin)
    amounts = []
    for roll in (-1.2, 0.0, 1.2):
        seen = colours_of(picture([rolled((0.0, 0.0, -1.0), roll=roll)], table))
        red, blue = (seen[..., 0] > seen[..., 2] + 30).sum(), (seen[..., 2] > seen[..., 1] + 30).sum()
        amounts.append(red / max(red + blue, 1))
    assert sorted(amounts, reverse=bool(amounts[0] > amounts[2])) == amounts
    assert max(amounts[0], amounts[2]) > 0.8
    assert min(amounts[0], amounts[2]) < 0.2


def test_who_is_deeper_looks_more_like_the_water():
    table = looks(1, back=ORANGE, flank=ORANGE, belly=ORANGE)
    empty, off = colours_of(picture([], np.zeros((0, table.shape[1]), np.float32))), []
    for depth in (1.0, 4.0, 8.0, 16.0):
        off.append(np.abs(colours_of(picture([rolled((0.0, 0.0, -depth))], table)) - empty).sum())
    assert (np.diff(off) < 0.0).all()
    assert off[-1] > 0.0


def test_who_swims_above_is_drawn_above():
    table = np.concatenate([looks(1, back=RED, flank=RED), looks(1, back=BLUE, flank=BLUE)])
    middles = []
    for red, blue in ((-1.0, -4.0), (-4.0, -1.0)):
        seen = colours_of(picture([rolled((0.0, 0.0, red)), rolled((0.0, 0.0, blue), heading=1.5)], table))
        middles.append(seen[SIZE[1] // 2, SIZE[0] // 2])
    assert middles[0][0] > middles[0][2]
    assert middles[1][2] > middles[1][0]


def test_threads_change_nothing_and_numbers_that_are_none_draw_nothing():
    table = looks(3, pattern="koi")
    nodes = [rolled((0.0, 0.0, -1.0)), rolled((3.0, 2.0, -5.0), 2.0, 0.7), np.full((23, 3), np.nan)]
    several = picture(nodes, table)
    before = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        assert (picture(nodes, table) == several).all()
        assert (picture(nodes[:2], table[:2]) == several).all()
    finally:
        numba.set_num_threads(before)


def test_tiles_have_no_seams():
    """The same pixels whichever tile they are in."""
    view = View(0.0, 0.0, 9.0, 120.0, 80.0, 9.0, 0.0, False, 0.0, 0.0, 1.0, np.zeros((2, 2)), np.zeros((0, 5)), 0.0, 1.0)
    sheet = new_sheet(256)
    group = FishGroup(np.array([rolled((0.0, 0.0, 2.0), 0.7, 0.4)]), looks(1, pattern="bars"))
    count = group.put(sheet, 0, view)
    loft = int(np.flatnonzero(sheet.prims[:count, KIND] == LOFT)[0])
    light = light_vector("day")
    set_depths(light, 9.0, 1.0)
    whole = np.full((2, 3, 120, 180), np.nan, np.float32)
    surface = np.zeros((SURFACE_PLANES + 1, TILE_H, TILE_W), np.float32)
    no_surface(surface, 0, TILE_H)
    for which, (right, down) in enumerate(((0, 0), (23, 17))):
        for left in range(-right, 120, TILE_W):
            for top in range(-down, 80, TILE_H):
                tile = np.full((3, TILE_H, TILE_W), 0.2, np.float32)
                draw_loft(sheet.prims, loft, SHELF.texels, light, np.ones((3, 256), np.float32), tile, surface, left, top)
                at = (slice(max(top, 0), top + TILE_H), slice(max(left, 0), left + TILE_W))
                whole[which][:, at[0], at[1]] = tile[:, max(-top, 0) :, max(-left, 0) :]
    assert (whole[0][:, :80, :120] == whole[1][:, :80, :120]).all()
    assert (whole[0][:, :80, :120] != np.float32(0.2)).any()


def test_a_sheet_that_is_too_small_is_said_to_be_full():
    view = View(0.0, 0.0, 30.0, 640.0, 480.0, 30.0, 0.0, False, 0.0, 0.0, 1.0, np.zeros((2, 2)), np.zeros((0, 5)), 0.0, 1.0)
    group = FishGroup(np.array([rolled((0.0, 0.0, 2.0))]), looks(1))
    needed = group.put(new_sheet(256), 0, view)
    assert needed > 20
    for room in range(1, needed):
        assert group.put(new_sheet(room), 0, view) == room
