"""What a head with antennae learns in one tick: what they touch and smell, and how far the way is free."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from numba import prange

from ...components.antennae import Sense
from ...engine.kernel import kernel
from ..legs.segment_frame_kernel import segment_frame
from .antenna_kernel import move_antennae
from .clearance_kernel import leading_end, look_ahead
from .smell_kernel import smell_with_antennae
from .touch_kernel import touch_with_antennae


@kernel()
def sense_one(c, bodies, segments, heads, antennae, food, around, dt):
    """Move the antennae of one creature, note what they touch and smell, and look how far its head may go."""
    frame = segment_frame(segments.position, segments.orientation, np.int64(bodies.first_segment[c]))
    clearance, look_range = antennae.parameters[c, Sense.HEAD_CLEARANCE], antennae.parameters[c, Sense.LOOK_RANGE]
    move_antennae(c, frame, antennae, dt)
    touch_with_antennae(c, frame, antennae, around, dt)
    rear = segment_frame(segments.position, segments.orientation, leading_end(c, bodies, True)[0])
    look_ahead(frame, rear, clearance, look_range, around, antennae.free_path[c], antennae.barrier[c], heads.way[c])
    smell_with_antennae(c, antennae, food, around)


@kernel(parallel=True)
def sense(rows, bodies, segments, heads, antennae, food, around, dt):
    """Update antennae, contacts, smells, free paths, barriers and ways of all listed creatures."""
    for r in prange(rows.size):
        sense_one(np.int64(rows[r]), bodies, segments, heads, antennae, food, around, dt)
