"""ContactSystem: bodies that meet press against each other with equal and opposite forces (docs/crowds.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.body import BodyPool
from ...components.segments import SegmentPool
from ...engine.bundle import packed, write_fields
from ...engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ..spatial_index.index import SpatialIndex
from ..spatial_index.solids import SolidField
from .answer_kernel import answer_presses, take_nudges, want_nudges
from .gathering_kernel import gather, leave_alone, pick_on_feet
from .meeting import Meeting
from .neighbours_kernel import find_contacts, leave_out_heaps
from .pair_kernel import MOST_LINKS, Link
from .pressing_kernel import press_bodies

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World


ROUNDS = 3
"""Times that those in a crowd, who have been moved aside each for itself, are moved once more."""

RADIUS = int(SolidField.RADIUS)


class ContactSystem:
    """Update the forces of bodies on each other, as they were at the beginning of this tick, and what comes of them."""

    def __init__(self, world: World) -> None:
        self.body, self.segments, self.creatures = world.pool(BodyPool), world.pool(SegmentPool), world.creature_pool
        self.around = world.resource(SpatialIndex)
        self._meeting: Meeting | None = None
        self._touches, self._counts = np.zeros(0, np.uint8), np.zeros(0, np.int32)  # of the meeting: how much room it has

    def process(self, dt: float) -> None:
        body, segments, creatures, rows = self.body, self.segments, self.creatures, self.around.herd
        if rows.size < 2:
            for row in rows.tolist():
                leave_alone(row, body, segments)
            return
        meeting, listed = self._now(dt), np.empty_like(rows)
        with ThreadsFor(rows.size, CREATURES_PER_THREAD):
            chains = listed[: gather(rows, creatures, body, meeting, listed)]
            if chains.size:
                leave_out_heaps(chains, body, meeting)
            find_contacts(rows, body, segments, meeting)
            press_bodies(rows, body, segments, meeting)
            answer_presses(rows, creatures, body, segments, dt)
            on_feet = listed[: pick_on_feet(rows, body, meeting, listed)]
            for _ in range(ROUNDS if on_feet.size else 0):
                want_nudges(on_feet, body, segments, meeting)
                take_nudges(on_feet, body, meeting)

    def _now(self, dt: float) -> Meeting:
        """Where all bodies are at the beginning of this tick, with room for what is found."""
        around, widest = self.around, float(self.around.bodies[:, RADIUS].max())
        if self._meeting is None or len(self._touches) != self.body.capacity or len(self._counts) < len(around.bodies):
            self._meeting = self._with_room(widest, dt)
        write_fields(self._meeting, places=around.places, capsules=around.bodies, boxes=around.body_hash.boxes,
                     herd=around.herd, herd_hash=around.herd_hash, widest=widest, dt=dt)  # fmt: skip
        return self._meeting

    def _with_room(self, widest: float, dt: float) -> Meeting:
        """A meeting of all bodies there may be before the pools grow."""
        around, capacity, count = self.around, self.body.capacity, 2 * len(self.around.bodies)
        flags: Array = np.zeros((3, capacity), np.uint8)
        meets, presses, self._touches = flags
        partners, (self._counts, sharing) = np.zeros((count, MOST_LINKS), np.int32), np.zeros((2, count), np.int32)
        links: Array = np.zeros((count, MOST_LINKS + 1, len(Link)))
        return packed(Meeting(around.places, around.bodies, around.body_hash.boxes, around.herd, around.herd_hash,
                              np.zeros(capacity, np.int64), meets, presses, widest, dt, partners, links, self._counts,
                              sharing, self._touches, np.zeros((capacity, 2))))  # fmt: skip
