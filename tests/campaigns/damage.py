"""How files are damaged: bytes, lines, values and structure, all from one random generator."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

Chance = np.random.Generator
ODD_VALUES: tuple[Any, ...] = (
    0, 1, -1, 2, 3, 7, 100, 10_000, 10**9, 2**31, 2**63, -(2**63), 10**30, 0.0, -0.0, 0.5, 1e-9, 1e-300, 1e6, 1e18, 1e300,
    -1e300, math.nan, math.inf, -math.inf, True, False, "", "x", "nan", "../../x", "flat", "mesh", "[", [], [0], [1.0, 2.0],
    [[1, 2], [3]], ["a"], {}, {"kind": "flat"}, {"x": 1}, [{}], None,
)  # fmt: skip
BITS = 8


def damaged_bytes(chance: Chance, content: bytes) -> bytes:
    """Flip, cut, repeat, blank or insert a few bytes."""
    data = bytearray(content)
    for _ in range(int(chance.integers(1, 4))):
        if not data:
            return bytes(chance.bytes(16))
        at, length = int(chance.integers(len(data))), int(chance.integers(1, 40))
        deed = chance.integers(6)
        if deed == 0:
            data[at] ^= 1 << int(chance.integers(BITS))
        elif deed == 1:
            del data[at:]
        elif deed == 2:
            del data[at : at + length]
        elif deed == 3:
            data[at : at + length] = bytes(length)
        elif deed == 4:
            data[at:at] = chance.bytes(length)
        else:
            data[at:at] = data[at : at + length]
    return bytes(data) if data != content else damaged_bytes(chance, content)  # zeros over zeros are no damage


def damaged_lines(chance: Chance, text: str) -> str:
    """Take away, repeat, exchange or empty lines, or put an odd value where a line has its last word."""
    lines = text.splitlines()
    for _ in range(int(chance.integers(1, 4))):
        at, other = (int(chance.integers(len(lines))) for _ in range(2))
        deed = chance.integers(5)
        if deed == 0 and len(lines) > 1:
            del lines[at]
        elif deed == 1:
            lines.insert(other, lines[at])
        elif deed == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif deed == 3:
            lines[at] = ""
        else:
            words = lines[at].split(" ")
            words[-1] = str(odd_value(chance))
            lines[at] = " ".join(words)
    return "\n".join(lines) + "\n"


def odd_value(chance: Chance) -> Any:
    return copy.deepcopy(ODD_VALUES[int(chance.integers(len(ODD_VALUES)))])


def places_in(tree: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value of a tree of dicts and lists."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield (*way, key)
        yield from places_in(value, (*way, key))


def damaged_tree(chance: Chance, tree: Any) -> tuple[Any, str]:
    """A copy with one to three values replaced, taken away, nudged or copied elsewhere; and what was done, in words."""
    tree, words = copy.deepcopy(tree), []
    for _ in range(int(chance.integers(1, 4))):
        places = list(places_in(tree))
        if not places:
            break
        way = places[int(chance.integers(len(places)))]
        holder = tree
        for key in way[:-1]:
            holder = holder[key]
        deed = chance.integers(8)
        if deed == 0:
            del holder[way[-1]]
            words.append(f"without {way}")
            continue
        value: Any = odd_value(chance)
        now = holder[way[-1]]
        if deed == 1:
            value = copy.deepcopy(_value_at(tree, places[int(chance.integers(len(places)))]))
        elif deed in (2, 3) and isinstance(now, (int, float)) and not isinstance(now, bool):
            value = now * float(chance.choice([-1.0, 0.0, 0.01, 0.5, 2.0, 10.0, 1e3, 1e6]))
            value = int(value) if isinstance(now, int) else value
        holder[way[-1]] = value
        words.append(f"{way} = {value!r}"[:160])
    return tree, "; ".join(words)


def _value_at(tree: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        tree = tree[key]
    return tree


def toml_text(tables: dict[str, Any]) -> str:
    """Tables as TOML, all of them inline. What TOML cannot say is left out."""
    return "".join(f"{json.dumps(str(key))} = {_toml(value)}\n" for key, value in tables.items() if value is not None)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(f"{json.dumps(str(key))} = {_toml(item)}" for key, item in value.items() if item is not None)
        return "{" + inside + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value if item is not None) + "]"
    if isinstance(value, float):
        return {"nan": "nan", "inf": "inf", "-inf": "-inf"}.get(repr(value), repr(value))
    return json.dumps(value)
