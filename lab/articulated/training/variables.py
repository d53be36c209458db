"""From the numbers that a search varies to the sines of joints: (a, b) per free joint, and C for turns. [Tan11 4.1, 4.3]"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ....components.articulated.link_plan import BodyPlan
    from ....engine.pool import Array

SINE, COSINE, OFFSET = range(3)


@dataclass(frozen=True)
class Variables:
    """Which joints a search varies, and how the others go with them.

    Mirrored joints move as those of the other side, and joints that follow one move with it. A turn to one side breaks the
    mirror: each side has its own numbers then, and those that follow the other side follow their own. A body with one free
    joint has one variable: it has no phase against anything. [articulated-swimmers 3]

    Example::

        variables = Variables(plan)
        variables.count                                   # 8 for an eel of five links
        sines = variables.sines(np.zeros(variables.count))  # (3, links)
    """

    plan: BodyPlan
    offsets: bool = False  # whether C is varied, as for all turns
    group: str | None = None  # only joints of this group; others keep what they are given
    mirrored: bool = True  # whether both sides do the same

    @cached_property
    def leader(self) -> Array:
        """(n,) link whose sines each link has, itself if it is free."""
        return self._leading[0]

    @cached_property
    def factor(self) -> Array:
        """(n,) times that."""
        return self._leading[1]

    @cached_property
    def _leading(self) -> tuple[Array, Array]:
        plan, n = self.plan, self.plan.count
        leader, factor = np.arange(n), np.ones(n)
        for k in range(1, n):
            if plan.mirror[k] >= 0 and self.mirrored:
                leader[k], factor[k] = plan.mirror[k], plan.mirror_sign[k]
            elif plan.follows[k] >= 0:
                leader[k], factor[k] = plan.follows[k], plan.factor[k]
                if not self.mirrored and (own := self._of_own_side(k)) >= 0:
                    leader[k], factor[k] = own, plan.factor[k] * plan.mirror_sign[own]
        return leader, factor

    def _of_own_side(self, k: int) -> int:
        """The link above `k` that mirrors the one which `k` follows, or -1."""
        above = int(self.plan.parent[k])
        while above > 0:
            if self.plan.mirror[above] == self.plan.follows[k]:
                return above
            above = int(self.plan.parent[above])
        return -1

    @cached_property
    def free(self) -> Array:
        """(k,) links with variables of their own."""
        own = self.leader == np.arange(self.plan.count)
        own[0] = False
        if self.group is not None:
            own &= np.array([name == self.group for name in self.plan.group])
        return np.flatnonzero(own)

    @property
    def kinds(self) -> tuple[int, ...]:
        """What is varied of each free joint."""
        if self.offsets:
            return SINE, COSINE, OFFSET
        return (SINE,) if len(self.free) == 1 and self.group is None else (SINE, COSINE)

    @property
    def count(self) -> int:
        """How many numbers are searched for."""
        return len(self.free) * len(self.kinds)

    def sines(self, x: Array, others: Array | None = None) -> Array:
        """(3, links) a, b and C of all links; those of other groups are as given, or at rest."""
        found = np.zeros((3, self.plan.count)) if others is None else others.copy()
        found[np.ix_(np.array(self.kinds), np.asarray(self.free))] = np.reshape(x, (len(self.kinds), len(self.free)))
        moved: Array = found[:, self.leader] * self.factor
        return moved

    def numbers(self, sines: Array) -> Array:
        """The variables of a movement: what `sines` makes it from."""
        found: Array = sines[np.ix_(np.array(self.kinds), np.asarray(self.free))].reshape(-1)
        return found

    def feasible(self, sines: Array) -> bool:
        """Whether no joint goes beyond its limit; known before anything is simulated. [Tan11 4.3]"""
        reach = np.hypot(sines[SINE], sines[COSINE]) + np.abs(sines[OFFSET])
        return bool((reach[1:] <= self.plan.limit[1:]).all())


def stages(plan: BodyPlan) -> tuple[str | None, ...]:
    """Groups that are searched one after the other, in the order in which they are named; (None,) for all at once."""
    named = list(dict.fromkeys(plan.group[1:]))
    return tuple(named) if len(named) > 1 else (None,)
