"""Articulated swimmers in the picture: one skin around links, depth, wings that lighten, the same for any thread count."""

from dataclasses import replace

import numba
import numpy as np
import pytest

from paludarium import World
from paludarium.components.articulated.link_plan import plan_of, turned
from paludarium.components.articulated.links import LinkSpec
from paludarium.components.articulated.skin import STYLES, SkinSpec
from paludarium.components.parameters import parameter_row
from paludarium.engine.turns import quaternion_of_frame
from paludarium.systems.articulated.painter import ArticulatedGroup, Skeleton, parts_of
from paludarium.systems.articulated.painter.part_fields import KIND, MOST_GUIDES, TUBE
from paludarium.systems.articulated.painter.styles import PAINT
from paludarium.systems.render import Camera, Ground, Renderer, Scene
from paludarium.systems.render.creatures.sheet import View, new_sheet
from paludarium.systems.render.creatures.skins import flat_places

SIZE = (320, 200)
DEEP = Ground(np.full((80, 80), -20.0), (-40.0, -40.0), 1.0, ponds=np.array([[-99.0, -99.0, 99.0, 99.0, 0.0]]), clarity=6.0)
SPECIES = ("eel", "jointed_clownfish", "sea_turtle", "frog", "alien", "accordion")
LENGTH = 10.0


@pytest.fixture(scope="module")
def library():
    return World(seed=1).species


def wings():
    """A body with two rows of plates to either side, hinged to flap."""
    found = [LinkSpec(name="body", length=0.6, half_width=(0.15, 0.10), half_height=(0.05, 0.04))]
    for side, name in ((1.0, "left"), (-1.0, "right")):
        for k in range(2):
            at = (-0.05, side * 0.12, 0.0) if k == 0 else (-0.1, side * 0.25, 0.0)
            parent = "body" if k == 0 else f"{name}_0"
            found.append(LinkSpec(name=f"{name}_{k}", parent=parent, at=at, length=0.4, half_width=(0.12, 0.12),
                                  half_height=(0.01, 0.01), axis=(1.0, 0.0, 0.0)))  # fmt: skip
    return tuple(found)


def posed(links, skin, at=(0.0, 0.0, -1.0), angles=0.0, heading=0.0, steer=0.0):
    """A swimmer whose joints are bent."""
    plan = plan_of(tuple(links))
    joints, axes, bent = np.zeros((plan.count, 3)), np.zeros((plan.count, 3, 3)), np.broadcast_to(angles, plan.count)
    c, s = np.cos(heading), np.sin(heading)
    axes[0], joints[0] = [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]], at
    for k in range(1, plan.count):
        joints[k] = joints[plan.parent[k]] + LENGTH * plan.joint[k] @ axes[plan.parent[k]]
        axes[k] = turned(plan.axis[k], plan.rest[k] + bent[k]) @ axes[plan.parent[k]]
    half = 0.5 * LENGTH * plan.length
    colours = np.array([skin.back, skin.belly, skin.marking, skin.fin])
    kinds = [parts_of(Skeleton.of_plan(plan), parameter_row(skin), colours, 0)]
    turns = np.array([quaternion_of_frame(frame) for frame in axes])
    return ArticulatedGroup(joints - half[:, None] * axes[:, 0], turns, half, np.array([plan.count]), np.array([LENGTH]),
                            kinds, np.array([0]), steer=np.array(steer))  # fmt: skip


def of(library, key, **words):
    specs = library[key].specs
    return posed(specs["links"], specs["skin"], **words)


def picture(*groups, scale=20.0, ground=DEEP):
    renderer, camera = Renderer(SIZE), Camera(SIZE, (-4.0, 0.0), scale)
    scene = Scene(ground, groups)
    renderer.prepare(scene, camera)
    renderer.draw(scene, camera, time=2.0)
    return renderer.pixels.copy()


def colours_of(pixels):
    return np.stack([pixels >> 16 & 255, pixels >> 8 & 255, pixels & 255], axis=-1).astype(float)


def test_every_style_can_be_painted():
    assert set(PAINT) == set(STYLES)


@pytest.mark.parametrize("key", SPECIES)
def test_a_swimmer_is_seen_and_its_parts_fit_the_kernel(library, key):
    group = of(library, key)
    empty, seen = picture(), picture(group)
    assert (empty != seen).mean() > 0.02
    rows = group.kinds[0][0]
    assert (rows[:, KIND] == TUBE).any()
    assert rows[:, 2].max() <= MOST_GUIDES


@pytest.mark.parametrize("bend", [0.0, 0.35, -0.5])
def test_a_bent_eel_is_one_skin_without_waists(library, bend):
    """Across its joints it is as thick as beside them: links are not seen. The fin is left out."""
    group = of(library, "eel", angles=bend)
    parts, guides = group.kinds[0]
    body = parts[parts[:, KIND] == TUBE][-1:]
    alone = replace(group, kinds=[(body, guides)])
    empty, seen = colours_of(picture(scale=30.0)), colours_of(picture(alone, scale=30.0))
    covered = np.abs(seen - empty).max(axis=-1) > 6.0
    line = group.position[:, :2]
    ends = group.half_length[:, None]
    widths = []
    for k in range(len(line) - 1):
        ahead = np.array([np.cos(a := 2.0 * np.arctan2(group.orientation[k, 3], group.orientation[k, 0])), np.sin(a)])
        for share in (0.0, 0.5, 0.9):  # of the way from the middle of a link to its joint
            at = line[k] - share * ends[k] * ahead
            across = at + np.linspace(-1.0, 1.0, 201)[:, None] * (-ahead[1], ahead[0])
            x = np.rint((across[:, 0] + 4.0) * 30.0 + SIZE[0] / 2 - 0.5).astype(int)
            y = np.rint(SIZE[1] / 2 - across[:, 1] * 30.0 - 0.5).astype(int)
            inside = (x >= 0) & (x < SIZE[0]) & (y >= 0) & (y < SIZE[1])
            if inside.all():
                widths.append(covered[y, x].mean() * 2.0)
    widths = np.array(widths[1:])
    assert len(widths) >= 6
    assert (widths > 0.3).all()
    assert np.abs(np.diff(widths)).max() < 0.22


def test_who_is_deeper_looks_more_like_the_water(library):
    empty, off = colours_of(picture()), []
    for depth in (1.0, 4.0, 8.0, 16.0):
        off.append(np.abs(colours_of(picture(of(library, "sea_turtle", at=(0.0, 0.0, -depth)))) - empty).sum())
    assert (np.diff(off) < 0.0).all()
    assert off[-1] > 0.0


def test_who_swims_above_is_drawn_above(library):
    specs, middles = library["sea_turtle"].specs, []
    red = SkinSpec(style="eel", back=(0.9, 0.1, 0.1), belly=(0.9, 0.1, 0.1), markings=0.0)
    blue = SkinSpec(style="eel", back=(0.1, 0.1, 0.9), belly=(0.1, 0.1, 0.9), markings=0.0)
    for one, other in ((-1.0, -5.0), (-5.0, -1.0)):
        links = specs["links"]
        pair = (posed(links, red, at=(-1.5, 0.0, one)), posed(links, blue, at=(-4.0, 2.0, other), heading=1.57))
        middles.append(colours_of(picture(*pair))[SIZE[1] // 2, SIZE[0] // 2 + 6])
    assert middles[0][0] > middles[0][2]
    assert middles[1][2] > middles[1][0]


def test_a_raised_wing_is_brighter_than_a_lowered_one():
    skin = SkinSpec(style="manta", back=(0.3, 0.3, 0.3), fin=(0.3, 0.3, 0.3), belly=(0.3, 0.3, 0.3), markings=0.0)
    bright = []
    for lift in (0.45, -0.45):
        angles = np.array([0.0, lift, 0.2 * lift, -lift, -0.2 * lift])
        group = posed(wings(), skin, at=(0.0, 0.0, -4.0), angles=angles, heading=1.2)
        pixels = colours_of(picture(group, scale=16.0)).sum(axis=-1)
        empty = colours_of(picture(scale=16.0)).sum(axis=-1)
        bright.append(pixels[np.abs(pixels - empty) > 30.0].mean())
    assert bright[0] > 1.01 * bright[1]


def test_heads_look_where_they_steer(library):
    left, right = (picture(of(library, "sea_turtle", at=(-2.0, 0.0, -1.0), steer=steer)) for steer in (1.0, -1.0))
    empty = picture()
    rows = np.arange(SIZE[1])[:, None]
    head = slice(SIZE[0] // 2 + int(20.0 * (2.0 + 2.6)), None)
    changed = [seen[:, head] != empty[:, head] for seen in (left, right)]
    middles = [(rows * there).sum() / there.sum() for there in changed]
    assert middles[0] < middles[1] - 3.0


def test_threads_change_nothing_and_numbers_that_are_none_draw_nothing(library):
    groups = [of(library, key, at=(2.0 * k - 6.0, 0.0, -1.0 - k)) for k, key in enumerate(SPECIES)]
    several = picture(*groups)
    lost = of(library, "frog", at=(np.nan, 0.0, -1.0))
    before = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        assert (picture(*groups) == several).all()
        assert (picture(*groups, lost) == several).all()
    finally:
        numba.set_num_threads(before)


@pytest.mark.parametrize("key", ["frog", "accordion"])
def test_a_sheet_that_is_too_small_is_said_to_be_full(library, key):
    view = View(0.0, 0.0, 30.0, 640.0, 480.0, 30.0, 0.0, False, 0.0, 0.0, 1.0, np.zeros((2, 2)), np.zeros((0, 5)), 0.0, 1.0)
    group = of(library, key, at=(0.0, 0.0, 2.0))
    needed = group.put(new_sheet(2048), 0, view)
    assert needed > 40
    for room in range(1, needed, 7):
        assert group.put(new_sheet(room), 0, view) == room


def test_small_swimmers_take_fewer_rows(library):
    rows = []
    for scale in (60.0, 20.0, 6.0, 2.0):
        land, ponds = np.zeros((2, 2)), np.zeros((0, 5))
        view = View(0.0, 0.0, scale, 1e3, 1e3, scale, 0.0, False, 0.0, 0.0, 1.0, land, ponds, 0.0, 1.0)
        rows.append(of(library, "frog", at=(0.0, 0.0, 2.0)).put(new_sheet(4096), 0, view))
    assert rows == sorted(rows, reverse=True)
    assert rows[-1] < rows[0] / 2


def test_places_of_a_flat_skin_run_from_left_to_right():
    _, across = flat_places()
    assert (np.diff(across[0]) < 0.0).all()
    assert across[0, 0] > 0.99 > -0.99 > across[0, -1]


def test_a_world_shows_its_swimmers_and_forgets_the_released():
    world = World(seed=3)
    camera = Camera(SIZE, (0.0, 0.0), 12.0)
    empty = world.picture.frame(camera, SIZE, still=True).copy()
    turtle = world.spawn("sea_turtle", at=(4.0, 0.0, 3.0))
    other = world.spawn("sea_turtle", at=(-60.0, 0.0, 3.0))
    seen = world.picture.frame(camera, SIZE, still=True).copy()
    assert (seen != empty).mean() > 0.05
    world.picture.highlighted = turtle
    lit = colours_of(world.picture.frame(camera, SIZE, still=True))
    assert lit[seen != empty].mean() > colours_of(seen)[seen != empty].mean()
    turtle.despawn()
    assert other.alive
    assert (world.picture.frame(camera, SIZE, still=True) != empty).mean() < 0.01
