"""Wings that flap as a travelling wave: five numbers for all joints of both, with which a search begins. [stroke 3]"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..training.variables import COSINE, SINE, Variables

if TYPE_CHECKING:
    from ....components.articulated.link_plan import BodyPlan
    from ....engine.pool import Array

WING_BEAT = "wing beat"
"""Group of a search that varies the beat as a whole."""
FLAPS, TWISTS = 0, 1
"""Axis that a hinge turns about, in its parent's axes: forward, left."""
ALONG = 0.99
"""Share of an axis that points there."""
FEWEST = 2
"""Hinges that flap, from the body outward, of what is a wing: a single one has no wave."""
START = np.radians((43.0, 11.5, 21.0, 18.5, -68.0))
"""Flap at the body and further out, how much later each further hinge is, twist, and its phase: by hand. [stroke 3]"""


@dataclass(frozen=True)
class WingBeat(Variables):
    """Both wings alike: flap of the hinge at the body, of those further out, lag from hinge to hinge, twist, its phase.

    Example::

        beat = WingBeat(plan)
        beat.count                          # 5
        beat.sines(np.radians((43.0, 11.0, 21.0, 18.0, -68.0)))
    """

    @property
    def count(self) -> int:
        return len(START)

    @cached_property
    def hinges(self) -> tuple[tuple[int, int, int], ...]:
        """Link, kind and how many flaps come before it, of one wing."""
        return hinges_of(self.plan)

    def sines(self, x: Array, others: Array | None = None) -> Array:  # noqa: ARG002 - a beat moves all joints
        """(3, links) a, b and C of all links."""
        root, outer, lag, twist, phase = (float(value) for value in x)
        found = np.zeros((3, self.plan.count))
        for link, kind, place in self.hinges:
            size = twist if kind == TWISTS else (root if place == 0 else outer)
            late = (phase if kind == TWISTS else 0.0) - place * lag
            found[SINE, link], found[COSINE, link] = size * np.cos(late), size * np.sin(late)
        moved: Array = found[:, self.leader] * self.factor
        return moved

    def numbers(self, sines: Array) -> Array:  # noqa: ARG002 - whatever it was, a beat begins with one made by hand
        """Where a search begins."""
        return START.copy()


def hinges_of(plan: BodyPlan) -> tuple[tuple[int, int, int], ...]:
    """Link, kind (`FLAPS`, `TWISTS`) and number of flaps between it and the body, of the wing whose joints lead; nothing
    if no chain of the body is a wing."""
    found: list[tuple[int, int, int]] = []
    before: dict[int, int] = {}
    for k in range(1, plan.count):
        before[k] = before.get(int(plan.parent[k]), 0)
        kind = next((kind for kind in (FLAPS, TWISTS) if abs(plan.axis[k, kind]) > ALONG), None)
        if kind is None or plan.other[k] == k:
            continue
        if kind == FLAPS:
            before[k] += 1
        if plan.mirror[k] < 0:
            found.append((k, kind, max(before[k] - 1, 0)))
    flaps = max(before.values(), default=0)
    return tuple(found) if flaps >= FEWEST else ()
