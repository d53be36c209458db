"""Digest checks F25 to F29, F31 and F34: ways around things, chases, hunters, schools and flight."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import pytest

from paludarium import World
from paludarium.components.fish.eyes import EyeSpec
from paludarium.components.fish.intentions import Intention, Strike
from paludarium.engine.creature import Creature
from paludarium.systems.fish.mind.flight_kernel import LEFT, RIGHT, escape_rule, rule_turn
from paludarium.systems.fish.senses.fish_look_kernel import prey_cost
from paludarium.tests.reproduction.criteria import criterion
from paludarium.tests.reproduction.fishes.ponds import (
    LENGTH,
    TICKS,
    Spells,
    Watch,
    add_plankton,
    at,
    courter,
    hunter,
    pool,
    prey,
    shoal,
)

PILLARS = [(-20, 8, 2.5), (10, -10, 1.5), (0, 0, 2), (20, 12, 1.0), (-10, -12, 0.8), (22, -6, 2.0), (-22, -6, 1.2)]


def free_place(random: np.random.Generator) -> Any:
    while True:
        place = random.uniform((-27, -17, 1.5), (27, 17, 6.5))
        if all(np.hypot(place[0] - x, place[1] - y) > r + 1.5 for x, y, r in PILLARS):
            return place


@pytest.mark.parametrize("ticks", [1200, pytest.param(10_000, marks=pytest.mark.slow)])
def test_f25_fishes_do_not_swim_into_pillars(ticks, record_property):
    """Reported: collision detection and avoidance of static obstacles. Digest: penetrations below 1 % of fish-steps."""
    world, random = World(seed=1, map=pool(pillars=PILLARS)), np.random.default_rng(1)
    key, watch = prey(world, schooling=False), Watch(world)
    for _ in range(20):
        world.spawn(key, at=at(*free_place(random)), heading=random.uniform(-3, 3))
    inside, deepest, count, places = 0, 0.0, 0, np.array(PILLARS) * LENGTH
    for _ in range(ticks):
        world.step()
        for fish in world.creatures.values():
            offset = fish.nodes.position[:, None, :2] - places[None, :, :2]
            depth = float((places[:, 2] - np.linalg.norm(offset, axis=2)).max()) / LENGTH
            inside, deepest, count = inside + (depth > 0.0), max(deepest, depth), count + 1
    record_property("fish-steps with a node inside a pillar", inside / count)
    record_property("deepest node [L]", round(deepest, 4))
    assert watch.rows().size == 20
    assert inside / count < 0.01


def test_f25b_who_is_warier_turns_away_earlier(record_property):
    """Reported: a large sensitivity region makes a timid fish. Digest: a larger box gives an earlier first avoid action."""
    first = {}
    for box in (0.5, 1.0, 2.0):
        world = World(seed=1, map=pool())
        key = prey(world, profile="published", schooling=False, eyes={"box_front_lengths": box, "box_side_lengths": 0.6})
        one = world.spawn(key, at=at(-4, 0, 4))
        other = world.spawn(key, at=at(4, 0.05, 4), heading=pi)
        one.goto(at(20, 0, 4))
        other.goto(at(-20, 0, 4))
        watch = Watch(world)
        for _ in range(12 * TICKS):
            world.step()
            if one.mind.intention is Intention.AVOID:
                first[box] = float(watch.gaps(np.array([one.row, other.row]))[0, 1])
                break
    record_property("distance of the first avoid action, boxes 0.5, 1 and 2 L [L]", [round(first[box], 2) for box in first])
    assert first[0.5] < first[1.0] < first[2.0]


@pytest.mark.parametrize("trials", [12, pytest.param(60, marks=pytest.mark.slow)])
def test_f26_food_anywhere_around_is_reached(trials, record_property):
    """Reported: chasing-target with speed by distance. Digest: the time to reach a static target is finite for random
    starts. Study: median 1.42, 95 % below 1.57 of the distance by full speed."""
    world, random, times = World(seed=1, map=pool(depth=12)), np.random.default_rng(trials), []
    key = prey(world, schooling=False, born_hungry=True)
    for _ in range(trials):
        fish, distance = world.spawn(key, at=at(0, 0, 6)), random.uniform(3, 10)
        way = np.array([np.cos(a := random.uniform(-pi, pi)), np.sin(a), np.tan(random.uniform(-0.6, 0.6))])
        place = np.array([0, 0, 6]) + distance * way / np.linalg.norm(way)
        food = add_plankton(world, *place.clip((-30, -20, 0.8), (30, 20, 11.2)))
        start = world.time
        while food.exists and world.time - start < 60.0:
            world.step(2)
        assert not food.exists
        times.append((world.time - start) / (distance / (1.3 * 0.75)))
        fish.despawn()
    record_property("median time by distance at full speed", round(float(np.median(times)), 2))
    record_property("95 % below", round(float(np.percentile(times, 95)), 2))


def capture_time(lead: float, side: float) -> float:
    """Seconds until a hunter has a minnow that swims across its way."""
    world = World(seed=1, map=pool(width=90))
    minnow = world.spawn(prey(world, kind="pacifist", schooling=False), at=at(8.0, -side * 10.0, 4), heading=side * pi / 2)
    world.spawn(hunter(world, lead_s=lead, strike_skill=1.0, strike_rest_s=0.5, born_hungry=True), at=at(-6, 0, 4))
    minnow.control(speed=1.6 * LENGTH)
    while minnow.alive and world.time < 40.0:
        world.step(2)
    return world.time


def test_f26b_aiming_ahead_of_what_moves_is_quicker(record_property):
    """Reported: chasing food with interception. Digest: mean capture time of a laterally moving target is shorter with
    it."""
    led, straight = (np.mean([capture_time(lead, side) for side in (1.0, -1.0, 0.6)]) for lead in (1.5, 0.0))
    record_property("mean time to capture with and without lead [s]", [round(float(led), 2), round(float(straight), 2)])
    assert led < straight


def test_f27_lonely_prey_ahead_is_the_cheapest(record_property):
    """Reported: C = d (1 + 0.5 S + 0.2 E / pi). Digest: at equal distance unschooled before schooled, ahead before
    behind."""
    assert prey_cost(10.0, 1.0, 0.5 * pi) == pytest.approx(10.0 * (1.0 + 0.5 + 0.1), abs=1e-12)
    assert prey_cost(10.0, 0.0, 0.0) < prey_cost(10.0, 1.0, 0.0)
    assert prey_cost(10.0, 0.0, 0.0) < prey_cost(10.0, 0.0, pi)
    costs = [prey_cost(10.0, schooled, angle) for schooled, angle in ((0.0, 0.0), (1.0, 0.0), (0.0, pi))]
    record_property("cost at 10 units: alone ahead, schooled ahead, alone behind", [round(cost, 12) for cost in costs])


def test_f27b_hunters_choose_by_cost(record_property):
    """Reported and digest as F27, measured on a hunter among prey."""
    world = World(seed=1, map=pool())
    key, kind = prey(world, schooling=False), hunter(world, born_hungry=True)
    killer = world.spawn(kind, at=at(0, 0, 4))
    lonely = world.spawn(key, at=at(7, 7.0, 4), heading=pi / 2)
    for k in range(6):
        world.spawn(key, at=at(7.2 + 0.6 * (k % 3), -7.0 - 0.6 * (k // 3), 4), heading=-pi / 2)
    world.step(TICKS)
    record_property("chosen of equal distance", "alone" if killer.mind.target[1] == lonely.row else "in company")
    assert killer.mind.target[1] == lonely.row


def hunting(seed: int, seconds: float, count: int = 60, **mind: Any) -> dict[str, Any]:
    """Two hunters that never get full, a school and some stragglers: kills, chases, and who was killed."""
    world, random = World(seed=seed, map=pool(pillars=PILLARS[:3])), np.random.default_rng(seed)
    key, killer, watch = prey(world), hunter(world, diet={"appetite": 1e6}, born_hungry=True, **mind), Watch(world)
    shoal(world, key, 2 * count // 3, (-8, -8, 4), 5.0, heading=0.5, seed=seed)
    for _ in range(count // 3):
        world.spawn(key, at=at(*free_place(random)), heading=random.uniform(-3, 3))
    hunters = [world.spawn(killer, at=at(x, 15, 4)) for x in (-20.0, 20.0)]
    kills, chases, stragglers, before = [], 0, [], {}
    world.on("died", lambda event: kills.append(event.cause))
    spells = Spells(watch)
    for _ in range(round(seconds * TICKS)):
        world.step()
        spells.note()
        for one in hunters:
            mode, strike = one.mind.intention, int(watch.minds.strike[one.row])
            was = before.get(one.serial, (None, 0))
            chases += mode is Intention.EAT and was[0] is not Intention.EAT
            if strike == Strike.CATCHING and was[1] != strike:
                rows = watch.rows(key)
                company = (watch.gaps(rows) < 3.0).sum(axis=1)
                stragglers.append(bool(company[rows == one.mind.target[1]][0] < np.median(company)))
            before[one.serial] = (mode, strike)
    return {"kills": len(kills), "chases": chases, "stragglers": stragglers, "causes": set(kills), "spells": spells}


@pytest.mark.parametrize("seeds", [(1,), pytest.param(tuple(range(2, 12)), marks=pytest.mark.slow)])
def test_f27c_a_tenth_to_four_tenths_of_chases_succeed_and_stragglers_are_taken(seeds, record_property):
    """Reported: captures by suction, stragglers first. Proposed: 10 to 40 % of chases succeed, more than 80 % of the
    taken have less company than most; of all spells of an intention less than 10 % are shorter than 0.2 s. Study: 26
    prey in 36 chases, 8 to 12 %."""
    runs = [hunting(seed, 60.0) for seed in seeds]
    kills, chases = sum(run["kills"] for run in runs), sum(run["chases"] for run in runs)
    stragglers = [taken for run in runs for taken in run["stragglers"]]
    short = float(np.mean([run["spells"].short_share for run in runs]))
    record_property("share of chases that succeed", round(kills / chases, 2))
    record_property("kills", kills)
    record_property("stragglers among the taken", round(float(np.mean(stragglers)), 2) if stragglers else "none taken")
    record_property("spells below 0.2 s", round(short, 3))
    assert short < 0.1
    assert all(run["causes"] <= {"eaten"} for run in runs)
    if len(seeds) > 1:  # a single run has too few of them
        holds = 0.1 <= kills / chases <= 0.4 and bool(np.mean(stragglers) > 0.8)
        criterion(record_property, holds=holds, why_not="see the values")
        assert 0.1 <= kills / chases <= 0.4
        assert np.mean(stragglers) > 0.8


def test_f27d_a_full_hunter_leaves_the_rest_alone(record_property):
    """Reported: satiated predators wander off. Digest: when H <= r it wanders off leaving survivors."""
    world = World(seed=2, map=pool(width=40, breadth=30))
    key, watch = prey(world, kind="pacifist", schooling=False, libido_per_s=0.0, mate_stimulus=0.0), Watch(world)
    shoal(world, key, 8, (0, 0, 4), 6.0, seed=2)
    killer = world.spawn(hunter(world, strike_skill=1.0, diet={"appetite": 1}, digestion_per_s=0.002, born_hungry=True),
                         at=at(-12, 0, 4))  # fmt: skip
    modes = []
    for _ in range(60):
        world.step(TICKS)
        modes.append(killer.mind.intention)
    record_property("survivors of 8", int(watch.rows(key).size))
    assert 0 < watch.rows(key).size < 8
    assert Intention.EAT not in modes[-15:]


def test_f28_threats_far_away_close_a_school_and_near_ones_burst_it(record_property):
    """Reported: prey at long distance schools, within close distance it escapes and the school breaks. Digest: dispersion
    rises and smaller groups appear."""
    world = World(seed=1, map=pool())
    key, watch = prey(world), Watch(world)
    school = shoal(world, key, 30, (4, 0, 4), 3.0, heading=0.0, seed=1)
    killer = world.spawn(hunter(world), at=at(-9, 0, 4))
    killer.control(0.0)
    world.step(3 * TICKS)
    rows = np.array([fish.row for fish in school])
    calm = np.bincount(watch.minds.mode[rows], minlength=8)[: len(Intention)]
    spread = [watch.places(rows).std(axis=0).sum()]
    killer.goto(tuple(watch.fishes.centre[rows].mean(axis=0)), speed=7.0 * LENGTH)
    fleeing, groups = 0.0, []
    for _ in range(40):
        world.step(12)
        centre = watch.fishes.centre[rows].mean(axis=0)
        if np.linalg.norm(watch.fishes.centre[killer.row] - centre) > 2 * LENGTH:
            killer.goto(tuple(centre), speed=7.0 * LENGTH)
        fleeing = max(fleeing, float(np.mean(watch.minds.mode[rows] == Intention.ESCAPE)))
        spread.append(watch.places(rows).std(axis=0).sum())
        groups.append(len(watch.groups(rows)))
    record_property("share that schools with the threat far", round(calm[Intention.SCHOOL] / 30, 2))
    record_property("largest share that flees", round(fleeing, 2))
    record_property("spread before and at most [L]", [round(float(spread[0]), 2), round(float(max(spread)), 2)])
    record_property("groups at most", max(groups))
    assert calm[Intention.SCHOOL] >= 27
    assert fleeing > 0.5
    assert max(spread) > 1.3 * spread[0]
    assert max(groups) > 1


BOXES = (0.3, 1.0, 2.0)
"""Of the usual box around a fish, in every direction: bold, usual and timid."""


def school_shape(box: float, seed: int, seconds: float) -> tuple[float, float]:
    """Polarisation inside groups and mean distance of the nearest neighbour, in open water."""
    world, usual = World(seed=seed, map=pool(width=90, breadth=90)), EyeSpec()
    eyes = {f"box_{side}_lengths": box * getattr(usual, f"box_{side}") for side in ("front", "back", "side", "height")}
    rows = np.array([fish.row for fish in shoal(world, prey(world, eyes=eyes), 40, (0, 0, 4), 4.0, heading=0.3, seed=seed)])
    watch, order, near = Watch(world), [], []
    for second in range(round(seconds)):
        world.step(TICKS)
        if second >= 10:
            groups = [group for group in watch.groups(rows) if len(group) >= 5]
            order.append(np.average([watch.polarisation(group) for group in groups], weights=[len(g) for g in groups]))
            near.append(watch.gaps(rows).min(axis=1).mean())
    return float(np.mean(order)), float(np.mean(near))


@pytest.mark.parametrize("seeds", [(1,), pytest.param((2, 3, 4), marks=pytest.mark.slow)])
def test_f29_schools_keep_one_direction_and_a_length_apart(seeds, record_property):
    """Reported: same general direction, about one body length apart, density by the sensitivity box. Digest: polarisation
    above 0.8, nearest neighbour 0.7 to 1.5 L, looser with a larger box. Study, where the distance itself was set: 0.72,
    0.87 and 1.09 L at 0.7, 0.9 and 1.2 L."""
    shapes = {box: np.mean([school_shape(box, seed, 30.0) for seed in seeds], axis=0) for box in BOXES}
    record_property("polarisation inside groups", [round(float(shapes[box][0]), 2) for box in shapes])
    record_property("nearest neighbour with boxes of 0.3, 1 and 2 of the usual one [L]",
                    [round(float(shapes[box][1]), 2) for box in shapes])  # fmt: skip
    assert min(shape[0] for shape in shapes.values()) > 0.8
    assert 0.7 <= shapes[1.0][1] <= 1.5
    assert 1.1 * shapes[0.3][1] < shapes[1.0][1] < shapes[2.0][1] / 1.1


STARTS = {"on both sides of it": (40.0, None), "swimming at it from afar": (50.0, (-14.0, 3.0, 5.0)),
          "swimming at it from nearby": (50.0, (-8.0, 2.0, 7.0))}  # fmt: skip
"""How long to watch, and where the school is: x, and half of its length and width in lengths; or in two halves."""
PILLAR, SCHOOL = 4.0, 60


def passing(seed: int, start: str) -> tuple[float | None, float | None, bool]:
    """A school and a large pillar: when it split, how long until nine tenths were one group again, and whether as many
    had passed the pillar at the end."""
    world, random = World(seed=seed, map=pool(width=90, breadth=60, pillars=[(0, 0, PILLAR)])), np.random.default_rng(seed)
    key, watch, (seconds, school) = prey(world), Watch(world), STARTS[start]
    for k in range(SCHOOL):
        side = 1.0 if k % 2 else -1.0
        if school is None:
            place, heading = (random.uniform(-4, 2), side * random.uniform(4.8, 8.5)), 0.3 * side
        else:
            x, long, wide = school
            place, heading = (x + random.uniform(-long, long), random.uniform(-wide, wide)), 0.0
        world.spawn(key, at=at(*place, 4 + random.uniform(-1, 1)), heading=heading + random.uniform(-0.2, 0.2))
    split, together = None, None
    for _ in range(round(2 * seconds)):
        world.step(TICKS // 2)
        if len(watch.groups(watch.rows())[0]) < 0.9 * SCHOOL:
            split, together = (world.time if split is None else split), None
        elif split is not None and together is None:
            together = world.time - split
    return split, together, bool(np.mean(watch.places(watch.rows())[:, 0] > PILLAR) > 0.9)


@pytest.mark.parametrize("seeds", [(6,), pytest.param(tuple(range(1, 11)), marks=pytest.mark.slow)])
@pytest.mark.parametrize("start", STARTS)
def test_f30_a_school_parted_by_a_pillar_comes_together_again(start, seeds, record_property):
    """Reported: a school splits at an obstacle and re-forms. Digest: splits in some runs, a single cluster again in
    bounded time. Proposed: within 20 s in 8 of 10 seeds. Study: two of three split and did not re-form in 20 to 30 s."""
    runs = [passing(seed, start) for seed in seeds]
    split = [run for run in runs if run[0] is not None]
    again = [run for run in split if run[1] is not None and run[1] <= 20.0]
    whole, many = len(runs) - len(split) + len(again), len(runs)
    assert whole >= 0.8 * many
    assert sum(run[2] for run in runs) >= 0.8 * many
    assert len(split) == many or STARTS[start][1] is not None
    if many > 1:  # one run says little
        record_property(f"split, {start}", f"{len(split)} of {many}")
        record_property(f"together again within 20 s, {start}", f"{len(again)} of {len(split)}")
        record_property(f"time to that, {start} [s]", [round(run[1], 1) for run in again])
        record_property(f"never split or together again within 20 s, {start}", f"{whole} of {many}")
        record_property(f"past the pillar in the end, {start}", f"{sum(run[2] for run in runs)} of {many}")


RULES = [  # close, bearing, course of the threat, approaching -> side; in the order of the table
    (1, False, 0.1, 0.0, False, 0.0), (2, False, 3.0, 0.0, False, 0.0), (3, False, 1.5, 0.0, False, RIGHT),
    (4, False, -1.5, 0.0, False, LEFT), (5, True, 0.1, 1.5, True, RIGHT), (6, True, 0.1, -1.5, True, LEFT),
    (7, True, 0.1, 3.1, True, 0.0), (8, True, 3.0, 0.1, True, RIGHT), (9, True, -3.0, 0.1, True, LEFT),
    (10, True, 3.0, 1.5, True, RIGHT), (11, True, 3.0, -1.5, True, LEFT), (12, True, 3.0, 0.1, False, 0.0),
    (13, True, 1.5, 0.5, True, RIGHT), (14, True, -1.5, 0.5, True, LEFT),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "close", "bearing", "course", "approaching", "side"), RULES)
def test_f31_every_rule_of_escape_applies_where_it_should(rule, close, bearing, course, approaching, side, record_property):
    """Reported: 11 rules, 14 leaves as laid out. Digest: every table row produces its action in synthetic geometry."""
    assert escape_rule(close, bearing, course, approaching) == (rule, side)
    turn = rule_turn(rule, side, 1.0, 3.0)
    assert abs(turn) == pytest.approx(pi) if rule in (1, 7) else turn * side >= 0.0
    assert abs(rule_turn(13, RIGHT, 0.5, 3.0)) > abs(rule_turn(13, RIGHT, 2.5, 3.0)) >= pi / 6
    record_property("leaf that applies", escape_rule(close, bearing, course, approaching)[0])


def flight(kind: str, bearing: float) -> float:
    """Lengths between a minnow and a hunter that comes at it, after 100 steps of the book; 0 if it was caught."""
    world = World(seed=1, map=pool(width=90, breadth=60))
    rules = {"profile": "published"} if kind == "rules" else {}
    minnow: Creature = world.spawn(prey(world, schooling=False, fear_distance_lengths=5.0, **rules), at=at(0, 0, 4))
    place = 5.0 * np.array([np.cos(bearing), np.sin(bearing)])
    killer = world.spawn(hunter(world), at=at(*place, 4), heading=bearing + pi)
    if kind == "none":
        minnow.control(0.75 * LENGTH)
    watch = Watch(world)
    for _ in range(50):
        if not minnow.alive:
            break
        killer.goto(tuple(watch.fishes.centre[minnow.row]), radius=0.1, speed=2.0 * LENGTH)
        world.step(4)
    if not minnow.alive:
        return 0.0
    gap = watch.fishes.mouth[killer.row] - watch.fishes.centre[minnow.row]
    return float(np.linalg.norm(gap)) / LENGTH


def test_f31b_flight_brings_a_fish_away(record_property):
    """Reported: all rules move away as fast as possible. Digest: distance after 100 steps larger than with no action."""
    bearings = (0.0, 1.2, -2.2, 3.0)
    means = {kind: float(np.mean([flight(kind, bearing) for bearing in bearings])) for kind in ("game", "rules", "none")}
    record_property("mean distance by our flight, by the rules, by none [L]", [round(mean, 2) for mean in means.values()])
    assert means["game"] > means["none"]
    assert means["rules"] > means["none"]


def test_f34_pacifists_feed_beside_a_hunter(record_property):
    """Reported: pacifists ignore predators. Digest: they feed with a predator near, no escape intention, no school."""
    world, random = World(seed=1, map=pool(width=30, breadth=20)), np.random.default_rng(1)
    key, ate, modes = courter(world, "minnow"), [], set()
    shoal(world, key, 6, (0, 0, 4), 5.0, seed=1)
    killer = world.spawn(hunter(world, strike_skill=0.0), at=at(-4, 0, 4))
    for _ in range(40):
        add_plankton(world, *random.uniform((-13, -8, 1), (13, 8, 7)))
    world.on("ate", lambda event: ate.append(event.creature.serial))
    watch = Watch(world)
    for _ in range(20 * TICKS // 4):
        world.step(4)
        modes |= {Intention(int(mode)) for mode in watch.minds.mode[watch.rows(key)]}
    record_property("plankton eaten in 20 s by 6", len(ate))
    assert killer.serial not in ate
    assert len(ate) > 3
    assert not modes & {Intention.ESCAPE, Intention.SCHOOL}
