"""Manoeuvres: one sine per joint that swims straight, turns or pitches, as a search has found it. [Tan11 4.1, 5]

angle = A sin(2 pi t / T + phase) + C. Inside it is a sin(2 pi t / T) + b cos(2 pi t / T) + C with a = A cos(phase) and
b = A sin(phase): two manoeuvres blend by their numbers then, and nothing wraps around. [swimmer 2]

A straight stroke may warp its time: the first half of the sine takes the share `power_share` of a cycle, all joints stand
for the share `glide_share`, and the second half takes the rest. [stroke 2]
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import Codes, Within
from ...engine.parts import SpecProblem
from ...engine.pool import Pool, Rows, column
from ...engine.spec import choice, number, numbers, text
from .link_plan import MOST_LINKS, BodyPlan, plan_of

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.parts import Birth
    from ...engine.pool import Array

CYCLE_STEPS = 16
CYCLE_FIELDS = 6
"""Of a recorded cycle: surge, sway, heave (lengths/s), roll, pitch, yaw (rad/s), in the axes of the mean heading."""
LIMIT_SLACK = 1e-6
HALF = 0.5
"""Of a cycle: the power of a stroke without a warp."""
LEAST_POWER, MOST_POWER = 0.1, 0.8
"""Shares of a cycle that the power of a stroke may take. Shorter ones are beyond what servos follow."""
MOST_GLIDE, MOST_BOTH = 0.6, 0.9
"""Shares of a cycle that the glide may take, and power and glide together: limbs need time to come back."""


class Manoeuvre(IntEnum):
    """What a swimmer can do: ``Manoeuvre(1).name == 'TURN_LEFT'``."""

    STRAIGHT = 0
    TURN_LEFT = 1
    TURN_RIGHT = 2
    PITCH_UP = 3
    PITCH_DOWN = 4


MANOEUVRES = tuple(one.name.lower() for one in Manoeuvre)


@dataclass(frozen=True)
class ManoeuvreSpec:
    """One ``[[manoeuvres]]`` table, as ``paludarium train`` writes it; lists have one number per joint, as links come."""

    name: str = choice("straight", *MANOEUVRES, doc="what it is for; a turn to the right is made from that to the left")
    amplitude: tuple[float, ...] = numbers((), unit="deg", low=0.0, high=180.0, doc="A of each joint")
    phase: tuple[float, ...] = numbers((), unit="deg", low=-3600.0, high=3600.0, doc="of each joint")
    offset: tuple[float, ...] = numbers((), unit="deg", low=-180.0, high=180.0, doc="C of each joint; 0 if not given")
    period: float = number(1.0, unit="s", low=0.1, high=20.0, doc="T, in seconds of the animal")
    power_share: float = number(
        HALF, low=LEAST_POWER, high=MOST_POWER, doc="of a cycle, for its first half; others go with 'straight'"
    )
    glide_share: float = number(0.0, low=0.0, high=MOST_GLIDE, doc="of a cycle: all joints stand for so long after that")
    speed: float = number(0.0, unit="lengths_per_s", low=-10.0, high=10.0, doc="that it settles at")
    yaw: float = number(0.0, unit="deg_per_s", low=-720.0, high=720.0, doc="at which it turns to the left")
    pitch: float = number(0.0, unit="deg_per_s", low=-720.0, high=720.0, doc="at which it turns upward")
    power: float = number(0.0, unit="w_per_kg", low=-1e4, high=1e4, doc="mean work of the servos, lengths in metres")
    cycle: tuple[float, ...] = numbers(
        (), low=-1e3, high=1e3, doc=f"{CYCLE_STEPS} times surge, sway, heave and three rates over a steady cycle"
    )
    found_by: str = text("", doc="command, settings and seed of the search")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if not specs.get("links"):
            raise SpecProblem("", "manoeuvres without links", "a species that also has [[links]]")
        plan = plan_of(tuple(specs["links"]))
        for key, values in (("amplitude_deg", self.amplitude), ("phase_deg", self.phase), ("offset_deg", self.offset)):
            if len(values) != plan.joints and not (key == "offset_deg" and not values):
                raise SpecProblem(key, np.degrees(values).tolist(), f"{plan.joints} numbers, one per joint")
        if self.cycle and len(self.cycle) != CYCLE_STEPS * CYCLE_FIELDS:
            raise SpecProblem("cycle", f"{len(self.cycle)} numbers", f"{CYCLE_STEPS * CYCLE_FIELDS} numbers, or none")
        self._check_angles(plan)
        self._check_warp()
        names = [one.name for one in specs["manoeuvres"]]
        if names.count(self.name) > 1:
            raise SpecProblem("name", self.name, "one table per manoeuvre")
        if "straight" not in names:
            raise SpecProblem("name", self.name, "also a manoeuvre 'straight'")

    def _check_angles(self, plan: BodyPlan) -> None:
        """All joints must stay within what their links allow."""
        size = np.array(self.amplitude)
        offset = np.array(self.offset) if self.offset else np.zeros(plan.joints)
        beyond = np.maximum(offset + size - plan.most[1:], plan.least[1:] - offset + size)
        if (worst := int(np.argmax(beyond))) >= 0 and beyond[worst] > LIMIT_SLACK:
            least, most = np.degrees(plan.least[1 + worst]), np.degrees(plan.most[1 + worst])
            bounds, key = (f"at most {most:g}", "limit_deg") if least == -most else (f"{least:g} to {most:g}", "range_deg")
            allowed = f"{bounds} together with the offset for {plan.names[1 + worst]!r}, its {key}"
            raise SpecProblem("amplitude_deg", np.degrees(size).tolist(), allowed)

    def _check_warp(self) -> None:
        """Limbs need time to come back, and strokes blend only if all of them have one warp."""
        if self.power_share + self.glide_share > MOST_BOTH + LIMIT_SLACK:
            both = f"{self.glide_share:g} with power_share = {self.power_share:g}"
            raise SpecProblem("glide_share", both, f"at most {MOST_BOTH:g} together")
        if self.name != "straight" and (self.power_share, self.glide_share) != (HALF, 0.0):
            raise SpecProblem("power_share", self.power_share, "left out: a turn or pitch goes with the straight stroke")


class ManoeuvrePool(Pool):
    """One row per manoeuvre of a swimmer; angles by the number of the link, the root has none."""

    format = 3  # 2: without the column "pitch", which was never read: it is in the recorded cycle; 3: with a warp

    code = column(np.uint8, holds=Codes(len(MANOEUVRES)), fixed=True)
    sine = column(np.float64, MOST_LINKS, holds=Within(-pi, pi), fixed=True)  # a
    cosine = column(np.float64, MOST_LINKS, holds=Within(-pi, pi), fixed=True)  # b
    offset = column(np.float64, MOST_LINKS, holds=Within(-pi, pi), fixed=True)  # C
    period = column(np.float64, fill=1.0, holds=Within(0.1, 20.0), fixed=True)
    power_share = column(np.float64, fill=HALF, since=3, older=HALF, holds=Within(LEAST_POWER, MOST_POWER), fixed=True)
    glide_share = column(np.float64, since=3, holds=Within(0.0, MOST_GLIDE), fixed=True)
    speed = column(np.float64, holds=Within(-10.0, 10.0), fixed=True)  # lengths per second of the animal
    yaw = column(np.float64, holds=Within(-13.0, 13.0), fixed=True)
    power = column(np.float64, holds=Within(-1e4, 1e4), fixed=True)
    cycle = column(np.float64, CYCLE_STEPS, CYCLE_FIELDS, holds=Within(-1e3, 1e3), fixed=True)


class Manoeuvres:
    """The manoeuvres of one swimmer: ``eel.manoeuvres.names``."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: ManoeuvrePool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def names(self) -> tuple[str, ...]:
        """What it has learned."""
        return tuple(MANOEUVRES[code] for code in self.pool.view(self.rows, "code"))


def sines_of(spec: ManoeuvreSpec, plan: BodyPlan) -> Array:
    """(3, links) a, b and C of every link; in the column of the root, which has no joint, stands the warp, see `warp_of`."""
    found = np.zeros((3, plan.count))
    found[:2, 0] = spec.power_share - HALF, spec.glide_share
    found[0, 1:] = np.array(spec.amplitude) * np.cos(spec.phase)
    found[1, 1:] = np.array(spec.amplitude) * np.sin(spec.phase)
    found[2, 1:] = spec.offset if spec.offset else 0.0
    return found


def warp_of(sines: Array) -> tuple[float, float]:
    """The shares of power and glide that stand in the column of the root: zeros are a plain sine.

    >>> warp_of(np.zeros((3, 5)))
    (0.5, 0.0)
    """
    power = min(max(HALF + float(sines[0, 0]), LEAST_POWER), MOST_POWER)
    return power, min(max(float(sines[1, 0]), 0.0), MOST_GLIDE, MOST_BOTH - power)


def fill_manoeuvres(birth: Birth, specs: tuple[ManoeuvreSpec, ...], pool: ManoeuvrePool, rows: Rows) -> None:
    """Numbers of the species."""
    write_manoeuvres(pool, rows.start, specs, plan_of(tuple(birth.species.specs["links"])))


def renew_manoeuvres(
    creature: Creature, specs: tuple[ManoeuvreSpec, ...], pool: ManoeuvrePool, rows: Rows  # noqa: ARG001 - as all parts
) -> None:
    """Numbers of the species, but for the sines of its joints: a lesson may have taught it a stroke of its own."""
    for row, spec in enumerate(specs, rows.start):
        write_numbers(pool, row, spec)


def write_manoeuvres(pool: ManoeuvrePool, first: int, specs: tuple[ManoeuvreSpec, ...], plan: BodyPlan) -> None:
    """Update the rows of all manoeuvres of one body, also outside of any world."""
    for row, spec in enumerate(specs, first):
        write_sines(pool, row, sines_of(spec, plan))
        write_numbers(pool, row, spec)


def write_numbers(pool: ManoeuvrePool, row: int, spec: ManoeuvreSpec) -> None:
    """Update all that a manoeuvre is, but for the sines of its joints."""
    pool.code[row] = MANOEUVRES.index(spec.name)
    for name in ("period", "speed", "yaw", "power"):
        getattr(pool, name)[row] = getattr(spec, name)
    if spec.cycle:
        pool.cycle[row] = np.array(spec.cycle).reshape(CYCLE_STEPS, CYCLE_FIELDS)
    else:
        pool.cycle[row] = spec.speed, 0.0, 0.0, 0.0, spec.pitch, spec.yaw


def write_sines(pool: ManoeuvrePool, row: int, sines: Array) -> None:
    """Update a, b, C and warp of one manoeuvre; (3, links), see `sines_of`."""
    links = sines.shape[1]
    pool.power_share[row], pool.glide_share[row] = warp_of(sines)
    pool.sine[row, :links], pool.cosine[row, :links], pool.offset[row, :links] = sines
    for column_ in (pool.sine, pool.cosine, pool.offset):
        column_[row, 0] = 0.0
    for column_ in (pool.sine, pool.cosine, pool.offset):
        column_[row, links:] = 0.0
