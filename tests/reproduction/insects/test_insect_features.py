"""The table of the source's features, which ends the chapter, is complete, and what it names exists."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ROW = re.compile(r"\| F(\d+) \| (.+) \| (.*) \| (.*) \|")
MANY = 48
CHECKS = 44


def test_no_feature_is_missing_and_every_place_exists():
    text = (HERE / "features.md").read_text(encoding="utf-8")
    rows = [found.groups() for found in map(ROW.fullmatch, text.splitlines()) if found]
    assert [int(number) for number, *_ in rows] == list(range(1, MANY + 1))
    for number, _, where, remark in rows:
        places = re.findall(r"`([^`]+)`", where)
        assert places or remark.strip(), f"F{number} is nowhere and nothing says why"
        for place in places:
            assert (ROOT / place).is_file(), f"F{number}: {place}"


def test_the_page_of_insects_ends_with_the_same_table():
    rows = [line for line in (HERE / "features.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    page = (ROOT / "docs" / "insects.md").read_text(encoding="utf-8").rstrip().splitlines()
    assert page[-MANY:] == rows[-MANY:]


def test_no_check_is_missing():
    """A01 to A44 of the digest each have a test of that number here, and a row on the page of reproduction."""
    tests = " ".join(file.read_text(encoding="utf-8") for file in sorted(HERE.glob("test_*.py")))
    found = {int(number) for number in re.findall(r"def test_a(\d\d)", tests)}
    assert found == set(range(1, CHECKS + 1))
    page = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    rows = {int(number) for number in re.findall(r"^\| A(\d\d)[A-Z]? \|", page, re.MULTILINE)}
    assert found <= rows
