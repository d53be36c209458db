"""The follow tier: kinematics only, for creatures out of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from .rotation_kernel import turn

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.myriapod.tissue import TissuePool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array


@kernel()
def advance_pose(i: int, segments: SegmentPool, dt: float) -> None:
    """Move and turn segment `i` with its velocities."""
    position, velocity, spin = segments.position, segments.velocity, segments.angular_velocity
    for d in range(3):
        position[i, d] += dt * velocity[i, d]
    turn(segments.orientation[i], 0, dt * spin[i, 0], dt * spin[i, 1], dt * spin[i, 2])


@kernel(parallel=True)
def step_follow(rows: Array, bodies: BodyPool, chains: ChainPool, segments: SegmentPool,  # noqa: ARG001
                chained: ChainSegmentPool, blocks: TissuePool, contact: Array, dt: float,  # noqa: ARG001
                scratch: Array) -> None:  # fmt: skip  # noqa: ARG001 - as all tiers
    """Move and turn the segments of the creatures in `rows` with their given velocities; tissue stays as it is."""
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        first = int64(bodies.first_segment[c])
        for i in range(first, first + bodies.segment_count[c]):
            advance_pose(i, segments, dt)
