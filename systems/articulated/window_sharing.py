"""The fluid windows of a world: who swims in which, what is solid in them, and what a game sees of their water."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.articulated.links import LinkPool
from ...components.articulated.manoeuvres import ManoeuvrePool
from ...components.articulated.servo import MOST_WINDOWS, NO_WINDOW, SwimPool
from ...components.articulated.surrogate import SurrogatePool
from ...engine.errors import SnapshotError
from ...engine.pool import NO_OWNER
from .fluid.solids_kernel import mark_solids
from .fluid.window_layout import SHIFTS, FluidWindows
from .fluid.window_view import FluidView, view_window
from .fluid.windows import open_window, step_windows
from .stroke.wake_water import carry_along
from .window_policy_kernel import share_windows

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World
    from ..body_surroundings import BodySurroundings

CELLS = 64
LENGTHS = 2.25
"""Cells and body lengths of the square window of a swimmer. [swimmer 1.3, 5]"""
TOLERANCE = 0.03
"""Of the pressure, in play. [swimmer 1.3]"""
LOOK_TICKS = 30
"""From one look at the ground in a window to the next: swimmers rise and sink, rocks are put down."""


class SwimWindows:
    """All fluid windows of a world.

    Example::

        world.resource(SwimWindows).active          # numbers of those that are in use
    """

    def __init__(self, world: World) -> None:
        self.world, self.swimmers, self.links = world, world.pool(SwimPool), world.pool(LinkPool)
        self.surrogates, self.manoeuvres = world.pool(SurrogatePool), world.pool(ManoeuvrePool)
        self.fluid = FluidWindows(MOST_WINDOWS, CELLS, CELLS)
        self._looked = np.full(MOST_WINDOWS, -1)  # shifts at the last look at the ground

    @property
    def active(self) -> Array:
        """(n,) windows with somebody in them."""
        return np.flatnonzero(self.fluid.arrays.member_count[:])

    def share(self, rows: Array) -> None:
        """Decide who of the rows swims in which window, and open those that are new."""
        creatures, swimmers, links = self.world.creature_pool, self.swimmers, self.links
        while True:  # one after the other: the next may be inside the window that was just opened
            row, w = share_windows(rows, creatures, swimmers, links, self.fluid.arrays)
            if w == NO_WINDOW:
                return
            open_window(self.fluid, w, [row], self.swimmers, self.links, LENGTHS * float(self.swimmers.length[row]))
            carry_along(self.fluid, w, row, self.swimmers, self.links, self.surrogates, self.manoeuvres)
            self.swimmers.window[row], self._looked[w] = w, -1

    def step(self, around: BodySurroundings, dt: float) -> None:
        """One tick of all windows that are in use."""
        active, shifts = self.active, self.fluid.arrays.counts[:, SHIFTS]
        if not active.size:
            return
        due = active if self.world.tick % LOOK_TICKS == 0 else active[self._looked[active] != shifts[active]]
        if due.size:
            mark_solids(due, self.fluid.arrays, self.swimmers, around)
            self._looked[due] = shifts[due]
        step_windows(active, self.fluid, self.swimmers, self.links, dt, TOLERANCE)

    def view_of(self, row: int) -> FluidView | None:
        """The water around one swimmer, if it has a window."""
        w = int(self.swimmers.window[row])
        return view_window(self.fluid, w) if 0 <= w < MOST_WINDOWS else None

    def state(self) -> dict[str, Array]:
        """Plain arrays from which `restore` continues."""
        self._forget_the_carried()
        return {**self.fluid.state(), "looked": self._looked}

    def _forget_the_carried(self) -> None:
        """Take those from their windows that were carried elsewhere since the last tick; the next one would do so first."""
        fluid = self.fluid.arrays
        for w in self.active.tolist():
            members = fluid.members[w, : fluid.member_count[w]]
            kept = members[self.swimmers.window[members] == w]
            fluid.member_count[w] = len(kept)
            fluid.members[w, : len(kept)] = kept

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over what was saved."""
        looked = arrays.get("looked")
        if looked is None or looked.shape != self._looked.shape or looked.dtype != self._looked.dtype:
            raise SnapshotError(f"fluid windows: looked: allowed are {MOST_WINDOWS} whole numbers")
        self.fluid.restore({name: value for name, value in arrays.items() if name != "looked"})
        self._check_members()
        self._looked[:] = looked

    def _check_members(self) -> None:
        """Refuse windows whose members do not say so themselves: kernels believe these numbers."""
        fluid, swimmers = self.fluid.arrays, self.swimmers
        listed = np.zeros(swimmers.capacity, np.bool_)
        for w in self.active.tolist():
            for row in fluid.members[w, : fluid.member_count[w]].tolist():
                if row >= swimmers.capacity or listed[row] or swimmers.owner[row] == NO_OWNER or swimmers.window[row] != w:
                    raise SnapshotError(f"fluid windows: window {w}: member {row}: allowed are swimmers in it, once each")
                listed[row] = True
        rows = swimmers.spans[:, 0]
        windows = swimmers.window[rows]
        if (listed[rows] != ((windows != NO_WINDOW) & (windows < MOST_WINDOWS))).any():
            raise SnapshotError("fluid windows: allowed are swimmers in no window, or in one that has them as members")
