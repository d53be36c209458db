"""Declaring and reading the tables of data files: types, units, ranges, and errors that name the place.

A spec is a frozen dataclass whose fields are declared with the functions below. The key in the file is the field's
name plus its unit (``speed`` in u/s is ``speed_u_per_s``); degrees become radians once, here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, field, fields
from typing import Any, NamedTuple, TypeVar

from .errors import DefinitionError, one_of

Spec = TypeVar("Spec")


LARGEST = 1e6
"""What a number may be that says no range of its own."""
MOST_ITEMS = 1000
"""Of a list that may have any number of them."""
LONGEST_TEXT = 2000
"""Characters."""
WORDS = {"text": f"a text of at most {LONGEST_TEXT} characters", "texts": f"a list of texts, at most {MOST_ITEMS}",
         "flag": "true or false", "color": 'a colour like "#8C3C22"'}
"""What is allowed for kinds without a range."""


class Rule(NamedTuple):
    """What one key may hold: a kind, a unit, a range, and for choices the options."""

    kind: str
    unit: str = ""
    low: float = -LARGEST
    high: float = LARGEST
    above: bool = False  # `low` itself is excluded
    length: int = 0  # for lists: 0 means any number
    longest: int = 0  # for lists of a length: it may also be longer, up to this one
    options: tuple[str, ...] = ()
    doc: str = ""

    @property
    def allowed(self) -> str:
        """The allowed values in words, for error messages and the generated documentation."""
        if self.kind in ("choice", "profile"):
            return "one of " + ", ".join(repr(option) for option in self.options)
        if self.kind in WORDS:
            return WORDS[self.kind]
        noun = "a whole number" if self.kind.startswith("integer") else "a finite number"
        if self.kind.endswith("s"):
            count = f"{self.length} or {self.longest}" if self.longest else f"{self.length}"
            noun = (f"a list of {count} " if self.length else "a list of ") + noun.split(" ", 1)[1] + "s"
        return noun + self._range_words()

    def _range_words(self) -> str:
        return f" {'above' if self.above else 'from'} {self.low:g} {'up ' if self.above else ''}to {self.high:g}"


def number(default: float | None = None, *, unit: str = "", low: float = -LARGEST, high: float = LARGEST,
           above: bool = False, doc: str = "") -> Any:
    """A finite number; with ``above=True`` the lower limit itself is not allowed."""
    return _field(default, Rule("number", unit, low, high, above, doc=doc))


def integer(default: int | None = None, *, low: int = 0, high: float = LARGEST, doc: str = "") -> Any:
    """A whole number in a range."""
    return _field(default, Rule("integer", "", low, high, doc=doc))


def numbers(default: Sequence[float] | None = None, *, count: int = 0, most: int = 0, unit: str = "", low: float = -LARGEST,
            high: float = LARGEST, above: bool = False, doc: str = "") -> Any:
    """A list of finite numbers, each in the same range: of any number, of `count` of them, or of `count` up to `most`."""
    value = None if default is None else tuple(default)
    return _field(value, Rule("numbers", unit, low, high, above, count, most, doc=doc))


def integers(default: Sequence[int] | None = None, *, low: int = 0, high: float = LARGEST, doc: str = "") -> Any:
    """A list of whole numbers."""
    return _field(None if default is None else tuple(default), Rule("integers", "", low, high, doc=doc))


def choice(default: str, *options: str, doc: str = "") -> Any:
    """One of a few words."""
    return _field(default, Rule("choice", options=options, doc=doc))


def profiles(default: str, *, doc: str = "", **named: Mapping[str, Any]) -> Any:
    """A word that stands for several keys of its table at once; those that the table says itself come before it.

    The default stands for the defaults of all keys. Example::

        profile: str = profiles("steady", published={"support_mode": "both", "support_hold_s": 0.0})
    """
    rule = Rule("profile", options=(default, *named), doc=doc)
    return field(default=default, metadata={"rule": rule, "profiles": named})


def flag(default: bool, *, doc: str = "") -> Any:
    """True or false."""
    return _field(default, Rule("flag", doc=doc))


def text(default: str | None = None, *, doc: str = "") -> Any:
    """Any text."""
    return _field(default, Rule("text", doc=doc))


def texts(default: Sequence[str] | None = None, *, doc: str = "") -> Any:
    """A list of words."""
    return _field(None if default is None else tuple(default), Rule("texts", doc=doc))


def color(default: str, *, doc: str = "") -> Any:
    """A colour written as in style sheets; the spec holds red, green, blue as 0..1."""
    return _field(_hex_to_rgb(default), Rule("color", doc=doc))


def keys_of(kind: type) -> dict[str, tuple[str, Rule]]:
    """File key -> (field name, rule) for a spec class."""
    rules = {item.name: item.metadata["rule"] for item in fields(kind) if "rule" in item.metadata}
    return {f"{name}_{rule.unit}" if rule.unit else name: (name, rule) for name, rule in rules.items()}


def read_table(kind: type[Spec], table: Any, file: str, name: str, error: type[DefinitionError]) -> Spec:
    """Build a spec from a table of a data file, or raise one clear error. Keys in ``FORMER`` of a spec count no more.

    Example::

        legs = read_table(LegSpec, tables["legs"], "ant.toml", "legs", SpeciesError)
    """
    if not isinstance(table, Mapping):
        raise error(file, name, "", table, "a table of keys")
    known = keys_of(kind)
    values: dict[str, Any] = {}
    for key, value in {**_profile_of(kind, table), **table}.items():
        if key in getattr(kind, "FORMER", ()):
            continue  # saves of older versions have such keys in the species that they bring along
        if key not in known:
            raise error(file, name, str(key), value, one_of(key, known))
        field_name, rule = known[key]
        values[field_name] = _read_value(rule, value, error, (file, name, key))
    for item in fields(kind):  # type: ignore[arg-type]
        if item.default is MISSING and item.name not in values and "rule" in item.metadata:
            rule = item.metadata["rule"]
            key = f"{item.name}_{rule.unit}" if rule.unit else item.name
            raise error(file, name, key, "missing", f"{rule.allowed} (this key has no default)")
    return kind(**values)


def _profile_of(kind: type, table: Mapping[str, Any]) -> Mapping[str, Any]:
    """The keys and values that the table's profile stands for."""
    for item in fields(kind):
        if "profiles" in item.metadata and isinstance(chosen := table.get(item.name), str):
            return item.metadata["profiles"].get(chosen, {})
    return {}


def _field(default: Any, rule: Rule) -> Any:
    metadata = {"rule": rule}
    if default is None:
        return field(metadata=metadata)
    return field(default=_convert(rule, default), metadata=metadata)


def _read_value(rule: Rule, value: Any, error: type[DefinitionError], place: tuple[str, str, str]) -> Any:
    if not _fits(rule, value):
        raise error(*place, value, rule.allowed)
    if rule.kind == "color":
        return _hex_to_rgb(value)
    return _convert(rule, value)


def _fits(rule: Rule, value: Any) -> bool:
    if rule.kind in ("numbers", "integers", "texts"):
        return (
            isinstance(value, (list, tuple))
            and (rule.length <= len(value) <= max(rule.length, rule.longest) if rule.length else len(value) <= MOST_ITEMS)
            and all(_fits(rule._replace(kind=rule.kind[:-1]), item) for item in value)
        )
    if rule.kind in ("choice", "profile"):
        return value in rule.options
    if rule.kind == "flag":
        return isinstance(value, bool)
    if rule.kind == "text":
        return isinstance(value, str) and len(value) <= LONGEST_TEXT
    if rule.kind == "color":
        return _is_color(value)
    wanted = (int,) if rule.kind == "integer" else (int, float)
    if isinstance(value, bool) or not isinstance(value, wanted):
        return False
    return bool(value > rule.low if rule.above else value >= rule.low) and value <= rule.high  # false for NaN


def _convert(rule: Rule, value: Any) -> Any:
    if rule.kind in ("numbers", "integers", "texts"):
        return tuple(_convert(rule._replace(kind=rule.kind[:-1]), item) for item in value)
    if rule.kind == "number":
        return math.radians(value) if rule.unit.startswith("deg") else float(value)
    return value


def _is_color(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 7 and value[0] == "#" and all(
        digit in "0123456789abcdefABCDEF" for digit in value[1:]
    )


def _hex_to_rgb(value: str) -> tuple[float, float, float]:
    return int(value[1:3], 16) / 255, int(value[3:5], 16) / 255, int(value[5:7], 16) / 255
