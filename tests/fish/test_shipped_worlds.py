"""Fishes in the worlds that ship: shores, food, courtship and pillars, with seeds that nothing was tuned on."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest

from paludarium import World
from paludarium.lab.fish.survey import Survey

SHORT = {"koi_pond": 20.0, "reef": 6.0}
LONG = 600.0
SEEDS = (911, 912, 913, 914, 915)
COURTING_SEEDS = tuple(range(921, 931))
LONGEST_AGROUND = 2.0
"""Seconds."""
INSIDE = 0.01
"""Of the nodes of a hunter, that may be inside a pillar."""
FED = 0.6
"""Mean hunger of a school among food, at most."""


@lru_cache(maxsize=2)
def surveyed(name: str, seed: int, seconds: float) -> dict[str, Any]:
    survey = Survey(World(seed=seed, map=name))
    survey.run(seconds)
    return survey.report()


def fishes_of(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {name: told for name, told in report.items() if isinstance(told, dict)}


CASES = [pytest.param(name, 901, seconds, id=f"{name}-short") for name, seconds in SHORT.items()]
CASES += [pytest.param(name, seed, LONG, id=f"{name}-{seed}", marks=pytest.mark.slow) for name in SHORT for seed in SEEDS]


@pytest.mark.parametrize(("name", "seed", "seconds"), CASES)
def test_no_fish_runs_aground_tears_or_stays_in_a_pillar(name, seed, seconds):
    for species, told in fishes_of(surveyed(name, seed, seconds)).items():
        assert told["longest aground [s]"] <= LONGEST_AGROUND, species
        assert "tissue_disturbed" not in told["events"], species
        assert told["nodes inside"] < INSIDE, species


@pytest.mark.parametrize(("name", "seed", "seconds"), CASES)
def test_a_school_among_food_is_fed(name, seed, seconds):
    assert surveyed(name, seed, seconds)["silverside"]["hunger"] < FED


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_fishes_mate_within_ten_minutes(name, record_property):
    first = {}
    for seed in COURTING_SEEDS:
        survey = Survey(World(seed=seed, map=name))
        while not survey.matings and survey.world.time < LONG:
            survey.run(5.0)
        first[seed] = round(survey.world.time) if survey.matings else None
    record_property("first mating [s]", first)
    assert sum(time is not None for time in first.values()) >= 8
