"""Hunger, libido and fear. [Tu99 7.4]

Legend: n eaten items, a appetite, p rate per second, t seconds since the last meal or mating, s nearness 1/d of what tempts.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from ....components.fish.eyes import NOBODY, THREATS, UNSEEN, Alarm
from ....components.fish.intentions import Temper
from ....components.fish.mind import BURST_SECONDS, Feared, Mind
from ....engine.kernel import kernel
from ....engine.vector_kernel import row_of

if TYPE_CHECKING:
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Vector

HUNGER, LIBIDO, FEAR = 0, 1, 2  # columns of urges
RECOVERY = 0.4  # seconds of bursting won back per second [fish 3]
OVERFED = 2.0  # appetites after which nothing tempts [Tu99 7.4]


@kernel()
def stimulus(s: float, low: float, high: float) -> float:
    """Return how strongly something tempts: 0 up to nearness `low`, 1 from `high` on, convex between. [Tu99 7.4]"""
    if s <= low:
        return 0.0
    return 1.0 if s > high else (s - low) / (2.0 * high - low - s)


@kernel()
def hunger_of(eaten: float, p: float, t: float, appetite: float, tempted: float) -> float:
    """Return H = min(1 - n (1 - p t) / a + tempted, 1), not below 0. [Tu99 7.4]"""
    return max(min(1.0 - eaten * (1.0 - p * t) / appetite + tempted, 1.0), 0.0)


@kernel()
def libido_of(p: float, t: float, hunger: float, tempted: float) -> float:
    """Return L = min(p t (1 - H) + tempted, 1), not below 0. [Tu99 7.4]"""
    return max(min(p * t * (1.0 - hunger) + tempted, 1.0), 0.0)


@kernel()
def fear_of(fearful: float, distance: float) -> float:
    """Return F_i = min(D0 / d, 1), the fear of one threat. [Tu99 7.4]"""
    return 1.0 if distance <= fearful else fearful / distance


@kernel()
def feel_hunger(c: int, length: float, prey_distance: float, eyes: EyePool, minds: MindPool, dt: float) -> None:
    """Update the hunger of one fish and what it has digested; prey tempts as other food does."""
    own = minds.parameters[c]
    minds.since_meal[c] += dt
    if own[Mind.DIGESTION] * minds.since_meal[c] >= 1.0:  # all digested
        minds.eaten[c], minds.sated[c] = 0.0, 0
    if minds.eaten[c] > OVERFED * minds.appetite[c]:
        minds.sated[c] = 1
    if minds.sated[c] != 0:
        minds.urges[c, HUNGER] = 0.0
        return
    near, tempted = min(eyes.food_distance[c, 0], prey_distance), 0.0
    if near < UNSEEN:
        s = length / max(near, 1e-9)
        tempted = own[Mind.FOOD_STIMULUS] * stimulus(s, 1.0 / own[Mind.FOOD_FAR], 1.0 / own[Mind.FOOD_NEAR])
    minds.urges[c, HUNGER] = hunger_of(minds.eaten[c], own[Mind.DIGESTION], minds.since_meal[c], minds.appetite[c], tempted)


@kernel()
def feel_libido(c: int, length: float, mate_distance: float, minds: MindPool, dt: float) -> None:
    """Update the libido of one fish; only pacifists have any. [Tu99 7.9]"""
    own = minds.parameters[c]
    minds.since_mating[c] += dt
    if own[Mind.KIND] != Temper.PACIFIST.value:
        minds.urges[c, LIBIDO] = 0.0
        return
    tempted = 0.0
    if mate_distance < UNSEEN:
        s = length / max(mate_distance, 1e-9)
        tempted = own[Mind.MATE_STIMULUS] * stimulus(s, 1.0 / own[Mind.MATE_FAR], 1.0 / own[Mind.MATE_NEAR])
    minds.urges[c, LIBIDO] = libido_of(own[Mind.LIBIDO], minds.since_mating[c], minds.urges[c, HUNGER], tempted)


@kernel()
def remember_threat(c: int, place: Vector, velocity: Vector, minds: MindPool) -> None:
    """Update where what one fish fears most was last seen."""
    for axis in range(3):
        minds.feared[c, axis], minds.feared[c, Feared.VX + axis] = place[axis], velocity[axis]


@kernel()
def feel_fear(c: int, length: float, creatures: CreaturePool, eyes: EyePool, minds: MindPool, dt: float) -> None:
    """Update the fear of one fish: of all threats in sight, and, fading, of those it has lost sight of. [fish 3]

    One that flees has the threat behind it, where it does not see it.
    """
    own, total, worst = minds.parameters[c], 0.0, 0.0
    fearful = own[Mind.FEAR_DISTANCE] * length
    if own[Mind.KIND] == Temper.PREY.value or (own[Mind.KIND] == Temper.PREDATOR.value and own[Mind.FEAR_MEMORY] > 0.0):
        for k in range(THREATS):
            row = eyes.threats[c, k]
            if row == NOBODY:
                break
            fear = fear_of(fearful, eyes.threat_distance[c, k])
            total += fear
            if fear > worst:
                worst = fear
                remember_threat(c, row_of(creatures.position, row), row_of(creatures.velocity, row), minds)
    if eyes.alarm[c, Alarm.STRENGTH] > worst:
        worst = eyes.alarm[c, Alarm.STRENGTH]
        remember_threat(c, row_of(eyes.alarm, c), (0.0, 0.0, 0.0), minds)
    total = min(total + eyes.alarm[c, Alarm.STRENGTH], 1.0)
    memory = own[Mind.FEAR_MEMORY]
    fading = exp(-dt / memory) if memory > 0.0 else 0.0
    if worst == 0.0:  # what is out of sight is believed to come on
        for axis in range(3):
            minds.feared[c, axis] += minds.feared[c, Feared.VX + axis] * dt
    minds.worst_fear[c] = max(worst, minds.worst_fear[c] * fading)
    minds.urges[c, FEAR] = max(total, minds.urges[c, FEAR] * fading)


@kernel()
def catch_breath(c: int, bursting: bool, minds: MindPool, dt: float) -> None:
    """Update for how long one fish can still burst."""
    left = minds.breath[c] - dt if bursting else minds.breath[c] + RECOVERY * dt
    minds.breath[c] = min(max(left, 0.0), BURST_SECONDS)
