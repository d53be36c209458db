"""Types of the compiler in the words of annotations."""

from __future__ import annotations

import ast
from typing import Any

from paludarium.tests.types.sources import Module

NAMED = {3: "Vector", 4: "Four"}
"""What so many floats are called."""
LONGEST = 48
"""Letters of a tuple that is listed; of more items, if they are alike, only the kind is said."""
SCALARS = {"bool": "bool", "boolean": "bool", "none": "None", "unicode_type": "str"}


class Words:
    """What annotations may name, and how types are said with it."""

    def __init__(self, modules: dict[str, Module]) -> None:
        self.homes: dict[str, str] = {}
        self.fields: dict[str, set[str]] = {}
        for module in modules.values():
            for node in module.tree.body:
                if isinstance(node, ast.ClassDef) and (fields := _fields_of(node)):
                    self.homes[node.name], self.fields[node.name] = module.name, fields

    def one(self, plain: Any) -> str:
        """One type."""
        if isinstance(plain, str):
            if plain.startswith(("int", "uint")):
                return "int"
            return "float" if plain.startswith("float") else SCALARS.get(plain, "Any")
        kind, *content = plain
        if kind == "class":
            names = sorted({each.partition(":")[2] for each in content} & set(self.homes))
            return " | ".join(names) or "Any"
        if kind == "array":
            return "Array"
        if kind == "optional":
            return f"{self.one(content[0])} | None"
        return self._tuple([self.one(each) for each in content[0]]) if kind == "tuple" else "Any"

    def joined(self, plains: list[Any]) -> str:
        """What holds for all of these."""
        return self._joined(sorted({self.one(plain) for plain in plains}), plains)

    def _joined(self, texts: list[str], plains: list[Any]) -> str:
        if len(texts) == 1:
            return texts[0]
        if set(texts) <= {"float", "int", "bool"}:
            return "float" if "float" in texts else "int"
        if all(plain[0] == "tuple" for plain in plains) and len({len(plain[1]) for plain in plains}) == 1:
            return self._tuple([self.joined(list(each)) for each in zip(*(plain[1] for plain in plains), strict=True)])
        if all(plain[0] in ("tuple", "array") for plain in plains):
            return "Numbers"
        names = sorted({name for text in texts for name in text.split(" | ")})
        return " | ".join(names) if all(name in self.homes or name == "None" for name in names) else "Any"

    def _tuple(self, texts: list[str]) -> str:
        if set(texts) == {"float"} and len(texts) in NAMED:
            return NAMED[len(texts)]
        listed = f"tuple[{', '.join(texts)}]" if texts else "tuple[()]"
        return f"tuple[{texts[0]}, ...]" if len(listed) > LONGEST and len(set(texts)) == 1 else listed


def _fields_of(node: ast.ClassDef) -> set[str]:
    """Columns of a pool or fields of a named tuple."""
    bases = {getattr(base, "id", "") for base in node.bases}
    if any(base == "Pool" or base.endswith("Pool") for base in bases):
        columns = {name for item in node.body for name in _assigned(item)}
        return {*columns, "owner"}
    if "NamedTuple" in bases:
        targets = [item.target for item in node.body if isinstance(item, ast.AnnAssign)]
        return {each.id for each in targets if isinstance(each, ast.Name)}
    return set()


def _assigned(item: ast.stmt) -> list[str]:
    """Names that a line of a pool's body declares as columns: what is made by a call."""
    if isinstance(item, ast.Assign) and isinstance(item.value, ast.Call):
        return [each.id for each in item.targets if isinstance(each, ast.Name)]
    if isinstance(item, ast.AnnAssign) and isinstance(item.value, ast.Call) and isinstance(item.target, ast.Name):
        return [item.target.id]
    return []
