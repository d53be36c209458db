"""The controller look-up table: 27 numbers for every velocity of a grid, in a file that is checked before it is used.
[Guo15 6]

Shifts are stored without jumps between neighbours (and may be beyond pi), so that they can be interpolated. A table is
for the left tripod; the right one is its mirror image: look up with the sideways velocity reversed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...components.insect.oscillators import CONTROLS
from ...engine.errors import PaludariumError
from ...engine.files import written_whole
from ...engine.pool import Array
from .array_file import read_arrays
from .table_kernel import INVERSE_DISTANCE, LINEAR, look_up

METHODS = {"linear": LINEAR, "inverse_distance": INVERSE_DISTANCE}
FORMAT = 1
LARGEST_TABLE = 256 * 2**20
"""Bytes of a table that is read at all, as they are unpacked."""
LARGEST_ANGLE = 100.0
MOST_POINTS = 1000
FASTEST = 1e6
"""mm/s at an end of an axis: far beyond any animal, and far from where differences of numbers are lost."""
FIELDS = {"format": "i", "settings": "U", "vx": "f", "vy": "f", "vz": "f", "controls": "f", "objective": "f", "failed": "b"}


class TableError(PaludariumError):
    """A table cannot be used: the message names file, field and what is allowed."""


@dataclass(frozen=True)
class ControllerTable:
    """Controllers over velocities in mm/s.

    Example::

        table = load_table()                       # the one that is shipped
        table.at((15.0, 0.0, 0.0))                 # (27,)
    """

    vx: Array
    vy: Array
    vz: Array
    controls: NDArray[np.float32]  # (nx, ny, nz, 27)
    objective: NDArray[np.float32]  # (nx, ny, nz)
    failed: NDArray[np.bool_]  # (nx, ny, nz) no controller was found; neighbours' is kept there
    settings: dict[str, Any]

    @property
    def low(self) -> Array:
        """(3,) smallest velocities."""
        return np.array([axis[0] for axis in (self.vx, self.vy, self.vz)], np.float64)

    @property
    def step(self) -> Array:
        """(3,) between neighbours."""
        return np.array([axis[1] - axis[0] if len(axis) > 1 else 1.0 for axis in (self.vx, self.vy, self.vz)], np.float64)

    def at(self, velocity: Any, method: str = "linear") -> Array:
        """(27,) for a velocity; outside the grid that of its edge."""
        out = np.zeros(CONTROLS)
        vx, vy, vz = map(float, velocity)
        look_up(self.controls, self.low, self.step, vx, vy, vz, METHODS[method], out)
        return out

    def save(self, path: str | Path) -> None:
        """Write the table whole or not at all."""
        with written_whole(path, TableError) as file:
            np.savez_compressed(file, allow_pickle=False, format=np.int64(FORMAT),
                                settings=np.str_(json.dumps(self.settings)), vx=self.vx.astype(np.float32),
                                vy=self.vy.astype(np.float32), vz=self.vz.astype(np.float32),
                                controls=self.controls, objective=self.objective, failed=self.failed)  # fmt: skip


@lru_cache(maxsize=4)
def load_table(path: str | Path | None = None) -> ControllerTable:
    """A table from a file, or the shipped one; everything is checked before it is used."""
    file = Path(str(files("paludarium.assets").joinpath("clut", "ant.npz"))) if path is None else Path(path)
    found = _fields(file)
    axes = [found[name].astype(np.float64) for name in ("vx", "vy", "vz")]
    for name, axis in zip(("vx", "vy", "vz"), axes, strict=True):
        if not _is_axis(axis):
            raise TableError(f"{file}: {name} is not an axis: allowed are rising, evenly spaced numbers")
    shape = tuple(len(axis) for axis in axes)
    for name, wanted in (("controls", (*shape, CONTROLS)), ("objective", shape), ("failed", shape)):
        if found[name].shape != wanted:
            raise TableError(f"{file}: {name} has the shape {found[name].shape}: allowed is {wanted}")
    controls = found["controls"].astype(np.float32)
    if not np.isfinite(controls).all() or np.abs(controls).max() > LARGEST_ANGLE:
        raise TableError(
            f"{file}: controls hold numbers that are no angles: allowed are finite ones up to {LARGEST_ANGLE:g}"
        )
    objective = found["objective"].astype(np.float32)
    if np.isnan(objective).any():
        raise TableError(f"{file}: objective holds NaN: allowed are numbers, infinite where there is no controller")
    try:
        settings = json.loads(str(found["settings"]))
    except (ValueError, RecursionError):
        settings = None
    if not isinstance(settings, dict):
        raise TableError(f"{file}: settings are not JSON: allowed is an object in braces")
    return ControllerTable(axes[0], axes[1], axes[2], np.ascontiguousarray(controls), objective,
                           found["failed"].astype(np.bool_), settings)  # fmt: skip


def _is_axis(axis: Array) -> bool:
    """Whether numbers rise in even steps, and are such that their steps can be told."""
    if axis.ndim != 1 or not 1 <= len(axis) <= MOST_POINTS or not (np.abs(axis) <= FASTEST).all():
        return False
    gaps = np.diff(axis)
    return bool((gaps > 0.0).all() and (not len(gaps) or np.ptp(gaps) <= 1e-3 * gaps[0]))


def _fields(file: Path) -> dict[str, Any]:
    found = read_arrays(file, FIELDS, LARGEST_TABLE, TableError)
    for name in ("format", "settings"):
        if found[name].ndim:
            raise TableError(f"{file}: {name} has the shape {found[name].shape}: allowed is a single value")
    if int(found["format"]) != FORMAT:
        raise TableError(f"{file} has format {int(found['format'])}: allowed is {FORMAT}")
    return found


def without_jumps(controls: Array, good: Array) -> Array:
    """Controls (nx, ny, nz, 27) whose shifts differ by less than half a turn between neighbours, and whose bad cells
    hold what good ones around them say."""
    out, known = controls.copy(), good.copy()
    while not known.all():
        if not known.any():
            raise TableError("no cell of the table has a controller")
        total, count = np.zeros_like(out), np.zeros(known.shape)
        for axis in range(3):
            for side in (1, -1):
                moved, there = np.roll(out, side, axis), np.roll(known, side, axis)
                edge: list[Any] = [slice(None)] * 3
                edge[axis] = 0 if side == 1 else -1
                there[tuple(edge)] = False
                total += np.where(there[..., None], moved, 0.0)
                count += there
        filled = ~known & (count > 0)
        out[filled] = total[filled] / count[filled][:, None]
        known |= filled
    shifts = out[..., :9]
    middle = tuple(n // 2 for n in shifts.shape[:3])
    for axis in range(3):
        # outward from the middle of each axis, along which rows before it are already in step
        shifts = np.moveaxis(shifts, axis, 0)
        for k in range(middle[axis] + 1, len(shifts)):
            shifts[k] -= 2 * np.pi * np.round((shifts[k] - shifts[k - 1]) / (2 * np.pi))
        for k in range(middle[axis] - 1, -1, -1):
            shifts[k] -= 2 * np.pi * np.round((shifts[k] - shifts[k + 1]) / (2 * np.pi))
        shifts = np.moveaxis(shifts, 0, axis)
    out[..., :9] = shifts
    return out
