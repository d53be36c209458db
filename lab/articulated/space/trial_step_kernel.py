"""A step of a trial in a box: that of play, and how far the body is within itself, which only searches ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.kernel import kernel
from ....systems.articulated.space.box_arrays import Counter
from ....systems.articulated.space.box_shape_kernel import distance_to_link
from ....systems.articulated.space.box_step_kernel import FINE, move_together

if TYPE_CHECKING:
    from ....systems.articulated.space.box_arrays import FluidBox
    from ....systems.articulated.space.space_body import SpaceBody, SpaceState

OVERLAP_EVERY = 4
"""Steps from one measurement of overlap to the next."""


@kernel(refcount=False)
def overlap_of(body: SpaceBody, state: SpaceState) -> float:
    """Return the volume of links that lies within links that they must not overlap."""
    total, n = 0.0, body.parent.size
    for a in range(n):
        for b in range(n):
            if body.apart[a, b] == 0:
                continue
            reach = body.length[a] + body.length[b] + 2.0 * (body.width[a, 0] + body.width[b, 0])
            gap = 0.0
            for i in range(3):
                gap += (state.middles[a, i] - state.middles[b, i]) ** 2
            if gap > reach * reach:
                continue
            for m in range(body.points.shape[1]):
                p = body.points[a, m]
                x = y = z = 0.0
                for i in range(3):
                    at = state.joints[a, i] - state.joints[b, i]
                    at += p[0] * state.axes[a, 0, i] + p[1] * state.axes[a, 1, i] + p[2] * state.axes[a, 2, i]
                    x += at * state.axes[b, 0, i]
                    y += at * state.axes[b, 1, i]
                    z += at * state.axes[b, 2, i]
                if distance_to_link(body, b, x, y, z) < 0.0:
                    total += body.volume[a]
    return total


@kernel()
def step_box(box: FluidBox, body: SpaceBody, state: SpaceState, dt: float, tolerance: float) -> int:
    """Step a swimmer and its water by dt, its servos toward what they are to have; return how it ended."""
    ended = move_together(box, body, state, dt, tolerance)
    if ended == FINE and box.counters[Counter.STEPS] % OVERLAP_EVERY == 0:
        state.overlap[0] += OVERLAP_EVERY * dt * overlap_of(body, state)
    return ended
