"""Painters of made-up families: drawn, shown between ticks, highlighted; births, deaths and failures do no harm."""

from dataclasses import dataclass

import numpy as np
import pytest

from paludarium import Camera, Map, World
from paludarium.engine.pool import Pool, Rows, column
from paludarium.engine.spec import number
from paludarium.systems.render import balls, capsules, ellipsoids
from paludarium.systems.render.output.image import rgb_bytes

SIZE = (240, 180)
RED = "#D03020"
QUARTER = np.array([np.cos(np.pi / 4), 0.0, np.sin(np.pi / 4), 0.0])


@dataclass(frozen=True)
class BallSpec:
    radius: float = number(0.8, unit="u", low=0.1, doc="of the ball")

    def row_count(self, _specs):
        return 1


class BallPool(Pool):
    aligned = True
    position = column(np.float64, 3)
    orientation = column(np.float64, 4)
    radius = column(np.float64)


class Ball:
    def __init__(self, pool, rows):
        self.pool, self.rows = pool, rows


def fill_ball(birth, spec: BallSpec, pool: BallPool, rows: Rows):
    pool.position[rows.start], pool.radius[rows.start] = birth.at, spec.radius
    pool.orientation[rows.start] = 1.0, 0.0, 0.0, 0.0


class RollSystem:
    """Every ball rolls a unit to the east per tick and turns by a quarter."""

    def __init__(self, world):
        self.world, self.pool = world, world.pool(BallPool)

    def process(self, _dt):
        rows = self.pool.spans[:, 0]
        self.pool.position[rows, 0] += 1.0
        self.pool.orientation[rows] = QUARTER if self.world.tick % 2 == 0 else (1.0, 0.0, 0.0, 0.0)


class BallPainter:
    def __init__(self, world):
        self.pool = world.pool(BallPool)

    def poses(self):
        rows = self.pool.spans[:, 0]
        return {"position": self.pool.position[rows], "orientation": self.pool.orientation[rows]}

    def group(self, moving):
        rows = self.pool.spans[:, 0]
        turned, size = moving["orientation"], self.pool.radius[rows]
        return balls(moving["position"], size, RED, orientation=turned, spots="#F0E8D0", creature=rows)


def ball_mod(world):
    from paludarium import Phase

    world.add_part("ball", BallSpec, BallPool, Ball, fill_ball)
    world.define_species("marble", ball={"radius_u": 0.8})
    world.add_system(RollSystem, phase=Phase.BODY)


def make_world(*plugins, painter=True):
    from paludarium.engine.plugins import BUILT_IN

    world = World(seed=1, tick_rate=30, plugins=[*BUILT_IN, ball_mod, *plugins], map=Map.define(
        name="flat", area={"width_u": 60, "height_u": 60}))  # fmt: skip
    if painter:
        world.picture.add_painter("ball", BallPainter(world))
    return world


def frame(world, center=(0.0, 0.0)):
    return rgb_bytes(world.picture.frame(Camera(SIZE, center), SIZE, still=True)).astype(int)


def group_of(world):
    """The group of the balls."""
    return next(group.shapes for group in world.picture.scene().creatures if hasattr(group, "shapes"))


def redness(picture):
    return picture[..., 0] - picture[..., 1:].max(axis=2)


def test_a_made_up_family_is_drawn_lit_and_throws_a_shadow():
    world = make_world()
    bare = frame(world)
    world.spawn("marble", at=(0.0, 0.0))
    drawn = frame(world)
    changed = np.abs(drawn - bare).sum(axis=2) > 30
    assert redness(drawn)[changed].max() > 60
    ball = redness(drawn) > 40
    darker = (bare - drawn).sum(axis=2) > 60
    assert 300 < ball.sum() < 900  # a disc of 0.8 units at 18 pixels per unit has 651 pixels, some of them spots
    assert (darker & ~ball).sum() > 50
    assert not changed[:, :40].any()


def test_a_family_without_a_painter_is_not_drawn_and_nothing_else_happens():
    world = make_world(painter=False)
    bare = frame(world)
    world.spawn("marble", at=(0.0, 0.0))
    world.step(2)
    np.testing.assert_array_equal(frame(world), bare)
    assert set(world.picture.painters) == {"myriapod"}


def test_poses_between_ticks_are_mixed_and_turned():
    world = make_world()
    world.spawn("marble", at=(0.0, 0.0))
    group_of(world)
    world.step(1)
    group_of(world)
    shown = []
    for _ in range(4):  # four frames per tick of 1/30 s, one tick behind
        world.update(1 / 120)
        shown.append(group_of(world))
    places = np.array([shapes.start[0, 0] for shapes in shown])
    np.testing.assert_allclose(np.diff(places), 0.25, atol=1e-9)
    for shapes in shown:
        assert np.linalg.norm(shapes.orientation[0]) == pytest.approx(1.0)
    assert len({round(float(shapes.orientation[0, 2]), 6) for shapes in shown}) == 4


def test_births_and_deaths_between_ticks_show_everybody_where_they_are():
    world = make_world()
    first = world.spawn("marble", at=(0.0, 0.0))
    world.step(1)
    group_of(world)
    second = world.spawn("marble", at=(5.0, 5.0))
    assert len(group_of(world).kind) == 2
    world.update(1 / 60)
    assert len(group_of(world).kind) == 2
    world.step(1)
    group_of(world)
    first.despawn()
    world.spawn("marble", at=(-9.0, 0.0))  # takes the row of the first: the same shapes of arrays, another creature
    world.update(1 / 120)
    positions = group_of(world).start
    assert positions[:, 0].min() <= -8.0
    np.testing.assert_allclose(positions[1], world.pool(BallPool).position[second.row], atol=1.0)
    second.despawn()
    world.step(1)
    assert len(group_of(world).kind) == 1
    assert frame(world).shape == (SIZE[1], SIZE[0], 3)


def test_a_chosen_creature_of_any_family_is_lit_up():
    world = make_world()
    one, other = world.spawn("marble", at=(-3.0, 0.0)), world.spawn("marble", at=(3.0, 0.0))
    plain = frame(world)
    picture = world.picture
    for chosen, side in ((one, np.s_[:, :120]), (other, np.s_[:, 120:])):
        picture.highlighted = chosen
        brighter = (frame(world) - plain).sum(axis=2) > 20
        assert brighter.sum() > 200
        assert brighter[side].sum() == brighter.sum()
    other.despawn()
    frame(world)  # one that is gone lights nothing


def test_balls_get_wet_and_lie_below_what_is_above_them():
    world = World(seed=1, map=Map.define(
        name="pool", area={"width_u": 40, "height_u": 40}, terrain={"kind": "flat", "elevation": -3.0},
        water=[{"bounds": [-20, -20, 20, 20], "level_u": 0.0, "cell_u": 1.0}]))  # fmt: skip
    picture = world.picture

    class Two:
        def __init__(self, *heights):
            self.heights = heights

        def poses(self):
            return {}

        def group(self, _moving):
            low, high = self.heights
            return balls([(0.0, 0.0, low)], 1.0, RED) + balls([(0.0, 0.0, high)], 0.4, "#20A0F0")

    def shown(*heights):
        picture.add_painter("two", Two(*heights))
        return redness(frame(world)[85:95, 115:125]).mean()

    assert shown(-1.8, -9.0) < 0.5 * shown(2.0, -9.0)  # red is lost in the water
    assert shown(2.0, 4.5) < -40.0  # the blue ball is on top
    assert shown(4.5, 2.0) > 40.0  # hidden below the red one, although its row comes later


def test_shapes_of_all_kinds_take_numbers_rows_and_no_rows_at_all():
    rods = capsules([(0, 0, 1), (1, 0, 1)], [(0, 2, 1), (1, 2, 1)], 0.2, "#808080")
    tapered = capsules(np.zeros((2, 3)), np.ones((2, 3)), np.array([[0.3, 0.1], [0.2, 0.2]]), [(1, 0, 0), (0, 1, 0)])
    eggs = ellipsoids([(0, 0, 1)], (1.0, 0.5, 0.4), "#FFFFFF", orientation=QUARTER, gloss=0.9)
    nothing = balls(np.zeros((0, 3)), 1.0, RED)
    every = rods + tapered + eggs + nothing
    assert [len(group) for group in (rods, tapered, eggs, nothing, every)] == [2, 2, 1, 0, 5]
    np.testing.assert_allclose(tapered.shapes.size[:, :2], [[0.3, 0.1], [0.2, 0.2]])


def test_a_group_owns_its_arrays():
    positions = np.zeros((3, 3))
    group = balls(positions, 1.0, RED)
    positions[:] = 7.0
    assert not group.shapes.start.any()


@pytest.mark.parametrize("place", ["poses", "group", "put", "row"])
def test_a_painter_of_a_mod_that_fails_is_taken_out_and_the_picture_goes_on(place):
    class Broken:
        def poses(self):
            return {"x": np.zeros(1 // (place != "poses"))}

        def group(self, _moving):
            return {}["none"] if place == "group" else self

        def put(self, _sheet, n, _view):
            return n + 10**9 if place == "row" else 1 // 0

    def broken_mod(world):
        world.picture.add_painter("ghost", Broken())

    world, failed = make_world(broken_mod), []
    world.on("mod_failed", failed.append)
    world.spawn("marble", at=(0.0, 0.0))
    for _ in range(3):
        assert redness(frame(world)).max() > 60  # the others are still drawn
        world.step(1)
    assert set(world.picture.painters) == {"myriapod", "ball"}
    assert len(failed) == 1
    assert "ghost" in failed[0].mod


def test_a_painter_of_ours_that_fails_is_not_hidden():
    world = make_world()
    world.picture.painters["ball"].poses = lambda: 1 // 0
    world.step(1)
    with pytest.raises(ZeroDivisionError):
        frame(world)
