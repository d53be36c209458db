"""What a fish makes of the orders of a game, a player or a mod. Their speeds are in u/s, turns in rad/s."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from ....components.brain_modes import GoalKind
from ....engine.kernel import kernel
from ....engine.number_kernel import limited
from ....engine.vector_kernel import minus, row_of, size, unit
from ....engine.water.sample_kernel import sample_water
from .heading_kernel import turned

if TYPE_CHECKING:
    from ....components.fish.mind import MindPool
    from ....components.fish.motor import MotorPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Vector
    from ....engine.water.pond_layout import WaterArrays

HOLD = 1.5  # a reached goal is taken up again beyond this multiple of its radius
ARRIVE = 1.5  # speed per distance left, 1/s
FLEE = 1.5  # multiple of its usual speed
TURN_AHEAD = 0.6  # s of the wanted turning that the wanted heading is ahead of the present one
WIDEST = 2.4  # rad, of that lead
ON_GROUND = 0.2  # heights of its body: a goal so near to the ground has been told without a height
SLOWEST = 0.05  # lengths per second; slower is standing


@kernel()
def goal_place(c: int, creatures: CreaturePool, fishes: FishBodyPool, water: WaterArrays) -> Vector:
    """Return where the goal of one fish is; one told without a height is at its own height."""
    kind, other = creatures.goal_kind[c], creatures.goal_row[c]
    if (kind == GoalKind.FOLLOW or kind == GoalKind.FLEE_CREATURE) and other >= 0:
        return row_of(creatures.position, other)
    p = row_of(creatures.goal_position, c)
    surface, depth, _, _ = sample_water(water, p[0], p[1])
    if not depth > 0.0 or p[2] - (surface - depth) < ON_GROUND * fishes.height[c]:
        return p[0], p[1], fishes.centre[c, 2]
    return p


@kernel()
def drive(c: int, speed: float, turn: float, climb: float, fishes: FishBodyPool, motors: MotorPool) -> tuple[Vector, float]:
    """Return direction and speed of one fish that is driven: u/s, rad/s to the left, u/s upward."""
    scale, own_speed = fishes.length[c] * fishes.pace[c], abs(speed)
    ahead = (motors.heading[c, 0], motors.heading[c, 1], 0.0)
    ahead = turned(unit(ahead, (1.0, 0.0, 0.0)), limited(TURN_AHEAD / fishes.pace[c] * turn, -WIDEST, WIDEST))
    if speed < 0.0:
        motors.backward[c] = limited(own_speed / (0.6 * scale), 0.0, 1.0)
        own_speed = 0.0
    elif own_speed < SLOWEST * scale and abs(climb) < SLOWEST * scale:
        motors.brake[c] = 1 if size(row_of(fishes.velocity, c)) > 0.2 * scale else 0
    slope = limited(climb / max(own_speed, 0.3 * scale), -1.0, 1.0)
    return unit((ahead[0], ahead[1], slope), ahead), max(own_speed, abs(climb)) / scale


@kernel()
def threat_is_near(c: int, creatures: CreaturePool, fishes: FishBodyPool, water: WaterArrays) -> bool:
    """Return whether the goal of one fish is nearer than its radius."""
    offset = minus(goal_place(c, creatures, fishes, water), row_of(fishes.centre, c))
    return hypot(offset[0], offset[1]) < creatures.goal_radius[c]


@kernel()
def wish_order(c: int, creatures: CreaturePool, fishes: FishBodyPool, motors: MotorPool, minds: MindPool,
               water: WaterArrays) -> tuple[tuple[Vector, float], float]:  # fmt: skip
    """Return direction, speed and distance left of one fish that has an order, and note whether it is satisfied."""
    kind, radius, done = creatures.goal_kind[c], creatures.goal_radius[c], creatures.goal_done
    scale = fishes.length[c] * fishes.pace[c]
    if kind == GoalKind.DRIVE:
        orders = row_of(creatures.drive, c)
        return drive(c, orders[0], orders[1], orders[2], fishes, motors), 1e9
    ahead = (motors.heading[c, 0], motors.heading[c, 1], 0.0)
    offset = minus(goal_place(c, creatures, fishes, water), row_of(fishes.centre, c))
    full = creatures.goal_speed[c] / scale if creatures.goal_speed[c] > 0.0 else minds.cruise[c]
    if kind == GoalKind.FLEE_POINT or kind == GoalKind.FLEE_CREATURE:
        away = unit((-offset[0], -offset[1], -offset[2]), ahead)
        return (away, FLEE * full), 1e9
    left = size(offset)
    done[c] = 1 if left <= radius * (HOLD if done[c] != 0 else 1.0) else 0
    if done[c] != 0:
        motors.brake[c] = 1 if size(row_of(fishes.velocity, c)) > 0.2 * scale else 0
        return (ahead, 0.0), left
    return (unit(offset, ahead), min(full, max(ARRIVE * (left - 0.5 * radius) / scale, 0.15))), left
