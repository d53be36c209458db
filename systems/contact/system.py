"""ContactSystem: bodies that meet press against each other with equal and opposite forces (docs/crowds.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.body import Answer, BodyPool
from ...components.segments import SegmentPool
from ...engine.bundle import repacked
from ...engine.column_rules import NOBODY
from ...engine.creature import FOLLOW
from ...engine.threads import CREATURES_PER_THREAD, ThreadsFor
from ..spatial_index.index import SpatialIndex
from ..spatial_index.solids import SolidField
from .answer_kernel import answer_presses, take_nudges, want_nudges
from .meeting import Meeting
from .neighbours_kernel import find_contacts, leave_out_heaps
from .pair_kernel import MOST_LINKS
from .pressing_kernel import press_bodies

if TYPE_CHECKING:
    from ...engine.pool import Array
    from ...engine.world import World


ROUNDS = 3
"""Times that those in a crowd, who have been moved aside each for itself, are moved once more."""


class ContactSystem:
    """Update the forces of bodies on each other, as they were at the beginning of this tick, and what comes of them."""

    def __init__(self, world: World) -> None:
        self.body, self.segments, self.creatures = world.pool(BodyPool), world.pool(SegmentPool), world.creature_pool
        self.around = world.resource(SpatialIndex)
        self._partners, self._counts = np.zeros((0, MOST_LINKS), np.int32), np.zeros((2, 0), np.int32)
        self._meeting: Meeting | None = None
        self._wants = np.zeros((0, 2))

    def process(self, dt: float) -> None:
        body, segments = self.body, self.segments
        rows = self.around.herd
        if not rows.size:
            return
        answer = body.answer[rows]
        body.nudge[rows] = 0.0
        chains = rows[(answer == Answer.OWN) & (body.linked[rows] != 0)]
        chains = chains[self.creatures.tier[chains] != FOLLOW]
        meeting = self._meeting = repacked(self._meeting, self._now(rows, answer, dt))
        with ThreadsFor(rows.size, CREATURES_PER_THREAD):
            if chains.size:
                leave_out_heaps(chains, body, meeting)
            find_contacts(rows, body, segments, meeting)
            press_bodies(rows, body, segments, meeting)
            answer_presses(rows, self.creatures, body, segments, dt)
            on_feet = rows[(answer == Answer.NUDGE) & (meeting.touches[rows] != 0)]
            for _ in range(ROUNDS if on_feet.size else 0):
                want_nudges(on_feet, body, segments, meeting)
                take_nudges(on_feet, body, meeting)

    def _now(self, rows: Array, answer: Array, dt: float) -> Meeting:
        """Where all bodies are at the beginning of this tick."""
        around, capacity = self.around, self.body.capacity
        meets, presses = np.zeros(capacity, np.uint8), np.zeros(capacity, np.uint8)
        touches = np.zeros(capacity, np.uint8)
        meets[rows] = answer != Answer.NONE
        counts, sharing = self._room(len(around.bodies))
        if len(self._wants) < capacity:
            self._wants = np.zeros((capacity, 2))
        widest = float(around.bodies[:, SolidField.RADIUS].max())
        return Meeting(around.places, around.bodies, around.body_hash.boxes, around.herd, around.herd_hash, self._kin(),
                       meets, presses, widest, dt, self._partners, counts, sharing, touches, self._wants)  # fmt: skip

    def _kin(self) -> Array:
        """Numbers by creature row; those who have the same one do not press against each other."""
        bond = self.body.bond
        kin: Array = np.where(bond != NOBODY, bond, self.creatures.owner[: bond.size])
        return kin

    def _room(self, count: int) -> Array:
        """(2, n) scratch for at least so many capsules."""
        if self._counts.shape[1] < count:
            self._counts = np.zeros((2, 2 * count), np.int32)
            self._partners = np.zeros((2 * count, MOST_LINKS), np.int32)
        return self._counts
