"""The built wheel, installed into a fresh environment with an empty cache."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import sysconfig
import zipfile
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from paludarium.engine.machine_code.code_pack import found_pack
from paludarium.game_demo.scenes import SCENES
from paludarium.tests.start_up.test_cold_start import FIRST_FRAME, HASH, MOST_SECONDS, needs_pack, run, told

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> Path:
    """What `python3 dev wheel` builds."""
    loader = SourceFileLoader("dev", str(ROOT / "dev"))
    dev = importlib.util.module_from_spec(importlib.util.spec_from_loader("dev", loader))
    loader.exec_module(dev)
    dev.python = lambda *_environment: Path(sys.executable)
    folder = tmp_path_factory.mktemp("wheels")
    assert dev.wheel([str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def installed(wheels, tmp_path_factory) -> str:
    """The Python of a fresh environment with the wheel that pip prefers. What it depends on is borrowed from ours."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = str(folder / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--find-links", wheels, "paludarium"]
    subprocess.run(install, check=True)
    return python


def borrowed() -> dict[str, str]:
    return {"PYTHONPATH": sysconfig.get_path("purelib")}


def test_there_is_a_pure_wheel_an_sdist_and_a_wheel_for_every_pack(wheels):
    names = [file.name for file in wheels.iterdir()]
    assert sum(name.endswith(".tar.gz") for name in names) == 1
    assert sum(name.endswith("py3-none-any.whl") for name in names) == 1
    packs = [file.name for file in (ROOT / "packs").glob("*.pack")]
    for pack in packs:
        tag = f"cp{pack.partition('-')[0].removeprefix('py')}-none-manylinux_2_28_x86_64.whl"
        (name,) = [name for name in names if name.endswith(tag)]
        held = zipfile.ZipFile(wheels / name).namelist()
        assert [one for one in held if one.startswith("paludarium/packs/")] == [f"paludarium/packs/{pack}"]
    (pure,) = [name for name in names if name.endswith("any.whl")]
    assert not [one for one in zipfile.ZipFile(wheels / pure).namelist() if "packs" in one]


@needs_pack
@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_starts_from_the_wheel_as_it_does_from_the_clone(installed, scene, tmp_path):
    here = told(run(FIRST_FRAME.format(scene=scene), tmp_path / "clone"))
    there = told(run(FIRST_FRAME.format(scene=scene), tmp_path / "wheel", installed, **borrowed()))
    assert there["hash"] == here["hash"]
    assert there["compiled"] == here["compiled"]
    if not there["compiled"]:
        assert there["seconds"] < MOST_SECONDS


@needs_pack
def test_it_is_the_wheel_that_runs_and_hashes_agree(installed, tmp_path):
    where = "import paludarium, json; print(json.dumps(dict(file=paludarium.__file__)))"
    environment = os.path.dirname(os.path.dirname(installed))
    assert told(run(where, tmp_path, installed, **borrowed()))["file"].startswith(environment)
    assert told(run(HASH, tmp_path, installed, **borrowed()))["hash"] == told(run(HASH, tmp_path))["hash"]
    assert found_pack()[0] is not None
