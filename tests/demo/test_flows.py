"""The demo as a player uses it, without a window: posted events go in, the world and the picture are looked at."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from paludarium import World
from paludarium.game_demo import player_actions
from paludarium.game_demo.gamepad import START, STICK_Y, A
from paludarium.game_demo.key_bindings import ACTIONS, BY_KEY, help_rows
from paludarium.game_demo.mouse import GESTURES
from paludarium.game_demo.scenes import MOST_CREATURES, SCENES, Settings, build_scene
from paludarium.game_demo.session import Session
from paludarium.game_demo.title import Title
from paludarium.tests.demo.driving import SIZE, click, drag, frames, hold, open_demo, press, session_of, settled

LEAVING = {player_actions.restart, player_actions.go_back}


@pytest.fixture
def opened(tmp_path):
    """Opens demos and closes them when the test is over."""
    demos = []

    def open_one(scene, **options):
        demos.append(open_demo(tmp_path, scene, **options))
        return demos[-1]

    yield open_one
    for demo in demos:
        demo.close()


@pytest.fixture(scope="module")
def standing(tmp_path_factory):
    """A saved world with one centipede that has fallen and found its feet."""
    world = build_scene(Settings("drop", count=1))
    world.step(150)
    file = tmp_path_factory.mktemp("worlds") / "standing.palu"
    world.save(file)
    return file


@pytest.fixture
def lone(opened, standing):
    """One centipede on its feet, the camera above it."""
    demo = opened("drop", count=0)
    session = session_of(demo)
    session.enter(World.load(standing))
    return demo, session


def test_the_title_lists_every_scene_and_leads_into_it_and_back(opened):
    demo = opened(None, size=(1280, 720))
    frames(demo, 2)
    assert isinstance(demo.place, Title)
    rows = demo.place.rows((1280, 720))
    assert len(rows) == len(SCENES)
    assert all(0 <= row.left < row.right <= 1280 and 0 <= row.top < row.bottom <= 720 for row in rows)
    place = demo.place.names.index("drop")
    click(demo, rows[place].center)
    frames(demo)
    assert session_of(demo).settings == Settings("drop")
    press(demo, pygame.K_ESCAPE)
    assert isinstance(demo.place, Title)
    assert demo.running
    press(demo, pygame.K_ESCAPE)
    assert not demo.running


def test_the_title_is_led_by_keys_and_gamepad(opened):
    title = opened(None).place
    title.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_DOWN))
    title.handle(pygame.event.Event(pygame.JOYHATMOTION, value=(0, -1)))
    title.handle(pygame.event.Event(pygame.JOYAXISMOTION, axis=STICK_Y, value=0.9))
    title.handle(pygame.event.Event(pygame.JOYAXISMOTION, axis=STICK_Y, value=1.0))  # still the same push
    assert title.place == 3
    title.handle(pygame.event.Event(pygame.JOYBUTTONDOWN, button=A))
    assert title.next == Settings(title.names[3], title.seed)
    title.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_2))
    assert title.next == Settings(title.names[1], title.seed)


def test_the_title_has_two_columns_where_one_would_be_too_tall_and_nine_number_keys(opened):
    title = opened(None, size=(1280, 720)).place
    rows = title.rows((1280, 720))
    assert len({row.left for row in rows}) == 2
    assert min(row.height for row in rows) > 40  # there is room for descriptions
    assert not any(one.colliderect(other) for k, one in enumerate(rows) for other in rows[:k])
    title.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RIGHT))
    assert rows[title.place].left > rows[0].left
    title.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT))
    assert title.place == 0
    title.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_1 + 9))
    assert title.next is None


def test_pause_stops_time_and_one_tick_is_one_tick(lone):
    demo, session = lone
    press(demo, pygame.K_SPACE)
    before = session.world.tick
    frames(demo, 5)
    assert session.world.tick == before
    press(demo, pygame.K_PERIOD)
    assert session.world.tick == before + 1
    press(demo, pygame.K_SPACE)
    frames(demo, 5)
    assert session.world.tick > before + 1


def test_a_paused_world_is_drawn_in_full_detail(lone):
    demo, session = lone
    session.governor.level = 4
    session.frame_took(1.0)
    assert session.picture.detail == 4
    press(demo, pygame.K_SPACE)
    assert session.world.clock.paused
    session.frame_took(1.0)
    assert session.picture.detail == 0
    press(demo, pygame.K_SPACE)
    session.frame_took(1.0)
    assert session.picture.detail == session.governor.level > 0  # as it was before


def test_time_scale_changes_how_many_ticks_a_second_has(lone):
    demo, session = lone
    press(demo, pygame.K_COMMA, pygame.K_COMMA)
    before = session.world.tick
    frames(demo, 24)
    assert session.world.tick - before == pytest.approx(24 * 0.25, abs=1)


def test_food_is_placed_where_the_mouse_clicks_and_follows_a_drag(lone):
    demo, session = lone
    session.following = False
    session.world.clock.paused = True
    wanted = session.camera.to_world((40, 30))
    click(demo, (40, 30))
    food = session.world.props.food
    assert food.live("position")[:, :2] == pytest.approx(wanted[None], abs=1e-9)
    drag(demo, (40, 30), (280, 170))
    assert len(food.spans) == 1
    assert food.live("position")[:, :2] == pytest.approx(session.camera.to_world((280, 170))[None], abs=1e-9)
    click(demo, (280, 170), button=3)
    assert not len(food.spans)


def test_rocks_are_placed_dragged_and_taken_away(lone):
    demo, session = lone
    session.following = False
    session.world.clock.paused = True
    click(demo, (30, 30), button=3)
    rocks = session.world.props.obstacles
    half = rocks.live("half_size").copy()
    drag(demo, (30, 30), (290, 30))
    assert rocks.live("position")[:, :2] == pytest.approx(session.camera.to_world((290, 30))[None], abs=1e-9)
    assert (rocks.live("half_size") == half).all()
    click(demo, (290, 30), button=3)
    assert not len(rocks.spans)


def test_a_rock_cannot_be_dropped_on_a_creature_and_the_player_is_told(lone):
    demo, session = lone
    session.world.clock.paused = True
    middle = session.camera.to_screen(session.selected.segments.position[4, :2])
    click(demo, (30, 30), button=3)
    drag(demo, (30, 30), tuple(int(v) for v in middle))
    assert "stand inside" in session.message
    assert session.world.props.obstacles.live("position")[:, :2] == pytest.approx(session.camera.to_world((30, 30))[None])


def test_dragging_a_creature_selects_it_and_pushes_it_that_way(lone):
    demo, session = lone
    session.select(None)
    creature = next(iter(session.world.creatures.values()))
    x, y = (int(v) for v in session.camera.to_screen(creature.segments.position[3, :2]))
    session.following = False
    before = creature.segments.position.copy()
    drag(demo, (x, y), (x, max(y - 120, 1)))
    assert session.selected is creature
    session.world.step(12)
    moved = creature.segments.position - before
    assert moved[3, 1] > 0.3
    assert moved[3, 1] > abs(moved[3, 0])


def test_a_click_on_a_creature_selects_and_does_not_push(lone):
    demo, session = lone
    creature = session.selected
    session.select(None)
    x, y = (int(v) for v in session.camera.to_screen(creature.segments.position[2, :2]))
    click(demo, (x, y))
    assert session.selected is creature
    assert not session.world.props.food.spans.size
    assert creature.segments.pool.push[creature.rows["segments"].slice].any() == 0


def test_the_middle_button_moves_the_view_and_the_wheel_zooms(lone):
    demo, session = lone
    session.following = False
    session.world.clock.paused = True
    held = session.camera.to_world((100, 100))
    drag(demo, (100, 100), (160, 70), button=2)
    assert session.camera.to_world((160, 70)) == pytest.approx(held)
    scale = session.camera.pixels_per_unit
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, y=1, x=0))
    frames(demo)
    assert session.camera.pixels_per_unit > scale
    assert session.camera.to_world((160, 70)) == pytest.approx(held)


def test_a_creature_that_was_taken_over_obeys_keys_and_stick(lone):
    demo, session = lone
    press(demo, pygame.K_t)
    hold(demo, pygame.K_UP, 3)
    creature = session.selected
    pygame.event.post(pygame.event.Event(pygame.JOYAXISMOTION, axis=STICK_Y, value=-1.0))
    frames(demo, 2)
    assert creature.world.creature_pool.drive[creature.row, 0] > 0.0
    pygame.event.post(pygame.event.Event(pygame.JOYAXISMOTION, axis=STICK_Y, value=0.0))
    hold(demo, pygame.K_LEFT, 3)
    assert creature.brain.goal.name == "DRIVE"
    frames(demo)
    assert not creature.world.creature_pool.drive[creature.row].any()
    pygame.event.post(pygame.event.Event(pygame.JOYBUTTONDOWN, button=A))
    frames(demo)
    assert creature.brain.goal.name == "NONE"
    pygame.event.post(pygame.event.Event(pygame.JOYBUTTONDOWN, button=START))
    frames(demo)
    assert session.world.clock.paused


def test_every_key_works_with_somebody_with_nobody_and_in_a_tiny_window(opened):
    demo = opened("drop", count=1)
    session = session_of(demo)
    keys = [action.keys[0] for action in ACTIONS if action.do not in LEAVING]
    press(demo, *keys)
    assert demo.place is session
    for creature in list(session.world.creatures.values()):
        creature.despawn()
    press(demo, *keys)
    frames(demo, 2)
    assert demo.place is session
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_h))
    frames(demo)


def test_keys_work_in_a_world_without_creatures(opened):
    demo = opened("forest_floor", count=0)
    session = session_of(demo)
    assert not session.world.creatures
    press(demo, pygame.K_TAB, pygame.K_i, pygame.K_t, pygame.K_k, pygame.K_x, pygame.K_f, pygame.K_2, pygame.K_5)
    frames(demo, 3)
    assert session.selected is None
    press(demo, pygame.K_n)
    assert len(session.world.creatures) == 1


def test_the_help_page_lists_every_key_button_and_gesture():
    rows = help_rows()
    text = [words for _, words in rows]
    assert all(action.help in text for action in ACTIONS)
    assert all(gesture.help in text for gesture in GESTURES.values())
    assert len(BY_KEY) == sum(len(action.keys) for action in ACTIONS), "a key does two things"
    assert all(names for names, _ in rows)


def test_the_help_page_changes_the_picture_and_goes_away(lone):
    demo, session = lone
    session.world.clock.paused = True
    before = settled(demo)
    press(demo, pygame.K_h)
    during = pygame.surfarray.array3d(demo.screen)
    press(demo, pygame.K_ESCAPE)
    after = pygame.surfarray.array3d(demo.screen)
    assert demo.place is session
    assert (before != during).any(axis=2).mean() > 0.3
    assert (before != after).any(axis=2).mean() < 0.02


def test_the_inspector_survives_the_death_and_the_end_of_its_creature(lone):
    demo, session = lone
    press(demo, pygame.K_i, pygame.K_1, pygame.K_2, pygame.K_3, pygame.K_4, pygame.K_5)
    press(demo, pygame.K_k)
    assert session.selected.dead
    frames(demo, 3)
    session.selected.despawn()
    frames(demo, 3)
    assert session.selected is None


def test_saving_and_loading_gives_the_same_world(lone):
    demo, session = lone
    press(demo, pygame.K_SPACE, pygame.K_F5)
    saved = session.world.state_hash()
    press(demo, pygame.K_PERIOD, pygame.K_PERIOD)
    assert session.world.state_hash() != saved
    press(demo, pygame.K_F9)
    assert session.world.state_hash() == saved
    assert session.selected.alive


@pytest.mark.parametrize("content", [None, b"", b"PALUDARI nonsense", bytes(range(256)) * 40])
def test_a_broken_save_is_told_and_the_world_goes_on(lone, content):
    demo, session = lone
    file = session.folder / player_actions.SAVE_FILE
    if content is not None:
        file.write_bytes(content)
    world, tick = session.world, session.world.tick
    press(demo, pygame.K_F9)
    assert player_actions.SAVE_FILE in session.message
    frames(demo, 3)
    assert session.world is world
    assert world.tick > tick


def test_pictures_and_clips_are_written(lone):
    demo, session = lone
    press(demo, pygame.K_F12, pygame.K_F10)
    frames(demo, 12)
    press(demo, pygame.K_F10)
    png, gif = (sorted(session.folder.glob(f"*.{kind}")) for kind in ("png", "gif"))
    assert pygame.image.load(str(png[0])).get_size() == SIZE
    assert gif[0].read_bytes()[:6] == b"GIF89a"


def test_a_new_size_of_the_window_is_taken_over(lone):
    demo, session = lone
    pygame.display.set_mode((500, 300), pygame.RESIZABLE)
    pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=(500, 300), w=500, h=300))
    frames(demo, 3)
    assert demo.screen.get_size() == (500, 300)
    assert session.camera.to_screen(session.camera.center) == pytest.approx((250.0, 150.0))
    corner = pygame.surfarray.array3d(demo.screen)[-40:, 100:140]
    assert corner.any(axis=2).mean() > 0.9, "the new part of the window is not drawn"


def test_closing_the_window_ends_the_demo(lone):
    demo, _ = lone
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    frames(demo)
    assert not demo.running


def test_a_scene_that_cannot_be_built_leads_back_to_the_title(lone):
    demo, session = lone
    session.next = Settings("drop", species="unicorn")
    frames(demo, 2)
    assert isinstance(demo.place, Title)
    assert "unicorn" in demo.place.message


def test_rain_comes_and_goes_on_a_pond_and_is_explained_elsewhere(opened, lone):
    _, dry = lone
    player_actions.rain(dry)
    assert "no water" in dry.message
    session = session_of(opened("tide_pool", count=0))
    rates = []
    for _ in range(3):
        player_actions.rain(session)
        rates.append(session.world.water.grids[0].rain_rate)
    assert rates[0] > 0.0
    assert rates[1] > rates[0]
    assert rates[2] == 0.0


def test_a_thousand_are_shown_and_one_more_is_refused(opened):
    demo = opened("swarm", count=MOST_CREATURES)
    session = session_of(demo)
    press(demo, pygame.K_b, pygame.K_i)
    assert len(session.world.creatures) == MOST_CREATURES
    assert "enough" in session.message
    tiers = session.world.creature_pool.tier[session.world.creature_pool.spans[:, 0]]
    counts = np.bincount(tiers, minlength=3)
    assert counts[0] <= session.scene.policy.full + 1
    assert counts[1] <= session.scene.policy.bush


def test_begin_again_builds_the_same_scene_anew(lone):
    demo, session = lone
    press(demo, pygame.K_F2)
    frames(demo)
    assert isinstance(demo.place, Session)
    assert demo.place is not session
    assert demo.place.world.tick < 10
