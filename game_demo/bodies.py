"""What the demo needs to know of a creature's body, whatever family it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ..components.segments import Segments

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from ..engine.pool import Array

Kind = TypeVar("Kind")

LENGTHS_PER_SECOND = 0.5
"""Speed of an animal that does not say how fast it goes by itself, in multiples of its reach."""
SMALLEST_REACH = 0.5
"""Units; a creature without a body still is somewhere and can be pointed at."""


def part_of(creature: Creature, kind: type[Kind]) -> Kind | None:
    """The handle of a part by its class, or None for a creature that has none; names of parts are not asked for."""
    return next((handle for handle in creature.parts.values() if isinstance(handle, kind)), None)


def spec_of(creature: Creature, kind: type[Kind]) -> Kind | None:
    """What the species file says about a part, by its class, or None."""
    return next((spec for spec in creature.species.specs.values() if isinstance(spec, kind)), None)


def body_points(creature: Creature) -> Array:
    """(n, 3) points along the body, head first; where there are no segments, the one place where the creature is."""
    segments = part_of(creature, Segments)
    return creature.position[None] if segments is None or not len(segments) else segments.position


def reach_of(creature: Creature) -> float:
    """No part of it is farther than this from its position; never nothing."""
    return max(float(creature.world.creature_pool.reach[creature.row]), SMALLEST_REACH)


def own_speed(creature: Creature) -> float:
    """How fast it goes by itself, in u/s: a part that drives it knows."""
    told = (getattr(handle, "own_speed", None) for handle in creature.parts.values())
    return next((float(speed) for speed in told if isinstance(speed, float)), LENGTHS_PER_SECOND * reach_of(creature))


def mass_at(creature: Creature, segment: int) -> float:
    """The mass that a push at a segment has to move; 1 where there is none to be pushed."""
    segments = part_of(creature, Segments)
    return 1.0 if segments is None or not len(segments) else float(segments.mass[segment])
