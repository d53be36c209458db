"""Meshes that need no file: a ball and a lumpy ball."""

from __future__ import annotations

import numpy as np

from ..noise_field import noise_at
from .checks import checked_count, checked_number, checked_positive, checked_seed
from .floors import MOST_OCTAVES
from .mesh import Mesh
from .terrain_error import TerrainError

MOST_BANDS = 500  # rings or sectors of a ball: half a million triangles


def uv_sphere(radius: float = 15.0, rings: int = 100, sectors: int = 100) -> Mesh:
    """A ball around the origin: ``rings`` bands from pole to pole, ``sectors`` slices; 2 * sectors * (rings - 1) faces.

    Example::

        >>> uv_sphere(radius=15.0, rings=4, sectors=6).faces.shape
        (36, 3)
    """
    size = checked_positive(radius, "radius")
    bands, slices = checked_count(rings, "rings", 2, MOST_BANDS), checked_count(sectors, "sectors", 3, MOST_BANDS)
    latitude = np.linspace(0.0, np.pi, bands + 1)[1:-1, None]
    longitude = np.linspace(0.0, 2.0 * np.pi, slices, endpoint=False)[None, :]
    across, up = np.sin(latitude), np.cos(latitude) + 0.0 * longitude
    belt = np.stack([across * np.cos(longitude), across * np.sin(longitude), up], axis=-1).reshape(-1, 3)
    vertices = size * np.concatenate([[[0.0, 0.0, 1.0]], belt, [[0.0, 0.0, -1.0]]])

    here = np.arange(slices)
    following = np.roll(here, -1)
    top = np.stack([0 * here, 1 + here, 1 + following], axis=1)
    last = 1 + (bands - 2) * slices
    bottom = np.stack([0 * here + last + slices, last + following, last + here], axis=1)
    upper = (1 + slices * np.arange(bands - 2))[:, None]
    lower = upper + slices
    first = np.stack([upper + here, lower + here, lower + following], axis=-1).reshape(-1, 3)
    second = np.stack([upper + here, lower + following, upper + following], axis=-1).reshape(-1, 3)
    return Mesh(vertices, np.concatenate([top, first, second, bottom]).astype(np.int64))


def noise_displaced_sphere(
    radius: float = 15.0,
    amplitude: float = 1.0,
    lump_width: float = 8.0,
    rings: int = 100,
    sectors: int = 100,
    octaves: int = 3,
    seed: int = 0,
) -> Mesh:
    """A ball whose surface is moved in and out by noise with lumps about ``lump_width`` units wide.

    Three planes of noise are added, one per pair of axes, so that there is no seam and no pole.
    """
    height, width = checked_number(amplitude, "amplitude"), checked_positive(lump_width, "lump_width")
    ball = uv_sphere(radius, rings, sectors)
    if abs(height) >= radius:
        raise TerrainError(f"amplitude is {height}; allowed is less than the radius {radius}")
    x, y, z = ball.vertices.T / width
    count, start = checked_count(octaves, "octaves", most=MOST_OCTAVES), checked_seed(seed)
    planes = ((x, y), (y, z), (z, x))
    lumps = sum(noise_at(u, v, octaves=count, seed=start + plane) for plane, (u, v) in enumerate(planes))
    return Mesh(ball.vertices * (1.0 + height / (3.0 * radius) * np.asarray(lumps))[:, None], ball.faces)
