"""What leads swimmers between water and land: the stranded go back, some species come ashore to sit for a while."""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.articulated.ashore import Ashore, Errand, Way
from ....components.brain import Brain
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import limited, wrapped
from ....engine.terrain.ground_kernel import ground_elevation
from ....engine.water.sample_kernel import sample_water
from ...senses.random_stream_kernel import advance, uniform
from .land_kernel import middle_of

if TYPE_CHECKING:
    from ....components.articulated.ashore import AshorePool
    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....components.brain import BrainPool
    from ....engine.kernel_types import Array
    from ...body_surroundings import BodySurroundings

SWIM, GOES_ASHORE, SIT, BACK = (one.value for one in Errand)
LIE, HOP = Way.LIE.value, Way.HOP.value
DIRECTIONS, RINGS = 16, 24
NEAREST, SPACING = 0.5, 0.5
"""Lengths: the nearest ring of places that it looks at, and from one ring to the next."""
FARTHER = 0.5
"""Lengths beyond the first such place that it goes to, so that all of it is there."""
AFLOAT_IN = 3.0
"""Half heights of water in which it swims."""
LOW_SHORE = 0.6
"""Lengths above the water: a higher bank is none to sit on."""
SEAT = 0.2
"""Lengths: radius of the smallest leaf that carries it."""
ARRIVED = 0.5
"""Lengths from its aim at which it is there."""
LONGEST_WAY = 40.0
"""s after which it gives an errand up."""
ASKS_AGAIN = 10.0
"""s until it looks for a shore or for water again."""
TURNS = 2.0
"""1/s: turning rate per angle to its aim, on land."""
TAKES_LEAF = 0.6
"""Of those who see a leaf and a shore: go to the leaf."""


@kernel(refcount=False)
def inside(x: float, y: float, margin: float, bounds: Array) -> bool:
    """Return whether a place is on the map, so far from its edge."""
    return bounds[0] + margin < x < bounds[2] - margin and bounds[1] + margin < y < bounds[3] - margin


@kernel(refcount=False)
def fits(x: float, y: float, wet: bool, thick: float, length: float, world: BodySurroundings) -> bool:
    """Return whether a place is water to swim in, or land to sit on that is not high above the water."""
    _, depth, _, _ = sample_water(world.water, x, y)
    if wet:
        return depth > AFLOAT_IN * thick
    return depth <= 0.0 and inside(x, y, length, world.bounds)


@kernel(refcount=False)
def find_place(c: int, wet: bool, thick: float, swimmers: SwimPool, links: LinkPool, ashore: AshorePool,
               world: BodySurroundings) -> bool:  # fmt: skip
    """Update the aim of a swimmer to the nearest place in the water, or on land; return whether there is one."""
    length = swimmers.length[c]
    x0, y0 = middle_of(c, swimmers, links)
    level = swimmers.height[c]
    for ring in range(RINGS):
        reach = (NEAREST + SPACING * ring) * length
        for k in range(DIRECTIONS):
            angle = swimmers.root[c, 2] + 2.0 * pi * k / DIRECTIONS
            dx, dy = cos(angle), sin(angle)
            x, y = x0 + reach * dx, y0 + reach * dy
            if not fits(x, y, wet, thick, length, world):
                continue
            if not wet and ground_elevation(world.ground, x, y) > level + LOW_SHORE * length + thick:
                continue
            farther = reach + FARTHER * length
            if fits(x0 + farther * dx, y0 + farther * dy, wet, thick, length, world):
                x, y = x0 + farther * dx, y0 + farther * dy
            ashore.aim[c, 0], ashore.aim[c, 1], ashore.aim[c, 2] = x, y, ground_elevation(world.ground, x, y)
            ashore.aimed[c] = 1
            return True
    ashore.aimed[c] = 0
    return False


@kernel(refcount=False)
def find_leaf(c: int, swimmers: SwimPool, links: LinkPool, ashore: AshorePool, leaves: Array) -> bool:
    """Update the aim of a swimmer to the nearest leaf that carries it, as far as it looks; return whether there is one."""
    x0, y0 = middle_of(c, swimmers, links)
    length = swimmers.length[c]
    nearest, found = (NEAREST + SPACING * RINGS) * length, -1
    for k in range(leaves.shape[0]):
        away = sqrt((leaves[k, 0] - x0) ** 2 + (leaves[k, 1] - y0) ** 2)
        if leaves[k, 2] >= SEAT * length and away < nearest:
            nearest, found = away, k
    if found < 0:
        return False
    for axis in range(2):
        ashore.aim[c, axis] = leaves[found, axis]
    ashore.aim[c, 2] = leaves[found, 3]
    ashore.aimed[c] = 1
    return True


@kernel(refcount=False)
def begin(c: int, errand: int, seconds: float, ashore: AshorePool) -> None:
    """Update what a swimmer is about, and for how long."""
    ashore.errand[c], ashore.due[c] = errand, seconds


@kernel(refcount=False)
def some_of(c: int, mean: float, brains: BrainPool) -> float:
    """Return a time about a mean."""
    brains.stream[c] = advance(brains.stream[c])
    return uniform(brains.stream[c], 0.5 * mean, 1.5 * mean)


@kernel(refcount=False)
def choose_errand(c: int, thick: float, brains: BrainPool, swimmers: SwimPool, links: LinkPool, ashore: AshorePool,
                  leaves: Array, world: BodySurroundings, dt: float) -> None:  # fmt: skip
    """Update what a swimmer is about: its wish for land, its stay there, and its way back."""
    own, on_land = ashore.parameters[c], ashore.grounded[c] != 0
    ashore.due[c] = max(ashore.due[c] - dt, 0.0)
    over, errand = ashore.due[c] == 0.0, ashore.errand[c]
    if errand == SWIM and on_land:
        find_place(c, True, thick, swimmers, links, ashore, world)
        begin(c, BACK, ASKS_AGAIN, ashore)
    elif errand == SWIM:
        if over and own[Ashore.SWIM_TIME] > 0.0:
            brains.stream[c] = advance(brains.stream[c])
            leaf = own[Ashore.WAY] == HOP and uniform(brains.stream[c], 0.0, 1.0) < TAKES_LEAF
            if (leaf and find_leaf(c, swimmers, links, ashore, leaves)) or find_place(
                c, False, thick, swimmers, links, ashore, world
            ):
                begin(c, GOES_ASHORE, LONGEST_WAY, ashore)
            else:
                begin(c, SWIM, ASKS_AGAIN, ashore)
    elif errand == GOES_ASHORE:
        x, y = middle_of(c, swimmers, links)
        away = sqrt((ashore.aim[c, 0] - x) ** 2 + (ashore.aim[c, 1] - y) ** 2)
        if on_land and ashore.flying[c] == 0 and (over or away < ARRIVED * swimmers.length[c]):
            begin(c, SIT, some_of(c, own[Ashore.SIT_TIME], brains), ashore)
        elif over:
            begin(c, SWIM, ASKS_AGAIN, ashore)
    elif not on_land:
        begin(c, SWIM, some_of(c, own[Ashore.SWIM_TIME], brains) if own[Ashore.SWIM_TIME] > 0.0 else 0.0, ashore)
    elif over:
        find_place(c, True, thick, swimmers, links, ashore, world)
        begin(c, BACK, ASKS_AGAIN, ashore)


@kernel(refcount=False)
def wish_shore(c: int, brains: BrainPool, swimmers: SwimPool, links: LinkPool, ashore: AshorePool) -> tuple[float, float]:
    """Return the speed and the turning rate that lead a swimmer to its aim; one that sits or lies wants neither."""
    if ashore.errand[c] == SIT or ashore.parameters[c, Ashore.WAY] == LIE:
        return 0.0, 0.0
    x, y = middle_of(c, swimmers, links)
    facing = swimmers.root[c, 2] - brains.swing[c]
    away = wrapped(atan2(ashore.aim[c, 1] - y, ashore.aim[c, 0] - x) - facing)
    gain, limit = min(TURNS, brains.turn_gain[c]), brains.turn_rate[c]
    return brains.parameters[c, Brain.SPEED], limited(gain * away, -limit, limit)


@kernel(parallel=True)
def plan_shores(rows: Array, brains: BrainPool, swimmers: SwimPool, links: LinkPool, ashore: AshorePool, leaves: Array,
                world: BodySurroundings, wishes: Array, dt: float) -> None:  # fmt: skip
    """Update what the listed swimmers are about, and `wishes` (n, 3): whether that leads them, speed, turning rate."""
    for r in prange(rows.size):
        c = int64(rows[r])
        first, thick = int64(swimmers.first_link[c]), 0.0
        for row in range(first, first + swimmers.link_count[c]):
            thick = max(thick, links.height[row, 0], links.height[row, 1])
        choose_errand(c, thick, brains, swimmers, links, ashore, leaves, world, dt)
        leads = ashore.errand[c] == SIT or (ashore.errand[c] != SWIM and ashore.aimed[c] != 0)
        wishes[r, 0] = 1.0 if leads else 0.0
        if leads:
            wishes[r, 1], wishes[r, 2] = wish_shore(c, brains, swimmers, links, ashore)
