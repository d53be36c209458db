"""The tick: every step of every family, in the order in which they run. This list is the only place that says so.

A row names the phase, whose step it is, where its system lives (module:class, below this package) and what it does.
Systems of all families are in the tick from the start. Those of one family join when its first animal is born, those of
the sea when the water gets a current, plankton, bubbles, seaweed or a hook. Each takes its place in the list whatever
joined before, so the order is the same in every world, also after loading one.

`docs/tick.md` and its picture are made from this list.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..engine.plugins import build_as
from ..engine.schedule import Phase

if TYPE_CHECKING:
    from ..engine.pool import Array
    from ..engine.world import World
    from .brain.mode_registry import Wish

SENSE, THINK, ACT, MOVE, WATER, LIVE = Phase
ALL, MYRIAPOD, FISH, INSECT, ARTICULATED = "all", "myriapod", "fish", "insect", "articulated"
FAMILIES = (MYRIAPOD, FISH, INSECT, ARTICULATED)
SEA = "sea "
"""What the names of the parts of the sea begin with; each part joins by itself."""


class Step(NamedTuple):
    """One row of the tick."""

    phase: Phase
    whose: str
    place: str
    does: str

    @property
    def system(self) -> str:
        """The name of its system."""
        return self.place.partition(":")[2]


TICK = tuple(Step(*row) for row in (
    (SENSE, ALL, "spatial_index.system:IndexSystem", "where obstacles, bodies and food are"),
    (SENSE, ALL, "senses.system:SensorSystem", "antennae touch and smell; free ways; what swimmers but fishes see"),
    (SENSE, MYRIAPOD, "myriapod.swim.immersion:ImmersionSystem", "how deep bodies with muscles are in the water; modes"),
    (SENSE, ALL, "stimuli.system:StimulusSystem", "stimuli fade; what draws heads near or drives them away"),
    (SENSE, FISH, "fish.senses.system:FishSenseSystem", "what fishes see, smell and feel; which of them think in this tick"),
    (THINK, ALL, "orders.system:OrderSystem", "orders about creatures that are gone; the next point of a path"),
    (THINK, MYRIAPOD, "myriapod.footing:FootingSystem", "how well ground or water carries the body"),
    (THINK, ALL, "brain.system:BrainSystem", "all but fishes: the mode of highest priority; speed and yaw rate"),
    (THINK, MYRIAPOD, "myriapod.headless_walk:HeadlessWalkSystem", "bodies without a head walk straight on for a while"),
    (THINK, FISH, "fish.mind.system:FishMindSystem", "urges, intentions, targets; hooks, suction, matings; wishes"),
    (ACT, ALL, "contact.system:ContactSystem", "bodies that meet press against each other"),
    (ACT, MYRIAPOD, "myriapod.gait.targeter:TargeterSystem", "which segments legs carry, and where these should be"),
    (ACT, MYRIAPOD, "myriapod.gait.switcher:SwitcherSystem", "leg states, by local rules"),
    (ACT, INSECT, "insect.walk.system:TripodSystem", "phases of six legs, footholds, swings; the trunk above its feet"),
    (ACT, ARTICULATED, "articulated.system:StrokeSystem", "what servos do: phase, effort, steering by path or brain"),
    (MOVE, MYRIAPOD, "myriapod.swim.contacts:SwimContactSystem", "bed, walls and obstacles that stop swimming bodies"),
    (MOVE, MYRIAPOD, "myriapod.swim.passing:PassingSystem", "when swimmers meet, the younger one dives under the older one"),
    (MOVE, MYRIAPOD, "myriapod.swim.muscles:MuscleSystem", "rest lengths of the muscles of swimmers"),
    (MOVE, MYRIAPOD, "myriapod.body.system:FEMSystem", "bodies of segments and tissue at their tier; standing legs"),
    (MOVE, FISH, "fish.body.system:FishMotorSystem", "from a wish to beat, bend and fin angles"),
    (MOVE, FISH, "fish.body.system:FishBodySystem", "bodies of springs in water and in contact, in substeps; death by air"),
    (MOVE, INSECT, "insect.walk.system:TrunkSystem", "wind; insects pushed, loaded or fallen; footing and legs of all"),
    (MOVE, ARTICULATED, "articulated.system:SwimBodySystem", "links, the water around, contact, footing; death by air"),
    (WATER, ALL, "safety.system:SafetySystem", "removes creatures with invalid numbers, brings back those beyond the edge"),
    (WATER, ALL, "water.system:WaterSystem", "ponds flow, rain falls, bodies make waves; currents at bodies; food drifts"),
    (WATER, "sea current", "sea.current_step:CurrentSystem", "the sea's current at bodies and floating food"),
    (WATER, "sea plankton", "sea.plankton_step:PlanktonSystem", "plankton drifts and grows back"),
    (WATER, "sea bubbles", "sea.bubbles_step:BubblesSystem", "bubbles rise"),
    (WATER, "sea seaweed", "sea.seaweed_step:SeaweedSystem", "seaweed sways in the current and makes way for bodies"),
    (WATER, "sea hooks", "sea.hooks_step:HooksSystem", "hooks hang in the current and pull what they caught"),
    (LIVE, ALL, "feeding.system:FeedingSystem", "animals eat food and prey"),
    (LIVE, INSECT, "insect.colony.system:ColonySystem", "ants pick up, carry, haul and store; greetings, alarm, trails"),
))  # fmt: skip


class Mode(NamedTuple):
    """One mode of the brain of walking animals, beside the compiled ones (`brain.mode_registry`)."""

    priority: float
    whose: str
    name: str
    place: str
    does: str


MODES = tuple(Mode(*row) for row in (
    # above avoidance, because ants touch each other all the time; below the orders of a game
    (64.0, INSECT, "FORAGE", "insect.colony.forage_mode:ForageMode", "where an ant walks: to food, along trails, home"),
    # above avoidance, which keeps off shores; below the orders of a game
    (62.0, ARTICULATED, "SHORE", "articulated.shore.shore_mode:ShoreMode", "where a swimmer goes to sit ashore, and back"),
    # below avoidance, so that no creature flees into a wall, and above food
    (50.0, ALL, "REACTION", "stimuli.reaction_mode:ReactionMode", "toward what attracts it, away from what repels it"),
))  # fmt: skip

OLDER_NAMES = {"SeaSystem": "CurrentSystem", "SoundnessSystem": "SafetySystem", "PressingSystem": "ContactSystem"}
"""Names that mods may still give, and the systems that stand there now."""


class Deciding(Protocol):
    """What a brain mode is: built with the world, asked once per tick."""

    def is_on(self) -> bool:
        """Whether any creature has to be asked in this tick."""
        ...

    def decide(self, brain: Any, rows: Array) -> Wish:
        """What it wishes for some creatures."""
        ...


def begin(world: World) -> None:
    """Put the steps of all families into the tick, and make those known that come later."""
    from .brain.mode_registry import ModeRegistry

    modes = world.resource(ModeRegistry)
    for mode in sorted(MODES, key=lambda mode: mode.whose != ALL):  # numbers of modes are saved: the shared ones come first
        modes.declare(mode.name, mode.priority)
    for older, name in OLDER_NAMES.items():
        world.schedule.rename(older, name)
    for family in FAMILIES:
        world.schedule.expect(names_of(family), partial(world.families.require, family))
    join(world, ALL)


def join(world: World, whose: str) -> None:
    """Put the steps of a family, or of a part of the sea, at their places in the tick, with the brain modes they bring."""
    from .brain.mode_registry import ModeRegistry

    for rank, step in enumerate(TICK):
        if step.whose == whose:
            world.schedule.add_at(_found(step.place)(world), step.phase, rank)
    for mode in MODES:
        if mode.whose == whose:
            deciding: Deciding = _found(mode.place)(world)
            world.resource(ModeRegistry).provide(mode.name, deciding.decide, deciding.is_on)


def join_as_package(world: World, whose: str) -> None:
    """`join`, in the name of the package even if a mod's call is what needs it."""
    build_as(world, lambda world: join(world, whose), None)


def names_of(whose: str) -> tuple[str, ...]:
    """The names of the systems of a family, or of a part of the sea."""
    return tuple(step.system for step in TICK if step.whose == whose)


def _found(place: str) -> Any:
    """What a row names: it is imported when it is needed, so that families that are not there cost nothing."""
    module, _, name = place.partition(":")
    return getattr(import_module(f".{module}", __package__), name)
