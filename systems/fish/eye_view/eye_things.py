"""Everything an eye can see that is not ground or water: obstacles, bodies and food, as one table of solids."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....components.body import BodyPool
from ....components.family_looks import colour_of
from ....components.segments import SegmentPool
from ....engine.props import FoodPool
from ...render.scene.light import SEEN_TO_ALBEDO
from ...spatial_index.index import SpatialIndex
from ...spatial_index.solids import NO_OWNER, SOLID_COLUMNS, SolidField, SolidKind
from .eye_image_kernel import note_heights

if TYPE_CHECKING:
    from ....engine.pool import Array
    from ....engine.world import World

FOOD_RADIUS = 0.3
"""Units, of food of amount 1; its surface grows with the amount. About as large as it is drawn."""
FOOD_TINT = (0.10, 0.62, 0.12)  # linear, of light that falls on it
ROCK_TINT = (0.26, 0.25, 0.23)
GROUND_TINT = (0.42, 0.36, 0.25)
PLAIN_TINT = (0.34, 0.30, 0.26)
"""Of animals whose species says nothing of colours."""

CLASSES = ("fish", "animal", "obstacle", "food")
FISH, ANIMAL, OBSTACLE, FOOD = range(len(CLASSES))
"""What a thing is; each class has a family of hues in the identity map."""


class Things(NamedTuple):
    """What can be seen, a row each. Read-only for kernels."""

    solids: Array  # (n, SOLID_COLUMNS)
    squash: Array  # (n, 4) axis across a body, and its width by its height minus 1
    tint: Array  # (n, 3) linear
    owner: Array  # (n,) creature rows, -1 for none
    classes: Array  # (n,) of `CLASSES`
    number: Array  # (n,) serial number of a creature, row of an obstacle or of food


def things_of(world: World) -> Things:
    """All things of a world, as they are now.

    Example::

        things = things_of(world)
        (things.classes == FOOD).sum()      # pieces of food
    """
    index, food = world.resource(SpatialIndex), world.pool(FoodPool)
    if not world.stepping:  # within a tick all see what the others saw
        index.refresh()
    obstacles, bodies, items = index.solids, index.bodies, index.food_rows
    items = items[food.amount[items] > 0.0]
    count = (len(obstacles), len(bodies), len(items))
    first, last = count[0], count[0] + count[1]
    solids = np.zeros((sum(count), SOLID_COLUMNS))
    solids[:first], solids[first:last] = obstacles, bodies
    solids[last:, SolidField.KIND], solids[last:, SolidField.COS] = SolidKind.SPHERE, 1.0
    solids[last:, SolidField.X : SolidField.Z + 1] = food.position[items]
    solids[last:, SolidField.RADIUS] = FOOD_RADIUS * np.sqrt(food.amount[items])
    solids[last:, SolidField.OWNER] = NO_OWNER
    owner = solids[:, SolidField.OWNER].astype(np.int64)
    squash = np.zeros((sum(count), 4))
    if count[1]:
        body = world.pool(BodyPool)
        note_heights(index.herd, index.places, body, world.pool(SegmentPool), squash[first:last])
    return _named(world, solids, squash, owner, items, first, last)


def _named(world: World, solids: Array, squash: Array, owner: Array, items: Array, first: int, last: int) -> Things:
    """The same things with what they are called and what colour they have."""
    creatures, rows = world.creature_pool, owner[first:last]
    tints, fishes = _kinds(world)
    kinds = creatures.kind[rows]
    tint = np.empty((len(solids), 3))
    tint[:first], tint[first:last], tint[last:] = ROCK_TINT, tints[kinds], FOOD_TINT
    classes = np.empty(len(solids), np.int64)
    classes[:first], classes[last:] = OBSTACLE, FOOD
    classes[first:last] = np.where(fishes[kinds], FISH, ANIMAL)
    number = np.empty(len(solids), np.int64)
    number[:first] = world.props.obstacles.spans[:first, 0]
    number[first:last], number[last:] = creatures.owner[rows], items
    return Things(solids, squash, tint, owner, classes, number)


def _kinds(world: World) -> tuple[Array, Array]:
    """Colour of each species by its number, and whether it is a fish."""
    tints, fishes = np.full((len(world.kinds) + 1, 3), PLAIN_TINT), np.zeros(len(world.kinds) + 1, bool)
    for number in range(len(world.kinds)):
        key = world.kinds.name(number)
        if key not in world.species:
            continue
        species = world.species[key]
        fishes[number] = species.family == "fish"
        colour = colour_of(species.specs)
        if colour is not None:
            tints[number] = SEEN_TO_ALBEDO * np.square(colour)
    return tints, fishes
