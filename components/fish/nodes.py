"""The nodes of fishes: 23 point masses each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import MOTION, OF_ONE_BODY, OFFSET
from ...engine.pool import Pool, Rows, column, view
from .topology import NODES

if TYPE_CHECKING:
    from ...engine.parts import Birth


@dataclass(frozen=True)
class NodeSpec:
    """The ``[nodes]`` table, which follows from ``[springs]`` and has no keys."""

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return NODES


class NodePool(Pool):
    """23 rows per fish, in the order of `topology`."""

    position = column(np.float64, 3, holds=OF_ONE_BODY)
    velocity = column(np.float64, 3, holds=MOTION)
    # what is left of the shape it had when its body was last simulated in full; fades away
    offset = column(np.float64, 3, holds=OFFSET)


class Nodes:
    """The nodes of one fish.

    Example::

        fish.nodes.position       # (23, 3): nose, five rings of four, two tips of the tail
    """

    __slots__ = ("pool", "rows")

    def __init__(self, pool: NodePool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    position = view("position", "(23, 3) places in world units")
    velocity = view("velocity", "(23, 3) u/s")


def fill_nodes(birth: Birth, spec: NodeSpec, pool: NodePool, rows: Rows) -> None:  # noqa: ARG001 - as all parts
    """Where the nodes of a newborn are follows from its segments, see `springs.fill_springs`."""
