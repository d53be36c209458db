"""docs/reliability.md is what its recorded results and notes make of it."""

from __future__ import annotations

from collections import Counter

from paludarium.tests.campaigns import page
from paludarium.tests.campaigns.outcome import Report
from paludarium.tests.campaigns.plan import CAMPAIGNS


def test_the_page_is_current():
    """Regenerate with `python -m paludarium.tests.campaigns --page`."""
    assert page.page(page.load(), page.NOTES.read_text(encoding="utf-8")) == page.PAGE.read_text(encoding="utf-8")


def test_results_are_of_campaigns_that_exist():
    runs = page.load()
    assert {run.report.name for run in runs} == set(CAMPAIGNS)
    assert len({run.key for run in runs}) == len(runs)
    for run in runs:
        assert run.report.tried == sum(run.report.outcomes.values()) + run.report.failed
        assert 0 < run.count <= CAMPAIGNS[run.report.name].long


def test_a_record_is_read_as_it_was_written(tmp_path, monkeypatch):
    runs, text = page.load(), page.RESULTS.read_text(encoding="utf-8")
    monkeypatch.setattr(page, "RESULTS", tmp_path / "results.json")
    page.save(runs)
    assert page.RESULTS.read_text(encoding="utf-8") == text
    assert page.load() == runs


def test_a_run_replaces_the_older_one_and_marks_those_of_other_code():
    runs = page.load()
    part = Report("soak", 13, 2, Counter(loaded=1), Counter({"it hangs": 1}), {"it hangs": "here"})
    run = page.Run(part, CAMPAIGNS["soak"].long // 4, "3.11", "0" * page.DIGITS, "2026-01-01")
    after = page.with_run(page.with_run(runs, run), run)
    assert after[-1] == run
    assert after[:-1] == [other for other in runs if other.key != run.key]
    told = page.page(after, "")
    assert "| 13 | 3.11 | 25 % | 2 | 1 | 1 | 0 |" in told
    assert "- soak: 1 x it hangs; first: `here`" in told
    assert told.count("*") > page.page([run], "").count("*")
    assert f"{len(after) - 1} of {len(after)} have a *" in told
    assert "All ran on one state of the product." in page.page([run], "")


def test_the_code_of_the_product_has_a_name():
    assert page.code() == page.code()
    assert len(page.code()) == page.DIGITS
