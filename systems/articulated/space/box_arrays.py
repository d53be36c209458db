"""A box of water in three dimensions: its arrays, and the levels of its multigrid.

All fields of a level are flat arrays over cells with one layer of closed cells around them, z running fastest: kernels run
over whole planes in one loop, and no loop asks for a border. `u[c]` is the velocity through the face between cell c and the
one before it along x, `v` and `w` likewise. Grids are float32, bodies and sums float64. [swimmer 6]
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....engine.bundle import packed
from ....engine.errors import ArgumentError
from ..fluid.window_layout import COARSEST, level_sides
from .space_body import MOST_RATES

if TYPE_CHECKING:
    from ....engine.kernel_types import Array as KernelArray
    from ....engine.pool import Array

GRID = (64, 32, 32)
"""[Tan11 tab. 1]"""
CUT_SHARE = 6
"""Cells of a box per cell that a body may cut."""


class FluidBox(NamedTuple):
    """One box. Lengths in body lengths."""

    cells: KernelArray  # (3,) int64
    dx: float
    origin: KernelArray  # (3,) lower corner in the world
    counters: KernelArray  # (8,) int64, see `Counter`
    u: KernelArray
    v: KernelArray
    w: KernelArray
    u1: KernelArray  # of the first half of a step
    v1: KernelArray
    w1: KernelArray
    p: KernelArray  # pressure times the time step
    levels: KernelArray  # (levels, 4) int64: where it begins in the arrays below, and its cells along each axis
    open_x: KernelArray  # open share of the faces of all levels; outer faces have 2 while pressure is solved for
    open_y: KernelArray
    open_z: KernelArray
    diagonal: KernelArray
    inverse: KernelArray  # of the diagonal; 0 in cells without an open face
    live: KernelArray  # 1 or 0
    guess: KernelArray  # what a level solves for
    right: KernelArray
    rest: KernelArray  # what is left of the right side
    search: KernelArray  # direction of the conjugate gradients
    change: KernelArray  # what it changes
    empty_x: KernelArray  # open shares of a box without a body
    empty_y: KernelArray
    empty_z: KernelArray
    far_x: KernelArray  # distance of faces from the body
    far_y: KernelArray
    far_z: KernelArray
    owner_x: KernelArray  # int16, link that is nearest
    owner_y: KernelArray
    owner_z: KernelArray
    span: KernelArray  # (6,) int64, cells around the body: first and last along each axis
    cut_cells: KernelArray
    rows: KernelArray  # (cut, rates) how the water of a cut cell is displaced by the rates, over dx
    plane: KernelArray  # (4, cells of a plane) float32 for loops
    sums: KernelArray  # (3, rates)


class Counter(IntEnum):
    """Columns of `FluidBox.counters`: what was done since they were set back; CUT is the number of cut cells now."""

    ITERATIONS = 0
    SUBSTEPS = 1
    SHIFTS = 2
    FAILURES = 3
    CUT = 4
    STEPS = 5
    MOST_ITERATIONS = 6
    MOST_SUBSTEPS = 7


def fluid_box(lengths: float = 2.0, cells: tuple[int, int, int] = GRID) -> FluidBox:
    """Still water, so many body lengths long; its cells are cubes.

    Example::

        box = fluid_box(2.0)                   # 64 x 32 x 32 cells, two body lengths long, one wide and high
        field(box, "u")[1:-1, 1:-1, 16]        # velocities along x in a slice
    """
    if min(cells) < 2 * COARSEST or any(side % 2 for side in cells):
        raise ArgumentError(f"cells is {cells!r}, allowed are three even numbers from {2 * COARSEST} on")
    levels, start = [], 0
    for sides in level_sides(*cells):
        levels.append((start, *sides))
        start += _size(sides)
    fine, cut = _size(cells), cells[0] * cells[1] * cells[2] // CUT_SHARE
    fields = {name: np.zeros(start, np.float32) for name in (
        "open_x", "open_y", "open_z", "diagonal", "inverse", "live", "guess", "right", "rest")}  # fmt: skip
    fields |= {name: np.zeros(fine, np.float32) for name in (
        "u", "v", "w", "u1", "v1", "w1", "p", "search", "change", "far_x", "far_y", "far_z")}  # fmt: skip
    fields |= {name: np.full(fine, -1, np.int16) for name in ("owner_x", "owner_y", "owner_z")}
    for axis, name in enumerate(("empty_x", "empty_y", "empty_z")):
        empty = np.zeros(tuple(side + 2 for side in cells), np.float32)
        inner = [slice(1, side + 1) for side in cells]
        inner[axis] = slice(1, cells[axis] + 2)
        empty[tuple(inner)] = 1.0
        fields[name] = empty.ravel()
    return packed(FluidBox(
        cells=np.array(cells), dx=lengths / cells[0], origin=np.zeros(3), counters=np.zeros(len(Counter), np.int64),
        levels=np.array(levels), span=np.zeros(6, np.int64), cut_cells=np.zeros(cut, np.int64),
        rows=np.zeros((cut, MOST_RATES)), plane=np.zeros((4, (cells[1] + 2) * (cells[2] + 2)), np.float32),
        sums=np.zeros((3, MOST_RATES)), **fields,
    ))  # fmt: skip


def _size(cells: tuple[int, ...]) -> int:
    return (cells[0] + 2) * (cells[1] + 2) * (cells[2] + 2)


def field(box: FluidBox, name: str) -> Array:
    """A field of the finest level as (nx + 2, ny + 2, nz + 2); cells begin at 1."""
    sides = tuple(int(side) + 2 for side in box.cells[:])
    found: Array = getattr(box, name)[: sides[0] * sides[1] * sides[2]].reshape(sides)
    return found
