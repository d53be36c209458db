"""The same animal at another size: every length and speed of a species in proportion, so that it does alike."""

from __future__ import annotations

from dataclasses import fields
from math import degrees
from typing import Any

from paludarium import World
from paludarium.components.parameters import _length_power


def scaled_tables(world: World, key: str, size: float) -> dict[str, Any]:
    """The tables of a species `size` times as large; tissue stiffer by its square, so that it bends as fast."""
    tables: dict[str, Any] = {}
    for part, spec in world.species[key].specs.items():
        if part == "appearance":
            continue
        tables[part] = {}
        for item in fields(spec):
            rule = item.metadata["rule"]
            name, value = f"{item.name}_{rule.unit}" if rule.unit else item.name, getattr(spec, item.name)
            if rule.kind in ("number", "numbers"):
                factor = size ** _length_power(rule.unit) * (degrees(1.0) if rule.unit.startswith("deg") else 1.0)
                value = [factor * each for each in value] if isinstance(value, tuple) else factor * value
            tables[part][name] = list(value) if isinstance(value, tuple) else value
    tables["tissue"]["young_modulus"] *= size * size
    return tables
