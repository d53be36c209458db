"""Parameter rows: the numbers of a spec as one float64 row per creature, with the columns named by an IntEnum.

Kernels index the row with the enum (``gait[c, Gait.FOLLOW_GAIN]``); the spec is the only place where a default,
a unit and a range are written down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.column_rules import LARGEST, Place, Within
from ..engine.pool import Array, Rows

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.spec import Rule
    from ..engine.world import World


REMEMBERED = 256
"""Rows that are kept: some parts of some dozens of species."""


def parameter_columns(name: str, spec: type, module: str) -> Any:
    """An IntEnum with one member per number, flag and choice of a spec, in the order of its fields."""
    members = [item.name.upper() for item in fields(spec) if item.metadata["rule"].kind in _AS_NUMBER]
    return IntEnum(name, {member: place for place, member in enumerate(members)}, module=module)


def parameter_row(spec: Any, size: float = 1.0, **changes: float) -> Array:
    """The values of a spec in column order; flags are 0 or 1, choices the index of the option.

    `size` scales everything that has a length in its unit: a smaller animal at a proportionally lower speed does
    alike. `changes` replace single values after that.
    """
    return _row_of(spec, size, changes) if changes or size != 1.0 else _plain_row(spec).copy()


@lru_cache(maxsize=REMEMBERED)
def _plain_row(spec: Any) -> Array:
    """The row of a species as it is: births are many, and all of a kind have the same."""
    return _row_of(spec, 1.0, {})


def _row_of(spec: Any, size: float, changes: dict[str, float]) -> Array:
    row = []
    for name, options, power in _columns_of(spec.__class__):
        value = getattr(spec, name)
        number = options.index(value) if isinstance(value, str) else float(value) * size**power
        row.append(float(changes.pop(name, number)))
    if changes:
        raise ValueError(f"unknown parameters: {', '.join(changes)}")
    return np.array(row, dtype=np.float64)


@cache
def _columns_of(kind: type) -> list[tuple[str, Any, int]]:
    """Name, options and power of length of every parameter of a kind of spec; looked up once, because births are many."""
    rules = [(item.name, item.metadata["rule"]) for item in fields(kind)]
    return [(name, rule.options, _length_power(rule.unit)) for name, rule in rules if rule.kind in _AS_NUMBER]


def renew_parameters(creature: Creature, spec: Any, pool: Any, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    """Write the numbers of the species into the one row of a part that has nothing else of it."""
    pool.parameters[rows.start] = parameter_row(spec)


@dataclass(frozen=True)
class ParametersOf:
    """What a column of parameter rows holds: in each place what the spec's key allows."""

    spec: type

    def wrong(self, values: Array, place: Place) -> Array:  # noqa: ARG002 - the same signature for all rules
        low, high = np.array(ranges_of(self.spec)).T
        whole = np.array([rule.kind != "number" for rule in _rules_of(self.spec)])
        with np.errstate(invalid="ignore"):
            return ~((values >= low) & (values <= high) & (~whole | (np.floor(values) == values)))

    def allowed(self, world: World) -> str:  # noqa: ARG002 - the same signature for all rules
        return f"what the keys of {self.spec.__name__} allow"


def ranges_of(spec: type) -> list[tuple[float, float]]:
    """The least and the largest value of every parameter of a kind of spec, in the order of its columns."""
    return [_range(rule) for rule in _rules_of(spec)]


def _rules_of(spec: type) -> list[Rule]:
    found = [item.metadata["rule"] for item in fields(spec)]
    return [rule for rule in found if rule.kind in _AS_NUMBER]


def key_of(spec: type, name: str) -> Within:
    """What a column holds that is one number of a spec."""
    return Within(*_range(next(item.metadata["rule"] for item in fields(spec) if item.name == name)))


def _range(rule: Rule) -> tuple[float, float]:
    if rule.kind == "flag":
        return 0.0, 1.0
    if rule.kind == "choice":
        return 0.0, len(rule.options) - 1.0
    low, high = max(rule.low, -LARGEST), min(rule.high, LARGEST)
    return (math.radians(low), math.radians(high)) if rule.unit.startswith("deg") else (low, high)


def _length_power(unit: str) -> int:
    """The power of length in a unit: 1 for u and u_per_s, -1 for deg_per_u."""
    above, _, below = unit.partition("_per_")
    return (above == "u") - (below == "u")


_AS_NUMBER = ("number", "integer", "flag", "choice")
