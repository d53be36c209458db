"""Paths in a vertical plane, followed by switching manoeuvres at the beginning of each cycle, as published. [Tan11 5]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .space_trial import frame_of
from .swim_in_box_kernel import FORWARD, MIDDLE

if TYPE_CHECKING:
    from ....engine.pool import Array
    from .space_trial import Swim

NEAR = 0.1
"""Body lengths off a path that count as on it. [articulated-swimmers 7.13]"""
ALONG = 0.15
"""Of a direction, likewise."""
AHEAD = 0.5
"""Body lengths before the nearest point at which a path's direction is read. [articulated-swimmers 7.17]"""
WINDOW = 2.0
"""Body lengths within which the nearest point is looked for, forward alone."""


def choose_pitch(offset: float, direction: float) -> str:
    """The manoeuvre for the next cycle: where the path is and where it goes, upward in the axes of the swimmer.

    [Tan11 5]; cases that are not published are by [articulated-swimmers 7.14].
    """
    if abs(offset) < NEAR and abs(direction) < ALONG:
        return "straight"
    if abs(offset) < NEAR:
        return "pitch_up" if direction > 0.0 else "pitch_down"
    if abs(direction) < ALONG:
        if abs(offset) <= 2.0 * NEAR:
            return "straight"
        return "pitch_up" if offset > 0.0 else "pitch_down"
    if (offset > 0.0) != (direction > 0.0):
        return "straight"  # it comes nearer already
    return "pitch_up" if offset > 0.0 else "pitch_down"


def follow_by_switching(swim: Swim, path: Array, strokes: dict[str, Array], cycles: int) -> tuple[list[str], Array]:
    """Swim along a path (n, 3) of close points; return what was chosen for each cycle, and (steps,) how far off it was."""
    ways = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    chosen: list[str] = []
    reached = 0.0
    for _ in range(cycles):
        row = swim.record[-1] if len(swim.record) else swim.start
        near = (ways >= reached) & (ways <= reached + WINDOW)
        nearest = np.flatnonzero(near)[np.argmin(np.linalg.norm(path[near] - row[MIDDLE:FORWARD], axis=1))]
        reached = ways[nearest]
        later = min(int(np.searchsorted(ways, reached + AHEAD)), len(path) - 2)
        tangent = path[later + 1] - path[later]
        up = frame_of(row)[2]
        offset = float(up @ (path[nearest] - row[MIDDLE:FORWARD]))
        chosen.append(choose_pitch(offset, float(up @ tangent / np.linalg.norm(tangent))))
        if not swim.cycles(1, strokes[chosen[-1]]):
            break
    places = swim.record[:, MIDDLE:FORWARD]
    gaps = np.array([np.linalg.norm(path - place, axis=1).min() for place in places])
    return chosen, gaps
