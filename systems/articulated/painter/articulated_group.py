"""Articulated swimmers of one frame: plain arrays, and how they become primitives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....engine.bundle import packed
from ...render.creatures.sheet import NO_CREATURE, Sheet, View
from .part_fields import FIRST, Shoal
from .swimmer_kernel import build_swimmers
from .wakes import WakeGroup

Array = NDArray[Any]
Kind = tuple[Array, Array]
"""Rows of parts and of guides, see `styles.parts_of`."""


@dataclass(frozen=True)
class ArticulatedGroup:
    """Swimmers made of links, one segment per link that has a shape.

    ``position``, ``orientation`` and ``half_length`` are those of all segments, ``count`` how many of them each swimmer has,
    ``kinds`` what is drawn around them and ``kind`` which of these each swimmer is. ``steer`` turns heads,
    ``wakes`` is what is seen of the water around them.

    Example::

        kinds = [parts_of(skeleton, parameters, colours, 0)]
        ArticulatedGroup(position, orientation, half_length, count=[5], length=[8.0], kinds=kinds, kind=[0])
    """

    position: Array
    orientation: Array
    half_length: Array
    count: Array
    length: Array
    kinds: list[Kind]
    kind: Array
    steer: Array = field(default_factory=lambda: np.zeros(()))
    creature: Array = field(default_factory=lambda: np.array(NO_CREATURE))
    wakes: WakeGroup | None = None

    def put(self, sheet: Sheet, n: int, view: View) -> int:
        """Fill rows of the sheet from row n on and return the next free one."""
        if self.wakes is not None:
            n = self.wakes.put(sheet, n, view)
        count = np.asarray(self.count, dtype=np.int64)
        if not len(count):
            return n
        parts, guides, before = [], [], 0
        sizes: list[int] = []
        first: list[int] = []
        for own, points in self.kinds:
            own = own.copy()
            own[:, FIRST] += before
            first.append(sum(sizes))
            sizes.append(len(own))
            before += len(points)
            parts.append(own)
            guides.append(points)
        kind = np.asarray(self.kind, dtype=np.int64)
        shoal = Shoal(
            position=np.ascontiguousarray(self.position, dtype=np.float64),
            orientation=np.ascontiguousarray(self.orientation, dtype=np.float64),
            half_length=np.ascontiguousarray(self.half_length, dtype=np.float64),
            first=np.cumsum(count) - count,
            size=count,
            length=np.ascontiguousarray(self.length, dtype=np.float64),
            steer=np.ascontiguousarray(np.broadcast_to(self.steer, count.shape), dtype=np.float64),
            first_part=np.array(first, dtype=np.int64)[kind],
            part_count=np.array(sizes, dtype=np.int64)[kind],
            creature=np.ascontiguousarray(np.broadcast_to(self.creature, count.shape), dtype=np.int64),
            parts=np.concatenate(parts),
            guides=np.concatenate(guides),
        )
        return int(build_swimmers(sheet, n, view, packed(shoal)))
