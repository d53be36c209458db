"""Making a pack: it holds what the tour called, and refuses what cannot be known again or tells of this machine."""

from __future__ import annotations

import os
import pickle

import numpy as np
import pytest

from paludarium import PaludariumError
from paludarium.engine.kernel import kernel
from paludarium.engine.machine_code import code_cache
from paludarium.engine.machine_code.code_pack import CodePack, pack_name
from paludarium.game_demo import pack_command, tour
from paludarium.game_demo.pack_command import _build
from paludarium.game_demo.tour import Stop

STRANGE = object()
LEVEL = "x86-64-v3"


def ours(function):
    """A kernel as one of the package has it, compiled whenever it is called for the first time."""
    function.__module__ = "paludarium.garden"
    compiled = kernel()(function)
    compiled._cache.disable()
    return compiled


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Make a pack of the kernels that a few calls need; the lists of those who listen are as before afterwards."""
    for name in ("WITNESSES", "REFUSALS"):
        monkeypatch.setattr(code_cache, name, [])

    def build(*visits):
        monkeypatch.setattr(tour, "whole_tour", lambda: [Stop("one", visit) for visit in visits])
        _build(tmp_path, LEVEL)
        return CodePack(tmp_path / pack_name(LEVEL))

    return build


def test_a_pack_holds_the_kernels_that_python_called(build, capsys):
    @ours
    def part(x):
        return x + 1.0

    @ours
    def whole(x):
        return part(x) * 2.0

    pack = build(lambda: whole(1.0), lambda: whole(2.0), lambda: whole(np.float32(1.0)))
    assert len(pack) == 2
    assert "2 kernels" in capsys.readouterr().out


def test_a_global_of_an_unknown_kind_ends_the_build_and_is_named(build, tmp_path):
    @ours
    def odd(x):
        return x if STRANGE is None else x + 1.0

    with pytest.raises(PaludariumError, match=r"garden\.\S*odd cannot be packed: .*odd reads STRANGE"):
        build(lambda: odd(1.0))
    assert not list(tmp_path.glob("*.pack"))


def test_code_that_holds_a_path_of_this_machine_ends_the_build(build, monkeypatch):
    monkeypatch.setattr(pack_command, "ROOT", __file__)

    @ours
    def loud(x):
        if x < 0.0:
            raise ValueError("negative")
        return x

    with pytest.raises(PaludariumError, match="loud may raise an error that holds a path"):
        build(lambda: loud(1.0))


def test_packs_of_the_repository_hold_no_path():
    from paludarium.engine.machine_code.code_pack import FOLDER
    from paludarium.engine.machine_code.stored_code import content_of

    for path in FOLDER.glob("*.pack"):
        pack = CodePack(path)
        for key in pack._places:
            content = content_of(pack.read(key))
            paths = (b"/home/", b"/tmp/", b"_kernel.py", os.fsencode(FOLDER.parent))
            assert not [path for path in paths if path in content], key


def test_a_kernel_travels_to_other_processes():
    from paludarium.systems.orders.orders_kernel import forget_the_gone

    assert pickle.loads(pickle.dumps(forget_the_gone)).py_func.__name__ == "forget_the_gone"
