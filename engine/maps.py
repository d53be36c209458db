"""Maps: what a world looks like before anything moves. A TOML file in assets/worlds, a path, or built in code."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import MapError, one_of
from .files import is_path
from .growth_tables import Bed, Corals, Lilies, Reeds
from .sea.sea_tables import NOT_GIVEN, Bubbles, Climate, Current, Plankton, Seaweed, Shade
from .spec import choice, integer, number, numbers, read_table, text
from .species import read_toml, require_text
from .tiers import OTHER_NAMES, TIERS
from .water import STANDARD_GRAVITY
from .water.pond import Pond, read_ponds
from .water.shore import open_sides
from .weather import Breeze, Light

if TYPE_CHECKING:
    from .terrain.terrain import Terrain


@dataclass(frozen=True)
class Area:
    """The rectangle that is walked on, centred at the origin."""

    width: float = number(240.0, unit="u", low=1.0, high=100000.0, doc="extent to the east")
    height: float = number(240.0, unit="u", low=1.0, high=100000.0, doc="extent to the north")
    edge: str = choice("wall", "wall", "open", doc="whether creatures feel the border with their antennae")

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north."""
        return -self.width / 2, -self.height / 2, self.width / 2, self.height / 2


@dataclass(frozen=True)
class Physics:
    gravity: float = number(STANDARD_GRAVITY, unit="u_per_s2", low=0.0, high=1000.0, doc="downward acceleration")


@dataclass(frozen=True)
class Inhabitants:
    """One group of creatures that the map starts with."""

    species: str = text(doc="the species' name")
    count: int = integer(1, low=1, high=5_000, doc="how many")
    at: tuple[float, ...] = numbers((0.0, 0.0), count=2, most=3, unit="u", doc="centre of the group; third its elevation")
    depth: float = number(NOT_GIVEN, unit="u", low=0.0, doc="instead of an elevation: so far below the surface of the water")
    spread: float = number(0.0, unit="u", low=0.0, doc="radius of the disc they are spread over")
    heading: float = number(0.0, unit="deg", doc="where they face; spread groups face anywhere")
    tier: str = choice("full", *TIERS, *OTHER_NAMES, doc="physical detail")


@dataclass(frozen=True)
class FoodItems:
    count: int = integer(1, low=1, high=100_000, doc="how many")
    at: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="u", doc="centre")
    spread: float = number(0.0, unit="u", low=0.0, doc="radius of the disc they are spread over")
    amount: float = number(1.0, low=0.0, above=True, doc="how much there is to eat; also the strength of the smell")


@dataclass(frozen=True)
class Obstacles:
    kind: str = choice("cylinder", "sphere", "cylinder", "box", doc="a rock, a pillar or a wall")
    count: int = integer(1, low=1, high=20_000, doc="how many")
    at: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="u", doc="centre")
    spread: float = number(0.0, unit="u", low=0.0, doc="radius of the disc they are spread over")
    radius: float = number(1.0, unit="u", low=0.0, above=True, doc="for spheres and cylinders")
    size: tuple[float, ...] = numbers((2.0, 2.0), count=2, unit="u", low=0.0, above=True, doc="for boxes, in plan")
    height: float = number(2.0, unit="u", low=0.0, above=True, doc="for cylinders and boxes")
    heading: float = number(0.0, unit="deg", doc="for boxes: direction of the first side")


@dataclass(frozen=True)
class Nests:
    """A nest of ants; those that the map starts with belong to the nearest one."""

    at: tuple[float, ...] = numbers((0.0, 0.0), count=2, unit="u", doc="its middle")
    entrances: int = integer(1, low=1, high=32, doc="how many; several lie on a ring around the middle")
    spread: float = number(2.5, unit="u", low=0.0, high=1000.0, doc="radius of that ring")
    radius: float = number(0.8, unit="u", low=0.01, high=100.0, doc="of an entrance: what is brought so near is stored")

    @property
    def count(self) -> int:
        """What is counted of all tables together."""
        return self.entrances


TABLES: dict[str, type] = {"area": Area, "physics": Physics, "light": Light, "bed": Bed, "current": Current,
                           "climate": Climate, "wind": Breeze}  # fmt: skip
MOST_THINGS = {"creatures": 5_000, "food": 100_000, "obstacles": 20_000, "plankton": 50_000, "seaweed": 20_000,
               "bubbles": 20_000, "shade": 100, "corals": 10_000, "lilies": 10_000, "reeds": 10_000,
               "nests": 1_000}  # fmt: skip
"""That a map starts with, of all tables of a kind: 5,000 bodies of 18 segments take 0.5 GB and ten seconds to be made."""
LISTS: dict[str, type] = {"creatures": Inhabitants, "food": FoodItems, "obstacles": Obstacles, "plankton": Plankton,
                         "seaweed": Seaweed, "bubbles": Bubbles, "shade": Shade, "corals": Corals, "lilies": Lilies,
                         "reeds": Reeds, "nests": Nests}  # fmt: skip
MOST_TABLES = 1000
"""Of one kind."""
LARGEST_FILE = 250_000
"""Bytes of a map file: the largest of ours has 8,558; a mesh of 4,000 vertices that is written out takes the rest."""
LARGER = "; a large mesh is an OBJ file of its own"
WORKING_FOLDER = ("",)
FLAT_GROUND: dict[str, Any] = {"kind": "flat"}


@dataclass(frozen=True)
class Map:
    """A checked map. Build one in code from the same tables as in a file.

    Example::

        map = Map.define(name="arena", area={"width_u": 60, "height_u": 60}, food=[{"count": 5, "spread_u": 20}])
        world = World(seed=1, map=map)
    """

    name: str
    file: str
    area: Area
    physics: Physics
    light: Light
    bed: Bed
    current: Current
    climate: Climate
    wind: Breeze
    terrain: dict[str, Any]
    creatures: tuple[Inhabitants, ...]
    food: tuple[FoodItems, ...]
    obstacles: tuple[Obstacles, ...]
    plankton: tuple[Plankton, ...]
    seaweed: tuple[Seaweed, ...]
    bubbles: tuple[Bubbles, ...]
    shade: tuple[Shade, ...]
    corals: tuple[Corals, ...]
    lilies: tuple[Lilies, ...]
    reeds: tuple[Reeds, ...]
    nests: tuple[Nests, ...]
    water: tuple[Pond, ...]
    source: dict[str, Any]
    mesh_folders: tuple[str, ...] | None = WORKING_FOLDER
    """Where a mesh file that its terrain names is looked for, one after the other; None if none may be opened."""

    @classmethod
    def define(cls, **tables: Any) -> Map:
        """Check tables given in code."""
        return read_map(tables, "Map.define")


def load_map(wanted: str | Path | Map) -> Map:
    """A map by the name of a file in assets/worlds, by path, or as it is."""
    if isinstance(wanted, Map):
        return wanted
    if not is_path(wanted):
        raise MapError("map", "", "", wanted, "the name of a map, a path, or a Map")
    if str(wanted) == "flat":
        return read_map({"name": "flat"}, "flat")
    path = Path(wanted)
    if path.suffix == ".toml":
        if not os.path.isfile(path):  # whatever the system says
            raise MapError(str(path), "", "", "missing", "an existing map file")
        return _read_file(path)
    folder = Path(str(files("paludarium.assets"))) / "worlds"
    known = {file.stem: file for file in folder.glob("*.toml")}
    if str(wanted) not in known:
        raise MapError("map", "", "", str(wanted), one_of(wanted, {*known, "flat"}))
    return _read_file(known[str(wanted)])


def map_names() -> list[str]:
    """Every map that comes with the package."""
    folder = Path(str(files("paludarium.assets"))) / "worlds"
    return sorted({"flat", *(file.stem for file in folder.glob("*.toml"))})


def read_map(tables: Mapping[str, Any], file: str, mesh_folders: tuple[str, ...] | None = WORKING_FOLDER) -> Map:
    """Check the tables of a map. See `Map.mesh_folders`."""
    known = {"name", "description", "terrain", "water", *TABLES, *LISTS}
    for key, value in tables.items():
        if key not in known:
            raise MapError(file, "", key, value, one_of(key, known))
    for key in ("name", "description"):
        require_text(tables, key, file, MapError)
    checked: dict[str, Any] = {}
    for key, kind in TABLES.items():
        checked[key] = read_table(kind, tables.get(key, {}), file, key, MapError)
    lists: dict[str, Any] = {key: _read_list(kind, tables.get(key, []), file, key) for key, kind in LISTS.items()}
    terrain = tables.get("terrain", FLAT_GROUND)
    if not isinstance(terrain, Mapping):
        raise MapError(file, "terrain", "", terrain, "a table with the key kind")
    name, ponds = tables.get("name", Path(file).stem), read_ponds(tables.get("water", []), file)
    for place, pond in enumerate(ponds):
        _require_on_map(pond, checked["area"], file, f"water {place + 1}")
    return Map(name=name, file=file, terrain=dict(terrain), water=ponds, source=dict(tables), mesh_folders=mesh_folders,
               **checked, **lists)  # fmt: skip


def _require_on_map(pond: Pond, area: Area, file: str, table: str) -> None:
    """Refuse a pond that is all beyond the edge of the map, where no creature gets to; it may reach over the edge."""
    west, south, east, north = area.bounds
    if pond.bounds[0] >= east or pond.bounds[2] <= west or pond.bounds[1] >= north or pond.bounds[3] <= south:
        allowed = f"a rectangle that meets the map, x from {west:g} to {east:g}, y from {south:g} to {north:g}"
        raise MapError(file, table, "bounds", list(pond.bounds), allowed)


def require_shores(chart: Map, terrain: Terrain) -> None:
    """A pond on a map lies in the land; one that stands above it must say by its edges that it is a tank or an open sea."""
    for place, (pond, table) in enumerate(zip(chart.water, chart.source.get("water", ()), strict=True)):
        for side, rise in () if pond.moving else open_sides(pond, terrain, chart.area.bounds):
            if f"edge_{side}" in table:
                continue
            raise MapError(
                chart.file, f"water {place + 1}", f"edge_{side}", "not given",
                f"land above the surface along that side, or edge_{side} = 'reflecting' (the wall of a tank) or "
                f"'absorbing' (open water): the pond would stand {rise:.3g} units above the ground there",
            )  # fmt: skip


def _read_list(kind: type, items: Any, file: str, key: str) -> tuple[Any, ...]:
    if not isinstance(items, (list, tuple)):
        raise MapError(file, key, "", items, f"a list of tables, written as [[{key}]]")
    if len(items) > MOST_TABLES:
        raise MapError(file, key, "", f"{len(items)} tables", f"at most {MOST_TABLES}")
    groups: list[Any] = [
        read_table(kind, item, file, f"{key} {place + 1}", MapError) for place, item in enumerate(items)
    ]
    total = sum(group.count for group in groups) if key != "shade" else len(groups)
    if total > MOST_THINGS[key]:
        raise MapError(file, key, "count", total, f"at most {MOST_THINGS[key]} in all tables of this kind")
    return tuple(groups)


def _read_file(path: Path) -> Map:
    return read_map(read_toml(path, MapError, LARGEST_FILE, LARGER), str(path), (str(path.parent), *WORKING_FOLDER))
