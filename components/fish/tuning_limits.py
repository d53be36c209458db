"""How far the body of a fish may be tuned while it lives: what holds together, and what still beats. [Tu99 9.2]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .motor import FASTEST_BEAT, SHARPEST_BEAT
from .springs import MOST_SUBSTEPS, SLOWEST_TICKS, TICK_SECONDS, SpringSpec, Tuned, blueprint_of, substeps_for

if TYPE_CHECKING:
    from ...engine.pool import Array

LIMITS = {"stiffness": (0.05, 20.0), "damping": (0.0, 50.0), "mass": (0.05, 20.0), "water": (0.0, 20.0)}
"""Of the factors, in the order of `FishBodyPool.tuned`."""

UNTUNED = 1.0
"""Each of them, of a fish that is as its species."""


def tuned_substeps(spec: SpringSpec, factors: Array, tick_seconds: float) -> int:
    """Substeps in a tick that keep a body together with these factors."""
    return substeps_for(blueprint_of(spec), tick_seconds, factors[Tuned.STIFFNESS], factors[Tuned.MASS],
                        factors[Tuned.DAMPING])  # fmt: skip


def most_substeps(tick_seconds: float) -> int:
    """Of a body in a tick of this length."""
    return round(MOST_SUBSTEPS * min(max(tick_seconds / TICK_SECONDS, 1.0), SLOWEST_TICKS))


def least_stiffness(spec: SpringSpec, beat_scale: float, factors: Array) -> float:
    """Below this factor of its stiffness a body folds instead of beating."""
    own = blueprint_of(spec).bending * np.sqrt(factors[Tuned.STIFFNESS] / factors[Tuned.MASS])
    share = FASTEST_BEAT * beat_scale * spec.pace / (SHARPEST_BEAT * own)
    return float(factors[Tuned.STIFFNESS] * share**2) if share > 1.0 else 0.0


def what_is_wrong(spec: SpringSpec, beat_scale: float, factors: Array, tick_seconds: float) -> str:
    """Which factor is beyond what a fish of this species may be tuned to; empty if none is."""
    for name, factor, (low, high) in zip(LIMITS, factors, LIMITS.values(), strict=True):
        if not low <= factor <= high:
            return name
    if tuned_substeps(spec, factors, tick_seconds) > most_substeps(tick_seconds):
        return "stiffness, damping or mass"
    return "stiffness" if least_stiffness(spec, beat_scale, factors) else ""
