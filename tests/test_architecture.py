"""The rules of the house: who may import whom, who may talk, how long a module may be."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("engine", "components", "systems", "game_demo")
LONGEST_MODULE = 400


def modules(*folders: str) -> list[Path]:
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py") if "__pycache__" not in file.parts)


def runtime_imports(file: Path) -> set[str]:
    """Absolute dotted names that a module imports when it runs; blocks for type checkers are left out."""
    package = file.relative_to(ROOT).parts[:-1]
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            found.add(".".join([*base, *(node.module.split(".") if node.module else [])]).removeprefix("paludarium."))
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(file.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize("place, layer", list(enumerate(LAYERS)))
def test_imports_run_one_way(place, layer):
    above = LAYERS[place + 1 :]
    for file in modules(layer):
        for name in runtime_imports(file):
            assert name.split(".")[0] not in above, f"{file.relative_to(ROOT)} imports {name}"


def test_pygame_is_imported_by_the_renderer_and_the_demo_only():
    for file in modules("engine", "components", "systems"):
        if file.relative_to(ROOT).as_posix() != "systems/render/output/pygame_surface.py":
            assert "pygame" not in {name.split(".")[0] for name in runtime_imports(file)}, file


def test_pymunk_is_imported_by_props_only():
    for file in modules("engine", "components", "systems", "game_demo"):
        if file.relative_to(ROOT).as_posix() != "engine/props.py":
            assert "pymunk" not in {name.split(".")[0] for name in runtime_imports(file)}, file


def test_the_library_prints_nothing():
    for file in modules("engine", "components", "systems"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"), file


def test_no_kernel_uses_fastmath_and_nobody_pickles():
    for file in modules("engine", "components", "systems"):
        assert "pickle" not in {name.split(".")[0] for name in runtime_imports(file)}, file
        if file.name != "kernel.py":
            assert "fastmath=" not in file.read_text(encoding="utf-8"), file


def test_modules_are_short():
    for file in modules(*LAYERS, "examples", "benchmarks", "tests"):
        lines = len(file.read_text(encoding="utf-8").splitlines())
        assert lines <= LONGEST_MODULE, f"{file.relative_to(ROOT)} has {lines} lines"


def test_no_branch_tests_a_species_name():
    names = {file.stem for file in (ROOT / "assets" / "species").glob("*.toml")}
    for file in modules("engine", "components", "systems"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                words = {child.value for child in ast.walk(node) if isinstance(child, ast.Constant)}
                assert not (words & names - {"millipede", "robot"}), f"{file.relative_to(ROOT)}:{node.lineno}"
