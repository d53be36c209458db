"""Triangles for one ant or a swarm, from paths and key-framed inputs: the authoring interface of the source. [Guo15 4.2,
4.3]"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from ...engine.bundle import packed
from ...engine.errors import PaludariumError
from ...engine.pool import Array
from ...engine.terrain.terrain import Terrain
from .ant_model import (
    GRAVITY,
    HIGHEST,
    LOAD_SHIFT,
    LOAD_SHIFT_PRINTED,
    LOWEST,
    TURN_GRAVITY,
    TURN_GRAVITY_PRINTED,
    AntModel,
    tables_of,
    triangle_area,
)
from .ant_path import AntPath
from .tripod_placement_kernel import GUARD_SLOWS, GUARD_TURNS, NO_GUARD, ROW_COLUMNS, place_all

GUARDS = {"none": NO_GUARD, "slows": GUARD_SLOWS, "turns": GUARD_TURNS}
LOAD_SLOWING = 0.5
"""Share of the speed that the largest load takes; the source says that loads slow an ant, but gives no law."""


class InputError(PaludariumError):
    """An input of an ant is not allowed; the message says what is."""


class _Settings(NamedTuple):
    share: float
    turn_gravity: float
    load_shift: float
    load_slowing: float
    gravity: float
    lowest: float
    highest: float
    start_z: float
    flat: bool
    signed_force: bool
    guard: int


@dataclass(frozen=True)
class Placement:
    """How triangles are placed, where the source leaves a choice.

    ``spacing``: whether the printed stride is between triangles of the same tripod, or between consecutive ones (Tab. 4.3).
    """

    spacing: str = "same_tripod"
    physical_turns: bool = False
    printed_load_shift: bool = False
    signed_force: bool = False  # along the heading, as printed; else the size of the force counts
    guard: str = "none"

    def settings(self, ant: AntModel, flat: bool, start_z: float) -> Any:
        """As kernels take it."""
        shares = {"same_tripod": 0.5, "consecutive": 1.0}
        if self.spacing not in shares or self.guard not in GUARDS:
            allowed = f"spacing of {sorted(shares)} and guard of {sorted(GUARDS)}"
            raise InputError(f"spacing = {self.spacing!r}, guard = {self.guard!r}: allowed are {allowed}")
        turn = TURN_GRAVITY_PRINTED if self.physical_turns else TURN_GRAVITY
        shift = LOAD_SHIFT_PRINTED if self.printed_load_shift else LOAD_SHIFT
        return packed(_Settings(shares[self.spacing], turn, shift, LOAD_SLOWING / ant.largest_load, GRAVITY, LOWEST, HIGHEST,
                                start_z, flat, self.signed_force, GUARDS[self.guard]))  # fmt: skip


@dataclass(frozen=True)
class AntInputs:
    """What an author gives an ant along its path: numbers, or keys as pairs of arc length (mm) and value.

    Example::

        AntInputs(speed=[(0, 20.0), (50, 10.0)], load=1.0)     # slows down over the first 50 mm, with a gram on its back
    """

    speed: Any = 15.0  # mm/s
    load: Any = 0.0  # g
    force: Any = (0.0, 0.0)  # micronewtons in the plan view, or keys of (arc length, x, y)
    sigma: Any = 1.0  # 1 walks, -1 stands

    def keys(self, ant: AntModel) -> Array:
        """(n, 6) arc length, speed, load, force x and y, sigma: all inputs at all keys."""
        force = np.asarray(self.force, np.float64)
        force = np.array([[0.0, *force]]) if force.ndim == 1 else force
        curves = [
            _curve("speed", self.speed, 0.0, 1000.0),
            _curve("load", self.load, 0.0, ant.largest_load),
            *(_curve("force", force[:, [0, k]], -1e9, 1e9) for k in (1, 2)),
            _curve("sigma", self.sigma, -1.0, 1.0),
        ]
        s = np.unique(np.concatenate([curve[:, 0] for curve in curves]))
        return np.column_stack([s, *(np.interp(s, curve[:, 0], curve[:, 1]) for curve in curves)])


@dataclass(frozen=True)
class Triangles:
    """The triangles of one ant; even ones are of the left tripod, vertices are fore, middle, hind."""

    vertices: Array  # (n, 3, 3)
    rows: Array = field(repr=False)  # (n, columns of `tripod_placement_kernel`)

    @property
    def middles(self) -> Array:
        """(n, 3)"""
        return self.vertices.mean(axis=1)

    @property
    def areas(self) -> Array:
        """(n,) in the plan view."""
        return triangle_area(self.vertices)

    def column(self, index: int) -> Array:
        """One column of the rows, such as `tripod_placement_kernel.ROW_LOWERED`."""
        column: Array = self.rows[:, index]
        return column


def place_triangles(
    path: AntPath,
    inputs: AntInputs | None = None,
    ant: AntModel | None = None,
    ground: Terrain | None = None,
    how: Placement | None = None,
) -> Triangles:
    """The triangles of one ant; without a ground the world is flat.

    Example::

        place_triangles(AntPath.line(100.0), AntInputs(speed=20.0)).middles[:, 0]
    """
    return place_swarm([path], [inputs or AntInputs()], ant, ground, how)[0]


def place_swarm(
    paths: list[AntPath],
    inputs: list[AntInputs],
    ant: AntModel | None = None,
    ground: Terrain | None = None,
    how: Placement | None = None,
    start_z: float = 0.0,
) -> list[Triangles]:
    """The triangles of many ants, each on its own path; ants do not see each other. [Guo15 4.3]"""
    ant, how = ant or AntModel(), how or Placement()
    if len(paths) != len(inputs):
        raise InputError(f"{len(paths)} paths and {len(inputs)} inputs: allowed is one of each per ant")
    keys = [one.keys(ant) for one in inputs]
    settings = how.settings(ant, ground is None, start_z)
    # strides are shortest where the speed is least, and no load or guard makes it less than a tenth
    shortest = [(ant.stride + 0.1 * ant.stride_time * key[:, 1].min()) * settings.share for key in keys]
    if min(shortest) <= 0.0:
        raise InputError("speed = 0 with a stride of 0: allowed is an ant that gets on")
    slots = np.concatenate(
        [[0], np.cumsum([ceil(path.length / step) + 2 for path, step in zip(paths, shortest, strict=True)])]
    )
    triangles, rows = np.zeros((slots[-1], 3, 3)), np.zeros((slots[-1], ROW_COLUMNS))
    counts = np.zeros(len(paths), np.int64)
    place_all(np.concatenate([path.pieces for path in paths]), np.cumsum([len(path.pieces) for path in paths]),
              np.concatenate(keys), np.cumsum([len(key) for key in keys]), np.array([path.length for path in paths]),
              tables_of(ant), settings, (ground or _nowhere()).ground, triangles, rows, slots, counts)  # fmt: skip
    return [Triangles(triangles[a : a + n], rows[a : a + n]) for a, n in zip(slots[:-1], counts, strict=True)]


def _nowhere() -> Terrain:
    return Terrain.flat()


def _curve(name: str, value: Any, low: float, high: float) -> Array:
    curve = np.asarray(value, np.float64)
    curve = np.array([[0.0, float(curve)]]) if curve.ndim == 0 else curve
    if curve.ndim != 2 or curve.shape[1] != 2 or not np.isfinite(curve).all() or (np.diff(curve[:, 0]) <= 0.0).any():
        raise InputError(f"{name} = {value!r}: allowed is a number, or pairs of rising arc length and value")
    if curve[:, 1].min() < low or curve[:, 1].max() > high:
        raise InputError(f"{name} = {value!r}: allowed is {low:g} to {high:g}")
    return curve
