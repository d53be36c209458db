"""A machine that has never seen us: nothing is compiled, and the first frame is there within five seconds of work.

Processes of their own with an empty cache. What they take is counted in CPU seconds; the machine may be busy.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paludarium.engine.machine_code.code_pack import FOLDER, found_pack
from paludarium.game_demo.scenes import SCENES

MOST_SECONDS = 5.0  # CPU, from the start of the process to the first frame
MOST_IMPORT_SECONDS = 0.15
MOST_MISSING = 0.1
"""Share of kernels that may have changed since the packs of the repository were made; a release has none."""

FIRST_FRAME = """
import json, os, sys, time
from paludarium.engine.machine_code import code_cache
seen = []
code_cache.WITNESSES.append(lambda one: seen.append((one.source, one.asked.inner, one.asked.function.__qualname__)))
from paludarium.game_demo.scenes import SCENES, Settings, build_scene
from paludarium.systems.render.scene.camera import Camera
world = build_scene(Settings({scene!r}, count=1 if SCENES[{scene!r}].choosable else None))
world.step()
pixels = world.picture.frame(Camera((1280, 720)), (1280, 720), still=True)
times = os.times()
ready = [name for source, inner, name in seen if not inner]
compiled = [name for source, inner, name in seen if not inner and source == "compiler"]
print(json.dumps(dict(seconds=times.user + times.system, ready=len(ready), compiled=compiled, bright=float(pixels.mean()),
                      hash=world.state_hash())))
"""

needs_pack = pytest.mark.skipif(found_pack()[0] is None, reason=f"no pack fits here: {found_pack()[1]}")


def run(script: str, cache: Path, python: str = sys.executable, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a script as on a machine without any cache of ours."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "SDL_VIDEODRIVER": "dummy", **settings}
    return subprocess.run([python, "-c", script], capture_output=True, text=True, env=environment, check=False)


def told(done: subprocess.CompletedProcess[str]) -> dict:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@needs_pack
@pytest.mark.parametrize("scene", SCENES)
def test_the_first_frame_of_every_scene_compiles_nothing(scene, tmp_path):
    found = told(run(FIRST_FRAME.format(scene=scene), tmp_path))
    assert found["bright"] > 1.0
    missing = len(found["compiled"]) / found["ready"]
    assert missing <= MOST_MISSING, f"{found['compiled']} are not in the pack: run `python3 dev pack`"
    if not missing:
        assert found["seconds"] < MOST_SECONDS
        assert not list(tmp_path.glob("*/*.code")), "nothing was compiled, so nothing is kept"


HASH = """
import json, numba
from paludarium import World
from paludarium.engine.machine_code.compile_news import compiled_so_far
world = World(seed=3, map="tide_pool"); world.step(60)
print(json.dumps(dict(hash=world.state_hash(), compiled=compiled_so_far(), threads=numba.get_num_threads())))
"""


@needs_pack
def test_hashes_are_the_same_from_a_pack_on_any_number_of_threads(tmp_path):
    found = [told(run(HASH, tmp_path, NUMBA_NUM_THREADS=str(count))) for count in (1, 2, 4)]
    assert [one["threads"] for one in found] == [1, 2, 4]
    assert len({one["hash"] for one in found}) == 1


@needs_pack
@pytest.mark.slow
def test_hashes_are_the_same_with_and_without_a_pack(tmp_path):
    packed = told(run(HASH, tmp_path / "with"))
    for count in (1, 2, 4):
        compiled = told(run(HASH, tmp_path / "without", NUMBA_NUM_THREADS=str(count), PALUDARIUM_PACK="0"))
        assert compiled["hash"] == packed["hash"]
        assert (compiled["compiled"] > 100) == (count == 1), "the second start finds what the first one compiled"


SMALL = """
import json
from paludarium.engine.machine_code import code_cache, processor_level
seen = []
code_cache.WITNESSES.append(lambda one: seen.append(one.source))
{before}
from paludarium.engine.creature import CreaturePool
from paludarium.systems.orders.orders_kernel import forget_the_gone
pool = CreaturePool(); pool.claim(1, owner=1)
forget_the_gone(pool.spans[:, 0], pool)
from paludarium.engine.machine_code.code_pack import found_pack
print(json.dumps(dict(seen=seen, why=found_pack()[1])))
"""


@needs_pack
def test_a_truncated_pack_is_a_miss(tmp_path):
    whole = found_pack()[0].path
    assert told(run(SMALL.format(before=""), tmp_path / "a"))["seen"] == ["pack", "pack"]
    data = whole.read_bytes()
    for share in (0.0, 0.001, 0.02):
        (tmp_path / whole.name).write_bytes(data[: int(share * len(data))])
        found = told(run(SMALL.format(before=""), tmp_path / f"{share}", PALUDARIUM_PACK=str(tmp_path)))
        assert set(found["seen"]) == {"compiler"}


@needs_pack
def test_a_processor_without_avx2_compiles_for_itself(tmp_path):
    before = "processor_level.LEVELS = {'x86-64-v3': ('a feature that no processor has',)}"
    found = told(run(SMALL.format(before=before), tmp_path))
    assert set(found["seen"]) == {"compiler"}
    assert found["why"] == "this processor is too old for packs"


def test_a_home_that_is_read_only_or_missing_still_works(tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", Path("/proc/nowhere")):
        assert len(told(run(SMALL.format(before=""), place))["seen"]) == 2


def test_importing_the_package_costs_next_to_nothing(tmp_path):
    def seconds(code: str) -> float:
        script = f"{code}\nimport json, os\nprint(json.dumps(dict(s=sum(os.times()[:2]))))"
        return min(told(run(script, tmp_path))["s"] for _ in range(3))

    assert seconds("import paludarium") - seconds("pass") < MOST_IMPORT_SECONDS


def test_families_load_with_their_first_birth():
    script = (
        "import sys\n"
        "from paludarium import World\n"
        "world = World(seed=1)\n"
        "loaded = [name for name in sys.modules if 'systems.myriapod' in name and name.endswith('_kernel')]\n"
        "assert not loaded, loaded\n"
        "world.spawn('pauropod')\n"
        "assert [name for name in sys.modules if 'systems.myriapod' in name and name.endswith('_kernel')]\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_repository_has_a_pack_for_every_python_it_promises():
    if (FOLDER.parent / "dev").exists():  # a clone, not an installation
        assert {path.name.partition("-")[0] for path in FOLDER.glob("*linux*.pack")} >= {"py311", "py312", "py313"}


@needs_pack
def test_the_demo_without_a_window_compiles_nothing_either(tmp_path):
    script = (
        "import json, sys\n"
        "from paludarium.game_demo.__main__ import main\n"
        "from paludarium.engine.machine_code.compile_news import compiled_so_far\n"
        f"code = main(['--headless', '--size', '160x90', '--ticks', '3', '--record', {str(tmp_path / 'clip')!r}])\n"
        "print(json.dumps(dict(code=code, compiled=compiled_so_far())))\n"
    )
    assert told(run(script, tmp_path / "cache")) == {"code": 0, "compiled": 0}
