"""Every key of species and map files at the ends of its range and just outside, generated from the specs themselves.

At an end a file works, or is refused with the limit that follows from its other keys; just outside it is refused. A key
without an end is a failure too: somebody will write 1e300 there. After all keys one by one come random pairs of ends.
"""

from __future__ import annotations

import copy
import math
import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

from paludarium import World
from paludarium.engine.maps import LISTS, TABLES, Map
from paludarium.engine.spec import Rule, keys_of
from paludarium.engine.water.pond import Pond

from .damage import Chance, toml_text
from .file_cases import SMALL, Case, Files, lives
from .outcome import REFUSED, ROOT, steps_finite, what_became_of

HOSTS = {"eyes": "mind", "reactions": "brain", "ganglia": "gait"}
"""Tables that no shipped species writes, and one that those have who may have them."""


class End(NamedTuple):
    """A key of a table of a kind of file, with a value at or beyond an end of its range; None: there is no end."""

    file: str
    table: str
    key: str
    value: Any
    allowed: bool


class Extremes(Files):
    """One file per end; the file that it is written into has the part it belongs to."""

    def prepare(self) -> None:
        texts = [file.read_text() for file in sorted((ROOT / "assets" / "species").glob("*.toml"))]
        self.species = [tomllib.loads(text) for text in texts]
        world = World(seed=1)
        self.ends = [*species_ends(world), *map_ends()]
        self.alone = [tables for tables in self.species if "inherits" not in tables]
        self.ground = Map.define(**{**SMALL, "creatures": [], "food": [], "obstacles": []})
        World(seed=1, map=self.ground).spawn("swimmer", at=(11.0, 0.0))

    def case(self, chance: Chance) -> Case:
        if self.number < len(self.ends):
            return self.case_of([self.ends[self.number]])
        file = str(chance.choice(["species", "map"]))
        ends = [end for end in self.ends if end.file == file and end.allowed and end.value is not None]
        if file == "species":  # keys that one animal has together
            tables = self.alone[int(chance.integers(len(self.alone)))]
            ends = [end for end in ends if end.table in tables]
        return self.case_of([ends[int(chance.integers(len(ends)))] for _ in range(2)])

    def case_of(self, ends: list[End]) -> Case:
        text = ", ".join(f"[{end.table}] {end.key} = {str(end.value)[:40]}" for end in ends)
        missing = [end for end in ends if end.value is None]
        if missing:
            return Case(text, lambda: f"no limit: [{missing[0].table}] {missing[0].key}")
        tables = self.tables_for(ends)
        self.file.write_text(toml_text(tables))
        use = self.use_species if ends[0].file == "species" else self.use_map
        if all(end.allowed for end in ends):
            return Case(text, use)

        def outside() -> str | None:
            outcome = what_became_of(use)
            if outcome == REFUSED:
                return REFUSED
            return f"just outside, yet taken: [{ends[0].table}] {ends[0].key}" if outcome == "loaded" else outcome

        return Case(f"{text} (outside)", outside)

    def tables_for(self, ends: list[End]) -> dict[str, Any]:
        if ends[0].file == "map":
            tables = copy.deepcopy(SMALL)
            for end in ends:
                holder = tables.setdefault(end.table, {} if end.table in TABLES else [{}])
                (holder if end.table in TABLES else holder[0])[end.key] = end.value
            return tables
        fitting = [tables for tables in self.alone if all(end.table in tables for end in ends)]
        tables = copy.deepcopy(fitting[0] if fitting else self.first_with(HOSTS[ends[0].table]))
        for end in ends:
            tables.setdefault(end.table, {})[end.key] = end.value
        if any(end.table == "ganglia" for end in ends):
            tables = {name: table for name, table in tables.items() if name not in ("brain", "antennae", "vision")}
        return tables

    def first_with(self, table: str) -> dict[str, Any]:
        return next(tables for tables in self.alone if table in tables)

    def use_species(self) -> str | None:
        return lives(World(seed=1, map=self.ground), self.file)

    def use_map(self) -> str | None:
        return steps_finite(World(seed=1, map=self.file), unrepaired=True)


def species_ends(world: World) -> Iterator[End]:
    for name, part in world.parts.items():
        for key, (_, rule) in keys_of(part.spec).items():
            for value, allowed in ends_of(rule):
                yield End("species", name, key, value, allowed)


def map_ends() -> Iterator[End]:
    for name, kind in [*TABLES.items(), *LISTS.items(), ("water", Pond)]:
        for key, (_, rule) in keys_of(kind).items():
            for value, allowed in ends_of(rule):
                yield End("map", name, key, value, allowed)


def ends_of(rule: Rule) -> Iterator[tuple[Any, bool]]:
    """Values at the ends of a range and just beyond them, and whether they are allowed."""
    if rule.kind in ("choice", "profile"):
        yield from ((option, True) for option in rule.options)
    elif rule.kind == "flag":
        yield from ((True, True), (False, True))
    elif rule.kind in ("number", "numbers", "integer", "integers"):
        whole = rule.kind.startswith("integer")
        for end, out in ((rule.low, -math.inf), (rule.high, math.inf)):
            if math.isinf(end):
                yield None, True
                continue
            beyond = int(end) + (1 if out > 0 else -1) if whole else math.nextafter(end, out)
            inside = int(end) if whole else float(end)
            if rule.above and out < 0:
                inside, beyond = math.nextafter(end, math.inf), end
            yield _as_many(rule, inside), True
            yield _as_many(rule, beyond), False


def _as_many(rule: Rule, value: Any) -> Any:
    return [value] * (rule.length or 2) if rule.kind.endswith("s") else value
