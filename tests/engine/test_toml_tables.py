"""What a species or map file costs before anything of it is looked at: bounded, however it is written."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest

from paludarium import World
from paludarium.engine import maps, toml_tables
from paludarium.engine import species as species_module
from paludarium.engine.errors import MapError, SpeciesError
from paludarium.engine.maps import load_map
from paludarium.engine.species import read_toml
from paludarium.engine.toml_tables import DEEPEST, MOST_PARTS, tables_of

ROOM = maps.LARGEST_FILE - 100
MOST_MEMORY = 50_000_000
"""Bytes."""
MOST_WORK = 5.0
"""Times the CPU time that a list of small numbers takes, of which a file of the largest size may be full: 0.17 s."""


def repeated(text: str) -> str:
    return text * (ROOM // len(text))


def numbered(line: str) -> str:
    return "".join(line.format(i=i) for i in range(ROOM // len(line.format(i=99_999))))


ORDINARY = "a = [" + repeated("1,") + "]"
PARTS = ".".join("bcdefgh")
HOSTILE = {
    "one dotted key": "a" + repeated(".a") + " = 1", "one dotted key of texts": '"a"' + repeated('."a"') + " = 1",
    "one dotted table": "[a" + repeated(".a") + "]", "lists in lists": "a = " + "[" * (ROOM // 2) + "]" * (ROOM // 2),
    "tables in tables": "a = " + "{a = " * (ROOM // 6) + "1" + "}" * (ROOM // 6), "tables": numbered("[a{i}]\n"),
    "dotted keys": numbered("a{i}." + PARTS + "=1\n"), "dotted inline": "a = [" + repeated("{a." + PARTS + "=1},") + "]",
    "lists of tables": repeated("[[a]]\n"), "inner tables": numbered("[a." + PARTS[:-2] + "{i}]\n"),
    "keys": numbered("k{i}=1\n"),
    "empty lists": "a = [" + repeated("[],") + "]", "empty tables": "a = [" + repeated("{},") + "]",
    "small tables": "a = [" + repeated("{a=1},") + "]", "deep lists": "a = [" + repeated("[[[[[[[]]]]]]],") + "]",
    "long numbers": "a = [" + repeated("9" * 4200 + ",") + "]", "one number": "a = " + "9" * ROOM,
    "one number of sixteen": "a = 0x" + "f" * ROOM, "underscores": "a = 1" + repeated("_1"),
    "dates": "a = [" + repeated("1979-05-27T07:32:00Z,") + "]", "escapes": 'a = "' + repeated("\\n") + '"',
    "quotes": '"' * ROOM, "quotes in a text": 'a = """' + repeated('"\n'), "half a text": 'a = "' + "\\" * ROOM,
    "line ends": repeated("\r\n"), "comments": repeated("#\n"), "one key": "k" * ROOM + " = 1",
}  # fmt: skip


def read(text: str) -> None:
    """Read a file that may be refused, by an error of ours that names it."""
    try:
        tables_of(text.encode(), "a.toml", MapError)
    except MapError as problem:
        if "a.toml" not in str(problem):
            raise


def work(text: str) -> float:
    """Least CPU seconds of two tries."""
    spent = []
    for _ in range(2):
        begin = time.process_time()
        read(text)
        spent.append(time.process_time() - begin)
    return min(spent)


@pytest.fixture(scope="module")
def ordinary_work() -> float:
    return work(ORDINARY)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_file_of_the_largest_size_takes_much_longer_or_much_memory(name, ordinary_work):
    text = HOSTILE[name]
    assert ROOM // 2 < len(text) < maps.LARGEST_FILE
    assert work(text) < MOST_WORK * ordinary_work
    tracemalloc.start()
    try:
        read(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MOST_MEMORY


@pytest.mark.parametrize("text, words", [
    ("a" + ".a" * 10_000 + " = 1", f"at most {MOST_PARTS} parts"),
    ("[x]\n'a'" + ' . "a"' * MOST_PARTS + " = 1", f"at most {MOST_PARTS} parts"),
    ("a = {b" + ".b" * MOST_PARTS + " = 1}", f"at most {MOST_PARTS} parts"),
    ("a = " + "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), f"at most {DEEPEST} lists and tables"),
    ('x = "]]]]" # ]]]]\na = ' + "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), f"at most {DEEPEST} lists and tables"),
    ("x = '''\n[[['''''\na = " + "{a=[" * (DEEPEST // 2 + 1) + "]}" * (DEEPEST // 2 + 1), f"at most {DEEPEST} lists"),
])  # fmt: skip
def test_what_goes_too_deep_is_refused_before_it_is_parsed(tmp_path, monkeypatch, text, words):
    monkeypatch.setattr(toml_tables.tomllib, "loads", lambda _: pytest.fail("it was parsed"))
    file = tmp_path / "deep.toml"
    file.write_text(text)
    with pytest.raises(MapError, match=words):
        load_map(file)
    world = World(seed=0)
    with pytest.raises(SpeciesError, match=words):
        world.species[world.add_species(file)]


@pytest.mark.parametrize("text", [
    "a = " + "[" * DEEPEST + "]" * DEEPEST, "a" + ".a" * (MOST_PARTS - 1) + " = 1", "a = [" + "[1.5, 2.5]," * 50 + "]",
    f'a = "{"." * 99}" # {"." * 99}', f"a = '{'[' * 99}'", f'a = """{"[" * 99}\\""""""', f"a = '''{'.' * 99}'''''",
    '"' + "." * 99 + '" = 1', "# " + "[" * 99 + "\na = 1",
])  # fmt: skip
def test_what_is_deep_enough_or_only_text_is_read(text):
    assert tables_of(text.encode(), "a.toml", MapError)


def test_limits_are_those_of_the_kind_of_file(tmp_path):
    """A map may write a small mesh out, a species has nothing of that size; a larger mesh goes into a file of its own."""
    file = tmp_path / "large.toml"
    file.write_text("#" * (species_module.LARGEST_FILE + 1))
    with pytest.raises(SpeciesError, match=f"at most {species_module.LARGEST_FILE:,} bytes"):
        read_toml(file)
    assert load_map(file).name == "large"
    file.write_text("#" * (maps.LARGEST_FILE + 1))
    with pytest.raises(MapError, match=f"at most {maps.LARGEST_FILE:,} bytes; a large mesh is an OBJ file"):
        load_map(file)


def test_files_of_ours_are_far_from_the_limits():
    assets = Path(maps.__file__).resolve().parent.parent / "assets"
    for folder, limit in (("species", species_module.LARGEST_FILE), ("worlds", maps.LARGEST_FILE)):
        sizes = [file.stat().st_size for file in (assets / folder).glob("*.toml")]
        assert sizes
        assert 4 * max(sizes) < limit


def test_no_memory_is_an_error_of_ours(monkeypatch):
    def no_memory(_text: str) -> None:
        raise MemoryError

    monkeypatch.setattr(toml_tables.tomllib, "loads", no_memory)
    with pytest.raises(MapError, match="a.toml.*fits into memory"):
        tables_of(b"a = 1", "a.toml", MapError)
