"""The demo with animals of any family: those of a mod have neither segments nor legs nor a brain."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pygame
import pytest

from paludarium import LegState, World
from paludarium.components.legs import LegPool
from paludarium.game_demo import player_actions, sounds
from paludarium.game_demo.bodies import body_points, own_speed, reach_of
from paludarium.game_demo.key_bindings import ACTIONS
from paludarium.game_demo.mouse import push_velocity
from paludarium.game_demo.scenes import Settings, build_scene
from paludarium.game_demo.tour import kinds_of_animals
from paludarium.systems.render.scene.camera import Camera
from paludarium.tests.demo.driving import click, drag, frames, hold, open_demo, press, session_of
from paludarium.tests.demo.strangers import build, strange_world

DEMO = Path(__file__).resolve().parents[2] / "game_demo"
LEAVING = {player_actions.restart, player_actions.go_back, player_actions.load}
TABLES = ("rows", "specs", "parts")
ABOUT_CENTIPEDES = {"hunt.py"}  # a game with its own animals, as any host's


@pytest.fixture
def lit(tmp_path):
    """A demo in a world where a lamp is selected and nobody else is there."""
    demo = open_demo(tmp_path, "drop", count=0)
    session = session_of(demo)
    world = strange_world()
    world.spawn("lamp")
    session.enter(world)
    yield demo, session
    demo.close()


def test_every_key_works_with_a_creature_that_has_no_built_in_part(lit):
    demo, session = lit
    lamp = session.selected
    assert lamp.species.key == "lamp"
    for action in ACTIONS:
        if action.do not in LEAVING:
            press(demo, action.keys[0])
            session.select(lamp if lamp.alive else session.world.spawn("lamp", spread=5.0))
            lamp = session.selected
    frames(demo, 3)
    assert demo.place is session
    assert demo.running


def test_the_inspector_the_overlays_and_the_status_line_show_it(lit):
    demo, session = lit
    press(demo, pygame.K_i, pygame.K_1, pygame.K_2, pygame.K_3, pygame.K_4, pygame.K_5)
    frames(demo, 20)
    assert [report.part for report in session.watch.reports] == ["lantern"]
    assert [word.text for word in session.watch.words] == ["GLOWING"]
    assert np.isfinite(session.watch.past("lantern", session.watch.reports[0].readings[2])[0, -15:]).all()


def test_a_click_selects_it_and_a_drag_is_answered_politely(lit):
    demo, session = lit
    lamp = session.selected
    session.following = False
    session.select(None)
    middle = tuple(int(v) for v in session.camera.to_screen(lamp.position[:2]))
    click(demo, middle)
    assert session.selected is lamp
    assert not session.world.props.food.spans.size
    drag(demo, middle, (middle[0] + 60, middle[1]))
    assert "no segments" in session.message
    click(demo, (20, 20))
    assert session.world.props.food.spans.size


@pytest.mark.parametrize("key, answer", [
    (pygame.K_t, "no brain"), (pygame.K_x, "cannot be cut in two"), (pygame.K_p, "no segments"),
])  # fmt: skip
def test_what_it_cannot_do_is_said_and_nothing_else_happens(lit, key, answer):
    demo, session = lit
    press(demo, key)
    assert answer in session.message
    assert not session.driving
    assert len(session.world.creatures) == 1
    hold(demo, pygame.K_UP, 2)


def test_it_can_be_killed_and_taken_away(lit):
    demo, session = lit
    lamp = session.selected
    press(demo, pygame.K_i, pygame.K_k)
    frames(demo, 3)
    assert lamp.dead
    press(demo, pygame.K_DELETE)
    frames(demo, 3)
    assert not lamp.alive
    assert session.selected is None


def test_short_animals_are_not_cut(lit):
    demo, session = lit
    world = session.world
    world.define_species("stub", **{**world.species["pauropod"].source, "segments": {"count": 4}})
    session.select(world.spawn("stub", at=(0.0, 20.0)))
    press(demo, pygame.K_x)
    assert "too short to be cut" in session.message


def test_the_drop_scene_takes_animals_that_have_no_ends(monkeypatch):
    from paludarium.game_demo import scenes

    def with_strangers(*arguments, **options):
        world = World(*arguments, **options)
        build(world)
        return world

    monkeypatch.setattr(scenes, "World", with_strangers)
    world = build_scene(Settings("drop", species="lamp", count=2))
    assert [creature.species.key for creature in world.creatures.values()] == ["lamp", "lamp"]


def test_a_driven_animal_is_a_third_faster_than_it_goes_by_itself(tmp_path):
    demo = open_demo(tmp_path, "drop", count=0)
    session = session_of(demo)
    try:
        for key in ("giant_centipede", "millipede"):
            world = World(seed=1, precision="float32")
            animal = world.spawn(key)
            session.enter(world)
            press(demo, pygame.K_t)
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_UP))
            ordered = []
            animal.world.verbs["control"] = lambda _creature, *values, ordered=ordered: ordered.append(values)
            frames(demo)
            pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_UP))
            frames(demo)
            assert ordered[0] == pytest.approx((4.0 / 3.0 * animal.species.specs["brain"].speed, 0.0))
    finally:
        demo.close()


def test_bodies_without_segments_are_where_the_creature_is():
    world = strange_world()
    lamp, walker = world.spawn("lamp"), world.spawn("pauropod", at=(0.0, 20.0))
    assert body_points(lamp).tolist() == [lamp.position.tolist()]
    assert body_points(walker).shape == walker.segments.position.shape
    assert own_speed(lamp) == pytest.approx(0.5 * reach_of(lamp))
    assert own_speed(walker) == walker.species.specs["brain"].speed


@pytest.mark.parametrize("size", [0.5, 1.0, 2.0])
def test_a_throw_gives_small_and_large_animals_the_same_speed(lit, size):
    demo, session = lit
    world = session.world
    base = world.species["pauropod"].source
    scaled = {"segments": {**base["segments"], "length_u": size, "width_u": size, "height_u": size}}
    world.define_species("scaled", **{**base, **scaled, "body": {"ride_height_u": max(1.0, size)}})
    animal = world.spawn("scaled", at=(0.0, 30.0))
    session.select(animal)
    player_actions.hop(session)
    push = animal.segments.pool.push[animal.rows["segments"].start, 2]
    assert push * world.clock.tick_seconds / animal.segments.mass[0] == pytest.approx(player_actions.HOP)


def test_a_longer_drag_pushes_faster_up_to_a_limit(lit):
    _, session = lit
    session.camera = Camera((320, 200), pixels_per_unit=10.0)
    pulls = [_pull(session, pixels) for pixels in (10, 20, 5000)]
    assert pulls[1] == pytest.approx(2.0 * pulls[0])
    assert pulls[2] == pytest.approx(75.0)


def _pull(session, pixels):
    class Pull:
        start, at = (0, 0), (pixels, 0)

    return float(push_velocity(session, Pull)[0])


def test_steps_of_whatever_has_legs_are_heard_and_the_dead_are_silent(monkeypatch):
    world = World(seed=1, precision="float32")
    walker = world.spawn("pauropod")
    world.step(60)
    heard = []
    patter = sounds.Sounds({"step": None, "splash": None})
    monkeypatch.setattr(patter, "play", lambda name, _loudness=1.0: heard.append(name))
    everywhere = (-100.0, -100.0, 100.0, 100.0)
    legs, mine = world.pool(LegPool), walker.rows["legs"].slice
    legs.entered[mine], legs.state[mine] = 0, LegState.STANCE
    patter.listen(world, everywhere)
    assert heard == []
    legs.entered[mine.start] = 1
    patter.listen(world, everywhere)
    assert heard == ["step"]
    walker.kill()
    patter.listen(world, everywhere)
    walker.despawn()
    patter.listen(world, everywhere)
    assert heard == ["step"]


def test_the_warm_up_takes_one_animal_of_every_make():
    world = strange_world()
    kinds = kinds_of_animals(world)
    makes = {frozenset(world.species[key].specs) for key in world.species}
    assert {frozenset(world.species[key].specs) for key in kinds} == makes
    assert len(kinds) == len(makes)
    assert {"lamp", "pebble"} <= set(kinds)


def test_no_module_of_the_demo_knows_a_part_by_name():
    parts = set(World(seed=1).parts) - {"body"}
    for file in sorted(DEMO.glob("*.py")):
        if file.name in ABOUT_CENTIPEDES:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            where = f"{file.name}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") != "event":
                assert node.attr not in parts, where
            if isinstance(node, (ast.Compare, ast.Subscript)) and any(f"attr={n!r}" in ast.dump(node) for n in TABLES):
                words = {child.value for child in ast.walk(node) if isinstance(child, ast.Constant)}
                assert not words & parts, where
