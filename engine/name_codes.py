"""Columns that hold the numbers of names: which names there are depends on the plugins, so a save holds the names, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .column_rules import Names
from .errors import SnapshotError, shortened
from .pool import NO_OWNER, Array

if TYPE_CHECKING:
    from .world import World

Codes = dict[str, list[str]]
"""By ``pool.column``: the names, the number of each is its place."""


def names_of_codes(world: World, pool: str = "") -> Codes:
    """The names behind the numbers of all such columns, or by column name alone of those of one pool."""
    if pool:
        columns = world.pools[pool].columns
        return {name: list(c.holds.names(world)) for name, c in columns.items() if isinstance(c.holds, Names)}
    found = [(owner, names_of_codes(world, owner)) for owner in sorted(world.pools)]
    return {f"{owner}.{name}": names for owner, columns in found for name, names in columns.items()}


def renumber(columns: dict[str, Array], pool: str, then: Codes, now: Codes) -> None:
    """Write the numbers that names had then as those that they have now; `columns` is changed, its arrays are not."""
    for place, names in then.items():
        owner, _, column = place.partition(".")
        if owner != pool or column not in columns or names == now.get(place, names):
            continue
        known = {name: number for number, name in enumerate(now[place])}
        table = np.array([known.get(name, -1) for name in names], np.int64)
        values = columns[column].astype(np.int64)
        used = (columns["owner"] != NO_OWNER) & (values >= 0) & (values < len(names))
        changed = np.where(used, table[np.where(used, values, 0)], values)
        if (changed[used] < 0).any():
            lost = names[int(values[used][changed[used] < 0][0])]
            raise SnapshotError(f"{place} holds {shortened(lost)}, which no installed plugin knows")
        columns[column] = changed.astype(columns[column].dtype)


def merged_names(then: Codes, now: Codes) -> Codes:
    """Names of then with their numbers, and after them those that are new."""
    places = then.keys() | now.keys()
    return {place: [*then.get(place, []), *(name for name in now.get(place, []) if name not in then.get(place, []))]
            for place in sorted(places)}  # fmt: skip
