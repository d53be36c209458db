"""The column "seen in": what it names exists, builds the world that is named, and stands on the page."""

from __future__ import annotations

import re

import pytest

from paludarium.tests.reproduction.report import CHECK, ROOT, chapters_of, rows_of, title
from paludarium.tests.reproduction.seen import (
    HERE,
    LABORATORY,
    asserts,
    builds,
    exists,
    of_check,
    of_feature,
    seen_of,
    worlds_that_ship,
)

FAMILIES = ("fishes", "insects", "myriapoda", "swimmers")
TEST = re.compile(r"^def test_([acfs]\d+[a-z]?_\w+)", re.MULTILINE)
FEATURE = re.compile(r"^\| F(\d+) \|", re.MULTILINE)


def checks_of(family: str) -> set[str]:
    return {name for file in (HERE / family).glob("test_*.py") for name in TEST.findall(file.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_named_exists_and_builds_its_world(family):
    features = {int(number) for number in FEATURE.findall((HERE / family / "features.md").read_text(encoding="utf-8"))}
    animals = {file.stem for file in (ROOT / "assets" / "species").glob("*.toml")}
    checks = checks_of(family)
    assert seen_of(family)
    for one in seen_of(family):
        assert exists(one.test), one.test
        assert asserts(one.test), one.test
        assert one.animal in animals, one
        assert one.checks or one.features, one
        assert set(one.checks) <= checks, set(one.checks) - checks
        assert set(one.features) <= features, set(one.features) - features
        for world in one.worlds:
            assert world in worlds_that_ship(), one
            assert builds(one.test, world), one


@pytest.mark.parametrize("family", FAMILIES)
def test_the_page_says_where_each_row_is_seen(family):
    """Made by the command: `python -m paludarium.tests.reproduction.report -k nothing` writes this column alone."""
    chapter = chapters_of((ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8"))[title(family)]
    cells = {key: line.removesuffix(" |").rsplit(" | ", 1)[1] for key, line in rows_of(chapter).items()}
    for name in checks_of(family):
        found = CHECK.match(f"test_{name}")
        assert cells[found[1].upper(), found[2].replace("_", " ")] == of_check(family, name), name
    features = {first: cell for (first, _), cell in cells.items() if re.fullmatch(r"F[1-9]\d?", first)}
    numbers = FEATURE.findall((HERE / family / "features.md").read_text(encoding="utf-8"))
    told = {line.split(" | ")[0].removeprefix("| "): line.removesuffix(" |").rsplit(" | ", 1)[1]
            for line in chapter.split("### Features", 1)[1].splitlines() if line.startswith("| F")}  # fmt: skip
    assert features
    assert told == {f"F{number}": of_feature(family, int(number)) for number in numbers}


def test_worlds_that_a_test_does_not_build_are_found():
    wading = "tests/swim/test_wading.py::test_animal_that_walks_along_a_flat_shore_turns_into_the_pond_and_swims_over"
    assert builds(wading, "rainy_pond")
    assert not builds(wading, "reef")
    pool = "tests/reproduction/fishes/test_behaviour.py::test_f26_food_anywhere_around_is_reached"
    assert exists(pool)
    assert not builds(pool, "reef")
    assert not exists(wading + "_twice")
    assert not exists("tests/swim/no_such_file.py::test_a")


def test_what_is_not_listed_is_seen_in_the_laboratory_only():
    assert of_check("swimmers", "a01_the_matrix") == LABORATORY
    assert of_feature("swimmers", 10) == LABORATORY
