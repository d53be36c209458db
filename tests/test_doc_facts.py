"""What pages say about the package and a program can check: numbers, names, files, links."""

from __future__ import annotations

import re

from paludarium import World
from paludarium.systems.brain.mode_registry import ModeRegistry
from paludarium.tests.page_snippets import ROOT

DOCS = ROOT / "docs"


def text_of(name: str) -> str:
    """A page of the docs, in one line."""
    return " ".join((DOCS / name).read_text(encoding="utf-8").split())


def test_priorities_of_brain_modes():
    world = World(seed=1)
    world.spawn("worker_ant")  # brings FORAGE
    modes = world.resource(ModeRegistry)
    told = re.search(r"highest priority wins \((.*?)\)", text_of("modding.md"))
    assert told is not None
    listed = {name: float(number) for name, number in re.findall(r"([A-Z_]+)(?: of ants)? (\d+)", told[1])}
    assert listed == {modes.name_of(number): priority for number, priority in enumerate(modes.priorities.tolist())}
