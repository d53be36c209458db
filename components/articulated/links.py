"""Links: rigid pieces of a body, each on a hinge of the one before it, turned by a servo. [Tan11 3.2]"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import MOTION, OFFSET, EarlierInSpan, PlaceAmong, PlaceInSpan, Within
from ...engine.pool import Pool, Rows, column, view
from ...engine.readings import Reading
from ...engine.spec import flag, number, numbers, text
from .link_plan import plan_of, scaled

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.parts import Birth


@dataclass(frozen=True)
class LinkSpec:
    """One ``[[links]]`` table. Lengths are shares of the length of the body; the first link is the root."""

    name: str = text(doc="by which other links and searches know it")
    parent: str = text("", doc="the link that it hangs on; the one before it if not given")
    length: float = number(0.2, low=0.0, high=2.0, doc="from its joint backward, in body lengths; 0 is a joint alone")
    half_width: tuple[float, ...] = numbers((0.04, 0.04), count=2, low=0.0, high=0.5, doc="at the joint and at the rear end")
    half_height: tuple[float, ...] = numbers((0.0, 0.0), count=2, low=0.0, high=0.5,
                                             doc="the same upward; as wide as high if 0")  # fmt: skip
    at: tuple[float, ...] = numbers(
        (), low=-2.0, high=2.0, doc="its joint, forward, left and up in its parent's axes; its rear end if not given"
    )
    axis: tuple[float, ...] = numbers(
        (0.0, 0.0, 1.0),
        count=3,
        low=-1.0,
        high=1.0,
        doc="that it turns about, in its parent's axes; up for bodies in the plane",
    )
    aside: float = number(0.0, low=-1.0, high=1.0, doc="its shape lies so far to the left of its joint; only in space")
    rest: float = number(0.0, unit="deg", low=-180.0, high=180.0, doc="angle at rest")
    limit: float = number(45.0, unit="deg", low=0.0, high=180.0, doc="largest angle to either side of that")
    range: tuple[float, ...] = numbers(
        (), unit="deg", low=-180.0, high=180.0, doc="lowest and highest angle of its strokes; limit if not given"
    )
    held: bool = flag(False, doc="does not beat: a search holds it in straight strokes, and at other angles in turns")
    held_at: float = number(0.0, unit="deg", low=-180.0, high=180.0, doc="angle at which straight strokes hold it")
    density: float = number(1.0, low=0.01, high=20.0, doc="against water")
    mirror: str = text("", doc="the link of the other side whose angle this one has mirrored")
    follows: str = text("", doc="the link whose angle this one has, times factor")
    factor: float = number(1.0, low=-10.0, high=10.0, doc="of what it follows")
    group: str = text("", doc="searched together with others of this name, group after group")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        """All links must fit into one tree."""
        plan_of(tuple(specs["links"]))


class LinkPool(Pool):
    """One row per link, the root first. Units of the world, water of density 1 and one unit deep."""

    format = 2

    # of the species and its size
    parent = column(np.int32, fill=-1, holds=EarlierInSpan(), fixed=True)  # counted from the root
    joint = column(np.float64, 3, holds=OFFSET, fixed=True)  # in the parent's axes, from the parent's joint
    axis = column(np.float64, 3, holds=Within(-1.0, 1.0), fixed=True)
    rest = column(np.float64, holds=Within(-pi, pi), fixed=True)
    limit = column(np.float64, fill=pi, holds=Within(0.0, pi), fixed=True)  # to either side of rest
    length = column(np.float64, holds=OFFSET, fixed=True)
    radius = column(np.float64, 2, holds=OFFSET, fixed=True)
    height = column(np.float64, 2, holds=OFFSET, fixed=True)
    aside = column(np.float64, holds=OFFSET, fixed=True)  # of its shape, to the left of its joint
    mass = column(np.float64, holds=Within(0.0, 1e12), fixed=True)
    com = column(np.float64, holds=OFFSET, fixed=True)  # of the centre of mass behind the joint
    inertia = column(np.float64, holds=Within(0.0, 1e18), fixed=True)
    kp = column(np.float64, holds=Within(0.0, 1e18), fixed=True)  # of the servo, per rad
    kd = column(np.float64, holds=Within(0.0, 1e18), fixed=True)  # per rad/s
    segment = column(np.int32, fill=-1, holds=PlaceAmong("SegmentPool"), fixed=True)  # -1: it has none
    other = column(np.int32, holds=PlaceInSpan(), fixed=True)  # link of the other side, itself in the middle
    other_sign = column(np.float64, fill=-1.0, holds=Within(-1.0, 1.0), fixed=True)  # of its angle in a mirrored movement
    # the joint before it, in order from the root; the root's row is unused
    angle = column(np.float64, holds=Within(-1e3, 1e3))  # from rest, rad
    rate = column(np.float64, holds=MOTION)
    wanted = column(np.float64, holds=Within(-1e3, 1e3))  # that the servo is to have at the end of the tick
    wanted_rate = column(np.float64, holds=MOTION)
    torque = column(np.float64, holds=Within(-1e18, 1e18))  # of the servo in the last tick
    wet = column(np.float64, fill=1.0, since=2, holds=Within(0.0, 1.0))  # share of it in the water
    push = column(np.float64, 3, holds=Within(-1e18, 1e18))  # force x, y on its centre of mass and torque, in this tick
    # where it is
    place = column(np.float64, 3, holds=Within(-1e7, 1e7))  # x and y of its joint, and its angle in the map


class Links:
    """The links of one swimmer, the root first.

    Example::

        eel.links.angle        # (5,) rad from rest; the root has 0
        eel.links.torque       # (5,) of the servos
    """

    __slots__ = ("pool", "rows")

    def __init__(self, pool: LinkPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    angle = view("angle", "(n,) of the joints from rest, rad; the root has 0")
    rate = view("rate", "(n,) rad/s")
    wanted = view("wanted", "(n,) what the servos follow, rad")
    torque = view("torque", "(n,) of the servos in the last tick")

    def readings(self) -> list[Reading]:
        """How far each joint is bent."""
        return [Reading("cells", "joints", "violet", values=np.clip(0.5 + self.angle[1:] / pi, 0.0, 1.0))]


def fill_links(birth: Birth, specs: tuple[LinkSpec, ...], pool: LinkPool, rows: Rows) -> None:
    """Sizes and servos of a newborn; where its links are its family writes."""
    from .servo import ServoSpec

    plan, servo = plan_of(tuple(specs)), birth.spec("servo", ServoSpec)
    write_links(pool, rows.slice, plan, servo)


def renew_links(creature: Creature, specs: tuple[LinkSpec, ...], pool: LinkPool, rows: Rows) -> None:
    """Sizes and servos of the species."""
    write_links(pool, rows.slice, plan_of(tuple(specs)), creature.species.specs["servo"])


def write_links(pool: LinkPool, here: slice, plan: Any, servo: Any) -> None:
    """Update the rows of one body from its plan and servos, also outside of any world.

    Example::

        pool = LinkPool()
        write_links(pool, pool.claim(plan.count, owner=1).slice, plan, ServoSpec(length=1.0))
    """
    for name, values in scaled(plan, servo.length).items():
        getattr(pool, name)[here] = values
    pool.parent[here], pool.axis[here], pool.rest[here], pool.limit[here] = plan.parent, plan.axis, plan.rest, plan.limit
    shaped = plan.length > 0.0
    pool.segment[here] = np.where(shaped, np.cumsum(shaped) - 1, -1)
    pool.other[here], pool.other_sign[here] = plan.other, plan.mirror_sign
    whole = float(pool.mass[here].sum())
    pool.kp[here] = servo.stiffness * whole * servo.length**2 * servo.pace**2
    pool.kd[here] = servo.damping * pool.kp[here] / servo.pace
    pool.kp[here.start] = pool.kd[here.start] = 0.0  # the root is free
