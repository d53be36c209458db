"""Who has left the map, and whose body has been torn apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ..spatial_index.wall_contact_kernel import is_beyond_edge

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.segments import SegmentPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array

AT_HOME, STRAY, OUT_OF_THE_WORLD, TORN = 0, 1, 2, 3


@kernel()
def state_of_body(c: int, creatures: CreaturePool, bodies: BodyPool, position: Array, bounds: Array, farthest: float,
                  torn: float) -> int:  # fmt: skip
    """Return whether all of a body is beyond the bounds, or it is farther up or down than any ground, or torn apart."""
    first = int64(bodies.first_segment[c])
    end = first + bodies.segment_count[c]
    if first == end:
        return AT_HOME
    if creatures.reach[c] > torn * creatures.length[c] and creatures.length[c] > 0.0:
        return TORN
    if abs(position[first, 2]) > farthest:
        return OUT_OF_THE_WORLD
    for i in range(first, end):
        if not is_beyond_edge(position[i, 0], position[i, 1], bounds):
            return AT_HOME
    return STRAY


@kernel()
def find_strays(rows: Array, creatures: CreaturePool, bodies: BodyPool, segments: SegmentPool, bounds: Array,
                farthest: float, torn: float, states: Array) -> int:  # fmt: skip
    """Update the state of each listed creature; return how many are not at home."""
    count = 0
    for k in range(rows.shape[0]):
        states[k] = state_of_body(rows[k], creatures, bodies, segments.position, bounds, farthest, torn)
        count += states[k] != AT_HOME
    return count
