"""The list of events is whole: what is told is in it with its fields, and the page for games says the same."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from paludarium import World
from paludarium.systems.event_kinds import EVENTS, NAMES

ROOT = Path(__file__).resolve().parents[2]
OWN = {"systems/export/motion_recorder.py"}
"""Modules with an event of their own that nobody else hears."""


def calls_of_emit():
    """(file, call) of every ``emit`` in the library but that of the machinery."""
    for folder in ("engine", "components", "systems"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                told = isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "emit"
                if told and name not in OWN and node.args and not isinstance(node.args[0], ast.Call):
                    yield name, node


def test_whatever_is_told_is_in_the_list_with_its_fields():
    seen = 0
    for file, call in calls_of_emit():
        seen += 1
        here = [kind for kind in EVENTS if file in kind.told_by]
        assert here, f"{file}:{call.lineno}: no row of EVENTS names this module"
        if isinstance(call.args[0], ast.Constant):
            here = [kind for kind in here if kind.name == call.args[0].value]
            assert here, f"{file}:{call.lineno}: {call.args[0].value} is not told by this module in EVENTS"
        given = {keyword.arg for keyword in call.keywords if keyword.arg is not None}
        assert any(given <= set(kind.fields) for kind in here), f"{file}:{call.lineno}"
    assert seen >= 20


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.name)
def test_modules_of_the_list_tell_it(kind):
    for file in kind.told_by:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert f'"{kind.name}"' in text, f"{file} does not say {kind.name}"
        assert "emit(" in text


def test_a_world_knows_them_all_and_no_name_comes_twice():
    world = World(seed=1)
    assert len(set(NAMES)) == len(NAMES)
    for name in NAMES:
        world.on(name, lambda _: None)
    for name in ("born", "gone", "mod_failed"):  # what worlds without plugins have
        assert name in World(seed=1, plugins=()).events


def test_the_page_for_games_has_every_event():
    page = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    table = page.split("| event | whose | fields |", 1)[1].split("\n\n", 1)[0]
    rows = [row.split("|")[1:-1] for row in table.splitlines() if row.startswith("| `")]
    told = {name: (whose.strip(), fields) for names, whose, fields in rows for name in re.findall(r"`(\w+)`", names)}
    assert set(told) == set(NAMES)
    for kind in EVENTS:
        whose, fields = told[kind.name]
        assert whose == kind.whose
        if "see above" not in fields:
            missing = [name for name in kind.fields if f"`{name}`" not in fields]
            assert not missing, f"{kind.name}: {missing}"
