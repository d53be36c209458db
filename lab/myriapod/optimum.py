"""From maps of speed and power over frequency and phase shift to the gait that costs least at each speed. [Fang15 App. C]"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

REFINEMENT = 12
"""Samples per grid cell and axis on which a map is searched."""


class Optimum(NamedTuple):
    """The gaits of least power, one entry per wanted speed; NaN where no gait is that fast."""

    speed: Floats
    frequency: Floats
    shift: Floats
    power: Floats


def refine(axis: Floats, count: int = REFINEMENT) -> Floats:
    """An axis with `count` steps in each of its intervals."""
    steps = np.arange((len(axis) - 1) * count + 1) / count
    return np.interp(steps, np.arange(len(axis)), axis)


def bilinear(rows: Floats, columns: Floats, table: Floats, at_rows: Floats, at_columns: Floats) -> Floats:
    """The table (rows, columns) interpolated on a finer grid (at_rows, at_columns)."""
    across = np.array([np.interp(at_columns, columns, line) for line in table])
    return np.array([np.interp(at_rows, rows, line) for line in across.T]).T


def least_power(
    frequency: Floats, shift: Floats, speed: Floats, power: Floats, wanted: Floats,
    shift_limits: tuple[float, float] | None = None,
) -> Optimum:  # fmt: skip
    """The cheapest gait on each iso-speed curve of maps (frequencies, shifts); `shift_limits` narrow the search.

    Along every column of the refined map the crossings of the wanted speed are located by linear interpolation.

    Example::

        best = least_power(f, ps, speed, power, np.arange(2.0, 7.0))
    """
    f, ps = refine(frequency), refine(shift)
    if shift_limits is not None:
        ps = np.linspace(*shift_limits, num=max(2, REFINEMENT))
    v = bilinear(frequency, shift, speed, f, ps)
    e = np.exp(bilinear(frequency, shift, np.log(power), f, ps))  # power grows like a power law: straight in its logarithm
    best = np.full((3, len(wanted)), np.nan)
    for k, target in enumerate(wanted):
        low, high = v[:-1] - target, v[1:] - target
        i, j = np.nonzero((low <= 0.0) & (high > 0.0) | (low > 0.0) & (high <= 0.0))
        if not i.size:
            continue
        t = low[i, j] / (low[i, j] - high[i, j])
        cost = e[i, j] + t * (e[i + 1, j] - e[i, j])
        m = int(np.argmin(cost))
        best[:, k] = f[i[m]] + t[m] * (f[i[m] + 1] - f[i[m]]), ps[j[m]], cost[m]
    return Optimum(np.asarray(wanted, dtype=np.float64), best[0], best[1], best[2])
