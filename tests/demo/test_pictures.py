"""Pictures in the inspector: made when they are shown, some times per second, of the kind that was chosen."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pygame
import pytest

from paludarium import Map, PaludariumError, Reading, World
from paludarium.engine.readings import LARGEST_PICTURE, MOST_VIEWS
from paludarium.game_demo import inspector, theme
from paludarium.game_demo.panel_page import PICTURE
from paludarium.game_demo.watch import PICTURE_SECONDS, PICTURE_SHARE, Watch
from paludarium.systems.fish.eye_view.eye_calls import look
from paludarium.systems.fish.eye_view.eye_image import KINDS
from paludarium.tests.demo.driving import frames, open_demo, press, session_of
from paludarium.tests.demo.strangers import add_part, strange_world, telling

VIEWS = ("red", "green")
COLOURS = {"red": (200, 10, 20), "green": (20, 200, 10)}
SIZE = (900, 700)


@pytest.fixture(autouse=True)
def _fonts():
    pygame.font.init()
    yield
    theme.forget_fonts()


class Easel:
    """Makes pictures and counts them; each takes as long as it is told to."""

    def __init__(self, seconds=0.0, shape=(32, 48, 3)):
        self.made, self.seconds, self.shape, self.time = [], seconds, shape, 0.0

    def clock(self):
        return self.time

    def look(self, view):
        self.made.append(view)
        self.time += self.seconds
        return np.full(self.shape, COLOURS.get(view, (90, 90, 200)), np.uint8)


def watched(easel, views=VIEWS, reading=None):
    """A creature with one picture, and what the inspector needs of a session."""
    told = reading or Reading("picture", "eye", look=easel.look, views=views)
    world = strange_world()
    add_part(world, "easel", telling("EaselPart", lambda _self: [told]))
    world.define_species("painter", name="painter", easel={})
    creature, watch = world.spawn("painter"), Watch(clock=easel.clock)
    return SimpleNamespace(world=world, selected=creature, watch=watch, driving=False), told


def shown(session, size=SIZE):
    session.selected.world.step()
    session.watch.update(session.selected)
    screen = pygame.Surface(size)
    inspector.draw_inspector(screen, session)
    return screen


def test_a_picture_is_in_the_panel_at_the_place_that_is_told():
    easel = Easel()
    session, _ = watched(easel)
    screen = shown(session)
    ((x, y, width, height),) = session.watch.places.values()
    assert height == min(PICTURE, 32 * width // 48) or width * 32 == pytest.approx(height * 48, rel=0.05)
    pixels = pygame.surfarray.array3d(screen)[x : x + width, y : y + height]
    assert (pixels == COLOURS["red"]).all()


def test_it_is_made_only_so_often_and_not_while_time_stands_still():
    easel = Easel()
    session, _ = watched(easel)
    for _ in range(10):
        shown(session)
    assert len(easel.made) == 1
    easel.time += PICTURE_SECONDS + 0.01
    shown(session)
    assert len(easel.made) == 2
    easel.time += PICTURE_SECONDS + 0.01
    inspector.draw_inspector(pygame.Surface(SIZE), session)  # no tick has gone by
    assert len(easel.made) == 2


def test_one_that_takes_long_is_made_less_often():
    easel = Easel(seconds=0.1)
    session, _ = watched(easel)
    shown(session)
    easel.time += PICTURE_SECONDS + 0.01
    shown(session)
    assert len(easel.made) == 1
    easel.time += 0.1 / PICTURE_SHARE
    shown(session)
    assert len(easel.made) == 2


def test_a_click_on_it_and_a_call_for_all_show_the_next_kind():
    easel = Easel()
    session, _ = watched(easel)
    shown(session)
    ((x, y, width, height),) = session.watch.places.values()
    assert not session.watch.touch(x - 1, y)
    assert session.watch.touch(x + width // 2, y + height // 2)
    shown(session)
    assert session.watch.turn_all() == "eye: red"
    shown(session)
    assert easel.made == ["red", "green", "red"]


def test_without_kinds_there_is_nothing_to_choose():
    easel = Easel()
    session, _ = watched(easel, views=())
    shown(session)
    assert session.watch.turn_all() == ""
    assert easel.made == [""]


def test_where_there_is_no_room_it_is_not_made():
    easel = Easel()
    session, _ = watched(easel)
    shown(session, (400, 120))
    assert easel.made == []
    assert session.watch.places == {}


def test_another_creature_has_another_picture():
    easel = Easel()
    session, _ = watched(easel)
    shown(session)
    session.selected = session.selected.world.spawn("painter", at=(0.0, 30.0))
    shown(session)
    assert len(easel.made) == 2


BAD = {
    "raises": lambda _view: 1 / 0,
    "nothing": lambda _view: None,
    "a list": lambda _view: [[1, 2, 3]],
    "numbers": lambda _view: np.zeros((8, 8, 3)),
    "grey": lambda _view: np.zeros((8, 8), np.uint8),
    "four channels": lambda _view: np.zeros((8, 8, 4), np.uint8),
    "empty": lambda _view: np.zeros((0, 8, 3), np.uint8),
    "too large": lambda _view: np.zeros((LARGEST_PICTURE + 1, 8, 3), np.uint8),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_picture_that_cannot_be_made_is_told_and_the_panel_stays(bad, monkeypatch, caplog):
    seen = []
    write = theme.words
    monkeypatch.setattr(theme, "words", lambda text, *rest, **more: seen.append(text) or write(text, *rest, **more))
    session, _ = watched(Easel(), reading=Reading("picture", "eye", look=bad))
    shown(session)
    shown(session)
    assert any(text.startswith("easel: ") for text in seen)
    assert len([record for record in caplog.records if "easel" in record.getMessage()]) == 1


@pytest.mark.parametrize("changes", [
    {"look": 3}, {"views": ["red"]}, {"views": "red"}, {"views": (1,)}, {"views": ("x",) * (MOST_VIEWS + 1)},
])  # fmt: skip
def test_nonsense_is_refused(changes):
    with pytest.raises(PaludariumError, match="reading 'eye'"):
        Reading(**{"kind": "picture", "name": "eye", **changes})


def test_only_pictures_have_an_image():
    assert Reading("bar", "glow").image() is None
    assert Reading("picture", "eye").image() is None


def test_a_picture_is_a_copy():
    kept = np.zeros((4, 4, 3), np.uint8)
    image = Reading("picture", "eye", look=lambda _view: kept).image()
    kept[:] = 9
    assert (image == 0).all()


@pytest.mark.parametrize("scale", [(256, 1, 3), (1, 256, 3), (256, 256, 3), (1, 1, 3)])
@pytest.mark.parametrize("size", [SIZE, (200, 320), (60, 200)])
def test_any_shape_stays_inside_the_panel(scale, size):
    session, _ = watched(Easel(shape=scale))
    shown(session, size)
    for x, y, width, height in session.watch.places.values():
        assert 0 <= x <= x + width <= size[0] - theme.MARGIN
        assert 0 <= y <= y + height <= size[1] - theme.MARGIN


def test_what_a_fish_sees_can_be_such_a_picture():
    sea = Map.define(area={"width_u": 60, "height_u": 60}, terrain={"kind": "flat", "elevation": -10.0},
                     water=[{"bounds": [-30, -30, 30, 30], "level_u": 0.0}])  # fmt: skip
    world = World(seed=1, map=sea)
    fish = world.spawn("koi", at=(0.0, 0.0))
    reading = Reading("picture", "eye", look=lambda view: look(world, fish.serial, view), views=KINDS)
    images = [reading.image(view) for view in reading.views]
    assert len({image.tobytes() for image in images}) == len(KINDS)


def test_the_key_and_the_mouse_reach_it_in_the_demo(tmp_path):
    demo = open_demo(tmp_path, "forest_floor", size=SIZE)
    try:
        session = session_of(demo)
        press(demo, pygame.K_e)
        assert "I opens it" in session.message
        press(demo, pygame.K_i, pygame.K_e)
        assert "none of its parts" in session.message
        session.watch.places[("easel", "eye")] = (400, 300, 50, 50)
        food = len(session.world.props.food.spans)
        touched = []
        session.watch.touch = lambda x, y: touched.append((x, y)) or True
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(410, 310), button=1))
        frames(demo)
        assert touched == [(410, 310)]
        assert len(session.world.props.food.spans) == food
    finally:
        demo.close()
