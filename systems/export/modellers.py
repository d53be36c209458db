"""Who models which family: a modeller makes a plan of a body once, and its poses frame by frame.

A family without a modeller is shown as it is hit: every segment an ellipsoid of its own size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ...components.segments import SegmentPool
from .body_plan import BodyPlan, BodyPose, Material, Solid

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.world import World

PLAIN_COLOUR = (0.72, 0.42, 0.24)


class Modeller(Protocol):
    """Models the creatures of one family.

    Example::

        class BallModeller:
            def __init__(self, world): ...
            def plan(self, creature): return BodyPlan(creature.serial, creature.name, ...)
            def poses(self, creatures): return [BodyPose(...) for creature in creatures]

        world.resource(Modellers).add("ball", BallModeller)
    """

    def plan(self, creature: Creature) -> BodyPlan:
        """What of a creature never moves; asked for again when its rows change, as in a cut."""
        ...

    def poses(self, creatures: Sequence[Creature]) -> list[BodyPose]:
        """Where everything of these creatures is now: copies, one pose each."""
        ...


class PlainModeller:
    """Segments as ellipsoids, for families that brought no modeller."""

    def __init__(self, world: World) -> None:
        self.segments = world.pool(SegmentPool)

    def plan(self, creature: Creature) -> BodyPlan:
        """One ellipsoid per segment."""
        rows = creature.rows.get("segments")
        sizes = self.segments.half_extents[rows.slice].tolist() if rows is not None else []
        solids = tuple(Solid("ellipsoid", place, (0.0, 0.0, 0.0), tuple(size), 0) for place, size in enumerate(sizes))
        return BodyPlan(creature.serial, creature.name, creature.species.key, creature.species.family, len(sizes),
                        (Material("skin", PLAIN_COLOUR),), solids)  # fmt: skip

    def poses(self, creatures: Sequence[Creature]) -> list[BodyPose]:
        """Copies of their segments' poses."""
        return [self._pose(creature) for creature in creatures]

    def _pose(self, creature: Creature) -> BodyPose:
        rows, nothing = creature.rows.get("segments"), np.zeros((0, 3), np.float32)
        if rows is None:
            return BodyPose(np.zeros((0, 3)), np.zeros((0, 4)), nothing, nothing)
        s = self.segments
        return BodyPose(s.position[rows.slice].copy(), s.orientation[rows.slice].copy(), nothing, nothing)


class Modellers:
    """The modellers of one world by family; built when the first of their creatures is recorded."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._makers: dict[str, tuple[Callable[[World], Modeller], str | None]] = {}
        self._built: dict[str, Modeller] = {}

    def add(self, family: str, maker: Callable[[World], Modeller]) -> None:
        """Let ``maker(world)`` model a family, instead of the one that did until now, if any."""
        self._makers[family] = (maker, self._world.building)
        self._built.pop(family, None)

    def of(self, family: str) -> Modeller:
        """The modeller of a family."""
        if family not in self._built:
            maker = self._makers[family][0] if family in self._makers else PlainModeller
            self._built[family] = maker(self._world)
        return self._built[family]

    def mod_of(self, family: str) -> str | None:
        """The mod that answers for a family's modeller; None if it is the package's own."""
        return self._makers[family][1] if family in self._makers else None

    def forget_mod(self, mod: str) -> None:
        """Take out the modellers that a mod has added."""
        for family in [family for family, (_, by) in self._makers.items() if by == mod]:
            del self._makers[family]
            self._built.pop(family, None)
