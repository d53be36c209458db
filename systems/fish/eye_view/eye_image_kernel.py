"""Casts the rays of an eye image: what each pixel meets, how far away, and in which colour.

Pixels lie on a disc around the gaze, their distance from its middle in proportion to the angle (equidistant projection).
Things are entered one after the other within the pixels that they can cover at all; the ground is then marched along each
ray as far as nothing is nearer. Rows of pixels are independent: the picture is the same for any number of threads.
"""

from __future__ import annotations

from math import acos, asin, cos, exp, inf, sin, sqrt
from typing import TYPE_CHECKING

from numba import prange

from ....engine.kernel import kernel
from ....engine.kernel_types import int64, uint8
from ....engine.terrain.ground_kernel import sample_ground
from ....engine.vector_kernel import dot
from ....engine.water.sample_kernel import sample_water
from ...legs.segment_frame_kernel import segment_frame
from ...spatial_index.body_capsules_kernel import capsule_count
from ...spatial_index.solid_kernel import solid_distance
from .squashed_solids_kernel import FLATTER, bounding_ball, flattened, meets_squashed

if TYPE_CHECKING:
    from ....components.body import BodyPool
    from ....components.segments import SegmentPool
    from ....engine.kernel_types import Array, Vector
    from ....engine.terrain.ground_layout import Ground
    from ....engine.water.pond_layout import WaterArrays
    from .eye_image import EyePicture, EyeView
    from .eye_things import Things

NOTHING, GROUND, SURFACE = -1, -2, -3
"""What a pixel shows if it is none of the things, which are numbered from 0."""

WIDEST_CONE = 2.9  # radians between the gaze and the far side of a thing; beyond, its picture may be anywhere
MARCH_STEPS = 96  # along a ray, at most; one that is not decided by then shows open water
FIRST_COLUMN, END_COLUMN, FIRST_ROW, END_ROW = range(4)  # of a box of pixels
MARCH_SHARE = 0.75  # of the distance to the ground in a step: that distance is true on planes only
SHORTEST_STEP, LONGEST_STEP = 0.03, 3.0  # units, near the eye
WIDER_STEPS = 0.06  # of the way so far, added to both: far hills cover few pixels
REFINEMENTS = 4  # of the place at which a step went into the ground
TO_AIR = 1.33  # sines of a ray in air by that in water [Snell]
WINDOW_EDGE = 0.06  # share of the window over which the mirror takes over
SUN_DISC = 0.985  # cosine of the half angle at which the sun shows; waves make it large
SCATTER_UP = 0.7  # how much brighter open water is towards the surface than straight ahead
REFLECTED = 1.25  # brightness of the mirror against the water below
FILL = 1.6  # light from all around in water, as a multiple of its own colour


@kernel()
def note_heights(herd: Array, places: Array, bodies: BodyPool, segments: SegmentPool, squash: Array) -> None:
    """Update for each capsule the axis across it and how much less it is squashed there: bodies are not round."""
    for h in range(herd.shape[0]):
        c = int64(herd[h])
        first, place = int64(bodies.first_segment[c]), places[c]
        for k in range(capsule_count(c, bodies)):
            frame = segment_frame(segments.position, segments.orientation, first + k)
            width, height = segments.half_extents[first + k, 1], segments.half_extents[first + k, 2]
            own = squash[place + k]
            own[0], own[1], own[2] = frame.ux, frame.uy, frame.uz
            own[FLATTER] = width / height - 1.0 if height > 0.0 and width > 0.0 else 0.0


@kernel(refcount=False)
def pixel_of(view: EyeView, x: float, y: float, z: float, distance: float) -> Vector:
    """Return the angle of a place from the gaze and its pixel, as fractions of pixels."""
    axes = view.axes
    ahead = (x * axes[0, 0] + y * axes[0, 1] + z * axes[0, 2]) / distance
    left = (x * axes[1, 0] + y * axes[1, 1] + z * axes[1, 2]) / distance
    up = (x * axes[2, 0] + y * axes[2, 1] + z * axes[2, 2]) / distance
    angle, across = acos(min(max(ahead, -1.0), 1.0)), sqrt(left * left + up * up)
    scale = angle / (view.half_angle * across) if across > 1e-12 else 0.0
    half = 0.5 * view.size
    return angle, half * (1.0 - scale * left), half * (1.0 - scale * up)


@kernel()
def frame_things(view: EyeView, things: Things, boxes: Array) -> None:
    """Update the box of pixels that each thing can cover. Empty if out of sight."""
    solids, size = things.solids, view.size
    eye = view.eye
    for k in range(solids.shape[0]):
        box = boxes[k]
        box[:] = 0
        x, y, z, radius = bounding_ball(solids, k, things.squash)
        x, y, z = x - eye[0], y - eye[1], z - eye[2]
        distance = sqrt(x * x + y * y + z * z)
        if not distance - radius < view.reach or things.owner[k] == view.owner:
            continue
        box[END_COLUMN] = box[END_ROW] = size
        if distance <= radius:
            continue
        cone = asin(radius / distance)
        angle, column, row = pixel_of(view, x, y, z, distance)
        if angle - cone > view.half_angle:
            box[END_COLUMN] = box[END_ROW] = 0
            continue
        farthest = angle + cone
        if farthest > WIDEST_CONE:
            continue
        # The projection stretches lengths across the gaze by angle / sin(angle), and no others.
        spread = cone * max(1.0, farthest / sin(farthest)) / view.half_angle * 0.5 * size + 1.0
        box[FIRST_COLUMN], box[END_COLUMN] = max(int(column - spread), 0), min(int(column + spread) + 1, size)
        box[FIRST_ROW], box[END_ROW] = max(int(row - spread), 0), min(int(row + spread) + 1, size)


@kernel(refcount=False)
def way_to_ground(ground: Ground, eye: Vector, u: Vector, reach: float) -> float:
    """Return the way along u to the ground, infinite if there is none within reach.

    Steps lead to the first place within the ground; the last one is then shortened. The ground is asked at one place of
    the code only, as the compiler repeats it at each.
    """
    t, above, gap, below, depth, refined = 0.0, 0.0, 0.0, inf, 0.0, 0
    for _ in range(MARCH_STEPS):
        there = sample_ground(ground, eye[0] + t * u[0], eye[1] + t * u[1], eye[2] + t * u[2]).distance
        if there <= 0.0:
            if t == 0.0:
                return 0.0
            below, depth = t, there
        else:
            above, gap = t, there
        if below < inf:
            if refined == REFINEMENTS:
                break
            refined += 1
            t = above + (below - above) * gap / (gap - depth)
        elif above >= reach:
            break
        else:
            wider = WIDER_STEPS * t
            t += min(max(MARCH_SHARE * gap, SHORTEST_STEP + wider), LONGEST_STEP + wider)
    return below if below < reach else inf


@kernel(refcount=False)
def way_to_surface(view: EyeView, water: WaterArrays, u: Vector, reach: float) -> float:
    """Return the way along u to the surface of the water, as if it were level; infinite where there is none."""
    eye = view.eye
    if u[2] == 0.0 or not view.level > -1e9:
        return inf
    t = (view.level - eye[2]) / u[2]
    if not 0.0 < t < reach:
        return inf
    return t if sample_water(water, eye[0] + t * u[0], eye[1] + t * u[1]).depth > 0.0 else inf


@kernel(refcount=False)
def surface_light(view: EyeView, u: Vector, channel: int) -> float:
    """Return the light that comes from the surface along u: the sky through a round window, a mirror around it.

    From above it is the sky that is mirrored.
    """
    light = view.light
    if view.wet == 0:
        return light.sky_on_water[channel]
    across = TO_AIR * sqrt(max(1.0 - u[2] * u[2], 0.0))
    mirror = REFLECTED * light.water[channel] * exp(-light.fading[channel] * view.depth)
    if across >= 1.0:
        return mirror
    out = sqrt(1.0 - across * across)
    sky = light.sky_on_water[channel] + 0.5 * light.sun[channel] * out
    if TO_AIR * (u[0] * light.to_sun[0] + u[1] * light.to_sun[1]) + out * light.to_sun[2] > SUN_DISC:
        sky += 2.0 * light.sun[channel]
    share = min((1.0 - across) / WINDOW_EDGE, 1.0)
    return share * sky + (1.0 - share) * mirror


@kernel(refcount=False)
def skin_light(view: EyeView, tint: float, normal: Vector, z: float, channel: int) -> float:
    """Return the light that a thing of this colour sends back from height z: sun and sky from above, less with depth."""
    light = view.light
    lit = max(dot(normal, light.to_sun), 0.0)
    came = light.sun[channel] * lit + light.sky[channel] * (0.5 + 0.5 * normal[2])
    if view.wet != 0:
        came = came * exp(-light.fading[channel] * max(view.level - z, 0.0)) + FILL * light.water[channel]
    return tint * came


@kernel(refcount=False)
def colour_pixel(view: EyeView, things: Things, ground: Ground, u: Vector, t: float, what: int, colour: Array) -> None:
    """Update the colour of one pixel from what it meets after the way t, through the water between."""
    light, eye = view.light, view.eye
    normal = (0.0, 0.0, 1.0)
    x, y, z = eye[0], eye[1], eye[2]
    if t < inf:
        x, y, z = eye[0] + t * u[0], eye[1] + t * u[1], eye[2] + t * u[2]
    if what == GROUND:
        _, nx, ny, nz = sample_ground(ground, x, y, z)
        normal = (nx, ny, nz)
    elif what >= 0:
        _, nx, ny, nz = solid_distance(things.solids, what, x, y, z)
        normal = flattened((nx, ny, nz), things.squash[what])
        length = sqrt(max(dot(normal, normal), 1e-12))
        normal = (normal[0] / length, normal[1] / length, normal[2] / length)
    for channel in range(3):
        if what == NOTHING:
            seen = light.sky_on_water[channel]
        elif what == SURFACE:
            seen = surface_light(view, u, channel)
        else:
            tint = light.ground[channel] if what == GROUND else things.tint[what, channel]
            seen = skin_light(view, tint, normal, z, channel)
        if view.wet != 0:
            open_water = light.water[channel] * exp(-0.5 * light.fading[channel] * view.depth)
            open_water *= max(1.0 + SCATTER_UP * u[2], 0.3)
            through = exp(-light.fading[channel] * t) if t < inf else 0.0
            seen = through * seen + (1.0 - through) * open_water
        colour[channel] = uint8(255.0 * sqrt(min(max(seen * light.exposure, 0.0), 1.0)) + 0.5)


@kernel()
def aim_row(view: EyeView, row: int, rays: Array) -> None:
    """Update the directions of a row of pixels; those beyond the field are 0."""
    axes, half, size = view.axes, view.half_angle, view.size
    up = 1.0 - (row + 0.5) * 2.0 / size
    for column in range(size):
        ray = rays[column]
        right = (column + 0.5) * 2.0 / size - 1.0
        r = sqrt(right * right + up * up)
        if r > 1.0:
            ray[0] = ray[1] = ray[2] = 0.0
            continue
        ahead, across = cos(r * half), sin(r * half) / r if r > 0.0 else 0.0
        for axis in range(3):
            ray[axis] = ahead * axes[0, axis] - across * right * axes[1, axis] + across * up * axes[2, axis]


@kernel()
def cast_row(view: EyeView, things: Things, boxes: Array, ground: Ground, water: WaterArrays, row: int,
             picture: EyePicture) -> None:  # fmt: skip
    """Update one row of an eye image."""
    rays, ways, met = picture.rays[row], picture.ways[row], picture.met[row]
    eye, size = (view.eye[0], view.eye[1], view.eye[2]), view.size
    aim_row(view, row, rays)
    for column in range(size):
        ways[column], met[column] = inf, NOTHING
    for k in range(things.solids.shape[0]):
        if not boxes[k, FIRST_ROW] <= row < boxes[k, END_ROW]:
            continue
        for column in range(boxes[k, FIRST_COLUMN], boxes[k, END_COLUMN]):
            u = (rays[column, 0], rays[column, 1], rays[column, 2])
            if u[0] == 0.0 and u[1] == 0.0 and u[2] == 0.0:
                continue
            t = meets_squashed(eye, u, things.solids, k, things.squash)
            if t < ways[column] and t < view.reach:
                ways[column], met[column] = t, k
    for column in range(size):
        u = (rays[column, 0], rays[column, 1], rays[column, 2])
        if u[0] == 0.0 and u[1] == 0.0 and u[2] == 0.0:
            continue
        nearest = min(ways[column], view.reach)
        t = way_to_surface(view, water, u, nearest)
        if t < nearest:
            nearest, ways[column], met[column] = t, t, SURFACE
        t = way_to_ground(ground, eye, u, nearest)
        if t < nearest:
            ways[column], met[column] = t, GROUND
        if view.coloured != 0:
            colour_pixel(view, things, ground, u, ways[column], met[column], picture.colours[row, column])


@kernel(parallel=True)
def cast_rays(view: EyeView, things: Things, boxes: Array, ground: Ground, water: WaterArrays, picture: EyePicture) -> None:
    """Update an eye image: ways, what was met, and colours if they are wanted."""
    for row in prange(view.size):
        cast_row(view, things, boxes, ground, water, row, picture)
