"""What a game can ask articulated swimmers beside what it can ask all animals: manoeuvres, and the water around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...components.articulated.manoeuvres import MANOEUVRES, ManoeuvrePool
from ...components.articulated.servo import NO_ORDER, SwimPool
from ...engine.errors import PaludariumError, suggest

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.world import World
    from .fluid.window_view import FluidView

NOT_JOINTED = "allowed are articulated swimmers"


def manoeuvre_of(creature: Creature) -> str | None:
    """The manoeuvre that it does most of now; None for animals that have none. Setting it makes a swimmer do nothing else,
    setting None lets it choose again.

    Example::

        eel.manoeuvre               # "straight"
        eel.manoeuvre = "turn_left"
        eel.manoeuvre = None
    """
    if "manoeuvres" not in creature.rows:
        return None
    return MANOEUVRES[int(creature.world.pool(SwimPool).manoeuvre[creature.row])]


def set_manoeuvre(creature: Creature, name: str | None) -> None:
    """Let a swimmer do one manoeuvre until told otherwise."""
    world = creature.world
    if "manoeuvres" not in creature.rows:
        raise PaludariumError(f"manoeuvre: {creature.name} has none; {NOT_JOINTED}")
    swimmers = world.pool(SwimPool)
    swimmers.check(creature.rows["servo"])
    if name is None:
        swimmers.told[creature.row] = NO_ORDER
        return
    own = {MANOEUVRES[code] for code in world.pool(ManoeuvrePool).code[creature.rows["manoeuvres"].slice]}
    if "turn_left" in own or "turn_right" in own:
        own |= {"turn_left", "turn_right"}  # one is the other in the mirror
    if not isinstance(name, str) or name not in own:
        raise PaludariumError(f"manoeuvre = {name!r}: {creature.name} has learned {suggest(str(name), sorted(own))}")
    swimmers.told[creature.row] = MANOEUVRES.index(name)


def fluid_of(creature: Creature) -> FluidView | None:
    """The water of the fluid window that it swims in: copies of velocity, vorticity and pressure; None without a window.

    Example::

        water = eel.fluid
        if water is not None:
            print(abs(water.vorticity).max())
    """
    if "servo" not in creature.rows or "articulated" not in creature.world.families.loaded:
        return None
    from .space.swimmer_boxes import SwimBoxes
    from .window_sharing import SwimWindows

    world, row = creature.world, creature.row
    return world.resource(SwimWindows).view_of(row) or world.resource(SwimBoxes).view_of(row)


def add_swimmer_calls(world: World) -> None:
    """Give creatures what is defined here."""
    world.add_attribute("manoeuvre", manoeuvre_of, set_manoeuvre)
    world.add_attribute("fluid", fluid_of)
