"""One pond as a moving surface: a window into the packed arrays of `Water`, and what can be done to it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import arguments
from ..errors import shortened
from ..terrain.terrain import Terrain
from ..threads import ThreadsFor
from .coupling_kernel import FREE, couple_bodies
from .coupling_rows_kernel import BODY_COLUMNS, LED_COLUMNS
from .current_kernel import push_current
from .dent_kernel import dent, rain
from .exchange_kernel import DENSITY, give_back, group_rows
from .leg_kernel import stir_legs
from .pond import ROUNDING
from .pond_bed import bed_of, cell_centers, derive_planes
from .pond_layout import (
    ABSORBING,
    BASE_X,
    BASE_Y,
    BED,
    CELL,
    CURRENT_X,
    CURRENT_Y,
    DEPTH,
    DRIVEN,
    DROPS,
    EDGE_NORTH,
    EDGE_WEST,
    GRAVITY,
    LEVEL,
    OF_LAND,
    OWED,
    RAIN_DUE,
    RAIN_RATE,
    SEED,
    SHIFT_X,
    SHIFT_Y,
    SOLID,
    SURFACE,
    WET,
    U,
    V,
)
from .pond_solids import fill_obstacles, fill_solids
from .step_kernel import ROWS_PER_CHUNK, clamp_velocities, flow, survey, widen_spans
from .volume_kernel import settle_level
from .water_error import WaterError

Array = NDArray[np.float64]

CELLS_PER_THREAD = 20_000  # a quarter of a millisecond; below it waiting for a busy core costs more than it saves
GROUPS_PER_THREAD = 8  # bodies that touch the same water; some hundredths of a millisecond each
LONGEST_STEP = 0.25  # s
MOST_SUBSTEPS = 64
COURANT = 0.8  # of the stability limit sqrt(2) c dt / dx + (|u| + |v|) dt / dx < 1 [numerics 7]
FASTEST = 0.9  # cells per substep; a departure point is at most one cell away
MOST_DROPS = 10_000  # per step
FASTEST_CURRENT = 20.0  # u/s; three times a fast swimmer


class Plan(NamedTuple):
    """How one step is taken: substeps, the gravity they use, and whether velocities are cut to what they can follow."""

    substeps: int
    gravity: float
    clamped: bool


class WaterGrid:
    """The water of one pond on a staggered grid; made by `Water`, which owns the arrays.

    Example::

        grid = Water([Pond(bounds=(-10, -10, 10, 10), level=1.0)], terrain).grids[0]
        grid.splash((0, 0), radius=1.0, height=0.3)
        grid.step(1 / 60)
    """

    def __init__(self, terrain: Terrain, frame: Array, fields: Array, counters: NDArray[np.int64]) -> None:
        rows, columns = fields.shape[1:]
        chunks = -(-(rows - 2) // ROWS_PER_CHUNK)
        self.terrain = terrain
        self.frame, self.fields, self.counters = frame, fields, counters
        self._wet = np.zeros((rows, 2), dtype=np.int64)
        self._spans = np.ones((rows, 2), dtype=np.int64)
        self._poor = np.zeros(rows, dtype=np.int64)
        self._highest = np.zeros((chunks, 3, columns))
        self._peaks = np.zeros((chunks, 3))
        self._kept = np.zeros((4, max(rows, columns)))
        self._sums = np.zeros(columns)
        self._owner = np.full((rows, columns), FREE, dtype=np.int32)

    # -- what there is --------------------------------------------------------------------------------------------

    @property
    def cell(self) -> float:
        return self.frame.item(CELL)

    @property
    def level(self) -> float:
        """The elevation of the surface at rest."""
        return float(self.frame[LEVEL])

    @property
    def size(self) -> tuple[int, int]:
        """Cells to the east and to the north."""
        return self.fields.shape[2] - 2, self.fields.shape[1] - 2

    @property
    def area(self) -> float:
        """Square units of its bounds."""
        return self.size[0] * self.size[1] * self.cell**2

    @property
    def origin(self) -> tuple[float, float]:
        """The south-west corner of the grid; it moves with a grid that follows a creature."""
        base, shift, cell = self.frame.item, self.counters.item, self.cell  # `item`: asked in every tick
        return base(BASE_X) + shift(SHIFT_X) * cell, base(BASE_Y) + shift(SHIFT_Y) * cell

    @property
    def center(self) -> tuple[float, float]:
        (x, y), (columns, rows) = self.origin, self.size
        return x + 0.5 * columns * self.cell, y + 0.5 * rows * self.cell

    def covers(self, x: float, y: float) -> bool:
        """Whether a point of the plan view is in the bounds of the pond, wet or not."""
        (west, south), (columns, rows) = self.origin, self.size
        return west <= x <= west + columns * self.cell and south <= y <= south + rows * self.cell

    @property
    def depth(self) -> Array:
        """Depth of every cell (rows to the north, columns to the east), read only."""
        return _read_only(self.fields[DEPTH, 1:-1, 1:-1])

    @property
    def bed(self) -> Array:
        """Elevation of the ground under every cell, read only."""
        return _read_only(self.fields[BED, 1:-1, 1:-1])

    @property
    def solid(self) -> NDArray[np.bool_]:
        """Cells that a shape of the terrain or an obstacle fills."""
        return self.fields[SOLID, 1:-1, 1:-1] != 0.0

    @property
    def velocity(self) -> tuple[Array, Array]:
        """u on the west and east faces (rows, columns + 1), v on the south and north faces (rows + 1, columns)."""
        return _read_only(self.fields[U, 1:-1, 1:]), _read_only(self.fields[V, 1:, 1:-1])

    @property
    def surface(self) -> Array:
        """Elevation of the surface of every cell, NaN where it is dry."""
        return np.where(self.depth > WET, self.fields[SURFACE, 1:-1, 1:-1], np.nan)

    @property
    def volume(self) -> float:
        """Water in the pond, with what bodies have displaced and is still to be spread."""
        return math.fsum(self.depth.ravel()) * self.cell**2 + float(self.frame[OWED])

    @property
    def momentum(self) -> Array:
        """Horizontal momentum (2,) of the water: that of its faces, with the mean depth of the two cells of a face."""
        u, v, depth = self.fields[U, 1:-1, 2:-1], self.fields[V, 2:-1, 1:-1], self.depth
        along = math.fsum((u * (depth[:, 1:] + depth[:, :-1])).ravel())
        across = math.fsum((v * (depth[1:] + depth[:-1])).ravel())
        return 0.5 * DENSITY * self.cell**2 * np.array([along, across])

    @property
    def rain_rate(self) -> float:
        """Drops per second on the whole pond."""
        return float(self.frame[RAIN_RATE])

    @rain_rate.setter
    def rain_rate(self, drops_per_second: float) -> None:
        self.frame[RAIN_RATE] = arguments.number("rain", drops_per_second, 0.0, MOST_DROPS, error=WaterError)

    @property
    def current(self) -> tuple[float, float]:
        """The mean velocity (x, y) in u/s that the water is pushed towards; (0, 0) brings what flowed to rest."""
        return float(self.frame[CURRENT_X]), float(self.frame[CURRENT_Y])

    # -- time -----------------------------------------------------------------------------------------------------

    def step(self, dt: float, bodies: ArrayLike | None = None, legs: ArrayLike | None = None) -> None:
        """Advance by dt seconds: flow, edges, level, rain, then what bodies and legs do to the water.

        `bodies` and `legs` are rows (ax, ay, az, bx, by, bz, radius, avx, avy, bvx, bvy): the ends of a capsule's axis
        in the world, its radius, and the horizontal velocities of the ends; the second end of a leg is its tip. Bodies
        that move freely under the force of the water have three more: 1, and the momentum (x, y) they lost to it.
        """
        if not 0.0 <= dt <= LONGEST_STEP:
            raise WaterError(f"dt is {dt!r}; allowed is a number from 0 to {LONGEST_STEP} s")
        if dt > 0.0:
            self._flow(dt)
            settle_level(self.fields, self.frame, self._sums, dt)
            self._rain(dt)
        if bodies is not None or legs is not None:
            self.couple(bodies, legs, dt)

    def couple(self, bodies: ArrayLike | None = None, legs: ArrayLike | None = None, dt: float = 1.0 / 60.0) -> None:
        """Let bodies and legs move the water; `step` does this, too. Rows that are not finite are passed over."""
        x, y = self.origin
        capsules = None if bodies is None else _capsules(bodies, "bodies")
        if capsules is not None and len(capsules):
            give = np.zeros((len(capsules), 2))
            self.frame[OWED] += couple_bodies(self.fields, self._owner, capsules, give, x, y, self.cell, self.level)
            scratch = np.empty((4, len(capsules) + 1), np.int64)
            groups = group_rows(self._owner, capsules, give, x, y, self.cell, FREE, scratch)
            with ThreadsFor(groups, GROUPS_PER_THREAD):
                give_back(self.fields, capsules, give, x, y, self.cell, groups, scratch[1], scratch[2])
        if legs is not None:
            stir_legs(self.fields, _capsules(legs, "legs"), x, y, self.cell, dt)

    def _flow(self, dt: float) -> None:
        columns, rows = self.size
        with ThreadsFor(columns * rows, CELLS_PER_THREAD):
            survey(self.fields, self._wet, self._highest, self._peaks)
            plan = self.plan(dt)
            k = dt / (plan.substeps * self.cell)
            fastest = FASTEST / k
            if plan.clamped:
                clamp_velocities(self.fields, fastest)
            widen_spans(self._spans, self._wet, plan.substeps + 2, columns + 2)
            edges = self.counters[EDGE_WEST : EDGE_NORTH + 1]
            flow(self.fields, self.frame, self._spans, self._poor, len(self._peaks), edges, self._kept, plan.substeps, k,
                 fastest, plan.gravity)
            push_current(self.fields, self.frame, dt)

    def plan(self, dt: float) -> Plan:
        """How a step of dt will be taken, from the depths and speeds at the start of the last one.

        Water too deep or fast even for the most substeps gets slower waves instead of blowing up.
        """
        depth, u, v = self._peaks.max(axis=0).tolist()
        gravity = float(self.frame[GRAVITY])
        crossed = dt / self.cell
        flowing, waving = crossed * (u + v), crossed * math.sqrt(2.0 * gravity * depth)
        wanted = (flowing + waving) / COURANT
        if wanted <= MOST_SUBSTEPS:
            return Plan(max(1, math.ceil(wanted)), gravity, False)
        most = 0.5 * COURANT * MOST_SUBSTEPS
        slowed = gravity * min(1.0, most / waving) ** 2 if waving > 0.0 else gravity
        return Plan(MOST_SUBSTEPS, slowed, True)

    def _rain(self, dt: float) -> None:
        due = float(self.frame[RAIN_DUE] + self.frame[RAIN_RATE] * dt)
        drops = min(int(due), MOST_DROPS)
        self.frame[RAIN_DUE] = due - int(due)
        if drops:
            rain(self.fields, self.counters[SEED], self.counters[DROPS], drops)
            self.counters[DROPS] += drops

    # -- changes --------------------------------------------------------------------------------------------------

    def splash(self, at: ArrayLike, radius: float, height: float) -> None:
        """Raise (or press down) the water around a point and take it from (or give it to) a rim one cell wide.

        A cell gives at most half of its water, so no splash reaches the bed.
        """
        x, y = arguments.vector("splash(at)", at, error=WaterError)[:2].tolist()
        radius = arguments.number("splash(radius)", radius, 0.0, above=True, error=WaterError)
        height = arguments.number("splash(height)", height, error=WaterError)
        west, south = self.origin
        dent(self.fields, (x - west) / self.cell + 0.5, (y - south) / self.cell + 0.5, radius / self.cell, float(height))

    def check_current(self, velocity: ArrayLike) -> Array:
        """Two numbers that can be a current of this pond: it needs absorbing sides to come in and to go out."""
        wanted = arguments.vector("current", velocity, (2,), error=WaterError)
        edges = self.counters[EDGE_WEST : EDGE_NORTH + 1].reshape(2, 2)
        for speed, ends, sides in zip(wanted.tolist(), edges, ("west and east", "south and north"), strict=True):
            arguments.number("current", speed, -FASTEST_CURRENT, FASTEST_CURRENT, error=WaterError)
            if speed != 0.0 and not (ends == ABSORBING).all():
                raise WaterError(
                    f"current is {shortened(wanted.tolist())}; allowed is one that absorbing sides let in and out: {sides}"
                )
        return wanted

    def set_current(self, velocity: ArrayLike) -> None:
        """Push the water towards a mean velocity (x, y) from now on; see `Water.set_current`, which is recorded, too."""
        wanted = self.check_current(velocity)
        self.frame[[CURRENT_X, CURRENT_Y]] = wanted
        self.frame[DRIVEN] = 1.0 if wanted.any() else self.frame[DRIVEN]

    def set_surface(self, surface: ArrayLike) -> None:
        """Let the surface stand at an elevation (one number or one per cell); ground above it is dry."""
        wanted = np.broadcast_to(np.asarray(surface, dtype=np.float64), self.depth.shape)
        self.set_depth(np.maximum(np.where(self.solid, -np.inf, wanted) - self.bed, 0.0))

    def set_depth(self, depth: ArrayLike) -> None:
        """Set the depth of every cell."""
        wanted = np.broadcast_to(np.asarray(depth, dtype=np.float64), self.depth.shape)
        bad = ~((wanted >= 0.0) & (wanted <= DEEPEST))
        if bad.any():
            row, column = np.argwhere(bad)[0].tolist()
            raise WaterError(
                f"depth of cell (row {row}, column {column}) is {wanted[row, column]}; allowed is a number "
                f"from 0 to {DEEPEST:g}"
            )
        self.fields[DEPTH, 1:-1, 1:-1] = np.where(self.solid, 0.0, wanted)
        derive_planes(self.fields)

    def set_solid(self, solid: ArrayLike) -> None:
        """Say which cells are solid. Water that stood in them is spread over the pond.

        What the land and the obstacles of a world fill is known already; this is for ponds without a world.
        """
        wanted = np.broadcast_to(np.asarray(solid, dtype=np.bool_), self.depth.shape)
        fill_solids(self.fields, self.frame, np.where(wanted, OF_LAND, 0.0))

    def set_obstacles(self, covered: ArrayLike) -> bool:
        """Say which cells obstacles fill, beside the land; returns whether that has changed.

        Water that stood in new ones is spread over the pond. Where one was taken away the water stands at once as it does
        around, and the whole pond gives what that takes.
        """
        wanted = np.broadcast_to(np.asarray(covered, dtype=np.bool_), self.depth.shape)
        return fill_obstacles(self.fields, self.frame, wanted)

    # -- a grid that follows --------------------------------------------------------------------------------------

    def follow(self, at: ArrayLike) -> tuple[int, int]:
        """Move the grid towards a point if its centre is more than a cell away: at most one cell per axis.

        Returns the shift in cells. What the waves look like in the world does not change; the new cells at the front
        continue the surface behind them. [Fang15 App. B]
        """
        x, y = (float(value) for value in np.asarray(at, dtype=np.float64)[:2])
        center = self.center
        shift = tuple(
            int(math.copysign(1, away)) if self.cell * (1.0 + ROUNDING) < abs(away) < math.inf else 0
            for away in (x - center[0], y - center[1])
        )
        for axis in (0, 1):
            if shift[axis]:
                self._shift(axis, shift[axis])
        return shift[0], shift[1]

    def _shift(self, axis: int, step: int) -> None:
        state = self.fields[: SOLID + 1]
        state = state if axis == 1 else state.swapaxes(1, 2)  # (plane, along the shift, across it)
        here, there = (slice(1, -2), slice(2, -1)) if step > 0 else (slice(2, -1), slice(1, -2))
        state[:, here] = state[:, there].copy()
        normal = U if axis == 0 else V
        state[normal, [1, -1]] = 0.0  # walls
        if step > 0:
            state[normal, -2] = state[normal, -3]
        else:
            state[normal, 2] = state[normal, 3]
        self.counters[SHIFT_X + axis] += step
        self._refresh_front(state, axis, -2 if step > 0 else 1)
        derive_planes(self.fields)

    def _refresh_front(self, state: Array, axis: int, front: int) -> None:
        """Bed, solids and depth of the cells that just came under the grid."""
        (west, south), (columns, rows) = self.origin, self.size
        if axis == 0:
            west += (columns - 1) * self.cell if front < 0 else 0.0
            centers = cell_centers(west, south, self.cell, 1, rows)
        else:
            south += (rows - 1) * self.cell if front < 0 else 0.0
            centers = cell_centers(west, south, self.cell, columns, 1)
        wet = state[DEPTH, front, 1:-1] > WET
        surface = np.where(wet, state[BED, front, 1:-1] + state[DEPTH, front, 1:-1], self.level)
        bed, solid = bed_of(self.terrain, centers, self.level)
        state[BED, front, 1:-1], state[SOLID, front, 1:-1] = bed, solid
        state[DEPTH, front, 1:-1] = np.where(solid, 0.0, np.maximum(surface - bed, 0.0))


DEEPEST = 1.0e6
"""Units; the deepest water a cell may hold."""


def _read_only(view: Array) -> Array:
    view.flags.writeable = False
    return view


def _capsules(rows: Any, name: str) -> Array:
    array = np.ascontiguousarray(rows, dtype=np.float64)
    if array.size == 0:
        return np.zeros((0, BODY_COLUMNS))
    if array.ndim != 2 or array.shape[1] not in (LED_COLUMNS, BODY_COLUMNS):
        raise WaterError(f"{name} have shape {array.shape}; allowed is (n, {LED_COLUMNS}) or (n, {BODY_COLUMNS})")
    missing = BODY_COLUMNS - array.shape[1]
    return np.pad(array, ((0, 0), (0, missing))) if missing else array
