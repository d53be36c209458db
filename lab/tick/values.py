"""What an expression in the source may be, as far as effects on pools are concerned."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from .source import Found, find

Effect = tuple[str, str]
"""Pool and column."""


@dataclass(frozen=True)
class Thing:
    """An object of one of our classes."""

    kind: Found


@dataclass(frozen=True)
class Column:
    """A column of a pool, or rows of it."""

    effect: Effect


@dataclass(frozen=True)
class Argument:
    """An array that the caller handed in."""

    name: str


@dataclass(frozen=True)
class Scratch:
    """A pool that was made for a calculation beside the world: what happens to it is no effect of the step."""

    kind: Found


@dataclass(frozen=True)
class Items:
    """A dictionary or list whose values are of one type."""

    each: Type


@dataclass(frozen=True)
class Code:
    """One of some functions."""

    functions: tuple[Found, ...]


Type = Thing | Scratch | Column | Argument | Items | Code | tuple["Type", ...] | None


def item_of(items: Type) -> Type:
    """What a loop over something gets each time: of functions any one of them, otherwise as the first."""
    if isinstance(items, Items):
        return items.each
    if not isinstance(items, tuple) or not items:
        return None
    codes = [item for item in items if isinstance(item, Code)]
    return Code(tuple(found for code in codes for found in code.functions)) if len(codes) == len(items) else items[0]


def with_scratch(known: Type, returned: Type) -> Type:
    """What is known of a value; pools that the function which returned it has made for itself stay such."""
    if isinstance(returned, Scratch):
        return returned
    if isinstance(returned, tuple) and (known is None or isinstance(known, tuple) and len(known) == len(returned)):
        return tuple(map(with_scratch, (None,) * len(returned) if known is None else known, returned))
    return known


def annotated(where: Found, annotation: ast.expr | None) -> Type:
    """The class that an annotation names, if it is ours; of tuples, those of the parts."""
    match annotation:
        case ast.Name():
            found = find(where.module, annotation.id)
            ours = found is not None and isinstance(found.node, ast.ClassDef) and found.node.name != "Array"
            return Thing(found) if found is not None and ours else None
        case ast.Constant(value=str(text)):
            return annotated(where, ast.parse(text, mode="eval").body)
        case ast.BinOp():
            left = annotated(where, annotation.left)
            return annotated(where, annotation.right) if left is None else left
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)):
            return tuple(annotated(where, part) for part in parts)
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[_, each])):
            return Items(annotated(where, each))
        case ast.Subscript(value=ast.Name(id="list"), slice=each):
            return Items(annotated(where, each))
    return None
