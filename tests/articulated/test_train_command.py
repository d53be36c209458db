"""``paludarium train`` for swimmers: tables that are written and read again, in the plane and in space; what it refuses."""

from __future__ import annotations

import re
import shutil
import tomllib

import numpy as np
import pytest

from paludarium.engine.world import World
from paludarium.game_demo.__main__ import main
from paludarium.lab.articulated.space.space_bodies import load_body
from paludarium.lab.articulated.training.course import Course
from paludarium.lab.articulated.training.search import measure_serially
from paludarium.tests.articulated.test_swimmers_in_the_world import DEEP

QUICK = {"plane": ("--grid", "surrogate", "--polish", "surrogate"), "space": ("--grid", "16x8x8", "--polish", "16x8x8")}


@pytest.fixture
def animal(tmp_path, monkeypatch):
    """A file of one's own with the links of a fish: it can be trained in the plane and in space."""
    monkeypatch.chdir(tmp_path)
    return shutil.copy(load_body("fish_3d").file, tmp_path / "my_fish.toml")


@pytest.mark.parametrize("kind", QUICK)
def test_a_stroke_is_found_and_written_into_the_file(kind, animal, capsys):
    before = tomllib.loads(animal.read_text())["manoeuvres"][0]
    words = ["--generations", "2", *QUICK[kind], "--straightness", "0.3", "--write", "--no-clip"]
    assert main(["train", "--species", "my_fish.toml", *words]) == 0
    assert "2 generations" in capsys.readouterr().out
    after = tomllib.loads(animal.read_text())["manoeuvres"][0]
    assert after["amplitude_deg"] != before["amplitude_deg"]
    assert after["found_by"].startswith("paludarium train --species my_fish --manoeuvre straight --seed 1 --grid")
    assert "--straightness 0.3" in after["found_by"]
    assert ("--box 2" in after["found_by"]) == (kind == "space")
    assert load_body(animal).sines().shape == (3, 4)  # it can be read again
    assert animal.with_name("my_fish_straight.png").is_file()
    assert not animal.with_name("my_fish_straight.work").exists()


@pytest.mark.parametrize("kind", QUICK)
def test_a_body_without_manoeuvres_lies_still_and_can_be_trained(kind, animal):
    text = animal.read_text()
    animal.write_text("".join(part for part in re.split(r"(?m)^(?=\[)", text) if not part.startswith("[[manoeuvres]]")))
    world = World(seed=1, map=DEEP)
    key = world.species.add(animal)
    body = world.spawn(key, at=(0.0, 0.0))
    world.step(1)
    place = body.position.copy()
    world.step(120)
    assert np.hypot(*(body.position - place)[:2]) < 0.1
    assert np.abs(body.links.angle).max() < 0.02
    assert main(["train", "--species", "my_fish.toml", "--generations", "1", *QUICK[kind], "--write", "--no-plots"]) == 0
    assert load_body(animal).sines().any()


def test_tries_that_are_known_are_not_made_again():
    eel = World(seed=0).species["eel"]
    whole, tries = Course(eel, grid="surrogate", polish="surrogate", generations=6), {}
    whole.run(measure_serially, None, tries.__setitem__)
    again, made = Course(eel, grid="surrogate", polish="surrogate", generations=6), []
    known = {index: value for index, value in tries.items() if index < 40}

    def counted(job, indices):
        made.extend(indices)
        yield from measure_serially(job, indices)

    again.run(counted, known)
    assert min(made) == 40
    assert again.score == whole.score
    assert again.history == whole.history


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--grid", "64"), "NXxNY"),
        (("--grid", "48x24x23"), "48x24x23.*multiples of 8"),
        (("--grid", "48x24x24", "--polish", "64x64"), "64x64.*NXxNYxNZ"),
        (("--grid", "48x24x24", "--box", "0.5"), "0.5 body lengths.*1.2 to 6"),
        (("--grid", "48x24x24", "--manoeuvre", "turn_right"), "turn_right.*pitch_up"),
        (("--manoeuvre", "pitch_up"), "pitch_up.*turn_left"),
        (("--generations", "101"), "101.*1 to 100"),
        (("--bound", "0"), "0.001 to 1000"),
        (("--straightness", "nan"), "straightness nan.*0 to"),
        (("--collision", "-1"), "collision -1.*0 to"),
        (("--species", "manta", "--fit"), "manta.*in space"),
    ],
)
def test_what_cannot_be_is_said(words, said, animal, capsys):
    before = animal.read_text()
    assert main(["train", "--species", "my_fish.toml", *words]) != 0
    assert re.search(said, capsys.readouterr().err)
    assert animal.read_text() == before
