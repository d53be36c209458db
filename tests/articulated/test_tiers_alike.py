"""Window, model without a grid and recorded cycle: starts, glides and half an effort, for all that swim in the plane."""

import numpy as np
import pytest

from paludarium import Map, World
from paludarium.components.articulated.servo import SwimPool
from paludarium.lab.articulated.training.bench import IN_PLAY, RECORDED, WITHOUT_GRID, Bench
from paludarium.lab.articulated.training.steady import COASTS, STARTS, changes_of, settle
from paludarium.tests.articulated.test_swimmers_in_the_world import PLANE

WIDE = Map.define(
    name="wide", area={"width_u": 800, "height_u": 800}, terrain={"kind": "flat", "elevation": -20.0},
    water=[{"bounds": [-400, -400, 400, 400], "level_u": 0.0, "cell_u": 10.0, "edge_west": "absorbing",
            "edge_east": "absorbing", "edge_south": "absorbing", "edge_north": "absorbing"}],
)  # fmt: skip
WATERS = {"full": IN_PLAY, "bush": WITHOUT_GRID, "follow": RECORDED}
ALIKE = 0.1
GLIDES = (2, 4, 6)
"""s of a glide, over which its way is taken."""
WHAT = (*(f"way of {at:g} s from rest" for at in STARTS), "cruise", *(f"glide of {at} s" for at in GLIDES), "half effort")
NOT_ALIKE = {
    *(("sea_turtle", tier, what) for tier in ("bush", "follow")
      for what in ("way of 4 s from rest", "way of 8 s from rest", "glide of 2 s")),
    *(("alien", tier, what) for tier in ("bush", "follow") for what in ("way of 2 s from rest", "way of 4 s from rest")),
    ("alien", "bush", "way of 8 s from rest"),
}  # fmt: skip
"""No: the first strokes of a turtle in still water are faster than later ones (4 s: 16 %), it brakes in the first second of
a glide; the alien starts a twentieth of a length too far."""


def seen(species, tier):
    """Ways and speeds of one tier, in lengths and seconds of the animal."""
    bench = Bench.of_species(species, WATERS[tier], species.specs["servo"].pace)
    changes, cruise = changes_of(bench), settle(bench)
    assert changes is not None
    assert cruise is not None
    glide = np.cumsum([0.5 * (cruise.speed + changes.coast[0]), *changes.coast])
    ways = [glide[list(COASTS).index(at)] for at in GLIDES]
    return np.array([*changes.ways, cruise.speed, *ways, changes.half])


@pytest.fixture(scope="module")
def library():
    return World(seed=0).species


@pytest.mark.parametrize("key", PLANE)
def test_starts_glides_and_half_efforts_are_alike_at_all_tiers(library, key, record_property):
    """Within 10 % of the window; glides in the mean of four phases at which the stroke ends."""
    full, found = seen(library[key], "full"), {}
    for tier in ("bush", "follow"):
        off = seen(library[key], tier) / full - 1.0
        record_property(f"{key} {tier}: {', '.join(WHAT)}", ", ".join(f"{100 * value:+.0f} %" for value in off))
        found |= {(key, tier, what): round(float(value), 3) for what, value in zip(WHAT, off, strict=True)}
    assert {of for of, value in found.items() if abs(value) >= ALIKE} == {of for of in NOT_ALIKE if of[0] == key}, found


TIERS = tuple(WATERS)
SWIMS, AFTER = 10.0, (2.0, 4.0)
"""s of the animal before its tier changes, and after that, over which its way is taken."""


def ways_after(key, before, after, glides, seed):
    """Ways in a world of one whose tier changes, in lengths; with `glides` its stroke has just ended."""
    world = World(seed=seed, map=WIDE)
    swimmer = world.spawn(key, at=(0, 0), tier=before, heading=0.3 * seed)
    pool, row = world.pool(SwimPool), swimmer.row
    pace, size = float(pool.pace[row]), float(pool.length[row])

    def swim(seconds, speed):
        swimmer.control(speed, 0.0)
        world.step(round(60 * seconds / pace))

    full = 2.0 * size * pace
    swim(SWIMS + 0.25 * seed, full)  # another phase of the cycle
    if glides:
        swimmer.control(0.0, 0.0)
        while pool.effort[row] != 0.0:
            world.step(1)
    swimmer.tier = after
    start, found = pool.root[row, :2].copy(), []
    for seconds in np.diff((0.0, *AFTER)):
        swim(seconds, 0.0 if glides else full)
        found.append(float(np.hypot(*(pool.root[row, :2] - start))) / size)
    return np.array(found)


def check_changes(key, pairs, glides, seeds, record_property):
    """Ways after a change of tier against those of one that stays in its window, in the mean of the seeds."""
    whole = np.mean([ways_after(key, "full", "full", glides, seed) for seed in seeds], axis=0)
    what, found = "glide" if glides else "cruise", {}
    for before, after in pairs:
        off = np.mean([ways_after(key, before, after, glides, seed) for seed in seeds], axis=0) / whole - 1.0
        record_property(f"{key}, {what}: {before} to {after}, {AFTER} s", [f"{100 * value:+.0f} %" for value in off])
        for at, value in zip(AFTER, off, strict=True):
            found[key, what, before, after, at] = round(float(value), 3)
    wrong = {of for of, value in found.items() if abs(value) >= ALIKE}
    assert wrong == CHANGES_NOT_ALIKE & found.keys(), found


CHANGES_NOT_ALIKE = {
    *(("sea_turtle", "cruise", before, "full", 2.0) for before in ("bush", "follow")),
    *(("sea_turtle", "glide", before, after, at) for before in TIERS for after in TIERS for at in AFTER),
    *(("jointed_clownfish", "glide", "bush", "full", at) for at in AFTER),
    ("jointed_clownfish", "glide", "follow", "full", 2.0),
}
"""No: 18 % (turtle, cruise), 16 to 83 % (turtle, glide: it spins round then), 10 to 13 % (clownfish into a new window)."""
SEEN = ("eel", "jointed_clownfish", "sea_turtle", "alien")
"""Measured for these; the frog's cruise is within 4 %, its glides and the accordion have yet to be measured."""


@pytest.mark.parametrize("glides", [False, True])
def test_an_eel_goes_on_after_its_tier_has_changed(glides, record_property):
    check_changes("eel", [("full", "bush"), ("bush", "full"), ("follow", "bush")], glides, (1, 3), record_property)


@pytest.mark.slow
@pytest.mark.parametrize("glides", [False, True])
@pytest.mark.parametrize("key", SEEN)
def test_all_go_on_after_their_tier_has_changed(key, glides, record_property):
    pairs = [(before, after) for before in TIERS for after in TIERS if before != after]
    check_changes(key, pairs, glides, (1, 3), record_property)
