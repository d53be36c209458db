"""The plots of a sweep: maps of speed and power, the cheapest gait at each speed, and what it costs. Needs matplotlib."""

from __future__ import annotations

from io import BytesIO
from math import pi
from pathlib import Path
from typing import Any, cast

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from ..engine.files import written_whole
from ..lab.myriapod.optimum import Optimum
from ..lab.myriapod.regression import Line, cheapest_gaits, fit_line
from ..lab.myriapod.sweep import Sweep, Table

SIZE = (9.0, 7.0)
"""Inches, at `DOTS` per inch: 990 pixels wide."""
DOTS = 110
COLORS = 256
"""Of the saved picture: a third of the size, and no difference to be seen."""
SPEED_COLORS, POWER_COLORS = "viridis", "magma"
INK, ACCENT = "#1b2a33", "#d1495b"
STYLE = {"font.size": 9.0, "axes.titlesize": 10.0, "axes.spines.top": False, "axes.spines.right": False,
         "axes.edgecolor": INK, "axes.labelcolor": INK, "text.color": INK}  # fmt: skip


def draw_plots(sweep: Sweep, table: Table, file: Path) -> Path:
    """Save the four published plots of a complete sweep as one picture. [Fang15 Fig. C.3-C.5]"""
    best, line = cheapest_gaits(sweep, table), fit_line(sweep, table)
    speed, power = table.maps(sweep)
    with mpl.rc_context(cast(Any, STYLE)):
        figure = Figure(figsize=SIZE, dpi=DOTS, layout="constrained")
        axes = figure.subplots(2, 2)
        draw_map(figure, axes[0, 0], sweep, speed, SPEED_COLORS, "speed $v_s$ (u/s)")
        draw_map(figure, axes[0, 1], sweep, np.log10(power), POWER_COLORS, "power $r_e$ (log$_{10}$)")
        for place in axes[0]:
            draw_gaits(place, best, line)
        draw_optimum(axes[1, 0], best, line)
        draw_power(axes[1, 1], best)
        figure.suptitle(f"{sweep.species.replace('_', ' ')}: {len(table.speed)} gaits", fontsize=11)
        held = BytesIO()
        figure.savefig(held, format="png")
    with written_whole(file) as output:
        Image.open(held).convert("RGB").quantize(COLORS).save(output, format="png", optimize=True)
    return file


def draw_map(figure: Figure, axes: Any, sweep: Sweep, values: Any, colors: str, title: str) -> None:
    """One map over phase shift and frequency."""
    shifts = np.array(sweep.shifts) / pi
    mesh = axes.pcolormesh(shifts, sweep.frequencies, values, cmap=colors, shading="gouraud")
    lines = axes.contour(shifts, sweep.frequencies, values, 8, colors="white", linewidths=0.5, alpha=0.6)
    axes.clabel(lines, fontsize=6)
    figure.colorbar(mesh, ax=axes, pad=0.02)
    axes.set(title=title, xlabel=r"phase shift / $\pi$", ylabel="frequency (1/s)")


def draw_gaits(axes: Any, best: Optimum, line: Line) -> None:
    """The cheapest gaits and the line through them, over a map."""
    axes.plot(best.shift / pi, best.frequency, "o", ms=3.5, mfc="white", mec=INK, mew=0.6)
    axes.plot(np.array(line.shift) / pi, line.frequency, "-", color=ACCENT, lw=1.8)


def draw_optimum(axes: Any, best: Optimum, line: Line) -> None:
    """Frequency and shift of the cheapest gait over speed; dots are the map's, lines what the controller follows."""
    axes.plot(best.speed, best.frequency, "o", ms=3.5, color=INK)
    axes.plot(line.speed, line.frequency, "-", color=INK, lw=1.2, label="frequency (1/s)")
    axes.plot(best.speed, 10.0 * best.shift / pi, "s", ms=3.5, color=ACCENT)
    axes.plot(line.speed, 10.0 * np.array(line.shift) / pi, "-", color=ACCENT, lw=1.2, label=r"phase shift / $0.1\pi$")
    axes.set(title="cheapest gait at each speed", xlabel="speed (u/s)", ylim=(0.0, None))
    axes.legend(frameon=False)


def draw_power(axes: Any, best: Optimum) -> None:
    """Least power over speed with the best parabola and the best power law."""
    found = np.isfinite(best.power)
    v, power = best.speed[found], best.power[found]
    smooth = np.linspace(v[0], v[-1], 100)
    exponent, factor = np.polyfit(np.log(v), np.log(power), 1)
    axes.plot(v, power, "o", ms=3.5, color=INK)
    axes.plot(smooth, np.polyval(np.polyfit(v, power, 2), smooth), "-", color=ACCENT, lw=1.2, label="best parabola")
    axes.plot(smooth, np.exp(factor) * smooth**exponent, "--", color=INK, lw=1.0, label=f"$v^{{{exponent:.1f}}}$")
    axes.set(title="least power $r_e$ over speed", xlabel="speed (u/s)", ylim=(0.0, None))
    axes.legend(frameon=False)
