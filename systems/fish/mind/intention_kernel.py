"""What a fish intends: the most pressing of its urges, and what keeps it from dithering. [Tu99 7.5, 7.7]

The order is the book's: what is in the way, orders of the game, fear, what was interrupted, hunger and love, the water here.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from ....components.brain_modes import GoalKind
from ....components.fish.eyes import NOBODY
from ....components.fish.intentions import INTENTION_COUNT, About, Habit, Intention, Stage, Strike, Temper
from ....components.fish.mind import Mind
from ....engine.kernel import kernel
from ...senses.random_stream_kernel import advance, uniform
from .company_kernel import neighbour_count
from .urge_kernel import FEAR, HUNGER, LIBIDO

if TYPE_CHECKING:
    from ....components.fish.eyes import EyePool
    from ....components.fish.mind import MindPool
    from ....engine.creature import CreaturePool
    from ....engine.props import FoodPool

BRIGHT, DARK = 0.55, 0.45  # brightness; warmth has the same [artificial-fishes 5]
ENOUGH_MATES = 2  # in sight that make schooling worth while [fish 3]
NO_MEMORY = 0  # WANDER: it is what one does anyway
KEEP_BRIGHT = 0.05  # how much better it has to be before one stops leaving


@kernel()
def likes(c: int, minds: MindPool, habit: int, opposite: int) -> bool:
    """Return whether a fish likes something and not its opposite as well."""
    return minds.habits[c] & habit != 0 and minds.habits[c] & opposite == 0


@kernel()
def is_content(c: int, eyes: EyePool, minds: MindPool) -> bool:
    """Return whether light and warmth agree with the habits of one fish. [Tu99 7.5]"""
    slack = KEEP_BRIGHT if minds.mode[c] == Intention.LEAVE.value else 0.0
    light, warmth = eyes.brightness[c], eyes.temperature[c]
    if likes(c, minds, Habit.BRIGHTNESS.value, Habit.DARKNESS.value) and light < BRIGHT + slack:
        return False
    if likes(c, minds, Habit.DARKNESS.value, Habit.BRIGHTNESS.value) and light > DARK - slack:
        return False
    if likes(c, minds, Habit.WARMTH.value, Habit.COLD.value) and warmth < BRIGHT + slack:
        return False
    return not (likes(c, minds, Habit.COLD.value, Habit.WARMTH.value) and warmth > DARK - slack)


@kernel()
def has_orders(c: int, creatures: CreaturePool, near: bool) -> bool:
    """Return whether the game wants something of one fish now; a threat farther away than its radius is none."""
    kind = creatures.goal_kind[c]
    if kind == GoalKind.NONE:
        creatures.goal_done[c] = 0
        return False
    if kind == GoalKind.FLEE_POINT or kind == GoalKind.FLEE_CREATURE:
        creatures.goal_done[c] = 0 if near else 1
        return near
    return True


@kernel()
def fearful_intention(c: int, minds: MindPool) -> int:
    """Return ESCAPE or SCHOOL for one that is afraid, WANDER for one that is not. [Tu99 7.5]"""
    own, mode = minds.parameters[c], minds.mode[c]
    stay = own[Mind.STAY_SHARE] if mode == Intention.ESCAPE.value else 1.0
    if mode == Intention.ESCAPE.value and minds.since[c] < own[Mind.ESCAPE_HOLD]:
        return Intention.ESCAPE.value
    if not minds.urges[c, FEAR] > own[Mind.FEAR_THRESHOLD] * stay:
        return Intention.WANDER.value
    schools = minds.habits[c] & Habit.SCHOOLING.value != 0
    if schools and minds.worst_fear[c] < own[Mind.FLIGHT_THRESHOLD] * stay:
        return Intention.SCHOOL.value
    return Intention.ESCAPE.value


@kernel()
def knows_food(c: int, eyes: EyePool, minds: MindPool) -> bool:
    """Return whether there is anything to eat for one fish."""
    if minds.parameters[c, Mind.KIND] == Temper.PREDATOR.value and minds.strike[c] == Strike.MISSED.value:
        return False  # it rests from a strike
    if eyes.bait[c] != NOBODY:
        return True
    return eyes.food[c, 0] != NOBODY or eyes.prey[c] != NOBODY or minds.strike[c] == Strike.CATCHING.value


@kernel()
def rivals(c: int, minds: MindPool) -> tuple[float, float]:
    """Return hunger and libido of one fish as they compete: tired of what lasts, held down by what was resumed."""
    own, mode = minds.parameters[c], minds.mode[c]
    hunger, libido = minds.urges[c, HUNGER], minds.urges[c, LIBIDO]
    tired = hunger * minds.vigour[c, Intention.EAT.value]
    courts = libido if minds.stage[c] >= Stage.LOOPING.value else libido * minds.vigour[c, Intention.MATE.value]
    if minds.resumed[c] != 0 and mode == Intention.MATE.value:
        tired -= own[Mind.INHIBITION] * libido
    if minds.resumed[c] != 0 and mode == Intention.EAT.value:
        courts -= own[Mind.INHIBITION] * hunger
    return tired, courts


@kernel()
def is_committed(c: int, minds: MindPool) -> bool:
    """Return whether the courtship of one fish has come to circling: it goes on then, however hungry it is."""
    return minds.parameters[c, Mind.SEARCH] == 0.0 and minds.stage[c] >= Stage.CIRCLING.value and minds.partner[c] != NOBODY


@kernel()
def urgent_intention(c: int, eyes: EyePool, minds: MindPool) -> int:
    """Return EAT or MATE if one of them is urgent enough for one fish, else WANDER. [Tu99 7.5]"""
    own, mode = minds.parameters[c], minds.mode[c]
    hunger, libido = rivals(c, minds)
    on, off, search = own[Mind.EAT_THRESHOLD], own[Mind.EAT_RELEASE], own[Mind.SEARCH] != 0.0
    eats = hunger > (off if mode == Intention.EAT.value else on) and (search or knows_food(c, eyes, minds))
    has_mate = search or eyes.mates[c, 0] != NOBODY or minds.partner[c] != NOBODY
    if is_committed(c, minds):
        return Intention.MATE.value
    mates = libido > (off if mode == Intention.MATE.value else on) and has_mate
    if eats and mates:
        if hunger == libido:
            if mode == Intention.EAT.value or mode == Intention.MATE.value:
                return mode
            minds.stream[c] = advance(minds.stream[c])
            return Intention.EAT.value if uniform(minds.stream[c], 0.0, 1.0) < 0.5 else Intention.MATE.value
        return Intention.EAT.value if hunger > libido else Intention.MATE.value
    if eats:
        return Intention.EAT.value
    return Intention.MATE.value if mates else Intention.WANDER.value


@kernel()
def idle_intention(c: int, eyes: EyePool, minds: MindPool) -> int:
    """Return what one fish does that nothing presses: LEAVE, SCHOOL or WANDER."""
    own = minds.parameters[c]
    if own[Mind.KIND] != Temper.PREDATOR.value and not is_content(c, eyes, minds):
        return Intention.LEAVE.value
    schools = minds.habits[c] & Habit.SCHOOLING.value != 0 and own[Mind.SCHOOL_ALWAYS] != 0.0
    return Intention.SCHOOL.value if schools and neighbour_count(c, eyes) >= ENOUGH_MATES else Intention.WANDER.value


@kernel()
def remembers(mode: int) -> bool:
    """Return whether an intention is worth to be taken up again."""
    return mode == Intention.EAT.value or mode == Intention.MATE.value or mode == Intention.SCHOOL.value


@kernel()
def store_memory(c: int, minds: MindPool) -> None:
    """Update the memory of one fish with what it is about to leave. [Tu99 7.7.1]"""
    minds.memory[c], minds.memory_about[c] = minds.mode[c], minds.about[c]
    minds.memory_row[c], minds.memory_serial[c] = minds.target[c], minds.target_serial[c]


@kernel()
def still_there(c: int, creatures: CreaturePool, food: FoodPool, minds: MindPool) -> bool:
    """Return whether what one fish remembers still is in the world."""
    row = minds.memory_row[c]
    if minds.memory_about[c] == About.NOTHING.value or minds.memory_about[c] == About.BAIT.value or row < 0:
        return True
    if minds.memory_about[c] == About.FOOD.value:
        return row < food.owner.shape[0] and food.owner[row] != NOBODY and food.amount[row] > 0.0
    return row < creatures.owner.shape[0] and creatures.owner[row] == minds.memory_serial[c] and creatures.dead[row] == 0


@kernel()
def resume(c: int, creatures: CreaturePool, food: FoodPool, minds: MindPool) -> int:
    """Return the intention that one fish remembers, with its target taken up again, or WANDER; the memory is empty then."""
    stored = minds.memory[c]
    minds.memory[c] = NO_MEMORY
    if stored == NO_MEMORY or not still_there(c, creatures, food, minds):
        return Intention.WANDER.value
    minds.about[c], minds.target[c] = minds.memory_about[c], minds.memory_row[c]
    minds.target_serial[c] = minds.memory_serial[c]
    return stored


@kernel()
def tire(c: int, minds: MindPool, dt: float) -> None:
    """Update how tired one fish is of each intention. [Tu99 7.7.2]"""
    share = exp(-dt / minds.parameters[c, Mind.FATIGUE])
    for k in range(INTENTION_COUNT):
        if k == minds.mode[c]:
            minds.vigour[c, k] *= share
        else:
            minds.vigour[c, k] = 1.0 - (1.0 - minds.vigour[c, k]) * share


@kernel()
def take_up(c: int, wanted: int, minds: MindPool, resumed: int) -> None:
    """Update the intention of one fish."""
    if wanted != minds.mode[c]:
        minds.mode[c], minds.since[c] = wanted, 0.0
        minds.resumed[c] = resumed
        if resumed == 0 and remembers(wanted) and wanted != Intention.SCHOOL.value:
            minds.about[c], minds.target[c] = About.NOTHING.value, NOBODY


@kernel()
def interrupt(c: int, wanted: int, minds: MindPool) -> None:
    """Update the intention of one fish to one of a higher layer; what it interrupts is remembered."""
    if wanted != minds.mode[c] and remembers(minds.mode[c]) and not (wanted == Intention.SCHOOL.value):
        store_memory(c, minds)
    take_up(c, wanted, minds, 0)


@kernel()
def may_stay(c: int, eyes: EyePool, minds: MindPool) -> bool:
    """Return whether one fish has not been at its intention for long and still can follow it."""
    mode = minds.mode[c]
    if minds.since[c] >= minds.parameters[c, Mind.DWELL]:
        return False
    if mode == Intention.EAT.value:
        return minds.sated[c] == 0 and knows_food(c, eyes, minds)
    if mode == Intention.MATE.value:
        return minds.partner[c] != NOBODY
    if mode == Intention.SCHOOL.value:
        return neighbour_count(c, eyes) > 0
    return mode == Intention.WANDER.value or mode == Intention.LEAVE.value


@kernel()
def choose_intention(c: int, blocked: bool, ordered: bool, creatures: CreaturePool, eyes: EyePool, minds: MindPool,
                     food: FoodPool, dt: float) -> None:  # fmt: skip
    """Update the intention of one fish. blocked: it is about to run into something; ordered: the game wants something."""
    own, mode = minds.parameters[c], minds.mode[c]
    if mode >= INTENTION_COUNT:  # a mod's; it is asked again every time
        mode = minds.mode[c] = Intention.WANDER.value
    minds.since[c] += dt
    tire(c, minds, dt)
    if blocked or (mode == Intention.AVOID.value and minds.since[c] < own[Mind.AVOID_HOLD]):
        interrupt(c, Intention.AVOID.value, minds)
        return
    if ordered:
        interrupt(c, Intention.CONTROL.value, minds)
        return
    fearful = fearful_intention(c, minds)
    if fearful != Intention.WANDER.value:
        interrupt(c, fearful, minds)
        return
    literal = own[Mind.DWELL] == 0.0
    pressed = mode == Intention.AVOID.value or mode == Intention.ESCAPE.value or mode == Intention.CONTROL.value
    if literal or pressed:
        stored = resume(c, creatures, food, minds)
        if stored != Intention.WANDER.value:
            take_up(c, stored, minds, 1)
            return
    if not literal and may_stay(c, eyes, minds) and not is_tempted(c, minds):
        return
    urgent = urgent_intention(c, eyes, minds)
    if urgent != Intention.WANDER.value:
        other = urgent != mode and (mode == Intention.EAT.value or mode == Intention.MATE.value)
        if other:  # an opportunity: afterwards it goes on
            store_memory(c, minds)
        take_up(c, urgent, minds, 0)
        return
    stored = resume(c, creatures, food, minds)
    if stored == Intention.MATE.value and minds.urges[c, LIBIDO] > own[Mind.EAT_RELEASE]:
        take_up(c, stored, minds, 1)
        return
    take_up(c, idle_intention(c, eyes, minds), minds, 0)


@kernel()
def is_tempted(c: int, minds: MindPool) -> bool:
    """Return whether food is so near to a courting fish that it takes the opportunity at once."""
    if minds.mode[c] != Intention.MATE.value or is_committed(c, minds):
        return False
    hunger, libido = rivals(c, minds)
    return hunger > libido and hunger > minds.parameters[c, Mind.EAT_THRESHOLD]
