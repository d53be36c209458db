"""Packs and stored kernels that were made to do harm, under digests that agree: each is a miss, and none takes memory."""

from __future__ import annotations

import json
import os
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.registry import cpu_target

from paludarium.engine.kernel import kernel
from paludarium.engine.machine_code import code_cache, code_pack
from paludarium.engine.machine_code.code_pack import MAGIC, SWITCH, CodePack, found_pack, pack_name, write_pack
from paludarium.engine.machine_code.stored_code import LARGEST, DamagedError, content_of, sealed, to_bytes

MEGABYTE = 2**20
ENTRIES = {"aa": b"first" * 10, "bb": b"second"}


def packed(path: Path, index: object, rest: bytes = b"first" * 20) -> Path:
    """A pack with any index, sealed as ours are."""
    text = index if isinstance(index, bytes) else json.dumps(index).encode()
    head = sealed(text)
    path.write_bytes(MAGIC + len(head).to_bytes(8, "little") + head + rest)
    return path


def peak(call: Any) -> tuple[Any, int]:
    """What a call gives, and the most memory it took."""
    tracemalloc.start()
    try:
        return call(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


NO_INDEX = (
    {"aa": [2**70, 5]}, {"aa": [0, 2**70]}, {"aa": [-1, 5]}, {"aa": [0, 0]}, {"aa": [0, -5]}, {"aa": [True, 5]},
    {"aa": [0, True]}, {"aa": [0.0, 5]}, {"aa": [0, 5.0]}, {"aa": [0, LARGEST + 1]}, {"aa": [0]}, {"aa": [0, 5, 5]},
    {"aa": []}, {"aa": "05"}, {"aa": {"0": 0, "5": 5}}, {"aa": None}, {"aa": 5}, {"aa": [[0], [5]]}, {"aa": [None, None]},
    [["aa", [0, 5]]], [], "aa", 5, None, True, b"", b"{", b'{"aa": [0, NaN]}', b'{"aa": [Infinity, 5]}',
    b'{"aa": [0, 5], "aa": [0, 5]}',
    b"[" * 100_000, b'{"a":' * 50_000 + b"1" + b"}" * 50_000, b'{"aa": ' + b"[" * 900 + b"]" * 900 + b"}", b"\xff\xfe{}",
    b"{1: [0, 5]}", b'{"aa": [0, ' + b"9" * 5000 + b"]}", b'{"aa": [' + b"9" * 5000 + b', 5]}', b'{"\\ud800": [0, 5]}',
    b'{"aa": [1e400, 5]}', b'{"aa": [0, 5]}\0', b"{} {}",
)  # fmt: skip


@pytest.mark.parametrize("index", NO_INDEX, ids=range(len(NO_INDEX)))
def test_an_index_that_is_none_is_no_pack(tmp_path, index):
    path = packed(tmp_path / "some.pack", index)
    with pytest.raises(DamagedError):
        CodePack(path)


@pytest.mark.parametrize("index", NO_INDEX, ids=range(len(NO_INDEX)))
def test_no_process_fails_for_such_a_pack(tmp_path, monkeypatch, index):
    monkeypatch.setenv(SWITCH, str(tmp_path))
    monkeypatch.setattr(code_pack, "levels_to_use", lambda: ["x86-64-v3"])
    packed(tmp_path / pack_name("x86-64-v3"), index)
    found_pack.cache_clear()
    try:
        found, why = found_pack()
    finally:
        found_pack.cache_clear()
    assert found is None
    assert "cannot be read" in why
    assert len(why) < 1000


@pytest.mark.parametrize("place", [
    [101, 5], [96, 5], [2**62, 5], [0, 101], [0, LARGEST], [2**31, LARGEST], [99, 2], [2**62, LARGEST],
])  # fmt: skip
def test_an_entry_beyond_the_end_is_a_miss_and_takes_no_memory(tmp_path, place):
    opened = CodePack(packed(tmp_path / "some.pack", {"aa": place, "bb": [0, 5], "cc": [0, 100], "dd": [95, 5]}))
    found, memory = peak(lambda: opened.read("aa"))
    assert found is None
    assert memory < MEGABYTE
    assert [opened.read(key) for key in ("bb", "cc", "dd", "ee", "")] == [b"first", b"first" * 20, b"first", None, None]


def test_no_reading_takes_more_than_the_largest_entry_may_have(tmp_path, monkeypatch):
    """The file is as large as its index says; only the limit is between it and the memory."""
    path = packed(tmp_path / "some.pack", {"aa": [0, LARGEST], "bb": [0, LARGEST + 1]})
    with path.open("r+b") as file:
        file.truncate(4 * LARGEST)
    with pytest.raises(DamagedError, match="no index"):
        CodePack(path)
    asked = []
    honest = os.read
    monkeypatch.setattr("paludarium.engine.file_reading.os.read", lambda at, size: asked.append(size) or honest(at, size))
    packed(path, {"aa": [0, LARGEST]})
    assert CodePack(path).read("aa") is None
    assert max(asked) < MEGABYTE


def test_an_index_that_says_it_is_endless_is_not_read(tmp_path):
    path = tmp_path / "some.pack"
    path.write_bytes(MAGIC + (2**63).to_bytes(8, "little") + bytes(100))
    with pytest.raises(DamagedError, match="no pack"):
        CodePack(path)
    path.write_bytes(MAGIC + (2**22).to_bytes(8, "little") + bytes(100))
    with pytest.raises(DamagedError):
        CodePack(path)


@pytest.mark.parametrize("change", ["replaced", "longer", "other words", "gone", "a folder"])
def test_a_pack_that_is_exchanged_while_it_is_used_is_a_miss(tmp_path, change):
    """Its index is in memory, and what it says of the other file is wrong."""
    path = tmp_path / "some.pack"
    write_pack(path, ENTRIES)
    opened, data = CodePack(path), path.read_bytes()
    assert opened.read("aa") == ENTRIES["aa"]
    if change == "replaced":
        (tmp_path / "other").write_bytes(data)
        os.utime(tmp_path / "other", ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
        (tmp_path / "other").replace(path)
    elif change == "longer":
        path.write_bytes(data + b"more")
    elif change == "other words":
        path.write_bytes(data.replace(b"first", b"fires"))
        os.utime(path, ns=(0, 0))
    else:
        path.unlink()
        if change == "a folder":
            path.mkdir()
    assert opened.read("aa") is None


def test_many_readings_leave_nothing_open(tmp_path):
    write_pack(tmp_path / "some.pack", ENTRIES)
    opened = CodePack(tmp_path / "some.pack")
    first = os.open(tmp_path / "some.pack", os.O_RDONLY)
    os.close(first)
    for _ in range(10):
        assert opened.read("bb") == ENTRIES["bb"]
    last = os.open(tmp_path / "some.pack", os.O_RDONLY)
    os.close(last)
    assert first == last


def doubled(values):
    return 2.0 * values


def triple(values):
    return doubled(values) + values


@pytest.fixture(scope="module")
def stored() -> dict[bool, tuple[code_cache.CodeCache, Any, bytes]]:
    """One kernel that Python calls and one that it calls itself: who asks for it, for which types, and as it is stored."""
    inner = kernel()(doubled)
    inner.inner._cache.disable()
    scope = {**globals(), "doubled": inner}
    outer = kernel()(type(triple)(triple.__code__, scope, "triple"))
    outer._cache.disable()
    seen: list[code_cache.Seen] = []
    code_cache.WITNESSES.append(seen.append)
    try:
        assert outer(2.0) == 6.0
    finally:
        code_cache.WITNESSES.pop()
    caches = {True: inner.inner._cache, False: outer._cache}
    return {inner: (caches[inner], one.result.signature, to_bytes(one.result, one.asked))
            for one in seen for inner in [one.asked.inner]}  # fmt: skip


ODD: tuple[Any, ...] = (
    None, True, -1, 2**70, 1.5, "", "\0", "\ud800", "x" * 5000, [], {}, [[]], ["dtype", "Q9"], ["tuple", [1]],
    ["optional", ["optional", "none"]], ["table", [["a", "<f8", 2**40]]], ["table", [["a", "O", -1]]], ["record", "a", []],
    ["tuple", ["int64"] * 3000], {"": []}, {"_ZN08NumbaEnv": [5]}, {"_ZN08NumbaEnvX": [["dtype", "Q9"]]}, {"x": [1]},
    {"_ZN08NumbaEnv\ud800": []},
)  # fmt: skip


def harmful(data: bytes, name: str, value: Any) -> bytes:
    """A stored kernel that says something else of itself, sealed."""
    content = content_of(data)
    size = int.from_bytes(content[:4], "little")
    head = json.dumps({**json.loads(content[4 : 4 + size]), name: value}).encode()
    return sealed(zlib.compress(len(head).to_bytes(4, "little") + head + content[4 + size :]))


@pytest.mark.parametrize("inner", [True, False])
@pytest.mark.parametrize("name", ["format", "key", "inner", "library", "symbol", "unique_name", "uid", "abi_tags", "result",
                                  "parallel", "constants"])  # fmt: skip
def test_whatever_a_stored_kernel_says_of_itself_nothing_is_raised(stored, monkeypatch, inner, name):
    cache, wanted, data = stored[inner]
    offered: list[bytes] = []
    monkeypatch.setattr(code_cache, "SOURCES", {"pack": lambda _: offered[-1]})
    cache.enable()
    try:
        misses = 0
        for value in ODD:
            offered.append(harmful(data, name, value))
            misses += cache.load_overload(wanted, cpu_target.target_context) is None
        offered.append(data)
        assert cache.load_overload(wanted, cpu_target.target_context) is not None
    finally:
        cache.disable()
    assert misses >= len(ODD) - 4  # any text may be the name of a library


@pytest.mark.parametrize("problem", [AssertionError, KeyError, MemoryError, RecursionError, OverflowError, TypeError])
def test_an_error_of_one_source_is_a_miss_and_the_next_one_is_asked(stored, monkeypatch, problem):
    cache, wanted, data = stored[False]

    def broken(_: object) -> bytes:
        raise problem

    monkeypatch.setattr(code_cache, "SOURCES", {"pack": broken, "folder": lambda _: data})
    cache.enable()
    try:
        assert cache.load_overload(wanted, cpu_target.target_context).entry_point(2.0) == 6.0
    finally:
        cache.disable()


def test_noise_under_a_digest_that_agrees_is_a_miss(stored, monkeypatch):
    cache, wanted, _ = stored[False]
    chance = np.random.default_rng(3)
    offered: list[bytes] = []
    monkeypatch.setattr(code_cache, "SOURCES", {"pack": lambda _: offered[-1]})
    cache.enable()
    try:
        for size in (0, 1, 3, 4, 5, 50, 5000):
            noise = chance.bytes(size)
            for content in (noise, zlib.compress(noise), zlib.compress(len(noise).to_bytes(4, "little") + noise)):
                offered.append(sealed(content))
                assert cache.load_overload(wanted, cpu_target.target_context) is None
        nested = b"[" * 100_000
        offered.append(sealed(zlib.compress(len(nested).to_bytes(4, "little") + nested)))
        assert cache.load_overload(wanted, cpu_target.target_context) is None
        offered.append(sealed(zlib.compress(bytes(2 * LARGEST))))
        found, memory = peak(lambda: cache.load_overload(wanted, cpu_target.target_context))
        assert found is None
        assert memory < 3 * LARGEST
    finally:
        cache.disable()
