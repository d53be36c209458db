"""Which public names of the library something reads: found in the source, without running any of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

Name = tuple[str, str]
"""A module without the name of the package, and a name of it: ``("engine.pool", "Pool")``."""
ANYWHERE = ""
"""The module of a name in a text such as ``"fish.body.system:BodySystem"``: tables shorten modules each in its way."""


def module_of(path: str) -> str:
    """``"engine.pool"`` for ``engine/pool.py``, ``"engine"`` for ``engine/__init__.py``."""
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path: str, tree: ast.Module) -> Iterator[tuple[Name, str]]:
    """What a module takes from others, and how it calls it."""
    package = PurePosixPath(path).parts[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            home = ".".join([*base, *(node.module.split(".") if node.module else [])]).removeprefix("paludarium.")
            for alias in node.names:
                yield (home, alias.name), alias.asname or alias.name


def _own_reads(module: str, tree: ast.Module) -> Iterator[Name]:
    """What a module reads of itself, or names in texts. What only a function or class itself reads is read by nothing."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            continue
        own = getattr(statement, "name", None)
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id != own:
                yield module, node.id
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                before, colon, after = node.value.partition(":")
                yield (ANYWHERE, after) if colon else (module, before)


def reads(sources: Mapping[str, str], hands_on: frozenset[str]) -> set[Name]:
    """All that modules read, by path and source. Those in `hands_on` are no readers: they pass on what others ask for."""
    found: set[Name] = set()
    passed: dict[Name, Name] = {}
    for path, source in sources.items():
        module, tree = module_of(path), ast.parse(source)
        found.update(_own_reads(module, tree))
        called = {}
        for (home, name), here in _imports(path, tree):
            called[here] = f"{home}.{name}" if home else name
            if path in hands_on:
                passed[module, here] = (home, name)
            else:
                found.add((home, name))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in called:
                found.add((called[node.value.id], node.attr))
    while more := {passed[each] for each in found & passed.keys()} - found:
        found |= more
    return found


def public_names(source: str) -> Iterator[list[str]]:
    """The names that a module defines. Those of one statement, such as some codes, come together: one is reason enough."""
    for node in ast.parse(source).body:
        names: list[str] = []
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = [node.name]
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        if names and not names[0].startswith("_"):
            yield names


def unread(sources: Mapping[str, str], read: set[Name]) -> list[str]:
    """The public names that are not among what is read, as ``path: name``."""
    return [
        f"{path}: {', '.join(names)}"
        for path, source in sources.items()
        for names in public_names(source)
        if not any({(module_of(path), name), (ANYWHERE, name)} & read for name in names)
    ]
