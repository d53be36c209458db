"""What a body looks like, without a word about its family: a plan that stays, and a pose for every frame.

World axes as everywhere (z up), lengths in units, quaternions wxyz, colours as displayed (sRGB, 0..1).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Material:
    """One colour of a body."""

    name: str
    colour: tuple[float, float, float]
    gloss: float = 0.4
    opacity: float = 1.0


@dataclass(frozen=True)
class Solid:
    """A rigid shape on a segment: a key of `unit_shapes.SHAPES`, stretched to half sizes around a centre in its frame."""

    shape: str
    segment: int
    center: tuple[float, float, float]
    half_sizes: tuple[float, float, float]
    material: int


@dataclass(frozen=True)
class SoftBlock:
    """A piece of deformable tissue: a closed triangle mesh whose corners are simulated nodes.

    Every node hangs on two segments; the weights say how much on each. Nodes of the `core`, three or more, move by
    themselves: where a skeleton has to do, they get a joint of their own. The first `skin` triangles shape the normals;
    those after them close the ends where it meets its segments.
    """

    segments: tuple[int, int]
    weights: Array  # (nodes, 2)
    triangles: Array  # (m, 3)
    skin: int
    material: int
    core: Array = field(default_factory=lambda: np.zeros(0, np.int64))  # numbers of nodes


@dataclass(frozen=True)
class Chain:
    """A limb: round links between points, root first. Those of a `fixed` one stay where they are in its segment's frame."""

    name: str
    segment: int
    radii: tuple[float, ...]  # one per point
    materials: tuple[int, ...]  # one per link
    fixed: Array | None = None  # (points, 3) in the frame of the segment


@dataclass(frozen=True)
class BodyPlan:
    """Everything about one body that does not move.

    Example::

        BodyPlan(3, "ball 3", "ball", "ball", 1, (Material("skin", (0.8, 0.3, 0.2)),),
                 solids=(Solid("ellipsoid", 0, (0, 0, 0), (1, 1, 1), 0),))
    """

    serial: int
    name: str
    species: str
    family: str
    segments: int
    materials: tuple[Material, ...]
    solids: tuple[Solid, ...] = ()
    blocks: tuple[SoftBlock, ...] = ()
    chains: tuple[Chain, ...] = ()

    @cached_property
    def moving_chains(self) -> tuple[Chain, ...]:
        """Limbs with joints."""
        return tuple(chain for chain in self.chains if chain.fixed is None)

    @cached_property
    def fixed_chains(self) -> tuple[Chain, ...]:
        """Horns: limbs without joints."""
        return tuple(chain for chain in self.chains if chain.fixed is not None)

    @cached_property
    def node_starts(self) -> list[int]:
        """Where the nodes of every block begin in a pose, and where the last ones end."""
        return [0, *np.cumsum([len(block.weights) for block in self.blocks], dtype=int).tolist()]

    @cached_property
    def point_starts(self) -> list[int]:
        """Where the points of every moving chain begin in a pose, and where the last ones end."""
        return [0, *np.cumsum([len(chain.radii) for chain in self.moving_chains], dtype=int).tolist()]


@dataclass(frozen=True)
class BodyPose:
    """Where everything of a body is at one moment, in world coordinates."""

    position: Array  # (segments, 3)
    orientation: Array  # (segments, 4)
    nodes: Array  # (nodes of all blocks, 3)
    points: Array  # (points of all moving chains, 3)

    @property
    def nbytes(self) -> int:
        """Bytes that the arrays take."""
        return sum(array.nbytes for array in (self.position, self.orientation, self.nodes, self.points))
