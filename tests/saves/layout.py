"""What a save holds, as its header tells: formats of pools, columns with their kinds of numbers, arrays of states."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from paludarium import World
from paludarium.engine.maps import Map
from paludarium.engine.snapshot import PREFIX, describe

from .make import FLAT, SEED, maps, populate, small_map

Layout = dict[str, Any]
"""By ``pool``: its format. By ``pool.column``: the kind of its numbers and the shape of a row, of states how many
dimensions it has."""


def layout_of_exhibit(folder: Path) -> Layout:
    """The layout of all saves of an exhibit together."""
    found: Layout = {}
    for file in sorted(folder.glob("*.save.gz")):
        content = gzip.decompress(file.read_bytes())
        found |= _layout(json.loads(content[PREFIX.size : PREFIX.size + PREFIX.unpack_from(content)[2]]))
    return found


def layout_of_version() -> Layout:
    """What the same saves would hold if this version made them now."""
    found: Layout = {}
    for name in maps():
        world = World(seed=SEED, map=FLAT if name == FLAT else Map.define(**small_map(name)), populate=False)
        populate(world)
        found |= _layout(describe(world)[0])
    return found


def differences(before: Layout, now: Layout) -> list[str]:
    """What is not the same, in words."""
    names = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    return [f"{name} was {before.get(name, 'not there')}, is {now.get(name, 'gone')}" for name in names]


def _layout(header: dict[str, Any]) -> Layout:
    columns = {f"{owner}.{name}": [kind, shape[1:] if owner.endswith("Pool") else len(shape)]
               for owner, name, kind, shape in header["arrays"]}  # fmt: skip
    return {**columns, **header.get("formats", {})}
