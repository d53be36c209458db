"""The mind of a fish: urges, habits, intentions, and what it remembers. [Tu99 7] [fish 3]

Distances are in lengths of the fish, times in seconds; the book's steps are thirtieths of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.column_rules import BITS, COUNT, FLAG, ON_MAP, SERIAL, Codes, Names, RowOf, Within
from ...engine.parts import SpecProblem
from ...engine.pool import Pool, Rows, column
from ...engine.readings import Reading
from ...engine.spec import choice, flag, number, profiles
from ..diet import DietPool, DietSpec
from ..parameters import ParametersOf, parameter_columns, parameter_row
from .intentions import INTENTION_COUNT, TONES, About, Habit, Intention, Stage, Strike, Way

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.parts import Birth

STEPS = 30.0
"""Per second, of the book."""
PUBLISHED: dict[str, Any] = {
    "libido_per_s": 0.0025 * STEPS, "fear_distance_lengths": 10.0, "eat_threshold": 0.3, "eat_release": 0.3,
    "fear_memory_s": 0.0, "escape_hold_s": 0.0, "dwell_s": 0.0, "stay_share": 1.0, "avoid_hold_s": 0.0,
    "avoid_intends": True, "escape_rules": True, "school_always": False, "search": True, "follow_side": False,
    "born_hungry": True,
}  # fmt: skip
"""The rules as they are printed, see the studies for what comes of them. [fish 3]"""
TEMPERS = ("prey", "predator", "pacifist")
CRUISE, BURST = (0.75, 0.45, 0.6), (2.2, 1.05, 1.8)
"""Lengths per second of the three types when a species says nothing. [fish 3]"""
BURST_SECONDS = 2.5
"""How long a rested fish can swim at its fastest. [fish 3]"""


@dataclass(frozen=True)
class MindSpec:
    """The ``[mind]`` table."""

    profile: str = profiles("game", published=PUBLISHED, doc="all rules as printed, or as they work")
    kind: str = choice("prey", *TEMPERS, doc="prey schools and flees, predators hunt, pacifists court without fear")
    # habits
    schooling: bool = flag(False, doc="likes company of its kind")
    sex: str = choice("any", "any", "female", "male", doc="of those born")
    likes_brightness: bool = flag(False, doc="leaves dark water")
    likes_darkness: bool = flag(False, doc="leaves bright water")
    likes_cold: bool = flag(False, doc="leaves warm water")
    likes_warmth: bool = flag(False, doc="leaves cold water")
    # urges [Tu99 7.4]
    digestion: float = number(0.00067 * STEPS, unit="per_s", low=0.0, high=10.0, doc="share of a meal digested per second")
    libido: float = number(0.0075, unit="per_s", low=0.0, high=10.0, doc="growth of libido of a fed fish; 0.075 as printed")
    fear_distance: float = number(3.5, unit="lengths", low=0.0, high=200.0, doc="within which fear of one threat is full")
    food_stimulus: float = number(0.8, low=0.0, high=10.0, doc="hunger that food before the mouth adds")
    food_far: float = number(1.0, unit="lengths", low=0.01, high=100.0, doc="from where on food adds to hunger")
    food_near: float = number(0.25, unit="lengths", low=0.001, high=100.0, doc="where it adds all")
    mate_stimulus: float = number(0.5, low=0.0, high=10.0, doc="libido that a mate at its side adds")
    mate_far: float = number(2.0, unit="lengths", low=0.01, high=100.0, doc="from where on a mate adds to libido")
    mate_near: float = number(0.5, unit="lengths", low=0.001, high=100.0, doc="where it adds all")
    born_hungry: bool = flag(False, doc="begins life with nothing eaten")
    # thresholds [Tu99 7.5]
    fear_threshold: float = number(0.3, low=0.0, high=1.0, doc="fear that counts")
    flight_threshold: float = number(0.6, low=0.0, high=1.0, doc="fear of one threat at which it leaves a school and flees")
    eat_threshold: float = number(0.45, low=0.0, high=1.0, doc="urge that it follows")
    eat_release: float = number(0.25, low=0.0, high=1.0, doc="and below which it stops to follow it")
    # persistence [Tu99 7.7] [fish 3]
    fear_memory: float = number(1.5, unit="s", low=0.0, high=1000.0, doc="fading time of fear of what is out of sight")
    escape_hold: float = number(0.7, unit="s", low=0.0, high=1000.0, doc="shortest flight")
    avoid_hold: float = number(0.6, unit="s", low=0.0, high=1000.0, doc="shortest turn away from what is in the way")
    dwell: float = number(0.8, unit="s", low=0.0, high=1000.0, doc="shortest time of eating, mating, schooling, wandering")
    stay_share: float = number(0.8, low=0.0, high=1.0, doc="share of a threshold that keeps up what has begun")
    fatigue: float = number(20.0, unit="s", low=0.001, high=100000.0, doc="over which it tires of an urge")
    inhibition: float = number(0.2, low=0.0, high=1.0, doc="share by which a resumed intention holds others down")
    devotion: float = number(0.5, unit="lengths", low=0.0, high=1000.0, doc="how much nearer another target has to be")
    # how it swims, lengths per second of its own pace
    cruise_speed: float = number(0.0, low=0.0, high=10.0, doc="when nothing presses; 0 is as its kind does")
    burst_speed: float = number(0.0, low=0.0, high=10.0, doc="when it flees or strikes; 0 is as its kind does")
    lead: float = number(0.7, unit="s", low=0.0, high=10.0, doc="how far ahead of moving food and prey it aims")
    separation: float = number(0.9, unit="lengths", low=0.05, high=20.0, doc="distance it keeps from its neighbours")
    strike_skill: float = number(0.9, low=0.0, high=1.0, doc="chance of the best possible strike of a predator")
    strike_rest: float = number(4.0, unit="s", low=0.0, high=1000.0, doc="rest after a strike that missed")
    # rules
    avoid_intends: bool = flag(False, doc="others in its box and the way ahead are intentions, not steering")
    escape_rules: bool = flag(False, doc="flees by the table of rules")
    school_always: bool = flag(True, doc="schools whenever there is company, not in fear only")
    search: bool = flag(False, doc="intends to eat also where there is no food in sight")
    follow_side: bool = flag(True, doc="passes an obstacle on the side that those in front have chosen")

    def row_count(self, specs: dict[str, Any]) -> int:  # noqa: ARG002 - the same signature for all parts
        return 1

    def check(self, specs: dict[str, Any]) -> None:
        if "eyes" not in specs or "motor" not in specs:
            raise SpecProblem("", "a mind without eyes or without a motor centre", "also [eyes] and [motor]")
        if self.kind == "predator" and "diet" not in specs:
            raise SpecProblem("kind", self.kind, "a predator that also has a [diet] table")
        for near, far in (("food_near", "food_far"), ("mate_near", "mate_far")):
            if getattr(self, near) >= getattr(self, far):
                raise SpecProblem(f"{near}_lengths", getattr(self, near), f"less than {far}_lengths")
        if self.eat_release > self.eat_threshold:
            raise SpecProblem("eat_release", self.eat_release, "at most eat_threshold")


Mind = parameter_columns("Mind", MindSpec, __name__)
_ROW = RowOf("CreaturePool", nobody=True)
_SHARE, _SECONDS = Within(0.0, 1.0), Within(0.0, 1e9)


class Feared(IntEnum):
    """Columns of `MindPool.feared`: where what it fears most was last seen, and its velocity."""

    X = 0
    Y = 1
    Z = 2
    VX = 3
    VY = 4
    VZ = 5


class Asked(IntEnum):
    """Columns of `MindPool.wish`, what an intention of a mod asks for: speed, turn to the left and climb."""

    SPEED = 0
    TURN = 1
    CLIMB = 2


class Course(IntEnum):
    """Columns of `MindPool.course`, in radians: where a fish that wanders heads, and how steeply."""

    YAW = 0
    PITCH = 1


OWN_KEYS = ("digestion", "libido", "fear_distance", "food_stimulus", "mate_stimulus")
"""Keys of ``[mind]``, without their units, of which one fish may have another value than its species."""
AS_SPECIES = -1.0
"""A value of its own that a fish does not have."""


class MindPool(Pool):
    """One row per fish, aligned with `CreaturePool`."""

    aligned = True
    format = 3  # 2: without the column "before", which was never read

    intention_names: Sequence[str] = tuple(intention.name for intention in Intention)
    """Names of the values of `mode`; the registry of intentions puts its own list here, to which mods add."""

    parameters = column(np.float64, len(Mind), holds=ParametersOf(MindSpec), fixed=True)
    own = column(np.float64, len(OWN_KEYS), fill=AS_SPECIES, since=3, older=AS_SPECIES, holds=Within(AS_SPECIES, 1000.0),
                 fixed=True)  # fmt: skip # values of `OWN_KEYS` that it has been given
    habits = column(np.uint8, holds=BITS, fixed=True)  # of `Habit`
    appetite = column(np.float64, fill=1.0, holds=Within(1e-6, 1e9), fixed=True)  # items that fill it
    cruise = column(np.float64, fill=0.75, holds=Within(0.0, 10.0), fixed=True)
    burst = column(np.float64, fill=2.2, holds=Within(0.0, 10.0), fixed=True)
    stream = column(np.uint64, holds=BITS)
    # urges
    urges = column(np.float64, 3, holds=_SHARE)  # hunger, libido, fear
    eaten = column(np.float64, holds=COUNT)  # items not digested
    since_meal = column(np.float64, holds=_SECONDS)
    since_mating = column(np.float64, holds=_SECONDS)
    sated = column(np.uint8, holds=FLAG)  # has eaten twice its appetite and is not hungry until all is digested
    worst_fear = column(np.float64, holds=_SHARE)  # of the one it fears most
    feared = column(np.float64, len(Feared), holds=ON_MAP)
    # intention
    mode = column(np.uint8, holds=Names(lambda world: world.pool(MindPool).intention_names))
    since = column(np.float64, holds=_SECONDS)  # how long it has been held
    vigour = column(np.float64, INTENTION_COUNT, fill=1.0, holds=_SHARE)  # 1 is rested
    memory = column(np.uint8, holds=Codes(INTENTION_COUNT))  # intention that was interrupted; WANDER for none
    memory_about = column(np.uint8, holds=Codes(len(About)))
    memory_row = column(np.int32, fill=-1, holds=Within(-1, 2**31 - 1))
    memory_serial = column(np.int64, holds=SERIAL)
    resumed = column(np.uint8, holds=FLAG)
    about = column(np.uint8, holds=Codes(len(About)))
    target = column(np.int32, fill=-1, holds=Within(-1, 2**31 - 1))  # row of a creature or of food; checked before each use
    target_serial = column(np.int64, holds=SERIAL)
    preferences = column(np.float64, len(Way), holds=Within(-1.0, 1.0))
    wish = column(np.float64, len(Asked), holds=Within(-1e6, 1e6))  # what a mod's intention asks for
    # steering
    course = column(np.float64, len(Course), holds=Within(-1e3, 1e3))  # of the wandering
    course_left = column(np.float64, holds=_SECONDS)
    side = column(np.int8, holds=Within(-1, 1))  # on which it passes what is in the way: 1 turns left
    obstacle = column(np.int32, fill=-1, holds=Within(-3, 2**31 - 1))  # what that is
    clear = column(np.float64, holds=_SECONDS)  # for how long the way has been free
    breath = column(np.float64, fill=BURST_SECONDS, holds=_SECONDS)  # seconds of bursting that are left
    home = column(np.float64, fill=0.5, holds=_SHARE)  # height it likes, as a share of the depth
    # hunting and courting
    strike = column(np.uint8, holds=Codes(len(Strike)))
    strike_left = column(np.float64, holds=_SECONDS)
    stage = column(np.uint8, holds=Codes(len(Stage)))
    partner = column(np.int32, fill=-1, holds=_ROW)
    partner_serial = column(np.int64, holds=SERIAL)
    count = column(np.float64, holds=Within(-1e6, 1e6))  # loops, turns or touches so far
    clock = column(np.float64, holds=_SECONDS)  # time in the stage
    retreat = column(np.float64, holds=_SECONDS)  # left of backing off between touches
    bonded = column(np.int32, fill=-1, since=3, older=-1, holds=_ROW)  # whom he does not press against, until both are apart
    waited = column(np.float64, since=3, older=0.0, holds=_SECONDS)  # for how long a courtship has been suspended
    # what others see of it: written after all have thought, so that nobody sees half a thought
    seen_mode = column(np.uint8, holds=BITS)
    seen_side = column(np.int8, holds=Within(-1, 1))
    seen_obstacle = column(np.int32, fill=-1, holds=Within(-3, 2**31 - 1))
    seen_stage = column(np.uint8, holds=Codes(len(Stage)))
    seen_partner = column(np.int32, fill=-1, holds=_ROW)
    seen_company = column(np.uint8, holds=BITS)


class MindHandle:
    """The mind of one fish.

    Example::

        fish.mind.hunger, fish.mind.fear         # 0 to 1
        fish.mind.intention                      # <Intention.SCHOOL: 3>
    """

    __slots__ = ("pool", "rows")

    def __init__(self, pool: MindPool, rows: Rows) -> None:
        self.pool, self.rows = pool, rows

    @property
    def hunger(self) -> float:
        """0 to 1."""
        return float(self._of("urges")[0])

    @property
    def libido(self) -> float:
        """0 to 1."""
        return float(self._of("urges")[1])

    @property
    def fear(self) -> float:
        """0 to 1."""
        return float(self._of("urges")[2])

    @property
    def intention(self) -> int:
        """An `Intention`, or the plain number of a mod's own."""
        value = int(self._of("mode"))
        return Intention(value) if value < INTENTION_COUNT else value

    @property
    def target(self) -> tuple[About, int]:
        """What the intention is about: kind and row of a creature or of food, -1 for nothing."""
        return About(int(self._of("about"))), int(self._of("target"))

    @property
    def stage(self) -> Stage:
        """How far its courtship has come."""
        return Stage(int(self._of("stage")))

    @property
    def habits(self) -> set[str]:
        """What it is and likes: ``{"female", "schooling"}``."""
        bits = int(self._of("habits"))
        return {habit.name.lower() for habit in Habit if bits & habit}

    @property
    def preferences(self) -> dict[str, float]:
        """How much all that it perceives draws it each way, -1 to 1."""
        values = self._of("preferences")
        return {way.name.lower(): float(values[way]) for way in Way}

    def readings(self) -> list[Reading]:
        """Its urges, what it intends, and where it would rather go."""
        number, names = int(self._of("mode")), self.pool.intention_names
        states = tuple((name.lower(), TONES.get(place, "slate")) for place, name in enumerate(names))
        told = [
            Reading("word", "intends", TONES.get(number, "slate"), text=names[number].lower().replace("_", " ")),
            Reading("curve", "hunger", "green", self.hunger, text=f"{self.hunger:.2f}"),
            Reading("curve", "libido", "pink", self.libido, text=f"{self.libido:.2f}"),
            Reading("curve", "fear", "red", self.fear, text=f"{self.fear:.2f}"),
            Reading("strip", "intention", values=[number], states=states),
            Reading("cells", "drawn to", "sky", values=0.5 + 0.5 * self._of("preferences")),
        ]
        if self.stage is not Stage.ALONE:
            told.append(Reading("word", "courtship", "pink", text=self.stage.name.lower()))
        return told

    def _of(self, name: str) -> Any:
        return self.pool.view(self.rows, name)[0]


def fill_mind(birth: Birth, spec: MindSpec, pool: MindPool, rows: Rows) -> None:
    row, draw = rows.start, birth.world.streams["fish minds"]
    pool.stream[row] = draw.integers(0, 2**64, dtype=np.uint64)
    write_mind(pool, row, spec, female=bool(draw.integers(0, 2)))
    pool.course[row, Course.YAW] = birth.heading
    pool.home[row] = _home(birth)
    fullness, rest = draw.uniform(0.0, 1.0), draw.uniform(0.0, 1.0)
    if birth.has("diet"):
        give_appetite(pool, row, spec, birth.world.pool(DietPool), birth.spec("diet", DietSpec))
        birth.world.pool(DietPool).gape[row] = 0
        pool.eaten[row] = 0.0 if spec.born_hungry else fullness * float(pool.appetite[row])
    pool.since_mating[row] = 0.0 if spec.born_hungry else rest / max(spec.libido, 1e-9)


def renew_mind(creature: Creature, spec: MindSpec, pool: MindPool, rows: Rows) -> None:
    """The mind of the species; whether it is female is its own."""
    row = rows.start
    write_mind(pool, row, spec, female=bool(int(pool.habits[row]) & Habit.FEMALE))
    if "diet" in creature.rows:
        give_appetite(pool, row, spec, creature.world.pool(DietPool), creature.species.specs["diet"])


def write_mind(pool: MindPool, row: int, spec: MindSpec, *, female: bool) -> None:
    """Update the numbers of one mind."""
    temper = TEMPERS.index(spec.kind)
    own = {key: float(value) for key, value in zip(OWN_KEYS, pool.own[row], strict=True) if value != AS_SPECIES}
    pool.parameters[row], pool.habits[row] = parameter_row(spec, **own), _habits(spec, female)
    pool.cruise[row], pool.burst[row] = spec.cruise_speed or CRUISE[temper], spec.burst_speed or BURST[temper]


def give_appetite(pool: MindPool, row: int, spec: MindSpec, diets: DietPool, diet: DietSpec) -> None:
    """Let the mind of a fish say when it has had enough, instead of its mouth; both have the row of their creature."""
    pool.appetite[row] = diet.appetite or APPETITE[TEMPERS.index(spec.kind)]
    diets.appetite[row] = 0.0


def _home(birth: Birth) -> float:
    """The height at which it is born, as a share of the depth there."""
    place = birth.world.creature_pool.position[birth.rows["creature"].start]
    water = birth.world.water
    surface, depth = float(water.surface(place[None])[0]), float(water.depth(place[None])[0])
    return float(np.clip(1.0 - (surface - place[2]) / depth, 0.0, 1.0)) if depth > 0.0 else 0.5


APPETITE = (8.0, 4.0, 8.0)
"""Items that fill the three types when a species says nothing. [fish 3]"""


def _habits(spec: MindSpec, female: bool) -> int:
    female = spec.sex == "female" or (spec.sex == "any" and female)
    likes = {Habit.FEMALE: female, Habit.BRIGHTNESS: spec.likes_brightness, Habit.DARKNESS: spec.likes_darkness,
             Habit.COLD: spec.likes_cold, Habit.WARMTH: spec.likes_warmth, Habit.SCHOOLING: spec.schooling}  # fmt: skip
    return int(sum(int(habit) for habit, has in likes.items() if has))


