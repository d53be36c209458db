"""What a game can tell a creature to do. Each function becomes a method of all creatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..components.body import BodyPool
from ..components.brain import BrainPool
from ..components.brain_modes import BrainMode, GoalKind
from ..components.leg_states import LegState
from ..components.legs import LegPool
from ..components.myriapod.body_modes import DRY, BodyMode, land_mode
from ..components.myriapod.gait import GaitPool
from ..components.myriapod.headless_walk import GangliaPool
from ..components.myriapod.muscles import MusclePool
from ..components.segments import SegmentPool, Segments
from ..engine.creature import Creature
from ..engine.errors import PaludariumError
from .attachments import attach, attachments_of
from .myriapod.sever import sever

if TYPE_CHECKING:
    from ..engine.pool import Array
    from ..engine.world import World

ARRIVAL_RADIUS = 1.0
FOLLOW_DISTANCE = 4.0
FLEE_RADIUS = 15.0


def add_verbs(world: World) -> None:
    """Give creatures their verbs."""
    for verb in (goto, follow, flee_from, control, release, push, kill, sever, attach):
        world.add_verb(verb.__name__, verb)
    world.add_attribute("dead", is_dead)
    world.add_attribute("attachments", attachments_of)
    world.add_attribute("body_mode", body_mode)


def body_outline(creature: Creature) -> tuple[Array, float]:
    """The middle line of a body from nose to tail, (n, 3), and half its width; without segments a disc around its place."""
    if "segments" not in creature.rows:
        place = creature.position
        return np.stack([place, place]), float(creature.world.creature_pool.reach[creature.row])
    segments = creature.part(Segments)
    return segments.position, float(segments.half_extents[:, 1].max())


def goto(creature: Creature, point: Any, radius: float = ARRIVAL_RADIUS, speed: float = 0.0) -> None:
    """Walk to a point of the map, around obstacles, and wait there until told otherwise. 0 is its own speed."""
    _set_goal(creature, GoalKind.GOTO, radius, speed, position=point)


def follow(creature: Creature, other: Creature, distance: float = FOLLOW_DISTANCE, speed: float = 0.0) -> None:
    """Walk after another creature and keep a distance; ends when it leaves the world."""
    _set_goal(creature, GoalKind.FOLLOW, distance, speed, other=other)


def flee_from(creature: Creature, threat: Any, radius: float = FLEE_RADIUS) -> None:
    """Run from a point or another creature whenever it is nearer than `radius`."""
    if isinstance(threat, Creature):
        _set_goal(creature, GoalKind.FLEE_CREATURE, radius, 0.0, other=threat)
    else:
        _set_goal(creature, GoalKind.FLEE_POINT, radius, 0.0, position=threat)


def control(creature: Creature, speed: float, turn: float = 0.0) -> None:
    """Drive it: head speed in u/s (negative walks backward) and turning in rad/s (positive to the left)."""
    _set_goal(creature, GoalKind.DRIVE, ARRIVAL_RADIUS, 0.0)
    creature.world.pool(BrainPool).drive[creature.row] = _finite("control", (speed, turn))


def release(creature: Creature) -> None:
    """Give it back its own will. The rear half of a cut body has none: it stands still."""
    if "ganglia" in creature.rows:
        creature.world.pool(GangliaPool).seconds_left[creature.row] = 0.0
        return
    _brain(creature).goal_kind[creature.row] = GoalKind.NONE


def push(creature: Creature, impulse: Any, segment: int = 0) -> None:
    """Hit a segment with an impulse (mass times velocity). The creature loses its footing and has to find it again."""
    rows = creature.rows.get("segments")
    if rows is None:
        raise PaludariumError(f"push: {creature.name} has no segments that could be pushed")
    if not 0 <= segment < rows.size:
        raise PaludariumError(f"push(segment={segment}): {creature.name} has segments 0 to {rows.size - 1}")
    vector = _finite("push", impulse)
    if vector.shape != (3,):
        raise PaludariumError(f"push(impulse={impulse!r}): allowed are three numbers")
    world = creature.world
    world.pool(SegmentPool).push[rows.start + segment, :3] += vector / world.clock.tick_seconds
    _lose_footing(creature)


def kill(creature: Creature) -> None:
    """End its life: no brain and no legs any more, the dynamics make the ragdoll. ``despawn`` removes the body."""
    world, row = creature.world, creature.row
    body = world.pool(BodyPool)
    if body.dead[row]:
        return
    body.dead[row] = 1
    creature.tier = "full"
    _lose_footing(creature)
    world.emit("died", creature)


def is_dead(creature: Creature) -> bool:
    """True for a ragdoll."""
    return bool(creature.world.pool(BodyPool).dead[creature.row])


def body_mode(creature: Creature) -> BodyMode:
    """Where the body is: in the air, landing, on the ground, in the water, or between two of these."""
    in_water = creature.world.pool(MusclePool).water_mode[creature.row] if "muscles" in creature.rows else DRY
    if in_water != DRY:
        return BodyMode(int(in_water))
    return land_mode(creature.legs.history) if "legs" in creature.rows else BodyMode.ON_GROUND


def _lose_footing(creature: Creature) -> None:
    world, row = creature.world, creature.row
    if "legs" in creature.rows:
        legs, here = world.pool(LegPool), creature.rows["legs"].slice
        legs.state[here] = LegState.SF1
        legs.armed[here] = 0
    if "gait" in creature.rows:
        gait = world.pool(GaitPool)
        gait.adjusting[row], gait.stance_share[row] = 1, 0.0
    if "brain" in creature.rows:
        brain = world.pool(BrainPool)
        brain.mode[row], brain.speed[row], brain.yaw_rate[row] = BrainMode.ADJUSTMENT, 0.0, 0.0
    if "segments" in creature.rows:
        world.pool(SegmentPool).support_timer[creature.rows["segments"].slice] = 0.0


def _set_goal(
    creature: Creature, kind: GoalKind, radius: float, speed: float, *, position: Any = None, other: Creature | None = None
) -> None:
    brain, row = _brain(creature), creature.row
    radius, speed = _finite(kind.name.lower(), (radius, speed)).tolist()
    if position is not None:
        point = creature.world.point_on_ground(position)
        brain.goal_position[row] = point
    if other is not None:
        if other is creature or other.world is not creature.world:
            raise PaludariumError(f"{creature.name} cannot follow or flee from {other.name}: allowed is another one here")
        brain.goal_row[row], brain.goal_serial[row] = other.row, other.serial
    brain.goal_kind[row], brain.goal_radius[row], brain.goal_speed[row] = kind, radius, speed
    brain.goal_done[row] = 0


def _brain(creature: Creature) -> BrainPool:
    if "brain" not in creature.rows:
        raise PaludariumError(f"{creature.name} has no brain to tell anything to")
    return creature.world.pool(BrainPool)


def _finite(what: str, values: Any) -> np.ndarray:
    array = np.asarray(values, dtype=np.float64)
    if not np.isfinite(array).all():
        raise PaludariumError(f"{what}: {values!r} holds NaN or infinity; allowed are finite numbers")
    return array
