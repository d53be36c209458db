"""The names that map files use for floors, shapes and meshes, and terrain written as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from .checks import Bounds
from .floors import FlatFloor, FloorKind, GaussianFloor, NoiseFloor, RandomGaussianFloor
from .mesh_kinds import LumpyBall, MeshArrays, MeshBall, MeshFile, MeshGround
from .packed_mesh import MeshPacked
from .shapes import Box, Cylinder, RandomCylinders, ShapeSpec, Sphere

FLOORS: dict[str, type] = {
    "flat": FlatFloor,
    "noise": NoiseFloor,
    "gaussians": GaussianFloor,
    "random_gaussians": RandomGaussianFloor,
}
SHAPES: dict[str, type] = {"sphere": Sphere, "cylinder": Cylinder, "box": Box, "random_cylinders": RandomCylinders}
MESHES: dict[str, type] = {"file": MeshFile, "ball": MeshBall, "lumpy_ball": LumpyBall, "arrays": MeshArrays,
                           "packed": MeshPacked}  # fmt: skip


def plain_tables(
    floor: FloorKind | None, shapes: Iterable[ShapeSpec], mesh: MeshGround | None, bounds: Bounds
) -> dict[str, Any]:
    """The plain values that `build_terrain` needs to make this terrain again, whatever seed it is given."""
    if floor is not None:
        table: dict[str, Any] = {"kind": _name(floor, FLOORS), **_plain(floor)}
    else:
        table = {"kind": "mesh" if mesh is not None else "shapes"}
    table["bounds"] = list(bounds)
    pieces = [{"kind": _name(shape, SHAPES), **_plain(shape)} for shape in shapes]
    if pieces:
        table["shapes"] = pieces
    if mesh is not None:
        settings = _plain(mesh)
        settings.pop("source")
        table["mesh"] = {"source": _name(mesh.source, MESHES), **_plain(mesh.source), **settings}
    return table


def _name(record: object, kinds: Mapping[str, type]) -> str:
    return next(name for name, kind in kinds.items() if type(record) is kind)


def _plain(record: Any) -> dict[str, Any]:
    return {field.name: _listed(getattr(record, field.name)) for field in fields(record)}


def _listed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [_listed(item) for item in value] if isinstance(value, tuple | list) else value
