"""Antennae without the links they do not have, and those of the dead, which nobody holds up any more."""

from __future__ import annotations

from math import hypot, nan, sqrt
from typing import TYPE_CHECKING

from ....components.antennae import Sense
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ...legs.segment_frame_kernel import segment_frame
from ...senses.antenna_kernel import lay_links

if TYPE_CHECKING:
    from ....components.antennae import AntennaPool
    from ....components.body import BodyPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array

SAG = 0.8  # of its length: how far a link that hangs falls, and how steeply one that lies climbs


@kernel()
def copy_antennae(parameters: Array, points: Array, copied: Array) -> None:
    """Update copied from the points of all antennae, NaN beyond their last links."""
    for k in range(copied.shape[0]):
        for side in range(copied.shape[1]):
            for joint in range(copied.shape[2]):
                for axis in range(3):
                    beyond = joint > parameters[k, Sense.LINK_COUNT]
                    copied[k, side, joint, axis] = nan if beyond else points[k, side, joint, axis]


@kernel()
def carry_antennae(rows: Array, bodies: BodyPool, segments: SegmentPool, antennae: AntennaPool, copied: Array) -> None:
    """Update copied where heads have moved since their owners, some rows, died: the antennae go with them."""
    for r in range(rows.size):
        c = int64(rows[r])
        frame = segment_frame(segments.position, segments.orientation, int64(bodies.first_segment[c]))
        for side in range(2):
            lay_links(c, side, frame, antennae, copied[c, side])


@kernel()
def drop_antennae(rows: Array, antennae: AntennaPool, clearance: Array, copied: Array) -> None:
    """Update copied so that the antennae of some rows hang, and lie where they come down; lengths stay.

    clearance (rows, sides, joints) is the height of the copied joints above the ground.
    """
    for r in range(rows.size):
        c = int64(rows[r])
        own = antennae.parameters[c]
        length, thick = own[Sense.LINK_LENGTH], own[Sense.LINK_RADIUS]
        for side in range(2):
            points = copied[c, side]
            before_x, before_y = points[0, 0], points[0, 1]
            for i in range(1, int(own[Sense.LINK_COUNT]) + 1):
                dx, dy = points[i, 0] - before_x, points[i, 1] - before_y
                lying = points[i, 2] - clearance[r, side, i] + thick
                before_x, before_y = points[i, 0], points[i, 1]
                fall = min(max(lying - points[i - 1, 2], -SAG * length), SAG * length)
                along = sqrt(length * length - fall * fall) / max(hypot(dx, dy), 1e-9)
                points[i, 0], points[i, 1] = points[i - 1, 0] + along * dx, points[i - 1, 1] + along * dy
                points[i, 2] = points[i - 1, 2] + fall
