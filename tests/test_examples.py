"""Every example runs headless and its own claim holds."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "examples"
LONG = {"crowd"}
NAMES = sorted(file.stem for file in FOLDER.glob("[!_]*.py") if not file.stem.startswith("figure_"))


@pytest.mark.parametrize("name", NAMES)
def test_example_keeps_its_claim(name):
    example = import_module(f"paludarium.examples.{name}")
    assert example.__doc__
    world = example.build_world()
    world.step(30 if name in LONG else 120)
    example.check(world)
