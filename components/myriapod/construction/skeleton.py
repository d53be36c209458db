"""The frames of a body and the blocks between them: sizes, anchors and masses, from the tables of a species."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....engine.pool import Array
from .anatomy import rigid_properties


class Skeleton(NamedTuple):
    """Segments and the blocks of a chain: block i joins segments i and i + 1."""

    half_extents: Array
    gap: float  # between two segments
    mass: Array
    center_of_mass: Array
    inertia: Array
    block_size: Array
    anchor_a: Array
    anchor_b: Array
    material: tuple[float, float, float, float]  # mu, lambda, density, gamma

    @property
    def pitches(self) -> Array:
        """(n - 1,) from centre to centre."""
        pitches: Array = self.half_extents[:-1, 0] + self.half_extents[1:, 0] + self.gap
        return pitches


def skeleton_of(specs: dict[str, Any]) -> Skeleton:
    """The frames of a species, whether or not there is tissue between them."""
    spec, tissue = specs["segments"], specs.get("tissue")
    half = spec.half_extents()
    gap = tissue.length if tissue is not None else 0.0
    count = spec.count - 1 if tissue is not None else 0
    size = np.column_stack([np.full(count, gap), 2.0 * np.minimum(half[:-1], half[1:])[:count, 1:]])
    anchor_a, anchor_b = np.zeros((count, 7)), np.zeros((count, 7))
    anchor_a[:, 0], anchor_b[:, 0] = -(half[:count, 0] + gap / 2), half[1 : count + 1, 0] + gap / 2
    anchor_a[:, 3] = anchor_b[:, 3] = 1.0
    material = (*tissue.lame, tissue.density, tissue.damping) if tissue is not None else (0.0, 0.0, 1.0, 0.0)
    rigid = [rigid_properties(half[i], spec.density, _attached(i, count, anchor_a, anchor_b, size, material[2]))
             for i in range(spec.count)]  # fmt: skip
    mass, center, inertia = (np.array(values) for values in zip(*rigid, strict=True))
    return Skeleton(half, gap, mass, center, inertia, size, anchor_a, anchor_b, material)


def _attached(segment: int, blocks: int, anchor_a: Array, anchor_b: Array, size: Array, density: float) -> list[Any]:
    """The blocks whose face nodes are bound to a segment of a chain: the one behind and the one ahead."""
    attached: list[Any] = []
    if segment < blocks:
        attached.append((anchor_a[segment], size[segment], density, True))
    if 0 < segment <= blocks:
        attached.append((anchor_b[segment - 1], size[segment - 1], density, False))
    return attached
