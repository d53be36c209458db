"""The museum: saves and recordings of every layout that has landed load and go on in this version.

Each exhibit has one world per map with animals of all families that there were. `make.py` makes the one of this version.
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from paludarium import World, replay
from paludarium.engine.made_by import version
from paludarium.engine.replay import ReplayError
from paludarium.tests.campaigns.outcome import first_fault

from .layout import differences, layout_of_exhibit, layout_of_version
from .make import ANIMALS, EXHIBIT, exhibits, maps

SHORT_TICKS, LONG_TICKS = 10, 600
MACHINES = 1e-6
"""Units that other machines' sines may move a head in a second."""
HARM = ("went_wrong", "lost")
AGAIN = "run `python -m paludarium.tests.saves.make` and commit what it writes"


class Shown(NamedTuple):
    """One world of one exhibit."""

    folder: Path
    name: str

    def __str__(self) -> str:
        return f"{self.folder.name}-{self.name}"

    def told(self) -> dict[str, Any]:
        return told(self.folder)["worlds"][self.name]

    def unpacked(self, kind: str, folder: Path) -> Path:
        file = folder / f"{self.name}.{kind}"
        file.write_bytes(gzip.decompress((self.folder / f"{self.name}.{kind}.gz").read_bytes()))
        return file


def told(folder: Path) -> dict[str, Any]:
    return json.loads((folder / EXHIBIT).read_text())


SHOWN = [Shown(folder, name) for folder in exhibits() for name in told(folder)["worlds"]]
NEWEST = exhibits()[-1]
all_shown = pytest.mark.parametrize("shown", SHOWN, ids=str)


def goes_on(shown: Shown, ticks: int, folder: Path) -> None:
    """Load a save and run it; nothing may be wrong with it then, and nobody may have been taken out."""
    world, harm = World.load(shown.unpacked("save", folder)), []
    assert sorted(world.families.loaded) == shown.told()["families"]
    for event in HARM:
        world.on(event, harm.append)
    world.step(ticks)
    assert first_fault(world) is None
    assert not harm
    world.save(folder / "again.save")
    assert World.load(folder / "again.save").state_hash() == world.state_hash()


@all_shown
def test_every_save_loads_and_goes_on(shown, tmp_path):
    goes_on(shown, SHORT_TICKS, tmp_path)


@pytest.mark.slow
@all_shown
def test_every_save_goes_on_for_long(shown, tmp_path):
    goes_on(shown, LONG_TICKS, tmp_path)


@pytest.mark.parametrize("shown", [one for one in SHOWN if told(one.folder)["same_motion"]], ids=str)
def test_animals_move_as_they_did(shown, tmp_path):
    """A change that makes them move otherwise says so: ``same_motion`` of the exhibits before it becomes false."""
    world = World.load(shown.unpacked("save", tmp_path))
    world.step(told(shown.folder)["ticks_after"])
    assert {creature.name: creature.position.tolist() for creature in world.creatures.values()} == {
        name: pytest.approx(place, abs=MACHINES) for name, place in shown.told()["heads"].items()}  # fmt: skip


@all_shown
def test_a_recording_is_repeated_or_says_which_version_it_needs(shown, tmp_path):
    file, refused = shown.unpacked("jsonl", tmp_path), ""
    try:
        world = replay(file)
    except ReplayError as problem:
        refused = str(problem)
    else:
        assert world.state_hash() == shown.told()["hash"]
    assert not refused or re.search(rf"it needs .*paludarium .*; this is paludarium {version()}$", refused) or (
        shown.folder == NEWEST and f"paludarium {version()}, this version, made it" in refused)  # fmt: skip


def test_the_newest_exhibit_is_of_this_version():
    assert set(told(NEWEST)["worlds"]) == set(maps()), f"maps have come or gone: {AGAIN}"
    changed = differences(layout_of_exhibit(NEWEST), layout_of_version())
    assert not changed, f"saves have another layout ({'; '.join(changed[:5])}): {AGAIN}"
    families = {name for world in told(NEWEST)["worlds"].values() for name in world["families"]}
    assert families == set(ANIMALS) == set(World().families), f"ANIMALS of make.py has not all families: {AGAIN}"


@pytest.mark.parametrize("name", maps())
def test_a_save_of_this_version_has_the_hash_it_had(name, tmp_path):
    shown = Shown(NEWEST, name)
    assert World.load(shown.unpacked("save", tmp_path)).state_hash() == shown.told()["hash"], AGAIN


def test_every_exhibit_has_a_save_and_a_recording_of_each_world():
    for folder in exhibits():
        names = {f"{name}.{kind}.gz" for name in told(folder)["worlds"] for kind in ("save", "jsonl")}
        assert {file.name for file in folder.iterdir()} == {EXHIBIT, *names}
