"""What is kept when the player leaves: saved worlds and the scene they belong to, the light, and clips."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from paludarium import World
from paludarium.engine.errors import PaludariumError
from paludarium.game_demo import player_actions
from paludarium.game_demo.hunt import Outcome, hunt_of
from paludarium.game_demo.scenes import SCENES, Settings, build_scene, scene_of
from paludarium.tests.demo.driving import frames, open_demo, press, session_of


@pytest.fixture
def opened(tmp_path):
    """Opens demos in one folder and closes them when the test is over."""
    demos = []

    def open_one(scene, **options):
        demos.append(open_demo(tmp_path, scene, **options))
        return demos[-1], session_of(demos[-1])

    yield open_one
    for demo in demos:
        demo.close()


@pytest.mark.parametrize("name", [name for name in SCENES if name != "swarm"])
def test_every_scene_is_recognised_by_its_world(name):
    assert scene_of(build_scene(Settings(name))) == name


def test_the_swarm_is_recognised_and_has_three_colourings():
    world = build_scene(Settings("swarm", count=4))
    assert scene_of(world) == "swarm"
    assert len(world.creatures) == 4
    assert len({creature.species.key for creature in world.creatures.values()}) == 3


def test_a_hunt_loaded_in_another_scene_goes_on_as_a_hunt(opened):
    demo, session = opened("hunt", seed=3)
    hunt_of(session.world).board.score[0] = 11
    press(demo, pygame.K_F5)
    saved_at = session.world.time
    demo, session = opened("drop", count=1)
    press(demo, pygame.K_F9)
    hunt = hunt_of(session.world)
    assert (session.settings.scene, session.settings.seed, session.scene) == ("hunt", 3, SCENES["hunt"])
    assert session.camera.pixels_per_unit == SCENES["hunt"].pixels_per_unit
    assert pygame.display.get_caption()[0] == "Paludarium: The hunt"
    assert hunt.board.score[0] == 11
    assert session.driving
    assert session.selected is hunt.player
    frames(demo, 3)
    assert session.world.time > saved_at
    press(demo, pygame.K_F2)
    frames(demo)
    assert session_of(demo).settings.scene == "hunt"
    assert hunt_of(session_of(demo).world).board.score[0] == 0


def test_a_scene_loaded_in_a_hunt_leaves_the_hunt_and_nobody_is_driven(opened):
    demo, _ = opened("drop", count=2)
    press(demo, pygame.K_F5)
    demo, session = opened("hunt")
    press(demo, pygame.K_F9)
    assert session.settings.scene == "drop"
    assert hunt_of(session.world) is None
    assert not session.driving
    assert session.species == SCENES["drop"].species
    frames(demo, 2)


def test_a_save_of_the_same_scene_keeps_what_was_chosen(opened):
    demo, session = opened("drop", count=2)
    press(demo, pygame.K_F5, pygame.K_F9)
    assert session.settings.count == 2


def test_a_world_of_another_game_is_refused_and_the_running_one_goes_on(opened):
    demo, session = opened("drop", count=0)
    World(seed=1, precision="float32").save(session.folder / player_actions.SAVE_FILE)
    world = session.world
    press(demo, pygame.K_F9)
    assert "belongs to no scene" in session.message
    assert session.world is world
    assert session.settings.scene == "drop"


def test_what_the_mouse_holds_is_let_go_when_another_world_is_loaded(opened):
    demo, session = opened("drop", count=0)
    press(demo, pygame.K_F5)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(40, 40), button=1))
    frames(demo)
    assert session.hands.grip is not None
    press(demo, pygame.K_F9)
    assert session.hands.grip is None


def test_the_light_goes_round_changes_the_picture_and_is_saved(opened):
    demo, session = opened("drop", count=0)
    assert session.world.map.light.time == "day"
    brightness = {}
    for _ in range(3):
        press(demo, pygame.K_l)
        frames(demo, 2)
        brightness[session.world.map.light.time] = float(np.mean(pygame.surfarray.array3d(demo.screen)))
    assert brightness["night"] < brightness["dusk"] < brightness["day"]
    press(demo, pygame.K_l, pygame.K_F5, pygame.K_l, pygame.K_F9)
    assert session.world.map.light.time == "dusk"
    press(demo, pygame.K_F2)
    frames(demo)
    assert session_of(demo).world.map.light.time == "dusk"


def test_an_unknown_light_is_refused_with_the_known_ones():
    with pytest.raises(PaludariumError, match="night"):
        build_scene(Settings("drop", count=0, light="noon"))


@pytest.mark.parametrize("leaving", ["close", "again"])
def test_a_clip_that_is_being_recorded_is_written_when_the_player_leaves(tmp_path, leaving):
    demo = open_demo(tmp_path, "drop", count=0)
    press(demo, pygame.K_F10)
    frames(demo, 8)
    if leaving == "again":
        press(demo, pygame.K_F2)
    demo.close()
    clips = list(tmp_path.glob("*.gif"))
    assert len(clips) == 1
    assert clips[0].read_bytes()[:6] == b"GIF89a"


def test_a_game_that_is_over_begins_again_with_the_start_button(opened):
    demo, session = opened("hunt")
    hunt_of(session.world).board.outcome[0] = Outcome.LOST
    press(demo, pygame.K_SPACE)
    frames(demo)
    assert session_of(demo) is not session
    assert hunt_of(session_of(demo).world).outcome is Outcome.RUNNING
