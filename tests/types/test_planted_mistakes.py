"""A type checker finds what used to be found by compiling, or never: each kind of mistake is planted once and looked for."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from paludarium.tests.types.plants import Mistake, fields, members, omissions, planted, swaps
from paludarium.tests.types.sources import ROOT, Module, read_modules

pytest.importorskip("mypy")


def enums_of(modules: dict[str, Module]) -> set[str]:
    return {
        node.name
        for module in modules.values()
        for node in module.tree.body
        if isinstance(node, ast.ClassDef) and any(getattr(base, "id", "") in ("IntEnum", "Enum") for base in node.bases)
    }


def records_of(modules: dict[str, Module]) -> set[str]:
    return {
        node.name
        for module in modules.values()
        for node in module.tree.body
        if isinstance(node, ast.ClassDef) and any(getattr(base, "id", "") == "NamedTuple" for base in node.bases)
    }


def plant_all() -> dict[str, Mistake]:
    """One mistake of each kind, each in a module of its own."""
    modules = read_modules()
    kernels = {node.name: node for module in modules.values() for node in module.kernels}
    enums, records = enums_of(modules), records_of(modules)
    compiled = [module for module in modules.values() if module.kernels and "systems" in module.name]
    others = [module for module in modules.values() if not module.kernels and module.name.endswith((".system", ".targeter"))]
    kinds = {
        "a misspelt column": lambda module: fields(module, lambda kind: kind.endswith("Pool")),
        "a misspelt field of a packed record": lambda module: fields(module, lambda kind: kind in records),
        "a misspelt member of an enum": lambda module: members(module, enums),
        "two pools swapped between kernels": lambda module: _in_kernels(module, kernels, swaps),
        "an argument left out between kernels": lambda module: _in_kernels(module, kernels, omissions),
        "two pools swapped between system and kernel": lambda module: swaps(module.tree, kernels),
        "an argument left out between system and kernel": lambda module: omissions(module.tree, kernels),
    }
    found: dict[str, Mistake] = {}
    taken: set[str] = set()
    for kind, places in kinds.items():
        for module in others if "system" in kind else compiled:
            place = next(places(module), None) if module.name not in taken else None
            if any(module.name.rpartition(".")[2] in each.module.text for each in found.values()):
                continue  # of a module that one with a mistake imports, the checker says nothing more
            if place is not None:
                taken.add(module.name)
                found[kind] = planted(module, place)
                break
    assert found.keys() == kinds.keys()
    return found


def _in_kernels(module: Module, kernels: dict[str, ast.FunctionDef], places: type) -> Iterator:
    for kernel in module.kernels:
        yield from places(kernel, kernels)


@pytest.fixture(scope="module")
def mistakes() -> dict[str, Mistake]:
    return plant_all()


@pytest.fixture(scope="module")
def complaints(mistakes: dict[str, Mistake], tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, int]]:
    """File and line of everything that the checker says about the planted modules."""
    folder = tmp_path_factory.mktemp("planted")
    if (kept := ROOT / ".mypy_cache").is_dir():  # what the checker knows of the tree already: a minute less
        shutil.copytree(kept, folder / "cache")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(folder / "cache"), "--no-error-summary"]
    for i, mistake in enumerate(mistakes.values()):
        shadow = folder / f"{i}.py"
        shadow.write_text(mistake.text + "# planted\n", encoding="utf-8")  # another size: else it is taken for known
        command += ["--shadow-file", str(_seen_by_mypy(mistake.module)), str(shadow)]
    for mistake in mistakes.values():
        command += ["-m", mistake.module.name]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "MYPYPATH": ".dev"}, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    said = re.findall(r"^(.*?):(\d+): error: ", done.stdout, re.MULTILINE)
    return {(str(Path(ROOT, file).resolve()), int(line)) for file, line in said}


def _seen_by_mypy(module: Module) -> Path:
    return Path(".dev", "paludarium") / module.path.relative_to(ROOT)


def test_each_is_found_where_it_is(mistakes: dict[str, Mistake], complaints: set[tuple[str, int]]) -> None:
    missed = [kind for kind, each in mistakes.items() if (str(each.module.path), each.line) not in complaints]
    assert not missed


def test_nothing_else_is_found(mistakes: dict[str, Mistake], complaints: set[tuple[str, int]]) -> None:
    assert complaints == {(str(each.module.path), each.line) for each in mistakes.values()}
