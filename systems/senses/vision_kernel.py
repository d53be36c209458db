"""What a swimmer sees: the nearest food in one fan, and in each half of the other how near the next wall is. [Fang15 5.5]

Fans lie in the plan view and open from the head. A wall is an obstacle, the edge of the map, or water too shallow to swim
in, so shores, islands and the end of a pond need no rule of their own. Other bodies are seen by their nearest point.
Legend: (hx, hy) heading of the head in plan; u direction of a ray; t way along it.
"""

from __future__ import annotations

from math import atan2, cos, hypot, sin
from typing import TYPE_CHECKING

from numba import prange

from ...components.antennae import LEFT, RIGHT
from ...components.body import Answer
from ...components.vision import BEARING, DISTANCE, OUT_OF_SIGHT, Vision
from ...engine.kernel import kernel
from ...engine.kernel_types import int64
from ...engine.spatial_hash import boxes_overlap, next_item, open_query
from ...engine.water.sample_kernel import sample_water
from ..legs.segment_frame_kernel import segment_frame
from ..spatial_index.free_path_kernel import free_path_to_edges, free_path_to_solids
from ..spatial_index.solids import SolidField
from .closest_approach_kernel import drift_of, gives_way_to, risk_of, turn_for

if TYPE_CHECKING:
    from ...components.body import BodyPool
    from ...components.brain import BrainPool
    from ...components.segments import SegmentPool
    from ...components.vision import VisionPool
    from ...engine.creature import CreaturePool
    from ...engine.kernel_types import Array, Vector
    from ...engine.props import FoodPool
    from ...engine.water.pond_layout import WaterArrays
    from ..spatial_index.index import Around, Herd

SAMPLE_STEP = 1.0  # units between the places at which a ray asks for the depth; a wall thinner than that is no shore
SHOALING = 0.9  # of the depth at the head: already in the shallows, only what is shallower still counts as a wall
HORIZON = 4.0  # s; two swimmers that would meet later do not turn yet: they turn slowly (docs/crowds.md)
ROOM = 4.0  # sums of both half widths at which they let others pass (docs/crowds.md)
SHORTEST = 1e-9  # units; a head that looks straight up has no heading
MOST_SEEN = 1024  # links around a head that are looked at, lowest numbers of each cell first


@kernel()
def see_food(c: int, x: float, y: float, hx: float, hy: float, eyes: VisionPool, food: FoodPool, around: Around) -> None:
    """Find the nearest food in the fan of one creature and its bearing; the lower row wins a tie."""
    reach, opening = eyes.parameters[c, Vision.FOOD_RANGE], eyes.parameters[c, Vision.FOOD_ANGLE]
    position, amount, rows, hashed, seen = food.position, food.amount, around.food_rows, around.food_hash, eyes.food[c]
    best, seen[DISTANCE], seen[BEARING] = int64(-1), OUT_OF_SIGHT, 0.0
    cells, cursor = open_query(hashed, x - reach, y - reach, x + reach, y + reach)
    while True:
        item, cursor = next_item(hashed, cells, cursor)
        if item < 0:
            return
        k = rows[item]
        dx, dy = position[k, 0] - x, position[k, 1] - y
        distance = hypot(dx, dy)
        nearer = distance < seen[DISTANCE] or (distance == seen[DISTANCE] and item < best)
        if amount[k] <= 0.0 or distance > reach or not nearer:
            continue
        bearing = atan2(hx * dy - hy * dx, hx * dx + hy * dy)
        if abs(bearing) <= opening:
            best, seen[DISTANCE], seen[BEARING] = item, distance, bearing


@kernel()
def look_along(at: Vector, u: Vector, reach: float, shallow: float, around: Around, water: WaterArrays) -> float:
    """Return how far the way is free along the unit vector u in plan, at most reach."""
    reach = free_path_to_edges(around.bounds, at, u, 0.0, reach)
    reach = free_path_to_solids(around, at, u, 0.0, reach)[0]
    if shallow > 0.0:
        t = SAMPLE_STEP
        while t < reach:
            if sample_water(water, at[0] + t * u[0], at[1] + t * u[1]).depth < shallow:
                return t
            t += SAMPLE_STEP
    return reach


@kernel()
def see_walls(c: int, at: Vector, hx: float, hy: float, eyes: VisionPool, around: Around, water: WaterArrays) -> None:
    """Find how near the next wall is in each half of the alert fan of one creature."""
    own, alert = eyes.parameters[c], eyes.alert[c]
    shallow = min(own[Vision.LEAST_DEPTH], SHOALING * sample_water(water, at[0], at[1]).depth)
    rays = int(own[Vision.RAYS])
    for side in range(2):
        alert[side] = OUT_OF_SIGHT
        for k in range(rays):
            angle = (k + 0.5) / rays * own[Vision.ALERT_ANGLE] * (1.0 if side == LEFT else -1.0)
            u = (cos(angle) * hx - sin(angle) * hy, sin(angle) * hx + cos(angle) * hy, 0.0)
            free = look_along(at, u, own[Vision.ALERT_RANGE], shallow, around, water)
            if free < own[Vision.ALERT_RANGE]:
                alert[side] = min(alert[side], free)


@kernel()
def see_bodies(c: int, x: float, y: float, hx: float, hy: float, eyes: VisionPool, around: Around) -> None:
    """Let the bodies of others that come near in front of one creature alert it, too."""
    reach, opening = eyes.parameters[c, Vision.BODY_RANGE], eyes.parameters[c, Vision.ALERT_ANGLE]
    bodies, hashed, alert = around.bodies, around.body_hash, eyes.alert[c]
    cells, cursor = open_query(hashed, x - reach, y - reach, x + reach, y + reach)
    for _ in range(MOST_SEEN):
        k, cursor = next_item(hashed, cells, cursor)
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
        if distance <= reach and abs(bearing) <= opening:
            side = LEFT if bearing > 0.0 else RIGHT
            alert[side] = min(alert[side], distance)


@kernel()
def see_meetings(c: int, x: float, y: float, creatures: CreaturePool, bodies: BodyPool, segments: SegmentPool,
                 eyes: VisionPool, herd: Herd) -> None:  # fmt: skip
    """Find how much one creature should turn for the one within the range of its alert fan that it is most likely to meet.

    Bodies that climb over each other on land pass below each other in the water, too: they need not turn.
    """
    before, eyes.dodge[c] = eyes.dodge[c], 0.0
    if bodies.answer[c] == Answer.OWN.value:
        return
    reach, hashed, worst = eyes.parameters[c, Vision.ALERT_RANGE], herd.hashed, 0.0
    drift = drift_of(c, bodies, segments)
    cells, cursor = open_query(hashed, x - reach, y - reach, x + reach, y + reach)
    for _ in range(MOST_SEEN):
        item, cursor = next_item(hashed, cells, cursor)
        if item < 0:
            return
        row = int64(herd.rows[item])
        near = boxes_overlap(hashed.boxes, item, x - reach, y - reach, x + reach, y + reach)
        if not near or not gives_way_to(c, row, creatures, bodies):
            continue
        risk, side = risk_of(c, row, drift, HORIZON, ROOM, bodies, segments)
        if risk > worst:
            worst, eyes.dodge[c] = risk, turn_for(risk, side, before)


@kernel()
def see_nothing(c: int, eyes: VisionPool) -> None:
    """Close the eyes of one creature."""
    eyes.dodge[c] = 0.0
    for k in range(2):
        eyes.food[c, k] = eyes.alert[c, k] = OUT_OF_SIGHT


@kernel()
def look_one(c: int, bodies: BodyPool, segments: SegmentPool, eyes: VisionPool, food: FoodPool, around: Around,
             water: WaterArrays, creatures: CreaturePool, herd: Herd) -> None:  # fmt: skip
    """Note the food, the walls and the other bodies that one creature sees."""
    frame = segment_frame(segments.position, segments.orientation, int64(bodies.first_segment[c]))
    x, y = frame.x, frame.y
    length = max(hypot(frame.fx, frame.fy), SHORTEST)
    hx, hy = frame.fx / length, frame.fy / length
    see_food(c, x, y, hx, hy, eyes, food, around)
    see_walls(c, (x, y, frame.z), hx, hy, eyes, around, water)
    see_bodies(c, x, y, hx, hy, eyes, around)
    see_meetings(c, x, y, creatures, bodies, segments, eyes, herd)


@kernel(parallel=True)
def look_about(rows: Array, bodies: BodyPool, segments: SegmentPool, brains: BrainPool, eyes: VisionPool, food: FoodPool,
               around: Around, water: WaterArrays, creatures: CreaturePool, herd: Herd) -> None:  # fmt: skip
    """Update the food and the alerts that all listed creatures see.

    Eyes serve in the water only: on land the antennae are the better guide. [Fang15 5.5]
    """
    for r in prange(rows.size):
        c = int64(rows[r])
        if brains.afloat[c] != 0:
            look_one(c, bodies, segments, eyes, food, around, water, creatures, herd)
        else:
            see_nothing(c, eyes)
