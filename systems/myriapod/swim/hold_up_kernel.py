"""Level keeping: top and bottom muscles hold what is still in the water up while the front of a body climbs out.

Tissue stiff enough to swim with is a stiff beam, too: without this the tail of an animal on a bank would point down along
the slope, to the bed. Every block behind something that is on the ground bends so that the segment behind it lies level,
whatever the segment ahead does. A free swimmer has nothing to push against and is left to its buoyancy. The source leaves
top and bottom muscles as future work. [Fang15 7.2, digest 1.11]
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numba
import numpy as np

from ....components.myriapod.muscles import Muscle
from ....engine.kernel import kernel
from .muscle_kernel import limited

SHORTEST, TURN_TIME, LIFT = int(Muscle.SHORTEST), int(Muscle.TURN_TIME), int(Muscle.LIFT)
TOP, BOTTOM = 2, 3  # columns of the lengths, after left and right


@kernel()
def pitch_of(orientation, i):
    """Return the sine of the angle by which segment `i` points upward."""
    w, x, y, z = orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3]
    return 2.0 * (x * z - w * y)


@kernel()
def level_one(own, first, count, active, segment_a, segment_b, size, orientation, submerged, lengths, dt):
    """Update top and bottom lengths of one creature's blocks; the sides give way where both would be too short."""
    step = own[LIFT] * dt / own[TURN_TIME]
    held = False  # by something ahead that is on the ground
    for i in range(first, first + count):
        a, b = segment_a[i], segment_b[i]
        held = held or submerged[a] == 0
        shorter = 0.0  # of the top, as a share of the block; of the bottom if negative
        if active and held and submerged[b] != 0:
            shorter = limited(pitch_of(orientation, a) * size[i, 2] / size[i, 0], -own[LIFT], own[LIFT])
        lengths[i, TOP] += limited(1.0 - max(shorter, 0.0) - lengths[i, TOP], -step, step)
        lengths[i, BOTTOM] += limited(1.0 + min(shorter, 0.0) - lengths[i, BOTTOM], -step, step)
        least = own[SHORTEST] / min(lengths[i, TOP], lengths[i, BOTTOM])
        for side in range(2):
            lengths[i, side] = max(lengths[i, side], least)


@kernel(parallel=True)
def level_bodies(
    rows, still, parameters, first_block, block_count, segment_a, segment_b, size, orientation, submerged, lengths, dt
):
    """Update top and bottom lengths of the creatures in `rows` from the pitch of their segments; still ones relax."""
    for index in numba.prange(rows.shape[0]):
        c = rows[np.int64(index)]
        level_one(
            parameters[c], first_block[c], block_count[c], still[c] == 0, segment_a, segment_b, size, orientation,
            submerged, lengths, dt,
        )  # fmt: skip
