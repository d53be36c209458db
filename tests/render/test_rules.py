"""Rules of the renderer: it knows no family, and its kernels take few enough arguments to be read."""

import ast
from pathlib import Path

import pytest

SYSTEMS = Path(__file__).resolve().parents[2] / "systems"
PICTURE = sorted([*(SYSTEMS / "render").rglob("*.py"), *(SYSTEMS / "myriapod" / "painter").rglob("*.py")])
MOST_ARGUMENTS = 12


def kernels(file):
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and any("'kernel'" in ast.dump(mark) for mark in node.decorator_list):
            yield node


def imported(file):
    """Dotted paths of all modules that a file of the package imports from it, from `systems` on where they are there."""
    package = ("paludarium", "systems", *file.relative_to(SYSTEMS).parts[:-1])
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join([*base, *(node.module or "").split(".")])


@pytest.mark.parametrize("file", PICTURE, ids=lambda file: file.relative_to(SYSTEMS).as_posix())
def test_kernels_take_few_arguments(file):
    for kernel in kernels(file):
        assert len(kernel.args.args) <= MOST_ARGUMENTS, kernel.name


def test_the_renderer_imports_no_family():
    families = {folder.name for folder in SYSTEMS.iterdir() if (folder / "painter").is_dir()}
    assert "myriapod" in families
    for file in (SYSTEMS / "render").rglob("*.py"):
        for module in imported(file):
            assert not families & set(module.split(".")), f"{file.name} imports {module}"
