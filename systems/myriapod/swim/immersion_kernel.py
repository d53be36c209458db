"""Where the water stands at every segment, once per tick: what the force of water and the muscles work from.

A body presses its own shape and motion into the water below and above it, so the water is looked up on both sides of it.
A segment is submerged when its centre is under water and its legs would not reach the bed; in the shallows it walks.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numba
import numpy as np

from ....components.leg_states import LegState
from ....components.myriapod.body_modes import ON_LAND, STANDING_SHARE, BodyMode
from ....components.segments import DRY_LEVEL
from ....engine.kernel import kernel
from ....engine.water.sample_kernel import sample_water

BESIDE = 3.0  # half widths from the middle of a segment to where the water beside it is looked up
EMERGED = 0.5  # share of its half height that a centre must be above the surface to count as out of the water again
LEAPT = 2.0  # the same for an animal with legs, which leaves the water where it finds ground: only what flies is out
# Share of its ride height to which the water must have fallen until a swimmer's legs look for the bed; a walker loses it
# where the water is as deep as it stands high. Between the two it stays what it was, so waves do not make it dance.
SHALLOW = 0.9
DRY_LAND = ON_LAND.value
GROUND_TO_WATER, IN_WATER = BodyMode.GROUND_TO_WATER.value, BodyMode.IN_WATER.value
WATER_TO_GROUND, AIR_TO_WATER = BodyMode.WATER_TO_GROUND.value, BodyMode.AIR_TO_WATER.value


@kernel()
def water_beside(i, position, orientation, half_extents, water):
    """Return surface, u and v of the water around segment `i`, and whether there is any.

    The mean of both sides; where one of them is dry, as along a shore, the water at the segment itself.
    """
    w, x, y, z = orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3]
    reach = BESIDE * half_extents[i, 1]
    left_x, left_y = reach * 2.0 * (x * y - w * z), reach * (1.0 - 2.0 * (x * x + z * z))
    left, left_depth, left_u, left_v = sample_water(water, position[i, 0] + left_x, position[i, 1] + left_y)
    right, right_depth, right_u, right_v = sample_water(water, position[i, 0] - left_x, position[i, 1] - left_y)
    if left_depth > 0.0 and right_depth > 0.0:
        return 0.5 * (left + right), 0.5 * (left_u + right_u), 0.5 * (left_v + right_v), True
    surface, depth, u, v = sample_water(water, position[i, 0], position[i, 1])
    return surface, u, v, depth > 0.0


@kernel()
def is_submerged(above, depth, half_height, standing_height, before):
    """Return the new submerged flag of a segment whose centre is `above` the surface of water so deep.

    standing_height: of the centre over the ground when it walks, 0 for an animal without legs.
    """
    out = EMERGED if standing_height == 0.0 else LEAPT
    if above > out * half_height or depth < SHALLOW * standing_height:
        return 0
    if above < 0.0 and depth > standing_height:
        return 1
    return before


@kernel()
def sample_one(
    first, count, walks, position, orientation, half_extents, ride_height, height, current_share, level_share, submerged,
    water_level, water_velocity, water,
):  # fmt: skip
    """Update water level, velocity and the submerged flag of the segments of one creature."""
    for i in range(first, first + count):
        surface, u, v, wet = water_beside(i, position, orientation, half_extents, water)
        if not wet:
            water_level[i], submerged[i] = DRY_LEVEL, 0
            water_velocity[i, 0], water_velocity[i, 1], water_velocity[i, 2] = 0.0, 0.0, 0.0
            continue
        share = level_share if water_level[i] > DRY_LEVEL else 1.0
        water_level[i] += share * (surface - water_level[i])
        water_velocity[i, 0], water_velocity[i, 1], water_velocity[i, 2] = current_share * u, current_share * v, 0.0
        above = position[i, 2] - water_level[i]
        depth, standing_height = (height[i] - above, ride_height[i]) if walks else (np.inf, 0.0)
        submerged[i] = is_submerged(above, depth, half_extents[i, 2], standing_height, submerged[i])


@kernel(parallel=True)
def sample_immersion(
    rows, first_segment, segment_count, leg_count, position, orientation, half_extents, ride_height, height, current_share,
    level_share, submerged, water_level, water_velocity, water,
):  # fmt: skip
    """Update water level, velocity and submerged flags of the creatures in `rows` from the water.

    height: of the centres above the bare ground, as the Targeter felt it last; only animals with legs use it.
    current_share: 0 for water at rest in the force, as in the source [digest E-43], 1 for the velocity of the water.
    level_share: of the way from the last level to the present one, per tick; below 1 ripples are smoothed.
    """
    for index in numba.prange(rows.shape[0]):
        c = rows[np.int64(index)]
        sample_one(
            first_segment[c], segment_count[c], leg_count[c] > 0, position, orientation, half_extents, ride_height, height,
            current_share, level_share, submerged, water_level, water_velocity, water,
        )  # fmt: skip


@kernel()
def standing_share(first, count, history):
    """Return the share of legs that have stood within the last second; 1 for an animal without legs."""
    if count == 0:
        return 1.0
    stood = 0
    for leg in range(first, first + count):
        for tick in range(history.shape[1]):
            if history[leg, tick] == LegState.STANCE:
                stood += 1
                break
    return stood / count


@kernel()
def next_mode(mode, wet, count, head_wet, first_leg, leg_count, history):
    """Return the mode that follows when `wet` of `count` segments are submerged. [Fang15 6.3, digest 1.19, E-32]

    Transitions remember where they came from; the way out of the water ends when the animal is on its feet, or flies. It
    begins when the head is out, or half of the body: a swimmer whose belly or tail brushes a shoal is still in the water.
    """
    if wet == count:
        return IN_WATER
    if wet > 0:
        if mode == IN_WATER:
            return WATER_TO_GROUND if not head_wet or 2 * wet <= count else IN_WATER
        if mode == DRY_LAND:
            return GROUND_TO_WATER if standing_share(first_leg, leg_count, history) > 0.0 else AIR_TO_WATER
        return mode
    if mode == DRY_LAND:
        return DRY_LAND
    share = standing_share(first_leg, leg_count, history)
    if share == 0.0 or share >= STANDING_SHARE:
        return DRY_LAND
    return WATER_TO_GROUND if mode == IN_WATER else mode


@kernel(parallel=True)
def latch_modes(rows, first_segment, segment_count, first_leg, leg_count, submerged, history, mode):
    """Update the water modes of the creatures in `rows` from their submerged segments and what their legs did."""
    for index in numba.prange(rows.shape[0]):
        c = rows[np.int64(index)]
        first, wet = first_segment[c], 0
        for i in range(first, first + segment_count[c]):
            wet += submerged[i] != 0
        mode[c] = next_mode(
            mode[c], wet, segment_count[c], submerged[first] != 0, first_leg[c], leg_count[c], history
        )
