"""The Targeter: Follower and Balancer turn one led segment after the other into velocity commands. [Fang15 4.2]

Commands are held over the whole tick, so the neighbours of a led segment feel no jumps. Segments that are not led keep
their velocities; they and the led ones alike receive their gravity and a local ground plane.
"""

from __future__ import annotations

from math import atan2, exp, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numba

from ....components.leg_states import SupportMode
from ....components.myriapod.chain_segments import Lift
from ....components.myriapod.gait import Gait
from ....components.myriapod.tissue import Side
from ....engine.creature import FOLLOW
from ....engine.kernel import kernel
from ....engine.kernel_types import int64
from ....engine.number_kernel import clamp
from ....engine.terrain.ground_kernel import sample_ground
from ...legs.segment_frame_kernel import segment_frame, to_world, turn_to_body
from .follower_kernel import (
    AHEAD,
    BEHIND,
    BEND_BACKWARD,
    BEND_BEHIND_A_SWIMMER,
    SHARPEST_BEND,
    SHORTEST,
    Command,
    Motion,
    follow_neighbour,
    limited_rate,
)
from .support_kernel import judge_support

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.head_command import HeadCommandPool
    from ....components.legs import LegPool
    from ....components.myriapod.chain import ChainPool
    from ....components.myriapod.chain_segments import ChainSegmentPool
    from ....components.myriapod.gait import GaitPool
    from ....components.myriapod.tissue import TissuePool
    from ....components.segments import SegmentPool
    from ....engine.creature import CreaturePool
    from ....engine.kernel_types import Array, Four, Vector
    from ....engine.terrain.ground_layout import Ground
    from ...legs.segment_frame_kernel import Frame

FARTHEST = 1e6  # units; a world without ground reports an infinite height, which would make planes NaN
BELLY_CLEARANCE = 1.0  # half heights between a climber's belly and the back it crosses
OPEN_WAY = 0.999  # cosine between way and heading above which nothing is in the way
PRESSING = 0.5  # u/s by which what walks is faster than the swimming part ahead of it; it is pushed in before it can swim
FLOAT_DEPTH = 0.9  # half heights of a led segment's centre below the surface: where a body of density 0.95 floats


class Moment(NamedTuple):
    """How long a tick is, and what pulls during it."""

    dt: float  # seconds
    gravity: float  # u/s^2, downward


@kernel()
def sample_offset(c: int, chains: ChainPool, gait: Array) -> float:
    """Return how far from its centre a segment feels the ground: in the follow tier right below it only."""
    return 0.0 if chains.previous_tier[c] == FOLLOW else gait[Gait.SAMPLE_OFFSET]


@kernel()
def feel_ground(frame: Frame, ground: Ground, offset: float, weight: float) -> Four:
    """Return (height, nx, ny, nz): the ground under a segment, averaged over its centre and four points around it.

    One point is useless over cylinders, where the normal flips by 60 degrees within a step. [walking 7]
    weight: of the centre against one of the others.
    """
    height, nx, ny, nz = sample_ground(ground, frame.x, frame.y, frame.z)
    if offset <= 0.0 or height > FARTHEST:
        return min(height, FARTHEST), nx, ny, nz
    height, nx, ny, nz = weight * height, weight * nx, weight * ny, weight * nz
    for k in range(4):
        along = offset * (1 - k) if k % 2 == 0 else 0.0
        aside = offset * (2 - k) if k % 2 == 1 else 0.0
        x, y, z = to_world(frame, along, aside, 0.0)
        h, mx, my, mz = sample_ground(ground, x, y, z)
        height, nx, ny, nz = height + min(h, FARTHEST), nx + mx, ny + my, nz + mz
    length = sqrt(nx * nx + ny * ny + nz * nz)
    if length < SHORTEST:
        return height / (weight + 4.0), 0.0, 0.0, 1.0
    return height / (weight + 4.0), nx / length, ny / length, nz / length


@kernel()
def balance_rates(gait: Array, frame: Frame, nx: float, ny: float, nz: float) -> Vector:
    """Return the rates about body x, y and z that carry the body's z axis toward the ground normal. [Fang15 Fig. 4.2]

    The roll is about the body's axis, and the pitch about what is level and across it: neither changes the heading. On
    upright bodies that is the body's own y axis but for second order. Taken from that for whoever lies on his side, a pitch
    is a turn, and on his back it is half a turn more than there is: a swimmer that came ashore upside down was thrown about.
    Where both legs have to stand, as published, the pitch is about the own axis, as published.
    Legend: b the normal in the body's frame; up and down the body's axis rises by b_x.
    """
    bx, by, bz = turn_to_body(frame, nx, ny, nz)
    if int(gait[Gait.SUPPORT_MODE]) == SupportMode.BOTH.value:
        return -limited_rate(atan2(by, bz), gait), limited_rate(atan2(bx, bz), gait), 0.0
    across = sqrt(by * by + bz * bz)
    if across < SHORTEST:
        return 0.0, limited_rate(atan2(bx, 0.0), gait), 0.0
    pitch = limited_rate(atan2(bx, across), gait) / across
    return -limited_rate(atan2(by, bz), gait), pitch * bz, -pitch * by


@kernel()
def lead_head(gait: Array, frame: Frame, speed: float, yaw_rate: float, way: Array) -> Motion:
    """Return the motion of a leading end that walks at the ordered speed where its way is open. [Fang15 4.4]

    Turning is limited by curvature, not by rate: a body cannot follow below the smallest radius [walking 7]. Along
    something it has met the head turns as far as the neck bends. A way of zero length means that nothing was felt.
    """
    felt = way[0] != 0.0 or way[1] != 0.0 or way[2] != 0.0
    if felt and speed > 0.0 and way[0] * frame.fx + way[1] * frame.fy + way[2] * frame.fz < OPEN_WAY:
        return Motion(speed * way[0], speed * way[1], speed * way[2], yaw_rate)
    radius = gait[Gait.MIN_TURN_RADIUS]
    if radius > 0.0:
        yaw_rate = clamp(yaw_rate, abs(speed) / radius)
    return Motion(speed * frame.fx, speed * frame.fy, speed * frame.fz, yaw_rate)


@kernel()
def riding_height(row: int, segments: SegmentPool, chained: ChainSegmentPool) -> float:
    """Return the height to hold: that of walking on the ground, on a back only so much that the belly stays clear."""
    ride_height, half_height, share = chained.ride_height[row], segments.half_extents[row, 2], chained.lift_share[row]
    return ride_height + share * ((1.0 + BELLY_CLEARANCE) * half_height - ride_height)


@kernel()
def climbing_speed(row: int, segments: SegmentPool, chained: ChainSegmentPool, gait: Array, height: float) -> float:
    """Return the speed along the ground's normal that holds the height: the raised ground's own, and a correction.

    On a back the gain is doubled: it moves by itself, and a slow climber would sink into it.
    """
    error = riding_height(row, segments, chained) - height  # sign as in [myriapoda E-3]
    share, lift_rate = chained.lift_share[row], chained.lift[row, Lift.RATE]
    return clamp((1.0 + share) * gait[Gait.HEIGHT_GAIN] * error + lift_rate, gait[Gait.HEIGHT_LIMIT])


@kernel()
def tilted_normal(normal: Vector, frame: Frame, slope: float) -> Vector:
    """Return the normal of ground that rises by slope per unit of way along the body: a ramp onto a back."""
    nx, ny, nz = normal[0] - slope * frame.fx, normal[1] - slope * frame.fy, normal[2] - slope * frame.fz
    length = sqrt(nx * nx + ny * ny + nz * nz)
    return nx / length, ny / length, nz / length


@kernel()
def along_ground(motion: Motion, normal: Vector) -> Motion:
    """Return a motion without its part along the normal, which is the Balancer's."""
    nx, ny, nz = normal
    out = motion.vx * nx + motion.vy * ny + motion.vz * nz
    return Motion(motion.vx - out * nx, motion.vy - out * ny, motion.vz - out * nz, motion.yaw)


@kernel()
def balanced_command(gait: Array, frame: Frame, motion: Motion, normal: Vector, rise: float, slope: float) -> Command:
    """Return the command of a segment: its own motion plus the Balancer."""
    nx, ny, nz = tilted_normal(normal, frame, slope)
    roll, pitch, yaw = balance_rates(gait, frame, nx, ny, nz)
    nx, ny, nz = normal
    yaw += motion.yaw
    return Command(
        motion.vx + rise * nx,
        motion.vy + rise * ny,
        motion.vz + rise * nz,
        roll * frame.fx + pitch * frame.lx + yaw * frame.ux,
        roll * frame.fy + pitch * frame.ly + yaw * frame.uy,
        roll * frame.fz + pitch * frame.lz + yaw * frame.uz,
    )


@kernel()
def obey(row: int, segments: SegmentPool, chained: ChainSegmentPool, gait: Array, command: Command, dt: float) -> Command:
    """Set the velocities of a led segment to its command, blended after a hand-over, and return them.

    The low-pass acts only while the blend timer runs: a permanent one inside a chain of followers grows toward the
    tail and destroys long bodies. [walking 2, 3]
    """
    velocity, angular_velocity, shove = segments.velocity, segments.angular_velocity, chained.shove
    tau = gait[Gait.BLEND_TAU]
    share = 1.0 - exp(-dt / tau) if chained.blend_timer[row] > 0.0 and tau > 0.0 else 1.0
    v, w, s = velocity[row], angular_velocity[row], shove[row]
    v[0] += share * (command.vx - v[0]) + s[0]
    v[1] += share * (command.vy - v[1]) + s[1]
    v[2] += share * (command.vz - v[2]) + s[2]
    w[0] += share * (command.wx - w[0])
    w[1] += share * (command.wy - w[1])
    w[2] += share * (command.wz - w[2])
    return Command(v[0], v[1], v[2], w[0], w[1], w[2])


@kernel()
def muscle_stretch(c: int, place: int, chains: ChainPool, blocks: TissuePool) -> float:
    """Return the length of the middle line of a block as its muscles have set it, as a share of its own length."""
    if place >= chains.block_count[c]:
        return 1.0
    lengths, i = blocks.lengths, chains.first_block[c] + place
    return 0.25 * (lengths[i, Side.LEFT] + lengths[i, Side.RIGHT]) * (lengths[i, Side.TOP] + lengths[i, Side.BOTTOM])


@kernel()
def speed_of_swimmers(c: int, bodies: BodyPool, segments: SegmentPool, chained: ChainSegmentPool, ordered: float) -> float:
    """Return the speed along themselves that the wet segments of creature `c` hand on to what walks behind them.

    Nobody tells a swimmer where to go from tick to tick, and what its beat does is not for legs to follow. They go as fast
    as the wet part does on average and press after it a little, at most at the ordered speed; they would else fold a part
    that does not get on. The rest is up to the distance between both.
    """
    first, wet, speed = int64(bodies.first_segment[c]), 0, 0.0
    for i in range(first, first + bodies.segment_count[c]):
        if segments.submerged[i] != 0 and chained.kinematic[i] == 0:
            frame, v = segment_frame(segments.position, segments.orientation, i), segments.velocity[i]
            speed += v[0] * frame.fx + v[1] * frame.fy + v[2] * frame.fz
            wet += 1
    if wet == 0:
        return 0.0
    if ordered < 0.0:
        return min(max(speed / wet - PRESSING, ordered), 0.0)
    return max(min(speed / wet + PRESSING, ordered), 0.0)


@kernel()
def floating_height(row: int, segments: SegmentPool, chained: ChainSegmentPool, height: float,
                    normal: Vector) -> tuple[float, Vector]:  # fmt: skip
    """Return (height, normal) that make the Balancer hold a led segment afloat, or over the bed where that is higher."""
    floats_at = segments.water_level[row] - FLOAT_DEPTH * segments.half_extents[row, 2]
    afloat = chained.ride_height[row] + segments.position[row, 2] - floats_at
    return (height, normal) if height < afloat else (afloat, (0.0, 0.0, 1.0))


@kernel()
def settle_gravity(row: int, chained: ChainSegmentPool, gait: Array, normal: Vector, height: float, clinging: bool,
                   g: float) -> None:  # fmt: skip
    """Set the gravity of one segment: toward a steep or overhanging surface it clings to, else straight down."""
    gravity = chained.gravity
    steep = normal[2] < gait[Gait.CLING_NORMAL_Z]
    if clinging and steep and abs(height) < gait[Gait.CLING_RANGE]:
        gravity[row, 0], gravity[row, 1], gravity[row, 2] = -g * normal[0], -g * normal[1], -g * normal[2]
    else:
        gravity[row, 0], gravity[row, 1], gravity[row, 2] = 0.0, 0.0, -g


@kernel()
def branch_leader(row: int, first: int, first_block: int, segments: SegmentPool, chained: ChainSegmentPool,
                  blocks: TissuePool, lead: Command) -> tuple[int, Vector, Command]:  # fmt: skip
    """Return (leader, its hinge, its command) of a segment of a branching body.

    Where a branch begins, the one that it follows has had its turn long ago: then its velocities are its command.
    """
    leader, anchor = max(row - chained.ahead[row], first), blocks.anchor_a[first_block + row - first - 1]
    if leader != row - 1:
        v, w = segments.velocity[leader], segments.angular_velocity[leader]
        lead = Command(v[0], v[1], v[2], w[0], w[1], w[2])
    return leader, (anchor[0], anchor[1], anchor[2]), lead


@kernel()
def lead_body(c: int, bodies: BodyPool, chains: ChainPool, segments: SegmentPool, chained: ChainSegmentPool,
              blocks: TissuePool, gaits: GaitPool, heads: HeadCommandPool, ground: Ground, gravity: float,
              dt: float) -> None:  # fmt: skip
    """Find the ground planes and gravity of one creature's segments, and the velocities of those that are led."""
    gait, adjusting = gaits.parameters[c], heads.adjusting[c] != 0
    position, lift = segments.position, chained.lift
    offset, weight = sample_offset(c, chains, gait), gait[Gait.CENTRE_WEIGHT]
    first = bodies.first_segment[c]
    last = first + bodies.segment_count[c] - 1
    branches = bodies.linked[c] == 0  # such a body has more than one tail that could lead it backward
    leader, toward = (last, BEHIND) if heads.speed[c] < 0.0 and not branches else (first, AHEAD)
    lead = Command(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    usual = SHARPEST_BEND if toward == AHEAD else BEND_BACKWARD
    sharpest, swim_speed = usual, speed_of_swimmers(c, bodies, segments, chained, heads.speed[c])
    for place in range(last - first + 1):  # the leader first: followers use the new commands of whom they follow
        row = leader - toward * place
        frame = segment_frame(position, segments.orientation, row)
        height, nx, ny, nz = feel_ground(frame, ground, offset, weight)
        normal = (nx, ny, nz)
        led = chained.kinematic[row] != 0
        chained.height[row] = height
        if led:  # where the bed is too deep its ground is the surface, also for whatever back it climbs there
            height, normal = floating_height(row, segments, chained, height, normal)
        height -= lift[row, Lift.HEIGHT]
        for axis in range(3):
            chained.ground_point[row, axis] = position[row, axis] - height * normal[axis]
            chained.ground_normal[row, axis] = normal[axis]
        settle_gravity(row, chained, gait, normal, height, not (adjusting or segments.submerged[row]), gravity)
        rise = climbing_speed(row, segments, chained, gait, height)
        if row == leader:
            motion = along_ground(lead_head(gait, frame, heads.speed[c], heads.yaw_rate[c], heads.way[c]), normal)
        else:
            other = row + toward
            hinge = (toward * chained.half_pitch[other], 0.0, 0.0)
            if branches:
                first_block = int64(chains.first_block[c])
                other, hinge, lead = branch_leader(row, first, first_block, segments, chained, blocks, lead)
            stretch = muscle_stretch(c, min(row, row + toward) - first, chains, blocks)
            motion = follow_neighbour(
                row, other, hinge, toward, segments, chained, gait, frame, lead, stretch, sharpest, normal, rise
            )
        sharpest = usual
        lead = balanced_command(gait, frame, motion, normal, rise, lift[row, Lift.SLOPE])
        if led:
            lead = obey(row, segments, chained, gait, lead, dt)
        elif segments.submerged[row] != 0:
            lead = Command(swim_speed * frame.fx, swim_speed * frame.fy, swim_speed * frame.fz, 0.0, 0.0, 0.0)
            sharpest = BEND_BEHIND_A_SWIMMER


@kernel(parallel=True)
def target_bodies(rows: Array, creatures: CreaturePool, bodies: BodyPool, chains: ChainPool, segments: SegmentPool,
                  chained: ChainSegmentPool, blocks: TissuePool, legs: LegPool, gaits: GaitPool, heads: HeadCommandPool,
                  ground: Ground, moment: Moment) -> None:  # fmt: skip
    """Decide which segments of the listed creatures are led, and where to; give all of them a ground plane and gravity."""
    for r in numba.prange(rows.shape[0]):
        c = int64(rows[r])
        judge_support(c, creatures, bodies, chains, segments, chained, legs, gaits, heads, moment.dt)
        lead_body(c, bodies, chains, segments, chained, blocks, gaits, heads, ground, moment.gravity, moment.dt)
