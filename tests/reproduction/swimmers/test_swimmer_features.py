"""The table of the source's features, which ends the chapter, is complete, and what it names exists."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ROW = re.compile(r"\| F(\d+) \| (.+) \| (.*) \| (.*) \|")
MANY = 43


def table(text: str) -> list[tuple[str, ...]]:
    return [found.groups() for found in map(ROW.fullmatch, text.splitlines()) if found]


def test_no_feature_is_missing_and_every_place_exists():
    rows = table((HERE / "features.md").read_text(encoding="utf-8"))
    assert [int(number) for number, *_ in rows] == list(range(1, MANY + 1))
    for number, _, where, remark in rows:
        places = re.findall(r"`([^`]+)`", where)
        assert places or remark.strip(), f"F{number} is nowhere and nothing says why"
        for place in places:
            assert (ROOT / place).is_file(), f"F{number}: {place}"


def test_the_page_of_swimmers_ends_with_the_same_table():
    page = (ROOT / "docs" / "swimmers.md").read_text(encoding="utf-8")
    assert table(page) == table((HERE / "features.md").read_text(encoding="utf-8"))
