"""The hunt played by a simple player with the keys a person has, and how its end is told."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from paludarium.game_demo.hud import HINT_SECONDS
from paludarium.game_demo.hunt import SIGHT, STAGE_SEGMENTS, WIDEST_SIGHT, Outcome, hunt_of
from paludarium.tests.demo.driving import frames, open_demo, press, session_of
from paludarium.tests.demo.hunting_player import play


@pytest.fixture
def hunting(tmp_path):
    """A hunt without a window."""
    demo = open_demo(tmp_path, "hunt", seed=2)
    yield demo
    demo.close()


def put_hunter_near(session, distance):
    """The big one, so many units to the north of the player."""
    hunt = hunt_of(session.world)
    hunt.hunter.despawn()
    at = hunt.player.position[:2] + (0.0, distance)
    hunter = session.world.spawn("hunter", at=at, heading=-np.pi / 2, spread=6.0, faction="hunters")
    hunt.board.hunter[0] = hunter.serial
    return hunt


def test_a_sensible_player_eats_grows_and_is_still_there_after_half_a_minute(hunting):
    session = session_of(hunting)
    game = play(session, 30.0)
    assert game.outcome is Outcome.RUNNING
    assert game.score >= 6
    assert game.stage >= 1
    assert len(session.selected.segments) == STAGE_SEGMENTS[game.stage]
    assert session.driving, "the keys reach the new body"


def test_who_does_nothing_is_eaten(hunting):
    session = session_of(hunting)
    put_hunter_near(session, 22.0)
    game = play(session, 25.0, idle=True)
    assert game.outcome is Outcome.LOST


def test_who_runs_straight_away_gains_ground(hunting):
    session = session_of(hunting)
    hunt = hunt_of(session.world)
    ahead = np.array([np.cos(hunt.player.heading), np.sin(hunt.player.heading)])
    hunt.hunter.despawn()
    behind = hunt.player.segments.position[-1, :2] - 8.0 * ahead
    hunter = session.world.spawn("hunter", at=behind, heading=hunt.player.heading, spread=6.0, faction="hunters")
    hunt.board.hunter[0] = hunter.serial
    frames(hunting, 2)
    assert hunter.brain.goal.name == "FOLLOW"
    begin = hunter.distance_to(hunt.player)
    session.held = {pygame.K_UP}
    for _ in range(60 * 10):
        session.update(1.0 / 60.0)
    assert hunt.outcome is Outcome.RUNNING
    assert hunter.distance_to(hunt.player) > begin


def test_the_big_one_notices_from_farther_away_the_longer_the_game_lasts(hunting):
    world = session_of(hunting).world
    hunt = hunt_of(world)
    assert pytest.approx(SIGHT, abs=0.1) == hunt.sight
    world.clock.tick = 60 * 60
    assert SIGHT < hunt.sight < WIDEST_SIGHT
    world.clock.tick = 3600 * 60
    assert hunt.sight == WIDEST_SIGHT


@pytest.mark.parametrize("outcome", [Outcome.WON, Outcome.LOST])
def test_the_end_is_told_on_the_screen_and_enter_begins_again(hunting, outcome):
    session = session_of(hunting)
    session.world.clock.paused = True
    session.world.clock.tick = int(60 * HINT_SECONDS) + 60  # the hint at the beginning is gone
    frames(hunting, 2)
    before = pygame.surfarray.array3d(hunting.screen).astype(int)
    hunt_of(session.world).board.outcome[0] = outcome
    frames(hunting, 1)
    told = pygame.surfarray.array3d(hunting.screen).astype(int)
    upper = np.abs(told - before).max(axis=2)[:, : told.shape[1] // 2]
    assert (upper > 24).mean() > 0.2, "no panel tells the end"
    ink = told[..., 1] - told[..., 0] if outcome is Outcome.WON else told[..., 0] - told[..., 1]
    assert (ink[:, : told.shape[1] // 2] > 80).sum() > 100, "its title has no colour"
    press(hunting, pygame.K_RETURN)
    frames(hunting)
    assert session_of(hunting) is not session
    assert hunt_of(session_of(hunting).world).outcome is Outcome.RUNNING


def test_the_hint_is_there_at_the_beginning_and_goes_away(hunting):
    session = session_of(hunting)
    session.world.clock.paused = True
    frames(hunting, 2)
    hinted = pygame.surfarray.array3d(hunting.screen).astype(int)
    session.world.clock.tick = int(60 * HINT_SECONDS) + 60
    frames(hunting, 1)
    plain = pygame.surfarray.array3d(hunting.screen).astype(int)
    lower = np.abs(hinted - plain).max(axis=2)[:, hinted.shape[1] // 2 :]
    assert (lower > 24).mean() > 0.05
