"""The hunt: eat, grow, keep away from the big one until you are the big one. A plugin like any mod.

All of the game's state is a row of a pool, so a saved hunt goes on where it was.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from ..components.brain_modes import GoalKind
from ..engine.column_rules import COUNT, SERIAL, Codes
from ..engine.errors import SpawnError
from ..engine.maps import Map
from ..engine.plugins import BUILT_IN
from ..engine.pool import Pool, column
from ..engine.schedule import Phase
from ..engine.world import World
from ..systems.myriapod.growth import moult

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.events import Event

PLUGIN = __name__

# The numbers below were set by letting a simple player (tests/demo/hunting_player.py) play seeds 1 to 5 with the keys: it
# wins three games in 64 to 121 s, is eaten in two after 66 and 123 s, and grows every 6 to 65 s; with fewer meals per skin
# and a slower hunter it won all five, with one meal more and a quicker hunter one of five.
# Who does nothing is eaten after 109 and 164 s (seeds 1 and 2).
FIELD = 110.0  # units, side of the map
STAGE_SEGMENTS = (8, 10, 12, 15, 18)  # of the player's body; the last one is longer than the hunter
MEALS_PER_STAGE = 5
FRUIT_POINTS, PREY_POINTS, WIN_POINTS = 1, 3, 10
PREY_MEALS = 2
SCATTER_TRIES = 12
PREY_SPECIES = "small pauropod"
FRUITS, PREY = 26, 6  # kept up: what is eaten comes back somewhere else
PLAYERS, PREYS, HUNTERS = "players", "prey", "hunters"  # factions
HUNTER_SCALE = 1.4
SIGHT, SIGHT_GROWTH, WIDEST_SIGHT = 22.0, 0.15, 45.0  # units, units/s, units: the hunter notices the player from farther
# away the longer it is hungry, so a game begins gently and does not last for ever
LOST_SIGHT = 1.3  # times as far it loses sight again: who runs is rid of it
HUNTER_SPEED = 2.5  # u/s; the player can run faster (3.2), but not around every rock
PREY_SCALE = 0.55  # of the pauropod it is made from: what is prey looks like prey
PREY_SPEED = 1.5  # u/s; half the player's, but it turns on the spot where the player needs a wide bend
PREY_RADIUS = 12.0
BITE = 0.6  # units between a head and a body
FLEE_RADIUS = 26.0


class Outcome(IntEnum):
    """How the hunt stands."""

    RUNNING = 0
    WON = 1
    LOST = 2


class HuntPool(Pool):
    """One row: the score board."""

    single = True

    player = column(np.int64, holds=SERIAL)
    hunter = column(np.int64, holds=SERIAL)
    score = column(np.int32, holds=COUNT)
    meals = column(np.int32, holds=COUNT)
    stage = column(np.int32, holds=Codes(len(STAGE_SEGMENTS)))
    outcome = column(np.uint8, holds=Codes(len(Outcome)))


class HuntSystem:
    """Update the score board, the hunter's mind and the player's size."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.board = world.pool(HuntPool)
        world.on("ate", self._ate)

    @property
    def started(self) -> bool:
        return bool(self.board.spans.size)

    @property
    def player(self) -> Creature | None:
        return self.world.creatures.get(int(self.board.player[0])) if self.started else None

    @property
    def hunter(self) -> Creature | None:
        return self.world.creatures.get(int(self.board.hunter[0])) if self.started else None

    @property
    def outcome(self) -> Outcome:
        return Outcome(int(self.board.outcome[0]))

    @property
    def is_largest(self) -> bool:
        """The player has grown up: now the hunter is the prey."""
        return int(self.board.stage[0]) == len(STAGE_SEGMENTS) - 1

    @property
    def sight(self) -> float:
        """How far away the hunter notices the player now, in units."""
        return min(SIGHT + SIGHT_GROWTH * self.world.time, WIDEST_SIGHT)

    def process(self, dt: float) -> None:  # noqa: ARG002 - a system's signature
        if not self.started or self.outcome is not Outcome.RUNNING:
            return
        player, hunter = self.player, self.hunter
        if player is None or player.dead:
            self._end(Outcome.LOST)
            return
        self._catch_prey(player)
        if hunter is not None and not hunter.dead:
            self._lead(hunter, player)
            self._bite(hunter, player)
        if self.board.meals[0] >= MEALS_PER_STAGE and not self.is_largest and self.outcome is Outcome.RUNNING:
            self._grow(player)

    def _ate(self, event: Event) -> None:
        if not self.started or event.left > 0.0:
            return
        self._scatter("fruit")
        if event.creature is not None and event.creature is self.player:
            self._reward(FRUIT_POINTS, 1)

    def _catch_prey(self, player: Creature) -> None:
        for other in self.world.hit(player.position, BITE, faction=PREYS):
            if not other.dead:
                other.despawn()
                self._reward(PREY_POINTS, PREY_MEALS)
                self._scatter("prey")
                self.world.emit("caught", player)

    def _lead(self, hunter: Creature, player: Creature) -> None:
        """The hunter follows what it sees; when the player is the larger one, it runs."""
        if self.is_largest:
            if hunter.brain.goal is not GoalKind.FLEE_CREATURE:
                hunter.flee_from(player, FLEE_RADIUS)
            return
        hunting = hunter.brain.goal is GoalKind.FOLLOW
        if hunter.distance_to(player) < self.sight * (LOST_SIGHT if hunting else 1.0):
            hunter.follow(player, 0.0, HUNTER_SPEED)
        elif hunting:
            hunter.release()

    def _bite(self, hunter: Creature, player: Creature) -> None:
        if self.is_largest:
            if hunter in self.world.hit(player.position, BITE):
                hunter.kill()
                self._reward(WIN_POINTS, 0)
                self._end(Outcome.WON)
        elif player in self.world.hit(hunter.position, BITE * HUNTER_SCALE):
            player.kill()
            self._end(Outcome.LOST)

    def _grow(self, player: Creature) -> None:
        stage = int(self.board.stage[0]) + 1
        try:
            grown = moult(player, stage_species(stage), FIELD / 3)
        except SpawnError:  # no room for the new body at this moment: the next tick tries again
            return
        self.board.player[0], self.board.stage[0] = grown.serial, stage
        self.board.meals[0] -= MEALS_PER_STAGE
        self.world.emit("grew", grown, segments=STAGE_SEGMENTS[stage])

    def _scatter(self, what: str) -> None:
        """Bring one back somewhere else; where a rock is in the way, elsewhere again."""
        for _ in range(SCATTER_TRIES):
            place = self.world.streams["hunt"].uniform(-0.45 * FIELD, 0.45 * FIELD, size=2)
            try:
                if what == "fruit":
                    self.world.add_food(place)
                else:
                    self._tell_to_flee(self.world.spawn(PREY_SPECIES, at=place, tier="bush", faction=PREYS))
            except SpawnError:
                continue
            return

    def _tell_to_flee(self, prey: Creature) -> None:
        if self.player is not None:
            prey.flee_from(self.player, PREY_RADIUS)

    def _reward(self, points: int, meals: int) -> None:
        self.board.score[0] += points
        self.board.meals[0] += meals

    def _end(self, outcome: Outcome) -> None:
        self.board.outcome[0] = outcome
        self.world.emit("hunt_over", won=outcome is Outcome.WON, score=int(self.board.score[0]))


def build(world: World) -> None:
    """Install the rules; `start_hunt` puts the animals in."""
    world.add_pool(HuntPool)
    define_bodies(world)  # here, so that a loaded world knows the bodies that no creature has yet
    world.events.declare("grew", "caught", "hunt_over")
    world.add_system(HuntSystem, phase=Phase.LIVE)


def hunt_of(world: World) -> HuntSystem | None:
    """The running hunt of a world, or None where there is no hunt."""
    system = next((entry.system for entry in world.schedule if entry.name == HuntSystem.__name__), None)
    return system if isinstance(system, HuntSystem) and system.started else None


def start_hunt(seed: int) -> World:
    """A field with rocks, fruit and prey, the player in its middle, and the hunter at its edge."""
    world = World(seed=seed, map=_field(), precision="float32", plugins=[*BUILT_IN, PLUGIN])
    board = world.pool(HuntPool)
    board.claim(1, owner=0)
    player = world.spawn(stage_species(0), spread=12.0, faction=PLAYERS)
    board.player[0] = player.serial
    board.hunter[0] = world.spawn("hunter", at=(-0.33 * FIELD, 0.3 * FIELD), spread=6.0, faction=HUNTERS).serial
    for prey in world.spawn(PREY_SPECIES, count=PREY, spread=0.4 * FIELD, tier="bush", faction=PREYS):
        prey.flee_from(player, PREY_RADIUS)
    player.name = "you"
    return world


def define_bodies(world: World) -> None:
    """The player's sizes and the hunter, made from a species of the package."""
    base = world.species["giant_centipede"].source
    for stage, count in enumerate(STAGE_SEGMENTS):
        _define(world, base, stage_species(stage), segments={"count": count, "tail_taper": 0.0}, legs={"tail_growth": 0.0})
    _define(world, base, "hunter", **_scaled(HUNTER_SCALE, {
        "segments": {"count": 15}, "gait": {"min_turn_radius_u": 4.0 * HUNTER_SCALE},
        "antennae": {"link_length_u": 0.34 * HUNTER_SCALE},
        "brain": {"min_turn_radius_u": 5.0 * HUNTER_SCALE, "tight_turn_radius_u": 4.0 * HUNTER_SCALE, "speed_u_per_s": 2.0},
        "appearance": {"plate": "#3A2A38", "head": "#7A1E22", "femur": "#8A3A34", "tibia": "#B0564A", "tarsus": "#D07A5E"},
    }))  # fmt: skip
    _define(world, world.species["pauropod"].source, PREY_SPECIES, **_scaled(PREY_SCALE, {
        "gait": {"min_turn_radius_u": 3.0 * PREY_SCALE}, "antennae": {"link_length_u": 0.4 * PREY_SCALE},
        "brain": {"min_turn_radius_u": 4.0 * PREY_SCALE, "tight_turn_radius_u": 3.0 * PREY_SCALE,
                  "speed_u_per_s": PREY_SPEED},
    }))  # fmt: skip


def _scaled(s: float, own: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Lengths of a body `s` times as large as the usual one, and what is its own besides."""
    lengths: dict[str, dict[str, Any]] = {
        "segments": {"length_u": s, "width_u": s, "height_u": s}, "tissue": {"length_u": s}, "body": {"ride_height_u": s},
        "legs": {"links_u": [s, 0.75 * s, 0.5 * s], "hip_u": [0.0, 0.5 * s, -0.2 * s]}, "gait": {"sample_offset_u": 0.8 * s},
        "antennae": {"root_x_u": 0.4 * s, "root_y_u": 0.25 * s, "head_clearance_u": 0.6 * s},
    }  # fmt: skip
    return {name: {**lengths.get(name, {}), **own.get(name, {})} for name in {**lengths, **own}}


def stage_species(stage: int) -> str:
    """The key of the player's body at a stage of growth."""
    return f"hunting centipede of {STAGE_SEGMENTS[stage]}"


def _define(world: World, base: dict[str, Any], key: str, **changes: dict[str, Any]) -> None:
    tables = {name: {**table, **changes.get(name, {})} if isinstance(table, dict) else table for name, table in base.items()}
    world.define_species(key, **{**tables, "name": key})


def _field() -> Map:
    return Map.define(
        name="hunt", area={"width_u": FIELD, "height_u": FIELD},
        terrain={"kind": "noise", "amplitude": 1.8, "scale": 28.0, "octaves": 4, "elevation": 1.3},
        obstacles=[{"kind": "sphere", "count": 14, "radius_u": 2.2, "spread_u": 50.0}],
        food=[{"count": FRUITS, "spread_u": 50.0}],
    )  # fmt: skip
