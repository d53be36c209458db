"""The head command: how fast and where the front of a body is to go. A brain, a player or a game writes it, legs and
muscles read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.column_rules import FLAG
from ..engine.parts import Birth
from ..engine.pool import MovedFrom, Pool, Rows, column


@dataclass(frozen=True)
class HeadCommandSpec:
    """The ``[head]`` table, which follows from the others and has no keys."""

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1


class HeadCommandPool(Pool):
    """One row per creature that is led by its head, aligned with `CreaturePool`."""

    aligned = True

    speed = column(np.float64, older=MovedFrom("BrainPool", "speed"))  # u/s, negative backward
    yaw_rate = column(np.float64, older=MovedFrom("BrainPool", "yaw_rate"))  # rad/s, positive to the left
    way = column(np.float64, 3, older=MovedFrom("AntennaPool", "way"))  # where the head may go: ahead, or along what it met
    # not in charge of its body: falling, or dead
    adjusting = column(np.uint8, older=MovedFrom("GaitPool", "adjusting"), holds=FLAG)


class HeadCommand:
    """What the head of one creature is told to do."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: HeadCommandPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def speed(self) -> float:
        """Commanded speed in u/s."""
        return float(self.pool.view(self.rows, "speed")[0])

    @property
    def yaw_rate(self) -> float:
        """Commanded turning in rad/s, positive to the left."""
        return float(self.pool.view(self.rows, "yaw_rate")[0])


def fill_head_command(birth: Birth, spec: HeadCommandSpec, pool: HeadCommandPool, rows: Rows) -> None:  # noqa: ARG001
    """A newborn stands still; nothing to write."""
