"""Saving, loading and hashing a whole world. One file: a header in JSON, the arrays, and a checksum. No pickle.

Layout: magic (8 bytes), format version (uint32), header length (uint64), header, array bytes, blake2b of all before.
Every pool has a format of its own in the header: older ones are brought up to date by what their columns declare.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import arguments
from .creature import Creature
from .dormant import leave_out, merged
from .errors import SnapshotError, shortened, suggest
from .events import Event
from .file_reading import read_limited
from .files import path_of, written_whole
from .lifecycle import enter
from .made_by import told_with_version, version
from .mod_check import mend_before_saving
from .name_codes import names_of_codes, renumber
from .older_saves import Saved, add_newer_parts, bring_up_to_date
from .plain_data import parsed, told_as
from .plugins import chosen, divided
from .pool import NO_OWNER, Array
from .renewal import renew
from .save_checks import SavedCreature, check_creatures, check_pools, plain_rows
from .save_header import SaveHeader, checked_header
from .saved_maps import map_of_save, map_to_save

if TYPE_CHECKING:
    from .plugins import Plugin
    from .species import Species
    from .world import World

AnyWorld = TypeVar("AnyWorld", bound="World")

MAGIC = b"PALUDARI"
FORMAT_VERSION = 2
REFUSE, DORMANT = MISSING = ("refuse", "dormant")
"""What to do about plugins that a save names and nobody gave: an error, or what needs them sleeps until they are there."""
FIRST_FAMILIES = ("myriapod",)
"""Whose systems a save of format 1 had: there were no others."""
PREFIX = struct.Struct("<8sIQ")
DIGEST_BYTES = 32
MOST_BYTES = 2**31
"""Of a save; nothing in it is compressed, so this is also what it takes in memory."""


def save(world: World, path: str | Path) -> None:
    """Write the world to a file. The old file stays whole until the new one is complete on disk."""
    if world.stepping:
        raise SnapshotError(f"{path}: a world cannot be saved within a tick: allowed is between two of them")
    mend_before_saving(world)
    with told_as(SnapshotError, str(path)):
        content = pieces(*describe(world))
    with written_whole(path, SnapshotError, private=True) as file:
        file.writelines(content)


def pieces(header: dict[str, Any], arrays: list[Array]) -> list[bytes]:
    """The bytes of a save, piece by piece, of what `describe` tells of a world."""
    text = json.dumps(header, sort_keys=True, allow_nan=False).encode()
    written = [PREFIX.pack(MAGIC, FORMAT_VERSION, len(text)), text, *(array.tobytes() for array in arrays)]
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for piece in written:
        digest.update(piece)
    return [*written, digest.digest()]


def load(kind: type[AnyWorld], path: str | Path, plugins: Sequence[Plugin], missing: str = REFUSE,
         meshes: str | Path | None = None) -> AnyWorld:  # fmt: skip
    """Build a world from a file; everything is checked before anything is built. Nothing that a file names is imported, and
    nothing opened but a mesh in the folder `meshes`."""
    path = path_of(path, SnapshotError)
    return world_of(kind, read_limited(path, MOST_BYTES, SnapshotError), str(path), plugins, missing, meshes)


def world_of(
    kind: type[AnyWorld], content: bytes, place: str, plugins: Sequence[Plugin], missing: str = REFUSE,
    meshes: str | Path | None = None,
) -> AnyWorld:
    """Build a world from the bytes of a save; errors name the place where they come from.

    missing: what to do about plugins that the save names and nobody gave, one of `MISSING`.
    """
    arguments.choice("missing", missing, MISSING)
    with told_as(SnapshotError, place):
        header, arrays = _read(content)
        origin = header.origin
        known, unknown = divided(origin.plugins, plugins)
        if unknown and missing == REFUSE:
            chosen(origin.plugins, plugins, SnapshotError, ', or go on without them, with missing="dormant"')
        with told_with_version(origin.version, SnapshotError):
            world = kind(
                seed=origin.seed,
                map=map_of_save(origin, meshes, SnapshotError),
                tick_rate=origin.tick_rate,
                precision=origin.precision,
                plugins=known,
                populate=False,
            )
            _restore(world, header, arrays, place, unknown)
    return world


def state_hash(world: World) -> str:
    """A hex digest over all live state: equal digests mean equal futures."""
    digest = hashlib.blake2b(digest_size=16)
    with told_as(SnapshotError, "state_hash"):
        events = _as_read([_plain_event(event) for event in world.events.queue])
        plain = [world.seed, world.tick, world.next_serial, world.streams.state(), events]
        digest.update(json.dumps(plain, sort_keys=True).encode())
    for name, pool in sorted(world.pools.items()):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(pool.spans).tobytes())
        for column in sorted(pool.columns):
            digest.update(np.ascontiguousarray(pool.live(column)).tobytes())
    for _, owner in sorted(world.states.items()):  # by name: families bring theirs in the order of their births
        for array in owner.state().values():
            digest.update(array.tobytes())
    if world.mods.dormant is not None:
        world.mods.dormant.forget_gone(world)
        asleep, arrays = world.mods.dormant.hashed()
        digest.update(json.dumps(asleep, sort_keys=True).encode())
        for array in arrays:
            digest.update(array.tobytes())
    return digest.hexdigest()


def describe(world: World) -> tuple[dict[str, Any], list[Array]]:
    """The header of a save, and all arrays in the order in which its entry ``arrays`` lists them."""
    arrays: list[Array] = []
    table = []
    pools = [(name, pool.arrays()) for name, pool in sorted(world.pools.items())]
    for owner, named in [*pools, *((name, state.state().items()) for name, state in sorted(world.states.items()))]:
        for column, array in named:
            array = np.ascontiguousarray(array)
            arrays.append(array)
            table.append([owner, column, _kind_of_numbers(array.dtype), list(array.shape)])
    clock = world.clock
    gone = [event.creature for event in world.events.queue if event.creature is not None and not event.creature.in_world]
    header = {
        "version": version(),
        "seed": world.seed,
        "map": map_to_save(world),
        "map_file": world.map.file,
        "tick_rate": world.tick_rate,
        "precision": world.precision,
        "plugins": world.plugins,
        "families": sorted(world.families.loaded),
        "formats": {name: pool.format for name, pool in world.pools.items()},
        "codes": names_of_codes(world),
        "clock": [clock.tick, clock.scale, clock.paused, clock.waiting_seconds],
        "next_serial": world.next_serial,
        "streams": world.streams.state(),
        "events": [_plain_event(event) for event in world.events.queue],
        "species": {c.species.key: c.species.source for c in [*gone, *world.creatures.values()]},
        "creatures": [[c.serial, c.species.key, c.name, {n: list(r) for n, r in c.rows.items()}]
                      for c in world.creatures.values()],
        "arrays": table,
    }
    if world.mods.dormant is not None:
        header, arrays = merged(world, header, arrays)
    listed = header.pop("arrays")  # hundreds of lists of texts and numbers, which are plain already
    return {**_as_read(header), "arrays": listed}, arrays


def _read(content: bytes) -> tuple[SaveHeader, list[Array]]:
    if len(content) < PREFIX.size + DIGEST_BYTES or content[:8] != MAGIC:
        raise SnapshotError("is not a saved world, or only its beginning")
    _, file_format, header_length = PREFIX.unpack_from(content)
    if not 1 <= file_format <= FORMAT_VERSION:
        raise SnapshotError(f"has format {file_format}, this version of paludarium reads up to {FORMAT_VERSION}")
    body, digest = memoryview(content)[:-DIGEST_BYTES], content[-DIGEST_BYTES:]
    if hashlib.blake2b(body, digest_size=DIGEST_BYTES).digest() != digest:
        raise SnapshotError("is truncated or corrupted (the checksum does not match)")
    start = PREFIX.size + header_length
    if start > len(body):
        raise SnapshotError(f"has a header of {header_length} bytes: allowed are at most {len(body) - PREFIX.size}")
    header = checked_header(parsed(bytes(body[PREFIX.size : start]), SnapshotError), FIRST_FAMILIES)
    arrays = []
    for owner, column, dtype, shape in header.arrays:
        count, kind = math.prod(shape), np.dtype(dtype)
        if start + count * kind.itemsize > len(body):
            raise SnapshotError(f"{owner}.{column} has the shape {shape}, which reaches beyond the end of the file")
        values = np.frombuffer(body, dtype=kind, count=count, offset=start) if count else np.zeros(0, kind)
        arrays.append(values.reshape(shape))
        start += count * kind.itemsize
    if start != len(body):
        raise SnapshotError(f"holds {len(body) - start} bytes that are in no array")
    return header, arrays


def _restore(world: World, header: SaveHeader, arrays: list[Array], place: str, missing: Sequence[str] = ()) -> None:
    saved: Saved = {}
    for (owner, column, _, _), array in zip(header.arrays, arrays, strict=True):
        if column in saved.setdefault(owner, {}):
            raise SnapshotError(f"{owner}.{column} comes twice")
        saved[owner][column] = array
    for family in header.families:
        if family in world.families:
            world.families.require(family)
        elif not missing:
            raise SnapshotError(f"was saved with the family {shortened(family)}, which no installed plugin knows")
    pools = _pools_of(world, header, saved, place, bool(missing))
    if missing:
        header, world.mods.dormant = leave_out(world, header, saved, pools, list(missing), place)
    names = names_of_codes(world)
    for name, columns in pools.items():
        renumber(columns, name, header.codes, names)
    check_pools(world, pools)
    species = {key: world.species.build(key, source, place) for key, source in header.species.items()}
    creatures = [_creature(entry, species) for entry in header.creatures]
    check_creatures(world, creatures, header.next_serial, pools)
    events = [_event(world, entry, species) for entry in header.events]
    for name in saved.keys() & world.pools.keys():
        world.pools[name].restore(pools[name])
    if world.mods.dormant is not None:
        for name, columns in world.mods.dormant.rows.items():
            world.pools[name].set_aside(columns["spans"])
    _restore_states(world, saved)  # after the pools: states may name rows, and check that these are what they say
    clock = world.clock
    clock.tick, clock.scale, clock.paused, clock.waiting_seconds = header.clock
    world.next_serial = header.next_serial
    world.streams.restore(header.streams)
    _enter_all(world, creatures, saved, place)
    for event, serial in events:
        world.events.queue.append(replace(event, creature=world.creatures.get(serial, event.creature)))


def _enter_all(world: World, saved_creatures: list[SavedCreature], saved: Saved, place: str) -> None:
    """Bring the creatures of a save into the world; what moved to parts that they had not yet is checked as all the rest."""
    creatures = [Creature(world, one.serial, one.species, dict(one.rows)) for one in saved_creatures]
    newer = [add_newer_parts(world, creature, saved, place) for creature in creatures]
    if any(newer):
        check_pools(world, {})
    for creature, one in zip(creatures, saved_creatures, strict=True):
        creature.name = one.name
        renew(world, creature)
        enter(world, creature)


def _pools_of(world: World, header: SaveHeader, saved: Saved, place: str, missing: bool) -> Saved:
    """The columns of all pools that were saved, as they are declared now."""
    pools: Saved = {}
    for name, columns in saved.items():
        if name in world.pools:
            lacking = {"owner", "generation", "spans"} - columns.keys()
            if lacking or columns["owner"].dtype != np.int64 or columns["owner"].ndim != 1:
                raise SnapshotError(f"{name} has no usable {', '.join(sorted(lacking)) or 'owner'}")
            pools[name] = bring_up_to_date(world.pools[name], header.formats.get(name, 1), columns, saved, place)
        elif name not in world.states and not missing:
            raise SnapshotError(f"holds {shortened(name)}, which no installed plugin knows")
    return pools


def _creature(entry: list[Any], species: dict[str, Species]) -> SavedCreature:
    serial, key, name, rows = entry
    if key not in species:
        raise SnapshotError(f"{shortened(name)} is a {shortened(key)}: {suggest(key, species)}")
    plain = {part: plain_rows(row, f"{name}: {part}") for part, row in rows.items()}
    return SavedCreature(serial, species[key], name, plain)


def _event(world: World, entry: list[Any], species: dict[str, Species]) -> tuple[Event, int]:
    """A queued event and its creature; one that has gone is there by its name only."""
    kind, tick, serial, values = entry[:4]
    if kind not in world.events:
        raise SnapshotError(f"holds an event {shortened(kind)}, which no installed plugin knows")
    gone = None
    if len(entry) == 5:
        key, name = entry[4]
        if key not in species:
            raise SnapshotError(f"event {kind} is about a {shortened(key)}: {suggest(key, species)}")
        gone = Creature(world, serial, species[key], {})
        gone.name = name
    return Event(kind, tick, gone, values), serial


def _restore_states(world: World, saved: Saved) -> None:
    for name, owner in world.states.items():
        if name in saved:  # otherwise a plugin has come since: it begins anew
            with told_as(SnapshotError, name):
                owner.restore(saved[name])


def _plain_event(event: Event) -> list[Any]:
    """Kind, tick, creature, values; of one that has left the world also what is needed to name it."""
    creature = event.creature
    plain = [event.kind, event.tick, creature.serial if creature else NO_OWNER, event.values]
    return plain if creature is None or creature.in_world else [*plain, [creature.species.key, creature.name]]


@cache
def _kind_of_numbers(dtype: np.dtype[Any]) -> str:
    """As saves name it. numpy makes the text anew at every question, which costs more than to hash the dtype."""
    return dtype.str


def _as_read(value: Any) -> Any:
    """Plain data as a file gives it back: tuples are lists, keys are texts."""
    return json.loads(json.dumps(value, default=_plain))


def _plain(value: Any) -> Any:
    """What JSON cannot write by itself: numpy numbers and arrays, and creatures inside event values."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Creature):
        return value.serial
    raise SnapshotError(f"{shortened(value)} cannot be saved: event values must be plain data")
