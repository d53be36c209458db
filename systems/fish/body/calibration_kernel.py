"""Trials of a species in open water, for its swimming table: constant beat and bend, and what becomes of it."""

from __future__ import annotations

from math import atan2, cos, pi, sin
from typing import TYPE_CHECKING

from numba import prange

from ....components.fish.topology import STATIONS
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import wrapped
from .forces_kernel import add_couples
from .frame_kernel import ring_mean, write_frame
from .pilot_kernel import beat_muscles
from .springs_kernel import load_body, step_springs, store_body

if TYPE_CHECKING:
    from ....components.fish.motor import MotorPool
    from ....components.fish.nodes import NodePool
    from ....components.fish.springs import FishBodyPool
    from ....engine.kernel_types import Array
    from .kind_table import FishKinds

COSINE, SINE, ALONE, OWN = range(4)  # columns of sums over time, see `note_wave`
DEEP = 1.0e9  # units; the level of water that has no surface


@kernel()
def note_wave(c: int, fishes: FishBodyPool, motors: MotorPool, nodes: NodePool, wave: Array) -> None:
    """Update sums over time of the spine's sideways offsets at its stations (first 7 rows).

    COSINE, SINE, ALONE and OWN: across the way ahead (y) times the cosine and the sine of the beat, that alone, and across
    the body's own axis. The last row has the sums of cosine and sine.
    """
    first, left = int64(fishes.first_node[c]), fishes.axes[c, 1]
    p, q = cos(motors.phase[c]), sin(motors.phase[c])
    for station in range(STATIONS):
        y = own = 0.0
        for axis in range(3):
            if station == 0:
                at = nodes.position[first, axis]
            elif station == 6:
                at = 0.5 * (nodes.position[first + 21, axis] + nodes.position[first + 22, axis])
            else:
                at = ring_mean(nodes.position, first, station - 1, axis)
            at -= fishes.centre[c, axis]
            own += at * left[axis]
            if axis == 1:
                y = at
        wave[station, COSINE] += y * p
        wave[station, SINE] += y * q
        wave[station, ALONE] += y
        wave[station, OWN] += own
    wave[STATIONS, COSINE] += p
    wave[STATIONS, SINE] += q


@kernel(parallel=True)
def swim_trials(rows: Array, kinds: FishKinds, fishes: FishBodyPool, motors: MotorPool, nodes: NodePool, warm_up: int,
                ticks: int, dt: float, scratch: Array, way: Array, turned: Array, wave: Array) -> None:  # fmt: skip
    """Update way (trials, 3), turned (radians) and wave (8, 4: see `note_wave`) over the last `ticks` of trials with
    constant commands."""
    for r in prange(rows.size):
        c = int64(rows[r])
        s = scratch[r]
        for tick in range(warm_up + ticks):
            yaw = atan2(fishes.axes[c, 0, 1], fishes.axes[c, 0, 0])
            for i in range(fishes.contraction.shape[1]):
                fishes.contraction_before[c, i] = fishes.contraction[c, i]
            motors.phase[c] = (motors.phase[c] + 2.0 * pi * motors.beat[c] * fishes.pace[c] * dt) % (2.0 * pi)
            beat_muscles(c, fishes, motors)
            load_body(s, nodes, int64(fishes.first_node[c]))
            add_couples(s, c, 0, 0, kinds, fishes, motors)
            contraction = (fishes.contraction_before[c], fishes.contraction[c])
            medium = (DEEP, (0.0, 0.0, 0.0), 0.0)
            step_springs(s, kinds, 0, fishes.size[c], motors.tone[c], fishes.tuned[c], contraction, medium,
                         fishes.substeps[c], dt)  # fmt: skip
            store_body(s, nodes, int64(fishes.first_node[c]))
            x, y, z = fishes.centre[c, 0], fishes.centre[c, 1], fishes.centre[c, 2]
            write_frame(c, 0, kinds, fishes, nodes)
            if tick >= warm_up:
                way[r, 0] += fishes.centre[c, 0] - x
                way[r, 1] += fishes.centre[c, 1] - y
                way[r, 2] += fishes.centre[c, 2] - z
                turned[r] += wrapped(atan2(fishes.axes[c, 0, 1], fishes.axes[c, 0, 0]) - yaw)
                note_wave(c, fishes, motors, nodes, wave[r])
