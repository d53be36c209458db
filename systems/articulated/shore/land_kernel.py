"""How swimmers move on land: hops through the air with a rest between them, flippers that crawl, bodies that wriggle.

Nothing here is a stroke: out of the water strokes move nothing. The brain's command says how fast and where to.
"""

from __future__ import annotations

from math import atan2, cos, exp, pi, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numba import prange

from ....components.articulated.ashore import Ashore, Errand, Way
from ....components.articulated.link_plan import MOST_LINKS
from ....components.articulated.servo import NO_ORDER
from ....components.brain_modes import GoalKind
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import limited, wrapped
from ..fluid.plane_body_kernel import lay_links
from ..fluid.window_layout import FRAME
from ..stroke.playback_kernel import mean_turn

if TYPE_CHECKING:
    from ....components.articulated.ashore import AshorePool
    from ....components.articulated.links import LinkPool
    from ....components.articulated.servo import SwimPool
    from ....components.head_command import HeadCommandPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array

X, Y, ANGLE = FRAME[:3]
FIELDS = len(FRAME)
BLOCK = 16
"""Swimmers after each other in one scratch."""
HOP, CRAWL, WRIGGLE = Way.HOP.value, Way.CRAWL.value, Way.WRIGGLE.value
GOES_ASHORE, SWIMS = Errand.ASHORE.value, Errand.SWIM.value
LEAST_WISH = 0.05
"""Of its speed on land: less is standing still."""
SHORTEST_REST = 0.25
"""s between two hops."""
SHARPEST_HOP = 1.2
"""rad that one hop turns at most."""
LEAPS_WITHIN = 0.8
"""rad to its aim within which it leaps out of the water."""
FOLDS_AT = -0.2
"""Of the speed at which a hop begins: falling so fast it draws its legs in."""
POSE_TIME, STRETCH_TIME = 0.12, 0.06
"""s in which joints come to a pose, and to that of a hop."""


@kernel(refcount=False)
def middle_of(c: int, swimmers: SwimPool, links: LinkPool) -> tuple[float, float]:
    """Return x and y of the middle of the link that all others hang on."""
    half = 0.5 * links.length[swimmers.first_link[c]]
    return (swimmers.root[c, 0] - half * cos(swimmers.root[c, 2]), swimmers.root[c, 1] - half * sin(swimmers.root[c, 2]))


@kernel(refcount=False)
def has_errand(c: int, creatures: CreaturePool, ashore: AshorePool) -> bool:
    """Return whether it goes to a place of its own choice: no game tells it another."""
    free = creatures.goal_kind[c] == GoalKind.NONE and creatures.dead[c] == 0
    return free and ashore.errand[c] != SWIMS and ashore.aimed[c] != 0


@kernel(refcount=False)
def take_off(c: int, way: float, turn: float, gravity: float, swimmers: SwimPool, ashore: AshorePool) -> None:
    """Update a swimmer that begins a hop of a length, and turns by so much in it."""
    rise = sqrt(2.0 * gravity * ashore.parameters[c, Ashore.LEAP] * swimmers.length[c])
    seconds = 2.0 * rise / gravity
    facing = swimmers.root[c, 2] + turn
    swimmers.root_rate[c, 0], swimmers.root_rate[c, 1] = way / seconds * cos(facing), way / seconds * sin(facing)
    swimmers.climb[c], ashore.spin[c] = rise, turn / seconds
    ashore.flying[c] = ashore.grounded[c] = 1
    ashore.clock[c] = 0.0


@kernel(refcount=False)
def hop(c: int, wish: float, yaw: float, gravity: float, creatures: CreaturePool, swimmers: SwimPool, links: LinkPool,
        ashore: AshorePool) -> None:  # fmt: skip
    """Update one that sits: when it wants to go and has rested, it takes off, to its own aim if that is near."""
    own, length = ashore.parameters[c], swimmers.length[c]
    flight = 2.0 * sqrt(2.0 * own[Ashore.LEAP] * length / gravity)
    period = max(own[Ashore.STRIDE] / max(own[Ashore.SPEED], 1e-9), flight + SHORTEST_REST)
    if wish < LEAST_WISH * own[Ashore.SPEED] * length or ashore.clock[c] < period - flight:
        return
    way, turn = own[Ashore.STRIDE] * length * min(wish / (own[Ashore.SPEED] * length), 1.0), yaw * period
    if has_errand(c, creatures, ashore):
        x, y = middle_of(c, swimmers, links)
        dx, dy = ashore.aim[c, 0] - x, ashore.aim[c, 1] - y
        way, turn = min(way, sqrt(dx * dx + dy * dy)), wrapped(atan2(dy, dx) - swimmers.root[c, 2])
    take_off(c, way, limited(turn, -SHARPEST_HOP, SHARPEST_HOP), gravity, swimmers, ashore)


@kernel(refcount=False)
def leap_out(c: int, gravity: float, creatures: CreaturePool, swimmers: SwimPool, links: LinkPool,
             ashore: AshorePool) -> None:  # fmt: skip
    """Update one that swims to a shore or a leaf and is a hop away from it: it leaps."""
    if ashore.errand[c] != GOES_ASHORE or ashore.parameters[c, Ashore.WAY] != HOP or not has_errand(c, creatures, ashore):
        return
    x, y = middle_of(c, swimmers, links)
    dx, dy = ashore.aim[c, 0] - x, ashore.aim[c, 1] - y
    way, turn = sqrt(dx * dx + dy * dy), wrapped(atan2(dy, dx) - swimmers.root[c, 2])
    if way < ashore.parameters[c, Ashore.STRIDE] * swimmers.length[c] and abs(turn) < LEAPS_WITHIN:
        take_off(c, way, turn, gravity, swimmers, ashore)


@kernel(refcount=False)
def creep(c: int, wish: float, yaw: float, swimmers: SwimPool, ashore: AshorePool, dt: float) -> None:
    """Update one that crawls or wriggles: as fast as it wants and can, turning on the way."""
    own, length = ashore.parameters[c], swimmers.length[c]
    speed = min(wish, own[Ashore.SPEED] * length)
    if speed < LEAST_WISH * own[Ashore.SPEED] * length:
        return
    swimmers.root[c, 2] += dt * limited(yaw, -own[Ashore.TURN], own[Ashore.TURN])
    facing = swimmers.root[c, 2]
    swimmers.root_rate[c, 0], swimmers.root_rate[c, 1] = speed * cos(facing), speed * sin(facing)
    wave = ashore.wave[c] + dt * speed / (own[Ashore.STRIDE] * length)
    ashore.wave[c] = wave - np.floor(wave)


@kernel(refcount=False)
def pose_of(c: int, k: int, limp: bool, rise: float, swimmers: SwimPool, links: LinkPool, ashore: AshorePool) -> float:
    """Return the angle that a joint is to have: of sitting, of a hop, or of a wave. rise: climb of a take-off."""
    own, row, way = ashore.parameters[c], int64(swimmers.first_link[c]) + k, ashore.parameters[c, Ashore.WAY]
    if limp:
        return 0.0
    angle = ashore.rest[c, k]
    if ashore.flying[c] != 0 and swimmers.climb[c] > FOLDS_AT * rise:
        angle = ashore.stretch[c, k]
    elif way == WRIGGLE:
        angle += own[Ashore.SWING] * sin(2.0 * pi * (ashore.wave[c] - k / swimmers.link_count[c]))
    elif way == CRAWL and links.parent[row] == 0 and links.other[row] != k:
        angle += own[Ashore.SWING] * sin(2.0 * pi * ashore.wave[c])  # both alike: one goes forward, the other back
    return min(max(angle, -links.limit[row]), links.limit[row])


@kernel(refcount=False)
def move_on_land(c: int, gravity: float, creatures: CreaturePool, heads: HeadCommandPool, swimmers: SwimPool,
                 links: LinkPool, ashore: AshorePool, frame: Array, dt: float) -> None:  # fmt: skip
    """Update one swimmer on land, or in a hop, over a tick."""
    first, n = int64(swimmers.first_link[c]), int64(swimmers.link_count[c])
    limp, way = creatures.dead[c] != 0, ashore.parameters[c, Ashore.WAY]
    still = limp or swimmers.told[c] != NO_ORDER
    wish, yaw = (0.0, 0.0) if still else (max(heads.speed[c], 0.0), heads.yaw_rate[c])
    push_root(c, first, n, swimmers, links, dt)
    facing = swimmers.root[c, 2]
    if ashore.flying[c] != 0:
        swimmers.root[c, 2] += dt * ashore.spin[c]
    elif way == HOP:
        ashore.clock[c] = min(ashore.clock[c] + dt, 1.0e6)
        hop(c, wish, yaw, gravity, creatures, swimmers, links, ashore)
    elif way == CRAWL or way == WRIGGLE:
        creep(c, wish, yaw, swimmers, ashore, dt)
    swimmers.root_rate[c, 2] = (swimmers.root[c, 2] - facing) / dt
    swimmers.root[c, 0] += dt * swimmers.root_rate[c, 0]
    swimmers.root[c, 1] += dt * swimmers.root_rate[c, 1]
    rise = sqrt(2.0 * gravity * ashore.parameters[c, Ashore.LEAP] * swimmers.length[c])
    come = 1.0 - exp(-dt / (STRETCH_TIME if ashore.flying[c] != 0 else POSE_TIME))
    for k in range(1, n):
        row, before = first + k, links.angle[first + k]
        links.wanted[row] = pose_of(c, k, limp, rise, swimmers, links, ashore)
        links.angle[row] = before + come * (links.wanted[row] - before)
        links.rate[row], links.wanted_rate[row], links.torque[row] = (links.angle[row] - before) / dt, 0.0, 0.0
    swimmers.swum[c] = 0.0  # in the water it begins its stroke anew
    swimmers.heading[c] = swimmers.root[c, 2]
    if swimmers.plane[c] != 0:
        swimmers.heading[c] += mean_turn(first, n, links, False)
        lay_links(first, n, swimmers.root[c, 0], swimmers.root[c, 1], swimmers.root[c, 2], links, frame)
        for k in range(n):
            links.place[first + k, 0], links.place[first + k, 1] = frame[k, X], frame[k, Y]
            links.place[first + k, 2] = frame[k, ANGLE]


@kernel(refcount=False)
def push_root(c: int, first: int, n: int, swimmers: SwimPool, links: LinkPool, dt: float) -> None:
    """Update the speed of a body on land by what pushes its links."""
    mass, fx, fy = 0.0, 0.0, 0.0
    for row in range(first, first + n):
        mass += links.mass[row]
        fx += links.push[row, 0]
        fy += links.push[row, 1]
    swimmers.root_rate[c, 0] += dt * fx / mass
    swimmers.root_rate[c, 1] += dt * fy / mass


@kernel(parallel=True)
def leave_water(rows: Array, gravity: float, creatures: CreaturePool, swimmers: SwimPool, links: LinkPool,
                ashore: AshorePool) -> None:  # fmt: skip
    """Update those of the listed swimmers that leap out of the water now."""
    for r in prange(rows.size):
        c = int64(rows[r])
        if ashore.grounded[c] == 0:
            leap_out(c, gravity, creatures, swimmers, links, ashore)


@kernel(parallel=True)
def step_on_land(rows: Array, gravity: float, creatures: CreaturePool, heads: HeadCommandPool, swimmers: SwimPool,
                 links: LinkPool, ashore: AshorePool, dt: float) -> None:  # fmt: skip
    """Update the listed swimmers, all of them on land or in a hop, over a tick."""
    blocks = (rows.size + BLOCK - 1) // BLOCK
    for block in prange(blocks):
        frame = np.empty((MOST_LINKS, FIELDS))
        for r in range(BLOCK * block, min(BLOCK * (block + 1), rows.size)):
            move_on_land(int64(rows[r]), gravity, creatures, heads, swimmers, links, ashore, frame, dt)
