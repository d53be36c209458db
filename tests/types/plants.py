"""Mistakes to plant in the product's source, found by what the code says, so that they outlive its changes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

from paludarium.tests.types.sources import Module


class Mistake(NamedTuple):
    """One module with a mistake in one line."""

    module: Module
    line: int
    text: str


class Place(NamedTuple):
    """Where to replace what by which words: in one line."""

    node: ast.expr
    new: str


def misspelt(name: str) -> str:
    """The name with two letters the other way round; a doubled last letter if they are the same."""
    swapped = name[:-2] + name[-2:][::-1]
    return swapped if swapped != name else name + name[-1]


def planted(module: Module, place: Place) -> Mistake:
    """The module with these words instead of those."""
    lines, node = module.text.split("\n"), place.node
    assert node.end_col_offset is not None
    raw = lines[node.lineno - 1].encode()
    lines[node.lineno - 1] = (raw[: node.col_offset] + place.new.encode() + raw[node.end_col_offset :]).decode()
    return Mistake(module, node.lineno, "\n".join(lines))


def annotations(kernel: ast.FunctionDef) -> dict[str, str]:
    """What the arguments of a kernel are said to be."""
    return {each.arg: ast.unparse(each.annotation) for each in kernel.args.args if each.annotation is not None}


def _in_one_line(node: ast.expr) -> bool:
    return node.lineno == node.end_lineno


def fields(module: Module, chosen: Callable[[str], bool]) -> Iterator[Place]:
    """Columns or fields that kernels read from arguments whose annotation is among the chosen ones, misspelt."""
    for kernel in module.kernels:
        kinds = annotations(kernel)
        for node in ast.walk(kernel):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and chosen(kinds.get(node.value.id, "")):
                yield Place(node, f"{node.value.id}.{misspelt(node.attr)}")


def members(module: Module, enums: set[str]) -> Iterator[Place]:
    """Members of enums that kernels name, misspelt."""
    for kernel in module.kernels:
        for node in ast.walk(kernel):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in enums:
                yield Place(node, f"{node.value.id}.{misspelt(node.attr)}")


def _calls(function: ast.AST, names: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names and _in_one_line(node) and not node.keywords:
            yield node


def _swapped(call: ast.Call, i: int, j: int) -> Place:
    words = [ast.unparse(each) for each in call.args]
    words[i], words[j] = words[j], words[i]
    return Place(call, f"{ast.unparse(call.func)}({', '.join(words)})")


def swaps(function: ast.AST, kernels: dict[str, ast.FunctionDef]) -> Iterator[Place]:
    """Calls of kernels with two pools the other way round."""
    for call in _calls(function, set(kernels)):
        kinds = list(annotations(kernels[call.func.id]).values())  # type: ignore[attr-defined]
        pools = [i for i, kind in enumerate(kinds) if kind.endswith("Pool") and i < len(call.args)]
        pairs = [(i, j) for i, j in zip(pools, pools[1:], strict=False) if kinds[i] != kinds[j]]
        if pairs and not any(isinstance(each, ast.Starred) for each in call.args):
            yield _swapped(call, *pairs[0])


def omissions(function: ast.AST, kernels: dict[str, ast.FunctionDef]) -> Iterator[Place]:
    """Calls of kernels without the last argument."""
    for call in _calls(function, set(kernels)):
        if len(call.args) > 1:
            yield Place(call, f"{ast.unparse(call.func)}({', '.join(ast.unparse(each) for each in call.args[:-1])})")
