"""Run campaigns and write what came of them::

    python -m paludarium.tests.campaigns                     # all, long form; writes docs/reliability.md
    python -m paludarium.tests.campaigns --share 0.1 soak    # one of them with a tenth of its count; only prints
"""

from __future__ import annotations

import argparse
import sys

from .outcome import ROOT, Report
from .plan import CAMPAIGNS, SEED

HEAD = """# Reliability

What the campaigns of `tests/campaigns/` found in their last long run. Written by `python -m paludarium.tests.campaigns`; do
not edit. Every test run has a short form of them, `python3 dev test --slow` the long one. A case fails when it ends with an
error that is not ours, a crash, a hang, a number that is not finite, or a file that was written or code that was run because
a file said so.

| campaign | claim | tried | failed | works | refused |
|---|---|---|---|---|---|
"""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m paludarium.tests.campaigns")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CAMPAIGNS)}")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--share", type=float, default=1.0, help="of the long form's counts")
    parser.add_argument("--write", action="store_true", help="write docs/reliability.md even if this is not all of it")
    wanted = parser.parse_args(words)
    unknown = [name for name in wanted.names if name not in CAMPAIGNS]
    if unknown:
        parser.error(f"no campaign is called {unknown[0]!r}")
    reports = []
    for name in wanted.names or CAMPAIGNS:
        campaign = CAMPAIGNS[name]
        reports.append(campaign.run(wanted.seed, max(int(wanted.share * campaign.long), 1)))
        print(reports[-1], flush=True)
    if wanted.write or (not wanted.names and wanted.share == 1.0):
        (ROOT / "docs" / "reliability.md").write_text(page(reports), encoding="utf-8")
    return 1 if any(report.failed for report in reports) else 0


def page(reports: list[Report]) -> str:
    rows = [
        f"| {report.name} | {CAMPAIGNS[report.name].claim} | {report.tried:,} | {report.failed:,} "
        f"| {report.outcomes['loaded']:,} | {report.outcomes['refused']:,} |\n"
        for report in reports
    ]
    notes = [f"- **{report.name}** (seed {report.seed}): {_figures(report)}\n" for report in reports if report.figures]
    failures = [
        f"- {report.name}: {count} x {kind}; first: `{report.first[kind][:160]}`\n"
        for report in reports
        for kind, count in report.failures.most_common()
    ]
    return "".join([HEAD, *rows, "\n## Figures\n\n", *notes, "\n## Failures\n\n", *(failures or ["None.\n"])])


def _figures(report: Report) -> str:
    return ", ".join(f"{name} {value}" for name, value in report.figures.items())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
