"""Attachments: a sprite or a light that rides on a segment. They change nothing in the world and are not saved with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..components.segments import SegmentPool
from ..engine import arguments
from ..engine.creature import Creature
from ..engine.errors import ArgumentError, shortened
from ..engine.turns import turned

if TYPE_CHECKING:
    from ..engine.pool import Array
    from ..engine.world import World


FORWARD = np.array([1.0, 0.0, 0.0])
NO_IMAGES = (bool, int, float, complex)
"""What no host draws. Its own images may be of any other kind, also names of files."""


class Pose(NamedTuple):
    """Where an attachment is: world position (3,) and the angle in plan view, counter-clockwise from east."""

    position: Array
    angle: float


@dataclass(frozen=True)
class Light:
    """A light to attach: red, green, blue from 0 to 1, how far it reaches in units, how bright it is.

    Example::

        creature.attach(Light(color=(0.6, 0.8, 1.0), radius=8.0))
    """

    color: tuple[float, float, float] = (1.0, 0.9, 0.6)
    radius: float = 6.0
    strength: float = 1.0

    def __post_init__(self) -> None:
        for shade in arguments.vector("Light(color)", self.color, (3,)).tolist():
            arguments.number("Light(color)", shade, 0.0, 1.0)
        arguments.number("Light(radius)", self.radius, 0.0, above=True)
        arguments.number("Light(strength)", self.strength, 0.0)


@dataclass(eq=False)
class Attachment:
    """Something on a segment, until it is removed or its creature leaves.

    ``thing`` is what was given: an image of the host's own kind, or a `Light`. Without ``rotate`` its angle is 0.

    Example::

        lamp = centipede.attach(Light(radius=8.0), segment=0, offset=(0.5, 0.0, 0.4))
        position, angle = lamp.pose
        lamp.remove()
    """

    creature: Creature
    thing: Any
    segment: int
    offset: Array
    rotate: bool
    holder: Attachments

    @property
    def exists(self) -> bool:
        return self in self.holder.items and self.creature.in_world

    @property
    def pose(self) -> Pose:
        """Where it is now; raises `StaleHandleError` when the creature has gone."""
        pool = self.creature.world.pool(SegmentPool)
        self.creature.world.creature_pool.check(self.creature.rows["creature"])
        row = self.creature.rows["segments"].start + self.segment
        orientation = pool.orientation[row]
        forward = turned(orientation, FORWARD)
        angle = atan2(forward[1], forward[0]) if self.rotate else 0.0
        return Pose(pool.position[row] + turned(orientation, self.offset), angle)

    def remove(self) -> None:
        """Take it off; twice is fine."""
        if self in self.holder.items:
            self.holder.items.remove(self)


class Attachments:
    """All attachments of one world, in the order in which they were made: ``world.resource(Attachments)``.

    A renderer asks for all poses at once::

        for attachment, position, angle in zip(attachments, *attachments.poses()):
            ...
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.items: list[Attachment] = []

    def __len__(self) -> int:
        self._drop_the_gone()
        return len(self.items)

    def __iter__(self) -> Iterator[Attachment]:
        self._drop_the_gone()
        return iter(tuple(self.items))

    def poses(self) -> tuple[Array, Array]:
        """(n, 3) positions and (n,) angles of all, in the order of iteration."""
        self._drop_the_gone()
        if not self.items:
            return np.zeros((0, 3)), np.zeros(0)
        pool = self._world.pool(SegmentPool)
        rows = np.array([item.creature.rows["segments"].start + item.segment for item in self.items])
        offsets = np.array([item.offset for item in self.items])
        orientation = pool.orientation[rows]
        forward = turned(orientation, np.broadcast_to(FORWARD, offsets.shape))
        angles = np.arctan2(forward[:, 1], forward[:, 0])
        angles[[not item.rotate for item in self.items]] = 0.0
        return pool.position[rows] + turned(orientation, offsets), angles

    def cut(self, front: Creature, rear: Creature, first: int) -> None:
        """Hand what sits on segment `first` and behind it over to the rear half."""
        for item in self.items:
            if item.creature is front and item.segment >= first:
                item.creature, item.segment = rear, item.segment - first

    def _drop_the_gone(self) -> None:
        self.items = [item for item in self.items if item.creature.in_world]


def attach(
    creature: Creature, thing: Any, segment: int = 0, offset: Any = (0.0, 0.0, 0.0), rotate: bool = True
) -> Attachment:
    """Put a sprite or a light on a segment, `offset` from its centre along the segment's own axes."""
    creature.world.creature_pool.check(creature.rows["creature"])
    count = creature.rows["segments"].size if "segments" in creature.rows else 0
    if isinstance(segment, bool) or not isinstance(segment, int | np.integer) or not -count <= segment < count:
        raise ArgumentError(f"attach(segment) = {shortened(segment)}: allowed is 0 to {count - 1} for {creature.name}")
    if thing is None or isinstance(thing, NO_IMAGES):
        raise ArgumentError(f"attach(thing) = {shortened(thing)}: allowed is an image of your own kind, or a Light")
    place = arguments.vector("attach(offset)", offset)
    if place.size == 2:
        place = np.append(place, 0.0)
    holder: Attachments = creature.world.resource(Attachments)
    item = Attachment(creature, thing, int(segment) % count, place, arguments.flag("attach(rotate)", rotate), holder)
    holder.items.append(item)
    return item


attach.unrecorded = True  # type: ignore[attr-defined] # a replay needs no pictures


def attachments_of(creature: Creature) -> list[Attachment]:
    """What rides on a creature."""
    return [item for item in creature.world.resource(Attachments) if item.creature is creature]
