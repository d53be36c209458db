"""The brain of an animal that is led by its head: reflexes, the choice of a mode, and the limits a body puts on any wish.

A tick has two halves. `decide` works the reflexes, picks the active mode of highest priority and writes its wish;
modes of mods may then overrule it (see mode_registry). `drive` turns the wish into head speed and yaw rate under the
limits that hold in every mode: acceleration, curvature, the neck, and the hard clearance ahead. `think` is both at once.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ...components.antennae import BACKWARD, FORWARD, LEFT, RIGHT
from ...components.brain import Brain
from ...components.brain_modes import MODE_COUNT, BrainMode, GoalKind, Memory
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.number_kernel import limited
from ..legs.segment_frame_kernel import turn_to_body
from .sight_kernel import follow_sight, latch_alert, make_way, wish_alert, wish_seen_food
from .steering_kernel import (
    LEFT_TURN,
    RIGHT_TURN,
    goal_offset,
    head_frame,
    neck_bend,
    wish_avoidance,
    wish_goal,
    wish_random_walk,
    wish_trophotropism,
    without_swing,
)

if TYPE_CHECKING:
    from ...components.antennae import AntennaPool
    from ...components.body import BodyPool
    from ...components.brain import BrainPool
    from ...components.head_command import HeadCommandPool
    from ...components.segments import SegmentPool
    from ...components.vision import VisionPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array
    from ..legs.segment_frame_kernel import Frame

SPEED, YAW = 0, 1  # columns of wish and drive


@kernel()
def side_to_turn(left: bool, right: bool, own: Array, memory: Array, ahead: float) -> float:
    """Return the direction to turn on a new contact: away from it, and if both touch the left antenna decides.

    The same obstacle straight ahead, felt again a moment later, does not change the direction: antennae touch a wall in
    turns, and an animal that listened to each of them would stay in front of it.
    """
    again = memory[Memory.LAST_TURN] != 0.0 and memory[Memory.FREE_TIME] < own[Brain.TURN_MEMORY]
    if again and ((left and right) or ahead < own[Brain.FRONT_RANGE]):
        return memory[Memory.LAST_TURN]
    return RIGHT_TURN if left else LEFT_TURN


@kernel()
def turns_into_other(left: bool, right: bool, frame: Frame, normals: Array, turn: float, flip_normal: float) -> bool:
    """Return whether a latched turn leads into a second obstacle: only the inner antenna touches, from the side."""
    if turn == 0.0 or left == right or right != (turn == RIGHT_TURN):
        return False
    side = RIGHT if right else LEFT
    return turn * turn_to_body(frame, normals[side, 0], normals[side, 1], normals[side, 2])[1] < -flip_normal


@kernel()
def latch_turn(c: int, frame: Frame, brains: BrainPool, antennae: AntennaPool, dt: float) -> None:
    """Latch the direction of avoidance by the contacts: set at the first, held until CLEAR_TIME after the last."""
    own, memory = brains.parameters[c], brains.memory[c]
    left, right = antennae.contact[c, LEFT] != 0, antennae.contact[c, RIGHT] != 0
    if left or right:
        normals = antennae.contact_normal[c]
        if turns_into_other(left, right, frame, normals, memory[Memory.TURN], own[Brain.FLIP_NORMAL]):
            memory[Memory.TURN] = -memory[Memory.TURN]
        if memory[Memory.TURN] == 0.0:
            memory[Memory.TURN] = side_to_turn(left, right, own, memory, antennae.free_path[c, FORWARD])
        memory[Memory.LAST_TURN] = memory[Memory.TURN]
        memory[Memory.FREE_TIME] = 0.0
        return
    memory[Memory.FREE_TIME] += dt
    if memory[Memory.FREE_TIME] >= own[Brain.CLEAR_TIME]:
        memory[Memory.TURN] = 0.0


@kernel()
def meets_barrier(c: int, antennae: AntennaPool) -> bool:
    """Return whether the head has met something that closes its way."""
    barrier = antennae.barrier
    return barrier[c, 0] != 0.0 or barrier[c, 1] != 0.0 or barrier[c, 2] != 0.0


@kernel()
def turn_from_barrier(c: int, frame: Frame, brains: BrainPool, antennae: AntennaPool) -> None:
    """Latch the direction when the head meets what its antennae missed: to the side the barrier leans to."""
    memory, barrier = brains.memory[c], antennae.barrier[c]
    if memory[Memory.TURN] != 0.0 or not meets_barrier(c, antennae):
        return
    aside = turn_to_body(frame, barrier[0], barrier[1], barrier[2])[1]
    if aside == 0.0:
        aside = memory[Memory.LAST_TURN]
    memory[Memory.TURN] = memory[Memory.LAST_TURN] = LEFT_TURN if aside > 0.0 else RIGHT_TURN
    memory[Memory.FREE_TIME] = 0.0


@kernel()
def is_falling(c: int, brains: BrainPool) -> bool:
    """Return whether ADJUSTMENT holds: from too few legs standing until most of them stand [walking 3]."""
    own, footing = brains.parameters[c], brains.footing[c]
    if brains.mode[c] == BrainMode.ADJUSTMENT:
        return footing <= own[Brain.STAND_SHARE]
    return footing < own[Brain.FALL_SHARE]


@kernel()
def follow_scent(own: Array, memory: Array, smell: Array) -> bool:
    """Return whether food is smelled, with a threshold to find it and a lower one to lose it, and remember it."""
    share = own[Brain.FOOD_RELEASE] if memory[Memory.SMELLING] == 1.0 else 1.0
    smelling = max(smell[LEFT], smell[RIGHT]) > share * own[Brain.FOOD_THRESHOLD]
    memory[Memory.SMELLING] = 1.0 if smelling else 0.0
    if not smelling:
        memory[Memory.SCENT] = memory[Memory.ORBIT] = memory[Memory.PASSING] = 0.0
    return smelling


@kernel()
def finds_food(c: int, brains: BrainPool, antennae: AntennaPool, eyes: VisionPool, dt: float) -> bool:
    """Return whether nose or eyes have found food to go for, and remember where."""
    seen = follow_sight(c, brains, eyes, dt)
    return follow_scent(brains.parameters[c], brains.memory[c], antennae.smell[c]) or seen


@kernel()
def wish_food(c: int, bodies: BodyPool, segments: SegmentPool, brains: BrainPool, antennae: AntennaPool, eyes: VisionPool,
              yaw_rate: float, dt: float) -> tuple[float, float]:  # fmt: skip
    """Return the wish of TROPHOTROPISM: a swimmer goes by its eyes, all others and who sees nothing by the nose."""
    if brains.memory[c, Memory.SEEING] == 1.0:
        return wish_seen_food(c, brains, eyes)
    return wish_trophotropism(c, bodies, segments, brains, antennae.smell[c], yaw_rate, dt)


@kernel()
def wish_turn(c: int, brains: BrainPool, antennae: AntennaPool, eyes: VisionPool) -> tuple[float, float]:
    """Return the wish of AVOIDANCE: a walker slows down and turns, a swimmer has to beat on or it would not turn."""
    if brains.afloat[c] != 0:
        return wish_alert(c, brains, eyes)
    return wish_avoidance(c, brains, antennae)


@kernel()
def wants_goal(c: int, creatures: CreaturePool, forward: float, left: float) -> bool:
    """Return whether the goal of a creature acts now; a threat farther away than the radius does not."""
    kind, done = creatures.goal_kind[c], creatures.goal_done
    if kind == GoalKind.NONE:
        done[c] = 0
        return False
    if kind == GoalKind.FLEE_POINT or kind == GoalKind.FLEE_CREATURE:
        near = sqrt(forward * forward + left * left) < creatures.goal_radius[c]
        done[c] = 0 if near else 1
        return near
    return True


@kernel()
def decide_for_creature(c: int, creatures: CreaturePool, bodies: BodyPool, segments: SegmentPool, heads: HeadCommandPool,
                        brains: BrainPool, antennae: AntennaPool, eyes: VisionPool, priorities: Array,
                        dt: float) -> None:  # fmt: skip
    """Work the reflexes of one creature, choose its mode and write what that wishes."""
    memory, yaw_rate = brains.memory[c], heads.yaw_rate[c]
    frame = head_frame(c, bodies, segments)
    falling = is_falling(c, brains)
    forward, left = without_swing(brains.swing[c], goal_offset(c, frame, creatures, bodies, segments))
    driven = creatures.goal_kind[c] == GoalKind.DRIVE
    latch_turn(c, frame, brains, antennae, dt)
    if not (falling or driven):
        turn_from_barrier(c, frame, brains, antennae)
    if brains.afloat[c] != 0:
        latch_alert(c, brains, eyes, dt)
    avoiding = memory[Memory.TURN] != 0.0

    chosen, highest = int64(BrainMode.RANDOM_WALK), priorities[BrainMode.RANDOM_WALK]
    for m in range(MODE_COUNT):
        active = (
            (m == BrainMode.ADJUSTMENT and falling)
            or (m == BrainMode.CONTROL and wants_goal(c, creatures, forward, left))
            or (m == BrainMode.AVOIDANCE and avoiding)
            or (m == BrainMode.TROPHOTROPISM and finds_food(c, brains, antennae, eyes, dt))
        )
        if active and priorities[m] > highest:
            chosen, highest = int64(m), priorities[m]
    brains.mode[c] = chosen
    if chosen != BrainMode.RANDOM_WALK:
        memory[Memory.WALKING] = 0.0  # an interrupted walk starts afresh, or it would turn back into the wall

    speed, yaw = 0.0, 0.0  # ADJUSTMENT
    if chosen == BrainMode.CONTROL and driven:
        speed, yaw = creatures.drive[c, SPEED], creatures.drive[c, YAW]
    elif chosen == BrainMode.CONTROL:
        speed, yaw = wish_goal(c, creatures, brains, forward, left)
        if avoiding and speed > 0.0:
            speed, yaw = wish_turn(c, brains, antennae, eyes)
    elif chosen == BrainMode.AVOIDANCE:
        speed, yaw = wish_turn(c, brains, antennae, eyes)
    elif chosen == BrainMode.TROPHOTROPISM:
        speed, yaw = wish_food(c, bodies, segments, brains, antennae, eyes, yaw_rate, dt)
    elif chosen == BrainMode.RANDOM_WALK:
        speed, yaw = wish_random_walk(c, bodies, segments, brains, yaw_rate, dt)
    if not (falling or driven or avoiding):
        yaw = make_way(c, speed, yaw, brains, eyes)
    brains.wish[c, SPEED], brains.wish[c, YAW] = speed, yaw


@kernel()
def drive_creature(c: int, bodies: BodyPool, segments: SegmentPool, heads: HeadCommandPool, brains: BrainPool,
                   antennae: AntennaPool, dt: float) -> None:  # fmt: skip
    """Command the head of one creature: its wish, within what the body and the way ahead allow.

    In the water speed and yaw rate are orders to the muscles, and what stands in the way stops the body itself: only
    their change is limited.

    A head that has met a wall creeps on, and the Targeter takes the part of its motion that leads into the wall away: it
    slides along while it turns, as far as the neck bends. Backing off instead would push the body together behind it.
    """
    own, wish, mode = brains.parameters[c], brains.wish[c], brains.mode[c]
    speed, yaw_rate = heads.speed[c], heads.yaw_rate[c]
    heads.adjusting[c] = 1 if mode == BrainMode.ADJUSTMENT else 0
    a, turn = own[Brain.ACCELERATION], own[Brain.YAW_ACCELERATION] * dt
    if brains.afloat[c] != 0:
        heads.speed[c] = limited(wish[SPEED], speed - a * dt, speed + a * dt)
        heads.yaw_rate[c] = limited(wish[YAW], yaw_rate - turn, yaw_rate + turn)
        return
    ahead, behind = antennae.free_path[c, FORWARD], antennae.free_path[c, BACKWARD]
    met = meets_barrier(c, antennae)
    creep = own[Brain.CREEP_SPEED] if met else 0.0
    v = limited(wish[SPEED], -sqrt(2.0 * a * behind), max(creep, sqrt(2.0 * a * ahead)))  # able to stop in time
    v = limited(v, speed - a * dt, speed + a * dt)
    v = limited(v, -behind / dt, max(creep, ahead / dt))  # hard: never into an obstacle [walking 4]
    yaw = limited(wish[YAW], yaw_rate - turn, yaw_rate + turn)
    tight = brains.memory[c, Memory.TURN] != 0.0 or mode == BrainMode.TROPHOTROPISM
    radius = own[Brain.TIGHT_TURN_RADIUS] if tight else own[Brain.MIN_TURN_RADIUS]
    if met and wish[SPEED] > 0.0:
        pivot = own[Brain.PIVOT_YAW] * np.sign(wish[YAW])
        yaw = limited(pivot, yaw_rate - turn, yaw_rate + turn)
    elif radius > 0.0:
        yaw = limited(yaw, -abs(v) / radius, abs(v) / radius)
    bend = neck_bend(c, bodies, segments, v < 0.0)
    if bend * yaw > 0.0 and abs(bend) > own[Brain.MAX_NECK_BEND]:
        yaw = 0.0
    heads.speed[c], heads.yaw_rate[c] = v, yaw


@kernel(parallel=True)
def decide(rows: Array, creatures: CreaturePool, bodies: BodyPool, segments: SegmentPool, heads: HeadCommandPool,
           brains: BrainPool, antennae: AntennaPool, eyes: VisionPool, priorities: Array, dt: float) -> None:  # fmt: skip
    """Update modes and wishes of all listed creatures from senses and goals."""
    for r in prange(rows.size):
        c = int64(rows[r])
        decide_for_creature(c, creatures, bodies, segments, heads, brains, antennae, eyes, priorities, dt)


@kernel(parallel=True)
def drive(rows: Array, bodies: BodyPool, segments: SegmentPool, heads: HeadCommandPool, brains: BrainPool,
          antennae: AntennaPool, dt: float) -> None:  # fmt: skip
    """Update the head commands of all listed creatures from their wishes."""
    for r in prange(rows.size):
        drive_creature(int64(rows[r]), bodies, segments, heads, brains, antennae, dt)


@kernel(parallel=True)
def think(rows: Array, creatures: CreaturePool, bodies: BodyPool, segments: SegmentPool, heads: HeadCommandPool,
          brains: BrainPool, antennae: AntennaPool, eyes: VisionPool, priorities: Array, dt: float) -> None:  # fmt: skip
    """Update modes and head commands of all listed creatures from senses and goals: `decide`, then `drive`."""
    for r in prange(rows.size):
        c = int64(rows[r])
        decide_for_creature(c, creatures, bodies, segments, heads, brains, antennae, eyes, priorities, dt)
        drive_creature(c, bodies, segments, heads, brains, antennae, dt)
