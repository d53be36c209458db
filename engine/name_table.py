"""Names for the game, small numbers for kernels: rows of text in a pool, so that they are saved with the world."""

from __future__ import annotations

from typing import Any

from . import arguments
from .errors import PaludariumError, shortened
from .pool import Array, Pool, Rows


class NameTable:
    """Names in the rows of a pool with a column ``name`` of bytes, in the order in which they were first used.

    Example::

        names = NameTable(pool, "faction")
        names.number("red")      # 0, and the row is there
        names.name(0)            # 'red'
    """

    def __init__(self, pool: Pool, what: str) -> None:
        self._pool, self._what = pool, what
        self._known: dict[bytes, int] = {}
        self._version = -1

    def __len__(self) -> int:
        return len(self._pool.spans)

    def number(self, name: str) -> int:
        """The number of a name; a new one gets the next row."""
        encoded = self.check(name)
        known = self.find(name)
        if known >= 0:
            return known
        row = self._pool.claim(1, owner=0).start
        self._column[row, : len(encoded)] = list(encoded)
        return row

    def find(self, name: str) -> int:
        """The number of a name, or -1 if it has not been used yet."""
        if self._pool.version != self._version:
            self._known = {self._bytes(row): row for row in reversed(range(len(self)))}
            self._version = self._pool.version
        return self._known.get(name.encode(), -1)

    def name(self, number: int) -> str:
        """The name behind a number."""
        return self._bytes(number).decode()

    @property
    def _column(self) -> Array:
        column: Array = vars(self._pool)["name"]  # declared by the pool's own class
        return column

    def check(self, name: Any) -> bytes:
        """A name as its row holds it, or an error that says what is allowed."""
        longest = self._column.shape[1]
        encoded = arguments.text(self._what, name).encode()
        if len(encoded) > longest:
            raise PaludariumError(f"{self._what} = {shortened(name)}: allowed is a text of at most {longest} bytes")
        return encoded

    def forget_since(self, count: int) -> None:
        """Make names unknown again that came after so many."""
        for row in reversed(range(count, len(self))):
            self._pool.release(Rows(row, row + 1, self._pool.generation_of(row)))

    def _bytes(self, row: int) -> bytes:
        return bytes(self._column[row].tobytes().rstrip(b"\0"))
