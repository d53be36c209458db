"""What a game can tell a creature to do. Each function becomes a method of all creatures, whatever their family.

Orders are written into `CreaturePool`; every family obeys them in its own way.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ...components.brain_modes import GoalKind
from ...components.paths import PathPool
from ...components.segments import SegmentPool
from ...engine import arguments
from ...engine.creature import Creature
from ...engine.errors import ArgumentError, PaludariumError, shortened
from ...engine.places import point_on_ground
from ...engine.pool import Rows
from ..attachments import attach, attachments_of

if TYPE_CHECKING:
    from ...engine.world import World

ARRIVAL_RADIUS = 1.0
FOLLOW_DISTANCE = 4.0
FLEE_RADIUS = 15.0
FARTHEST_PUSHED = 5.0
"""Of its own lengths that all pushes together may move a segment in a tick; three tear the tissue beside it."""
FASTEST_ORDER = 1000.0
"""u/s that a game may ask for; the fastest animal that ships swims at 40."""
SHARPEST_ORDER = 100.0
"""rad/s of a turn that a game may ask for."""
VERBS = {GoalKind.GOTO: "goto", GoalKind.FOLLOW: "follow", GoalKind.PATH: "follow_path", GoalKind.DRIVE: "control",
         GoalKind.FLEE_POINT: "flee_from", GoalKind.FLEE_CREATURE: "flee_from"}  # fmt: skip
"""Which call gives an order of each kind."""
WITH_A_PLACE = (GoalKind.GOTO, GoalKind.PATH, GoalKind.FLEE_POINT)
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
    places = [_place(creature, "follow_path(points)", point) for point in _path(points)]
    arguments.flag("follow_path(loop)", loop)
    _set_goal(creature, GoalKind.PATH, radius, speed, position=places[0])
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
    given = {"speed": speed, "turn": turn, "climb": climb}
    most = {"speed": FASTEST_ORDER, "turn": SHARPEST_ORDER, "climb": FASTEST_ORDER}
    drive = [arguments.number(f"control({name})", value, -most[name], most[name]) for name, value in given.items()]
    _set_goal(creature, GoalKind.DRIVE, ARRIVAL_RADIUS, 0.0)
    creature.world.creature_pool.drive[creature.row] = drive


def release(creature: Creature) -> None:
    """Give it back its own will. The rear half of a cut body has none: it stands still."""
    row = creature.row
    creature.world.creature_pool.goal_kind[row] = GoalKind.NONE
    creature.family.release(creature)


def push(creature: Creature, impulse: Any, segment: int = 0) -> None:
    """Hit a segment with an impulse (mass times velocity). The creature loses its footing and has to find it again."""
    creature.world.creature_pool.check(creature.rows["creature"])  # its rows may belong to another one by now
    rows = creature.rows.get("segments")
    if not creature.in_world or rows is None:
        raise PaludariumError(f"push: {creature.name} has no segments that could be hit")
    segment = arguments.whole(f"push(segment) of {creature.name}", segment, 0, rows.size - 1)
    _add_push(creature, rows.start + segment, arguments.vector("push(impulse)", impulse, (3,)))
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


def kill(creature: Creature, cause: str = "") -> None:
    """End its life: no brain and no legs any more, the dynamics make the ragdoll. ``despawn`` removes the body.

    The event ``died`` tells the cause, if one is given.
    """
    told = {"cause": arguments.text("kill(cause)", cause)} if cause else {}
    if creature.dead:
        return
    creature.world.creature_pool.dead[creature.row] = 1
    creature.tier = "full"
    creature.family.stun(creature)
    creature.world.emit("died", creature, **told)


def _set_goal(
    creature: Creature, kind: GoalKind, radius: float, speed: float, *, position: Any = None, other: Creature | None = None
) -> None:
    """Write an order down; everything is checked before the first value is written."""
    orders, row, verb = creature.world.creature_pool, creature.row, VERBS[kind]
    if creature.dead:
        raise PaludariumError(f"{verb}(): {creature.name} is dead: allowed is a living creature; `creature.dead` tells")
    if not creature.family.obeys(creature):
        raise PaludariumError(f"{verb}(): {creature.name} has no brain to tell anything to")
    reach = "distance" if kind is GoalKind.FOLLOW else "radius"
    radius = arguments.number(f"{verb}({reach})", radius, 0.0)
    speed = arguments.number(f"{verb}(speed)", speed, 0.0, FASTEST_ORDER)
    point = orders.goal_position[row]
    if kind in WITH_A_PLACE:
        point = _place(creature, f"{verb}({'threat' if kind is GoalKind.FLEE_POINT else 'point'})", position)
    about = int(orders.goal_row[row]), int(orders.goal_serial[row])
    if kind in (GoalKind.FOLLOW, GoalKind.FLEE_CREATURE):
        name = f"{verb}({'other' if kind is GoalKind.FOLLOW else 'threat'})"
        target = arguments.creature(name, other, creature.world)
        if target is creature:
            raise PaludariumError(f"{name} = {creature.name} itself: allowed is another creature of this world")
        about = target.row, target.serial
    orders.goal_position[row] = point
    orders.goal_row[row], orders.goal_serial[row] = about
    orders.goal_kind[row], orders.goal_radius[row], orders.goal_speed[row] = kind, radius, speed
    orders.goal_done[row] = 0


def _place(creature: Creature, name: str, point: Any) -> Any:
    """A point of the map that an order names."""
    return point_on_ground(creature.world.terrain, point, name, ArgumentError)


def _path(points: Any) -> list[Any]:
    try:
        places = list(islice(points, MOST_POINTS + 1)) if not isinstance(points, str | bytes | dict) else []
    except TypeError:
        places = []
    if not 1 <= len(places) <= MOST_POINTS:
        raise PaludariumError(f"follow_path(points) = {shortened(points)}: allowed is a list of 1 to {MOST_POINTS} points")
    return places
