"""Where an animal of the game shows what a source reports: the column "seen in" of the page.

`seen.toml` in the folder of a family lists it, one table per test::

    [[seen]]
    test = "tests/world/test_reef_seen.py::test_a_school_keeps_one_direction"
    worlds = ["reef"]
    animal = "silverside"
    checks = ["f29_schools_keep_one_direction_and_a_length_apart"]
    features = [57]

What is not listed is seen in the laboratory only: on a bench, in a basin made for the check, with a profile that no species
ships with, or in code that no animal uses.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
FILE = "seen.toml"
LABORATORY = "laboratory only"
PACKAGE = "paludarium."


@dataclass(frozen=True)
class Seen:
    """A test in which an animal of the game shows something in a world that ships."""

    test: str
    worlds: tuple[str, ...]
    animal: str
    checks: tuple[str, ...] = ()
    features: tuple[int, ...] = ()

    @property
    def cell(self) -> str:
        """How the page tells it."""
        return f"{', '.join(self.worlds)}: `{self.test.removeprefix('tests/')}`"


@cache
def seen_of(family: str) -> tuple[Seen, ...]:
    """All tables of a family; none if it has no file."""
    file = HERE / family / FILE
    tables = tomllib.loads(file.read_text(encoding="utf-8"))["seen"] if file.exists() else []
    return tuple(Seen(one["test"], tuple(one["worlds"]), one["animal"], tuple(one.get("checks", ())),
                      tuple(one.get("features", ()))) for one in tables)  # fmt: skip


def of_check(family: str, check: str) -> str:
    """The cell of a check, by the name of its test without ``test_``."""
    return "; ".join(one.cell for one in seen_of(family) if check in one.checks) or LABORATORY


def of_feature(family: str, number: int) -> str:
    """The cell of a feature."""
    return "; ".join(one.cell for one in seen_of(family) if number in one.features) or LABORATORY


def worlds_that_ship() -> set[str]:
    """Names of the maps of the package."""
    return {file.stem for file in (ROOT / "assets" / "worlds").glob("*.toml")}


# -- what a test builds, read from its source -----------------------------------------------------------------------------


@dataclass
class Module:
    """Functions and constants of a test file, and where it has other names from."""

    functions: dict[str, ast.AST]
    imports: dict[str, tuple[Path, str]]


@cache
def module_of(file: Path) -> Module:
    """What a file defines at its top."""
    found = Module({}, {})
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.functions[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        found.functions[name.id] = node
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE + "tests."):
            other = ROOT / (node.module or "").removeprefix(PACKAGE).replace(".", "/")
            for alias in node.names:
                found.imports[alias.asname or alias.name] = (other.with_suffix(".py"), alias.name)
    return found


def _reached(file: Path, name: str, known: set[tuple[Path, str]]) -> Iterator[ast.AST]:
    """The source of a function, and of all that it names: helpers, constants, fixtures."""
    module = module_of(file)
    if name in module.imports:
        yield from _reached(*module.imports[name], known)
        return
    if (file, name) in known or name not in module.functions:
        return
    known.add((file, name))
    node = module.functions[name]
    yield node
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name | ast.arg):
            yield from _reached(file, inner.id if isinstance(inner, ast.Name) else inner.arg, known)


def exists(test: str) -> bool:
    """Whether there is such a test function."""
    place, _, name = test.partition("::")
    file = ROOT / place
    return file.is_file() and name.startswith("test_") and name in module_of(file).functions


def builds(test: str, world: str) -> bool:
    """Whether a test, or what it calls, makes a world of a map with that name."""
    place, _, name = test.partition("::")
    named = makes = False
    for node in _reached(ROOT / place, name, set()):
        for inner in ast.walk(node):
            named |= isinstance(inner, ast.Constant) and inner.value == world
            makes |= (isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "World"
                      and any(keyword.arg == "map" for keyword in inner.keywords))  # fmt: skip
    return named and makes


def asserts(test: str) -> bool:
    """Whether a test, or what it calls, asserts anything."""
    place, _, name = test.partition("::")
    return any(isinstance(inner, ast.Assert) for node in _reached(ROOT / place, name, set()) for inner in ast.walk(node))
