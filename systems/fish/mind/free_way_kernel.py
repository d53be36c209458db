"""Where a fish can swim: how far a way is free, and the nearest free way to one that is not. [fish 3]

Obstacles are no intention of their own: every wish passes through this filter. The side on which one passes is kept until
the way has been free for a while, and is copied from those who have chosen already, so that a school stays together.
"""

from __future__ import annotations

from math import cos, hypot, pi
from typing import TYPE_CHECKING

from ....components.fish.eyes import NOBODY, Eye
from ....components.fish.intentions import Intention, Way
from ....components.fish.mind import Mind
from ....components.fish.springs import SWIMS_IN
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import limited
from ....engine.vector_kernel import dot, minus, row_of, unit
from ....engine.water.sample_kernel import sample_water
from ...spatial_index.free_path_kernel import NOTHING, free_path_to_edges, free_path_to_solids
from ..senses.food_reach_kernel import FEEDING_MARGIN
from .heading_kernel import direction, turned, yaw_of

if TYPE_CHECKING:
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....components.fish.springs import FishBodyPool
    from ....engine.kernel_types import Vector
    from ....engine.water.pond_layout import WaterArrays
    from ...spatial_index.index import Around

FREE, SHORE = -1, -2  # what is in the way: nothing, the edge of the water; else the row of a solid
FAN_STEP = pi / 12.0  # between two directions that are tried
FAN_STEPS = 10  # to each side
COPIED_AT_MOST = 5  # steps that a copied side may be worse than the other one
CHANGED_FROM = 5  # steps that a side which was chosen may be worse than the other one later on
CLEAR_TIME = 1.0  # s of a free way after which the side is forgotten
WARY = 1.15  # factor on the clearance once something was in the way: hysteresis [fish 3]
CLIMB = 0.6  # slope at which one passes over or under
CLIMB_STEPS = 2  # steps of the fan that are worth a climb
COPY_RANGE = 6.0  # lengths; whose side is copied
NEAREST_BED = 0.7  # heights of its body that it keeps from the bed and from the surface
OPEN_WATER, NEAR_SHORE, ASHORE = range(3)
TURN_RADIUS, TURN_TIME = 0.8, 0.5  # lengths, s of its own time before it turns [fish 2]
FIRST_TURN = 1.7  # rad; less than what a pilot may do to either side
BEFORE = 0.4  # lengths before its mouth that a fish asks, too: it turns on the spot
STANDING = 0.05  # lengths/s below which a fish swims nowhere
COMPASS = 16  # directions in which deeper water is looked for
DEEPER = 0.1  # heights of its body; less is as good
MARGIN = 0.3  # lengths that it keeps from them if there is room
MARGIN_SHARE = 0.2  # of the depth, at most
LOOK_UP = 1.0  # lengths in which it corrects its height


@kernel()
def clearance_of(c: int, fishes: FishBodyPool) -> float:
    """Return how far a fish keeps from what is in its way. [Tu99 6.6.1]"""
    return max(0.15 * fishes.length[c], 1.5 * fishes.width[c])


@kernel()
def free_way(at: Vector, u: Vector, clearance: float, reach: float, shallow: float, step: float, around: Around,
             water: WaterArrays) -> tuple[float, int]:  # fmt: skip
    """Return how far the way along u is free, at most reach, and what ends it: FREE, SHORE or the row of a solid."""
    free = free_path_to_edges(around.bounds, at, u, clearance, reach)
    first = int64(SHORE if free < reach else FREE)
    t = step
    while t < free + 0.5 * step:
        near = min(t, free)
        if sample_water(water, at[0] + near * u[0], at[1] + near * u[1]).depth < shallow:
            free, first = max(near - step, 0.0), int64(SHORE)
            break
        t += step
    if around.solids.shape[0] > 0:
        way, solid = free_path_to_solids(around, at, u, clearance, free)
        if solid != NOTHING:
            return way, solid
    return free, first


@kernel()
def tries(k: int, side: float) -> float:
    """Return the angle of the k-th direction to one side."""
    return side * k * FAN_STEP


@kernel()
def first_free(at: Vector, u: Vector, side: float, clearance: float, reach: float, shallow: float, step: float,
               around: Around, water: WaterArrays) -> tuple[int, float]:  # fmt: skip
    """Return how many steps one has to turn to a side until the way is free, and the longest way met on the way there."""
    longest = 0.0
    for k in range(1, FAN_STEPS + 1):
        way = free_way(at, turned(u, tries(k, side)), clearance, reach, shallow, step, around, water)[0]
        if way >= reach:
            return k, reach
        longest = max(longest, way)
    return FAN_STEPS + 1, longest


@kernel()
def shown_side(c: int, obstacle: int, u: Vector, fishes: FishBodyPool, eyes: EyePool, minds: MindPool) -> float:
    """Return the side that those near one fish have chosen about the same obstacle: the sum of their votes.

    Who is farther ahead has more to say: it has seen more of it.
    """
    votes, here, length = 0.0, row_of(fishes.centre, c), fishes.length[c]
    for k in range(eyes.neighbours.shape[1]):
        row = eyes.neighbours[c, k]
        if row == NOBODY:
            break
        if minds.seen_obstacle[row] != obstacle or minds.seen_side[row] == 0:
            continue
        offset = minus(row_of(fishes.centre, row), here)
        ahead = dot(offset, u) / length
        if abs(ahead) < COPY_RANGE:
            votes += minds.seen_side[row] * (1.0 + limited(ahead, -0.5, 3.0))
    return votes


@kernel()
def choose_side(c: int, obstacle: int, u: Vector, left: int, right: int, fishes: FishBodyPool, eyes: EyePool,
                minds: MindPool) -> int:  # fmt: skip
    """Return on which side to pass: as the others do, else where it is shorter, else as one likes."""
    if minds.parameters[c, Mind.FOLLOW_SIDE] != 0.0 and obstacle >= 0:
        votes = shown_side(c, obstacle, u, fishes, eyes, minds)
        if votes > 0.0 and left - right <= COPIED_AT_MOST:
            return 1
        if votes < 0.0 and right - left <= COPIED_AT_MOST:
            return -1
    if left != right:
        return 1 if left < right else -1
    liked = minds.preferences[c, Way.LEFT.value] - minds.preferences[c, Way.RIGHT.value]
    if liked != 0.0:
        return 1 if liked > 0.0 else -1
    return 1 if dot(row_of(fishes.axes[c], 1), u) > 0.0 else -1


@kernel()
def passes_over(at: Vector, u: Vector, low: float, high: float, clearance: float, reach: float, shallow: float, step: float,
                around: Around, water: WaterArrays) -> float:  # fmt: skip
    """Return the slope at which one gets over or under what is in the way within the depth there is, or 0."""
    for slope in (CLIMB, -CLIMB):
        end = at[2] + slope * reach
        v = unit((u[0], u[1], slope), u)
        if low < end < high and free_way(at, v, clearance, reach, shallow, step, around, water)[0] >= reach:
            return slope
    return 0.0


@kernel()
def needed_depth(c: int, fishes: FishBodyPool) -> float:
    """Return how deep the water has to be for one fish to swim in it."""
    return SWIMS_IN * fishes.height[c]


@kernel()
def shore_ahead(c: int, at: Vector, fishes: FishBodyPool, water: WaterArrays) -> int:
    """Return OPEN_WATER, or NEAR_SHORE if one fish runs aground unless it turns now, ASHORE if it is in shallows already.

    It is asked where it swims to, not where it wants to.
    """
    needed, velocity, length = needed_depth(c, fishes), row_of(fishes.velocity, c), fishes.length[c]
    if sample_water(water, fishes.centre[c, 0], fishes.centre[c, 1]).depth < needed:
        return ASHORE
    if sample_water(water, at[0], at[1]).depth < needed:
        return NEAR_SHORE
    nose = row_of(fishes.axes[c], 0)
    if sample_water(water, at[0] + BEFORE * length * nose[0], at[1] + BEFORE * length * nose[1]).depth < needed:
        return NEAR_SHORE
    speed = hypot(velocity[0], velocity[1])
    if speed < STANDING * length * fishes.pace[c]:
        return OPEN_WATER
    way = TURN_RADIUS * length / speed + TURN_TIME / fishes.pace[c]
    for share in (0.5, 1.0):
        x, y = at[0] + share * way * velocity[0], at[1] + share * way * velocity[1]
        if sample_water(water, x, y).depth < needed:
            return NEAR_SHORE
    return OPEN_WATER


@kernel()
def deeper_way(c: int, at: Vector, u: Vector, fishes: FishBodyPool, water: WaterArrays) -> Vector:
    """Return the level direction in which the water gets deepest within two lengths; u if it is nowhere deeper."""
    length, best = fishes.length[c], u
    most = sample_water(water, at[0], at[1]).depth + DEEPER * fishes.height[c]
    for k in range(COMPASS):
        v = direction(2.0 * pi * k / COMPASS, 0.0)
        near = sample_water(water, at[0] + length * v[0], at[1] + length * v[1]).depth
        far = sample_water(water, at[0] + 2.0 * length * v[0], at[1] + 2.0 * length * v[1]).depth
        if 0.5 * (near + far) > most:
            best, most = v, 0.5 * (near + far)
    return best


@kernel()
def turn_offshore(at: Vector, ahead: Vector, deeper: Vector, length: float, water: WaterArrays) -> Vector:
    """Return a direction in which a fish that heads straight ahead begins to turn to deeper water: not over the shore.

    To turn about, it could go either way round; a wish a bit more than square to its heading says which.
    """
    if dot(ahead, deeper) > cos(FIRST_TURN):
        return deeper
    left, right = turned(ahead, FIRST_TURN), turned(ahead, -FIRST_TURN)
    there = sample_water(water, at[0] + length * left[0], at[1] + length * left[1]).depth
    other = sample_water(water, at[0] + length * right[0], at[1] + length * right[1]).depth
    return left if there > other else right


@kernel()
def filtered(c: int, at: Vector, want: Vector, reach: float, low: float, high: float, fishes: FishBodyPool, eyes: EyePool,
             minds: MindPool, around: Around, water: WaterArrays, dt: float) -> tuple[Vector, float]:  # fmt: skip
    """Return the free direction nearest to a wanted one, and how far the wanted one is free.

    low, high: heights between which the fish may swim.
    """
    clearance, length = clearance_of(c, fishes), fishes.length[c]
    shallow, step = needed_depth(c, fishes), max(0.5 * length, 1e-3)
    wary = clearance * (WARY if minds.obstacle[c] != FREE else 1.0)
    ahead, obstacle = free_way(at, want, wary, reach, shallow, step, around, water)
    if obstacle == FREE:
        minds.clear[c] += dt
        if minds.clear[c] > CLEAR_TIME:
            minds.side[c], minds.obstacle[c] = 0, FREE
        return want, ahead
    minds.clear[c] = 0.0
    left, left_way = first_free(at, want, 1.0, wary, reach, shallow, step, around, water)
    right, right_way = first_free(at, want, -1.0, wary, reach, shallow, step, around, water)
    if min(left, right) > CLIMB_STEPS:
        slope = passes_over(at, want, low, high, wary, reach, shallow, step, around, water)
        if slope != 0.0:
            return unit((want[0], want[1], slope), want), ahead
    if minds.side[c] == 0 or minds.obstacle[c] != obstacle:
        if minds.side[c] == 0 or min(left, right) <= FAN_STEPS:
            minds.side[c] = choose_side(c, obstacle, want, left, right, fishes, eyes, minds)
        minds.obstacle[c] = obstacle
    longer = left - right if minds.side[c] > 0 else right - left
    if obstacle >= 0 and longer > CHANGED_FROM and min(left, right) <= FAN_STEPS:  # it wants to go elsewhere by now
        minds.side[c] = -minds.side[c]
    steps = left if minds.side[c] > 0 else right
    if steps > FAN_STEPS and min(left, right) <= FAN_STEPS:  # this side is closed, the other is not
        minds.side[c] = -minds.side[c]
        steps = min(left, right)
    if steps > FAN_STEPS:  # closed all around: where it is farthest
        minds.side[c] = 1 if left_way >= right_way else -1
    return turned(want, tries(steps, minds.side[c])), ahead


@kernel()
def depth_limits(c: int, at: Vector, u: Vector, fishes: FishBodyPool, eyes: EyePool, minds: MindPool,
                 water: WaterArrays) -> tuple[float, float]:  # fmt: skip
    """Return the heights between which a fish may swim, here and a length or two ahead; eating it goes nearer to them."""
    low, high, depth = eyes.bed[c], eyes.surface[c], eyes.surface[c] - eyes.bed[c]
    length = fishes.length[c]
    for k in range(1, 3):
        surface, deep, _, _ = sample_water(water, at[0] + k * length * u[0], at[1] + k * length * u[1])
        if deep > needed_depth(c, fishes):
            low, high, depth = max(low, surface - deep), min(high, surface), min(depth, deep)
    margin = max(NEAREST_BED * fishes.height[c], min(MARGIN * length, MARGIN_SHARE * depth))
    if minds.mode[c] == Intention.EAT.value:
        margin = FEEDING_MARGIN * fishes.height[c]
    low, high = low + margin, high - margin
    if low > high:
        low = high = 0.5 * (low + high)
    return low, high


@kernel()
def kept_in_depth(u: Vector, z: float, low: float, high: float, length: float) -> Vector:
    """Return a direction with a slope that keeps a fish within its heights a length ahead."""
    flat = unit((u[0], u[1], 0.0), (1.0, 0.0, 0.0))
    slope = limited(u[2], (low - z) / (LOOK_UP * length), (high - z) / (LOOK_UP * length))
    if slope == u[2]:
        return u
    return direction(yaw_of(flat), limited(slope, -CLIMB, CLIMB))


@kernel()
def way_reach(c: int, fishes: FishBodyPool, eyes: EyePool, minds: MindPool) -> float:
    """Return how far a fish looks for a free way: a school farther than the single antenna of the book. [Tu99 6.6.1]"""
    return fishes.length[c] * (eyes.parameters[c, Eye.WAY] if minds.parameters[c, Mind.AVOID_INTENDS] == 0.0 else 1.0)
