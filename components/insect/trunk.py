"""The trunk of an insect on its six legs: sizes of the species, and where the body is. [Guo15 3.1, 4.2] [insect 1, 3]

Species files are in millimetres and seconds of the real animal; `scale` and `pace` turn them into units and seconds of the
world. Pools hold world units. Legs are in pairs from the front, left before right, as all legs are.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any

import numpy as np

from ...engine.column_rules import FLAG, MOTION, OFFSET, ON_MAP, Codes, Turn, Within
from ...engine.parts import SpecProblem
from ...engine.pool import Array, Pool, Rows, column
from ...engine.readings import Reading
from ...engine.spec import number, numbers

PAIRS = 3
LEGS = 2 * PAIRS
FARTHEST_PART = 2.0
"""Lengths of the trunk from its middle to a part of it, and across it; whose parts are 8 apart is taken for torn."""
ANKLE_SHARE = 0.52
"""Of the lower leg that is the tibia, where the foot begins."""
ANKLE_BEND = 0.22
"""Radians between tibia and foot, for the picture."""


class TrunkMode(IntEnum):
    """What moves the trunk: ``TrunkMode(1).name == 'PUSHED'``."""

    WALK = 0  # it goes where its feet carry it
    PUSHED = 1  # a mass on the springs of its feet, around the pose that it would have
    TUMBLE = 2  # off its feet: it rolls, and rights itself


@dataclass(frozen=True)
class TrunkSpec:
    """The ``[trunk]`` table. Lengths are those of the animal, in millimetres."""

    scale: float = number(0.3, unit="u_per_mm", low=0.001, high=10.0, doc="world units per millimetre")
    pace: float = number(0.5, low=0.02, high=4.0, doc="seconds of the animal per second of the world")
    length: float = number(5.0, unit="mm", low=0.1, high=500.0, doc="of the trunk; leg sizes are given for this length")
    height: float = number(2.0, unit="mm", low=0.01, high=200.0, doc="of the middle of the trunk above its feet")
    foot_x: tuple[float, ...] = numbers((2.625, -0.105, -2.520), count=PAIRS, unit="mm", low=-500.0, high=500.0,
                                        doc="where fore, middle and hind feet stand, forward of the middle")
    foot_y: tuple[float, ...] = numbers((0.973, 2.714, 1.746), count=PAIRS, unit="mm", low=0.01, high=500.0,
                                        doc="and to the side")
    hip_x: tuple[float, ...] = numbers((1.2, 0.0, -1.0), count=PAIRS, unit="mm", low=-500.0, high=500.0,
                                       doc="hips, forward of the middle")
    hip_y: tuple[float, ...] = numbers((0.4, 0.5, 0.4), count=PAIRS, unit="mm", low=0.0, high=500.0, doc="and to the side")
    coxa: float = number(0.3, unit="mm", low=0.0, high=100.0, doc="first link of every leg, level and outward")
    femur: tuple[float, ...] = numbers((1.3775, 1.3848, 2.2705), count=PAIRS, unit="mm", low=0.01, high=500.0,
                                       doc="second links")
    lower_leg: tuple[float, ...] = numbers((2.2430, 2.5142, 4.0238), count=PAIRS, unit="mm", low=0.01, high=500.0,
                                           doc="tibia and foot together")
    spread_x: tuple[float, ...] = numbers((0.33, 0.0, -0.64), count=PAIRS, low=-5.0, high=5.0,
                                          doc="how far feet move forward for each length that the trunk is lowered")
    spread_y: tuple[float, ...] = numbers((0.28, 0.30, 0.60), count=PAIRS, low=-5.0, high=5.0, doc="and outward")
    head: float = number(2.07, unit="mm", low=0.0, high=500.0, doc="middle of the head, forward of the middle")
    gaster: float = number(-2.0, unit="mm", low=-500.0, high=0.0, doc="middle of the rear part")
    width: float = number(1.2, unit="mm", low=0.01, high=200.0, doc="of the trunk")
    adhesion: float = number(5.0, low=0.0, high=100.0, doc="pull that a foot holds, in weights of the animal")
    strength: float = number(5.0, low=0.1, high=1000.0, doc="heaviest load, in masses of the animal")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:  # noqa: ARG002 - the same signature for all parts
        """Every foot must be within reach of its leg, also half a stride before and behind, and a trunk is one body."""
        for name, far in (("head", self.head), ("gaster", -self.gaster), ("width", self.width)):
            if far > FARTHEST_PART * self.length:
                most = f"at most {FARTHEST_PART:g} lengths of the trunk, which are {FARTHEST_PART * self.length:.4g} mm"
                raise SpecProblem(f"{name}_mm", getattr(self, name), most)
        for pair, name in enumerate(("fore", "middle", "hind")):
            out = np.hypot(self.foot_x[pair] - self.hip_x[pair], self.foot_y[pair] - self.hip_y[pair]) - self.coxa
            reach = np.hypot(max(out, 0.0), self.height)
            longest = self.femur[pair] + self.lower_leg[pair]
            if reach > longest:
                needed = f"{name} legs of at least {reach - self.femur[pair]:.3g} mm below the knee"
                raise SpecProblem("lower_leg_mm", list(self.lower_leg), f"{needed}: feet stand {reach:.3g} mm from the hip")


@dataclass(frozen=True)
class Stance:
    """Legs of a species in world units, as rows of pairs, left before right."""

    foot: Array  # (6, 2) where feet stand
    spread: Array  # (6, 2) how they move when the trunk is lowered
    hip: Array  # (6, 3)
    links: Array  # (6, 4)
    reach: Array  # (6,) longest leg


@lru_cache(maxsize=64)
def stance_of(spec: TrunkSpec) -> Stance:
    """The legs of a species."""
    def both(x: Any, y: Any) -> Array:
        pairs = np.column_stack([x, y])
        return np.stack([pairs, pairs * (1.0, -1.0)], axis=1).reshape(LEGS, 2)

    u = spec.scale
    foot, hip = u * both(spec.foot_x, spec.foot_y), u * both(spec.hip_x, spec.hip_y)
    outward = foot - hip
    hip = hip + u * spec.coxa * outward / np.linalg.norm(outward, axis=1, keepdims=True)
    femur, lower = u * np.repeat(spec.femur, 2), u * np.repeat(spec.lower_leg, 2)
    links = np.column_stack([femur, ANKLE_SHARE * lower, (1.0 - ANKLE_SHARE) * lower, np.full(LEGS, ANKLE_BEND)])
    chord = np.hypot(links[:, 1] + links[:, 2] * np.cos(ANKLE_BEND), links[:, 2] * np.sin(ANKLE_BEND))
    return Stance(foot, both(spec.spread_x, spec.spread_y), np.column_stack([hip, np.zeros(LEGS)]), links, femur + chord)


class TrunkPool(Pool):
    """One row per insect, aligned with `CreaturePool`."""

    aligned = True
    format = 4  # 3 is without the columns "previous_tier", which was always 0, and "nudge", which all bodies have

    # of the species, in world units and seconds
    height = column(np.float64, fill=0.6, holds=Within(1e-6, 1e4), fixed=True)
    size = column(np.float64, fill=1.0, holds=Within(1e-4, 1e4), fixed=True)  # length of the trunk
    adhesion = column(np.float64, fill=5.0, holds=Within(0.0, 100.0), fixed=True)
    strength = column(np.float64, fill=5.0, holds=Within(0.1, 1000.0), fixed=True)
    foot = column(np.float64, LEGS, 2, holds=OFFSET, fixed=True)
    spread = column(np.float64, LEGS, 2, holds=Within(-5.0, 5.0), fixed=True)
    reach = column(np.float64, LEGS, fill=1.0, holds=Within(1e-6, 1e4), fixed=True)
    head_at = column(np.float64, holds=OFFSET, fixed=True)
    gaster_at = column(np.float64, holds=OFFSET, fixed=True)
    # where its feet carry it
    position = column(np.float64, 3, holds=ON_MAP)  # middle of the trunk
    forward = column(np.float64, 3, holds=Within(-2.0, 2.0))
    normal = column(np.float64, 3, holds=Within(-2.0, 2.0))
    velocity = column(np.float64, 3, holds=MOTION)
    speed = column(np.float64, holds=Within(-1e4, 1e4))  # along `forward`
    yaw_rate = column(np.float64, holds=Within(-1e4, 1e4))
    crouch = column(np.float64, holds=OFFSET)  # how much lower than usual the trunk is
    rise = column(np.float64, since=4, holds=Within(-1e4, 1e4))  # u/s along its normal, toward the plane of its feet
    tilt = column(np.float64, 3, since=4, holds=Within(-100.0, 100.0))  # rad/s at which the normal turns toward that plane
    room = column(np.float64, fill=1.0, since=4, holds=Within(0.0, 1.0))  # share of its speed that ground in front permits
    halted = column(np.uint8, since=2, holds=FLAG)  # told to stop: it stands, whatever its head wants
    # what acts on it
    load = column(np.float64, holds=Within(0.0, 1e6))  # mass on its back, in its own masses
    jaw_load = column(np.float64, holds=Within(0.0, 1e6))  # and in its jaws
    force = column(np.float64, 3, holds=Within(-1e9, 1e9))  # wind, in its own weights
    # a trunk that is pushed, around the pose that it would have
    mode = column(np.uint8, holds=Codes(len(TrunkMode)))
    body = column(np.float64, 3, holds=ON_MAP)
    turn = column(np.float64, 4, holds=Turn())
    body_velocity = column(np.float64, 3, holds=MOTION)
    spin = column(np.float64, 3, holds=MOTION)
    timer = column(np.float64, holds=Within(0.0, 1e9))  # seconds since it is calm, or off its feet
    offset = column(np.float64, 3, holds=OFFSET)  # from the pose to what is shown: fades away
    swing = column(np.float64, 2, holds=Within(-10.0, 10.0))  # angle and rate of the rear part against the trunk
    fell = column(np.uint8, holds=FLAG)  # it lost its feet in this tick


class TrunkHandle:
    """The trunk of one insect."""

    __slots__ = ("pool", "rows")

    def __init__(self, pool: TrunkPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def mode(self) -> TrunkMode:
        """What moves it."""
        return TrunkMode(int(self.pool.view(self.rows, "mode")[0]))

    @property
    def normal(self) -> Array:
        """(3,) up, as its feet have it."""
        return self.pool.view(self.rows, "normal")[0]

    def readings(self) -> list[Reading]:
        """What it carries, how low it goes, and what moves it."""
        load = float(self.pool.view(self.rows, "load")[0] + self.pool.view(self.rows, "jaw_load")[0])
        strength, height = (float(self.pool.view(self.rows, name)[0]) for name in ("strength", "height"))
        crouch = float(self.pool.view(self.rows, "crouch")[0])
        wind = float(np.linalg.norm(self.pool.view(self.rows, "force")[0]))
        told = [Reading("word", "trunk", "sky", text=self.mode.name.lower()),
                Reading("bar", "load", "amber", load / strength, text=f"{load:.1f}"),
                Reading("bar", "crouch", "moss", crouch / height, text=f"{crouch:.2f}")]  # fmt: skip
        return told + ([Reading("bar", "wind", "blue", wind / 2.5, text=f"{wind:.1f}")] if wind else [])


def write_trunk(pool: TrunkPool, row: int, spec: TrunkSpec) -> None:
    """Update the sizes of one insect; where it is `family.place_insect` writes."""
    stance, u = stance_of(spec), spec.scale
    pool.height[row], pool.size[row] = u * spec.height, u * spec.length
    pool.adhesion[row], pool.strength[row] = spec.adhesion, spec.strength
    pool.foot[row], pool.spread[row], pool.reach[row] = stance.foot, stance.spread, stance.reach
    pool.head_at[row], pool.gaster_at[row] = u * spec.head, u * spec.gaster
