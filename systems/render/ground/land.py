"""What squares of the terrain picture are made of and made with: three records that compiled code takes as arguments."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

Array = NDArray[Any]


class Land(NamedTuple):
    """The terrain as the painting kernels read it."""

    elevation: Array  # (rows, columns) float64, rows to the north
    clearance: Array  # way to the nearest solid at every sample, see scene.Ground; may be empty
    stones: Array  # (n, 4): x, y, radius, height
    ponds: Array  # (n, 5): west, south, east, north, level
    origin_x: float  # world point of the first sample
    origin_y: float
    cell: float
    base: float  # elevation of the shore, from which the zones of sand, soil and grass count
    seed: float
    stone_size: float  # largest radius of the decorative stones
    plants: float  # share of the places for plants that have one
    scale: float  # px per unit
    depth_steps: Any  # float32: depth bytes per unit of water


class Margins(NamedTuple):
    """How far the light on a square looks beyond it, and how far heights are blurred; in px."""

    left: int
    top: int
    slant: float  # px that a shadow is thrown per px of height
    reach: Any  # float32: of the longest shadow
    near: int  # radius of the small blur
    far: int  # and of the large one


class Work(NamedTuple):
    """Working arrays of a square, float32; of several squares with one more axis in front."""

    fields: Array  # (5, rows, columns) of the lattice: elevation and slowly varying noises
    height: Array  # of the square and its margins
    albedo: Array  # (3, ...) of the same
    near: Array  # heights blurred a little
    far: Array  # and a lot
    spare: Array
    picture: Array  # (3, size, size) linear light
    depth: Array  # (size, size) units of water
