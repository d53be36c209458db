"""Write docs/reproduction.md: run the reproduction tests and put what was reported beside what we measure.

    python -m paludarium.tests.reproduction.report [FILE]

What was reported comes from a test's docstring, what we measure from its ``record_property(name, value)`` calls, and
whether the source's criterion holds from the test's outcome, or from what it says itself (`criteria`). The long campaigns
are run too: a row that was not run makes the command fail.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from paludarium.tests.reproduction.criteria import PROFILE, PROPERTY

ROOT = Path(__file__).resolve().parents[2]
NOT_RUN = "not run"
OURS, PUBLISHED = "steady", "published"
"""Profiles of species files, and the columns of the page."""
FEATURES = "features.md"
"""A table in the folder of a family: it ends the family's chapter."""
CHECK = re.compile(r"test_([acfs]\d+[a-z]?)_(\w+)")
HEAD = """# Reproduction

What the publications report and what this package measures, check by check. The numbers in the first column are those of
the test names in `tests/reproduction/`. Written by `python -m paludarium.tests.reproduction.report`; do not edit.

"Study" in the third column means measurements on a prototype with spring joints, done before this package
([walking](studies/walking.md), [numerics](studies/numerics.md)), "digest" the corrected reading of the publications and the
trials made for it ([myriapoda](studies/myriapoda.md)), T the thesis ([references](references.md)). A limit is the tolerance
that a check asks for when its source gives a picture or a claim, but no number. Values over several seeds or settings are
given as ranges; lengths are in units of one segment, shares are between 0 and 1. "As published" are the same measurements
with `profile = "published"` in `[gait]` and `[muscles]` ([profiles](profiles.md)), for checks in which these rules play a
part. The last column says whether the criterion of the source or of the digest holds: "no" where it does not, with the
reason, even though the test passes on what we measure.
"""


@dataclass
class Row:
    """One test function, all of its parameters together."""

    check: str
    sentence: str
    reported: str
    measured: dict[str, dict[str, list[Any]]] = field(default_factory=lambda: {OURS: {}, PUBLISHED: {}})
    outcomes: list[str] = field(default_factory=list)


class Collector:
    """The pytest plugin that gathers docstrings, recorded values and outcomes."""

    def __init__(self) -> None:
        self.chapters: dict[str, dict[str, Row]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            name = getattr(item, "originalname", item.name)
            found = CHECK.match(name)
            if found:
                text = " ".join((item.function.__doc__ or "").split())  # type: ignore[attr-defined]
                row = Row(found[1].upper(), found[2].replace("_", " "), text)
                self.chapters.setdefault(item.path.parent.name, {}).setdefault(_key(item.nodeid), row)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        row = next((rows[_key(report.nodeid)] for rows in self.chapters.values() if _key(report.nodeid) in rows), None)
        if row is None or (report.when != "call" and report.passed):
            return
        row.outcomes.append(report.outcome)
        measured = row.measured[str(dict(report.user_properties).get(PROFILE, OURS))]
        for name, value in report.user_properties:
            if name != PROFILE:
                measured.setdefault(name, []).append(value)


def _key(nodeid: str) -> str:
    return nodeid.split("[")[0]


def _values(values: list[Any]) -> str:
    texts = [f"{value:.3g}" if isinstance(value, (int, float)) else str(value) for value in values]
    if len(set(texts)) == 1:
        return texts[0]
    if all(isinstance(value, (int, float)) for value in values):
        return f"{min(values):.3g} to {max(values):.3g}"
    return ", ".join(texts)


def _found(measured: dict[str, list[Any]]) -> str:
    return "; ".join(f"{name}: {_values(values)}" for name, values in measured.items() if name != PROPERTY)


def _noes(row: Row) -> list[str]:
    """What tests say about criteria that do not hold, and with which profile if only with that one."""
    ours, published = ({said for said in row.measured[profile].get(PROPERTY, []) if said != "yes"}
                       for profile in (OURS, PUBLISHED))  # fmt: skip
    here, there = "with our defaults " if row.measured[PUBLISHED] else "", "as published "
    both = sorted(ours & published)
    return both + [here + said for said in sorted(ours - published)] + [there + said for said in sorted(published - ours)]


def _line(row: Row) -> str:
    bad = [outcome for outcome in row.outcomes if outcome != "passed"]
    result = ", ".join(sorted(set(bad))) or "; ".join(_noes(row)) or ("yes" if row.outcomes else NOT_RUN)
    found = [_found(row.measured[profile]) for profile in (OURS, PUBLISHED)]
    cells = [row.check, row.sentence, row.reported, *found, f"{result} ({len(row.outcomes)})"]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _order(row: Row) -> tuple[str, int]:
    return row.check[0], int(re.sub(r"\D", "", row.check))


def page(chapters: dict[str, dict[str, Row]]) -> str:
    """The whole page as Markdown."""
    lines = [HEAD]
    for chapter, rows in sorted(chapters.items()):
        lines += [f"## {chapter.replace('_', ' ').capitalize()}", ""]
        lines += ["| check | test | reported | ours | as published | holds (runs) |", "|---|---|---|---|---|---|"]
        lines += [_line(row) for row in sorted(rows.values(), key=_order)]
        features = ROOT / "tests" / "reproduction" / chapter / FEATURES
        lines += ["", features.read_text(encoding="utf-8") if features.exists() else ""]
    return "\n".join(lines)


def main(file: Path) -> int:
    """Run the tests and write the page; the exit code is that of the tests."""
    collector = Collector()
    words = ["-q", "-m", "", "-p", "no:cacheprovider", str(ROOT / "tests" / "reproduction")]
    code = pytest.main(words, plugins=[collector])
    text = page(collector.chapters)
    file.write_text(text, encoding="utf-8")
    if f"| {NOT_RUN} (" in text:
        sys.stderr.write("some checks were not run: see the page\n")
        return 1
    silent = [f"{chapter} {row.check}" for chapter, rows in collector.chapters.items() for row in rows.values()
              if not _found(row.measured[OURS])]  # fmt: skip
    if silent:
        sys.stderr.write(f"these checks say nothing about what they measured: {', '.join(silent)}\n")
        return 1
    return int(code)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "reproduction.md"))
