"""The picture of a controller table: how many numbers it really has, and where it is good. Needs matplotlib."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any, cast

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from ..engine.files import written_whole
from ..lab.insect.controller_table import ControllerTable
from ..lab.insect.table_training import principal_shares
from .sweep_plots import ACCENT, DOTS, INK, STYLE

MOST = 0.95
"""Of the variance, at which components are counted. [Guo15 6.4]"""


def draw_table(table: ControllerTable, file: Path) -> Path:
    """Save variance over components, and the objective over velocities on level ground. [Guo15 6.4]"""
    shares = principal_shares(table.controls[~table.failed].reshape(-1, table.controls.shape[-1]).astype(np.float64))
    level = int(np.argmin(np.abs(table.vz)))
    with mpl.rc_context(cast(Any, STYLE)):
        figure = Figure(figsize=(9.0, 3.8), dpi=DOTS, layout="constrained")
        left, right = figure.subplots(1, 2)
        total = np.cumsum(shares)
        left.bar(np.arange(1, len(shares) + 1), shares, color=INK, width=0.7)
        left.plot(np.arange(1, len(shares) + 1), total, "o-", ms=3, color=ACCENT)
        left.axhline(MOST, color=INK, lw=0.6, ls="--")
        count = int(np.searchsorted(total, MOST)) + 1
        left.set(
            title=f"{count} of {len(shares)} components hold 95 %", xlabel="principal component", ylabel="share of variance"
        )
        quality = np.log10(np.maximum(np.where(table.failed, np.nan, table.objective)[:, :, level].astype(np.float64), 1e-6))
        mesh = right.pcolormesh(table.vy, table.vx, quality, cmap="viridis_r", shading="nearest")
        figure.colorbar(mesh, ax=right, pad=0.02)
        right.set(title="objective (log$_{10}$), level", xlabel="sideways (mm/s)", ylabel="forward (mm/s)")
        held = BytesIO()
        figure.savefig(held, format="png")
    with written_whole(file) as output:
        output.write(held.getvalue())
    return file
