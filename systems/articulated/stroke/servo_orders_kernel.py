"""What swimmers want of their stroke: from the command of the brain, or from a path. [Tan11 5] [swimmer 4.3]

On a path a swimmer aims at a point ahead and blends its turn in proportion to the angle to it, once per cycle. The published
rule, which switches between straight and full turns, is there beside it.
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....components.articulated.manoeuvres import CYCLE_STEPS
from ....components.articulated.servo import NO_ORDER
from ....components.brain_modes import GoalKind
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import wrapped
from .stroke_kernel import DOWN, LEFT, NONE, RIGHT, STRAIGHT, UP, beat, row_of, turn_row, write_wanted

if TYPE_CHECKING:
    from ....components.articulated.links import LinkPool
    from ....components.articulated.manoeuvres import ManoeuvrePool
    from ....components.articulated.servo import SwimPool
    from ....components.head_command import HeadCommandPool
    from ....components.paths import PathPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array, Vector

NOT_FOUND = -1
SURGE, SWAY, YAW = 0, 1, 5
SEARCHED = 2.0
"""Lengths of path ahead in which the nearest point is looked for: the other arm of an S may be nearer.
[articulated-swimmers 7.17]"""
NEAR_PATH = 0.1
ALONG_PATH = 0.15
"""Lengths beside the path, and share of its direction across, that the published rule does not mind.
[articulated-swimmers 7.13]"""
SLOW = 0.02
"""Of its own speed: less is standing still."""
MADE_UP = 0.75
"""Of a heading error that is to be gone after a cycle: more overshoots, because a turn is chosen once per cycle."""
LEAST_RANGE = 0.05
"""rad of heading error that a full turn is worth at least."""
TURNING_EFFORT = 0.5
"""Of the stroke that a full turn on the spot takes."""


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
def range_of(c: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> float:
    """Return the heading error at which a swimmer turns as it can: its own, or by what its turn does per cycle."""
    turn, _ = turn_row(c, 1.0, swimmers, manoeuvres)
    if swimmers.steer_range[c] > 0.0 or turn == NONE:
        return max(swimmers.steer_range[c], LEAST_RANGE)
    return max(abs(manoeuvres.yaw[turn]) * manoeuvres.period[turn] / MADE_UP, LEAST_RANGE)


@kernel(refcount=False)
def line_of(c: int, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> Vector:
    """Return x and y of the line that a swimmer is on, and its direction: head and heading without the swing of the stroke.

    At the beginning of a cycle, where it steers, the recorded cycle says how far head and heading are off their means.
    """
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    cycle, step = manoeuvres.cycle[straight], manoeuvres.period[straight] / CYCLE_STEPS
    surge, sway, yaw = 0.0, 0.0, 0.0
    for i in range(CYCLE_STEPS):
        surge += cycle[i, SURGE] / CYCLE_STEPS
        sway += cycle[i, SWAY] / CYCLE_STEPS
        yaw += cycle[i, YAW] / CYCLE_STEPS
    aside, turned, mean_aside, mean_turned = 0.0, 0.0, 0.0, 0.0
    for i in range(CYCLE_STEPS):
        j = (i + 1) % CYCLE_STEPS
        mean_aside += aside / CYCLE_STEPS
        mean_turned += turned / CYCLE_STEPS
        aside += step * (0.5 * (cycle[i, SWAY] + cycle[j, SWAY]) - sway)
        turned += step * (0.5 * (cycle[i, YAW] + cycle[j, YAW]) - yaw)
    heading = swimmers.heading[c] + mean_turned + atan2(sway, max(surge, 1e-9))
    left = mean_aside * swimmers.length[c]
    return swimmers.root[c, 0] - left * sin(heading), swimmers.root[c, 1] + left * cos(heading), heading


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
def obey_brain(c: int, commands: HeadCommandPool, swimmers: SwimPool, manoeuvres: ManoeuvrePool) -> None:
    """Update effort and steering from the speed and the turning that the brain wants, by what the strokes were measured at.

    A turn takes a stroke: who is to turn on the spot beats, too.
    """
    pace, speed, turning = swimmers.pace[c], commands.speed[c], commands.yaw_rate[c]
    straight = row_of(c, STRAIGHT, swimmers, manoeuvres)
    turn, _ = turn_row(c, turning, swimmers, manoeuvres)
    steer = 0.0
    if turn != NONE:
        most = abs(manoeuvres.yaw[turn]) * pace
        steer = min(max(turning / max(most, 1e-9), -1.0), 1.0)
    most = swimmers.climb_speed[c] * swimmers.length[c] * pace
    swimmers.wish_rise[c] = min(max(swimmers.climb[c] / max(most, 1e-9), -1.0), 1.0)
    swimmers.wish_steer[c] = steer
    swimmers.wish_effort[c] = effort_for(speed, steer, manoeuvres.speed[straight] * pace * swimmers.length[c])


@kernel(refcount=False)
def effort_for(speed: float, steer: float, own: float) -> float:
    """Return the share of the stroke for a speed, given that of the whole stroke."""
    effort = min(max(speed / max(abs(own), 1e-9), -1.0), 1.0)
    if abs(effort) < max(SLOW, TURNING_EFFORT * abs(steer)):
        effort = TURNING_EFFORT * abs(steer) if abs(steer) > SLOW else 0.0
    return effort


@kernel(refcount=False)
def obey_order(c: int, told: int, swimmers: SwimPool) -> None:
    """Update the wishes of a swimmer that a game has told to do one manoeuvre."""
    swimmers.wish_effort[c] = 1.0
    swimmers.wish_steer[c] = 1.0 if told == LEFT else (-1.0 if told == RIGHT else 0.0)
    swimmers.wish_rise[c] = 1.0 if told == UP else (-1.0 if told == DOWN else 0.0)


@kernel(parallel=True)
def tell_servos(rows: Array, spans: Array, paths: PathPool, creatures: CreaturePool, commands: HeadCommandPool,
                swimmers: SwimPool, links: LinkPool, manoeuvres: ManoeuvrePool, dt: float) -> None:  # fmt: skip
    """Update strokes of the listed swimmers over a tick: what they want, phase and blend, and what their servos are to do.

    On a path steering is chosen anew when a cycle begins. The dead want nothing; spans are those of the paths.
    """
    for r in prange(rows.size):
        c = int64(rows[r])
        begun = beat(c, swimmers, manoeuvres, dt)
        told = int64(swimmers.told[c])
        on_path = creatures.goal_kind[c] == GoalKind.PATH
        if not on_path:
            swimmers.path_at[c] = 0.0
        if creatures.dead[c] != 0:
            swimmers.wish_effort[c] = swimmers.wish_steer[c] = swimmers.wish_rise[c] = 0.0
        elif told != NO_ORDER:
            obey_order(c, told, swimmers)
        else:
            steer = swimmers.wish_steer[c]
            obey_brain(c, commands, swimmers, manoeuvres)
            if on_path:
                own = swimmers.wish_steer[c]
                swimmers.wish_steer[c] = steer
                if begun and not follow_path(c, spans, paths, creatures, swimmers, manoeuvres):
                    swimmers.wish_steer[c] = own
        write_wanted(c, swimmers, links, manoeuvres)
