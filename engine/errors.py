"""Every error the package raises on purpose. Each message says what was given, where, and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class PaludariumError(Exception):
    """The common ancestor, so a host can catch everything of ours with one clause."""


class StaleHandleError(PaludariumError):
    """A handle was used after its creature died or was removed."""


class SpawnError(PaludariumError, ValueError):
    """A creature could not be placed; nothing of it remains in the world."""


class PlaceTakenError(SpawnError):
    """The place is beyond the edge, inside the ground or inside an obstacle; another one may do."""


class SnapshotError(PaludariumError, ValueError):
    """A saved world cannot be read: truncated, corrupted, of another kind, or written by a newer version."""


class PluginError(PaludariumError):
    """A plugin is missing, broken, or registered twice."""


class DefinitionError(PaludariumError, ValueError):
    """A value in a data file is wrong. Names the file, the table, the key, the value and what is allowed.

    Example::

        raise DefinitionError("ant.toml", "legs", "length_u", -1.0, "a number above 0")
    """

    def __init__(self, file: str, table: str, key: str, value: Any, allowed: str) -> None:
        place = f"{file}: [{table}]" if table else file
        shown = f"{key} = {_shown(value)}" if key else _shown(value)
        super().__init__(f"{place} {shown}: allowed is {allowed}")
        self.file, self.table, self.key, self.value, self.allowed = file, table, key, value, allowed


class SpeciesError(DefinitionError):
    """A species file is wrong, or no species of that name exists."""


class MapError(DefinitionError):
    """A map file is wrong, or no map of that name exists."""


def suggest(wanted: str, known: Iterable[str]) -> str:
    """The end of an error message: the likely spelling if there is one, and everything that is known.

    >>> suggest("lenght", ["length", "width"])
    "did you mean 'length'? known: length, width"
    """
    names = sorted(known)
    close = get_close_matches(wanted, names, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{hint}known: {', '.join(names) or 'none'}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
