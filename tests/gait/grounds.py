"""Rough grounds to walk on, small enough to build in a test."""

from __future__ import annotations

import numpy as np

from paludarium.engine.terrain.shapes import Cylinder, Sphere
from paludarium.engine.terrain.terrain import Terrain

BOUNDS = (-60.0, -20.0, 100.0, 20.0)


def bumps(height: float = 0.3, spacing: float = 3.0) -> Terrain:
    """Equal round bumps in a square lattice: wavy ground of about plus and minus half their height."""
    x, y = np.meshgrid(np.arange(-60.0, 100.0, spacing), np.arange(-12.0, 13.0, spacing))
    return Terrain.gaussians(
        [(a, b, height, 0.25 * spacing) for a, b in zip(x.flat, y.flat, strict=True)], bounds=BOUNDS
    )


def hills(seed: int, count: int = 40) -> Terrain:
    """Overlapping Gaussian hills on level ground, the first of them well in front of the body."""
    rng = np.random.default_rng(seed)
    columns = [(8.0, 80.0), (-15.0, 15.0), (0.5, 2.0), (2.0, 4.0)]
    return Terrain.gaussians(np.column_stack([rng.uniform(*span, count) for span in columns]).tolist(), bounds=BOUNDS)


def logs(seed: int, count: int = 250) -> Terrain:
    """Cylinders of radius 0.2 to 0.6 lying on level ground in all directions, in an area of 60 by 16."""
    rng = np.random.default_rng(seed)
    lying = []
    for _ in range(count):
        angle, radius = rng.uniform(0.0, np.pi), rng.uniform(0.2, 0.6)
        centre = (rng.uniform(6.0, 66.0), rng.uniform(-8.0, 8.0), rng.uniform(0.0, 0.3))
        lying.append(Cylinder(centre, (np.cos(angle), np.sin(angle), 0.0), rng.uniform(1.0, 4.0), radius))
    return Terrain.flat(bounds=BOUNDS).with_shapes(lying)


def ball(radius: float = 15.0) -> Terrain:
    """A sphere in empty space whose top is at the origin."""
    return Terrain.from_shapes([Sphere((0.0, 0.0, -radius), radius)])


def out_of_reach() -> Terrain:
    """The only ground is a thousand million units below."""
    return Terrain.from_shapes([Sphere((0.0, 0.0, -1.0e6), 1.0)])
