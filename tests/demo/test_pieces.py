"""The parts of the demo that need no world: pace, charts, gamepads, recorder, sounds, options."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from paludarium import LegState
from paludarium.components.legs import STATE_TONES
from paludarium.game_demo.gamepad import STICK_X, STICK_Y, Gamepad
from paludarium.game_demo.panel_page import BEFORE, GAP, chart_pixels, numbered
from paludarium.game_demo.recorder import FRAMES_PER_SECOND, Recorder, packed_pixels
from paludarium.game_demo.sounds import RECIPES, Sounds
from paludarium.game_demo.theme import TONES
from paludarium.game_demo.tick_budget import Pace

LEG_COLOURS = [TONES[tone] for _, tone in STATE_TONES]


def test_slow_ticks_slow_the_world_down_and_not_the_frames():
    pace = Pace()
    assert pace.allowed_ticks() > 1
    for _ in range(60):
        pace.observe(0.050)
    assert pace.allowed_ticks() == 1
    for _ in range(60):
        pace.observe(0.002)
    assert pace.allowed_ticks() > 4


def test_ticks_get_what_the_picture_leaves_and_time_that_is_wound_forward_gets_more():
    pace = Pace()
    for _ in range(60):
        pace.observe(0.003)
        pace.observe_rest(0.009)
    assert pace.allowed_ticks() == 2  # 16.7 - 9 ms hold two ticks of 3 ms
    assert pace.allowed_ticks(scale=4.0) == 6  # 20 ms
    for _ in range(60):
        pace.observe_rest(0.030)
    assert pace.allowed_ticks() == 1  # never none: the world goes on


def test_the_chart_has_one_row_per_leg_and_the_colours_of_the_states():
    states = np.full((4, 216), LegState.STANCE, dtype=np.uint8)
    states[2, 108:] = LegState.SF1
    picture = chart_pixels(states, LEG_COLOURS, width=216, height=36)
    assert picture.shape == (216, 36, 3)
    assert tuple(picture[10, 4]) == LEG_COLOURS[LegState.STANCE]
    assert tuple(picture[200, 22]) == LEG_COLOURS[LegState.SF1]
    assert tuple(picture[50, 22]) == LEG_COLOURS[LegState.STANCE]
    assert tuple(picture[50, 8]) == GAP


@pytest.mark.parametrize("pairs, height", [(0, 20), (1, 5), (57, 40), (57, 10)])
def test_a_chart_of_any_size_is_drawn(pairs, height):
    assert chart_pixels(np.zeros((pairs, 216), dtype=np.uint8), LEG_COLOURS, 50, height).shape == (50, height, 3)


def test_a_chart_shows_what_it_does_not_know_as_the_time_before():
    states = np.array([[np.nan, 0.0, 5.0, 1.0]])  # 5 is a state that the panel was never told of
    picture = chart_pixels(states, [(1, 2, 3), (4, 5, 6)], width=4, height=2)
    assert [tuple(colour) for colour in picture[:, 0]] == [BEFORE, (1, 2, 3), BEFORE, (4, 5, 6)]


@pytest.mark.parametrize("rows, wanted", [(2, [0, 1]), (4, [0, 3]), (8, [0, 7]), (18, [0, 6, 12, 17]), (19, [0, 6, 12, 18])])
def test_the_first_and_the_last_row_of_a_chart_are_numbered(rows, wanted):
    assert numbered(rows) == wanted


def test_a_stick_steers_beyond_its_dead_zone_and_rests_when_the_pad_is_pulled_out():
    pad = Gamepad()
    pad.handle(pygame.event.Event(pygame.JOYAXISMOTION, axis=STICK_Y, value=-0.8))
    pad.handle(pygame.event.Event(pygame.JOYAXISMOTION, axis=STICK_X, value=0.1))
    assert pad.stick == (0.8, 0.0)
    pad.handle(pygame.event.Event(pygame.JOYDEVICEADDED, device_index=99))  # announced and gone before it is opened
    pad.handle(pygame.event.Event(pygame.JOYDEVICEREMOVED, instance_id=0))
    assert pad.stick == (0.0, 0.0)


def test_a_recorder_keeps_its_rate_and_starts_anew_when_the_size_changes(tmp_path):
    recorder = Recorder()
    assert recorder.stop(tmp_path / "empty.gif") is None
    recorder.start()
    screen = pygame.Surface((64, 40))
    for shade in range(30):
        screen.fill((8 * shade, 40, 200))
        recorder.capture(screen, 1.0 / 60.0)
    assert recorder.seconds == pytest.approx(0.5, abs=1.5 / FRAMES_PER_SECOND)
    recorder.capture(pygame.Surface((80, 40)), 1.0)
    assert recorder.seconds == pytest.approx(1.0 / FRAMES_PER_SECOND)
    file = recorder.stop(tmp_path / "clip.gif")
    assert file.read_bytes()[6:10] == bytes([80, 0, 40, 0])
    assert not recorder.running


def test_packed_pixels_have_red_in_the_high_byte():
    screen = pygame.Surface((3, 2))
    screen.set_at((2, 1), (0x12, 0x34, 0x56))
    assert packed_pixels(screen)[1, 2] == 0x123456


def test_sounds_are_finite_short_and_never_clipped():
    for make in RECIPES.values():
        wave = make()
        assert np.isfinite(wave).all()
        assert 0.01 < np.abs(wave).max() <= 1.0
        assert wave.size < 22050


def test_without_a_device_sounds_are_silent_and_say_so(monkeypatch):
    def fail(*_arguments):
        raise pygame.error("no device")

    monkeypatch.setattr(pygame.mixer, "init", fail)
    sounds = Sounds.open()
    assert not sounds.available
    sounds.play("eat")
    assert "no sound device" in sounds.louder()
    sounds.close()


def test_with_a_device_the_volume_key_goes_round():
    sounds = Sounds.open()
    if not sounds.available:
        pytest.skip("SDL has no dummy audio driver here")
    seen = {sounds.louder() for _ in range(3)}
    sounds.play("step", 0.5)
    sounds.close()
    assert seen == {"sound 0%", "sound 35%", "sound 80%"}
