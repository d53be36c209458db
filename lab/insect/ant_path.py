"""Paths for ants: lines and arcs one after another, by arc length. [Guo15 4.2.2]

Each piece has its start, heading and curvature, so that a straight line is straight and a circle round to the last digit.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import acos, atan2, hypot, pi, tan
from typing import Any

import numpy as np

from ...engine.errors import PaludariumError
from ...engine.pool import Array

SHORTEST = 1e-9
SPLINE_STEP = 0.25
"""mm between the samples of a spline."""


class PathError(PaludariumError):
    """A path cannot be made from what was given."""


@dataclass(frozen=True)
class AntPath:
    """A path in the plan view: rows of arc length, x, y, heading and curvature at the start of each piece.

    Example::

        path = AntPath.through([(0, 0), (100, 0), (100, 80)], radius=20.0)
        path.length
    """

    pieces: Array  # (n, 5)
    length: float

    @classmethod
    def line(cls, length: float, start: tuple[float, float] = (0.0, 0.0), heading: float = 0.0) -> AntPath:
        """A straight path."""
        return cls(np.array([[0.0, *start, heading, 0.0]]), _positive("length", length))

    @classmethod
    def circle(cls, radius: float, turns: float = 1.0) -> AntPath:
        """To the left around (0, radius), from the origin."""
        return cls(np.array([[0.0, 0.0, 0.0, 0.0, 1.0 / _positive("radius", radius)]]), 2.0 * pi * radius * turns)

    @classmethod
    def through(cls, points: Any, radius: float = 0.0) -> AntPath:
        """Straight lines from point to point, with arcs of at most a radius (mm) in the corners."""
        corners = _points(points)
        rows: list[tuple[float, float, float, float]] = []  # x, y, heading, curvature
        lengths: list[float] = []
        at, used = corners[0], 0.0
        for k in range(1, len(corners)):
            way = corners[k] - corners[k - 1]
            size = float(np.hypot(*way))
            heading = atan2(way[1], way[0])
            cut, turn, r = _corner(corners, k, radius)
            rows.append((*at, heading, 0.0))
            lengths.append(size - used - cut)
            at = corners[k] - way / size * cut
            if cut > 0.0:
                rows.append((*at, heading, np.sign(turn) / r))
                lengths.append(abs(turn) * r)
                on = corners[k + 1] - corners[k]
                at = corners[k] + on / np.hypot(*on) * cut
            used = cut
        return _joined(rows, lengths)

    @classmethod
    def spline(cls, points: Any, step: float = SPLINE_STEP) -> AntPath:
        """A smooth curve through all points, as short arcs (a Catmull-Rom spline)."""
        knots = _points(points)
        ends = np.concatenate([[2 * knots[0] - knots[1]], knots, [2 * knots[-1] - knots[-2]]])
        samples = [knots[:1]]
        for k in range(len(knots) - 1):
            a, b, c, d = ends[k : k + 4]
            count = max(int(np.hypot(*(c - b)) / step), 4)
            t = np.linspace(0.0, 1.0, count + 1)[1:, None]
            samples.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
        line = np.concatenate(samples)
        chords = np.diff(line, axis=0)
        chord_heading = np.unwrap(np.arctan2(chords[:, 1], chords[:, 0]))
        turn = np.zeros(len(line))
        turn[1:-1] = 0.5 * (chord_heading[1:] + chord_heading[:-1])
        turn[0], turn[-1] = chord_heading[0], chord_heading[-1]
        size = np.hypot(chords[:, 0], chords[:, 1])
        half = 0.5 * np.diff(turn)
        lengths = size * np.where(np.abs(half) > 1e-9, half / np.where(np.abs(half) > 1e-9, np.sin(half), 1.0), 1.0)
        rows = [(*line[i], chord_heading[i] - half[i], 2.0 * half[i] / lengths[i]) for i in range(len(chords))]
        return _joined(rows, lengths.tolist())

    def points(self, s: Any) -> Array:
        """(n, 4) x, y, heading and curvature at arc lengths; beyond its ends a path goes on as its last piece does."""
        s = np.atleast_1d(np.asarray(s, np.float64))
        place = np.clip(np.searchsorted(self.pieces[:, 0], s, side="right") - 1, 0, len(self.pieces) - 1)
        start, x, y, heading, bend = self.pieces[place].T
        u = s - start
        turn = bend * u
        round_ = np.abs(turn) > 1e-9
        safe = np.where(round_, bend, 1.0)
        along = np.where(round_, np.sin(turn) / safe, u)
        aside = np.where(round_, (1.0 - np.cos(turn)) / safe, 0.5 * u * turn)
        c, sn = np.cos(heading), np.sin(heading)
        return np.column_stack([x + c * along - sn * aside, y + sn * along + c * aside, heading + turn, bend])

    def distance(self, points: Array, samples: int = 20_000) -> Array:
        """(n,) distance of points from the path, from a fine sampling of it refined by its tangent."""
        s = np.linspace(0.0, self.length, samples)
        line = self.points(s)
        points = np.asarray(points, np.float64)[:, :2]
        nearest = np.array([np.argmin(np.hypot(line[:, 0] - p[0], line[:, 1] - p[1])) for p in points])
        near = line[nearest]
        gap = points - near[:, :2]
        along = gap[:, 0] * np.cos(near[:, 2]) + gap[:, 1] * np.sin(near[:, 2])
        fine = self.points(np.clip(s[nearest] + along, 0.0, self.length))
        return np.minimum(np.hypot(*(points - fine[:, :2]).T), np.hypot(*gap.T))


def _positive(name: str, value: float) -> float:
    if not (np.isfinite(value) and value > 0.0):
        raise PathError(f"{name} = {value!r}: allowed is a positive number of millimetres")
    return float(value)


def _points(points: Any) -> Array:
    found = np.asarray(points, np.float64)
    if found.ndim != 2 or found.shape[1] != 2 or len(found) < 2 or not np.isfinite(found).all():
        raise PathError(f"points of shape {found.shape}: allowed are two or more finite points (n, 2)")
    if np.hypot(*np.diff(found, axis=0).T).min() < SHORTEST:
        raise PathError("two points that follow each other are the same: allowed are different ones")
    return found


def _corner(corners: Array, k: int, radius: float) -> tuple[float, float, float]:
    """What a rounded corner takes off its two sides, its turn, and its radius where the sides are short."""
    if radius <= 0.0 or k == len(corners) - 1:
        return 0.0, 0.0, radius
    a, b = corners[k] - corners[k - 1], corners[k + 1] - corners[k]
    la, lb = hypot(*a), hypot(*b)
    turn = acos(min(max(float(a @ b) / (la * lb), -1.0), 1.0)) * (1.0 if a[0] * b[1] - a[1] * b[0] >= 0.0 else -1.0)
    if abs(turn) < 1e-9 or abs(turn) > pi - 1e-6:
        return 0.0, 0.0, radius
    cut = min(radius * tan(0.5 * abs(turn)), 0.5 * la, 0.5 * lb)
    return cut, turn, cut / tan(0.5 * abs(turn))


def _joined(rows: list[tuple[float, float, float, float]], lengths: list[float]) -> AntPath:
    kept = [(row, length) for row, length in zip(rows, lengths, strict=True) if length > SHORTEST]
    starts = np.concatenate([[0.0], np.cumsum([length for _, length in kept])])
    return AntPath(np.column_stack([starts[:-1], np.array([row for row, _ in kept])]), float(starts[-1]))
