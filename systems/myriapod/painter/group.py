"""Myriapods of one frame: plain arrays, and how they become primitives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....engine.bundle import packed
from ...render.creatures.sheet import NO_CREATURE, Sheet, View
from ...render.scene.light import SEEN_TO_ALBEDO
from .colour_row import APPEARANCE_FIELDS, WIDTH
from .creature_kernel import build_creatures
from .herd import Herd, Span

Array = NDArray[Any]

_ALBEDO_SCALE: NDArray[np.float32] = np.ones(APPEARANCE_FIELDS, dtype=np.float32)
_ALBEDO_SCALE[:WIDTH] = SEEN_TO_ALBEDO  # colours are as seen in sunlight, the light tables want reflectance


def _empty(*shape: int, dtype: Any = np.float64) -> Any:
    return field(default_factory=lambda: np.zeros(shape, dtype=dtype))


@dataclass(frozen=True)
class MyriapodGroup:
    """Columns of all myriapods: one row per creature, segment, leg or antenna.

    ``style`` is one of the STYLE_ constants, ``appearance`` a row of ``appearance_table`` (see `appearance_row`),
    ``creature`` the row in `CreaturePool` that highlighting asks for. ``leg_joints`` holds hip, knee, ankle and tip;
    ``leg_segment`` the absolute segment row; ``antenna_points`` the base and the end of every link (unused trailing points
    may be NaN).
    """

    first_segment: Array = _empty(0, dtype=np.int64)
    segment_count: Array = _empty(0, dtype=np.int64)
    first_leg: Array = _empty(0, dtype=np.int64)
    leg_count: Array = _empty(0, dtype=np.int64)
    first_antenna: Array = _empty(0, dtype=np.int64)
    antenna_count: Array = _empty(0, dtype=np.int64)
    style: Array = _empty(0, dtype=np.int64)
    appearance: Array = _empty(0, dtype=np.int64)
    creature: Array = field(default_factory=lambda: np.array(NO_CREATURE))
    segment_position: Array = _empty(0, 3)
    segment_orientation: Array = _empty(0, 4)
    segment_half_extents: Array = _empty(0, 3)
    segment_ahead: Array = _empty(0, dtype=np.int64)
    leg_segment: Array = _empty(0, dtype=np.int64)
    leg_joints: Array = _empty(0, 4, 3)
    leg_state: Array = _empty(0, dtype=np.int64)
    antenna_points: Array = _empty(0, 2, 3)
    appearance_table: Array = _empty(1, APPEARANCE_FIELDS, dtype=np.float32)

    def put(self, sheet: Sheet, n: int, view: View) -> int:
        """Fill rows of the sheet from row n on and return the next free one."""
        return int(build_creatures(sheet, n, view, packed(self._herd())))

    def _herd(self) -> Herd:
        """The columns as the kernel takes them; arrays of the right type are passed on without a copy."""
        spans = np.empty((len(self.style), len(Span)), dtype=np.int64)
        spans[:, Span.SEGMENT], spans[:, Span.SEGMENTS] = self.first_segment, self.segment_count
        spans[:, Span.LEG], spans[:, Span.LEGS] = self.first_leg, self.leg_count
        spans[:, Span.ANTENNA], spans[:, Span.ANTENNAE] = self.first_antenna, self.antenna_count
        spans[:, Span.STYLE], spans[:, Span.LOOK], spans[:, Span.CREATURE] = self.style, self.appearance, self.creature
        return Herd(
            spans=spans,
            position=np.ascontiguousarray(self.segment_position, dtype=np.float64),
            orientation=np.ascontiguousarray(self.segment_orientation, dtype=np.float64),
            half_extents=np.ascontiguousarray(self.segment_half_extents, dtype=np.float64),
            ahead=np.ascontiguousarray(self.segment_ahead, dtype=np.int64) if self.segment_ahead.size else np.ones(
                len(self.segment_position), np.int64),
            leg_segment=np.ascontiguousarray(self.leg_segment, dtype=np.int64),
            leg_joints=np.ascontiguousarray(self.leg_joints, dtype=np.float64),
            leg_state=np.ascontiguousarray(self.leg_state, dtype=np.int64),
            antennae=np.ascontiguousarray(self.antenna_points, dtype=np.float64),
            looks=np.asarray(self.appearance_table, dtype=np.float32) * _ALBEDO_SCALE,
        )
