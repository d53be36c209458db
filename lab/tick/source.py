"""The source of the package as trees: modules, classes, functions, and what names in them stand for."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

PACKAGE = "paludarium"
ROOT = Path(__file__).resolve().parents[2]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(eq=False)
class Module:
    """One file: its name, the functions and classes in it, and where imported names come from."""

    name: str
    tree: ast.Module
    functions: dict[str, FunctionNode] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    """Local name to the full name of what it stands for."""


@dataclass(frozen=True, eq=False)
class Found:
    """A function or class, and the module that its names are looked up in."""

    module: Module
    node: FunctionNode | ast.ClassDef

    @property
    def name(self) -> str:
        return f"{self.module.name}.{self.node.name}"


@cache
def module_of(name: str) -> Module | None:
    """A module of the package by its full name; None for those of others."""
    if name != PACKAGE and not name.startswith(f"{PACKAGE}."):
        return None
    path = ROOT.joinpath(*name.split(".")[1:])
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not file.is_file():
        return None
    tree = ast.parse(file.read_text())
    module = Module(name, tree)
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in tree.body:
        if isinstance(node, FunctionNode):
            module.functions[node.name] = node
        elif isinstance(node, ast.ClassDef):
            module.classes[node.name] = node
    for found in ast.walk(tree):
        if isinstance(found, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - found.level + 1] if found.level else []
            origin = ".".join([*above, *([found.module] if found.module else [])])
            module.imports |= {alias.asname or alias.name: f"{origin}.{alias.name}" for alias in found.names}
    return module


def find(module: Module, name: str) -> Found | None:
    """What a name in a module stands for, followed through imports; None for what is not ours."""
    if name in module.functions:
        return Found(module, module.functions[name])
    if name in module.classes:
        return Found(module, module.classes[name])
    if name not in module.imports:
        return None
    origin, _, own_name = module.imports[name].rpartition(".")
    there = module_of(origin)
    return None if there is None or there is module else find(there, own_name)


def method_of(found: Found, name: str) -> Found | None:
    """A method of a class, of its bases too."""
    assert isinstance(found.node, ast.ClassDef)
    for node in found.node.body:
        if isinstance(node, FunctionNode) and node.name == name:
            return Found(found.module, node)
    for base in bases_of(found):
        if (method := method_of(base, name)) is not None:
            return method
    return None


def by_position(function: Found) -> list[ast.arg]:
    """The arguments of a function that calls may give without their names."""
    assert isinstance(function.node, FunctionNode)
    return [*function.node.args.posonlyargs, *function.node.args.args]


def is_static(method: Found) -> bool:
    """Whether a method gets no object of its class."""
    return any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in method.node.decorator_list)


def setter_of(found: Found, name: str) -> Found | None:
    """What runs when a property of a class is assigned."""
    assert isinstance(found.node, ast.ClassDef)
    for node in found.node.body:
        if isinstance(node, FunctionNode) and node.name == name:
            if any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in node.decorator_list):
                return Found(found.module, node)
    return None


def bases_of(found: Found) -> list[Found]:
    """The bases of a class that are ours."""
    assert isinstance(found.node, ast.ClassDef)
    named = [find(found.module, base.id) for base in found.node.bases if isinstance(base, ast.Name)]
    return [base for base in named if base is not None and isinstance(base.node, ast.ClassDef)]


def columns_of(found: Found) -> frozenset[str]:
    """The columns that a pool declares; none for any other class."""
    if not isinstance(found.node, ast.ClassDef) or not is_pool(found):
        return frozenset()
    declared = [node for node in found.node.body if isinstance(node, ast.Assign | ast.AnnAssign)
                and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)]  # fmt: skip
    targets = [node.targets[0] if isinstance(node, ast.Assign) else node.target for node in declared]
    own = {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(own.union(*(columns_of(base) for base in bases_of(found))))


def is_pool(found: Found) -> bool:
    """Whether a class is a pool."""
    return found.name == f"{PACKAGE}.engine.pool.Pool" or any(is_pool(base) for base in bases_of(found))
