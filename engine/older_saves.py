"""Saves of earlier versions: columns that were not there yet, that have moved, or that are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .errors import SnapshotError
from .pool import Array, Column, MovedFrom, Pool

if TYPE_CHECKING:
    from .creature import Creature
    from .world import World

Saved = dict[str, dict[str, Array]]
"""Arrays of a save by owner and column."""


def bring_up_to_date(pool: Pool, version: int, columns: dict[str, Array], saved: Saved, place: str) -> dict[str, Array]:
    """The columns of a pool as it declares them now: newer ones filled in, those that are gone left out."""
    if version > pool.format:
        raise SnapshotError(f"{place}: {type(pool).__name__} has format {version}, this version reads up to {pool.format}")
    now = {name: columns[name] for name in ("generation", "spans")}
    for name, declared in pool.columns.items():
        found = columns.get(name)
        if found is not None and fits(declared, found):
            now[name] = found
        elif declared.since > version:
            now[name] = older_values(declared, len(columns["owner"]), saved)
        else:
            raise SnapshotError(f"{place}: {type(pool).__name__} has other columns in this version: {name}")
    return now


def add_newer_parts(world: World, creature: Creature, saved: Saved, place: str) -> bool:
    """Give a creature rows of parts that its species had not yet when it was saved; whether there were any."""
    added = False
    for name in creature.species.specs:
        if name in creature.rows:
            continue
        part = world.parts[name]
        if part.beside is None:
            raise SnapshotError(f"{place}: {creature.name} was saved without [{name}], which it needs in this version")
        pool, leader = world.pool(part.pool), creature.rows[part.beside]
        creature.rows[name] = pool.claim(leader.size, creature.serial, leader.start)
        moved = {column: declared for column, declared in pool.columns.items() if isinstance(declared.older, MovedFrom)}
        for column, declared in moved.items():
            getattr(pool, column)[leader.slice] = older_values(declared, leader.stop, saved)[leader.slice]
        if part.renew is not None and not moved:  # what moved is checked first
            part.renew(creature, creature.species.specs[name], pool, creature.rows[name])
        added = True
    return added


def fits(declared: Column, found: Array) -> bool:
    """Whether a saved column is of the declared type and row shape."""
    return bool(found.dtype == np.dtype(declared.dtype)) and found.shape[1:] == declared.shape


def older_values(declared: Column, count: int, saved: Saved) -> Array:
    """So many rows of a column that an older save does not have, from where it kept them, or the declared number."""
    number = declared.older.otherwise if isinstance(declared.older, MovedFrom) else declared.older
    values = np.full((count, *declared.shape), declared.fill if number is None else number, declared.dtype)
    if isinstance(declared.older, MovedFrom):
        kept = saved.get(declared.older.pool, {}).get(declared.older.column)
        if kept is not None:
            converted = declared.older.convert(kept)
            rows = min(count, len(converted))
            here = (slice(rows), *(slice(size) for size in converted.shape[1:]))  # a row may have become longer
            values[here] = converted[:rows]
    return values
