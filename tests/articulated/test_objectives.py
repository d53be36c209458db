"""The objective of the game's searches beside the published one: what is scored, what is varied, what is held."""

from __future__ import annotations

import re
import shlex
import tomllib

import numpy as np
import pytest

from paludarium.components.articulated.manoeuvres import warp_of
from paludarium.engine.world import World
from paludarium.game_demo.__main__ import main
from paludarium.lab.articulated.training.bench import Water
from paludarium.lab.articulated.training.course import Course
from paludarium.lab.articulated.training.objective import PUBLISHED, SETTLED, WORK_PRICE, judge
from paludarium.lab.articulated.training.search import SwimTask, measure_serially
from paludarium.lab.articulated.training.swim_trial_kernel import HEADING, TRACK, WORK, X
from paludarium.lab.articulated.training.variables import OFFSET, stages

DRY = Water.named("surrogate")


@pytest.fixture(scope="module")
def library():
    return World(seed=0).species


def track(cycles: int, first: float, later: float) -> np.ndarray:
    """A body that goes straight: so far in each of the first two cycles, and in each of the others; 2 J/kg a cycle."""
    ends = np.concatenate([[0.0], np.cumsum([first, first, *[later] * (cycles - 2)])])
    found = np.zeros((60 * cycles, TRACK))
    at = np.arange(1, 60 * cycles + 1) / 60.0
    found[:, X] = np.interp(at, np.arange(cycles + 1), ends)
    found[:, WORK] = 2.0 * at
    return found


def test_what_a_stroke_needs_to_begin_does_not_count():
    slow, fast = (judge(track(4, first, 1.0), 1.0, 1 / 60, turning=False, weights=SETTLED) for first in (0.1, 0.7))
    assert slow.value == pytest.approx(fast.value, abs=1e-9)
    assert slow.distance == pytest.approx(1.0)
    assert slow.work == pytest.approx(2.0)
    assert slow.value == pytest.approx(-1.0 + 2.0 * WORK_PRICE)


def test_a_turn_is_worth_its_angle_and_half_its_way_per_cycle():
    turning = track(4, 0.0, 0.0)
    turning[:, WORK] = 0.0
    turning[:, HEADING] = np.linspace(0.0, 4.0, 241)[1:]
    assert judge(turning, 1.0, 1 / 60, turning=True, weights=SETTLED).value == pytest.approx(-1.0)
    turning[:, HEADING] *= 3.0
    assert judge(turning, 1.0, 1 / 60, turning=True, weights=SETTLED).value == pytest.approx(-0.5 * np.pi)  # no spins
    turning[:, HEADING] /= 3.0
    moved = turning.copy()
    moved[:, X] = np.interp(np.arange(1, 241) / 60.0, [0, 2, 4], [0.0, 0.0, 1.0])
    half_way = np.cos(3.0)  # where it faced, and a half of what it turned
    along = judge(moved, 1.0, 1 / 60, turning=True, weights=SETTLED)
    assert along.distance == pytest.approx(0.5 * half_way)
    assert along.value == pytest.approx(-1.0 - 0.25 * half_way + 0.2 * along.deviation)


def test_the_published_objective_is_two_cycles_from_rest():
    score = judge(track(2, 0.2, 0.0), 1.0, 1 / 60, turning=False, weights=PUBLISHED)
    assert (score.distance, score.work) == (pytest.approx(0.4), pytest.approx(4.0))
    assert score.value == pytest.approx(-0.4 + PUBLISHED.beyond(4.0))


@pytest.mark.parametrize(
    ("key", "straight", "turn"),
    [("frog", 9 + 2, 2 * 9 + 4), ("sea_turtle", 6 + 2, 2 * 6 + 2), ("accordion", 3 + 2, 2 * 3), ("eel", 8, 12)],
)
def test_offsets_of_pairs_and_the_warp_are_free_and_what_is_held_is_not(library, key, straight, turn):
    one, other = (SwimTask.of_species(library[key], name, DRY, SETTLED).variables() for name in ("straight", "turn_left"))
    assert (one.count, other.count) == (straight, turn)
    assert one.warps == (key != "eel")
    assert not other.warps


def test_held_arms_stay_where_they_are_and_turns_may_move_them(library):
    plan = SwimTask.of_species(library["frog"], "straight", DRY, SETTLED).variables().plan
    draw = np.random.default_rng(1)
    for name in ("straight", "turn_left"):
        variables = SwimTask.of_species(library["frog"], name, DRY, SETTLED).variables()
        sines = variables.sines(draw.uniform(-0.3, 0.3, variables.count))
        assert np.abs(sines[:OFFSET][:, plan.held]).max() == 0.0
        held = sines[OFFSET, plan.held]
        assert np.array_equal(held, plan.held_at[plan.held]) == (name == "straight")
        assert variables.numbers(sines) == pytest.approx(variables.numbers(variables.sines(variables.numbers(sines), sines)))
    assert stages(plan) == ("hind", "fore")
    assert stages(plan, warped=True) == (None,)


def test_shares_and_angles_beyond_what_may_be_are_not_feasible(library):
    variables = SwimTask.of_species(library["sea_turtle"], "straight", DRY, SETTLED).variables()
    flipper = variables.plan.names.index("left_flipper")
    sines = variables.rest
    assert variables.feasible(sines)
    sines[0, flipper], sines[OFFSET, flipper] = np.radians(40.0), np.radians(-20.0)
    assert variables.feasible(sines)
    sines[OFFSET, flipper] = np.radians(-11.0)  # its tip would go below the shell
    assert not variables.feasible(sines)
    sines[OFFSET, flipper] = np.radians(-20.0)
    for power, glide in ((-0.45, 0.0), (0.4, 0.0), (0.0, -0.01), (0.2, 0.3)):
        sines[:2, 0] = power, glide
        assert not variables.feasible(sines)
    assert warp_of(sines)[0] == pytest.approx(0.7)


def test_a_turn_begins_with_the_straight_stroke_and_its_warp(library):
    frog = library["frog"]
    course = Course(frog, "turn_left", grid="surrogate", polish="surrogate", generations=2, weights=SETTLED)
    straight = next(one for one in frog.specs["manoeuvres"] if one.name == "straight")
    assert warp_of(course.start()) == (straight.power_share, straight.glide_share)
    course.run(measure_serially)
    assert warp_of(course.best) == (straight.power_share, straight.glide_share)


def test_the_command_finds_the_same_again_and_says_what_each_seed_came_to(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["train", "--species", "sea_turtle", "--generations", "2", "--grid", "surrogate", "--polish", "surrogate",
             "--start", "sea_turtle", "--seeds", "2", "--no-plots"]  # fmt: skip
    assert main(words) == 0
    first = tomllib.loads((tmp_path / "sea_turtle_straight.toml").read_text())["manoeuvres"][0]
    told = re.fullmatch(r"paludarium (.*): (-?[\d.]+) \(seed 1: (-?[\d.]+), seed 2: (-?[\d.]+)\)", first["found_by"])
    assert float(told[2]) == min(float(told[3]), float(told[4]))
    assert first["power_share"] != 0.5
    assert main([*shlex.split(told[1]), "--no-plots", "--output", "again.toml"]) == 0
    assert tomllib.loads((tmp_path / "again.toml").read_text())["manoeuvres"][0] == first
    assert not list(tmp_path.glob("*.work"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--start", "unicorn"), "unicorn.*frog"),
        (("--start", "frog"), "frog.toml.*amplitude_deg.*4 numbers, one per joint"),
        (("--seeds", "0"), "seeds 0.*1 to 100"),
        (("--work", "-1"), "work -1.*0 to"),
    ],
)
def test_what_cannot_be_searched_is_said(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", "--species", "eel", "--no-plots", *words]) != 0
    assert re.search(said, capsys.readouterr().err)
