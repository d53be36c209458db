"""The inspector draws whatever parts tell, keeps inside its panel, and survives anything."""

from __future__ import annotations

from types import SimpleNamespace

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paludarium import Reading, World
from paludarium.engine.readings import KINDS, TONES
from paludarium.game_demo import inspector, theme
from paludarium.game_demo.panel_page import badge_lines
from paludarium.game_demo.watch import Watch
from paludarium.tests.demo.strangers import LONG_NAME, add_part, strange_world, telling

SIZE = (900, 700)
GROUND = (90, 90, 90)
STATES = (("calm", "sky"), ("wild", "red"))


@pytest.fixture(autouse=True)
def _fonts():
    pygame.font.init()
    yield
    theme.forget_fonts()


def watched(world, ticks=3, driving=False, creature=None):
    """What the inspector needs of a session; watched is the first creature if none is given."""
    watch, creature = Watch(), creature or first_of(world)
    for _ in range(ticks):
        world.step()
        watch.update(creature)
    return SimpleNamespace(world=world, selected=creature, watch=watch, driving=driving)


def first_of(world):
    return next(iter(world.creatures.values()))


def drawn(session, size=SIZE):
    screen = pygame.Surface(size)
    screen.fill(GROUND)
    return screen, inspector.draw_inspector(screen, session)


def odd_world(*readings, name="odd"):
    """A world with a creature that has one part, which tells these readings."""
    world = strange_world()
    add_part(world, "oddity", telling("Oddity", lambda _self: list(readings)))
    world.define_species("odd", name=name, oddity={})
    world.spawn("odd")
    return world


def has_colour(screen, rect, tone):
    inside = pygame.surfarray.array3d(screen)[rect.left : rect.right, rect.top : rect.bottom]
    return bool((inside == theme.TONES[tone]).all(axis=2).any())


def test_every_tone_has_a_colour_of_its_own():
    assert set(theme.TONES) == set(TONES)
    assert len(set(theme.TONES.values())) == len(TONES)


def test_nobody_selected_or_gone_draws_no_panel():
    session = watched(odd_world())
    assert drawn(session)[1] is not None
    session.selected.despawn()
    assert drawn(session)[1] is None
    session.selected = None
    assert drawn(session)[1] is None


@pytest.mark.parametrize("reading, tones", [
    (Reading("bar", "glow", "violet", 0.5), ["violet"]),
    (Reading("curve", "glow", "violet", 0.5), ["violet"]),
    (Reading("cells", "glow", "violet", values=[0.0, 1.0]), ["violet"]),
    (Reading("cells", "mood", values=[0, 1], states=STATES), ["sky", "red"]),
    (Reading("strip", "mood", values=[0, 1], states=STATES), ["sky", "red"]),
], ids=["bar", "curve", "cells", "cells of states", "strip"])  # fmt: skip
def test_each_kind_of_reading_shows_in_its_tone(reading, tones):
    screen, rect = drawn(watched(odd_world(reading), ticks=90))
    empty, empty_rect = drawn(watched(odd_world()))
    for tone in tones:
        assert has_colour(screen, rect, tone)
        assert not has_colour(empty, empty_rect, tone)


def test_words_of_parts_are_badges_until_death(monkeypatch):
    seen = []
    monkeypatch.setattr(theme, "badge", lambda _screen, at, text, _colour: seen.append(text) or at[0] + 9)
    world = strange_world()
    lamp = world.spawn("lamp")
    drawn(watched(world, driving=True, creature=lamp))
    assert seen == ["GLOWING", "YOU"]
    seen.clear()
    walker = world.spawn("pauropod", at=(0.0, 20.0))
    session = watched(world, creature=walker)
    walker.kill()
    drawn(session)
    assert seen == ["DEAD"]


def test_the_panel_says_which_part_cannot_be_read(monkeypatch):
    def boom(_handle):
        raise ValueError("out")

    seen = []
    write = theme.words
    monkeypatch.setattr(theme, "words", lambda text, *rest, **more: seen.append(text) or write(text, *rest, **more))
    world = strange_world()
    add_part(world, "fuse", telling("Fuse", boom))
    world.define_species("odd", name="odd", lantern={}, fuse={})
    world.spawn("odd")
    drawn(watched(world))
    assert any(text.startswith("fuse: ValueError: out") for text in seen)
    assert "glow" in seen


def test_a_creature_that_tells_nothing_has_a_panel_that_says_so(monkeypatch):
    seen = []
    write = theme.words
    monkeypatch.setattr(theme, "words", lambda text, *rest, **more: seen.append(text) or write(text, *rest, **more))
    world = strange_world()
    world.spawn("pebble")
    drawn(watched(world))
    assert "none of its parts tells anything" in seen


def long_readings():
    states = ((LONG_NAME, "sky"), (LONG_NAME + "!", "red"), ("c", "moss"))
    return [
        Reading("word", LONG_NAME, text=LONG_NAME),
        Reading("bar", LONG_NAME, share=2.0, text=LONG_NAME),
        Reading("curve", LONG_NAME, share=-1.0, text=LONG_NAME),
        Reading("cells", LONG_NAME, values=[0.0] * 999, text=LONG_NAME),
        Reading("cells", LONG_NAME, values=[0, 2], states=states),
        Reading("strip", LONG_NAME, values=[0] * 30, states=states),
        Reading("strip", LONG_NAME * 9, values=[0], states=(*states, *states)),
    ]


@pytest.mark.parametrize("size", [SIZE, (1600, 1200), (480, 320), (200, 320), (60, 40), (30, 30), (8, 8)])
def test_long_names_keep_inside_the_panel_in_windows_of_all_sizes(size):
    """The margins inside the panel show what would run out of it: they stay empty."""
    world = odd_world(*long_readings(), name=LONG_NAME)
    first_of(world).name = LONG_NAME
    screen, rect = drawn(watched(world, ticks=20, driving=True), size)
    if rect is None:
        assert min(size) <= 4 * theme.MARGIN
        return
    plain, bare = pygame.Surface(size), rect.copy()
    plain.fill(GROUND)
    theme.panel(plain, bare, blurred=True)
    got, wanted = pygame.surfarray.array3d(screen), pygame.surfarray.array3d(plain)
    for part in (slice(0, rect.left + theme.MARGIN - 1), slice(rect.right - theme.MARGIN + 1, size[0])):
        assert (got[part] == wanted[part]).all(), "something runs out of the panel"


def test_what_finds_no_room_is_counted(monkeypatch):
    seen = []
    write = theme.words
    monkeypatch.setattr(theme, "words", lambda text, *rest, **more: seen.append(text) or write(text, *rest, **more))
    many = [Reading("bar", f"bar {place}") for place in range(60)]
    screen, rect = drawn(watched(odd_world(*many, Reading("strip", "mood", values=[0], states=STATES))), (640, 400))
    shown = sum(f"bar {place}" in seen for place in range(60))
    assert 5 < shown < 30
    assert f"{61 - shown} more: there is no room for them here" in seen
    assert rect.bottom <= 400 - theme.MARGIN + 1


@pytest.mark.parametrize("size", [(1280, 720), (900, 500)])
def test_charts_shrink_before_anything_is_left_out(size):
    world = World(seed=1, precision="float32")
    world.spawn("millipede")
    screen, rect = drawn(watched(world, ticks=60), size)  # 57 pairs of legs
    assert has_colour(screen, rect, "amber")
    assert rect.bottom <= size[1] - theme.MARGIN


@settings(max_examples=60, deadline=None)
@given(st.lists(st.builds(
    Reading, st.sampled_from(KINDS), st.text(max_size=60), st.sampled_from(TONES), st.floats(-1e300, 1e300),
    st.lists(st.integers(0, 1), max_size=40), st.text(max_size=60), st.just(STATES),
), max_size=8), st.sampled_from([SIZE, (320, 200), (200, 320), (60, 40)]))  # fmt: skip
def test_any_readings_are_drawn(readings, size):
    drawn(watched(odd_world(*readings)), size)


@given(st.text(), st.integers(0, 300), st.booleans())
def test_fitted_text_is_never_wider_than_asked_for(text, width, bold):
    short = theme.fitted(text, width, theme.SMALL, bold)
    assert theme.width_of(short, theme.SMALL, bold) <= width
    theme.words(short, theme.INK, theme.SMALL, bold)


def test_text_that_fits_is_left_alone_and_text_that_does_not_ends_in_an_ellipsis():
    assert theme.fitted("glow", 200) == "glow"
    short = theme.fitted(LONG_NAME, 100)
    assert short.endswith(theme.ELLIPSIS)
    assert LONG_NAME.startswith(short.removesuffix(theme.ELLIPSIS))


def test_badges_go_to_the_next_line_where_one_is_full():
    lines = badge_lines([(word, theme.INK) for word in ("ON GROUND", "TROPHOTROPISM", "GOTO", "YOU", LONG_NAME)], 220)
    assert [text for line in lines for text, _ in line][:4] == ["ON GROUND", "TROPHOTROPISM", "GOTO", "YOU"]
    assert len(lines) == 4
    for line in lines:
        assert sum(theme.badge_width(text) for text, _ in line) + (len(line) - 1) * theme.MARGIN // 2 <= 220
