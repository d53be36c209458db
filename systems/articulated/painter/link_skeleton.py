"""The tree of links of one swimmer, in body lengths and at rest: what pictures of it are built around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....components.articulated.link_plan import rest_frames

if TYPE_CHECKING:
    from ....components.articulated.link_plan import BodyPlan

Array = NDArray[Any]

MIDDLE = 0.02
"""Body lengths beside the middle line within which a limb is one of the middle."""


@dataclass(frozen=True)
class Skeleton:
    """Links that have a shape, by the number of their segment. Joints without a shape are part of what hangs on them.

    Example::

        skeleton = Skeleton.of_plan(plan_of(species.specs["links"]))
        skeleton.limbs()          # chains of links that hang on the root, those of the left side first
    """

    parent: Array  # (n,) -1 for the root
    joint: Array  # (n, 3) the middle of the front end of its shape at rest, in the axes of the root, from the root's joint
    axes: Array  # (n, 3, 3) rows forward, left and up there
    length: Array  # (n,)
    radius: Array  # (n, 2)
    height: Array  # (n, 2)

    @classmethod
    def of_plan(cls, plan: BodyPlan) -> Skeleton:
        """The skeleton of a species."""
        joints, axes = rest_frames(plan)
        shaped = np.flatnonzero(plan.length > 0.0)
        number = np.full(plan.count, -1)
        number[shaped] = np.arange(len(shaped))
        above = np.array([_shaped_above(int(k), plan.parent, number) for k in shaped])
        front = joints[shaped] + plan.aside[shaped, None] * axes[shaped, 1]
        return cls(above, front, axes[shaped], plan.length[shaped], plan.radius[shaped], plan.height[shaped])

    @property
    def count(self) -> int:
        return len(self.parent)

    def key(self) -> bytes:
        """What tells skeletons apart."""
        parts = (self.parent, self.joint, self.axes, self.length, self.radius, self.height)
        return b"".join(np.round(np.asarray(part, dtype=np.float64), 5).tobytes() for part in parts)

    def chain(self, first: int) -> list[int]:
        """A link and what hangs on it, one behind the other, as long as nothing branches off."""
        found = [first]
        while len(below := np.flatnonzero(self.parent == found[-1])) == 1:
            found.append(int(below[0]))
        return found

    def spine(self) -> list[int]:
        """The root and the chain of the middle behind it."""
        behind = [chain for chain in self.limbs() if abs(self.joint[chain[0], 1]) < MIDDLE]
        return [0, *behind[0]] if behind else [0]

    def limbs(self) -> list[list[int]]:
        """Chains that hang on the root; those of the left side before those of the right, from front to back."""
        first = np.flatnonzero(self.parent == 0)
        order = np.lexsort((-self.joint[first, 0], self.joint[first, 1] < 0.0))
        return [self.chain(int(k)) for k in first[order]]

    def pairs(self) -> list[tuple[list[int], list[int]]]:
        """Limbs of the left and the right side that belong together, from front to back."""
        limbs = [chain for chain in self.limbs() if abs(self.joint[chain[0], 1]) >= MIDDLE]
        left = [chain for chain in limbs if self.joint[chain[0], 1] > 0.0]
        right = [chain for chain in limbs if self.joint[chain[0], 1] < 0.0]
        return list(zip(left, right, strict=False))

    def end(self, link: int) -> Array:
        """(3,) the rear end of a link at rest, in the axes of the root."""
        end: Array = self.joint[link] - self.length[link] * self.axes[link, 0]
        return end


def _shaped_above(link: int, parent: Array, number: Array) -> int:
    """The next link with a shape on the way to the root."""
    above = int(parent[link])
    while above >= 0 and number[above] < 0:
        above = int(parent[above])
    return int(number[above]) if above >= 0 else -1
