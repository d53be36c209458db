"""The painter of the articulated swimmers: what of them moves, and what is drawn around their links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.articulated.servo import SwimPool
from ....components.articulated.skin import SkinPool
from ....components.body import BodyPool
from ....components.segments import SegmentPool
from .articulated_group import ArticulatedGroup, Kind
from .styles import individual, parts_of, skeleton_of
from .wakes import WorldWakes

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World


class ArticulatedPainter:
    """Draws the articulated swimmers of one world.

    Example::

        world.picture.add_painter("articulated", ArticulatedPainter(world))
    """

    def __init__(self, world: World) -> None:
        self.body, self.segments = world.pool(BodyPool), world.pool(SegmentPool)
        self.world, self.swimmers, self.skins = world, world.pool(SwimPool), world.pool(SkinPool)
        self.wakes = WorldWakes(world)
        self._key: tuple[bytes, ...] = ()
        self._kinds: list[Kind] = []
        self._kind: Array = np.zeros(0, dtype=np.int64)

    def poses(self) -> dict[str, Array]:
        """Copies of segments, and how they steer."""
        rows = self._rows()
        own = self._segments_of(rows)
        return {"position": self.segments.position[own], "orientation": self.segments.orientation[own],
                "steer": self.swimmers.steer[rows]}  # fmt: skip

    def group(self, moving: dict[str, Array]) -> ArticulatedGroup:
        """All swimmers with these poses."""
        rows = self._rows()
        self._see(rows)
        return ArticulatedGroup(
            half_length=self.segments.half_extents[self._segments_of(rows), 0], count=self.body.segment_count[rows],
            length=self.swimmers.length[rows], kinds=self._kinds, kind=self._kind, creature=rows,
            wakes=self.wakes.group(), **moving,
        )  # fmt: skip

    def _rows(self) -> Array:
        """Rows in `CreaturePool` of all swimmers."""
        found: Array = np.ascontiguousarray(self.skins.spans[:, 0])
        return found

    def _segments_of(self, rows: Array) -> Array:
        """Rows of their segments, one swimmer after the other."""
        first, count = self.body.first_segment[rows].astype(np.int64), self.body.segment_count[rows].astype(np.int64)
        before = np.cumsum(count) - count
        found: Array = np.arange(int(count.sum())) + np.repeat(first - before, count)
        return found

    def _see(self, rows: Array) -> None:
        """Update what is drawn around whom, only when someone looks different."""
        skins, serials = self.skins, self.skins.owner[rows]
        key = (rows.tobytes(), serials.tobytes(), skins.parameters[rows].tobytes(), skins.colors[rows].tobytes())
        if key == self._key:
            return
        self._key, self._kinds = key, []
        known: dict[tuple[bytes, bytes, bytes, int], int] = {}
        self._kind = np.zeros(len(rows), dtype=np.int64)
        for place, (row, serial) in enumerate(zip(rows.tolist(), serials.tolist(), strict=True)):
            skeleton, which = skeleton_of(self.world.creatures[serial]), individual(serial)
            own = (skins.parameters[row].tobytes(), skins.colors[row].tobytes(), skeleton.key(), which)
            if own not in known:
                known[own] = len(self._kinds)
                self._kinds.append(parts_of(skeleton, skins.parameters[row], skins.colors[row], which))
            self._kind[place] = known[own]


def add_painter(world: World) -> None:
    """Let the picture of a world show its articulated swimmers; called when the first of them is born."""
    world.picture.add_painter("articulated", ArticulatedPainter(world))
