"""Touch: every link of an antenna against obstacles, other bodies and the edge of the map.

The deepest contact of an antenna gives its normal. On contact the root is led along the outward normal, inside its
own range and at the raised speed, until the target is reached and the contact is gone (the retraction phase). Steep
ground is not felt: it is climbed, not avoided.
"""

from __future__ import annotations

from math import asin, atan2, inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...components.antennae import LEFT, Sense
from ...engine.gap import Gap
from ...engine.kernel import kernel
from ...engine.records import record
from ...engine.spatial_hash import boxes_overlap, next_item, open_query
from ..legs.segment_frame_kernel import turn_to_body
from ..spatial_index.solid_kernel import length_and_direction, link_distance, solid_distance
from ..spatial_index.solids import SolidField
from ..spatial_index.wall_contact_kernel import nearest_edge
from .antenna_kernel import PHI, THETA

if TYPE_CHECKING:
    from ...components.antennae import AntennaPool
    from ...engine.kernel_types import Array
    from ...engine.spatial_hash import SpatialHash
    from ..legs.segment_frame_kernel import Frame
    from ..spatial_index.index import Around

NOBODY = -1  # owner of a contact with an obstacle or the edge of the map

MOST_FELT = 12
"""Solids that an antenna feels at once, lowest numbers of each cell first: who sits in a heap of hundreds feels no more."""
MOST_PASSED = 256
"""Solids around it that are looked at for that."""


@record
class Touch(NamedTuple):
    """A contact of an antenna: the distance of its axis from a surface, the normal there, and whose it is, or `NOBODY`."""

    distance: float
    nx: float
    ny: float
    nz: float
    owner: int


@kernel()
def chain_distance(solids: Array, k: int, chain: Array, count: int, link: float, radius: float) -> Gap:
    """Return the smallest distance of a chain of links from solid k and its normal; exact only below the radius."""
    nearest, nx, ny, nz = inf, 0.0, 0.0, 1.0
    i = 0
    while i < count:
        d = solid_distance(solids, k, chain[i, 0], chain[i, 1], chain[i, 2]).distance
        clear_links = int(min((d - radius) / link, count))  # a distance changes by no more than the way travelled
        if clear_links > 0:
            i += clear_links
            continue
        next_d = solid_distance(solids, k, chain[i + 1, 0], chain[i + 1, 1], chain[i + 1, 2]).distance
        if 0.5 * (d + next_d - link) <= min(radius, nearest):  # no point of the link can be nearer than this
            found, mx, my, mz = link_distance(
                solids, k, chain[i, 0], chain[i, 1], chain[i, 2], chain[i + 1, 0], chain[i + 1, 1], chain[i + 1, 2]
            )
            if found < nearest:
                nearest, nx, ny, nz = found, mx, my, mz
        i += 1
    return Gap(nearest, nx, ny, nz)


@kernel()
def touch_solids(c: int, chain: Array, count: int, link: float, radius: float, solids: Array, hashed: SpatialHash,
                 best: Touch) -> Touch:  # fmt: skip
    """Return the deepest contact of one antenna with solids that are not its creature's own, or what it was before."""
    x_min, y_min, x_max, y_max = inf, inf, -inf, -inf
    for i in range(count + 1):
        x_min, x_max = min(x_min, chain[i, 0]), max(x_max, chain[i, 0])
        y_min, y_max = min(y_min, chain[i, 1]), max(y_max, chain[i, 1])
    x_min, y_min, x_max, y_max = x_min - radius, y_min - radius, x_max + radius, y_max + radius
    cells, cursor = open_query(hashed, x_min, y_min, x_max, y_max)
    felt = 0
    for _ in range(MOST_PASSED):
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0 or felt == MOST_FELT:
            break
        owner = int(solids[k, SolidField.OWNER])
        if owner == c or not boxes_overlap(hashed.boxes, k, x_min, y_min, x_max, y_max):
            continue
        felt += 1
        distance, nx, ny, nz = chain_distance(solids, k, chain, count, link, radius)
        if distance <= radius and distance < best.distance:
            best = Touch(distance, nx, ny, nz, owner)
    return best


@kernel()
def touch_edge(chain: Array, count: int, radius: float, bounds: Array, best: Touch) -> Touch:
    """Return the deepest contact of one antenna with the edge of the map, or what it was before."""
    for i in range(count + 1):
        distance, nx, ny, nz = nearest_edge(chain[i, 0], chain[i, 1], bounds)
        if distance <= radius and distance < best.distance:
            best = Touch(distance, nx, ny, nz, NOBODY)
    return best


@kernel()
def retract(c: int, side: int, frame: Frame, antennae: AntennaPool, normal_x: float, normal_y: float,
            normal_z: float) -> None:  # fmt: skip
    """Lead the root of one antenna back along a world normal, within its own range."""
    own, angles, target = antennae.parameters[c], antennae.angles[c, side], antennae.target[c, side]
    outward = 1.0 if side == LEFT else -1.0
    nx, ny, nz = turn_to_body(frame, normal_x, normal_y, normal_z)
    theta, phi = angles[THETA], angles[PHI]
    x = np.cos(phi) * np.cos(theta) + nx
    y = np.cos(phi) * np.sin(theta) + outward * ny
    z = np.sin(phi) + nz
    _, x, y, z = length_and_direction(x, y, z)
    target[THETA] = min(max(atan2(y, x), own[Sense.THETA_MIN]), own[Sense.THETA_MAX])
    target[PHI] = min(max(asin(min(max(z, -1.0), 1.0)), own[Sense.PHI_MIN]), own[Sense.PHI_MAX])
    antennae.retracting[c, side] = 1


@kernel()
def touch_with_antenna(c: int, side: int, antennae: AntennaPool, around: Around) -> Touch:
    """Return the deepest contact of one antenna; where it touches nothing it is infinitely far away."""
    own, chain = antennae.parameters[c], antennae.points[c, side]
    count, link, radius = int(own[Sense.LINK_COUNT]), own[Sense.LINK_LENGTH], own[Sense.LINK_RADIUS]
    best = Touch(inf, 0.0, 0.0, 1.0, NOBODY)
    if count > 0:
        best = touch_solids(c, chain, count, link, radius, around.solids, around.solid_hash, best)
        best = touch_solids(c, chain, count, link, radius, around.bodies, around.body_hash, best)
        best = touch_edge(chain, count, radius, around.bounds, best)
    return best


@kernel()
def touch_with_antennae(c: int, frame: Frame, antennae: AntennaPool, around: Around, dt: float) -> None:
    """Note what both antennae of one creature touch, for how long, and draw them back from it."""
    radius, normal = antennae.parameters[c, Sense.LINK_RADIUS], antennae.contact_normal
    contact, contact_time, contact_owner = antennae.contact, antennae.contact_time, antennae.contact_owner
    for side in range(2):
        touch = touch_with_antenna(c, side, antennae, around)
        touching = touch.distance <= radius
        contact[c, side] = 1 if touching else 0
        contact_owner[c, side] = touch.owner
        contact_time[c, side] = contact_time[c, side] + dt if touching else 0.0
        normal[c, side, 0] = touch.nx if touching else 0.0
        normal[c, side, 1] = touch.ny if touching else 0.0
        normal[c, side, 2] = touch.nz if touching else 0.0
        if touching:
            retract(c, side, frame, antennae, touch.nx, touch.ny, touch.nz)
