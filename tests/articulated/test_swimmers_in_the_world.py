"""Articulated swimmers as a game has them: tiers, windows, orders, pushes, saves, threads, and what is refused."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from paludarium import World
from paludarium.components.articulated.servo import NO_WINDOW, SwimPool
from paludarium.engine.errors import PaludariumError, SpeciesError
from paludarium.engine.maps import Map
from paludarium.engine.replay import Recording, replay
from paludarium.systems.articulated.window_sharing import SwimWindows

DEEP = Map.define(
    name="deep", area={"width_u": 120, "height_u": 120}, terrain={"kind": "flat", "elevation": -10.0},
    water=[{"bounds": [-60, -60, 60, 60], "level_u": 0.0, "cell_u": 2.0, "edge_west": "absorbing", "edge_east": "absorbing",
            "edge_south": "absorbing", "edge_north": "absorbing"}],
)  # fmt: skip
SECONDS = 3
"""Whole cycles of a stroke."""
PLANE = ("eel", "jointed_clownfish", "sea_turtle", "frog", "alien", "accordion")


def swum(tier: str, ticks: int = 300):
    world = World(seed=3, map=DEEP)
    eel = world.spawn("eel", at=(0, 0), tier=tier)
    eel.manoeuvre = "straight"
    world.step(ticks)
    return world, eel


def windows_of(world: World) -> np.ndarray:
    pool = world.pool(SwimPool)
    return pool.window[pool.spans[:, 0]]


@pytest.fixture(scope="module")
def swims():
    return {tier: swum(tier) for tier in ("full", "bush", "follow")}


def test_an_eel_swims_forward_at_every_tier_and_as_fast(swims):
    """From rest the model without a grid is ahead of the grid, whose wake has to build up; then they are alike."""
    speeds = {}
    for tier, (world, eel) in swims.items():
        assert eel.position[0] > eel_lengths(1.2)
        assert abs(eel.position[1]) < eel_lengths(0.5)
        start = eel.position.copy()
        world.step(SECONDS * 60)
        speeds[tier] = float(np.linalg.norm(eel.position - start)) / SECONDS
    assert speeds["bush"] == pytest.approx(speeds["full"], rel=0.05)
    assert speeds["follow"] == pytest.approx(speeds["full"], rel=0.05)


def eel_lengths(count: float) -> float:
    return 8.0 * count


def test_only_full_detail_has_a_window_and_its_water_can_be_looked_at(swims):
    assert [int(windows_of(world)[0]) for world, _ in swims.values()] == [0, NO_WINDOW, NO_WINDOW]
    water = swims["full"][1].fluid
    assert water.vorticity.shape == (64, 64)
    assert np.abs(water.vorticity).max() > 0.5
    assert swims["bush"][1].fluid is None


def test_a_change_of_tier_moves_nothing_by_itself():
    world, eel = swum("full", 90)
    for tier in ("bush", "follow", "full"):
        before, speed = eel.segments.position.copy(), eel.segments.velocity.copy()
        eel.tier = tier
        world.step(1)
        jump = np.linalg.norm(eel.segments.position - before - speed / 60.0, axis=1)
        assert jump.max() < 0.02 * eel_lengths(1), tier


def test_at_most_eight_windows_and_who_is_inside_one_joins_it():
    world = World(seed=3, map=DEEP)
    world.spawn("eel", at=(0, 0))
    world.spawn("eel", at=(1.0, 3.0))
    for place in range(9):
        world.spawn("eel", at=(-50 + 12 * place, 40))
    world.step(2)
    found = windows_of(world)
    assert found[0] == found[1] == 0
    assert sorted(set(found[found != NO_WINDOW])) == list(range(8))
    assert (found == NO_WINDOW).sum() == 2
    fluid = world.resource(SwimWindows).fluid.arrays
    assert fluid.member_count.sum() == (found != NO_WINDOW).sum()


def test_a_save_and_a_replay_go_on_as_the_world_did(tmp_path):
    world = World(seed=3, map=DEEP)
    recording = Recording(world)
    eel, guest = world.spawn("eel", at=(0, 0)), world.spawn("eel", at=(1, 3))
    guest.follow_path([(0, 3), (20, 6), (30, -6)])
    world.step(40)
    eel.push((0, 30, 0), segment=2)
    eel.manoeuvre = "turn_left"
    world.step(40)
    world.save(tmp_path / "deep.palu")
    again = World.load(tmp_path / "deep.palu")
    assert again.state_hash() == world.state_hash()
    world.step(50)
    again.step(50)
    assert again.state_hash() == world.state_hash()
    recording.save(tmp_path / "deep.jsonl")
    assert replay(tmp_path / "deep.jsonl").state_hash() == world.state_hash()


def test_any_number_of_threads_gives_the_same_water():
    hashes = set()
    for threads in (1, 2):
        numba.set_num_threads(threads)
        try:
            world = World(seed=5, map=DEEP)
            for place in range(6):
                world.spawn(PLANE[place], at=(-40 + 16 * place, 0))
            world.step(25)
            hashes.add(world.state_hash())
        finally:
            numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert len(hashes) == 1


@pytest.mark.parametrize("species", [*PLANE, "manta"])
def test_every_species_lives_through_pushes_death_and_dry_land(species):
    world = World(seed=3, map=DEEP)
    swimmer, pushed = world.spawn(species, at=(0, 0)), world.spawn(species, at=(30, 20), tier="bush")
    world.step(5)
    pushed.push((40, 40, 10), segment=0)
    swimmer.push((1e12, 0, 0), segment=len(swimmer.segments) - 1)
    world.step(20)
    swimmer.kill()
    world.step(30)
    assert swimmer.dead
    assert swimmer.doing == "dead"
    for one in (swimmer, pushed):
        assert np.isfinite(one.segments.position).all()
        assert one.alive
    dry = World(seed=3)
    stranded = dry.spawn(species, at=(0, 0))
    dry.step(60)
    assert stranded.fluid is None
    assert np.isfinite(stranded.segments.position).all()


def test_a_push_moves_it_to_the_side_that_it_is_pushed_to():
    for tier in ("full", "bush", "follow"):
        world, eel = swum(tier, 30)
        other_world, other = swum(tier, 30)
        eel.push((0, 60, 0), segment=2)
        world.step(30)
        other_world.step(30)
        assert eel.position[1] - other.position[1] > 0.02, tier


def test_manoeuvres_can_be_told_and_are_announced():
    world = World(seed=3, map=DEEP)
    eel, told = world.spawn("eel", at=(0, 0), tier="bush"), []
    world.on("manoeuvre", lambda event: told.append(event.name))
    eel.manoeuvre = "turn_right"
    start = eel.servo.heading
    world.step(240)
    assert eel.manoeuvre == "turn_right"
    assert "turn_right" in told
    assert eel.servo.heading < start - 0.5
    eel.manoeuvre = None
    with pytest.raises(PaludariumError, match="straight"):
        eel.manoeuvre = "somersault"
    with pytest.raises(PaludariumError, match="has none"):
        world.spawn("pauropod", at=(0, 30)).manoeuvre = "straight"


def test_it_goes_where_it_is_told_and_keeps_the_height_of_its_goal():
    world = World(seed=3, map=DEEP)
    eel = world.spawn("eel", at=(0, 0), tier="bush")
    eel.goto((30, 10, -2.0), radius=4.0)
    world.step(1200)
    assert np.hypot(eel.position[0] - 30, eel.position[1] - 10) < 14.0
    assert eel.position[2] == pytest.approx(-2.0, abs=0.6)


@pytest.mark.parametrize(("air", "causes"), [(0.5, ["air"]), (0.0, [])])
def test_on_land_it_dies_after_its_time_or_never(air, causes):
    world = World(seed=3)
    world.define_species("gasping eel", **{**world.species["eel"].source, "servo": {"length_u": 8.0, "air_s": air}})
    eel, found = world.spawn("gasping eel", at=(0, 0)), []
    world.on("died", lambda event: found.append(event.cause))
    world.step(60)
    assert world.pool(SwimPool).air_seconds[eel.row] > 0.9
    assert eel.dead == bool(causes)
    assert found == causes


LINK = {"name": "body", "length": 0.5}
TAIL = {"name": "tail", "length": 0.5}
STRAIGHT = {"name": "straight", "amplitude_deg": [30], "phase_deg": [0]}


@pytest.mark.parametrize("tables, named", [
    ({"links": [LINK, {**TAIL, "parent": "nobody"}]}, "parent"),
    ({"links": [LINK, LINK]}, "name"),
    ({"links": []}, "links"),
    ({"links": [LINK] * 30}, "links"),
    ({"links": [LINK, {**TAIL, "axis": [0, 0, 0]}]}, "axis"),
    ({"links": [LINK, {**TAIL, "half_width": [0.1]}]}, "half_width"),
    ({"links": [LINK, {**TAIL, "length": float("nan")}]}, "length"),
    ({"manoeuvres": [{**STRAIGHT, "amplitude_deg": [30, 30]}]}, "amplitude_deg"),
    ({"manoeuvres": [{**STRAIGHT, "amplitude_deg": [50]}]}, "limit_deg"),
    ({"manoeuvres": [STRAIGHT, STRAIGHT]}, "name"),
    ({"manoeuvres": [{**STRAIGHT, "name": "turn_left"}]}, "straight"),
    ({"manoeuvres": [{**STRAIGHT, "cycle": [1.0, 2.0]}]}, "cycle"),
    ({"springs": {}}, "springs"),
])  # fmt: skip
def test_a_body_that_cannot_be_is_refused_with_the_key_to_change(tables, named):
    world = World(seed=3)
    whole = {"family": "articulated", "links": [LINK, TAIL], "manoeuvres": [STRAIGHT], **tables}
    with pytest.raises(SpeciesError, match=named):
        world.define_species("odd one", **whole)
    assert "odd one" not in list(world.species)
