"""What is seen of the water around swimmers with a fluid window: dye by its whirls, and traces of what drifts in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....components.articulated.servo import SwimPool
from ....engine.bundle import packed
from ...render.creatures.sheet import Sheet, View
from ..fluid.window_layout import STEPS as STEPS_TAKEN
from ..window_sharing import SwimWindows
from .wake_kernel import STEPS, move_traces, put_wakes, stir_dye

if TYPE_CHECKING:
    from ....engine.world import World

Array = NDArray[Any]

TRACERS = 260
"""Per window."""
FADE_SECONDS = 0.5
"""From the opening of a window until its wake is seen as it is."""
STEP_SECONDS = 1.0 / 30.0 - 1e-6
"""From one place of a trace to the next: a frame of a film. [articulated-swimmers 2.12]"""
LONGEST_STEP = 0.1
"""Seconds that tracers are moved by at once: after a pause they go on from where they are."""


class Wakes(NamedTuple):
    """The water of all windows as compiled code takes it."""

    u: Array  # (n, ny + 2, nx + 2) see fluid.window_layout
    v: Array
    origin: Array  # (n, 2)
    cell: Array  # (n,)
    drift: Array  # (n, 2) of the water around, units per second
    height: Array  # (n,) of the swimmer
    seen: Array  # (n,) 0..1: a window that has just opened fades in
    dye: Array  # (n, ny + 1, nx + 1) -1..1
    places: Array  # (n, tracers, STEPS, 2) newest first
    shown: bool  # the overlay is on


@dataclass(frozen=True)
class WakeGroup:
    """Dye and traces of one frame."""

    wakes: Wakes

    def put(self, sheet: Sheet, n: int, view: View) -> int:
        """Fill rows of the sheet from row n on and return the next free one."""
        return int(put_wakes(sheet, n, view, packed(self.wakes)))


class WakeKeeper:
    """Dye and tracers of all windows, by the number of the window. They live in the picture alone.

    Example::

        keeper = WakeKeeper(8)
        group = keeper.group(keeper.water(u, v, origin, cell, steps), windows, seconds=1 / 60)
    """

    def __init__(self, windows: int, nx: int, ny: int, tracers: int = TRACERS) -> None:
        self.places: Array = np.zeros((windows, tracers, STEPS, 2))
        self.ages: Array = np.zeros((windows, tracers))
        self.births: Array = np.zeros((windows, tracers), dtype=np.int64)
        self.dye: Array = np.zeros((windows, ny + 1, nx + 1))
        self.origin: Array = np.zeros((windows, 2))
        self._spare: Array = np.zeros((ny + 1, nx + 1))
        self._kept = 0.0

    def group(self, water: Wakes, windows: Array, seconds: float, fresh: Array) -> WakeGroup:
        """Move dye and tracers by some seconds and show them.

        `water` has one row per window in `windows`, without dye and places; `fresh` says which of them have just opened.
        """
        places, ages, births, dye = self.places[windows], self.ages[windows], self.births[windows], self.dye[windows]
        before = self.origin[windows]
        ages[fresh], dye[fresh], before[fresh] = 0.0, 0.0, water.origin[fresh]
        own = water._replace(places=places, dye=dye)
        if seconds > 0.0 and len(windows):
            step, flow = min(seconds, LONGEST_STEP), packed(own)
            self._kept -= seconds
            longer = self._kept <= 0.0
            self._kept = STEP_SECONDS if longer else self._kept
            move_traces(flow, places, ages, births, step, longer)
            stir_dye(flow, dye, self._spare, before, step)
            self.places[windows], self.ages[windows], self.births[windows], self.dye[windows] = places, ages, births, dye
            self.origin[windows] = water.origin
        return WakeGroup(own)


class WorldWakes:
    """The wakes of one world: what its fluid windows hold, and what drifts in them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._keeper: WakeKeeper | None = None
        self._tick = world.tick
        self._steps: Array = np.zeros(0, dtype=np.int64)

    def group(self) -> WakeGroup | None:
        """Wakes as they are now; None where no window is open."""
        windows = self.world.resources.find(SwimWindows)
        active = np.zeros(0, dtype=np.int64) if windows is None else windows.active
        if windows is None or not active.size:
            return None
        fluid = windows.fluid
        if self._keeper is None:
            self._keeper, self._steps = WakeKeeper(fluid.count, fluid.nx, fluid.ny), np.zeros(fluid.count, dtype=np.int64)
        ticks, self._tick = self.world.tick - self._tick, self.world.tick
        arrays, dt = fluid.arrays, self.world.clock.tick_seconds
        steps = arrays.counts[active, STEPS_TAKEN]
        fresh = steps < np.maximum(self._steps[active], 1)
        self._steps[:] = 0
        self._steps[active] = steps
        swimmers, rows = self.world.pool(SwimPool), arrays.members[active, 0]
        water = Wakes(
            u=arrays.u[active], v=arrays.v[active], origin=arrays.origin[active], cell=arrays.cell[active],
            drift=np.ascontiguousarray(swimmers.stream[rows, :2]), height=swimmers.height[rows],
            seen=np.minimum(steps * dt / FADE_SECONDS, 1.0), dye=self._keeper.dye[:0], places=self._keeper.places[:0],
            shown=bool(getattr(self.world.picture, "show_wakes", False)),
        )  # fmt: skip
        return self._keeper.group(water, active, max(ticks, 0) * dt, fresh)
