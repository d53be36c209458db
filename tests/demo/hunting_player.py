"""A simple player of the hunt: it looks at the screen's facts and holds the keys that a person would hold."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pygame

from paludarium.engine.props import FoodPool
from paludarium.game_demo.hunt import PREYS, HuntSystem, Outcome, hunt_of
from paludarium.game_demo.session import Session

FRAME = 1.0 / 60.0
AFRAID = 20.0  # units at which this player runs from the big one: where the screen writes its distance in red
AIM = 0.12  # rad; less than this off the course needs no turning
TIGHT = 6.0  # units; things nearer than the turning circle and far aside are better circled from afar
PREY_WORTH = 1.5  # a catch is worth this much more of a way than a fruit
EDGE = 0.45  # of the field's side: nobody runs beyond this
RUN = 18.0  # units that a runaway thinks ahead
WAYS = 24  # that it compares
TURN_PRICE = 3.0  # units per rad


@dataclass
class Game:
    """How one game went."""

    seconds: float
    outcome: Outcome
    score: int
    stage: int
    moults: tuple[float, ...]


def wanted_keys(hunt: HuntSystem) -> set[int]:
    """What a sensible player holds now: towards food, away from the big one, towards it when grown up."""
    player, hunter = hunt.player, hunt.hunter
    if player is None:
        return set()
    here = player.position[:2]
    if hunter is not None and not hunter.dead:
        to_hunter = hunter.position[:2] - here
        if hunt.is_largest:
            return keys_towards(player.heading, to_hunter)
        if np.hypot(*to_hunter) < AFRAID:
            away = _away(here, player.heading, hunter.position[:2], hunt.world.map.area.width)
            return keys_towards(player.heading, away)
    return keys_towards(player.heading, _nearest_meal(hunt, here, player.heading))


def keys_towards(heading: float, way: Iterable[float]) -> set[int]:
    """Ahead, and to the side where the way goes."""
    x, y = way
    off = (math.atan2(y, x) - heading + math.pi) % (2.0 * math.pi) - math.pi
    keys = {pygame.K_UP}
    if abs(off) > AIM:
        keys.add(pygame.K_LEFT if off > 0.0 else pygame.K_RIGHT)
    return keys


def play(session: Session, seconds: float, *, idle: bool = False) -> Game:
    """Play until the game or the time is over; an idle player touches nothing."""
    hunt = hunt_of(session.world)
    assert hunt is not None
    moults: list[float] = []
    session.world.on("grew", lambda _event: moults.append(session.world.time))
    begin = session.world.time
    while session.world.time - begin < seconds and hunt.outcome is Outcome.RUNNING:
        session.held = set() if idle else wanted_keys(hunt)
        session.update(FRAME)
    board = hunt.board
    return Game(session.world.time - begin, hunt.outcome, int(board.score[0]), int(board.stage[0]), tuple(moults))


def _away(here: np.ndarray, heading: float, hunter: np.ndarray, side: float) -> np.ndarray:
    """The way that ends farthest from the big one without leaving the field; turning round costs time."""
    angles = heading + np.linspace(-np.pi, np.pi, WAYS, endpoint=False)
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    ends = np.clip(here + RUN * ways, -EDGE * side, EDGE * side)
    turning = np.abs(np.linspace(-np.pi, np.pi, WAYS, endpoint=False))
    return ways[int(np.argmax(np.hypot(*(ends - hunter).T) - TURN_PRICE * turning))]


def _nearest_meal(hunt: HuntSystem, here: np.ndarray, heading: float) -> np.ndarray:
    meals = [(place[:2] - here, 1.0) for place in hunt.world.pool(FoodPool).live("position")]
    meals += [(c.position[:2] - here, PREY_WORTH) for c in hunt.world.creatures.values() if c.faction == PREYS]
    ahead = np.array([math.cos(heading), math.sin(heading)])

    def price(meal: tuple[np.ndarray, float]) -> float:
        way, worth = meal
        far = float(np.hypot(*way))
        behind = 1.0 - float(way @ ahead) / max(far, 1e-9)
        return (far + TIGHT * behind) / worth

    return min(meals, key=price)[0] if meals else ahead
