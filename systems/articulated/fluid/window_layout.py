"""Fluid windows: pieces of water on a grid that go with the swimmers in them. [Tan11 3.1, 6] [swimmer 1.3]

Cells have numbers 1..ny, 1..nx within a ring of padding. `u[j, i]` is the velocity through the face between cells i and
i + 1 of row j, `v[j, i]` through that between rows j and j + 1; node [j, i] is the corner between those. Everything is in
units of the world and moves with the water around: velocities are against that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....components.articulated.link_plan import MOST_LINKS
from ....engine.bundle import packed
from ....engine.errors import PaludariumError, SnapshotError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....engine.kernel_types import Array as KernelArray
    from ....engine.pool import Array

MOST_MEMBERS = 4
"""Swimmers in one window: they feel each other's wake."""
MOST_RATES = MOST_LINKS + 2
FRAME = range(10)
"""Of a link while it is simulated: joint x, y, angle, cos, sin, velocity of the joint x, y, turning rate, and what the
joint accelerates by though no coordinate does, x, y."""
COARSEST = 4
"""Cells of the shorter side of the coarsest grid of the pressure. [swimmer 1.2]"""
SMALLEST, LARGEST = 8, 2048
"""Cells along a side of a window: the stencil of the water needs so many, and they must fit into memory."""
NOBODY, GROUND = -1, -2
"""Owners of faces: open water, and what does not move."""


class WindowArrays(NamedTuple):
    """Of all windows, the number of the window first. Only the first group is state, the rest is scratch."""

    u: KernelArray  # (w, ny + 2, nx + 2)
    v: KernelArray
    pressure: KernelArray  # times dt
    solid: KernelArray  # uint8 per cell: ground or obstacle
    open_u: KernelArray  # open share of faces, in the last tick
    open_v: KernelArray
    has_ground: KernelArray  # (w,) whether there is any
    origin: KernelArray  # (w, 2) of the corner of cell [1, 1]
    cell: KernelArray  # (w,) width of a cell
    drift: KernelArray  # (w, 3) velocity of the water around, x and y, and seconds of the last step
    members: KernelArray  # (w, MOST_MEMBERS) rows of creatures
    member_count: KernelArray  # (w,)
    counts: KernelArray  # (w, COUNTS)
    # scratch: grids
    u1: KernelArray
    v1: KernelArray
    owner_u: KernelArray  # int16 MOST_LINKS * member + link, or NOBODY, GROUND
    owner_v: KernelArray
    distance: KernelArray  # of nodes from the nearest link
    nearest: KernelArray  # int16 that link
    along: KernelArray  # search direction of conjugate gradients
    image: KernelArray  # the matrix times that
    least: KernelArray  # smallest opening of the faces of a cell, in this tick and the last one
    cuts: KernelArray  # (w, 4) first and last row and column of faces near links
    sums: KernelArray  # (w, 2, ny + 2 + 2 PAD, nx + 2 + 2 PAD) sums around faces near links
    weights: KernelArray  # (w, 2, 4) of the faces around a point beside the skin
    lines: KernelArray  # (w, 4, longer side + 2) sums and largest values by columns, sponge, fluxes
    box: KernelArray  # (w, 4) first and last row and column of nodes near links
    # scratch: grids of the pressure, (w, levels, ny + 2, nx + 2)
    weight_u: KernelArray
    weight_v: KernelArray
    damped: KernelArray  # 0.8 over the diagonal, 0 in cells without water
    rest: KernelArray  # what is left to solve
    guess: KernelArray
    other: KernelArray
    # scratch: bodies
    frame: KernelArray  # (w, members, links, len(FRAME))
    matrix: KernelArray  # (w, members, rates, rates)
    rate: KernelArray  # (w, members, rates)
    star: KernelArray
    force: KernelArray
    pull: KernelArray  # (w, members, rates)
    row_cell: KernelArray  # (w, rows, 2) cell of a row of K
    row_member: KernelArray  # (w, rows)
    row: KernelArray  # (w, rows, rates) K: what a cell loses in volume as coordinates change
    row_count: KernelArray  # (w,)
    reached: KernelArray  # uint8 per cell near links: whether open faces lead from it to the water around
    sealed: KernelArray  # (w, rows, 2) cells from which none does
    sealed_count: KernelArray  # (w,)


ITERATIONS, SUBSTEPS, SHIFTS, FAILURES, STEPS, SHIFTED_X, SHIFTED_Y, KNOWN = range(8)
COUNTS = 8
"""Per window: iterations and substeps of the last step; shifts, failures and steps since it was opened; cells that it has
moved by since then, for those who keep a map of solids; members that its openings are of."""


WHOLE = ("origin", "cell", "drift", "members", "member_count", "has_ground", "counts")
FIELDS = ("u", "v", "pressure", "solid", "open_u", "open_v")
"""What is saved: of every window, and of those that are open."""
OPENINGS = ("open_u", "open_v")
PAD = 8
"""Cells that the scratch of sums goes on for beyond the grid, so that no sum needs a look at the edge."""
FASTEST = 1e12


class FluidWindows:
    """Windows of one size of grid.

    Example::

        windows = FluidWindows(8, 64, 64)
        open_window(windows, 0, [row], swimmers, links, width=18.0)
        step_windows(np.array([0]), windows, swimmers, links, 1 / 60, tolerance=0.03)
        windows.arrays.u[0]          # (ny + 2, nx + 2) velocity through east faces
    """

    def __init__(self, count: int, nx: int, ny: int) -> None:
        if not (count >= 1 and SMALLEST <= min(nx, ny) and max(nx, ny) <= LARGEST):
            allowed = f"at least one window of {SMALLEST} to {LARGEST} cells along each side"
            raise PaludariumError(f"fluid windows: {count} of {nx} x {ny} cells: allowed is {allowed}")
        self.count, self.nx, self.ny = count, nx, ny
        levels = len(level_sides(nx, ny))
        most_rows = max(nx * ny // 4, 256)

        def grids(*more: int, dtype: type = np.float64) -> Array:
            return np.zeros((count, *more, ny + 2, nx + 2), dtype)

        bodies = (count, MOST_MEMBERS)
        self.arrays = packed(WindowArrays(
            u=grids(), v=grids(), pressure=grids(), solid=grids(dtype=np.uint8),
            open_u=np.ones((count, ny + 2, nx + 2)), open_v=np.ones((count, ny + 2, nx + 2)),
            has_ground=np.zeros(count, np.int64), origin=np.zeros((count, 2)),
            cell=np.ones(count), drift=np.zeros((count, 3)),
            members=np.zeros(bodies, np.int64), member_count=np.zeros(count, np.int64),
            counts=np.zeros((count, COUNTS), np.int64),
            u1=grids(), v1=grids(), owner_u=grids(dtype=np.int16),
            owner_v=grids(dtype=np.int16), distance=grids(), nearest=grids(dtype=np.int16), along=grids(), image=grids(),
            least=grids(), cuts=np.zeros((count, 4), np.int64),
            sums=np.zeros((count, 2, ny + 2 + 2 * PAD, nx + 2 + 2 * PAD)),
            weights=np.zeros((count, 2, 4)), lines=np.zeros((count, 4, max(nx, ny) + 2)), box=np.zeros((count, 4), np.int64),
            weight_u=grids(levels), weight_v=grids(levels),
            damped=grids(levels), rest=grids(levels), guess=grids(levels), other=grids(levels),
            frame=np.zeros((*bodies, MOST_LINKS, len(FRAME))), matrix=np.zeros((*bodies, MOST_RATES, MOST_RATES)),
            rate=np.zeros((*bodies, MOST_RATES)), star=np.zeros((*bodies, MOST_RATES)),
            force=np.zeros((*bodies, MOST_RATES)), pull=np.zeros((*bodies, MOST_RATES)),
            row_cell=np.zeros((count, most_rows, 2), np.int64), row_member=np.zeros((count, most_rows), np.int64),
            row=np.zeros((count, most_rows, MOST_RATES)), row_count=np.zeros(count, np.int64),
            reached=grids(dtype=np.uint8), sealed=np.zeros((count, most_rows, 2), np.int64),
            sealed_count=np.zeros(count, np.int64),
        ))  # fmt: skip

    def state(self) -> dict[str, Array]:
        """Plain arrays from which `restore` continues; fields of those windows only that are open."""
        fluid = self.arrays
        open_ = fluid.member_count[:] > 0
        whole = {name: getattr(fluid, name) for name in WHOLE}
        return whole | {name: getattr(fluid, name)[open_] for name in FIELDS}

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over what was saved, after a look at all of it."""
        fluid = self.arrays
        counts = arrays.get("counts")
        if counts is not None and counts.shape == (self.count, KNOWN):  # an older save, without the last of them
            arrays = arrays | {"counts": np.pad(counts, ((0, 0), (0, 1)))}
        for name in WHOLE:
            _check(name, arrays, getattr(fluid, name), lambda values: bool(np.isfinite(values).all()))
        count = arrays["member_count"]
        open_ = count > 0
        if not ((count >= 0) & (count <= MOST_MEMBERS)).all() or (arrays["members"] < 0).any():
            raise SnapshotError(f"fluid windows: allowed are up to {MOST_MEMBERS} members of a window, by row")
        if not (arrays["cell"] > 0.0).all():
            raise SnapshotError("fluid windows: allowed are cells wider than 0")
        if not any(name in arrays for name in OPENINGS):  # an older save: as if all faces had been open
            arrays = arrays | {name: np.ones_like(arrays["u"]) for name in OPENINGS if "u" in arrays}
        for name in FIELDS:
            _check(name, arrays, getattr(fluid, name)[open_], lambda values: bool((np.abs(values) < FASTEST).all()))
        for name in WHOLE:
            getattr(fluid, name)[:] = arrays[name]
        for name in FIELDS:
            getattr(fluid, name)[:] = 1 if name in OPENINGS else 0
            getattr(fluid, name)[open_] = arrays[name]

    def clear(self, w: int) -> None:
        """Still water without ground or members."""
        fluid = self.arrays
        for field in (fluid.u, fluid.v, fluid.pressure, fluid.solid, fluid.counts, fluid.has_ground, fluid.member_count):
            field[w] = 0
        fluid.open_u[w] = fluid.open_v[w] = 1.0


def _check(name: str, arrays: dict[str, Array], like: Array, sound: Callable[[Array], bool]) -> None:
    """Raise unless a saved array can take the place of ours."""
    found = arrays.get(name)
    if found is None or found.shape != like.shape or found.dtype != like.dtype or not sound(found):
        raise SnapshotError(f"fluid windows: {name}: allowed are {like.shape} finite numbers of {like.dtype}")


def level_sides(*sides: int) -> list[tuple[int, ...]]:
    """Sides of the grids the pressure is solved on: each half as fine, as long as all sides are even and long enough."""
    levels = [sides]
    while all(side % 2 == 0 and side >= 2 * COARSEST for side in levels[-1]):
        levels.append(tuple(side // 2 for side in levels[-1]))
    return levels
