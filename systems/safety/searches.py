"""Where in memory a pool keeps what has to be searched in every tick, found once and kept while nothing changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.pool import NO_OWNER, Array, Pool

if TYPE_CHECKING:
    from ...engine.world import World

PIECE = 8192
"""Numbers, 64 kB: what a turn of the search takes at least."""


class Search(NamedTuple):
    """What `any_not_finite_in` needs to search a part of a pool."""

    pool: Pool
    bits: Array
    infinite: Any
    pieces: Array


def searches(pool: Pool, ranges: Array, names: tuple[str, ...], turns: int) -> list[Search]:
    """The columns of these names in the rows [first, end) of `ranges`, divided evenly into at most so many searches."""
    found = []
    for bits, infinite, layout in pool.float_columns(names):
        pieces = [(start, min(start + PIECE, stop)) for begin, width in layout.tolist() for first, end in ranges.tolist()
                  for stop in (begin + end * width,) for start in range(begin + first * width, stop, PIECE)]  # fmt: skip
        if sum(stop - start for start, stop in pieces) <= PIECE:
            turns = 1
        found += [Search(pool, bits, infinite, np.array(pieces[turn::turns], np.int64))
                  for turn in range(min(turns, len(pieces)))]  # fmt: skip
    return found


def rows_of(world: World, pool: Pool, chosen: Array) -> Array:
    """(n, 2) first row and end of what the chosen creatures (a flag for each row) own in a pool, joined where they touch."""
    spans, creatures = pool.spans, world.creature_pool
    if pool.aligned:
        keep = chosen[spans[:, 0]]
    else:
        living = creatures.spans[:, 0]
        order = np.argsort(creatures.owner[living])
        serials, rows = creatures.owner[living][order], living[order]
        owners = pool.owner[spans[:, 0]]
        place = np.minimum(np.searchsorted(serials, owners), max(len(serials) - 1, 0))
        keep = np.zeros(len(spans), bool)
        if len(serials):
            keep = (serials[place] == owners) & (owners != NO_OWNER) & chosen[rows[place]]
    starts, ends = spans[keep, 0].astype(np.int64), spans[keep].sum(axis=1, dtype=np.int64)
    if not len(starts):
        return np.zeros((0, 2), np.int64)
    new = np.concatenate([[True], starts[1:] != ends[:-1]])
    return np.column_stack([starts[new], np.append(ends[:-1][new[1:]], ends[-1])])
