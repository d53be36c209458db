"""What swimmers want of their stroke: from the command of the brain, or from a path. [Tan11 5] [swimmer 4.3]

On a path a swimmer aims at a point ahead and blends its turn in proportion to the angle to it, once per cycle. The published
rule, which switches between straight and full turns, is there beside it.
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.articulated.servo import NO_ORDER
from ....components.brain import Brain
from ....components.brain_modes import GoalKind, Memory
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import wrapped
from ..window_policy_kernel import in_box
from .line_kernel import line_of, range_of
from .stroke_kernel import DOWN, LEFT, NONE, RIGHT, STRAIGHT, UP, beat, row_of, turn_row, write_wanted

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.manoeuvres import ManoeuvrePool
    from ....components.articulated.servo import SwimPool
    from ....components.brain import BrainPool
    from ....components.head_command import HeadCommandPool
    from ....components.paths import PathPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array

NOT_FOUND = -1
SEARCHED = 2.0
"""Lengths of path ahead in which the nearest point is looked for: the other arm of an S may be nearer.
[articulated-swimmers 7.17]"""
NEAR_PATH = 0.1
ALONG_PATH = 0.15
"""Lengths beside the path, and share of its direction across, that the published rule does not mind.
[articulated-swimmers 7.13]"""
SLOW = 0.02
"""Of its own speed: less is standing still."""
TURNING_EFFORT = 1.0
"""Of the stroke that a full turn on the spot takes: half a stroke leaves a tenth of the turn."""
EFFORT_POWER = 0.6
"""Of a share of the speed: the effort for it, before a swimmer knows better. In fluid windows speeds fall with the 1.3rd
(eel) to the 2.5th (turtle) power of the effort."""
LEARNED = 0.25
"""Power of the wrong that is made up for per cycle: no swimmer overshoots with it, gliding ones included."""
MOST_WRONG, MOST_TRIM = 2.0, 3.0
"""Times the wished speed that one cycle counts, and times the effort of the rule that experience adds up to."""
BRAKES_AT = 0.5
"""Radii before the end of a path at which it comes to rest, as at any goal."""
ENDLESS = 1.0e300
"""Length of a path in a loop."""


@kernel(refcount=False)
def path_of(c: int, spans: Array, paths: PathPool, creatures: CreaturePool) -> tuple[int, int]:
    """Return the first row and the number of points of the path that a creature follows, or NOT_FOUND and 0."""
    for k in range(spans.shape[0]):
        first = int64(spans[k, 0])
        if paths.creature_row[first] == c and paths.owner[first] == creatures.owner[c]:
            return first, int64(spans[k, 1])
    return NOT_FOUND, 0


@kernel(refcount=False)
def path_length(first: int, count: int, point: Array) -> float:
    """Return the length of a path from its first point to its last."""
    total = 0.0
    for a in range(first, first + count - 1):
        dx, dy = point[a + 1, 0] - point[a, 0], point[a + 1, 1] - point[a, 1]
        total += sqrt(dx * dx + dy * dy)
    return total


@kernel(refcount=False)
def nearest_on_path(x: float, y: float, first: int, count: int, loop: bool, start: float, reach: float,
                    point: Array) -> float:  # fmt: skip
    """Return how far along a path the point is that is nearest, looking from `start` on for `reach`.

    A path in a loop is looked at twice around, so that one can look across its beginning.
    """
    best, found, at = 1.0e300, start, 0.0
    for i in range(2 * count if loop else count - 1):
        a, b = first + i % count, first + (i + 1) % count
        dx, dy = point[b, 0] - point[a, 0], point[b, 1] - point[a, 1]
        length = sqrt(dx * dx + dy * dy)
        low, high = max(start - at, 0.0), min(start + reach - at, length)
        if length > 0.0 and low <= high:
            s = ((x - point[a, 0]) * dx + (y - point[a, 1]) * dy) / length
            s = min(max(s, low), high)
            px, py = point[a, 0] + s * dx / length - x, point[a, 1] + s * dy / length - y
            if px * px + py * py < best:
                best, found = px * px + py * py, at + s
        at += length
    return found


@kernel(refcount=False)
def point_on_path(s: float, first: int, count: int, loop: bool, point: Array) -> tuple[float, float, float, float, int]:
    """Return x and y at a distance along a path, the direction there, and the number of the point that comes next.

    Beyond the end of an open path it goes straight on.
    """
    at, last = 0.0, count if loop else count - 1
    for i in range(last):
        a, b = first + i, first + (i + 1) % count
        dx, dy = point[b, 0] - point[a, 0], point[b, 1] - point[a, 1]
        length = sqrt(dx * dx + dy * dy)
        if length > 0.0 and (s <= at + length or i == last - 1):
            part = (s - at) / length
            return point[a, 0] + part * dx, point[a, 1] + part * dy, dx / length, dy / length, (i + 1) % count
        at += length
    return point[first, 0], point[first, 1], 1.0, 0.0, 0


@kernel(refcount=False)
def blend_toward(x: float, y: float, heading: float, tx: float, ty: float, within: float) -> float:
    """Return the steering toward a point: the angle to it as a share of `within`. [swimmer 4.3]"""
    error = atan2(ty - y, tx - x) - heading
    error = wrapped(error)
    return min(max(error / within, -1.0), 1.0)


@kernel(refcount=False)
def switch_toward(x: float, y: float, heading: float, px: float, py: float, dx: float, dy: float, length: float) -> float:
    """Return the steering of the published rule, -1, 0 or 1, from the nearest point of a path and its direction there.

    [articulated-swimmers 2.10, 7.14]
    """
    aside = ((py - y) * cos(heading) - (px - x) * sin(heading)) / (NEAR_PATH * length)
    across = (dy * cos(heading) - dx * sin(heading)) / ALONG_PATH
    if abs(across) < 1.0:
        return 0.0 if abs(aside) < 2.0 else (1.0 if aside > 0.0 else -1.0)
    if abs(aside) < 1.0 or aside * across > 0.0:
        return 1.0 if across > 0.0 else -1.0
    return 0.0  # it comes nearer already


@kernel(refcount=False)
def follow_path(c: int, spans: Array, paths: PathPool, creatures: CreaturePool, swimmers: SwimPool,
                manoeuvres: ManoeuvrePool) -> bool:  # fmt: skip
    """Update the steering of a swimmer from its path, and how far it has come on it; return whether there is one."""
    first, count = path_of(c, spans, paths, creatures)
    if first == NOT_FOUND or count < 2:
        return False
    x, y, heading = line_of(c, swimmers, manoeuvres)
    length, loop = swimmers.length[c], paths.loop[first] != 0
    point = paths.point
    whole = opened = path_length(first, count, point)
    if loop:
        dx, dy = point[first, 0] - point[first + count - 1, 0], point[first, 1] - point[first + count - 1, 1]
        whole = opened + sqrt(dx * dx + dy * dy)
    if paths.place[first] == 0 and (not loop or swimmers.path_at[c] < opened):
        swimmers.path_at[c] = 0.0  # a path that it has just been told
    at = nearest_on_path(x, y, first, count, loop, swimmers.path_at[c], SEARCHED * length, point)
    at = at - whole if loop and at >= whole else at
    swimmers.path_at[c] = at
    px, py, dx, dy, following = point_on_path(at, first, count, loop, point)
    if at > 0.0:
        paths.place[first] = following  # also for those who keep the orders: it may pass a point at a distance
    ahead = at + swimmers.look_ahead[c] * length
    tx, ty, _, _, _ = point_on_path(ahead - whole if loop and ahead > whole else ahead, first, count, loop, point)
    if swimmers.switches[c] != 0:
        swimmers.wish_steer[c] = switch_toward(x, y, heading, px, py, dx, dy, length)
    else:
        swimmers.wish_steer[c] = blend_toward(x, y, heading, tx, ty, range_of(c, swimmers, manoeuvres))
    return True


@kernel(refcount=False)
def speed_on_path(c: int, whole: float, swimmers: SwimPool, creatures: CreaturePool, brains: BrainPool) -> float:
    """Return the speed that a swimmer is to have on a path of a length: it slows down at its end, not at its points."""
    own, speed = brains.parameters[c], creatures.goal_speed[c]
    full = speed if speed > 0.0 else own[Brain.SPEED]
    left = whole - swimmers.path_at[c] - BRAKES_AT * creatures.goal_radius[c]
    return min(full, max(own[Brain.ARRIVE_GAIN] * left, 0.0))


@kernel(refcount=False)
def obey_brain(c: int, speed: float, turning: float, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> None:
    """Update effort and steering from the speed and the turning that are wanted, by what the strokes were measured at.

    A turn takes a stroke: who is to turn on the spot beats, too.
    """
    pace = swimmers.pace[c]
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    turn, _ = turn_row(c, turning, swimmers, manoeuvres)
    steer = 0.0
    if turn != NONE:
        most = abs(manoeuvres.yaw[turn]) * pace
        steer = min(max(turning / max(most, 1e-9), -1.0), 1.0)
    most = swimmers.climb_speed[c] * swimmers.length[c] * pace
    if not in_box(c, swimmers):  # there it pitches in earnest, as its height asks for
        swimmers.wish_rise[c] = min(max(swimmers.climb[c] / max(most, 1e-9), -1.0), 1.0)
    swimmers.wish_steer[c] = steer
    own = manoeuvres.speed[straight] * pace * swimmers.length[c]
    swimmers.wish_effort[c] = effort_for(speed, steer, own, swimmers.effort_trim[c])


@kernel(refcount=False)
def effort_for(speed: float, steer: float, own: float, trim: float) -> float:
    """Return the share of the stroke for a speed, given that of the whole stroke and what experience adds to the rule."""
    share = speed / max(abs(own), 1e-9)
    if share >= 1.0 or share <= -1.0:
        effort = 1.0 if share > 0.0 else -1.0
    elif abs(share) < SLOW:
        effort = 0.0
    else:
        effort = min(trim * abs(share) ** EFFORT_POWER, 1.0)
        effort = effort if share > 0.0 else -effort
    if abs(effort) < TURNING_EFFORT * abs(steer) and abs(steer) > SLOW:
        effort = -TURNING_EFFORT * abs(steer) if effort < 0.0 else TURNING_EFFORT * abs(steer)
    return effort


@kernel(refcount=False)
def learn(c: int, speed: float, begun: bool, swimmers: SwimPool, manoeuvres: ManoeuvrePool, dt: float) -> None:
    """Update the effort that a swimmer has found out for the wished speed, when a cycle begins: by its last cycle.

    Speed falls faster than the stroke, each body and each water in its own way: so the wished speed is reached in all.
    """
    swimmers.went[c, 0] += dt * swimmers.root_rate[c, 0]
    swimmers.went[c, 1] += dt * swimmers.root_rate[c, 1]
    swimmers.went_seconds[c] += dt
    if not begun:
        return
    own = own_speed(c, swimmers, manoeuvres)
    swum = sqrt(swimmers.went[c, 0] ** 2 + swimmers.went[c, 1] ** 2) / max(swimmers.went_seconds[c], 1e-9)
    if SLOW * own < speed < own and swimmers.swum[c] > swimmers.went_seconds[c]:
        wrong = min(max(speed / max(swum, 1e-9), 1.0 / MOST_WRONG), MOST_WRONG)
        swimmers.effort_trim[c] = min(max(swimmers.effort_trim[c] * wrong**LEARNED, 1.0 / MOST_TRIM), MOST_TRIM)
    swimmers.went[c, 0] = swimmers.went[c, 1] = swimmers.went_seconds[c] = 0.0


@kernel(refcount=False)
def own_speed(c: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> float:
    """Return the speed that its straight stroke was measured at, units per second."""
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    return abs(manoeuvres.speed[straight]) * swimmers.pace[c] * swimmers.length[c]


@kernel(refcount=False)
def obey_order(c: int, told: int, swimmers: SwimPool) -> None:
    """Update the wishes of a swimmer that a game has told to do one manoeuvre."""
    swimmers.wish_effort[c] = 1.0
    swimmers.wish_steer[c] = 1.0 if told == LEFT else (-1.0 if told == RIGHT else 0.0)
    swimmers.wish_rise[c] = 1.0 if told == UP else (-1.0 if told == DOWN else 0.0)


@kernel(refcount=False)
def obey(c: int, begun: bool, spans: Array, paths: PathPool, creatures: CreaturePool, commands: HeadCommandPool,
         brains: BrainPool, swimmers: SwimPool, manoeuvres: ManoeuvrePool, dt: float) -> None:  # fmt: skip
    """Update the wishes of a swimmer from the command of its brain, or from the path that it follows.

    On a path steering is chosen anew when a cycle begins; what its eyes warn of slows it down there, too.
    """
    speed, turning = commands.speed[c], commands.yaw_rate[c]
    steer, on_path = swimmers.wish_steer[c], creatures.goal_kind[c] == GoalKind.PATH
    learn(c, swimmers.wish_speed[c], begun, swimmers, manoeuvres, dt)
    if not on_path:
        swimmers.path_at[c] = 0.0
    elif begun:
        on_path = follow_path(c, spans, paths, creatures, swimmers, manoeuvres)
        steer = swimmers.wish_steer[c]
    if on_path:
        first, count = path_of(c, spans, paths, creatures)
        if count >= 2 and brains.memory[c, Memory.TURN] == 0.0:
            whole = ENDLESS if paths.loop[first] != 0 else path_length(first, count, paths.point)
            speed = speed_on_path(c, whole, swimmers, creatures, brains)
    swimmers.wish_speed[c] = speed
    obey_brain(c, speed, turning, swimmers, manoeuvres)
    if on_path:
        swimmers.wish_steer[c] = steer


@kernel(parallel=True)
def tell_servos(rows: Array, spans: Array, paths: PathPool, creatures: CreaturePool, commands: HeadCommandPool,
                brains: BrainPool, swimmers: SwimPool, links: LinkPool, manoeuvres: ManoeuvrePool,
                dt: float) -> None:  # fmt: skip
    """Update strokes of the listed swimmers over a tick: what they want, phase and blend, and what their servos are to do.

    The dead want nothing; spans are those of the paths.
    """
    for r in prange(rows.size):
        c = int64(rows[r])
        begun = beat(c, swimmers, manoeuvres, dt)
        told = int64(swimmers.told[c])
        if creatures.dead[c] != 0:
            swimmers.wish_effort[c] = swimmers.wish_steer[c] = swimmers.wish_rise[c] = 0.0
        elif told != NO_ORDER:
            obey_order(c, told, swimmers)
        else:
            obey(c, begun, spans, paths, creatures, commands, brains, swimmers, manoeuvres, dt)
        write_wanted(c, swimmers, links, manoeuvres)
