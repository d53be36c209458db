"""Changing what a fish is made of while it lives: the sliders of the source's physics panel. [Tu99 9.2]"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...components.fish.motor import FASTEST_BEAT, SHARPEST_BEAT, Motor, MotorPool
from ...components.fish.springs import MOST_SUBSTEPS, FishBodyPool, SpringSpec, blueprint_of, substeps_for
from ...engine import arguments
from ...engine.errors import ArgumentError, PaludariumError

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.world import World

LIMITS = {"stiffness": (0.05, 20.0), "damping": (0.0, 50.0), "mass": (0.05, 20.0), "water": (0.0, 20.0)}
"""Of the factors, in the order of `FishBodyPool.tuned`."""


def add_verbs(world: World) -> None:
    """Give creatures the verbs of fishes, so that others can say no."""
    world.add_verb("tune", tune)


def tune(creature: Creature, *, stiffness: float | None = None, damping: float | None = None, mass: float | None = None,
         water: float | None = None) -> None:
    """Multiply what its species has, from now on; what is not given stays. Without water (0) nothing propels it.

    Example::

        fish.tune(water=0.0)                  # as in air, but without weight
        fish.tune(stiffness=2.0, mass=1.5)
    """
    if creature.species.family != "fish":
        raise PaludariumError(f"tune: {creature.name} is a {creature.species.family}; only fishes have springs to tune")
    world, row = creature.world, creature.row
    fishes, motors = world.pool(FishBodyPool), world.pool(MotorPool)
    fishes.check(creature.rows["springs"])
    factors = fishes.tuned[row].copy()
    for place, (name, value) in enumerate(zip(LIMITS, (stiffness, damping, mass, water), strict=True)):
        if value is not None:
            factors[place] = arguments.number(f"tune({name})", value, *LIMITS[name])
    springs = creature.species.specs["springs"]
    assert isinstance(springs, SpringSpec)
    blueprint = blueprint_of(springs)
    needed = substeps_for(blueprint, world.clock.tick_seconds, factors[0], factors[2], factors[1])
    if needed > MOST_SUBSTEPS:
        undamped = substeps_for(blueprint, world.clock.tick_seconds, factors[0], factors[2], 0.0)
        wrong = "damping" if undamped <= MOST_SUBSTEPS else ("mass" if factors[2] < 1.0 else "stiffness")
        value = factors[list(LIMITS).index(wrong)]
        raise ArgumentError(f"tune({wrong}={value:g}): allowed is what {MOST_SUBSTEPS} substeps in a tick keep together; "
                            f"stiffness {factors[0]:g}, damping {factors[1]:g} and mass "
                            f"{factors[2]:g} need {needed}")  # fmt: skip
    own = blueprint.bending * np.sqrt(factors[0] / factors[2])
    fastest = FASTEST_BEAT * float(motors.parameters[row, Motor.BEAT_SCALE]) * springs.pace
    if fastest > SHARPEST_BEAT * own:
        least = factors[0] * (fastest / (SHARPEST_BEAT * own)) ** 2
        raise ArgumentError(f"tune(stiffness={factors[0]:g}): allowed is at least {least:.3g} with a mass of "
                            f"{factors[2]:g}; a softer body folds instead of beating")  # fmt: skip
    fishes.tuned[row], fishes.substeps[row] = factors, needed
