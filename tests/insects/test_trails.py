"""Trails form between nest and food, they pay, they fade, and a thousand foragers do not jam. [insect 7]"""

from __future__ import annotations

import numpy as np
import pytest

from paludarium import World
from paludarium.components.insect.colony import Errand
from paludarium.systems.insect.colony.trail_field_kernel import STRONGEST
from paludarium.systems.insect.colony.trail_grid import FADE_TICKS, HALF_LIFE
from paludarium.tests.insects.arena import Arena

SEEDS = range(10)
TIMES_THE_LOADS = 4.0
STANDSTILL = 10.0
"""Seconds; a greeting takes one at most, and one may follow another."""


def loads_per_minute(seed, count, seconds, start, **how):
    arena = Arena(count, seed, **how)
    traffic = arena.run(seconds)
    return traffic.per_minute(start, seconds), arena.reached(), traffic


def test_trails_form_and_pay():
    """Short form: food is near, there is one piece of it, and sixty ants. Without pheromone they find it by chance."""
    near = {"side": 96.0, "far": 20.0, "foods": 1}
    with_trail, reached, traffic = loads_per_minute(1, 60, 75.0, 30.0, **near)
    without, none, _ = loads_per_minute(1, 60, 75.0, 30.0, trail_per_s=0.0, **near)
    assert (reached, none) == (1, 0)
    assert with_trail >= TIMES_THE_LOADS * max(without, 1.0)
    assert traffic.longest_standstill() < STANDSTILL


@pytest.mark.slow
@pytest.mark.parametrize("count, start, seconds, place", [
    (100, 60.0, 150.0, {"side": 96.0, "far": 24.0, "foods": 1}),
    (300, 120.0, 300.0, {"side": 128.0, "far": 36.0, "foods": 3}),
])  # fmt: skip
def test_trails_form_and_pay_in_nine_of_ten_seeds(count, start, seconds, place, record_property):
    """A trail leads from each food to the nest, and brings four times the loads of ants without pheromone. The time in which
    trails form does not count."""
    formed, pays, told = [], [], []
    for seed in SEEDS:
        with_trail, reached, _ = loads_per_minute(seed, count, seconds, start, **place)
        without, _, _ = loads_per_minute(seed, count, seconds, start, trail_per_s=0.0, **place)
        formed.append(reached)
        pays.append(with_trail / max(without, 1.0))
        told.append(f"{with_trail:.0f}/{without:.0f}")
        print(f"seed {seed}: {reached} trails, {with_trail:.0f} and {without:.0f} loads a minute", flush=True)  # noqa: T201
    record_property("foods with a trail, by seed", formed)
    record_property("loads per minute with and without", " ".join(told))
    assert sum(trails == place["foods"] for trails in formed) >= 9
    assert sum(times >= TIMES_THE_LOADS for times in pays) >= 9


@pytest.mark.slow
def test_a_thousand_foragers_do_not_jam(record_property):
    """Jam: fewer loads than 300 foragers bring, a fall below two thirds of the best minute, or one that stands."""
    few, _, _ = loads_per_minute(1, 300, 360.0, 240.0)
    many, _, traffic = loads_per_minute(1, 1000, 360.0, 240.0)
    minutes = [traffic.per_minute(60.0 * k, 60.0 * (k + 1)) for k in range(6)]
    record_property("loads per minute, 300 and 1000", f"{few:.0f} {many:.0f}")
    record_property("minutes one to six", " ".join(f"{minute:.0f}" for minute in minutes))
    record_property("longest standstill s", traffic.longest_standstill())
    print(few, minutes, traffic.longest_standstill())  # noqa: T201
    assert many >= few
    assert minutes[-1] >= 0.67 * max(minutes)
    assert traffic.longest_standstill() < STANDSTILL


def test_nobody_waits_at_nest_or_food_of_a_crowd():
    """Short form: 120 ants, one entrance, one piece of food nearby. Whoever comes to either leaves it again."""
    arena = Arena(120, 3, side=64.0, far=14.0, foods=1, entrances=1)
    traffic = arena.run(40.0)
    assert traffic.longest_standstill() < STANDSTILL
    first, second = traffic.per_minute(10.0, 25.0), traffic.per_minute(25.0, 40.0)
    assert second > 0.67 * first > 20.0


def test_a_trail_fades_by_half_in_its_half_life():
    """Closed form: what spreads stays, so the sum over the ground follows exp(-t ln 2 / half-life)."""
    arena = Arena(0, 1, foods=0)
    arena.world.spawn("forager", at=(20.0, 20.0), tier="follow").control(0.0)
    field = arena.trails.field
    field[100:110, 100:110] = 2.0
    before = float(arena.trails.field.sum(dtype=np.float64))
    ticks = 120 * FADE_TICKS
    arena.world.step(ticks)
    after = float(arena.trails.field.sum(dtype=np.float64))
    assert after / before == pytest.approx(0.5 ** (ticks / 60.0 / HALF_LIFE), rel=2e-3)
    assert arena.trails.field.max() < 2.0


def test_only_the_loaded_lay_trails_and_no_cell_overflows():
    arena = Arena(1, 1, foods=0)
    arena.world.step(120)
    assert not arena.trails.field.any()
    ant = arena.world.spawn("forager", at=(30.0, 0.0))
    ant.carry(arena.world.add_food((30.5, 0.0), amount=0.2))
    arena.world.step(60)
    assert arena.trails.field.any()
    assert ant.colony.errand == Errand.HOMEWARD
    arena.trails.field[:] = STRONGEST
    arena.world.step(1)
    assert (arena.trails.field <= STRONGEST).all()


def test_trails_are_saved_hashed_and_go_on_as_they_would_have(tmp_path):
    arena = Arena(40, 5, side=64.0, far=12.0, foods=1)
    arena.world.step(900)
    assert arena.trails.field.any()
    arena.world.save(tmp_path / "ants.save")
    again = World.load(tmp_path / "ants.save")
    assert again.state_hash() == arena.world.state_hash()
    again.step(200)
    arena.world.step(200)
    assert again.state_hash() == arena.world.state_hash()
    arena.trails.field[10, 10] += np.float32(0.5)
    assert again.state_hash() != arena.world.state_hash()


def test_any_number_of_threads_gives_the_same_bits(threads):
    """Foragers in traffic, some at other tiers, in the wind, with a death among them."""
    hashes = set()
    for count in (1, 2):
        threads(count)
        arena = Arena(150, 6, side=64.0, far=10.0, foods=2)
        ants = list(arena.world.creatures.values())
        for ant in ants[::3]:
            ant.tier = "bush"
        for ant in ants[1::3]:
            ant.tier = "follow"
        arena.world.step(120)
        ants[5].kill()
        arena.world.set_wind(direction=1.0, strength=0.6)
        arena.world.step(120)
        hashes.add(arena.world.state_hash())
    assert len(hashes) == 1


def test_a_thousand_ants_are_drawn():
    """All of them in view: every ant adds its primitives to the sheet, a dozen each, and the frame shows them."""
    from paludarium.systems.render.scene.camera import Camera

    arena = Arena(1000, 1, side=140.0, far=170.0, foods=0)  # spread over a disc of 60 u, so that few hide others
    size = (1280, 720)
    camera = Camera(size, (0.0, 0.0), 5.0)
    seen = arena.world.picture.frame(camera, size, still=True).copy()
    at = camera.to_screen(arena.world.creature_pool.position[arena.rows, :2])
    inside = ((at > 4) & (at < np.array(size) - 4)).all(axis=1)
    assert inside.sum() > 950
    for row in list(arena.world.creatures.values()):
        row.despawn()
    bare = arena.world.picture.frame(camera, size, still=True)
    changed = (seen != bare).reshape(*seen.shape[:2], -1).any(axis=2)
    x, y = np.rint(at[inside]).astype(int).T
    shown = np.array([changed[j - 2 : j + 3, i - 2 : i + 3].any() for i, j in zip(x, y, strict=True)])
    assert shown.all()
