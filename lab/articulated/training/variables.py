"""From the numbers that a search varies to the sines of joints: (a, b) per free joint, and C for turns. [Tan11 4.1, 4.3]

A search that is `warped` also varies C of paired joints in straight strokes, and the shares of power and glide: a stroke
from folded to stretched, and a glide after it. Joints that are held do not beat then. [stroke 2]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ....components.articulated.manoeuvres import HALF, warp_of

if TYPE_CHECKING:
    from ....components.articulated.link_plan import BodyPlan
    from ....engine.pool import Array

SINE, COSINE, OFFSET = range(3)
WARP_SCALE = 0.3
"""Of a cycle: a share of power or glide that is searched for like a radian of a joint."""
WARPS = 2
"""Variables of a warp: shares of power and glide."""


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
    warped: bool = False  # whether C of pairs and the warp are varied in straight strokes, and held joints are held

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
        if self.warped and self.mirrored:
            own &= ~self.plan.held
        if self.group is not None:
            own &= np.array([name == self.group for name in self.plan.group])
        return np.flatnonzero(own)

    @cached_property
    def places(self) -> tuple[Array, Array]:
        """Kinds and links of the numbers that are varied, one after the other; those of the warp come last, see `warps`."""
        kinds: list[tuple[int, Array]] = []
        beating = self.free[~self.plan.held[self.free]] if self.warped else self.free
        if self.warped:
            paired = self.free[self.plan.other[self.free] != self.free]
            kinds = [(SINE, beating), (COSINE, beating), (OFFSET, self.free if self.offsets else paired)]
        elif self.offsets:
            kinds = [(SINE, beating), (COSINE, beating), (OFFSET, beating)]
        else:
            kinds = [(SINE, beating)]
            if len(beating) != 1 or self.group is not None:
                kinds.append((COSINE, beating))
        numbers = np.concatenate([np.full(len(links), kind) for kind, links in kinds])
        return numbers, np.concatenate([links for _, links in kinds])

    @property
    def warps(self) -> bool:
        """Whether shares of power and glide are varied: a body without pairs would beat to one side more."""
        return self.warped and self.mirrored and bool((self.plan.other != np.arange(self.plan.count)).any())

    @property
    def count(self) -> int:
        """How many numbers are searched for."""
        return len(self.places[0]) + (WARPS if self.warps else 0)

    def sines(self, x: Array, others: Array | None = None) -> Array:
        """(3, links) a, b and C of all links, and the warp; those of other groups are as given, or at rest."""
        found = self.rest if others is None else others.copy()
        kinds, links = self.places
        found[kinds, links] = x[: len(kinds)]
        if self.warps:
            found[:WARPS, 0] = WARP_SCALE * np.asarray(x)[len(kinds) : self.count]
        moved: Array = found[:, self.leader] * self.factor
        return moved

    @property
    def rest(self) -> Array:
        """(3, links) of a body that does not beat; what is held is held where straight strokes do so."""
        found = np.zeros((3, self.plan.count))
        if self.warped:
            found[OFFSET] = np.where(self.plan.held, self.plan.held_at, 0.0)
        return found

    def numbers(self, sines: Array) -> Array:
        """The variables of a movement: what `sines` makes it from."""
        found: Array = sines[self.places]
        return np.concatenate([found, sines[:WARPS, 0] / WARP_SCALE]) if self.warps else found

    def feasible(self, sines: Array) -> bool:
        """Whether no joint goes beyond its limit, and no share beyond its own; known before anything is simulated.
        [Tan11 4.3]"""
        size, offset = np.hypot(sines[SINE], sines[COSINE])[1:], sines[OFFSET, 1:]
        bent = (offset + size <= self.plan.most[1:]) & (offset - size >= self.plan.least[1:])
        shares = sines[:WARPS, 0] + (HALF, 0.0)
        return bool(bent.all()) and (not self.warps or np.allclose(warp_of(sines), shares, atol=1e-12))


def stages(plan: BodyPlan, *, warped: bool = False) -> tuple[str | None, ...]:
    """Groups that are searched one after the other, in the order in which they are named; (None,) for all at once.

    Those that are held have no stage of their own.
    """
    beats = [not (warped and held) for held in plan.held]
    named = list(dict.fromkeys(name for name, beating in zip(plan.group[1:], beats[1:], strict=True) if beating))
    return tuple(named) if len(named) > 1 else (None,)
