"""The reliability page is made of recorded results and of notes that are written by hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from .outcome import LONGEST_MESSAGE, ROOT, Report
from .plan import CAMPAIGNS

RESULTS = Path(__file__).with_name("results.json")
NOTES = Path(__file__).with_name("notes.md")
PAGE = ROOT / "docs" / "reliability.md"

HEAD = """# Reliability

What the campaigns of `tests/campaigns/` found in their last long run. Made of `tests/campaigns/results.json` and
`tests/campaigns/notes.md` by `python -m paludarium.tests.campaigns`, which also runs them; do not edit. Every test run has a
short form of them, `python3 dev test --slow` the long one. A case fails when it ends with an error that is not ours, a
crash, a hang, a number that is not finite, or a file that was written or code that was run because a file said so.

| campaign | claim | tried | failed | works | refused |
|---|---|---|---|---|---|
"""
SINCE = "\n## Since that run\n\n"
SINCE_HEAD = "\n| campaign | tried | failed | works | refused |\n|---|---|---|---|---|\n"


class Results(NamedTuple):
    """The last whole run of every campaign, and the runs of a part of one that came after it, with a note each."""

    whole: list[Report]
    since: list[tuple[Report, str]]

    def with_run(self, report: Report, *, whole: bool, note: str = "") -> Results:
        """These results and one more, which replaces an older one of its kind; a whole run also replaces those of a part."""
        others = [(run, words) for run, words in self.since if run.name != report.name]
        if not whole:
            return Results(self.whole, [*others, (report, note)])
        known = {run.name: run for run in self.whole} | {report.name: report}
        return Results([known[name] for name in CAMPAIGNS if name in known], others)


def load() -> Results:
    """The results that are recorded."""
    told = json.loads(RESULTS.read_text(encoding="utf-8"))
    return Results([_report(run) for run in told["whole"]], [(_report(run), run["note"]) for run in told["since"]])


def save(results: Results) -> None:
    """Record results, one in a line."""
    whole = ",\n".join(_line(report) for report in results.whole)
    since = ",\n".join(_line(report, note=note) for report, note in results.since)
    RESULTS.write_text(f'{{\n"whole": [\n{whole}\n],\n"since": [\n{since}\n]\n}}\n', encoding="utf-8")


def page(results: Results, notes: str) -> str:
    """The text of the page."""
    rows = [f"| {report.name} | {CAMPAIGNS[report.name].claim} {_counts(report)}" for report in results.whole]
    told = [report for report in results.whole if report.figures]
    figures = [f"- **{report.name}** (seed {report.seed}): {_figures(report)}\n" for report in told]
    failures = [
        f"- {report.name}: {count} x {kind}; first: `{report.first[kind][:LONGEST_MESSAGE]}`\n"
        for report in results.whole
        for kind, count in report.failures.most_common()
    ]
    text = [HEAD, *rows, "\n## Figures\n\n", *figures, "\n## Failures\n\n", *(failures or ["None.\n"])]
    if results.since:
        shorter = [f"| {report.name}{f' ({note})' if note else ''} {_counts(report)}" for report, note in results.since]
        text += [SINCE, notes, SINCE_HEAD, *shorter]
    return "".join(text)


def write() -> None:
    """Make the page anew of what is recorded."""
    PAGE.write_text(page(load(), NOTES.read_text(encoding="utf-8")), encoding="utf-8")


def _report(told: dict[str, Any]) -> Report:
    counted = {name: Counter(told[name]) for name in ("outcomes", "failures")}
    return Report(told["name"], told["seed"], told["tried"], first=told["first"], figures=told["figures"], **counted)


def _line(report: Report, **more: Any) -> str:
    return f" {json.dumps({**vars(report), **more}, default=lambda number: number.item())}"


def _counts(report: Report) -> str:
    works, refused = report.outcomes["loaded"], report.outcomes["refused"]
    return f"| {report.tried:,} | {report.failed:,} | {works:,} | {refused:,} |\n"


def _figures(report: Report) -> str:
    return ", ".join(f"{name} {value}" for name, value in report.figures.items())
