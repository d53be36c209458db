"""A thought of a fish: urges, an intention, the routine that goes with it, and the wish its motor centre gets. [Tu99 7]"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from numba import prange

from ....components.brain_modes import GoalKind
from ....components.diet import TAKES_FOOD, TAKES_PREY
from ....components.fish.eyes import NOBODY, Eye
from ....components.fish.intentions import INTENTION_COUNT, About, Habit, Intention, Stage, Strike, Way
from ....components.fish.mind import Asked, Course, Mind
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import limited, wrapped
from ....engine.sea.climate_kernel import brightness_at, temperature_at
from ....engine.sea.sea_flow_kernel import flow_at
from ....engine.vector_kernel import dot, minus, plus, row_of, size, unit
from ...senses.random_stream_kernel import advance, uniform
from ..senses.fish_look_kernel import is_fish, turning_angle
from .chase_kernel import (
    OPEN_MOUTH,
    chase,
    choose_food,
    choose_prey,
    hunts,
    is_chaseable,
    prey_distance,
    rest_from_strike,
    strike,
)
from .company_kernel import APART, course_of, keep_apart, wish_school
from .courtship_kernel import mate_distance, stay_away, wish_mate
from .dodge_kernel import dodged
from .flight_kernel import wish_by_rules, wish_escape
from .free_way_kernel import (
    ASHORE,
    OPEN_WATER,
    clearance_of,
    deeper_way,
    depth_limits,
    filtered,
    free_way,
    kept_in_depth,
    shore_ahead,
    turn_offshore,
    way_reach,
)
from .heading_kernel import direction, yaw_of
from .intention_kernel import choose_intention, has_orders, likes
from .order_obeying_kernel import drive, threat_is_near, wish_order
from .preference_kernel import eased, feel_preferences
from .urge_kernel import HUNGER, catch_breath, feel_fear, feel_hunger, feel_libido

if TYPE_CHECKING:
    from ....components.diet import DietPool
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....components.fish.motor import MotorPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array, Vector
    from ....engine.props import FoodPool
    from ....engine.sea.sea_layout import SeaArrays
    from ....engine.water.pond_layout import WaterArrays
    from ...spatial_index.index import Around
    from ..senses.sight import Scene

WANDER_SPEED = 0.8  # share of the cruising speed
WANDER_MIN, WANDER_MAX = 2.0, 6.7  # s between two turns [artificial-fishes F.4]
WANDER_TURN, WANDER_SLOPE = pi / 4.0, 0.15  # rad [artificial-fishes F.4]
LEAVE_SPEED, LEAVE_TURN = 1.1, pi / 12.0  # share of the cruising speed, rad [artificial-fishes F.4]
FEED_SPEED = 1.3  # share of the cruising speed on the way to food
STRAIGHT_ON, STRAIGHT_SPEED = pi / 8.0, 1.0  # rad, share of the cruising speed at which it swims at food straight ahead
HOME = 0.25  # weight of the height it likes
NEAR_WALL, NEAR_WALL_TIME = 0.15, 0.15  # lengths, s of its speed: nearer than this it is about to hit [fish 3]
TIRED_SPEED = 1.25  # share of the cruising speed of one that flees out of breath
GRADIENT_STEP = 2.0  # lengths
ALL = 1e9


@kernel()
def own_course(c: int, minds: MindPool, spread: float, dt: float) -> Vector:
    """Return the direction in which one fish would go by itself; now and then it thinks of another one."""
    minds.course_left[c] -= dt
    if minds.course_left[c] <= 0.0:
        stream = advance(minds.stream[c])
        minds.course[c, Course.YAW] = wrapped(minds.course[c, Course.YAW] + uniform(stream, -spread, spread))
        stream = advance(stream)
        minds.course[c, Course.PITCH] = uniform(stream, -WANDER_SLOPE, WANDER_SLOPE)
        minds.stream[c] = advance(stream)
        minds.course_left[c] = uniform(minds.stream[c], WANDER_MIN, WANDER_MAX)
    return direction(minds.course[c, Course.YAW], minds.course[c, Course.PITCH])


@kernel()
def liking(c: int, minds: MindPool, habit: int, opposite: int) -> float:
    """Return 1 for what a fish likes, -1 for what it dislikes, 0 where it does not mind."""
    if likes(c, minds, habit, opposite):
        return 1.0
    return -1.0 if likes(c, minds, opposite, habit) else 0.0


@kernel()
def toward_better(c: int, at: Vector, length: float, minds: MindPool, sea: SeaArrays) -> Vector:
    """Return the direction in which light and warmth come nearer to what one fish likes, or nothing."""
    light = liking(c, minds, Habit.BRIGHTNESS.value, Habit.DARKNESS.value)
    warmth = liking(c, minds, Habit.WARMTH.value, Habit.COLD.value)
    step, change = GRADIENT_STEP * length, (0.0, 0.0, 0.0)
    for axis in range(3):
        e = (step if axis == 0 else 0.0, step if axis == 1 else 0.0, 0.5 * step if axis == 2 else 0.0)
        p, q = plus(at, e, 1.0), plus(at, e, -1.0)
        if light != 0.0:
            brighter = brightness_at(sea, p[0], p[1], p[2]) - brightness_at(sea, q[0], q[1], q[2])
            change = plus(change, e, light * brighter)
        if warmth != 0.0:
            warmer = temperature_at(sea, p[0], p[1], p[2]) - temperature_at(sea, q[0], q[1], q[2])
            change = plus(change, e, warmth * warmer)
    return unit(change, (0.0, 0.0, 0.0))


@kernel()
def homeward(c: int, u: Vector, z: float, eyes: EyePool, minds: MindPool) -> Vector:
    """Return a direction that leans to the height which one fish likes."""
    depth = max(eyes.surface[c] - eyes.bed[c], 1e-6)
    off = minds.home[c] - (z - eyes.bed[c]) / depth
    return unit((u[0], u[1], u[2] + HOME * limited(2.0 * off, -1.0, 1.0)), u)


@kernel()
def wish_eat(c: int, own_will: Vector, creatures: CreaturePool, fishes: FishBodyPool, eyes: EyePool, minds: MindPool,
             food: FoodPool, sea: SeaArrays, baits: Array) -> tuple[Vector, float, float]:  # fmt: skip
    """Return direction, speed and distance of what one fish goes for to eat. [Tu99 7.8, 7.9.1]"""
    length, scale, lead = fishes.length[c], fishes.length[c] * fishes.pace[c], minds.parameters[c, Mind.LEAD]
    mouth, axis = row_of(fishes.mouth, c), row_of(fishes.axes[c], 0)
    if minds.strike[c] != Strike.CATCHING.value:
        if eyes.prey[c] != NOBODY or (minds.about[c] == About.CREATURE.value and hunts(c, minds)):
            choose_prey(c, creatures, fishes, eyes, minds)
        else:
            choose_food(c, fishes, eyes, minds, food)
            if eyes.bait_distance[c] < eyes.food_distance[c, 0]:
                minds.about[c], minds.target[c] = About.BAIT.value, eyes.bait[c]
    if minds.about[c] == About.CREATURE.value and is_chaseable(c, creatures, minds):
        row = minds.target[c]
        p, velocity = row_of(creatures.position, row), row_of(creatures.velocity, row)
        if is_fish(row, fishes):
            p, velocity = row_of(fishes.centre, row), row_of(fishes.velocity, row)
        strike(c, p, velocity, fishes, minds)
        ahead, speed = chase(mouth, axis, p, velocity, length, minds.burst[c], scale, lead)
        return ahead, max(speed, 0.7 * minds.burst[c]), size(minus(p, mouth))
    if minds.about[c] == About.FOOD.value:
        p = row_of(food.position, minds.target[c])
        drift = flow_at(sea, p[0], p[1], p[2]) if food.drift[minds.target[c]] != 0 else (0.0, 0.0, 0.0)
        ahead, speed = chase(mouth, axis, p, drift, length, FEED_SPEED * minds.cruise[c], scale, lead)
        if turning_angle(mouth, axis, p) < STRAIGHT_ON:  # it slows down for the sake of turns
            speed = max(speed, STRAIGHT_SPEED * minds.cruise[c])
        return ahead, speed, size(minus(p, mouth))
    if minds.about[c] == About.BAIT.value and 0 <= minds.target[c] < baits.shape[0]:
        p = row_of(baits, minds.target[c])
        ahead, speed = chase(mouth, axis, p, (0.0, 0.0, 0.0), length, FEED_SPEED * minds.cruise[c], scale, lead)
        return ahead, speed, size(minus(p, mouth))
    return own_will, WANDER_SPEED * minds.cruise[c], ALL


@kernel()
def wish_avoid(c: int, forward: Vector, creatures: CreaturePool, fishes: FishBodyPool, eyes: EyePool,
               minds: MindPool) -> Vector:  # fmt: skip
    """Return the direction away from somebody in the box of one fish: to the side that is not disliked. [Tu99 7.8.1]"""
    row = eyes.crowd[c]
    if row == NOBODY:
        return forward
    offset = minus(row_of(creatures.position, row), row_of(fishes.centre, c))
    left = row_of(fishes.axes[c], 1)
    side = -1.0 if dot(offset, left) > 0.0 else 1.0
    liked = minds.preferences[c, Way.LEFT.value] - minds.preferences[c, Way.RIGHT.value]
    if abs(dot(offset, left)) < 0.05 * fishes.length[c] and liked != 0.0:
        side = 1.0 if liked > 0.0 else -1.0
    return unit(plus(forward, left, side), forward)


@kernel()
def is_blocked(c: int, at: Vector, forward: Vector, fishes: FishBodyPool, eyes: EyePool, minds: MindPool, around: Around,
               water: WaterArrays) -> bool:  # fmt: skip
    """Return whether one fish is about to run into something, as far as it makes that an intention."""
    own, length = minds.parameters[c], fishes.length[c]
    literal = own[Mind.AVOID_INTENDS] != 0.0
    speed = max(dot(row_of(fishes.velocity, c), forward), 0.0)
    reach = length if literal else NEAR_WALL * length + NEAR_WALL_TIME * speed
    if literal and eyes.crowd_share[c] > 0.0:
        return True
    free = free_way(at, forward, clearance_of(c, fishes), reach, 0.5 * fishes.height[c], length, around, water)[0]
    return free < reach


@kernel()
def behave(c: int, forward: Vector, at: Vector, high: float, creatures: CreaturePool, fishes: FishBodyPool,
           motors: MotorPool, eyes: EyePool, minds: MindPool, food: FoodPool, sea: SeaArrays, scene: Scene,
           dt: float) -> tuple[Vector, float, float]:  # fmt: skip
    """Return direction, speed (lengths per second) and distance of the target of one fish, by its intention."""
    mode, cruise, length = minds.mode[c], minds.cruise[c], fishes.length[c]
    own_will = own_course(c, minds, LEAVE_TURN if mode == Intention.LEAVE.value else WANDER_TURN, dt)
    if mode == Intention.CONTROL.value:
        (ahead, speed), left = wish_order(c, creatures, fishes, motors, minds, sea.water)
        return ahead, speed, left
    if mode == Intention.ESCAPE.value:
        if minds.parameters[c, Mind.ESCAPE_RULES] != 0.0:
            row = eyes.threats[c, 0]
            ahead = wish_by_rules(c, creatures.length[row] if row != NOBODY else length, fishes, motors, minds)
        else:
            ahead = wish_escape(c, creatures, fishes, motors, eyes, minds)
        motors.reflex[c] = 1 if minds.since[c] < 0.5 else 0
        return ahead, minds.burst[c] if minds.breath[c] > 0.0 else TIRED_SPEED * cruise, ALL
    if mode == Intention.SCHOOL.value:
        ahead, speed = wish_school(c, own_will, creatures, fishes, motors, eyes, minds)
        return homeward(c, ahead, at[2], eyes, minds), speed, ALL
    if mode == Intention.EAT.value:
        return wish_eat(c, own_will, creatures, fishes, eyes, minds, food, sea, scene.baits)
    if mode == Intention.MATE.value:
        sight = eyes.parameters[c, Eye.RANGE] * length
        courts, (ahead, speed) = wish_mate(c, high, creatures, fishes, motors, eyes, minds, sight, dt)
        if courts:
            return ahead, speed, 0.5 * length if minds.stage[c] >= Stage.LOOPING.value else ALL
        return own_will, WANDER_SPEED * cruise, ALL
    if mode == Intention.LEAVE.value:
        better = toward_better(c, at, length, minds, sea)
        if size(better) > 0.5:
            minds.course[c, Course.YAW] = yaw_of(better) if abs(better[2]) < 0.9 else minds.course[c, Course.YAW]
            return unit(plus(better, own_will, 0.3), forward), LEAVE_SPEED * cruise, ALL
        return own_will, LEAVE_SPEED * cruise, ALL
    if mode == Intention.AVOID.value:
        return wish_avoid(c, forward, creatures, fishes, eyes, minds), 0.6 * cruise, ALL
    speed = eased(WANDER_SPEED * cruise, minds.preferences[c, Way.FORWARD.value])
    return homeward(c, own_will, at[2], eyes, minds), speed, ALL


@kernel()
def open_mouth(c: int, distance: float, fishes: FishBodyPool, motors: MotorPool, minds: MindPool, diets: DietPool) -> None:
    """Update what the mouth of one fish takes, and how wide it is open."""
    eats, mode = diets.owner[c] != NOBODY, minds.mode[c]
    near = mode == Intention.EAT.value and distance < OPEN_MOUTH * fishes.length[c]
    motors.gape[c] = 1.0 if near or minds.strike[c] == Strike.CATCHING.value else 0.0
    if not eats:
        return
    if mode == Intention.CONTROL.value:  # who is told where to go eats what it is led to
        diets.gape[c] = TAKES_FOOD | TAKES_PREY
        return
    hungry = mode == Intention.EAT.value or minds.urges[c, HUNGER] > minds.parameters[c, Mind.EAT_RELEASE]
    diets.gape[c] = TAKES_FOOD if hungry and minds.sated[c] == 0 else 0


@kernel()
def think_of_fish(c: int, creatures: CreaturePool, fishes: FishBodyPool, motors: MotorPool, eyes: EyePool, minds: MindPool,
                  diets: DietPool, food: FoodPool, around: Around, sea: SeaArrays, scene: Scene,
                  dt: float) -> None:  # fmt: skip
    """Update the mind of one fish and what it wants of its body."""
    length, at, water = fishes.length[c], row_of(fishes.mouth, c), sea.water
    forward = course_of(c, fishes, motors)
    feel_hunger(c, length, prey_distance(c, creatures, fishes, eyes), eyes, minds, dt)
    feel_libido(c, length, mate_distance(c, fishes, eyes), minds, dt)
    feel_fear(c, length, creatures, eyes, minds, dt)
    rest_from_strike(c, minds, dt)
    if minds.stage[c] == Stage.DONE.value:
        minds.since_mating[c], minds.stage[c], minds.partner[c], minds.waited[c] = 0.0, Stage.ALONE.value, NOBODY, 0.0
        minds.memory[c] = 0
    blocked = is_blocked(c, at, forward, fishes, eyes, minds, around, water)
    ordered = creatures.goal_kind[c] != GoalKind.NONE.value
    ordered = has_orders(c, creatures, ordered and threat_is_near(c, creatures, fishes, water))
    choose_intention(c, blocked, ordered, creatures, eyes, minds, food, dt)
    if minds.mode[c] != Intention.MATE.value and minds.stage[c] != Stage.DONE.value:
        stay_away(c, minds, dt)
    feel_preferences(c, creatures, fishes, eyes, minds, food)
    motors.brake[c], motors.backward[c], motors.reflex[c] = 0, 0.0, 0
    low, high = depth_limits(c, at, forward, fishes, eyes, minds, water)
    ahead, speed, distance = behave(c, forward, at, high, creatures, fishes, motors, eyes, minds, food, sea, scene, dt)
    mode = minds.mode[c]
    strolls = mode == Intention.WANDER.value or mode == Intention.LEAVE.value
    apart = strolls or mode == Intention.EAT.value or mode == Intention.CONTROL.value
    if apart and speed > 0.0 and distance > 0.5 * length:
        target = minds.target[c] if mode == Intention.EAT.value and minds.about[c] == About.CREATURE.value else NOBODY
        ahead = unit(plus(ahead, keep_apart(c, creatures, fishes, eyes, minds, target), 0.7 * APART), ahead)
    ahead = dodged(c, ahead, creatures, eyes, minds) if speed > 0.0 and distance > 0.5 * length else ahead
    steer_clear(c, ahead, speed, distance, at, low, high, blocked, fishes, motors, eyes, minds, around, water, dt)
    catch_breath(c, motors.wish_speed[c] > 1.5 * TIRED_SPEED * minds.cruise[c], minds, dt)
    open_mouth(c, distance, fishes, motors, minds, diets)


@kernel()
def steer_clear(c: int, ahead: Vector, speed: float, distance: float, at: Vector, low: float, high: float, blocked: bool,
                fishes: FishBodyPool, motors: MotorPool, eyes: EyePool, minds: MindPool, around: Around, water: WaterArrays,
                dt: float) -> None:  # fmt: skip
    """Update the wish of one fish: where it wants to go, led around what is in the way, between bed and surface."""
    length = fishes.length[c]
    ahead = kept_in_depth(ahead, at[2], low, high, length)
    shore = shore_ahead(c, at, fishes, water)
    if shore != OPEN_WATER:
        deeper = deeper_way(c, at, ahead, fishes, water)
        if deeper != ahead:
            heading = unit((motors.heading[c, 0], motors.heading[c, 1], 0.0), deeper)
            deeper = turn_offshore(at, heading, deeper, length, water)
            turn_back(c, kept_in_depth(deeper, at[2], low, high, length), shore, fishes, motors, minds)
            return
    reach = min(way_reach(c, fishes, eyes, minds), max(distance, 0.6 * length))
    u, free = filtered(c, at, ahead, reach, low, high, fishes, eyes, minds, around, water, dt)
    if u[0] != ahead[0] or u[1] != ahead[1]:
        if minds.mode[c] == Intention.WANDER.value or minds.mode[c] == Intention.SCHOOL.value:
            minds.course[c, Course.YAW] = yaw_of(u)  # it does not want to go back to the wall
    if blocked and free < 0.3 * length:
        speed = min(speed, 0.3)
        motors.brake[c] = 1
        if free < 0.12 * length and minds.since[c] > 1.0:
            motors.brake[c], motors.backward[c] = 0, 0.7
    write_wish(c, kept_in_depth(u, at[2], low, high, length), speed, motors)


@kernel()
def turn_back(c: int, deeper: Vector, shore: int, fishes: FishBodyPool, motors: MotorPool, minds: MindPool) -> None:
    """Update the wish of one fish that swims ashore: into deeper water; very near it brakes until it is turned."""
    minds.course[c, Course.YAW] = yaw_of(deeper)
    motors.backward[c], motors.reflex[c] = 0.0, 1 if shore == ASHORE else 0
    motors.brake[c] = 1 if shore == ASHORE and dot(row_of(fishes.velocity, c), deeper) < 0.0 else 0
    write_wish(c, deeper, minds.cruise[c], motors)


@kernel()
def write_wish(c: int, u: Vector, speed: float, motors: MotorPool) -> None:
    """Update what one fish wants of its body."""
    for axis in range(3):
        motors.wish[c, axis] = u[axis]
    motors.wish_speed[c] = speed


@kernel(parallel=True)
def think_of_fishes(rows: Array, creatures: CreaturePool, fishes: FishBodyPool, motors: MotorPool, eyes: EyePool,
                    minds: MindPool, diets: DietPool, food: FoodPool, around: Around, sea: SeaArrays, scene: Scene,
                    dt: float) -> None:  # fmt: skip
    """Update minds and wishes of the listed fishes."""
    for r in prange(rows.size):
        think_of_fish(int64(rows[r]), creatures, fishes, motors, eyes, minds, diets, food, around, sea, scene, dt)


@kernel()
def follow_mods(rows: Array, fishes: FishBodyPool, motors: MotorPool, eyes: EyePool, minds: MindPool, around: Around,
                water: WaterArrays, dt: float) -> None:  # fmt: skip
    """Update the wishes of fishes that have an intention of a mod: speed, turn and climb, led around obstacles."""
    for r in range(rows.size):
        c = int64(rows[r])
        if minds.mode[c] < INTENTION_COUNT:
            continue
        motors.brake[c], motors.backward[c] = 0, 0.0
        at = row_of(fishes.mouth, c)
        wish = minds.wish[c]
        ahead, speed = drive(c, wish[Asked.SPEED], wish[Asked.TURN], wish[Asked.CLIMB], fishes, motors)
        low, high = depth_limits(c, at, ahead, fishes, eyes, minds, water)
        steer_clear(c, ahead, speed, ALL, at, low, high, False, fishes, motors, eyes, minds, around, water, dt)
