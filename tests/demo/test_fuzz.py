"""A player who hits keys and mouse at random: nothing is raised, and the demo goes on."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from paludarium.game_demo import player_actions
from paludarium.game_demo.key_bindings import ACTIONS
from paludarium.tests.demo.driving import drag, frames, hold, open_demo, press

ROUNDS = 30
SIZES = ((320, 200), (200, 320), (60, 40), (400, 240))
TOO_LONG = {player_actions.spawn_many, player_actions.record_clip}  # they work, but a crowd and a clip of it take their time


@pytest.mark.parametrize(("scene", "seed"), [("hunt", 1), ("tide_pool", 2), ("drop", 3)])
def test_random_keys_mouse_sizes_and_lost_focus_break_nothing(tmp_path, scene, seed):
    chance = np.random.default_rng(seed)
    keys = [action.keys[0] for action in ACTIONS if action.do not in TOO_LONG and action.do is not player_actions.go_back]
    demo = open_demo(tmp_path, scene)
    try:
        for _ in range(ROUNDS):
            width, height = demo.screen.get_size()
            places = [(int(x), int(y)) for x, y in chance.integers((0, 0), (width, height), size=(2, 2))]
            deed = chance.integers(0, 10)
            if deed < 6:
                press(demo, int(chance.choice(keys)))
            elif deed < 8:
                drag(demo, places[0], places[1], int(chance.integers(1, 4)))
            elif deed == 8:
                hold(demo, pygame.K_UP, 3)
            else:
                size = SIZES[int(chance.integers(0, len(SIZES)))]
                pygame.display.set_mode(size, pygame.RESIZABLE)
                pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1]))
                pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSLOST))
                frames(demo)
            assert demo.running
        demo.place.world.clock.paused = False
        tick = demo.place.world.tick
        frames(demo, 12)
        assert demo.place.world.tick > tick
    finally:
        demo.close()
