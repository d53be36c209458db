"""Terrain as plain data: the tables of a map file and back.

A description is one table. Its ``kind`` names the floor (flat, noise, gaussians, random_gaussians) or says that there
is none (shapes, mesh); the other keys are that floor's fields, ``bounds``, a list ``shapes`` and a table ``mesh``::

    kind = "noise"
    amplitude = 1.5
    bounds = [-30, -30, 30, 30]
    [[shapes]]
    kind = "sphere"
    center = [0, 0, 0]
    radius = 2
    [mesh]
    source = "file"
    path = "skull.obj"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any

from ..errors import shortened
from .checks import MOST_SHAPES, Bounds, checked_keys
from .mesh_file import mesh_path
from .mesh_kinds import MeshGround
from .tables import FLOORS, MESHES, SHAPES
from .terrain import DEFAULT_BOUNDS, Terrain
from .terrain_error import TerrainError

FLOORLESS = ("shapes", "mesh")
PARTS = ("bounds", "shapes", "mesh")


def build_terrain(
    description: Mapping[str, Any], seed: int = 0, bounds: Bounds = DEFAULT_BOUNDS,
    mesh_folders: Sequence[str] | None = ("",),
) -> Terrain:
    """The terrain a description stands for; what names no seed or bounds of its own takes these.

    mesh_folders: where a mesh file is looked for, one after the other; None if none may be opened.

    Example::

        >>> build_terrain({"kind": "flat", "elevation": 1.0}).elevation([(0.0, 0.0)])
        array([1.])
    """
    if not isinstance(description, Mapping):
        raise TerrainError(f"a terrain description is {shortened(description)}; allowed is a table with a kind")
    table = dict(description)
    kind = table.get("kind", "missing")
    area = table.pop("bounds", bounds)
    shapes = _shapes(table.pop("shapes", []), seed)
    mesh = _mesh(table.pop("mesh"), seed, mesh_folders) if "mesh" in table else None
    if kind in FLOORLESS:
        checked_keys(table, ("kind",), (), f"terrain {kind!r}")
        if kind == "shapes" and not shapes:
            raise TerrainError("terrain 'shapes' has no shapes; allowed is a list of at least one")
        if kind == "mesh" and mesh is None:
            raise TerrainError("terrain 'mesh' lacks the table mesh")
        return Terrain.build(None, shapes, mesh, area)
    if not isinstance(kind, str) or kind not in FLOORS:
        raise TerrainError(f"terrain kind is {shortened(kind)}; allowed are {', '.join((*FLOORS, *FLOORLESS))}")
    floor = _record(FLOORS[kind], table, seed, f"terrain {kind!r}", "kind", PARTS)
    return Terrain.build(floor, shapes, mesh, area)


def _shapes(tables: Any, seed: int) -> list[Any]:
    if isinstance(tables, Mapping | str) or not isinstance(tables, Sequence) or len(tables) > MOST_SHAPES:
        raise TerrainError(f"shapes is {shortened(tables)}; allowed is a list of tables, at most {MOST_SHAPES}")
    shapes = []
    for place, table in enumerate(tables):
        name = f"shapes[{place}]"
        kind = table.get("kind", "missing") if isinstance(table, Mapping) else table
        if not isinstance(kind, str) or kind not in SHAPES or not isinstance(table, Mapping):
            raise TerrainError(f"{name} is of kind {shortened(kind)}; allowed are {', '.join(SHAPES)}")
        shapes.append(_record(SHAPES[kind], table, seed, name, "kind"))
    return shapes


def _mesh(table: Any, seed: int, folders: Sequence[str] | None) -> MeshGround:
    source = table.get("source", "missing") if isinstance(table, Mapping) else table
    if not isinstance(source, str) or source not in MESHES or not isinstance(table, Mapping):
        raise TerrainError(f"mesh source is {shortened(source)}; allowed are {', '.join(MESHES)}")
    own = {field.name for field in fields(MeshGround)} - {"source"}
    settings = {key: value for key, value in table.items() if key in own}
    rest = {key: value for key, value in table.items() if key not in own}
    if source == "file" and "path" in rest:
        rest["path"] = mesh_path(rest["path"], folders)
    return MeshGround(_record(MESHES[source], rest, seed, "mesh", "source", own), **settings)


def _record(
    kind: type, table: Mapping[str, Any], seed: int, name: str, tag: str, also_allowed: Iterable[str] = ()
) -> Any:
    """A frozen record of this kind from a table that may hold nothing but its fields and the tag that names it."""
    slots: dict[str, Field[Any]] = {field.name: field for field in fields(kind)}
    required = [key for key, field in slots.items() if field.default is MISSING]
    checked_keys(table, {tag, *slots, *also_allowed}, required, name)
    values = {key: value for key, value in table.items() if key != tag}
    if "seed" in slots:
        values.setdefault("seed", seed)
    return kind(**values)
