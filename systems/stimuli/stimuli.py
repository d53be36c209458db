"""Stimuli: what draws animals near or drives them away, put into the world by the game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...components.reactions import STIMULUS_KINDS, add_stimulus_kind
from ...engine import arguments
from ...engine.column_rules import ENDLESS, ON_MAP, Names
from ...engine.errors import PaludariumError, shortened, suggest
from ...engine.placed import PlacedOne
from ...engine.pool import Pool, Rows, column

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...engine.world import World


def _kinds(world: World) -> Iterable[str]:
    return world.resource(Stimuli).kinds


class StimulusPool(Pool):
    """One row per stimulus."""

    single = True

    kind = column(np.int32, holds=Names(_kinds))
    position = column(np.float64, 3, holds=ON_MAP)
    strength = column(np.float64)
    radius = column(np.float64)
    seconds_left = column(np.float64, holds=ENDLESS)


@dataclass(frozen=True)
class Stimulus(PlacedOne):
    """Something that attracts or repels, until its time is over or it is removed.

    Example::

        fire = world.add_stimulus("threat", at=(4, 2), radius=12)
        fire.remove()
    """

    kind: str

    @property
    def seconds_left(self) -> float:
        return float(self.pool.view(self.rows, "seconds_left")[0])


class Stimuli:
    """The stimuli of one world and the kinds it knows: ``world.resource(Stimuli)``."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.pool = world.add_pool(StimulusPool)
        self.kinds = dict(STIMULUS_KINDS)

    def add_kind(self, name: str, default: float = 0.0, doc: str = "a mod's stimulus") -> None:
        """Make a kind known, with the reaction of species that say nothing about it."""
        add_stimulus_kind(self._world, self.kinds, name, default, doc)

    def add(self, kind: str, at: Any, strength: float = 1.0, radius: float = 10.0, seconds: float = math.inf) -> Stimulus:
        """Put a stimulus at a place; its effect falls linearly to zero at `radius`."""
        if arguments.text("stimulus kind", kind) not in self.kinds:
            raise PaludariumError(f"stimulus kind = {shortened(kind)}: {suggest(kind, self.kinds)}")
        strength = arguments.number("stimulus strength", strength, 0.0, above=True)
        radius = arguments.number("stimulus radius", radius, 0.0, above=True)
        seconds = arguments.endless("stimulus seconds", seconds)
        point = self._world.point_on_ground(at)
        rows, pool = self.pool.claim(1, owner=0), self.pool
        row = rows.start
        pool.kind[row], pool.position[row] = list(self.kinds).index(kind), point
        pool.strength[row], pool.radius[row], pool.seconds_left[row] = strength, radius, seconds
        return Stimulus(pool, rows, kind)

    def age(self, dt: float) -> None:
        """Let time pass, and remove what is over."""
        pool, rows = self.pool, self.pool.spans[:, 0]
        if not rows.size:
            return
        pool.seconds_left[rows] -= dt
        for row in rows[pool.seconds_left[rows] <= 0.0].tolist():
            pool.release(Rows(row, row + 1, pool.generation_of(row)))
