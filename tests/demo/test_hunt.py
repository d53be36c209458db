"""The hunt: eating, growing into the same pose, being eaten, winning, and going on from a saved game."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.game_demo.hunt import (
    MEALS_PER_STAGE,
    PLUGIN,
    STAGE_SEGMENTS,
    HuntPool,
    Outcome,
    define_bodies,
    hunt_of,
    stage_species,
    start_hunt,
)
from paludarium.systems.myriapod.growth import moult


@pytest.fixture(scope="module")
def begun():
    world = start_hunt(seed=3)
    world.step(60)
    return world


@pytest.fixture
def world(begun, tmp_path):
    """A hunt one second old; every test gets its own copy."""
    begun.save(tmp_path / "hunt.palu")
    return World.load(tmp_path / "hunt.palu", plugins=[PLUGIN])


def put_food_before(creature):
    ahead = np.array([np.cos(creature.heading), np.sin(creature.heading)])
    return creature.world.add_food(creature.position[:2] + 0.4 * ahead)


def test_a_fruit_scores_feeds_and_comes_back_elsewhere(world):
    hunt = hunt_of(world)
    fruits = len(world.props.food.spans)
    put_food_before(hunt.player)
    world.step(2)
    assert hunt.board.score[0] == 1
    assert hunt.board.meals[0] == 1
    assert len(world.props.food.spans) == fruits + 1


def test_enough_meals_make_a_longer_body_in_the_same_pose(world):
    hunt = hunt_of(world)
    before = hunt.player
    hunt.board.meals[0] = MEALS_PER_STAGE + 1
    tips = before.legs.tip.copy()
    standing = before.legs.in_stance.copy()
    world.step()
    grown = hunt.player
    assert grown is not before
    assert not before.alive
    assert len(grown.segments) == STAGE_SEGMENTS[1]
    assert hunt.board.meals[0] == 1
    pairs = len(tips)
    still = standing & grown.legs.in_stance[:pairs]
    assert still.sum() > pairs // 2, "a grown animal keeps its footing"
    assert grown.legs.tip[:pairs][still] == pytest.approx(tips[still], abs=1e-9)
    gaps = np.linalg.norm(np.diff(grown.segments.position, axis=0), axis=1)
    assert gaps == pytest.approx(2.0, abs=0.15)


def test_a_grown_body_walks_on_and_is_not_torn(world):
    hunt = hunt_of(world)
    hunt.board.meals[0] = MEALS_PER_STAGE
    world.step()
    grown, start = hunt.player, hunt.player.position.copy()
    assert len(grown.segments) == STAGE_SEGMENTS[1]
    disturbed = []
    world.on("tissue_disturbed", disturbed.append)
    for _ in range(120):
        grown.control(2.5)
        world.step()
    assert np.hypot(*(grown.position - start)[:2]) > 3.0
    assert not [event for event in disturbed if event.creature is grown]
    gaps = np.linalg.norm(np.diff(grown.segments.position, axis=0), axis=1)
    assert gaps == pytest.approx(2.0, abs=0.2)


def test_moulting_keeps_name_and_faction_and_leaves_one_creature_behind(world):
    player = hunt_of(world).player
    count = len(world.creatures)
    grown = moult(player, stage_species(2), reach=30.0)
    assert (grown.name, grown.faction, len(world.creatures)) == (player.name, "players", count)


def test_the_hunter_follows_what_it_sees_and_its_bite_ends_the_hunt(world):
    hunt = hunt_of(world)
    over = []
    world.on("hunt_over", over.append)
    near = hunt.player.position[:2] + (0.0, 14.0)
    hunt.hunter.despawn()
    new = world.spawn("hunter", at=near, heading=-np.pi / 2, spread=4.0)
    hunt.board.hunter[0] = new.serial
    world.step(2)
    assert new.brain.goal.name == "FOLLOW"
    segments = world.pools["SegmentPool"]
    shift = hunt.player.segments.position[2] - new.segments.position[0]
    segments.position[new.rows["segments"].slice] += shift  # its head is put upon the player's back
    world.creature_pool.position[new.row] += shift
    world.step(2)
    assert hunt.outcome is Outcome.LOST
    assert hunt.player.dead
    assert [event.won for event in over] == [False]


def test_the_largest_player_chases_the_hunter_and_wins_by_a_bite(world):
    hunt = hunt_of(world)
    hunt.board.stage[0] = len(STAGE_SEGMENTS) - 2
    hunt.board.meals[0] = MEALS_PER_STAGE
    world.step(2)
    assert hunt.is_largest
    assert hunt.hunter.brain.goal.name == "FLEE_CREATURE"
    segments, hunter = world.pools["SegmentPool"], hunt.hunter
    shift = hunt.player.segments.position[0] - hunter.segments.position[5]
    segments.position[hunter.rows["segments"].slice] += shift
    world.creature_pool.position[hunter.row] += shift
    world.step()
    assert hunt.outcome is Outcome.WON
    assert hunter.dead


def test_a_caught_animal_counts_and_another_one_comes(world):
    hunt = hunt_of(world)
    prey = next(c for c in world.creatures.values() if c.faction == "prey")
    shift = hunt.player.segments.position[0] - prey.segments.position[1]
    world.pools["SegmentPool"].position[prey.rows["segments"].slice] += shift
    world.creature_pool.position[prey.row] += shift
    world.step()
    assert not prey.alive
    assert hunt.board.score[0] == 3
    assert sum(c.faction == "prey" for c in world.creatures.values()) >= 5


def test_a_saved_hunt_goes_on_with_its_score(world, tmp_path):
    world.pool(HuntPool).score[0] = 17
    world.save(tmp_path / "again.palu")
    loaded = World.load(tmp_path / "again.palu", plugins=[PLUGIN])
    assert hunt_of(loaded).board.score[0] == 17
    assert hunt_of(loaded).player.name == "you"
    loaded.step(30)
    world.step(30)
    assert loaded.state_hash() == world.state_hash()
    hunt_of(loaded).board.meals[0] = MEALS_PER_STAGE
    loaded.step()
    assert len(hunt_of(loaded).player.segments) == STAGE_SEGMENTS[1]


def test_a_world_without_a_hunt_has_none():
    world = World(seed=1)
    assert hunt_of(world) is None
    define_bodies(world)
    assert stage_species(0) in list(world.species)
