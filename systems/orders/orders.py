"""What a game can tell a creature to do. Each function becomes a method of all creatures, whatever their family.

Orders are written into `CreaturePool`; every family obeys them in its own way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...components.brain_modes import GoalKind
from ...components.paths import PathPool
from ...components.segments import SegmentPool
from ...engine.creature import Creature
from ...engine.errors import PaludariumError
from ...engine.pool import Rows
from ..attachments import attach, attachments_of

if TYPE_CHECKING:
    from ...engine.world import World

ARRIVAL_RADIUS = 1.0
FOLLOW_DISTANCE = 4.0
FLEE_RADIUS = 15.0
FARTHEST_PUSHED = 5.0
"""Of its own lengths that all pushes together may move a segment in a tick; three tear the tissue beside it."""
MOST_POINTS = 10_000
"""Of a path; longer ones are a mistake of the caller's."""


def add_verbs(world: World) -> None:
    """Give creatures their verbs."""
    for verb in (goto, follow, follow_path, flee_from, control, release, push, kill, attach):
        world.add_verb(verb.__name__, verb)
    world.add_attribute("attachments", attachments_of)


def goto(creature: Creature, point: Any, radius: float = ARRIVAL_RADIUS, speed: float = 0.0) -> None:
    """Walk to a point of the map, around obstacles, and wait there until told otherwise. 0 is its own speed."""
    _set_goal(creature, GoalKind.GOTO, radius, speed, position=point)


def follow(creature: Creature, other: Creature, distance: float = FOLLOW_DISTANCE, speed: float = 0.0) -> None:
    """Walk after another creature and keep a distance; ends when it leaves the world."""
    _set_goal(creature, GoalKind.FOLLOW, distance, speed, other=other)


def follow_path(creature: Creature, points: Any, *, loop: bool = False, radius: float = ARRIVAL_RADIUS,
                speed: float = 0.0) -> None:
    """Go from point to point; at the last one it waits, with `loop` it begins again. A point counts within `radius`.

    Example::

        centipede.follow_path([(0, 0), (20, 0), (20, 15)], loop=True)
    """
    places = [creature.world.point_on_ground(point) for point in points]
    if not 1 <= len(places) <= MOST_POINTS:
        raise PaludariumError(f"follow_path: {len(places)} points; allowed is 1 to {MOST_POINTS}")
    _set_goal(creature, GoalKind.PATH, radius, speed, position=points[0])
    pool = creature.world.pool(PathPool)
    for start, count in pool.spans[pool.owner[pool.spans[:, 0]] == creature.serial].tolist():
        pool.release(Rows(start, start + count, pool.generation_of(start)))
    rows = pool.claim(len(places), creature.serial)
    pool.point[rows.slice] = places
    pool.creature_row[rows.start], pool.loop[rows.start] = creature.row, loop


def flee_from(creature: Creature, threat: Any, radius: float = FLEE_RADIUS) -> None:
    """Run from a point or another creature whenever it is nearer than `radius`."""
    if isinstance(threat, Creature):
        _set_goal(creature, GoalKind.FLEE_CREATURE, radius, 0.0, other=threat)
    else:
        _set_goal(creature, GoalKind.FLEE_POINT, radius, 0.0, position=threat)


def control(creature: Creature, speed: float, turn: float = 0.0, climb: float = 0.0) -> None:
    """Drive it: head speed in u/s (negative is backward), turning in rad/s (positive to the left), climbing in u/s.

    Climbing is for animals that swim in depth; others do not mind it.
    """
    drive = _finite("control", (speed, turn, climb))
    _set_goal(creature, GoalKind.DRIVE, ARRIVAL_RADIUS, 0.0)
    creature.world.creature_pool.drive[creature.row] = drive


def release(creature: Creature) -> None:
    """Give it back its own will. The rear half of a cut body has none: it stands still."""
    creature.world.creature_pool.goal_kind[creature.row] = GoalKind.NONE
    creature.family.release(creature)


def push(creature: Creature, impulse: Any, segment: int = 0) -> None:
    """Hit a segment with an impulse (mass times velocity). The creature loses its footing and has to find it again."""
    rows = creature.rows.get("segments")
    if rows is None:
        raise PaludariumError(f"push: {creature.name} has no segments that could be hit")
    if not 0 <= segment < rows.size:
        raise PaludariumError(f"push(segment={segment}): {creature.name} has segments 0 to {rows.size - 1}")
    vector = _finite("push", impulse)
    if vector.shape != (3,):
        raise PaludariumError(f"push(impulse={impulse!r}): allowed are three numbers")
    _add_push(creature, rows.start + segment, vector)
    creature.family.stun(creature)


def _add_push(creature: Creature, row: int, impulse: np.ndarray) -> None:
    """Update the push on a segment by an impulse. What would move it too far in a tick is cut, and an event says so."""
    world, pool = creature.world, creature.world.pool(SegmentPool)
    tick = world.clock.tick_seconds
    most = float(pool.mass[row]) * FARTHEST_PUSHED * 2.0 * float(pool.half_extents[row].max()) / tick
    total = pool.push[row, :3] + np.clip(impulse, -3.0 * most, 3.0 * most) / tick  # cut before it is squared
    force = float(np.linalg.norm(total))
    if force > most / tick:
        total *= most / tick / force
        segment = row - creature.rows["segments"].start
        world.emit("push_limited", creature, segment=segment, asked=impulse.tolist(), most=most)
    pool.push[row, :3] = total


def kill(creature: Creature) -> None:
    """End its life: no brain and no legs any more, the dynamics make the ragdoll. ``despawn`` removes the body."""
    if creature.dead:
        return
    creature.world.creature_pool.dead[creature.row] = 1
    creature.tier = "full"
    creature.family.stun(creature)
    creature.world.emit("died", creature)


def _set_goal(
    creature: Creature, kind: GoalKind, radius: float, speed: float, *, position: Any = None, other: Creature | None = None
) -> None:
    orders, row = creature.world.creature_pool, creature.row
    if not creature.family.obeys(creature):
        raise PaludariumError(f"{creature.name} has no brain to tell anything to")
    radius, speed = _finite(kind.name.lower(), (radius, speed)).tolist()
    if position is not None:
        point = creature.world.point_on_ground(position)
        orders.goal_position[row] = point
    if other is not None:
        if other is creature or other.world is not creature.world:
            raise PaludariumError(f"{creature.name} cannot follow or flee from {other.name}: allowed is another one here")
        orders.goal_row[row], orders.goal_serial[row] = other.row, other.serial
    orders.goal_kind[row], orders.goal_radius[row], orders.goal_speed[row] = kind, radius, speed
    orders.goal_done[row] = 0


def _finite(what: str, values: Any) -> np.ndarray:
    array = np.asarray(values, dtype=np.float64)
    if not np.isfinite(array).all():
        raise PaludariumError(f"{what}: {values!r} holds NaN or infinity; allowed are finite numbers")
    return array
