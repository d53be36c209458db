"""How well triangles agree with those of a real ant: areas, distance from the path, votes of viewers. [Guo15 4.3]"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.pool import Array
from .ant_model import TRIPODS, AntModel, both_sides, triangle_area
from .ant_path import AntPath


class Agreement(NamedTuple):
    """Two walks compared; the source calls a sum a mean, so both are here. [Guo15 eq. 4.8, 4.9]"""

    area: float  # difference of the summed areas, as a share of the real ones
    mean_deviation: float  # mm from the path
    total_deviation: float


def agreement(made: Array, real: Array, path: AntPath) -> Agreement:
    """Compare made triangles (n, 3, 2 or 3) with real ones, and both middles with the path.

    Example::

        agreement(triangles.vertices, measured, AntPath.line(60.0)).area
    """
    real_area = float(triangle_area(real).sum())
    off = path.distance(made[..., :2].mean(axis=1))
    return Agreement(abs(float(triangle_area(made).sum()) - real_area) / real_area, float(off.mean()), float(off.sum()))


def without_load(triangles: Array, headings: Array, lowered: float, ant: AntModel) -> Array:
    """Triangles (n, 3, 2) with what a load has moved their feet taken back: the inverse of [Guo15 eq. 4.5]"""
    spread = both_sides(ant.spread)
    out = np.array(triangles, np.float64, copy=True)[..., :2]
    for k, heading in enumerate(headings):
        move = lowered * spread[TRIPODS[k % 2]]
        c, s = np.cos(heading), np.sin(heading)
        out[k] -= move @ np.array([[c, s], [-s, c]])
    return out


class Votes(NamedTuple):
    """A study with viewers: who says that a clip looks natural."""

    yes: Array  # (clips, groups)
    raters: int  # per group

    @property
    def shares(self) -> Array:
        """(clips,)"""
        return self.yes.sum(axis=1) / (self.raters * self.yes.shape[1])

    @property
    def mean(self) -> float:
        return float(self.yes.sum() / (self.raters * self.yes.size))
