"""The bush tier: six-degree-of-freedom joints and an implicit step at about 120 Hz, for creatures far away.

The tissue's mid-plane mass rides with the two frames (a quarter of the block on each, at the block centre). Segments
that are led by the Targeter move as they are told and cut the body into runs of free segments; the linear system of a
run is a symmetric band, solved in one sweep with the led neighbours as known velocities. What lies between two led
segments decides nothing and is not computed, so a body that stands on most of its legs costs little. The gyroscopic
torque is left out. Mid-plane nodes are not kept up; a body that changes to the full tier gets them put between the faces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .banded_solver_kernel import (
    add_impulse,
    add_joint_matrix,
    add_lump,
    clear_band,
    load_inertia,
    load_momentum,
    meet_led,
    solve_band,
)
from .body_rows_kernel import body_rows
from .faces_kernel import place_end
from .follow_tier_kernel import advance_pose
from .inversion_guard_kernel import OUT_OF_RANGE, joint_in_range
from .rigid_segments_kernel import clear_and_weigh, ground_contact, load_segment, store_segment
from .rotation_kernel import rotation_matrix, turn
from .scratch_layout import (
    BLK_END_A,
    BLK_END_B,
    BLK_HALF,
    BLK_INVERSE_MASS,
    BUSH_STRIDE,
    BUSH_UNKNOWNS,
    END_A,
    END_B,
    SEG_Q,
    SEG_R,
    SEG_V,
    SEG_W,
    SEG_X,
    SEGMENT_STRIDE,
)
from .tabulated_joint_kernel import load_joint, step_joint

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.myriapod.tissue import TissuePool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array

BUSH_RATE = 120.0  # implicit steps per second [numerics 5]


@kernel()
def is_involved(i: int, first: int, count: int, kinematic: Array) -> bool:
    """Return whether segment `i` of a chain is free or the led neighbour of a free one."""
    return (
        kinematic[first + i] == 0
        or (i > 0 and kinematic[first + i - 1] == 0)
        or (i + 1 < count and kinematic[first + i + 1] == 0)
    )


@kernel()
def places_of(count: int) -> tuple[int, int, int]:
    """Return where in the scratch of so many segments the band, the right-hand side and the block at work begin."""
    band = count * SEGMENT_STRIDE
    return band, band + count * (BUSH_STRIDE - BUSH_UNKNOWNS), band + count * BUSH_STRIDE


@kernel()
def join_segments(k: int, c: int, bodies: BodyPool, chains: ChainPool, chained: ChainSegmentPool, blocks: TissuePool,
                  fraction: float, dt: float, s: Array) -> None:  # fmt: skip
    """Add the joint between segments k and k + 1 of creature `c` to their forces and to the linear system."""
    real = s.dtype.type
    first, count, row, _ = body_rows(c, bodies, chains)
    kinematic = chained.kinematic
    band, right, o = places_of(count)
    w = s[o:]
    a, b = k * SEGMENT_STRIDE, (k + 1) * SEGMENT_STRIDE
    load_joint(row + k, blocks, a, b, s, o)
    place_end(w, END_A, s, o + BLK_END_A, a)
    place_end(w, END_B, s, o + BLK_END_B, b)
    lump = real(0.25) / s[o + BLK_INVERSE_MASS]
    if not kinematic[first + k]:
        add_lump(s, w, band, right, k, END_A, real(1.0), s[o + BLK_HALF], lump)
    if not kinematic[first + k + 1]:
        add_lump(s, w, band, right, k + 1, END_B, real(-1.0), s[o + BLK_HALF], lump)
    if not joint_in_range(w, s, o):
        blocks.disturbed[row + k] |= OUT_OF_RANGE
    step_joint(w, s, o, a, b, blocks.joint, row + k, fraction, chains.rotation_free[c] == 0, dt)
    add_joint_matrix(s, w, band, k)


@kernel()
def joint_substep(c: int, bodies: BodyPool, chains: ChainPool, chained: ChainSegmentPool, blocks: TissuePool, contact: Array,
                  fraction: float, dt: float, s: Array) -> None:  # fmt: skip
    """Advance the free segments of creature `c` and their led neighbours by one implicit step."""
    real = s.dtype.type
    first, count, _, _ = body_rows(c, bodies, chains)
    kinematic = chained.kinematic
    band, right, _ = places_of(count)
    for i in range(count):
        if kinematic[first + i] == 0:
            at = i * SEGMENT_STRIDE
            load_inertia(s, band, i, chained.inertia, first + i)
            clear_and_weigh(s, at)
            ground_contact(s, at, real(contact[0]), real(contact[1]), real(chains.friction[c]), real(contact[2]), dt)
            load_momentum(s, band, right, i)
        elif is_involved(i, first, count, kinematic):
            clear_band(s, band, i)
    for k in range(count - 1):
        if kinematic[first + k] == 0 or kinematic[first + k + 1] == 0:
            join_segments(k, c, bodies, chains, chained, blocks, fraction, dt, s)
    solve_free_runs(first, count, kinematic, dt, s)
    for i in range(count):
        if is_involved(i, first, count, kinematic):
            advance_segment(s, i, right, kinematic[first + i], dt)


@kernel()
def solve_free_runs(first: int, count: int, kinematic: Array, dt: float, s: Array) -> None:
    """Solve the linear system of each run of free segments, with the led segments at its ends as known velocities."""
    band, right, _ = places_of(count)
    start = 0
    while start < count:
        if kinematic[first + start]:
            start += 1
            continue
        stop = start
        while stop < count and kinematic[first + stop] == 0:
            add_impulse(s, right, stop, dt)
            stop += 1
        meet_led(s, band, right, start, stop, count)
        solve_band(s, band, right, BUSH_UNKNOWNS * start, BUSH_UNKNOWNS * stop)
        start = stop


@kernel()
def advance_segment(s: Array, i: int, right: int, led: int, dt: float) -> None:
    """Move one segment with the solution of the linear system, or as it is told when it is led."""
    o = i * SEGMENT_STRIDE
    for d in range(3):
        if not led:
            s[o + SEG_V + d] = s[right + 6 * i + d]
            s[o + SEG_W + d] = s[right + 6 * i + 3 + d]
        s[o + SEG_X + d] += dt * s[o + SEG_V + d]
    turn(s, o + SEG_Q, dt * s[o + SEG_W], dt * s[o + SEG_W + 1], dt * s[o + SEG_W + 2])
    rotation_matrix(s, o + SEG_Q, s, o + SEG_R)


@kernel()
def step_one_joint_tier(c: int, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, chained: ChainSegmentPool,
                        blocks: TissuePool, contact: Array, dt: float, s: Array) -> None:  # fmt: skip
    """Advance the segments of creature `c` by one tick; `s` is its scratch row."""
    first, count, row, _ = body_rows(c, bodies, chains)
    chains.water_power[c] = 0.0
    if count == 0:
        return
    real = s.dtype.type
    position, kinematic, disturbed = segments.position, chained.kinematic, blocks.disturbed
    origin = (position[first, 0], position[first, 1], position[first, 2])
    involved = 0
    for i in range(count):
        if is_involved(i, first, count, kinematic):
            involved += 1
            load_segment(first + i, segments, chained, origin, s, i * SEGMENT_STRIDE)
        else:
            advance_pose(first + i, segments, dt)
    disturbed[row : row + count - 1] = 0
    if involved == 0:
        return
    steps = max(1, int(np.ceil(dt * BUSH_RATE - 1e-9)))
    for n in range(steps):
        fraction = real((n + 1.0) / steps)
        joint_substep(c, bodies, chains, chained, blocks, contact, fraction, real(dt / steps), s)
    for i in range(count):
        if is_involved(i, first, count, kinematic):
            store_segment(first + i, segments, origin, s, i * SEGMENT_STRIDE)


@kernel(parallel=True)
def step_joint_tier(rows: Array, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, chained: ChainSegmentPool,
                    blocks: TissuePool, contact: Array, dt: float, scratch: Array) -> None:  # fmt: skip
    """Advance the chains in `rows` by one tick of length dt with implicit joints; arguments as those of `step_full`."""
    for r in prange(rows.shape[0]):
        step_one_joint_tier(int64(rows[r]), bodies, chains, segments, chained, blocks, contact, dt, scratch[r])
