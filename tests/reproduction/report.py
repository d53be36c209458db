"""Write docs/reproduction.md: run reproduction tests and put what was reported beside what we measure.

    python -m paludarium.tests.reproduction.report                      all families
    python -m paludarium.tests.reproduction.report fishes               one family; the others keep their chapters
    python -m paludarium.tests.reproduction.report fishes -k f30        some of its checks; the others keep their rows

What was reported comes from a test's docstring, what we measure from its ``record_property(name, value)`` calls, and
whether the source's criterion holds from the test's outcome, or from what it says itself (`criteria`). The long campaigns
are run too. What is not run keeps the row that it has on the page: a row that was never run makes the command fail.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from paludarium.tests.reproduction.criteria import PROFILE, PROPERTY
from paludarium.tests.reproduction.seen import of_check, of_feature

ROOT = Path(__file__).resolve().parents[2]
NOT_RUN = "not run"
OURS, PUBLISHED = "steady", "published"
"""Profiles of species files, and the columns of the page."""
FEATURES = "features.md"
"""A table in the folder of a family: it ends the family's chapter."""
CHECK = re.compile(r"test_([acfs]\d+[a-z]?)_(\w+)")
HEAD = """# Reproduction

What the publications report and what this package measures, check by check. The numbers in the first column are those of
the test names in `tests/reproduction/`. Written by `python -m paludarium.tests.reproduction.report`; do not edit. With the
name of a family (`report fishes`) only its chapter is measured anew, with `-k` and words of pytest only some rows of it.

"Study" in the third column means measurements on a prototype with spring joints, done before this package
([walking](studies/walking.md), [numerics](studies/numerics.md), [fish](studies/fish.md), [insect](studies/insect.md),
[swimmer](studies/swimmer.md)), "digest" the corrected reading of the publications and the trials made for it
([myriapoda](studies/myriapoda.md), [fishes](studies/artificial-fishes.md), [insects](studies/insect-framework.md),
[swimmers](studies/articulated-swimmers.md)), T the thesis ([references](references.md)). A limit is the tolerance that
a check asks for when its source gives a picture or a claim, but no number. Values over several seeds or settings are
given as ranges; lengths are in units of one segment (L is the length of a fish), shares are between 0 and 1. "As
published" are the same measurements with `profile = "published"` in `[gait]` and `[muscles]` ([profiles](profiles.md)),
for checks in which these rules play a part; of fishes those with the numbers and the solver of the book, of insects
those of the published walker. The last column says whether the criterion of the source or of the digest holds: "no"
where it does not, with the reason, even though the test passes on what we measure.

"Seen in" names a world that ships and the test in which an animal of the game shows the row there, with its own species
file and at its own tier. "Laboratory only" is all else: benches, basins made for a check, a profile or a body that no
species ships with, code that no animal uses, and what is true of an animal but was not yet looked for in a world.
"""


@dataclass
class Row:
    """One test function, all of its parameters together."""

    check: str
    sentence: str
    reported: str
    measured: dict[str, dict[str, list[Any]]] = field(default_factory=lambda: {OURS: {}, PUBLISHED: {}})
    outcomes: list[str] = field(default_factory=list)
    seen: str = ""
    """Where an animal of the game shows it."""


class Collector:
    """The pytest plugin that gathers docstrings, recorded values and outcomes."""

    def __init__(self) -> None:
        self.chapters: dict[str, dict[str, Row]] = {}

    @pytest.hookimpl(tryfirst=True)  # all rows, also of checks that are not chosen
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            name = getattr(item, "originalname", item.name)
            found = CHECK.match(name)
            if found:
                text = " ".join((item.function.__doc__ or "").split())  # type: ignore[attr-defined]
                family = item.path.parent.name
                row = Row(found[1].upper(), found[2].replace("_", " "), text, seen=of_check(family, name[len("test_"):]))
                self.chapters.setdefault(family, {}).setdefault(_key(item.nodeid), row)

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
    return _written([row.check, row.sentence, row.reported, *found, f"{result} ({len(row.outcomes)})", row.seen])


def _written(cells: list[str]) -> str:
    """A row of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


COLUMNS = ("check", "test", "reported", "ours", "as published", "holds (runs)", "seen in")


def _seen_anew(line: str, row: Row) -> str:
    """A row of the page as it was, but for the last column, which needs no run."""
    cells = line.removeprefix("| ").removesuffix(" |").split(" | ")[: len(COLUMNS) - 1]
    return "| " + " | ".join([*cells, row.seen]) + " |"


FEATURE = re.compile(r"\| F(\d+) \| .* \|")


def features_text(chapter: str) -> str:
    """The table of features with the column "seen in"."""
    file = ROOT / "tests" / "reproduction" / chapter / FEATURES
    if not file.exists():
        return ""
    lines = []
    for line in file.read_text(encoding="utf-8").splitlines():
        found = FEATURE.fullmatch(line)
        end = of_feature(chapter, int(found[1])) if found else "seen in" if line.startswith("| feature") else "---"
        gap = "" if line.startswith("|---") else " "
        lines.append(f"{line}{gap}{end}{gap}|" if line.startswith("|") else line)
    return "\n".join(lines)


def _order(row: Row) -> tuple[str, int]:
    return row.check[0], int(re.sub(r"\D", "", row.check))


def title(chapter: str) -> str:
    """How a chapter is called on the page."""
    return chapter.replace("_", " ").capitalize()


def chapters_of(text: str) -> dict[str, str]:
    """The chapters of a page as it stands, by title: each from its heading to the next."""
    pieces = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return {name: f"## {name}\n{body}".rstrip() for name, body in zip(pieces[1::2], pieces[2::2], strict=True)}


def rows_of(chapter: str) -> dict[tuple[str, str], str]:
    """Lines of a chapter by number and name of the check."""
    cells = [(line.split(" | "), line) for line in chapter.splitlines() if line.startswith("| ")]
    return {(first[0].removeprefix("| "), first[1]): line for first, line in cells if len(first) > 1}


def chapter_text(chapter: str, rows: dict[str, Row], before: str) -> str:
    """One chapter; rows that were not run are as they were."""
    known = rows_of(before)
    lines = [f"## {title(chapter)}", ""]
    lines += [_written(list(COLUMNS)), "|---" * len(COLUMNS) + "|"]
    for row in sorted(rows.values(), key=_order):
        old = known.get((row.check, row.sentence), "")
        lines.append(_seen_anew(old, row) if old and not row.outcomes else _line(row))
    return "\n".join([*lines, "", features_text(chapter)]).rstrip()


def page(chapters: dict[str, dict[str, Row]], before: str = "") -> str:
    """The whole page as Markdown; what was not run is as it was before."""
    texts = chapters_of(before)
    texts |= {title(name): chapter_text(name, rows, texts.get(title(name), "")) for name, rows in chapters.items()}
    return "\n\n".join([HEAD.rstrip(), *(texts[name] for name in sorted(texts))]) + "\n"


def silent_rows(chapters: dict[str, dict[str, Row]]) -> list[str]:
    """Checks that were run and said nothing about what they measured."""
    return [f"{chapter} {row.check} {row.sentence}" for chapter, rows in chapters.items() for row in rows.values()
            if row.outcomes and not _found(row.measured[OURS])]  # fmt: skip


def main(words: list[str]) -> int:
    """Run the tests and write the page; the exit code is that of the tests."""
    folder = ROOT / "tests" / "reproduction"
    families = sorted(path.name for path in folder.iterdir() if any(path.glob("test_*.py")))
    parser = argparse.ArgumentParser(prog="report", description="Write docs/reproduction.md.")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=f"one or more of {', '.join(families)}; without: all")
    parser.add_argument("-k", dest="checks", default="", metavar="WORDS", help="only these checks, as pytest's -k")
    parser.add_argument("--file", type=Path, default=ROOT / "docs" / "reproduction.md")
    asked = parser.parse_args(words)
    unknown = set(asked.families) - set(families)
    if unknown:
        parser.error(f"no such family: {', '.join(sorted(unknown))}")
    collector = Collector()
    places = [str(folder / name) for name in asked.families or families]
    code = pytest.main(["-q", "-m", "", "-p", "no:cacheprovider", "-k", asked.checks, *places], plugins=[collector])
    text = page(collector.chapters, asked.file.read_text(encoding="utf-8") if asked.file.exists() else "")
    asked.file.write_text(text, encoding="utf-8")
    if f"| {NOT_RUN} (" in text:
        sys.stderr.write("some checks were not run: see the page\n")
        return 1
    silent = silent_rows(collector.chapters)
    if silent:
        sys.stderr.write(f"these checks say nothing about what they measured: {', '.join(silent)}\n")
        return 1
    return int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
