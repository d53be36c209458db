"""Every example runs headless and its own claim holds."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from paludarium.examples import muscles
from paludarium.examples.muscles import DEMONSTRATIONS

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


@pytest.mark.parametrize("name", sorted(DEMONSTRATIONS))
def test_muscles_do_what_the_demonstration_claims(name):
    muscles.check(muscles.build_world(name))


def test_both_races_end_as_published_and_are_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    from paludarium.examples import figure_races

    figure_races.main(str(tmp_path / "races.png"))
    assert (tmp_path / "races.png").stat().st_size > 10_000
