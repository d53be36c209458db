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
    results = page.load()
    in_part = {report.name for report, _note in results.since}  # a new one may have been run in part only: the page says so
    assert {report.name for report in results.whole} | in_part == set(CAMPAIGNS)
    for report in [*results.whole, *(report for report, _note in results.since)]:
        assert report.name in CAMPAIGNS
        assert report.tried == sum(report.outcomes.values()) + report.failed


def test_a_record_is_read_as_it_was_written(tmp_path, monkeypatch):
    results, text = page.load(), page.RESULTS.read_text(encoding="utf-8")
    monkeypatch.setattr(page, "RESULTS", tmp_path / "results.json")
    page.save(results)
    assert page.RESULTS.read_text(encoding="utf-8") == text
    assert page.load() == results


def test_a_run_replaces_the_older_one():
    results = page.load()
    part = Report("soak", 13, 2, Counter(loaded=1), Counter({"it hangs": 1}), {"it hangs": "here"})
    after = results.with_run(part, whole=False, note="a part")
    assert after.whole == results.whole
    assert "| soak (a part) | 2 | 1 | 1 | 0 |" in page.page(after, "")
    after = after.with_run(part, whole=True)
    assert not any(report.name == "soak" for report, _note in after.since)
    told = page.page(after, "")
    assert "| 2 | 1 | 1 | 0 |" in told
    assert "- soak: 1 x it hangs; first: `here`" in told
