"""Functions handed in when a world is built: the verbs of creatures, and what each family does in its own way."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from .source import PACKAGE, ROOT, Found, FunctionNode, Module, find, module_of

ADD_VERB, FAMILY = "add_verb", "Family"
FAMILIES_AT = ("components", "family.py")
"""The folder below which each family has a file that declares it, and the name of that file."""


@cache
def verbs() -> dict[str, Found]:
    """The verbs of creatures by their names: ``c.kill()`` runs ``verbs()["kill"]``."""
    known: dict[str, Found] = {}
    named: list[tuple[str, ast.expr]]
    for module in _modules("systems", "*.py"):
        for function in module.functions.values():
            for node in ast.walk(function):
                if isinstance(node, ast.For) and _adds_verb(node) and isinstance(node.iter, ast.Tuple):
                    named = [(part.id, part) for part in node.iter.elts if isinstance(part, ast.Name)]
                elif isinstance(node, ast.Call) and _adds_verb(node) and isinstance(node.args[0], ast.Constant):
                    named = [(str(node.args[0].value), node.args[1])]
                else:
                    continue
                known |= {name: found for name, part in named if (found := _function(module, part)) is not None}
    return known


@cache
def family_functions(name: str, family: str | None = None) -> tuple[Found, ...]:
    """What families hand in under a name, such as ``carry``; of one family only, if it is named."""
    folder, file = FAMILIES_AT
    found = []
    for module in _modules(folder, file):
        if family is not None and module.name.split(".")[-2] != family:
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == FAMILY:
                found += [_function(module, word.value) for word in node.keywords if word.arg == name]
    return tuple(function for function in found if function is not None)


def _modules(folder: str, pattern: str) -> Iterator[Module]:
    for file in sorted((ROOT / folder).rglob(pattern)):
        module = module_of(".".join([PACKAGE, *file.relative_to(ROOT).with_suffix("").parts]))
        if module is not None:
            yield module


def _adds_verb(node: ast.AST) -> bool:
    return any(isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == ADD_VERB
               for call in ast.walk(node))  # fmt: skip


def _function(module: Module, node: ast.expr) -> Found | None:
    found = find(module, node.id) if isinstance(node, ast.Name) else None
    return found if found is not None and isinstance(found.node, FunctionNode) else None
