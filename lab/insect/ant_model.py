"""Sizes and constants of the published ant, in millimetres, grams and seconds. [Guo15 3.1, 4.2.1, App. D]

Legs are L1 L2 L3 R1 R2 R3 as in the source: 1 in front, x forward, y to the left, z up. Forces are in micronewtons
(g mm/s^2): the weight of the ant is 9800. What the source does not print (hips, the lower link, `load_shift`,
`turn_gravity`) says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...components.insect.trunk import TrunkSpec
from ...engine.bundle import packed
from ...engine.kernel_types import Array as KernelArray
from ...engine.pool import Array

if TYPE_CHECKING:
    from ...engine.species import Species

LEFT_LEGS, RIGHT_LEGS = (0, 4, 2), (3, 1, 5)
"""The left tripod L1 R2 L3 and the right one R1 L2 R3: fore, middle, hind."""
TRIPODS = np.array([LEFT_LEGS, RIGHT_LEGS])
GRAVITY = 9800.0
FROUDE_GRAVITY = 1.0e4
"""mm/s^2: the source rounds for the Froude number. [Guo15 7.1]"""
TOP_SPEED = 40.0
LOAD_SHIFT_PRINTED, LOAD_SHIFT = 1e-4, 0.4
"""mm that a gram of load lowers the trunk: as printed, which moves feet by nothing, and so that the printed largest load
brings the trunk to the ground. [Guo15 4.2.2]"""
TURN_GRAVITY_PRINTED, TURN_GRAVITY = 9800.0, 98.0
"""mm/s^2 in the weight of the blend: as printed no path is ever left; with the second the departures of the text appear."""
LOWEST, HIGHEST = 0.95, 0.5
"""Of the height: how far the trunk may go down and up."""


@dataclass(frozen=True)
class AntModel:
    """The ant of the source, or of a species of the same build.

    Example::

        ant = AntModel.of(TrunkSpec())       # the printed one
        ant.template[0]                      # (2.625, 0.973)
    """

    femur: tuple[float, ...] = (1.3775, 1.3848, 2.2705)
    lower: tuple[float, ...] = (2.2430, 2.5142, 4.0238)  # tibia and tarsus: the tibia alone does not reach the template
    coxa: float = 0.3
    hips: tuple[tuple[float, float], ...] = ((1.2, 0.4), (0.0, 0.5), (-1.0, 0.4))  # not printed
    feet: tuple[tuple[float, float], ...] = ((2.625, 0.973), (-0.105, 2.714), (-2.520, 1.746))
    spread: tuple[tuple[float, float], ...] = ((0.33, 0.28), (0.0, 0.30), (-0.64, 0.60))
    height: float = 2.0
    mass: float = 1.0
    yaw_inertia: float = 100.0
    stride: float = 3.0
    stride_time: float = 0.1
    largest_load: float = 5.0  # g

    @classmethod
    def of(cls, trunk: TrunkSpec) -> AntModel:
        """The model of a species, from its ``[trunk]`` table."""
        hips, feet, spread = (tuple(zip(getattr(trunk, f"{name}_x"), getattr(trunk, f"{name}_y"), strict=True))
                              for name in ("hip", "foot", "spread"))  # fmt: skip
        return cls(tuple(trunk.femur), tuple(trunk.lower_leg), trunk.coxa, hips, feet, spread, trunk.height)

    @classmethod
    def of_species(cls, species: Species) -> AntModel:
        """The model of a species of insects."""
        return cls.of(species.specs["trunk"])

    @property
    def template(self) -> Array:
        """(6, 2) feet around the middle of the trunk."""
        return both_sides(self.feet)

    @property
    def anchors(self) -> Array:
        """(6, 2) hips."""
        return both_sides(self.hips)

    @property
    def weight(self) -> float:
        """In micronewtons."""
        return self.mass * GRAVITY


class AntTables(NamedTuple):
    """The model as kernels take it."""

    femur: KernelArray  # (6,)
    lower: KernelArray  # (6,)
    hip: KernelArray  # (6, 2)
    foot: KernelArray  # (6, 2) the template
    spread: KernelArray  # (6, 2) what each mm that the trunk is lowered moves a foot
    tripods: KernelArray  # (2, 3)
    coxa: float
    height: float
    mass: float
    inertia: float
    stride: float
    stride_time: float


def both_sides(pairs: tuple[tuple[float, float], ...]) -> Array:
    """(6, 2) of three left legs and their mirror images."""
    left = np.array(pairs, np.float64)
    return np.concatenate([left, left * (1.0, -1.0)])


@lru_cache(maxsize=32)
def tables_of(ant: AntModel) -> AntTables:
    """The model as kernels take it."""
    return packed(AntTables(np.tile(ant.femur, 2), np.tile(ant.lower, 2), ant.anchors, ant.template, both_sides(ant.spread),
                            TRIPODS.astype(np.int64), ant.coxa, ant.height, ant.mass, ant.yaw_inertia, ant.stride,
                            ant.stride_time))  # fmt: skip


def triangle_area(vertices: Array) -> Array:
    """Areas of triangles (..., 3, 2 or 3), by the plan view."""
    a, b = vertices[..., 1, :2] - vertices[..., 0, :2], vertices[..., 2, :2] - vertices[..., 0, :2]
    area: Array = 0.5 * np.abs(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
    return area
