"""Parameter rows: the numbers of a spec as one float64 row per creature, with the columns named by an IntEnum.

Kernels index the row with the enum (``gait[c, Gait.FOLLOW_GAIN]``); the spec is the only place where a default,
a unit and a range are written down.
"""

from __future__ import annotations

from dataclasses import fields
from enum import IntEnum
from typing import Any

import numpy as np

from ..engine.pool import Array


def parameter_columns(name: str, spec: type, module: str) -> Any:
    """An IntEnum with one member per number, flag and choice of a spec, in the order of its fields."""
    members = [item.name.upper() for item in fields(spec) if item.metadata["rule"].kind in _AS_NUMBER]
    return IntEnum(name, {member: place for place, member in enumerate(members)}, module=module)


def parameter_row(spec: Any, **changes: float) -> Array:
    """The values of a spec in column order; flags are 0 or 1, choices the index of the option."""
    row = []
    for item in fields(spec):
        kind = item.metadata["rule"].kind
        if kind in _AS_NUMBER:
            value = changes.pop(item.name, getattr(spec, item.name))
            row.append(item.metadata["rule"].options.index(value) if isinstance(value, str) else float(value))
    if changes:
        raise ValueError(f"unknown parameters: {', '.join(changes)}")
    return np.array(row, dtype=np.float64)


_AS_NUMBER = ("number", "integer", "flag", "choice")
