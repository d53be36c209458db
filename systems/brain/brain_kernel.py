"""The brain of a walking animal: reflexes, the choice of a mode, and the limits a body puts on any wish.

A tick has two halves. `decide` updates the reflexes, picks the active mode of highest priority and writes its wish;
modes of mods may then overrule it (see registry). `drive` turns the wish into head speed and yaw rate under the limits
that hold in every mode: acceleration, curvature, the neck, and the hard clearance ahead. `think` is both at once.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numba import prange

from ...components.brain import Brain
from ...components.brain_modes import MODE_COUNT, BrainMode, GoalKind, Memory
from ...engine.kernel import kernel
from ..legs.segment_frame_kernel import segment_frame, turn_to_body
from .sight_kernel import follow_sight, latch_alert, wish_alert, wish_seen_food
from .steering_kernel import (
    LEFT_TURN,
    RIGHT_TURN,
    clamp,
    goal_offset,
    neck_bend,
    wish_avoidance,
    wish_goal,
    wish_random_walk,
    wish_trophotropism,
)

SPEED, YAW = 0, 1  # columns of wish and drive
FORWARD, BACKWARD = 0, 1  # columns of free_path
LEFT, RIGHT = 0, 1


@kernel()
def side_to_turn(c, left, right, parameters, free_path, memory):
    """Return the direction to turn on a new contact: away from it, and if both touch the left antenna decides.

    The same obstacle straight ahead, felt again a moment later, does not change the direction: antennae touch a wall in
    turns, and an animal that listened to each of them would stay in front of it.
    """
    again = memory[c, Memory.LAST_TURN] != 0.0 and memory[c, Memory.FREE_TIME] < parameters[c, Brain.TURN_MEMORY]
    if again and ((left and right) or free_path[c, FORWARD] < parameters[c, Brain.FRONT_RANGE]):
        return memory[c, Memory.LAST_TURN]
    return RIGHT_TURN if left else LEFT_TURN


@kernel()
def turns_into_other(c, left, right, parameters, head, contact_normal, turn):
    """Return whether a latched turn leads into a second obstacle: only the inner antenna touches, from the side."""
    if turn == 0.0 or left == right or right != (turn == RIGHT_TURN):
        return False
    side = RIGHT if right else LEFT
    frame = segment_frame(head.position, head.orientation, np.int64(head.first_segment[c]))
    n = contact_normal[c, side]
    return turn * turn_to_body(frame, n[0], n[1], n[2])[1] < -parameters[c, Brain.FLIP_NORMAL]


@kernel()
def latch_turn(c, parameters, head, contact, contact_normal, free_path, memory, dt):
    """Update the latched direction from the contacts: set at the first, held until CLEAR_TIME after the last."""
    left, right = contact[c, LEFT] != 0, contact[c, RIGHT] != 0
    if left or right:
        if turns_into_other(c, left, right, parameters, head, contact_normal, memory[c, Memory.TURN]):
            memory[c, Memory.TURN] = -memory[c, Memory.TURN]
        if memory[c, Memory.TURN] == 0.0:
            memory[c, Memory.TURN] = side_to_turn(c, left, right, parameters, free_path, memory)
        memory[c, Memory.LAST_TURN] = memory[c, Memory.TURN]
        memory[c, Memory.FREE_TIME] = 0.0
        return
    memory[c, Memory.FREE_TIME] += dt
    if memory[c, Memory.FREE_TIME] >= parameters[c, Brain.CLEAR_TIME]:
        memory[c, Memory.TURN] = 0.0


@kernel()
def meets_barrier(c, barrier):
    """Return whether the head has met something that closes its way."""
    return barrier[c, 0] != 0.0 or barrier[c, 1] != 0.0 or barrier[c, 2] != 0.0


@kernel()
def turn_from_barrier(c, head, barrier, memory):
    """Update the latched direction when the head meets what its antennae missed: to the side the barrier leans to."""
    if memory[c, Memory.TURN] != 0.0 or not meets_barrier(c, barrier):
        return
    frame = segment_frame(head.position, head.orientation, np.int64(head.first_segment[c]))
    aside = turn_to_body(frame, barrier[c, 0], barrier[c, 1], barrier[c, 2])[1]
    if aside == 0.0:
        aside = memory[c, Memory.LAST_TURN]
    memory[c, Memory.TURN] = memory[c, Memory.LAST_TURN] = LEFT_TURN if aside > 0.0 else RIGHT_TURN
    memory[c, Memory.FREE_TIME] = 0.0


@kernel()
def is_falling(c, parameters, stance_share, mode):
    """Return whether ADJUSTMENT holds: from too few legs standing until most of them stand [walking-study 3]."""
    if mode[c] == BrainMode.ADJUSTMENT:
        return stance_share[c] <= parameters[c, Brain.STAND_SHARE]
    return stance_share[c] < parameters[c, Brain.FALL_SHARE]


@kernel()
def follow_scent(c, parameters, smell, memory):
    """Update whether food is smelled, with a threshold to find it and a lower one to lose it."""
    share = parameters[c, Brain.FOOD_RELEASE] if memory[c, Memory.SMELLING] == 1.0 else 1.0
    smelling = max(smell[c, LEFT], smell[c, RIGHT]) > share * parameters[c, Brain.FOOD_THRESHOLD]
    memory[c, Memory.SMELLING] = 1.0 if smelling else 0.0
    if not smelling:
        memory[c, Memory.SCENT] = memory[c, Memory.ORBIT] = memory[c, Memory.PASSING] = 0.0
    return smelling


@kernel()
def finds_food(c, parameters, senses, memory, dt):
    """Update what is remembered of food from nose and eyes; return whether there is any to go for."""
    seen = follow_sight(c, senses, memory, dt)
    return follow_scent(c, parameters, senses.smell, memory) or seen


@kernel()
def wish_food(c, parameters, senses, memory, yaw_rate, dt):
    """Return the wish of TROPHOTROPISM: a swimmer goes by its eyes, everybody else and who sees nothing by the nose."""
    if memory[c, Memory.SEEING] == 1.0:
        return wish_seen_food(c, parameters, senses, memory)
    return wish_trophotropism(c, parameters, senses.smell, memory, yaw_rate, dt)


@kernel()
def wish_turn(c, parameters, senses, memory):
    """Return the wish of AVOIDANCE: a walker slows down and turns, a swimmer has to beat on or it would not turn."""
    if senses.afloat[c] != 0:
        return wish_alert(c, parameters, senses, memory)
    return wish_avoidance(c, parameters, senses.contact, senses.free_path, memory)


@kernel()
def wants_goal(c, goals, forward, left, goal_done):
    """Return whether the goal of a creature acts now; a threat farther away than the radius does not."""
    kind = goals.kind[c]
    if kind == GoalKind.NONE:
        goal_done[c] = 0
        return False
    if kind == GoalKind.FLEE_POINT or kind == GoalKind.FLEE_CREATURE:
        near = sqrt(forward * forward + left * left) < goals.radius[c]
        goal_done[c] = 0 if near else 1
        return near
    return True


@kernel()
def decide_for_creature(
    c, parameters, priorities, head, senses, goals, memory, mode, goal_done, stream, wish, yaw_rate, dt
):
    """Update reflexes, mode and wish of one creature."""
    falling = is_falling(c, parameters, senses.stance_share, mode)
    forward, left = goal_offset(c, head, goals)
    driven = goals.kind[c] == GoalKind.DRIVE
    latch_turn(c, parameters, head, senses.contact, senses.contact_normal, senses.free_path, memory, dt)
    if not (falling or driven):
        turn_from_barrier(c, head, senses.barrier, memory)
    afloat = senses.afloat[c] != 0
    if afloat:
        latch_alert(c, senses.eyes, senses.alert, memory, stream, dt)
    avoiding = memory[c, Memory.TURN] != 0.0

    chosen, highest = np.int64(BrainMode.RANDOM_WALK), priorities[BrainMode.RANDOM_WALK]
    for m in range(MODE_COUNT):
        active = (
            (m == BrainMode.ADJUSTMENT and falling)
            or (m == BrainMode.CONTROL and wants_goal(c, goals, forward, left, goal_done))
            or (m == BrainMode.AVOIDANCE and avoiding)
            or (m == BrainMode.TROPHOTROPISM and finds_food(c, parameters, senses, memory, dt))
        )
        if active and priorities[m] > highest:
            chosen, highest = np.int64(m), priorities[m]
    mode[c] = chosen
    if chosen != BrainMode.RANDOM_WALK:
        memory[c, Memory.WALKING] = 0.0  # an interrupted walk starts afresh, or it would turn back into the wall

    want_speed, want_yaw = 0.0, 0.0  # ADJUSTMENT
    if chosen == BrainMode.CONTROL and driven:
        want_speed, want_yaw = goals.drive[c, SPEED], goals.drive[c, YAW]
    elif chosen == BrainMode.CONTROL:
        want_speed, want_yaw = wish_goal(c, parameters, goals, forward, left, goal_done)
        if avoiding and want_speed > 0.0:
            want_speed, want_yaw = wish_turn(c, parameters, senses, memory)
    elif chosen == BrainMode.AVOIDANCE:
        want_speed, want_yaw = wish_turn(c, parameters, senses, memory)
    elif chosen == BrainMode.TROPHOTROPISM:
        want_speed, want_yaw = wish_food(c, parameters, senses, memory, yaw_rate, dt)
    elif chosen == BrainMode.RANDOM_WALK:
        want_speed, want_yaw = wish_random_walk(c, parameters, memory, stream, yaw_rate, dt)
    wish[c, SPEED], wish[c, YAW] = want_speed, want_yaw


@kernel()
def drive_creature(c, parameters, head, senses, memory, mode, wish, speed, yaw_rate, dt):
    """Update head speed and yaw rate of one creature from its wish, within what the body and the way ahead allow.

    In the water they are orders to the muscles, and what stands in the way stops the body itself: only their change is
    limited.

    A head that has met a wall creeps on, and the Targeter takes the part of its motion that leads into the wall away: it
    slides along while it turns, as far as the neck bends. Backing off instead would push the body together behind it.
    """
    a, turn = parameters[c, Brain.ACCELERATION], parameters[c, Brain.YAW_ACCELERATION] * dt
    if senses.afloat[c] != 0:
        speed[c] = clamp(wish[c, SPEED], speed[c] - a * dt, speed[c] + a * dt)
        yaw_rate[c] = clamp(wish[c, YAW], yaw_rate[c] - turn, yaw_rate[c] + turn)
        return
    ahead, behind = senses.free_path[c, FORWARD], senses.free_path[c, BACKWARD]
    met = meets_barrier(c, senses.barrier)
    creep = parameters[c, Brain.CREEP_SPEED] if met else 0.0
    v = clamp(wish[c, SPEED], -sqrt(2.0 * a * behind), max(creep, sqrt(2.0 * a * ahead)))  # able to stop in time
    v = clamp(v, speed[c] - a * dt, speed[c] + a * dt)
    v = clamp(v, -behind / dt, max(creep, ahead / dt))  # hard: never into an obstacle [walking-study 4]
    yaw = clamp(wish[c, YAW], yaw_rate[c] - turn, yaw_rate[c] + turn)
    tight = memory[c, Memory.TURN] != 0.0 or mode[c] == BrainMode.TROPHOTROPISM
    radius = parameters[c, Brain.TIGHT_TURN_RADIUS] if tight else parameters[c, Brain.MIN_TURN_RADIUS]
    if met and wish[c, SPEED] > 0.0:
        pivot = parameters[c, Brain.PIVOT_YAW] * np.sign(wish[c, YAW])
        yaw = clamp(pivot, yaw_rate[c] - turn, yaw_rate[c] + turn)
    elif radius > 0.0:
        yaw = clamp(yaw, -abs(v) / radius, abs(v) / radius)
    bend = neck_bend(c, head)
    if bend * yaw > 0.0 and abs(bend) > parameters[c, Brain.MAX_NECK_BEND]:
        yaw = 0.0
    speed[c], yaw_rate[c] = v, yaw


@kernel(parallel=True)
def decide(rows, parameters, priorities, head, senses, goals, memory, mode, goal_done, stream, wish, yaw_rate, dt):
    """Update modes and wishes of all creatures from senses and goals."""
    for r in prange(rows.size):
        decide_for_creature(
            np.int64(rows[r]), parameters, priorities, head, senses, goals,
            memory, mode, goal_done, stream, wish, yaw_rate, dt,
        )  # fmt: skip


@kernel(parallel=True)
def drive(rows, parameters, head, senses, memory, mode, wish, speed, yaw_rate, dt):
    """Update head speeds and yaw rates of all creatures from their wishes."""
    for r in prange(rows.size):
        drive_creature(np.int64(rows[r]), parameters, head, senses, memory, mode, wish, speed, yaw_rate, dt)


@kernel(parallel=True)
def think(
    rows, parameters, priorities, head, senses, goals, memory, mode, goal_done, stream, wish, speed, yaw_rate, dt
):
    """Update modes, head speeds and yaw rates of all creatures from senses and goals: `decide`, then `drive`."""
    for r in prange(rows.size):
        c = np.int64(rows[r])
        decide_for_creature(
            c, parameters, priorities, head, senses, goals,
            memory, mode, goal_done, stream, wish, yaw_rate, dt,
        )  # fmt: skip
        drive_creature(c, parameters, head, senses, memory, mode, wish, speed, yaw_rate, dt)
