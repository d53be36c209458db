"""The map of a save or a recording: complete in itself. Nothing that it names is opened unless the host says where.

A mesh that came from a file is written into the map, packed. Earlier versions wrote the name of the file: such a save needs
``meshes=FOLDER``, and then takes the file of that name from that folder and from nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Any

from .files import path_of
from .maps import Map, read_map
from .terrain.mesh_file import mesh_path
from .terrain.mesh_kinds import MeshArrays, MeshFile

if TYPE_CHECKING:
    from .errors import PaludariumError
    from .save_header import Origin
    from .world import World


def map_to_save(world: World) -> dict[str, Any]:
    """The tables of the world's map, with its mesh in them instead of the name of a file."""
    source = world.map.source
    terrain, mesh = source.get("terrain"), _mesh_of(source)
    if terrain is None or mesh is None or mesh["source"] not in ("file", "arrays"):
        return source
    assert world.terrain.parts.mesh is not None
    kept = world.terrain.parts.mesh.source
    assert isinstance(kept, MeshFile | MeshArrays)
    settings = {key: value for key, value in mesh.items() if key not in ("path", "vertices", "faces")}
    return {**source, "terrain": {**terrain, "mesh": {**settings, "source": "packed", **kept.packed}}}


def map_of_save(origin: Origin, meshes: str | Path | None, error: type[PaludariumError]) -> Map:
    """The checked map of a save or a recording; `meshes` is the folder that a mesh file may be taken from."""
    if meshes is None:
        return read_map(origin.map, origin.map_file, None)
    folder, tables, mesh = path_of(meshes, error), origin.map, _mesh_of(origin.map)
    if mesh is not None and mesh["source"] == "file":
        name = PureWindowsPath(mesh_path(mesh.get("path"), ("",))).name  # knows both kinds of slashes
        tables = {**tables, "terrain": {**tables["terrain"], "mesh": {**mesh, "path": name}}}
    return read_map(tables, origin.map_file, (str(folder),))


def _mesh_of(tables: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The table of the mesh, if there is one."""
    terrain = tables.get("terrain")
    mesh = terrain.get("mesh") if isinstance(terrain, Mapping) else None
    return mesh if isinstance(mesh, Mapping) and "source" in mesh else None
