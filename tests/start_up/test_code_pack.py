"""Packs: found by name, read entry by entry, and whatever is wrong with one, it is as if it were not there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from paludarium.engine.machine_code import code_pack, processor_level
from paludarium.engine.machine_code.code_pack import CodePack, found_pack, pack_name, write_pack
from paludarium.engine.machine_code.stored_code import DamagedError

ENTRIES = {"aa": b"first" * 10, "bb": b"second", "cc": b"third" * 100}


@pytest.fixture
def pack(tmp_path) -> Path:
    write_pack(tmp_path / "some.pack", ENTRIES)
    return tmp_path / "some.pack"


def test_entries_come_back(pack):
    opened = CodePack(pack)
    assert {key: opened.read(key) for key in ENTRIES} == ENTRIES
    assert opened.read("dd") is None
    assert len(opened) == 3


def test_equal_entries_make_equal_files(pack, tmp_path):
    write_pack(tmp_path / "again.pack", dict(reversed(ENTRIES.items())))
    assert (tmp_path / "again.pack").read_bytes() == pack.read_bytes()


def test_a_cut_pack_gives_what_is_whole_and_nothing_else(pack):
    data = pack.read_bytes()
    for length in range(0, len(data), 7):
        pack.write_bytes(data[:length])
        try:
            opened = CodePack(pack)
        except DamagedError:
            continue
        for key, entry in ENTRIES.items():
            assert opened.read(key) in (None, entry)


def test_a_damaged_index_is_no_pack(pack):
    data = bytearray(pack.read_bytes())
    for place in np.random.default_rng(2).integers(0, CodePack(pack).start, 60):
        damaged = data.copy()
        damaged[place] ^= 4
        pack.write_bytes(damaged)
        with pytest.raises(DamagedError):
            CodePack(pack)


@pytest.fixture
def looked_for(monkeypatch):
    found_pack.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    found_pack.cache_clear()


def test_a_pack_of_another_level_python_or_numba_is_not_opened(looked_for, tmp_path):
    looked_for.setenv(code_pack.SWITCH, str(tmp_path))
    for name in ("py39-numba0.1-x86-64-v3.pack", pack_name("x86-64-v9"), pack_name("x86-64-v3").replace("numba", "numba9")):
        write_pack(tmp_path / name, ENTRIES)
    pack, why = found_pack()
    assert pack is None
    assert "there is none for" in why


def test_the_best_level_that_the_processor_reaches_is_taken(looked_for, tmp_path):
    looked_for.setenv(code_pack.SWITCH, str(tmp_path))
    for level in ("x86-64-v2", "x86-64-v3"):
        write_pack(tmp_path / pack_name(level), ENTRIES)
    for levels in (["x86-64-v3", "x86-64-v2"], ["x86-64-v2"]):
        looked_for.setattr(code_pack, "levels_to_use", lambda levels=levels: levels)
        found_pack.cache_clear()
        assert found_pack()[0].path.name == pack_name(levels[0])


def test_without_avx2_there_is_no_pack_of_the_third_level(looked_for):
    features = dict.fromkeys(processor_level.LEVELS["x86-64-v3"], True)
    looked_for.setattr(processor_level.llvm, "get_process_triple", lambda: "x86_64-unknown-linux-gnu")
    for missing in ("avx2", "fma", "bmi2"):
        here = {**features, missing: False}
        looked_for.setattr(processor_level.llvm, "get_host_cpu_features", lambda here=here: here)
        assert processor_level.levels_here() == ["x86-64-v2"]
    looked_for.setattr(processor_level.llvm, "get_host_cpu_features", dict)
    assert processor_level.levels_here() == []


def test_settings_of_numba_that_ask_for_other_code_get_no_pack(looked_for):
    looked_for.setattr(processor_level.numba.config, "BOUNDSCHECK", 1)
    assert found_pack() == (None, "settings of numba ask for other code")


def test_a_damaged_pack_is_named_and_not_used(looked_for, tmp_path):
    looked_for.setenv(code_pack.SWITCH, str(tmp_path))
    for level in processor_level.levels_here():
        (tmp_path / pack_name(level)).write_bytes(b"no pack at all")
    pack, why = found_pack()
    assert pack is None
    assert "cannot be read" in why


TELL = "from paludarium.engine.machine_code.code_pack import found_pack; print(found_pack()[1])"


def test_a_pack_can_be_switched_off():
    off = {**os.environ, "PALUDARIUM_PACK": "0"}
    done = subprocess.run([sys.executable, "-c", TELL], env=off, capture_output=True, text=True, check=True)
    assert "asks for none" in done.stdout
