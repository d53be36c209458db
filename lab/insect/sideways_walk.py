"""Walking sideways: swinging hind legs run into the abdomen unless a swing may end early. [Guo15 7.4]"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.pool import Array
from .ant_leg_kernel import angles_of, link_points
from .ant_model import AntModel, tables_of
from .swing_net_kernel import EXACT, LATERAL_LIMIT, LIFT, ONE_PEAK, lateral_chance, swing_trace

ABDOMEN = ((-0.9, 0.0, 0.0), (-3.1, 0.0, 0.0))
ABDOMEN_RADIUS = 0.6
"""mm: a capsule behind the hips, as wide as the trunk; not printed."""
LEG_RADIUS = 0.05
STEP = 0.001


class SidewaysStep(NamedTuple):
    """One swing of a leg toward the side that the ant walks to."""

    share: float  # of the swing that was done when it ended
    nearest: float  # mm between leg and abdomen, negative inside
    landed: float  # mm to the side that the foot came, from its template


def sideways_swing(leg: int, speed: float, *, ends_early: bool, ant: AntModel | None = None) -> SidewaysStep:
    """Swing a leg of an ant that walks to the left; with `ends_early` it is planted at its lateral extreme.

    Example::

        sideways_swing(5, 15.0, ends_early=False).nearest < 0      # the right hind leg hits the abdomen
    """
    ant = ant or AntModel()
    tables, side = tables_of(ant), 1.0 if leg < 3 else -1.0
    quarter = 0.25 * (ant.stride + ant.stride_time * speed)
    template, hip = ant.template[leg], ant.anchors[leg]
    start, goal = (np.array([*(template - hip + [0.0, aside]), -ant.height]) for aside in (-quarter, quarter))
    duration = 2.0 * quarter / speed
    trace = np.zeros((round(duration / STEP) + 1, 6))
    swing_trace(start, goal, side, duration, STEP, EXACT, ONE_PEAK, LIFT, True, tables, leg, trace)
    nearest, landed = 1e9, 0.0
    for k, (*_, x, y, z) in enumerate(trace):
        landed = y + hip[1] - template[1]
        nearest = min(nearest, abdomen_gap(x, y, z, leg, side, ant))
        inboard = side * landed < 0.0
        if ends_early and landed > 0.0 and lateral_chance(abs(landed), inboard) > LATERAL_LIMIT:
            return SidewaysStep(k / (len(trace) - 1), nearest, landed)
    return SidewaysStep(1.0, nearest, landed)


def abdomen_gap(x: float, y: float, z: float, leg: int, side: float, ant: AntModel) -> float:
    """mm between a leg, by its foot in the frame of its hip, and the abdomen; negative inside."""
    pair, hip = leg % 3, np.array([*ant.anchors[leg], 0.0])
    alpha, beta, _, _ = angles_of(x, y, z, side, ant.coxa, ant.femur[pair], ant.lower[pair])
    knee = hip + np.array(link_points(alpha, beta, side, ant.coxa, ant.femur[pair]))
    foot = hip + np.array([x, y, z])
    # the hip itself lies in the trunk: the part of the femur beside it does not count
    shares = np.linspace(0.0, 1.0, 40)[:, None]
    points = np.concatenate([hip + (knee - hip) * (0.5 + 0.5 * shares), knee + (foot - knee) * shares])
    return float(_capsule_distance(points).min() - ABDOMEN_RADIUS - LEG_RADIUS)


def _capsule_distance(points: Array) -> Array:
    a, b = np.array(ABDOMEN)
    along = np.clip(((points - a) @ (b - a)) / ((b - a) @ (b - a)), 0.0, 1.0)
    distance: Array = np.linalg.norm(points - a - along[:, None] * (b - a), axis=1)
    return distance
