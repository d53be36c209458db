"""Following a path on the bench, with the rules of the game: by blends, by the published switch, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from paludarium.lab.articulated.training.bench import ROW
from paludarium.systems.articulated.stroke.line_kernel import line_of, range_of
from paludarium.systems.articulated.stroke.servo_orders_kernel import (
    SEARCHED,
    blend_toward,
    nearest_on_path,
    point_on_path,
    switch_toward,
)

if TYPE_CHECKING:
    from paludarium.engine.pool import Array
    from paludarium.lab.articulated.training.bench import Bench

CYCLE = 60


@dataclass(frozen=True)
class Run:
    """What came of it: distances from the path after every tick, headings, and the steering of every decision."""

    distance: Array
    heading: Array
    steer: Array


def s_path(amplitude: float, wavelength: float, length: float, step: float = 0.05) -> Array:
    """(n, 3) points of an S that begins at the origin, along x."""
    x = np.arange(0.0, length, step)
    y = 0.5 * amplitude * (1.0 - np.cos(2.0 * np.pi * x / wavelength))
    return np.stack([x, y, np.zeros_like(x)], axis=1)


def follow(bench: Bench, points: Array, cycles: int, rule: str, heading: float = 0.0, decisions: int = 1) -> Run:
    """Let a swimmer follow points for some cycles, deciding so often in each; rule: blend, switch or none."""
    bench.begin(heading=heading)
    swim, at = bench.swimmers, 0.0
    within = range_of(ROW, swim, bench.manoeuvres)
    distance, headings, steer = [], [], []
    for _ in range(cycles * decisions):
        x, y, facing = line_of(ROW, swim, bench.manoeuvres)
        length = float(swim.length[ROW])
        at = nearest_on_path(x, y, 0, len(points), False, at, SEARCHED * length, points)
        if rule == "switch":
            px, py, dx, dy, _ = point_on_path(at, 0, len(points), False, points)
            swim.wish_steer[ROW] = switch_toward(x, y, facing, px, py, dx, dy, length)
        elif rule == "blend":
            ahead = at + float(swim.look_ahead[ROW]) * length
            tx, ty, _, _, _ = point_on_path(ahead, 0, len(points), False, points)
            swim.wish_steer[ROW] = blend_toward(x, y, facing, tx, ty, within)
        steer.append(float(swim.wish_steer[ROW]))
        track = bench.swim(CYCLE // decisions)
        distance += [distance_to(points, px, py) for px, py in track[:, :2]]
        headings += track[:, 2].tolist()
    return Run(np.array(distance), np.array(headings), np.array(steer))


def distance_to(points: Array, x: float, y: float) -> float:
    """From the nearest point of the polyline."""
    a, b = points[:-1, :2], points[1:, :2]
    d = b - a
    s = np.clip(((np.array([x, y]) - a) * d).sum(axis=1) / (d * d).sum(axis=1), 0.0, 1.0)
    return float(np.hypot(*(a + s[:, None] * d - (x, y)).T).min())
