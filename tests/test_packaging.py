"""What ends up on a user's disk: only the package, all of it, and nothing that starts work on import."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_package_folder_is_listed():
    """A folder missing from the list is silently absent from the wheel but present in an editable install."""
    listed = set(SETTINGS["tool"]["setuptools"]["packages"])
    skipped = {"tests", "build", "docs", ".venv", ".dev"}
    found = {"paludarium"}
    for file in ROOT.rglob("__init__.py"):
        parts = file.parent.relative_to(ROOT).parts
        if parts and parts[0] not in skipped and not any(part.startswith(".") for part in parts):
            found.add(".".join(["paludarium", *parts]))
    assert listed == found


def test_only_the_package_file_is_at_the_root():
    """Any other module at the root would end up inside the wheel."""
    assert [file.name for file in ROOT.glob("*.py")] == ["__init__.py"]


def test_importing_the_package_loads_nothing():
    code = "import sys, paludarium; print(any(name in sys.modules for name in ('numpy', 'numba', 'esper', 'pygame')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT.parent, check=True)
    assert done.stdout.strip() == "False"


def test_every_public_name_can_be_imported_and_has_a_docstring():
    import paludarium

    for name in paludarium.__all__:
        assert getattr(paludarium, name).__doc__, name
    with pytest.raises(AttributeError):
        _ = paludarium.no_such_name


def test_a_world_needs_no_pygame():
    code = (
        "import sys; sys.modules['pygame'] = None\n"
        "from paludarium import World\n"
        "world = World(seed=1); world.spawn('robot'); print(world.tick)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "0", done.stderr


@pytest.mark.slow
def test_wheel_and_sdist_hold_only_the_package(tmp_path):
    """Built as a release is built: sdist first, wheel from it; assets included."""
    subprocess.run([sys.executable, "-m", "build", "--outdir", tmp_path, ROOT], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    outside = [name for name in names if not name.startswith(("paludarium/", "paludarium-"))]
    assert not outside
    assert "paludarium/py.typed" in names
    assert "paludarium/assets/species/giant_centipede.toml" in names
    assert "paludarium/engine/terrain/ground_kernel.py" in names
    assert not [name for name in names if "/tests/" in name or name.endswith("paludarium/dev")]
