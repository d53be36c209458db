"""The ledger of a swimmer's training takes what a try can have found, and nothing else."""

from __future__ import annotations

import json

import numpy as np
import pytest

from paludarium.engine.world import World
from paludarium.game_demo.__main__ import main
from paludarium.lab.articulated.training.course import Course
from paludarium.lab.articulated.training.objective import FAILED, FARTHEST, NO_SCORE, Weights, can_be_a_score, judge
from paludarium.lab.articulated.training.search import measure_serially
from paludarium.lab.jobs.ledger import LedgerError, note, open_ledger, read_ledger

WORDS = ("train", "--species", "eel", "--grid", "surrogate", "--polish", "surrogate", "--generations", "5", "--no-plots",
         "--objective", "published")  # fmt: skip
GOOD = [-0.5, 0.6, 0.1, 0.5, 0.2, 0.0]
"""Half a length of gain and a little to the side, at the usual weights."""


def eel(**settings):
    return Course(World(seed=0).species["eel"], grid="surrogate", polish="surrogate", generations=5, **settings)


@pytest.mark.parametrize("manoeuvre", ["straight", "turn_left", "turn_right"])
def test_all_that_a_training_finds_fits(manoeuvre):
    course, found = eel(manoeuvre=manoeuvre), {}
    course.run(measure_serially, None, found.__setitem__)
    assert len(found) == course.count == 80
    for index, value in found.items():
        assert course.fits(index, json.loads(json.dumps(value)))
        for place in range(6):
            assert not course.fits(index, [*value[:place], -1e308, *value[place + 1 :]])
    assert not course.fits(course.count, found[0])


LINES = {
    "a number": "[0, -1.0]", "too few": "[0, [-1.0]]", "too many": f"[0, {[*GOOD, 0.0]}]", "none": "[0, []]",
    "a table": '[0, {"value": -1.0}]', "a text": '[0, "best"]', "texts": f"[0, {json.dumps(['x'] * 6)}]",
    "nothing": "[0, null]",
    "NaN": "[0, [NaN, 0.0, 0.0, 0.0, 0.0, 0.0]]", "infinite": "[0, [-Infinity, 0.0, 0.0, 0.0, 0.0, 0.0]]",
    "the best of all": "[0, [-1e308, 0.6, 0.1, 0.5, 0.2, 0.0]]", "better than it went": f"[0, {[-2.0, *GOOD[1:]]}]",
    "too far": f"[0, {[-2 * FARTHEST, 2 * FARTHEST, 0.0, 0.0, 0.2, 0.0]}]", "whole numbers": "[0, [0, 0, 0, 0, 0, 0]]",
    "lists": "[0, [[0.0], [0.0], [0.0], [0.0], [0.0], [0.0]]]", "another try": f"[80, {GOOD}]", "no try": f"[-1, {GOOD}]",
    "half a try": f"[0.5, {GOOD}]", "true": f"[true, {GOOD}]", "less than no overlap": f"[0, {[*GOOD[:5], -1.0]}]",
    "a huge number": f"[{'9' * 5000}, {GOOD}]", "deep": "[" * 9000, "two numbers": "[0, 1, 2]", "no list": "7",
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_a_piece_that_no_try_can_have_found_is_refused_and_nothing_changes(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    course, file = eel(), tmp_path / "eel_straight.work"
    with open_ledger(file, course.settings, course.fits) as (_, handle):
        note(handle, 1, GOOD)
    with file.open("a") as more:
        more.write(LINES[name] + "\n")
    before = file.read_bytes()
    with pytest.raises(LedgerError, match=r"eel_straight.work: line 3 is not a piece of work"):
        read_ledger(file, course.settings, course.fits)
    assert main(list(WORDS)) == 2
    assert "line 3 is not a piece of work" in capsys.readouterr().err
    assert file.read_bytes() == before
    assert not (tmp_path / "eel_straight.toml").exists()


def test_a_failed_try_fits():
    assert can_be_a_score(list(NO_SCORE), Weights(), turning=False)
    assert can_be_a_score(list(NO_SCORE), Weights(), turning=True)
    assert not can_be_a_score([-FAILED, 0.0, 0.0, 0.0, 0.0, 0.0], Weights(), turning=False)


def test_the_phases_have_bounds_of_their_own():
    """What costs too much where a search begins may be good enough at its end, and the ledger knows both."""
    course = Course(World(seed=0).species["manta"], grid="16x8x8", polish="24x16x16", generations=5)
    bounds = [weights.bound for weights in course._weights]
    assert bounds == [pytest.approx(0.45)] * 4 + [pytest.approx(0.48)]
    work = 0.46
    dear = [1.0 + (work - 0.45) / 0.45 - 1.0, 1.0, 0.0, 0.0, work, 0.0]
    cheap = [-1.0, 1.0, 0.0, 0.0, work, 0.0]
    last = course.count - 1
    assert [course.fits(0, dear), course.fits(0, cheap), course.fits(last, dear), course.fits(last, cheap)] == [
        True, False, False, True]  # fmt: skip


@pytest.mark.parametrize("wild", [FARTHEST * 1.01, 1e300])
def test_a_track_that_was_thrown_far_has_failed(wild):
    """Water that breaks throws a body; a search would take that for the best stroke of all."""
    track = np.zeros((120, 5))
    track[:, 0] = np.linspace(0.0, 1.0, 120)
    assert judge(track, 1.0, 1 / 60, turning=False, weights=Weights()).distance == 1.0
    track[-1, 0] = wild
    assert judge(track, 1.0, 1 / 60, turning=False, weights=Weights()) == NO_SCORE
