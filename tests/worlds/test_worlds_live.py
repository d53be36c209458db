"""Bounds that every world that ships keeps when it is left to itself: a short look in each run, ten minutes in slow ones."""

from __future__ import annotations

import json

import pytest

from paludarium.tests.worlds import page, record
from paludarium.tests.worlds.__main__ import FIRST_SEED, PAGE, main
from paludarium.tests.worlds.figures import Figures
from paludarium.tests.worlds.scenes import MAPS, watched

SEED = 5003
"""Nothing else uses it."""
SHORT, LONG = 6.0, 600.0
"""Seconds."""
MOST_DEEP, MOST_AGROUND, MOST_STUCK = 0.02, 0.01, 0.05
"""Shares of the animals, at any moment in the mean."""
TICKS_PER_TEAR = 10_000
"""Reports of disturbed tissue may come once in so many ticks; other mishaps never."""


def assert_goes_well(figures: Figures) -> None:
    ticks = 60.0 * figures.seconds
    others = {kind: count for kind, count in figures.torn.items() if kind != "tissue_disturbed"}
    assert others == {}
    assert figures.torn.get("tissue_disturbed", 0) <= ticks / TICKS_PER_TEAR
    assert figures.deep_share < MOST_DEEP
    assert figures.share("aground") < MOST_AGROUND
    assert figures.share("stuck") < MOST_STUCK


@pytest.mark.parametrize("name", MAPS)
def test_a_world_that_ships_begins_well(name):
    figures, pictures = watched(name, SEED, SHORT)
    assert pictures == []
    assert_goes_well(figures)
    assert figures.total("looks") >= SHORT * figures.total("left")


@pytest.mark.slow
@pytest.mark.parametrize("name", MAPS)
def test_a_world_that_ships_goes_well_for_ten_minutes(name):
    figures, _ = watched(name, SEED, LONG)
    assert_goes_well(figures)


def test_the_page_is_made_of_what_is_recorded():
    """Regenerate with `python3 dev worlds --page`."""
    assert page.current() == PAGE.read_text(encoding="utf-8")
    assert {run["map"] for run in record.load()} == set(MAPS)


def test_one_look_is_recorded_and_replaces_the_older_one(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(record, "RESULTS", tmp_path / "results.json")
    assert main(["frog_pond", "--seeds", "1", "--minutes", "0.02", "--dry"]) == 0
    assert "'map': 'frog_pond'" in capsys.readouterr().out
    run = {"map": "frog_pond", "seed": FIRST_SEED, "seconds": 1}
    record.save({**run, "seconds": 2})
    record.save(run)
    assert json.loads(record.RESULTS.read_text()) == [run]


@pytest.mark.parametrize("words", [["no_map"], ["--seeds", "0"], ["--minutes", "0"], ["--minutes", "nan"]])
def test_wrong_words_are_refused(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "error" in capsys.readouterr().err
