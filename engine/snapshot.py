"""Saving, loading and hashing a whole world. One file: a header in JSON, the arrays, and a checksum. No pickle.

Layout: magic (8 bytes), format version (uint32), header length (uint64), header, array bytes, blake2b of all before.
Every pool has a format of its own in the header: older ones are brought up to date by what their columns declare.
"""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .creature import Creature
from .errors import SnapshotError
from .events import Event
from .files import written_whole
from .lifecycle import enter
from .maps import read_map
from .older_saves import add_newer_parts, bring_up_to_date, renew_parts
from .pool import NO_OWNER, Array, Rows

if TYPE_CHECKING:
    from .plugins import Plugin
    from .world import World

AnyWorld = TypeVar("AnyWorld", bound="World")

MAGIC = b"PALUDARI"
FORMAT_VERSION = 2
FIRST_FAMILIES = ("myriapod",)
"""Whose systems a save of format 1 had: there were no others."""
PREFIX = struct.Struct("<8sIQ")
DIGEST_BYTES = 32


def save(world: World, path: str | Path) -> None:
    """Write the world to a file. The old file stays whole until the new one is complete on disk."""
    header, arrays = _describe(world)
    text = json.dumps(header, sort_keys=True, allow_nan=False).encode()
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    with written_whole(path) as file:
        for piece in (PREFIX.pack(MAGIC, FORMAT_VERSION, len(text)), text, *(a.tobytes() for a in arrays)):
            digest.update(piece)
            file.write(piece)
        file.write(digest.digest())


def load(kind: type[AnyWorld], path: str | Path, plugins: list[Plugin]) -> AnyWorld:
    """Build a world from a file; everything is checked before anything is built."""
    path = Path(path)
    header, arrays = _read(path)
    by_name = {_plugin_name(plugin): plugin for plugin in plugins}
    missing = [name for name in header["plugins"] if name not in by_name and not _importable(name)]
    if missing:
        names = ", ".join(missing)
        raise SnapshotError(f"{path}: was saved with plugins that are not here: {names}; give plugins=[...] or mods=FOLDER")
    world = kind(
        seed=header["seed"],
        map=read_map(header["map"], header["map_file"]),
        tick_rate=header["tick_rate"],
        precision=header["precision"],
        plugins=[by_name.get(name, name) for name in header["plugins"]],
        populate=False,
    )
    _restore(world, header, arrays, path)
    return world


def state_hash(world: World) -> str:
    """A hex digest over all live state: equal digests mean equal futures."""
    digest = hashlib.blake2b(digest_size=16)
    plain = [world.seed, world.tick, world.next_serial, world.streams.state()]
    plain.append([_plain_event(event) for event in world.events.queue])
    digest.update(json.dumps(plain, sort_keys=True, default=_plain).encode())
    for name, pool in sorted(world.pools.items()):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(pool.spans).tobytes())
        for column in sorted(pool.columns):
            digest.update(np.ascontiguousarray(pool.live(column)).tobytes())
    for owner in world.states.values():
        for array in owner.state().values():
            digest.update(array.tobytes())
    return digest.hexdigest()


def _describe(world: World) -> tuple[dict[str, Any], list[Array]]:
    arrays: list[Array] = []
    table = []
    pools = [(name, pool.arrays()) for name, pool in sorted(world.pools.items())]
    for owner, named in [*pools, *((name, state.state().items()) for name, state in world.states.items())]:
        for column, array in named:
            array = np.ascontiguousarray(array)
            arrays.append(array)
            table.append([owner, column, array.dtype.str, list(array.shape)])
    clock = world.clock
    header = {
        "seed": world.seed,
        "map": world.map.source,
        "map_file": world.map.file,
        "tick_rate": world.tick_rate,
        "precision": world.precision,
        "plugins": world.plugins,
        "families": sorted(world.families.loaded),
        "formats": {name: pool.format for name, pool in world.pools.items()},
        "clock": [clock.tick, clock.scale, clock.paused, clock.waiting_seconds],
        "next_serial": world.next_serial,
        "streams": world.streams.state(),
        "events": [_plain_event(event) for event in world.events.queue],
        "species": {c.species.key: c.species.source for c in world.creatures.values()},
        "creatures": [[c.serial, c.species.key, c.name, {n: list(r) for n, r in c.rows.items()}]
                      for c in world.creatures.values()],
        "arrays": table,
    }
    return json.loads(json.dumps(header, default=_plain)), arrays


def _read(path: Path) -> tuple[dict[str, Any], list[Array]]:
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise SnapshotError(f"{path}: cannot be read ({problem.strerror})") from None
    if len(content) < PREFIX.size + DIGEST_BYTES or content[:8] != MAGIC:
        raise SnapshotError(f"{path}: is not a saved world, or only its beginning")
    _, version, header_length = PREFIX.unpack_from(content)
    if version > FORMAT_VERSION:
        raise SnapshotError(f"{path}: has format {version}, this version of paludarium reads up to {FORMAT_VERSION}")
    body, digest = content[:-DIGEST_BYTES], content[-DIGEST_BYTES:]
    if hashlib.blake2b(body, digest_size=DIGEST_BYTES).digest() != digest:
        raise SnapshotError(f"{path}: is truncated or corrupted (the checksum does not match)")
    start = PREFIX.size + header_length
    header = json.loads(body[PREFIX.size : start])
    arrays = []
    for _, _, dtype, shape in header["arrays"]:
        count = int(np.prod(shape, dtype=np.int64))
        arrays.append(np.frombuffer(body, dtype=dtype, count=count, offset=start).reshape(shape))
        start += arrays[-1].nbytes
    return header, arrays


def _restore(world: World, header: dict[str, Any], arrays: list[Array], path: Path) -> None:
    saved: dict[str, dict[str, Array]] = {}
    for (owner, column, _, _), array in zip(header["arrays"], arrays, strict=True):
        saved.setdefault(owner, {})[column] = array
    for family in header.get("families", FIRST_FAMILIES):
        if family not in world.families:
            raise SnapshotError(f"{path}: was saved with the family {family!r}, which no installed plugin knows")
        world.families.require(family)
    _restore_states(world, saved, path)
    formats = header.get("formats", {})
    for name, columns in saved.items():
        if name in world.pools:
            columns = bring_up_to_date(world.pools[name], formats.get(name, 1), columns, saved, path)
            world.pools[name].restore(columns)
        elif name not in world.states:
            raise SnapshotError(f"{path}: holds {name}, which no installed plugin knows")
    world.align_pools()
    clock = world.clock
    clock.tick, clock.scale, clock.paused, clock.waiting_seconds = header["clock"]
    world.next_serial = header["next_serial"]
    world.streams.restore(header["streams"])
    species = {key: world.species.build(key, source, str(path)) for key, source in header["species"].items()}
    for serial, key, name, rows in header["creatures"]:
        creature = Creature(world, serial, species[key], {part: Rows(*row) for part, row in rows.items()})
        creature.name = name
        add_newer_parts(world, creature, saved, path)
        renew_parts(world, creature, formats)
        enter(world, creature)
    for kind, tick, serial, values in header["events"]:
        world.events.queue.append(Event(kind, tick, world.creatures.get(serial), values))


def _restore_states(world: World, saved: dict[str, dict[str, Array]], path: Path) -> None:
    for name, owner in world.states.items():
        if name not in saved:
            continue  # a plugin has come since: it begins anew
        try:
            owner.restore(saved[name])
        except ValueError as problem:
            raise SnapshotError(f"{path}: {name}: {problem}") from problem


def _plain_event(event: Event) -> list[Any]:
    return [event.kind, event.tick, event.creature.serial if event.creature else NO_OWNER, event.values]


def _plain(value: Any) -> Any:
    """What JSON cannot write by itself: numpy numbers and arrays, and creatures inside event values."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Creature):
        return value.serial
    raise TypeError(f"{value!r} cannot be saved: event values must be plain data")


def _plugin_name(plugin: Plugin) -> str:
    from .plugins import plugin_name

    return plugin_name(plugin)


def _importable(name: str) -> bool:
    import importlib.util

    try:
        return importlib.util.find_spec(name.partition(":")[0]) is not None
    except (ImportError, ValueError):
        return False
