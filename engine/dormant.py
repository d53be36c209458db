"""What a world keeps for mods that were not given when it was loaded, until a later load has them again.

``World.load(path, missing="dormant")`` goes on without a mod. Animals that cannot be without it (their family is its own, or
their tables make no sense) are not in the world, and their rows are given to nobody else. Animals of ours that only have
a part of it go on without the part. All of that, its pools, its states and its events, is kept as it was read, looked at for
shape and size only, and written into every save: such a file is as if the mod had been there and had done nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import PaludariumError, SnapshotError, shortened
from .name_codes import merged_names, names_of_codes, renumber
from .older_saves import Saved
from .pool import NO_OWNER, Array, Pool
from .save_checks import check_shape, plain_rows
from .species import PLAIN_KEYS

if TYPE_CHECKING:
    from .save_header import SaveHeader
    from .world import World

Columns = dict[str, Array]


@dataclass
class Dormant:
    """Everything that waits for mods that are not there.

    Example::

        world = World.load("garden.palu", missing="dormant")
        if world.mods.dormant:
            print("without", *world.mods.dormant.mods, "these sleep:", *world.mods.dormant.names)
    """

    mods: list[str]
    """Names of the plugins that were not given."""
    plugins: list[str]
    """Names of all plugins of the save, in the order in which they are to be installed."""
    families: list[str]
    formats: dict[str, int]
    codes: dict[str, list[str]]
    """The names behind the numbers in `rows`, see `name_codes`."""
    species: dict[str, dict[str, Any]] = field(default_factory=dict)
    creatures: list[list[Any]] = field(default_factory=list)
    """Those that sleep, as a header tells of them."""
    parts: dict[int, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    """By serial number of an animal that goes on: its species, and its rows of parts that nobody knows."""
    events: list[tuple[int, list[Any]]] = field(default_factory=list)
    """With their places in the queue."""
    arrays: Saved = field(default_factory=dict)
    """Pools and states that nobody knows."""
    rows: dict[str, Columns] = field(default_factory=dict)
    """Of pools that are known: what belongs to those that sleep, and things of a kind that nobody knows."""
    replaced: list[tuple[str, str, Array, Array]] = field(default_factory=list)
    """Pool, column, rows and values of numbers for which nobody knows the name; they hold until the next tick."""
    tick: int = 0

    @property
    def names(self) -> list[str]:
        """The names of the animals that sleep."""
        return [name for _, _, name, _ in self.creatures]

    def hashed(self) -> tuple[list[Any], list[Array]]:
        """What a hash of the world takes from it: plain data, and arrays."""
        tables = [*sorted(self.arrays.items()), *sorted(self.rows.items())]
        plain = [self.mods, self.species, self.creatures, sorted(self.parts.items()), [event for _, event in self.events]]
        return plain, [columns[name] for _, columns in tables for name in sorted(columns)]

    def forget_gone(self, world: World) -> None:
        """Let go of parts of animals that have left the world since, or are of another species because they were cut."""
        gone = {serial for serial, (species, _) in self.parts.items()
                if serial not in world.creatures or world.creatures[serial].species.key != species}  # fmt: skip
        self.parts = {serial: part for serial, part in self.parts.items() if serial not in gone}
        self.arrays = {owner: _without(columns, gone) for owner, columns in self.arrays.items()}
        used = {entry[1] for entry in self.creatures} | {event[4][0] for _, event in self.events if len(event) == 5}
        used |= {species for species, _ in self.parts.values()}
        self.species = {key: source for key, source in self.species.items() if key in used}


def leave_out(world: World, header: SaveHeader, saved: Saved, pools: Saved, mods: list[str], place: str) -> tuple[
        SaveHeader, Dormant]:  # fmt: skip
    """Take out of a save what needs plugins that are not there; `pools` keeps the rest. Returns the header of the rest."""
    known = world.pools.keys() | world.states.keys()
    unknown = sorted(saved.keys() - known)
    families = [name for name in header.families if name not in world.families]
    formats = {name: header.formats[name] for name in unknown if name in header.formats}
    codes = {**names_of_codes(world), **header.codes}
    dormant = Dormant(mods, header.origin.plugins, families, formats, codes, tick=header.clock[0])
    dormant.arrays = {name: saved[name] for name in unknown}
    species, reduced = {}, {}
    for key, source in header.species.items():
        reduced[key] = {name: table for name, table in source.items() if name in PLAIN_KEYS or name in world.parts}
        try:
            world.species.build(key, reduced[key], place)
            species[key] = reduced[key]
        except PaludariumError:
            dormant.species[key] = source
    creatures, asleep = [], set()
    for entry in header.creatures:
        serial, key, name, rows = entry
        lost = {part: row for part, row in rows.items() if part != "creature" and part not in world.parts}
        for part, row in rows.items():
            plain_rows(row, f"{name}: {part}")
        if key in dormant.species:
            dormant.creatures.append(entry)
            asleep.add(serial)
        else:
            creatures.append([serial, key, name, {part: row for part, row in rows.items() if part not in lost}])
        if lost and key not in dormant.species:
            dormant.parts[serial] = (key, lost)
    for key, source in header.species.items():
        if key in species and species[key] != source:
            dormant.species[key] = source
    _check_serials(header)
    for name, columns in pools.items():
        check_shape(world.pools[name], name, columns)
    _take_rows(world, pools, asleep, header.codes, dormant)
    events = []
    for number, event in enumerate(header.events):
        sleeps = event[0] not in world.events or event[2] in asleep or (len(event) == 5 and event[4][0] not in species)
        if sleeps:
            dormant.events.append((number, event))
        else:
            events.append(event)
    left = header._replace(families=[name for name in header.families if name not in families], species=species,
                           creatures=creatures, events=events)  # fmt: skip
    return left, dormant


def _check_serials(header: SaveHeader) -> None:
    serials = [entry[0] for entry in header.creatures]
    if len(set(serials)) != len(serials) or any(serial >= header.next_serial for serial in serials):
        raise SnapshotError(f"creatures have the serial numbers {shortened(sorted(serials))}: "
                            f"allowed are different ones below {header.next_serial}")  # fmt: skip


def _take_rows(world: World, pools: Saved, asleep: set[int], codes: dict[str, list[str]], dormant: Dormant) -> None:
    """Take the rows of those that sleep out of the pools, and what has a number whose name nobody knows."""
    for name, columns in pools.items():
        pool, spans = world.pools[name], columns["spans"]
        taken = np.isin(columns["owner"][spans[:, 0]], sorted(asleep))
        for column, names in names_of_codes(world, name).items():
            then = codes.get(f"{name}.{column}", names)
            numbers = columns[column][spans[:, 0]]
            bad = np.isin(numbers, [k for k, word in enumerate(then) if word not in names]) | (numbers >= len(then))
            things = columns["owner"][spans[:, 0]] == 0
            taken |= bad & things
            rows = spans[bad & ~things & ~taken, 0]
            if rows.size:
                dormant.replaced.append((name, column, rows, columns[column][rows]))
                columns[column] = columns[column].copy()
                columns[column][rows] = pool.columns[column].fill
        if taken.any():
            pools[name], dormant.rows[name] = _divided(pool, columns, taken)


def _divided(pool: Pool, columns: Columns, taken: Array) -> tuple[Columns, Columns]:
    """The columns without some spans, and these."""
    spans = columns["spans"]
    rows = rows_of(spans[taken])
    out = {name: columns[name][rows] for name in pool.columns} | {"spans": spans[taken]}
    kept = spans[~taken]
    end = int(kept[-1].sum()) if len(kept) else 0
    left = {name: columns[name][:end].copy() for name in pool.columns}
    left["owner"][rows[rows < end]] = NO_OWNER
    return {**left, "generation": columns["generation"], "spans": kept}, out


def rows_of(spans: Array) -> Array:
    """The numbers of all rows of some spans."""
    return np.concatenate([np.zeros(0, np.int64), *(np.arange(start, start + count) for start, count in spans.tolist())])


def merged(world: World, header: dict[str, Any], arrays: list[Array]) -> tuple[dict[str, Any], list[Array]]:
    """The header and the arrays of a save of a world, with everything that sleeps in it."""
    dormant = world.mods.dormant
    assert dormant is not None
    dormant.forget_gone(world)
    found: Saved = {}
    for (owner, column, _, _), array in zip(header["arrays"], arrays, strict=True):
        found.setdefault(owner, {})[column] = array
    codes = merged_names(dormant.codes, header["codes"])
    for owner in found.keys() & world.pools.keys():
        renumber(found[owner], owner, header["codes"], codes)
    if world.tick == dormant.tick:
        for owner, column, rows, values in dormant.replaced:
            found[owner][column] = found[owner][column].copy()
            found[owner][column][rows] = values
    for owner, taken in dormant.rows.items():
        found[owner] = _joined(found[owner], taken)
    found |= dormant.arrays
    creatures = [[serial, species, name, {**rows, **dormant.parts.get(serial, ("", {}))[1]}]
                 for serial, species, name, rows in header["creatures"]]  # fmt: skip
    events = list(header["events"])
    for number, event in dormant.events:
        events.insert(number, event)
    listed = [(owner, column, array) for owner, columns in found.items() for column, array in columns.items()]
    told = {
        **header,
        "plugins": [*dormant.plugins, *(name for name in header["plugins"] if name not in dormant.plugins)],
        "families": sorted({*header["families"], *dormant.families}),
        "formats": {**header["formats"], **dormant.formats},
        "codes": codes,
        "events": events,
        "species": {**header["species"], **dormant.species},
        "creatures": sorted([*creatures, *dormant.creatures], key=lambda entry: int(entry[0])),
        "arrays": [[owner, column, array.dtype.str, list(array.shape)] for owner, column, array in listed],
    }
    return told, [array for _, _, array in listed]


def _joined(columns: Columns, taken: Columns) -> Columns:
    """Columns of a pool with the rows that were taken out of it, at their places."""
    spans, rows = np.concatenate([columns["spans"], taken["spans"]]), rows_of(taken["spans"])
    end = max(len(columns["owner"]), int(rows[-1]) + 1)
    whole: Columns = {}
    for name, values in columns.items():
        if name in ("generation", "spans"):
            continue
        whole[name] = np.full((end, *values.shape[1:]), NO_OWNER if name == "owner" else 0, values.dtype)
        whole[name][: len(values)] = values
        whole[name][rows] = taken[name]
    return {**whole, "generation": columns["generation"], "spans": spans[np.argsort(spans[:, 0], kind="stable")]}


def _without(columns: Columns, gone: Iterable[int]) -> Columns:
    """A pool that nobody knows without the rows of animals that have left the world since; a state as it is."""
    wrong = np.isin(columns["owner"], sorted(gone)) if "owner" in columns and "spans" in columns else np.zeros(0, np.bool_)
    if not wrong.any():
        return columns
    kept = columns["spans"][~wrong[columns["spans"][:, 0]]]
    end = int(kept[-1].sum()) if len(kept) else 0
    owner = np.where(wrong, NO_OWNER, columns["owner"]).astype(columns["owner"].dtype)
    generation = columns["generation"].copy()
    generation[: len(wrong)][wrong] += 1
    cut = {name: values[:end] for name, values in columns.items() if name not in ("generation", "spans", "owner")}
    return {**cut, "owner": owner[:end], "generation": generation, "spans": kept}
