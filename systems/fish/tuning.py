"""Changing what a fish is made of while it lives: the sliders of the source's physics panel. [Tu99 9.2]"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np

from ...components.fish.mind import OWN_KEYS, Mind, MindPool, MindSpec
from ...components.fish.motor import Motor, MotorPool
from ...components.fish.springs import FishBodyPool, SpringSpec, Tuned
from ...components.fish.tuning_limits import LIMITS, least_stiffness, most_substeps, tuned_substeps
from ...engine import arguments
from ...engine.errors import ArgumentError, PaludariumError

if TYPE_CHECKING:
    from ...engine.creature import Creature
    from ...engine.world import World


def add_verbs(world: World) -> None:
    """Give creatures the verbs of fishes, so that others can say no."""
    world.add_verb("tune", tune)
    world.add_verb("set_mind", set_mind)


def tune(creature: Creature, *, stiffness: float | None = None, damping: float | None = None, mass: float | None = None,
         water: float | None = None) -> None:
    """Multiply what its species has, from now on; what is not given stays. Without water (0) nothing propels it.

    Example::

        fish.tune(water=0.0)                  # as in air, but without weight
        fish.tune(stiffness=2.0, mass=1.5)
    """
    if creature.species.family != "fish":
        family = creature.species.family
        raise PaludariumError(f"tune(): {creature.name} is of the family {family}: allowed are fishes, which have springs")
    world, row = creature.world, creature.row
    fishes, motors = world.pool(FishBodyPool), world.pool(MotorPool)
    fishes.check(creature.rows["springs"])
    factors = fishes.tuned[row].copy()
    for place, (name, value) in enumerate(zip(LIMITS, (stiffness, damping, mass, water), strict=True)):
        if value is not None:
            factors[place] = arguments.number(f"tune({name})", value, *LIMITS[name])
    springs = creature.species.specs["springs"]
    assert isinstance(springs, SpringSpec)
    tick = world.clock.tick_seconds
    stiffness, damping, mass_factor = factors[: Tuned.WATER].tolist()
    needed, most = tuned_substeps(springs, factors, tick), most_substeps(tick)
    if needed > most:
        undamped = tuned_substeps(springs, np.array([stiffness, 0.0, mass_factor, 1.0]), tick)
        wrong = "damping" if undamped <= most else ("mass" if mass_factor < 1.0 else "stiffness")
        value = factors[list(LIMITS).index(wrong)]
        raise ArgumentError(f"tune({wrong}={value:g}): allowed is what {most} substeps in a tick keep together; stiffness "
                            f"{stiffness:g}, damping {damping:g} and mass {mass_factor:g} need {needed}")  # fmt: skip
    least = least_stiffness(springs, float(motors.parameters[row, Motor.BEAT_SCALE]), factors)
    if least:
        raise ArgumentError(f"tune(stiffness={stiffness:g}): allowed is at least {least:.3g} with a mass of "
                            f"{mass_factor:g}; a softer body folds instead of beating")  # fmt: skip
    fishes.tuned[row], fishes.substeps[row] = factors, needed


def mind_value(minds: MindPool, row: int, key: str) -> float:
    """What a mind has of one of `OWN_KEYS` now."""
    return float(minds.parameters[row, Mind[key.upper()]])


def set_mind(creature: Creature, *, digestion: float | None = None, libido: float | None = None,
             fear_distance: float | None = None, food_stimulus: float | None = None,
             mate_stimulus: float | None = None) -> None:  # fmt: skip
    """Change how fast hunger and libido grow, from how far a fish fears, and how much food and mates tempt it.

    Values are those of its ``[mind]`` table; what is not given stays.

    Example::

        fish.set_mind(libido=0.075)            # ten times as fast as most
        fish.set_mind(fear_distance=8.0)       # lengths
    """
    if "mind" not in creature.rows:
        raise PaludariumError(f"set_mind(): {creature.name} has no mind: allowed are fishes with a [mind] table")
    minds, row = creature.world.pool(MindPool), creature.row
    minds.check(creature.rows["mind"])
    rules = {item.name: item.metadata["rule"] for item in fields(MindSpec)}
    wanted = dict(zip(OWN_KEYS, (digestion, libido, fear_distance, food_stimulus, mate_stimulus), strict=True))
    told = {key: arguments.number(f"set_mind({key})", value, rules[key].low, rules[key].high)
            for key, value in wanted.items() if value is not None}  # fmt: skip
    for key, value in told.items():
        minds.parameters[row, Mind[key.upper()]] = minds.own[row, OWN_KEYS.index(key)] = value
