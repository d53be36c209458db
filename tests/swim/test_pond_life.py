"""Swimmers in a world's own ponds: how they float, what stops them, and how they obey."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import BodyMode, BrainMode, Map, World
from paludarium.components.brain import BrainPool
from paludarium.components.myriapod.muscles import MusclePool
from paludarium.components.vision import VisionPool
from paludarium.engine.errors import MapError, PaludariumError, SpeciesError
from paludarium.tests.pool_rows import live_rows

TICKS = 60
EEL = {
    "segments": {"count": 8, "density": 0.97},
    "tissue": {"density": 0.97},
    "body": {},
    "antennae": {"link_count": 4},
    "muscles": {"lift": 0.0},
    "vision": {},
    "brain": {"min_turn_radius_u": 0.0, "tight_turn_radius_u": 0.0, "speed_u_per_s": 4.0, "avoid_speed": 1.0},
}


def pond(side: float = 60.0, level: float = 3.0, **tables) -> World:
    half = side / 2
    water = [{"bounds": [-half, -half, half, half], "level_u": level, "cell_u": 1.0}]
    world = World(seed=1, map=Map.define(name="pond", area={"width_u": side, "height_u": side}, water=water, **tables))
    world.define_species("eel", **EEL)
    return world


def plan_speed(world: World, creature, seconds: float) -> float:
    before = creature.segments.position[:, :2].mean(axis=0)
    world.step(round(seconds * TICKS))
    return float(np.hypot(*(creature.segments.position[:, :2].mean(axis=0) - before)) / seconds)


def test_legless_swimmer_is_born_afloat_and_stays_where_it_floats():
    world = pond()
    eel = world.spawn("eel", at=(5.0, 3.0), heading=1.0)
    eel.control(0.0, 0.0)
    assert eel.segments.position[:, 2] == pytest.approx(3.0 + (0.5 - 0.97), abs=1e-12)
    place = eel.segments.position.copy()
    world.step(2 * TICKS)
    assert eel.body_mode == BodyMode.IN_WATER
    assert np.abs(eel.segments.position[:, 2] - place[:, 2]).max() < 0.01
    # at no speed both sides are half drawn, so the body of 14 units is about a seventh of its blocks shorter
    assert np.abs(eel.segments.position - place).max() < 0.6


def test_swimmer_on_dry_land_lies_still_and_does_not_drive():
    world = World(seed=1, map="flat")
    world.define_species("eel", **EEL)
    eel = world.spawn("eel", at=(0.0, 0.0))
    world.step(TICKS)
    assert eel.brain.mode == BrainMode.ADJUSTMENT
    assert eel.segments.position[:, 2] == pytest.approx(0.5, abs=0.02)
    assert np.abs(eel.segments.velocity).max() < 0.02
    assert (eel.muscles.length == 1.0).all()


@pytest.mark.parametrize(("at", "words"), [
    ((-28.0, 0.0), "through the wall around the map"),
    ((20.0, 0.0), "in the ground"),
])  # fmt: skip
def test_swimmer_that_would_start_in_a_wall_or_in_the_ground_is_refused_and_nothing_is_left(at, words):
    world = pond(terrain={"kind": "gaussians", "hills": [[12.0, 0.0, 5.0, 2.0]]})
    with pytest.raises(PaludariumError, match=words):
        world.spawn("eel", at=at)
    assert not world.creatures
    assert live_rows(world.pool(VisionPool)) == 0


@pytest.mark.parametrize("heading", [0.0, 0.7])
def test_swimmer_driven_against_a_wall_stays_on_its_side(heading):
    world = pond()
    eel = world.spawn("eel", at=(16.0, 0.0), heading=heading)
    eel.control(6.0, 0.0)
    farthest = 0.0
    for _ in range(8 * TICKS):
        world.step()
        farthest = max(farthest, float(np.abs(eel.segments.position[:, :2]).max()))
    assert 29.2 < farthest < 29.6  # half a unit of its own before the wall at 30, less a tenth at six units per second
    assert eel.segments.position[:, 2].min() > 0.4


def test_swimmer_driven_against_an_obstacle_does_not_pass_it():
    world = pond()
    world.add_obstacle("box", (12.0, 0.0), size=(4.0, 30.0), height=6.0)
    eel = world.spawn("eel", at=(4.0, 0.0))
    eel.control(6.0, 0.0)
    farthest = 0.0
    for _ in range(6 * TICKS):
        world.step()
        farthest = max(farthest, float(eel.segments.position[:, 0].max()))
    assert 9.0 < farthest < 9.6  # its face is at 10


@pytest.mark.parametrize("controller", ["wave", "oscillators"])
def test_either_controller_is_a_key_of_the_species_and_follows_the_line_of_least_energy(controller):
    world = pond(160.0)
    world.define_species("eel", **{**EEL, "segments": {"count": 12, "density": 0.97},
                                   "muscles": {"controller": controller, "lift": 0.0}})  # fmt: skip
    eel = world.spawn("eel", at=(-50.0, 0.0))
    line = world.pool(MusclePool).line[eel.row]
    speeds, frequencies = [], []
    for speed in (3.0, 5.0):
        eel.control(speed, 0.0)
        world.step(7 * TICKS)
        assert eel.muscles.frequency == pytest.approx(np.interp(speed, line[0], line[1]), rel=1e-3)
        assert eel.muscles.phase_shift == pytest.approx(np.interp(speed, line[0], line[2]), rel=1e-3)
        frequencies.append(eel.muscles.frequency)
        speeds.append(plan_speed(world, eel, 2.0))
    assert frequencies[1] > 1.3 * frequencies[0]
    assert speeds[0] == pytest.approx(3.0, rel=0.25)
    assert speeds[1] == pytest.approx(5.0, rel=0.25)


def test_oscillators_change_speed_without_a_jump_and_find_their_wave_again_after_a_push():
    world = pond(160.0)
    world.define_species("eel", **{**EEL, "muscles": {"controller": "oscillators", "lift": 0.0}})
    eel = world.spawn("eel", at=(-40.0, 0.0))
    tissue = eel.tissue
    eel.control(3.0, 0.0)
    world.step(5 * TICKS)
    jumps = []
    before = tissue.lengths.copy()
    for k in range(3 * TICKS):
        if k == TICKS:
            eel.control(6.0, 0.0)
        world.step()
        jumps.append(float(np.abs(tissue.lengths - before).max()))
        before = tissue.lengths.copy()
    # a beat of 1.4 Hz moves a length by at most 0.5 * 2 pi * 1.4 / 60 / (2 * sqrt(2)) per tick near its cusp
    assert max(jumps[TICKS - 1 : 2 * TICKS]) < 1.5 * max(jumps[2 * TICKS :])
    swimming = plan_speed(world, eel, 2.0)
    eel.push((0.0, 60.0, 0.0), segment=4)
    eel.control(6.0, 0.0)
    world.step(5 * TICKS)
    assert np.isfinite(eel.segments.position).all()
    assert plan_speed(world, eel, 2.0) == pytest.approx(swimming, rel=0.15)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_player_turns_a_swimmer_to_either_side(side):
    world = pond(160.0)
    eel = world.spawn("swimmer", at=(0.0, 0.0))
    eel.control(5.0, 0.4 * side)
    world.step(TICKS)
    turned, before = 0.0, eel.heading
    for _ in range(6 * TICKS):
        world.step()
        turned += (eel.heading - before + np.pi) % (2 * np.pi) - np.pi
        before = eel.heading
    assert turned * side > 0.7


def test_swimmer_goes_where_it_is_told_and_waits_there():
    world = pond(100.0)
    eel = world.spawn("swimmer", at=(-20.0, 0.0))
    eel.goto((12.0, 6.0), radius=4.0)
    for _ in range(20 * TICKS):
        world.step()
        if eel.brain.goal_done:
            break
    assert eel.brain.goal_done
    assert world.pool(BrainPool).wish[eel.row, 0] == 0.0


def test_many_legless_and_legged_animals_share_a_world():
    """Aligned pools of different sizes: brains without gait, gaits without muscles, eyes for some."""
    world = pond(140.0, 2.0)
    for k in range(40):
        world.spawn("eel" if k % 2 else "stone_centipede", at=(-50.0 + 34.0 * (k % 4), -54.0 + 12.0 * (k // 4)), tier="full")
    world.step(3)
    saved = world.state_hash()
    assert len(world.creatures) == 40
    assert live_rows(world.pool(VisionPool)) == 20
    assert saved == world.state_hash()


def test_eyes_without_a_brain_or_muscles_are_refused():
    world = World(seed=1, map="flat")
    with pytest.raises(SpeciesError, match="vision"):
        world.define_species("blind", segments={"count": 4}, body={}, vision={})


@pytest.mark.parametrize(("water", "words"), [
    ({"bounds": [100, 100, 140, 140], "level_u": 3.0}, "bounds"),
    ({"bounds": [-20, -20, 20, 20], "depth_u": -1.0}, "depth_u"),
    ({"bounds": [-20, -20, 20, 20], "level_u": -1.0}, "no wet cell"),
    ({"bounds": [-20, -20, 20, 20], "level_u": 1e6}, "too deep"),
])  # fmt: skip
def test_impossible_ponds_are_refused_with_the_key_and_what_is_allowed(water, words):
    with pytest.raises(MapError, match=words):
        World(seed=1, map=Map.define(name="bad", area={"width_u": 60, "height_u": 60}, water=[water]))


def test_splash_taller_than_the_pool_takes_no_more_than_half_of_any_cell():
    world = pond(60.0, 2.0)
    grid = world.water.grids[0]
    volume = grid.volume
    world.water.splash((0.0, 0.0), radius=2.0, height=1e9)
    assert grid.depth.min() >= 1.0 - 1e-12
    assert grid.volume == pytest.approx(volume, rel=1e-12)
    world.step(30)
    assert np.isfinite(grid.depth).all()
