"""The family of articulated swimmers: rigid links on servo joints, moved by the water that they push aside. [Tan11]"""

from __future__ import annotations

from math import cos, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.errors import PlaceTakenError
from ...engine.families import Family, Tables
from ...engine.parts import SpecProblem
from ...engine.turns import quaternion_of_frame
from ..body import BodyPool, Physics, write_kind
from ..brain import has_a_brain
from ..diet import give_own_mouth, with_diet
from ..parameters import renew_parameters
from ..segments import SegmentPool
from .ashore import AshoreHandle, AshorePool, AshoreSpec, fill_ashore, renew_ashore
from .link_plan import MOST_LINKS, BodyPlan, plan_of, rest_frames
from .links import LinkPool, Links, LinkSpec, fill_links, renew_links
from .manoeuvres import MANOEUVRES, ManoeuvrePool, Manoeuvres, ManoeuvreSpec, fill_manoeuvres, renew_manoeuvres
from .servo import NO_WINDOW, Servo, ServoSpec, SwimPool, fill_servo, heading_of, write_servo
from .skin import SkinHandle, SkinPool, SkinSpec, fill_skin, renew_skin
from .surrogate import SurrogateHandle, SurrogatePool, SurrogateSpec, fill_surrogate

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.parts import Birth
    from ...engine.pool import Array, Rows
    from ...engine.world import World

SLIPS_THROUGH = 1.5
"""Half widths or half heights below the surface from which on links move no columns of water: they have windows."""
WALK: dict[str, Any] = {
    "walk_leg_min_s": 4.0, "walk_leg_max_s": 10.0, "walk_turn": 0.8, "walk_angle_min_deg": 10.0, "walk_angle_max_deg": 60.0,
    "goal_slack_deg": 3.0, "arrive_gain_per_s": 0.5, "goal_yaw_deg_per_s": 90.0,
}  # fmt: skip
"""Keys of a ``[brain]`` that says nothing else: straight legs that show the stroke, short turns, and a halt in good time,
because a body in the water glides on."""
ELLIPSE = np.pi / 4.0
"""Of a box that an ellipse fills."""


def add_articulated(world: World) -> None:
    """Register the parts that only articulated swimmers have, and the family itself."""
    world.add_part("links", LinkSpec, LinkPool, Links, fill_links, repeated=True, renew=renew_links)
    world.add_part("manoeuvres", ManoeuvreSpec, ManoeuvrePool, Manoeuvres, fill_manoeuvres, repeated=True,
                   renew=renew_manoeuvres)  # fmt: skip
    world.add_part("servo", ServoSpec, SwimPool, Servo, fill_swimmer, renew=renew_swimmer)
    world.add_part("ashore", AshoreSpec, AshorePool, AshoreHandle, fill_ashore, renew=renew_ashore)
    world.add_part("skin", SkinSpec, SkinPool, SkinHandle, fill_skin, renew=renew_skin)
    world.add_part("surrogate", SurrogateSpec, SurrogatePool, SurrogateHandle, fill_surrogate, renew=renew_parameters)
    tables = frozenset({"links", "manoeuvres", "servo", "skin", "surrogate", "ashore"})
    world.add_family(Family(
        "articulated", tables=tables, required=frozenset({"links"}), complete=complete, place=place_swimmer,
        stun=let_go, carry=carry, bound=needs_full_detail, obeys=has_a_brain, doing=doing, places=(8, 200),
    ))  # fmt: skip


def complete(tables: Tables) -> Tables:
    """Add what follows from the file: a segment per link that has a shape, servos, and a head that is followed.

    A body without manoeuvres lies still until `paludarium train` finds some.
    """
    links = tables.get("links")
    shaped = joints = 1
    if isinstance(links, list):
        if not 1 <= len(links) <= MOST_LINKS:
            raise SpecProblem("links", f"{len(links)} tables", f"1 to {MOST_LINKS} tables [[links]]")
        shaped = sum(isinstance(link, dict) and link.get("length", 1.0) != 0.0 for link in links)
        joints = len(links) - 1
    added: Tables = {"segments": {"count": max(shaped, 1)}}
    added.update({name: {} for name in ("body", "servo", "skin", "surrogate", "ashore", "head")})
    if "links" in tables:
        added["manoeuvres"] = [{"name": "straight", "amplitude_deg": [0.0] * joints, "phase_deg": [0.0] * joints}]
    found = {**added, **tables}
    if isinstance(found.get("brain"), dict):
        found["brain"] = {**WALK, **found["brain"]}
    return with_diet(found)


def place_swimmer(birth: Birth, _spec: Any, rows: Rows) -> None:
    """Put a newborn into the water at rest: at a given height, at the depth that it keeps, or half way down."""
    world, row = birth.world, birth.rows["creature"].start
    plan, servo = plan_of(tuple(birth.species.specs["links"])), birth.spec("servo", ServoSpec)
    length = servo.length
    root = birth.at.copy()
    if not birth.in_air:
        root[2] = _depth_for(birth, servo, length * float(plan.height.max()))
    if float(world.terrain.height(root[None])[0]) < 0.0:
        place = ", ".join(f"{value:.1f}" for value in root)
        raise PlaceTakenError(f"{birth.species.key} at ({place}) would start inside the ground")
    lay_segments(world.pool(SegmentPool), rows.slice, plan, length, root, birth.heading)
    creatures, body = world.creature_pool, world.pool(BodyPool)
    creatures.position[row], creatures.reach[row], creatures.length[row] = root, length, length
    write_kind_of_swimmer(body, row)
    give_own_mouth(birth)


def lay_segments(segments: SegmentPool, here: slice, plan: BodyPlan, length: float, root: Array, heading: float) -> None:
    """Update the segments of a body at rest: one box around every link that has a shape."""
    joints, axes = rest_frames(plan)
    turn = np.array([[cos(heading), sin(heading), 0.0], [-sin(heading), cos(heading), 0.0], [0.0, 0.0, 1.0]])
    shaped = plan.length > 0.0
    middles = joints[shaped] - 0.5 * plan.length[shaped, None] * axes[shaped, 0] + plan.aside[shaped, None] * axes[shaped, 1]
    segments.position[here] = root + length * middles @ turn
    segments.orientation[here] = [quaternion_of_frame(frame @ turn) for frame in axes[shaped]]
    write_segments(segments, here, plan, length)


def write_segments(segments: SegmentPool, here: slice, plan: BodyPlan, length: float) -> None:
    """Update sizes and masses of the segments of one body."""
    half = np.column_stack([0.5 * plan.length, plan.radius.max(axis=1), plan.height.max(axis=1)])[plan.length > 0.0]
    segments.half_extents[here] = length * half
    segments.mass[here] = plan.density[plan.length > 0.0] * ELLIPSE * 8.0 * (length * half).prod(axis=1)


def write_kind_of_swimmer(bodies: BodyPool, row: int) -> None:
    """Say what moves the body of a swimmer."""
    write_kind(bodies, row, Physics.LINKS, linked=0, unfelt_widths=SLIPS_THROUGH, unfelt_heights=SLIPS_THROUGH)


def _depth_for(birth: Birth, servo: ServoSpec, thick: float) -> float:
    """The height that a newborn swims at; without water it lies on the ground."""
    ground, depth = float(birth.at[2]), float(birth.world.water.depth(birth.at[None, :2])[0])
    if not depth > 0.0:
        return ground + thick
    below = servo.swim_depth if servo.swim_depth > 0.0 else 0.5 * depth
    return ground + max(depth - below, min(thick, depth))


def renew_swimmer(creature: Creature, spec: ServoSpec, pool: SwimPool, rows: Rows) -> None:
    """Servos, size and build of the species."""
    world, row, plan = creature.world, rows.start, plan_of(tuple(creature.species.specs["links"]))
    write_servo(pool, row, spec)
    pool.plane[row] = plan.plane
    write_segments(world.pool(SegmentPool), creature.rows["segments"].slice, plan, spec.length)
    write_kind_of_swimmer(world.pool(BodyPool), row)
    world.creature_pool.length[row] = spec.length


def fill_swimmer(birth: Birth, spec: ServoSpec, pool: SwimPool, rows: Rows) -> None:
    """Servos of the species, and the root where the segments are; a newborn is at rest at the beginning of a cycle."""
    row, world = rows.start, birth.world
    fill_servo(birth, spec, pool, rows)
    plan = plan_of(tuple(birth.species.specs["links"]))
    root = world.creature_pool.position[row]
    pool.plane[row] = plan.plane
    pool.root[row] = root[0], root[1], birth.heading
    pool.height[row] = root[2]
    joints, axes = rest_frames(plan)
    angles = birth.heading + np.arctan2(axes[:, 0, 1], axes[:, 0, 0])
    pool.heading[row] = heading_of(angles, plan.mass)
    pool.wish_effort[row] = 1.0
    links, here = world.pool(LinkPool), birth.rows["links"].slice
    c, s = cos(birth.heading), sin(birth.heading)
    links.place[here, 0] = root[0] + spec.length * (c * joints[:, 0] - s * joints[:, 1])
    links.place[here, 1] = root[1] + spec.length * (s * joints[:, 0] + c * joints[:, 1])
    links.place[here, 2] = angles
    pool.phase[row] = world.streams["swimmer strokes"].uniform(0.0, 1.0)


def let_go(creature: Creature) -> None:
    """The dead do not beat any more; a push is felt by the body alone."""
    if creature.dead:
        swimmers, row = creature.world.pool(SwimPool), creature.row
        swimmers.wish_effort[row] = swimmers.wish_steer[row] = swimmers.wish_rise[row] = 0.0


def carry(creature: Creature, offset: Array) -> bool:
    """Move one in the plan view, at its height in the water, at rest."""
    world, row = creature.world, creature.row
    swimmers, segments, links = world.pool(SwimPool), world.pool(SegmentPool), world.pool(LinkPool)
    here, own = creature.rows["segments"].slice, creature.rows["links"].slice
    goal = world.creature_pool.position[row, :2] + offset
    ground = float(world.terrain.elevation(goal[None])[0])
    if not np.isfinite(ground) or ground < -1e5:
        return False
    depth = float(world.water.depth(goal[None])[0])
    rise = ground + max(0.5 * depth, float(segments.half_extents[here, 2].max())) - float(swimmers.height[row])
    move = np.array([*offset, rise])
    segments.position[here] += move
    segments.velocity[here] = segments.angular_velocity[here] = segments.push[here] = 0.0
    links.place[own, :2] += offset
    links.rate[own] = 0.0
    swimmers.root[row, :2] += offset
    swimmers.height[row] += rise
    swimmers.root_rate[row] = 0.0
    swimmers.climb[row], swimmers.window[row] = 0.0, NO_WINDOW
    world.creature_pool.position[row] += move
    world.creature_pool.velocity[row] = 0.0
    return True


def needs_full_detail(world: World, rows: Array) -> Array:
    """None: those that are dead or lie on land are moved by the same water forces at every tier."""
    return np.zeros(len(rows), np.bool_) & (world.creature_pool.dead[rows] != 0)


def doing(creature: Creature) -> str:
    """What it does, in a word: its manoeuvre."""
    swimmers, row = creature.world.pool(SwimPool), creature.row
    if abs(float(swimmers.effort[row])) < 0.05:
        return "glide"
    return MANOEUVRES[int(swimmers.manoeuvre[row])].replace("_", " ")
