"""The page that says where to add what names files that are there, and names in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "overview.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## Where to add what", 1)[1].split("\n\nWorld axes", 1)[0]
WORDS = re.findall(r"`([^`]+)`", SECTION)
PATHS = [word for word in WORDS if "/" in word]
NAMED = {"OVERLAYS": "game_demo/overlay_choice.py", "TABLES": "engine/maps.py", "LISTS": "engine/maps.py",
         "push": "systems/orders/orders.py", "kill": "systems/orders/orders.py"}  # fmt: skip


@pytest.mark.parametrize("path", sorted(set(PATHS)))
def test_every_file_is_there(path):
    if "<family>" in path:
        for family in ("myriapod", "fish", "insect", "articulated"):
            assert (ROOT / path.replace("<family>", family)).is_file()
    else:
        assert (ROOT / path).exists()


@pytest.mark.parametrize("name", NAMED)
def test_every_name_is_in_its_file(name):
    assert name in WORDS
    assert re.search(rf"^(def |class )?{name}\b", (ROOT / NAMED[name]).read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("what", ["weather", "wind", "event", "tier", "damage", "bite", "crabs", "ant ", "terrain",
                                  "saved field", "overlay", "camera"])  # fmt: skip
def test_common_wishes_have_a_row(what):
    rows = [row.split("|")[1] for row in SECTION.splitlines() if row.startswith("| ")]
    assert any(what in row for row in rows)
