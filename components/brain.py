"""The brain: what drives the head, what it remembers, and what a player or a goal wants from it. [Fang15 4.4]"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from ..engine.column_rules import BITS, FLAG, Names, Within
from ..engine.creature import Creature, CreaturePool
from ..engine.parts import Birth, SpecProblem
from ..engine.pool import Array, MovedFrom, Pool, Rows, column
from ..engine.readings import Reading
from ..engine.spec import number
from .brain_modes import MEMORY_COLUMNS, BrainMode, GoalKind
from .head_command import HeadCommandPool
from .parameters import ParametersOf, parameter_columns, parameter_row

SENSES = {"antennae", "vision"}
"""Parts that tell a brain what is around."""
LIMBS = {"gait", "muscles", "tripods", "manoeuvres"}
"""Parts that do what a brain wishes."""


def has_a_brain(creature: Creature) -> bool:
    """Only what has a brain, or what is left of one, can be told anything."""
    return "brain" in creature.rows


@dataclass(frozen=True)
class BrainSpec:
    """The ``[brain]`` table."""

    # motion of the head
    speed: float = number(2.0, unit="u_per_s", low=0.0, high=100.0, doc="of an undisturbed head")
    acceleration: float = number(8.0, unit="u_per_s2", low=0.01, high=10000.0, doc="largest change of speed")
    yaw_acceleration: float = number(460.0, unit="deg_per_s2", low=0.1, high=360000.0, doc="largest change of turning")
    min_turn_radius: float = number(5.0, unit="u", low=0.0, high=1000.0, doc="the turns it chooses by itself")
    tight_turn_radius: float = number(4.0, unit="u", low=0.0, high=1000.0,
                                      doc="its place in avoidance and on the way to food")
    max_neck_bend: float = number(57.0, unit="deg", low=1.0, high=180.0, doc="bend at which turning stops")
    # ADJUSTMENT
    stand_share: float = number(0.5, low=0.0, high=1.0, doc="share of standing legs above which the head drives again")
    fall_share: float = number(0.25, low=0.0, high=1.0, doc="and below which it stops driving")
    # RANDOM_WALK
    walk_yaw: float = number(28.6, unit="deg_per_s", low=0.0, high=3600.0, doc="turning speed")
    walk_angle_min: float = number(20.0, unit="deg", low=0.0, high=360.0, doc="smallest turn")
    walk_angle_max: float = number(120.0, unit="deg", low=0.0, high=360.0, doc="largest turn")
    walk_arrival: float = number(0.6, unit="deg", low=0.0, high=360.0, doc="a turn is done when this little is left")
    # AVOIDANCE
    avoid_yaw: float = number(69.0, unit="deg_per_s", low=0.0, high=3600.0, doc="turning speed")
    avoid_gentle: float = number(0.3, low=0.0, high=1.0, doc="share of the turn while nothing lies ahead")
    avoid_speed: float = number(0.7, low=0.0, high=1.0, doc="share of speed while one antenna touches")
    avoid_speed_both: float = number(0.5, low=0.0, high=1.0, doc="and while both touch")
    clear_time: float = number(0.3, unit="s", low=0.0, high=1000.0, doc="without touch for this long the way is clear")
    turn_memory: float = number(2.0, unit="s", low=0.0, high=1000.0, doc="both touching within this time: turn as before")
    flip_normal: float = number(0.5, low=0.0, high=1.0, doc="sideways part of a normal that reverses the turn")
    front_range: float = number(3.5, unit="u", low=0.0, high=200.0, doc="something ahead within this makes the turn sharp")
    creep_speed: float = number(0.6, unit="u_per_s", low=0.0, high=100.0, doc="along a wall that closes the way")
    pivot_yaw: float = number(46.0, unit="deg_per_s", low=0.0, high=3600.0,
                              doc="turning of the head meanwhile, as far as the neck bends")
    # TROPHOTROPISM
    food_threshold: float = number(0.01, low=0.0, doc="intensity that is noticed")
    food_release: float = number(0.5, low=0.0, high=1.0, doc="share of it below which the scent is lost")
    food_gain: float = number(172.0, unit="deg_per_s", low=0.0, high=36000.0, doc="turning per relative difference")
    food_yaw: float = number(34.4, unit="deg_per_s", low=0.0, high=3600.0, doc="largest turning speed")
    food_slowing: float = number(0.4, low=0.0, high=1.0, doc="share of speed given up in a full turn")
    food_smoothing: float = number(0.3, unit="s", low=0.001, high=1000.0, doc="time constant of the scent difference")
    orbit_angle: float = number(198.0, unit="deg", low=0.0, high=3600.0,
                                doc="turned this far, the food is inside the turning circle")
    food_outside: float = number(0.25, low=0.0, high=1.0, doc="scent difference below which turning is resumed")
    # CONTROL
    goal_yaw: float = number(34.4, unit="deg_per_s", low=0.0, high=3600.0, doc="largest turning speed toward a goal")
    goal_gain: float = number(3.0, unit="per_s", low=0.0, high=60.0, doc="turning speed per angle to the goal")
    arrive_gain: float = number(2.0, unit="per_s", low=0.0, high=60.0, doc="speed per distance left")
    hold_factor: float = number(1.5, low=1.0, high=1000.0,
                                doc="a reached goal is taken up again beyond this multiple of its radius")
    flee_speed: float = number(1.5, low=0.0, high=10.0, doc="multiple of speed")
    # newer keys; older saves have the columns above
    walk_leg_min: float = number(0.0, unit="s", low=0.0, high=1000.0, doc="shortest straight leg between two turns")
    walk_leg_max: float = number(0.0, unit="s", low=0.0, high=1000.0, doc="longest; 0: one turn follows the other")
    walk_turn: float = number(1.0, low=0.0, high=1.0, doc="share of what its body can turn at that it takes for that")
    goal_slack: float = number(0.0, unit="deg", low=0.0, high=90.0, doc="angle to a goal that it does not mind")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if not SENSES & specs.keys() or not LIMBS & specs.keys():
            raise SpecProblem("", "a brain without senses or without anything that obeys it",
                              "also [antennae] or [vision], and [gait] to walk or [muscles] to swim")  # fmt: skip
        if self.walk_angle_min > self.walk_angle_max:
            raise SpecProblem("walk_angle_min_deg", self.walk_angle_min, "an angle not above walk_angle_max_deg")
        if self.walk_leg_min > self.walk_leg_max:
            raise SpecProblem("walk_leg_min_s", self.walk_leg_min, "a time not above walk_leg_max_s")
        if self.fall_share > self.stand_share:
            raise SpecProblem("fall_share", self.fall_share, "a share not above stand_share")


MODE_TONES: dict[int, str] = {
    BrainMode.ADJUSTMENT: "sky", BrainMode.RANDOM_WALK: "faint", BrainMode.AVOIDANCE: "red",
    BrainMode.TROPHOTROPISM: "green", BrainMode.CONTROL: "amber",
}  # fmt: skip
"""Tones of the modes in a panel."""

FASTEST_SHOWN = 1.5
"""Multiple of its own speed at which a bar in a panel is full: that of an animal that flees or hunts."""

STILL = 1e-9
"""u/s and rad/s; spares a panel the division by zero for an animal that never moves or never turns."""

Brain = parameter_columns("Brain", BrainSpec, __name__)
BRAIN_COLUMNS = len(Brain)


UNLIMITED_TURN = 1.0e3
"""rad/s, and 1/s: of a body whose legs or muscles turn it as the brain wishes."""


def with_newer_keys(rows: Array) -> Array:
    """Parameter rows of older saves, with the defaults of the keys that came later."""
    missing = parameter_row(BrainSpec())[rows.shape[1] :]
    return np.hstack([rows, np.tile(missing, (len(rows), 1))])


class BrainPool(Pool):
    """One row per creature, aligned with `CreaturePool`."""

    aligned = True
    format = 3

    mode_names: Sequence[str] = tuple(mode.name for mode in BrainMode)
    """Names of the values of `mode`; the registry of modes puts its own list here, to which mods add."""

    parameters = column(np.float64, BRAIN_COLUMNS, since=3, older=MovedFrom("BrainPool", "parameters", with_newer_keys),
                        holds=ParametersOf(BrainSpec), fixed=True)  # fmt: skip
    memory = column(np.float64, MEMORY_COLUMNS, since=3, older=MovedFrom("BrainPool", "memory"))
    mode = column(np.uint8, holds=Names(lambda world: world.pool(BrainPool).mode_names))
    stream = column(np.uint64, holds=BITS)  # state of the random draws
    wish = column(np.float64, 2)  # speed and yaw rate the mode asks for
    # what the family tells its brain about the body
    footing = column(np.float64, fill=1.0)  # share of standing legs; 1 in the water, which carries all of it
    afloat = column(np.uint8, holds=FLAG)  # water carries it: it steers by its beat and sees with its eyes
    # rad/s that it can turn at
    turn_rate = column(np.float64, fill=UNLIMITED_TURN, since=3, holds=Within(0.0, UNLIMITED_TURN))
    # 1/s: turning rate per angle to a goal that it can follow without overshooting
    turn_gain = column(np.float64, fill=UNLIMITED_TURN, since=3, holds=Within(0.0, UNLIMITED_TURN))
    # rad by which its stroke turns the head off its way now, left positive
    swing = column(np.float64, since=3, holds=Within(-pi, pi))


class BrainHandle:
    """The brain of one creature."""

    __slots__ = ("creatures", "head", "pool", "rows")

    def __init__(self, creatures: CreaturePool, head: HeadCommandPool, pool: BrainPool, rows: Rows) -> None:
        self.creatures, self.head, self.pool, self.rows = creatures, head, pool, rows

    @property
    def mode(self) -> int:
        """A `BrainMode`, or the plain number of a mod's own mode."""
        value = int(self.pool.view(self.rows, "mode")[0])
        return BrainMode(value) if value < len(BrainMode) else value

    @property
    def goal(self) -> GoalKind:
        """What the game wants from it."""
        self.pool.check(self.rows)
        return GoalKind(int(self.creatures.goal_kind[self.rows.start]))

    @property
    def goal_done(self) -> bool:
        """The goal is satisfied at the moment."""
        self.pool.check(self.rows)
        return bool(self.creatures.goal_done[self.rows.start])

    @property
    def speed(self) -> float:
        """Commanded head speed in u/s."""
        self.pool.check(self.rows)
        return float(self.head.speed[self.rows.start])

    @property
    def yaw_rate(self) -> float:
        """Commanded turning in rad/s, positive to the left."""
        self.pool.check(self.rows)
        return float(self.head.yaw_rate[self.rows.start])

    @property
    def own_speed(self) -> float:
        """Head speed in u/s when nothing disturbs it."""
        return float(self.pool.view(self.rows, "parameters")[0, Brain.SPEED])

    def readings(self) -> list[Reading]:
        """What drives it, what the game wants from it, and what it does about that."""
        fastest = max(FASTEST_SHOWN * self.own_speed, STILL)
        sharpest = max(float(self.pool.view(self.rows, "parameters")[0, Brain.AVOID_YAW]), STILL)
        mode, speed, turn = self.mode, self.speed, self.yaw_rate
        told = [Reading("word", "mode", MODE_TONES.get(mode, "ink"), text=self.pool.mode_names[mode].replace("_", " "))]
        if self.goal is not GoalKind.NONE:
            told.append(Reading("word", "goal", "amber", text=self.goal.name.replace("_", " ")))
        told.append(Reading("bar", "speed", "sky", abs(speed) / fastest, text=f"{speed:.2f}"))
        told.append(Reading("bar", "turn", "sky", abs(turn) / sharpest, text=f"{turn:+.2f}"))
        return told


def fill_brain(birth: Birth, spec: BrainSpec, pool: BrainPool, rows: Rows) -> None:
    row = rows.start
    pool.parameters[row] = parameter_row(spec)
    pool.mode[row] = BrainMode.ADJUSTMENT
    pool.stream[row] = birth.world.streams["brain"].integers(0, 2**64, dtype=np.uint64)
