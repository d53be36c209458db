"""What a swimmer sees: the nearest food in one fan, and in each half of the other how near the next wall is. [Fang15 5.5]

Fans lie in the plan view and open from the head. A wall is an obstacle, the edge of the map, or water too shallow to swim
in, so shores, islands and the end of a pond need no rule of their own. Other bodies are seen by their nearest point.
Legend: (hx, hy) heading of the head in plan; t way along a ray.
"""

from __future__ import annotations

from math import atan2, cos, hypot, sin

import numpy as np
from numba import prange

from ...components.vision import OUT_OF_SIGHT, Vision
from ...engine.kernel import kernel
from ...engine.spatial_hash import next_item, open_query
from ...engine.water.sample_kernel import sample_water
from ..spatial_index.solids import SolidField
from .clearance_kernel import free_path_to_edge, free_path_to_solids
from .touch_kernel import X_MAX, X_MIN, Y_MAX, Y_MIN

DISTANCE, BEARING = 0, 1  # columns of food
LEFT, RIGHT = 0, 1
SAMPLE_STEP = 1.0  # units between the places at which a ray asks for the depth; a wall thinner than that is no shore
SHOALING = 0.9  # of the depth at the head: already in the shallows, only what is shallower still counts as a wall
SHORTEST = 1e-9  # units; a head that looks straight up has no heading


@kernel()
def see_food(c, own, x, y, hx, hy, food_position, food_amount, hashed, food):
    """Update distance and bearing of the nearest food in the fan of one creature; the lower row wins a tie."""
    reach, opening = own[Vision.FOOD_RANGE], own[Vision.FOOD_ANGLE]
    best, food[c, DISTANCE], food[c, BEARING] = np.int64(-1), OUT_OF_SIGHT, 0.0
    cells, cursor = open_query(hashed, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(hashed, cells, cursor)
        if k < 0:
            return
        dx, dy = food_position[k, 0] - x, food_position[k, 1] - y
        distance = hypot(dx, dy)
        nearer = distance < food[c, DISTANCE] or (distance == food[c, DISTANCE] and k < best)
        if food_amount[k] <= 0.0 or distance > reach or not nearer:
            continue
        bearing = atan2(hx * dy - hy * dx, hx * dx + hy * dy)
        if abs(bearing) <= opening:
            best, food[c, DISTANCE], food[c, BEARING] = k, distance, bearing


@kernel()
def look_along(c, own, x, y, z, ux, uy, shallow, solids, solid_hash, bounds, water):
    """Return how far the way is free along the unit vector u in plan, at most the range of the alert fan."""
    reach = own[Vision.ALERT_RANGE]
    reach = free_path_to_edge(x - bounds[X_MIN], -ux, reach)
    reach = free_path_to_edge(bounds[X_MAX] - x, ux, reach)
    reach = free_path_to_edge(y - bounds[Y_MIN], -uy, reach)
    reach = free_path_to_edge(bounds[Y_MAX] - y, uy, reach)
    reach = free_path_to_solids(c, solids, solid_hash, x, y, z, ux, uy, 0.0, 0.0, reach)
    if shallow > 0.0:
        t = SAMPLE_STEP
        while t < reach:
            if sample_water(water, x + t * ux, y + t * uy)[1] < shallow:
                return t
            t += SAMPLE_STEP
    return reach


@kernel()
def see_bodies(c, own, x, y, hx, hy, bodies, body_hash, alert):
    """Update the alert of one creature by the bodies of others that come near in front of it."""
    reach = own[Vision.BODY_RANGE]
    cells, cursor = open_query(body_hash, x - reach, y - reach, x + reach, y + reach)
    while True:
        k, cursor = next_item(body_hash, cells, cursor)
        if k < 0:
            return
        if int(bodies[k, SolidField.OWNER]) == c:
            continue
        ax, ay = bodies[k, SolidField.X] - x, bodies[k, SolidField.Y] - y
        ex, ey = bodies[k, SolidField.EXTENT_X], bodies[k, SolidField.EXTENT_Y]
        square = ex * ex + ey * ey
        t = min(max(-(ax * ex + ay * ey) / square, 0.0), 1.0) if square > 0.0 else 0.0
        dx, dy = ax + t * ex, ay + t * ey
        distance = max(hypot(dx, dy) - bodies[k, SolidField.RADIUS], 0.0)
        bearing = atan2(hx * dy - hy * dx, hx * dx + hy * dy)
        if distance <= reach and abs(bearing) <= own[Vision.ALERT_ANGLE]:
            side = LEFT if bearing > 0.0 else RIGHT
            alert[c, side] = min(alert[c, side], distance)


@kernel()
def look_one(
    c, parameters, position, orientation, first_segment, food_position, food_amount, food_hash, solids, solid_hash, bodies,
    body_hash, bounds, water, food, alert,
):  # fmt: skip
    """Update what one creature sees."""
    own, head = parameters[c], np.int64(first_segment[c])
    x, y, z = position[head, 0], position[head, 1], position[head, 2]
    qw, qx, qy, qz = orientation[head, 0], orientation[head, 1], orientation[head, 2], orientation[head, 3]
    hx, hy = 1.0 - 2.0 * (qy * qy + qz * qz), 2.0 * (qx * qy + qw * qz)
    length = max(hypot(hx, hy), SHORTEST)
    hx, hy = hx / length, hy / length
    see_food(c, own, x, y, hx, hy, food_position, food_amount, food_hash, food)
    shallow = min(own[Vision.LEAST_DEPTH], SHOALING * sample_water(water, x, y)[1])
    rays = int(own[Vision.RAYS])
    for side in range(2):
        alert[c, side] = OUT_OF_SIGHT
        for k in range(rays):
            angle = (k + 0.5) / rays * own[Vision.ALERT_ANGLE] * (1.0 if side == LEFT else -1.0)
            ux, uy = cos(angle) * hx - sin(angle) * hy, sin(angle) * hx + cos(angle) * hy
            free = look_along(c, own, x, y, z, ux, uy, shallow, solids, solid_hash, bounds, water)
            if free < own[Vision.ALERT_RANGE]:
                alert[c, side] = min(alert[c, side], free)
    see_bodies(c, own, x, y, hx, hy, bodies, body_hash, alert)


@kernel(parallel=True)
def look_about(
    rows, parameters, position, orientation, first_segment, food_position, food_amount, food_hash, solids, solid_hash,
    bodies, body_hash, bounds, water, food, alert,
):  # fmt: skip
    """Update seen food (distance, bearing) and alerts (left, right) of all listed creatures from what is around them."""
    for r in prange(rows.size):
        look_one(
            np.int64(rows[r]), parameters, position, orientation, first_segment, food_position, food_amount, food_hash,
            solids, solid_hash, bodies, body_hash, bounds, water, food, alert,
        )  # fmt: skip
