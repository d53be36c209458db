"""Reference pages made from the specs themselves: one Markdown table per table of a file."""

from __future__ import annotations

import math
from dataclasses import MISSING, fields
from typing import Any

from ..engine.spec import Rule, keys_of

HEADER = ["| key | default | allowed | meaning |", "|---|---|---|---|"]


def key_table(spec: type) -> list[str]:
    """The lines of a table with every key of a spec."""
    defaults = {field.name: field.default for field in fields(spec)}
    return HEADER + [
        f"| `{key}` | {shown(defaults[name], rule)} | {rule.allowed} | {rule.doc} |"
        for key, (name, rule) in keys_of(spec).items()
    ]


def record_lines(records: dict[str, type], tag: str) -> list[str]:
    """One line per kind of record: its tag, what it is, and its keys with their defaults."""
    lines = [f"| {tag} | what it is | keys |", "|---|---|---|"]
    for name, record in records.items():
        keys = ", ".join(_key_and_default(field.name, field.default) for field in fields(record))
        meaning = (record.__doc__ or "").split("\n\n")[0].replace("\n", " ").replace("``", "`")
        lines.append(f"| `{name}` | {' '.join(meaning.split())} | {keys} |")
    return lines


def _key_and_default(name: str, default: Any) -> str:
    return f"`{name}`" if default is MISSING else f"`{name}` = {default}"


def shown(value: Any, rule: Rule) -> str:
    """A default value as a file would hold it."""
    if value is MISSING:
        return "required"
    if rule.kind == "color":
        return "`#" + "".join(f"{round(255 * part):02X}" for part in value) + "`"
    if isinstance(value, tuple):
        return "[" + ", ".join(shown(part, rule._replace(kind=rule.kind[:-1])) for part in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if math.isnan(value):
            return "not given"
        return f"{math.degrees(value) if rule.unit.startswith('deg') else value:.6g}"
    return str(value)
