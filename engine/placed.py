"""What a game gets back for something that it puts into the world, such as food, a stimulus or a hook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .pool import Array, Pool, Rows


@dataclass(frozen=True)
class Placed:
    """Something in the world that has rows of a pool; it stays valid until it is removed, by the game or by its own end.

    Example::

        fire = world.add_stimulus("threat", at=(4, 2), radius=12)
        fire.remove()
        assert not fire.exists
    """

    pool: Pool
    rows: Rows

    @property
    def exists(self) -> bool:
        """Whether it is still there."""
        return self.pool.is_current(self.rows)

    def remove(self) -> None:
        """Take it out of the world; twice is fine."""
        if self.exists:
            self.pool.release(self.rows)


@dataclass(frozen=True)
class PlacedOne(Placed):
    """Something that has one row of a pool, and one place."""

    @property
    def position(self) -> Array:
        """Where it is."""
        return self.pool.view(self.rows, "position")[0]


@dataclass(frozen=True)
class PlacedGroup(Placed):
    """Something that has many rows of a pool, and a place for each."""

    @property
    def position(self) -> Array:
        """The places of all."""
        return self.pool.view(self.rows, "position")
