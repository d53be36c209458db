"""The header of a save or a recording: every entry is checked for its kind and range before anything is made of it."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from .clock import LONGEST_FRAME_TICKS
from .creature import LONGEST_NAME
from .errors import PaludariumError, SnapshotError, shortened
from .plain_data import is_list_of, is_number, is_whole

MOST_SIZE = 2**31
"""Of one dimension of an array."""
MOST_DIMENSIONS = 8
KINDS_OF_NUMBERS = re.compile(r"[<>|=][biuf][1248]")
"""How numpy writes the kinds of numbers that a save may hold."""
STREAM = {"bit_generator", "state", "has_uint32", "uinteger"}


class Origin(NamedTuple):
    """What a world was built from."""

    seed: int
    map: dict[str, Any]
    map_file: str
    tick_rate: int
    precision: str
    plugins: list[str]
    version: str
    """Of the package that wrote the file; empty in files that do not tell."""


class SaveHeader(NamedTuple):
    """Everything in a save that is no array."""

    origin: Origin
    families: list[str]
    formats: dict[str, int]
    codes: dict[str, list[str]]
    clock: list[Any]
    next_serial: int
    streams: dict[str, Any]
    events: list[list[Any]]
    species: dict[str, dict[str, Any]]
    creatures: list[list[Any]]
    arrays: list[list[Any]]


def origin_of(header: Any, error: type[PaludariumError]) -> Origin:
    """The part that saves and recordings share."""
    if not isinstance(header, dict):
        raise error(f"the header is {shortened(header)}: allowed is a table")
    take = _Taker(header, error)
    return Origin(
        take("seed", lambda v: is_whole(v, 0, 2**128), "a whole number, 0 or more"),
        take("map", lambda v: isinstance(v, dict), "a table"),
        take("map_file", lambda v: type(v) is str, "a text"),
        take("tick_rate", lambda v: is_whole(v, 1, 10_000), "a whole number from 1 to 10000"),
        take("precision", is_name, "a text"),
        take("plugins", lambda v: is_list_of(v, str) and len(set(v)) == len(v), "a list of different texts"),
        take("version", is_name, "a text", ""),
    )


def checked_header(header: Any, first_families: tuple[str, ...]) -> SaveHeader:
    """A save's header, or an error that names the entry, the value and what is allowed."""
    origin = origin_of(header, SnapshotError)
    take = _Taker(header, SnapshotError)
    return SaveHeader(
        origin,
        take("families", lambda v: is_list_of(v, str), "a list of texts", list(first_families)),
        take("formats", lambda v: isinstance(v, dict) and all(is_whole(n, 0, 10**6) for n in v.values()), "whole numbers",
             {}),
        take("codes", is_codes, "lists of different texts by column", {}),
        take("clock", lambda v: is_clock(v, origin.tick_rate),
             f"tick, time scale, paused or not, and at most {LONGEST_FRAME_TICKS} ticks that wait"),
        take("next_serial", lambda v: is_whole(v, 1), "a whole number, 1 or more"),
        take("streams", lambda v: isinstance(v, dict) and all(map(is_stream, v.values())), "states of PCG64 by name"),
        take("events", lambda v: is_list_of(v, list) and all(map(is_event, v)), "a list of kind, tick, creature and values"),
        take("species", lambda v: isinstance(v, dict) and all(isinstance(t, dict) for t in v.values()), "tables by key"),
        take("creatures", lambda v: is_list_of(v, list) and all(map(is_creature, v)),
             "a list of serial number, species, name and rows"),
        take("arrays", lambda v: is_list_of(v, list) and all(map(is_array, v)),
             "a list of owner, column, kind of number and shape"),
    )  # fmt: skip


class _Taker:
    """Takes entries out of a table, each with its check."""

    def __init__(self, table: dict[str, Any], error: type[PaludariumError]) -> None:
        self.table, self.error = table, error

    def __call__(self, key: str, fits: Any, allowed: str, default: Any = None) -> Any:
        value = self.table.get(key, default)
        if not fits(value):
            inner = value if is_list_of(value, list) else []
            shown = shortened(next((item for item in inner if not fits([item])), value))
            raise self.error(f"{key} = {shown if key in self.table else 'missing'}: allowed is {allowed}")
        return value


def is_name(value: Any) -> bool:
    """Whether a value is a text of a bearable length."""
    return type(value) is str and len(value) <= LONGEST_NAME


def is_clock(value: Any, tick_rate: int) -> bool:
    if not (isinstance(value, list) and len(value) == 4):
        return False
    tick, scale, paused, waiting = value
    longest = LONGEST_FRAME_TICKS / tick_rate
    return is_whole(tick, 0, 2**53) and is_number(scale, 0.0) and type(paused) is bool and is_number(waiting, 0.0, longest)


def is_stream(value: Any) -> bool:
    """Whether a value is the state of a random stream as numpy tells it."""
    if not isinstance(value, dict) or value.keys() != STREAM or value["bit_generator"] != "PCG64":
        return False
    state, most = value["state"], 2**128 - 1
    return (
        isinstance(state, dict) and state.keys() == {"state", "inc"} and is_whole(state["state"], 0, most)
        and is_whole(state["inc"], 0, most) and is_whole(value["has_uint32"], 0, 1)
        and is_whole(value["uinteger"], 0, 2**32 - 1)
    )  # fmt: skip


def is_event(value: list[Any]) -> bool:
    """Kind, tick, serial number, values, and for a creature that has gone its species and name."""
    if len(value) not in (4, 5) or not is_name(value[0]) or not is_whole(value[1]) or not is_whole(value[2], -1):
        return False
    gone = len(value) == 4 or (is_list_of(value[4], str) and len(value[4]) == 2 and is_name(value[4][1]))
    return gone and isinstance(value[3], dict)


def is_creature(value: list[Any]) -> bool:
    names = len(value) == 4 and is_name(value[1]) and is_name(value[2])
    return names and is_whole(value[0], 1) and isinstance(value[3], dict)


def is_codes(value: Any) -> bool:
    """Whether an entry of a header lists names by the columns that hold their numbers."""
    return isinstance(value, dict) and all(
        isinstance(names, list) and all(type(name) is str for name in names) and len(set(names)) == len(names)
        for names in value.values())  # fmt: skip


def is_array(value: list[Any]) -> bool:
    if len(value) != 4 or not is_name(value[0]) or not is_name(value[1]) or type(value[2]) is not str:
        return False
    shape = value[3]
    return (
        KINDS_OF_NUMBERS.fullmatch(value[2]) is not None and is_list_of(shape, int) and len(shape) <= MOST_DIMENSIONS
        and all(0 <= size <= MOST_SIZE for size in shape) and math.prod(shape) <= MOST_SIZE
    )  # fmt: skip
