"""Every error the package raises on purpose. Each message says what was given, where, and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from reprlib import Repr
from typing import Any

LONGEST_SHOWN = 80
"""Characters of a value that an error message shows."""


FAILURES = (Exception, SystemExit)
"""What a mod's code may raise without taking the game along; an interrupt from the keyboard is not for the mod."""


class PaludariumError(Exception):
    """The common ancestor, so a host can catch everything of ours with one clause."""


class ArgumentError(PaludariumError, ValueError):
    """A call was given something it cannot use. Names the argument, the value and what is allowed."""


class UnknownNameError(PaludariumError, AttributeError):
    """There is no such part, attribute, verb or call, or it cannot be assigned to."""


class StaleHandleError(PaludariumError):
    """A handle was used after its creature died or was removed, or after its world was dropped."""


class SpawnError(PaludariumError, ValueError):
    """A creature could not be placed; nothing of it remains in the world."""


class PlaceTakenError(SpawnError):
    """The place is beyond the edge, inside the ground or inside an obstacle; another one may do."""


class SnapshotError(PaludariumError, ValueError):
    """A saved world cannot be read: truncated, corrupted, of another kind, or written by a newer version."""


class BusyError(PaludariumError, RuntimeError):
    """A world was called by two threads at once, or a tick was to begin within another one. Names both calls.

    Example::

        try:
            world.save("autosave.palu")         # from another thread than the one that steps the world
        except BusyError:
            ...                                 # nothing was written: try again between two steps
    """


class PluginError(PaludariumError):
    """A plugin is missing, broken, or registered twice."""


class DefinitionError(PaludariumError, ValueError):
    """A value in a data file is wrong. Names the file, the table, the key, the value and what is allowed.

    Example::

        raise DefinitionError("ant.toml", "legs", "length_u", -1.0, "a number above 0")
    """

    def __init__(self, file: str, table: str, key: str, value: Any, allowed: str) -> None:
        place = f"{file}: [{str(table)[:LONGEST_SHOWN]}]" if table else file
        shown = f"{str(key)[:LONGEST_SHOWN]} = {shortened(value)}" if key else shortened(value)
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
    close = get_close_matches(str(wanted)[:LONGEST_SHOWN], names, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{hint}known: {', '.join(names) or 'none'}"


def one_of(wanted: Any, known: Iterable[str]) -> str:
    """What is allowed, for an error that says "allowed is ...": one of these names, and the likely spelling.

    >>> one_of("lenght", ["length", "width"])
    "one of length, width (did you mean 'length'?)"
    """
    names = sorted(known)
    close = get_close_matches(str(wanted)[:LONGEST_SHOWN], names, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return f"one of {', '.join(names)}{hint}" if names else "nothing: none is known"



def shortened(value: Any) -> str:
    """A value as an error message shows it: its repr, cut in the middle to at most `LONGEST_SHOWN` characters.

    Never raises, and never spells out what is huge only to throw it away.

    >>> shortened([1, "two"]), len(shortened("a" * 1000)) <= LONGEST_SHOWN
    ("[1, 'two']", True)
    """
    return _short.repr(value)


class _Short(Repr):
    """repr with limits: long texts, numbers and containers are cut before they are written, depth is bounded."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = LONGEST_SHOWN
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdict = self.maxarray = self.maxdeque = 8
        self.maxlevel = 3

    def repr(self, x: Any) -> str:
        value = x
        try:
            if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 8 * LONGEST_SHOWN:
                return f"<a number of {value.bit_length()} bits>"
            if isinstance(value, bytes | bytearray) and len(value) > LONGEST_SHOWN:
                value = bytes(value[:LONGEST_SHOWN])
            text = super().repr(value)
        except Exception:  # a foreign __repr__ that fails must not hide what we have to say
            text = f"<{type(value).__name__}>"
        text = " ".join(text.splitlines())
        half = (LONGEST_SHOWN - 3) // 2
        return text if len(text) <= LONGEST_SHOWN else f"{text[:half]}...{text[-half:]}"


_short = _Short()
