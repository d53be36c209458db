"""Going for something: food, prey, a mate or a place. [Tu99 7.8.2]"""

from __future__ import annotations

from math import cos, pi
from typing import TYPE_CHECKING

import numpy as np

from ....components.fish.eyes import NOBODY, UNSEEN, Eye
from ....components.fish.intentions import About, Strike, Temper
from ....components.fish.mind import Mind
from ....engine.kernel import kernel
from ....engine.number_kernel import limited
from ....engine.vector_kernel import dot, minus, plus, row_of, size, unit
from ...senses.random_stream_kernel import advance, uniform
from ..senses.fish_look_kernel import FOODS, cost_of, place_of, turning_angle
from .preference_kernel import best_target, way_to

if TYPE_CHECKING:
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Vector
    from ....engine.props import FoodPool

FAR = 3.0  # lengths; from there on the chase is at full speed [artificial-fishes F.2]
SLOWEST = 0.3  # share of it that is left at the target
TURN_FIRST = pi / 3.0  # beyond this a near target is turned to before it is gone for [fish 3]
TURN_NEAR, TURN_SPEED = 1.0, 0.15  # lengths, lengths per second: a turn has a radius of half a length [fish 3]
OPEN_MOUTH = 0.25  # lengths from food at which the mouth opens [artificial-fishes F.3]
STRIKE_RANGE, STRIKE_ANGLE = 0.45, pi / 3.0  # lengths of the hunter from its mouth [artificial-fishes F.3]
CATCH_TIME = 0.8  # s in which prey is drawn in; what is not in the mouth by then escapes
CROWD_CONFUSES = 0.5  # how much each companion of the prey takes from the chance to catch it


@kernel()
def intercept(p: Vector, velocity: Vector, distance: float, speed: float, lead: float) -> Vector:
    """Return where to meet something that moves: not farther ahead than `lead` seconds. [Tu99 7.8.2]"""
    return plus(p, velocity, min(distance / max(speed, 1e-6), lead))


@kernel()
def chase_speed(distance: float, angle: float, length: float, fastest: float) -> float:
    """Return the speed toward a target: slower when it is near, and hardly any when it is near and aside. [fish 3]"""
    if distance < TURN_NEAR * length and angle > TURN_FIRST:
        return TURN_SPEED
    return fastest * limited(distance / (FAR * length), SLOWEST, 1.0)


@kernel()
def chase(mouth: Vector, axis: Vector, p: Vector, velocity: Vector, length: float, fastest: float, scale: float,
          lead: float) -> tuple[Vector, float]:  # fmt: skip
    """Return direction and speed (lengths per second) toward something that may move. scale: u per length and second."""
    distance = size(minus(p, mouth))
    aim = intercept(p, velocity, distance, fastest * scale, lead)
    speed = chase_speed(distance, turning_angle(mouth, axis, p), length, fastest)
    ahead = dot(velocity, unit(minus(p, mouth), axis)) / scale  # what swims away has to be gained upon
    return unit(minus(aim, mouth), axis), min(speed + max(ahead, 0.0), fastest)


@kernel()
def choose_food(c: int, fishes: FishBodyPool, eyes: EyePool, minds: MindPool, food: FoodPool) -> None:
    """Update the target of one fish that eats to the food that suits it best. [Tu99 6.5.3]"""
    at, reach = row_of(fishes.mouth, c), eyes.parameters[c, Eye.FOOD_RANGE] * fishes.length[c]
    desirability, ways, count = np.zeros(FOODS), np.zeros(FOODS, np.int64), 0
    for k in range(FOODS):
        row = eyes.food[c, k]
        if row == NOBODY:
            break
        desirability[k] = 1.0 - eyes.food_distance[c, k] / reach
        ways[k] = way_to(fishes.axes[c], minus(row_of(food.position, row), at))
        count += 1
    if count == 0:
        minds.about[c], minds.target[c] = About.NOTHING.value, NOBODY
        return
    best = best_target(desirability, ways, count, minds.preferences[c])
    if minds.about[c] == About.FOOD.value:
        for k in range(count):  # what it is after has to be clearly worse to be left
            near = eyes.food_distance[c, k] - eyes.food_distance[c, best]
            if eyes.food[c, k] == minds.target[c] and near < minds.parameters[c, Mind.DEVOTION] * fishes.length[c]:
                return
    minds.about[c], minds.target[c] = About.FOOD.value, eyes.food[c, best]


@kernel()
def is_chaseable(c: int, creatures: CreaturePool, minds: MindPool) -> bool:
    """Return whether the creature that one fish is after still is there."""
    row = minds.target[c]
    if minds.about[c] != About.CREATURE.value or not 0 <= row < creatures.owner.shape[0]:
        return False
    return creatures.owner[row] == minds.target_serial[c] and creatures.dead[row] == 0


@kernel()
def choose_prey(c: int, creatures: CreaturePool, fishes: FishBodyPool, eyes: EyePool, minds: MindPool) -> None:
    """Update the target of one hunter to the cheapest prey; the one it is after is left for a clearly cheaper one only."""
    best = eyes.prey[c]
    if is_chaseable(c, creatures, minds):
        if best == NOBODY:
            if minds.since[c] > 0.0 and not knows_place(c, minds, creatures, fishes):
                minds.about[c], minds.target[c] = About.NOTHING.value, NOBODY
            return
        axis, mouth = row_of(fishes.axes[c], 0), row_of(fishes.mouth, c)
        now = cost_of(minds.target[c], mouth, axis, fishes, creatures, minds)
        dearer = now - eyes.prey_cost[c] > minds.parameters[c, Mind.DEVOTION] * fishes.length[c]
        lost = turning_angle(mouth, axis, row_of(creatures.position, minds.target[c])) > 0.5 * eyes.parameters[c, Eye.FIELD]
        if not (dearer or lost):
            return
    if best == NOBODY:
        minds.about[c], minds.target[c] = About.NOTHING.value, NOBODY
        return
    minds.about[c], minds.target[c], minds.target_serial[c] = About.CREATURE.value, best, creatures.owner[best]


@kernel()
def prey_distance(c: int, creatures: CreaturePool, fishes: FishBodyPool, eyes: EyePool) -> float:
    """Return how far the mouth of one fish is from the prey that is cheapest to get."""
    row = eyes.prey[c]
    if row == NOBODY:
        return UNSEEN
    return size(minus(place_of(row, creatures, fishes), row_of(fishes.mouth, c)))


@kernel()
def knows_place(c: int, minds: MindPool, creatures: CreaturePool, fishes: FishBodyPool) -> bool:
    """Return whether prey out of sight is near enough to be felt: within two lengths of the mouth."""
    offset = minus(row_of(creatures.position, minds.target[c]), row_of(fishes.mouth, c))
    return size(offset) < 2.0 * fishes.length[c]


@kernel()
def strike_chance(skill: float, distance: float, reach: float, angle: float, gain: float, company: int) -> float:
    """Return the chance that a strike succeeds: near, straight ahead, and faster than prey that is alone. [fish 3]

    gain: how much faster than the prey the hunter nears it, as a share of its own fastest speed.
    """
    straight = max(cos(angle), 0.0) * (1.0 - 0.5 * distance / reach)
    return skill * straight * limited(0.4 + gain, 0.1, 1.0) / (1.0 + CROWD_CONFUSES * company)


@kernel()
def strike(c: int, p: Vector, velocity: Vector, fishes: FishBodyPool, minds: MindPool) -> None:
    """Update what becomes of one hunter's strike, if it is in a place to strike: decided once. [fish 3]"""
    own, length = minds.parameters[c], fishes.length[c]
    mouth, axis = row_of(fishes.mouth, c), row_of(fishes.axes[c], 0)
    distance, angle = size(minus(p, mouth)), turning_angle(mouth, axis, p)
    reach = STRIKE_RANGE * length
    if minds.strike[c] != Strike.NONE.value or distance > reach or angle > STRIKE_ANGLE:
        return
    fastest = max(minds.burst[c] * length * fishes.pace[c], 1e-6)
    gain = -dot(minus(velocity, row_of(fishes.velocity, c)), unit(minus(p, mouth), axis)) / fastest
    chance = strike_chance(own[Mind.STRIKE_SKILL], distance, reach, angle, gain, minds.seen_company[minds.target[c]])
    minds.stream[c] = advance(minds.stream[c])
    if uniform(minds.stream[c], 0.0, 1.0) < chance:
        minds.strike[c], minds.strike_left[c] = Strike.CATCHING.value, CATCH_TIME
    else:
        minds.strike[c], minds.strike_left[c] = Strike.MISSED.value, own[Mind.STRIKE_REST]


@kernel()
def rest_from_strike(c: int, minds: MindPool, dt: float) -> None:
    """Update how long one hunter still is at its strike, or rests from it."""
    if minds.strike[c] == Strike.NONE.value:
        return
    minds.strike_left[c] = max(minds.strike_left[c] - dt, 0.0)
    if minds.strike_left[c] == 0.0:
        if minds.strike[c] == Strike.CATCHING.value:  # it got away
            minds.strike[c], minds.strike_left[c] = Strike.MISSED.value, minds.parameters[c, Mind.STRIKE_REST]
        else:
            minds.strike[c] = Strike.NONE.value


@kernel()
def hunts(c: int, minds: MindPool) -> bool:
    """Return whether a fish hunts others."""
    return minds.parameters[c, Mind.KIND] == Temper.PREDATOR.value
