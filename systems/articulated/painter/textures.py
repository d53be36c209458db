"""What skins are painted with: soft noise, cells with seams, mixing of colours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def smooth(low: Any, high: Any, value: Any) -> Array:
    """0 below `low`, 1 above `high`, and a soft rise between."""
    t = np.clip((np.asarray(value) - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t))


def mix(colour: Array, other: Any, share: Any) -> Array:
    """A colour, or many, with a share of another."""
    return np.asarray(colour + (np.asarray(other) - colour) * np.clip(share, 0.0, 1.0)[..., None])


def noise(x: Array, y: Array, size: float, random: np.random.Generator, waves: int = 20) -> Array:
    """Soft values of about -1 to 1 that change over `size`."""
    total = np.zeros(np.broadcast_shapes(x.shape, y.shape))
    for _ in range(waves):
        turn, k = random.uniform(0.0, 2.0 * np.pi), random.uniform(0.5, 1.2) * np.pi / size
        total += np.cos(k * (np.cos(turn) * x + np.sin(turn) * y) + random.uniform(0.0, 2.0 * np.pi))
    return np.asarray(total / np.sqrt(0.5 * waves))


def cells(x: Array, y: Array, middles: Array) -> tuple[Array, Array, Array]:
    """Which of the points (n, 2) is the nearest, how far it is, and how far the seam to the next one is.

    Example::

        cell, far, seam = cells(surface.x, surface.y, points)
    """
    distances = np.hypot(x[..., None] - middles[:, 0], y[..., None] - middles[:, 1])
    order = np.argsort(distances, axis=-1)[..., :2]
    near = np.take_along_axis(distances, order, axis=-1)
    first, second = middles[order[..., 0]], middles[order[..., 1]]
    apart = np.maximum(np.linalg.norm(second - first, axis=-1), 1e-9)
    return order[..., 0], near[..., 0], np.asarray((near[..., 1] ** 2 - near[..., 0] ** 2) / (2.0 * apart))


def scattered(x: tuple[float, float], y: tuple[float, float], apart: float, random: np.random.Generator) -> Array:
    """(n, 2) points over a rectangle, about evenly apart, in rows that are shifted against each other."""
    rows = max(int(round((y[1] - y[0]) / (0.87 * apart))), 1)
    columns = max(int(round((x[1] - x[0]) / apart)), 1)
    j, i = np.mgrid[0 : rows + 1, -1 : columns + 1]
    grid = np.stack([x[0] + (i + 0.5 * (j % 2)) * (x[1] - x[0]) / columns, y[0] + j * (y[1] - y[0]) / rows], axis=-1)
    return np.asarray(grid.reshape(-1, 2) + random.uniform(-0.22, 0.22, size=(grid.size // 2, 2)) * apart)
