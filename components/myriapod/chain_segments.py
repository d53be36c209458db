"""The segments of a chain: what boxes that are joined by tissue, and that legs carry, have beside what all segments have."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from ...engine.column_rules import FLAG, LONGEST, MOTION, OFFSET, ON_MAP, InverseOf, Within
from ...engine.pool import Array, MovedFrom, Pool, Rows, column, view
from ..segments import MOST_SEGMENTS


@dataclass(frozen=True)
class ChainSegmentSpec:
    """The ``[chain_segments]`` table, which follows from ``[segments]`` and has no keys."""

    def row_count(self, specs: dict[str, Any]) -> int:
        return int(specs["segments"].row_count(specs))


class Lift(IntEnum):
    """How the back of another creature raises the ground below a segment: ``lift[row, Lift.HEIGHT]``."""

    HEIGHT = 0  # units above the bare ground, along its normal
    RATE = 1  # u/s at which that grows
    SLOPE = 2  # rise per unit of way along the body, forward


def kept_with_segments(name: str) -> MovedFrom:
    """Where older saves have a column: there `SegmentPool` had those of walkers too."""
    return MovedFrom("SegmentPool", name)


class ChainSegmentPool(Pool):
    """Segments of all myriapods, in the same rows as in `SegmentPool`. Rows of other animals are blank."""

    beside = "SegmentPool"
    format = 2  # without the column "press", which all segments have

    # of rigid boxes joined by tissue
    # offset from the box centre, body axes
    center_of_mass = column(np.float64, 3, older=kept_with_segments("center_of_mass"), holds=OFFSET, fixed=True)
    # about the centre of mass, body axes
    inertia = column(np.float64, 3, 3, older=kept_with_segments("inertia"), fixed=True)
    inverse_inertia = column(np.float64, 3, 3, older=kept_with_segments("inverse_inertia"), holds=InverseOf("inertia"),
                             fixed=True)
    # from centre to hinge in the tissue ahead
    half_pitch = column(np.float64, older=kept_with_segments("half_pitch"), holds=Within(0.0, LONGEST), fixed=True)
    # how many segments before it is the one that it follows: 1, unless a body branches
    ahead = column(np.int32, fill=1, older=kept_with_segments("ahead"), holds=Within(1, MOST_SEGMENTS), fixed=True)
    # of walkers
    # of the centre above ground, that the Balancer holds
    ride_height = column(np.float64, older=kept_with_segments("ride_height"), holds=OFFSET, fixed=True)
    # 1: led by the Targeter, 0: free to the dynamics
    kinematic = column(np.uint8, older=kept_with_segments("kinematic"), holds=FLAG)
    # seconds that support still outlives its loss
    support_timer = column(np.float64, older=kept_with_segments("support_timer"))
    # seconds that the hand-over to the Targeter is still smoothed
    blend_timer = column(np.float64, older=kept_with_segments("blend_timer"))
    height = column(np.float64, older=kept_with_segments("height"))  # of the centre above the bare ground
    # plane of the ground below, for contact
    ground_point = column(np.float64, 3, older=kept_with_segments("ground_point"), holds=ON_MAP)
    ground_normal = column(np.float64, 3, older=kept_with_segments("ground_normal"))
    gravity = column(np.float64, 3, older=kept_with_segments("gravity"))
    lift_share = column(np.float64, older=kept_with_segments("lift_share"))  # how much of a back is underfoot, 0..1
    # units that backs underfoot raise the ground, before any limit of speed
    raised = column(np.float64, older=kept_with_segments("raised"), holds=OFFSET)
    # how they raise it for this segment now
    lift = column(np.float64, len(Lift), older=kept_with_segments("lift"), holds=OFFSET)
    # velocity out of what the flank touches: rocks, and others that press
    shove = column(np.float64, 3, older=kept_with_segments("shove"), holds=MOTION)


class ChainSegments:
    """The segments of one creature's chain, head first."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: ChainSegmentPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    height = view("height", "(n,) units of the centres above the bare ground")
    ground_normal = view("ground_normal", "(n, 3) of the ground below")

    @property
    def led(self) -> Array:
        """(n,) bool: led by the gait; the others are left to the dynamics."""
        return self.pool.view(self.rows, "kinematic").view(np.bool_)

    def __len__(self) -> int:
        return self.rows.size
