"""The wake of an eel: a single street of whirls, red counter-clockwise and blue clockwise. [Tan11 Fig. 8]"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from paludarium import World
from paludarium.examples.figure_chart import Pixels, save
from paludarium.lab.articulated.training.bench import ROW, TICK, Bench, Water
from paludarium.systems.articulated.fluid.tracers import Tracers
from paludarium.systems.articulated.fluid.window_view import FluidView, view_window
from paludarium.systems.articulated.fluid.windows import open_window

CELLS, LENGTHS = (448, 128), 5.25
SECONDS, TRACED = 9, 0.6
PIXELS = 3
"""Per cell."""
PAPER, INK, RIM = np.array([247.0, 246.0, 242.0]), np.array([28.0, 32.0, 30.0]), np.array([92.0, 104.0, 84.0])
RED, BLUE = np.array([196.0, 44.0, 40.0]), np.array([36.0, 88.0, 188.0])
STRONG = 9.0
"""Vorticity that is fully coloured, 1/s."""
AHEAD = 0.45
"""Lengths of still water before the head that are shown."""
CREST = 30
"""Cells at the edge in which the picture fades to paper: the sponge of the window."""


def swim() -> tuple[Bench, Tracers]:
    """An eel in full stroke, and tracers of the water around it."""
    bench = Bench.of_species(World(seed=1, populate=False).species["eel"], Water(cells=CELLS))
    open_window(bench.windows, 0, [ROW], bench.swimmers, bench.links, LENGTHS)
    tracers, stream = Tracers(1500), np.random.default_rng(8)
    bench.swim(round((SECONDS - TRACED) * 60))
    for _ in range(round(TRACED * 60)):
        bench.swim(1)
        tracers.move(bench.windows, 0, TICK, stream.random((1500, 3)))
    return bench, tracers


def check(bench: Bench, view: FluidView) -> None:
    """It has come far, and both senses of rotation are behind it in equal shares."""
    assert bench.swimmers.root[ROW, 0] > 2.5
    behind = view.vorticity[:, : CELLS[0] // 3]
    left, right = behind[behind > 0.0].sum(), -behind[behind < 0.0].sum()
    assert 0.6 < left / right < 1.6


def finer(field: NDArray[np.float64]) -> NDArray[np.float64]:
    """A field of cells at the pixels of the picture, linearly between cell centres."""
    ny, nx = field.shape
    y, x = ((np.arange(n * PIXELS) + 0.5) / PIXELS - 0.5 for n in (ny, nx))
    rows = np.array([np.interp(x, np.arange(nx), row) for row in field])
    return np.array([np.interp(y, np.arange(ny), column) for column in rows.T]).T


def over(picture: NDArray[np.float64], color: NDArray[np.float64], alpha: NDArray[np.float64]) -> None:
    picture += alpha[..., None] * (color - picture)


def paint(bench: Bench, tracers: Tracers, view: FluidView) -> Pixels:
    """Vorticity as a tint, traces as thin lines, the body as it is."""
    spin = finer(view.vorticity)
    height, width = spin.shape
    picture = np.ones((height, width, 3)) * PAPER
    scale = PIXELS / view.cell
    x, y = np.meshgrid((np.arange(width) + 0.5), (np.arange(height) + 0.5))
    inward = np.clip(np.minimum(np.minimum(x, width - x), np.minimum(y, height - y)) / (CREST * PIXELS), 0.0, 1.0)
    for color, sense in ((RED, 1.0), (BLUE, -1.0)):
        over(picture, color, inward * (1.0 - np.exp(-2.0 * np.clip(sense * spin / STRONG, 0.0, None) ** 0.9)))
    lines = np.zeros((height, width))
    for trail in tracers.trail[tracers.frames == tracers.trail.shape[1]]:
        dense = np.concatenate([np.linspace(a, b, 6) for a, b in zip(trail[:-1], trail[1:], strict=True)])
        at = (dense - view.origin) * scale
        i, j = at.astype(int).T
        inside = (i >= 0) & (j >= 0) & (i < width) & (j < height)
        lines[j[inside], i[inside]] = 0.28
    over(picture, INK, lines * inward)
    body = np.full((height, width), np.inf)
    for k in range(bench.plan.count):
        px, py, angle = bench.links.place[k]
        ax, ay = (px - view.origin[0]) * scale, (py - view.origin[1]) * scale
        back = bench.links.length[k] * scale
        ex, ey = -back * np.cos(angle), -back * np.sin(angle)
        t = np.clip(((x - ax) * ex + (y - ay) * ey) / back**2, 0.0, 1.0)
        r0, r1 = bench.links.radius[k] * scale
        body = np.minimum(body, np.hypot(x - ax - t * ex, y - ay - t * ey) - (r0 + t * (r1 - r0)))
    over(picture, RIM, np.clip(0.5 - body, 0.0, 1.0))
    over(picture, INK, np.clip(-1.0 - body, 0.0, 1.0))
    ahead = int((bench.links.place[0, 0] + AHEAD - view.origin[0]) * scale)
    red, green, blue = picture[::-1, :ahead].round().astype(np.uint32).transpose(2, 0, 1)
    return (red << 16) | (green << 8) | blue


def main(file: str | None = None) -> None:
    bench, tracers = swim()
    view = view_window(bench.windows, 0)
    check(bench, view)
    print(save("eel_wake.png", paint(bench, tracers, view), file=file))


if __name__ == "__main__":
    main(*sys.argv[1:2])
