"""Motor preferences: where all that a fish perceives, but does not attend to, draws it or drives it away. [Tu99 6.5, 7.6]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....components.fish.eyes import NOBODY
from ....components.fish.intentions import Intention, Way
from ....engine.kernel import kernel
from ....engine.vector_kernel import dot, minus, row_of
from .urge_kernel import FEAR, HUNGER, LIBIDO

if TYPE_CHECKING:
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array, Vector
    from ....engine.props import FoodPool

WAYS = 6
CLEAR_BEST = 0.2  # of desirability by which the best target has to lead to be taken unasked [artificial-fishes D.6]
TARGET_SHARE = 0.2  # weight of preferences in the choice of a target [Tu99 6.5.3]
FULL_SPEED_DISLIKE = 0.5  # a way may be disliked so much before it is gone slower [Tu99 6.5.3]


@kernel()
def way_to(axes: Array, offset: Vector) -> int:
    """Return the direction in which something lies, as seen from a fish: the axis that it is farthest along."""
    ahead, left, up = dot(row_of(axes, 0), offset), dot(row_of(axes, 1), offset), dot(row_of(axes, 2), offset)
    if abs(ahead) >= abs(left) and abs(ahead) >= abs(up):
        return Way.FORWARD.value if ahead >= 0.0 else Way.BACKWARD.value
    if abs(left) >= abs(up):
        return Way.LEFT.value if left > 0.0 else Way.RIGHT.value
    return Way.ASCEND.value if up > 0.0 else Way.DESCEND.value


@kernel()
def add_term(terms: Array, way: int, strength: float) -> None:
    """Update sums and counts of what attracts (columns 0, 1) and what repels (2, 3) in one direction."""
    place = 0 if strength > 0.0 else 2
    terms[way, place] += strength
    terms[way, place + 1] += 1.0


@kernel()
def preference_of(terms: Array, way: int) -> float:
    """Return the mean of what attracts plus the mean of what repels. [Tu99 6.5.2]"""
    total = 0.0
    for place in (0, 2):
        if terms[way, place + 1] > 0.0:
            total += terms[way, place] / terms[way, place + 1]
    return total


@kernel()
def strength_of(urge: float, current: float) -> float:
    """Return the strength of a desire against that of the intention at work, 0 to 1. [Tu99 7.6]"""
    return min(urge / current, 1.0) if current > 0.0 else (1.0 if urge > 0.0 else 0.0)


@kernel()
def intention_strength(c: int, minds: MindPool) -> float:
    """Return the raw strength of the intention of one fish. [Tu99 7.6]"""
    mode = minds.mode[c]
    if mode == Intention.ESCAPE.value:
        return minds.urges[c, FEAR]
    if mode == Intention.EAT.value:
        return minds.urges[c, HUNGER]
    return minds.urges[c, LIBIDO] if mode == Intention.MATE.value else 1.0


@kernel()
def weigh_creatures(rows: Array, strength: float, skipped: int, axes: Array, at: Vector, creatures: CreaturePool,
                    terms: Array) -> None:  # fmt: skip
    """Update terms with all listed creatures but one."""
    for k in range(rows.shape[0]):
        row = rows[k]
        if row == NOBODY:
            return
        if row != skipped and strength != 0.0:
            add_term(terms, way_to(axes, minus(row_of(creatures.position, row), at)), strength)


@kernel()
def feel_preferences(c: int, creatures: CreaturePool, fishes: FishBodyPool, eyes: EyePool, minds: MindPool,
                     food: FoodPool) -> None:  # fmt: skip
    """Update the motor preferences of one fish; the target it attends to has no say in them."""
    terms = np.zeros((WAYS, 4))
    axes, at, current = fishes.axes[c], row_of(fishes.centre, c), intention_strength(c, minds)
    mode, target = minds.mode[c], minds.target[c]
    fear, hunger = strength_of(minds.urges[c, FEAR], current), strength_of(minds.urges[c, HUNGER], current)
    courting = strength_of(minds.urges[c, LIBIDO], current)
    weigh_creatures(eyes.threats[c], -fear, NOBODY if mode != Intention.ESCAPE.value else eyes.threats[c, 0], axes, at,
                    creatures, terms)  # fmt: skip
    weigh_creatures(eyes.mates[c], courting, target if mode == Intention.MATE.value else NOBODY, axes, at, creatures,
                    terms)  # fmt: skip
    for k in range(eyes.food.shape[1]):
        row = eyes.food[c, k]
        if row != NOBODY and hunger > 0.0 and not (mode == Intention.EAT.value and row == target):
            add_term(terms, way_to(axes, minus(row_of(food.position, row), at)), hunger)
    crowd = eyes.crowd[c]
    if crowd != NOBODY:
        add_term(terms, way_to(axes, minus(row_of(creatures.position, crowd), at)), -1.0)
    for way in range(WAYS):
        minds.preferences[c, way] = preference_of(terms, way)


@kernel()
def eased(value: float, preference: float) -> float:
    """Return an angle or a speed, less of it the more its direction is disliked. [Tu99 6.5.3]"""
    return value * min(1.0, 1.0 + FULL_SPEED_DISLIKE + preference) if preference < 0.0 else value


@kernel()
def best_target(desirability: Array, ways: Array, count: int, preferences: Array) -> int:
    """Return the place of the target to take: the best, unless others are nearly as good and lie where one likes to go.

    desirability: best first. [Tu99 6.5.3]
    """
    if count < 2 or desirability[0] - desirability[1] > CLEAR_BEST:
        return 0
    best, most = 0, -1e9
    for k in range(min(count, 3)):
        value = desirability[k] + TARGET_SHARE * preferences[ways[k]]
        if value > most:
            best, most = k, value
    return best
