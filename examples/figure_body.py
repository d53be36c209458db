"""Bodies seen from above or from the side, drawn with matplotlib. Used by the figures of muscles and races."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from paludarium.examples.figure_chart import IMAGES

Floats = NDArray[np.float64]

ABOVE, SIDE = (0, 1), (0, 2)
"""Axes of the two views."""
INK, RIGID, SOFT, ACCENT, WATER = "#1b2a33", "#3e6e7c", "#a9c4c9", "#d1495b", "#eef4f6"
STYLE = {"font.size": 9.0, "axes.titlesize": 9.5, "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": "#c5d0d5",
         "xtick.color": INK, "ytick.color": INK}  # fmt: skip
HALF = 0.5  # of a unit segment
COLORS = 128  # of a saved picture: flat shapes need no more


def draw_body(axes: Any, places: Floats, ahead: Floats, view: tuple[int, int] = ABOVE, color: str = RIGID,
              alpha: float = 1.0) -> None:  # fmt: skip
    """One body of unit segments: boxes for the segments, quadrilaterals for the blocks between them."""
    center, along = places[:, view], ahead[:, view]
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    front, rear = center + HALF * along, center - HALF * along
    boxes = np.stack([front + HALF * across, front - HALF * across, rear - HALF * across, rear + HALF * across], axis=1)
    blocks = np.concatenate([boxes[:-1, [3, 2]], boxes[1:, [1, 0]]], axis=1)
    axes.add_collection(PolyCollection(blocks, facecolors=SOFT, edgecolors="none", alpha=alpha, zorder=2))
    axes.add_collection(PolyCollection(boxes, facecolors=color, edgecolors="white", linewidths=0.4, alpha=alpha, zorder=3))
    nose = center[0] + 0.25 * along[0]
    axes.plot(*nose, "o", ms=2.0, color="white", alpha=alpha, zorder=4)


def frame(axes: Any, title: str, x: tuple[float, float], y: tuple[float, float]) -> None:
    """A panel in true proportion, without scales."""
    axes.set_aspect("equal")
    axes.set(xlim=x, ylim=y, xticks=[], yticks=[], facecolor=WATER)
    axes.set_title(title, loc="left")


def save(figure: Figure, name: str, file: str | None = None) -> Path:
    """Save a figure as a small PNG, in docs/images unless a file is named."""
    path, held = Path(file) if file else IMAGES / name, BytesIO()
    figure.savefig(held, format="png")
    Image.open(held).convert("RGB").quantize(COLORS).save(path, optimize=True)
    return path
