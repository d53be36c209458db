"""The frames of a body and the blocks between them: sizes, places, anchors and masses, from the tables of a species."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....engine.pool import Array
from .anatomy import rigid_properties
from .joints import Joints, chain_joints, graph_joints


class Skeleton(NamedTuple):
    """Segments at rest and the blocks that join them."""

    half_extents: Array
    places: Array  # centres, seen from the head, which looks along x
    gap: float  # between two segments of a chain
    mass: Array
    center_of_mass: Array
    inertia: Array
    joints: Joints
    material: tuple[float, float, float, float]  # mu, lambda, density, gamma
    is_chain: bool  # block i joins segments i and i + 1

    @property
    def pitches(self) -> Array:
        """(n - 1,) from centre to centre of a chain."""
        pitches: Array = self.half_extents[:-1, 0] + self.half_extents[1:, 0] + self.gap
        return pitches

    @property
    def ahead(self) -> Array:
        """(n,) how many segments before each one is the one that it follows; the head has 1 and follows nobody."""
        numbers = np.arange(len(self.mass))
        if self.is_chain:
            return np.ones_like(numbers)
        return np.array([1] + [k - int(self.joints.segment_a[self.joints.segment_b == k][0]) for k in numbers[1:]])

    @property
    def half_pitch(self) -> Array:
        """(n,) from the middle of each segment to that of the tissue ahead."""
        half_pitch: Array = self.half_extents[:, 0] + self.gap / 2
        if not self.is_chain:
            for k in range(1, len(half_pitch)):
                half_pitch[k] = np.linalg.norm(self.joints.anchor_b[self.joints.segment_b == k][0, :3])
        return half_pitch

    @property
    def length(self) -> float:
        """Nose to tail."""
        if self.is_chain:
            return float(self.pitches.sum() + self.half_extents[0, 0] + self.half_extents[-1, 0])
        ends = np.concatenate([self.places - self.half_extents, self.places + self.half_extents])
        return float(np.ptp(ends, axis=0).max())

    @property
    def reach(self) -> float:
        """No part of it is farther than this from its head."""
        if self.is_chain:
            return float(self.pitches.sum()) + 2.0 * float(self.half_extents[:, 1].max())
        return float((np.linalg.norm(self.places, axis=1) + np.linalg.norm(self.half_extents, axis=1)).max())


def skeleton_of(specs: dict[str, Any], half_extents: Array | None = None) -> Skeleton:
    """The frames of a species, whether or not there is tissue between them; of a piece of an animal with its own sizes."""
    spec, tissue, chain = specs["segments"], specs.get("tissue"), specs.get("chain")
    half = spec.half_extents() if half_extents is None else half_extents
    gap = tissue.length if tissue is not None else 0.0
    is_chain = chain is None or not chain.is_graph
    if chain is None or is_chain:
        joints = chain_joints(half, gap, spec.count - 1 if tissue is not None else 0)
        places = np.zeros((spec.count, 3))
        places[1:, 0] = -np.cumsum(half[:-1, 0] + half[1:, 0] + gap)
    else:
        half, places = chain.extents(half), chain.places(spec.count)
        joints = graph_joints(half, places, chain.pairs)
    material = (*tissue.lame, tissue.density, tissue.damping) if tissue is not None else (0.0, 0.0, 1.0, 0.0)
    rigid = [rigid_properties(half[i], spec.density, _attached(i, joints, material[2])) for i in range(spec.count)]
    mass, center, inertia = (np.array(values) for values in zip(*rigid, strict=True))
    return Skeleton(half, places, gap, mass, center, inertia, joints, material, is_chain)


def _attached(segment: int, joints: Joints, density: float) -> list[Any]:
    """The blocks whose face nodes are bound to a segment: those behind it, then those ahead."""
    behind = np.flatnonzero(joints.segment_a == segment)
    ahead = np.flatnonzero(joints.segment_b == segment)
    return [(joints.anchor_a[k], joints.size[k], density, True) for k in behind] + [
        (joints.anchor_b[k], joints.size[k], density, False) for k in ahead
    ]
