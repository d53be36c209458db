"""Digest checks F19 to F24, F35 and F36: urges, intentions, what keeps them up, and habits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paludarium import World
from paludarium.components.fish.eyes import NOBODY, UNSEEN
from paludarium.components.fish.intentions import About, Intention, Stage
from paludarium.components.fish.mind import STEPS
from paludarium.engine.creature import Creature
from paludarium.engine.props import FoodPool
from paludarium.systems.fish.mind.intention_kernel import choose_intention
from paludarium.systems.fish.mind.urge_kernel import fear_of, feel_hunger, hunger_of, libido_of, stimulus
from paludarium.tests.reproduction.criteria import criterion
from paludarium.tests.reproduction.fishes.ponds import (
    LENGTH,
    TICKS,
    Watch,
    add_plankton,
    at,
    courter,
    hunter,
    pool,
    prey,
    shoal,
)

EXACT = 1e-12
THOUGHT = 4 / TICKS


def test_f19_urges_match_the_printed_formulas(record_property):
    """Reported: H, L, F and S as functions of what was eaten, of time and of distance. Digest: to 1e-12; S is 0 at q1 and
    1 at q2, F = 1 at d <= 200, H = 0 with n_e > 2 n_a, n_e reset after about 1493 steps."""
    random, worst = np.random.default_rng(1), 0.0
    for eaten, steps, appetite, tempted in random.uniform((0, 0, 4, 0), (20, 3000, 12, 0.8), (2000, 4)):
        p, seconds = 0.00067 * STEPS, steps / STEPS
        hunger = max(0.0, min(1.0 - eaten * (1.0 - 0.00067 * steps) / appetite + tempted, 1.0))
        libido = max(0.0, min(0.0025 * steps * (1.0 - hunger) + 0.5 * tempted, 1.0))
        worst = max(worst, abs(hunger_of(eaten, p, seconds, appetite, tempted) - hunger),
                    abs(libido_of(0.0025 * STEPS, seconds, hunger, 0.5 * tempted) - libido))  # fmt: skip
    for d in random.uniform(1.0, 100.0, 2000):
        q1, q2, s = 0.05, 0.2, 1.0 / d
        printed = 0.0 if s <= q1 else 1.0 if s > q2 else (s - q1) / (2.0 * q2 - q1 - s)
        # ours is in lengths: 20 book units are one
        worst = max(worst, abs(stimulus(20.0 / d, 20.0 * q1, 20.0 * q2) - printed))
        worst = max(worst, abs(fear_of(10.0, 15.0 * d / 20.0) - min(200.0 / (15.0 * d), 1.0)))
    record_property("largest difference", worst)
    assert worst < EXACT
    assert stimulus(0.05, 0.05, 0.2) == 0.0
    assert stimulus(0.2, 0.05, 0.2) == pytest.approx(1.0, abs=EXACT)
    assert fear_of(200.0, 200.0) == 1.0
    assert libido_of(0.0025, 400.0, 0.0, 0.0) == pytest.approx(1.0, abs=EXACT)


def test_f19b_who_has_eaten_twice_its_appetite_is_not_hungry_until_all_is_digested(record_property):
    """Reported: H = 0 whatever the stimulus until 1 - p0 t <= 0. Digest: n_e is reset after about 1493 steps."""
    world = World(seed=1, map=pool())
    fish, watch = world.spawn(prey(world, profile="published"), at=at(0, 0, 4)), Watch(world)
    row, minds = fish.row, watch.minds
    minds.eaten[row], steps = 17.0, 0
    watch.eyes.food_distance[row, 0] = 0.1 * LENGTH
    while minds.eaten[row] > 0.0:
        feel_hunger(row, LENGTH, UNSEEN, watch.eyes, minds, 1.0 / STEPS)
        steps += 1
        assert minds.urges[row, 0] == 0.0 or minds.eaten[row] == 0.0
    record_property("steps until all is digested", steps)
    assert steps == pytest.approx(1493, abs=1)
    assert minds.urges[row, 0] == 1.0


class Thinker:
    """One fish whose perceptions the test writes itself."""

    def __init__(self, key: Any, **mind: Any) -> None:
        self.world = World(seed=1, map=pool())
        self.fish: Creature = self.world.spawn(key(self.world, **mind), at=at(0, 0, 4))
        self.watch, self.row = Watch(self.world), self.fish.row
        self.minds, self.eyes, self.food = self.watch.minds, self.watch.eyes, self.world.pool(FoodPool)

    def urges(self, hunger: float = 0.0, libido: float = 0.0, fear: float = 0.0) -> None:
        self.minds.urges[self.row] = hunger, libido, fear
        self.minds.worst_fear[self.row] = fear

    def sees_food(self, row: int = NOBODY) -> None:
        self.eyes.food[self.row, 0], self.eyes.food_distance[self.row, 0] = row, 5.0 if row >= 0 else UNSEEN

    def chooses(self, *, blocked: bool = False, ordered: bool = False, seconds: float = THOUGHT) -> Intention:
        for _ in range(max(round(seconds / THOUGHT), 1)):
            choose_intention(self.row, blocked, ordered, self.world.creature_pool, self.eyes,
                             self.minds, self.food, THOUGHT)  # fmt: skip
        return Intention(int(self.minds.mode[self.row]))


@pytest.mark.parametrize("rules", ["game", "published"])
def test_f20_intentions_come_in_the_order_of_the_book(rules, record_property):
    """Reported: fixed hierarchy avoid, escape or school, eat or mate, leave or wander. Digest: with a threat of collision, a
    predator and food present the sequence is avoid, escape, eat as each cause is removed."""
    one = Thinker(prey, profile=rules, schooling=False)
    food = add_plankton(one.world, 2, 0, 4)
    one.sees_food(food.rows.start)
    one.urges(hunger=0.9, fear=0.9)
    order = [one.chooses(blocked=True), one.chooses(seconds=1.0)]
    one.urges(hunger=0.9)
    order.append(one.chooses(seconds=1.0))
    one.sees_food()
    one.urges()
    order.append(one.chooses(seconds=2.0))
    record_property(f"sequence, {rules}", " ".join(intention.name.lower() for intention in order))
    assert order == [Intention.AVOID, Intention.ESCAPE, Intention.EAT, Intention.WANDER]
    one.urges(fear=0.45)
    one.minds.habits[one.row] |= 32
    assert one.chooses() is Intention.SCHOOL  # afraid, but of nobody near
    one.urges(fear=0.7)
    assert one.chooses() is Intention.ESCAPE
    assert one.chooses(ordered=True, seconds=2.0) is Intention.CONTROL


@pytest.mark.parametrize("rules", ["game", "published"])
def test_f21_a_pillar_on_the_way_to_food_is_passed_and_the_food_remembered(rules, record_property):
    """Reported: memory of one intention and its target; inhibitory gain. Digest: a fish heading to food meets a cylinder,
    avoids it, then resumes the same food, no contact."""
    world = World(seed=1, map=pool(pillars=[(5, 0, 1.5)]))
    fish = world.spawn(prey(world, profile=rules, schooling=False, born_hungry=True), at=at(0, 0.1, 4))
    food, targets, deepest, modes = add_plankton(world, 10, 0, 4), set(), np.inf, set()
    for _ in range(40 * TICKS):
        world.step()
        if not food.exists:
            break
        mode = fish.mind.intention
        modes.add(mode.name)
        if mode is Intention.EAT and fish.mind.target[0] is About.FOOD:
            targets.add(fish.mind.target[1])
        offset = fish.nodes.position[:, :2] - np.array([5 * LENGTH, 0.0])
        deepest = min(deepest, float(np.linalg.norm(offset, axis=1).min()) / LENGTH - 1.5)
    record_property(f"time, {rules} [s]", round(world.time, 1))
    record_property(f"nearest to the pillar, {rules} [L]", round(deepest, 3))
    assert not food.exists
    assert targets == {0}
    assert deepest > 0.0
    if rules == "published":
        assert "AVOID" in modes


def test_f21b_a_resumed_intention_holds_others_down(record_property):
    """Reported: 0.2 of the resumed urge is taken from its rival. Digest: fewer interruptions than with gain 0."""
    interruptions = {}
    for gain in (0.0, 0.2):
        one = Thinker(courter, profile="published", inhibition=gain)
        random, row, count = np.random.default_rng(2), one.row, 0
        one.minds.mode[row], one.minds.resumed[row] = Intention.MATE, 1
        for _ in range(400):
            one.minds.vigour[row] = 1.0
            one.minds.memory[row] = 0
            one.urges(hunger=float(np.clip(0.7 + random.normal(0.0, 0.08), 0, 1)), libido=0.75)
            if one.chooses() is not Intention.MATE:
                count += 1
                one.minds.mode[row], one.minds.resumed[row] = Intention.MATE, 1
        interruptions[gain] = count
    record_property("interruptions with gain 0 and 0.2", [interruptions[0.0], interruptions[0.2]])
    assert interruptions[0.2] < interruptions[0.0]


@pytest.mark.parametrize("rules", ["game", "published"])
def test_f22_a_hungry_fish_without_food_does_something_else_in_the_end(rules, record_property):
    """Reported: fatigue of long behaviours. Digest: a hungry fish in a world without food eventually performs another
    behaviour."""
    world = World(seed=1, map=pool())
    fish = world.spawn(prey(world, profile=rules, born_hungry=True, schooling=False), at=at(0, 0, 4))
    first = None
    for _ in range(90 * TICKS // 4):
        world.step(4)
        if world.time > 1.0 and fish.mind.intention is not Intention.EAT:
            first = world.time
            break
    record_property(f"other behaviour after, {rules} [s]", round(first, 1) if first else "never")
    assert fish.mind.hunger == 1.0
    assert first is not None


def test_f23_a_courting_fish_takes_food_before_its_mouth_and_goes_on(record_property):
    """Reported: opportunism. Digest: a mating fish with plankton within 5 units takes it and returns to the same mate; a
    satiated one does not."""
    told = {}
    for sated in (False, True):
        world = World(seed=3, map=pool(width=30, breadth=30))
        key, watch, ate = courter(world, libido_per_s=0.075), Watch(world), []
        her, him = world.spawn(key, at=at(0, 0, 4)), world.spawn(key, at=at(2, 1.5, 4), heading=1.0)
        both = [her.row, him.row]
        watch.minds.habits[both] = 1, 0
        watch.minds.eaten[both], watch.minds.since_mating[both] = 8.0, 20.0
        world.on("ate", lambda event, ate=ate: ate.append(event.creature.serial))
        while him.mind.stage is not Stage.LOOPING or her.mind.stage is not Stage.LOOPING:
            world.step(4)
            assert world.time < 30.0
        watch.minds.sated[both], watch.minds.eaten[both] = int(sated), 17.0 if sated else 8.0
        watch.minds.since_meal[both] = 0.0
        mouth = watch.fishes.mouth[her.row] + 0.2 * LENGTH * watch.fishes.axes[her.row, 0]
        world.add_food(tuple(mouth), kind="plankton")
        partner, modes = int(watch.minds.partner[her.row]), []
        for _ in range(12 * TICKS):
            world.step()
            modes.append(her.mind.intention)
        told[sated] = her.serial in ate
        assert int(watch.minds.partner[her.row]) in (partner, NOBODY)
        if not sated:
            assert modes[-1] is Intention.MATE
            assert int(watch.minds.partner[her.row]) == partner
    record_property("taken by one that courts", told[False])
    record_property("taken by one that is full", told[True])
    assert told == {False: True, True: False}


LIKES = {"likes_darkness": "dark", "likes_brightness": "bright", "likes_cold": "cold", "likes_warmth": "warm"}


@pytest.mark.parametrize("habit", [*LIKES, None])
def test_f24_fishes_leave_water_they_do_not_like(habit, record_property):
    """Reported: a fish leaves where light or warmth do not agree with its habits. Digest: one that likes the dark leaves
    the bright half and settles in the dark one; an indifferent one does not; the same for temperature."""
    shade = [{"at_u": [-30.0 * LENGTH, 0.0], "radius_u": 40.0 * LENGTH, "darkness": 1.0}]
    climate = {"gradient_per_u": [0.5 / (25.0 * LENGTH), 0.0], "brightness": 1.0}
    world = World(seed=1, map=pool(light={"clarity": 100.0}, shade=shade, climate=climate))
    key = courter(world, libido_per_s=0.0, mate_stimulus=0.0, **({habit: True} if habit else {}))
    watch, shares, west = Watch(world), [], habit in ("likes_brightness", "likes_warmth")
    for y in (-12.0, -6.0, 0.0, 6.0, 12.0):
        world.spawn(key, at=at(-18.0 if west else 18.0, y, 4), heading=y)
    for second in range(120):
        world.step(TICKS)
        if second >= 60:
            eyes, rows = watch.eyes, watch.rows()
            felt = eyes.brightness[rows] if habit in ("likes_darkness", "likes_brightness", None) else eyes.temperature[rows]
            shares.append(float(np.mean(felt > 0.5 if west else felt < 0.5)))
    words = LIKES.get(habit, "dark, of an indifferent one")
    record_property(f"share of time in water that is {words}", round(float(np.mean(shares)), 2))
    if habit is not None:
        assert np.mean(shares) > 0.8
    else:
        assert np.mean(shares) < 0.8


def hunt(seed: int, seconds: float, **mind: Any) -> tuple[int, float]:
    """Switches of a hunter's target per second of its chases."""
    world = World(seed=seed, map=pool())
    key = prey(world, kind="pacifist", schooling=False, libido_per_s=0.0, mate_stimulus=0.0)  # they do not mind
    killer = world.spawn(hunter(world, strike_skill=0.0, strike_rest_s=0.0, fatigue_s=1000.0, **mind), at=at(-12, 0, 4))
    shoal(world, key, 20, (0, 0, 4), 6.0, seed=seed)
    switches, chasing, last = 0, 0, NOBODY
    for _ in range(round(seconds * TICKS)):
        world.step()
        about, row = killer.mind.target
        if killer.mind.intention is Intention.EAT and about is About.CREATURE:
            chasing += 1
            switches += last not in (NOBODY, row)
            last = row
    return switches, switches / max(chasing / TICKS, 1e-9)


@pytest.mark.parametrize("seeds", [(1, 2, 3, 4, 5), pytest.param(tuple(range(6, 14)), marks=pytest.mark.slow)])
def test_f35_a_fickle_hunter_changes_its_target_more_often(seeds, record_property):
    """Reported: the threshold of target persistence makes fickle or devoted predators. Digest: fickle (threshold 0)
    switches more often than devoted."""
    fickle = np.mean([hunt(seed, 25.0, devotion_lengths=0.0)[1] for seed in seeds])
    devoted = np.mean([hunt(seed, 25.0, devotion_lengths=1.0)[1] for seed in seeds])
    record_property("switches per second, fickle", round(float(fickle), 3))
    record_property("switches per second, devoted", round(float(devoted), 3))
    assert fickle > devoted


PRESETS = {"ravenous": (Intention.EAT, {"digestion_per_s": 0.005 * STEPS}),
           "amorous": (Intention.MATE, {"libido_per_s": 0.01 * STEPS}),
           "coward": (Intention.ESCAPE, {"fear_distance_lengths": 500.0 / 200.0 * 3.5})}  # fmt: skip


def preset_share(intention: Intention, seed: int, seconds: float, **mind: Any) -> float:
    world = World(seed=seed, map=pool(width=40, breadth=30))
    coward = intention is Intention.ESCAPE
    key = prey(world, **mind) if coward else courter(world, "minnow", **mind)
    shoal(world, key, 12, (4, 0, 4), 8.0, seed=seed)
    if coward:
        world.spawn(hunter(world, strike_skill=0.0), at=at(-15, 0, 4))
    random, watch = np.random.default_rng(seed), Watch(world)
    for _ in range(40):
        add_plankton(world, *random.uniform((-18, -13, 1), (18, 13, 7)))
    world.on("ate", lambda _event: add_plankton(world, *random.uniform((-18, -13, 1), (18, 13, 7))))
    rows, share = watch.rows("minnow"), []
    for _ in range(round(seconds * TICKS / 4)):
        world.step(4)
        share.append(np.mean(watch.minds.mode[rows] == intention))
    return float(np.mean(share))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seeds", [(1,), pytest.param((2, 3, 4, 5), marks=pytest.mark.slow)])
def test_f36_presets_do_what_they_are_called(preset, seeds, record_property):
    """Reported: ravenous, hyper-sexual and coward parameters. Digest: they raise the time spent eating, mating and
    escaping against the nominal ones."""
    intention, changes = PRESETS[preset]
    nominal = np.mean([preset_share(intention, seed, 40.0) for seed in seeds])
    changed = np.mean([preset_share(intention, seed, 40.0, **changes) for seed in seeds])
    record_property(f"time share, nominal and {preset}", [round(float(nominal), 3), round(float(changed), 3)])
    criterion(record_property, holds=bool(changed > nominal), why_not="the preset does not raise its time share")
    assert changed > nominal
