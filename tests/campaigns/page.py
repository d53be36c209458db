"""The reliability page is made of recorded results and of notes that are written by hand."""

from __future__ import annotations

import hashlib
import json
import platform
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from .outcome import LONGEST_MESSAGE, ROOT, Report
from .plan import CAMPAIGNS

RESULTS = Path(__file__).with_name("results.json")
NOTES = Path(__file__).with_name("notes.md")
PAGE = ROOT / "docs" / "reliability.md"
PRODUCT = ("components", "engine", "game_demo", "systems")
"""Folders whose code is what the campaigns try."""
DIGITS = 8
"""Of the digest of the code: enough to tell states apart."""
FORMER = "*"
"""What marks a run that is older than the last change of the code."""

HEAD = """# Reliability

What the campaigns of `tests/campaigns/` found in their last runs. Made of `tests/campaigns/results.json` and
`tests/campaigns/notes.md` by `python -m paludarium.tests.campaigns`, which also runs them; do not edit. Every test run has a
short form of them, `python3 dev test --slow` the long one. A case fails when it ends with an error that is not ours, with an
error within a tick, a crash, a hang, a number that is not finite, or a file that was written or code that was run because a
file said so. Worlds that were loaded, or made of a file, run on for 60 ticks. *Size* is the part of the long form that ran.

| campaign | claim | seed | Python | size | tried | failed | works | refused |
|---|---|---|---|---|---|---|---|---|
"""


class Run(NamedTuple):
    """One run of a campaign: what came of it, and of which state of the code, on which Python and how much of it."""

    report: Report
    count: int
    """As `Campaign.long` counts."""
    python: str
    code: str
    """The beginning of a digest of the product's code."""
    day: str

    @property
    def key(self) -> tuple[str, int, str]:
        """A later run of the same key takes its place."""
        return self.report.name, self.report.seed, self.python

    @property
    def order(self) -> tuple[int, int, str]:
        return list(CAMPAIGNS).index(self.report.name), self.report.seed, self.python


def run_of(report: Report, count: int) -> Run:
    """What a campaign has just told, with the circumstances."""
    return Run(report, count, ".".join(platform.python_version_tuple()[:2]), code(), date.today().isoformat())


def code() -> str:
    """Which state of the product's code this is."""
    digest = hashlib.blake2b(digest_size=DIGITS // 2)
    for file in sorted(file for folder in PRODUCT for file in (ROOT / folder).rglob("*.py")):
        digest.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()


def with_run(runs: list[Run], run: Run) -> list[Run]:
    """These runs and one more, which replaces an older one of its key; the last is the newest."""
    return [*(other for other in runs if other.key != run.key), run]


def load() -> list[Run]:
    """The runs that are recorded, in the order in which they were."""
    return [Run(_report(told), *(told[name] for name in Run._fields[1:])) for told in json.loads(RESULTS.read_text("utf-8"))]


def save(runs: list[Run]) -> None:
    """Record runs, one in a line."""
    RESULTS.write_text("[\n" + ",\n".join(map(_line, runs)) + "\n]\n", encoding="utf-8")


def page(runs: list[Run], notes: str) -> str:
    """The text of the page."""
    newest = runs[-1].code if runs else ""
    ordered = sorted(runs, key=lambda run: run.order)
    figures = [f"- **{_name(run, newest)}** (seed {run.report.seed}, Python {run.python}): {_figures(run.report)}\n"
               for run in ordered if run.report.figures]  # fmt: skip
    failures = [
        f"- {_name(run, newest)}: {count} x {kind}; first: `{run.report.first[kind][:LONGEST_MESSAGE]}`\n"
        for run in ordered
        for kind, count in run.report.failures.most_common()
    ]
    former = sum(run.code != newest for run in runs)
    days = sorted({run.day for run in runs})
    states = f"\nRuns of {' to '.join(dict.fromkeys((days[0], days[-1])))}. " if runs else "\n"
    if former:
        states += f"{former} of {len(runs)} have a {FORMER}: the product has changed between them and the newest run.\n"
    else:
        states += "All ran on one state of the product.\n"
    return "".join([
        HEAD, *(_row(run, newest) for run in ordered), states, "\n## Figures\n\n", *figures, "\n## Failures\n\n",
        *(failures or ["None.\n"]), "\n## Notes\n\n", notes,
    ])  # fmt: skip


def write() -> None:
    """Make the page anew of what is recorded."""
    PAGE.write_text(page(load(), NOTES.read_text(encoding="utf-8")), encoding="utf-8")


def _report(told: dict[str, Any]) -> Report:
    counted = {name: Counter(told[name]) for name in ("outcomes", "failures")}
    return Report(told["name"], told["seed"], told["tried"], first=told["first"], figures=told["figures"], **counted)


def _line(run: Run) -> str:
    told = {**vars(run.report), **{name: value for name, value in run._asdict().items() if name != "report"}}
    return f" {json.dumps(told, default=lambda number: number.item())}"


def _name(run: Run, newest: str) -> str:
    return run.report.name + (FORMER if run.code != newest else "")


def _row(run: Run, newest: str) -> str:
    report, campaign = run.report, CAMPAIGNS[run.report.name]
    works, refused = report.outcomes["loaded"], report.outcomes["refused"]
    size = f"{100.0 * run.count / campaign.long:.3g} %"
    return (f"| {_name(run, newest)} | {campaign.claim} | {report.seed} | {run.python} | {size} | {report.tried:,} | "
            f"{report.failed:,} | {works:,} | {refused:,} |\n")  # fmt: skip


def _figures(report: Report) -> str:
    return ", ".join(f"{name} {value}" for name, value in report.figures.items())
