"""The table of the sources' features, which ends the page, is complete, and what it names exists."""

from __future__ import annotations

import re
from pathlib import Path

from paludarium.tests.reproduction.report import features_text

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ROW = re.compile(r"\| F(\d+) \| (.+) \| (.+) \| (.*) \|")
MANY = 49


def test_no_feature_is_missing_and_every_place_exists():
    text = (HERE / "features.md").read_text(encoding="utf-8")
    rows = [found.groups() for found in map(ROW.fullmatch, text.splitlines()) if found]
    assert [int(number) for number, *_ in rows] == list(range(1, MANY + 1))
    for number, _, where, remark in rows:
        places = re.findall(r"`([^`]+)`", where)
        assert places or remark.strip(), f"F{number} is nowhere and nothing says why"
        for place in places:
            assert (ROOT / place).is_file(), f"F{number}: {place}"


def test_the_page_ends_with_the_table():
    """With the column "seen in", which the report adds."""
    assert features_text("myriapoda") in (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
