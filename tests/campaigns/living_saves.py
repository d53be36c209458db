"""Sealed saves that load are lived in: whatever was changed in one, 600 ticks go by without an error and at a usual pace.

Columns take turns, so that every one is changed in every run of some length: to the ends of what its declaration allows, to
wild numbers, and to what another row holds; in one row or in all.
"""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np

from paludarium import World
from paludarium.components.parameters import ParametersOf, ranges_of
from paludarium.engine.column_rules import Codes, Within, rule_of
from paludarium.engine.pool import NO_OWNER
from paludarium.engine.spec import keys_of

from .damage import Chance
from .file_cases import Case, Original, RawSaves, lively_world
from .outcome import first_fault, survived_problems
from .sealed_saves import WILD_FLOATS, WILD_NUMBERS, changed_save, seal

TICKS = 600
"""That a world must live after it was loaded."""
USUAL_TICKS = 120
"""Of a world as it was saved, that say how long so many take."""
CRAWL = 20.0
"""Times the CPU time of the world as it was saved: it crawls."""
INNER = (*(value for value in WILD_FLOATS if np.isfinite(value)), 1e-3, 0.1, 2.0, 10.0, 100.0, 1e4, 1e6, 1e7, -1e7)
"""Numbers to write where no range says more."""
NUMBERS = ("number", "numbers", "integer", "integers")
SPARE_SECONDS = 3.0
"""CPU time that it may take beside that: a kernel may have to be compiled."""
HEADER_SHARE = 0.1
"""Of cases that change the header, or anything at random."""
SPECIES_SHARE = 0.2
"""Of cases that change what a species is, to the ends of what its keys allow."""
MOST_KEYS = 3
"""Of a species that are changed at once."""
ALL_ROWS = 0.4
"""Share of changes to all rows at once."""


def world_of_all_families() -> World:
    """A small world with one of everything that a save holds: all families, tiers and orders."""
    world = lively_world()
    world.spawn("eel", at=(-6.0, -3.0)).goto((4.0, 4.0))
    world.spawn("giant_centipede", at=(20.0, -10.0), tier="bush")
    world.spawn("stone_centipede", at=(22.0, 20.0), tier="follow")
    world.spawn("ground_beetle", at=(24.0, -24.0)).push((0.0, 0.0, 3.0))
    world.spawn("silverside", at=(2.0, 1.0), count=3, spread=2.0)
    world.step(10)
    return world


def _tables(found: Any) -> list[dict[str, Any]]:
    """The tables of one name in a species: one, several, or none."""
    return [table for table in (found if isinstance(found, list) else [found]) if isinstance(table, dict)]


class LivingSaves(RawSaves):
    """Saves whose checksum is right and whose content was changed, to be lived in."""

    small = staticmethod(world_of_all_families)

    def prepare(self) -> None:
        self.known, self.seconds = dict[str, Original](), dict[str, float]()
        world = World()
        for family in world.families:
            world.families.require(family)
        self.parts = {name: part.spec for name, part in world.parts.items()}
        self.rules = {name: pool.columns for name, pool in world.pools.items()}
        self.original("")

    def usual(self, whole: Original) -> float:
        """CPU seconds that the world takes as it was saved."""
        if whole.name not in self.seconds:
            self.seconds[whole.name] = min(self.seconds_of(World.load(whole.file)) for _ in range(2))
        return self.seconds[whole.name]

    def seconds_of(self, world: World) -> float:
        begin = time.process_time()
        world.step(USUAL_TICKS)
        return (time.process_time() - begin) * TICKS / USUAL_TICKS

    def case(self, chance: Chance) -> Case:
        self.whole = whole = self.chosen(chance)
        self.usual(whole)
        deed = chance.random()
        if deed < HEADER_SHARE:
            header, arrays, words = changed_save(chance, whole.header, whole.arrays)
        elif deed < HEADER_SHARE + SPECIES_SHARE:
            arrays, (header, words) = whole.arrays, self.with_other_species(chance)
        else:
            header, arrays, words = whole.header, list(whole.arrays), ""
            filled = [place for place, array in enumerate(arrays) if array.size]
            place = filled[np.random.default_rng(0).permutation(len(filled))[self.number % len(filled)]]
            arrays[place], words = self.changed(chance, place)
        seal(self.file, header, arrays)
        return Case(f"{whole.name}: {words}", self.use)

    def with_other_species(self, chance: Chance) -> tuple[dict[str, Any], str]:
        """The header with some keys of a species at the ends of what they may be; and what was done."""
        header, words = json.loads(json.dumps(self.whole.header)), []
        key = str(chance.choice(sorted(header["species"])))
        tables = header["species"][key]
        kinds = [(name, table) for name, spec in self.parts.items() for table in _tables(tables.get(name)) if keys_of(spec)]
        for _ in range(int(chance.integers(1, MOST_KEYS + 1))):
            name, table = kinds[int(chance.integers(len(kinds)))]
            known = [(file_key, rule) for file_key, (_, rule) in keys_of(self.parts[name]).items() if rule.kind in NUMBERS]
            if known:
                file_key, rule = known[int(chance.integers(len(known)))]
                end = float(chance.choice([rule.low, rule.high])) * (1.0 + 1e-9 * rule.above)
                value = int(end) if rule.kind.startswith("integer") else end
                table[file_key] = [value] * len(table.get(file_key, [0] * rule.length)) if rule.kind.endswith("s") else value
                words.append(f"{key}.{name}.{file_key} = {end:g}")
        return header, "; ".join(words)

    def changed(self, chance: Chance, place: int) -> tuple[np.ndarray, str]:
        """One array with other values in it, and what was done."""
        owner, column, _, _ = self.whole.header["arrays"][place]
        array = self.whole.arrays[place].copy()
        declared = self.rules.get(owner, {}).get(column)
        values, words = self.values(chance, array, declared)
        if array.ndim and chance.random() < ALL_ROWS:
            array[...] = values
            return array, f"{owner}.{column} = {words}"
        owned = np.flatnonzero(self.owners().get(owner, np.zeros(0)) != NO_OWNER)
        row = int(chance.choice(owned) if owned.size and owned[-1] < len(array) else chance.integers(len(array)))
        array[row] = np.broadcast_to(values, array.shape)[row]
        return array, f"{owner}.{column}[{row}] = {words}"

    def owners(self) -> dict[str, np.ndarray]:
        """Whose the rows are, by pool."""
        whole = self.whole
        return {owner: array for (owner, column, _, _), array in zip(whole.header["arrays"], whole.arrays, strict=True)
                if column == "owner"}  # fmt: skip

    def values(self, chance: Chance, array: np.ndarray, declared: Any) -> tuple[Any, str]:
        """What to write, for one row or for a single number, and how it is told."""
        rule = rule_of(declared.holds, declared.dtype) if declared is not None else None
        deed = chance.random()
        if deed < 0.15 and len(array) > 1:
            other = int(chance.integers(len(array)))
            return array[other].copy(), f"that of row {other}"
        if isinstance(rule, ParametersOf):
            low, high = np.array(ranges_of(rule.spec)).T
            key = int(chance.integers(array.shape[-1]))
            values = array.copy()
            values[..., key] = (low, high)[int(chance.integers(2))][key]
            return values, f"key {key} at an end"
        if array.dtype.kind == "f":
            ends = [rule.low, rule.high] if isinstance(rule, Within) else []
            value = float(chance.choice(ends if ends and deed < 0.7 else INNER))
        else:
            limits = np.iinfo(array.dtype)
            most = rule.count if isinstance(rule, Codes) and isinstance(rule.count, int) else 0
            value = int(chance.integers(most)) if most else int(chance.choice(np.array(WILD_NUMBERS, np.int64)))
            value = min(max(value, int(limits.min)), int(limits.max))
        if array.ndim < 2 or chance.random() < 0.5:
            return value, repr(value)
        values, at = array.copy(), int(chance.integers(array[0].size))
        values.reshape(len(array), -1)[:, at] = value
        return values, f"{value!r} at {at}"

    def use(self) -> str | None:
        world = World.load(self.file)
        survived = survived_problems(world)
        usual = self.usual(self.whole)
        begin, most = time.process_time(), CRAWL * usual
        for tick in range(TICKS):
            world.step()
            spent = time.process_time() - begin
            if spent > most * (tick + 1) / TICKS + SPARE_SECONDS:
                return f"crawls, {TICKS * spent / (tick + 1) / usual:.0f} times as slow after {tick + 1} ticks"
        return first_fault(world) or (f"{survived[0].kind}: {survived[0].values}" if survived else None)
