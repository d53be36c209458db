"""The boxes of water of a world: who of those that flap in space swims in one, and what a game sees of it."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....components.articulated.link_plan import plan_of
from ....components.articulated.links import LinkPool
from ....components.articulated.manoeuvres import ManoeuvrePool
from ....components.articulated.servo import MOST_BOXES, MOST_WINDOWS, NO_WINDOW, VISCOSITY, SwimPool
from ....components.body import BodyPool
from ....components.segments import SegmentPool
from ....engine.errors import SnapshotError
from ....engine.pool import NO_OWNER
from ..fluid.window_layout import FASTEST
from ..fluid.window_view import FluidView
from ..stroke.surge_kernel import HEAVE, cycle_at
from .box_arrays import Counter, FluidBox, field, fluid_box
from .space_body import SpaceBody, SpaceState, box_lengths, new_state, space_body
from .swimmer_box_kernel import open_box, share_boxes, swim_box

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

CELLS = (48, 24, 24)
"""Of a box in play: a manta is 6 % slower in it than on 64 x 32 x 32 or 96 x 48 x 48 cells, for 0.44 and 0.1 of the time."""
GRAVITY = 9.81
"""m/s^2"""
LOW_WEIGHT = 0.04
"""Lengths that the weight of a body hangs below the middle of the water that it displaces: slowly it rights itself."""
FIELDS = ("u", "v", "w", "p")
"""What of a box is saved: all else is made anew in every step."""


class Tank(NamedTuple):
    """A box, the body in it, and its state."""

    box: FluidBox
    body: SpaceBody
    state: SpaceState
    righting: float


class SwimBoxes:
    """All boxes of a world: the first rows that may have one have them.

    Example::

        world.resource(SwimBoxes).active          # numbers of those that are in use
    """

    def __init__(self, world: World) -> None:
        self.world, self.swimmers, self.links = world, world.pool(SwimPool), world.pool(LinkPool)
        self.bodies, self.segments = world.pool(BodyPool), world.pool(SegmentPool)
        self.manoeuvres = world.pool(ManoeuvrePool)
        self.members = np.full(MOST_BOXES, NO_WINDOW)
        self._fresh = np.zeros(MOST_BOXES, np.uint8)
        self._tanks: list[Tank | None] = [None] * MOST_BOXES
        self._saved: dict[int, dict[str, Array]] = {}  # of boxes that were loaded and not used since

    @property
    def active(self) -> Array:
        """(n,) boxes with a swimmer in them."""
        return np.flatnonzero(self.members != NO_WINDOW)

    def share(self, rows: Array) -> None:
        """Decide who of the rows swims in which box, and open those that are new."""
        self._fresh[:] = 0
        inside = [row for b, row in enumerate(self.members.tolist()) if row != NO_WINDOW and self._is_in(row, b)]
        share_boxes(rows, self.members, self._fresh, MOST_WINDOWS, self.world.creature_pool, self.swimmers)
        for row in inside:
            if self.swimmers.window[row] == NO_WINDOW:
                self.swimmers.climb[row] -= self._cycle(row)[HEAVE]
        for b in np.flatnonzero(self._fresh).tolist():
            self._saved.pop(b, None)
            row = int(self.members[b])
            tank, cycle = self._tank_for(row), self._cycle(row)
            self._tanks[b] = tank
            self.swimmers.climb[row] += cycle[HEAVE]
            open_box(row, tank.box, tank.body, tank.state, cycle, self.swimmers, self.links)

    def _is_in(self, row: int, b: int) -> bool:
        return bool(self.swimmers.window[row] == MOST_WINDOWS + b)

    def _cycle(self, row: int) -> Array:
        """(6,) velocities of its recorded cycle now: a climb is without its heave there, in a box it is all of it."""
        velocity, swimmers = np.zeros(6), self.swimmers
        phase, steer = float(swimmers.phase[row]), float(swimmers.steer[row])
        cycle_at(row, phase, steer, swimmers, self.links, self.manoeuvres, velocity)
        return float(swimmers.effort[row]) * velocity

    def step(self, rows: Array, levels: Array, dt: float) -> None:
        """One tick of all boxes that are in use, one after the other. levels (n, 2): surface and bed at the listed rows."""
        pools = self.world.creature_pool, self.swimmers, self.links, self.bodies, self.segments
        for b in self.active.tolist():
            tank, row = self._tank(b), int(self.members[b])
            heights = levels[np.flatnonzero(rows == row)[0]]
            swim_box(row, tank.box, tank.body, tank.state, tank.righting, heights, *pools, dt)

    def _tank(self, b: int) -> Tank:
        """A box that is in use; one that was loaded is filled with its water."""
        tank = self._tanks[b]
        if tank is None or b in self._saved:
            tank = self._tanks[b] = self._tank_for(int(self.members[b]))
            saved = self._saved.pop(b)
            for name in (*FIELDS, "origin", "counters"):
                getattr(tank.box, name)[:] = saved[name]
            tank.state.rate[3:5] = saved["spin"]
        return tank

    def _tank_for(self, row: int) -> Tank:
        """Still water for a swimmer."""
        species = self.world.creatures[int(self.swimmers.owner[row])].species
        plan, servo = plan_of(tuple(species.specs["links"])), species.specs["servo"]
        body = space_body(plan, servo)
        metres = sqrt(float(self.swimmers.reynolds[row]) * VISCOSITY) or type(servo)().real_length
        return Tank(fluid_box(box_lengths(plan), CELLS), body, new_state(body), LOW_WEIGHT * GRAVITY / metres)

    def view_of(self, row: int) -> FluidView | None:
        """The water around one swimmer at its height, if it has a box."""
        b = int(self.swimmers.window[row]) - MOST_WINDOWS
        if b < 0 or self.members[b] != row:
            return None
        box, length, pace = self._tank(b).box, float(self.swimmers.length[row]), float(self.swimmers.pace[row])
        u, v, w = (field(box, name).astype(np.float64) for name in "uvw")
        k = int(np.clip((self.swimmers.height[row] / length - box.origin[2]) / box.dx, 0, CELLS[2] - 1)) + 1
        inner = slice(1, -1)
        means = 0.5 * (u[inner, inner, k] + u[2:, inner, k]), 0.5 * (v[inner, inner, k] + v[inner, 2:, k])
        velocity = length * pace * np.stack(means, axis=-1).transpose(1, 0, 2)
        cell = length * float(box.dx)
        spin = np.gradient(velocity[..., 1], cell, axis=1) - np.gradient(velocity[..., 0], cell, axis=0)
        shares = field(box, "open_x")[..., k], field(box, "open_y")[..., k]
        solid = ((shares[0][inner, inner] == 0.0) & (shares[1][inner, inner] == 0.0)).T
        seconds = self.world.clock.tick_seconds
        pressure = (length * pace) ** 2 * field(box, "p")[inner, inner, k].T.astype(np.float64) / (seconds * pace)
        drift = self.swimmers.stream[row, :2]
        origin = length * float(box.origin[0]), length * float(box.origin[1])
        return FluidView(origin, cell, velocity + drift, spin, pressure, solid)

    def state(self) -> dict[str, Array]:
        """Plain arrays from which `restore` continues; nothing if no box is open."""
        for b in self.active.tolist():  # taken elsewhere since the last tick: the next one would see it first
            if not self._is_in(int(self.members[b]), b):
                self.members[b] = NO_WINDOW
        found = [self._plain(b) for b in self.active.tolist()]
        if not found:
            return {}
        return {"members": self.members, **{name: np.stack([one[name] for one in found]) for name in found[0]}}

    def _plain(self, b: int) -> dict[str, Array]:
        tank = self._tanks[b]
        if b in self._saved or tank is None:
            return self._saved[b]
        plain = {name: np.asarray(getattr(tank.box, name)[:]) for name in (*FIELDS, "origin", "counters")}
        return plain | {"spin": tank.state.rate[3:5]}

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over what was saved, after a look at all of it."""
        members = _checked(arrays, "members", (MOST_BOXES,), np.int64)
        listed = members[members != NO_WINDOW]
        swimmers, size = self.swimmers, int(np.prod(np.array(CELLS) + 2))
        for row in listed.tolist():
            b = int(np.flatnonzero(members == row)[0])
            if not 0 <= row < swimmers.capacity or swimmers.owner[row] == NO_OWNER or swimmers.plane[row] != 0:
                raise SnapshotError(f"boxes of water: member {row}: allowed are swimmers that move in space")
            if swimmers.window[row] != MOST_WINDOWS + b or (members == row).sum() > 1:
                raise SnapshotError(f"boxes of water: member {row}: allowed are swimmers in it, once each")
        saved = {name: _checked(arrays, name, (len(listed), size), np.float32) for name in FIELDS}
        saved["origin"] = _checked(arrays, "origin", (len(listed), 3), np.float64)
        saved["counters"] = _checked(arrays, "counters", (len(listed), len(Counter)), np.int64)
        saved["spin"] = _checked(arrays, "spin", (len(listed), 2), np.float64)
        self.members[:] = members
        self._tanks = [None] * MOST_BOXES
        self._saved = {b: {name: values[i].copy() for name, values in saved.items()}
                       for i, b in enumerate(self.active.tolist())}  # fmt: skip


def _checked(arrays: dict[str, Array], name: str, shape: tuple[int, ...], kind: type) -> Array:
    """A saved array, or an error that says what is allowed."""
    found = arrays.get(name)
    if found is None or found.shape != shape or found.dtype != kind or not (np.abs(found) < FASTEST).all():
        raise SnapshotError(f"boxes of water: {name}: allowed are {shape} finite numbers of {np.dtype(kind)}")
    return found
