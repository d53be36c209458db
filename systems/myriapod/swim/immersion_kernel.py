"""Where the water stands at every segment, once per tick: what the force of water and the muscles work from.

A body presses its own shape and motion into the water below and above it, so the water is looked up on both sides of it.
A segment is submerged when its centre is under water and its legs would not reach the bed; in the shallows it walks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ....components.leg_states import STANDING_SHARE, LegState
from ....components.myriapod.body_modes import ON_LAND, BodyMode
from ....components.segments import DRY_LEVEL
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.water.sample_kernel import sample_water
from ...legs.segment_frame_kernel import segment_frame
from ...water.wet_bodies_kernel import BESIDE
from .muscle_kernel import wet_segments

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.legs import LegPool
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array
    from ....engine.water.pond_layout import WaterArrays

EMERGED = 0.5  # share of its half height that a centre must be above the surface to count as out of the water again
LEAPT = 2.0  # the same for an animal with legs, which leaves the water where it finds ground: only what flies is out
# Share of its ride height to which the water must have fallen until a swimmer's legs look for the bed; a walker loses it
# where the water is as deep as it stands high. Between the two it stays what it was, so waves do not make it dance.
SHALLOW = 0.9
MOST = 0.5  # share of the legs out of the water that stand when a body that has fallen in is on its feet
DRY_LAND = ON_LAND.value
GROUND_TO_WATER, IN_WATER = BodyMode.GROUND_TO_WATER.value, BodyMode.IN_WATER.value
WATER_TO_GROUND, AIR_TO_WATER = BodyMode.WATER_TO_GROUND.value, BodyMode.AIR_TO_WATER.value


@kernel()
def water_beside(i: int, segments: SegmentPool, water: WaterArrays) -> tuple[float, bool]:
    """Return the surface of the water around segment `i`, and whether there is any.

    The mean of both sides; where one of them is dry, as along a shore, the water at the segment itself.
    """
    frame = segment_frame(segments.position, segments.orientation, i)
    x, y = frame.x, frame.y
    reach = BESIDE * segments.half_extents[i, 1]
    left_x, left_y = reach * frame.lx, reach * frame.ly
    left, left_depth, _, _ = sample_water(water, x + left_x, y + left_y)
    right, right_depth, _, _ = sample_water(water, x - left_x, y - left_y)
    if left_depth > 0.0 and right_depth > 0.0:
        return 0.5 * (left + right), True
    surface, depth, _, _ = sample_water(water, x, y)
    return surface, depth > 0.0


@kernel()
def is_submerged(above: float, depth: float, half_height: float, standing_height: float, before: int) -> int:
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
def sample_one(c: int, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, water: WaterArrays,
               level_share: float) -> None:  # fmt: skip
    """Find water level and submerged flag of each segment of creature `c`."""
    position, half_extents, water_level = segments.position, segments.half_extents, segments.water_level
    submerged, walks = segments.submerged, bodies.leg_count[c] > 0
    first = int64(bodies.first_segment[c])
    for i in range(first, first + bodies.segment_count[c]):
        surface, wet = water_beside(i, segments, water)
        if not wet:
            water_level[i], submerged[i] = DRY_LEVEL, 0
            continue
        share = level_share if water_level[i] > DRY_LEVEL else 1.0
        water_level[i] += share * (surface - water_level[i])
        above = position[i, 2] - water_level[i]
        depth, standing_height = (chained.height[i] - above, chained.ride_height[i]) if walks else (np.inf, 0.0)
        submerged[i] = is_submerged(above, depth, half_extents[i, 2], standing_height, submerged[i])


@kernel(parallel=True)
def sample_immersion(rows: Array, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, water: WaterArrays,
                     level_share: float) -> None:  # fmt: skip
    """Find water levels and submerged flags of the segments of the creatures in `rows`.

    The height of the centres above the bare ground is what the Targeter felt last; only animals with legs use it.
    level_share: of the way from the last level to the present one, per tick; below 1 ripples are smoothed.
    """
    for r in prange(rows.shape[0]):
        sample_one(int64(rows[r]), bodies, segments, chained, water, level_share)


@kernel()
def standing_share(c: int, bodies: BodyPool, segments: SegmentPool, legs: LegPool) -> float:
    """Return the share of the legs of creature `c` out of the water that stood within the last second, 1 without any."""
    first, count, history = int64(bodies.first_leg[c]), int64(bodies.leg_count[c]), legs.history
    out, stood = 0, 0
    for leg in range(first, first + count):
        if segments.submerged[legs.segment_row[leg]] != 0:
            continue
        out += 1
        for tick in range(history.shape[1]):
            if history[leg, tick] == LegState.STANCE:
                stood += 1
                break
    return stood / out if out > 0 else 1.0


@kernel()
def is_aground(c: int, bodies: BodyPool, legs: LegPool) -> bool:
    """Return whether a leg of creature `c` has stood for the whole of the last second: the feet of a swimmer that only
    brushes a shoal are drawn on sooner."""
    first, count, history = int64(bodies.first_leg[c]), int64(bodies.leg_count[c]), legs.history
    for leg in range(first, first + count):
        stands = True
        for tick in range(history.shape[1]):
            stands = stands and history[leg, tick] == LegState.STANCE
        if stands:
            return True
    return False


@kernel()
def next_mode(c: int, mode: int, bodies: BodyPool, segments: SegmentPool, legs: LegPool) -> int:
    """Return the mode of creature `c` that follows from this one. [Fang15 6.3; myriapoda 1.19, E-32]

    Transitions remember where they came from; the way out of the water ends when the animal is on its feet, or flies. It
    begins when the head is out, or half of the body, or when the animal has run aground: a swimmer whose belly or tail
    brushes a shoal is still in the water. Whatever has fallen into the water with most of its dry feet on the ground wades.
    """
    count, wet = bodies.segment_count[c], wet_segments(c, bodies, segments)
    head_wet = segments.submerged[bodies.first_segment[c]] != 0
    if wet == count:
        return IN_WATER
    if wet > 0:
        if mode == IN_WATER:
            leaves = not head_wet or 2 * wet <= count or is_aground(c, bodies, legs)
            return WATER_TO_GROUND if leaves else IN_WATER
        if mode == DRY_LAND:
            return GROUND_TO_WATER if standing_share(c, bodies, segments, legs) > 0.0 else AIR_TO_WATER
        if mode == AIR_TO_WATER and standing_share(c, bodies, segments, legs) >= MOST:
            return GROUND_TO_WATER
        return mode
    if mode == DRY_LAND:
        return DRY_LAND
    share = standing_share(c, bodies, segments, legs)
    if share == 0.0 or share >= STANDING_SHARE:
        return DRY_LAND
    return WATER_TO_GROUND if mode == IN_WATER else mode


@kernel(parallel=True)
def latch_modes(rows: Array, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, legs: LegPool) -> None:
    """Advance the body modes of the creatures in `rows` by their submerged segments and what their legs did."""
    for r in prange(rows.shape[0]):
        c = int64(rows[r])
        chains.body_mode[c] = next_mode(c, chains.body_mode[c], bodies, segments, legs)
