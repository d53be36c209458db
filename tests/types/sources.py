"""The product's modules as source: where they are, what they are called, which functions of them are compiled."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "components", "systems", "lab", "game_demo", "benchmarks", "examples")


@dataclass(frozen=True)
class Module:
    """One file."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def kernels(self) -> list[ast.FunctionDef]:
        return [node for node in self.tree.body if is_kernel(node)]  # type: ignore[misc]

    @property
    def package(self) -> str:
        return self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]


def is_kernel(node: ast.AST) -> bool:
    """Whether this is a compiled function."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(each, ast.Call) and getattr(each.func, "id", "") == "kernel" for each in node.decorator_list
    )


def read_modules(root: Path = ROOT) -> dict[str, Module]:
    """All modules of the product, by dotted name."""
    found: dict[str, Module] = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            name = ".".join(("paludarium", *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
            text = path.read_text(encoding="utf-8")
            found[name] = Module(name, path, text, ast.parse(text))
    return found


def imported_kernels(module: Module) -> dict[str, str]:
    """Full names of what a module imports from the product, by the names it has there."""
    found: dict[str, str] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            parts = module.package.split(".")
            base = ".".join(parts[: len(parts) - node.level + 1]) + "." if node.level else ""
            found.update({each.asname or each.name: f"{base}{node.module or ''}.{each.name}" for each in node.names})
    return found


def relative(module: Module, name: str) -> str:
    """How a module calls another one in an import."""
    here, there, shared = module.package.split("."), name.split("."), 0
    while shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    return "." * (len(here) - shared + 1) + ".".join(there[shared:])
