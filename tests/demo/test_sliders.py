"""Sliders of the inspector: what they show, and what dragging them changes."""

from __future__ import annotations

from types import SimpleNamespace

import pygame
import pytest

from paludarium import Map, World
from paludarium.components.fish.springs import FishBodyPool, Tuned
from paludarium.engine.errors import PaludariumError
from paludarium.game_demo import inspector, theme
from paludarium.game_demo.sliders import factor_at, share_of, sliders_of
from paludarium.game_demo.watch import Watch
from paludarium.systems.fish.tuning import mind_value

SIZE = (900, 700)


@pytest.fixture(autouse=True)
def _fonts():
    pygame.font.init()
    yield
    theme.forget_fonts()


def pond_session():
    bay = Map.define(area={"width_u": 60, "height_u": 60}, terrain={"kind": "flat", "elevation": -9.0},
                     water=[{"bounds": [-30, -30, 30, 30], "level_u": 0.0}])  # fmt: skip
    world = World(seed=4, map=bay)
    fish, watch = world.spawn("clownfish"), Watch()
    watch.sliders.are_shown = True
    watch.update(fish)
    session = SimpleNamespace(world=world, selected=fish, watch=watch, driving=False)
    inspector.draw_inspector(pygame.Surface(SIZE), session)
    return session, fish


def dragged(session, name, share):
    left, top, width, _ = session.watch.sliders.places[name]
    assert session.watch.sliders.press(left + width // 2, top + 2)
    assert session.watch.sliders.move(left + share * (width - 1))
    assert session.watch.sliders.release()


def test_places_and_factors_are_each_other():
    assert share_of(1.0) == pytest.approx(0.5)
    assert factor_at(share_of(2.0)) == pytest.approx(2.0)
    assert share_of(0.0) == 0.0
    assert share_of(100.0) == 1.0


def test_a_fish_has_sliders_for_its_body_and_its_mind_and_dragging_them_changes_it():
    session, fish = pond_session()
    assert set(session.watch.sliders.places) == {"stiffness", "damping", "mass", "water", "digestion", "libido",
                                                 "fear distance", "food stimulus", "mate stimulus"}  # fmt: skip
    dragged(session, "water", 0.25)
    assert session.world.pool(FishBodyPool).tuned[fish.row, Tuned.WATER] == pytest.approx(0.5, rel=0.02)
    minds = fish.mind.pool
    before = mind_value(minds, fish.row, "libido")
    dragged(session, "libido", 1.0)
    assert mind_value(minds, fish.row, "libido") == pytest.approx(4.0 * before)
    inspector.draw_inspector(pygame.Surface(SIZE), session)
    assert next(one for one in sliders_of(fish) if one.name == "libido").factor == pytest.approx(4.0)


def test_beside_sliders_and_of_others_nothing_is_held():
    session, fish = pond_session()
    assert not session.watch.sliders.press(2.0, 2.0)
    assert not session.watch.sliders.move(5.0)
    fish.kill()
    assert sliders_of(fish) == []


def test_values_that_no_mind_can_have_are_refused():
    _, fish = pond_session()
    before = mind_value(fish.mind.pool, fish.row, "digestion")
    with pytest.raises(PaludariumError, match=r"set_mind\(digestion\)"):
        fish.set_mind(libido=0.01, digestion=-1.0)
    assert mind_value(fish.mind.pool, fish.row, "digestion") == before
