"""Swimmers out of the water: nothing swims on land, and each goes back, or lies there, in its own way."""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.articulated.ashore import Ashore, AshorePool, Errand
from paludarium.components.articulated.servo import SwimPool
from paludarium.engine.errors import SpeciesError
from paludarium.engine.maps import Map
from paludarium.systems.articulated.shore.shore_mode import leaves_of
from paludarium.tests.articulated.test_swimmers_in_the_world import LINK, STRAIGHT, TAIL

TIERS = ("full", "bush", "follow")
LYING = ("jointed_clownfish", "manta", "alien", "accordion")
MOVING = ("frog", "eel", "sea_turtle")
SHORE = Map.define(
    name="shore", area={"width_u": 120, "height_u": 120},
    terrain={"kind": "gaussians", "elevation": 0.5, "hills": [[-28.0, 0.0, -8.0, 12.0]]},
    water=[{"bounds": [-58, -30, 10, 30], "level_u": 0.0, "cell_u": 1.0}],
)  # fmt: skip
"""A pond in land that is half a unit high."""


def edge_of_shore(world: World) -> float:
    """x of the eastern shore."""
    x = np.arange(-28.0, 10.0, 0.1)
    return float(x[np.argmax(world.water.depth(np.stack([x, 0 * x], axis=1)) <= 0.0)])


def on_land(species: str, tier: str = "full"):
    world = World(seed=3)
    return world, world.spawn(species, at=(0, 0), tier=tier)


def land_speed(creature) -> float:
    pool = creature.world.pool(AshorePool)
    return float(pool.parameters[creature.row, Ashore.SPEED] * creature.world.pool(SwimPool).length[creature.row])


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("species", [*LYING, *MOVING])
def test_told_to_cross_land_none_swims_there(species, tier):
    """By their strokes a frog went 36.6 u in 20 s, an eel 19.2, a manta 9.0."""
    world, swimmer = on_land(species, tier)
    world.step(60)
    swimmer.goto((40, 0))
    start = swimmer.position.copy()
    world.step(600)
    way = float(np.hypot(*(swimmer.position - start)[:2]))
    most = 0.0 if species in LYING else 1.2 * land_speed(swimmer) * 10.0
    assert way <= most + 0.05
    if species in MOVING:
        assert swimmer.position[0] - start[0] > 0.7 * land_speed(swimmer) * 10.0
    assert swimmer.fluid is None


@pytest.mark.parametrize("tier", TIERS)
def test_a_stroke_on_land_moves_nothing_even_if_a_game_asks_for_it(tier):
    world, eel = on_land("eel", tier)
    eel.manoeuvre = "straight"
    world.step(300)
    assert np.abs(eel.position[:2] - (-0.8, 0.0)).max() < 0.1


def test_links_on_the_beach_are_dry_and_those_in_the_water_wet():
    world = World(seed=3, map=SHORE)
    edge = edge_of_shore(world)
    eel = world.spawn("eel", at=(edge + 4.0, 0), heading=0.0, tier="bush")  # its head on the beach, its tail in the water
    world.step(1)
    wet = eel.links.pool.wet[eel.rows["links"].slice]
    assert wet[0] == 0.0
    share = float(world.pool(SwimPool).wet[eel.row])
    assert share < 1.0
    assert share == pytest.approx(float(np.average(wet, weights=eel.links.pool.mass[eel.rows["links"].slice])))


def test_a_frog_hops_through_the_air_and_rests_between_hops():
    world, frog = on_land("frog")
    world.step(60)
    floor = float(frog.servo.pool.height[frog.row])
    frog.goto((60, 0))
    flying, height, bent = [], [], []
    for _ in range(600):
        world.step(1)
        flying.append(frog.ashore.flying)
        height.append(float(frog.servo.pool.height[frog.row]) - floor)
        bent.append(float(np.abs(frog.links.angle[3])))
    flying, height, bent = np.array(flying), np.array(height), np.array(bent)
    hops = int((np.diff(flying.astype(int)) == 1).sum())
    assert hops >= 3
    assert height.max() == pytest.approx(0.3 * 4.5, rel=0.1)  # a ballistic hop as high as the species says
    assert np.abs(height[~flying]).max() < 0.1
    assert 0.3 < flying.mean() < 0.7
    assert np.median(bent[~flying]) > np.radians(60)  # it sits with its shanks folded, and stretches in the air
    assert bent[flying].min() < np.radians(40)


def test_a_turtle_crawls_with_its_flippers_in_turns():
    world, turtle = on_land("sea_turtle")
    turtle.goto((60, 0))
    world.step(60)
    left, right = [], []
    for _ in range(300):
        world.step(1)
        left.append(float(turtle.links.angle[1]))
        right.append(float(turtle.links.angle[2]))
    assert np.ptp(left) > np.radians(50)
    assert np.corrcoef(left, right)[0, 1] > 0.9  # the same angle on both sides: one goes forward while the other goes back


@pytest.mark.parametrize("species", MOVING)
def test_the_stranded_go_back_to_the_water(species):
    world = World(seed=3, map=SHORE)
    edge = edge_of_shore(world)
    swimmer = world.spawn(species, at=(edge + 6.0, 0), heading=3.0)
    world.step(10)
    assert swimmer.ashore.grounded
    assert swimmer.ashore.errand is Errand.BACK
    for _ in range(80):
        world.step(60)
        if not swimmer.ashore.grounded:
            break
    assert not swimmer.ashore.grounded
    assert not swimmer.dead
    world.step(120)
    assert world.pool(SwimPool).wet[swimmer.row] > 0.5


def test_those_that_lie_on_land_die_after_their_time():
    world, fish = on_land("jointed_clownfish")
    causes = []
    world.on("died", lambda event: causes.append(event.cause))
    world.step(59 * 60)
    assert not fish.dead
    world.step(2 * 60)
    assert fish.dead
    assert causes == ["air"]


def visits(seed: int, seconds: int, enough: int = 100) -> list[tuple[bool, float, float]]:
    """Of all that sat down: on a leaf or not, height above the water, seconds until they were back in the water."""
    world = World(seed=seed, map="frog_pond")
    frogs = [one for one in world.creatures.values() if one.species.key == "frog"]
    leaves, found, sat = leaves_of(world), [], {}
    for _ in range(seconds):
        world.step(60)
        if sum(np.isfinite(visit[2]) for visit in found) >= enough:
            break
        for frog in frogs:
            errand = frog.ashore.errand
            if errand is Errand.SIT and frog.serial not in sat:
                sat[frog.serial] = world.time
                away = np.hypot(*(leaves[:, :2] - frog.position[:2]).T)
                found.append([bool((away < leaves[:, 2] + 1.0).any()), float(frog.position[2]) - 0.6, np.inf])
            elif errand is Errand.SWIM and frog.serial in sat:
                found[-1][2] = world.time - sat.pop(frog.serial)
    return [tuple(visit) for visit in found]


def test_frogs_of_the_pond_sit_ashore_for_a_while_and_go_back():
    seen = visits(202, 180, enough=1)
    assert all(height > 0.0 for _, height, _ in seen)
    assert any(5.0 < seconds < 60.0 for _, _, seconds in seen)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [101, 202, 303])
def test_frogs_of_the_pond_come_and_go_for_five_minutes(seed):
    seen = visits(seed, 300)
    assert len(seen) >= 4
    assert any(leaf for leaf, _, _ in seen)
    assert all(height > 0.0 for _, height, _ in seen)
    assert sum(np.isfinite(seconds) for _, _, seconds in seen) >= len(seen) - 2


def test_a_hop_goes_on_as_it_was_after_a_load(tmp_path):
    world, frog = on_land("frog")
    frog.goto((60, 0))
    while not frog.ashore.flying:
        world.step(1)
    world.step(10)
    world.save(tmp_path / "hop.palu")
    again = World.load(tmp_path / "hop.palu")
    assert again.state_hash() == world.state_hash()
    world.step(120)
    again.step(120)
    assert again.state_hash() == world.state_hash()


@pytest.mark.parametrize(("table", "named"), [
    ({"way": "fly"}, "way"),
    ({"way": "hop", "rest_deg": [1.0, 2.0, 3.0]}, "rest_deg"),
    ({"way": "lie", "swim_time_s": 10.0}, "swim_time_s"),
    ({"speed_lengths_per_s": -1.0}, "speed_lengths_per_s"),
])  # fmt: skip
def test_a_way_on_land_that_cannot_be_is_refused_with_the_key_to_change(table, named):
    world = World(seed=3)
    with pytest.raises(SpeciesError, match=named):
        world.define_species("odd one", family="articulated", links=[LINK, TAIL], manoeuvres=[STRAIGHT], ashore=table)
