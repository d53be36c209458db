"""Whether what a save holds can be a world: spans, owners, row numbers, codes and numbers, before anything is built.

A checksum only says that a file is as it was written. Kernels believe row numbers without asking, so every one of them is
checked against the pool it leads into, wherever the file comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .column_rules import Columns, Place, rule_of
from .errors import SnapshotError, shortened
from .pool import NO_OWNER, Array, Pool, Rows

if TYPE_CHECKING:
    from .species import Species
    from .world import World


class SavedCreature(NamedTuple):
    """A creature as a save tells of it."""

    serial: int
    species: Species
    name: str
    rows: dict[str, Rows]


def check_pools(world: World, pools: dict[str, Columns]) -> None:
    """Refuse columns that do not fit together, and values that their declarations do not allow."""
    for name, columns in pools.items():
        check_shape(world.pools[name], name, columns)
    for name, pool in world.pools.items():
        if name not in pools:
            pools[name] = dict(pool.arrays())
    for wrong in wrong_values(world, pools):
        raise SnapshotError(wrong.told)


class Wrong(NamedTuple):
    """Values of a column that may not be there: by row, and what an error says of the first one."""

    pool: str
    column: str
    rows: Array
    bad: Array
    told: str


def wrong_values(world: World, pools: dict[str, Columns]) -> Iterator[Wrong]:
    """Every column of these pools that holds what it may not; their spans have been checked."""
    for name, columns in pools.items():
        pool = world.pools[name]
        rows, span = _living(columns["spans"])
        place = Place(world, columns, rows, span, pools)
        for column, declared in pool.columns.items():
            rule = rule_of(declared.holds, declared.dtype)
            values = columns[column][rows]
            bad = np.asarray(rule.wrong(values, place))
            if bad.any():
                first = np.unravel_index(int(np.argmax(bad)), bad.shape)
                value = shortened(values[first].tolist())
                told = f"{name}.{column} of row {rows[first[0]]} is {value}: allowed is {rule.allowed(world)}"
                yield Wrong(name, column, rows, bad, told)


def check_shape(pool: Pool, name: str, columns: Columns) -> None:
    owner, generation, spans = columns["owner"], columns["generation"], columns["spans"]
    if generation.dtype != np.int64 or generation.ndim != 1 or (generation < 0).any():
        raise SnapshotError(f"{name}: generations are {shortened(generation)}: allowed are whole numbers, 0 or more")
    if spans.dtype != np.int32 or spans.ndim != 2 or spans.shape[1] != 2:
        raise SnapshotError(f"{name}: spans have shape {spans.shape}: allowed are pairs of first row and count")
    end = len(owner)
    for column in pool.columns:
        if len(columns[column]) != end:
            raise SnapshotError(f"{name}.{column} has {len(columns[column])} rows: allowed are {end}, as it has owners")
    starts, stops = spans[:, 0].astype(np.int64), spans.astype(np.int64).sum(axis=1)
    last = int(stops[-1]) if len(spans) else 0
    if (spans[:, 1] < 1).any() or (starts[1:] < stops[:-1]).any() or (starts < 0).any() or last != end:
        raise SnapshotError(f"{name}: spans {shortened(spans.tolist())} are not ascending ranges of its {end} rows")
    if end > len(generation):
        raise SnapshotError(f"{name} has {end} rows and {len(generation)} generations: allowed are as many or more of these")
    rows, span = _living(spans)
    owned = np.full(end, NO_OWNER, np.int64)
    owned[rows] = owner[starts][span]
    if not np.array_equal(owned, owner) or (owner[rows] == NO_OWNER).any():
        raise SnapshotError(f"{name}: owners do not agree with the spans: allowed is one owner per span, none between")
    if (pool.single or pool.aligned) and (spans[:, 1] != 1).any():
        raise SnapshotError(f"{name}: a span has several rows: allowed is one")
    if pool.packed and len(spans) != end:
        raise SnapshotError(f"{name}: has gaps between its rows: none are allowed")
    if pool.most_rows is not None and end > pool.most_rows:
        raise SnapshotError(f"{name} has {end} rows: allowed are at most {pool.most_rows}")


def _living(spans: Array) -> tuple[Array, Array]:
    """The rows of all spans, and for each which span it is in."""
    counts = spans[:, 1].astype(np.int64)
    span = np.repeat(np.arange(len(spans)), counts)
    before = np.cumsum(counts) - counts
    return spans[span, 0].astype(np.int64) + np.arange(len(span)) - before[span], span


def check_creatures(world: World, creatures: list[SavedCreature], next_serial: int, pools: dict[str, Columns]) -> None:
    """Refuse creatures whose rows are not theirs, and rows whose creature is not there."""
    serials = {creature.serial for creature in creatures}
    if len(serials) != len(creatures) or any(serial >= next_serial for serial in serials):
        raise SnapshotError(f"creatures have the serial numbers {shortened(sorted(serials))}: "
                            f"allowed are different ones below {next_serial}")  # fmt: skip
    claimed: dict[str, dict[int, tuple[int, int]]] = {"CreaturePool": {}}
    claimed.update({part.pool.__name__: {} for part in world.parts.values()})
    for creature in creatures:
        if creature.rows.keys() - {"creature"} - creature.species.specs.keys() or "creature" not in creature.rows:
            raise SnapshotError(f"{creature.name} has rows of {shortened(sorted(creature.rows))}: allowed are those of the "
                                f"parts of its species, {', '.join(['creature', *creature.species.specs])}")  # fmt: skip
        for part, rows in creature.rows.items():
            pool = world.creature_pool if part == "creature" else world.pools[world.parts[part].pool.__name__]
            _check_rows(world, creature, part, rows, pool, pools[type(pool).__name__])
            if rows.size:
                claimed[type(pool).__name__][rows.start] = (rows.size, creature.serial)
    for name, theirs in claimed.items():
        columns = pools[name]
        for start, count in columns["spans"].tolist():
            if theirs.get(start) != (count, int(columns["owner"][start])):
                raise SnapshotError(f"{name}: rows {start}..{start + count - 1} belong to no creature of the save")


def _check_rows(world: World, creature: SavedCreature, part: str, rows: Rows, pool: Pool, columns: Columns) -> None:
    what = f"{creature.name}: {part} rows {rows.start}..{rows.stop - 1}"
    if not 0 <= rows.start <= rows.stop <= len(columns["generation"]):
        raise SnapshotError(f"{what}: allowed are rows of {type(pool).__name__}")
    if part == "creature":
        wanted, strict = 1, True
    else:
        wanted = creature.species.specs[part].row_count(creature.species.specs)
        strict = world.parts[part].mod is None  # a mod's part may have been cut without its species knowing
    if rows.size != wanted and (strict or rows.size > wanted):
        raise SnapshotError(f"{what}: its species has {wanted} of them")
    if not rows.size:
        return
    beside = None if part == "creature" else world.parts[part].beside
    if beside is not None:
        leader = creature.rows.get(beside)
        if leader is None or (rows.start, rows.stop) != (leader.start, leader.stop):
            there = f"its {beside} rows, {leader.start}..{leader.stop - 1}" if leader else f"none without rows of {beside}"
            raise SnapshotError(f"{what}: allowed are {there}")
    if rows.stop > len(columns["owner"]) or int(columns["owner"][rows.start]) != creature.serial:
        raise SnapshotError(f"{what} belong to another one")
    if int(columns["generation"][rows.start]) != rows.generation:
        raise SnapshotError(f"{what} are of generation {rows.generation}: allowed is {columns['generation'][rows.start]}")


def plain_rows(value: Any, what: str) -> Rows:
    """Rows as a header tells of them."""
    if not (isinstance(value, list) and len(value) == 3 and all(type(item) is int for item in value)):
        raise SnapshotError(f"{what} = {shortened(value)}: allowed are three whole numbers")
    return Rows(*value)
