"""What is around a swimmer: water and its current, pushes, the bed, rocks, the edge of the map, and the height it keeps."""

from __future__ import annotations

from math import atan2, cos, exp, sin, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ...components.articulated.ashore import Ashore
from ...components.articulated.manoeuvres import Manoeuvre
from ...components.articulated.servo import Tilt
from ...components.brain import UNLIMITED_TURN
from ...components.brain_modes import GoalKind
from ...components.segments import Push
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.terrain.ground_kernel import sample_ground
from ...engine.turn_kernel import axes_of_quaternion
from ..breath_kernel import seconds_in_air
from ..spatial_index.wall_contact_kernel import WALLS, wall_contact
from ..water.water_around_kernel import level_around, mean_stream
from .shore.land_kernel import middle_of
from .shore.wetness_kernel import SHORE, feel_wetness
from .stroke.line_kernel import tell_brain
from .window_policy_kernel import in_box

if TYPE_CHECKING:
    from ...components.articulated.ashore import AshorePool
    from ...components.articulated.links import LinkPool
    from ...components.articulated.manoeuvres import ManoeuvrePool
    from ...components.articulated.servo import SwimPool
    from ...components.body import BodyPool
    from ...components.brain import BrainPool
    from ...components.segments import SegmentPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array
    from ...engine.water.pond_layout import WaterArrays
    from ..body_surroundings import BodySurroundings

LARGEST_MOVE = 0.05  # lengths per tick out of what it is in
ON_GROUND = 0.2  # half heights: a goal so near to the bed has been told without a height
CLIMB_TIME = 0.4  # s in which it has most of the climb that it wants
HEIGHT_GAIN = 1.0  # 1/s: climb per height that is missing
STEEPEST = 0.45  # rad of pitch that a climb shows
TILT_TIME = 0.5  # s
MOST_RISE = 0.5  # of a pitch stroke in a box: all of it would stop a ray and turn it over
RISE_RANGE = 1.0  # rad of pitch that is missing from which on a swimmer in a box pitches as it can
LAND_FRICTION = 4.0  # 1/s that it loses of its speed, lying on the ground
LEAF_CATCHES = 0.3  # lengths below a leaf from which a body that falls is still on it
DRIFT_UP = 0.04  # lengths per second that the dead rise


@kernel(refcount=False)
def feel_push(c: int, swimmers: SwimPool, links: LinkPool, bodies: BodyPool, segments: SegmentPool, dt: float) -> None:
    """Update the pushes on links from those on segments, and the climb: what gives a segment a speed gives it to its link.

    A slab of water one unit deep weighs something else than the segment, so forces go over by mass.
    """
    first, head = int64(swimmers.first_link[c]), int64(bodies.first_segment[c])
    for row in range(first, first + swimmers.link_count[c]):
        links.push[row, 0] = links.push[row, 1] = links.push[row, 2] = 0.0
        if links.segment[row] >= 0:
            i = head + int64(links.segment[row])
            share = links.mass[row] / max(segments.mass[i], 1e-12)
            links.push[row, 0] = share * segments.push[i, Push.FX]
            links.push[row, 1] = share * segments.push[i, Push.FY]
            links.push[row, 2] = share * segments.push[i, Push.TZ]
    mass, lift = 0.0, 0.0
    for i in range(head, head + bodies.segment_count[c]):
        mass += segments.mass[i]
        lift += segments.push[i, Push.FZ]
    if lift != 0.0 and not in_box(c, swimmers):
        swimmers.climb[c] += dt * lift / max(mass, 1e-12)


@kernel(refcount=False)
def feel_stream(c: int, swimmers: SwimPool, bodies: BodyPool, segments: SegmentPool) -> None:
    """Update the velocity of the water around a swimmer.

    What it moves at against the ground stays as it was: a current that begins does not carry it along at once.
    """
    u, v, _ = mean_stream(c, bodies, segments)
    swimmers.root_rate[c, 0] += swimmers.stream[c, 0] - u
    swimmers.root_rate[c, 1] += swimmers.stream[c, 1] - v
    swimmers.stream[c, 0], swimmers.stream[c, 1] = u, v


@kernel(parallel=True)
def feel_surroundings(rows: Array, swimmers: SwimPool, links: LinkPool, ashore: AshorePool, bodies: BodyPool,
                      segments: SegmentPool, manoeuvres: ManoeuvrePool, brains: BrainPool, water: WaterArrays, levels: Array,
                      dt: float) -> None:  # fmt: skip
    """Update current, pushes and wetness of the listed swimmers; levels (n, 2) gets surface and bed at each of them."""
    for r in prange(rows.size):
        c = int64(rows[r])
        length = swimmers.length[c]
        level, bed = level_around(swimmers.root[c, 0], swimmers.root[c, 1], length, SHORE * length, water)
        levels[r, 0], levels[r, 1] = level, bed
        feel_wetness(c, level, bed, swimmers, links, ashore, water)
        on_land = ashore.grounded[c] != 0
        swimmers.air_seconds[c] = seconds_in_air(swimmers.air_seconds[c], on_land, dt)
        feel_stream(c, swimmers, bodies, segments)
        feel_push(c, swimmers, links, bodies, segments, dt)
        brains.afloat[c] = 0 if on_land else 1
        brains.footing[c] = 1.0
        tell_brain(c, swimmers, manoeuvres, brains)
        if on_land:
            brains.turn_rate[c], brains.turn_gain[c] = ashore.parameters[c, Ashore.TURN], UNLIMITED_TURN
            brains.swing[c] = 0.0


@kernel(refcount=False)
def wanted_height(c: int, level: float, bed: float, thick: float, creatures: CreaturePool, swimmers: SwimPool) -> float:
    """Return the height that a swimmer is to have: that of its goal, at its own depth, or half way up from the bed."""
    low, high = bed + thick, level - thick
    kind = creatures.goal_kind[c]
    goal = creatures.goal_position[c, 2]
    if (kind == GoalKind.GOTO or kind == GoalKind.PATH) and goal > bed + ON_GROUND * thick + 1e-9:
        return min(max(goal, low), max(high, low))
    if swimmers.swim_depth[c] > 0.0:
        return min(max(level - swimmers.swim_depth[c], low), max(high, low))
    return 0.5 * (low + max(high, low))


@kernel(refcount=False)
def wanted_climb(c: int, level: float, bed: float, thick: float, dead: int, creatures: CreaturePool,
                 swimmers: SwimPool) -> float:  # fmt: skip
    """Return the speed upward that a swimmer is to have."""
    most = swimmers.climb_speed[c] * swimmers.length[c] * swimmers.pace[c]
    if dead != 0:
        wish = min(DRIFT_UP * swimmers.length[c], (level - thick - swimmers.height[c]) / CLIMB_TIME)
    elif creatures.goal_kind[c] == GoalKind.DRIVE and creatures.drive[c, 2] != 0.0:
        wish = creatures.drive[c, 2]
    else:
        wish = HEIGHT_GAIN * (wanted_height(c, level, bed, thick, creatures, swimmers) - swimmers.height[c])
    return min(max(wish, -most), most)


@kernel(refcount=False)
def thickness(c: int, swimmers: SwimPool, links: LinkPool) -> float:
    """Return the largest half height of a link."""
    first, thick = int64(swimmers.first_link[c]), 0.0
    for row in range(first, first + swimmers.link_count[c]):
        thick = max(thick, links.height[row, 0], links.height[row, 1])
    return thick


@kernel(refcount=False)
def pitch_for(c: int, wish: float, swimmers: SwimPool) -> None:
    """Update the rise of a swimmer in a box: it pitches by its strokes until it swims upward or downward at that speed."""
    told = swimmers.told[c]
    if told == Manoeuvre.PITCH_UP or told == Manoeuvre.PITCH_DOWN:
        return
    u, v = swimmers.root_rate[c, 0], swimmers.root_rate[c, 1]
    slope = atan2(wish, max(sqrt(u * u + v * v), 0.3 * swimmers.length[c] * swimmers.pace[c]))
    slope = min(max(slope, -STEEPEST), STEEPEST)
    rise = (slope - swimmers.tilt[c, Tilt.PITCH]) / RISE_RANGE
    swimmers.wish_rise[c] = min(max(rise, -MOST_RISE), MOST_RISE)


@kernel(refcount=False)
def change_height(c: int, level: float, bed: float, thick: float, dead: int, creatures: CreaturePool, swimmers: SwimPool,
                  on_land: bool, gravity: float, dt: float) -> None:  # fmt: skip
    """Update height, climb and pitch of a swimmer: the plane that it swims in rises and sinks with it. [families B2]"""
    length, pace = swimmers.length[c], swimmers.pace[c]
    if on_land:
        swimmers.climb[c] -= gravity * dt
    else:
        wish = wanted_climb(c, level, bed, thick, dead, creatures, swimmers)
        if in_box(c, swimmers):
            pitch_for(c, wish, swimmers)
        else:
            swimmers.climb[c] += (wish - swimmers.climb[c]) * (1.0 - exp(-dt / CLIMB_TIME))
        if swimmers.height[c] + swimmers.climb[c] * dt > level - 0.5 * thick and swimmers.climb[c] > 0.0:
            swimmers.climb[c] = 0.0
    if in_box(c, swimmers):
        return
    swimmers.height[c] += dt * swimmers.climb[c]
    if swimmers.plane[c] != 0:
        u, v = swimmers.root_rate[c, 0], swimmers.root_rate[c, 1]
        slope = atan2(swimmers.climb[c], max(sqrt(u * u + v * v), 0.3 * length * pace))
        slope = min(max(slope, -STEEPEST), STEEPEST)
        swimmers.tilt[c, Tilt.PITCH] += (slope - swimmers.tilt[c, Tilt.PITCH]) * (1.0 - exp(-dt / TILT_TIME))


@kernel(refcount=False)
def move_root(c: int, depth: float, nx: float, ny: float, nz: float, swimmers: SwimPool, links: LinkPool) -> None:
    """Update a swimmer that is in something by `depth`: a little out of it, and no longer into it."""
    move = min(depth, LARGEST_MOVE * swimmers.length[c])
    u = swimmers.root_rate[c, 0] + swimmers.stream[c, 0]
    v = swimmers.root_rate[c, 1] + swimmers.stream[c, 1]
    into = min(u * nx + v * ny + swimmers.climb[c] * nz, 0.0)
    swimmers.root[c, 0] += move * nx
    swimmers.root[c, 1] += move * ny
    swimmers.height[c] += move * nz
    swimmers.root_rate[c, 0] -= into * nx
    swimmers.root_rate[c, 1] -= into * ny
    swimmers.climb[c] -= into * nz
    first = int64(swimmers.first_link[c])
    for row in range(first, first + swimmers.link_count[c]):
        links.place[row, 0] += move * nx
        links.place[row, 1] += move * ny


@kernel(refcount=False)
def keep_out(c: int, swimmers: SwimPool, links: LinkPool, world: BodySurroundings) -> None:
    """Update a swimmer that touches the ground, a rock or the edge of the map, link by link at both ends."""
    first, length = int64(swimmers.first_link[c]), swimmers.length[c]
    x, y, z = swimmers.root[c, 0], swimmers.root[c, 1], swimmers.height[c]
    near_ground = sample_ground(world.ground, x, y, z).distance < 1.5 * length
    slope = sin(swimmers.tilt[c, Tilt.PITCH])
    for row in range(first, first + swimmers.link_count[c]):
        if links.length[row] == 0.0:
            continue
        for end in range(2):
            back, radius = end * links.length[row], max(links.radius[row, end], 1e-3)
            thick = max(links.height[row, end], 1e-3)
            x = links.place[row, 0] - back * cos(links.place[row, 2])
            y = links.place[row, 1] - back * sin(links.place[row, 2])
            dx, dy = x - swimmers.root[c, 0], y - swimmers.root[c, 1]
            along = dx * cos(swimmers.root[c, 2]) + dy * sin(swimmers.root[c, 2])
            z = swimmers.height[c] + slope * along
            if near_ground:
                d, nx, ny, nz = sample_ground(world.ground, x, y, z)
                reach = thick * abs(nz) + radius * (1.0 - abs(nz))
                if d < reach:
                    move_root(c, reach - d, nx, ny, nz, swimmers, links)
            for wall in range(WALLS):
                depth, nx, ny, nz = wall_contact(wall, x, y, z, radius, world)
                if depth > 0.0:
                    move_root(c, depth, nx, ny, nz, swimmers, links)


@kernel(refcount=False)
def keep_wings_out(c: int, swimmers: SwimPool, links: LinkPool, bodies: BodyPool, segments: SegmentPool,
                   world: BodySurroundings) -> None:  # fmt: skip
    """Update a swimmer whose body is not in one plane: its segments are where they were drawn, both ends of each."""
    head = int64(bodies.first_segment[c])
    for i in range(head, head + bodies.segment_count[c]):
        at, q, half = segments.position[i], segments.orientation[i], segments.half_extents[i]
        forward, _, _ = axes_of_quaternion(q[0], q[1], q[2], q[3])
        for end in range(2):
            way = half[0] if end == 0 else -half[0]
            x, y, z = at[0] + way * forward[0], at[1] + way * forward[1], at[2] + way * forward[2]
            thick, radius = max(half[2], 1e-3), max(half[1], 1e-3)
            d, nx, ny, nz = sample_ground(world.ground, x, y, z)
            reach = thick * abs(nz) + radius * (1.0 - abs(nz))
            if d < reach:
                move_root(c, reach - d, nx, ny, nz, swimmers, links)
            for wall in range(WALLS):
                depth, nx, ny, nz = wall_contact(wall, x, y, z, radius, world)
                if depth > 0.0:
                    move_root(c, depth, nx, ny, nz, swimmers, links)


@kernel(refcount=False)
def lie_on_leaf(c: int, thick: float, swimmers: SwimPool, links: LinkPool, leaves: Array) -> None:
    """Update a swimmer that has come down on a leaf: it carries the swimmer that comes from above."""
    x, y = middle_of(c, swimmers, links)
    for k in range(leaves.shape[0]):
        dx, dy, floor = x - leaves[k, 0], y - leaves[k, 1], leaves[k, 3] + thick
        below, over = floor - swimmers.height[c], dx * dx + dy * dy < leaves[k, 2] ** 2
        if over and 0.0 <= below < LEAF_CATCHES * swimmers.length[c] and swimmers.climb[c] <= 0.0:
            swimmers.height[c], swimmers.climb[c] = floor, 0.0


@kernel(refcount=False)
def come_down(c: int, before: float, height: float, level: float, swimmers: SwimPool, ashore: AshorePool) -> None:
    """Update a swimmer in a hop: it ends where ground or a leaf stops the fall, or in the water.

    before, height: its climb and height before that.
    """
    if ashore.flying[c] == 0 or before > 0.0:
        return
    stopped = swimmers.climb[c] > before + 1e-9 or swimmers.height[c] > height + 1e-9
    if stopped or swimmers.height[c] < level:
        ashore.flying[c], ashore.spin[c] = 0, 0.0
        if stopped:
            swimmers.root_rate[c, 0] = swimmers.root_rate[c, 1] = swimmers.root_rate[c, 2] = 0.0


@kernel(parallel=True)
def settle(rows: Array, levels: Array, creatures: CreaturePool, swimmers: SwimPool, links: LinkPool, ashore: AshorePool,
           bodies: BodyPool, segments: SegmentPool, leaves: Array, world: BodySurroundings, dt: float) -> None:  # fmt: skip
    """Update heights of the listed swimmers, and whatever of them is where it cannot be. world: `BodySurroundings`.

    leaves (n, 4): those that float, x, y, radius and height. What is on the ground loses its speed.
    """
    for r in prange(rows.size):
        c = int64(rows[r])
        thick = thickness(c, swimmers, links)
        on_land = ashore.grounded[c] != 0
        level, bed = levels[r, 0], levels[r, 1]
        change_height(c, level, bed, thick, creatures.dead[c], creatures, swimmers, on_land, world.gravity, dt)
        if ashore.flying[c] == 0 and swimmers.wet[c] < 1.0:
            keep = exp(-LAND_FRICTION * (1.0 - swimmers.wet[c]) * dt)
            for axis in range(3):
                swimmers.root_rate[c, axis] *= keep
        before, height = swimmers.climb[c], swimmers.height[c]
        if on_land:
            lie_on_leaf(c, thick, swimmers, links, leaves)
        if in_box(c, swimmers):
            keep_wings_out(c, swimmers, links, bodies, segments, world)
            if swimmers.height[c] > level - 0.5 * thick:  # wings that touch the bed do not lift it out of the water
                swimmers.height[c], swimmers.climb[c] = level - 0.5 * thick, min(swimmers.climb[c], 0.0)
        else:
            keep_out(c, swimmers, links, world)
        come_down(c, before, height, level, swimmers, ashore)
