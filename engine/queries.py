"""Questions about who is where, in plan view: creatures near a point, at a point, and on the way of a ray."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import arguments
from .creature import Creature
from .places import Point, touches
from .pool import Array
from .props import Prop
from .roles import Outline

if TYPE_CHECKING:
    from .world import World


@dataclass(frozen=True)
class RayHit:
    """What a ray meets first. ``point`` is where, in plan view; ``distance`` how far from its start.

    ``what`` is a `Creature` or a `Prop` (food, obstacle); ``segment`` the segment of the creature that was met, or None.
    """

    what: Creature | Prop
    point: Array
    distance: float
    segment: int | None = None

    @property
    def creature(self) -> Creature | None:
        """The creature that was met, or None if it was something else."""
        return self.what if isinstance(self.what, Creature) else None


def near(world: World, point: Point | Creature, radius: float, faction: str | None = None) -> list[Creature]:
    """Creatures whose bounding circle (``position``, ``reach``) comes within `radius`, nearest head first."""
    pool = world.creature_pool
    if isinstance(point, Creature):
        point = arguments.creature("near(point)", point, world).position
    center = _plan("near(point)", point)
    radius = arguments.number("near(radius)", radius, 0.0, math.inf)
    rows = pool.spans[:, 0]
    if faction is not None:
        rows = rows[pool.faction[rows] == world.factions.known(faction)]
    offsets = pool.position[rows, :2] - center
    distances = np.hypot(offsets[:, 0], offsets[:, 1])
    hits = np.flatnonzero(distances <= radius + pool.reach[rows])
    order = hits[np.argsort(distances[hits], kind="stable")]
    return [world.creatures[int(serial)] for serial in pool.owner[rows[order]]]


def hit(world: World, point: Point, radius: float = 0.0, faction: str | None = None) -> list[Creature]:
    """Creatures whose body a disc around a point touches, nearest head first."""
    center, outline = _plan("hit(point)", point), world.resources.find(Outline)
    arguments.number("hit(radius)", radius, 0.0)
    candidates = near(world, point, radius, faction)
    if outline is None:
        return candidates
    return [creature for creature in candidates if touches(outline.capsules(creature), center, radius)]


def raycast(world: World, start: Point, end: Point, radius: float = 0.0, *, faction: str | None = None,
            ignore: Creature | Prop | None = None, props: bool = True) -> RayHit | None:
    """The first creature, obstacle or piece of food that a disc of this radius meets on its way.

    A way that begins inside something meets it at once, at a distance of 0; `ignore` leaves one out.
    """
    a, b = _plan("raycast(start)", start), _plan("raycast(end)", end)
    arguments.number("raycast(radius)", radius, 0.0)
    arguments.flag("raycast(props)", props)
    if ignore is not None and not isinstance(ignore, Prop):
        arguments.creature("raycast(ignore)", ignore, world)
    length = float(np.hypot(*(b - a)))
    best: RayHit | None = None
    outline = world.resources.find(Outline)
    for creature in near(world, (a + b) / 2.0, length / 2.0 + radius, faction):
        if creature is ignore or outline is None:
            continue
        body = outline.capsules(creature)
        if not len(body.radius):
            continue
        share, link = first_contact(body.start[:, :2], body.end[:, :2], body.radius + radius, a, b)
        if share <= 1.0 and (best is None or share * length < best.distance):
            met = a + share * (b - a)
            behind = np.hypot(*(body.end[link, :2] - met)) < np.hypot(*(body.start[link, :2] - met))
            segment = int(body.last_segment[link] if behind else body.segment[link])
            best = RayHit(creature, met, share * length, segment)
    found = world.props.ray(a, b, radius, ignore if isinstance(ignore, Prop) else None) if props else None
    if found is not None:
        distance = float(np.hypot(*(found[1] - a)))
        if best is None or distance < best.distance:
            best = RayHit(found[0], found[1], distance)
    return best


def first_contact(tails: Array, tips: Array, radius: Array, start: Array, end: Array) -> tuple[float, int]:
    """The share of the way at which a point comes within `radius` of a link, and the link it meets; above 1: never.

    A link with a radius is the union of two discs and a strip, so the entry into it is the first of three entries.
    """
    way = end - start
    p, along = tails, tips - tails
    shares = np.minimum(_into_disc(tails, radius, start, way), _into_disc(tips, radius, start, way))
    length = np.hypot(along[:, 0], along[:, 1])
    unit = along / np.maximum(length, np.finfo(np.float64).tiny)[:, None]
    normal = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    offset = start - p
    low_1, high_1 = _between((offset * unit).sum(axis=1), unit @ way, 0.0, length)
    low_2, high_2 = _between((offset * normal).sum(axis=1), normal @ way, -radius, radius)
    low, high = np.maximum(np.maximum(low_1, low_2), 0.0), np.minimum(high_1, high_2)
    shares = np.where((low <= high) & (length > 0.0), np.minimum(shares, low), shares)
    link = int(np.argmin(shares))
    return float(shares[link]), link


def _into_disc(centers: Array, radius: Array, start: Array, way: Array) -> Array:
    """Per disc, the share of the way at which a point enters it; infinity if it never does."""
    offset = start - centers
    a, b, c = float(way @ way), offset @ way, (offset**2).sum(axis=1) - radius**2
    inside = c <= 0.0
    under_root = b**2 - a * c
    with np.errstate(invalid="ignore", divide="ignore"):
        entry = (-b - np.sqrt(under_root)) / a
    entry = np.where((under_root >= 0.0) & (entry >= 0.0), entry, np.inf)
    return np.where(inside, 0.0, entry)


def _between(place: Array, speed: Array, low: Any, high: Any) -> tuple[Array, Array]:
    """The span of shares during which ``place + share * speed`` lies between two values."""
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = (low - place) / speed, (high - place) / speed
    still = speed == 0.0
    inside = (place >= low) & (place <= high)
    never, always = (np.inf, -np.inf), (-np.inf, np.inf)
    begin = np.where(still, np.where(inside, always[0], never[0]), np.minimum(first, second))
    finish = np.where(still, np.where(inside, always[1], never[1]), np.maximum(first, second))
    return begin, finish


def _plan(what: str, point: Any) -> Array:
    return arguments.vector(what, point)[:2]
